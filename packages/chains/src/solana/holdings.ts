import type { Address } from '@solana/kit';
import type { TokenHolding, TokenInfo } from '../port.ts';
import { token2022Program, tokenProgram } from './addresses.ts';
import { tokenInfo } from './mints.ts';
import type { SolanaRpc } from './rpc.ts';

/** All tokens of a wallet, of both token programs; accounts that hold nothing are left out. */
export async function readHoldings(
  rpc: SolanaRpc,
  tokenList: (tokenAddress: string) => TokenInfo | undefined,
  owner: Address,
  signal?: AbortSignal,
): Promise<TokenHolding[]> {
  const answers = await Promise.all(
    [tokenProgram, token2022Program].map((programId) =>
      rpc
        .getTokenAccountsByOwner(owner, { programId }, { encoding: 'jsonParsed', commitment: 'confirmed' })
        .send(signal && { abortSignal: signal }),
    ),
  );
  const held = new Map<string, TokenHolding>();
  for (const { account } of answers.flatMap(({ value }) => value)) {
    const { mint, tokenAmount } = account.data.parsed.info;
    const units = BigInt(tokenAmount.amount);
    if (units === 0n) continue;
    const token = tokenInfo({ address: mint, decimals: tokenAmount.decimals }, tokenList(mint));
    held.set(mint, { token, units: (held.get(mint)?.units ?? 0n) + units });
  }
  return [...held.values()];
}
