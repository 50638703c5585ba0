import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface ReloadButtonProps {
  isLoading: boolean;
  onClick: () => void;
}

/** Asks again for what a view shows. */
export function ReloadButton({ isLoading, onClick }: ReloadButtonProps) {
  const { t } = useTranslation();
  return (
    <Button variant="default" leftSection={<IconRefresh size={16} />} loading={isLoading} onClick={onClick}>
      {t('action.refresh')}
    </Button>
  );
}
