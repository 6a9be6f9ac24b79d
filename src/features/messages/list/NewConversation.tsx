import { SquarePen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Correspondent, listCorrespondents } from '#data/correspondents.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { useReady } from '#ui/use-ready.ts';
import { Correspondents } from './Correspondents.tsx';

/** Milliseconds without typing before a search. */
const PAUSE = 250;

type Answer =
  | { name: 'loading' }
  | { name: 'ready'; people: readonly Correspondent[] }
  | { name: 'failed'; error: AppError };

/** A button that asks who to write to. */
export function NewConversationButton() {
  const ready = useReady();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" disabled={!ready} onClick={() => setOpen(true)}>
        <SquarePen className="size-4" aria-hidden="true" />
        New message
      </Button>
      {open && <NewConversation onClose={() => setOpen(false)} />}
    </>
  );
}

/** People, coaching, projects and support to write to, searched in the database. */
function NewConversation({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [answer, retry] = useCorrespondents(query);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Write to"
      className="h-[80dvh] sm:h-[34rem]"
    >
      <Field
        label="Search"
        type="search"
        maxLength={100}
        autoComplete="off"
        value={query}
        onChange={({ target }: { target: HTMLInputElement }) => setQuery(target.value)}
      />
      <div aria-busy={answer.name === 'loading'}>
        <p role="status" className="sr-only">
          {answer.name === 'ready' && `${answer.people.length} found.`}
        </p>
        {answer.name === 'loading' && <LoadingRows />}
        {answer.name === 'failed' && <Failure failure={answer.error} onRetry={retry} />}
        {answer.name === 'ready' &&
          (answer.people.length > 0 ? (
            <Correspondents people={answer.people} />
          ) : (
            <p className="py-4 text-sm text-muted wrap-anywhere">
              Nobody whom you can write to is called “{query.trim()}”.
            </p>
          ))}
      </div>
    </Dialog>
  );
}

const LoadingRows = () => (
  <div className="flex flex-col gap-0.5">
    {[0, 1, 2].map((row) => (
      <div key={row} className="flex min-h-14 items-center gap-3">
        <Skeleton className="size-10 shrink-0 rounded-full!" />
        <Skeleton className="w-40" />
      </div>
    ))}
  </div>
);

/** Fetches the people that match, after a pause in typing; also returns what tries again. */
function useCorrespondents(query: string): [Answer, () => void] {
  const [answer, setAnswer] = useState<Answer>({ name: 'loading' });
  const [tries, setTries] = useState(0);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks the same again
  useEffect(() => {
    let isOutdated = false;
    const fetchPeople = async () => {
      try {
        const people = await listCorrespondents(await db(), query);
        if (!isOutdated) setAnswer({ name: 'ready', people });
      } catch (thrown) {
        const error = reportError(thrown);
        if (!isOutdated) setAnswer({ name: 'failed', error });
      }
    };
    const timer = setTimeout(fetchPeople, isFirst.current ? 0 : PAUSE);
    isFirst.current = false;
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [query, tries]);
  return [answer, () => setTries((count) => count + 1)];
}
