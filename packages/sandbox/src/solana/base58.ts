const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const limbBytes = 3;
const limbSize = 2 ** (8 * limbBytes);
const chunkDigits = 4;
const chunkSize = 58 ** chunkDigits;

/** Two digits for every value they can have. */
const pairSize = 58 * 58;
const pairs = Array.from(
  { length: pairSize },
  (_, value) => digit(Math.floor(value / 58)) + digit(value % 58),
);

function digit(value: number): string {
  return alphabet.charAt(value);
}

/**
 * The base58 text of bytes. A start writes tens of thousands of addresses, and a general bigint division
 * for each digit takes ten times as long as this: 24-bit limbs are divided by 58^4, which fits a double.
 */
export function base58Of(bytes: Uint8Array): string {
  let zeroes = 0;
  while (zeroes < bytes.length && bytes[zeroes] === 0) zeroes += 1;
  const limbs: number[] = [];
  for (let end = bytes.length; end > zeroes; end -= limbBytes) {
    const [low = 0, middle = 0, high = 0] = [bytes[end - 1], bytes[end - 2], bytes[end - 3]];
    limbs.unshift(high * 65_536 + middle * 256 + low);
  }
  let text = '';
  let first = 0;
  while (first < limbs.length) {
    let remainder = 0;
    for (let index = first; index < limbs.length; index += 1) {
      const value = remainder * limbSize + (limbs[index] ?? 0);
      const quotient = Math.floor(value / chunkSize);
      limbs[index] = quotient;
      remainder = value - quotient * chunkSize;
    }
    text = `${pairs[Math.floor(remainder / pairSize)] ?? ''}${pairs[remainder % pairSize] ?? ''}${text}`;
    while (first < limbs.length && limbs[first] === 0) first += 1;
  }
  return '1'.repeat(zeroes) + text.replace(/^1+/, '');
}
