import { verifySecondFactor } from '#data/session.ts';
import { db } from '#lib/db.ts';
import { codeEntry } from '#lib/schemas.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { CodeField } from './AccountFields.tsx';

/** The step after the password, or after a mailed link, for people who enrolled a second factor. */
export function SecondFactorForm({
  onDone,
  action = 'Sign in',
}: {
  onDone: () => void;
  /** The words of the button: what comes next. */
  action?: string;
}) {
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<{ code: string }>(
    codeEntry,
    async (input) => {
      await verifySecondFactor(await db(), input.code);
      onDone();
    },
  );
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <CodeField
        hint="The six digits that your authenticator app shows now."
        error={errorOf('code')}
        {...form.register('code')}
      />
      <Failure failure={failure} />
      <Button type="submit" size="large" pending={pending} disabled={!ready}>
        {action}
      </Button>
      <p className="text-sm text-muted">
        No access to the app?{' '}
        <a className="link" href="/logout">
          Sign out
        </a>{' '}
        and write to us.
      </p>
    </form>
  );
}
