import type { TokenWarning } from '@kervan/contract';
import type { MintAccount } from './mint-account.ts';

/** A fee from which on a token is worse than merely costly. */
const graveFeeBps = 1_000;

/** What a person should know before trading a mint, the gravest first. */
export function mintWarnings(mint: MintAccount): TokenWarning[] {
  const warnings: TokenWarning[] = [];
  const warn = (code: TokenWarning['code'], severity: TokenWarning['severity'], context = {}) =>
    warnings.push({ code, severity, context });

  const feeContext = { percent: mint.transferFeeBps / 100 };
  if (!mint.isTransferable) warn('NON_TRANSFERABLE', 'danger');
  if (mint.permanentDelegate !== null) warn('PERMANENT_DELEGATE', 'danger');
  if (mint.isFrozenByDefault) warn('FROZEN_BY_DEFAULT', 'danger');
  if (mint.transferFeeBps >= graveFeeBps) warn('TRANSFER_FEE', 'danger', feeContext);
  if (mint.transferHookProgram !== null) warn('TRANSFER_HOOK', 'warning');
  if (mint.transferFeeBps > 0 && mint.transferFeeBps < graveFeeBps)
    warn('TRANSFER_FEE', 'warning', feeContext);
  if (mint.isPausable) warn('PAUSABLE', 'warning');
  if (mint.freezeAuthority !== null) warn('FREEZE_AUTHORITY', 'warning');
  return warnings;
}
