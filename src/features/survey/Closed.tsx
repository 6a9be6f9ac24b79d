import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '#ui/Button.tsx';
import type { SurveyState } from './survey-store.ts';

const WORDS: Record<
  Exclude<SurveyState['name'], 'open' | 'sending'>,
  { title: string; text: string }
> = {
  sent: {
    title: 'Thank you, we have your answers',
    text: 'We’ll count them together with everyone else’s. There’s nothing more for you to do.',
  },
  answered: {
    title: 'You’ve already answered',
    text: 'Your personal link works once, and you’ve used it. We have your answers, so there’s nothing more to do.',
  },
  'invitation-needed': {
    title: 'This survey needs a personal link',
    text: 'Open the link in your invitation email. It works for 90 days. If it has expired, ask your coach for a new one.',
  },
  closed: {
    title: 'No survey is open right now',
    text: 'If you’d like to tell us something about the help you got, write to us. A person will read it.',
  },
};

interface ClosedProps {
  state: keyof typeof WORDS;
  drawing: ReactNode;
}

/** Replaces the questions when there's nothing (left) to answer. */
export function Closed({ state, drawing }: ClosedProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // It replaces the form, which had focus.
  useEffect(() => heading.current?.focus(), []);
  const { title, text } = WORDS[state];
  return (
    <section className="mx-auto flex w-full max-w-[46rem] flex-col items-start gap-5">
      {drawing}
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
