import { useCallback, useEffect, useRef, useState } from 'react';
import {
  resendConfirmation,
  type SignInOutcome,
  sendCode,
  signInWithCode,
  signInWithPassword,
} from '#data/sign-in.ts';
import { db } from '#lib/db.ts';
import { toAppError } from '#lib/errors.ts';
import { address, codeEntry, type SignIn, signIn } from '#lib/schemas/account.ts';
import { beginSession, followSession } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { ResendButton, SecondFactorForm } from './account-forms.tsx';
import {
  AccountFrame,
  Aside,
  CodeField,
  EmailField,
  invitedHint,
  PasswordField,
} from './account-parts.tsx';

export interface LoginInitial {
  /** A path on this site, validated by the server; null sends users to their own start page. */
  next: string | null;
  /** There's already a session, and it still needs its second factor. */
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
  code: 'Check your email',
  'second-factor': 'One more step',
};

/** Runs `leave` once: this tab learns of its own sign-in from the event and from the response. */
function useLeaveOnce(): (leave: () => void) => void {
  const isLeaving = useRef(false);
  return useCallback((leave) => {
    if (isLeaving.current) return;
    isLeaving.current = true;
    leave();
  }, []);
}

/** Signs in with a password or an emailed code, then asks for a second factor if there is one. */
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
    // After a sign-in in another tab, reload so that this one continues with whatever step is left.
    return followSession(() => leaveOnce(() => location.reload()));
  }, [leaveOnce]);

  return (
    <AccountFrame title={TITLES[step.name]}>
      {step.name === 'second-factor' && (
        <SecondFactorForm
          onDone={go}
          onRecovered={() =>
            leaveOnce(() => location.replace('/dashboard/profile/security#second-factor'))
          }
        />
      )}
      {step.name === 'code' && (
        <CodeStep
          email={step.email}
          next={next}
          onDone={proceed}
          onBack={() => setStep({ name: 'address' })}
        />
      )}
      {step.name === 'address' && (
        <AddressStep
          email={email}
          next={next}
          onSent={(sentTo) => goTo({ name: 'code', email: sentTo }, sentTo)}
          onBack={() => setStep({ name: 'password' })}
        />
      )}
      {step.name === 'password' && (
        <PasswordStep
          email={email}
          next={next}
          onDone={proceed}
          onCode={(typed) => goTo({ name: 'address' }, typed)}
        />
      )}
    </AccountFrame>
  );
}

interface PasswordStepProps {
  email: string;
  next: string;
  onDone: (outcome: SignInOutcome) => void;
  onCode: (typed: string) => void;
}

function PasswordStep({ email, next, onDone, onCode }: PasswordStepProps) {
  const registerHref = next === '/' ? '/register' : `/register?next=${encodeURIComponent(next)}`;
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  async function send(input: SignIn) {
    setUnconfirmed(null);
    try {
      onDone(await signInWithPassword(await db(), input));
    } catch (error) {
      // A wrong password and an unconfirmed address look alike, to hide who has an account.
      if (UNCONFIRMED.includes(toAppError(error).code ?? '')) setUnconfirmed(input.email);
      throw error;
    }
  }
  const form = useSchemaForm<SignIn>(signIn, send, email ? { defaults: { email } } : {});
  return (
    <Form
      of={form}
      submit="Sign in"
      size="large"
      advice={unconfirmed && <Unconfirmed email={unconfirmed} next={next} />}
      after={
        <>
          <Button
            variant="secondary"
            size="large"
            onClick={() => onCode(form.form.getValues('email') ?? '')}
          >
            Email me a code instead
          </Button>
          <Aside text="New here?" href={registerHref} link="Create an account" />
        </>
      }
    >
      <EmailField {...invitedHint(next)} {...form.field('email')} />
      <PasswordField {...form.field('password')} />
    </Form>
  );
}

const UNCONFIRMED = ['invalid_credentials', 'email_not_confirmed'];

const Unconfirmed = ({ email, next }: { email: string; next: string }) => (
  <Notice tone="caution" live="polite" title="Haven’t confirmed your email yet?">
    <p>If you registered with {email}, click the button in our email first, or send it again.</p>
    <div className="mt-3">
      <ResendButton
        label="Send it again"
        send={async () => resendConfirmation(await db(), email, next)}
      />
    </div>
  </Notice>
);

interface AddressStepProps {
  email: string;
  next: string;
  onSent: (email: string) => void;
  onBack: () => void;
}

function AddressStep({ email, next, onSent, onBack }: AddressStepProps) {
  const form = useSchemaForm<{ email: string }>(
    address,
    async (input) => {
      await sendCode(await db(), input.email, next);
      onSent(input.email);
    },
    { defaults: { email } },
  );
  const back = (
    <Button variant="quiet" onClick={onBack}>
      Use my password
    </Button>
  );
  return (
    <Form of={form} submit="Send the code" size="large" after={back}>
      <EmailField
        hint="We’ll email you a six-digit code. It works once, for one hour."
        {...form.field('email')}
      />
    </Form>
  );
}

interface CodeStepProps {
  email: string;
  next: string;
  onDone: (outcome: SignInOutcome) => void;
  onBack: () => void;
}

/** Takes the six digits from the email. */
function CodeStep({ email, next, onDone, onBack }: CodeStepProps) {
  const form = useSchemaForm<{ code: string }>(codeEntry, async (input) =>
    onDone(await signInWithCode(await db(), email, input.code)),
  );
  return (
    <Form
      of={form}
      submit="Sign in"
      size="large"
      after={
        <>
          <ResendButton
            label="Send a new code"
            justSent
            send={async () => sendCode(await db(), email, next)}
          />
          <Button variant="quiet" onClick={onBack}>
            Use another email
          </Button>
        </>
      }
    >
      <p role="status" className="text-sm">
        If <strong>{email}</strong> has an account here, we’ve emailed a six-digit code.
      </p>
      <CodeField autoFocus {...form.field('code')} />
    </Form>
  );
}

export default screen(LoginScreen);
