import { getAccount } from '#data/account.ts';
import { type LinkType, openMailedLink, resendConfirmation } from '#data/sign-in.ts';
import { db } from '#lib/db.ts';
import type { Db } from '#lib/supabase.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AddressForm, MailedLink } from './account-forms.tsx';
import { AccountFrame } from './account-parts.tsx';

export interface ConfirmInitial {
  /** The token hash from the emailed link; null if the page was opened without one. */
  tokenHash: string | null;
  type: LinkType;
  next: string | null;
}

const WORDS: Record<LinkType, { lead: string; button: string }> = {
  signup: { lead: 'One click and your account is ready.', button: 'Confirm and sign in' },
  email: { lead: 'Here’s the sign-in link you asked for.', button: 'Sign in' },
  email_change: {
    lead: 'You asked to change your email.',
    button: 'Confirm the change',
  },
  recovery: { lead: 'You asked for a new password.', button: 'Continue' },
};

/** What emailed links open. Opening one does nothing, because mail scanners open links too. */
function ConfirmScreen({ initial }: { initial: ConfirmInitial }) {
  return (
    <AccountFrame title={initial.type === 'email' ? 'Sign in' : 'Confirm your email'}>
      <Confirm initial={initial} />
    </AccountFrame>
  );
}

function Confirm({ initial: { tokenHash, type, next } }: { initial: ConfirmInitial }) {
  async function confirm() {
    const client = await db();
    const outcome = await openMailedLink(client, tokenHash ?? '', type);
    const onward = next ?? '/';
    const then = `?next=${encodeURIComponent(onward)}`;
    if (outcome === 'second-factor') location.replace(`/login${then}`);
    else if (type === 'signup' && (await needsPassword(client))) {
      location.replace(`/update-password${then}`);
    } else location.replace(onward);
    return 'leaving';
  }
  const again = <SendAgain spent={tokenHash !== null} next={next} />;
  if (tokenHash === null) return again;
  return <MailedLink {...WORDS[type]} use={confirm} spent={again} />;
}

/** The link is used up by now, so a failed request here must not keep the user out. */
async function needsPassword(client: Db): Promise<boolean> {
  return getAccount(client).then(
    (account) => !account.has_password,
    () => false,
  );
}

const SendAgain = ({ spent, next }: { spent: boolean; next: string | null }) => (
  <AddressForm
    autoComplete="email"
    send={async (email) => resendConfirmation(await db(), email, next ?? '/dashboard')}
    sent={(email) => (
      <Notice tone="good" live="polite" title="Check your email">
        If {email} is waiting to be confirmed, a new link is on its way. It works once, for one
        hour.
      </Notice>
    )}
  >
    {spent ? (
      <Notice tone="caution" live="assertive" title="This link no longer works">
        It has already been used, or it’s more than an hour old. If you’ve confirmed your email,
        just{' '}
        <a className="link" href="/login">
          sign in
        </a>
        .
      </Notice>
    ) : (
      <p>
        When you register, we email you a link to confirm your account. Didn’t get it? Enter your
        email and we’ll send it again.
      </p>
    )}
  </AddressForm>
);

export default screen(ConfirmScreen);
