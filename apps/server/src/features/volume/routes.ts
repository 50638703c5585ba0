import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routes, type Chain } from '@kervan/contract';
import { preferredLanguage } from '../../http/language.ts';
import { register, reply } from '../../http/register.ts';
import type { VolumeService } from './service.ts';
import type { StartVolume } from './start.ts';
import {
  toBscVolumeWallet,
  toSolanaVolumeWallet,
  toVolumeSession,
  toVolumeSessionDetail,
  toVolumeStats,
} from './to-volume.ts';

/** Routes that differ by their address only. */
const ALIKE = {
  solana: {
    stop: routes.stopVolume,
    stats: routes.volumeStats,
    list: routes.listVolumeSessions,
    get: routes.getVolumeSession,
    drain: routes.drainVolumeSession,
  },
  bsc: {
    stop: routes.stopBscVolume,
    stats: routes.bscVolumeStats,
    list: routes.listBscVolumeSessions,
    get: routes.getBscVolumeSession,
    drain: routes.drainBscVolumeSession,
  },
} as const satisfies Record<Chain, unknown>;

export function volumeRoutes(app: FastifyInstance, volume: VolumeService, start: StartVolume): void {
  register(app, routes.startVolume, async ({ user, body, idempotencyKey }) => {
    const { minSolAmount: minAmount, maxSolAmount: maxAmount, ...rest } = body;
    const wish = { ...rest, minAmount, maxAmount };
    const { id: sessionId } = await start({ userId: user.id, chain: 'solana', wish, idempotencyKey });
    return { sessionId };
  });
  register(app, routes.startBscVolume, async ({ user, body, idempotencyKey }) => {
    const { minBnbAmount: minAmount, maxBnbAmount: maxAmount, masterPrivateKey: masterKey, ...rest } = body;
    // Sent as a percent; see the contract.
    const slippageBps = Math.round(body.slippageBps * 100);
    const wish = { ...rest, minAmount, maxAmount, masterKey, slippageBps };
    const { id: sessionId } = await start({ userId: user.id, chain: 'bsc', wish, idempotencyKey });
    return { sessionId };
  });
  register(app, routes.volumeWallets, async ({ user }) =>
    (await volume.activeWallets(user.id, 'solana')).map(toSolanaVolumeWallet),
  );
  register(app, routes.bscVolumeWallets, async ({ user }) =>
    (await volume.activeWallets(user.id, 'bsc')).map(toBscVolumeWallet),
  );
  alikeRoutes(app, volume, 'solana');
  alikeRoutes(app, volume, 'bsc');
}

function alikeRoutes(app: FastifyInstance, volume: VolumeService, chain: Chain): void {
  const alike = ALIKE[chain];
  const owned = ({ user, params }: { user: { id: string }; params: { id: string } }) => ({
    userId: user.id,
    chain,
    sessionId: params.id,
  });

  register(app, alike.stop, async ({ user }) => ({ sessionId: await volume.stop(user.id, chain) }));
  register(app, alike.stats, async ({ user, request }) =>
    toVolumeStats(await volume.current(user.id, chain), languageOf(request)),
  );
  register(app, alike.list, async ({ user, query, request }) => {
    const { rows, total } = await volume.page(user.id, chain, query);
    const sessions = rows.map((row) => toVolumeSession(row, languageOf(request)));
    return reply(sessions, { pagination: { ...query, total } });
  });
  register(app, alike.get, async (call) =>
    toVolumeSessionDetail(await volume.detail(owned(call)), languageOf(call.request)),
  );
  register(app, alike.drain, async (call) => ({ sessionId: await volume.recover(owned(call)) }));
}

function languageOf({ headers }: FastifyRequest) {
  return preferredLanguage(headers['accept-language']);
}
