import { useState } from 'react';
import type { Account } from '#data/account.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { FailureLine } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import type { AccountStore } from './account-store.ts';
import { loadForms } from './load-forms.ts';

interface DeletionSectionProps {
  account: Account;
  store: AccountStore;
  timeZone: string;
}

/** Deletes the account, with 30 days to change your mind. */
export function DeletionSection({ account, store, timeZone }: DeletionSectionProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const forms = useOpenedPart(loadForms, open, close);
  const { deletion_due_at: dueAt, last_admin: lastAdmin } = account;
  return (
    <Section id="deletion" title="Delete your account" className="border-t border-line pt-8">
      {dueAt ? (
        <Due dueAt={dueAt} store={store} timeZone={timeZone} />
      ) : (
        <>
          <p className="mt-1 max-w-[60ch] text-sm text-muted">
            {lastAdmin
              ? 'You’re the last admin. Make someone else an admin first.'
              : 'You have 30 days to change your mind. After that, nobody can restore it, not even us.'}
          </p>
          <Button
            variant="secondary"
            className="mt-5"
            disabled={lastAdmin}
            onClick={() => setOpen(true)}
          >
            Delete my account
          </Button>
        </>
      )}
      <Dialog
        open={open && forms !== null}
        onOpenChange={close}
        title="Delete your account?"
        description="We’ll delete it in 30 days. Until then everything works, every page reminds you, and one button cancels it."
      >
        {forms && <forms.DeletionForm account={account} store={store} onDone={close} />}
      </Dialog>
    </Section>
  );
}

function Due({ dueAt, store, timeZone }: { dueAt: string; store: AccountStore; timeZone: string }) {
  const { pending, failure, run } = useAction(reportError);
  const keep = () =>
    run(async () => {
      await store.keep();
      addToast({ tone: 'good', title: 'Your account won’t be deleted.' });
    });
  return (
    <Notice
      tone="caution"
      className="mt-5"
      live="polite"
      title={`Your account will be deleted on ${dayText(dueAt, timeZone)}`}
      action={
        <Button size="small" pending={pending} onClick={() => void keep()}>
          Keep my account
        </Button>
      }
    >
      Until then everything works as usual. Want a copy of your data? Create the archive above.
      <FailureLine failure={failure} />
    </Notice>
  );
}
