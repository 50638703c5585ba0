import { base58Of } from '../base58.ts';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { addressOf, type Address } from '../addresses.ts';
import type { StoredAccount } from '../runtime.ts';
import { token2022Program, uiTokenAmount, viewTokenAccount, type TokenIndex } from '../token-index.ts';
import { configParam, integerParam, type RpcConfig } from './params.ts';
import { invalidParams } from './rpc-error.ts';

/** Rent is never collected, which the epoch u64::MAX says. */
const rentExemptEpoch = 18_446_744_073_709_551_615n;
const mintBytes = 82;
/** Base58 takes quadratic time, so the RPC allows it for short data only. */
const maxBase58Bytes = 128;

/** An account as `getAccountInfo` shows it under the configuration's encoding and data slice. */
export function encodeAccount(account: StoredAccount, config: RpcConfig, tokens: TokenIndex): unknown {
  return {
    data: encodeData(account, config, tokens),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.owner,
    rentEpoch: rentExemptEpoch,
    space: account.data.length,
  };
}

function encodeData(account: StoredAccount, config: RpcConfig, tokens: TokenIndex): unknown {
  const { encoding } = config;
  if (encoding === 'jsonParsed') {
    const parsed = parseTokenProgramAccount(account, tokens);
    if (parsed) return parsed;
  }
  const data = slice(account.data, config['dataSlice']);
  if (encoding === 'base64' || encoding === 'jsonParsed')
    return [Buffer.from(data).toString('base64'), 'base64'];
  if (encoding !== undefined && encoding !== null && encoding !== 'base58' && encoding !== 'binary') {
    throw invalidParams(`unsupported encoding: ${JSON.stringify(encoding)}`);
  }
  if (data.length > maxBase58Bytes) {
    throw invalidParams(
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  return encoding === 'base58' ? [base58Of(data), 'base58'] : base58Of(data);
}

function slice(data: Uint8Array, value: unknown): Uint8Array {
  if (value === undefined || value === null) return data;
  const { offset, length } = configParam(value);
  const start = integerParam(offset, 'dataSlice.offset');
  return data.subarray(start, start + integerParam(length, 'dataSlice.length'));
}

function parseTokenProgramAccount(account: StoredAccount, tokens: TokenIndex): unknown {
  const program = account.owner === TOKEN_PROGRAM_ADDRESS ? 'spl-token' : 'spl-token-2022';
  const view = viewTokenAccount(account);
  if (view) {
    const { mint, owner, state, isNative } = view;
    const tokenAmount = uiTokenAmount(view.amount, tokens.decimals(mint));
    const info = { isNative, mint, owner, state, tokenAmount };
    return { program, parsed: { info, type: 'account' }, space: account.data.length };
  }
  const isTokenProgram = account.owner === TOKEN_PROGRAM_ADDRESS || account.owner === token2022Program;
  if (!isTokenProgram || account.data.length < mintBytes || account.data[45] !== 1) return undefined;
  const data = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.length);
  const info = {
    decimals: data.readUInt8(44),
    freezeAuthority: optionalKey(data, 46),
    isInitialized: true,
    mintAuthority: optionalKey(data, 0),
    supply: data.readBigUInt64LE(36).toString(),
  };
  return { program, parsed: { info, type: 'mint' }, space: account.data.length };
}

function optionalKey(data: Buffer, offset: number): Address | null {
  return data.readUInt32LE(offset) === 0 ? null : addressOf(data.subarray(offset + 4, offset + 36));
}
