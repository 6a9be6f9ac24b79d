import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Texts } from '#domain/language.ts';
import { answersQuestion } from '#lib/answers-question.ts';
import { pendingClaim } from '#lib/browser/pending-claim.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { InLanguage, useSay } from '#ui/InLanguage.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Intro } from './IntroScreen.tsx';
import { createStartStore, type StartStore } from './start-store.ts';

export interface StartInitial {
  versionId: string;
  questions: number;
  areas: number;
  business: { id: string; name: string } | null;
  /** The day of the latest full quiz, in words; null before the first one. */
  takenOn: string | null;
}

interface StartProps {
  initial: StartInitial;
  /** The texts in the user's language, if it isn't English. */
  words?: Texts | undefined;
}

/** Starts an attempt for a signed-in user, or creates it from answers they gave before. */
function StartScreen({ words, ...props }: StartProps) {
  return (
    <InLanguage words={words}>
      <StartIntro {...props} />
    </InLanguage>
  );
}

function StartIntro({ initial }: StartProps) {
  const say = useSay();
  const [store] = useState(() =>
    createStartStore({
      db,
      businessId: initial.business?.id ?? null,
      versionId: initial.versionId,
      open: (id) => location.replace(hrefFor('/dashboard/skills/quiz/[id]', { id })),
    }),
  );
  const [looked, setLooked] = useState(false);
  const answers = useStore(store.$answers, { ssr: 'initial' });
  const state = useStore(store.$state, { ssr: 'initial' });

  useEffect(() => {
    void store.answers.look(pendingClaim()).then(() => setLooked(true));
  }, [store]);

  const busy = answers.state === 'taking' || state.name === 'leaving';
  return (
    <Intro
      kind="full"
      savedIn="account"
      questions={initial.questions}
      areas={initial.areas}
      takenOn={initial.takenOn}
      {...(initial.business && { eyebrow: initial.business.name })}
    >
      {busy && (
        <p role="status" className="text-muted">
          {say('Bringing in your answers…')}
        </p>
      )}
      {answers.state === 'asking' ? (
        <UseAnswers store={store} />
      ) : (
        !busy && <Start store={store} live={looked} />
      )}
    </Intro>
  );
}

function Start({ store, live }: { store: StartStore; live: boolean }) {
  const say = useSay();
  const state = useStore(store.$state, { ssr: 'initial' });
  return (
    <>
      {state.name === 'ready' && <Failure failure={state.failure} />}
      <Button
        size="large"
        disabled={!live}
        pending={state.name === 'starting'}
        onClick={() => void store.start()}
      >
        {say('Start the quiz')}
      </Button>
    </>
  );
}

/** Asks whether earlier answers are the user's, since someone else may have given them. */
function UseAnswers({ store }: { store: StartStore }) {
  const say = useSay();
  const now = useStore(store.$answers, { ssr: 'initial' });
  if (now.state !== 'asking') return null;
  const { title, description } = answersQuestion(now.from, now.count, say);
  return (
    <div className="flex w-full flex-col gap-4 border-t border-line pt-5">
      <div>
        <h2 className="text-lg">{title}</h2>
        <p className="mt-1 text-sm text-muted">{description}</p>
      </div>
      <Failure failure={now.failure} />
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void store.answers.use()}>{say('Use them')}</Button>
        <Button variant="quiet" onClick={() => void store.answers.refuse()}>
          {say('Not mine, delete them')}
        </Button>
      </div>
    </div>
  );
}

export default screen(StartScreen);
