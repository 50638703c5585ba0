import { keccak256 } from 'viem';
import { describe, expect, it } from 'vitest';
import { multicall3Bytecode, ownBytecode, publishedBytecode } from './artifacts.ts';

describe('contract builds', () => {
  it('include the pool code whose hash PancakeSwap V3 routers compute addresses from', () => {
    expect(keccak256(publishedBytecode('V3Pool'))).toBe(
      '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
    );
  });

  it('of the sandbox itself were made from the sources beside them', () => {
    expect(ownBytecode('SandboxToken')).toMatch(/^0x60/);
    expect(ownBytecode('SandboxV3PoolDeployer')).toMatch(/^0x60/);
  });

  it('include Multicall3', () => {
    expect(multicall3Bytecode().length).toBeGreaterThan(5_000);
  });
});
