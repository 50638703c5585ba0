import './locale.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain, RouteName } from '@kervan/contract';
import { useLanguage } from '../../lib/i18n.ts';
import { routeKey } from '../../lib/query.ts';
import { useServices } from '../../lib/services.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './fast-swap.module.css';
import { rememberToken } from './recent-tokens.ts';
import { SwapForm, type SwapDraft } from './swap-form.tsx';
import { SwapResults } from './swap-results.tsx';
import { SwapReview } from './swap-review.tsx';
import { forgetRun, runSwap, useSwapRun, type RunOrder } from './swap-run.ts';
import { tellOfBatch, tellOfRun } from './swap-toasts.ts';
import { newValues } from './swap-values.ts';
import type { Preview } from './use-preview.ts';

const BALANCES = {
  solana: ['walletBalances', 'walletTokenBalances'],
  bsc: ['bscBalances', 'bscTokenBalances'],
} as const satisfies Record<Chain, readonly RouteName[]>;

/** One token, many wallets, at once: form, review, results. */
export function FastSwap({ chain }: { chain: Chain }) {
  const { t } = useTranslation('fastswap');
  const language = useLanguage();
  const services = useServices();
  const run = useSwapRun(chain);
  const [values, setValues] = useState(() => newValues(language));
  const [draft, setDraft] = useState<SwapDraft>();

  async function start(confirmed: SwapDraft, preview: Preview): Promise<void> {
    // A second click finds no draft any more.
    setDraft(undefined);
    // The page has no more use for pasted keys: what is sent holds them until it is answered.
    setValues((before) => ({ ...before, pastedKeys: '', walletIds: new Set() }));
    rememberToken(chain, confirmed.token, new Date(), localStorage);
    const ended = await runSwap(services, orderOf(chain, confirmed, preview), (batch, number, of) => {
      if (chain === 'solana') tellOfBatch(t, language, batch, number, of);
    });
    tellOfRun(t, language, ended);
    for (const route of BALANCES[chain])
      void services.queryClient.invalidateQueries({ queryKey: routeKey(route) });
  }

  return (
    <Page title={t(`title.${chain}`)} description={t(`description.${chain}`)}>
      <div className={classes.columns}>
        <Panel>
          <SwapForm
            chain={chain}
            values={values}
            onChange={(changed) => setValues((before) => ({ ...before, ...changed }))}
            isBusy={run?.isRunning === true}
            onReview={setDraft}
          />
        </Panel>
        {run && <SwapResults run={run} onClear={() => forgetRun(services.queryClient, chain)} />}
      </div>
      <SwapReview
        chain={chain}
        draft={draft}
        onClose={() => setDraft(undefined)}
        onConfirm={(confirmed, preview) => void start(confirmed, preview)}
      />
    </Page>
  );
}

function orderOf(chain: Chain, draft: SwapDraft, preview: Preview): RunOrder {
  return {
    chain,
    network: preview.network,
    mode: draft.batches[0].body.mode,
    tokenSymbol: draft.token.symbol,
    batches: draft.batches.map((request, index) => ({
      request,
      // A pasted key is named by the address that the preview derived from it.
      wallets: (preview.batches[index]?.legs ?? []).map((leg) => ({
        id: leg.walletId ?? leg.address,
        name: leg.walletName ?? leg.address,
      })),
    })),
  };
}
