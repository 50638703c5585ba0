import { getAddress, type Address } from 'viem';

/** Where the contracts stand that an adapter trades through; nothing else is ever approved or paid. */
export interface BscContracts {
  readonly wbnb: Address;
  readonly v2Router: Address;
  readonly v3Quoter: Address;
  readonly v3Router: Address;
  readonly multicall3: Address;
}

/** The same addresses as text, as a sandbox tells them. */
export type BscContractAddresses = { readonly [Name in keyof BscContracts]: string };

const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const v3Router = '0x1b81D678ffb9C0263b24A97847620C99d213eB14';

/**
 * PancakeSwap on the live networks, by chain id (developer.pancakeswap.finance, contract addresses).
 * `verifyNetwork` reads them back from the chain before anything is traded.
 */
export const BSC_CONTRACTS = {
  56: {
    wbnb: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
    v2Router: '0x10ED43C718714eb63d5aA57B78B54704E256024E',
    v3Quoter: '0xB048Bbc1Ee6b733FFfCFb9e9CeF7375518e25997',
    v3Router,
    multicall3,
  },
  97: {
    wbnb: '0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd',
    v2Router: '0xD99D1c33F9fC3444f8101754aBC46c52416550D1',
    v3Quoter: '0xbC203d7f83677c7ed3F7acEc959963E7F4ECC5C2',
    v3Router,
    multicall3,
  },
} as const satisfies Record<number, BscContracts>;

/** Reads contract addresses given as text. Throws viem's InvalidAddressError for one that is none. */
export function readContracts(addresses: BscContractAddresses): BscContracts {
  return {
    wbnb: getAddress(addresses.wbnb),
    v2Router: getAddress(addresses.v2Router),
    v3Quoter: getAddress(addresses.v3Quoter),
    v3Router: getAddress(addresses.v3Router),
    multicall3: getAddress(addresses.multicall3),
  };
}
