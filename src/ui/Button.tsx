import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
type ButtonSize = 'small' | 'medium' | 'large';

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string;
  children: ReactNode;
}

export type ButtonProps =
  | (Look & { href: string } & Omit<ComponentProps<'a'>, keyof Look>)
  | (Look & {
      href?: undefined;
      /** Something was sent and has not been answered: the button keeps the focus and waits. */
      pending?: boolean;
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
  const { variant = 'primary', size = 'medium', className, children } = props;
  // The look is in base.css: links of static pages share it.
  const look = classNames(
    `button button-${variant}`,
    size !== 'medium' && `button-${size}`,
    className,
  );

  if (props.href !== undefined) {
    const { variant: _v, size: _s, className: _c, children: _ch, ...rest } = props;
    return (
      <a {...rest} className={look}>
        {children}
      </a>
    );
  }

  const {
    variant: _v,
    size: _s,
    className: _c,
    children: _ch,
    pending = false,
    onClick,
    ...rest
  } = props;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
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
