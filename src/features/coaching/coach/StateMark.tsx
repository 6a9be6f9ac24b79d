import type { EngagementState } from '#domain/engagement.ts';
import { classNames } from '#ui/class-names.ts';

/** A state in a word or two, as a coach reads it of a client. */
export const STATE_LABELS: Record<EngagementState, string> = {
  requested: 'Not assigned',
  assigned: 'New request',
  accepted: 'Accepted',
  active: 'In progress',
  paused: 'Paused',
  completed: 'Completed',
  withdrawn: 'Withdrawn',
  unreachable: 'Unreachable',
  ineligible: 'Not taken on',
};

const look: Record<EngagementState, string> = {
  requested: 'border-line text-muted',
  assigned: 'border-transparent bg-caution-soft text-caution',
  accepted: 'border-line text-ink',
  active: 'border-transparent bg-primary-soft text-ink',
  paused: 'border-line text-muted',
  completed: 'border-primary text-primary',
  withdrawn: 'border-line text-muted',
  unreachable: 'border-transparent bg-danger-soft text-danger',
  ineligible: 'border-line text-muted',
};

export const StateMark = ({ state }: { state: EngagementState }) => (
  <span
    className={classNames(
      'inline-flex rounded-full border px-2.5 py-0.5 text-xs font-medium whitespace-nowrap',
      look[state],
    )}
  >
    {STATE_LABELS[state]}
  </span>
);
