/** The account on its page: how one signs in, where, and whether it is going to be deleted. */
import { atom } from 'nanostores';
import {
  type Account,
  changeEmail,
  changePassword,
  confirmFactor,
  type Enrolment,
  endDevice,
  endOtherDevices,
  getAccount,
  keepAccount,
  removeFactor,
  requestDeletion,
  startFactor,
} from '#data/account.ts';
import { classifyError } from '#lib/classify-error.ts';
import type { PasswordRenewal } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';

export type AccountStore = ReturnType<typeof createAccountStore>;

interface Around {
  db: () => Promise<Db>;
  /** The session is over: the page asks for it again. */
  signedOut: () => void;
  /** What the person is told elsewhere on the page has changed. */
  changed: () => void;
}

/** Makes the store of one page. Every action throws an AppError and then leaves everything as it was. */
export function createAccountStore(around: Around, initial: Account) {
  const $account = atom<Account>(initial);
  const set = (change: Partial<Account>) => $account.set({ ...$account.get(), ...change });

  async function doing<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    try {
      return await work(await around.db());
    } catch (thrown) {
      const error = classifyError(thrown);
      if (error.kind === 'signed-out') around.signedOut();
      throw error;
    }
  }

  /** Done: shows how it is now. That it cannot be read just now takes nothing from it. */
  async function refresh(db: Db, known: Partial<Account>): Promise<void> {
    set(known);
    await getAccount(db).then(set, () => {});
  }

  return {
    $account,
    changePassword: (input: PasswordRenewal) =>
      doing(async (db) => {
        await changePassword(db, $account.get().email, input);
        await refresh(db, { sessions: $account.get().sessions.filter(({ current }) => current) });
      }),
    changeEmail: (email: string) =>
      doing(async (db) => {
        await changeEmail(db, email);
        await refresh(db, { new_email: email, new_email_sent_at: new Date().toISOString() });
      }),
    startFactor: (issuer: string): Promise<Enrolment> => doing((db) => startFactor(db, issuer)),
    confirmFactor: (id: string, code: string) =>
      doing(async (db) => {
        await confirmFactor(db, id, code);
        const factor = { id, added_at: new Date().toISOString() };
        await refresh(db, { factors: [...$account.get().factors, factor] });
      }),
    removeFactor: (id: string, code: string) =>
      doing(async (db) => {
        await removeFactor(db, id, code);
        await refresh(db, { factors: $account.get().factors.filter((each) => each.id !== id) });
      }),
    endDevice: (id: string) =>
      doing(async (db) => {
        set({ sessions: await endDevice(db, id) });
      }),
    endOtherDevices: () =>
      doing(async (db) => {
        await endOtherDevices(db);
        await refresh(db, { sessions: $account.get().sessions.filter(({ current }) => current) });
      }),
    requestDeletion: (proof: { code: string } | { password: string }) =>
      doing(async (db) => {
        const { email } = $account.get();
        set({
          deletion_due_at: await requestDeletion(db, 'code' in proof ? proof : { email, ...proof }),
        });
        around.changed();
      }),
    keep: () =>
      doing(async (db) => {
        await keepAccount(db);
        set({ deletion_due_at: null });
        around.changed();
      }),
  };
}
