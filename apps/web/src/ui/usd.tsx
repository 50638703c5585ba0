import { formatUsd } from '../lib/format.ts';
import { useLanguage } from '../lib/i18n.ts';

interface UsdProps {
  /** A decimal text; null while it is not known. */
  value: string | null | undefined;
  /** Digits after the separator, at least and at most; spec §9 shows 2 to 6. */
  digits?: readonly [min: number, max: number];
}

/** A worth in US dollars, whole on hover. */
export function Usd({ value, digits }: UsdProps) {
  const language = useLanguage();
  return (
    <span title={value ?? undefined} data-value={value ?? undefined}>
      {formatUsd(value, language, digits)}
    </span>
  );
}
