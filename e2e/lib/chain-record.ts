import { createSolanaRpc, signature, type Address, address as solanaAddress } from '@solana/kit';
import { createPublicClient, erc20Abi, getAddress, http } from 'viem';

/** A transaction that a wallet signed and paid for and that the chain executed. */
export interface LandedTransaction {
  readonly txId: string;
  readonly owner: string;
  readonly isSuccess: boolean;
  /** EVM only. */
  readonly nonce: number | null;
}

/** What a chain's own RPC says, read without any code of the product. */
export interface ChainRecord {
  landedBy(owners: readonly string[]): Promise<LandedTransaction[]>;
  native(owner: string): Promise<bigint>;
  tokens(owner: string, tokenAddress: string): Promise<bigint>;
}

export function solanaRecord(rpcUrl: string): ChainRecord {
  const rpc = createSolanaRpc(rpcUrl);

  async function landedByOne(owner: Address): Promise<LandedTransaction[]> {
    const found: LandedTransaction[] = [];
    let before: string | undefined;
    for (;;) {
      const page = await rpc
        .getSignaturesForAddress(owner, {
          commitment: 'confirmed',
          limit: 1000,
          ...(before !== undefined && { before: signature(before) }),
        })
        .send();
      for (const entry of page) {
        const transaction = await rpc
          .getTransaction(entry.signature, {
            commitment: 'confirmed',
            encoding: 'json',
            maxSupportedTransactionVersion: 0,
          })
          .send();
        // The first account pays and signs: only then it is a transaction of this wallet's own.
        if (transaction?.transaction.message.accountKeys[0] !== owner) continue;
        found.push({ txId: entry.signature, owner, isSuccess: entry.err === null, nonce: null });
      }
      const last = page.at(-1);
      if (page.length < 1000 || !last) return found;
      before = last.signature;
    }
  }

  return {
    async landedBy(owners) {
      const all: LandedTransaction[] = [];
      for (const owner of owners) all.push(...(await landedByOne(solanaAddress(owner))));
      return all;
    },
    async native(owner) {
      const { value } = await rpc.getBalance(solanaAddress(owner), { commitment: 'confirmed' }).send();
      return value;
    },
    async tokens(owner, tokenAddress) {
      const { value } = await rpc
        .getTokenAccountsByOwner(
          solanaAddress(owner),
          { mint: solanaAddress(tokenAddress) },
          { commitment: 'confirmed', encoding: 'jsonParsed' },
        )
        .send();
      return value.reduce((sum, each) => sum + BigInt(each.account.data.parsed.info.tokenAmount.amount), 0n);
    },
  };
}

export function bscRecord(rpcUrl: string): ChainRecord {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }), cacheTime: 0 });

  return {
    async landedBy(owners) {
      const wanted = new Set(owners.map((owner) => owner.toLowerCase()));
      const found: LandedTransaction[] = [];
      const latest = await client.getBlockNumber();
      const portion = 500n;
      for (let from = 0n; from <= latest; from += portion) {
        const numbers = Array.from(
          { length: Number(from + portion > latest ? latest - from + 1n : portion) },
          (_, index) => from + BigInt(index),
        );
        const blocks = await Promise.all(
          numbers.map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
        );
        const own = blocks.flatMap((block) => block.transactions).filter((each) => wanted.has(each.from));
        const receipts = await Promise.all(own.map(({ hash }) => client.getTransactionReceipt({ hash })));
        own.forEach((each, index) =>
          found.push({
            txId: each.hash,
            owner: getAddress(each.from),
            isSuccess: receipts[index]?.status === 'success',
            nonce: each.nonce,
          }),
        );
      }
      return found;
    },
    native: (owner) => client.getBalance({ address: getAddress(owner) }),
    tokens: (owner, tokenAddress) =>
      client.readContract({
        abi: erc20Abi,
        address: getAddress(tokenAddress),
        functionName: 'balanceOf',
        args: [getAddress(owner)],
      }),
  };
}
