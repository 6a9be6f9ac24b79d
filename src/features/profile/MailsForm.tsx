import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { type Notifications, saveNotifications } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import { db } from '#lib/db.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { accountChanged } from '#stores/session.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { ReadyFieldset } from '#ui/forms/ReadyFieldset.tsx';

interface Switch {
  name: keyof Notifications;
  label: string;
  hint: string;
  /** Hidden from coaches and admins, who have no actions or businesses of their own. */
  isForOwners?: boolean;
}

const SWITCHES: Switch[] = [
  {
    name: 'coaching',
    label: 'Coaching',
    hint: 'Requests, sessions and what you agree on.',
  },
  {
    name: 'reminders',
    label: 'Reminders',
    hint: 'When something you planned or agreed on is due.',
  },
  {
    name: 'news',
    label: 'Activity in my businesses',
    hint: 'For example, when someone accepts an invitation.',
    isForOwners: true,
  },
  {
    name: 'messages',
    label: 'Unread messages',
    hint: 'One email for all of them, after ten minutes with nothing new. Not for muted conversations.',
  },
  {
    name: 'message_text',
    label: 'Message text',
    hint: 'Shown in emails and notifications. When this is off, they only say who wrote.',
  },
];

/** Checkboxes that save as soon as they change, and revert if saving fails. */
export function MailsForm({ initial, role }: { initial: Notifications; role: Role }) {
  const [{ $shown, put }] = useState(() =>
    createOptimistic<Notifications, Partial<Notifications>>(initial, {
      apply: (wanted, change) => ({ ...wanted, ...change }),
      async send(change) {
        await saveNotifications(await db(), change);
        // This page and the other tabs start or stop showing message text right away.
        if (change.message_text !== undefined) await accountChanged();
      },
      failure: 'Your change wasn’t saved',
    }),
  );
  const wanted = useStore($shown);
  return (
    <ReadyFieldset className="mt-4 flex flex-col gap-4">
      <legend className="sr-only">Email preferences</legend>
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
        We always send emails about your account, such as password changes.
      </p>
    </ReadyFieldset>
  );
}
