import { keccak256, numberToHex, parseEther, zeroAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startBscSandbox, type BscSandbox } from '../src/bsc/start.ts';
import { control, fundedAccount, publicClient, rpc, signTransfer } from './bsc-kit.ts';

const clearSky = {
  latencyMs: 0,
  tooManyRequestsRate: 0,
  dropSendRate: 0,
  loseAnswerRate: 0,
  unreachable: false,
};

describe('the RPC port of the BSC sandbox', () => {
  let directory: string;
  let sandbox: BscSandbox;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'kervan-bsc-rpc-'));
    sandbox = await startBscSandbox({ dataDir: directory, port: 0 });
  });
  afterAll(async () => {
    await sandbox.close();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(() => setWeather(clearSky));

  const call = (method: string, params: readonly unknown[] = []) => rpc(sandbox.url, method, params);
  const send = (raw: Hex) => call('eth_sendRawTransaction', [raw]);
  async function setWeather(weather: Record<string, unknown>): Promise<void> {
    await control(sandbox.url, 'PUT', '/sandbox/weather', weather);
  }

  describe('methods', () => {
    it('names the chain and a gas price of at least one gwei, though there is no base fee', async () => {
      const client = publicClient(sandbox.url);
      expect(await client.getChainId()).toBe(31_337);
      expect(await client.getGasPrice()).toBe(1_000_000_000n);
      const fees = await client.estimateFeesPerGas();
      expect(fees.maxFeePerGas).toBeGreaterThanOrEqual(1_000_000_000n);
    });

    it.each([
      'anvil_setBalance',
      'anvil_dumpState',
      'evm_mine',
      'evm_revert',
      'hardhat_setCode',
      'debug_traceTransaction',
      'eth_sendTransaction',
      'eth_sendUnsignedTransaction',
      'eth_sign',
      'eth_signTransaction',
      'nothing',
    ])('refuses %s', async (method) => {
      const { error } = await call(method, [{}]);
      expect(error).toMatchObject({ code: -32_601 });
    });

    it('has no unlocked accounts', async () => {
      expect(await call('eth_accounts')).toMatchObject({ result: [] });
    });

    it.each([[[]], [{}], ['text'], [[1]], [{ id: 1, method: 5 }]])(
      'answers the malformed request %j with an error',
      async (body) => {
        const { status, body: answer } = await control(sandbox.url, 'POST', '/', body);
        expect(status).toBe(200);
        expect([answer].flat()[0]).toMatchObject({ error: { code: -32_600 } });
      },
    );

    it('answers a batch of reads, sends and refusals in its order', async () => {
      const account = await fundedAccount(sandbox.url);
      const raw = await signTransfer(account, 0);
      const requests: [string, unknown[]][] = [
        ['eth_chainId', []],
        ['eth_sendRawTransaction', [raw]],
        ['anvil_reset', []],
      ];
      const { body } = await control(
        sandbox.url,
        'POST',
        '/',
        requests.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })),
      );
      expect(body).toMatchObject([
        { id: 0, result: '0x7a69' },
        { id: 1, result: keccak256(raw) },
        { id: 2, error: { code: -32_601 } },
      ]);
    });
  });

  describe('sends', () => {
    it('has the receipt by the time the hash is answered', async () => {
      const account = await fundedAccount(sandbox.url);
      const { result } = await send(await signTransfer(account, 0));
      expect(await call('eth_getTransactionReceipt', [result])).toMatchObject({ result: { status: '0x1' } });
    });

    it('answers eth_sendRawTransactionSync with the receipt', async () => {
      const account = await fundedAccount(sandbox.url);
      const raw = await signTransfer(account, 0);
      expect(await call('eth_sendRawTransactionSync', [raw])).toMatchObject({
        result: { transactionHash: keccak256(raw), status: '0x1' },
      });
    });

    it('mines one of two sent at once, and says to a repetition what geth says', async () => {
      const account = await fundedAccount(sandbox.url);
      const raw = await signTransfer(account, 0);
      const answers = await Promise.all([send(raw), send(raw)]);
      expect(answers.filter(({ result }) => result === keccak256(raw))).toHaveLength(1);
      expect(answers.find(({ error }) => error)).toMatchObject({ error: { code: -32_000 } });
      expect(await send(raw)).toMatchObject({ error: { code: -32_000, message: 'nonce too low' } });
      expect(await publicClient(sandbox.url).getTransactionCount(account)).toBe(1);
    });

    it('holds a transaction whose nonce is ahead until the gap is filled', async () => {
      const account = await fundedAccount(sandbox.url);
      const ahead = await signTransfer(account, 1);
      expect(await send(ahead)).toMatchObject({ result: keccak256(ahead) });
      expect(await send(ahead)).toMatchObject({ error: { code: -32_000, message: 'already known' } });
      expect(await call('eth_getTransactionReceipt', [keccak256(ahead)])).toMatchObject({ result: null });
      await send(await signTransfer(account, 0));
      expect(await call('eth_getTransactionReceipt', [keccak256(ahead)])).toMatchObject({
        result: { status: '0x1' },
      });
    });

    it('refuses what is no transaction, and what the sender cannot pay', async () => {
      expect(await send('0x1234')).toMatchObject({ error: { code: -32_000 } });
      expect(await call('eth_sendRawTransaction', ['zz'])).toMatchObject({ error: { code: -32_602 } });
      expect(await call('eth_sendRawTransaction', [])).toMatchObject({ error: { code: -32_602 } });
      const poor = privateKeyToAccount(generatePrivateKey());
      expect(await send(await signTransfer(poor, 0))).toMatchObject({
        error: { message: 'insufficient funds for gas * price + value' },
      });
    });
  });

  describe('the faucet', () => {
    it('pays BNB and tokens, of the taxed one too, in full by transactions that are on the chain', async () => {
      const client = publicClient(sandbox.url);
      const { address } = privateKeyToAccount(generatePrivateKey());
      const grants = [undefined, ...sandbox.tokens.map((token) => token.address)];
      const answers = await Promise.all(
        grants.map((tokenAddress) =>
          control(sandbox.url, 'POST', '/sandbox/faucet', {
            address,
            amount: '123456789',
            ...(tokenAddress && { tokenAddress }),
          }),
        ),
      );
      for (const { status, body } of answers) {
        expect(status).toBe(200);
        // A 200 answer is {txId}.
        const { txId } = body as { txId: Hex };
        expect((await client.getTransactionReceipt({ hash: txId })).status).toBe('success');
      }
      expect(await client.getBalance({ address })).toBe(123_456_789n);
      for (const token of sandbox.tokens) {
        const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
        const balance = await call('eth_call', [{ to: token.address, data }, 'latest']);
        expect(balance).toMatchObject({ result: numberToHex(123_456_789n, { size: 32 }) });
      }
    });

    it.each([
      {},
      { address: zeroAddress },
      { address: zeroAddress, amount: 5 },
      { address: zeroAddress, amount: '0' },
      { address: zeroAddress, amount: '-1' },
      { address: zeroAddress, amount: '1.5' },
      { address: '0x12', amount: '1' },
      { address: zeroAddress, amount: '1', tokenAddress: zeroAddress },
      { address: zeroAddress, amount: '9'.repeat(39) },
      { address: zeroAddress, amount: '1', extra: true },
    ])('refuses %j with 400', async (grant) => {
      const { status, body } = await control(sandbox.url, 'POST', '/sandbox/faucet', grant);
      expect(status).toBe(400);
      expect(body).toHaveProperty('error');
    });
  });

  it('describes itself', async () => {
    const { chainId, tokens, contracts } = sandbox;
    const { body } = await control(sandbox.url, 'GET', '/sandbox');
    expect(body).toEqual({ chainId, tokens, contracts });
  });

  describe('weather', () => {
    it('replaces the given fields only, and refuses nonsense', async () => {
      await setWeather({ latencyMs: 3 });
      const { body } = await control(sandbox.url, 'PUT', '/sandbox/weather', { failBundleLeg: 1 });
      expect(body).toMatchObject({ latencyMs: 3, failBundleLeg: 1 });
      const refused = await control(sandbox.url, 'PUT', '/sandbox/weather', { latencyMs: -1 });
      expect(refused.status).toBe(400);
      expect(await control(sandbox.url, 'GET', '/sandbox/weather')).toMatchObject({ body });
    });

    it('acknowledges a dropped send with its right hash, and it never arrives', async () => {
      const account = await fundedAccount(sandbox.url);
      const raw = await signTransfer(account, 0);
      await setWeather({ dropSendRate: 1 });
      expect(await send(raw)).toMatchObject({ result: keccak256(raw) });
      expect(await call('eth_sendRawTransactionSync', [raw])).toMatchObject({ error: { code: 4 } });
      expect(await call('eth_getTransactionByHash', [keccak256(raw)])).toMatchObject({ result: null });
      await setWeather({ dropSendRate: 0 });
      expect(await send(raw)).toMatchObject({ result: keccak256(raw) });
    });

    it('cuts the connection after a send that arrived', async () => {
      const account = await fundedAccount(sandbox.url);
      const raw = await signTransfer(account, 0);
      await setWeather({ loseAnswerRate: 1 });
      await expect(send(raw)).rejects.toThrow('fetch failed');
      expect(await call('eth_getTransactionReceipt', [keccak256(raw)])).toMatchObject({
        result: { status: '0x1' },
      });
    });

    it('answers 429, lets wait, and is unreachable', async () => {
      const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
      await setWeather({ tooManyRequestsRate: 1 });
      expect((await control(sandbox.url, 'POST', '/', request)).status).toBe(429);
      await setWeather({ ...clearSky, latencyMs: 60 });
      const start = performance.now();
      await call('eth_chainId');
      expect(performance.now() - start).toBeGreaterThanOrEqual(59);
      await setWeather({ ...clearSky, unreachable: true });
      await expect(call('eth_chainId')).rejects.toThrow('fetch failed');
      await setWeather(clearSky);
      expect(await call('eth_chainId')).toMatchObject({ result: '0x7a69' });
    });

    it('does not reach the control routes', async () => {
      await setWeather({ unreachable: true, tooManyRequestsRate: 1, dropSendRate: 1, loseAnswerRate: 1 });
      const { address } = privateKeyToAccount(generatePrivateKey());
      const grant = { address, amount: parseEther('1').toString() };
      expect((await control(sandbox.url, 'POST', '/sandbox/faucet', grant)).status).toBe(200);
      expect((await control(sandbox.url, 'GET', '/sandbox')).status).toBe(200);
      await setWeather(clearSky);
      expect(await publicClient(sandbox.url).getBalance({ address })).toBe(parseEther('1'));
    });
  });
});
