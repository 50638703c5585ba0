import { createHash } from 'node:crypto';
import { KervanError, type Chain, type ErrorCode, type ErrorContext } from '@kervan/contract';
import { isTradeItself } from '@kervan/domain';
import type {
  AttemptRef,
  Bundles,
  BroadcastAnswer,
  BroadcastRequest,
  ChainPort,
  LandedOutcome,
  Outcome,
  PreparedTransaction,
  Settlement,
  SignedTransaction,
  StuckAttempt,
  SwapRequest,
  TransferRequest,
} from '@kervan/chains';

/** What happens to a send. */
export type SendFate =
  /** Arrives and is executed at once; the answer says so. */
  | 'land'
  /** Arrives and is executed; the answer is lost. */
  | 'lose answer'
  /** Acknowledged, and never arrives. */
  | 'drop'
  /** Arrives, is executed and fails. */
  | 'revert'
  /** The node can't be reached. */
  | 'unreachable';

interface Landed {
  readonly txId: string;
  readonly purpose: PreparedTransaction['purpose'];
  readonly outcome: LandedOutcome;
}

interface Unsigned {
  readonly serial: number;
  readonly purpose: PreparedTransaction['purpose'];
}

const FEE_UNITS = 5_000n;

/**
 * A chain in memory, behind the port, whose every mishap is scripted. It keeps the rules that exactly-once rests
 * on: one landing per nonce, nothing lands after its block height, the same bytes land once.
 */
