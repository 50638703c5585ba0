import { useTranslation } from 'react-i18next';
import { logLevelSchema, type LogLevel } from '@kervan/contract';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import classes from './console.module.css';

export type LevelChoice = LogLevel | 'all';

const CHOICES: readonly LevelChoice[] = ['all', ...logLevelSchema.options];

interface LevelFilterProps {
  value: LevelChoice;
  counts: Readonly<Record<LogLevel, number>>;
  onChange: (level: LevelChoice) => void;
}

/** Which levels are listed, with how many entries there are of each. */
export function LevelFilter({ value, counts, onChange }: LevelFilterProps) {
  const { t } = useTranslation('console');
  const language = useLanguage();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div role="group" aria-label={t('levels')} className={classes.levels}>
      {CHOICES.map((level) => (
        <button
          key={level}
          type="button"
          className={classes.levelButton}
          aria-pressed={level === value}
          onClick={() => onChange(level)}
        >
          {t(`level.${level}`)}{' '}
          <span className={classes.levelCount}>
            {formatCount(level === 'all' ? total : counts[level], language)}
          </span>
        </button>
      ))}
    </div>
  );
}
