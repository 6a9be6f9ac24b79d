import { useWatch } from 'react-hook-form';
import { type PasswordRenewal, passwordRenewal } from '#lib/schemas.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { NewPasswordField, PasswordField, Username } from './AccountFields.tsx';

interface PasswordFormProps {
  email: string;
  /** Saves it, and says so. What it throws is shown. */
  save: (input: PasswordRenewal) => Promise<void>;
}

/** Changes the password; it asks for the current one, since the browser may have been left open. */
export function PasswordForm({ email, save }: PasswordFormProps) {
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<PasswordRenewal>(
    passwordRenewal,
    save,
  );
  const password = useWatch({ control: form.control, name: 'password' }) ?? '';
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Username email={email} />
      <PasswordField
        label="Present password"
        error={errorOf('current')}
        {...form.register('current')}
      />
      <NewPasswordField
        label="New password"
        password={password}
        email={email}
        error={errorOf('password')}
        {...form.register('password')}
      />
      <Failure failure={failure} />
      <Button type="submit" size="large" pending={pending} disabled={!ready}>
        Save
      </Button>
    </form>
  );
}
