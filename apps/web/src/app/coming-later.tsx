import { useTranslation } from 'react-i18next';
import { useNavigation } from '../lib/navigation.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

/** A view that a later version brings; it says so. */
export function ComingLater() {
  const { t } = useTranslation();
  const { t: shell } = useTranslation('shell');
  const { view } = useNavigation();
  return (
    <Page title={shell(`view.${view}`)}>
      <Panel>
        <EmptyState title={t('later.title')} hint={t('later.body')} />
      </Panel>
    </Page>
  );
}
