import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title?: string;
  /** At the end of the title's line. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A surface on the canvas, with its h2 where it has a title. */
export function Panel({ title, aside, className = '', children }: PanelProps) {
  const id = useId();
  return (
    <section
      className={`${classes.panel} ${className}`}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && (
        <div className={classes.head}>
          <h2 id={id} className={classes.title}>
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
