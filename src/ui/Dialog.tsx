import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { CloseButton } from './CloseButton.tsx';
import { classNames } from './class-names.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the one that goes ahead last. */
  footer?: ReactNode;
  /** The element that opens it, if there is one: the focus returns there. */
  trigger?: ReactNode;
  /** Ignores Escape and a press outside: for what must not be lost. */
  firm?: boolean;
  /** Called when it closes, before the focus goes back to where it was: that may be gone. */
  onCloseAutoFocus?: (event: Event) => void;
  className?: string;
}

const LOOK = classNames(
  'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] animate-rise flex-col gap-4 overflow-y-auto rounded-t-card border border-line bg-surface p-6 float',
  'sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[min(32rem,calc(100vw-2rem))] sm:-translate-1/2 sm:rounded-card',
);

/** A question to answer before anything else. It is at the bottom edge on a phone. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, children, footer, trigger, className } = props;
  const { firm = false } = props;
  const ignoreIfFirm = (event: Event) => {
    if (firm) event.preventDefault();
  };
  const opener = useRef<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger != null && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        {/* Not Radix's own overlay, which locks scrolling by a style element that the policy forbids. */}
        <div aria-hidden="true" data-veil className="fixed inset-0 z-40 animate-fade bg-veil" />
        <Radix.Content
          {...(description == null ? { 'aria-describedby': undefined } : {})}
          onEscapeKeyDown={ignoreIfFirm}
          onPointerDownOutside={ignoreIfFirm}
          onInteractOutside={ignoreIfFirm}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement as HTMLElement | null;
          }}
          onCloseAutoFocus={(event) => {
            props.onCloseAutoFocus?.(event);
            // Radix returns the focus to its own trigger only.
            if (event.defaultPrevented || trigger != null) return;
            event.preventDefault();
            opener.current?.focus();
          }}
          className={classNames(LOOK, className)}
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
              <CloseButton className="absolute top-3 right-3 hover:bg-raised" />
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
