import type { FastifyInstance } from 'fastify';
import { routes } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { isHalted } from '../../engine/halt.ts';
import type { Networks } from '../../engine/networks.ts';
import { readNetworksInUse } from '../../engine/networks-in-use.ts';
import { register, reply } from '../../http/register.ts';
import type { SettingsService } from './service.ts';

interface Dependencies {
  db: Database;
  settings: SettingsService;
  networks: Pick<Networks, 'status'>;
}

export function settingsRoutes(app: FastifyInstance, { db, settings, networks }: Dependencies): void {
  register(app, routes.getSettings, ({ user }) => settings.read(user.id));
  register(app, routes.updateSettings, ({ user, body }) => settings.update(user.id, body));

  register(app, routes.listNetworks, async ({ user, query: { page, limit } }) => {
    const isInUse = await readNetworksInUse(db);
    const all = networks.status(user.id).map(({ chain, network, kind, isAvailable, problem }) => {
      const used = isInUse(chain, network);
      return { chain, network, kind, isAvailable, isInUse: used, problem: used ? problem : null };
    });
    const shown = all.slice((page - 1) * limit, page * limit);
    return reply(shown, { pagination: { page, limit, total: all.length } });
  });

  register(app, routes.getHalt, async () => ({ halted: await isHalted(db) }));
  register(app, routes.setHalt, async ({ body }) => {
    await settings.halt(body.halted);
    return body;
  });
}
