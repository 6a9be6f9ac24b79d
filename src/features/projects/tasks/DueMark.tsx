import { dueState } from '#domain/project.ts';
import { nearDayText } from '#lib/dates.ts';

interface DueProps {
  /** A day: `2026-11-28`. */
  due: string;
  today: string;
  /** There is still something to do: a day that has passed is late. */
  open: boolean;
}

/** When something is due; late in words and not by colour alone. */
export function DueMark({ due, today, open }: DueProps) {
  const state = dueState(due, today, open);
  const day = nearDayText(due, today);
  return (
    <time dateTime={due} className={state === 'late' ? 'font-medium text-danger' : undefined}>
      {state === 'late' ? `Was due ${day}` : state === 'today' ? 'Due today' : `Due ${day}`}
    </time>
  );
}
