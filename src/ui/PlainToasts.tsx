import { Button } from './Button.tsx';
import { classNames } from './class-names.ts';
import type { ToasterProps } from './Toaster.tsx';

/** Toasts that stay until they're closed, for where the Toaster isn't loaded, or not yet. */
export function PlainToasts({
  toasts,
  onDismiss,
  className,
}: ToasterProps & { className: string }) {
  return (
    <div
      role="status"
      className={classNames(
        'no-print pointer-events-none fixed right-0 z-50 flex w-full max-w-md flex-col gap-4 p-4 sm:p-6',
        className,
      )}
    >
      {toasts.map(({ id, title, text, action }) => (
        <div
          key={id}
          className="card pointer-events-auto flex animate-rise flex-wrap items-center gap-x-2 py-2 pr-2 pl-5 float"
        >
          <div className="grow basis-40 text-sm">
            <p className="font-semibold">{title}</p>
            {text && <p className="text-muted">{text}</p>}
          </div>
          {action && (
            <Button variant="quiet" onClick={action.onPress}>
              {action.label}
            </Button>
          )}
          <Button variant="quiet" onClick={() => onDismiss(id)}>
            Later
          </Button>
        </div>
      ))}
    </div>
  );
}
