import { generateKeyPairSigner, signature as asSignature } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lamportsPerSol, openSandbox, wrappedSol } from './solana-client.ts';

const clear = {
  latencyMs: 0,
  tooManyRequestsRate: 0,
  dropSendRate: 0,
  loseAnswerRate: 0,
  expireBlockhashes: false,
  failBundleLeg: null,
  unreachable: false,
};

describe('weather over the Solana sandbox', () => {
  let chain: Awaited<ReturnType<typeof openSandbox>>;
  beforeAll(async () => {
    chain = await openSandbox();
  });
  afterEach(() => chain.setWeather(clear));
  afterAll(() => chain.close());

  async function transfer() {
    const [sender, recipient] = [await chain.fund(), await generateKeyPairSigner()];
    const instruction = getTransferSolInstruction({
      source: sender,
      destination: recipient.address,
      amount: lamportsPerSol,
    });
    return { sender, recipient: recipient.address, ...(await chain.sign([sender], [instruction])) };
  }

  it('shows and takes single fields, and refuses what it does not know', async () => {
    expect((await chain.http('PUT', '/sandbox/weather', { latencyMs: 5 })).body).toEqual({
      ...clear,
      latencyMs: 5,
    });
    expect((await chain.http('GET', '/sandbox/weather')).body).toEqual({ ...clear, latencyMs: 5 });
    expect((await chain.http('PUT', '/sandbox/weather', { wind: 1 })).status).toBe(400);
    expect((await chain.http('PUT', '/sandbox/weather', { dropSendRate: 2 })).status).toBe(400);
  });

  it('delays answers', async () => {
    await chain.setWeather({ latencyMs: 150 });
    const startedAt = performance.now();
    await chain.call('getHealth');
    expect(performance.now() - startedAt).toBeGreaterThan(145);
  });

  it('answers with 429, the control routes excepted', async () => {
    await chain.setWeather({ tooManyRequestsRate: 1 });
    expect((await chain.http('POST', '/', { jsonrpc: '2.0', id: 1, method: 'getHealth' })).status).toBe(429);
    expect((await chain.http('GET', `/swap/v1/quote?inputMint=${wrappedSol}`)).status).toBe(429);
    await chain.fund();
  });

  it('acknowledges a send that never arrives, and the same bytes land later', async () => {
    const { wire, signature, recipient } = await transfer();
    await chain.setWeather({ dropSendRate: 1 });
    expect((await chain.send(wire)).result).toBe(signature);
    expect(await chain.lamports(recipient)).toBe(0n);
    await chain.setWeather({ dropSendRate: 0 });
    expect((await chain.send(wire)).result).toBe(signature);
    expect(await chain.lamports(recipient)).toBe(lamportsPerSol);
  });

  it('loses the answer of a send that arrived', async () => {
    const { wire, signature, recipient } = await transfer();
    await chain.setWeather({ loseAnswerRate: 1 });
    await expect(chain.send(wire)).rejects.toThrow('fetch failed');
    expect(await chain.lamports(recipient)).toBe(lamportsPerSol);
    const { value } = await chain.rpc.getSignatureStatuses([asSignature(signature)]).send();
    expect(value[0]?.err).toBeNull();
  });

  it('expires every blockhash, provably and until it clears', async () => {
    const { wire, signature } = await transfer();
    await chain.setWeather({ expireBlockhashes: true });
    expect((await chain.send(wire)).error).toMatchObject({
      code: -32002,
      data: { err: 'BlockhashNotFound' },
    });
    const { value } = await chain.rpc.getLatestBlockhash().send();
    expect(await chain.rpc.getBlockHeight({ commitment: 'finalized' }).send()).toBeGreaterThan(
      value.lastValidBlockHeight,
    );
    expect((await chain.rpc.isBlockhashValid(value.blockhash).send()).value).toBe(false);
    await chain.fund();
    await chain.setWeather({ expireBlockhashes: false });
    expect((await chain.send(wire)).result).toBe(signature);
  });

  it('fails one leg of a bundle, and with it the bundle', async () => {
    const { wire, recipient, sender } = await transfer();
    const { result } = await chain.call('getTipAccounts', [], '/api/v1/bundles');
    const [destination] = result as [typeof recipient];
    const tip = await chain.sign(
      [sender],
      [getTransferSolInstruction({ source: sender, destination, amount: 1000n })],
    );
    await chain.setWeather({ failBundleLeg: 1 });
    const { result: id } = await chain.sendBundle([tip.wire, wire]);
    expect((await chain.call('getInflightBundleStatuses', [[id]], '/api/v1/bundles')).result).toMatchObject({
      value: [{ status: 'Failed' }],
    });
    expect(await chain.lamports(recipient)).toBe(0n);
    expect(await chain.lamports(sender.address)).toBe(100n * lamportsPerSol);
  });

  it('makes the node unreachable, sockets that are open included', async () => {
    const socket = new WebSocket(chain.sandbox.wsUrl);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    await chain.setWeather({ unreachable: true });
    await closed;
    await expect(chain.call('getHealth')).rejects.toThrow('fetch failed');
    const refused = new WebSocket(chain.sandbox.wsUrl);
    await new Promise((resolve) => refused.addEventListener('error', resolve));
    expect((await chain.http('GET', '/sandbox')).status).toBe(200);
    await chain.setWeather({ unreachable: false });
    expect((await chain.call('getHealth')).result).toBe('ok');
  });
});
