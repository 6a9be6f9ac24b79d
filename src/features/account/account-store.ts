/** The account on its page: how the person signs in, where, and whether it will be deleted. */
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
import { createErrorReporter } from '#lib/classify-error.ts';
import type { PasswordRenewal } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';

export type AccountStore = ReturnType<typeof createAccountStore>;

interface AccountDeps {
  db: () => Promise<Db>;
  /** The session is over: the page asks the person to sign in again. */
  signedOut: () => void;
  /** What other parts of the page show of the person has changed. */
  changed: () => void;
}

/** Makes the store of one page. Every action throws an AppError and then changes nothing. */
export function createAccountStore(deps: AccountDeps, initial: Account) {
  const $account = atom<Account>(initial);
  const set = (change: Partial<Account>) => $account.set({ ...$account.get(), ...change });

  const reportError = createErrorReporter(deps);
  const thisDevice = () => $account.get().sessions.filter(({ current }) => current);

  async function run<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    try {
      return await work(await deps.db());
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  /** Shows the account after an action; a failure to read it again doesn't undo the action. */
  async function refresh(db: Db, known: Partial<Account>): Promise<void> {
    set(known);
    await getAccount(db).then(set, () => {});
  }

  return {
    $account,
    changePassword: (input: PasswordRenewal) =>
      run(async (db) => {
        await changePassword(db, $account.get().email, input);
        await refresh(db, { sessions: thisDevice() });
      }),
    changeEmail: (email: string) =>
      run(async (db) => {
        await changeEmail(db, email);
        await refresh(db, { new_email: email, new_email_sent_at: new Date().toISOString() });
      }),
    startFactor: (issuer: string): Promise<Enrolment> => run((db) => startFactor(db, issuer)),
    confirmFactor: (id: string, code: string) =>
      run(async (db) => {
        await confirmFactor(db, id, code);
        const factor = { id, added_at: new Date().toISOString() };
        await refresh(db, { factors: [...$account.get().factors, factor] });
      }),
    removeFactor: (id: string, code: string) =>
      run(async (db) => {
        await removeFactor(db, id, code);
        await refresh(db, { factors: $account.get().factors.filter((each) => each.id !== id) });
      }),
    endDevice: (id: string) => run(async (db) => set({ sessions: await endDevice(db, id) })),
    endOtherDevices: () =>
      run(async (db) => {
        await endOtherDevices(db);
        await refresh(db, { sessions: thisDevice() });
      }),
    requestDeletion: (proof: { code: string } | { password: string }) =>
      run(async (db) => {
        const { email } = $account.get();
        const full = 'code' in proof ? proof : { email, ...proof };
        set({ deletion_due_at: await requestDeletion(db, full) });
        deps.changed();
      }),
    keep: () =>
      run(async (db) => {
        await keepAccount(db);
        set({ deletion_due_at: null });
        deps.changed();
      }),
  };
}
