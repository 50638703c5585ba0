import { userSchema, type Session } from '@kervan/contract';

const TOKEN_KEY = 'auth_token';
const USER_KEY = 'user_data';

/** What the session needs of localStorage. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface SessionStorage {
  read(): Session | undefined;
  write(session: Session): void;
  clear(): void;
}

/** The session in the browser's storage, under the two keys of spec §3. */
export function createSessionStorage(storage: KeyValueStorage): SessionStorage {
  return {
    read() {
      const token = storage.getItem(TOKEN_KEY);
      const user = parseUser(storage.getItem(USER_KEY));
      return token && user ? { access_token: token, user } : undefined;
    },
    write({ access_token, user }) {
      // The token last: a tab that hears of it finds the user beside it.
      storage.setItem(USER_KEY, JSON.stringify(user));
      storage.setItem(TOKEN_KEY, access_token);
    },
    clear() {
      storage.removeItem(TOKEN_KEY);
      storage.removeItem(USER_KEY);
    },
  };
}

function parseUser(text: string | null): Session['user'] | undefined {
  try {
    return userSchema.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}
