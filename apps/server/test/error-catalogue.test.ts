import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ERRORS, type ErrorCode } from '@kervan/contract';
import { describe, expect, test } from 'vitest';
import { webCatalogue, type CatalogueEntry } from './error-catalogue-web.ts';

const server = (name: string) => `apps/server/test/${name}.test.ts`;

const serverCatalogue: readonly CatalogueEntry[] = [
  {
    entry: 'any 401 ends the session: a token that is forged, expired or revoked is answered with it',
    codes: { AUTH_REQUIRED: ERRORS.AUTH_REQUIRED.en },
    shownBy: [
      [server('auth'), 'routes of users answer 401 without one, with a forged one and with an expired one'],
      [server('sessions'), 'one of them can be ended from another; its tokens are worth nothing then'],
      [server('http'), 'every route of users refuses strangers before it looks at what they sent'],
    ],
  },
  {
    entry: 'the message comes from response.data.error.message, in the caller’s language',
    shownBy: [
      [server('http'), 'messages are in the language that the caller prefers'],
      [server('http'), 'the field that is wrong is named'],
    ],
  },
  {
    entry: 'sign-in: the server’s message',
    codes: {
      CREDENTIALS_INVALID: ERRORS.CREDENTIALS_INVALID.en,
      USERNAME_REQUIRED: 'Username is required',
      PASSWORD_TOO_SHORT: 'Password must be at least 6 characters long',
    },
    shownBy: [
      [server('auth'), 'a wrong password and an unknown user get the same answer'],
      [server('auth'), 'the sentences for missing fields are the specified ones'],
    ],
  },
  {
    entry: 'a failed refresh clears the session',
    codes: { REFRESH_INVALID: ERRORS.REFRESH_INVALID.en },
    shownBy: [
      [server('auth'), 'a used token that comes back ends the session for whoever holds it'],
      [server('auth'), 'no cookie and an unknown one are refused'],
    ],
  },
  {
    entry: 'wallet create: the server’s message',
    codes: {
      WALLET_NAME_REQUIRED: 'Please enter a wallet name',
      PRIVATE_KEY_REQUIRED: 'Please enter a private key',
      PRIVATE_KEY_INVALID: 'Invalid private key format. Please use base58 string or array format.',
      WALLET_EXISTS: ERRORS.WALLET_EXISTS.en,
    },
    shownBy: [
      [server('wallets'), 'is refused in the words of the specification: %j'],
      [server('wallets'), 'is refused for the key %j, which is no text'],
      [server('wallets'), 'is refused a second time, and free again after its wallet is deleted'],
    ],
  },
  {
    entry: 'wallet delete: a text with the reason',
    codes: { WALLET_IN_USE: ERRORS.WALLET_IN_USE.en },
    shownBy: [[server('wallets'), 'is refused while a bot or an open trade uses it, and tells how many']],
  },
  {
    entry: 'wallet history that can’t be fetched says so',
    codes: { TRANSACTION_NOT_FOUND: ERRORS.TRANSACTION_NOT_FOUND.en },
    shownBy: [
      [
        server('wallet-history'),
        "an unknown transaction, one of another wallet, and another user's wallet are not found",
      ],
    ],
  },
  {
    entry: 'bot create and update: the server’s message',
    codes: {
      BOT_NAME_REQUIRED: 'Please enter a bot name',
      AMOUNT_RANGE_INVALID: 'Minimum amount must be less than maximum amount',
      INTERVAL_RANGE_INVALID: 'Minimum interval must be less than maximum interval',
      TOKEN_ADDRESS_INVALID: 'Please enter a valid token address',
    },
    shownBy: [
      [server('bots'), 'is refused in the words of the specification: %j'],
      [server('bots'), 'on Solana is refused without a token'],
      [
        server('bots'),
        'changes what is sent, holds it against what is stored, and writes it into the console',
      ],
    ],
  },
  {
    entry: 'bot start, stop and delete failures are told, over the socket as well',
    codes: { BOT_NOT_FOUND: ERRORS.BOT_NOT_FOUND.en, BOT_TOKEN_REQUIRED: ERRORS.BOT_TOKEN_REQUIRED.en },
    shownBy: [
      [server('bots'), "another user's bot, and one of the other chain, are not found"],
      [server('realtime'), 'on a bot that is not there, or another’s, answer with the event error'],
      [server('bots-runs'), 'is refused in words where it can not trade'],
    ],
  },
  {
    entry:
      'token lookup: an address that is no token’s is an answer with its name, a node that is away an error',
    shownBy: [
      [server('tokens'), 'answers a text that is no address as an invalid token'],
      [server('tokens'), 'answers an address without a token as an invalid token, not as an error'],
      [server('tokens'), 'says so when the node can’t be asked, instead of calling the token invalid'],
    ],
  },
  {
    entry: 'BSC metadata lookup failures are swallowed; the token is Custom Token, BEP20',
    shownBy: [
      [server('token-sources'), 'sources that are away or answer nonsense are passed over'],
      [server('tokens'), 'gives a contract that tells no name the name of a custom token'],
    ],
  },
  {
    entry:
      'balances that can’t be fetched are never invented: the node’s failure is told, charts end where it began',
    codes: { NETWORK_UNREACHABLE: ERRORS.NETWORK_UNREACHABLE.en },
    shownBy: [
      [server('charts'), 'begin with what held at the range’s start, and go on without the node'],
      [server('solana-rpc'), 'that refuses the key, the call, or is away says so without the key'],
    ],
  },
  {
    entry: 'rate limiting: three retries from a second on, doubling, with jitter; then the fixed sentence',
    codes: { RATE_LIMITED: 'Rate limited - too many requests' },
    shownBy: [
      [server('solana-rpc'), 'that limits the rate is asked three more times, ever later'],
      [
        server('solana-rpc'),
        'of more than ten calls in a second the later ones wait, and a flood is refused',
      ],
      ['apps/server/src/features/solana-rpc/turns.test.ts', 'a flood is refused and not queued for ever'],
    ],
  },
  {
    entry: 'the chains’ own clients ask again after a 429',
    shownBy: [
      ['packages/chains/src/solana/http.test.ts', 'tries again after 429, 5xx and broken connections'],
      [
        'packages/chains/src/bsc/rpc-client.test.ts',
        'asks again after 429, a server error, a cut connection and words about the rate',
      ],
    ],
  },
  {
    entry: 'a bot’s trade that fails tells why',
    shownBy: [
      [server('trades'), 'that failed says why, in words'],
      [server('bots-runs'), 'stop the bot after five in a row, and it says so'],
    ],
  },
  {
    entry: 'settings: what can’t be saved is told by the field’s name',
    codes: {
      PROVIDER_KEY_REQUIRED: 'The provider key is required',
      PROVIDER_KEY_REFUSED: ERRORS.PROVIDER_KEY_REFUSED.en,
      NODE_UNREACHABLE: ERRORS.NODE_UNREACHABLE.en,
      NODE_MISMATCH: ERRORS.NODE_MISMATCH.en,
      RPC_URL_INVALID: ERRORS.RPC_URL_INVALID.en,
    },
    shownBy: [
      [server('own-nodes'), 'that the provider refuses, or that opens another network, is not saved'],
      [server('own-nodes'), 'with another chain id is refused by the field’s name, and nothing is saved'],
      [server('own-nodes'), 'that does not answer as a node does is refused by the field’s name'],
      [server('own-nodes'), 'is required where one is sent'],
    ],
  },
  {
    entry: 'enterprise logs: a filter that makes no sense is refused',
    shownBy: [[server('enterprise'), 'refuse what is no bound, by its name']],
  },
  {
    entry: 'a socket that can’t sign in is refused',
    shownBy: [[server('realtime'), 'a socket with the token %j is refused']],
  },
];

