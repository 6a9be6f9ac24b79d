import type { KeptField } from '#sync/kept-fields.ts';
import { Notice } from '#ui/Notice.tsx';

/** The worst first: what the page as a whole says. */
const ORDER = [
  ...(['conflict', 'refused', 'this-tab', 'signed-out', 'not-sent', 'saving', 'saved'] as const),
];

/** The state of all fields together; null while nothing was touched. */
export function stateOf(fields: readonly KeptField<unknown>[]): (typeof ORDER)[number] | null {
  return ORDER.find((name) => fields.some(({ mark }) => mark?.name === name)) ?? null;
}

/** What stands under a form that is saved as one types: announced when it changes. */
export function PageState({ fields }: { fields: readonly KeptField<unknown>[] }) {
  const state = stateOf(fields);
  return (
    <div role="status" className="text-sm text-muted">
      {state === null && 'Everything is saved as you type.'}
      {state === 'saving' && 'Saving…'}
      {state === 'saved' && 'Saved'}
      {state === 'not-sent' && (
        <Notice tone="caution" className="text-ink" title="Not sent yet">
          We couldn’t save this yet. What you typed is kept in this browser, and we’ll keep trying.
        </Notice>
      )}
      {state === 'signed-out' && (
        <Notice tone="caution" className="text-ink" title="You are signed out">
          What you typed is kept in this browser and sent when you have signed in again.
        </Notice>
      )}
      {state === 'this-tab' && (
        <Notice tone="caution" className="text-ink" title="In this tab only">
          Not sent yet, and your browser isn’t storing anything. Keep this tab open.
        </Notice>
      )}
      {state === 'refused' && (
        <Notice tone="danger" className="text-ink" title="Something is not saved">
          A field says what does not fit. It is kept in this browser until it does.
        </Notice>
      )}
      {state === 'conflict' && (
        <Notice tone="caution" className="text-ink" title="Somebody else wrote in the same field">
          Both versions stand there. Choose one, or put both in.
        </Notice>
      )}
    </div>
  );
}
