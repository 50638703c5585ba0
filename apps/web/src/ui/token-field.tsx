import { Anchor, Loader, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { tokenWarningMessage, type Chain, type TokenWarning } from '@kervan/contract';
import { errorText } from '../lib/api-error.ts';
import { useNetworkKinds } from '../lib/hooks.ts';
import { useRouteQuery } from '../lib/query.ts';
import type { TokenLookup } from '../lib/use-token-lookup.ts';
import { addNamespace, useLanguage } from '../lib/i18n.ts';
import en from '../locales/en/token.json';
import tr from '../locales/tr/token.json';
import classes from './token-field.module.css';

addNamespace('token', { en, tr });

interface TokenFieldProps {
  id: string;
  chain: Chain;
  value: string;
  onChange: (address: string) => void;
  lookup: TokenLookup;
  error: string | undefined;
}

/** A token's address, and what the network says of it. */
export function TokenField({ id, chain, value, onChange, lookup, error }: TokenFieldProps) {
  const { t } = useTranslation('token');
  const statusId = `${id}-status`;
  return (
    <div>
      <TextInput
        id={id}
        label={t(`label.${chain}`)}
        placeholder={chain === 'bsc' ? '0x…' : undefined}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        translate="no"
        withAsterisk={false}
        error={error}
        aria-describedby={statusId}
        rightSection={lookup.state === 'loading' ? <Loader size={16} aria-hidden="true" /> : undefined}
      />
      <p id={statusId} role="status" className={classes.lookup} data-state={lookup.state}>
        <LookupText lookup={lookup} />
      </p>
      {lookup.state === 'valid' && <Warnings warnings={lookup.token.warnings} />}
      <SandboxTokens chain={chain} onChoose={onChange} />
    </div>
  );
}

function LookupText({ lookup }: { lookup: TokenLookup }) {
  const { t } = useTranslation('token');
  const language = useLanguage();
  switch (lookup.state) {
    case 'none':
      return null;
    case 'loading':
      return t('loading');
    case 'failed':
      return t('failed', { reason: errorText(lookup.error, language) });
    case 'invalid':
      return t('invalid', {
        name: t(lookup.token.name === 'Token Not Found' ? 'not_found' : 'invalid_address'),
      });
    case 'valid': {
      const { name, symbol, decimals } = lookup.token;
      return (
        <>
          <strong translate="no">{symbol}</strong> <span translate="no">{name}</span>
          {' · '}
          {t('decimals', { count: decimals })}
        </>
      );
    }
  }
}

/** What to know before such a token is traded. */
function Warnings({ warnings }: { warnings: readonly TokenWarning[] }) {
  const language = useLanguage();
  if (warnings.length === 0) return null;
  return (
    <div role="alert">
      <ul className={classes.warnings}>
        {warnings.map((warning) => (
          <li key={warning.code} data-severity={warning.severity}>
            {tokenWarningMessage(warning, language)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** In the sandbox nobody knows the addresses: its tokens are offered. */
function SandboxTokens({ chain, onChoose }: { chain: Chain; onChoose: (address: string) => void }) {
  const { t } = useTranslation('token');
  const isSandbox = useNetworkKinds()[chain] === 'sandbox';
  const { data } = useRouteQuery('getSandbox', {}, { enabled: isSandbox });
  if (!isSandbox || !data) return null;
  return (
    <p className={classes.suggestions}>
      {t('sandbox')}{' '}
      {data[chain].tokens.map(({ address, symbol }) => (
        <Anchor
          key={address}
          component="button"
          type="button"
          size="sm"
          className={classes.suggestion}
          translate="no"
          onClick={() => onChoose(address)}
        >
          {symbol}
        </Anchor>
      ))}
    </p>
  );
}
