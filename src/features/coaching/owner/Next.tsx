import { ownerNext } from '#domain/engagement-text.ts';
import { weekdayText } from '#lib/locale/dates.ts';
import type { Engagement } from '../coaching-store.ts';
import type { Reader } from './reader.ts';
import { elsewhereWords, momentWords } from './times.ts';

/** What happens next, who does it, and by when. */
export function Next({ engagement, reader }: { engagement: Engagement; reader: Reader }) {
  const { due_what, due_at, coach } = engagement;
  if (!due_what || !due_at) return null;
  const { who, what, late } = ownerNext(due_what, engagement);
  const isLate = late !== null && Date.parse(due_at) < Date.parse(reader.now);
  const isMoment = due_what === 'session' || due_what === 'pick';
  const when = isMoment
    ? momentWords(due_at, reader.timeZone, reader.now)
    : weekdayText(due_at, reader.timeZone, new Date(reader.now));
  const theirs =
    due_what === 'session' &&
    elsewhereWords(due_at, reader.timeZone, coach?.time_zone ?? null, reader.now);
  return (
    <div className="rounded-control bg-primary-soft p-4 md:px-5">
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1.4fr)]">
        <Entry name="What’s next" value={what} />
        <Entry name="Who" value={who} />
        <Entry
          name={due_what === 'session' ? 'When' : due_what === 'resume' ? 'On' : 'By'}
          value={when}
          more={theirs || null}
        />
      </dl>
      {isLate && <p className="mt-3 text-sm font-medium text-caution">{late}</p>}
    </div>
  );
}

const Entry = ({ name, value, more }: { name: string; value: string; more?: string | null }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="font-semibold [overflow-wrap:anywhere]">
      {value}
      {more && <span className="block text-xs font-normal text-muted">{more}</span>}
    </dd>
  </div>
);
