import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { erc20Abi, keccak256, parseEther, type Address, type Hex, type PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { endOrphans, startAnvil } from '../src/bsc/anvil.ts';
import {
  control,
  fundedAccount,
  inAMinute,
  publicClient,
  rpc,
  signTransfer,
  startForTest,
  temporaryDirectory,
  v2Abi,
  walletClient,
} from './bsc-kit.ts';

const filesOf = (dataDir: string): string => path.join(dataDir, 'sandbox', 'bsc');

async function newestFile(dataDir: string, pattern: RegExp): Promise<string> {
  const numbered = (await readdir(filesOf(dataDir))).filter((file) => pattern.test(file));
  const newest = numbered.toSorted((a, b) => Number(/\d+/.exec(b)) - Number(/\d+/.exec(a)))[0];
  if (newest === undefined) throw new Error(`No file like ${pattern}`);
  return path.join(filesOf(dataDir), newest);
}

/** What the chain says of each transaction and of the newest block: everything that must not change. */
async function testimony(url: string, hashes: readonly Hex[]): Promise<unknown> {
  const questions = hashes.flatMap((hash) => [
    rpc(url, 'eth_getTransactionReceipt', [hash]),
    rpc(url, 'eth_getTransactionByHash', [hash]),
  ]);
  return {
    transactions: await Promise.all(questions),
    newestBlock: await rpc(url, 'eth_getBlockByNumber', ['latest', true]),
  };
}

async function sendAll(url: string, account: PrivateKeyAccount, from: number, count: number): Promise<Hex[]> {
  const hashes: Hex[] = [];
  for (let nonce = from; nonce < from + count; nonce += 1) {
    const { result } = await rpc(url, 'eth_sendRawTransaction', [await signTransfer(account, nonce)]);
    hashes.push(z.templateLiteral(['0x', z.string()]).parse(result));
  }
  return hashes;
}

/**
 * Of tokens that its sender has none of: a failed transaction leaves nothing but its fee, though it has read. Anvil counts
 * slots that were read and hold nothing in a block's state root, or not, by where it has the contract from.
 */
async function failToTransfer(url: string, tokens: readonly { address: Address }[]): Promise<Hex> {
  const [token] = tokens;
  if (!token) throw new Error('The sandbox has no token');
  const account = await fundedAccount(url);
  return await walletClient(url, account).writeContract({
    abi: erc20Abi,
    address: token.address,
    functionName: 'transfer',
    args: [account.address, 1n],
    gas: 100_000n,
  });
}

describe('what the BSC sandbox acknowledged, it keeps', () => {
  it.each([{ snapshotEvery: 2_000 }, { snapshotEvery: 15 }])(
    'over a restart, to the block hash, with a snapshot every $snapshotEvery',
    async ({ snapshotEvery }) => {
      const dataDir = await temporaryDirectory();
      const first = await startForTest({ dataDir, snapshotEvery });
      const account = await fundedAccount(first.url, '50');
      const client = publicClient(first.url);
      const { wbnb, v2Router } = first.contracts;
      const swaps: Hex[] = [];
      for (const { address } of first.tokens) {
        swaps.push(
          await walletClient(first.url, account).writeContract({
            abi: v2Abi,
            address: v2Router,
            functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
            args: [0n, [wbnb, address], account.address, inAMinute()],
            value: parseEther('1'),
          }),
        );
      }
      const nonce = await client.getTransactionCount(account);
      const transfers = await sendAll(first.url, account, nonce, 20);
      const hashes = [...swaps, await failToTransfer(first.url, first.tokens), ...transfers];
      const ahead = await signTransfer(account, nonce + 21);
      await rpc(first.url, 'eth_sendRawTransaction', [ahead]);
      const before = await testimony(first.url, hashes);
      const balance = await client.getBalance(account);
      await first.close();

      const second = await startForTest({ dataDir, snapshotEvery });
      expect(second.contracts).toEqual(first.contracts);
      expect(await testimony(second.url, hashes)).toEqual(before);
      expect(await publicClient(second.url).getBalance(account)).toBe(balance);
      // The transaction with a nonce too far is still waiting, and is mined when the gap is filled.
      await rpc(second.url, 'eth_sendRawTransaction', [await signTransfer(account, nonce + 20)]);
      const { result } = await rpc(second.url, 'eth_getTransactionReceipt', [keccak256(ahead)]);
      expect(result).toMatchObject({ status: '0x1' });
    },
  );

  it('when its newest snapshot is damaged and its journal is torn', async () => {
    const dataDir = await temporaryDirectory();
    const first = await startForTest({ dataDir, snapshotEvery: 30 });
    const account = await fundedAccount(first.url);
    const hashes = await sendAll(first.url, account, 0, 35);
    const before = await testimony(first.url, hashes);
    await first.close();
    await truncate(await newestFile(dataDir, /^snapshot-\d+\.json$/), 20_000);
    await appendFile(await newestFile(dataDir, /^journal-\d+\.log$/), Buffer.from([200, 0, 0, 0, 1, 2, 3]));
    await writeFile(path.join(filesOf(dataDir), 'snapshot-99.json.tmp'), 'half');

    const second = await startForTest({ dataDir, snapshotEvery: 30 });
    expect(await testimony(second.url, hashes)).toEqual(before);
    const more = await sendAll(second.url, account, 35, 20);
    const after = await testimony(second.url, [...hashes, ...more]);
    await second.close();

    const third = await startForTest({ dataDir });
    expect(await testimony(third.url, [...hashes, ...more])).toEqual(after);
  });

  it('when only the node is killed, in the middle of a burst', async () => {
    const sandbox = await startForTest();
    const accounts = await Promise.all(Array.from({ length: 4 }, () => fundedAccount(sandbox.url)));
    const bursts = accounts.map((account) => sendAll(sandbox.url, account, 0, 50));
    await nonceReached(sandbox.url, accounts[0]?.address, 10);
    const killed = sandbox.nodePid();
    process.kill(killed, 'SIGKILL');
    const hashes = (await Promise.all(bursts)).flat();
    expect(sandbox.nodePid()).not.toBe(killed);
    expect(hashes).toHaveLength(200);
    const client = publicClient(sandbox.url);
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })));
    expect(receipts.every(({ status }) => status === 'success')).toBe(true);
    for (const account of accounts) expect(await client.getTransactionCount(account)).toBe(50);
  });

  it.each([{ snapshotEvery: 2_000 }, { snapshotEvery: 40 }])(
    'when its process is killed again and again in a burst, with a snapshot every $snapshotEvery',
    async ({ snapshotEvery }) => {
      const dataDir = await temporaryDirectory();
      const recipient = privateKeyToAccount(generatePrivateKey()).address;
      const acknowledged = new Map<Hex, unknown>();
      let accounts: PrivateKeyAccount[] = [];
      for (let round = 0; round < 4; round += 1) {
        const { child, url } = await startProcess(dataDir, snapshotEvery);
        if (round === 0) accounts = await Promise.all(Array.from({ length: 5 }, () => fundedAccount(url)));
        for (const [hash, receipt] of acknowledged) {
          expect((await rpc(url, 'eth_getTransactionReceipt', [hash])).result).toEqual(receipt);
        }
        const killAfter = acknowledged.size + 20 + 13 * round;
        await Promise.all(
          accounts.map((account) =>
            sendUntilKilled(url, account, recipient, (hash, receipt) => {
              acknowledged.set(hash, receipt);
              if (acknowledged.size === killAfter) child.kill('SIGKILL');
            }),
          ),
        );
      }
      const { url } = await startProcess(dataDir, snapshotEvery);
      for (const [hash, receipt] of acknowledged) {
        expect((await rpc(url, 'eth_getTransactionReceipt', [hash])).result).toEqual(receipt);
      }
      // Each landed transfer moved one wei: no more and no less arrived than the senders' nonces tell.
      const client = publicClient(url);
      const counts = await Promise.all(accounts.map((account) => client.getTransactionCount(account)));
      const landed = counts.reduce((sum, count) => sum + count, 0);
      expect(landed).toBeGreaterThanOrEqual(acknowledged.size);
      expect(await client.getBalance({ address: recipient })).toBe(BigInt(landed));
    },
  );

  it('even what the node itself has forgotten', async () => {
    const sandbox = await startForTest({ snapshotEvery: 50, keptBlocks: 10 });
    const account = await fundedAccount(sandbox.url);
    const [old] = await sendAll(sandbox.url, account, 0, 1);
    const before = await rpc(sandbox.url, 'eth_getTransactionReceipt', [old]);
    const { blockNumber } = z.object({ blockNumber: z.string() }).parse(before.result);
    const block = await rpc(sandbox.url, 'eth_getBlockByNumber', [blockNumber, false]);
    await sendAll(sandbox.url, account, 1, 80);
    const forgotten = await rpc(sandbox.url, 'eth_getBlockTransactionCountByNumber', [blockNumber]);
    expect(forgotten.result, 'the node no longer has the block').toBeNull();
    expect(await rpc(sandbox.url, 'eth_getTransactionReceipt', [old])).toEqual(before);
    expect(await rpc(sandbox.url, 'eth_getTransactionByHash', [old])).toMatchObject({
      result: { hash: old },
    });
    expect(await rpc(sandbox.url, 'eth_getBlockByNumber', [blockNumber, false])).toEqual(block);
    const stale = await rpc(sandbox.url, 'eth_sendRawTransaction', [await signTransfer(account, 0)]);
    expect(stale).toMatchObject({ error: { message: 'nonce too low' } });
  });

  it('and grants each faucet request once, though killed right after', async () => {
    const dataDir = await temporaryDirectory();
    const { address } = privateKeyToAccount(generatePrivateKey());
    for (let round = 1; round <= 3; round += 1) {
      const { child, url } = await startProcess(dataDir, 2);
      const { status } = await control(url, 'POST', '/sandbox/faucet', { address, amount: '5' });
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(status).toBe(200);
      const sandbox = await startForTest({ dataDir, snapshotEvery: 2 });
      expect(await publicClient(sandbox.url).getBalance({ address })).toBe(BigInt(5 * round));
      await sandbox.close();
    }
  });
});

