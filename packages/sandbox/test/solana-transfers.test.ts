import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSolanaAdapter,
  provenKind,
  type AttemptRef,
  type ChainPort,
  type KeyMaterial,
  type LandedOutcome,
  type TransferAsset,
} from '@kervan/chains';
import {
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSolanaSandbox, type SolanaSandbox } from '../src/solana/start.ts';

const sol = 1_000_000_000n;
const fee = 5_000n;
/** What a wallet must hold to exist, and a token account. */
const walletDeposit = 890_880n;
const accountDeposit = 2_039_280n;

let sandbox: SolanaSandbox;
let adapter: ChainPort;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-solana-transfers-'));
  sandbox = await startSolanaSandbox({ dataDir, port: 0 });
  adapter = createSolanaAdapter({
    network: 'sandbox',
    rpcUrl: sandbox.url,
    wsUrl: sandbox.wsUrl,
    jupiterUrl: sandbox.url,
    swapPrograms: sandbox.programs,
    genesisHash: sandbox.genesisHash,
    tokenList: (mint) => sandbox.tokens.find((token) => token.address === mint),
  });
});

afterAll(async () => {
  adapter.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true });
});

async function grant(address: string, amount: bigint, token?: string): Promise<void> {
  const answer = await fetch(`${sandbox.url}/sandbox/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, amount: String(amount), ...(token && { tokenAddress: token }) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function walletOf(lamports: bigint): Promise<KeyMaterial> {
  const key = await adapter.createKey();
  if (lamports > 0n) await grant(key.address, lamports);
  return key;
}

const lamportsOf = async (address: string) => (await adapter.balances([address])).get(address) ?? 0n;
const unitsOf = async (address: string, token: string) =>
  (await adapter.tokenBalances([address], token)).get(address) ?? 0n;

function tokenOf(symbol: string): string {
  const token = sandbox.tokens.find((each) => each.symbol === symbol);
  if (!token) throw new Error(`The sandbox has no ${symbol}`);
  return token.address;
}

/** Makes a token of Token-2022 and mints some of it to its maker. */
async function mintToken2022(maker: KeyMaterial, units: bigint): Promise<string> {
  const rpc = createSolanaRpc(sandbox.url);
  const [payer, mint] = await Promise.all([
    createKeyPairSignerFromPrivateKeyBytes(maker.secret),
    generateKeyPairSigner(),
  ]);
  const tokenProgram = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
  const lamports = await rpc.getMinimumBalanceForRentExemption(82n).send();
  const [ata] = await findAssociatedTokenPda({ owner: payer.address, mint: mint.address, tokenProgram });
  const config = { programAddress: tokenProgram };
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayerSigner(payer, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) =>
      appendTransactionMessageInstructions(
        [
          getCreateAccountInstruction({
            payer,
            newAccount: mint,
            lamports,
            space: 82,
            programAddress: tokenProgram,
          }),
          getInitializeMint2Instruction(
            { mint: mint.address, decimals: 6, mintAuthority: payer.address },
            config,
          ),
          getCreateAssociatedTokenIdempotentInstruction({
            payer,
            ata,
            owner: payer.address,
            mint: mint.address,
            tokenProgram,
          }),
          getMintToInstruction(
            { mint: mint.address, token: ata, mintAuthority: payer, amount: units },
            config,
          ),
        ],
        each,
      ),
  );
  const signed = await signTransactionMessageWithSigners(message);
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
  await vi.waitUntil(
    async () => (await unitsOf(maker.address, mint.address).catch(() => 0n)) === units,
    5_000,
  );
  return mint.address;
}

async function transfer(key: KeyMaterial, recipient: string, asset: TransferAsset): Promise<LandedOutcome> {
  const prepared = await adapter.prepareTransfer({ owner: key.address, recipient, asset });
  expect(prepared).toMatchObject({ purpose: 'transfer', owner: key.address, quote: null });
  const signed = await adapter.sign(prepared, key.secret);
  const attempt: AttemptRef = {
    txId: signed.txId,
    owner: key.address,
    action: 'sell',
    tokenAddress: asset.kind === 'token' ? asset.tokenAddress : '',
    transfer: { recipient, asset },
    expiry: prepared.expiry,
  };
  await adapter.broadcast({ ...attempt, bytes: signed.bytes });
  const outcome = await adapter.watch(attempt, AbortSignal.timeout(20_000));
  if (outcome.kind !== 'success') throw new Error(`The transfer ended as ${outcome.kind}`);
  return outcome;
}

describe('a transfer of SOL', () => {
  it('moves exactly so much and costs exactly its fee', async () => {
    const [from, to] = [await walletOf(sol), await walletOf(0n)];
    const { settlement } = await transfer(from, to.address, { kind: 'native', amountUnits: 123_456_789n });
    expect(settlement).toMatchObject({
      nativeUnits: 123_456_789n,
      tokenUnits: 0n,
      feeUnits: fee,
      rentUnits: 0n,
    });
    expect(await lamportsOf(to.address)).toBe(123_456_789n);
    expect(await lamportsOf(from.address)).toBe(sol - 123_456_789n - fee);
  });

  it('of everything leaves no lamport behind', async () => {
    const to = await walletOf(0n);
    let expected = 0n;
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: walletDeposit + fee, max: 3n * sol }), async (held) => {
        const from = await walletOf(held);
        const { settlement } = await transfer(from, to.address, { kind: 'native-rest' });
        expected += held - fee;
        expect(settlement).toMatchObject({ nativeUnits: held - fee, feeUnits: fee, rentUnits: 0n });
        expect(await lamportsOf(from.address)).toBe(0n);
        expect(await lamportsOf(to.address)).toBe(expected);
      }),
      { numRuns: 8, examples: [[walletDeposit + fee]] },
    );
  });

  it('is refused at no cost where a fee would have to come out of the wallet’s deposit', async () => {
    const from = await walletOf(walletDeposit + fee - 1n);
    const recipient = (await walletOf(sol)).address;
    const refusal = {
      code: 'BALANCE_INSUFFICIENT',
      context: { available: '0.000895879', needed: '0.00089588' },
    };
    const request = { owner: from.address, recipient };
    await expect(
      adapter.prepareTransfer({ ...request, asset: { kind: 'native-rest' } }),
    ).rejects.toMatchObject(refusal);
    expect(await lamportsOf(from.address)).toBe(walletDeposit + fee - 1n);
    // A little more makes it good again.
    await grant(from.address, 1n);
    await transfer(from, recipient, { kind: 'native-rest' });
    expect(await lamportsOf(from.address)).toBe(0n);
  });

  it('is refused where the rest would be less than a wallet’s deposit, or the wallet does not have it', async () => {
    const from = await walletOf(sol);
    const request = { owner: from.address, recipient: (await walletOf(0n)).address };
    for (const amountUnits of [sol, sol - fee - walletDeposit + 1n]) {
      await expect(
        adapter.prepareTransfer({ ...request, asset: { kind: 'native', amountUnits } }),
      ).rejects.toMatchObject({ code: 'BALANCE_INSUFFICIENT', context: { available: '1', symbol: 'SOL' } });
    }
    await expect(
      adapter.prepareTransfer({ ...request, asset: { kind: 'native', amountUnits: walletDeposit - 1n } }),
    ).rejects.toMatchObject({ code: 'SIMULATION_FAILED' });
    expect(await lamportsOf(from.address)).toBe(sol);
  });
});

describe('a transfer of a token', () => {
  it('moves all of it, opens the recipient’s account once, and closes its own', async () => {
    const token = tokenOf('USDC');
    const to = await walletOf(sol);
    for (const [opened, held] of [
      [accountDeposit, 41n],
      [0n, 1_000_001n],
    ] as const) {
      const from = await walletOf(sol);
      await grant(from.address, held, token);
      const before = await unitsOf(to.address, token);
      const { settlement } = await transfer(from, to.address, { kind: 'token', tokenAddress: token });
      expect(settlement).toMatchObject({
        nativeUnits: 0n,
        tokenUnits: held,
        feeUnits: fee,
        rentUnits: opened - accountDeposit,
      });
      expect(await unitsOf(to.address, token)).toBe(before + held);
      expect(await lamportsOf(to.address)).toBe(sol);
      expect(await lamportsOf(from.address)).toBe(sol - fee - opened + accountDeposit);
      await expect(
        adapter.prepareTransfer({
          owner: from.address,
          recipient: to.address,
          asset: { kind: 'token', tokenAddress: token },
        }),
      ).rejects.toMatchObject({ code: 'BALANCE_INSUFFICIENT', context: { available: '0', symbol: 'USDC' } });
    }
  });

  it('of none of it closes the account that a sell has emptied, and the deposit comes back', async () => {
    const token = tokenOf('BONK');
    const [from, to] = [await walletOf(sol), await walletOf(0n)];
    await grant(from.address, 1_000_000n, token);
    const sell = { owner: from.address, action: 'sell', tokenAddress: token, slippageBps: 100 } as const;
    const prepared = await adapter.prepareSwap({ ...sell, amountInUnits: 1_000_000n });
    const signed = await adapter.sign(prepared, from.secret);
    const attempt = { ...sell, txId: signed.txId, expiry: prepared.expiry };
    await adapter.broadcast({ ...attempt, bytes: signed.bytes });
    await adapter.watch(attempt, AbortSignal.timeout(20_000));

    const before = await lamportsOf(from.address);
    const { settlement } = await transfer(from, to.address, { kind: 'token', tokenAddress: token });
    expect(settlement).toMatchObject({ nativeUnits: 0n, tokenUnits: 0n, rentUnits: -accountDeposit });
    expect(await lamportsOf(from.address)).toBe(before - fee + accountDeposit);
    await transfer(from, to.address, { kind: 'native-rest' });
    expect(await lamportsOf(from.address)).toBe(0n);
    expect(await lamportsOf(to.address)).toBe(before - 2n * fee + accountDeposit);
  });

  it('works for a wallet that has its deposit and one fee, no more', async () => {
    const token = tokenOf('KRVN');
    const [from, to] = [await walletOf(walletDeposit + fee), await walletOf(sol)];
    await grant(from.address, 5n, token);
    await grant(to.address, 1n, token);
    await transfer(from, to.address, { kind: 'token', tokenAddress: token });
    expect(await unitsOf(to.address, token)).toBe(6n);
    await transfer(from, to.address, { kind: 'native-rest' });
    expect(await lamportsOf(from.address)).toBe(0n);
  });
});

describe('a transfer of a token of Token-2022', () => {
  it('opens the larger account that it needs, and closes its own', async () => {
    const [from, to] = [await walletOf(sol), await walletOf(sol)];
    const token = await mintToken2022(from, 77n);
    const before = await lamportsOf(from.address);
    const { settlement } = await transfer(from, to.address, { kind: 'token', tokenAddress: token });
    expect(settlement).toMatchObject({ nativeUnits: 0n, tokenUnits: 77n, rentUnits: 0n });
    expect(await lamportsOf(from.address)).toBe(before - fee);
    expect(await unitsOf(to.address, token)).toBe(77n);
  });
});

it('a transfer of a token opens the recipient’s account where somebody has sent lamports before', async () => {
  const token = tokenOf('IPEK');
  const [from, to] = [await walletOf(sol), await walletOf(sol)];
  await grant(from.address, 9n, token);
  const [account] = await findAssociatedTokenPda({
    owner: address(to.address),
    mint: address(token),
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  await transfer(to, account, { kind: 'native', amountUnits: walletDeposit });
  const { settlement } = await transfer(from, to.address, { kind: 'token', tokenAddress: token });
  expect(settlement).toMatchObject({ nativeUnits: 0n, tokenUnits: 9n, rentUnits: -walletDeposit });
  expect(await unitsOf(to.address, token)).toBe(9n);
  expect(await lamportsOf(from.address)).toBe(sol - fee + walletDeposit);
});

it('the node proves that it is the sandbox', async () => {
  await adapter.verifyNetwork();
  expect(provenKind('solana', adapter.provenNetwork())).toBe('sandbox');
});
