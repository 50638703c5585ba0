import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  API_BASE,
  failureSchema,
  routes,
  successSchema,
  type BodySentTo,
  type DataOf,
  type ErrorCode,
  type Failure,
  type Meta,
  type Route,
  type RouteName,
  type User,
} from '@kervan/contract';
import { connect, startEmbeddedPostgres, type Database, type EmbeddedPostgres } from '@kervan/database';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import { buildApp } from '../src/app.ts';
import { readConfig, type Config } from '../src/config.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import { createLogger } from '../src/lib/logger.ts';
import { createServices, type Services, type Substitutes } from '../src/services.ts';

interface Postgres extends EmbeddedPostgres {
  dataDir: string;
}

// One server for a test file, started by its first use; each test server gets a database of its own.
let postgres: Promise<Postgres> | undefined;
const running = new Set<TestServer>();
const dataDirs = new Set<string>();

afterAll(async () => {
  for (const server of running) await server.stop();
  for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
  if (!postgres) return;
  const started = await postgres;
  await started.stop();
  await rm(started.dataDir, { recursive: true, force: true });
});

async function startPostgres(): Promise<Postgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kervan-server-'));
  return { ...(await startEmbeddedPostgres({ dataDir })), dataDir };
}

/** Connection string of a new, empty database. */
export async function createDatabase(): Promise<string> {
  postgres ??= startPostgres();
  const { url } = await postgres;
  const name = `test_${uuidv7().replaceAll('-', '')}`;
  const admin = connect(url, { max: 1 });
  await sql`create database ${sql.id(name)}`.execute(admin);
  await admin.destroy();
  return url.replace(/\/postgres$/, `/${name}`);
}

/** A new folder that is removed after the tests of the file. */
export async function createDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kervan-data-'));
  dataDirs.add(dataDir);
  return dataDir;
}

export interface TestServerOptions extends Substitutes {
  /** Variables beside DATABASE_URL and KERVAN_DATA_DIR, such as the sandbox's ports. */
  env?: NodeJS.ProcessEnv;
  /** False leaves out what runs by itself: the scheduler, recovery, housekeeping. */
  isWorking?: boolean;
  requestsPerMinute?: number | null;
}

export interface TestServer {
  app: FastifyInstance;
  services: Services;
  db: Database;
  config: Config;
  /** All that was logged so far. */
  logged(): string;
  /** Calls a route of the contract without a user. */
  call: CallRoute;
  /** A new account and its calls. */
  registerUser(username?: string): Promise<TestUser>;
  /** Listens on a free port and answers the address. */
  listen(): Promise<string>;
  stop(): Promise<void>;
}

export interface TestUser extends User {
  token: string;
  password: string;
  call: CallRoute;
}

export interface Sent<R extends Route> {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: BodySentTo<R>;
  headers?: Record<string, string>;
}

export interface Answered<R extends Route> {
  status: number;
  /** Throws the error that was answered instead. */
  data: DataOf<R>;
  meta: Meta;
  /** Undefined when the call succeeded. */
  error: Failure['error'] | undefined;
  headers: LightMyRequestResponse['headers'];
  response: LightMyRequestResponse;
}

export type CallRoute = <N extends RouteName>(
  name: N,
  sent?: Sent<(typeof routes)[N]>,
) => Promise<Answered<(typeof routes)[N]>>;

/** The whole server on an empty database, without a port: `call` goes through Fastify's inject. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { env, isWorking = true, requestsPerMinute = null, ...substitutes } = options;
  const [databaseUrl, dataDir] = await Promise.all([
    createDatabase(),
    mkdtemp(join(tmpdir(), 'kervan-data-')),
  ]);
  const config = readConfig({ DATABASE_URL: databaseUrl, KERVAN_DATA_DIR: dataDir, ...env });
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line) => void lines.push(line) });
  const services = await createServices(config, logger, { attemptsPerMinute: 1e6, ...substitutes });
  const app = await buildApp(services, { logger, config, requestsPerMinute });
  await app.ready();
  if (isWorking) await services.start();

  const call: CallRoute = (name, sent) => callRoute(app, routes[name], sent);
  const server: TestServer = {
    app,
    services,
    db: services.db,
    config,
    logged: () => lines.join(''),
    call,
    async registerUser(username = `user-${uuidv7()}`) {
      const password = `password-of-${username}`;
      const { data } = await call('register', { body: { username, password } });
      const { access_token: token, user } = data;
      const headers = { authorization: `Bearer ${token}` };
      return {
        ...user,
        token,
        password,
        call: (name, sent) =>
          callRoute(app, routes[name], { ...sent, headers: { ...headers, ...sent?.headers } }),
      };
    },
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    async stop() {
      if (!running.delete(server)) return;
      await app.close();
      await services.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  running.add(server);
  return server;
}

async function callRoute<R extends Route>(
  app: FastifyInstance,
  route: R,
  { params = {}, query, body, headers }: Sent<R> = {},
): Promise<Answered<R>> {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const response = await app.inject({
    method: route.method,
    url: API_BASE + path,
    ...(query && { query: Object.fromEntries(Object.entries(query).map(([k, v]) => [k, String(v)])) }),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  const { statusCode: status } = response;
  if (status >= 400 && !response.json<{ success: boolean }>().success) {
    const { error } = failureSchema.parse(response.json());
    return {
      status,
      get data(): DataOf<R> {
        throw new Error(`${route.method} ${route.path} answered ${status} ${error.code}: ${error.message}`);
      },
      meta: {},
      error,
      headers: response.headers,
      response,
    };
  }
  // Every answer is held against the contract here, so that no test can overlook a difference.
  const { data, meta } = successSchema(route.data).parse(response.json());
  return { status, data: data as DataOf<R>, meta, error: undefined, headers: response.headers, response };
}

/** The code of the error that was answered, for `expect(...)`. */
export function codeOf(answered: { error: Failure['error'] | undefined }): ErrorCode | undefined {
  return answered.error?.code as ErrorCode | undefined; // the server sends codes of the table only
}
