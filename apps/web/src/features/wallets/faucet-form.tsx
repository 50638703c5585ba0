import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useId, useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain } from '@kervan/contract';
import { errorText } from '../../lib/api-error.ts';
import { parseDecimalInput } from '../../lib/decimal.ts';
import { formatExact } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useRouteMutation, useRouteQuery } from '../../lib/query.ts';
import { Address } from '../../ui/address.tsx';
import { FormErrors, type FormError } from '../../ui/form-errors.tsx';
import { Notice } from './notice.tsx';
import type { WalletView } from './wallet-view.ts';

interface FaucetFormProps {
  chain: Chain;
  wallet: WalletView;
  onGranted: () => Promise<void>;
}

interface Grant {
  amount: string;
  symbol: string;
  txId: string;
}

const DEFAULT_AMOUNT = '10';
/** The coin of the chain itself among the tokens' addresses. */
const COIN = '';

/** Asks the sandbox for coins or tokens, as much as one likes. */
export function FaucetForm({ chain, wallet, onGranted }: FaucetFormProps) {
  const { t } = useTranslation('wallets');
  const language = useLanguage();
  const id = useId();
  const sandbox = useRouteQuery('getSandbox', {});
  const faucet = useRouteMutation('faucet', { invalidates: ['walletTransactions'] });
  const [tokenAddress, setTokenAddress] = useState(COIN);
  const [text, setText] = useState(DEFAULT_AMOUNT);
  const [problem, setProblem] = useState<'amount' | { failure: unknown }>();
  const [attempt, setAttempt] = useState(0);
  const [grant, setGrant] = useState<Grant>();
  const tokens = sandbox.data?.[chain].tokens ?? [];
  const { symbol: coin } = NATIVE[chain];
  const symbol = tokens.find((token) => token.address === tokenAddress)?.symbol ?? coin;

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    setGrant(undefined);
    setProblem(undefined);
    const amount = parseDecimalInput(text, language);
    if (amount === undefined || !/[1-9]/.test(amount)) return refuse('amount');
    const asked = { chain, address: wallet.address, amount, ...(tokenAddress !== COIN && { tokenAddress }) };
    try {
      const { txId } = await faucet.mutateAsync({ body: asked });
      setGrant({ amount, symbol, txId });
      await onGranted();
    } catch (failure) {
      refuse({ failure });
    }
  }

  function refuse(reason: 'amount' | { failure: unknown }): void {
    setProblem(reason);
    setAttempt((count) => count + 1);
  }

  const errors: FormError[] = [];
  if (problem === 'amount') errors.push({ fieldId: id, text: t('amount_invalid') });
  else if (problem) errors.push({ text: errorText(problem.failure, language) });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <FormErrors errors={errors} attempt={attempt} />
        <NativeSelect
          label={t('asset')}
          value={tokenAddress}
          onChange={(event) => setTokenAddress(event.currentTarget.value)}
          data={[
            { value: COIN, label: coin },
            ...tokens.map(({ address, symbol: short, name }) => ({
              value: address,
              label: `${short} · ${name}`,
            })),
          ]}
        />
        <TextInput
          id={id}
          label={t('amount', { symbol })}
          inputMode="decimal"
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(undefined);
          }}
          error={problem === 'amount' && t('amount_invalid')}
        />
        <div>
          <Button type="submit" loading={faucet.isPending} fullWidth>
            {t('request')}
          </Button>
          <div role="status">
            {grant && (
              <Notice
                tone="gain"
                title={t('granted', { amount: formatExact(grant.amount, language), symbol: grant.symbol })}
              >
                {t('transaction')} <Address value={grant.txId} ends={[8, 8]} what={t('signature')} />
              </Notice>
            )}
          </div>
        </div>
      </Stack>
    </form>
  );
}