const readSource = (file: string) =>
  readFile(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8');

/** The text of the web app that has this namespace and key. */
async function textOf(language: 'en' | 'tr', name: string): Promise<unknown> {
  const [namespace = '', key = ''] = name.split(':');
  const texts: unknown = JSON.parse(await readSource(`apps/web/src/locales/${language}/${namespace}.json`));
  return key
    .split('.')
    .reduce(
      (node, part) => (typeof node === 'object' && node !== null ? Reflect.get(node, part) : undefined),
      texts,
    );
}

describe.each([...serverCatalogue, ...webCatalogue])('$entry', ({ codes = {}, texts = {}, shownBy }) => {
  test.each(shownBy)('is shown by %s: %s', async (file, name) => {
    const source = await readSource(file);
    // As the source has it: prettier takes double quotes for a name with a single one in it.
    expect([`'${name}'`, `"${name}"`].some((quoted) => source.includes(quoted))).toBe(true);
  });

  test('has its sentences word for word, in both languages', async () => {
    for (const [code, sentence] of Object.entries(codes)) {
      const error = ERRORS[code as ErrorCode]; // the table's own keys
      expect(error.en).toBe(sentence);
      expect(error.tr).not.toBe(error.en);
    }
    for (const [name, sentence] of Object.entries(texts)) {
      expect(await textOf('en', name)).toBe(sentence);
      expect(await textOf('tr', name)).not.toBe(sentence);
    }
    expect(shownBy.length).toBeGreaterThan(0);
  });
});
