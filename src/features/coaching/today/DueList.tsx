import type { ClientRow } from '#data/coaching-clients.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { ClockMark } from '../coach/ClockMark.tsx';
import { clockOf, type Reader } from '../when.ts';

interface StepProps {
  /** The id of the client whose step is on its way. */
  busy: string | null;
  onAccept: (row: ClientRow) => void;
  onResume: (row: ClientRow) => void;
  onPlan: (row: ClientRow) => void;
}

interface DueProps extends StepProps {
  rows: readonly ClientRow[];
  reader: Reader;
}

/** What's due by the end of tomorrow or late, each with the one step that settles it. */
export function DueList({ rows, reader, ...steps }: DueProps) {
  return (
    <Section id="due" title="What to do" className="card p-5 md:p-6">
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {rows.map((row) => (
          <li
            key={row.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-2 last:pb-0"
          >
            <Avatar
              id={row.owner.user_id}
              name={row.owner.full_name}
              src={avatarSrc(row.owner.avatar_path)}
              size={40}
            />
            <div className="min-w-0 grow basis-44">
              <p className="wrap-anywhere">
                <a
                  className="font-semibold hover:text-primary hover:underline"
                  href={hrefFor('/dashboard/coaching/[id]', { id: row.id })}
                >
                  {row.business.name}
                </a>
                <span className="text-sm text-muted">
                  {' '}
                  · {row.owner.full_name || 'No name yet'}
                </span>
              </p>
              <ClockMark clock={clockOf(row, reader)} className="text-sm" />
            </div>
            <Step row={row} {...steps} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const BUTTON = 'max-sm:basis-full';

/** The one step that settles what's due. */
function Step({ row, busy, onAccept, onResume, onPlan }: StepProps & { row: ClientRow }) {
  const whose = <span className="sr-only">, {row.business.name}</span>;
  const page = hrefFor('/dashboard/coaching/[id]', { id: row.id });
  const act = (label: string, onClick: () => void) => (
    <Button size="small" className={BUTTON} pending={busy === row.id} needsScript onClick={onClick}>
      {label}
      {whose}
    </Button>
  );
  const go = (label: string, href: string) => (
    <Button size="small" className={BUTTON} href={href}>
      {label}
      {whose}
    </Button>
  );
  switch (row.due_what) {
    case 'accept':
      return act('Accept', () => onAccept(row));
    case 'resume':
      return act('Pick it up again', () => onResume(row));
    case 'plan':
      return act('Plan a session', () => onPlan(row));
    case 'write_up':
      return row.session_id
        ? go('Write it up', hrefFor('/dashboard/coaching/sessions/[id]', { id: row.session_id }))
        : go('Open', page);
    case 'contact':
      return go('Get in touch', `${page}#contact`);
    default:
      return go('Open', page);
  }
}
