import { useStore } from '@nanostores/react';
import { dayText } from '#lib/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import type { CopyStore, Saving } from './copy-store.ts';
import { Markdown } from './Markdown.tsx';

/** Whether what was typed is safe, in a few words. */
export function CopyMark({ saving, timeZone }: { saving: Saving; timeZone: string }) {
  return (
    <p role="status" className="text-xs text-muted">
      {markText(saving, timeZone)}
    </p>
  );
}

function markText(saving: Saving, timeZone: string): string {
  switch (saving.name) {
    case 'saved':
      return `Saved, ${dayText(saving.at, timeZone)}${saving.by ? `, ${saving.by}` : ''}`;
    case 'saving':
      return 'Saving…';
    case 'waiting':
      return saving.kept ? 'Not saved yet' : 'In this tab only';
    case 'signed-out':
    case 'conflict':
      return 'Not saved yet';
    case 'refused':
      return 'Not saved';
  }
}

/** What is wrong, and what to do about it. */
export function CopyTrouble({ store }: { store: CopyStore }) {
  const saving = useStore(store.$saving);
  switch (saving.name) {
    case 'waiting':
      return (
        <Notice tone="caution" className="mb-5 print:hidden">
          {saving.kept
            ? 'We couldn’t save this yet. What you type is kept in this browser and saved by itself as soon as we can.'
            : 'This browser keeps nothing, and the server has not got this yet. Leave this tab open until it says “Saved”.'}
        </Notice>
      );
    case 'signed-out':
      return (
        <Notice tone="caution" className="mb-5 print:hidden" title="You are signed out">
          What you typed is kept in this browser and saved once you are signed in again.
        </Notice>
      );
    case 'refused':
      return saving.field === 'title' ? null : (
        <Notice tone="danger" live="assertive" className="mb-5 print:hidden" title="Not saved">
          {saving.sentence}
        </Notice>
      );
    case 'conflict':
      return <Conflict store={store} saving={saving} />;
    default:
      return null;
  }
}

function Conflict({
  store,
  saving,
}: {
  store: CopyStore;
  saving: Extract<Saving, { name: 'conflict' }>;
}) {
  const { theirs } = saving;
  const name = theirs.updated_by_name ?? 'Somebody else';
  return (
    <Notice
      tone="caution"
      live="assertive"
      className="mb-5 print:hidden"
      title={`${name} saved changes while you were typing`}
    >
      <p>Yours are below and not saved yet. Choose which version goes on.</p>
      <details className="mt-3">
        <summary className="link">Look at the version of {name}</summary>
        <div className="mt-3 max-h-96 overflow-y-auto rounded-control border border-line bg-surface p-4">
          <p className="font-semibold">{theirs.title}</p>
          <Markdown text={theirs.body_markdown} />
        </div>
      </details>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="small" onClick={() => void store.decide('mine')}>
          Keep mine
        </Button>
        <Button size="small" variant="secondary" onClick={() => void store.decide('theirs')}>
          Take theirs
        </Button>
      </div>
    </Notice>
  );
}
