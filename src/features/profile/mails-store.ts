/** Which mails a person wants: at once on the page, and as it is stored once everything is answered. */
import { atom } from 'nanostores';
import type { Notifications } from '#data/profiles.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { createOptimisticToggle } from '#sync/optimistic-toggle.ts';

interface MailsDeps {
  save(change: Partial<Notifications>): Promise<void>;
  /** Tells the person that a switch stayed as it was; `again` tries it once more. */
  failed(error: AppError, again: () => void): void;
}

/** Makes the store of one page. */
export function createMailsStore(deps: MailsDeps, initial: Notifications) {
  const $wanted = atom(initial);
  const press = createOptimisticToggle($wanted);

  /** Switches one kind on or off. */
  function put(what: keyof Notifications, on: boolean): Promise<void> {
    return press({
      change: (wanted) => ({ ...wanted, [what]: on }),
      save: () => deps.save({ [what]: on }),
      failed: (thrown) => deps.failed(reportError(thrown), () => void put(what, on)),
    });
  }

  return { $wanted, put };
}
