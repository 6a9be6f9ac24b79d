import { useState } from 'react';
import { type DueDate, type ListedAnyProject, setDueDates } from '#data/admin-projects.ts';
import { createAttempt } from '#lib/attempt.ts';
import { db } from '#lib/db.ts';
import { reportError, sessionEnded } from '#stores/session.ts';
import { addFailureToast, addToast } from '#stores/toasts.ts';
import type { BulkAction } from '#ui/table/DataTable.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

const loadDialog = () => import('./DueDateDialog.tsx');

const countText = (count: number) => `${count} ${count === 1 ? 'project' : 'projects'}`;

/** Changes due dates, and offers to undo it. `reload` never throws. */
function useChanges(reload: () => Promise<void>) {
  const [attempt] = useState(() =>
    createAttempt({ db, signedOut: sessionEnded, showFailure: addFailureToast }),
  );

  async function undo(before: readonly DueDate[]) {
    const isDone = await attempt(
      'We couldn’t undo it',
      async (client) => setDueDates(client, before),
      () => void undo(before),
    );
    if (isDone) {
      addToast({ tone: 'good', title: `Undone: ${countText(before.length)} due as before.` });
    }
    await reload();
  }

  return async (projects: readonly ListedAnyProject[], dueOn: string) => {
    try {
      const wanted = projects.map(({ id }) => ({ id, due_on: dueOn || null }));
      const before = await setDueDates(await db(), wanted);
      addToast({
        tone: 'good',
        title: `Due date of ${countText(before.length)} changed.`,
        lasting: true,
        ...(before.length > 0 && { action: { label: 'Undo', onPress: () => void undo(before) } }),
      });
    } catch (thrown) {
      throw reportError(thrown);
    }
    await reload();
  };
}

/** Changing the due dates of the selected projects: the bulk action, and the dialog it opens. */
export function useDueDates(reload: () => Promise<void>) {
  const [asked, setAsked] = useState<readonly ListedAnyProject[] | null>(null);
  const close = () => setAsked(null);
  const part = useOpenedPart(loadDialog, asked !== null, close);
  const run = useChanges(reload);

  function actions(projects: readonly ListedAnyProject[]): BulkAction[] {
    // An archived business is read-only.
    if (projects.some(({ business }) => business.archived)) return [];
    return [
      { label: 'Change due date', done: 'waiting for the date', onRun: () => setAsked(projects) },
    ];
  }

  const dialog = asked && part && (
    <part.DueDateDialog
      what={asked.length === 1 && asked[0] ? asked[0].title : countText(asked.length)}
      onSubmit={(dueOn) => run(asked, dueOn)}
      onClose={close}
    />
  );
  return { actions, dialog };
}
