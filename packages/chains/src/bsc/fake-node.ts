import { pad, toEventSelector } from 'viem';
import type { RpcAnswer, RpcCall, RpcClient } from './rpc-client.ts';

/** For tests: a node made of one function. Its requests are counted, batches as one. */
export function createFakeNode(
  answer: (call: RpcCall) => RpcAnswer,
): RpcClient & { readonly requests: RpcCall[][] } {
  const requests: RpcCall[][] = [];
  async function ask(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    requests.push([...calls]);
    return calls.map(answer);
  }
  return {
    requests,
    readAll: (calls) => ask(calls),
    async read(call) {
      const [first] = await ask([call]);
      if (first?.ok) return first.result;
      throw new Error(first?.error.message);
    },
    async send(call) {
      const [first] = await ask([call]);
      if (first === undefined) throw new Error('no answer');
      return first;
    },
    close: () => undefined,
  };
}

export const result = (value: unknown): RpcAnswer => ({ ok: true, result: value });
export const failed = (code: number, message: string): RpcAnswer => ({ ok: false, error: { code, message } });

/** A landed buy's receipt as a node sends it: 5 units of the token to the owner. */
export function buyReceipt(txId: string, owner: `0x${string}`, token: `0x${string}`): object {
  return {
    transactionHash: txId,
    status: '0x1',
    blockNumber: '0x7',
    gasUsed: '0x64',
    effectiveGasPrice: '0x3',
    to: token,
    logs: [
      {
        address: token,
        topics: [toEventSelector('Transfer(address,address,uint256)'), pad(token), pad(owner)],
        data: pad('0x05'),
        blockTimestamp: '0x10',
      },
    ],
  };
}
