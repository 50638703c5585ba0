import type { ClientToServerEvents, ServerToClientEvents } from '@kervan/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setHalted } from '../src/engine/halt.ts';
import { startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
let client: Socket<ServerToClientEvents, ClientToServerEvents>;
const heard: boolean[] = [];

beforeAll(async () => {
  server = await startTestServer();
  const [address, user] = await Promise.all([server.listen(), server.registerUser()]);
  client = io(address, { auth: { token: user.token }, transports: ['websocket'], reconnection: false });
  client.on('halt:updated', ({ halted }) => heard.push(halted));
  await new Promise<void>((resolve) => client.once('connect', resolve));
});
afterAll(() => client.close());

test('a switch that was moved in the database, as `npm run halt` does, is told to open sockets', async () => {
  await setHalted(server.db, true);
  await expect.poll(() => heard.at(-1), { timeout: 5_000 }).toBe(true);
  await setHalted(server.db, false);
  await expect.poll(() => heard.at(-1), { timeout: 5_000 }).toBe(false);
});
