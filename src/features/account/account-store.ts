/** The user's account: how and where they sign in, and whether it's due to be deleted. */
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
  makeRecoveryCodes,
  removeFactor,
  requestDeletion,
  startFactor,
} from '#data/account.ts';
import type { PasswordRenewal } from '#lib/schemas/account.ts';
import type { BrowserDb } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';

export type AccountStore = ReturnType<typeof createAccountStore>;

/**
 * Creates the store for one page. Actions throw an AppError, and then change nothing.
 * @param changed called when the deletion date changes, since other parts of the page show it
 */
export function createAccountStore(
  db: () => Promise<BrowserDb>,
  changed: () => Promise<void>,
  initial: Account,
) {
  const $account = atom<Account>(initial);
  const set = (change: Partial<Account>) => $account.set({ ...$account.get(), ...change });

  async function run<Result>(work: (db: BrowserDb) => Promise<Result>): Promise<Result> {
    try {
      return await work(await db());
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  /** Runs the action and sets what it's `known` to change, then loads the account again. */
  const act = (
    work: (db: BrowserDb, account: Account) => Promise<unknown>,
    known: (account: Account) => Partial<Account>,
  ) =>
    run(async (db) => {
      await work(db, $account.get());
      set(known($account.get()));
      // The action succeeded even if loading the account again fails.
      await getAccount(db).then(set, () => {});
    });
  const changeDeletion = (work: (db: BrowserDb) => Promise<string | null>) =>
    run(async (db) => {
      set({ deletion_due_at: await work(db) });
      void changed();
    });

  return {
    $account,
    changePassword: (input: PasswordRenewal) =>
      act((db, { email }) => changePassword(db, email, input), onlyThisDevice),
    changeEmail: (email: string) =>
      act(
        (db) => changeEmail(db, email),
        () => ({ new_email: email, new_email_sent_at: new Date().toISOString() }),
      ),
    startFactor: (issuer: string): Promise<Enrolment> => run((db) => startFactor(db, issuer)),
    confirmFactor: (id: string, code: string) =>
      act(
        (db) => confirmFactor(db, id, code),
        ({ factors }) => ({ factors: [...factors, { id, added_at: new Date().toISOString() }] }),
      ),
    removeFactor: (id: string, code: string) =>
      act(
        (db) => removeFactor(db, id, code),
        ({ factors }) => ({ factors: factors.filter((each) => each.id !== id) }),
      ),
    /** Makes new recovery codes. @returns the codes */
    makeRecoveryCodes: () =>
      run(async (db) => {
        const { codes, recovery_codes } = await makeRecoveryCodes(db);
        set({ recovery_codes });
        return codes;
      }),
    endDevice: (id: string) => run(async (db) => set({ sessions: await endDevice(db, id) })),
    endOtherDevices: () => act(endOtherDevices, onlyThisDevice),
    requestDeletion: (proof: Proof) =>
      changeDeletion((db) => requestDeletion(db, proofOf($account.get(), proof))),
    keep: () => changeDeletion((db) => keepAccount(db).then(() => null)),
  };
}

type Proof = { code: string } | { password: string };

const proofOf = ({ email }: Account, proof: Proof) =>
  'code' in proof ? proof : { email, ...proof };

const onlyThisDevice = ({ sessions }: Account) => ({
  sessions: sessions.filter(({ current }) => current),
});
