import type { Server } from 'node:http';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { isForLoopback } from '../../http.ts';
import type { WeatherStation } from '../../weather.ts';
import type { Chain } from '../chain.ts';
import { stringifyExact } from '../json.ts';
import type { LandedTransaction } from '../ledger-record.ts';
import { finalitySlots, type Commitment } from '../slot-clock.ts';
import { encodeAccount } from './account-encoding.ts';
import { answerCall } from './json-rpc.ts';
import {
  addressParam,
  commitmentParam,
  configParam,
  textParam,
  type RpcConfig,
  type RpcParams,
} from './params.ts';
import { invalidParams } from './rpc-error.ts';
import type { RpcMethods } from './rpc-context.ts';

interface Subscription {
  id: number;
  socket: WebSocket;
  kind: 'signature' | 'account' | 'logs' | 'slot' | 'root';
  commitment: Commitment;
  config: RpcConfig;
  /** The signature or address; for logs the mentioned address, if any. */
  key: string | undefined;
}

const commitments: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/**
 * Solana's WebSocket notifications on the HTTP server's own port: signature, account, logs, slot and root.
 * Like answers, notifications wait until what they tell of is on disk.
 */
export function serveSubscriptions(options: { server: Server; chain: Chain; weather: WeatherStation }): {
  close(): void;
} {
  const { server, chain, weather } = options;
  const { clock, history, runtime, tokens } = chain;
  const sockets = new WebSocketServer({ noServer: true });
  const subscriptions = new Map<number, Subscription>();
  /** Landed transactions that have notifications of higher commitments ahead of them. */
  let unsettled: LandedTransaction[] = [];
  let nextId = 1;

  server.on('upgrade', (request, socket, head) => {
    if (weather.current().unreachable || !isForLoopback(request)) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, accept);
  });
  weather.onChange(({ unreachable }) => {
    if (unreachable) for (const socket of sockets.clients) socket.terminate();
  });

  function accept(socket: WebSocket): void {
    const own = new Set<number>();
    const methods = subscriptionMethods(socket, own);
    socket.on('message', (data) => {
      answerMessage(methods, data)
        .then((answer) => socket.send(answer))
        .catch(() => socket.terminate());
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      for (const id of own) subscriptions.delete(id);
    });
  }

  function subscriptionMethods(socket: WebSocket, own: Set<number>): RpcMethods {
    const subscribe = (kind: Subscription['kind'], key: string | undefined, value: unknown): number => {
      const config = configParam(value);
      const id = nextId;
      nextId += 1;
      const subscription = { id, socket, kind, commitment: commitmentParam(config), config, key };
      subscriptions.set(id, subscription);
      own.add(id);
      // After the answer that tells the client the id.
      if (kind === 'signature') setImmediate(() => tellSignature(subscription));
      return id;
    };
    const unsubscribe = ([id]: RpcParams): boolean => {
      if (typeof id !== 'number' || !own.delete(id)) throw invalidParams('Invalid subscription id.');
      return subscriptions.delete(id);
    };
    return {
      signatureSubscribe: ([signature, config]) =>
        subscribe('signature', textParam(signature, 'signature'), config),
      accountSubscribe: ([address, config]) => subscribe('account', addressParam(address), config),
      logsSubscribe: ([filter, config]) => subscribe('logs', logsFilter(filter), config),
      slotSubscribe: () => subscribe('slot', undefined, undefined),
      rootSubscribe: () => subscribe('root', undefined, undefined),
      signatureUnsubscribe: unsubscribe,
      accountUnsubscribe: unsubscribe,
      logsUnsubscribe: unsubscribe,
      slotUnsubscribe: unsubscribe,
      rootUnsubscribe: unsubscribe,
    };
  }

  function notify({ id, kind, socket }: Subscription, result: unknown): void {
    const params = { result, subscription: id };
    const text = stringifyExact({ jsonrpc: '2.0', method: `${kind}Notification`, params });
    chain.durable().then(
      () => socket.send(text),
      () => socket.terminate(),
    );
  }

  function withSlot(value: unknown, slot = clock.slot): unknown {
    return { context: { slot }, value };
  }

  function tellSignature(subscription: Subscription): void {
    const status = history.status(subscription.key ?? '');
    if (!status || status.slot > clock.slotAt(subscription.commitment)) return;
    // A signature subscription ends with its one notification.
    if (!subscriptions.delete(subscription.id)) return;
    notify(subscription, withSlot({ err: status.error }, status.slot));
  }

  function tellTransaction(transaction: LandedTransaction, commitment: Commitment): void {
    const { signature, error, accounts, effects, slot } = transaction;
    for (const subscription of subscriptions.values()) {
      const { kind, key, config } = subscription;
      if (subscription.commitment !== commitment) continue;
      if (kind === 'logs' && (key === undefined || accounts.some((each) => each === key))) {
        notify(subscription, withSlot({ signature, err: error, logs: logsOf(transaction) }, slot));
      } else if (kind === 'account') {
        const effect = effects.find(({ address }) => address === key);
        const account = effect && runtime.account(effect.address);
        if (effect)
          notify(subscription, withSlot(account ? encodeAccount(account, config, tokens) : closedAccount));
      }
    }
  }

  function tellSignatures(): void {
    for (const subscription of subscriptions.values()) {
      if (subscription.kind === 'signature') tellSignature(subscription);
    }
  }

  chain.onLanded((transactions) => {
    if (subscriptions.size === 0) return;
    for (const transaction of transactions) tellTransaction(transaction, 'processed');
    unsettled.push(...transactions);
    tellSignatures();
  });

  chain.onSlot((slot, previous) => {
    for (const commitment of commitments.slice(1)) {
      const reached = clock.slotAt(commitment);
      const before = reached - (slot - previous);
      for (const transaction of unsettled) {
        if (transaction.slot > before && transaction.slot <= reached)
          tellTransaction(transaction, commitment);
      }
    }
    unsettled = unsettled.filter((transaction) => transaction.slot > clock.slotAt('finalized'));
    tellSignatures();
    for (const subscription of subscriptions.values()) {
      if (subscription.kind === 'slot') {
        notify(subscription, { parent: previous, root: slot - finalitySlots, slot });
      } else if (subscription.kind === 'root') {
        notify(subscription, slot - finalitySlots);
      }
    }
  });

  return {
    close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

const closedAccount = {
  data: ['', 'base64'],
  executable: false,
  lamports: 0,
  owner: '11111111111111111111111111111111',
  rentEpoch: 0,
  space: 0,
};

async function answerMessage(methods: RpcMethods, data: RawData): Promise<string> {
  let call: unknown;
  try {
    // ws gives a Buffer unless told otherwise; its type covers the other settings.
    call = JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '');
  } catch {
    call = undefined;
  }
  return stringifyExact(await answerCall(methods, call));
}

/** `all`, `allWithVotes` or `{mentions: [address]}`. */
function logsFilter(filter: unknown): string | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined;
  const { mentions } = configParam(filter);
  if (!Array.isArray(mentions) || mentions.length !== 1)
    throw invalidParams('Invalid params: expected one mention');
  return addressParam(mentions[0]);
}

function logsOf(transaction: LandedTransaction): unknown {
  const meta: unknown = JSON.parse(transaction.meta);
  return typeof meta === 'object' && meta !== null && 'logMessages' in meta ? meta.logMessages : [];
}
