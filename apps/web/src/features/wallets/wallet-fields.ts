import { createBscWalletSchema, createSolanaWalletSchema, type Chain } from '@kervan/contract';
import { isApiError } from '../../lib/api-error.ts';
import { fieldIssues } from '../../lib/issues.ts';
import type { NewWallet } from './wallet-view.ts';

export const FIELDS = ['name', 'key'] as const;
export type Field = (typeof FIELDS)[number];

/** What the contract has against a new wallet: field → error code. */
export function issuesOf(chain: Chain, { name, key }: NewWallet): Partial<Record<Field, string>> {
  const issues =
    chain === 'solana'
      ? fieldIssues(createSolanaWalletSchema, { name, private_key: key })
      : fieldIssues(createBscWalletSchema, { name, privateKeyHex: key });
  const { name: nameIssue, private_key, privateKeyHex } = issues;
  const keyIssue = private_key ?? privateKeyHex;
  return {
    ...(nameIssue !== undefined && { name: nameIssue }),
    ...(keyIssue !== undefined && { key: keyIssue }),
  };
}

/** The field that a refusal of the server is about; undefined if it is about none of them. */
export function fieldOf(failure: unknown): Field | undefined {
  if (!isApiError(failure)) return undefined;
  if (failure.code === 'WALLET_NAME_REQUIRED') return 'name';
  return failure.code.startsWith('PRIVATE_KEY_') ? 'key' : undefined;
}
