import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { openMailedLink, savePassword } from '#data/session.ts';
import { db } from '#lib/door.ts';
import { type AppError, toAppError } from '#lib/errors.ts';
import { passwordChange } from '#lib/schemas.ts';
import { $session, beginSession, followSession } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/Field.tsx';
import { Notice } from '#ui/Notice.tsx';
import { PasswordInput } from '#ui/PasswordInput.tsx';
import { useReady, useSchemaForm } from '#ui/use-schema-form.ts';
import { AccountHeading } from './AccountFrame.tsx';
import { FormFailure } from './FormFailure.tsx';
import { strengthOf } from './password-strength.ts';

export interface UpdatePasswordInitial {
  tokenHash: string | null;
  /** The address of the person who is signed in; null for a visitor. */
  email: string | null;
}

/** A new password: from the mailed link after a press on a button, or in a session. */
export default function UpdatePasswordScreen({ initial }: { initial: UpdatePasswordInitial }) {
  return (
    <>
      <AccountHeading>New password</AccountHeading>
      <UpdatePassword initial={initial} />
    </>
  );
}

function UpdatePassword({ initial }: { initial: UpdatePasswordInitial }) {
  const session = useStore($session, { ssr: 'initial' });
  const [opened, setOpened] = useState(initial.tokenHash === null && initial.email !== null);

  useEffect(() => {
    beginSession(null);
    return followSession();
  }, []);

  // The link was pressed here, or in another tab of this browser.
  if (opened || session.state === 'recovery') return <PasswordForm email={initial.email ?? ''} />;
  if (initial.tokenHash === null) return <NoLink />;
  return <OpenLink tokenHash={initial.tokenHash} onOpened={() => setOpened(true)} />;
}

function OpenLink({ tokenHash, onOpened }: { tokenHash: string; onOpened: () => void }) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<AppError | null>(null);
  const ready = useReady();

  async function open() {
    setPending(true);
    setFailure(null);
    try {
      await openMailedLink(await db(), tokenHash, 'recovery');
      onOpened();
    } catch (thrown) {
      setFailure(toAppError(thrown));
    } finally {
      setPending(false);
    }
  }

  if (failure && failure.kind !== 'network' && failure.kind !== 'rate-limited')
    return <NoLink spent />;
  return (
    <div className="flex flex-col items-start gap-5">
      <p>You asked for a new password. Your old one works until you have saved another.</p>
      <FormFailure failure={failure} />
      <Button size="large" pending={pending} disabled={!ready} onClick={() => void open()}>
        Choose a new password
      </Button>
    </div>
  );
}

function NoLink({ spent = false }: { spent?: boolean }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <Notice
        tone="caution"
        live={spent ? 'assertive' : undefined}
        title={spent ? 'This link no longer works' : 'This page needs the link from our mail'}
      >
        {spent
          ? 'It was used already, or it is older than an hour.'
          : 'Open the newest mail from us and press the button in it.'}
      </Notice>
      <Button href="/recover">Have a new link sent</Button>
    </div>
  );
}

function PasswordForm({ email }: { email: string }) {
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<{ password: string }>(
    passwordChange,
    async ({ password }) => {
      await savePassword(await db(), password);
      location.replace('/');
    },
  );
  const password = useWatch({ control: form.control, name: 'password' }) ?? '';
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {/* Tells a password manager whose password this is. */}
      <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
      <Field
        label="Password"
        as={PasswordInput}
        autoComplete="new-password"
        hint={<span aria-live="polite">{strengthOf(password, email).words}</span>}
        error={errorOf('password')}
        {...form.register('password')}
      />
      <FormFailure failure={failure} />
      <Button type="submit" size="large" pending={pending} disabled={!ready}>
        Save
      </Button>
    </form>
  );
}
