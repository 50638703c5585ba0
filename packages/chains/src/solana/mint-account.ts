import { getMintDecoder } from '@solana-program/token';
import { getAddressDecoder, unwrapOption, type Address } from '@solana/kit';
import { token2022Program } from './addresses.ts';

/** The extensions of Token-2022 that say something here, by the number that a mint account has for them. */
const extensionTypes = {
  transferFee: 1,
  defaultAccountState: 6,
  nonTransferable: 9,
  permanentDelegate: 12,
  transferHook: 14,
  metadata: 19,
  pausable: 26,
} as const;

/** An account's state where a mint freezes every new one. */
const frozenState = 2;
const addressLength = 32;
/** Where a transfer fee's two rates stand: the one that holds and the one that follows. */
const feeBpsOffsets = [88, 106];
const transferFeeLength = 108;
/** Token-2022 pads a mint to this length, says in a byte that it is one, and then lists its extensions. */
const extensionsOffset = 166;

/** What a mint account says beyond its decimals (https://solana.com/docs/tokens/extensions). */
export interface MintAccount {
  readonly freezeAuthority: Address | null;
  readonly isFrozenByDefault: boolean;
  readonly isTransferable: boolean;
  readonly isPausable: boolean;
  readonly permanentDelegate: Address | null;
  readonly transferHookProgram: Address | null;
  /** The higher of the rate that holds and the one that will; 0 without a fee. */
  readonly transferFeeBps: number;
  /** Name and symbol as the mint itself tells them. */
  readonly metadata: MintName | null;
}

export interface MintName {
  readonly name: string;
  readonly symbol: string;
}

/** Reads a mint account's data. Extensions that are cut short count as absent. */
export function readMintAccount(program: Address, data: Buffer): MintAccount {
  const mint = getMintDecoder().decode(data);
  const extensions = program === token2022Program ? readExtensions(data) : new Map<number, Buffer>();
  const extension = (name: keyof typeof extensionTypes) => extensions.get(extensionTypes[name]);
  const fee = extension('transferFee');
  return {
    freezeAuthority: unwrapOption(mint.freezeAuthority),
    isFrozenByDefault: extension('defaultAccountState')?.[0] === frozenState,
    isTransferable: extension('nonTransferable') === undefined,
    isPausable: readAddress(extension('pausable'), 0) !== null,
    permanentDelegate: readAddress(extension('permanentDelegate'), 0),
    transferHookProgram: readAddress(extension('transferHook'), addressLength),
    transferFeeBps:
      fee && fee.length >= transferFeeLength
        ? Math.max(...feeBpsOffsets.map((offset) => fee.readUInt16LE(offset)))
        : 0,
    metadata: readTexts(extension('metadata'), 2 * addressLength),
  };
}

/** Name and symbol that stand behind `offset` in a metadata extension or account; null if they don't. */
export function readTexts(data: Buffer | undefined, offset: number): MintName | null {
  const name = readText(data, offset);
  const symbol = name && readText(data, name.end);
  return name && symbol ? { name: name.text, symbol: symbol.text } : null;
}

function readText(data: Buffer | undefined, offset: number): { text: string; end: number } | undefined {
  const start = offset + 4;
  if (data === undefined || data.length < start) return undefined;
  const end = start + data.readUInt32LE(offset);
  if (data.length < end) return undefined;
  return { text: data.toString('utf8', start, end), end };
}

function readExtensions(data: Buffer): Map<number, Buffer> {
  const extensions = new Map<number, Buffer>();
  let offset = extensionsOffset;
  while (offset + 4 <= data.length) {
    const [type, length] = [data.readUInt16LE(offset), data.readUInt16LE(offset + 2)];
    const start = offset + 4;
    if (type === 0 || start + length > data.length) break;
    extensions.set(type, data.subarray(start, start + length));
    offset = start + length;
  }
  return extensions;
}

/** An address, of which zeros are none. */
function readAddress(extension: Buffer | undefined, offset: number): Address | null {
  const bytes = extension?.subarray(offset, offset + addressLength);
  if (bytes?.length !== addressLength || bytes.every((byte) => byte === 0)) return null;
  return getAddressDecoder().decode(bytes);
}
