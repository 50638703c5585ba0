import {
  IconActivity,
  IconArrowsExchange,
  IconBolt,
  IconChartBar,
  IconFileText,
  IconHistory,
  IconLayoutDashboard,
  IconRobot,
  IconSettings,
  IconWallet,
} from '@tabler/icons-react';
import { lazy, type ComponentType } from 'react';
import type { ViewId } from '../lib/navigation.ts';

export interface View {
  icon: ComponentType<{ size?: number }>;
  component: ComponentType;
}

/** What each view id shows. A view is one line here; its code is loaded when it is first opened. */
export const views: Readonly<Record<ViewId, View>> = {
  dashboard: {
    icon: IconLayoutDashboard,
    component: lazy(async () => ({
      default: (await import('../features/dashboard/dashboard.tsx')).Dashboard,
    })),
  },
  wallets: {
    icon: IconWallet,
    component: lazy(async () => ({
      default: (await import('../features/wallets/solana-wallets.tsx')).SolanaWallets,
    })),
  },
  bots: {
    icon: IconRobot,
    component: lazy(async () => ({ default: (await import('./bot-views.tsx')).SolanaBots })),
  },
  fastswap: {
    icon: IconBolt,
    component: lazy(async () => ({
      default: (await import('../features/fast-swap/solana-fast-swap.tsx')).SolanaFastSwap,
    })),
  },
  volumemaker: {
    icon: IconChartBar,
    component: lazy(async () => ({
      default: (await import('../features/volume/solana-volume.tsx')).SolanaVolume,
    })),
  },
  walletsbsc: {
    icon: IconWallet,
    component: lazy(async () => ({
      default: (await import('../features/wallets/bsc-wallets.tsx')).BscWallets,
    })),
  },
  botsbsc: {
    icon: IconRobot,
    component: lazy(async () => ({ default: (await import('./bot-views.tsx')).BscBots })),
  },
  fastswapbsc: {
    icon: IconArrowsExchange,
    component: lazy(async () => ({
      default: (await import('../features/fast-swap/bsc-fast-swap.tsx')).BscFastSwap,
    })),
  },
  volumemakerbsc: {
    icon: IconActivity,
    component: lazy(async () => ({
      default: (await import('../features/volume/bsc-volume.tsx')).BscVolume,
    })),
  },
  vmhistory: {
    icon: IconHistory,
    component: lazy(async () => ({
      default: (await import('../features/history/trade-history.tsx')).TradeHistory,
    })),
  },
  enterprise: {
    icon: IconFileText,
    component: lazy(async () => ({
      default: (await import('../features/enterprise/enterprise-logs.tsx')).EnterpriseLogs,
    })),
  },
  settings: {
    icon: IconSettings,
    component: lazy(async () => ({ default: (await import('../features/settings/settings.tsx')).Settings })),
  },
};
