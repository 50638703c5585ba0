import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SaveState } from './use-saving.ts';

interface SaveButtonProps {
  state: SaveState;
  isDisabled?: boolean;
}

/** Says by its words how the saving goes (spec §2). */
export function SaveButton({ state, isDisabled = false }: SaveButtonProps) {
  const { t } = useTranslation('settings');
  return (
    <Button
      type="submit"
      loading={state === 'saving'}
      disabled={isDisabled}
      color={state === 'saved' ? 'gain' : state === 'error' ? 'danger' : 'accent'}
    >
      {t(`save.${state}`)}
    </Button>
  );
}
