import { getAccount } from '#data/account.ts';
import { type LinkType, openMailedLink, resendConfirmation } from '#data/session.ts';
import { db } from '#lib/db.ts';
import type { Db } from '#lib/supabase.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AddressForm, MailedLink } from './account-forms.tsx';
import { AccountFrame } from './account-parts.tsx';

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

/** The link is used by now, so a failure here must not stop the person. */
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
      <Notice tone="good" live="polite" title="Look in your mail">
        If {email} waits to be confirmed, a new link is on its way. It works once, for one hour.
      </Notice>
    )}
  >
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
        After you register we send you a mail with a button. Press it there. If the mail never came,
        have it sent again.
      </p>
    )}
  </AddressForm>
);

export default screen(ConfirmScreen);
