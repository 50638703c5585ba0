import { KervanError } from '@kervan/contract';
import { decodeAbiParameters, hexToString, size, type Address, type Hex } from 'viem';
import type { TokenInfo } from '../port.ts';
import { printable } from '../printable.ts';
import type { BscContracts } from './contracts.ts';
import { metadataCall } from './erc20.ts';
import { aggregate, readAggregate, readUint, type CallResult } from './multicall.ts';
import { callOf, hexSchema } from './rpc-calls.ts';
import type { RpcClient } from './rpc-client.ts';

const longestText = 100;
/** Beyond 36 decimals, amounts that people type don't fit the 78 digits that are stored; no real token has so many. */
const mostDecimals = 36n;

/** Asks a token for its name, symbol and decimals. Throws TOKEN_NOT_FOUND where no code answers with usable decimals. */
export async function readTokenInfo(
  { rpc, contracts }: { readonly rpc: RpcClient; readonly contracts: BscContracts },
  token: Address,
  signal?: AbortSignal,
): Promise<TokenInfo> {
  const calls = (['name', 'symbol', 'decimals'] as const).map((field) => metadataCall(token, field));
  const answer = await rpc.read(callOf(aggregate(contracts.multicall3, calls)), signal);
  const [name, symbol, decimals] = readAggregate(hexSchema.parse(answer));
  const places = readUint(decimals);
  if (places === undefined || places > mostDecimals) throw new KervanError('TOKEN_NOT_FOUND');
  return { address: token, name: readText(name), symbol: readText(symbol), decimals: Number(places) };
}

/** A name as its author wrote it, which may be anything: some early tokens answer bytes32 instead of string. */
function readText(result: CallResult | undefined): string {
  if (!result?.success) return '';
  const text = size(result.data) === 32 ? hexToString(result.data) : decodeString(result.data);
  return printable(text, longestText).trim();
}

function decodeString(data: Hex): string {
  try {
    return decodeAbiParameters([{ type: 'string' }], data)[0];
  } catch {
    return '';
  }
}
