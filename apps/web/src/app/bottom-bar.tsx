import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BSC_VIEWS, SOLANA_VIEWS, useNavigation, type ViewId } from '../lib/navigation.ts';
import { Dialog } from '../ui/dialog.tsx';
import classes from './bottom-bar.module.css';
import { views } from './views.ts';

const IN_BAR: readonly ViewId[] = SOLANA_VIEWS.slice(0, 4);
/** All the rest, so that no view is out of a phone's reach. */
const IN_SHEET = [...SOLANA_VIEWS.slice(4), ...BSC_VIEWS] as readonly SheetView[]; // slice forgets which four are left out
type SheetView = 'volumemaker' | (typeof BSC_VIEWS)[number];

/** The views on a phone: four in the bar, the others in the sheet behind More. */
export function BottomBar() {
  const { t } = useTranslation('shell');
  const { view, navigate } = useNavigation();
  const [isOpen, setOpen] = useState(false);
  const isInSheet = !IN_BAR.includes(view);

  function open(id: ViewId): void {
    setOpen(false);
    navigate(id);
  }

  return (
    <>
      <nav className={classes.bar} aria-label={t('nav.main')}>
        {IN_BAR.map((id) => {
          const { icon: Icon } = views[id];
          return (
            <button
              key={id}
              type="button"
              className={classes.item}
              aria-current={view === id ? 'page' : undefined}
              onClick={() => navigate(id)}
            >
              <Icon size={20} />
              <span className={classes.label}>{t(`view.${id}`)}</span>
            </button>
          );
        })}
        <button
          type="button"
          className={classes.item}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          data-active={isInSheet || undefined}
          onClick={() => setOpen(true)}
        >
          <IconDots size={20} />
          <span className={classes.label}>{t('nav.more')}</span>
        </button>
      </nav>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('nav.more_title')}
        shape="sheet"
        closesBeside
      >
        <div className={classes.grid}>
          {IN_SHEET.map((id) => {
            const { icon: Icon } = views[id];
            return (
              <button
                key={id}
                type="button"
                className={classes.card}
                aria-current={view === id ? 'page' : undefined}
                onClick={() => open(id)}
              >
                <Icon size={20} />
                <span className={classes.cardTitle}>{t(`view.${id}`)}</span>
                <span className={classes.cardText}>{t(`describe.${id}`)}</span>
              </button>
            );
          })}
        </div>
      </Dialog>
    </>
  );
}
