import { KervanError } from '@kervan/contract';
import { expect, it } from 'vitest';
import { planApproval, refuseFailing } from './approval.ts';
import { createFakeNode, failed, result } from './fake-node.ts';
import type { Simulator } from './simulate.ts';

const owner = '0x1111111111111111111111111111111111111111';
const token = '0x2222222222222222222222222222222222222222';
const router = '0x3333333333333333333333333333333333333333';
const call = { to: token, data: '0x', value: 0n } as const;
const plan = { owner, token, router, amount: 7n } as const;

/** A token that takes a new allowance only where the old one is zero. */
const strict: Pick<Simulator, 'gasLimit'> = {
  gasLimit: async ({ data }) => {
    if (!data.endsWith('0')) throw new KervanError('SIMULATION_FAILED', { reason: 'allowance is not zero' });
    return 50_000n;
  },
};
const lenient: Pick<Simulator, 'gasLimit'> = { gasLimit: async () => 50_000n };

it('approves exactly the amount', async () => {
  const { calls } = await planApproval(lenient, { ...plan, allowance: 3n });
  expect(calls).toHaveLength(1);
  const [approval] = calls;
  expect(approval).toMatchObject({ to: token, value: 0n });
  expect(approval.data).toMatch(/^0x095ea7b3.{24}3{40}0{63}7$/);
});

it('takes an old allowance back first where the token insists', async () => {
  const { calls } = await planApproval(strict, { ...plan, allowance: 3n });
  expect(calls.map(({ data }) => data.at(-1))).toEqual(['0', '7']);
  await expect(planApproval(strict, { ...plan, allowance: 0n })).rejects.toMatchObject({
    code: 'SIMULATION_FAILED',
  });
});

it('refuses a token that could be approved and not sold', async () => {
  const honeypot = createFakeNode(() =>
    result([
      {
        calls: [
          { status: '0x1', returnData: '0x', gasUsed: '0xb4d5' },
          { status: '0x0', returnData: '0x', error: { code: 3, message: 'execution reverted: STF' } },
        ],
      },
    ]),
  );
  await expect(refuseFailing(honeypot, owner, [call, call])).rejects.toMatchObject({
    code: 'TRANSFER_FAILED',
  });
});

it('tells the gas limit of the swap that comes after', async () => {
  const gasOf = (gasUsed: string) => ({ status: '0x1', returnData: '0x', gasUsed });
  const node = createFakeNode(() => result([{ calls: [gasOf('0xb4d5'), gasOf('0x186a0')] }]));
  expect(await refuseFailing(node, owner, [call, call])).toBe(175_000n);
});

it.each([failed(-32_601, 'no such method'), result(null), result('0x')])(
  'goes on where the node can’t simulate several calls',
  async (answer) => {
    const node = createFakeNode(() => answer);
    await expect(refuseFailing(node, owner, [call, call])).resolves.toBeUndefined();
  },
);
