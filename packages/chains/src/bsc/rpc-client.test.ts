import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { createRpcClient, type RpcClient, type RpcClientOptions } from './rpc-client.ts';

const ending: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const end of ending.splice(0)) end();
});

/** A node that does what the test says with each request, and keeps the bodies. */
async function startNode(answer: (body: string, response: ServerResponse, turn: number) => void) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      bodies.push(body);
      answer(body, response, bodies.length);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ending.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/`, bodies };
}

function connect(options: Partial<RpcClientOptions> & { sendUrl: string }): RpcClient {
  const client = createRpcClient({ service: 'BSC test', readUrls: [options.sendUrl], ...options });
  ending.push(() => client.close());
  return client;
}

const call = { method: 'eth_blockNumber', params: [] };
const ok = (response: ServerResponse, result: unknown = '0x1') =>
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result }));

it('asks again after 429, a server error, a cut connection and words about the rate', async () => {
  const node = await startNode((_, response, turn) => {
    if (turn === 1) response.writeHead(429).end();
    else if (turn === 2) response.writeHead(503).end('<html>');
    else if (turn === 3) response.destroy();
    else if (turn === 4)
      response.end(JSON.stringify({ id: 0, error: { code: -32_005, message: 'limit exceeded' } }));
    else ok(response);
  });
  expect(await connect({ sendUrl: node.url }).read(call)).toBe('0x1');
  expect(node.bodies).toHaveLength(5);
});

it('gives up with NETWORK_UNREACHABLE and the cause', async () => {
  const node = await startNode((_, response) => response.destroy());
  await expect(connect({ sendUrl: node.url }).read(call)).rejects.toMatchObject({
    code: 'NETWORK_UNREACHABLE',
    context: { network: 'BSC test' },
    cause: { code: 'ECONNRESET' },
  });
});

it('puts the answers of a batch in the order of its calls', async () => {
  const node = await startNode((_, response) =>
    response.end(
      JSON.stringify([
        { id: 1, error: { code: 3, message: 'execution reverted', data: '0x' } },
        { id: 0, result: null },
      ]),
    ),
  );
  expect(await connect({ sendUrl: node.url }).readAll([call, call])).toEqual([
    { ok: true, result: null },
    { ok: false, error: { code: 3, message: 'execution reverted', data: '0x' } },
  ]);
});

it('reads from the next node when one is away, and sends to its own node only', async () => {
  const away = await startNode((_, response) => response.destroy());
  const other = await startNode((_, response) => ok(response));
  const client = connect({ sendUrl: away.url, readUrls: [away.url, other.url] });
  expect(await client.read(call)).toBe('0x1');
  await expect(client.send({ method: 'eth_sendRawTransaction', params: ['0x00'] })).rejects.toMatchObject({
    code: 'NETWORK_UNREACHABLE',
  });
  expect(other.bodies.filter((body) => body.includes('eth_sendRawTransaction'))).toEqual([]);
  expect(away.bodies.filter((body) => body.includes('eth_sendRawTransaction'))).toHaveLength(1);
});

it('stops asking when the signal aborts', async () => {
  const controller = new AbortController();
  const node = await startNode((_, response) => {
    controller.abort(new Error('enough'));
    response.destroy();
  });
  await expect(connect({ sendUrl: node.url }).read(call, controller.signal)).rejects.toThrow('enough');
  expect(node.bodies).toHaveLength(1);
});

it('names no part of the URL in an error: it may hold a key', async () => {
  const node = await startNode((_, response) => response.writeHead(403).end());
  const client = connect({ sendUrl: `${node.url}v2/SECRET-KEY?api=SECRET-KEY` });
  const error: unknown = await client.send(call).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'NETWORK_UNREACHABLE',
    cause: { message: 'The node answered HTTP 403' },
  });
  expect(JSON.stringify(error)).not.toContain('SECRET-KEY');
});

it('takes no answer without an end', async () => {
  let hasEnded = false;
  const node = await startNode((_, response) => {
    const more = () => {
      while (response.write(' '.repeat(1 << 20)));
    };
    response.on('drain', more).on('close', () => (hasEnded = true));
    more();
  });
  await expect(connect({ sendUrl: node.url }).send(call)).rejects.toMatchObject({
    code: 'NETWORK_UNREACHABLE',
    cause: { message: 'The node’s answer is too long' },
  });
  await vi.waitFor(() => expect(hasEnded).toBe(true), 10_000);
});

it('waits for no answer that only trickles', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const begun = Promise.withResolvers<void>();
  const node = await startNode((_, response) => {
    response.write(' ');
    begun.resolve();
  });
  const sent = connect({ sendUrl: node.url }).send(call);
  await Promise.all([
    expect(sent).rejects.toMatchObject({ cause: { message: 'The node’s answer takes too long' } }),
    begun.promise.then(() => vi.advanceTimersByTime(30_000)),
  ]);
});

it('reads no more answers than it asked for', async () => {
  const node = await startNode((_, response) => response.end(`[${'1,'.repeat(100_000)}1]`));
  const error: unknown = await connect({ sendUrl: node.url })
    .send(call)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: { message: 'The node answered more than it was asked' } });
});

it('asks no name that leads to a link-local address', async () => {
  const node = await startNode((_, response) => ok(response));
  const found = [
    { address: '127.0.0.1', family: 4 },
    { address: '169.254.169.254', family: 4 },
  ];
  const lookup: unknown = (_host: string, _options: unknown, callback: (...found: unknown[]) => void) =>
    callback(null, found);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
  const url = node.url.replace('127.0.0.1', 'node.example');
  await expect(connect({ sendUrl: url }).send(call)).rejects.toMatchObject({
    cause: { message: 'The node’s name leads to a link-local address' },
  });
  expect(node.bodies).toEqual([]);
  found.pop();
  expect(await connect({ sendUrl: url }).send(call)).toMatchObject({ ok: true });
});
