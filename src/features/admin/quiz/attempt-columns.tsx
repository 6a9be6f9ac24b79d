import type { ListedAttempt } from '#data/admin-attempts.ts';
import { ATTEMPT_STATE_LABELS } from '#domain/admin-attempts.ts';
import { KIND_LABELS } from '#domain/attempt.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import type { DataColumn } from '#ui/table/columns.ts';

/** What an attempt is called: its business or, without one, its person. */
export const nameOf = ({ business, person }: ListedAttempt) =>
  business?.name ?? person?.name ?? 'No business yet';

const personText = ({ person }: ListedAttempt) =>
  person ? (person.name ?? 'No name yet') : 'Deleted account';

const personLink = (attempt: ListedAttempt) =>
  attempt.person ? (
    <a
      className="link wrap-anywhere"
      href={hrefFor('/admin/people/[id]', { id: attempt.person.id })}
    >
      {personText(attempt)}
    </a>
  ) : (
    personText(attempt)
  );

const versionText = ({ kind, version }: ListedAttempt) =>
  `${KIND_LABELS[kind]}, version ${version}`;

const stateWithReason = ({ state, void_reason }: ListedAttempt) => (
  <>
    {ATTEMPT_STATE_LABELS[state]}
    {void_reason && (
      <span className="block max-w-[36ch] text-xs text-muted wrap-anywhere">{void_reason}</span>
    )}
  </>
);

const when = (at: string, timeZone: string) => (
  <time dateTime={at} className="whitespace-nowrap">
    {shortDayText(at, timeZone)}
  </time>
);

/** The only button of a row sets its attempt aside. */
export const columnsIn = (timeZone: string): DataColumn<ListedAttempt>[] => [
  {
    id: 'business',
    header: 'Business',
    isRowHeader: true,
    cell: ({ business }) =>
      business ? (
        <a
          className="link wrap-anywhere"
          href={hrefFor('/admin/businesses/[id]', { id: business.id })}
        >
          {business.name}
        </a>
      ) : (
        <span className="text-muted">No business yet</span>
      ),
    csv: ({ business }) => business?.name ?? null,
  },
  {
    id: 'person',
    header: 'Person',
    breaks: 'rarely',
    onCard: 'bare',
    cell: personLink,
    csv: personText,
  },
  {
    id: 'version',
    header: 'Quiz',
    from: 'wide',
    onCard: 'bare',
    cell: versionText,
    csv: versionText,
  },
  {
    id: 'state',
    header: 'State',
    onCard: 'bare',
    isUsual: ({ state }) => state === 'submitted',
    cell: stateWithReason,
    csv: ({ state }) => ATTEMPT_STATE_LABELS[state],
  },
  { id: 'reason', header: 'Why it was set aside', csv: ({ void_reason }) => void_reason },
  {
    id: 'started',
    header: 'Started',
    from: 'wide',
    isUsual: ({ submitted_at }) => submitted_at !== null,
    cell: ({ started_at }) => when(started_at, timeZone),
    csv: ({ started_at }) => started_at,
  },
  {
    id: 'finished',
    header: 'Finished',
    none: 'Not finished',
    cell: ({ submitted_at }) => submitted_at && when(submitted_at, timeZone),
    csv: ({ submitted_at }) => submitted_at,
  },
  {
    id: 'change',
    header: 'Change',
    none: 'Nothing to change',
    onCard: 'bare',
    cell: (attempt) =>
      attempt.state === 'submitted' && (
        <Button
          size="small"
          variant="quiet"
          needsScript
          data-press="set-aside"
          className="whitespace-nowrap max-md:-my-2 max-md:-ml-3 md:-my-1.5"
        >
          Set aside
          <span className="sr-only">{` the quiz of ${nameOf(attempt)}`}</span>
        </Button>
      ),
  },
];
