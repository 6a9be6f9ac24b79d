import type { ReactNode } from 'react';
import type { QuizKind } from '#domain/attempt.ts';
import { numberText } from '#lib/locale/numbers.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

interface IntroProps {
  kind: QuizKind;
  /** How many questions and areas it has. */
  questions: number;
  areas: number;
  /** Where answers are saved: with the account, or for a visitor in this browser. */
  savedIn: 'account' | 'browser';
  /** Whose quiz it is, above the title. */
  eyebrow?: string;
  /** What starts it. */
  children: ReactNode;
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What the quiz is, how long it takes, that it's saved, and what answers help. */
export function Intro({ kind, questions, areas, savedIn, eyebrow, children }: IntroProps) {
  const isFirst = kind === 'first_look';
  const points = [
    isFirst
      ? `${upper(numberText(questions))} questions, one for each skill. It takes about four minutes.`
      : `${questions} questions about ${numberText(areas)} skills. It takes about 15 minutes.`,
    isFirst
      ? 'You’ll get a sketch of your skills and one thing to do this month.'
      : 'You’ll get a score for each skill and three things to work on.',
    SAVED[kind === 'full' && savedIn === 'account' ? 'account' : kind],
    'Choose what’s true today, not what you have planned. A low answer only shows where to start.',
  ];
  return (
    <section className="card mx-auto flex w-full max-w-[46rem] flex-col items-start gap-5 p-5 sm:p-10">
      <div>
        <p className="eyebrow">{eyebrow ?? (isFirst ? 'First look' : 'Full quiz')}</p>
        <h1 className="mt-1 text-2xl">
          {isFirst ? 'A first look at your business skills' : 'Business skills quiz'}
        </h1>
      </div>
      <ul className="flex max-w-[60ch] list-disc flex-col gap-2 pl-5 marker:text-muted">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {children}
    </section>
  );
}

const SAVED = {
  account: 'We save each answer right away, so you can stop anytime and pick it up on any device.',
  full: 'Your answers are saved in this browser until you create an account, so you can stop anytime.',
  first_look: 'Your answers are saved in this browser. You don’t need an account.',
} as const;

/** A visitor's intro. Needs no JavaScript: its link shows the first question. */
function IntroScreen(props: Omit<IntroProps, 'savedIn' | 'children'>) {
  return (
    <Intro {...props} savedIn="browser">
      <Button size="large" href="#questions">
        Start
      </Button>
    </Intro>
  );
}

export default screen(IntroScreen);
