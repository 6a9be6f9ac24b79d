import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useState } from 'react';
import { getPublishedId } from '#data/published-quiz.ts';
import type { QuizVersion } from '#data/quiz.ts';
import type { QuizKind } from '#domain/attempt.ts';
import type { Texts } from '#domain/language.ts';
import type { PreviewTool } from '#domain/tool.ts';
import { readVisitorAnswers } from '#lib/browser/visitor-answers.ts';
import { whenIdle } from '#lib/browser/when-idle.ts';
import { InLanguage } from '#ui/InLanguage.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { $ending, loadEnding } from './ending.ts';
import { Quiz } from './Quiz.tsx';
import { createQuizStore } from './quiz-store.ts';
import { createVisitorAnswers } from './visitor-answers.ts';

interface QuizProps {
  kind: QuizKind;
  /** What's shown before the first answer; rendered on the server. */
  intro?: ReactNode;
  version: QuizVersion;
  /** The tools for its practices. */
  tools: readonly PreviewTool[];
  /** Whether the page was prerendered, so a newer version of the quiz may be published. */
  isBuilt?: boolean;
  /** The texts in the reader's language, if it isn't English. */
  words?: Texts | undefined;
}

/** If it can't be loaded, the quiz says so when it's needed. */
const load = () => void loadEnding().catch(() => {});

/** The quiz for visitors without an account: first look or full. The result is a preview. */
function QuizScreen({ kind, intro, isBuilt = false, words, ...own }: QuizProps) {
  const [{ version, tools }, setShown] = useState<Shown>(own);
  const built = own.version;
  useEffect(() => (isBuilt ? lookForNewer(built, setShown) : undefined), [built, isBuilt]);
  const ending = useStore($ending, { ssr: 'initial' });
  return (
    <InLanguage words={words}>
      <Quiz
        key={version.id}
        ending={ending}
        onLoad={load}
        intro={intro}
        tools={tools}
        open={() => {
          const answers = createVisitorAnswers(version, kind);
          return createQuizStore({ version, kind, answers, leave: () => {}, hasIntro: true });
        }}
      />
    </InLanguage>
  );
}

type Shown = Pick<QuizProps, 'version' | 'tools'>;

/**
 * When the browser is idle, checks whether a newer version than the prerendered one is published.
 * Answers belong to a version: once the page's own has any, it stays. Returns the cleanup function.
 */
function lookForNewer(built: QuizVersion, replace: (shown: Shown) => void): () => void {
  let over = false;
  const isUntouched = () => {
    const kept = readVisitorAnswers();
    return !over && (!kept?.answers.length || kept.version_id !== built.id);
  };
  const look = async () => {
    if (!isUntouched()) return;
    try {
      if ((await getPublishedId()) === built.id) return;
      const { getPublishedQuiz, listPublishedTools } = await import('#data/quiz.ts');
      const [version, tools] = await Promise.all([getPublishedQuiz(), listPublishedTools()]);
      if (isUntouched()) replace({ version, tools });
    } catch {
      // Offline, or none published: the page's own questions still work.
    }
  };
  const cancel = whenIdle(() => void look());
  return () => {
    over = true;
    cancel();
  };
}

export default screen(QuizScreen);
