import type auth from './locales/en/auth.json';
import type bots from './locales/en/bots.json';
import type common from './locales/en/common.json';
import type console from './locales/en/console.json';
import type dashboard from './locales/en/dashboard.json';
import type enterprise from './locales/en/enterprise.json';
import type history from './locales/en/history.json';
import type fastswap from './locales/en/fastswap.json';
import type settings from './locales/en/settings.json';
import type shell from './locales/en/shell.json';
import type token from './locales/en/token.json';
import type volume from './locales/en/volume.json';
import type wallets from './locales/en/wallets.json';

// Makes every key that is translated a checked one.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      auth: typeof auth;
      bots: typeof bots;
      common: typeof common;
      console: typeof console;
      dashboard: typeof dashboard;
      enterprise: typeof enterprise;
      history: typeof history;
      fastswap: typeof fastswap;
      settings: typeof settings;
      shell: typeof shell;
      token: typeof token;
      volume: typeof volume;
      wallets: typeof wallets;
    };
  }
}
