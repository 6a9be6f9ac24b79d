import { type ReactNode, useEffect, useRef, useState } from 'react';
import { redeemRecoveryCode, verifySecondFactor } from '#data/sign-in.ts';
import { db } from '#lib/db.ts';
import { toAppError } from '#lib/errors.ts';
import {
  address,
  codeEntry,
  type PasswordRenewal,
  passwordRenewal,
  recoveryCodeEntry,
} from '#lib/schemas/account.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import {
  CodeField,
  EmailField,
  NewPasswordField,
  PasswordField,
  Username,
} from './account-parts.tsx';

interface SecondFactorProps {
  onDone: () => void;
  /** Called instead after a recovery code, which removed the authenticator apps. */
  onRecovered?: () => void;
  /** The button's label, which says what happens next. */
  action?: string;
}

/** The step after the password or an emailed link, for users with a second factor. */
export function SecondFactorForm({ onDone, onRecovered = onDone, action }: SecondFactorProps) {
  const [byRecovery, setByRecovery] = useState(false);
  const submit = action ?? 'Sign in';
  return byRecovery ? (
    <RecoveryForm submit={submit} onDone={onRecovered} onBack={() => setByRecovery(false)} />
  ) : (
    <AppForm submit={submit} onDone={onDone} onLost={() => setByRecovery(true)} />
  );
}

interface AppFormProps {
  submit: string;
  onDone: () => void;
  onLost: () => void;
}

function AppForm({ submit, onDone, onLost }: AppFormProps) {
  const form = useSchemaForm<{ code: string }>(codeEntry, async (input) => {
    await verifySecondFactor(await db(), input.code);
    onDone();
  });
  return (
    <Form
      of={form}
      submit={submit}
      size="large"
      after={
        <Button variant="quiet" onClick={onLost}>
          Can’t get to the app?
        </Button>
      }
    >
      <CodeField hint="The six-digit code from your authenticator app." {...form.field('code')} />
    </Form>
  );
}

interface RecoveryFormProps {
  submit: string;
  onDone: () => void;
  onBack: () => void;
}

function RecoveryForm({ submit, onDone, onBack }: RecoveryFormProps) {
  const form = useSchemaForm<{ code: string }>(recoveryCodeEntry, async (input) => {
    await redeemRecoveryCode(await db(), input.code);
    onDone();
  });
  return (
    <Form
      of={form}
      submit={submit}
      size="large"
      after={
        <>
          <Button variant="quiet" onClick={onBack}>
            Use the app
          </Button>
          <p className="text-sm text-muted">
            Lost your recovery codes too?{' '}
            <a className="link" href="/logout">
              Sign out
            </a>{' '}
            and write to us.
          </p>
        </>
      }
    >
      <p className="text-sm">
        A recovery code removes your authenticator apps and signs out your other devices. Add an app
        again after you sign in.
      </p>
      <Field
        label="Recovery code"
        hint="One of the ten codes you saved. Each works once."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        {...form.field('code')}
      />
    </Form>
  );
}

interface PasswordFormProps {
  email: string;
  /** Saves the password and confirms it to the user. The form shows any error it throws. */
  save: (input: PasswordRenewal) => Promise<void>;
}

/** Asks for the current password too, since the user may have left the browser open. */
export function PasswordForm({ email, save }: PasswordFormProps) {
  const form = useSchemaForm<PasswordRenewal>(passwordRenewal, save);
  return (
    <Form of={form} submit="Save" size="large">
      <Username email={email} />
      <PasswordField label="Current password" {...form.field('current')} />
      <NewPasswordField
        label="New password"
        password={form.form.watch('password') ?? ''}
        email={email}
        {...form.field('password')}
      />
    </Form>
  );
}

/** The auth service sends an address at most one email a minute. */
const PAUSE_SECONDS = 60;

interface ResendButtonProps {
  label: string;
  send: () => Promise<void>;
  /** An email was just sent, so the countdown starts right away. */
  justSent?: boolean;
}

/** Sends an email again, at most once a minute, and counts down until it can. */
export function ResendButton({ label, send, justSent = false }: ResendButtonProps) {
  const [left, setLeft] = useState(justSent ? PAUSE_SECONDS : 0);
  const [pending, setPending] = useState(false);
  const [news, setNews] = useState('');

  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);

  async function press() {
    setPending(true);
    try {
      await send();
      setNews('Sent again.');
      setLeft(PAUSE_SECONDS);
    } catch (thrown) {
      const error = toAppError(thrown);
      setNews(error.message);
      if (error.kind === 'rate-limited') setLeft(PAUSE_SECONDS);
    } finally {
      setPending(false);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" disabled={left > 0} pending={pending} onClick={press}>
        {left > 0 ? `${label} (in ${left} s)` : label}
      </Button>
      <p role="status" className="text-xs text-muted">
        {news}
      </p>
    </div>
  );
}

interface MailedLinkProps {
  lead: string;
  /** The button that uses the link. Opening it isn't enough, since mail scanners open links too. */
  button: string;
  use: () => Promise<unknown>;
  /** Shown once the link no longer works. */
  spent: ReactNode;
}

/** The content of a page that an emailed link opens. */
export function MailedLink({ lead, button, use, spent }: MailedLinkProps) {
  const { pending, failure, run } = useAction(toAppError);
  const canRetry = failure?.kind === 'network' || failure?.kind === 'rate-limited';
  if (failure && !canRetry) return spent;
  return (
    <div className="flex flex-col items-start gap-5">
      <p>{lead}</p>
      <Failure failure={failure} />
      <Button size="large" pending={pending} onClick={() => void run(use)}>
        {button}
      </Button>
    </div>
  );
}

interface AddressFormProps {
  send: (email: string) => Promise<void>;
  /** Shown instead of the form once the email is sent. */
  sent: (email: string) => ReactNode;
  size?: 'large';
  autoComplete?: string;
  children?: ReactNode;
  after?: ReactNode;
}

/** Asks for an email address and sends an email to it. */
export function AddressForm({ send, sent, autoComplete, children, ...rest }: AddressFormProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const done = useRef<HTMLDivElement>(null);
  useFocusBack(done, sentTo);
  const form = useSchemaForm<{ email: string }>(address, async ({ email }) => {
    await send(email);
    setSentTo(email);
  });
  if (sentTo) {
    return (
      <div ref={done} tabIndex={-1} className="flex flex-col gap-5">
        {sent(sentTo)}
      </div>
    );
  }
  return (
    <Form of={form} submit="Send the link" {...rest}>
      {children}
      <EmailField {...(autoComplete && { autoComplete })} {...form.field('email')} />
    </Form>
  );
}
