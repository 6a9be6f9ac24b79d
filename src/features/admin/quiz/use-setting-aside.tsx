import { useRef, useState } from 'react';
import { type ListedAttempt, voidAttempt } from '#data/admin-attempts.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { nameOf } from './attempt-columns.tsx';

const loadDialog = () => import('../ReasonDialog.tsx');

/**
 * Setting a finished attempt aside: what opens the dialog, the dialog, and the heading that gets the
 * focus if its button is gone afterward. `reload` never throws.
 */
export function useSettingAside(timeZone: string, reload: () => Promise<void>) {
  const [asked, setAsked] = useState<ListedAttempt | null>(null);
  const close = () => setAsked(null);
  const part = useOpenedPart(loadDialog, asked !== null, close);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, asked === null);

  async function setAside({ id }: ListedAttempt, reason: string) {
    try {
      await voidAttempt(await db(), id, reason);
      addToast({ tone: 'good', title: 'The quiz is set aside.' });
    } catch (thrown) {
      throw reportError(thrown);
    }
    await reload();
  }

  const dialog = asked && part && (
    <part.ReasonDialog
      action={{
        title: `Set the quiz of ${nameOf(asked)} aside?`,
        description: `It was finished on ${dayText(asked.submitted_at ?? asked.started_at, timeZone)}. Its result won’t count anymore, and the coach can’t see it. ${
          asked.person
            ? 'The person who took it gets an email with your reason.'
            : 'The account of the person who took it is deleted, so nobody gets an email.'
        } You can’t undo this.`,
        action: 'Set it aside',
        danger: true,
        ...(asked.person && { reasonReader: 'The person who took it' }),
        onSubmit: (reason) => setAside(asked, reason),
      }}
      onClose={close}
    />
  );
  return { ask: setAsked, dialog, heading };
}
