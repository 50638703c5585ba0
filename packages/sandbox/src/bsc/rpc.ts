import { isHex, keccak256, numberToHex, size, type Hex } from 'viem';
import { z } from 'zod';
import type { HttpReply } from '../http.ts';
import type { WeatherStation } from '../weather.ts';
import type { ArchivedBlock } from './archive.ts';
import type { Ledger } from './ledger.ts';
import { NodeRpcError } from './node-client.ts';
import { createReceiptReader } from './receipt-reader.ts';
import { minimumGasPriceWei } from './treasury.ts';

/**
 * Methods handed to the node as they are. Everything else is refused: anvil's own methods change the chain behind
 * the journal's back, and there are no unlocked accounts.
 */
const passedOn = new Set([
  'eth_accounts',
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_getBalance',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionCount',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_simulateV1',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_listening',
  'net_version',
  'txpool_content',
  'txpool_inspect',
  'txpool_status',
  'web3_clientVersion',
  'web3_sha3',
]);

/** As geth: what is larger is no transaction. */
const largestRawBytes = 128 * 1024;

const invalidRequest = -32_600;
const methodNotFound = -32_601;
const invalidParams = -32_602;
/** Of eth_sendRawTransactionSync (EIP-7966): accepted, but not mined within the time. */
const notMinedInTime = 4;

const requestSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
type RpcRequest = z.infer<typeof requestSchema>;

/** Thrown to cut the connection instead of answering. */
class AnswerLost extends Error {}

/**
 * Answers JSON-RPC 2.0 bodies, single or batched: sends through the ledger, everything else from the node, and
 * from the archive what the node no longer has.
 */
export function createRpcHandler(
  ledger: Ledger,
  weather: WeatherStation,
): (body: unknown) => Promise<HttpReply> {
  const pass = (body: unknown): Promise<string> => {
    const text = JSON.stringify(body);
    return ledger.read((node) => node.post(text));
  };

  const receiptOf = createReceiptReader(ledger);

  async function passWithArchive(
    request: RpcRequest,
    find: (archived: string) => Promise<unknown>,
  ): Promise<string> {
    const answer = await pass({ jsonrpc: '2.0', ...request });
    if (!answer.includes('"result":null')) return answer;
    return resultOf(request, (await find(String(request.params[0]).toLowerCase())) ?? null);
  }

  /** Returns the hash, or undefined if weather keeps the transaction from arriving. */
  async function send(raw: Hex): Promise<Hex | undefined> {
    const fate = weather.drawSendFate();
    if (fate === 'drop') return undefined;
    const hash = await ledger.send(raw);
    if (fate === 'lose-answer') throw new AnswerLost();
    return hash;
  }

  async function sendAndAwaitReceipt(raw: Hex): Promise<unknown> {
    const hash = await send(raw);
    const receipt = hash && (await receiptOf(hash));
    if (receipt) return receipt;
    throw new NodeRpcError(
      notMinedInTime,
      'The transaction was added to the mempool but was not mined in time',
      keccak256(raw),
    );
  }

  async function answerOne(body: unknown): Promise<string> {
    const parsed = requestSchema.safeParse(body);
    if (!parsed.success) return errorOf(null, new NodeRpcError(invalidRequest, 'Invalid request'));
    const request = parsed.data;
    try {
      switch (request.method) {
        case 'eth_sendRawTransaction': {
          const raw = rawTransaction(request);
          return resultOf(request, (await send(raw)) ?? keccak256(raw));
        }
        case 'eth_sendRawTransactionSync':
          return resultOf(request, await sendAndAwaitReceipt(rawTransaction(request)));
        case 'eth_gasPrice':
        case 'eth_maxPriorityFeePerGas':
          // With no base fee the node would name a price of zero, which automatic fees cannot be built on.
          return resultOf(request, numberToHex(minimumGasPriceWei));
        case 'eth_getTransactionReceipt':
          return await passWithArchive(request, async (hash) =>
            receiptIn(await ledger.archive.findByTransaction(hash), hash),
          );
        case 'eth_getTransactionByHash':
          return await passWithArchive(request, async (hash) =>
            transactionIn(await ledger.archive.findByTransaction(hash), hash),
          );
        case 'eth_getBlockByNumber':
          return await passWithArchive(request, async (number) =>
            blockOf(await ledger.archive.findByNumber(Number(number)), request.params[1] === true),
          );
        default:
          if (passedOn.has(request.method)) return await pass(body);
          throw new NodeRpcError(
            methodNotFound,
            `The method ${request.method} does not exist or is not available`,
          );
      }
    } catch (error) {
      if (error instanceof NodeRpcError) return errorOf(request.id, error);
      throw error;
    }
  }

  async function answer(body: unknown): Promise<string> {
    if (!Array.isArray(body) || body.length === 0) return answerOne(body);
    if (body.every(isPassedOn)) return pass(body);
    return `[${(await Promise.all(body.map(answerOne))).join(',')}]`;
  }

  return async (body) => {
    try {
      return { status: 200, body: await answer(body) };
    } catch (error) {
      if (error instanceof AnswerLost) return { destroy: true };
      throw error;
    }
  };
}

function isPassedOn(request: unknown): boolean {
  const parsed = requestSchema.safeParse(request);
  return parsed.success && passedOn.has(parsed.data.method);
}

function rawTransaction(request: RpcRequest): Hex {
  const [raw] = request.params;
  if (!isHex(raw) || raw.length % 2 === 1 || size(raw) === 0) {
    throw new NodeRpcError(invalidParams, 'A raw transaction in hex is wanted');
  }
  if (size(raw) > largestRawBytes) throw new NodeRpcError(-32_000, 'oversized data');
  return raw;
}

const resultOf = (request: RpcRequest, result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: request.id, result });

const errorOf = (id: RpcRequest['id'], { code, message, data }: NodeRpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });

function receiptIn(found: ArchivedBlock | undefined, hash: string): unknown {
  return found?.receipts.find((receipt) => receipt.transactionHash === hash);
}

function transactionIn(found: ArchivedBlock | undefined, hash: string): unknown {
  return found?.block.transactions.find((transaction) => transaction.hash === hash);
}

function blockOf(found: ArchivedBlock | undefined, withTransactions: boolean): unknown {
  if (!found || withTransactions) return found?.block;
  return { ...found.block, transactions: found.block.transactions.map((transaction) => transaction.hash) };
}
