import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { LineIcon } from './LineIcon.tsx';

/** The circle around each of them. */
const CIRCLE = 'M17.6 10a7.6 7.6 0 1 1-15.2 0 7.6 7.6 0 0 1 15.2 0Z';
const ATTENTION = 'M10 5.8v5M10 13.7v.1';
const tones = {
  info: { box: 'border-line bg-raised', icon: 'text-muted', path: 'M10 9v5M10 6.2v.1' },
  good: {
    box: 'border-transparent bg-primary-soft',
    icon: 'text-primary',
    path: 'm6.5 10.3 2.4 2.4 4.8-5',
  },
  caution: { box: 'border-transparent bg-caution-soft', icon: 'text-caution', path: ATTENTION },
  danger: { box: 'border-transparent bg-danger-soft', icon: 'text-danger', path: ATTENTION },
} as const;

export interface NoticeProps {
  tone?: keyof typeof tones;
  title?: ReactNode;
  children?: ReactNode;
  /** What to do about it: a button or a link. */
  action?: ReactNode;
  /** Announced when it appears: `polite` waits for a pause, `assertive` doesn't. */
  live?: 'polite' | 'assertive';
  className?: string;
}

/** An inline message, next to what it's about. */
export function Notice({ tone = 'info', title, children, action, live, className }: NoticeProps) {
  const { box, icon, path } = tones[tone];
  return (
    <div
      role={live === 'assertive' ? 'alert' : live === 'polite' ? 'status' : undefined}
      className={classNames('flex gap-3 rounded-control border p-4 text-sm', box, className)}
    >
      <LineIcon d={path + CIRCLE} className={classNames('mt-px size-5 shrink-0', icon)} />
      <div className="flex min-w-0 grow flex-col gap-1">
        {title != null && <p className="font-semibold">{title}</p>}
        {children != null && <div>{children}</div>}
        {action != null && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
