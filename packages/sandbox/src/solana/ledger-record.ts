import type { Address } from './addresses.ts';
import type { StoredAccount } from './runtime.ts';
import type { TransactionError } from './transaction-error.ts';

/** An account as a transaction left it; undefined when it was closed. */
export interface AccountEffect {
  address: Address;
  account: StoredAccount | undefined;
}

/** What the history's index keeps of a landed transaction. */
export interface TransactionHead {
  signature: string;
  slot: number;
  /** Unix seconds. */
  blockTime: number;
  error: TransactionError | null;
  /** Every account it names: static keys, then loaded writable, then loaded read-only ones. */
  accounts: readonly Address[];
}

/** A transaction that landed, successful or failed, with everything it did. */
export interface LandedTransaction extends TransactionHead {
  wire: Uint8Array;
  /** The `meta` of `getTransaction` in JSON, for the encoding `json`. */
  meta: string;
  effects: readonly AccountEffect[];
}

/** The transactions of one journal record: one, or the legs of a bundle, which share their fate. */
export type LedgerRecord = readonly LandedTransaction[];

/** How the binary parts of one transaction are to be cut, in their order. */
interface Layout {
  wireBytes: number;
  metaBytes: number;
  effects: EffectLayout[];
}

interface EffectLayout {
  address: Address;
  /** Absent for a closed account. */
  lamports?: string;
  owner?: Address;
  executable?: boolean;
  dataBytes: number;
}

/**
 * A record as journal bytes: the heads and the layouts, each JSON behind its u32 length, then the binary
 * parts. It says what happened, not what was asked: a replay writes the effects and runs nothing, so it
 * cannot come out differently.
 */
export function encodeRecord(record: LedgerRecord): Buffer {
  const parts: Uint8Array[] = [];
  const layouts = record.map(({ wire, meta, effects }): Layout => {
    const metaBytes = Buffer.from(meta);
    parts.push(wire, metaBytes);
    return {
      wireBytes: wire.length,
      metaBytes: metaBytes.length,
      effects: effects.map(({ address, account }) => {
        if (!account) return { address, dataBytes: 0 };
        const { lamports, owner, executable, data } = account;
        parts.push(data);
        return { address, lamports: lamports.toString(), owner, executable, dataBytes: data.length };
      }),
    };
  });
  const heads = record.map(({ signature, slot, blockTime, error, accounts }): TransactionHead => ({
    signature,
    slot,
    blockTime,
    error,
    accounts,
  }));
  return Buffer.concat([...jsonPart(heads), ...jsonPart(layouts), ...parts]);
}

/** The heads of a record's transactions, without reading the rest. */
export function decodeHeads(payload: Buffer): TransactionHead[] {
  const { json } = readJsonPart(payload, 0);
  // The journal's checksum has vouched that these are the bytes encodeRecord wrote.
  const heads: TransactionHead[] = JSON.parse(json);
  return heads;
}

export function decodeRecord(payload: Buffer): LedgerRecord {
  const layoutPart = readJsonPart(payload, readJsonPart(payload, 0).end);
  const layouts: Layout[] = JSON.parse(layoutPart.json);
  let offset = layoutPart.end;
  const take = (bytes: number): Buffer => payload.subarray(offset, (offset += bytes));
  return decodeHeads(payload).flatMap((head, index): LandedTransaction[] => {
    const layout = layouts[index];
    if (!layout) return [];
    const wire = take(layout.wireBytes);
    const meta = take(layout.metaBytes).toString('utf8');
    const effects = layout.effects.map(({ address, lamports, owner, executable, dataBytes }) => {
      if (lamports === undefined || owner === undefined) return { address, account: undefined };
      const account = {
        lamports: BigInt(lamports),
        owner,
        executable: executable === true,
        data: take(dataBytes),
      };
      return { address, account };
    });
    return [{ ...head, wire, meta, effects }];
  });
}

function jsonPart(value: unknown): [Buffer, Buffer] {
  const json = Buffer.from(JSON.stringify(value));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length, 0);
  return [length, json];
}

function readJsonPart(payload: Buffer, start: number): { json: string; end: number } {
  const end = start + 4 + payload.readUInt32LE(start);
  return { json: payload.toString('utf8', start + 4, end), end };
}
