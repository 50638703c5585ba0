import { shorten } from '../lib/format.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './address.module.css';

interface AddressProps {
  /** An address, public key, signature or hash. */
  value: string;
  /** What it is, for the copy button's label; no button without it. */
  what?: string;
  /** Characters kept at each end; without it the whole is shown, breaking over lines. */
  ends?: readonly [head: number, tail: number];
}

/** An address in mono, whole on hover, with its copy button. */
export function Address({ value, what, ends }: AddressProps) {
  return (
    <span className={classes.address}>
      <code className={classes.text} translate="no" title={value}>
        {ends === undefined ? value : shorten(value, ...ends)}
      </code>
      {what !== undefined && <CopyButton text={value} what={what} />}
    </span>
  );
}
