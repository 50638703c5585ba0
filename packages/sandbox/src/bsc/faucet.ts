import { encodeFunctionData, isAddress, numberToHex, parseAbi, type Address, type Hex } from 'viem';
import { z } from 'zod';
import { HttpError } from '../http.ts';
import type { Ledger } from './ledger.ts';
import { NodeRpcError } from './node-client.ts';
import { signAsTreasury, treasuryAddress } from './treasury.ts';

const address = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value, { strict: false }),
  'is no address',
);

const grantSchema = z.strictObject({
  address,
  /** Base units. */
  amount: z.string().regex(/^[1-9]\d{0,38}$/, 'is no whole number of base units above zero'),
  tokenAddress: address.optional(),
});

const transferAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
const gas = 200_000n;

/**
 * Pays BNB (wei) or sandbox tokens (base units) from the treasury by a transaction like any other, so a grant
 * is journaled and synced before its hash is returned. Throws HttpError 400 for what cannot be paid.
 */
export function createFaucet(ledger: Ledger): (body: unknown) => Promise<Hex> {
  let previous: Promise<unknown> = Promise.resolve();

  async function grant(body: unknown): Promise<Hex> {
    const parsed = grantSchema.safeParse(body);
    if (!parsed.success) throw new HttpError(400, z.prettifyError(parsed.error));
    const transaction = transferOf(parsed.data, ledger);
    await refuseIfImpossible(transaction, ledger);
    const nonce = z.coerce
      .number()
      .parse(await ledger.read((node) => node.call('eth_getTransactionCount', [treasuryAddress, 'latest'])));
    const raw = await signAsTreasury({ nonce, gas, ...transaction });
    return ledger.send(raw);
  }

  return (body) => {
    // One after another: every grant takes the nonce that the one before has left.
    const result = previous.then(() => grant(body));
    previous = result.catch(() => undefined);
    return result;
  };
}

interface Transfer {
  to: Address;
  value: bigint;
  data: Hex;
}

function transferOf(grant: z.infer<typeof grantSchema>, ledger: Ledger): Transfer {
  const amount = BigInt(grant.amount);
  const { address: recipient, tokenAddress } = grant;
  if (tokenAddress === undefined) return { to: recipient, value: amount, data: '0x' };
  const token = ledger.deployment.tokens.find(
    (known) => known.address.toLowerCase() === tokenAddress.toLowerCase(),
  );
  if (token === undefined) throw new HttpError(400, 'tokenAddress is none of the sandbox tokens');
  const data = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [recipient, amount] });
  return { to: token.address, value: 0n, data };
}

/** Asks the chain first, as a failed grant would have a hash too. */
async function refuseIfImpossible({ to, value, data }: Transfer, ledger: Ledger): Promise<void> {
  const call = { from: treasuryAddress, to, value: numberToHex(value), data, gas: numberToHex(gas) };
  try {
    await ledger.read((node) => node.call('eth_call', [call, 'latest']));
  } catch (error) {
    if (error instanceof NodeRpcError) throw new HttpError(400, `The grant would fail: ${error.message}`);
    throw error;
  }
}
