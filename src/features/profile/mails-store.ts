/** Which mails a person wants: at once on the page, and as it is stored once everything is answered. */
import { atom } from 'nanostores';
import type { Notifications } from '#data/profiles.ts';
import type { AppError } from '#lib/errors.ts';
import { savedInTurn } from '#lib/in-turn.ts';
import { heardFailure } from '#stores/session.ts';

interface MailsDoors {
  save(change: Partial<Notifications>): Promise<void>;
  /** Tells the person that a switch stayed as it was; `again` tries it once more. */
  failed(error: AppError, again: () => void): void;
}

/** Makes the store of one page. */
export function createMailsStore(doors: MailsDoors, initial: Notifications) {
  const $wanted = atom(initial);
  const press = savedInTurn($wanted);

  /** Switches one kind on or off. */
  function put(what: keyof Notifications, on: boolean): Promise<void> {
    return press({
      change: (wanted) => ({ ...wanted, [what]: on }),
      save: () => doors.save({ [what]: on }),
      failed: (thrown) => doors.failed(heardFailure(thrown), () => void put(what, on)),
    });
  }

  return { $wanted, put };
}
