import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './IconButton.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the one that does it last. */
  footer?: ReactNode;
  /** What opens it, when that is one element: the focus returns there. */
  trigger?: ReactNode;
  /** Escape and a press outside do nothing: for what must not be lost. */
  firm?: boolean;
  /** When it is closed, before the focus goes back to where it was: that may be gone. */
  onCloseAutoFocus?: (event: Event) => void;
  className?: string;
}

/** A question that must be settled before going on. Sits at the bottom edge on a phone. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    children,
    footer,
    trigger,
    firm = false,
    onCloseAutoFocus,
    className,
  } = props;
  const keep = (event: Event) => {
    if (firm) event.preventDefault();
  };
  const opener = useRef<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger != null && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        {/* Not Radix's own veil, which locks scrolling by a style element that the policy forbids. */}
        <div aria-hidden="true" data-veil className="fixed inset-0 z-40 animate-fade bg-veil" />
        <Radix.Content
          {...(description == null ? { 'aria-describedby': undefined } : {})}
          onEscapeKeyDown={keep}
          onPointerDownOutside={keep}
          onInteractOutside={keep}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement as HTMLElement | null;
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event);
            // Radix goes back to its own trigger, and where there is none to nothing.
            if (event.defaultPrevented || trigger != null) return;
            event.preventDefault();
            opener.current?.focus();
          }}
          className={classNames(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] animate-rise flex-col gap-4 overflow-y-auto rounded-t-card border border-line bg-surface p-6 float',
            'sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[min(32rem,calc(100vw-2rem))] sm:-translate-1/2 sm:rounded-card',
            className,
          )}
        >
          <div className="pr-10">
            <Radix.Title className="text-xl">{title}</Radix.Title>
            {description != null && (
              <Radix.Description className="mt-2 text-sm text-muted">
                {description}
              </Radix.Description>
            )}
          </div>
          {children}
          {footer != null && (
            <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{footer}</div>
          )}
          {!firm && (
            <Radix.Close asChild>
              <IconButton
                label="Close"
                className="absolute top-3 right-3 grid size-11 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink"
              >
                <svg
                  viewBox="0 0 20 20"
                  className="size-5 stroke-current"
                  fill="none"
                  strokeWidth="1.8"
                  strokeLinecap="round"
                  aria-hidden="true"
                >
                  <path d="m5 5 10 10M15 5 5 15" />
                </svg>
              </IconButton>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
