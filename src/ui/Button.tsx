import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { enabledWhenReady } from './until-ready.ts';

interface Look {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'small' | 'medium' | 'large';
  className?: string;
  children: ReactNode;
}

export type ButtonProps =
  | (Look & { href: string } & Omit<ComponentProps<'a'>, keyof Look>)
  | (Look & {
      href?: undefined;
      /** A request is pending: the button keeps the focus, but ignores clicks. */
      pending?: boolean;
      /** Disabled until the page is hydrated, because it does nothing before. */
      needsScript?: boolean;
    } & Omit<ComponentProps<'button'>, keyof Look>);

const Turning = () => (
  <svg viewBox="0 0 20 20" className="size-4 animate-turn" fill="none" aria-hidden="true">
    <circle cx="10" cy="10" r="7.5" className="stroke-current opacity-30" strokeWidth="2.5" />
    <path
      d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5"
      className="stroke-current"
      strokeWidth="2.5"
      strokeLinecap="round"
    />
  </svg>
);

/** A button, or a link that looks like one when it has an `href`. */
export function Button(props: ButtonProps) {
  const { variant = 'primary', size = 'medium', className, children, ...rest } = props;
  // The styles are in base.css, because links on static pages share them.
  const look = classNames(
    `button button-${variant}`,
    size !== 'medium' && `button-${size}`,
    className,
  );
  if (rest.href !== undefined) {
    return (
      <a {...rest} className={look}>
        {children}
      </a>
    );
  }
  const { pending = false, needsScript = false, onClick, ...own } = rest;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...own}
      {...(needsScript && enabledWhenReady(own))}
      onClick={press}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      className={look}
    >
      {pending && <Turning />}
      {children}
    </button>
  );
}
