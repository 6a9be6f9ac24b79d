/** One business on its page: figures, members, invitations, archive. */
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

export type BusinessStore = ReturnType<typeof createBusinessStore>;

/**
 * Makes the store of one page. Every action throws an AppError and then leaves everything as it was;
 * done, the page shows what the database says now.
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

  /** Does it, then reads the business again; that it cannot be read just now takes nothing from it. */
  async function doing(
    work: (db: Db) => Promise<unknown>,
    known: (business: Business) => Business,
  ): Promise<void> {
    const db = await open();
    await work(db);
    await refresh(db).catch(() => $business.set(known($business.get())));
  }

  const without = (business: Business, userId: string): Business => ({
    ...business,
    members: business.members.filter(({ user_id }) => user_id !== userId),
  });

  return {
    $business,
    $more,
    addFigures: (figures: NewSnapshot) =>
      doing(
        (db) => createSnapshot(db, id, figures),
        (business) => ({ ...business, snapshots: withFigures(business.snapshots, figures) }),
      ),
    async loadOlder() {
      const { snapshots } = $business.get();
      const older = await listSnapshots(await open(), id, snapshots.at(-1)?.taken_on);
      $more.set(older.length === SNAPSHOT_PAGE);
      $business.set({ ...$business.get(), snapshots: [...snapshots, ...older] });
    },
    /** `invitation` is the id under which it is made, the same for all tries. */
    invite: (invitation: string, address: string) =>
      doing(
        (db) => inviteMember(db, { id: invitation, businessId: id, address }),
        (business) => business,
      ),
    resend: (invitation: string) =>
      doing(
        (db) => resendInvitation(db, invitation),
        (business) => business,
      ),
    revoke: (invitation: string) =>
      doing(
        (db) => revokeInvitation(db, invitation),
        (business) => ({
          ...business,
          invitations: business.invitations.filter((one) => one.id !== invitation),
        }),
      ),
    remove: (userId: string) =>
      doing(
        (db) => removeMember(db, id, userId),
        (business) => without(business, userId),
      ),
    handOver: (userId: string) =>
      doing(
        (db) => handOverBusiness(db, id, userId),
        (business) => ({ ...business, role: 'member' }),
      ),
    async leave() {
      await leaveBusiness(await open(), id);
    },
    archive: (archived: boolean) =>
      doing(
        (db) => archiveBusiness(db, id, archived),
        (business) => ({
          ...business,
          archived_at: archived ? new Date().toISOString() : null,
        }),
      ),
  };
}

/** Figures as they stand with newer ones of a day: those replace what the day had. */
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
