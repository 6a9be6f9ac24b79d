import { useRef, useState } from 'react';
import type { Person } from '#data/conversations.ts';
import { listBlocked, setPersonBlocked } from '#data/correspondents.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { FailureLine } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';

/** The people the user has blocked, loaded on click, each with a button to unblock them. */
export function BlockedPeople() {
  const [people, setPeople] = useState<readonly Person[] | null>(null);
  const { pending, failure, run } = useAction(reportError);
  const section = useRef<HTMLDivElement>(null);
  useFocusBack(section, people?.length);

  const load = () => run(async () => setPeople(await listBlocked(await db())));
  const unblock = ({ id, name }: Person) =>
    run(async () => {
      await setPersonBlocked(await db(), id, false);
      setPeople((before) => before?.filter((person) => person.id !== id) ?? null);
      addToast({ tone: 'good', title: `${name} can message you again.` });
    });

  return (
    <div ref={section} tabIndex={-1} className="mt-5">
      {people === null && (
        <Button size="small" variant="secondary" pending={pending} onClick={() => void load()}>
          Show who you’ve blocked
        </Button>
      )}
      <div role="status">
        {people?.length === 0 && <p className="text-sm text-muted">You haven’t blocked anyone.</p>}
      </div>
      {people && people.length > 0 && (
        <ul aria-label="Blocked people" className="divide-y divide-line">
          {people.map((person) => (
            <li key={person.id} className="flex items-center justify-between gap-3 py-2 text-sm">
              <span className="min-w-0 wrap-anywhere">{person.name}</span>
              <Button
                size="small"
                variant="secondary"
                pending={pending}
                onClick={() => void unblock(person)}
              >
                Unblock
                <span className="sr-only"> {person.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FailureLine failure={failure} className="text-xs" />
    </div>
  );
}
