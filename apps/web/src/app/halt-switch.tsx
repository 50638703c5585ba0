import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../lib/api-error.ts';
import { useLanguage } from '../lib/i18n.ts';
import { notify, TOAST_MS } from '../lib/notify.ts';
import { routeKey, useRouteMutation, useRouteQuery } from '../lib/query.ts';
import { useServices } from '../lib/services.ts';
import { useConfirm } from '../ui/confirm.tsx';
import classes from './halt-switch.module.css';

/** Stops all signing on the server, or releases it: one click, one confirm. */
export function HaltSwitch() {
  const { t } = useTranslation('shell');
  const language = useLanguage();
  const { queryClient } = useServices();
  const confirm = useConfirm();
  const halt = useRouteQuery('getHalt', {});
  const setHalt = useRouteMutation('setHalt');
  const isHalted = halt.data?.halted ?? false;
  const what = isHalted ? 'resume' : 'halt';

  async function toggle(): Promise<void> {
    const isConfirmed = await confirm({
      title: t(`halt.confirm_${what}`),
      body: t(`halt.confirm_${what}_body`),
      verb: t(`halt.${what}`),
      isDanger: what === 'halt',
    });
    if (!isConfirmed) return;
    try {
      const result = await setHalt.mutateAsync({ body: { halted: !isHalted } });
      queryClient.setQueryData(routeKey('getHalt', {}), result);
    } catch (error) {
      notify({
        kind: 'error',
        title: t('halt.failed'),
        message: errorText(error, language),
        ms: TOAST_MS.tradeFailure,
      });
    }
  }

  return (
    <Button
      size="xs"
      className={classes.switch}
      variant={isHalted ? 'filled' : 'default'}
      color="accent"
      loading={setHalt.isPending}
      disabled={halt.data === undefined}
      onClick={() => void toggle()}
    >
      {t(`halt.${what}`)}
    </Button>
  );
}

/** Says that trading is halted, for as long as it is. */
export function HaltedBanner() {
  const { t } = useTranslation('shell');
  const { data } = useRouteQuery('getHalt', {});
  return <div role="status">{data?.halted && <p className={classes.halted}>{t('halt.halted')}</p>}</div>;
}
