import type { ReactNode } from 'react';
import { useDelayed } from '../lib/hooks.ts';
import { ErrorPanel } from './error-panel.tsx';

/** What this needs of a query's result. */
interface Query<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => Promise<unknown>;
}

interface QueryViewProps<T> {
  query: Query<T>;
  /** In the shape of what will stand there. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** The states of a panel: skeleton, error with retry, data. Old data stays during a refetch and beside its error. */
export function QueryView<T>({ query, skeleton, children }: QueryViewProps<T>) {
  const { data, error, isFetching, refetch } = query;
  const showsSkeleton = useDelayed(data === undefined && error === null);
  const retry = () => void refetch();
  if (data === undefined) {
    if (error) return <ErrorPanel error={error} onRetry={retry} isRetrying={isFetching} />;
    return showsSkeleton ? <div aria-hidden="true">{skeleton}</div> : null;
  }
  return (
    <>
      {error && <ErrorPanel error={error} onRetry={retry} isRetrying={isFetching} />}
      {children(data)}
    </>
  );
}
