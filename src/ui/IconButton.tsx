import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { installTooltips } from './tooltips.ts';

interface Named {
  /** What it does. It's the button's name, and shown on hover and on keyboard focus. */
  label: string;
  /** What is shown instead, where the name is long because it says which one. */
  tip?: string;
  /** An icon. */
  children: ReactNode;
}

type Own = keyof Named | 'aria-label' | 'title';

export type IconButtonProps =
  | (Named & { href: string } & Omit<ComponentProps<'a'>, Own>)
  | (Named & { href?: undefined } & Omit<ComponentProps<'button'>, Own>);

/** A button that shows only an icon, or a link where it has an `href`: a name and a tooltip always come with it. */
export function IconButton({ label, tip = label, children, ...rest }: IconButtonProps) {
  useEffect(installTooltips, []);
  if (rest.href !== undefined) {
    return (
      <a {...rest} href={rest.href} aria-label={label} data-tooltip={tip}>
        {children}
      </a>
    );
  }
  return (
    <button type="button" {...rest} aria-label={label} data-tooltip={tip}>
      {children}
    </button>
  );
}
