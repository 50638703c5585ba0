import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Choice } from '../../ui/choice.tsx';
import classes from './fast-swap.module.css';
import { readPastedKeys } from './pasted-keys.ts';
import type { SwapValues } from './swap-values.ts';

interface PaymentFieldProps {
  value: SwapValues['payment'];
  onChange: (payment: SwapValues['payment']) => void;
}

/** Who pays: wallets of the vault, or keys that are pasted for this one swap. */
export function PaymentField({ value, onChange }: PaymentFieldProps) {
  const { t } = useTranslation('fastswap');
  return (
    <Choice
      label={t('payment')}
      value={value}
      options={[
        { value: 'stored', label: t('stored') },
        { value: 'pasted', label: t('pasted') },
      ]}
      onChange={onChange}
    />
  );
}

interface KeysFieldProps {
  id: string;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
}

/** Pasted keys, hidden like a password; how many were recognised is said in words. */
export function KeysField({ id, value, onChange, error }: KeysFieldProps) {
  const { t } = useTranslation('fastswap');
  const { keys, invalidLines } = readPastedKeys(value);
  const statusId = `${id}-status`;
  return (
    <div>
      <Textarea
        id={id}
        label={t('keys')}
        description={t('keys_hint')}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        minRows={4}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        translate="no"
        placeholder="0x…"
        classNames={{ input: classes.keys ?? '' }}
        error={error}
        aria-describedby={statusId}
      />
      <p id={statusId} role="status" className={classes.hint}>
        {value.trim() !== '' && t('keys_found', { count: keys.length })}
        {invalidLines > 0 && ` ${t('keys_dropped', { count: invalidLines })}`}
      </p>
    </div>
  );
}
