import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { isHex, type Hex } from 'viem';

const requireHere = createRequire(import.meta.url);
const packageRoot = path.join(import.meta.dirname, '..', '..');

/** Where each contract's build comes from. PancakeSwap V2 is Uniswap V2 with another fee, same ABI. */
const published = {
  WETH9: '@uniswap/v2-periphery/build/WETH9.json',
  V2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  V2Router: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  V3Pool: '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json',
  V3Factory: '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json',
  V3Router: '@pancakeswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
  V3Quoter: '@pancakeswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  V3PositionManager:
    '@pancakeswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  ERC20: '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json',
} as const;

export type PublishedContract = keyof typeof published;
export type OwnContract = 'SandboxV3PoolDeployer' | 'SandboxToken';

const publishedSchema = z.object({ bytecode: z.string() });
const ownSchema = publishedSchema.extend({ sourceSha256: z.string() });

/** Creation code of a contract as its makers published it on npm. */
export function publishedBytecode(name: PublishedContract): Hex {
  const { bytecode } = publishedSchema.parse(readJson(requireHere.resolve(published[name])));
  return asHex(bytecode);
}

/**
 * Creation code of one of the sandbox's own contracts (`contracts/`, built by `contracts/build.ts`).
 * Throws if the committed build was made from another source than the one beside it.
 */
export function ownBytecode(name: OwnContract): Hex {
  const { bytecode, sourceSha256 } = ownSchema.parse(
    readJson(path.join(packageRoot, 'artifacts', `${name}.json`)),
  );
  const source = readFileSync(path.join(packageRoot, 'contracts', `${name}.sol`));
  if (createHash('sha256').update(source).digest('hex') !== sourceSha256) {
    throw new Error(`artifacts/${name}.json was built from another ${name}.sol: run contracts/build.ts`);
  }
  return asHex(bytecode);
}

/** Creation code of Multicall3, which viem carries for its own use and does not export. */
export function multicall3Bytecode(): Hex {
  const constants = path.join(path.dirname(requireHere.resolve('viem')), 'constants', 'contracts.js');
  return z.object({ multicall3Bytecode: z.string().transform(asHex) }).parse(requireHere(constants))
    .multicall3Bytecode;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function asHex(code: string): Hex {
  const hex = code.startsWith('0x') ? code : `0x${code}`;
  if (!isHex(hex)) throw new Error('A contract build holds no bytecode');
  return hex;
}
