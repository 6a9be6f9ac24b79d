import { ownerText } from '#domain/engagement-text.ts';
import { dayText } from '#lib/locale/dates.ts';
import type { Engagement } from '../coaching-store.ts';
import { Facts } from './EngagementSettings.tsx';
import type { Reader } from './reader.ts';

interface EarlierProps {
  engagements: readonly Engagement[];
  nameOf: (engagement: Engagement) => string | null;
  areas: readonly { key: string; name: string }[];
  reader: Reader;
}

/** Coaching that has ended, newest first. */
export function Earlier({ engagements, nameOf, areas, reader }: EarlierProps) {
  if (engagements.length === 0) return null;
  return (
    <section aria-labelledby="before">
      <h2 id="before">Earlier coaching</h2>
      <ul className="mt-4 flex flex-col gap-3">
        {engagements.map((engagement) => (
          <li key={engagement.id} className="card p-5 md:p-6">
            <EarlierOne
              engagement={engagement}
              business={nameOf(engagement)}
              areas={areas}
              reader={reader}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface OneProps extends Pick<EarlierProps, 'areas' | 'reader'> {
  engagement: Engagement;
  business: string | null;
}

function EarlierOne({ engagement, business, areas, reader }: OneProps) {
  const { id, coach, closed_at, closing_summary, referral, sessions } = engagement;
  const held = sessions.filter(({ summary }) => summary);
  return (
    <>
      {business && <p className="eyebrow [overflow-wrap:anywhere]">{business}</p>}
      <h3 id={`state-${id}`} tabIndex={-1} className="mt-1">
        {ownerText(engagement).title}
      </h3>
      <p className="mt-1 text-sm text-muted">
        {closed_at && dayText(closed_at, reader.timeZone)}
        {coach?.full_name && ` · with ${coach.full_name}`}
      </p>
      {(closing_summary ?? referral) && (
        <p className="mt-3 max-w-[68ch] text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          {closing_summary ?? referral}
        </p>
      )}
      <details className="mt-2 text-sm">
        <summary className="link inline-block py-1 pointer-coarse:py-3">
          What it was about
          <span className="sr-only">
            , {business}, {dayText(engagement.requested_at, reader.timeZone)}
          </span>
        </summary>
        <div className="mt-2 flex flex-col gap-4">
          <Facts engagement={engagement} areas={areas} reader={reader} />
          {held.map(({ id, starts_at, summary }) => (
            <div key={id}>
              <p className="font-semibold">Session on {dayText(starts_at, reader.timeZone)}</p>
              <p className="max-w-[68ch] whitespace-pre-line [overflow-wrap:anywhere]">{summary}</p>
            </div>
          ))}
        </div>
      </details>
    </>
  );
}
