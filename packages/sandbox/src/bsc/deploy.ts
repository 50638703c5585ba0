import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  parseUnits,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { z } from 'zod';
import { multicall3Bytecode, ownBytecode, publishedBytecode } from './artifacts.ts';
import { market, type TokenPlan, type V3PoolPlan } from './market.ts';
import type { NodeClient } from './node-client.ts';
import { signAsTreasury, treasuryAddress, treasuryWei } from './treasury.ts';

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)]);

export const deploymentSchema = z.object({
  tokens: z.array(
    z.object({
      address,
      symbol: z.string(),
      name: z.string(),
      decimals: z.int(),
      /** Share of every transfer that the token keeps, in basis points. */
      taxBps: z.int(),
    }),
  ),
  contracts: z.object({
    wbnb: address,
    v2Factory: address,
    v2Router: address,
    v3Factory: address,
    v3Quoter: address,
    v3Router: address,
    multicall3: address,
  }),
});

/** Addresses of what stands on the sandbox chain. */
export type Deployment = z.infer<typeof deploymentSchema>;

/** Where Multicall3 is on every chain, and where clients expect it. */
const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';
const noDeadline = maxUint256;
/** Largest tick a full-range position can have, for each fee's tick spacing. */
const fullRangeTick = { 100: 887_272, 500: 887_270, 2500: 887_250, 10_000: 887_200 } as const;

const deployerAbi = parseAbi(['function setFactoryAddress(address factory)']);
const tokenAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);
const v2RouterAbi = parseAbi([
  'function addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable',
]);
const positionManagerAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params) payable',
  'function refundETH() payable',
  'function multicall(bytes[] data) payable',
]);

/**
 * Puts WBNB, PancakeSwap V2 and V3, Multicall3, the tokens and their pools on an empty chain. Addresses follow
 * from the treasury's nonces, so they are the same every time.
 */
export async function deploy(node: NodeClient): Promise<Deployment> {
  await node.call('anvil_setBalance', [treasuryAddress, numberToHex(treasuryWei)]);
  const chain = treasuryOn(node);

  const wbnb = await chain.create(publishedBytecode('WETH9'));
  const v2Factory = await chain.create(
    publishedBytecode('V2Factory'),
    encodeAbiParameters(parseAbiParameters('address'), [treasuryAddress]),
  );
  const v2Router = await chain.create(
    publishedBytecode('V2Router'),
    encodeAbiParameters(parseAbiParameters('address, address'), [v2Factory, wbnb]),
  );

  const v3Deployer = await chain.create(
    ownBytecode('SandboxV3PoolDeployer'),
    encodeAbiParameters(parseAbiParameters('bytes'), [publishedBytecode('V3Pool')]),
  );
  const v3Factory = await chain.create(
    publishedBytecode('V3Factory'),
    encodeAbiParameters(parseAbiParameters('address'), [v3Deployer]),
  );
  await chain.send(
    v3Deployer,
    encodeFunctionData({ abi: deployerAbi, functionName: 'setFactoryAddress', args: [v3Factory] }),
  );
  const v3Base = encodeAbiParameters(parseAbiParameters('address, address, address'), [
    v3Deployer,
    v3Factory,
    wbnb,
  ]);
  const v3Router = await chain.create(publishedBytecode('V3Router'), v3Base);
  const v3Quoter = await chain.create(publishedBytecode('V3Quoter'), v3Base);
  const positionManager = await chain.create(
    publishedBytecode('V3PositionManager'),
    // The fourth word is the contract that draws position NFTs; nobody looks at them here.
    concat([v3Base, encodeAbiParameters(parseAbiParameters('address'), [zeroAddress])]),
  );

  const multicall3 = await chain.create(multicall3Bytecode());
  const multicall3Code = await node.call('eth_getCode', [multicall3, 'latest']);
  await node.call('anvil_setCode', [multicall3Address, multicall3Code]);

  const tokens: Deployment['tokens'] = [];
  for (const plan of market) {
    const token = await createToken(chain, plan);
    await addV2Liquidity(chain, v2Router, token, plan);
    if (plan.v3.length > 0) await chain.send(token, approval(positionManager));
    for (const pool of plan.v3) await addV3Liquidity(chain, positionManager, wbnb, token, plan, pool);
    const { symbol, name, decimals, taxBps } = plan;
    tokens.push({ address: token, symbol, name, decimals, taxBps });
  }
  return {
    tokens,
    contracts: { wbnb, v2Factory, v2Router, v3Factory, v3Quoter, v3Router, multicall3: multicall3Address },
  };
}

