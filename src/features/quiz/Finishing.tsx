import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import type { Say } from '#domain/language.ts';
import { withNext } from '#lib/routing/href.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { Button } from '#ui/Button.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { SaveNotice } from '#ui/SaveStatus.tsx';
import type { QuizStore } from './quiz-store.ts';

interface FinishingProps {
  store: QuizStore;
  unsaved: ReadonlyMap<string, SaveStatus>;
  heading: RefObject<HTMLHeadingElement | null>;
  /** Whether the quiz is finished and the results are being opened. */
  done: boolean;
}

/** Shown while all answers are sent and the database computes the result. Offline, it waits. */
export function Finishing({ store, unsaved, heading, done }: FinishingProps) {
  const say = useSay();
  const finishing = useStore(store.answers.$finishing, { ssr: 'initial' });
  const statuses = [finishing, ...unsaved.values()];
  const signedOut = statuses.find((status) => status?.name === 'signed-out') ?? null;
  return (
    <section className="card flex flex-col items-start gap-4 p-5 sm:p-8">
      <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
        {done ? say('Opening your results') : say('Finishing your quiz')}
      </h1>
      <p role="status" className="text-muted">
        {done ? say('One moment.') : whatWaits(unsaved.size, finishing, say)}
      </p>
      <SaveNotice status={signedOut} signIn={<SignInAgain />} />
      {!done && (
        <Button variant="secondary" onClick={store.cancelFinish}>
          {say('Back to the questions')}
        </Button>
      )}
    </section>
  );
}

function whatWaits(answers: number, finishing: SaveStatus | null, say: Say): string {
  const sent =
    answers === 1
      ? say('One answer is waiting to be sent')
      : say('{count} answers are waiting to be sent', { count: answers });
  if (finishing?.name === 'memory-only') {
    return say(
      '{what}, and your browser isn’t storing anything. Keep this tab open: we’ll finish your quiz when you’re back online.',
      { what: answers > 0 ? sent : say('Not sent yet') },
    );
  }
  if (answers > 0 || finishing?.name === 'offline') {
    return say(
      '{what}. If you’re offline, we’ll finish your quiz when you’re back online. If you close this page, we’ll do it the next time you open it in this browser.',
      { what: answers > 0 ? sent : say('All your answers are saved') },
    );
  }
  return say(
    'All your answers are saved, and we’re working out your results. If the connection drops, we’ll continue when it’s back.',
  );
}

/** Shown when the attempt was finished elsewhere, or expired, before all answers were sent. */
export function Ended({ unsaved, heading }: Pick<FinishingProps, 'unsaved' | 'heading'>) {
  const say = useSay();
  return (
    <section className="card flex flex-col items-start gap-4 p-5 sm:p-8">
      <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
        {say('This quiz is already closed')}
      </h1>
      <p className="text-muted">
        {say('You finished it on another device, or it expired.')}{' '}
        {unsaved.size === 1
          ? say('One answer from here came too late to count.')
          : say('{count} answers from here came too late to count.', { count: unsaved.size })}
      </p>
      <Button onClick={() => location.reload()}>{say('See the latest')}</Button>
    </section>
  );
}

/** Shown when the session has ended. Signing in leads back to this page. */
export function SignInAgain() {
  const say = useSay();
  return (
    <Button
      size="small"
      href={withNext('/login', typeof location === 'undefined' ? null : location.pathname)}
    >
      {say('Sign in again')}
    </Button>
  );
}
