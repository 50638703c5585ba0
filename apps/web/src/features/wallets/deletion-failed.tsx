import { useTranslation } from 'react-i18next';
import { errorText } from '../../lib/api-error.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { usersOf } from './deletion-refusal.ts';
import { Notice } from './notice.tsx';

/** Why a wallet is still there after all. */
export function DeletionFailed({ failure, onClose }: { failure: unknown; onClose: () => void }) {
  const { t } = useTranslation('wallets');
  const language = useLanguage();
  const users = usersOf(failure);
  const named = users && [
    ...(users.bots > 0 ? [t('in_use_bots', { count: users.bots })] : []),
    ...(users.trades > 0 ? [t('in_use_trades', { count: users.trades })] : []),
  ];
  return (
    <Notice tone="loss" title={t('delete_failed')} onClose={onClose}>
      {named === undefined
        ? errorText(failure, language)
        : t('in_use', { users: new Intl.ListFormat(language).format(named) })}
    </Notice>
  );
}
