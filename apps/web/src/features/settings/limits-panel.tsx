import { Stack } from '@mantine/core';
import { useId, useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain, type Language, type Settings } from '@kervan/contract';
import { parseDecimalInput, typedNumber } from '../../lib/decimal.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FailureNote } from './failure-note.tsx';
import { SaveButton } from './save-button.tsx';
import classes from './settings.module.css';
import { useSaving } from './use-saving.ts';

const FIELDS = ['maxNativePerTrade', 'maxNativePerWalletPerDay'] as const;
type Field = (typeof FIELDS)[number];

/** The most that is traded at once and by a wallet in a day; a blank field is no limit. */
export function LimitsPanel({ settings }: { settings: Settings }) {
  const { t } = useTranslation('settings');
  return (
    <Panel title={t('limits')}>
      <p className={classes.hint}>{t('limits_hint')}</p>
      <div className={classes.columns}>
        <ChainLimits chain="solana" limits={settings.solana.limits} />
        <ChainLimits chain="bsc" limits={settings.bsc.limits} />
      </div>
    </Panel>
  );
}

function ChainLimits({ chain, limits }: { chain: Chain; limits: Settings['bsc']['limits'] }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const { state, failure, save, forgetFailure } = useSaving();
  const [values, setValues] = useState(() => ({
    maxNativePerTrade: typedLimit(limits.maxNativePerTrade, language),
    maxNativePerWalletPerDay: typedLimit(limits.maxNativePerWalletPerDay, language),
  }));
  const [wrong, setWrong] = useState<readonly Field[]>([]);

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const read = FIELDS.map((field) => [field, readLimit(values[field], language)] as const);
    const bad = read.flatMap(([field, value]) => (value === undefined ? [field] : []));
    setWrong(bad);
    if (bad.length > 0) return;
    const changed = Object.fromEntries(read.map(([field, value]) => [field, value ?? null]));
    await save({ [chain]: { limits: changed } });
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label={`${t('limits')} ${common(`chain.${chain}`)}`}
    >
      <Stack gap="sm">
        <h3 className={classes.subtitle}>{common(`chain.${chain}`)}</h3>
        {FIELDS.map((field) => (
          <NumberField
            key={field}
            id={`${id}-${field}`}
            label={t(field)}
            value={values[field]}
            onChange={(text) => {
              setValues((before) => ({ ...before, [field]: text }));
              setWrong((before) => before.filter((known) => known !== field));
              forgetFailure();
            }}
            placeholder={t('no_limit')}
            step="0.1"
            unit={NATIVE[chain].symbol}
            error={wrong.includes(field) ? t('limit_invalid') : undefined}
          />
        ))}
        <FailureNote failure={failure} />
        <div>
          <SaveButton state={state} />
        </div>
      </Stack>
    </form>
  );
}

function typedLimit(limit: number | null, language: Language): string {
  return limit === null ? '' : typedNumber(limit, language);
}

/** Null is no limit; undefined a text that is none. */
function readLimit(text: string, language: Language): number | null | undefined {
  if (text.trim() === '') return null;
  const value = Number(parseDecimalInput(text, language) ?? Number.NaN);
  return value > 0 ? value : undefined;
}
