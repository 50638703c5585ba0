import {
  concat,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  keccak256,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ownBytecode, publishedBytecode } from '../src/bsc/artifacts.ts';
import type { Harness } from './bsc-adapter-harness.ts';
import { gasPrice, inAMinute, publicClient, walletClient } from './bsc-kit.ts';

const supply = 10n ** 30n;
/** Token and BNB are worth the same in every pool made here: a square root of 1 as Q64.96. */
const evenSqrtPrice = 2n ** 96n;

const tokenConstructor = parseAbi([
  'constructor(string name, string symbol, uint8 decimals, uint256 supply, uint256 taxBps)',
]);
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
const factoryAbi = parseAbi(['function poolDeployer() view returns (address)']);

/** Somebody who issues tokens on the sandbox chain and gives them pools, as anybody may on a live one. */
export interface Issuer {
  /** A new token of which every transfer loses `taxBps`, except the issuer's own. */
  createToken(taxBps: number): Promise<Address>;
  /** A new token that only the issuer can sell: whoever else sends it by an allowance is refused. */
  createTrap(): Promise<Address>;
  /** Sends some of the token, untaxed. */
  give(token: Address, to: string, units: bigint): Promise<void>;
  /** A V2 pair that holds so much of both sides. */
  addV2Pool(token: Address, wei: bigint): Promise<void>;
  /** A position of at most so much of both sides, from `-ticks` to `ticks` around the even price. */
  addV3Position(token: Address, fee: number, ticks: number, wei: bigint): Promise<void>;
}

export async function createIssuer(harness: Harness): Promise<Issuer> {
  const account = privateKeyToAccount(generatePrivateKey());
  await harness.grant(account.address, 1_000_000n * 10n ** 18n);
  const { sandbox } = harness;
  const { wbnb, v2Router, v3Factory } = sandbox.contracts;
  const [reader, wallet] = [publicClient(sandbox.url), walletClient(sandbox.url, account)];

  async function land(transaction: { to?: Address; data: Hex; value?: bigint }) {
    const hash = await wallet.sendTransaction({ ...transaction, gas: 15_000_000n, gasPrice, type: 'legacy' });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error('the issuer’s transaction reverted');
    return receipt;
  }

  async function create(data: Hex): Promise<Address> {
    const { contractAddress } = await land({ data });
    if (!contractAddress) throw new Error('nothing was created');
    return contractAddress;
  }

  const poolDeployer = await reader.readContract({
    abi: factoryAbi,
    address: v3Factory,
    functionName: 'poolDeployer',
  });
  const managerArguments = encodeAbiParameters(parseAbiParameters('address, address, address, address'), [
    poolDeployer,
    v3Factory,
    wbnb,
    zeroAddress,
  ]);
  const positionManager = await create(concat([publishedBytecode('V3PositionManager'), managerArguments]));

  const issue = (taxBps: number) =>
    create(
      encodeDeployData({
        abi: tokenConstructor,
        bytecode: ownBytecode('SandboxToken'),
        args: ['Issued', 'ISS', 18, supply, BigInt(taxBps)],
      }),
    );

  async function approveVenues(token: Address): Promise<void> {
    for (const spender of [v2Router, positionManager]) {
      const args = [spender, maxUint256] as const;
      await land({
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
      });
    }
  }

  return {
    async createToken(taxBps) {
      const token = await issue(taxBps);
      await approveVenues(token);
      return token;
    },
    async createTrap() {
      const trap = await create(trapBytecode(await issue(0), account.address));
      await approveVenues(trap);
      return trap;
    },
    async give(token, to, units) {
      const args = [getAddress(to), units] as const;
      await land({ to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) });
    },
    async addV2Pool(token, wei) {
      const args = [token, wei, 0n, 0n, account.address, inAMinute()] as const;
      const data = encodeFunctionData({ abi: v2RouterAbi, functionName: 'addLiquidityETH', args });
      await land({ to: v2Router, data, value: wei });
    },
    async addV3Position(token, fee, ticks, wei) {
      const [token0, token1] = BigInt(token) < BigInt(wbnb) ? [token, wbnb] : [wbnb, token];
      const abi = positionManagerAbi;
      const open = encodeFunctionData({
        abi,
        functionName: 'createAndInitializePoolIfNecessary',
        args: [token0, token1, fee, evenSqrtPrice],
      });
      const position = {
        token0,
        token1,
        fee,
        tickLower: -ticks,
        tickUpper: ticks,
        amount0Desired: wei,
        amount1Desired: wei,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: account.address,
        deadline: inAMinute(),
      };
      const mint = encodeFunctionData({ abi, functionName: 'mint', args: [position] });
      const refund = encodeFunctionData({ abi, functionName: 'refundETH' });
      const data = encodeFunctionData({ abi, functionName: 'multicall', args: [[open, mint, refund]] });
      await land({ to: positionManager, data, value: wei });
    },
  };
}

/**
 * A contract in front of a token's code, with balances of its own, all of them the issuer's at first. It refuses
 * `transferFrom` of anyone else's tokens and hands every other call on (delegatecall).
 */
function trapBytecode(token: Address, issuer: Address): Hex {
  // Solidity keeps what the first variable, balances, maps an account to at the hash of account and 0.
  const balanceSlot = keccak256(encodeAbiParameters(parseAbiParameters('address, uint256'), [issuer, 0n]));
  const store = concat(['0x7f', numberToHex(supply, { size: 32 }), '0x7f', balanceSlot, '0x55']);
  const isRefused = concat(['0x60003560e01c6323b872dd1460043573', issuer, '0x141516606057']);
  const delegate = concat(['0x3660006000376000600036600073', token, '0x5af43d600060003e605b57']);
  const ends = '0x3d6000fd5b3d6000f35b60006000fd';
  const runtime = concat([isRefused, delegate, ends]);
  return concat([store, '0x6066604f600039', '0x60666000f3', runtime]);
}
