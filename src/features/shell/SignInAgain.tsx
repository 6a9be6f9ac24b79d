import { useState } from 'react';
import { type SignInOutcome, signInWithPassword, verifySecondFactor } from '#data/sign-in.ts';
import { db } from '#lib/db.ts';
import { codeEntry, signIn } from '#lib/schemas/account.ts';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { PasswordInput } from '#ui/forms/PasswordInput.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

/** The dialog to sign in again. */
export function SignInAgain({ email }: { email: string }) {
  // The dialog closes on its own once the session is restored.
  const [step, setStep] = useState<SignInOutcome | 'password'>('password');
  return (
    <DialogWindow
      open
      firm
      onOpenChange={() => {}}
      title="Sign in again"
      description="Your session has ended. Everything you typed on this page is still here."
    >
      {step === 'second-factor' ? <CodeStep /> : <PasswordStep email={email} onDone={setStep} />}
    </DialogWindow>
  );
}

function CodeStep() {
  const form = useSchemaForm<{ code: string }>(codeEntry, async ({ code }) =>
    verifySecondFactor(await db(), code),
  );
  return (
    <Form of={form} submit="Sign in" className="gap-4">
      <Field
        label="Code"
        hint="The six-digit code from your authenticator app."
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        autoFocus
        {...form.field('code')}
      />
    </Form>
  );
}

interface PasswordStepProps {
  email: string;
  onDone: (outcome: SignInOutcome) => void;
}

function PasswordStep({ email, onDone }: PasswordStepProps) {
  const form = useSchemaForm<{ email: string; password: string }>(
    signIn,
    async (input) => onDone(await signInWithPassword(await db(), input)),
    { defaults: { email } },
  );
  return (
    <Form
      of={form}
      submit="Sign in"
      className="gap-4"
      after={
        <p className="text-xs text-muted">
          Don’t have your password handy?{' '}
          <a className="link" href="/login" target="_blank" rel="noopener">
            Sign in with a code in a new tab
          </a>
          ; this page will catch up on its own.
        </p>
      }
    >
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        readOnly
        tabIndex={-1}
        {...form.field('email')}
      />
      <Field
        label="Password"
        as={PasswordInput}
        autoComplete="current-password"
        {...form.field('password')}
      />
    </Form>
  );
}
