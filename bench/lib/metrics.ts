/** Figures of a running server, as Prometheus reads them: the values of each metric by its labels' text. */
export async function readMetrics(serverUrl: string): Promise<Map<string, number>> {
  const response = await fetch(`${serverUrl}/metrics`);
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
  const figures = new Map<string, number>();
  for (const line of (await response.text()).split('\n')) {
    const at = line.lastIndexOf(' ');
    if (at > 0 && !line.startsWith('#')) figures.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return figures;
}

/**
 * Event-loop delay p99 in milliseconds since the last time the server's metrics were read, by Node's own sampling
 * every 10 ms, of which the figure holds one.
 */
export function eventLoopDelayP99Ms(figures: ReadonlyMap<string, number>): number {
  return (figures.get('nodejs_eventloop_lag_p99_seconds') ?? NaN) * 1000;
}

/** The longest event-loop delay, likewise. */
export function eventLoopDelayMaxMs(figures: ReadonlyMap<string, number>): number {
  return (figures.get('nodejs_eventloop_lag_max_seconds') ?? NaN) * 1000;
}
