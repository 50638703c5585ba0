import type { ComponentProps, MouseEvent } from 'react';

type ButtonProps = ComponentProps<'button'> & { 'data-loading'?: boolean };

function waits(event: MouseEvent): void {
  // Neither its own action nor its form's.
  event.preventDefault();
}

/**
 * What Mantine's buttons are made of. While one loads, Mantine disables it, and a button that is disabled loses the
 * focus: whoever pressed it by keyboard would have to begin again at the top of the page. Here it keeps the focus and
 * does nothing.
 */
export function buttonRoot(props: ButtonProps | ComponentProps<'a'>) {
  if ('href' in props) return <a {...props}>{props.children}</a>;
  const { disabled, onClick, ...rest } = props as ButtonProps; // only a link has an address
  const isLoading = rest['data-loading'] === true;
  return (
    <button
      {...rest}
      disabled={disabled === true && !isLoading}
      aria-disabled={isLoading || rest['aria-disabled']}
      onClick={isLoading ? waits : onClick}
    />
  );
}
