import type { Trade } from '@kervan/contract';

/** Spec §5: the text is looked for in names, addresses, the hash and the id, whatever its case. */
export function matchesSearch(trade: Trade, text: string): boolean {
  const wanted = fold(text.trim());
  if (wanted === '') return true;
  const fields = [
    trade.bot_name,
    trade.wallet_name,
    trade.wallet_public_key,
    trade.token_address,
    trade.transaction_hash,
    trade.id,
  ];
  return fields.some((field) => field !== null && fold(field).includes(wanted));
}

/** Turkish has four letters i; all of them are one for a search. */
function fold(text: string): string {
  return text.replaceAll(/[İIı]/g, 'i').toLowerCase();
}