export function createFakeChain(chain: Chain) {
  const landed: Landed[] = [];
  const known = new Map<string, { prepared: PreparedTransaction; purpose: Unsigned['purpose'] }>();
  const broadcasts: BroadcastRequest[] = [];
  const nonces = new Map<string, bigint>();
  let height = 1_000n;
  let serial = 0;
  let fates: SendFate[] = [];
  let approvalsNeeded = 0;
  let refusal: ErrorCode | undefined;
  let proven: string | undefined = chain === 'bsc' ? '31337' : '6Scxe1Pxem4jvTang9sTKFHW9zhYcAmJckGqn8QDfVMf';
  let hiddenLooks = 0;
  let failureContext: ErrorContext = {};
  const bundleSends: string[][] = [];
  const refusedOwners = new Map<string, ErrorCode>();
  let hasBundles = false;
  let isBlockEngineAway = false;
  let onBroadcast: (request: BroadcastRequest) => Promise<void> = async () => {};

  const nonceOf = (owner: string) => nonces.get(owner) ?? 0n;
  const find = (txId: string) => landed.find((each) => each.txId === txId);

  function settlement(purpose: Unsigned['purpose'], isReverted: boolean): Settlement {
    const isDone = isTradeItself(purpose) && !isReverted;
    return {
      nativeUnits: isDone ? 1_000_000n : 0n,
      tokenUnits: isDone ? 42n : 0n,
      feeUnits: FEE_UNITS,
      tipUnits: 0n,
      rentUnits: 0n,
      height,
      // In whole seconds, as blocks have it.
      landedAt: new Date(Math.floor(Date.now() / 1000) * 1000),
    };
  }

  function execute(request: BroadcastRequest, isReverted: boolean): LandedOutcome | undefined {
    const before = find(request.txId);
    if (before) return before.outcome;
    const entry = known.get(request.txId);
    if (!entry) throw new Error('bytes that nobody signed were broadcast');
    const { expiry } = entry.prepared;
    if (expiry.kind === 'nonce') {
      if (expiry.nonce !== nonceOf(request.owner)) return undefined;
      nonces.set(request.owner, expiry.nonce + 1n);
    } else if (height > expiry.lastValidBlockHeight) return undefined;
    const outcome: LandedOutcome = isReverted
      ? {
          kind: 'reverted',
          settlement: settlement(entry.purpose, true),
          failure: { code: 'SLIPPAGE_EXCEEDED', context: failureContext },
        }
      : { kind: 'success', settlement: settlement(entry.purpose, false) };
    landed.push({ txId: request.txId, purpose: entry.purpose, outcome });
    return outcome;
  }

  function prepare(
    owner: string,
    purpose: Unsigned['purpose'],
    nonce: bigint,
    gasPriceUnits: bigint | null,
  ): PreparedTransaction {
    serial += 1;
    const unsigned: Unsigned = { serial, purpose };
    return {
      purpose,
      owner,
      expiry:
        chain === 'bsc'
          ? { kind: 'nonce', nonce }
          : { kind: 'block-height', lastValidBlockHeight: height + 150n },
      gasPriceUnits,
      quote: null,
      feeUnits: FEE_UNITS,
      rentUnits: 0n,
      tipUnits: 0n,
      unsigned,
    };
  }

  function outcomeOf(attempt: AttemptRef): Outcome {
    const hit = find(attempt.txId);
    if (hit && hiddenLooks > 0) {
      hiddenLooks -= 1;
      return { kind: 'pending' };
    }
    if (hit) return hit.outcome;
    if (attempt.expiry.kind === 'nonce')
      return nonceOf(attempt.owner) > attempt.expiry.nonce
        ? { kind: 'dead', why: 'replaced' }
        : { kind: 'pending' };
    return height > attempt.expiry.lastValidBlockHeight
      ? { kind: 'dead', why: 'expired' }
      : { kind: 'pending' };
  }

  const txIdOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  const bundles: Bundles = {
    async prepare(requests) {
      await Promise.resolve();
      if (isBlockEngineAway) return undefined;
      return requests.map(({ owner }) => {
        const code = refusedOwners.get(owner);
        return code ? new KervanError(code) : prepare(owner, 'swap', 0n, null);
      });
    },
    async broadcast(legs) {
      const txIds = legs.map(txIdOf);
      bundleSends.push(txIds);
      const requests = txIds.map((txId, index): BroadcastRequest => {
        const entry = known.get(txId);
        if (!entry) throw new Error('bytes that nobody signed were broadcast');
        const { owner, expiry } = entry.prepared;
        const bytes = legs[index] ?? new Uint8Array();
        return { txId, owner, expiry, action: 'buy', tokenAddress: 'token', bytes };
      });
      for (const request of requests) await onBroadcast(request);
      const fate = fates.length > 1 ? fates.shift() : (fates[0] ?? 'land');
      if (fate === 'unreachable') throw new KervanError('NETWORK_UNREACHABLE', { network: 'Jito' });
      // Where one leg would fail none lands.
      if (fate === 'drop' || fate === 'revert') return { kind: 'accepted' };
      const isAlive = requests.every(
        ({ expiry }) => expiry.kind === 'block-height' && height <= expiry.lastValidBlockHeight,
      );
      if (!isAlive) return { kind: 'rejected', reason: 'too late' };
      for (const request of requests) execute(request, false);
      if (fate === 'lose answer') throw new KervanError('NETWORK_UNREACHABLE', { network: 'Jito' });
      return { kind: 'accepted' };
    },
  };

  const port: ChainPort = {
    chain,
    network: 'sandbox',
    verifyNetwork: () => Promise.resolve(),
    provenNetwork: () => proven,
    createKey: () => Promise.reject(new Error('not used')),
    importKey: () => Promise.reject(new Error('not used')),
    exportKey: () => Promise.reject(new Error('not used')),
    parseAddress: (text) => text,
    balances: () => Promise.resolve(new Map()),
    tokenBalances: () => Promise.resolve(new Map()),
    describeToken: (address) => Promise.resolve({ address, name: 'Test', symbol: 'TEST', decimals: 6 }),
    screenToken: () => Promise.resolve([]),
    quote: (request) =>
      Promise.resolve({
        amountInUnits: request.amountInUnits,
        expectedOutUnits: request.amountInUnits,
        minimumOutUnits: request.amountInUnits,
        priceImpactBps: null,
      }),
    async prepareSwap(request: SwapRequest, _signal, accountHeld) {
      await accountHeld;
      if (refusal) throw new KervanError(refusal);
      const needsApproval = approvalsNeeded > 0;
      if (needsApproval) approvalsNeeded -= 1;
      return prepare(
        request.owner,
        needsApproval ? 'approval' : 'swap',
        nonceOf(request.owner),
        chain === 'bsc' ? 1_000n : null,
      );
    },
    async prepareTransfer(request: TransferRequest) {
      await Promise.resolve();
      if (refusal) throw new KervanError(refusal);
      return prepare(request.owner, 'transfer', nonceOf(request.owner), chain === 'bsc' ? 1_000n : null);
    },
    async prepareReplacement(stuck: StuckAttempt, kind) {
      await Promise.resolve();
      if (chain !== 'bsc' || stuck.expiry.kind !== 'nonce') return undefined;
      const price = stuck.gasPriceUnits ?? 1_000n;
      return prepare(
        stuck.owner,
        kind === 'cancel' ? 'cancel' : stuck.purpose,
        stuck.expiry.nonce,
        price + price / 8n,
      );
    },
    get bundles() {
      return hasBundles ? bundles : undefined;
    },
    buyReserve: () => Promise.resolve(FEE_UNITS),
    gasPrices:
      chain === 'bsc'
        ? () => Promise.resolve({ standard: 1_000n, fast: 1_100n, instant: 1_250n, current: 1_000n })
        : undefined,
    async sign(prepared): Promise<SignedTransaction> {
      await Promise.resolve();
      // The fake's own object, as prepare() made it.
      const unsigned = prepared.unsigned as Unsigned;
      const bytes = new TextEncoder().encode(`${chain} ${prepared.owner} ${unsigned.serial}`);
      const txId = txIdOf(bytes);
      known.set(txId, { prepared, purpose: unsigned.purpose });
      return { txId, bytes };
    },
    async broadcast(request): Promise<BroadcastAnswer> {
      broadcasts.push(request);
      await onBroadcast(request);
      const fate = fates.length > 1 ? fates.shift() : (fates[0] ?? 'land');
      if (fate === 'unreachable') throw new KervanError('NETWORK_UNREACHABLE', { network: 'sandbox' });
      if (fate === 'drop') return { kind: 'accepted' };
      const outcome = execute(request, fate === 'revert');
      if (fate === 'lose answer') throw new KervanError('NETWORK_UNREACHABLE', { network: 'sandbox' });
      if (!outcome) return { kind: 'rejected', reason: 'too late' };
      return { kind: 'landed', outcome };
    },
    outcome: (attempt) => Promise.resolve(outcomeOf(attempt)),
    async watch(attempt, signal) {
      while (!signal.aborted) {
        const outcome = outcomeOf(attempt);
        if (outcome.kind !== 'pending') return outcome;
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { kind: 'pending' };
    },
    history: undefined,
    holdings: undefined,
    close: () => {},
  };

  return {
    port,
    landed,
    broadcasts,
    /** The transactions of each bundle that was sent. */
    bundleSends,
    /** Gives the network a block engine; one that is away can't be asked. */
    offerBundles({ isAway = false } = {}) {
      hasBundles = true;
      isBlockEngineAway = isAway;
    },
    /** A transaction of a bundle that somebody else puts into a block without the others. */
    landAlone(txId: string) {
      const entry = known.get(txId);
      if (!entry) throw new Error('nobody signed this');
      const { owner, expiry } = entry.prepared;
      execute({ txId, owner, expiry, action: 'buy', tokenAddress: 'token', bytes: new Uint8Array() }, false);
    },
    /** What the chain would refuse of this wallet, in a bundle. */
    refuseOwner(owner: string, code: ErrorCode) {
      refusedOwners.set(owner, code);
    },
    /** Fates of the next sends, in order; the last one stays. */
    script(...next: SendFate[]) {
      fates = next;
    },
    needApprovals(count: number) {
      approvalsNeeded = count;
    },
    refuse(code: ErrorCode | undefined) {
      refusal = code;
    },
    /** A node that lags: so many questions about landed transactions are answered with pending. */
    hideLandings(looks: number) {
      hiddenLooks = looks;
    },
    /** What the chain says of reverted transactions. */
    explainWith(context: ErrorContext) {
      failureContext = context;
    },
    /** Runs before each broadcast is looked at. */
    beforeBroadcast(run: (request: BroadcastRequest) => Promise<void>) {
      onBroadcast = run;
    },
    /** Time passes: every blockhash handed out so far expires. */
    expireBlockhashes() {
      height += 151n;
    },
    /** A transaction from elsewhere takes the account's next nonce. */
    useNonce(owner: string) {
      nonces.set(owner, nonceOf(owner) + 1n);
    },
    /** The node says that it serves this network, by genesis hash or chain id. */
    claim(network: string | undefined) {
      proven = network;
    },
    swapsLanded: () => landed.filter((each) => each.purpose === 'swap'),
    transfersLanded: () => landed.filter((each) => each.purpose === 'transfer'),
  };
}
