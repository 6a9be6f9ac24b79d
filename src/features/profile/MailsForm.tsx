import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { type Notifications, saveNotifications } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import { db } from '#lib/db.ts';
import { accountChanged } from '#stores/session.ts';
import { addFailureToast } from '#stores/toasts.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { useReady } from '#ui/use-ready.ts';
import { createMailsStore } from './mails-store.ts';

/** Switches that are saved as they are pressed, and go back when that fails. */
export function MailsForm({ initial, role }: { initial: Notifications; role: Role }) {
  const [{ $wanted, put }] = useState(() =>
    createMailsStore(
      {
        async save(change) {
          await saveNotifications(await db(), change);
          // What this page and the other tabs show of a message follows at once.
          if (change.message_text !== undefined) await accountChanged();
        },
        failed: (error, retry) => addFailureToast('That stays as it was', error, retry),
      },
      initial,
    ),
  );
  const wanted = useStore($wanted, { ssr: 'initial' });
  const ready = useReady();
  return (
    <fieldset disabled={!ready} className="mt-4 flex flex-col gap-4">
      <legend className="sr-only">Which mails you want</legend>
      {/* Coaches and admins have no actions and no business of their own. */}
      {role === 'owner' && (
        <>
          <Checkbox
            label="Reminders of what I set out to do"
            hint="A week before an action is due, and on the day."
            checked={wanted.reminders}
            onChange={(event) => void put('reminders', event.currentTarget.checked)}
          />
          <Checkbox
            label="What others do in my businesses"
            hint="Such as somebody accepting an invitation."
            checked={wanted.news}
            onChange={(event) => void put('news', event.currentTarget.checked)}
          />
        </>
      )}
      <Checkbox
        label="Messages that I have not read"
        hint="One mail for all of them, once nothing more has come for ten minutes. Not for muted conversations."
        checked={wanted.messages}
        onChange={(event) => void put('messages', event.currentTarget.checked)}
      />
      <Checkbox
        label="What messages say"
        hint="In mails and in notifications. Without the tick they say only who wrote."
        checked={wanted.message_text}
        onChange={(event) => void put('message_text', event.currentTarget.checked)}
      />
      <p className="text-xs text-muted">
        Mails about the account itself, such as a new password, always come.
      </p>
    </fieldset>
  );
}
