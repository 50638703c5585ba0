import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Copies a text; `what` names it for those who can't see what stands beside the button. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useClipboard({ timeout: 1_500 });
  const label = copied ? t('action.copied') : t('action.copy', { what });
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={() => copy(text)} aria-label={label}>
        {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
