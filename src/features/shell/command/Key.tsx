import type { ReactNode } from 'react';

/** A key of the keyboard, in a text. */
export const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-small border border-edge px-1.5 font-text text-xs whitespace-nowrap text-muted figures">
    {children}
  </kbd>
);
