import { generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lamportsPerSol, openSandbox, signed, signWith } from './solana-client.ts';

const windowMs = 151 * 400;

describe('a transaction’s lifetime', () => {
  let chain: Awaited<ReturnType<typeof openSandbox>>;
  let skippedMs = 0;
  beforeAll(async () => {
    chain = await openSandbox({ now: () => Date.now() + skippedMs });
  });
  afterAll(() => chain.close());

  async function transfer(lamports = lamportsPerSol) {
    const [sender, recipient] = [await chain.fund(), await generateKeyPairSigner()];
    const instruction = getTransferSolInstruction({
      source: sender,
      destination: recipient.address,
      amount: lamports,
    });
    return { sender, recipient: recipient.address, ...(await chain.sign([sender], [instruction])) };
  }

  it('ends with its blockhash: refused with preflight, ignored without', async () => {
    const { wire, signature, recipient } = await transfer();
    const { value: lifetime } = await chain.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
    skippedMs += windowMs;
    await expect
      .poll(() => chain.rpc.getBlockHeight({ commitment: 'processed' }).send())
      .toBeGreaterThan(lifetime.lastValidBlockHeight);
    const refused = await chain.send(wire);
    expect(refused.error).toMatchObject({ code: -32002, data: { err: 'BlockhashNotFound' } });
    expect((await chain.send(wire, { skipPreflight: true })).result).toBe(signature);
    expect(await chain.lamports(recipient)).toBe(0n);
    expect((await chain.rpc.isBlockhashValid(lifetime.blockhash).send()).value).toBe(false);
  });

  it('holds until its last valid block height', async () => {
    const { wire, signature, recipient } = await transfer();
    const issuedAt = await chain.rpc.getSlot({ commitment: 'processed' }).send();
    skippedMs += windowMs - 10 * 400;
    await expect
      .poll(() => chain.rpc.getSlot({ commitment: 'processed' }).send())
      .toBeGreaterThan(issuedAt + 130n);
    expect((await chain.send(wire)).result).toBe(signature);
    expect(await chain.lamports(recipient)).toBe(lamportsPerSol);
  });

  it('includes one landing: the same bytes again are AlreadyProcessed and change nothing', async () => {
    const { wire, signature, recipient } = await transfer();
    expect((await chain.send(wire)).result).toBe(signature);
    expect((await chain.send(wire)).error).toMatchObject({ code: -32002, data: { err: 'AlreadyProcessed' } });
    expect((await chain.send(wire, { skipPreflight: true })).result).toBe(signature);
    expect(await chain.lamports(recipient)).toBe(lamportsPerSol);
  });

  it('is never charged for a transaction that preflight refused', async () => {
    const { wire, sender } = await transfer(1_000n * lamportsPerSol);
    const refused = await chain.send(wire);
    expect(refused.error?.data?.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(refused.error?.data?.logs?.join('\n')).toContain('insufficient lamports');
    expect(await chain.lamports(sender.address)).toBe(100n * lamportsPerSol);
    await chain.send(wire, { skipPreflight: true });
    expect(await chain.lamports(sender.address)).toBe(100n * lamportsPerSol - 5000n);
  });

  it('does not begin for a sender who cannot pay the fee', async () => {
    const [poor, recipient] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    const instruction = getTransferSolInstruction({
      source: poor,
      destination: recipient.address,
      amount: 1n,
    });
    const { value } = await chain.rpc.getLatestBlockhash().send();
    const { wire, signature } = signed(await signWith([poor], [instruction], value.blockhash));
    expect((await chain.send(wire)).error?.data?.err).toBe('AccountNotFound');
    expect((await chain.send(wire, { skipPreflight: true })).result).toBe(signature);
    const { result } = await chain.call('getSignatureStatuses', [
      [signature],
      { searchTransactionHistory: true },
    ]);
    expect(result).toMatchObject({ value: [null] });
  });
});
