import { useRef, useState } from 'react';
import { sendRecovery } from '#data/session.ts';
import { db } from '#lib/db.ts';
import { address } from '#lib/schemas.ts';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { ResendButton } from './account-forms.tsx';
import { AccountHeading, Aside, EmailField } from './account-parts.tsx';

/** Sends the email that leads to a new password. */
const RecoverScreen = () => (
  <>
    <AccountHeading>Forgotten password</AccountHeading>
    <Recover />
  </>
);

function Recover() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const done = useRef<HTMLDivElement>(null);
  useFocusBack(done, sentTo);
  const form = useSchemaForm<{ email: string }>(address, async ({ email }) => {
    await sendRecovery(await db(), email);
    setSentTo(email);
  });
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
  const signIn = <Aside text="You remember it?" href="/login" link="Sign in" />;
  return (
    <Form of={form} submit="Send" size="large" after={signIn}>
      <EmailField {...form.field('email')} />
    </Form>
  );
}

export default screen(RecoverScreen);
