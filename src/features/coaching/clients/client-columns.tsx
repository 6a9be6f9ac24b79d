import type { ClientRow } from '#data/coaching-clients.ts';
import { countText } from '#lib/browser/unread-title.ts';
import { sessionText, shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { DataColumn } from '#ui/table/columns.ts';
import { ClockMark } from '../coach/ClockMark.tsx';
import { STATE_LABELS, StateMark } from '../coach/StateMark.tsx';
import { clockOf, dayOfReader, type Reader } from '../when.ts';

/** "3 unread messages", as a mark next to a name; nothing without any. */
export const UnreadMark = ({ unread }: { unread: number }) =>
  unread > 0 && (
    <span className="ml-2 inline-flex rounded-full bg-primary px-1.5 text-xs font-semibold text-primary-ink figures">
      {countText(unread)}
      <span className="sr-only"> unread {unread === 1 ? 'message' : 'messages'}</span>
    </span>
  );

export function clientColumns(reader: Reader): DataColumn<ClientRow>[] {
  return [
    {
      id: 'business',
      header: 'Client',
      isRowHeader: true,
      sort: { ascending: 'name' },
      cell: ({ id, business, owner, unread }) => (
        <>
          <a
            className="font-semibold hover:text-primary hover:underline"
            href={hrefFor('/dashboard/coaching/[id]', { id })}
          >
            {business.name}
          </a>
          <UnreadMark unread={unread} />
          <span className="block text-xs font-normal text-muted">
            {owner.full_name || 'No name yet'}
          </span>
        </>
      ),
      csv: ({ business }) => business.name,
    },
    { id: 'owner', header: 'Owner', csv: ({ owner }) => owner.full_name },
    {
      id: 'state',
      header: 'State',
      onCard: 'bare',
      cell: ({ state }) => <StateMark state={state} />,
      csv: ({ state }) => STATE_LABELS[state],
    },
    {
      id: 'due',
      header: 'Next',
      none: 'Nothing due',
      sort: { ascending: 'due' },
      onCard: 'bare',
      cell: (row) => {
        const clock = clockOf(row, reader);
        return clock && <ClockMark clock={clock} isStacked />;
      },
      csv: (row) => {
        const clock = clockOf(row, reader);
        return clock && `${clock.what}, ${clock.when}`;
      },
    },
    ...moreColumns(reader),
  ];
}

/** What only fits on wide screens. */
function moreColumns(reader: Reader): DataColumn<ClientRow>[] {
  const day = (iso: string | null) => iso && shortDayText(iso, reader.timeZone);
  return [
    {
      id: 'next',
      header: 'Next session',
      none: 'None planned',
      from: 'wide',
      onCard: 'hidden',
      cell: ({ next_session_at: at }) =>
        at && (
          <span className="whitespace-nowrap">
            {sessionText(at, reader.timeZone, dayOfReader(reader))}
          </span>
        ),
      csv: ({ next_session_at }) => day(next_session_at),
    },
    {
      id: 'last',
      header: 'Last session',
      none: 'None yet',
      from: 'wide',
      onCard: 'hidden',
      cell: ({ last_session_at: at }) =>
        at && <span className="whitespace-nowrap text-muted">{day(at)}</span>,
      csv: ({ last_session_at }) => day(last_session_at),
    },
    {
      id: 'actions',
      header: 'Open actions',
      align: 'right',
      from: 'wide',
      onCard: 'hidden',
      cell: ({ open_actions }) => <span className="figures">{open_actions}</span>,
      csv: ({ open_actions }) => open_actions,
    },
    {
      id: 'results',
      header: 'Results',
      from: 'wide',
      onCard: 'hidden',
      cell: ({ results_shared }) =>
        results_shared ? 'Shared' : <span className="text-muted">Not shared</span>,
      csv: ({ results_shared }) => (results_shared ? 'Shared' : 'Not shared'),
    },
  ];
}
