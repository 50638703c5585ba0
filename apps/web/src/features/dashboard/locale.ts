import en from '../../locales/en/dashboard.json';
import tr from '../../locales/tr/dashboard.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('dashboard', { en, tr });
