import { useRef, useState } from 'react';
import { sendRecovery } from '#data/session.ts';
import { db } from '#lib/db.ts';
import { address } from '#lib/schemas.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { EmailField } from './AccountFields.tsx';
import { AccountHeading } from './AccountFrame.tsx';
import { ResendButton } from './ResendButton.tsx';

/** Asks for the mail that leads to a new password. */
function RecoverScreen() {
  return (
    <>
      <AccountHeading>Forgotten password</AccountHeading>
      <Recover />
    </>
  );
}

function Recover() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const done = useRef<HTMLDivElement>(null);
  useFocusBack(done, sentTo);
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<{ email: string }>(
    address,
    async ({ email }) => {
      await sendRecovery(await db(), email);
      setSentTo(email);
    },
  );
  if (sentTo) {
    return (
      <div ref={done} tabIndex={-1} className="flex flex-col gap-5">
        <Notice tone="good" live="polite" title="Look in your mail">
          If {sentTo} has an account here, a link for a new password is on its way. It works once,
          for one hour.
        </Notice>
        <ResendButton
          label="Send it again"
          justSent
          send={async () => sendRecovery(await db(), sentTo)}
        />
      </div>
    );
  }
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <EmailField error={errorOf('email')} {...form.register('email')} />
      <Failure failure={failure} />
      <Button type="submit" size="large" pending={pending} disabled={!ready}>
        Send
      </Button>
      <p className="text-sm text-muted">
        You remember it?{' '}
        <a className="link" href="/login">
          Sign in
        </a>
      </p>
    </form>
  );
}

export default screen(RecoverScreen);
