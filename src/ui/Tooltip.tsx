import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** Milliseconds before a tooltip opens, and within which the next one opens at once (specification). */
export const TOOLTIP_OPEN_DELAY = 700;
export const TOOLTIP_SKIP_DELAY = 300;

/** Stands once around a screen, so that tooltips know of each other. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={TOOLTIP_OPEN_DELAY} skipDelayDuration={TOOLTIP_SKIP_DELAY}>
      {children}
    </Radix.Provider>
  );
}

export interface TooltipProps {
  /** A few words; never the only place where something is said. */
  text: ReactNode;
  /** One element that can have the focus. */
  children: ReactNode;
}

/** A few words about a control, on hover and on focus. Needs a TooltipProvider around it. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-w-64 animate-fade rounded-small bg-ink px-2.5 py-1.5 text-xs text-paper float"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
