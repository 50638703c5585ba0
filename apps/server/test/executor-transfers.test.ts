import type { Chain } from '@kervan/contract';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { setHalted } from '../src/engine/halt.ts';
import type { TradeIntent, TransferIntent } from '../src/engine/intent.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import {
  attemptsOf,
  chains,
  db,
  makeExecutor,
  makeIntent,
  makeWallet,
  plan,
  takeOver,
  testTakeOvers,
  trade,
  userId,
} from './executor-fixture.ts';
import type { SendFate } from './fake-chain.ts';

const CHAINS = ['solana', 'bsc'] as const satisfies readonly Chain[];
const LIVE_NETWORKS = { solana: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', bsc: '56' };
const UNKNOWN_NETWORKS = { solana: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', bsc: '1' };

async function makeTransfer(chain: Chain, over: Partial<TransferIntent> = {}): Promise<TransferIntent> {
  return {
    kind: 'transfer',
    idempotencyKey: uuidv7(),
    userId,
    wallet: over.wallet ?? (await makeWallet(chain)),
    chain,
    network: 'sandbox',
    source: 'volume',
    sourceId: null,
    sourceName: null,
    recipient: 'recipient',
    asset: { kind: 'native-rest' },
    ...over,
  };
}

describe.each(CHAINS)('a transfer on %s', (chain) => {
  test.each([
    ['an exact amount', { kind: 'native', amountUnits: 7n }, { token_address: '', amount_in_units: 7n }],
    ['all there is', { kind: 'native-rest' }, { token_address: '', amount_in_units: 0n }],
    [
      'all of a token',
      { kind: 'token', token: { address: 'token', symbol: 'TEST', decimals: 6 } },
      { token_address: 'token', amount_in_units: 0n, token_symbol: 'TEST', token_decimals: 6 },
    ],
  ] as const)('of %s asks the chain for just that', async (_, asset, stored) => {
    const asked = vi.spyOn(chains[chain].port, 'prepareTransfer');
    const intent = await makeTransfer(chain, { asset });
    const row = await trade(makeExecutor(), intent);
    expect(row).toMatchObject({ kind: 'transfer', recipient: 'recipient', state: 'success', ...stored });
    expect(row).toMatchObject({ native_units: 1_000_000n, fee_units: 5_000n });
    expect(asked).toHaveBeenCalledExactlyOnceWith(
      {
        owner: intent.wallet.address,
        recipient: 'recipient',
        asset: asset.kind === 'token' ? { kind: 'token', tokenAddress: 'token' } : asset,
      },
      expect.any(AbortSignal),
    );
    const [attempt] = await attemptsOf(row.id);
    expect(attempt).toMatchObject({ purpose: 'transfer', state: 'landed', tx_id: row.tx_id });
    expect(chains[chain].broadcasts[0]).toMatchObject({ transfer: { recipient: 'recipient' } });
  });

  testTakeOvers(chain, 'transfer', () => makeTransfer(chain));

  test('asked for many times with one key is one transfer', async () => {
    const executor = makeExecutor();
    const intent = await makeTransfer(chain);
    const plans = await Promise.all(Array.from({ length: 8 }, () => plan(executor, intent)));
    expect(plans.filter((each) => each.isNew)).toHaveLength(1);
    await Promise.all(plans.map((each) => executor.drive(each.tradeId)));
    expect(chains[chain].transfersLanded()).toHaveLength(1);
  });

  test('keeps its promise whatever happens to its sends and to the process that drives it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<SendFate[]>('lose answer', 'drop', 'unreachable', 'revert', 'land'), {
          maxLength: 4,
        }),
        fc.constantFrom('prepared', 'signed', 'attempt committed', 'broadcast'),
        async (fates, checkpoint) => {
          const before = chains[chain].transfersLanded().length;
          chains[chain].script(...fates, 'land');
          const row = await takeOver(await makeTransfer(chain), checkpoint);
          const landed = chains[chain].transfersLanded().slice(before);
          expect(landed.map(({ txId }) => txId)).toEqual([row.tx_id]);
          expect(row.state).toBe(landed[0]?.outcome.kind === 'success' ? 'success' : 'failed');
        },
      ),
      { numRuns: 12 },
    );
  });

  test('is stopped by the halt switch like every trade', async () => {
    const executor = makeExecutor({
      checkpoint: async (at) => {
        if (at === 'signed') await setHalted(db, true);
      },
    });
    expect(await trade(executor, await makeTransfer(chain))).toMatchObject({
      state: 'cancelled',
      error_code: 'TRADING_HALTED',
    });
    expect(chains[chain].broadcasts).toEqual([]);
  });

  test('with nothing to move is cancelled, and nothing is sent', async () => {
    chains[chain].refuse('BALANCE_INSUFFICIENT');
    expect((await trade(makeExecutor(), await makeTransfer(chain))).state).toBe('cancelled');
    expect(chains[chain].broadcasts).toEqual([]);
  });

  test('weighs nothing against the limits of the wallet that it pays from', async () => {
    const executor = makeExecutor();
    const wallet = await makeWallet(chain);
    const asset = { kind: 'native', amountUnits: 1_000_000n } as const;
    await trade(executor, await makeTransfer(chain, { wallet, asset }));
    const limits = { perTradeUnits: 1_000n, perWalletDayUnits: 1_000n };
    const swap = await makeIntent(chain, { wallet, limits, limitValueUnits: 1_000n });
    expect((await trade(executor, swap)).state).toBe('success');
  });
});

