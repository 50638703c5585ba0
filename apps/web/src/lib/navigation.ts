import { createContext, use } from 'react';

/** The views of the shell (spec §2), in the order of the sidebar. */
export const SOLANA_VIEWS = ['dashboard', 'wallets', 'bots', 'fastswap', 'volumemaker'] as const;
export const BSC_VIEWS = [
  'walletsbsc',
  'botsbsc',
  'fastswapbsc',
  'volumemakerbsc',
  'vmhistory',
  'enterprise',
  'settings',
] as const;

export type ViewId = (typeof SOLANA_VIEWS)[number] | (typeof BSC_VIEWS)[number];

export const HOME: ViewId = 'dashboard';

/** What a view is opened for, besides being looked at. */
export type Intent = 'create';

export interface Place {
  view: ViewId;
  intent?: Intent;
}

export interface Navigation extends Place {
  readonly navigate: (view: ViewId, intent?: Intent) => void;
}

export const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (navigation === undefined) throw new Error('useNavigation needs the shell above it');
  return navigation;
}
