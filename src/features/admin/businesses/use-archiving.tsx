import { useState } from 'react';
import {
  archiveBusinesses,
  type ListedBusiness,
  restoreBusinesses,
} from '#data/admin-businesses.ts';
import { createAttempt } from '#lib/attempt.ts';
import { db } from '#lib/db.ts';
import { reportError, sessionEnded } from '#stores/session.ts';
import { addFailureToast, addToast } from '#stores/toasts.ts';
import type { BulkAction } from '#ui/table/DataTable.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

const loadDialog = () => import('../ReasonDialog.tsx');

const countText = (count: number) => `${count} ${count === 1 ? 'business' : 'businesses'}`;

/** What archiving and restoring do and are called. */
const CHANGES = {
  archive: {
    call: archiveBusinesses,
    back: restoreBusinesses,
    verb: 'Archive',
    done: 'archived',
    description:
      'They become read-only for their members, and open invitations stop working until they’re restored. Nothing is deleted. A business that’s being coached can’t be archived.',
  },
  restore: {
    call: restoreBusinesses,
    back: archiveBusinesses,
    verb: 'Restore',
    done: 'restored',
    description:
      'They go back on their members’ lists and can be edited again. Invitations that archiving stopped work again.',
  },
} as const;

interface Asked {
  change: keyof typeof CHANGES;
  businesses: readonly ListedBusiness[];
}

interface Asking extends Asked {
  onSubmit: (reason: string) => Promise<void>;
}

function dialogText({ change, businesses, onSubmit }: Asking) {
  const { verb, description } = CHANGES[change];
  const [first] = businesses;
  const what = businesses.length === 1 && first ? first.name : countText(businesses.length);
  return {
    title: `${verb} ${what}?`,
    description,
    action: verb,
    danger: change === 'archive',
    onSubmit,
  };
}

/** Changes businesses with a reason, and offers to undo it. `reload` never throws. */
function useChanges(reload: () => Promise<void>) {
  const [attempt] = useState(() =>
    createAttempt({ db, signedOut: sessionEnded, showFailure: addFailureToast }),
  );

  async function undo(change: Asked['change'], ids: readonly string[]) {
    const isDone = await attempt(
      'We couldn’t undo it',
      async (client) => CHANGES[change].back(client, ids, 'Undone right away'),
      () => void undo(change, ids),
    );
    if (isDone) {
      const state = change === 'archive' ? 'active' : 'archived';
      addToast({ tone: 'good', title: `Undone: ${countText(ids.length)} ${state} again.` });
    }
    await reload();
  }

  return async ({ change, businesses }: Asked, reason: string) => {
    const { call, done } = CHANGES[change];
    const wanted = businesses.map(({ id }) => id);
    try {
      const ids = await call(await db(), wanted, reason);
      addToast({
        tone: 'good',
        title: `${countText(ids.length)} ${done}.`,
        lasting: true,
        ...(ids.length > 0 && {
          action: { label: 'Undo', onPress: () => void undo(change, ids) },
        }),
      });
    } catch (thrown) {
      throw reportError(thrown);
    }
    await reload();
  };
}

/** Archiving and restoring the selected businesses: the bulk actions, and the dialog they open. */
export function useArchiving(reload: () => Promise<void>) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const part = useOpenedPart(loadDialog, asked !== null, close);
  const run = useChanges(reload);

  function actions(businesses: readonly ListedBusiness[]): BulkAction[] {
    const archived = businesses.filter(({ archived_at }) => archived_at !== null).length;
    if (archived !== 0 && archived !== businesses.length) return [];
    const change = archived === 0 ? 'archive' : 'restore';
    return [
      {
        label: CHANGES[change].verb,
        done: 'waiting for your reason',
        danger: change === 'archive',
        onRun: () => setAsked({ change, businesses }),
      },
    ];
  }

  const dialog = asked && part && (
    <part.ReasonDialog
      action={dialogText({ ...asked, onSubmit: (reason) => run(asked, reason) })}
      onClose={close}
    />
  );
  return { actions, dialog };
}
