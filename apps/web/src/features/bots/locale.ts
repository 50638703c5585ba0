import en from '../../locales/en/bots.json';
import tr from '../../locales/tr/bots.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('bots', { en, tr });
