/** Which mails a person wants: at once on the page, and as it is stored once everything is answered. */
import { map } from 'nanostores';
import type { Notifications } from '#data/profiles.ts';
import type { AppError } from '#lib/errors.ts';
import { heardFailure } from '#stores/session.ts';

interface MailsDoors {
  save(change: Partial<Notifications>): Promise<void>;
  /** Tells the person that a switch stayed as it was; `again` tries it once more. */
  failed(error: AppError, again: () => void): void;
}

/** Makes the store of one page. */
export function createMailsStore(doors: MailsDoors, initial: Notifications) {
  const $wanted = map(initial);
  let stored = initial;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  async function send(change: Partial<Notifications>, again: () => void): Promise<void> {
    try {
      await doors.save(change);
      stored = { ...stored, ...change };
    } catch (thrown) {
      doors.failed(heardFailure(thrown), again);
    }
    waiting -= 1;
    if (waiting === 0) $wanted.set(stored);
  }

  /** Switches one kind on or off. In the order in which they were pressed: the last one stands. */
  function put(what: keyof Notifications, on: boolean): Promise<void> {
    $wanted.setKey(what, on);
    waiting += 1;
    last = last.then(() => send({ [what]: on }, () => void put(what, on)));
    return last;
  }

  return { $wanted, put };
}
