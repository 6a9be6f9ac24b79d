import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { CloseButton } from './CloseButton.tsx';
import { classNames } from './class-names.ts';
import type { Trigger } from './Opener.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  /** The element that opens it, if any; the focus returns there. */
  trigger?: Trigger;
  /** Ignores Escape and clicks outside, so that input isn't lost by accident. */
  firm?: boolean;
  /** Called on closing, before the focus returns to its earlier element, which may be gone. */
  onCloseAutoFocus?: (event: Event) => void;
  className?: string;
}

const LOOK = classNames(
  'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] animate-rise flex-col gap-4 overflow-y-auto rounded-t-card border border-line bg-surface p-6 float',
  'sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[min(32rem,calc(100vw-2rem))] sm:-translate-1/2 sm:rounded-card',
);

/** A dialog that has been opened, with Radix; `Dialog` loads it. */
export function DialogWindow(props: DialogProps) {
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
        {/* Not Radix's overlay: it locks scrolling with a <style> element that our CSP blocks. */}
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
            // Radix only returns the focus to its own trigger.
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
