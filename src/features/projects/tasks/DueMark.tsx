import { dueWords } from '../project-words.ts';

interface DueProps {
  /** A day: `2026-11-28`. */
  due: string;
  today: string;
  /** There is still something to do: a day that has passed is late. */
  open: boolean;
}

/** When something is due; late in words and not by colour alone. */
export function DueMark({ due, today, open }: DueProps) {
  const { text, late } = dueWords(due, today, open);
  return (
    <time dateTime={due} className={late ? 'font-medium text-danger' : undefined}>
      {text}
    </time>
  );
}
