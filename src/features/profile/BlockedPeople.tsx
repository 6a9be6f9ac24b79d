import { useRef, useState } from 'react';
import type { Person } from '#data/conversations.ts';
import { listBlocked, setPersonBlocked } from '#data/correspondents.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';

/** Whom the person has blocked, asked for when they want to know, and the way to take it back. */
export function BlockedPeople() {
  const ready = useReady();
  const [people, setPeople] = useState<readonly Person[] | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<AppError | null>(null);

  const place = useRef<HTMLDivElement>(null);
  useFocusBack(place, people?.length);

  async function ask(work: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (thrown) {
      setFailure(reportError(thrown));
    } finally {
      setBusy(false);
    }
  }

  const show = () => ask(async () => setPeople(await listBlocked(await db())));
  const allow = ({ id, name }: Person) =>
    ask(async () => {
      await setPersonBlocked(await db(), id, false);
      setPeople((before) => before?.filter((person) => person.id !== id) ?? null);
      addToast({ tone: 'good', title: `${name} can write to you again.` });
    });

  return (
    <div ref={place} tabIndex={-1} className="mt-5">
      {people === null && (
        <Button
          size="small"
          variant="secondary"
          disabled={!ready}
          pending={busy}
          onClick={() => void show()}
        >
          Whom you have blocked
        </Button>
      )}
      <div role="status">
        {people?.length === 0 && <p className="text-sm text-muted">You have blocked nobody.</p>}
      </div>
      {people && people.length > 0 && (
        <ul aria-label="Whom you have blocked" className="divide-y divide-line">
          {people.map((person) => (
            <li key={person.id} className="flex items-center justify-between gap-3 py-2 text-sm">
              <span className="min-w-0 wrap-anywhere">{person.name}</span>
              <Button
                size="small"
                variant="secondary"
                pending={busy}
                onClick={() => void allow(person)}
              >
                Unblock
                <span className="sr-only"> {person.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {failure && (
        <p role="alert" className="mt-2 text-xs font-medium text-danger">
          {failure.message}
        </p>
      )}
    </div>
  );
}
