import { routes } from '@kervan/contract';
import { createSandboxClient, type SandboxClient } from '../../apps/server/src/engine/sandbox-client.ts';
import { createApiClient, type ApiClient } from '../../e2e/lib/api-client.ts';
import { withStack } from './bench-stack.ts';
import type { BenchOptions } from './options.ts';
import type { Figure } from './report.ts';
import { raceSwaps, type Swap } from './swap-race.ts';
import { withTemporaryFolder } from './temporary-folder.ts';

/** The most that a fast swap may take of the bare script's time. */
const MAX_RATIO = 1.3;

/** Fast swaps by calls to the whole product on an empty folder, in turn with a bare script on the same node. */
export async function raceFastSwaps(
  options: BenchOptions,
  race: {
    readonly claim: string;
    readonly pairs: number;
    readonly blockMs?: number;
    /** Given a client that is signed in. */
    readonly ours: (api: ApiClient, sandbox: SandboxClient) => Promise<Swap>;
    readonly bare: (sandbox: SandboxClient) => Promise<Swap>;
  },
): Promise<Figure[]> {
  const { ours, bare, pairs, ...terms } = race;
  return await withTemporaryFolder((folder) =>
    withStack(folder, options, async ({ url, sandboxPorts }) => {
      if (!sandboxPorts) throw new Error('The stack has no sandbox');
      const sandbox = createSandboxClient({ solanaPort: sandboxPorts.solana, bscPort: sandboxPorts.bsc });
      const api = createApiClient(url);
      const credentials = { username: 'bench', password: 'bench-bench' };
      api.signIn((await api.call(routes.register, { body: credentials })).access_token);
      return await raceSwaps({
        ...terms,
        pairs: options.pairs ?? pairs,
        ours: await ours(api, sandbox),
        bare: await bare(sandbox),
        maxRatio: MAX_RATIO,
      });
    }),
  );
}
