import { useEffect, useState } from 'react';
import { newClaim, storeClaim } from '#data/quiz.ts';
import { resendConfirmation, signUp } from '#data/sign-in.ts';
import type { Language } from '#domain/language.ts';
import { readVisitorAnswers } from '#lib/browser/visitor-answers.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { type Registration, registration } from '#lib/schemas/account.ts';
import type { Db } from '#lib/supabase.ts';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { ResendButton } from './account-forms.tsx';
import {
  AccountFrame,
  Aside,
  EmailField,
  invitedHint,
  isInvitation,
  NewPasswordField,
} from './account-parts.tsx';

export interface RegisterInitial {
  next: string | null;
  loginHref: string;
  /** The language of the quiz that the visitor comes from, if it isn't English. */
  language?: Language | undefined;
  /** Says in that language what to do here. */
  help?: string | undefined;
  /** False while only people who were invited to a business can register. */
  isOpen: boolean;
}

/** Creates an account, then waits for its address to be confirmed. */
function RegisterScreen({ initial }: { initial: RegisterInitial }) {
  const [sent, setSent] = useState<{ email: string; next: string } | null>(null);
  if (!initial.isOpen && !isInvitation(initial.next)) return <Closed {...initial} />;
  return (
    <AccountFrame title={sent ? 'Check your email' : 'Create an account'} hasFocus={sent !== null}>
      {sent ? <CheckYourEmail {...sent} /> : <RegisterForm initial={initial} onSent={setSent} />}
    </AccountFrame>
  );
}

/** Shown instead of the form while registration is closed. */
const Closed = ({ loginHref }: RegisterInitial) => (
  <AccountFrame title="Registration is closed">
    <div className="flex flex-col gap-5">
      <p>
        We aren’t taking new accounts right now. If someone invited you to a business, open the link
        in that email.
      </p>
      <p>
        <a className="link" href={hrefFor('/contact')}>
          Write to us
        </a>{' '}
        if you’d like to hear when we open again.
      </p>
      <Aside text="Already have an account?" href={loginHref} link="Sign in" />
    </div>
  </AccountFrame>
);

interface RegisterFormProps {
  initial: RegisterInitial;
  onSent: (sent: { email: string; next: string }) => void;
}

function RegisterForm({ initial, onSent }: RegisterFormProps) {
  const [hasAnswers, setHasAnswers] = useState(false);
  useEffect(() => setHasAnswers(readVisitorAnswers() !== null), []);
  const form = useSchemaForm<Registration>(registration, async (input) => {
    const client = await db();
    const landing = await landingWithAnswers(client, initial.next);
    const signedIn = await signUp(client, { ...input, ...landing, language: initial.language });
    if (signedIn) location.assign(landing.next);
    else onSent({ email: input.email, next: landing.next });
  });
  const [password = '', email = ''] = form.form.watch(['password', 'email']);
  const after = (
    <>
      <Aside text="Already have an account?" href={initial.loginHref} link="Sign in" />
      <Aside
        text="What we store about you:"
        href={hrefFor('/privacy-policy')}
        link="Privacy policy"
      />
    </>
  );
  return (
    <Form of={form} submit="Create account" size="large" after={after}>
      {initial.help && (
        <Notice>
          <span lang={initial.language}>{initial.help}</span>
        </Notice>
      )}
      {hasAnswers && (
        <Notice tone="good">Your quiz answers from this browser will come with you.</Notice>
      )}
      <p>It’s free: see your results, keep your worksheets and ask for a coach.</p>
      <Field label="Your name" autoComplete="name" {...form.field('fullName')} />
      <EmailField autoComplete="email" {...invitedHint(initial.next)} {...form.field('email')} />
      <NewPasswordField password={password} email={email} {...form.field('password')} />
      <Field
        label="Business name"
        optional
        hint="You can add it later, and add more than one."
        autoComplete="organization"
        {...form.field('businessName')}
      />
    </Form>
  );
}

interface Landing {
  next: string;
  /** The key to the claim in `next`: only this registration can use that claim. */
  quizClaim?: string;
}

/**
 * Returns the page a new account opens once its address is confirmed. Quiz answers in this browser
 * are first stored under a random claim, so they're on the device where the user opens the email;
 * the dashboard asks whether to use them. If storing fails, they're still in this browser.
 */
async function landingWithAnswers(client: Db, next: string | null): Promise<Landing> {
  const answers = readVisitorAnswers();
  const home = hrefFor('/dashboard');
  const landing = next ?? home;
  if (!answers) return { next: landing };
  try {
    const claim = newClaim();
    const quizClaim = await storeClaim(client, claim, answers);
    // Only the dashboard's pages ask about answers.
    const address = new URL(landing.startsWith(home) ? landing : home, location.origin);
    address.searchParams.set('claim', claim);
    return { next: address.pathname + address.search + address.hash, quizClaim };
  } catch {
    return { next: landing };
  }
}

function CheckYourEmail({ email, next }: { email: string; next: string }) {
  return (
    <div className="flex flex-col gap-5">
      <p>
        We emailed <strong>{email}</strong>. Click the button in that email within an hour and your
        account is ready. It can take a minute; check your spam folder too.
      </p>
      <ResendButton
        label="Send it again"
        justSent
        send={async () => resendConfirmation(await db(), email, next)}
      />
      <Aside text="Wrong email?" href="/register" link="Start over" />
    </div>
  );
}

export default screen(RegisterScreen);
