import { createSolanaRpc, signature } from '@solana/kit';
import {
  createPublicClient,
  decodeAbiParameters,
  http,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  type Address,
  type Hex,
} from 'viem';
import type { TradeRow } from '@kervan/database';
import { jitoTipAccounts } from '../../packages/chains/src/solana/addresses.ts';

/** What a landed transaction did for a trade, in base units, from the chain's own record. */
export interface Movement {
  readonly isSuccess: boolean;
  readonly nativeUnits: bigint;
  readonly tokenUnits: bigint;
  readonly feeUnits: bigint;
  readonly tipUnits: bigint;
  readonly rentUnits: bigint;
}

export type TradedAs = Pick<TradeRow, 'wallet_address' | 'token_address' | 'action'>;

/** Reads a chain's RPC without any code of the product. Undefined: the chain has no such transaction. */
export type ReadMovement = (txId: string, trade: TradedAs) => Promise<Movement | undefined>;

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

export function solanaMovements(rpcUrl: string): ReadMovement {
  const rpc = createSolanaRpc(rpcUrl);
  return async (txId, trade) => {
    const found = await rpc
      .getTransaction(signature(txId), {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    if (!found?.meta) return undefined;
    const { meta, transaction } = found;
    const looked = meta.loadedAddresses;
    const keys = [
      ...transaction.message.accountKeys,
      ...(looked ? [...looked.writable, ...looked.readonly] : []),
    ];
    const change = (index: number) => (meta.postBalances[index] ?? 0n) - (meta.preBalances[index] ?? 0n);

    const feeUnits = keys[0] === trade.wallet_address ? meta.fee : 0n;
    if (meta.err !== null) return failed(feeUnits);
    let tipUnits = 0n;
    let solChange = 0n;
    keys.forEach((key, index) => {
      if (jitoTipAccounts.has(key)) tipUnits += change(index);
      if (key === trade.wallet_address) solChange += change(index);
    });

    // Every token account of the wallet that the transaction touched, with what it held before and after.
    const accounts = new Map<number, { mint: string; before: bigint; after: bigint }>();
    for (const [side, balances] of [
      ['before', meta.preTokenBalances ?? []],
      ['after', meta.postTokenBalances ?? []],
    ] as const) {
      for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
        if (owner !== trade.wallet_address) continue;
        const known = accounts.get(accountIndex) ?? { mint, before: 0n, after: 0n };
        accounts.set(accountIndex, { ...known, [side]: BigInt(uiTokenAmount.amount) });
      }
    }
    let rentUnits = 0n;
    let wrappedChange = 0n;
    let tokenChange = 0n;
    for (const [index, { mint, before, after }] of accounts) {
      const isWrapped = mint === WRAPPED_SOL;
      // What of its lamports is no wrapped SOL is the deposit for the account itself.
      rentUnits += change(index) - (isWrapped ? after - before : 0n);
      if (isWrapped) wrappedChange += after - before;
      if (mint === trade.token_address) tokenChange += after - before;
    }
    const nativeChange = solChange + wrappedChange + feeUnits + tipUnits + rentUnits;
    const isBuy = trade.action === 'buy';
    return {
      isSuccess: true,
      nativeUnits: isBuy ? -nativeChange : nativeChange,
      tokenUnits: isBuy ? tokenChange : -tokenChange,
      feeUnits,
      tipUnits,
      rentUnits,
    };
  };
}

const abi = parseAbi([
  'function WETH() view returns (address)',
  'function WETH9() view returns (address)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Deposit(address indexed account, uint256 value)',
  'event Withdrawal(address indexed account, uint256 value)',
]);

interface Router {
  readonly wrapped: Address;
  /** V3's gives back what a pool did not take. */
  readonly isV3: boolean;
}

export function bscMovements(rpcUrl: string): ReadMovement {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }), cacheTime: 0 });
  const routers = new Map<Address, Promise<Router | undefined>>();

  /** What the router itself says it wraps BNB with; undefined of a contract that is no router. */
  async function askRouter(address: Address): Promise<Router | undefined> {
    for (const functionName of ['WETH', 'WETH9'] as const) {
      const { data } = await client
        .call({ to: address, data: functionName === 'WETH' ? '0xad5c4648' : '0x4aa4a4fc' })
        .catch((): { data?: Hex } => ({}));
      if (data?.length === 66) {
        const [wrapped] = decodeAbiParameters([{ type: 'address' }], data);
        return { wrapped, isV3: functionName === 'WETH9' };
      }
    }
    return undefined;
  }

  return async (txId, trade) => {
    const hash = txId as Hex; // stored as viem gave it
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    });
    if (!receipt) return undefined;
    const feeUnits = receipt.gasUsed * receipt.effectiveGasPrice;
    if (receipt.status !== 'success') return failed(feeUnits);
    const { to } = receipt;
    const router = to && (await (routers.get(to) ?? remember(to)));
    const logs = parseEventLogs({ abi, logs: receipt.logs });

    let tokenChange = 0n;
    for (const log of logs) {
      if (log.eventName !== 'Transfer' || !isSame(log.address, trade.token_address)) continue;
      if (isSame(log.args.to, trade.wallet_address)) tokenChange += log.args.value;
      if (isSame(log.args.from, trade.wallet_address)) tokenChange -= log.args.value;
    }
    /** The last that the router wrapped or unwrapped. */
    const last = (eventName: 'Deposit' | 'Withdrawal') => {
      const found = logs.findLast(
        (log) =>
          log.eventName === eventName &&
          router &&
          isAddressEqual(log.address, router.wrapped) &&
          isAddressEqual(log.args.account, to),
      );
      return found?.eventName === eventName ? found.args.value : undefined;
    };
    const sent = (await client.getTransaction({ hash })).value;
    const isBuy = trade.action === 'buy';
    const spent = (router?.isV3 ? last('Deposit') : undefined) ?? sent;
    return {
      isSuccess: true,
      nativeUnits: isBuy ? spent : (last('Withdrawal') ?? 0n),
      tokenUnits: isBuy ? tokenChange : -tokenChange,
      feeUnits,
      tipUnits: 0n,
      rentUnits: 0n,
    };
  };

  function remember(address: Address): Promise<Router | undefined> {
    const asked = askRouter(address);
    routers.set(address, asked);
    return asked;
  }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function failed(feeUnits: bigint): Movement {
  return { isSuccess: false, nativeUnits: 0n, tokenUnits: 0n, feeUnits, tipUnits: 0n, rentUnits: 0n };
}
