import { useCallback, useEffect, useRef, useState } from 'react';
import {
  resendConfirmation,
  type SignInOutcome,
  sendCode,
  signInWithPassword,
} from '#data/session.ts';
import { db } from '#lib/db.ts';
import { address, type SignIn, signIn } from '#lib/schemas.ts';
import { beginSession, followSession } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { EmailField, PasswordField } from './AccountFields.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { CodeForm } from './CodeForm.tsx';
import { ResendButton } from './ResendButton.tsx';
import { SecondFactorForm } from './SecondFactorForm.tsx';

export interface LoginInitial {
  /** A page of this site, checked by the server; null leads to where the person works. */
  next: string | null;
  /** A session waits for its second factor already. */
  secondFactor: boolean;
}

type Step =
  | { name: 'password' }
  | { name: 'address' }
  | { name: 'code'; email: string }
  | { name: 'second-factor' };

const TITLES: Record<Step['name'], string> = {
  password: 'Sign in',
  address: 'Sign in with a code',
  code: 'Look in your mail',
  'second-factor': 'One more step',
};

/** Leaves the page once: this tab's own sign-in arrives twice, as an event and as an answer. */
function useLeaveOnce(): (leave: () => void) => void {
  const isLeaving = useRef(false);
  return useCallback((leave) => {
    if (isLeaving.current) return;
    isLeaving.current = true;
    leave();
  }, []);
}

/** Signing in: with a password or with a mailed code, and with a second factor where there is one. */
function LoginScreen({ initial }: { initial: LoginInitial }) {
  const [step, setStep] = useState<Step>(
    initial.secondFactor ? { name: 'second-factor' } : { name: 'password' },
  );
  const [email, setEmail] = useState('');
  const next = initial.next ?? '/';
  const leaveOnce = useLeaveOnce();
  const go = () => leaveOnce(() => location.replace(next));
  const proceed = (outcome: SignInOutcome) =>
    outcome === 'signed-in' ? go() : setStep({ name: 'second-factor' });
  const goTo = (step: Step, typed: string) => {
    setEmail(typed);
    setStep(step);
  };

  useEffect(() => {
    beginSession(null);
    // After signing in in another tab, this one continues too, with whatever step is left.
    return followSession(() => leaveOnce(() => location.reload()));
  }, [leaveOnce]);

  return (
    <AccountFrame title={TITLES[step.name]}>
      {step.name === 'second-factor' && <SecondFactorForm onDone={go} />}
      {step.name === 'code' && (
        <CodeForm
          email={step.email}
          next={next}
          onDone={proceed}
          onBack={() => setStep({ name: 'address' })}
        />
      )}
      {step.name === 'address' && (
        <AddressForm
          email={email}
          next={next}
          onSent={(sentTo) => goTo({ name: 'code', email: sentTo }, sentTo)}
          onBack={() => setStep({ name: 'password' })}
        />
      )}
      {step.name === 'password' && (
        <PasswordForm
          email={email}
          next={next}
          onDone={proceed}
          onCode={(typed) => goTo({ name: 'address' }, typed)}
        />
      )}
    </AccountFrame>
  );
}

interface PasswordFormProps {
  email: string;
  next: string;
  onDone: (outcome: SignInOutcome) => void;
  onCode: (typed: string) => void;
}

function PasswordForm({ email, next, onDone, onCode }: PasswordFormProps) {
  const registerHref = next === '/' ? '/register' : `/register?next=${encodeURIComponent(next)}`;
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<SignIn>(
    signIn,
    async (input) => {
      setUnconfirmed(null);
      try {
        onDone(await signInWithPassword(await db(), input));
      } catch (error) {
        if (mayBeUnconfirmed(error)) setUnconfirmed(input.email);
        throw error;
      }
    },
    email ? { defaults: { email } } : {},
  );
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <EmailField error={errorOf('email')} {...form.register('email')} />
      <PasswordField error={errorOf('password')} {...form.register('password')} />
      <Failure failure={failure} />
      {unconfirmed && <Unconfirmed email={unconfirmed} next={next} />}
      <Button type="submit" size="large" pending={pending} disabled={!ready}>
        Sign in
      </Button>
      <p className="text-sm text-muted">
        New here?{' '}
        <a className="link" href={registerHref}>
          Create an account
        </a>
      </p>
      <Button
        variant="quiet"
        disabled={!ready}
        onClick={() => onCode(form.getValues('email') ?? '')}
      >
        Mail me a code instead
      </Button>
    </form>
  );
}

const Unconfirmed = ({ email, next }: { email: string; next: string }) => (
  <Notice tone="caution" live="polite" title="Haven’t confirmed your address yet?">
    <p>
      If you registered with {email}, press the button in our email first, or have it sent again.
    </p>
    <div className="mt-3">
      <ResendButton
        label="Send it again"
        send={async () => resendConfirmation(await db(), email, next)}
      />
    </div>
  </Notice>
);

/** A wrong password and an address that isn't confirmed look alike, or they'd tell who has an account. */
const mayBeUnconfirmed = (error: unknown) =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  (error.code === 'invalid_credentials' || error.code === 'email_not_confirmed');

interface AddressFormProps {
  email: string;
  next: string;
  onSent: (email: string) => void;
  onBack: () => void;
}

function AddressForm({ email, next, onSent, onBack }: AddressFormProps) {
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<{ email: string }>(
    address,
    async (input) => {
      await sendCode(await db(), input.email, next);
      onSent(input.email);
    },
    { defaults: { email } },
  );
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <EmailField
        hint="We mail you six digits that work once, for one hour."
        error={errorOf('email')}
        {...form.register('email')}
      />
      <Failure failure={failure} />
      <Button type="submit" size="large" pending={pending} disabled={!ready}>
        Send
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Use my password
      </Button>
    </form>
  );
}

export default screen(LoginScreen);
