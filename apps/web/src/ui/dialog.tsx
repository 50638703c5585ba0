import { CloseButton } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useRef, type ReactNode, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog.module.css';

interface DialogProps {
  isOpen: boolean;
  /** Esc, the close button, and where allowed a click beside it. May be called when it is closed already. */
  onClose: () => void;
  title: string;
  /** An alert dialog has no way out but its buttons and Esc. */
  role?: 'dialog' | 'alertdialog';
  /** A sheet comes from the bottom edge. */
  shape?: 'box' | 'sheet';
  /** 1 where the page behind has no h1. */
  level?: 1 | 2;
  closesBeside?: boolean;
  children: ReactNode;
}

/**
 * A modal layer on the browser's own dialog, which holds and returns the focus, and keeps the page behind inert.
 * The focus begins at `data-autofocus` or the first field. Used by what every page needs: it costs almost no code.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  role = 'dialog',
  shape = 'box',
  level = 2,
  closesBeside = false,
  children,
}: DialogProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const bodyId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const Heading = level === 1 ? 'h1' : 'h2';
  useEffect(() => {
    const element = dialog.current;
    if (isOpen) {
      element?.showModal();
      element?.querySelector<HTMLElement>('[data-autofocus], input')?.focus();
    } else element?.close();
  }, [isOpen]);

  const closeBeside = useEffectEvent(({ target }: MouseEvent) => {
    if (closesBeside && target === dialog.current) onClose();
  });
  function cancel(event: SyntheticEvent): void {
    // Left to itself the browser gives the focus back before it tells of the end: a key pressed in between would
    // open a layer that still counts as open.
    event.preventDefault();
    onClose();
  }

  function tellEnd(): void {
    // The browser tells late: by then it may be open once more.
    if (dialog.current?.open === false) onClose();
  }

  useEffect(() => {
    // For the pointer only: the keyboard's way is Esc, so this is no control that needs a role and a name.
    const element = dialog.current;
    const onClick = (event: MouseEvent) => closeBeside(event);
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, []);

  return (
    <dialog
      ref={dialog}
      role={role}
      className={classes.dialog}
      data-shape={shape}
      aria-labelledby={titleId}
      aria-describedby={role === 'alertdialog' ? bodyId : undefined}
      onCancel={cancel}
      onClose={tellEnd}
    >
      {isOpen && (
        <div className={classes.content}>
          <div className={classes.head}>
            <Heading id={titleId} className={classes.title}>
              {title}
            </Heading>
            {role === 'dialog' && <CloseButton aria-label={t('action.close')} onClick={onClose} />}
          </div>
          <div id={bodyId}>{children}</div>
        </div>
      )}
    </dialog>
  );
}
