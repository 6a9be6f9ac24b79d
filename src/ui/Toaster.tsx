import { Toast as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import { CloseButton } from './CloseButton.tsx';
import { classNames } from './class-names.ts';

/** From the specification: at most 5 toasts at a time, for 5,000 ms, closed by a 50 px swipe. */
export const TOAST_LIMIT = 5;
export const TOAST_DURATION = 5000;
export const TOAST_SWIPE = 50;

export interface ToastItem {
  id: string;
  /** `bad` is announced immediately. */
  tone?: 'info' | 'good' | 'bad';
  title: ReactNode;
  text?: ReactNode;
  action?: { label: string; onPress: () => void };
  /** Stays until the user acts on it or closes it. */
  lasting?: boolean;
}

export interface ToasterProps {
  /** The queue, oldest first; the newest five are shown. */
  toasts: readonly ToastItem[];
  onDismiss: (id: string) => void;
}

const tones = {
  info: 'bg-muted',
  good: 'bg-leaf-light',
  bad: 'bg-clay',
} as const;

interface ToastProps {
  toast: ToastItem;
  onDismiss: (id: string) => void;
}

function Toast({ toast, onDismiss }: ToastProps) {
  const { id, tone = 'info', title, text, action, lasting = false } = toast;
  return (
    <Radix.Root
      type={tone === 'bad' ? 'foreground' : 'background'}
      {...(lasting && { duration: Number.POSITIVE_INFINITY })}
      onOpenChange={(open) => {
        if (!open) onDismiss(id);
      }}
      className="card relative flex animate-rise items-start gap-3 overflow-hidden py-3 pr-2 pl-5 float data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      <span
        className={classNames('absolute inset-y-0 left-0 w-1.5', tones[tone])}
        aria-hidden="true"
      />
      {/* The action wraps below the text if the text needs the space. */}
      <div className="flex min-w-0 grow flex-wrap items-start gap-x-3">
        <div className="min-w-0 grow basis-48 py-1 text-sm">
          <Radix.Title className="font-semibold">{title}</Radix.Title>
          {text != null && <Radix.Description className="text-muted">{text}</Radix.Description>}
        </div>
        {action && (
          <Radix.Action
            altText={action.label}
            onClick={action.onPress}
            className="-ml-3 min-h-11 shrink-0 rounded-control px-3 text-sm font-semibold text-primary hover:bg-primary-soft sm:ml-0"
          >
            {action.label}
          </Radix.Action>
        )}
      </div>
      <Radix.Close asChild>
        <CloseButton />
      </Radix.Close>
    </Radix.Root>
  );
}

/** The page's toasts, bottom right, 16 px apart. Render it once per page. */
export function Toaster({ toasts, onDismiss }: ToasterProps) {
  // Radix sets a style attribute on its region, which our CSP blocks in server-rendered HTML;
  // there's nothing to show before hydration anyway.
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  if (!isHydrated) return null;
  return (
    <Radix.Provider duration={TOAST_DURATION} swipeThreshold={TOAST_SWIPE} swipeDirection="right">
      {toasts.slice(-TOAST_LIMIT).map((toast) => (
        <Toast key={toast.id} toast={toast} onDismiss={onDismiss} />
      ))}
      <Radix.Viewport className="fixed right-0 bottom-14 z-50 lg:bottom-0 flex w-full max-w-md flex-col gap-4 p-4 outline-none sm:p-6" />
    </Radix.Provider>
  );
}
