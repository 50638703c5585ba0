import { base58Of } from '../base58.ts';
import type { Address } from '../addresses.ts';
import type { LandedTransaction } from '../ledger-record.ts';
import { isWritableStatic, parseTransaction, type WireTransaction } from '../wire-transaction.ts';
import { integerParam, type RpcConfig } from './params.ts';
import { invalidParams, rpcCodes, RpcError } from './rpc-error.ts';

/** The parts of a stored `meta` that another encoding shows differently. */
interface StoredMeta {
  loadedAddresses: { writable: Address[]; readonly: Address[] };
  innerInstructions: { index: number; instructions: CompiledJson[] }[];
  [field: string]: unknown;
}

interface CompiledJson {
  programIdIndex: number;
  accounts: number[];
  data: string;
  stackHeight: number | null;
}

/** A landed transaction as `getTransaction` answers. */
export function encodeTransaction(landed: LandedTransaction, config: RpcConfig): unknown {
  const transaction = parseTransaction(landed.wire);
  const { version } = transaction.message;
  const supported = config['maxSupportedTransactionVersion'];
  const hasVersion = supported !== undefined && supported !== null;
  if (
    version !== 'legacy' &&
    (!hasVersion || integerParam(supported, 'maxSupportedTransactionVersion') < version)
  ) {
    throw new RpcError(
      rpcCodes.unsupportedTransactionVersion,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
  // transactionMeta wrote it.
  const meta: StoredMeta = JSON.parse(landed.meta);
  return {
    blockTime: landed.blockTime,
    ...encodeBody(transaction, landed, meta, config['encoding'] ?? 'json'),
    slot: landed.slot,
    ...(hasVersion && { version }),
  };
}

function encodeBody(
  transaction: WireTransaction,
  landed: LandedTransaction,
  meta: StoredMeta,
  encoding: unknown,
): { meta: unknown; transaction: unknown } {
  switch (encoding) {
    case 'base64':
      return { meta, transaction: [Buffer.from(landed.wire).toString('base64'), 'base64'] };
    case 'base58':
      return { meta, transaction: [base58Of(landed.wire), 'base58'] };
    case 'json':
      return {
        meta,
        transaction: { message: compiledMessage(transaction), signatures: signatures(transaction) },
      };
    case 'jsonParsed': {
      const { loadedAddresses: _, ...rest } = meta;
      const innerInstructions = meta.innerInstructions.map(({ index, instructions }) => ({
        index,
        instructions: instructions.map((each) => partlyDecoded(each, landed.accounts)),
      }));
      return {
        meta: { ...rest, innerInstructions },
        transaction: {
          message: parsedMessage(transaction, landed.accounts, meta),
          signatures: signatures(transaction),
        },
      };
    }
    default:
      throw invalidParams(`unsupported encoding: ${JSON.stringify(encoding)}`);
  }
}

function signatures(transaction: WireTransaction): string[] {
  return transaction.signatures.map((signature) => base58Of(signature));
}

function compiledInstructions(transaction: WireTransaction): CompiledJson[] {
  return transaction.message.instructions.map(({ programIdIndex, accounts, data }) => ({
    programIdIndex,
    accounts: [...accounts],
    data: base58Of(data),
    stackHeight: 1,
  }));
}

function compiledMessage(transaction: WireTransaction): unknown {
  const { message } = transaction;
  return {
    header: {
      numRequiredSignatures: message.requiredSignatures,
      numReadonlySignedAccounts: message.readonlySigned,
      numReadonlyUnsignedAccounts: message.readonlyUnsigned,
    },
    accountKeys: message.staticAccounts,
    recentBlockhash: message.blockhash,
    instructions: compiledInstructions(transaction),
    ...(message.version !== 'legacy' && {
      addressTableLookups: message.lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
        accountKey: table,
        writableIndexes: [...writableIndexes],
        readonlyIndexes: [...readonlyIndexes],
      })),
    }),
  };
}

function parsedMessage(
  transaction: WireTransaction,
  accounts: readonly Address[],
  meta: StoredMeta,
): unknown {
  const { message } = transaction;
  const statics = message.staticAccounts.length;
  return {
    accountKeys: accounts.map((pubkey, index) => ({
      pubkey,
      signer: index < message.requiredSignatures,
      source: index < statics ? 'transaction' : 'lookupTable',
      writable:
        index < statics
          ? isWritableStatic(message, index)
          : index < statics + meta.loadedAddresses.writable.length,
    })),
    recentBlockhash: message.blockhash,
    instructions: compiledInstructions(transaction).map((each) => partlyDecoded(each, accounts)),
  };
}

/** What the RPC shows of a program it has no parser for. */
function partlyDecoded(instruction: CompiledJson, accounts: readonly Address[]): unknown {
  return {
    accounts: instruction.accounts.map((index) => accounts[index]),
    data: instruction.data,
    programId: accounts[instruction.programIdIndex],
    stackHeight: instruction.stackHeight,
  };
}
