import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from './printable.ts';

const anyText = fc.string({ unit: fc.nat(0xff_ff).map((unit) => String.fromCharCode(unit)), maxLength: 400 });

describe('printable', () => {
  it('leaves nothing that a database refuses or a screen can’t show, and no more than was asked for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(300), (text, maxLength) => {
        const shown = printable(text, maxLength);
        expect(shown.length).toBeLessThanOrEqual(maxLength);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(/\p{C}/u);
        expect(printable(shown, maxLength)).toBe(shown);
      }),
    );
  });

  it('keeps ordinary text as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N}\p{P} ]{0,50}$/u), (text) => {
        expect(printable(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['a NUL', 'a\0b', 'ab'],
    ['a pair cut in two', `${'x'.repeat(199)}😀`, 'x'.repeat(199)],
    ['a lone surrogate', 'a\uDC00b', 'ab'],
    ['a change of direction', 'a\u202Eb', 'ab'],
  ])('drops %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});
