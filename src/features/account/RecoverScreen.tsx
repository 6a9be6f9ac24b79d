import { sendRecovery } from '#data/sign-in.ts';
import { db } from '#lib/db.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AddressForm, ResendButton } from './account-forms.tsx';
import { AccountHeading, Aside } from './account-parts.tsx';

const send = async (email: string) => sendRecovery(await db(), email);

/** Sends the email with the link to choose a new password. */
const RecoverScreen = () => (
  <>
    <AccountHeading>Forgot your password?</AccountHeading>
    <AddressForm
      send={send}
      size="large"
      after={<Aside text="Remember it?" href="/login" link="Sign in" />}
      sent={(email) => (
        <>
          <Notice tone="good" live="polite" title="Check your email">
            If {email} has an account here, a link to choose a new password is on its way. It works
            once, for one hour.
          </Notice>
          <ResendButton label="Send it again" justSent send={() => send(email)} />
        </>
      )}
    >
      <p>We’ll email you a link to choose a new one.</p>
    </AddressForm>
  </>
);

export default screen(RecoverScreen);
