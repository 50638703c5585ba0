import { randomInt } from 'node:crypto';
import { type Instruction, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  getSyncNativeInstruction,
} from '@solana-program/token';
import { isAddressText, type Address } from './addresses.ts';
import { associatedAccount } from './associated-account.ts';
import { buildSignedTransaction, setComputeUnitLimit } from './build-transaction.ts';
import type { Chain } from './chain.ts';
import type { Genesis } from './genesis.ts';
import { describeTransactionError } from './transaction-error.ts';
import { wrappedSolMint } from './tokens.ts';
import { parseTransaction } from './wire-transaction.ts';

const grantComputeUnits = 200_000;
const distinctGrants = 1_000_000;

/** Grants are ordinary transactions: in the history, with balances, journaled like any other. */
export interface Faucet {
  /** Gives lamports; rejects when the faucet is empty or the amount leaves a new account below rent. */
  grantSol(recipient: Address, lamports: bigint): Promise<{ signature: string }>;
  /** Gives base units of a sandbox token, creating the recipient's associated account. */
  grantTokens(recipient: Address, mint: Address, amount: bigint): Promise<{ signature: string }>;
}

export function createFaucet(chain: Chain, genesis: Genesis): Faucet {
  const { faucet, mintAuthority, tokens } = genesis;
  // A restart within a slot must not repeat the numbers of before.
  let grants = randomInt(distinctGrants);

  async function grant(
    signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
    instructions: Instruction[],
  ): Promise<{ signature: string }> {
    // Two equal grants in one slot would be the same transaction but for this limit.
    grants = (grants + 1) % distinctGrants;
    const limit = setComputeUnitLimit(grantComputeUnits + grants);
    // The weather has no power over the faucet, so neither end of this asks for it.
    const lifetime = chain.clock.newestBlockhash();
    const transaction = parseTransaction(
      await buildSignedTransaction(signers, [limit, ...instructions], lifetime),
    );
    const submission = chain.submit(transaction, { preflight: true, checkBlockhash: false });
    if (submission.outcome === 'refused') {
      throw new Error(`The faucet cannot grant this: ${describeTransactionError(submission.error)}`);
    }
    await chain.durable();
    return { signature: transaction.signature };
  }

  return {
    grantSol: (recipient, lamports) =>
      grant(
        [faucet],
        [getTransferSolInstruction({ source: faucet, destination: recipient, amount: lamports })],
      ),
    async grantTokens(recipient, mint, amount) {
      if (!isAddressText(mint) || !tokens.some((token) => token.address === mint)) {
        throw new Error('The faucet has no such token');
      }
      const account = await associatedAccount(recipient, mint);
      const create = getCreateAssociatedTokenIdempotentInstruction({
        payer: faucet,
        ata: account,
        owner: recipient,
        mint,
      });
      if (mint === wrappedSolMint) {
        return grant(
          [faucet],
          [
            create,
            getTransferSolInstruction({ source: faucet, destination: account, amount }),
            getSyncNativeInstruction({ account }),
          ],
        );
      }
      const mintTo = getMintToInstruction({ mint, token: account, mintAuthority, amount });
      return grant([faucet, mintAuthority], [create, mintTo]);
    },
  };
}
