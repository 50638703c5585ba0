import { Skeleton } from '@mantine/core';
import { Suspense, useDeferredValue } from 'react';
import { useDelayed } from '../lib/hooks.ts';
import { NavigationContext, useNavigation } from '../lib/navigation.ts';
import classes from './current-view.module.css';
import { ViewBoundary } from './view-boundary.tsx';
import { views } from './views.ts';

/**
 * The view that was asked for, as soon as its code is there. Until then the one before stays, or a skeleton stands
 * for it when that takes long: going to a view whose code is near never flashes.
 */
export function CurrentView() {
  const asked = useNavigation();
  const shown = useDeferredValue(asked);
  const isLate = useDelayed(asked.view !== shown.view);
  const { component: View } = views[shown.view];
  return (
    <NavigationContext value={shown}>
      {isLate && <ViewSkeleton />}
      <div hidden={isLate}>
        <Suspense fallback={<ViewSkeleton />}>
          <ViewBoundary key={shown.view}>
            <View />
          </ViewBoundary>
        </Suspense>
      </div>
    </NavigationContext>
  );
}

function ViewSkeleton() {
  const isShown = useDelayed(true);
  if (!isShown) return null;
  return (
    <div aria-hidden="true" className={classes.skeleton}>
      <Skeleton height={28} width={200} />
      <Skeleton height={120} />
      <Skeleton height={240} />
    </div>
  );
}
