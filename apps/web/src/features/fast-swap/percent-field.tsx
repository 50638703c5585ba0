import '@mantine/core/styles/Slider.layer.css';
import { Input, Slider } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FAST_SWAP_PERCENT_MAX, FAST_SWAP_PERCENT_MIN, type Action } from '@kervan/contract';
import { formatPercent } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import classes from './fast-swap.module.css';

const MARKS = [25, 50, 75, 100];

interface PercentFieldProps {
  mode: Action;
  value: number;
  onChange: (percent: number) => void;
}

/** How much of each wallet's balance goes in. */
export function PercentField({ mode, value, onChange }: PercentFieldProps) {
  const { t } = useTranslation('fastswap');
  const language = useLanguage();
  const labelId = useId();
  const say = (percent: number) => formatPercent(String(percent), language);
  return (
    <Input.Wrapper label={t('percent')} labelElement="div" labelProps={{ id: labelId }}>
      <div className={classes.percent}>
        <Slider
          min={FAST_SWAP_PERCENT_MIN}
          max={FAST_SWAP_PERCENT_MAX}
          value={value}
          onChange={onChange}
          label={null}
          marks={MARKS.map((mark) => ({ value: mark, label: say(mark) }))}
          thumbProps={{ 'aria-labelledby': labelId, 'aria-valuetext': say(value) }}
        />
        <output className={classes.percentValue}>{say(value)}</output>
      </div>
      <p className={classes.hint}>{t(`percent_hint.${mode}`)}</p>
    </Input.Wrapper>
  );
}
