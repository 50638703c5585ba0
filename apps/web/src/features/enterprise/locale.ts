import en from '../../locales/en/enterprise.json';
import tr from '../../locales/tr/enterprise.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('enterprise', { en, tr });
