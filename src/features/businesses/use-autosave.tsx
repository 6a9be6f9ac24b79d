import { useStore } from '@nanostores/react';
import type { Autosave, FieldState } from '#sync/autosave.ts';
import { Notice } from '#ui/Notice.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { useSavingStore } from '#ui/use-saving-store.ts';

/** Fields that are saved as you type; leaving the page sends unsent changes. */
export function useAutosave<Field extends string, Value, Stored, Base, Answer>(
  make: () => Autosave<Field, Value, Stored, Base, Answer>,
): {
  autosave: Autosave<Field, Value, Stored, Base, Answer>;
  fields: Record<Field, FieldState<Value, Stored>>;
} {
  const autosave = useSavingStore(make);
  const fields = useStore(autosave.$fields, { ssr: 'initial' });
  return { autosave, fields };
}

/** Statuses from worst to best: the page as a whole shows its worst one. */
const ORDER = ['conflict', 'refused', 'memory-only', 'signed-out', 'offline', 'saving', 'saved'];

type States = readonly FieldState<unknown, unknown>[];

/** The worst status of all fields; null until one is edited. */
export function statusOf(fields: States): FieldState<unknown, unknown>['status'] {
  const worst = ORDER.find((name) => fields.some(({ status }) => status?.name === name));
  return fields.find(({ status }) => status && status.name === worst)?.status ?? null;
}

/** The line under a form that saves as you type; announced when it changes. */
export function PageState({ fields }: { fields: States }) {
  const status = statusOf(fields);
  return (
    <div role="status" className="text-sm text-muted">
      {status === null && 'Everything is saved as you type.'}
      {(status?.name === 'saving' || status?.name === 'saved') && <SaveWords status={status} />}
      {status?.name === 'refused' && (
        <Notice tone="danger" className="text-ink" title="Something isn’t saved">
          One field needs fixing. Your text is saved in this browser until then.
        </Notice>
      )}
      {status?.name === 'conflict' && (
        <Notice tone="caution" className="text-ink" title="Someone else edited the same field">
          Both versions are shown there. Pick one, or keep both.
        </Notice>
      )}
      {status?.name !== 'refused' && <SaveNotice className="text-ink" status={status} />}
    </div>
  );
}
