import { useState } from 'react';
import type { Account } from '#data/account.ts';
import { dayText } from '#lib/locale/dates.ts';
import { codeEntry, passwordProof } from '#lib/schemas.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { FailureLine } from '#ui/Failure.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { CodeField, PasswordField, Username } from './account-parts.tsx';
import type { AccountStore } from './account-store.ts';

interface DeletionSectionProps {
  account: Account;
  store: AccountStore;
  timeZone: string;
}

/** Deletes the account, with 30 days to change your mind. */
export function DeletionSection({ account, store, timeZone }: DeletionSectionProps) {
  const [open, setOpen] = useState(false);
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
        open={open}
        onOpenChange={() => setOpen(false)}
        title="Delete your account?"
        description="We’ll delete it in 30 days. Until then everything works, every page reminds you, and one button cancels it."
      >
        <Effects account={account} />
        <RequestForm account={account} store={store} onDone={() => setOpen(false)} />
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

/** Lists what gets deleted, what stays and who takes over which business, as of today. */
function Effects({ account: { ending, passing } }: { account: Account }) {
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm">
      <li>We delete your profile, photo, saved tools and focus areas.</li>
      <li>Your quiz results stay in our statistics, without your name.</li>
      {passing.map(({ name, to }) => (
        <li key={name} className="[overflow-wrap:anywhere]">
          {name} goes to {to ?? 'another member'}, with everything in it.
        </li>
      ))}
      {ending.map((name) => (
        <li key={name} className="[overflow-wrap:anywhere]">
          {name} has no other members, so we delete it with its figures, plan, projects and files.
        </li>
      ))}
      <li>Your coaching ends. We’ll email your coach or your clients.</li>
      <li>We delete your contact-form messages and your newsletter subscription.</li>
    </ul>
  );
}

interface RequestFormProps {
  account: Account;
  store: AccountStore;
  onDone: () => void;
}

/** Asks for proof of identity: a code if there's an authenticator app, otherwise the password. */
function RequestForm({ account, store, onDone }: RequestFormProps) {
  const byCode = account.factors.length > 0;
  const form = useSchemaForm<{ code?: string; password?: string }>(
    byCode ? codeEntry : passwordProof,
    async ({ code = '', password = '' }) => {
      await store.requestDeletion(byCode ? { code } : { password });
      onDone();
    },
  );
  return (
    <Form of={form} submit="Delete in 30 days" variant="danger">
      {byCode ? (
        <CodeField hint="The six-digit code from your authenticator app." {...form.field('code')} />
      ) : (
        <>
          <Username email={account.email} />
          <PasswordField label="Your password" {...form.field('password')} />
        </>
      )}
    </Form>
  );
}
