import { useTranslation } from 'react-i18next';
import { gasTierSchema } from '@kervan/contract';
import { errorText } from '../../lib/api-error.ts';
import { formatAmount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useRouteQuery } from '../../lib/query.ts';
import { Choice } from '../../ui/choice.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import classes from './fast-swap.module.css';
import type { SwapValues } from './swap-values.ts';

const TIERS = [...gasTierSchema.options, 'custom'] as const;
const REFRESH_MS = 15_000;

interface GasFieldProps {
  /** Of the custom price's field. */
  id: string;
  values: Pick<SwapValues, 'gas' | 'customGas'>;
  onChange: (changed: Partial<SwapValues>) => void;
  error: string | undefined;
}

/** What is paid for gas: a tier with its price and usual time, or a price of one's own. */
export function GasField({ id, values: { gas, customGas }, onChange, error }: GasFieldProps) {
  const { t } = useTranslation('fastswap');
  const language = useLanguage();
  const { data, error: failure } = useRouteQuery('bscGasPrices', {}, { refetchInterval: REFRESH_MS });
  const price = (gwei: string | undefined) => formatAmount(gwei, { digits: 3, isTrimmed: true }, language);
  return (
    <div>
      <Choice
        label={t('gas')}
        value={gas}
        options={TIERS.map((tier) => ({ value: tier, label: t(`tier.${tier}`) }))}
        onChange={(next) => onChange({ gas: next })}
      />
      <p className={classes.hint}>
        {gas === 'custom'
          ? t('gas_now', { price: price(data?.current) })
          : t(`tier_hint.${gas}`, { price: price(data?.[gas]) })}
      </p>
      {failure && <p className={classes.problem}>{errorText(failure, language)}</p>}
      {gas === 'custom' && (
        <div className={classes.customGas}>
          <NumberField
            id={id}
            label={t('custom_gas')}
            value={customGas}
            onChange={(text) => onChange({ customGas: text })}
            step="0.1"
            unit="gwei"
            error={error}
          />
        </div>
      )}
    </div>
  );
}
