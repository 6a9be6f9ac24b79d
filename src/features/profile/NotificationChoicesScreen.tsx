import type { Notifications } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { MailsForm } from './MailsForm.tsx';
import { NoticesForm } from './NoticesForm.tsx';

/** Which emails the user gets, and what this browser does when a message arrives. */
function NotificationChoicesScreen({ role, initial }: { role: Role; initial: Notifications }) {
  return (
    <div className="flex max-w-2xl flex-col gap-10">
      <Section id="mails" title="Emails">
        <MailsForm initial={initial} role={role} />
      </Section>
      <Section id="notices" title="New messages in this browser">
        <NoticesForm />
      </Section>
    </div>
  );
}

export default screen(NotificationChoicesScreen);
