import en from '../../locales/en/history.json';
import tr from '../../locales/tr/history.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('history', { en, tr });
