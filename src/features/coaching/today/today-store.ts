/** What a coach does today: what's due, and the steps that need only one tap. */
import { atom } from 'nanostores';
import type { CoachToday } from '#data/coach-today.ts';
import type { ClientRow } from '#data/coaching-clients.ts';
import { type AttemptDeps, createAttempt } from '#lib/attempt.ts';
import { loadModule } from '#lib/browser/load-module.ts';
import type { Db } from '#lib/supabase.ts';

const requests = () => loadModule(() => import('./today-requests.ts'));

export function createTodayStore(deps: AttemptDeps, initial: CoachToday) {
  const $today = atom(initial);
  /** The engagement whose step is on its way; null if none is. */
  const $busy = atom<string | null>(null);
  const attempt = createAttempt(deps);

  /** Reads everything again: one step changes what's due, the counts and the sessions. */
  async function refresh(db: Db): Promise<void> {
    const { getCoachToday } = await requests();
    const today = await getCoachToday(db);
    if (today) $today.set(today);
  }

  async function step(
    row: ClientRow,
    failure: string,
    take: (db: Db) => Promise<unknown>,
  ): Promise<void> {
    if ($busy.get() !== null) return;
    $busy.set(row.id);
    await attempt(
      failure,
      async (db) => {
        await take(db);
        await refresh(db);
      },
      () => void step(row, failure, take),
    );
    $busy.set(null);
  }

  return {
    $today,
    $busy,
    accept: (row: ClientRow) =>
      step(row, `We couldn’t accept ${row.business.name}`, async (db) =>
        (await requests()).acceptClient(db, row.id),
      ),
    resume: (row: ClientRow) =>
      step(row, `We couldn’t resume ${row.business.name}`, async (db) =>
        (await requests()).resumeCoaching(db, row.id),
      ),
    /** After something else on the page was stored. */
    reread: () =>
      attempt(
        'We couldn’t refresh this page',
        (db) => refresh(db),
        () => location.reload(),
      ),
  };
}
