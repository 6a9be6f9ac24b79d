import type { Packet } from '#data/admin-engagement.ts';
import { nearDayText, shortDayText } from '#lib/locale/dates.ts';
import type { EngagementNames } from './names.ts';

interface PacketProps {
  packet: Packet;
  names: EngagementNames;
  /** The admin's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

const DOERS = { owner: 'owner', coach: 'coach' } as const;

/** What the next coach gets: goals, open actions and the summaries that the owner reads too. */
export function PacketPreview({ packet, names, timeZone, today }: PacketProps) {
  const { goals, actions, summaries } = packet;
  return (
    <dl className="flex flex-col gap-3 text-sm">
      <div>
        <dt className="text-xs font-semibold text-muted">Goals</dt>
        <dd className="wrap-anywhere">
          {goals.areas.length > 0 && <p>{goals.areas.map(names.areaOf).join(', ')}</p>}
          {goals.note ? (
            <p className="whitespace-pre-line">{goals.note}</p>
          ) : (
            goals.areas.length === 0 && <p className="text-muted">None written down.</p>
          )}
        </dd>
      </div>
      <div>
        <dt className="text-xs font-semibold text-muted">Open actions</dt>
        <dd>
          {actions.length === 0 ? (
            <p className="text-muted">None.</p>
          ) : (
            <ul className="flex flex-col gap-1">
              {actions.map(({ body, doer, due_on }) => (
                <li key={body + due_on} className="wrap-anywhere">
                  {body}{' '}
                  <span className="text-muted">
                    ({DOERS[doer]}
                    {due_on && `, due ${nearDayText(due_on, today)}`})
                  </span>
                </li>
              ))}
            </ul>
          )}
        </dd>
      </div>
      <div>
        <dt className="text-xs font-semibold text-muted">Shared summaries</dt>
        <dd>
          {summaries.length === 0 ? (
            <p className="text-muted">None.</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {summaries.map(({ starts_at, summary }) => (
                <li key={starts_at} className="wrap-anywhere">
                  <span className="text-muted">{shortDayText(starts_at, timeZone)}:</span> {summary}
                </li>
              ))}
            </ul>
          )}
        </dd>
      </div>
    </dl>
  );
}
