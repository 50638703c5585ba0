import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hexToNumber, numberToHex, sha256, type Hex } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openArchive } from './archive.ts';
import type { NodeClient } from './node-client.ts';

const hashOf = (name: string): Hex => sha256(Buffer.from(name));

/** A node whose block n holds n % 3 transactions. */
function nodeAt(latest: number, version = 'a'): NodeClient {
  const transactions = (number: number): Hex[] =>
    Array.from({ length: number % 3 }, (_, position) => hashOf(`${version} ${number} ${position}`));
  const answer = (method: string, number: number): unknown =>
    method === 'eth_getBlockReceipts'
      ? transactions(number).map((transactionHash) => ({ transactionHash, status: '0x1' }))
      : { number: numberToHex(number), transactions: transactions(number).map((hash) => ({ hash })) };
  return {
    call: async () => numberToHex(latest),
    callAll: async (calls) =>
      calls.map(({ method, params: [number] }) =>
        answer(method, hexToNumber(z.templateLiteral(['0x', z.string()]).parse(number))),
      ),
    post: () => Promise.reject(new Error('nobody asks the node like this')),
    close: () => undefined,
  };
}

describe('the archive', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'kervan-archive-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const empty = { dataBytes: 0, indexBytes: 0 };

  it('finds blocks by number and by transaction, after being opened again too', async () => {
    const first = await openArchive(directory, empty);
    await first.follow(nodeAt(100));
    await first.follow(nodeAt(200));
    const mark = first.mark();
    await first.close();

    const archive = await openArchive(directory, mark);
    for (const number of [0, 1, 63, 64, 65, 101, 200]) {
      expect(await archive.findByNumber(number)).toMatchObject({ block: { number: numberToHex(number) } });
    }
    expect(await archive.findByNumber(201)).toBeUndefined();
    const found = await archive.findByTransaction(hashOf('a 101 1'));
    expect(found).toMatchObject({ block: { number: numberToHex(101) } });
    expect(found?.receipts.map((receipt) => receipt.transactionHash)).toContain(hashOf('a 101 1'));
    expect(await archive.findByTransaction(hashOf('unknown'))).toBeUndefined();
    expect(await archive.findByTransaction('0x12')).toBeUndefined();
    // Shares the part of a known hash that the index is looked up by, and is another.
    expect(await archive.findByTransaction(`${hashOf('a 101 1').slice(0, -1)}x`)).toBeUndefined();
    const twin = `${hashOf('a 101 1').slice(0, 20)}${'0'.repeat(46)}`;
    expect(await archive.findByTransaction(twin)).toBeUndefined();
    await archive.close();
  });

  it('forgets what came after a mark, and takes the blocks that are there then', async () => {
    const archive = await openArchive(directory, empty);
    await archive.follow(nodeAt(50));
    const mark = archive.mark();
    await archive.follow(nodeAt(80));
    await archive.rewind(mark);
    expect(await archive.findByNumber(51)).toBeUndefined();
    expect(await archive.findByTransaction(hashOf('a 52 0'))).toBeUndefined();
    await archive.follow(nodeAt(80, 'b'));
    expect(await archive.findByTransaction(hashOf('b 52 0'))).toMatchObject({ block: { number: '0x34' } });
    await archive.close();
  });
});
