import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../lib/api-error.ts';
import { useRouteMutation, useRouteQuery } from '../../lib/query.ts';
import { useServices } from '../../lib/services.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import { browserName } from './browser-name.ts';
import { FailureNote } from './failure-note.tsx';
import classes from './settings.module.css';

/** Where this account is signed in, and the way to end that. */
export function SessionsPanel() {
  const { t } = useTranslation('settings');
  const { session } = useServices();
  const confirm = useConfirm();
  const query = useRouteQuery('listSessions', {}, { staleTime: 0 });
  const endOne = useRouteMutation('endSession', { invalidates: ['listSessions'] });
  const endAll = useRouteMutation('endSessions');
  const [failure, setFailure] = useState<unknown>();

  async function attempt(task: () => Promise<unknown>): Promise<void> {
    setFailure(undefined);
    try {
      await task();
    } catch (error) {
      setFailure(error);
    }
  }

  async function logOutEverywhere(): Promise<void> {
    const isConfirmed = await confirm({
      title: t('everywhere_title'),
      body: t('everywhere_body'),
      verb: t('everywhere'),
      isDanger: true,
    });
    if (!isConfirmed) return;
    await attempt(async () => {
      try {
        await endAll.mutateAsync({});
      } catch (error) {
        // Its own session ends with the others: that this is so now is what was asked for.
        if (!isApiError(error) || error.status !== 401) throw error;
      }
      session.end();
    });
  }

  return (
    <Panel
      title={t('sessions')}
      aside={
        <Button size="compact-sm" variant="default" onClick={() => void logOutEverywhere()}>
          {t('everywhere')}
        </Button>
      }
    >
      <FailureNote failure={failure} />
      <QueryView query={query} skeleton={<Skeleton height={72} />}>
        {(sessions) => (
          <ul className={classes.rows}>
            {sessions.map((info) => {
              const name = browserName(info.user_agent) ?? t('browser_unknown');
              return (
                <li key={info.id} className={classes.row}>
                  <span>
                    {name}
                    {info.is_current && ` · ${t('this_one')}`}
                  </span>
                  <span className={classes.hint}>
                    {t('last_used')} <Time value={info.last_used_at} />
                  </span>
                  {!info.is_current && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={t('end_session_of', { name })}
                      onClick={() => void attempt(() => endOne.mutateAsync({ params: { id: info.id } }))}
                    >
                      {t('end_session')}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
}
