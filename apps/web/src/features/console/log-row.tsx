import { IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import classes from './console.module.css';
import type { LogLine } from './log-line.ts';
import { logText } from './log-text.ts';

interface LogRowProps {
  line: LogLine;
  isOpen: boolean;
  onToggle: (id: string) => void;
}

/** Time, level as a word, message; opens to the data it came with. */
export const LogRow = memo(function LogRow({ line, isOpen, onToggle }: LogRowProps) {
  const { t } = useTranslation('console');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const dataId = `log-data-${line.id}`;
  return (
    <>
      <div className={classes.row}>
        <time className={classes.time} dateTime={line.createdAt}>
          {formatDate(line.createdAt, 'time', language) ?? common('unknown')}
        </time>
        <span className={classes.level} data-level={line.level}>
          {t(`level.${line.level}`)}
        </span>
        <span className={classes.message}>{logText(line, t, language)}</span>
        {line.data !== null && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? dataId : undefined}
            aria-label={t(isOpen ? 'hide_data' : 'show_data')}
            onClick={() => onToggle(line.id)}
          >
            <IconChevronRight size={14} aria-hidden="true" />
          </button>
        )}
      </div>
      {isOpen && line.data !== null && (
        <pre id={dataId} className={classes.data} translate="no">
          {JSON.stringify(line.figures, null, 2)}
        </pre>
      )}
    </>
  );
});
