import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './notice.module.css';

interface NoticeProps {
  tone: 'gain' | 'loss';
  title: string;
  children: ReactNode;
  onClose?: () => void;
}

/** How an action ended, where it was asked for. Good news is announced by the status region that it is put in. */
export function Notice({ tone, title, children, onClose }: NoticeProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'loss' ? 'alert' : undefined}>
      <div className={classes.text}>
        <strong>{title}</strong>
        <div>{children}</div>
      </div>
      {onClose && <CloseButton size="sm" aria-label={t('action.close')} onClick={onClose} />}
    </div>
  );
}
