import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import { withNext } from '#lib/routing/href.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { Button } from '#ui/Button.tsx';
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
  const finishing = useStore(store.answers.$finishing, { ssr: 'initial' });
  const statuses = [finishing, ...unsaved.values()];
  const signedOut = statuses.find((status) => status?.name === 'signed-out') ?? null;
  return (
    <section className="card flex flex-col items-start gap-4 p-5 sm:p-8">
      <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
        {done ? 'Opening your results' : 'Finishing your quiz'}
      </h1>
      <p role="status" className="text-muted">
        {done ? 'One moment.' : whatWaits(unsaved.size, finishing)}
      </p>
      <SaveNotice status={signedOut} signIn={<SignInAgain />} />
      {!done && (
        <Button variant="secondary" onClick={store.cancelFinish}>
          Back to the questions
        </Button>
      )}
    </section>
  );
}

function whatWaits(answers: number, finishing: SaveStatus | null): string {
  const sent = answers === 1 ? 'One answer is' : `${answers} answers are`;
  if (finishing?.name === 'memory-only') {
    return `${answers > 0 ? `${sent} waiting to be sent` : 'Not sent yet'}, and your browser isn’t storing anything. Keep this tab open: we’ll finish your quiz when you’re back online.`;
  }
  if (answers > 0) {
    return `${sent} waiting to be sent. If you’re offline, we’ll finish your quiz when you’re back online. If you close this page, we’ll do it the next time you open it in this browser.`;
  }
  if (finishing?.name === 'offline') {
    return 'All your answers are saved. We’ll finish your quiz when you’re back online. If you close this page, we’ll do it the next time you open it in this browser.';
  }
  return 'All your answers are saved, and we’re working out your results. If the connection drops, we’ll continue when it’s back.';
}

/** Shown when the attempt was finished elsewhere, or expired, before all answers were sent. */
export function Ended({ unsaved, heading }: Pick<FinishingProps, 'unsaved' | 'heading'>) {
  return (
    <section className="card flex flex-col items-start gap-4 p-5 sm:p-8">
      <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
        This quiz is already closed
      </h1>
      <p className="text-muted">
        You finished it on another device, or it expired.{' '}
        {unsaved.size === 1
          ? 'One answer from here came'
          : `${unsaved.size} answers from here came`}{' '}
        too late to count.
      </p>
      <Button onClick={() => location.reload()}>See the latest</Button>
    </section>
  );
}

/** Shown when the session has ended. Signing in leads back to this page. */
export const SignInAgain = () => (
  <Button
    size="small"
    href={withNext('/login', typeof location === 'undefined' ? null : location.pathname)}
  >
    Sign in again
  </Button>
);
