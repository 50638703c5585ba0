import type { FastifyInstance } from 'fastify';
import { routes } from '@kervan/contract';
import { register, reply } from '../../http/register.ts';
import type { ExecuteNow } from './execute-now.ts';
import type { BotsService } from './service.ts';
import { toBscBot, toSolanaBot } from './to-bot.ts';

export function botRoutes(app: FastifyInstance, bots: BotsService, executeNow: ExecuteNow): void {
  solanaBotRoutes(app, bots, executeNow);
  bscBotRoutes(app, bots, executeNow);
}

interface OneBotCall {
  readonly user: { readonly id: string };
  readonly params: { readonly id: string };
}

function solanaBotRoutes(app: FastifyInstance, bots: BotsService, executeNow: ExecuteNow): void {
  const owned = ({ user, params }: OneBotCall) =>
    ({ userId: user.id, botId: params.id, chain: 'solana' }) as const;

  register(app, routes.listBots, async ({ user, query }) => {
    const { rows, total } = await bots.page(user.id, 'solana', query);
    return reply(rows.map(toSolanaBot), { pagination: { ...query, total } });
  });
  register(app, routes.createBot, async ({ user, body }) =>
    toSolanaBot(await bots.create(user.id, 'solana', body)),
  );
  register(app, routes.getBot, async (call) => toSolanaBot(await bots.get(owned(call))));
  register(app, routes.updateBot, async (call) => toSolanaBot(await bots.update(owned(call), call.body)));
  register(app, routes.deleteBot, async (call) => {
    await bots.remove(owned(call));
    return null;
  });
  register(app, routes.startBot, async (call) => toSolanaBot(await bots.start(owned(call))));
  register(app, routes.stopBot, async (call) => toSolanaBot(await bots.stop(owned(call))));
  register(app, routes.executeBot, (call) => executeNow(owned(call), call.idempotencyKey));
  register(app, routes.botLogs, async (call) => {
    const { rows, total } = await bots.pageOfLogs(owned(call), call.query);
    return reply(rows, { pagination: { ...call.query, total } });
  });
}

function bscBotRoutes(app: FastifyInstance, bots: BotsService, executeNow: ExecuteNow): void {
  const owned = ({ user, params }: OneBotCall) =>
    ({ userId: user.id, botId: params.id, chain: 'bsc' }) as const;

  register(app, routes.listBscBots, async ({ user, query }) => {
    const { rows, total } = await bots.page(user.id, 'bsc', query);
    return reply(rows.map(toBscBot), { pagination: { ...query, total } });
  });
  register(app, routes.createBscBot, async ({ user, body }) =>
    toBscBot(await bots.create(user.id, 'bsc', body)),
  );
  register(app, routes.getBscBot, async (call) => toBscBot(await bots.get(owned(call))));
  register(app, routes.updateBscBot, async (call) => toBscBot(await bots.update(owned(call), call.body)));
  register(app, routes.deleteBscBot, async (call) => {
    await bots.remove(owned(call));
    return null;
  });
  register(app, routes.executeBscBot, (call) => executeNow(owned(call), call.idempotencyKey));
  register(app, routes.bscBotLogs, async (call) => {
    const { rows, total } = await bots.pageOfLogs(owned(call), call.query);
    return reply(rows, { pagination: { ...call.query, total } });
  });
}
