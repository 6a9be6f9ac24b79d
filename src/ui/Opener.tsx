import { type ComponentProps, cloneElement, type ReactElement } from 'react';

/** A button, as passed to a menu or a dialog that it opens. */
export type Trigger = ReactElement<ComponentProps<'button'>>;

interface Options {
  trigger: Trigger;
  opens: 'menu' | 'dialog';
  /** It was pressed, and what it opens is still loading. */
  isOpening: boolean;
  onOpen: (by: 'pointer' | 'keyboard') => void;
  /** The focus left the button. */
  onLeave?: () => void;
}

/**
 * Renders the button of a menu or a dialog that hasn't been opened yet, with the semantics of
 * Radix's. It's no component, which would cost a list with many menus time to hydrate.
 */
export function renderOpener({ trigger, opens, isOpening, onOpen, onLeave }: Options) {
  const own = trigger.props;
  return cloneElement(trigger, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    ...(isOpening && { 'data-opening': '' }),
    onClick(event) {
      own.onClick?.(event);
      // Enter and Space click as well, without a count of clicks.
      if (!event.defaultPrevented) onOpen(event.detail === 0 ? 'keyboard' : 'pointer');
    },
    onKeyDown(event) {
      own.onKeyDown?.(event);
      if (opens !== 'menu' || event.key !== 'ArrowDown' || event.defaultPrevented) return;
      event.preventDefault();
      onOpen('keyboard');
    },
    onBlur(event) {
      own.onBlur?.(event);
      onLeave?.();
    },
  });
}
