import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { resendConfirmation, signUp } from '#data/session.ts';
import { db } from '#lib/db.ts';
import { type Registration, registration } from '#lib/schemas.ts';
import { readVisitorAnswers } from '#lib/visitor-answers.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { EmailField, NewPasswordField } from './AccountFields.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { landingWithAnswers } from './claim.ts';
import { ResendButton } from './ResendButton.tsx';

export interface RegisterInitial {
  next: string | null;
  loginHref: string;
}

/** Makes an account, then waits for the mail to be answered. */
function RegisterScreen({ initial }: { initial: RegisterInitial }) {
  const [sent, setSent] = useState<{ email: string; next: string } | null>(null);
  return (
    <AccountFrame title={sent ? 'Look in your mail' : 'Create an account'}>
      {sent ? <LookInYourMail {...sent} /> : <RegisterForm initial={initial} onSent={setSent} />}
    </AccountFrame>
  );
}

interface RegisterFormProps {
  initial: RegisterInitial;
  onSent: (sent: { email: string; next: string }) => void;
}

function RegisterForm({ initial, onSent }: RegisterFormProps) {
  const [hasAnswers, setHasAnswers] = useState(false);
  useEffect(() => setHasAnswers(readVisitorAnswers() !== null), []);
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<Registration>(
    registration,
    async (input) => {
      const client = await db();
      const landing = await landingWithAnswers(client, initial.next);
      const signedIn = await signUp(client, { ...input, ...landing });
      if (signedIn) location.assign(landing.next);
      else onSent({ email: input.email, next: landing.next });
    },
  );
  const [password = '', email = ''] = useWatch({
    control: form.control,
    name: ['password', 'email'],
  });

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {hasAnswers && (
        <Notice tone="good">Your quiz answers from this browser come with you.</Notice>
      )}
      <Field
        label="Your name"
        autoComplete="name"
        error={errorOf('fullName')}
        {...form.register('fullName')}
      />
      <EmailField autoComplete="email" error={errorOf('email')} {...form.register('email')} />
      <NewPasswordField
        password={password}
        email={email}
        error={errorOf('password')}
        {...form.register('password')}
      />
      <Field
        label="Business name"
        optional
        hint="You can add it later, and more than one."
        autoComplete="organization"
        error={errorOf('businessName')}
        {...form.register('businessName')}
      />
      <Failure failure={failure} />
      <Button type="submit" size="large" pending={pending} disabled={!ready}>
        Create account
      </Button>
      <p className="text-sm text-muted">
        You have an account?{' '}
        <a className="link" href={initial.loginHref}>
          Sign in
        </a>
      </p>
    </form>
  );
}

function LookInYourMail({ email, next }: { email: string; next: string }) {
  return (
    <div className="flex flex-col gap-5">
      <p tabIndex={-1} ref={(words) => words?.focus()} className="outline-none">
        We wrote to <strong>{email}</strong>. Press the button in that mail within an hour, and your
        account is ready. It may take a minute, and it may be in the spam folder.
      </p>
      <ResendButton
        label="Send it again"
        justSent
        send={async () => resendConfirmation(await db(), email, next)}
      />
      <p className="text-sm text-muted">
        Wrong address?{' '}
        <a className="link" href="/register">
          Start again
        </a>
      </p>
    </div>
  );
}

export default screen(RegisterScreen);
