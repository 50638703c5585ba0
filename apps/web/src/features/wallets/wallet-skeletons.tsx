import { Skeleton } from '@mantine/core';
import { useDelayed } from '../../lib/hooks.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './wallets.module.css';

/** Cards as they will stand there. */
export function WalletSkeletons() {
  const isShown = useDelayed(true);
  return (
    <div aria-hidden="true">
      <Panel className={classes.total ?? ''}>
        <Skeleton height={50} width={180} visible={isShown} />
      </Panel>
      <div className={classes.grid}>
        {[0, 1, 2].map((card) => (
          <Panel key={card}>
            <Skeleton height={16} width="40%" visible={isShown} />
            <Skeleton height={28} width="60%" mt={16} visible={isShown} />
            <Skeleton height={16} width="80%" mt={16} mb={40} visible={isShown} />
          </Panel>
        ))}
      </div>
    </div>
  );
}
