import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, enterpriseCsvLine, enterpriseCsvName, roundDecimal } from './enterprise-csv.ts';

/** Reads one line as RFC 4180 says, every field quoted. */
function readLine(line: string): string[] {
  expect(line).toMatch(/^("([^"]|"")*"(,|\r\n$))+$/);
  return [...line.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n$)/g)].map(([, field = '']) =>
    field.replaceAll('""', '"'),
  );
}

test('what is written is what is read, but for the mark before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (fields) => {
      const read = readLine(csvLine(fields));
      expect(read).toHaveLength(fields.length);
      read.forEach((field, index) => expect([fields[index], `'${fields[index]}`]).toContain(field));
    }),
  );
});

test('no field begins like a formula, and numbers stay numbers', () => {
  const start = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '');
  fc.assert(
    fc.property(start, fc.string(), (first, rest) => {
      const [field = ''] = readLine(csvLine([first + rest]));
      expect(field).toMatch(/^([^=+\-@\t\r\n]|-\d+(\.\d+)?$|$)/);
    }),
  );
  expect(csvLine(['-12.5', '+1', '=1+1', '-1-1', '@SUM(A1)'])).toBe(
    `"-12.5","'+1","'=1+1","'-1-1","'@SUM(A1)"\r\n`,
  );
});

test('rounding is that of exact numbers, half away from zero', () => {
  const scale = 12;
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(scale - 1), (units, places) => {
      const text = `${units < 0n ? '-' : ''}${decimal(units < 0n ? -units : units, scale)}`;
      const step = 10n ** BigInt(scale - places);
      const size = ((units < 0n ? -units : units) * 2n + step) / (step * 2n);
      const sign = units < 0n && size > 0n ? '-' : '';
      expect(roundDecimal(text, places)).toBe(sign + decimal(size, places));
    }),
  );
  expect(roundDecimal('1.005', 2)).toBe('1.01');
  expect(roundDecimal('999.999', 2)).toBe('1000.00');
  expect(roundDecimal('-0.001', 2)).toBe('0.00');
  expect(roundDecimal('7', 6)).toBe('7.000000');
});

function decimal(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

test('a log of BSC shows its BNB; what is not known is empty', () => {
  const line = enterpriseCsvLine({
    id: '0198a4f2-0000-7000-8000-000000000000',
    date: '2026-11-21T20:00:00.000Z',
    type: 'sell',
    chain: 'bsc',
    network: 'sandbox',
    usd: null,
    tokenAmount: '12345.678900000000000001',
    tokenAddress: '0xtoken',
    tokenSymbol: '=TOK',
    bnbAmount: '0.1234565',
    price: null,
    maker: '0xmaker',
    txn: '0xtxn',
  });
  expect(line).toBe(
    '"2026-11-21T20:00:00.000Z","sell","BSC","","12345.678900000000000001","0.123457","","0xmaker","0xtxn"\r\n',
  );
  expect(enterpriseCsvName(new Date('2026-11-21T23:59:59Z'))).toBe('enterprise-logs-2026-11-21.csv');
});
