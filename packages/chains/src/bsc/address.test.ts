import { expect, it } from 'vitest';
import { parseAddress } from './address.ts';

const checksummed = '0x10ED43C718714eb63d5aA57B78B54704E256024E';

it.each([
  checksummed,
  checksummed.toLowerCase(),
  `0x${checksummed.slice(2).toUpperCase()}`,
  ` ${checksummed}\n`,
])('gives %j its checksum', (text) => {
  expect(parseAddress(text)).toBe(checksummed);
});

it.each(['', '0x', checksummed.slice(2), `${checksummed}0`, `${checksummed.slice(0, -1)}g`])(
  'does not take %j for an address',
  (text) => {
    expect(parseAddress(text)).toBeUndefined();
  },
);
