import type { OwnProfile } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import type { TimeZoneOption } from '#lib/time-zones.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
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
      <section aria-labelledby="picture">
        <h2 id="picture" className="text-lg">
          Picture
        </h2>
        <PictureEditor userId={userId} name={profile.full_name} path={profile.avatar_path} />
      </section>
      <section aria-labelledby="about">
        <h2 id="about" className="text-lg">
          About you
        </h2>
        <AboutForm {...initial} />
      </section>
      <section aria-labelledby="mails">
        <h2 id="mails" className="text-lg">
          Mails
        </h2>
        <MailsForm initial={profile.notifications} role={role} />
      </section>
      <section aria-labelledby="notices">
        <h2 id="notices" className="text-lg">
          New messages in this browser
        </h2>
        <NoticesForm />
        <BlockedPeople />
      </section>
      {role === 'owner' && (
        <section aria-labelledby="demographics">
          <h2 id="demographics" className="text-lg">
            Who you are, if you like to say
          </h2>
          <DemographicsForm initial={profile.demographics} />
        </section>
      )}
    </div>
  );
}

export default screen(ProfileScreen);
