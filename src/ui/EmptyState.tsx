import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Drawing } from './drawings/Drawing.tsx';
import { sprig } from './drawings/plants.ts';

export interface EmptyStateProps {
  title: ReactNode;
  children?: ReactNode;
  /** The one action that adds the first item. */
  action?: ReactNode;
  className?: string;
}

/** An empty list: what will show up here, and how to start. */
export function EmptyState({ title, children, action, className }: EmptyStateProps) {
  return (
    <div
      className={classNames(
        'flex flex-col items-center gap-x-6 gap-y-4 rounded-card border border-dashed border-line px-6 py-8 text-center sm:flex-row sm:text-left',
        className,
      )}
    >
      <Drawing picture={sprig} className="h-16 w-24 shrink-0" />
      <div className="grow">
        <p className="font-semibold">{title}</p>
        {children != null && (
          <div className="mt-0.5 max-w-prose text-sm text-pretty text-muted">{children}</div>
        )}
      </div>
      {action}
    </div>
  );
}
