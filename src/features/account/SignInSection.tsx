import { useState } from 'react';
import type { Account } from '#data/account.ts';
import { toAppError } from '#lib/errors.ts';
import { momentText } from '#lib/locale/dates.ts';
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

interface SectionProps {
  account: Account;
  store: AccountStore;
  timeZone: string;
}

/** The email address and password the user signs in with. */
export function SignInSection({ account, store, timeZone }: SectionProps) {
  const [open, setOpen] = useState<'email' | 'password' | null>(null);
  const close = () => setOpen(null);
  const forms = useOpenedPart(loadForms, open !== null, close);
  return (
    <Section id="sign-in" title="Signing in">
      <ul className="card mt-5 divide-y divide-line">
        <EmailRow
          account={account}
          store={store}
          timeZone={timeZone}
          onChange={() => setOpen('email')}
        />
        <PasswordRow account={account} onChange={() => setOpen('password')} />
      </ul>
      <Dialog
        open={open === 'email' && forms !== null}
        onOpenChange={close}
        title="Change email"
        description={`We’ll email a link to both addresses. Once you’ve opened both, sign in with the new one. Until then, keep using ${account.email}.`}
      >
        {forms && <forms.EmailForm account={account} store={store} onDone={close} />}
      </Dialog>
      <Dialog
        open={open === 'password' && forms !== null}
        onOpenChange={close}
        title="Change password"
      >
        {forms && <forms.ChangePasswordForm account={account} store={store} onDone={close} />}
      </Dialog>
    </Section>
  );
}

const ROW = 'flex flex-wrap items-center gap-x-6 gap-y-3 p-5';

function EmailRow({ onChange, ...props }: SectionProps & { onChange: () => void }) {
  const { email, new_email } = props.account;
  return (
    <li className={ROW}>
      <div className="min-w-48 flex-1">
        <p className="text-sm text-muted">Email</p>
        <p className="font-semibold [overflow-wrap:anywhere]">{email}</p>
      </div>
      <Button variant="secondary" size="small" onClick={onChange}>
        Change email
      </Button>
      {new_email && (
        <div className="basis-full">
          <PendingEmail {...props} />
        </div>
      )}
    </li>
  );
}

function PasswordRow({ account, onChange }: { account: Account; onChange: () => void }) {
  return (
    <li className={ROW}>
      <div className="min-w-48 flex-1">
        <p className="text-sm text-muted">Password</p>
        <p>
          {account.has_password
            ? 'Changing it signs out your other devices.'
            : 'You don’t have one yet. Until then, sign in with a code from an email.'}
        </p>
      </div>
      {account.has_password ? (
        <Button variant="secondary" size="small" onClick={onChange}>
          Change password
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="small"
          href="/update-password?next=/dashboard/profile/security"
        >
          Choose a password
        </Button>
      )}
    </li>
  );
}

/** An email change that still needs confirming at both addresses. */
function PendingEmail({ account, store, timeZone }: SectionProps) {
  const { new_email: email, new_email_sent_at: sentAt } = account;
  const { pending, failure, run } = useAction(toAppError);
  const sendAgain = () =>
    run(async () => {
      await store.changeEmail(email ?? '');
      addToast({ tone: 'good', title: 'Sent again to both addresses.' });
    });
  return (
    <Notice
      live="polite"
      title={`Waiting for ${email}`}
      action={
        <Button size="small" variant="secondary" pending={pending} onClick={() => void sendAgain()}>
          Send both emails again
        </Button>
      }
    >
      {sentAt && `We emailed ${account.email} and ${email} on ${momentText(sentAt, timeZone)}. `}
      Each link works once, for one hour. If you do nothing, your email stays the same.
      <FailureLine failure={failure} />
    </Notice>
  );
}
