import {
  assertIsTransactionWithBlockhashLifetime,
  assertIsTransactionWithinSizeLimit,
  generateKeyPairSigner,
  lamports,
  sendAndConfirmTransactionFactory,
  signature as asSignature,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lamportsPerSol, openSandbox, signWith, wrappedSol } from './solana-client.ts';

type Opened = Awaited<ReturnType<typeof openSandbox>>;

describe('kit works against the sandbox as it does against a cluster', () => {
  let chain: Opened;
  beforeAll(async () => {
    chain = await openSandbox();
  });
  afterAll(() => chain.close());

  it('airdrops and confirms', async () => {
    const { address } = await generateKeyPairSigner();
    const signature = await chain.airdrop({
      commitment: 'confirmed',
      lamports: lamports(5n * lamportsPerSol),
      recipientAddress: address,
    });
    expect(await chain.lamports(address)).toBe(5n * lamportsPerSol);
    const found = await chain.rpc
      .getTransaction(signature, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(found?.meta?.postBalances[1]).toBe(5n * lamportsPerSol);
  });

  it('sends and confirms a transfer, and charges what getFeeForMessage said', async () => {
    const [sender, recipient] = [await chain.fund(), await generateKeyPairSigner()];
    const { value: lifetime } = await chain.rpc.getLatestBlockhash().send();
    const transfer = getTransferSolInstruction({
      source: sender,
      destination: recipient.address,
      amount: lamportsPerSol,
    });
    const transaction = await signWith(
      [sender],
      [transfer],
      lifetime.blockhash,
      lifetime.lastValidBlockHeight,
    );
    assertIsTransactionWithBlockhashLifetime(transaction);
    assertIsTransactionWithinSizeLimit(transaction);
    await sendAndConfirmTransactionFactory(chain)(transaction, { commitment: 'confirmed' });
    expect(await chain.lamports(recipient.address)).toBe(lamportsPerSol);
    expect(await chain.lamports(sender.address)).toBe(99n * lamportsPerSol - 5000n);
  });

  it('notifies of an account, of logs and of slots', async () => {
    const recipient = await generateKeyPairSigner();
    const abort = new AbortController();
    const { rpcSubscriptions } = chain;
    const options = { abortSignal: abort.signal };
    const [account, logs, slots] = await Promise.all([
      rpcSubscriptions
        .accountNotifications(recipient.address, { commitment: 'confirmed', encoding: 'base64' })
        .subscribe(options),
      rpcSubscriptions
        .logsNotifications({ mentions: [recipient.address] }, { commitment: 'processed' })
        .subscribe(options),
      rpcSubscriptions.slotNotifications().subscribe(options),
    ]);
    // kit keeps what arrives only while somebody waits for it.
    const heard = Promise.all([first(account), first(logs), first(slots)]);
    const sender = await chain.fund();
    const { wire, signature } = await chain.sign(
      [sender],
      [transferTo(sender, recipient.address, lamportsPerSol)],
    );
    expect((await chain.send(wire)).result).toBe(signature);

    const [accountNotice, logNotice, slotNotice] = await heard;
    expect(accountNotice.value.lamports).toBe(lamportsPerSol);
    expect(logNotice.value.signature).toBe(signature);
    expect(logNotice.value.logs).toContain('Program 11111111111111111111111111111111 success');
    expect(slotNotice.slot).toBeGreaterThan(slotNotice.root);
    abort.abort();
  });

  it('reports processed at once, confirmed a slot later and finalized after 32', async () => {
    let skippedMs = 0;
    const skipping = await openSandbox({ now: () => Date.now() + skippedMs });
    try {
      const sender = await skipping.fund();
      const { wire, signature } = await skipping.sign([sender], [transferTo(sender, sender.address)]);
      await skipping.send(wire);
      const status = async (): Promise<string | null | undefined> => {
        const { value } = await skipping.rpc.getSignatureStatuses([asSignature(signature)]).send();
        return value[0]?.confirmationStatus;
      };
      expect(['processed', 'confirmed']).toContain(await status());
      await expect.poll(status).toBe('confirmed');
      skippedMs += 32 * 400;
      await expect.poll(status).toBe('finalized');
      // The history search finds what has left the status cache.
      skippedMs += 400 * 400;
      await expect.poll(status).toBeUndefined();
      const { value } = await skipping.rpc
        .getSignatureStatuses([asSignature(signature)], { searchTransactionHistory: true })
        .send();
      expect(value[0]?.confirmations).toBeNull();
    } finally {
      await skipping.close();
    }
  });

  it('lists token accounts by owner, parsed and raw', async () => {
    const owner = await generateKeyPairSigner();
    for (const [symbol, amount] of [
      ['USDC', '1500000'],
      ['BONK', '7'],
      ['WSOL', '2000000000'],
    ] as const) {
      const grant = { address: owner.address, amount, tokenAddress: chain.mint(symbol) };
      expect((await chain.http('POST', '/sandbox/faucet', grant)).status).toBe(200);
    }
    const { value: all } = await chain.rpc
      .getTokenAccountsByOwner(
        owner.address,
        { programId: TOKEN_PROGRAM_ADDRESS },
        { encoding: 'jsonParsed' },
      )
      .send();
    const amounts = all.map(({ account }) => account.data.parsed.info.tokenAmount.uiAmountString);
    expect(amounts.toSorted()).toEqual(['0.00007', '1.5', '2']);
    const { value: wrapped } = await chain.rpc
      .getTokenAccountsByOwner(owner.address, { mint: wrappedSol }, { encoding: 'base64' })
      .send();
    expect(wrapped).toHaveLength(1);
    const { value: balance } = await chain.rpc
      .getTokenAccountBalance(wrapped[0]?.pubkey ?? wrappedSol)
      .send();
    expect(balance.amount).toBe('2000000000');
  });

  it('pages through the signatures of an address, newest first', async () => {
    const sender = await chain.fund();
    const sent: string[] = [];
    for (let each = 1n; each <= 5n; each += 1n) {
      const { wire, signature } = await chain.sign([sender], [transferTo(sender, sender.address, each)]);
      await chain.send(wire);
      sent.unshift(signature);
    }
    const page = (config: object): Promise<string[]> =>
      chain
        .call('getSignaturesForAddress', [sender.address, { commitment: 'confirmed', ...config }])
        .then(({ result }) => (result as { signature: string }[]).map((each) => each.signature));
    await expect.poll(async () => (await page({})).slice(0, 5)).toEqual(sent);
    expect(await page({ limit: 2 })).toEqual(sent.slice(0, 2));
    expect(await page({ before: sent[1], limit: 2 })).toEqual(sent.slice(2, 4));
    expect(await page({ until: sent[3] })).toEqual(sent.slice(0, 3));
  });

  it('shows a transaction in every encoding', async () => {
    const sender = await chain.fund();
    const { wire, signature } = await chain.sign([sender], [transferTo(sender, sender.address)]);
    await chain.send(wire);
    const get = async (config: object): Promise<unknown> => {
      const { result, error } = await chain.call('getTransaction', [
        signature,
        { commitment: 'confirmed', ...config },
      ]);
      return result ?? error?.code ?? null;
    };
    await expect
      .poll(() => get({ encoding: 'base64', maxSupportedTransactionVersion: 0 }))
      .toMatchObject({
        version: 0,
        transaction: [wire, 'base64'],
        meta: { err: null, fee: 5000 },
      });
    expect(await get({ encoding: 'json', maxSupportedTransactionVersion: 0 })).toMatchObject({
      transaction: { signatures: [signature], message: { header: { numRequiredSignatures: 1 } } },
    });
    expect(await get({ encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 })).toMatchObject({
      transaction: {
        message: { accountKeys: [{ pubkey: sender.address, signer: true, writable: true }, {}] },
      },
    });
    expect(await get({ encoding: 'json' })).toBe(-32015);
  });

  it('answers batches and refuses as Agave does', async () => {
    const { body } = await chain.http('POST', '/', [
      { jsonrpc: '2.0', id: 1, method: 'getHealth' },
      { jsonrpc: '2.0', id: 2, method: 'noSuchMethod' },
    ]);
    expect(body).toMatchObject([
      { id: 1, result: 'ok' },
      { id: 2, error: { code: -32601 } },
    ]);
    expect((await chain.call('getBalance', ['not an address'])).error?.code).toBe(-32602);
    expect((await chain.send(Buffer.from('nonsense').toString('base64'))).error?.code).toBe(-32602);
    expect((await chain.call('getGenesisHash')).result).toBe(chain.sandbox.genesisHash);
  });

  it('simulates without keeping anything', async () => {
    const [sender, recipient] = [await chain.fund(), await generateKeyPairSigner()];
    const { wire } = await chain.sign([sender], [transferTo(sender, recipient.address, lamportsPerSol)]);
    const { result } = await chain.call('simulateTransaction', [
      wire,
      {
        encoding: 'base64',
        sigVerify: true,
        accounts: { encoding: 'base64', addresses: [recipient.address] },
      },
    ]);
    expect(result).toMatchObject({ value: { err: null, accounts: [{ lamports: Number(lamportsPerSol) }] } });
    expect(await chain.lamports(recipient.address)).toBe(0n);
  });

  it('refuses a transaction whose signature does not verify', async () => {
    const [sender, other] = [await chain.fund(), await generateKeyPairSigner()];
    const { wire } = await chain.sign([sender], [transferTo(sender, other.address)]);
    const bytes = Buffer.from(wire, 'base64');
    // A byte of the signature, behind its count.
    bytes[1] = (bytes[1] ?? 0) ^ 1;
    expect((await chain.send(bytes.toString('base64'))).error?.code).toBe(-32003);
  });

  function transferTo(sender: Awaited<ReturnType<Opened['fund']>>, destination: string, amount = 1n) {
    return getTransferSolInstruction({
      source: sender,
      destination: destination as typeof sender.address,
      amount,
    });
  }
});

async function first<T>(notifications: AsyncIterable<T>): Promise<T> {
  for await (const each of notifications) return each;
  throw new Error('The subscription ended without a notification');
}
