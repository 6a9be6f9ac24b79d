import { loginHref } from '#lib/next-path.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import type { SavingState } from './quiz-store.ts';

const WORDS: Record<NonNullable<SavingState>['name'], string> = {
  saved: 'Saved',
  saving: 'Saving…',
  'not-sent': 'Not sent yet',
  'this-tab': 'In this tab only',
  'signed-out': 'Not sent yet',
  refused: 'Not saved',
};

/** Whether the answer in view is safe, in two words. Keeps its place while there is none. */
export function SaveMark({ saving }: { saving: SavingState }) {
  return (
    <p role="status" className="min-w-0 grow text-center text-xs text-muted">
      {saving && WORDS[saving.name]}
    </p>
  );
}

/** What is wrong with an answer that is not safe, and what to do about it. */
export function SaveTrouble({ saving }: { saving: SavingState }) {
  switch (saving?.name) {
    case 'not-sent':
      return (
        <Notice tone="caution" className="mt-5">
          We can’t save your answers right now. They’re kept in this browser, and we’ll send them as
          soon as we can. You can keep answering.
        </Notice>
      );
    case 'this-tab':
      return (
        <Notice tone="caution" className="mt-5">
          This browser keeps nothing. Leave this tab open until you have finished.
        </Notice>
      );
    case 'signed-out':
      return (
        <Notice
          tone="caution"
          className="mt-5"
          title="You are signed out"
          action={
            <Button size="small" href={loginHref(here())}>
              Sign in again
            </Button>
          }
        >
          Your answers wait in this browser and are sent when you are back.
        </Notice>
      );
    case 'refused':
      return (
        <Notice tone="danger" live="assertive" className="mt-5" title="This answer is not saved">
          {saving.sentence}
        </Notice>
      );
    default:
      return null;
  }
}

const here = () => (typeof location === 'undefined' ? null : location.pathname);
