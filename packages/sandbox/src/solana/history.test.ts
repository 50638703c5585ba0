import { describe, expect, it } from 'vitest';
import { addressOf } from './addresses.ts';
import { createHistory, type History } from './history.ts';

const alice = addressOf(Buffer.alloc(32, 1));
const bob = addressOf(Buffer.alloc(32, 2));

/** Ten transactions, one a slot, in segments of five; Bob is in every other one. */
function filled(): History {
  const history = createHistory();
  for (let slot = 0; slot < 10; slot += 1) {
    history.add(
      {
        signature: `tx${slot}`,
        slot,
        blockTime: slot,
        error: null,
        accounts: slot % 2 === 0 ? [alice, bob] : [alice],
      },
      { segment: Math.floor(slot / 5), offset: slot, index: 0 },
    );
  }
  return history;
}

function page(history: History, address: typeof alice, options: object = {}): string {
  const entries = history.ofAddress(address, { limit: 1000, newestSlot: 100, ...options });
  return entries.map((each) => each.signature).join(' ');
}

describe('the history', () => {
  it('lists an address newest first', () => {
    expect(page(filled(), bob)).toBe('tx8 tx6 tx4 tx2 tx0');
    expect(page(filled(), addressOf(Buffer.alloc(32, 3)))).toBe('');
  });

  it('pages by limit, before, until and slot', () => {
    const history = filled();
    expect(page(history, alice, { limit: 2 })).toBe('tx9 tx8');
    expect(page(history, alice, { before: 'tx8', limit: 3 })).toBe('tx7 tx6 tx5');
    expect(page(history, alice, { until: 'tx6' })).toBe('tx9 tx8 tx7');
    expect(page(history, alice, { before: 'tx5', until: 'tx2' })).toBe('tx4 tx3');
    // The limit counts what may be seen, not what is too new.
    expect(page(history, alice, { newestSlot: 7, limit: 2 })).toBe('tx7 tx6');
  });

  it('drops a segment’s records and still knows that they landed', () => {
    const history = filled();
    const folded = history.dropSegment(0);
    expect(folded.map((each) => each.signature)).toEqual(['tx0', 'tx1', 'tx2', 'tx3', 'tx4']);
    expect(page(history, bob)).toBe('tx8 tx6');
    expect(history.find('tx1')).toBeUndefined();
    expect(history.status('tx1')).toMatchObject({ slot: 1, error: null });
    expect(history.count).toBe(10);
  });
});
