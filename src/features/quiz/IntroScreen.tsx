import type { ReactNode } from 'react';
import type { QuizKind } from '#domain/attempt.ts';
import { type Say, sayer, type Texts } from '#domain/language.ts';
import { numberText } from '#lib/locale/numbers.ts';
import { Button } from '#ui/Button.tsx';
import { InLanguage, useSay } from '#ui/InLanguage.tsx';
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
  /** The day of the latest full quiz, in words, for someone who has taken one. */
  takenOn?: string | null;
  /** What starts it. */
  children: ReactNode;
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What the quiz is, how long it takes, that it's saved, and what answers help. */
export function Intro(props: IntroProps) {
  const { kind, questions, areas, savedIn, eyebrow, takenOn, children } = props;
  const say = useSay();
  const isFirst = kind === 'first_look';
  const points = [
    isFirst
      ? say('{count} questions, one for each skill. It takes about four minutes.', {
          count: upper(say(numberText(questions))),
        })
      : say('{count} questions about {areas} skills. It takes about 15 minutes.', {
          count: questions,
          areas: say(numberText(areas)),
        }),
    isFirst
      ? say('You’ll get a sketch of your skills and one thing to do this month.')
      : say('You’ll get a score for each skill and three things to work on.'),
    savedText(kind, savedIn, say),
    say(
      'Choose what’s true today, not what you have planned. A low answer only shows where to start.',
    ),
  ];
  return (
    <section className="card mx-auto mt-4 flex w-full max-w-[46rem] flex-col items-start gap-5 p-5 sm:p-10 md:mt-10">
      <div>
        {(eyebrow || !isFirst) && <p className="eyebrow">{eyebrow ?? say('Full quiz')}</p>}
        <h1 className="mt-1 text-2xl">
          {isFirst ? say('A first look at your business skills') : say('Business skills quiz')}
        </h1>
        {takenOn && (
          <p className="mt-3 max-w-[60ch]">
            {say('You took it on {day}. That result stays, and we’ll show what’s changed since.', {
              day: takenOn,
            })}
          </p>
        )}
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

function savedText(kind: QuizKind, savedIn: IntroProps['savedIn'], say: Say): string {
  if (kind === 'first_look') {
    return say('Your answers are saved in this browser. You don’t need an account.');
  }
  return savedIn === 'account'
    ? say('We save each answer right away, so you can stop anytime and pick it up on any device.')
    : say(
        'Your answers are saved in this browser until you create an account, so you can stop anytime.',
      );
}

interface VisitorIntroProps extends Omit<IntroProps, 'savedIn' | 'children'> {
  /** The texts in the reader's language, if it isn't English. */
  words?: Texts | undefined;
}

/** A visitor's intro. Needs no JavaScript: its link shows the first question. */
function IntroScreen({ words, ...props }: VisitorIntroProps) {
  const say = sayer(words);
  return (
    <InLanguage words={words}>
      <Intro {...props} savedIn="browser">
        <Button size="large" href="#questions" className="max-sm:w-full">
          {say('Start')}
        </Button>
      </Intro>
    </InLanguage>
  );
}

export default screen(IntroScreen);