describe('nodes left behind', () => {
  it('are ended at the next start, and nobody else', async () => {
    const directory = await temporaryDirectory();
    const orphan = await startAnvil({ directory });
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    onTestFinished(() => void bystander.kill('SIGKILL'));
    await writeFile(path.join(directory, `anvil-${bystander.pid}.pid`), '');
    endOrphans(directory);
    await orphan.exited;
    expect(bystander.exitCode).toBeNull();
    expect(bystander.signalCode).toBeNull();
    expect(await readdir(directory)).toEqual([]);
  });
});

async function startProcess(
  dataDir: string,
  snapshotEvery: number,
): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(path.join(import.meta.dirname, 'bsc-process.ts'), [dataDir, String(snapshotEvery)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [url] = z.tuple([z.string()]).parse((await once(child, 'message')).slice(0, 1));
  return { child, url };
}

/** Sends transfers one after another until the connection breaks, and tells of each with the receipt seen. */
async function sendUntilKilled(
  url: string,
  account: PrivateKeyAccount,
  recipient: Address,
  onAcknowledged: (hash: Hex, receipt: unknown) => void,
): Promise<void> {
  try {
    for (let nonce = await publicClient(url).getTransactionCount(account); ; nonce += 1) {
      const raw = await signTransfer(account, nonce, recipient);
      const { result, error } = await rpc(url, 'eth_sendRawTransactionSync', [raw]);
      expect(error).toBeUndefined();
      onAcknowledged(keccak256(raw), result);
    }
  } catch (error) {
    if (!(error instanceof Error) || !/fetch failed|HTTP request failed|terminated/.test(error.message))
      throw error;
  }
}

async function nonceReached(url: string, address: Address | undefined, count: number): Promise<void> {
  if (address === undefined) throw new Error('No account');
  const client = publicClient(url);
  await expect.poll(() => client.getTransactionCount({ address })).toBeGreaterThan(count);
}
