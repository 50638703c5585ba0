import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SolanaSandbox } from '../src/solana/start.ts';
import { connect, lamportsPerSol, openSandbox, wrappedSol, type Signed } from './solana-client.ts';

type Client = ReturnType<typeof connect>;

describe('what the Solana sandbox acknowledged, it keeps', () => {
  let dataDir: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kervan-solana-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  async function startProcess(checkpointRecords = 4096): Promise<{ child: ChildProcess; client: Client }> {
    const script = join(import.meta.dirname, 'solana-process.ts');
    const child = fork(script, [dataDir, String(checkpointRecords)]);
    children.push(child);
    const [ready] = (await once(child, 'message')) as [Pick<SolanaSandbox, 'url' | 'wsUrl' | 'tokens'>];
    return { child, client: connect(ready) };
  }

  const statusesOf = async (client: Client, signatures: string[]): Promise<unknown[]> => {
    const { result } = await client.call('getSignatureStatuses', [
      signatures,
      { searchTransactionHistory: true },
    ]);
    return (result as { value: unknown[] }).value;
  };

  // Once with the whole burst in one journal segment, once with a checkpoint every 20 records.
  for (const checkpointRecords of [4096, 20]) {
    it(`through SIGKILL in a burst of sends, with a checkpoint every ${checkpointRecords}`, async () => {
      const { child, client } = await startProcess(checkpointRecords);
      const wallets = await Promise.all(Array.from({ length: 10 }, () => client.fund()));
      const recipients = await Promise.all(wallets.map(() => generateKeyPairSigner()));
      const sends = await Promise.all(
        Array.from({ length: 300 }, async (_, index) => {
          const source = wallets[index % 10] ?? (await generateKeyPairSigner());
          const destination = recipients[index % 10]?.address ?? source.address;
          const amount = lamportsPerSol / 10n + BigInt(index);
          const transfer = getTransferSolInstruction({ source, destination, amount });
          return { ...(await client.sign([source], [transfer])), destination, amount };
        }),
      );

      const acknowledged: (typeof sends)[number][] = [];
      const killed = once(child, 'exit');
      // With 40 on their way at once, the kill meets answers that are out, sends that are not, and some in between.
      const waiting = [...sends];
      const sendOn = async (): Promise<void> => {
        for (let send = waiting.shift(); send; send = waiting.shift()) {
          const answer = await client.send(send.wire).catch(() => undefined);
          if (answer?.result !== send.signature) continue;
          acknowledged.push(send);
          if (acknowledged.length === 150) child.kill('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: 40 }, sendOn));
      await killed;
      expect(acknowledged.length).toBeGreaterThanOrEqual(150);
      expect(acknowledged.length).toBeLessThan(300);

      const { client: reborn } = await startProcess(checkpointRecords);
      const statuses = await statusesOf(
        reborn,
        acknowledged.slice(0, 250).map((each) => each.signature),
      );
      expect(statuses.filter((status) => status === null)).toEqual([]);
      // Whatever landed, acknowledged or not, is there once, and the balances are its sum.
      for (const { address } of recipients) {
        const mine = sends.filter((each) => each.destination === address);
        const found = await statusesOf(
          reborn,
          mine.map((each) => each.signature),
        );
        const landed = mine.filter((_, index) => found[index] !== null);
        const sum = landed.reduce((total, each) => total + each.amount, 0n);
        expect(await reborn.lamports(address)).toBe(sum);
      }
      // Sending everything again completes the rest and doubles nothing.
      await Promise.all(sends.map((send) => reborn.send(send.wire)));
      for (const { address } of recipients) {
        const mine = sends.filter((each) => each.destination === address);
        expect(await reborn.lamports(address)).toBe(mine.reduce((total, each) => total + each.amount, 0n));
      }
    });
  }

  it('with its history, balances and prices the same after an orderly restart', async () => {
    const first = await openSandbox({ dataDir });
    const user = await first.fund();
    const usdc = first.mint('USDC');
    const swap = await swapAndSend(first, user);
    const [lamports, tokens] = [await first.lamports(user.address), await first.tokens(user.address, usdc)];
    const quote = await first.quote(wrappedSol, usdc, lamportsPerSol);
    const slot = await first.rpc.getSlot({ commitment: 'processed' }).send();
    await first.sandbox.close();

    const second = await openSandbox({ dataDir });
    try {
      expect(await second.lamports(user.address)).toBe(lamports);
      expect(await second.tokens(user.address, usdc)).toBe(tokens);
      expect((await second.quote(wrappedSol, usdc, lamportsPerSol)).outAmount).toBe(quote.outAmount);
      expect(await second.rpc.getSlot({ commitment: 'processed' }).send()).toBeGreaterThanOrEqual(slot);
      expect(second.sandbox.genesisHash).toBe(first.sandbox.genesisHash);
      const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      await expect
        .poll(async () => (await second.call('getTransaction', [swap.signature, config])).result)
        .toMatchObject({ transaction: [swap.wire, 'base64'], meta: { err: null } });
      // Blockhashes issued before the restart still serve, and what landed before it cannot land again.
      expect((await second.send(swap.wire)).error?.data?.err).toBe('AlreadyProcessed');
      await swapAndSend(second, user);
    } finally {
      await second.close();
    }
  });

  it('when checkpoints have dropped the oldest records: they are still known to have landed', async () => {
    const retention = { checkpointRecords: 5, keptSegments: 2 };
    const first = await openSandbox({ dataDir, retention });
    const user = await first.fund();
    const signatures: string[] = [];
    for (let amount = 1n; amount <= 40n; amount += 1n) {
      const { wire, signature } = await first.sign(
        [user],
        [getTransferSolInstruction({ source: user, destination: user.address, amount })],
      );
      await first.send(wire);
      signatures.push(signature);
    }
    const lamports = await first.lamports(user.address);
    const files = join(dataDir, 'sandbox', 'solana');
    const journals = async (): Promise<number> =>
      (await readdir(files)).filter((name) => /^\d+\.journal$/.test(name)).length;
    await expect.poll(journals).toBeLessThanOrEqual(3);
    await first.sandbox.close();

    const second = await openSandbox({ dataDir, retention });
    expect(await statusesOf(second, signatures)).not.toContain(null);
    expect(await second.lamports(user.address)).toBe(lamports);
    await second.sandbox.close();

    // A snapshot that turns out damaged is replaced by its backup, with the journals since then.
    await writeFile(join(files, 'state.snapshot'), 'damaged');
    const third = await openSandbox({ dataDir, retention });
    expect(await third.lamports(user.address)).toBe(lamports);
    await third.close();
  });

  it('when the journal ends in a torn record', async () => {
    const first = await openSandbox({ dataDir });
    const user = await first.fund();
    await first.sandbox.close();
    const journal = join(dataDir, 'sandbox', 'solana', '00000001.journal');
    await copyFile(journal, `${journal}.copy`);
    await appendFile(journal, Buffer.from([200, 0, 0, 0, 1, 2, 3, 4, 5]));
    const second = await openSandbox({ dataDir });
    expect(await second.lamports(user.address)).toBe(100n * lamportsPerSol);
    const other = await second.fund();
    await second.sandbox.close();
    const third = await openSandbox({ dataDir });
    expect(await third.lamports(other.address)).toBe(100n * lamportsPerSol);
    await third.close();
  });

  async function swapAndSend(client: Client, user: KeyPairSigner): Promise<Signed> {
    const swap = await client.buildSwap(
      user,
      await client.quote(wrappedSol, client.mint('USDC'), lamportsPerSol),
    );
    expect((await client.send(swap.wire)).result).toBe(swap.signature);
    return swap;
  }
});
