import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

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

const shape =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-semibold leading-tight text-center no-underline transition-colors aria-disabled:cursor-default disabled:cursor-not-allowed disabled:opacity-55';

const variants: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-primary text-primary-ink hover:bg-primary-strong active:bg-primary-strong',
  secondary: 'border-line bg-surface text-ink hover:border-edge hover:bg-raised',
  quiet: 'border-transparent text-primary hover:bg-primary-soft',
  danger: 'border-danger text-danger bg-surface hover:bg-danger-soft',
};

// 44 px where a finger presses; a mouse does with less.
const sizes: Record<ButtonSize, string> = {
  small: 'min-h-9 pointer-coarse:min-h-11 px-3 text-xs',
  medium: 'min-h-11 px-4 py-2 text-sm',
  large: 'min-h-13 px-6 py-3 text-base',
};

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
  const look = classNames(shape, variants[variant], sizes[size], className);

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
