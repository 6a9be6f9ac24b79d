import type { Account, Factor } from '#data/account.ts';
import { AppError } from '#lib/errors.ts';
import { address, codeEntry, type PasswordRenewal, passwordProof } from '#lib/schemas/account.ts';
import { addToast } from '#stores/toasts.ts';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { PasswordForm } from './account-forms.tsx';
import { CodeField, EmailField, PasswordField, Username } from './account-parts.tsx';
import type { AccountStore } from './account-store.ts';

interface FormProps {
  account: Account;
  store: AccountStore;
  onDone: () => void;
}

/** Asks for the new address; both addresses then have to confirm it. */
export function EmailForm({ account, store, onDone }: FormProps) {
  const form = useSchemaForm<{ email: string }>(address, async ({ email }) => {
    if (email.toLowerCase() === account.email.toLowerCase()) {
      throw new AppError('invalid', 'That’s already your email.', { field: 'email' });
    }
    await store.changeEmail(email);
    onDone();
  });
  return (
    <Form of={form} submit="Send both emails">
      <EmailField label="New email" autoComplete="email" {...form.field('email')} />
    </Form>
  );
}

/** Changes the password, which signs out other devices. */
export function ChangePasswordForm({ account, store, onDone }: FormProps) {
  const save = async (input: PasswordRenewal) => {
    await store.changePassword(input);
    onDone();
    addToast({
      tone: 'good',
      title: 'Password changed.',
      text: 'Your other devices are signed out.',
    });
  };
  return <PasswordForm email={account.email} save={save} />;
}

interface RemoveProps {
  factor: Factor;
  store: AccountStore;
  onDone: () => void;
}

/** Asks for a code before an authenticator app is removed. */
export function RemoveForm({ factor, store, onDone }: RemoveProps) {
  const form = useSchemaForm<{ code: string }>(codeEntry, async ({ code }) => {
    await store.removeFactor(factor.id, code);
    onDone();
    addToast({ tone: 'good', title: 'App removed.' });
  });
  return (
    <Form of={form} submit="Remove" variant="danger">
      <CodeField
        hint="The six-digit code from this app or another of yours."
        {...form.field('code')}
      />
    </Form>
  );
}

/** Says what deleting the account means, and asks for proof of identity. */
export const DeletionForm = (props: FormProps) => (
  <>
    <Effects account={props.account} />
    <RequestForm {...props} />
  </>
);

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

/** Asks for proof of identity: a code if there's an authenticator app, otherwise the password. */
function RequestForm({ account, store, onDone }: FormProps) {
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
