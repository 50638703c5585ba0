/** The vault can't be opened or changed as asked; the message says what to do, and never holds a secret. */
export class VaultError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VaultError';
  }
}
