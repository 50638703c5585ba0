import { notifications, notificationsStore } from '@mantine/notifications';

/** How long a toast stays, in ms (spec §9). */
export const TOAST_MS = {
  default: 5_000,
  tradeSuccess: 6_000,
  tradeFailure: 8_000,
  fastSwap: 4_000,
} as const;

export type ToastKind = 'info' | 'success' | 'warning' | 'error';

export interface Toast {
  kind: ToastKind;
  title: string;
  message?: string;
  ms?: number;
}

const COLORS: Readonly<Record<ToastKind, string>> = {
  info: 'accent',
  success: 'gain',
  warning: 'warning',
  error: 'danger',
};

/** A toast for something that happened in the background. Never put a secret into one. */
export function notify({ kind, title, message, ms = TOAST_MS.default }: Toast): void {
  // In a burst only the newest matter: each takes the place of the oldest, errors last. A queue would go on telling
  // old news for minutes.
  notifications.cleanQueue();
  const { notifications: shown, limit } = notificationsStore.getState();
  const oldest = shown.find(({ color }) => color !== COLORS.error) ?? shown[0];
  if (oldest?.id !== undefined && shown.length >= limit) notifications.hide(oldest.id);
  notifications.show({ color: COLORS[kind], title, message, autoClose: ms });
}
