/** One business on its page: figures, members, invitations and archiving. */
import { atom } from 'nanostores';
import {
  handOverBusiness,
  inviteMember,
  leaveBusiness,
  removeMember,
  resendInvitation,
  revokeInvitation,
} from '#data/business-members.ts';
import {
  createSnapshot,
  listSnapshots,
  type NewSnapshot,
  SNAPSHOT_PAGE,
  type Snapshot,
} from '#data/business-snapshots.ts';
import { archiveBusiness, type Business, getBusiness } from '#data/businesses.ts';
import type { Db } from '#lib/supabase.ts';

type Change = (
  work: (db: Db) => Promise<unknown>,
  done: (business: Business) => Partial<Business>,
) => Promise<void>;

export type BusinessStore = ReturnType<typeof createBusinessStore>;

/**
 * Creates the store of one page. If an action fails, it throws an AppError and changes nothing;
 * if it succeeds, the page shows the current state of the database.
 */
export function createBusinessStore(open: () => Promise<Db>, initial: Business) {
  const $business = atom<Business>(initial);
  /** Whether there are figures older than those shown. */
  const $more = atom(initial.snapshots.length === SNAPSHOT_PAGE);
  const { id } = initial;

  async function refresh(db: Db): Promise<void> {
    const now = await getBusiness(db, id);
    const shown = $business.get().snapshots;
    const oldest = now.snapshots.at(-1)?.taken_on;
    const older =
      oldest === undefined || now.snapshots.length < SNAPSHOT_PAGE
        ? []
        : shown.filter(({ taken_on }) => taken_on < oldest);
    $business.set({ ...now, snapshots: [...now.snapshots, ...older] });
  }

  /** Does the work and refetches the business; if the refetch fails, applies the known change. */
  const change: Change = async (work, done) => {
    const db = await open();
    await work(db);
    await refresh(db).catch(() => {
      const business = $business.get();
      $business.set({ ...business, ...done(business) });
    });
  };

  return {
    $business,
    $more,
    addFigures: (figures: NewSnapshot) =>
      change(
        (db) => createSnapshot(db, id, figures),
        ({ snapshots }) => ({ snapshots: withFigures(snapshots, figures) }),
      ),
    async loadOlder() {
      const { snapshots } = $business.get();
      const older = await listSnapshots(await open(), id, snapshots.at(-1)?.taken_on);
      $more.set(older.length === SNAPSHOT_PAGE);
      $business.set({ ...$business.get(), snapshots: [...snapshots, ...older] });
    },
    ...memberActions(id, open, change),
    archive: (archived: boolean) =>
      change(
        (db) => archiveBusiness(db, id, archived),
        () => ({ archived_at: archived ? new Date().toISOString() : null }),
      ),
  };
}

const memberActions = (id: string, open: () => Promise<Db>, change: Change) => ({
  /** `invitation` is its id, the same for every retry. */
  invite: (invitation: string, address: string) =>
    change(
      (db) => inviteMember(db, { id: invitation, businessId: id, address }),
      () => ({}),
    ),
  resend: (invitation: string) =>
    change(
      (db) => resendInvitation(db, invitation),
      () => ({}),
    ),
  revoke: (invitation: string) =>
    change(
      (db) => revokeInvitation(db, invitation),
      (business) => ({ invitations: business.invitations.filter((one) => one.id !== invitation) }),
    ),
  remove: (userId: string) =>
    change(
      (db) => removeMember(db, id, userId),
      ({ members }) => ({ members: members.filter(({ user_id }) => user_id !== userId) }),
    ),
  handOver: (userId: string) =>
    change(
      (db) => handOverBusiness(db, id, userId),
      () => ({ role: 'member' }),
    ),
  leave: async () => leaveBusiness(await open(), id),
});

/** Adds the figures for a date, replacing earlier ones for the same date. */
export function withFigures(snapshots: readonly Snapshot[], figures: NewSnapshot): Snapshot[] {
  const before = snapshots.find(({ taken_on }) => taken_on === figures.taken_on);
  const now: Snapshot = {
    ...figures,
    added_by: null,
    added_at: new Date().toISOString(),
    corrections: before ? before.corrections + 1 : 0,
  };
  return [...snapshots.filter((each) => each !== before), now].toSorted((a, b) =>
    a.taken_on < b.taken_on ? 1 : -1,
  );
}
