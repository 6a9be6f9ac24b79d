import { useEffect, useRef, useState } from 'react';
import { type Correspondent, listCorrespondents } from '#data/correspondents.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { Correspondents } from './Correspondents.tsx';

/** Milliseconds of quiet after which what was typed is looked for. */
const QUIET = 250;

type Asked =
  | { name: 'loading' }
  | { name: 'ready'; people: readonly Correspondent[] }
  | { name: 'failed'; error: AppError };

/** Whom to write to: people, coaching, projects and support, searched in the database. */
export function NewConversation({ onClose }: { onClose: () => void }) {
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState<Asked>({ name: 'loading' });
  const [tries, setTries] = useState(0);
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks the same once more
  useEffect(() => {
    let over = false;
    const ask = async () => {
      try {
        const people = await listCorrespondents(await db(), words);
        if (!over) setAsked({ name: 'ready', people });
      } catch (thrown) {
        const error = reportError(thrown);
        if (!over) setAsked({ name: 'failed', error });
      }
    };
    const timer = setTimeout(ask, first.current ? 0 : QUIET);
    first.current = false;
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [words, tries]);
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
        value={words}
        onChange={({ target }: { target: HTMLInputElement }) => setWords(target.value)}
      />
      <div aria-busy={asked.name === 'loading'}>
        <p role="status" className="sr-only">
          {asked.name === 'ready' && `${asked.people.length} found.`}
        </p>
        {asked.name === 'loading' && (
          <div className="flex flex-col gap-0.5">
            {[0, 1, 2].map((row) => (
              <div key={row} className="flex min-h-14 items-center gap-3">
                <Skeleton className="size-10 shrink-0 rounded-full!" />
                <Skeleton className="w-40" />
              </div>
            ))}
          </div>
        )}
        {asked.name === 'failed' && (
          <Failure failure={asked.error} onRetry={() => setTries(tries + 1)} />
        )}
        {asked.name === 'ready' &&
          (asked.people.length > 0 ? (
            <Correspondents people={asked.people} />
          ) : (
            <p className="py-4 text-sm text-muted wrap-anywhere">
              Nobody whom you can write to is called “{words.trim()}”.
            </p>
          ))}
      </div>
    </Dialog>
  );
}