interface TreasuryChain {
  /** Creates a contract and returns its address. */
  create(bytecode: Hex, constructorArguments?: Hex): Promise<Address>;
  /** Calls a contract; throws if it reverts. */
  send(to: Address, data: Hex, value?: bigint): Promise<void>;
}

function treasuryOn(node: NodeClient): TreasuryChain {
  const gas = 15_000_000n;
  let nonce = 0;

  async function land(transaction: { to?: Address; data: Hex; value?: bigint }): Promise<void> {
    const raw = await signAsTreasury({ nonce, gas, ...transaction });
    nonce += 1;
    const hash = await node.call('eth_sendRawTransaction', [raw]);
    await node.call('evm_mine');
    const receipt = z
      .object({ status: z.string() })
      .parse(await node.call('eth_getTransactionReceipt', [hash]));
    if (receipt.status !== '0x1') throw new Error(`Deployment transaction ${nonce - 1} reverted`);
  }

  return {
    async create(bytecode, constructorArguments = '0x') {
      const created = getContractAddress({ from: treasuryAddress, nonce: BigInt(nonce) });
      await land({ data: concat([bytecode, constructorArguments]) });
      return created;
    },
    send: (to, data, value = 0n) => land({ to, data, value }),
  };
}

function createToken(chain: TreasuryChain, plan: TokenPlan): Promise<Address> {
  const supply = parseUnits('1000000000000', plan.decimals);
  if (plan.taxBps === 0 && plan.decimals === 18) {
    return chain.create(
      publishedBytecode('ERC20'),
      encodeAbiParameters(parseAbiParameters('string, string, uint256, address'), [
        plan.name,
        plan.symbol,
        supply,
        treasuryAddress,
      ]),
    );
  }
  return chain.create(
    ownBytecode('SandboxToken'),
    encodeAbiParameters(parseAbiParameters('string, string, uint8, uint256, uint256'), [
      plan.name,
      plan.symbol,
      plan.decimals,
      supply,
      BigInt(plan.taxBps),
    ]),
  );
}

async function addV2Liquidity(
  chain: TreasuryChain,
  router: Address,
  token: Address,
  plan: TokenPlan,
): Promise<void> {
  await chain.send(token, approval(router));
  const data = encodeFunctionData({
    abi: v2RouterAbi,
    functionName: 'addLiquidityETH',
    args: [token, tokensFor(plan, plan.v2Bnb), 0n, 0n, treasuryAddress, noDeadline],
  });
  await chain.send(router, data, plan.v2Bnb);
}

async function addV3Liquidity(
  chain: TreasuryChain,
  positionManager: Address,
  wbnb: Address,
  token: Address,
  plan: TokenPlan,
  pool: V3PoolPlan,
): Promise<void> {
  const sides = [
    { address: token, amount: tokensFor(plan, pool.bnb) },
    { address: wbnb, amount: pool.bnb },
  ] as const;
  const [side0, side1] = BigInt(token) < BigInt(wbnb) ? sides : [sides[1], sides[0]];
  const create = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [side0.address, side1.address, pool.fee, sqrtPriceX96(side0.amount, side1.amount)],
  });
  const mint = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'mint',
    args: [
      {
        token0: side0.address,
        token1: side1.address,
        fee: pool.fee,
        tickLower: -fullRangeTick[pool.fee],
        tickUpper: fullRangeTick[pool.fee],
        amount0Desired: side0.amount,
        amount1Desired: side1.amount,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: treasuryAddress,
        deadline: noDeadline,
      },
    ],
  });
  const refund = encodeFunctionData({ abi: positionManagerAbi, functionName: 'refundETH' });
  const data = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'multicall',
    args: [[create, mint, refund]],
  });
  await chain.send(positionManager, data, pool.bnb);
}

function approval(spender: Address): Hex {
  return encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [spender, maxUint256] });
}

/** Token base units worth the given wei at the planned price. */
function tokensFor(plan: TokenPlan, wei: bigint): bigint {
  return (wei * plan.tokensPerBnb * 10n ** BigInt(plan.decimals)) / 10n ** 18n;
}

/** A V3 pool's price, sqrt(amount1 / amount0) as Q64.96 (Uniswap V3 whitepaper, 6.1). */
function sqrtPriceX96(amount0: bigint, amount1: bigint): bigint {
  return integerSqrt((amount1 << 192n) / amount0);
}

/** Newton's method from above; exact floor. */
function integerSqrt(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
