import { useEffect, useRef } from 'react';
import { Button } from '#ui/Button.tsx';
import { Drawing } from '#ui/drawings/Drawing.tsx';
import { sprig } from '#ui/drawings/plants.ts';
import type { SurveyState } from './survey-store.ts';

const WORDS: Record<
  Exclude<SurveyState['name'], 'open' | 'sending'>,
  { title: string; text: string }
> = {
  sent: {
    title: 'Thank you, we have your answers',
    text: 'They are counted together with everyone’s, and there is nothing more to do.',
  },
  answered: {
    title: 'You have answered already',
    text: 'Your personal link works once, and it was used. Your answers are with us; there is nothing more to do.',
  },
  'invitation-needed': {
    title: 'This survey needs a personal link',
    text: 'Open the link in the mail that invited you. It works for 90 days; ask your coach for a new one if it has run out.',
  },
  closed: {
    title: 'No survey is open at the moment',
    text: 'If you would like to tell us something about the help you had, write to us: a person reads it.',
  },
};

/** Shown in place of the questions when there is nothing (left) to answer. */
export function Closed({ state }: { state: keyof typeof WORDS }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // It takes the place of what had the focus.
  useEffect(() => heading.current?.focus(), []);
  const { title, text } = WORDS[state];
  return (
    <section className="mx-auto flex w-full max-w-[46rem] flex-col items-start gap-5">
      <Drawing picture={sprig} className="h-28" />
      <h1 ref={heading} tabIndex={-1} className="outline-none">
        {title}
      </h1>
      <p className="max-w-[60ch] text-lg text-muted">{text}</p>
      <div className="flex flex-wrap gap-3">
        <Button href="/">Home</Button>
        {state === 'closed' && (
          <Button variant="secondary" href="/contact">
            Write to us
          </Button>
        )}
      </div>
    </section>
  );
}
