import { useRef, useState } from 'react';
import { getAccount } from '#data/account.ts';
import { type LinkType, openMailedLink, resendConfirmation } from '#data/session.ts';
import { db } from '#lib/db.ts';
import { toAppError } from '#lib/errors.ts';
import { address } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { AccountFrame, EmailField, isSpent } from './account-parts.tsx';

export interface ConfirmInitial {
  /** The secret of the mailed link; null where the page was opened without one. */
  tokenHash: string | null;
  type: LinkType;
  next: string | null;
}

const WORDS: Record<LinkType, { lead: string; button: string }> = {
  signup: { lead: 'One press, and your account is ready.', button: 'Confirm and sign in' },
  email: { lead: 'You asked for a link to sign in with.', button: 'Sign in' },
  email_change: {
    lead: 'You asked for your address to be changed.',
    button: 'Confirm the new address',
  },
  recovery: { lead: 'You asked for a new password.', button: 'Go on' },
};

/** What a mailed link leads to. Nothing happens by opening it: scanners of mail do that as well. */
function ConfirmScreen({ initial }: { initial: ConfirmInitial }) {
  return (
    <AccountFrame title={initial.type === 'email' ? 'Sign in' : 'Confirm your address'}>
      <Confirm initial={initial} />
    </AccountFrame>
  );
}

function Confirm({ initial }: { initial: ConfirmInitial }) {
  const { pending, failure, run } = useAction(toAppError);
  const { tokenHash, type, next } = initial;
  const words = WORDS[type];

  const confirm = (secret: string) =>
    run(async () => {
      const client = await db();
      const outcome = await openMailedLink(client, secret, type);
      const onward = next ?? '/';
      const then = `?next=${encodeURIComponent(onward)}`;
      if (outcome === 'second-factor') location.replace(`/login${then}`);
      else if (type === 'signup' && (await needsPassword(client))) {
        location.replace(`/update-password${then}`);
      } else location.replace(onward);
      return 'leaving';
    });

  if (tokenHash === null || isSpent(failure)) {
    return <SendAgain spent={tokenHash !== null} next={next} />;
  }
  return (
    <div className="flex flex-col items-start gap-5">
      <p>{words.lead}</p>
      <Failure failure={failure} />
      <Button size="large" pending={pending} onClick={() => void confirm(tokenHash)}>
        {words.button}
      </Button>
    </div>
  );
}

/** The link is used by now, so a failure here must not stop the person. */
async function needsPassword(client: Db): Promise<boolean> {
  return getAccount(client).then(
    (account) => !account.has_password,
    () => false,
  );
}

function SendAgain({ spent, next }: { spent: boolean; next: string | null }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const done = useRef<HTMLDivElement>(null);
  useFocusBack(done, sentTo);
  const form = useSchemaForm<{ email: string }>(address, async ({ email }) => {
    await resendConfirmation(await db(), email, next ?? '/dashboard');
    setSentTo(email);
  });
  if (sentTo) {
    return (
      <div ref={done} tabIndex={-1}>
        <Notice tone="good" live="polite" title="Look in your mail">
          If {sentTo} waits to be confirmed, a new link is on its way. It works once, for one hour.
        </Notice>
      </div>
    );
  }
  return (
    <Form of={form} submit="Send">
      {spent ? (
        <Notice tone="caution" live="assertive" title="This link no longer works">
          It was used already, or it is older than an hour. If you have confirmed your address, just{' '}
          <a className="link" href="/login">
            sign in
          </a>
          .
        </Notice>
      ) : (
        <p>
          After you register we send you a mail with a button. Press it there. If the mail never
          came, have it sent again.
        </p>
      )}
      <EmailField autoComplete="email" {...form.field('email')} />
    </Form>
  );
}

export default screen(ConfirmScreen);
