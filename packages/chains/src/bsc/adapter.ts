import { KervanError, type Network } from '@kervan/contract';
import { networkName } from '../networks.ts';
import type { ChainPort } from '../port.ts';
import { parseAddress, requireAddress } from './address.ts';
import { readBalances, readTokenBalances } from './balances.ts';
import { createBroadcaster } from './broadcast.ts';
import { readContracts, type BscContractAddresses } from './contracts.ts';
import { createDryRunner } from './dry-run.ts';
import { createGasPriceSource, type GasPolicy } from './gas-price.ts';
import { createKey, exportKey, importKey } from './keys.ts';
import { readOutcome } from './outcome.ts';
import { prepareSwap, quoteSwap, usualSwapGas } from './prepare-swap.ts';
import { prepareTransfer } from './prepare-transfer.ts';
import { createReceiptWatcher } from './receipt-watcher.ts';
import { prepareReplacement } from './replacement.ts';
import { createRpcClient } from './rpc-client.ts';
import { screenToken } from './screen-token.ts';
import { sign } from './sign.ts';
import { createSimulator } from './simulate.ts';
import { readTokenInfo } from './token-info.ts';
import { createVenueV2 } from './venue-v2.ts';
import { createVenueV3 } from './venue-v3.ts';
import { verifyNetwork } from './verify-network.ts';

export interface BscAdapterOptions {
  readonly network: Network;
  readonly chainId: number;
  /** JSON-RPC over HTTP. The only URL that is ever given a transaction. */
  readonly rpcUrl: string;
  /** More nodes for reads, tried in turn when one can't be asked. */
  readonly fallbackReadUrls?: readonly string[];
  readonly contracts: BscContractAddresses;
  readonly gas: GasPolicy;
  /** Blocks that make a receipt final, its own included. */
  readonly confirmations: number;
  /** How long after its preparation a router still takes a swap. */
  readonly deadlineSec?: number;
  /** How often receipts are asked for while something waits. */
  readonly pollMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const defaultDeadlineSec = 120;

/** The chain port for an EVM network with PancakeSwap's contracts. Opens no connection before it is asked something. */
export function createBscAdapter(options: BscAdapterOptions): ChainPort {
  const { network, chainId, rpcUrl, fallbackReadUrls = [], gas, confirmations, now = Date.now } = options;
  const contracts = readContracts(options.contracts);
  const service = networkName({ chain: 'bsc', network });
  const rpc = createRpcClient({ service, sendUrl: rpcUrl, readUrls: [rpcUrl, ...fallbackReadUrls] });
  const gasPrice = createGasPriceSource({ rpc, policy: gas, now });
  const { wbnb, v3Router } = contracts;
  const outcomes = { rpc, wbnb, v3Router, confirmations, now };
  const broadcast = createBroadcaster(outcomes);
  const { pollMs } = options;
  const watcher = createReceiptWatcher({ ...outcomes, ...(pollMs !== undefined && { pollMs }) });
  const swaps = {
    chainId,
    rpc,
    contracts,
    gasPrice,
    venues: { v2: createVenueV2(contracts), v3: createVenueV3(contracts) },
    dryRunner: createDryRunner({ rpc, contracts }),
    simulator: createSimulator(rpc),
    deadlineSec: options.deadlineSec ?? defaultDeadlineSec,
    now,
  };

  let provenChainId: number | undefined;
  const onChainId = (answered: number): void => {
    provenChainId = answered;
  };

  /** A node whose answer can't be read, whatever trips over it, has not answered. */
  async function readable<Result>(answer: Promise<Result>, signal?: AbortSignal): Promise<Result> {
    try {
      return await answer;
    } catch (cause) {
      if (cause instanceof KervanError || signal?.aborted) throw cause;
      throw new KervanError('NETWORK_UNREACHABLE', { network: service }, { cause });
    }
  }

  return {
    chain: 'bsc',
    network,
    verifyNetwork: (signal) =>
      readable(verifyNetwork({ rpc, network, chainId, contracts, onChainId }, signal), signal),
    provenNetwork: () => provenChainId?.toString(),
    createKey: async () => createKey(),
    importKey: async (text) => importKey(text),
    exportKey: async (secret) => exportKey(secret),
    parseAddress,
    balances: (addresses, signal) => readable(readBalances({ rpc, contracts }, addresses, signal), signal),
    tokenBalances: (addresses, tokenAddress, signal) =>
      readable(readTokenBalances({ rpc, contracts }, addresses, tokenAddress, signal), signal),
    async describeToken(tokenAddress, signal) {
      const token = requireAddress(tokenAddress, 'TOKEN_ADDRESS_INVALID');
      return readable(readTokenInfo({ rpc, contracts }, token, signal), signal);
    },
    async screenToken(tokenAddress, signal) {
      const token = requireAddress(tokenAddress, 'TOKEN_ADDRESS_INVALID');
      return readable(screenToken(swaps, token, signal), signal);
    },
    quote: (request, signal) => readable(quoteSwap(swaps, request, signal), signal),
    prepareSwap: (request, signal, accountHeld) =>
      readable(prepareSwap(swaps, request, signal, accountHeld), signal),
    prepareTransfer: (request, signal) => readable(prepareTransfer(swaps, request, signal), signal),
    prepareReplacement: (stuck, kind, signal) =>
      readable(prepareReplacement({ gasPrice, capWei: gas.capWei }, stuck, kind, signal), signal),
    bundles: undefined,
    buyReserve: async (choice, signal) =>
      usualSwapGas * (await readable(gasPrice.priceFor(choice ?? 'standard', signal), signal)),
    gasPrices: (signal) => readable(gasPrice.prices(signal), signal),
    sign: async (prepared, secret) => sign(prepared, secret),
    broadcast: (signed, signal) => readable(broadcast(signed, signal), signal),
    outcome: (attempt, signal) => readable(readOutcome(outcomes, attempt, signal), signal),
    watch: (attempt, signal) => watcher.watch(attempt, signal),
    history: undefined,
    holdings: undefined,
    close() {
      watcher.close();
      rpc.close();
    },
  };
}
