import { useMemo } from 'react';
import type { OwnProfile } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import { type TimeZoneOption, timeZonesIn } from '#lib/locale/time-zones.ts';
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
  /** The profile's time zone; null while it's unknown. */
  timeZone: TimeZoneOption | null;
  /** All time zones to choose from, including the profile's own, as `timeZoneText` makes it. */
  timeZones: string;
  languages: { value: string; label: string }[];
}

/** The user's profile and preferences; each part saves on its own. */
function ProfileScreen({ initial }: { initial: ProfileInitial }) {
  const { userId, profile, role } = initial;
  const timeZones = useMemo(() => timeZonesIn(initial.timeZones), [initial.timeZones]);
  return (
    <div className="flex max-w-2xl flex-col gap-10">
      <Section id="picture" title="Photo">
        <PictureEditor
          userId={userId}
          role={role}
          name={profile.full_name}
          path={profile.avatar_path}
        />
      </Section>
      <Section id="about" title="About you">
        <AboutForm {...initial} timeZones={timeZones} />
      </Section>
      <Section id="mails" title="Emails">
        <MailsForm initial={profile.notifications} role={role} />
      </Section>
      <Section id="notices" title="New messages in this browser">
        <NoticesForm />
        <BlockedPeople />
      </Section>
      {role === 'owner' && (
        <Section id="demographics" title="Demographics (optional)">
          <DemographicsForm initial={profile.demographics} />
        </Section>
      )}
    </div>
  );
}

export default screen(ProfileScreen);
