import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type NoticeTone = 'info' | 'good' | 'caution' | 'danger';

const tones: Record<NoticeTone, { box: string; icon: string; path: string }> = {
  info: {
    box: 'border-line bg-raised',
    icon: 'text-muted',
    path: 'M10 9v5M10 6.2v.1',
  },
  good: {
    box: 'border-transparent bg-primary-soft',
    icon: 'text-primary',
    path: 'm6.5 10.3 2.4 2.4 4.8-5',
  },
  caution: {
    box: 'border-transparent bg-caution-soft',
    icon: 'text-caution',
    path: 'M10 5.8v5M10 13.7v.1',
  },
  danger: {
    box: 'border-transparent bg-danger-soft',
    icon: 'text-danger',
    path: 'M10 5.8v5M10 13.7v.1',
  },
};

export interface NoticeProps {
  tone?: NoticeTone;
  title?: ReactNode;
  children?: ReactNode;
  /** What to do about it: a button or a link. */
  action?: ReactNode;
  /** Announced when it appears: `polite` waits for a pause, `assertive` does not. */
  live?: 'polite' | 'assertive';
  className?: string;
}

/** Something to know, beside what it is about. */
export function Notice({ tone = 'info', title, children, action, live, className }: NoticeProps) {
  const { box, icon, path } = tones[tone];
  return (
    <div
      role={live === 'assertive' ? 'alert' : live === 'polite' ? 'status' : undefined}
      className={classNames('flex gap-3 rounded-control border p-4 text-sm', box, className)}
    >
      <svg
        viewBox="0 0 20 20"
        className={classNames('mt-px size-5 shrink-0 stroke-current', icon)}
        fill="none"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <circle cx="10" cy="10" r="7.6" />
        <path d={path} />
      </svg>
      <div className="flex min-w-0 grow flex-col gap-1">
        {title != null && <p className="font-semibold">{title}</p>}
        {children != null && <div>{children}</div>}
        {action != null && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
