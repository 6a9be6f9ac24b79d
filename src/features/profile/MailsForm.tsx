import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { type Notifications, saveNotifications } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import { db } from '#lib/db.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { accountChanged } from '#stores/session.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { useReady } from '#ui/use-ready.ts';

interface Switch {
  name: keyof Notifications;
  label: string;
  hint: string;
  /** Coaches and admins have no actions and no business of their own. */
  isForOwners?: boolean;
}

const SWITCHES: Switch[] = [
  {
    name: 'reminders',
    label: 'Reminders of what I set out to do',
    hint: 'A week before an action is due, and on the day.',
    isForOwners: true,
  },
  {
    name: 'news',
    label: 'What others do in my businesses',
    hint: 'Such as somebody accepting an invitation.',
    isForOwners: true,
  },
  {
    name: 'messages',
    label: 'Messages that I have not read',
    hint: 'One mail for all of them, once nothing more has come for ten minutes. Not for muted conversations.',
  },
  {
    name: 'message_text',
    label: 'What messages say',
    hint: 'In mails and in notifications. Without the tick they say only who wrote.',
  },
];

/** Switches that are saved as they are pressed, and go back when that fails. */
export function MailsForm({ initial, role }: { initial: Notifications; role: Role }) {
  const [{ $shown, put }] = useState(() =>
    createOptimistic<Notifications, Partial<Notifications>>(initial, {
      apply: (wanted, change) => ({ ...wanted, ...change }),
      async send(change) {
        await saveNotifications(await db(), change);
        // What this page and the other tabs show of a message follows at once.
        if (change.message_text !== undefined) await accountChanged();
      },
      failure: 'That stays as it was',
    }),
  );
  const wanted = useStore($shown);
  const ready = useReady();
  return (
    <fieldset disabled={!ready} className="mt-4 flex flex-col gap-4">
      <legend className="sr-only">Which mails you want</legend>
      {SWITCHES.filter(({ isForOwners }) => !isForOwners || role === 'owner').map(
        ({ name, label, hint }) => (
          <Checkbox
            key={name}
            label={label}
            hint={hint}
            checked={wanted[name]}
            onChange={(event) => void put({ [name]: event.currentTarget.checked })}
          />
        ),
      )}
      <p className="text-xs text-muted">
        Mails about the account itself, such as a new password, always come.
      </p>
    </fieldset>
  );
}
