import { useEffect, useState } from 'react';
import { listCorrespondents } from '#data/correspondents.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import { Correspondents } from './Correspondents.tsx';

/** Milliseconds to wait after the last keystroke before searching. */
const PAUSE = 250;

/** Lets the user pick a person, coaching, a project or support to message. */
export function NewConversation({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(query), PAUSE);
    return () => clearTimeout(timer);
  }, [query]);
  const listPeople = async () => listCorrespondents(await db(), wanted);
  const { answer: people, failure, retry } = useAnswer(listPeople, reportError, [wanted]);
  const isLoading = people === null && !failure;
  return (
    <DialogWindow
      open
      onOpenChange={onClose}
      title="New message"
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
      <div aria-busy={isLoading}>
        <p role="status" className="sr-only">
          {people && !failure && `${people.length} found.`}
        </p>
        {isLoading && <LoadingRows />}
        <Failure failure={failure} onRetry={retry} />
        {people && !failure && <Correspondents people={people} />}
        {people?.length === 0 && !failure && (
          <p className="py-4 text-sm text-muted wrap-anywhere">
            {query.trim() === ''
              ? 'There’s nobody you can message yet.'
              : `You can’t message anyone named “${query.trim()}”.`}
          </p>
        )}
      </div>
    </DialogWindow>
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
