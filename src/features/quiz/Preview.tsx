import { useEffect, useState } from 'react';
import { DEFAULT_LANGUAGE } from '#domain/language.ts';
import { toolFor } from '#domain/tool.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { askedIn } from '#lib/routing/languages.ts';
import { hasSessionCookie } from '#lib/session-cookie.ts';
import { Button } from '#ui/Button.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { useLanguage, useSay } from '#ui/InLanguage.tsx';
import { petalsOf, sentenceOf } from './petals.ts';
import type { ResultProps } from './Quiz.tsx';
import type { QuizStore } from './quiz-store.ts';

/** A visitor's result, which exists only in this browser unless they create an account. */
export function Preview({ store, scored, heading, tools }: ResultProps) {
  const { version, kind } = store;
  const first = kind === 'first_look';
  const petals = petalsOf(version, scored);
  const say = useSay();
  const sentence = sentenceOf(version, scored, say);
  return (
    <div className="flex flex-col gap-6">
      <div>
        <p className="eyebrow">{first ? say('First look') : say('Preview')}</p>
        <h1 ref={heading} tabIndex={-1} className="mt-1 text-2xl outline-none">
          {first ? say('A sketch of your eight skills') : say('Your eight skills')}
        </h1>
        {sentence && <p className="mt-2 max-w-[60ch] text-lg">{sentence}</p>}
        <p className="mt-2 max-w-[60ch] text-muted">
          {first
            ? say(
                'One question per skill gives you a sketch, not a score to rely on. The full quiz asks four, and compares your answers with how sure you are.',
              )
            : say(
                'These results are only in this browser. Create an account to keep them, compare them next time, and get a tool for each skill.',
              )}
        </p>
      </div>
      <section
        aria-label={say('Your eight skills')}
        className="card grid items-center gap-x-10 gap-y-6 p-5 sm:p-8 md:grid-cols-2"
      >
        <Bloom petals={petals} grow className="mx-auto w-full max-w-96" />
        <div>
          <BloomTable
            petals={petals}
            caption={first ? say('First look') : say('Preview of your skills')}
          />
          {scored.overall_score !== null && !first && (
            <p className="mt-4 flex justify-between border-t border-line pt-3 text-sm font-semibold">
              <span>{say('Overall')}</span>
              <span className="figures">{Math.round(scored.overall_score)}</span>
            </p>
          )}
        </div>
      </section>
      <WorkOnFirst store={store} scored={scored} tools={tools} />
      {!store.answers.isTrial && <KeepIt store={store} />}
    </div>
  );
}

/** The weakest practice of the area that needs work most, what to do about it, and its tool. */
function WorkOnFirst({ store, scored, tools }: Omit<ResultProps, 'heading'>) {
  const say = useSay();
  const language = useLanguage();
  const [chosen] = scored.recommendations;
  const area = store.version.areas.find(({ key }) => key === chosen?.area_key);
  const question = store.version.questions.find(({ key }) => key === chosen?.reason_question_key);
  if (!area || !question) {
    return (
      <p className="text-muted">
        {say('Answer a few more questions to see what to work on first.')}
      </p>
    );
  }
  const level = scored.scores.find(({ area_key }) => area_key === area.key)?.level ?? null;
  const tool = toolFor(tools, { area_key: area.key, practice: question.key, level });
  const title = tool && say(tool.title);
  const untranslated = language !== DEFAULT_LANGUAGE && title === tool?.title;
  return (
    <section aria-labelledby="first" className="card p-5 sm:p-8">
      <p className="eyebrow">{say('What to work on first')}</p>
      <h2 id="first" className="mt-1 text-xl">
        {area.name}
      </h2>
      <p className="mt-3">
        <span className="text-muted">
          {store.kind === 'first_look' ? say('Habit to build') : say('Weakest practice')}:{' '}
        </span>
        {question.practice}.
      </p>
      <p className="mt-2 max-w-[64ch]">
        <span className="text-muted">{say('In the next 30 days')}: </span>
        {question.action}
      </p>
      {tool && (
        <p className="mt-2">
          <span className="text-muted">{say('A tool for it')}: </span>
          <a
            className="link"
            href={hrefFor('/toolbox/[slug]', { slug: tool.slug })}
            lang={untranslated ? DEFAULT_LANGUAGE : undefined}
          >
            {title}
          </a>{' '}
          <span className="text-muted">
            ({say('{type}, {minutes} minutes', { type: say(tool.type), minutes: tool.minutes })})
          </span>
        </p>
      )}
    </section>
  );
}

function KeepIt({ store }: { store: QuizStore }) {
  const [member, setMember] = useState(false);
  useEffect(() => setMember(hasSessionCookie(document.cookie)), []);
  const say = useSay();
  const language = useLanguage();
  const quiz = hrefFor('/dashboard/skills/quiz');
  const first = store.kind === 'first_look';
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        size="large"
        href={member ? `${quiz}?bring` : askedIn(language, hrefFor('/register'))}
      >
        {member
          ? say('Save these results to my account')
          : say('Create an account to save your results')}
      </Button>
      {first && !member && (
        <Button size="large" variant="secondary" href={askedIn(language, quiz)}>
          {say('Continue with the full quiz')}
        </Button>
      )}
      <Button variant="quiet" onClick={store.again}>
        {say('Change an answer')}
      </Button>
    </div>
  );
}
