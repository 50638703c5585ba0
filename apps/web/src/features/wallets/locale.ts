import en from '../../locales/en/wallets.json';
import tr from '../../locales/tr/wallets.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('wallets', { en, tr });
