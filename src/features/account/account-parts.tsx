import { type ReactNode, useEffect, useRef } from 'react';
import { Field, type FieldProps } from '#ui/forms/Field.tsx';
import { PasswordInput } from '#ui/forms/PasswordInput.tsx';
import type { TextInput } from '#ui/forms/TextInput.tsx';
import { type Strength, strengthOf } from './password-strength.ts';

type TextProps = Partial<FieldProps<typeof TextInput>>;
type PasswordProps = Partial<FieldProps<typeof PasswordInput>>;

/** The email address the user signs in with. */
export function EmailField(props: TextProps) {
  return <Field label="Email" type="email" autoComplete="username" inputMode="email" {...props} />;
}

/** Whether a page leads on to an invitation. */
export const isInvitation = (next: string | null): boolean =>
  next?.startsWith('/dashboard/businesses/invitation') ?? false;

/** A hint for invited users: only the address the invitation was sent to can accept it. */
export const invitedHint = (next: string | null): TextProps =>
  isInvitation(next) ? { hint: 'Use the address your invitation was sent to.' } : {};

/** Six digits, from an email or from an authenticator app. */
export function CodeField(props: TextProps) {
  return (
    <Field label="Code" inputMode="numeric" autoComplete="one-time-code" maxLength={6} {...props} />
  );
}

/** The current password, with a link for people who forgot it. */
export function PasswordField(props: PasswordProps) {
  return (
    <Field
      label="Password"
      as={PasswordInput}
      autoComplete="current-password"
      aside={
        <a className="link" href="/recover">
          Forgot it?
        </a>
      }
      {...props}
    />
  );
}

interface NewPasswordProps extends PasswordProps {
  /** The field's current value, and the email address it shouldn't contain. */
  password: string;
  email: string;
}

/** A new password, with its strength shown as the user types. */
export function NewPasswordField({ password, email, ...rest }: NewPasswordProps) {
  return (
    <Field
      label="Password"
      as={PasswordInput}
      autoComplete="new-password"
      hint={<StrengthWords {...strengthOf(password, email)} />}
      {...rest}
    />
  );
}

const STEPS: Record<Strength, number> = { empty: 0, short: 1, weak: 1, fair: 2, strong: 3 };

/** Says the strength in words, with three bars that screen readers skip, once there's some. */
function StrengthWords({ strength, words }: { strength: Strength; words: string }) {
  const filled = STEPS[strength];
  return (
    <span className="flex items-center gap-2">
      {filled > 0 && (
        <span aria-hidden="true" className="flex gap-1">
          {[1, 2, 3].map((step) => (
            <span
              key={step}
              className={`h-1.5 w-6 rounded-full ${step <= filled ? 'bg-primary' : 'bg-line'}`}
            />
          ))}
        </span>
      )}
      {/* How many characters are missing changes with each key, which nobody wants to hear. */}
      <span aria-live={strength === 'short' ? 'off' : 'polite'}>{words}</span>
    </span>
  );
}

/** Tells password managers which account the password belongs to. */
export function Username({ email }: { email: string }) {
  return <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />;
}

/** A heading and a form: the frame of the account pages in the default layout. */
export const AccountFrame = ({ title, children, hasFocus }: AccountFrameProps) => (
  <section className="mx-auto w-full max-w-md px-5 py-12 md:py-20">
    <AccountHeading hasFocus={hasFocus}>{title}</AccountHeading>
    {children}
  </section>
);

interface AccountFrameProps extends HeadingProps {
  title: string;
}

interface HeadingProps {
  children: ReactNode;
  /** Whether focus is on the heading, because what was focused is gone. */
  hasFocus?: boolean | undefined;
}

/** The heading alone, for the signup layout, which has its own width. */
export function AccountHeading({ children, hasFocus = false }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasFocus) heading.current?.focus();
  }, [hasFocus]);
  return (
    <h1 ref={heading} tabIndex={hasFocus ? -1 : undefined} className="mb-7 text-2xl outline-none">
      {children}
    </h1>
  );
}

/** A question and the link that answers it, below a form. */
export const Aside = ({ text, href, link }: { text: string; href: string; link: string }) => (
  <p className="text-sm text-muted">
    {text}{' '}
    <a className="link" href={href}>
      {link}
    </a>
  </p>
);