describe.each(CHAINS)('a volume session on %s', (chain) => {
  const wishes: [string, () => Promise<TradeIntent>][] = [
    ['swap', () => makeIntent(chain, { source: 'volume' })],
    ['transfer', () => makeTransfer(chain)],
  ];

  describe.each([
    ['the live network', LIVE_NETWORKS[chain]],
    ['a network that nobody knows', UNKNOWN_NETWORKS[chain]],
    ['no network at all', undefined],
  ])('whose node claims to serve %s', (_, claimed) => {
    test.each(wishes)('has its %s refused when it is planned', async (_kind, makeWish) => {
      const wish = await makeWish();
      chains[chain].claim(claimed);
      await expect(plan(makeExecutor(), wish)).rejects.toMatchObject({ code: 'VOLUME_LIVE_NETWORK' });
      expect(await tradesOf(wish)).toEqual([]);
    });

    test.each(wishes)('has its %s refused again when it would be signed', async (_kind, makeWish) => {
      const signed = vi.spyOn(chains[chain].port, 'sign');
      const executor = makeExecutor({
        checkpoint: (at) => {
          if (at === 'prepared') chains[chain].claim(claimed);
        },
      });
      const row = await trade(executor, await makeWish());
      expect(row).toMatchObject({ state: 'cancelled', error_code: 'VOLUME_LIVE_NETWORK', tx_id: null });
      expect(signed).not.toHaveBeenCalled();
      expect(await attemptsOf(row.id)).toEqual([]);
    });
  });

  test.each(wishes)('has its %s signed only after the node was asked once more', async (_kind, makeWish) => {
    const order: string[] = [];
    const { port } = chains[chain];
    vi.spyOn(port, 'verifyNetwork').mockImplementation(async () => void order.push('asked'));
    const sign = port.sign.bind(port);
    vi.spyOn(port, 'sign').mockImplementation((prepared, secret) => {
      order.push('signed');
      return sign(prepared, secret);
    });
    expect((await trade(makeExecutor(), await makeWish())).state).toBe('success');
    expect(order).toEqual(['asked', 'signed']);
  });

  test('does not stop bots from trading on a live network', async () => {
    chains[chain].claim(LIVE_NETWORKS[chain]);
    expect((await trade(makeExecutor(), await makeIntent(chain))).state).toBe('success');
  });
});

test('a stuck transfer of everything on BSC is replaced with its nonce, and one of them lands', async () => {
  chains.bsc.script('drop');
  const executor = makeExecutor({ timing: { replaceAfterMs: 60 } });
  const { tradeId } = await plan(executor, await makeTransfer('bsc'));
  const driving = executor.drive(tradeId);
  await vi.waitUntil(async () => (await attemptsOf(tradeId)).length >= 3, { timeout: 5_000 });
  chains.bsc.script('land');
  expect((await driving).state).toBe('success');
  const attempts = await attemptsOf(tradeId);
  expect(new Set(attempts.map(({ nonce, purpose }) => `${nonce} ${purpose}`))).toEqual(
    new Set(['0 transfer']),
  );
  expect(chains.bsc.transfersLanded()).toHaveLength(1);
});

const tradesOf = ({ wallet }: TradeIntent) =>
  db.selectFrom('trades').selectAll().where('wallet_id', '=', wallet.id).execute();
