import { TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './enterprise.module.css';
import { CHAINS, DATE_RANGES, TYPES, type Bound, type Filters } from './filters.ts';

interface FilterPanelProps {
  filters: Filters;
  wrong: readonly Bound[];
  onChange: (changed: Partial<Filters>) => void;
}

export function FilterPanel({ filters, wrong, onChange }: FilterPanelProps) {
  const { t } = useTranslation('enterprise');
  const id = useId();
  const bound = (field: Bound) => (
    <TextInput
      id={`${id}-${field}`}
      label={t(`filter.${field}`)}
      value={filters[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      inputMode="decimal"
      autoComplete="off"
      error={wrong.includes(field) ? t('bound_invalid') : undefined}
    />
  );
  return (
    <Panel className={classes.filters ?? ''}>
      <div className={classes.fields}>
        <Select
          label={t('filter.chain')}
          value={filters.chain}
          options={CHAINS.map((value) => ({ value, label: t(`chain.${value}`) }))}
          onChange={(chain) => onChange({ chain })}
        />
        <Select
          label={t('filter.type')}
          value={filters.type}
          options={TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
          onChange={(type) => onChange({ type })}
        />
        <Select
          label={t('filter.dateRange')}
          value={filters.dateRange}
          options={DATE_RANGES.map((value) => ({ value, label: t(`dateRange.${value}`) }))}
          onChange={(dateRange) => onChange({ dateRange })}
        />
        {bound('minUsd')}
        {bound('maxUsd')}
      </div>
    </Panel>
  );
}
