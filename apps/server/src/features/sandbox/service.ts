import { KervanError, NATIVE, type BodyOf, type Chain, type DataOf, type routes } from '@kervan/contract';
import { parseUnits } from '@kervan/domain';
import type { Networks } from '../../engine/networks.ts';
import type { SandboxClient } from '../../engine/sandbox-client.ts';

export type SandboxService = ReturnType<typeof createSandboxService>;

/** The local chains as their users see them. Every call throws SANDBOX_OFF where there are none. */
export function createSandboxService(networks: Pick<Networks, 'sandbox' | 'keys'>) {
  function client(): SandboxClient {
    if (!networks.sandbox) throw new KervanError('SANDBOX_OFF');
    return networks.sandbox;
  }

  async function describe(): Promise<DataOf<typeof routes.getSandbox>> {
    const sandbox = client();
    const [solana, bsc] = await Promise.all([sandbox.solana(), sandbox.bsc()]);
    return {
      solana: { ...solana, rpcUrl: sandbox.rpcUrl('solana'), wsUrl: sandbox.wsUrl },
      bsc: { ...bsc, rpcUrl: sandbox.rpcUrl('bsc') },
    };
  }

  /** Grants whole SOL, BNB or tokens. */
  async function grant(wish: BodyOf<typeof routes.faucet>): Promise<{ txId: string }> {
    const sandbox = client();
    const { chain, amount } = wish;
    const { parseAddress } = networks.keys(chain);
    const address = parseAddress(wish.address);
    if (address === undefined) throw new KervanError('ADDRESS_INVALID', { field: 'address' });
    const token = wish.tokenAddress === undefined ? undefined : await findToken(chain, wish.tokenAddress);
    const { decimals } = token ?? NATIVE[chain];
    const amountUnits = parseUnits(amount, decimals);
    if (amountUnits === undefined) throw new KervanError('AMOUNT_TOO_PRECISE', { field: 'amount', decimals });
    return await sandbox.grant(chain, { address, amountUnits, tokenAddress: token?.address });
  }

  async function findToken(chain: Chain, address: string) {
    const sandbox = client();
    const { tokens } = chain === 'solana' ? await sandbox.solana() : await sandbox.bsc();
    const wanted = networks.keys(chain).parseAddress(address);
    const token = tokens.find((known) => known.address === wanted);
    if (!token) throw new KervanError('TOKEN_NOT_FOUND');
    return token;
  }

  async function weather(): Promise<DataOf<typeof routes.getWeather>> {
    const sandbox = client();
    const [solana, bsc] = await Promise.all([sandbox.weather('solana'), sandbox.weather('bsc')]);
    return { solana, bsc };
  }

  async function setWeather(change: BodyOf<typeof routes.setWeather>) {
    const sandbox = client();
    const [solana, bsc] = await Promise.all([
      change.solana ? sandbox.setWeather('solana', change.solana) : sandbox.weather('solana'),
      change.bsc ? sandbox.setWeather('bsc', change.bsc) : sandbox.weather('bsc'),
    ]);
    return { solana, bsc };
  }

  return { describe, grant, weather, setWeather };
}
