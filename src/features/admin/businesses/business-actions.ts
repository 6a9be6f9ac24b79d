/** What an admin can do about a business with just a reason. */
import {
  type AnyBusiness,
  archiveBusinesses,
  type Merge,
  restoreBusinesses,
  undoMerge,
} from '#data/admin-businesses.ts';
import type { Db } from '#lib/supabase.ts';
import type { ReasonedAction } from '../ReasonDialog.tsx';

export interface BusinessAction extends Omit<ReasonedAction, 'onSubmit'> {
  /** What's announced once it's done. */
  done: string;
  run: (db: Db, reason: string) => Promise<unknown>;
}

export const archiveAction = ({ id, name }: AnyBusiness): BusinessAction => ({
  title: `Archive ${name}?`,
  description:
    'It becomes read-only for its members, and open invitations stop working until it’s restored. Nothing is deleted. While it’s being coached, it can’t be archived.',
  action: 'Archive',
  done: `${name} is archived.`,
  danger: true,
  run: (db, reason) => archiveBusinesses(db, [id], reason),
});

export const restoreAction = ({ id, name }: AnyBusiness): BusinessAction => ({
  title: `Restore ${name}?`,
  description:
    'It goes back on its members’ lists and can be edited again. Invitations that archiving stopped work again.',
  action: 'Restore',
  done: `${name} is restored.`,
  run: (db, reason) => restoreBusinesses(db, [id], reason),
});

export const undoAction = ({ id, from, into }: Merge): BusinessAction => ({
  title: `Undo the merge of ${from.name} into ${into.name}?`,
  description: `Everything that came from ${from.name} goes back, with the changes since then. What was added to ${into.name} stays there. The members get an email.`,
  action: 'Undo the merge',
  done: `${from.name} is a business of its own again.`,
  run: (db, reason) => undoMerge(db, id, reason),
});
