import en from '../../locales/en/console.json';
import tr from '../../locales/tr/console.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('console', { en, tr });
