import en from '../../locales/en/fastswap.json';
import tr from '../../locales/tr/fastswap.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('fastswap', { en, tr });
