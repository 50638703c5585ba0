import en from '../../locales/en/settings.json';
import tr from '../../locales/tr/settings.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('settings', { en, tr });
