import { useState } from 'react';
import { useSay } from '#ui/InLanguage.tsx';
import type { Ending } from './ending.ts';
import type { QuestionListProps } from './QuestionList.tsx';

interface QuestionMapProps extends QuestionListProps {
  ending: Ending | null;
  /** Loads `ending`, which has the list. */
  onLoad: () => void;
}

/** An overview of all questions, to jump to one. Collapsed at first, and filled once it's opened. */
export function QuestionMap({ ending, onLoad, ...list }: QuestionMapProps) {
  const say = useSay();
  const [isOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    onLoad();
  };
  return (
    <details className="group mt-4" onToggle={open}>
      <summary className="mx-auto flex min-h-11 w-fit list-none items-center gap-2 rounded-control px-3 text-sm text-muted hover:bg-raised hover:text-ink">
        {say('All questions')}
        <svg
          viewBox="0 0 12 12"
          className="size-3 stroke-current transition-transform group-open:rotate-180"
          fill="none"
          strokeWidth="1.6"
          aria-hidden="true"
        >
          <path d="m2 4 4 4 4-4" />
        </svg>
      </summary>
      {isOpened && ending && <ending.QuestionList {...list} />}
    </details>
  );
}
