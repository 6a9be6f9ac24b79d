import { useEffect, useMemo } from 'react';
import type { OwnProfile } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import { type TimeZoneOption, timeZonesIn } from '#lib/locale/time-zones.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { AboutForm } from './AboutForm.tsx';
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

/** Where the parts moved that were on this page until November 2026; old emails link to them. */
const MOVED: Record<string, string> = {
  'sign-in': '/dashboard/profile/security',
  'second-factor': '/dashboard/profile/security',
  devices: '/dashboard/profile/security',
  mails: '/dashboard/profile/notifications',
  notices: '/dashboard/profile/notifications',
  demographics: '/dashboard/profile/sharing',
  export: '/dashboard/profile/data',
  deletion: '/dashboard/profile/data',
};

/** What people who work with the user see of them; each part saves on its own. */
function ProfileScreen({ initial }: { initial: ProfileInitial }) {
  const { userId, profile, role } = initial;
  const timeZones = useMemo(() => timeZonesIn(initial.timeZones), [initial.timeZones]);
  useEffect(() => {
    const { hash } = location;
    const moved = MOVED[hash.slice(1)];
    if (moved) location.replace(moved + hash);
  }, []);
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
    </div>
  );
}

export default screen(ProfileScreen);
