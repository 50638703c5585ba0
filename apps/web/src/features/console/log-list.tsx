import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import classes from './console.module.css';
import type { LogLine } from './log-line.ts';
import { LogRow } from './log-row.tsx';
import type { LogStore } from './log-store.ts';
import { useFollow } from './use-follow.ts';

/** A line of one row, from the style sheet. What is estimated right need not be laid out again. */
const ROW_PX = { desktop: 29, phone: 53 };

interface LogListProps {
  lines: readonly LogLine[];
  newCount: number;
  store: LogStore;
  isAutoScroll: boolean;
}

/** The lines, only those in sight in the page. */
export function LogList({ lines, newCount, store, isAutoScroll }: LogListProps) {
  const { t } = useTranslation('console');
  const language = useLanguage();
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setOpenIds((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  const scroller = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false });
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? ROW_PX.phone : ROW_PX.desktop),
    overscan: 5,
    useFlushSync: false,
  });
  const height = virtualizer.getTotalSize();
  const { isFollowing, onScroll, jumpToEnd } = useFollow({ scroller, store, isAutoScroll });

  return (
    <div className={classes.listFrame}>
      <div
        ref={scroller}
        className={classes.scroller}
        role="region"
        aria-label={t('log_title')}
        tabIndex={0}
        onScroll={onScroll}
      >
        <ol className={classes.list} style={{ height }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            return (
              line && (
                <li
                  // By place, not by line: while lines rush by, rows only change their text.
                  key={index}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={classes.item}
                  style={{ transform: `translateY(${start}px)` }}
                  aria-setsize={lines.length}
                  aria-posinset={index + 1}
                >
                  <LogRow line={line} isOpen={openIds.has(line.id)} onToggle={toggle} />
                </li>
              )
            );
          })}
        </ol>
      </div>
      {!isFollowing && newCount > 0 && (
        <Button
          size="xs"
          className={classes.newLines}
          leftSection={<IconArrowDown size={14} />}
          onClick={jumpToEnd}
        >
          {t('new', { count: newCount, formatted: formatCount(newCount, language) })}
        </Button>
      )}
    </div>
  );
}
