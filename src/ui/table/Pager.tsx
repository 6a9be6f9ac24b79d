import { type MouseEvent, type ReactNode, useRef } from 'react';

export interface PagerProps {
  /** URLs of the pages before and after this one; null if there's none. */
  previous: string | null;
  next: string | null;
  /** Changes the page without a reload. Without it, the browser follows the links. */
  onGo?: (way: 'previous' | 'next') => void;
  /** This page's position in the list. */
  children?: ReactNode;
}

/**
 * Links to the previous and next pages. At an end of the list, the link stays (disabled) and keeps
 * the focus, so that keyboard users aren't sent back to the top of the page.
 */
export function Pager({ previous, next, onGo, children }: PagerProps) {
  const used = useRef(false);
  if (previous || next) used.current = true;
  if (!used.current) return null;
  const look =
    'inline-flex min-h-11 items-center font-medium text-primary underline-offset-4 hover:underline aria-disabled:text-muted aria-disabled:no-underline';
  const link = (way: 'previous' | 'next', href: string | null) => {
    const label = way === 'next' ? 'Next page' : 'Previous page';
    if (href === null) {
      return (
        // biome-ignore lint/a11y/useValidAnchor: it is the link of before, which keeps the focus
        <a role="link" aria-disabled="true" tabIndex={-1} className={look}>
          {label}
        </a>
      );
    }
    const go = (event: MouseEvent) => {
      if (!onGo || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onGo(way);
    };
    return (
      <a href={href} rel={way === 'next' ? 'next' : 'prev'} className={look} onClick={go}>
        {label}
      </a>
    );
  };
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-4 text-sm">
      {link('previous', previous)}
      {children != null && <span className="text-muted">{children}</span>}
      {link('next', next)}
    </nav>
  );
}
