import { TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { compareDecimals, parseDecimalInput, sumDecimals } from '../lib/decimal.ts';
import { useLanguage } from '../lib/i18n.ts';

interface NumberFieldProps {
  id: string;
  label: string;
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  /** What an arrow key adds or takes, as decimal text. */
  step: string;
  /** SOL, s, %: what the number is of. */
  unit: string;
  error: string | undefined;
  /** What a blank field stands for. Without one the field must be filled in. */
  placeholder?: string;
  isWhole?: boolean;
}

/** A number as people type it, with a comma or a point; the arrow keys go up and down by a step. */
export function NumberField({
  id,
  label,
  value,
  onChange,
  onBlur,
  step,
  unit,
  error,
  placeholder,
  isWhole = false,
}: NumberFieldProps) {
  const language = useLanguage();

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const current = parseDecimalInput(value === '' ? '0' : value, language);
    if (current === undefined) return;
    event.preventDefault();
    const next = sumDecimals([current, event.key === 'ArrowUp' ? step : `-${step}`]);
    if (compareDecimals(next, '0') < 0) return;
    onChange(language === 'tr' ? next.replace('.', ',') : next);
  }

  return (
    <TextInput
      id={id}
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(onBlur && { onBlur })}
      onKeyDown={onKeyDown}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      required={placeholder === undefined}
      placeholder={placeholder}
      withAsterisk={false}
      error={error}
      rightSection={<span translate="no">{unit}</span>}
      rightSectionWidth={`calc(${Math.max(unit.length, 2)}ch + 16px)`}
      rightSectionPointerEvents="none"
    />
  );
}
