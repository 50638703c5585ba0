import { Skeleton } from '@mantine/core';
import { useDelayed } from '../../lib/hooks.ts';
import classes from './dashboard.module.css';

/** Rows as they will stand there. */
export function RowSkeletons() {
  const isShown = useDelayed(true);
  return (
    <div className={classes.rows} aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={14} width="45%" visible={isShown} />
          <Skeleton height={14} width="20%" visible={isShown} />
        </div>
      ))}
    </div>
  );
}
