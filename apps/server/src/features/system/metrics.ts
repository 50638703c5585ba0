import type { TradeRow } from '@kervan/database';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Figures for Prometheus. Labels are kinds of things only: no user, wallet, address or id. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // Process, memory, garbage collection, and the event loop's delay.
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'kervan_http_request_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const trades = new Counter({
    name: 'kervan_trades_ended_total',
    help: 'Trades that this process brought to an end',
    labelNames: ['chain', 'network', 'source', 'state'],
    registers,
  });
  const tradeTime = new Histogram({
    name: 'kervan_trade_seconds',
    help: 'Time from planning a trade to its end',
    labelNames: ['chain', 'state'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  const lateness = new Histogram({
    name: 'kervan_run_lateness_seconds',
    help: 'How much later than planned a bot’s run began',
    buckets: [0.05, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10, 60],
    registers,
  });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),

    requestEnded(request: { method: string; route: string; status: number; ms: number }): void {
      const { method, route, status } = request;
      requests.observe({ method, route, status }, request.ms / 1000);
    },
    tradeEnded(trade: TradeRow): void {
      if (trade.kind !== 'swap') return;
      const { chain, network, source, state } = trade;
      trades.inc({ chain, network, source, state });
      const endedAt = trade.ended_at ?? new Date();
      tradeTime.observe({ chain, state }, (endedAt.getTime() - trade.planned_at.getTime()) / 1000);
    },
    runBegan(latenessMs: number): void {
      lateness.observe(Math.max(latenessMs, 0) / 1000);
    },
    /** A figure that is asked for when Prometheus asks. */
    gauge(name: string, help: string, value: () => number): void {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(value()) });
    },
  };
}
