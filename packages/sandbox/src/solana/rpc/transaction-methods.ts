import type { Simulation } from '../runtime.ts';
import { blockhashWindow, type Commitment } from '../slot-clock.ts';
import { describeTransactionError, type TransactionError } from '../transaction-error.ts';
import { innerInstructions } from '../transaction-meta.ts';
import { encodeAccount } from './account-encoding.ts';
import { encodeTransaction } from './transaction-encoding.ts';
import {
  addressListParam,
  addressParam,
  commitmentParam,
  configParam,
  integerParam,
  listParam,
  textParam,
  transactionParam,
  type RpcConfig,
} from './params.ts';
import { invalidParams, rpcCodes, RpcError } from './rpc-error.ts';
import { LostAnswer, withContext, type RpcContext, type RpcMethods } from './rpc-context.ts';

const maxSignatures = 256;
const maxPage = 1000;

/** Methods that send, simulate and look up transactions. */
export function transactionMethods(context: RpcContext): RpcMethods {
  const { chain } = context;
  const { clock, history } = chain;

  return {
    sendTransaction: ([encoded, config]) => sendTransaction(context, encoded, configParam(config)),
    simulateTransaction: ([encoded, config]) => simulateTransaction(context, encoded, configParam(config)),
    getSignatureStatuses([signatures, config]) {
      const searchesHistory = configParam(config)['searchTransactionHistory'] === true;
      const statuses = listParam(signatures, maxSignatures).map((signature) => {
        const status = history.status(textParam(signature, 'signature'));
        // Without the history search a node knows only what its status cache holds.
        if (!status || (!searchesHistory && status.slot < clock.slot - 2 * blockhashWindow)) return null;
        const { slot, error } = status;
        const commitment = clock.commitmentOf(slot);
        return {
          slot,
          confirmations: commitment === 'finalized' ? null : clock.slot - slot,
          err: error,
          status: error === null ? { Ok: null } : { Err: error },
          confirmationStatus: commitment,
        };
      });
      return withContext(chain, statuses);
    },
    async getTransaction([signature, second]) {
      // Older clients pass the encoding alone.
      const config = typeof second === 'string' ? { encoding: second } : configParam(second);
      const commitment = historyCommitment(config);
      const landed = await chain.transaction(textParam(signature, 'signature'));
      return landed && landed.slot <= clock.slotAt(commitment) ? encodeTransaction(landed, config) : null;
    },
    getSignaturesForAddress([address, given]) {
      const config = configParam(given);
      const { limit, before, until } = config;
      const count = limit === undefined || limit === null ? maxPage : integerParam(limit, 'limit');
      if (count < 1 || count > maxPage) throw invalidParams(`Invalid limit; max ${maxPage}`);
      const commitment = historyCommitment(config);
      const entries = history.ofAddress(addressParam(address), {
        limit: count,
        newestSlot: clock.slotAt(commitment),
        ...(typeof before === 'string' && { before }),
        ...(typeof until === 'string' && { until }),
      });
      return entries.map(({ signature, slot, error, blockTime }) => ({
        signature,
        slot,
        err: error,
        memo: null,
        blockTime,
        confirmationStatus: clock.commitmentOf(slot),
      }));
    },
  };
}

function historyCommitment(config: RpcConfig): Commitment {
  const commitment = commitmentParam(config);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

async function sendTransaction(
  { chain, weather }: RpcContext,
  encoded: unknown,
  config: RpcConfig,
): Promise<string> {
  const transaction = transactionParam(encoded, config['encoding']);
  const preflight = config['skipPreflight'] !== true;
  const fate = weather.drawSendFate();
  if (fate === 'drop') {
    if (preflight) {
      const simulation = chain.simulate(transaction, { verifySignatures: true, checkBlockhash: true });
      if (simulation.error !== null) throw preflightFailure(simulation.error, simulation);
    }
    return transaction.signature;
  }
  const submission = chain.submit(transaction, { preflight });
  if (fate === 'lose-answer') {
    await chain.durable();
    throw new LostAnswer();
  }
  if (submission.outcome === 'refused') throw preflightFailure(submission.error, submission);
  return transaction.signature;
}

function preflightFailure(
  error: TransactionError,
  { logs, unitsConsumed }: { logs: string[]; unitsConsumed: number },
): RpcError {
  if (error === 'SignatureFailure') {
    return new RpcError(rpcCodes.signatureVerificationFailure, 'Transaction signature verification failure');
  }
  return new RpcError(
    rpcCodes.preflightFailure,
    `Transaction simulation failed: ${describeTransactionError(error)}`,
    { accounts: null, err: error, innerInstructions: null, logs, returnData: null, unitsConsumed },
  );
}

function simulateTransaction({ chain }: RpcContext, encoded: unknown, config: RpcConfig): unknown {
  const transaction = transactionParam(encoded, config['encoding']);
  const verifySignatures = config['sigVerify'] === true;
  const replacesBlockhash = config['replaceRecentBlockhash'] === true;
  if (verifySignatures && replacesBlockhash) {
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  }
  const simulation = chain.simulate(transaction, { verifySignatures, checkBlockhash: !replacesBlockhash });
  if (simulation.error === 'SignatureFailure') throw preflightFailure(simulation.error, simulation);
  const { returnData } = simulation;
  return withContext(chain, {
    accounts: simulatedAccounts(chain, simulation, config['accounts']),
    err: simulation.error,
    innerInstructions: config['innerInstructions'] === true ? innerInstructions(simulation) : null,
    logs: simulation.logs,
    replacementBlockhash: replacesBlockhash ? chain.clock.latestBlockhash('confirmed') : null,
    returnData: returnData && {
      programId: returnData.programId,
      data: [Buffer.from(returnData.data).toString('base64'), 'base64'],
    },
    unitsConsumed: simulation.unitsConsumed,
  });
}

function simulatedAccounts(chain: RpcContext['chain'], simulation: Simulation, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  const config = configParam(value);
  return addressListParam(config['addresses'], 100).map((address) => {
    const account = simulation.postAccounts.get(address) ?? chain.runtime.account(address);
    if (simulation.error !== null || !account || account.lamports === 0n) return null;
    return encodeAccount(account, { encoding: 'base64', ...config }, chain.tokens);
  });
}
