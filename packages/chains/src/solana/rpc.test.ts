import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { broadcast } from './broadcast.ts';
import { createRpc } from './rpc.ts';

const system = address('11111111111111111111111111111111');
/** A wire transaction without meaning: one signature and a message with one account and no instruction. */
const wire = new Uint8Array([
  1,
  ...new Uint8Array(64).fill(9),
  0x80,
  1,
  0,
  0,
  1,
  ...new Uint8Array(64),
  0,
  0,
]);

function rpcOf(text: string) {
  const http = async () => ({ status: 200, text });
  return createRpc({ url: new URL('http://node.example'), service: 'Solana test', http });
}

function refusing(error: unknown) {
  return rpcOf(JSON.stringify({ jsonrpc: '2.0', id: '1', error }));
}

describe('createRpc', () => {
  it('keeps integers beyond 2^53 exact', async () => {
    const text = '{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":18446744073709551615}}';
    expect((await rpcOf(text).getBalance(system).send()).value).toBe(18_446_744_073_709_551_615n);
  });

  it.each([
    ['a refusal', '{"jsonrpc":"2.0","id":"1","error":{"code":-32005,"message":"Node is behind"}}'],
    ['no JSON', '<html>'],
    ['no envelope', '[]'],
  ])('takes %s in place of an answer as a node that could not be asked', async (_case, text) => {
    await expect(rpcOf(text).getBalance(system).send()).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      context: { network: 'Solana test' },
    });
  });
});

describe('broadcast', () => {
  it('takes a transaction that the node has had before as accepted', async () => {
    const data = { err: 'AlreadyProcessed', logs: [], accounts: null, unitsConsumed: 0, returnData: null };
    const message = 'Transaction simulation failed: This transaction has already been processed';
    expect(await broadcast(refusing({ code: -32002, message, data }), wire)).toEqual({ kind: 'accepted' });
  });

  it('hands on the node’s word of refusal', async () => {
    const answer = await broadcast(refusing({ code: -32602, message: 'invalid\0 transaction' }), wire);
    expect(answer).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('invalid transaction'),
    });
  });
});
