import { Tooltip } from '@mantine/core';
import { useEffect, useRef, type ClipboardEvent } from 'react';
import { formatAmount, formatExact } from '../lib/format.ts';
import { useLanguage } from '../lib/i18n.ts';
import classes from './amount.module.css';

interface AmountProps {
  /** A decimal text; null or undefined while it is not known. */
  value: string | null | undefined;
  /** Digits after the separator: 4 for balances, 6 for fees and console totals (spec §9). */
  digits?: number;
  /** SOL, BNB or a token; left out where the column's header names it. */
  symbol?: string;
  /** For gains and losses: + or - in front, and their colour. */
  isSigned?: boolean;
}

/** An amount: cut to its digits, whole on hover, focus and copy, briefly tinted when it changes. */
export function Amount({ value, digits = 4, symbol, isSigned = false }: AmountProps) {
  const language = useLanguage();
  const shown = formatAmount(value, { digits, isSigned }, language);
  const full = typeof value === 'string' ? formatExact(value, language) : shown;
  return (
    <FullValue
      value={value ?? null}
      shown={shown}
      full={full}
      symbol={symbol}
      tone={isSigned ? toneOf(value) : undefined}
    />
  );
}

function toneOf(value: string | null | undefined): 'gain' | 'loss' | undefined {
  if (typeof value !== 'string' || !/[1-9]/.test(value)) return undefined;
  return value.startsWith('-') ? 'loss' : 'gain';
}

interface FullValueProps {
  value: string | null;
  shown: string;
  full: string;
  symbol: string | undefined;
  tone: 'gain' | 'loss' | undefined;
}

const TINT_MS = 300;

function FullValue({ value, shown, full, symbol, tone }: FullValueProps) {
  const element = useRef<HTMLSpanElement>(null);
  const previous = useRef(value);
  useEffect(() => {
    const wasKnown = previous.current !== null && previous.current !== value;
    previous.current = value;
    if (!wasKnown || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    element.current?.animate(
      [{ backgroundColor: 'var(--kv-tint)' }, { backgroundColor: 'transparent' }],
      TINT_MS,
    );
  }, [value]);

  const isCut = full !== shown && value !== null;
  const copyWhole = (event: ClipboardEvent) => {
    if (value === null) return;
    event.clipboardData.setData('text/plain', value);
    event.preventDefault();
  };
  return (
    <Tooltip label={full} disabled={!isCut} events={{ hover: true, focus: true, touch: true }}>
      <span
        ref={element}
        className={classes.amount}
        data-tone={tone}
        data-value={value ?? undefined}
        tabIndex={isCut ? 0 : undefined}
        onCopy={copyWhole}
      >
        {shown}
        {symbol !== undefined && (
          <span className={classes.symbol} translate="no">
            {' '}
            {symbol}
          </span>
        )}
      </span>
    </Tooltip>
  );
}
