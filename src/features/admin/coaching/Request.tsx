import type { AdminEngagement } from '#data/admin-engagement.ts';
import { calendarDayText, dayText } from '#lib/locale/dates.ts';
import { zoneText } from '#lib/locale/zone-text.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Section } from '#ui/Section.tsx';
import { Fact } from './Fact.tsx';
import type { EngagementNames } from './names.ts';

interface RequestProps {
  engagement: AdminEngagement['engagement'];
  names: EngagementNames;
  /** The admin's IANA time zone. */
  timeZone: string;
}

/** What the owner asked for, who they are, and how it ended if it did. */
export function Request({ engagement, names, timeZone }: RequestProps) {
  const { note, closing_summary, referral } = engagement;
  return (
    <Section id="request" title="The request">
      <div className="mt-3 flex flex-col gap-5 card p-5">
        <p className="max-w-prose whitespace-pre-line wrap-anywhere">
          {note ?? <span className="text-sm text-muted">They didn’t add a note.</span>}
        </p>
        <Facts engagement={engagement} names={names} timeZone={timeZone} />
        <Ending label="Closing summary, which the owner reads" text={closing_summary} />
        <Ending label="Who can help instead, which the owner reads" text={referral} />
      </div>
    </Section>
  );
}

function Facts({ engagement, names, timeZone }: RequestProps) {
  const { areas, owner, business, coach, results_shared } = engagement;
  const languages = owner?.languages.map(names.languageOf).join(', ');
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      <Fact label="Areas">
        {areas.length === 0 ? 'None chosen' : areas.map(names.areaOf).join(', ')}
      </Fact>
      <Fact label="Business">
        <a className="link" href={hrefFor('/admin/businesses/[id]', { id: business.id })}>
          {business.name}
        </a>
        {business.archived && ' (archived)'}
      </Fact>
      <Fact label="Owner">
        {owner ? (
          <a className="link" href={hrefFor('/admin/people/[id]', { id: owner.id })}>
            {owner.name || 'Unnamed'}
          </a>
        ) : (
          'A deleted account'
        )}
      </Fact>
      <Fact label="Coach">
        {coach ? (
          <a className="link" href={hrefFor('/admin/people/[id]', { id: coach.id })}>
            {coach.name || 'Unnamed'}
          </a>
        ) : (
          'Nobody yet'
        )}
      </Fact>
      <Fact label="Asked on">{dayText(engagement.requested_at, timeZone)}</Fact>
      <Fact label="Results">
        {!results_shared
          ? 'Not shared with the coach'
          : coach
            ? 'Shared with the coach'
            : 'Shared with the first coach who’s asked'}
      </Fact>
      {languages && <Fact label="Languages">{languages}</Fact>}
      {owner?.time_zone && <Fact label="Time zone">{zoneText(owner.time_zone)}</Fact>}
      {engagement.resume_on && (
        <Fact label="Paused until">{calendarDayText(engagement.resume_on)}</Fact>
      )}
      {engagement.closed_at && (
        <Fact label="Ended on">{dayText(engagement.closed_at, timeZone)}</Fact>
      )}
    </dl>
  );
}

function Ending({ label, text }: { label: string; text: string | null }) {
  if (!text) return null;
  return (
    <div className="border-t border-line pt-4">
      <p className="text-xs text-muted">{label}</p>
      <p className="mt-1 max-w-prose text-sm whitespace-pre-line wrap-anywhere">{text}</p>
    </div>
  );
}
