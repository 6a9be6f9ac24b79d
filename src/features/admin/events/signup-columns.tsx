import type { ListedSignup } from '#data/events.ts';
import { PLACE_LABELS } from '#domain/event.ts';
import { momentText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { type createEventStore, nameOf } from './event-store.ts';

/** What the buttons of a row need. */
interface SignupSteps {
  store: Pick<ReturnType<typeof createEventStore>, 'give' | 'mark'>;
  /** Whether the event is still planned. */
  isOpen: boolean;
  /** Whether it starts within the hour or has started, so that people are there. */
  isSoon: boolean;
  onCancel: (signup: ListedSignup) => void;
}

const CAME = { true: 'Came', false: 'Didn’t come', null: 'Not marked' };

/** The columns of an event's people, with a button for each step they can take. */
export const signupColumns = (timeZone: string, steps: SignupSteps): DataColumn<ListedSignup>[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: (signup) => (
      <span className="block wrap-anywhere">
        {nameOf(signup)}
        {signup.name && (
          <span className="block text-xs font-normal text-muted">{signup.email}</span>
        )}
      </span>
    ),
    csv: ({ name }) => name,
  },
  { id: 'email', header: 'Email', csv: ({ email }) => email },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, position, due_at, reason }) => (
      <>
        {PLACE_LABELS[state]}
        {position !== null && `, number ${position}`}
        {due_at && (
          <span className="block text-xs text-muted">until {momentText(due_at, timeZone)}</span>
        )}
        {reason && <span className="block text-xs text-muted wrap-anywhere">{reason}</span>}
      </>
    ),
    csv: ({ state }) => PLACE_LABELS[state],
  },
  {
    id: 'wish',
    header: 'What they’d like',
    from: 'wide',
    none: 'Nothing said',
    cell: ({ wish }) =>
      wish && <span className="block max-w-[40ch] text-sm wrap-anywhere">{wish}</span>,
    csv: ({ wish }) => wish,
  },
  {
    id: 'asked',
    header: 'Asked',
    cell: ({ created_at }) => momentText(created_at, timeZone),
    csv: ({ created_at }) => created_at,
  },
  {
    id: 'came',
    header: 'Came',
    none: 'Not marked',
    cell: (signup) => <Came signup={signup} steps={steps} />,
    csv: ({ came }) => CAME[`${came}`],
  },
  {
    id: 'steps',
    header: 'Change',
    none: 'Nothing to change',
    cell: (signup) => <Steps signup={signup} steps={steps} />,
  },
];

interface StepProps {
  signup: ListedSignup;
  steps: SignupSteps;
}

function Came({ signup, steps }: StepProps) {
  if (!steps.isSoon || signup.state !== 'taken') return null;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {([true, false] as const).map((came) => (
        <Button
          key={String(came)}
          size="small"
          variant={signup.came === came ? 'primary' : 'secondary'}
          aria-pressed={signup.came === came}
          needsScript
          onClick={() => void steps.store.mark(signup, signup.came === came ? null : came)}
        >
          {came ? 'Came' : 'Didn’t'}
          <span className="sr-only">: {nameOf(signup)}</span>
        </Button>
      ))}
    </span>
  );
}

function Steps({ signup, steps }: StepProps) {
  const { state } = signup;
  if (!steps.isOpen || state === 'canceled' || state === 'lapsed') return null;
  return (
    <span className="flex flex-wrap gap-2">
      {state !== 'taken' && (
        <Button
          size="small"
          variant="secondary"
          needsScript
          onClick={() => void steps.store.give(signup)}
        >
          Give a place
          <span className="sr-only"> to {nameOf(signup)}</span>
        </Button>
      )}
      <Button size="small" variant="secondary" needsScript onClick={() => steps.onCancel(signup)}>
        Cancel
        <span className="sr-only"> {nameOf(signup)}</span>
      </Button>
    </span>
  );
}
