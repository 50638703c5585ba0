import { Button, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useThrottledRefresh } from './use-throttled-refresh.ts';

interface RefreshButtonProps {
  label: string;
  refresh: () => Promise<void>;
}

/** Stays focusable while it does nothing, and then says why. */
export function RefreshButton({ label, refresh }: RefreshButtonProps) {
  const { t } = useTranslation('wallets');
  const { blockedBy, run } = useThrottledRefresh(refresh);
  const isBlocked = blockedBy !== undefined;
  return (
    <Tooltip
      label={blockedBy && t(`refresh_${blockedBy}`)}
      disabled={!isBlocked}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} />}
        {...(isBlocked && { 'data-disabled': true })}
        aria-disabled={isBlocked}
        onClick={run}
      >
        {label}
      </Button>
    </Tooltip>
  );
}
