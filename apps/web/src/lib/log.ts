/** The browser's console: for what went wrong and that the person at the screen need not see. No secrets. */
export function logWarning(message: string, error?: unknown): void {
  console.warn(message, ...(error === undefined ? [] : [error]));
}

/** What a person who looks there may want to know. No secrets. */
export function logInfo(message: string): void {
  console.info(message);
}
