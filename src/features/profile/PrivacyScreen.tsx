import type { Demographics } from '#data/profiles.ts';
import type { Role } from '#domain/person.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { BlockedPeople } from './BlockedPeople.tsx';
import { DemographicsForm } from './DemographicsForm.tsx';
import { whoSees } from './who-sees.ts';

interface PrivacyProps {
  role: Role;
  demographics: Demographics | null;
}

/** Who sees what about the user, whom they blocked, and what they tell funders. */
function PrivacyScreen({ role, demographics }: PrivacyProps) {
  return (
    <div className="flex max-w-2xl flex-col gap-10">
      <Section id="seen" title="Who sees what">
        <p className="mt-3 text-muted">
          Your photo and phone number: {lower(whoSees(role, 'both'))}
        </p>
        {role === 'owner' && (
          <p className="mt-3 text-muted">
            Your results: only you, unless you share them with your coach.{' '}
            <a className="link" href={hrefFor('/dashboard/skills/sharing')}>
              Share or stop sharing
            </a>
          </p>
        )}
      </Section>
      <Section id="blocked" title="People you’ve blocked">
        <BlockedPeople />
      </Section>
      {role === 'owner' && (
        <Section id="demographics" title="Demographics (optional)">
          <DemographicsForm initial={demographics} />
        </Section>
      )}
    </div>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

export default screen(PrivacyScreen);
