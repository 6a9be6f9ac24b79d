import { useStore } from '@nanostores/react';
import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Survey } from '#data/survey.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Scale } from '#ui/forms/Scale.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Closed } from './Closed.tsx';
import { PrivacyPromise } from './PrivacyPromise.tsx';
import { createSurveyStore, type InitialAccess, type SurveyStore } from './survey-store.ts';

const AGREEMENT = [1, 2, 3, 4, 5];
const LIKELIHOOD = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Reads the token of a personal link. It's after the #, so browsers never send it to servers. */
const readInvitation = (hash: string) => /^#invitation=(.*)/.exec(hash)?.[1] ?? null;

interface SurveyProps {
  initial: Survey;
  /** How it can be answered, and the secret of the personal link, if the server knows them. */
  access?: InitialAccess;
  invitation?: string;
  /** Shown once there's nothing to answer; rendered on the server. */
  drawing?: ReactNode;
}

/** The engagement survey: thirteen optional questions on one page. Its form works without scripts. */
function SurveyScreen({ initial, access, invitation, drawing }: SurveyProps) {
  const [store] = useState(() => createSurveyStore(initial, undefined, access));
  const state = useStore(store.$state, { ssr: 'initial' });
  const survey = useStore(store.$survey, { ssr: 'initial' });
  const hasDeadLink = useStore(store.$hasDeadLink, { ssr: 'initial' });
  const [problem, setProblem] = useState<Problem>(null);
  const form = useRef<HTMLFormElement>(null);

  // Before anything is rendered again, which would reset what was chosen before hydration.
  useLayoutEffect(
    () =>
      store.open(
        invitation ?? readInvitation(location.hash),
        form.current && new FormData(form.current),
      ),
    [store, invitation],
  );

  if (state.name !== 'open' && state.name !== 'sending') {
    return <Closed state={state.name} drawing={drawing} />;
  }

  function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = store.findProblem();
    setProblem(found);
    if (found) {
      const place = found.comment === null ? 'input[type="radio"]' : `#comment-${found.comment}`;
      event.currentTarget.querySelector<HTMLElement>(place)?.focus();
    } else void store.send();
  }

  return (
    <form
      ref={form}
      method="post"
      action="/functions/v1/survey"
      onSubmit={submit}
      noValidate
      autoComplete="off"
      className="mx-auto w-full max-w-[46rem]"
    >
      <input type="hidden" name="survey" value={survey.id} />
      {invitation && <input type="hidden" name="invitation" value={invitation} />}
      <h1>{survey.title}</h1>
      <p className="mt-4 max-w-[60ch] text-lg text-muted">
        Thirteen questions, about three minutes. Skip any you like.
      </p>
      {hasDeadLink && (
        <Notice tone="caution" className="mt-8" title="Your personal link doesn’t work anymore">
          <p>It may have expired or been replaced by a newer one. You can still answer here.</p>
        </Notice>
      )}
      <PrivacyPromise privacy={survey.privacy} />
      <Questions
        store={store}
        survey={survey}
        problem={problem}
        disabled={state.name === 'sending'}
      />
      <div className="mt-9 flex flex-col items-start gap-5">
        {problem?.comment === null && (
          <Notice tone="caution" live="assertive">
            {problem.text}
          </Notice>
        )}
        {state.name === 'open' && state.failure && (
          <Notice tone="caution" live="assertive" title="We couldn’t send your answers">
            {state.failure.message} They’re saved in this browser.
          </Notice>
        )}
        <Button type="submit" size="large" pending={state.name === 'sending'}>
          Send
        </Button>
      </div>
    </form>
  );
}

type Problem = ReturnType<SurveyStore['findProblem']>;

interface QuestionsProps {
  store: SurveyStore;
  survey: Survey;
  problem: Problem;
  disabled: boolean;
}

function Questions({ store, survey, problem, disabled }: QuestionsProps) {
  const draft = useStore(store.$draft, { ssr: 'initial' });
  return (
    <fieldset disabled={disabled} className="mt-12 flex flex-col gap-11">
      <legend className="sr-only">Questions</legend>
      <h2>How much do you agree?</h2>
      {survey.statements.map((statement, place) => (
        <fieldset key={statement}>
          <legend className="mb-3 text-lg">
            <span className="mr-2 text-muted figures">{place + 1}.</span>
            {statement}
          </legend>
          <Scale
            name={`statement-${place}`}
            values={AGREEMENT}
            chosen={draft.agreement[place]}
            onChoose={(value) => store.agree(place, value)}
            onClear={() => store.agree(place, null)}
            low="not at all"
            high="completely"
          />
        </fieldset>
      ))}
      <fieldset>
        <legend className="mb-4 font-display text-xl font-heading">{survey.recommend}</legend>
        <Scale
          name="recommend"
          values={LIKELIHOOD}
          chosen={draft.recommend}
          onChoose={store.recommend}
          onClear={() => store.recommend(null)}
          low="not likely"
          high="very likely"
        />
      </fieldset>
      {survey.comments.map((question, place) => (
        <Field
          key={question}
          id={`comment-${place}`}
          name={`comment-${place}`}
          as={TextArea}
          label={question}
          optional
          value={draft.comments[place]}
          error={problem?.comment === place ? problem.text : undefined}
          onChange={({ target }: { target: HTMLTextAreaElement }) => {
            store.comment(place, target.value);
          }}
        />
      ))}
    </fieldset>
  );
}

export default screen(SurveyScreen);
