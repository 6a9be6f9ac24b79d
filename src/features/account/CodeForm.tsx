import { type SignInOutcome, sendCode, signInWithCode } from '#data/session.ts';
import { db } from '#lib/db.ts';
import { codeEntry } from '#lib/schemas.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { CodeField } from './AccountFields.tsx';
import { ResendButton } from './ResendButton.tsx';

interface CodeFormProps {
  email: string;
  next: string;
  onDone: (outcome: SignInOutcome) => void;
  onBack: () => void;
}

/** The six digits from the mail. */
export function CodeForm({ email, next, onDone, onBack }: CodeFormProps) {
  const { form, submit, errorOf, failure, pending } = useSchemaForm<{ code: string }>(
    codeEntry,
    async (input) => onDone(await signInWithCode(await db(), email, input.code)),
  );
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <p role="status" className="text-sm">
        If <strong>{email}</strong> has an account here, a mail with six digits is on its way.
      </p>
      <CodeField autoFocus error={errorOf('code')} {...form.register('code')} />
      <Failure failure={failure} />
      <Button type="submit" size="large" pending={pending}>
        Sign in
      </Button>
      <ResendButton
        label="Send a new code"
        justSent
        send={async () => sendCode(await db(), email, next)}
      />
      <Button variant="quiet" onClick={onBack}>
        Use another address
      </Button>
    </form>
  );
}
