import en from '../../locales/en/volume.json';
import tr from '../../locales/tr/volume.json';
import { addNamespace } from '../../lib/i18n.ts';

addNamespace('volume', { en, tr });
