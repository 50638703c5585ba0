import {
  enterpriseCsvHeader,
  enterpriseCsvLine,
  type EnterpriseFilters,
  type EnterpriseLog,
} from '@kervan/contract';
import type { Database } from '@kervan/database';
import { microsBound } from '@kervan/domain';
import type { LedgerFilter } from '../../ledger/ledger-filter.ts';
import { atOneMoment, readPage } from '../../ledger/read-page.ts';
import type { Clock } from '../../lib/clock.ts';
import { streamTrades } from './stream-trades.ts';
import { toEnterpriseLog } from './to-enterprise-log.ts';

interface Dependencies {
  readonly db: Database;
  readonly clock: Clock;
}

export type EnterpriseService = ReturnType<typeof createEnterpriseService>;

const DAY_MS = 86_400_000;
const DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 } as const;

/** The record of what was traded, for books and tax: successful trades of both chains. */
export function createEnterpriseService({ db, clock }: Dependencies) {
  function ledgerFilter(userId: string, filters: EnterpriseFilters): LedgerFilter {
    const { chain, type, dateRange, minUsd, maxUsd, network } = filters;
    return {
      userId,
      state: 'success',
      network,
      chain: chain === 'all' ? undefined : chain,
      action: type === 'all' ? undefined : type,
      since: dateRange === 'all' ? undefined : new Date(clock().getTime() - DAYS[dateRange] * DAY_MS),
      minMicros: minUsd === undefined ? undefined : microsBound(minUsd, 'least'),
      maxMicros: maxUsd === undefined ? undefined : microsBound(maxUsd, 'most'),
    };
  }

  return {
    async page(
      userId: string,
      filters: EnterpriseFilters,
      { page, limit }: { page: number; limit: number },
    ): Promise<{ logs: EnterpriseLog[]; total: number }> {
      const order = { offset: (page - 1) * limit, limit, direction: 'desc' } as const;
      const filter = ledgerFilter(userId, filters);
      const { trades, total } = await atOneMoment(db, (trx) => readPage(trx, filter, order));
      return { logs: trades.map(toEnterpriseLog), total };
    },

    /** The text of the file, in portions. */
    async *csv(userId: string, filters: EnterpriseFilters): AsyncGenerator<string> {
      yield enterpriseCsvHeader();
      for await (const trades of streamTrades(db, ledgerFilter(userId, filters)))
        yield trades.map((trade) => enterpriseCsvLine(toEnterpriseLog(trade))).join('');
    },
  };
}
