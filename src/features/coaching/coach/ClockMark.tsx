import { classNames } from '#ui/class-names.ts';
import type { Clock } from '../when.ts';

interface ClockProps {
  clock: Clock | null;
  /** On one line, or what's due above by when. */
  isStacked?: boolean;
  className?: string;
}

/** What's due and by when. Text says that it's late, not color alone. */
export function ClockMark({ clock, isStacked = false, className }: ClockProps) {
  if (!clock) return <span className={classNames('text-muted', className)}>Nothing due</span>;
  const { what, when, isLate } = clock;
  return (
    <span className={className}>
      <span className={isStacked ? 'block font-medium' : 'font-medium'}>{what}</span>
      {!isStacked && ' · '}
      <span
        className={classNames(
          isStacked && 'block text-xs',
          'whitespace-nowrap',
          isLate ? 'font-medium text-danger' : 'text-muted',
        )}
      >
        {when}
      </span>
    </span>
  );
}
