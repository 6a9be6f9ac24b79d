import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { QuizVersion } from '#data/quiz.ts';
import { KIND_LABELS, QUIZ_KINDS, type QuizKind } from '#domain/attempt.ts';
import type { PreviewTool } from '#domain/tool.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { $ending, loadEnding } from '../ending.ts';
import { Quiz } from '../Quiz.tsx';
import { createQuizStore } from '../quiz-store.ts';
import { createTrialAnswers } from './trial-answers.ts';

interface TryOutProps {
  version: QuizVersion;
  tools: readonly PreviewTool[];
}

/** If it can't be loaded, the quiz says so when it's needed. */
const load = () => void loadEnding().catch(() => {});

/** The quiz as people take it, from this version's questions. Nothing is saved. */
export function TryOut({ version, tools }: TryOutProps) {
  const [kind, setKind] = useState<QuizKind>('full');
  const [run, setRun] = useState(0);
  const ending = useStore($ending, { ssr: 'initial' });
  return (
    <section aria-label="Preview" className="flex flex-col gap-5">
      <Notice title="This is a preview">
        It’s how people take the quiz. Your answers stay on this page, and nothing is saved.
      </Notice>
      <div className="flex flex-wrap gap-2">
        {QUIZ_KINDS.map((each) => (
          <Button
            key={each}
            size="small"
            variant={each === kind ? 'primary' : 'secondary'}
            needsScript
            aria-pressed={each === kind}
            onClick={() => setKind(each)}
          >
            {KIND_LABELS[each]}
          </Button>
        ))}
        <Button size="small" variant="quiet" needsScript onClick={() => setRun(run + 1)}>
          Start over
        </Button>
      </div>
      <Quiz
        key={`${kind} ${run}`}
        ending={ending}
        onLoad={load}
        tools={tools}
        open={() =>
          createQuizStore({
            version,
            kind,
            answers: createTrialAnswers(version, kind),
            leave: () => {},
          })
        }
      />
    </section>
  );
}
