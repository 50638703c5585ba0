import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { BSC_VIEWS, SOLANA_VIEWS, useNavigation, type ViewId } from '../lib/navigation.ts';
import classes from './sidebar.module.css';
import { views } from './views.ts';

/** The views of both chains, on wide screens. */
export function Sidebar() {
  const { t } = useTranslation('shell');
  return (
    <nav className={classes.sidebar} aria-label={t('nav.main')}>
      <Group title={t('nav.solana')} ids={SOLANA_VIEWS} />
      <Group title={t('nav.bsc')} ids={BSC_VIEWS} />
    </nav>
  );
}

function Group({ title, ids }: { title: string; ids: readonly ViewId[] }) {
  const titleId = useId();
  return (
    <>
      <h2 id={titleId} className={classes.title}>
        {title}
      </h2>
      <ul className={classes.list} aria-labelledby={titleId}>
        {ids.map((id) => (
          <li key={id}>
            <Item id={id} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Item({ id }: { id: ViewId }) {
  const { t } = useTranslation('shell');
  const { view, navigate } = useNavigation();
  const { icon: Icon } = views[id];
  return (
    <button
      type="button"
      className={classes.item}
      aria-current={view === id ? 'page' : undefined}
      onClick={() => navigate(id)}
    >
      <Icon size={18} />
      {t(`view.${id}`)}
    </button>
  );
}
