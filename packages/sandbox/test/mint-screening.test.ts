import { createSolanaAdapter, type ChainPort } from '@kervan/chains';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  AccountRole,
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  type Address,
  type KeyPairSigner,
} from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandbox } from './solana-client.ts';

const token2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
/** A mint with extensions: the length of a token account, a byte that says that it is one, and the extensions. */
const PADDED_LENGTH = 166;
const BARE_LENGTH = 82;
const HEADER_LENGTH = 4;

let client: Awaited<ReturnType<typeof openSandbox>>;
let adapter: ChainPort;
let issuer: KeyPairSigner;

beforeAll(async () => {
  client = await openSandbox();
  const { sandbox } = client;
  adapter = createSolanaAdapter({
    network: 'sandbox',
    rpcUrl: sandbox.url,
    jupiterUrl: sandbox.url,
    genesisHash: null,
    tokenList: (mint) => sandbox.tokens.find((token) => token.address === mint),
  });
  issuer = await client.fund();
});
afterAll(async () => {
  adapter.close();
  await client.close();
});

const bytesOf = (text: Address): number[] => [...getAddressEncoder().encode(text)];
/** 2.5 %, in little endian. */
const feeBps = [250, 0];
const bytesOfU64 = (value: bigint): number[] => [...Buffer.from(BigUint64Array.of(value).buffer)];

/** What initialises each extension in a mint, by the program's own instructions, and how long its data is. */
function extensions(authority: Address) {
  return {
    transferFee: {
      length: 108,
      data: [26, 0, 1, ...bytesOf(authority), 1, ...bytesOf(authority), ...feeBps, ...bytesOfU64(1_000n)],
    },
    permanentDelegate: { length: 32, data: [35, ...bytesOf(authority)] },
    defaultFrozen: { length: 1, data: [28, 0, 2] },
    nonTransferable: { length: 0, data: [32] },
    transferHook: { length: 64, data: [36, 0, ...bytesOf(authority), ...bytesOf(authority)] },
  };
}

type ExtensionName = keyof ReturnType<typeof extensions>;

/** A new Token-2022 mint with these extensions, made by the real program. */
async function createMint(names: readonly ExtensionName[], freezeAuthority?: Address): Promise<Address> {
  const mint = await generateKeyPairSigner();
  const chosen = names.map((name) => extensions(issuer.address)[name]);
  const space =
    chosen.length === 0
      ? BARE_LENGTH
      : chosen.reduce((sum, { length }) => sum + HEADER_LENGTH + length, PADDED_LENGTH);
  const accounts = [{ address: mint.address, role: AccountRole.WRITABLE }];
  const instruction = (data: number[]) => ({
    programAddress: token2022,
    accounts,
    data: Uint8Array.from(data),
  });
  const freeze = freezeAuthority ? [1, ...bytesOf(freezeAuthority)] : [0];
  const { wire } = await client.sign(
    [issuer, mint],
    [
      getCreateAccountInstruction({
        payer: issuer,
        newAccount: mint,
        lamports: 50_000_000n,
        space,
        programAddress: token2022,
      }),
      ...chosen.map(({ data }) => instruction(data)),
      instruction([20, 6, ...bytesOf(issuer.address), ...freeze]),
    ],
  );
  const { error } = await client.send(wire);
  if (error) throw new Error(JSON.stringify(error));
  const account = () =>
    client.rpc.getAccountInfo(mint.address, { encoding: 'base64', commitment: 'confirmed' }).send();
  await expect.poll(async () => (await account()).value?.owner).toBe(token2022);
  return mint.address;
}

it('a mint of the newer program without extensions that matter has no warning', async () => {
  expect(await adapter.screenToken(await createMint([]))).toEqual([]);
});

it('the extensions that the program wrote are read where it wrote them', async () => {
  const mint = await createMint(['transferFee', 'permanentDelegate', 'transferHook'], issuer.address);
  expect(await adapter.screenToken(mint)).toEqual([
    { code: 'PERMANENT_DELEGATE', severity: 'danger', context: {} },
    { code: 'TRANSFER_HOOK', severity: 'warning', context: {} },
    { code: 'TRANSFER_FEE', severity: 'warning', context: { percent: 2.5 } },
    { code: 'FREEZE_AUTHORITY', severity: 'warning', context: {} },
  ]);
  const frozen = await createMint(['defaultFrozen'], issuer.address);
  expect((await adapter.screenToken(frozen)).map(({ code }) => code)).toEqual([
    'FROZEN_BY_DEFAULT',
    'FREEZE_AUTHORITY',
  ]);
  const bound = await createMint(['nonTransferable']);
  expect(await adapter.screenToken(bound)).toEqual([
    { code: 'NON_TRANSFERABLE', severity: 'danger', context: {} },
  ]);
});

it('a freeze authority of the older program is warned of, and what is no mint is none', async () => {
  expect(await adapter.screenToken(client.mint('AYAZ'))).toEqual([
    { code: 'FREEZE_AUTHORITY', severity: 'warning', context: {} },
  ]);
  expect(await adapter.screenToken(client.mint('USDC'))).toEqual([]);
  await expect(adapter.screenToken(issuer.address)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  await expect(adapter.screenToken('nonsense')).rejects.toMatchObject({ code: 'TOKEN_ADDRESS_INVALID' });
});
