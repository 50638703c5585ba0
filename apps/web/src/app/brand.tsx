import { useTranslation } from 'react-i18next';
import classes from './brand.module.css';

/** The product's name and what it is. */
export function Brand() {
  const { t } = useTranslation('shell');
  return (
    <div className={classes.brand}>
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path
          d="M9 7v18M23 7 11.500 16 23 25"
          fill="none"
          stroke="currentColor"
          strokeWidth="3.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <div>
        <div className={classes.name} translate="no">
          {t('product')}
        </div>
        <div className={classes.subtitle}>{t('subtitle')}</div>
      </div>
    </div>
  );
}
