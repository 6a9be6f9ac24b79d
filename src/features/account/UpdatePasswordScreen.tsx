import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { changePassword } from '#data/account.ts';
import { openMailedLink, savePassword } from '#data/sign-in.ts';
import { db } from '#lib/db.ts';
import { passwordChange } from '#lib/schemas/account.ts';
import { $session, beginSession, followSession } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { MailedLink, PasswordForm, SecondFactorForm } from './account-forms.tsx';
import { AccountHeading, NewPasswordField, Username } from './account-parts.tsx';

export interface UpdatePasswordInitial {
  tokenHash: string | null;
  /** Where to go once the password is saved, validated by the server. */
  next: string | null;
  /** This browser's existing session; null for a visitor. */
  session: {
    email: string;
    /** An emailed link opened it, which stands in for the current password. */
    byMail: boolean;
    /** Without a password there's no current one to ask for. */
    hasPassword: boolean;
    /** The session still needs a code from the authenticator app. */
    secondFactor: boolean;
  } | null;
}

/** The step to show. The link opens a session, and the app's code comes before a new password. */
type Step = 'no-link' | 'link' | 'code' | 'new' | 'renewal';

function firstStep({ tokenHash, session }: UpdatePasswordInitial): Step {
  if (session && (tokenHash === null || session.byMail)) {
    if (session.secondFactor) return 'code';
    return session.byMail || !session.hasPassword ? 'new' : 'renewal';
  }
  return tokenHash === null ? 'no-link' : 'link';
}

/** Sets a new password: after a click on the emailed link, or with the current password. */
const UpdatePasswordScreen = ({ initial }: { initial: UpdatePasswordInitial }) => (
  <>
    <AccountHeading>New password</AccountHeading>
    <UpdatePassword initial={initial} />
  </>
);

function UpdatePassword({ initial }: { initial: UpdatePasswordInitial }) {
  const shared = useStore($session, { ssr: 'initial' });
  const [own, setStep] = useState(() => firstStep(initial));
  const [byMail, setByMail] = useState(initial.session?.byMail ?? false);
  // The user may have clicked the link's button in another tab of this browser.
  const step = own === 'link' && shared.state === 'recovery' ? 'new' : own;
  const email = initial.session?.email ?? '';
  const next = initial.next ?? '/';

  useEffect(() => {
    beginSession(null);
    return followSession();
  }, []);

  switch (step) {
    case 'no-link':
      return <NoLink />;
    case 'link':
      return (
        <MailedLink
          lead="You asked for a new password. Your old one works until you save the new one."
          button="Choose a new password"
          spent={<NoLink spent />}
          use={async () => {
            const secret = initial.tokenHash ?? '';
            const outcome = await openMailedLink(await db(), secret, 'recovery');
            setByMail(true);
            setStep(outcome === 'second-factor' ? 'code' : 'new');
          }}
        />
      );
    case 'code':
      return (
        <SecondFactorForm action="Continue" onDone={() => setStep(byMail ? 'new' : 'renewal')} />
      );
    case 'renewal':
      return (
        <PasswordForm
          email={email}
          save={async (input) => {
            await changePassword(await db(), email, input);
            location.replace(next);
          }}
        />
      );
    default:
      return <NewForm email={email} next={next} isFirst={initial.session?.hasPassword === false} />;
  }
}

function NoLink({ spent = false }: { spent?: boolean }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <Notice
        tone="caution"
        live={spent ? 'assertive' : undefined}
        title={spent ? 'This link no longer works' : 'You need the link from our email'}
      >
        {spent
          ? 'It has already been used, or it’s more than an hour old.'
          : 'Open our latest email and click the button.'}
      </Notice>
      <Button href="/recover">Send a new link</Button>
    </div>
  );
}

interface NewFormProps {
  email: string;
  next: string;
  /** No password yet: the address was registered in another browser, maybe by a stranger. */
  isFirst: boolean;
}

/** For users who opened an emailed link, so it doesn't ask for the old password. */
function NewForm({ email, next, isFirst }: NewFormProps) {
  const form = useSchemaForm<{ password: string }>(passwordChange, async ({ password }) => {
    await savePassword(await db(), password);
    location.replace(next);
  });
  const password = form.form.watch('password') ?? '';
  return (
    <Form of={form} submit="Save" size="large">
      {isFirst && (
        <p>
          Your email is confirmed. It was registered in another browser, so choose the password you
          want to sign in with from now on.
        </p>
      )}
      <Username email={email} />
      <NewPasswordField password={password} email={email} {...form.field('password')} />
    </Form>
  );
}

export default screen(UpdatePasswordScreen);
