import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import classes from './chain-tag.module.css';

/** Which chain a row belongs to, in words. */
export function ChainTag({ chain }: { chain: Chain }) {
  const { t } = useTranslation();
  return <span className={classes.tag}>{t(`chain.${chain}`)}</span>;
}
