import { type Account, resendEmailChange } from '#data/account.ts';
import type { Role } from '#domain/person.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { ResendButton } from './account-forms.tsx';

interface ResendProps {
  account: Pick<Account, 'email' | 'new_email'>;
  role: Role;
}

/** Sends the emails that confirm an address again: one's own, and for admins those of others. */
function ResendScreen({ account: { email, new_email }, role }: ResendProps) {
  const others = hrefIfExists('/admin/people?state=unconfirmed');
  return (
    <div className="flex max-w-2xl flex-col gap-8">
      <h1>Confirm your email</h1>
      {new_email === null ? (
        <Notice tone="good" title="You’re confirmed">
          <p className="wrap-anywhere">
            You sign in with {email}. To use another address, change it in{' '}
            <a className="link" href={hrefFor('/dashboard/profile/security')}>
              your profile
            </a>
            .
          </p>
        </Notice>
      ) : (
        <section className="flex flex-col items-start gap-4">
          <p className="wrap-anywhere">
            You asked to change your email to {new_email}. We’ve emailed a link to that address and
            one to {email}. Open both, and the change is done.
          </p>
          <ResendButton
            label="Send both emails again"
            send={async () => resendEmailChange(await db(), email)}
          />
        </section>
      )}
      {role === 'admin' && others && (
        <Section id="others" title="For someone else">
          <p className="mt-1 max-w-[60ch] text-sm text-muted">
            Open the person and choose “Send the confirmation again”. They get it at most three
            times a day.
          </p>
          <p className="mt-3">
            <a className="link" href={others}>
              People who haven’t confirmed their email
            </a>
          </p>
        </Section>
      )}
    </div>
  );
}

export default screen(ResendScreen);
