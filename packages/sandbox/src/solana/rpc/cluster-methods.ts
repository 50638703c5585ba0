import { genesisHash } from '../genesis.ts';
import { transactionFee } from '../transaction-fee.ts';
import { parseMessage, type WireMessage } from '../wire-transaction.ts';
import { addressParam, bytesParam, commitmentParam, configParam, integerParam, textParam } from './params.ts';
import { invalidParams } from './rpc-error.ts';
import { apiVersion, withContext, type RpcContext, type RpcMethods } from './rpc-context.ts';

const slotsInEpoch = 432_000;
const maxAccountBytes = 10 * 1024 * 1024;

/** Methods about the network itself: slots, blockhashes, fees, the faucet. */
export function clusterMethods({ chain, faucet }: RpcContext): RpcMethods {
  const { clock, runtime, history } = chain;
  const slotOf = (config: unknown): number => clock.slotAt(commitmentParam(configParam(config)));
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': apiVersion, 'feature-set': 0 }),
    getGenesisHash: () => genesisHash,
    getSlot: ([config]) => slotOf(config),
    getBlockHeight: ([config]) => slotOf(config),
    getTransactionCount: () => history.count,
    getFirstAvailableBlock: () => 0,
    minimumLedgerSlot: () => 0,
    getEpochInfo([config]) {
      const slot = slotOf(config);
      return {
        absoluteSlot: slot,
        blockHeight: slot,
        epoch: Math.floor(slot / slotsInEpoch),
        slotIndex: slot % slotsInEpoch,
        slotsInEpoch,
        transactionCount: history.count,
      };
    },
    getBlockTime: ([slot]) => clock.timeOf(integerParam(slot, 'slot')),
    getLatestBlockhash: ([config]) =>
      withContext(chain, clock.latestBlockhash(commitmentParam(configParam(config)))),
    isBlockhashValid: ([blockhash]) =>
      withContext(chain, clock.isBlockhashValid(textParam(blockhash, 'blockhash'))),
    getMinimumBalanceForRentExemption([bytes]) {
      const length = integerParam(bytes, 'data length');
      if (length > maxAccountBytes) throw invalidParams(`Invalid data length; max ${maxAccountBytes}`);
      return runtime.rentExemption(length);
    },
    getRecentPrioritizationFees: () => [{ slot: clock.slot, prioritizationFee: 0 }],
    getFeeForMessage([encoded]) {
      const message = messageParam(encoded);
      return withContext(chain, clock.isBlockhashValid(message.blockhash) ? transactionFee(message) : null);
    },
    async requestAirdrop([address, lamports]) {
      const grant = await faucet.grantSol(addressParam(address), BigInt(integerParam(lamports, 'lamports')));
      return grant.signature;
    },
  };
}

function messageParam(encoded: unknown): WireMessage {
  const bytes = bytesParam(encoded, 'base64');
  try {
    return parseMessage(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'malformed';
    throw invalidParams(`failed to deserialize solana_message::versions::VersionedMessage: ${reason}`);
  }
}
