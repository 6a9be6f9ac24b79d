import type { OwnProfile } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import type { TimeZoneOption } from '#lib/locale/time-zones.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { AboutForm } from './AboutForm.tsx';
import { BlockedPeople } from './BlockedPeople.tsx';
import { DemographicsForm } from './DemographicsForm.tsx';
import { MailsForm } from './MailsForm.tsx';
import { NoticesForm } from './NoticesForm.tsx';
import { PictureEditor } from './PictureEditor.tsx';

export interface ProfileInitial {
  userId: string;
  email: string;
  role: Role;
  profile: OwnProfile;
  /** The zone that the profile has; null while it is not known. */
  timeZone: TimeZoneOption | null;
  /** All that can be chosen, with that one. */
  timeZones: TimeZoneOption[];
  languages: { value: string; label: string }[];
}

/** What a person says of themselves, each part saved by itself. */
function ProfileScreen({ initial }: { initial: ProfileInitial }) {
  const { userId, profile, role } = initial;
  return (
    <div className="flex max-w-2xl flex-col gap-10">
      <Section id="picture" title="Picture">
        <PictureEditor userId={userId} name={profile.full_name} path={profile.avatar_path} />
      </Section>
      <Section id="about" title="About you">
        <AboutForm {...initial} />
      </Section>
      <Section id="mails" title="Mails">
        <MailsForm initial={profile.notifications} role={role} />
      </Section>
      <Section id="notices" title="New messages in this browser">
        <NoticesForm />
        <BlockedPeople />
      </Section>
      {role === 'owner' && (
        <Section id="demographics" title="Who you are, if you like to say">
          <DemographicsForm initial={profile.demographics} />
        </Section>
      )}
    </div>
  );
}

export default screen(ProfileScreen);
