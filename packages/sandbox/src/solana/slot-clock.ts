import { createHash } from 'node:crypto';
import { addressOf } from './addresses.ts';

export const slotMs = 400;
/** A blockhash serves for this many slots after its own. */
export const blockhashWindow = 150;
/** Slots from landing to finality. */
export const finalitySlots = 32;

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** Slot 0. Slots follow the wall clock from here, so they go on over a restart without being stored. */
const genesisMs = Date.UTC(2026, 0, 1);

export interface SlotClock {
  readonly slot: number;
  readonly unixSeconds: number;
  /** When a slot began, in Unix seconds. */
  timeOf(slot: number): number;
  /** Moves to the slot of the present moment; false if that is the one already reached. */
  advance(): boolean;
  /** The slot that has this commitment now. */
  slotAt(commitment: Commitment): number;
  /** The commitment a transaction landed in this slot has reached. */
  commitmentOf(slot: number): Commitment;
  latestBlockhash(commitment: Commitment): { blockhash: string; lastValidBlockHeight: number };
  /** The present slot's blockhash, whatever the weather. */
  newestBlockhash(): { blockhash: string; lastValidBlockHeight: number };
  /** The blockhash whose last valid block height is this one. */
  blockhashExpiringAt(lastValidBlockHeight: number): { blockhash: string; lastValidBlockHeight: number };
  isBlockhashValid(blockhash: string): boolean;
}

/**
 * Slots of 400 ms with a block each, so block height equals slot. A slot's blockhash is derived from its
 * number: the window needs no storage and is the same after a restart.
 *
 * `firstSlot` is the newest slot on record: a wall clock that was set back cannot go behind it.
 */
export function createSlotClock(options: {
  now: () => number;
  firstSlot: number;
  areBlockhashesExpired: () => boolean;
}): SlotClock {
  const { now, areBlockhashesExpired } = options;
  const presentSlot = (): number => Math.floor((now() - genesisMs) / slotMs);
  let slot = Math.max(options.firstSlot, presentSlot(), 2 * blockhashWindow);
  let unixSeconds = Math.floor(now() / 1000);
  const window = new Map<string, number>();
  issueFrom(slot - blockhashWindow);

  function issueFrom(first: number): void {
    for (let each = first; each <= slot; each += 1) window.set(blockhashOf(each), each);
    for (const [blockhash, issued] of window) {
      if (issued >= slot - blockhashWindow) break;
      window.delete(blockhash);
    }
  }

  const slotAt = (commitment: Commitment): number => {
    if (commitment === 'processed') return slot;
    return slot - (commitment === 'confirmed' ? 1 : finalitySlots);
  };

  return {
    get slot() {
      return slot;
    },
    get unixSeconds() {
      return unixSeconds;
    },
    timeOf: (each) => Math.floor((genesisMs + each * slotMs) / 1000),
    advance() {
      const present = presentSlot();
      if (present <= slot) return false;
      const previous = slot;
      slot = present;
      unixSeconds = Math.floor(now() / 1000);
      issueFrom(Math.max(previous + 1, slot - blockhashWindow));
      return true;
    },
    slotAt,
    commitmentOf(landed) {
      if (landed <= slotAt('finalized')) return 'finalized';
      return landed <= slotAt('confirmed') ? 'confirmed' : 'processed';
    },
    latestBlockhash(commitment) {
      // Expired even at finalized commitment, so that a client can prove it at once.
      return lifetimeFrom(areBlockhashesExpired() ? slot - 2 * blockhashWindow : slotAt(commitment));
    },
    newestBlockhash: () => lifetimeFrom(slot),
    blockhashExpiringAt: (height) => lifetimeFrom(height - blockhashWindow),
    isBlockhashValid(blockhash) {
      return !areBlockhashesExpired() && window.has(blockhash);
    },
  };
}

function lifetimeFrom(issued: number): { blockhash: string; lastValidBlockHeight: number } {
  return { blockhash: blockhashOf(issued), lastValidBlockHeight: issued + blockhashWindow };
}

function blockhashOf(slot: number): string {
  return addressOf(createHash('sha256').update(`kervan sandbox block ${slot}`).digest());
}
