/** The browser's console: for what went wrong and that the person at the screen need not see. No secrets. */
export function logWarning(message: string, error?: unknown): void {
  console.warn(message, ...(error === undefined ? [] : [error]));
}
