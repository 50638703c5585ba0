import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lamportsPerSol, openSandbox, wrappedSol } from './solana-client.ts';

const path = '/api/v1/bundles';
const hundredSol = 100n * lamportsPerSol;

describe('bundles', () => {
  let chain: Awaited<ReturnType<typeof openSandbox>>;
  let tipAccount: KeyPairSigner['address'];
  beforeAll(async () => {
    chain = await openSandbox();
    const { result } = await chain.call('getTipAccounts', [], path);
    [tipAccount] = result as [KeyPairSigner['address']];
  });
  afterAll(() => chain.close());

  const pay = (source: KeyPairSigner, destination: KeyPairSigner['address'], amount: bigint) =>
    getTransferSolInstruction({ source, destination, amount });

  async function inflight(id: unknown): Promise<unknown> {
    const { result } = await chain.call('getInflightBundleStatuses', [[id]], path);
    return (result as { value: { status: string }[] }).value[0]?.status;
  }

  it('land all legs in order in one slot', async () => {
    const [rich, middle, last] = [
      await chain.fund(),
      await generateKeyPairSigner(),
      await generateKeyPairSigner(),
    ];
    // The second leg spends what the first one brings.
    const legs = [
      await chain.sign(
        [rich],
        [pay(rich, middle.address, 3n * lamportsPerSol), pay(rich, tipAccount, 1000n)],
      ),
      await chain.sign([middle], [pay(middle, last.address, 2n * lamportsPerSol)]),
    ];
    const { result: id } = await chain.sendBundle(legs.map((leg) => leg.wire));
    expect(await inflight(id)).toBe('Landed');
    expect(await chain.lamports(last.address)).toBe(2n * lamportsPerSol);
    const { result } = await chain.call('getBundleStatuses', [[id]], path);
    expect(result).toMatchObject({
      value: [{ bundle_id: id, transactions: legs.map((leg) => leg.signature) }],
    });
    const statuses = await chain.call('getSignatureStatuses', [legs.map((leg) => leg.signature)]);
    const slots = (statuses.result as { value: { slot: number }[] }).value.map((each) => each.slot);
    expect(new Set(slots).size).toBe(1);
    // The same bundle again is the same bundle.
    expect((await chain.sendBundle(legs.map((leg) => leg.wire))).result).toBe(id);
    expect(await chain.lamports(last.address)).toBe(2n * lamportsPerSol);
  });

  it('leave no trace when one leg fails, whichever it is', async () => {
    for (const failing of [0, 1, 2]) {
      const wallets = await Promise.all([chain.fund(), chain.fund(), chain.fund()]);
      const usdc = chain.mint('USDC');
      const legs = await Promise.all(
        wallets.map(async (wallet, index) => {
          if (index === failing) return chain.sign([wallet], [pay(wallet, tipAccount, 2n * hundredSol)]);
          const quote = await chain.quote(wrappedSol, usdc, lamportsPerSol, 1000);
          return chain.buildSwap(wallet, quote, { prioritizationFeeLamports: { jitoTipLamports: 1000 } });
        }),
      );
      const before = await chain.quote(wrappedSol, usdc, lamportsPerSol);
      const { result: id } = await chain.sendBundle(legs.map((leg) => leg.wire));
      expect(await inflight(id)).toBe('Failed');
      for (const wallet of wallets) {
        expect(await chain.lamports(wallet.address)).toBe(hundredSol);
        expect(await chain.tokens(wallet.address, usdc)).toBe(0n);
      }
      expect((await chain.quote(wrappedSol, usdc, lamportsPerSol)).outAmount).toBe(before.outAmount);
      // Legs that did not land may still do so alone.
      const alone = legs[(failing + 1) % 3];
      expect((await chain.send(alone?.wire ?? '')).result).toBe(alone?.signature);
    }
  });

  it('are refused without a tip of 1,000 lamports', async () => {
    const sender = await chain.fund();
    const untipped = await chain.sign([sender], [pay(sender, sender.address, 1n)]);
    expect((await chain.sendBundle([untipped.wire])).error?.message).toContain('tip account');
    const stingy = await chain.sign([sender], [pay(sender, tipAccount, 999n)]);
    expect((await chain.sendBundle([stingy.wire])).error?.code).toBe(-32602);
    expect(await chain.lamports(sender.address)).toBe(hundredSol);
  });

  it('take no more than five legs', async () => {
    const sender = await chain.fund();
    const { wire } = await chain.sign([sender], [pay(sender, tipAccount, 1000n)]);
    const six = await chain.sendBundle(Array.from({ length: 6 }, () => wire));
    expect(six.error?.code).toBe(-32602);
    // A leg cannot occur twice either.
    const { result: id } = await chain.sendBundle([wire, wire]);
    expect(await inflight(id)).toBe('Failed');
    expect(await inflight('unknown')).toBe('Invalid');
  });
});
