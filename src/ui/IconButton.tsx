import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { whenIdle } from '#lib/browser/when-idle.ts';

interface Named {
  /** What it does: the button's accessible name, and its tooltip on hover and keyboard focus. */
  label: string;
  /** A shorter tooltip, if the name is long because it says which item it's for. */
  tip?: string;
  /** An icon. */
  children: ReactNode;
}

type Own = keyof Named | 'aria-label' | 'title';

export type IconButtonProps =
  | (Named & { href: string } & Omit<ComponentProps<'a'>, Own>)
  | (Named & { href?: undefined } & Omit<ComponentProps<'button'>, Own>);

let isLoading = false;

/**
 * Loads the page's tooltips once, for elements with a `data-tooltip`. Without them, as offline, a button
 * still has its name.
 */
export function loadTooltips(): void {
  if (isLoading) return;
  isLoading = true;
  whenIdle(() => {
    void import('./tooltips.ts').then(
      ({ installTooltips }) => installTooltips(),
      () => {},
    );
  });
}

/** An icon button, or a link if it has an `href`. It always has a name and a tooltip. */
export function IconButton({ label, tip = label, children, ...rest }: IconButtonProps) {
  useEffect(loadTooltips, []);
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
