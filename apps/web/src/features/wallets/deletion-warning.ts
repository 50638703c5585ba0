/** What the question before deleting a wallet must say, by what the wallet holds. */
export function deletionWarning(
  balance: string | undefined,
): 'delete_body_unknown' | 'delete_body_empty' | 'delete_body_funded' {
  if (balance === undefined) return 'delete_body_unknown';
  return /[1-9]/.test(balance) ? 'delete_body_funded' : 'delete_body_empty';
}
