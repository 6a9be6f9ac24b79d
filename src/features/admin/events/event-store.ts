/** A date of an event on an admin's screen: its numbers, and what an admin can do for its people. */
import { atom } from 'nanostores';
import {
  type AnyEvent,
  cancelEvent,
  cancelEventPlace,
  giveEventPlace,
  type ListedSignup,
  markEventAttendance,
} from '#data/events.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

interface EventDeps {
  db: () => Promise<Db>;
  /** Reads the list of people again. */
  reload: () => Promise<void>;
  /** Says what was done, or why it wasn't. */
  say: (tone: 'good' | 'bad', title: string) => void;
  reportError: (thrown: unknown) => AppError;
}

/** Someone's name or, once we've forgotten it, that we have. */
export const nameOf = ({ name, email }: Pick<ListedSignup, 'name' | 'email'>) =>
  name || email || 'Name deleted';

const CAME = { true: 'came', false: 'didn’t come', null: 'not marked' };

/** Creates the store from the event that came with the page. */
export function createEventStore(deps: EventDeps, initial: AnyEvent) {
  const $event = atom(initial);

  /** Takes a step, shows the event and the list as they are now, and says what was done. */
  async function take(step: (db: Db) => Promise<AnyEvent>, done: string): Promise<void> {
    try {
      $event.set(await step(await deps.db()));
    } catch (thrown) {
      throw deps.reportError(thrown);
    }
    await deps.reload();
    deps.say('good', done);
  }

  /** The same for a button without a dialog that could show the error. */
  const takeOrSay = (step: (db: Db) => Promise<AnyEvent>, done: string) =>
    take(step, done).catch((error: AppError) => deps.say('bad', error.message));

  return {
    $event,
    give: (signup: ListedSignup) =>
      takeOrSay((db) => giveEventPlace(db, signup.id), `${nameOf(signup)} has a place.`),
    /** Marks whether someone came; null: nobody knows. */
    mark: (signup: ListedSignup, came: boolean | null) =>
      takeOrSay(
        (db) => markEventAttendance(db, signup.id, came),
        `${nameOf(signup)}: ${CAME[`${came}`]}.`,
      ),
    /** Throws an AppError, which the dialog shows. */
    cancelPlace: (signup: ListedSignup, reason: string) =>
      take(
        (db) => cancelEventPlace(db, signup.id, reason),
        `${nameOf(signup)} no longer has a place.`,
      ),
    /** Throws an AppError, which the dialog shows. */
    cancel: (reason: string) =>
      take((db) => cancelEvent(db, initial.id, reason), 'The event is canceled.'),
  };
}
