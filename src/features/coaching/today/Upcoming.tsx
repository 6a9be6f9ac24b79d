import type { ClientRow } from '#data/coaching-clients.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { addDays, dayOf } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Section } from '#ui/Section.tsx';
import { ClockMark } from '../coach/ClockMark.tsx';
import { clockOf, dayOfReader, type Reader } from '../when.ts';

/** The most that's listed. */
const MOST = 3;

/**
 * What comes after tomorrow, the next first, at most three. What's due earlier has its own lists.
 * @param rows open clients, what's due first
 */
export function laterOf(rows: readonly ClientRow[], reader: Reader): ClientRow[] {
  const tomorrow = addDays(dayOfReader(reader), 1);
  return rows
    .filter(({ due_at }) => due_at !== null && dayOf(due_at, reader.timeZone) > tomorrow)
    .slice(0, MOST);
}

interface UpcomingProps {
  rows: readonly ClientRow[];
  reader: Reader;
}

/** What comes next for a coach with nothing due: whose it is, what it is and when. */
export const Upcoming = ({ rows, reader }: UpcomingProps) => (
  <Section id="next" title="What’s next" className="card p-5 md:p-6">
    <ol className="mt-2 flex flex-col divide-y divide-line">
      {rows.map((row) => (
        <li key={row.id} className="relative flex items-center gap-4 py-4 first:pt-2 last:pb-0">
          <Avatar
            id={row.owner.user_id}
            name={row.owner.full_name}
            src={avatarSrc(row.owner.avatar_path)}
            size={40}
          />
          <div className="min-w-0 wrap-anywhere">
            <a
              className="font-semibold hover:text-primary hover:underline before:absolute before:inset-0"
              href={hrefFor('/dashboard/coaching/[id]', { id: row.id })}
            >
              {row.business.name}
            </a>
            <p className="text-sm text-muted">{row.owner.full_name || 'No name yet'}</p>
            <p className="text-sm">
              <ClockMark clock={clockOf(row, reader)} />
            </p>
          </div>
        </li>
      ))}
    </ol>
  </Section>
);
