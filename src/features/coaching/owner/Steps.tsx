import type { EngagementEvent } from '#data/own-coaching.ts';
import {
  COACHING_STEP_LABELS,
  COACHING_STEPS,
  type CoachingStep,
  stepAt,
} from '#domain/engagement-text.ts';
import { dayOf, nearDayText } from '#lib/locale/dates.ts';
import { classNames } from '#ui/class-names.ts';
import type { Engagement } from '../coaching-store.ts';
import type { Reader } from './reader.ts';

/** When a step was taken; null for the ones ahead, and the last, which goes on. */
function takenAt(engagement: Engagement, step: CoachingStep): string | null {
  const { requested_at, assigned_at, accepted_at, sessions, events } = engagement;
  const held = sessions.findLast(({ state }) => state === 'completed')?.starts_at ?? null;
  const times: Record<CoachingStep, string | null> = {
    asked: requested_at,
    coach_asked: assigned_at,
    accepted: accepted_at,
    // Older sessions than the page has: the step that the first one caused.
    first_session: sessions.length < 100 ? held : startedAt(events),
    working: null,
  };
  return times[step];
}

const startedAt = (events: readonly EngagementEvent[]) =>
  events.find(({ from_state, to_state }) => from_state === 'accepted' && to_state === 'active')
    ?.at ?? null;

type Place = 'done' | 'now' | 'ahead';

const PLACE_WORDS: Record<Place, string> = { done: 'Done', now: 'Now', ahead: 'Later' };

/** Where the coaching is, from asking to working together. */
export function Steps({ engagement, reader }: { engagement: Engagement; reader: Reader }) {
  const current = COACHING_STEPS.indexOf(stepAt(engagement.state));
  return (
    <ol className="flex flex-col md:grid md:grid-cols-5" aria-label="Where your coaching is">
      {COACHING_STEPS.map((step, index) => {
        const place = index < current ? 'done' : index === current ? 'now' : 'ahead';
        const at = place === 'done' ? takenAt(engagement, step) : null;
        const isLast = index === COACHING_STEPS.length - 1;
        return (
          <li
            key={step}
            aria-current={place === 'now' ? 'step' : undefined}
            className={classNames(
              'relative flex gap-3 md:flex-col md:gap-2 md:pr-3',
              !isLast && 'pb-4 md:pb-0',
            )}
          >
            {!isLast && <Stem isGrown={index < current} />}
            <Marker place={place} />
            <p className="flex flex-wrap items-baseline gap-x-2 pt-0.5 text-sm md:flex-col md:pt-0">
              <span className="sr-only">{PLACE_WORDS[place]}: </span>
              <span
                className={classNames(
                  place === 'now' && 'font-semibold',
                  place === 'ahead' && 'text-muted',
                )}
              >
                {COACHING_STEP_LABELS[step]}
              </span>
              {at && (
                <span className="text-xs text-muted">
                  {nearDayText(dayOf(at, reader.timeZone), reader.today)}
                </span>
              )}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

/** The line to the next step: grown, or still only the lattice. */
const Stem = ({ isGrown }: { isGrown: boolean }) => (
  <span
    aria-hidden="true"
    className={classNames(
      'absolute top-7 bottom-0 left-[0.8125rem] w-0.5 md:top-[0.8125rem] md:right-0 md:bottom-auto md:left-7 md:h-0.5 md:w-auto',
      isGrown ? 'bg-stem' : 'bg-lattice',
    )}
  />
);

const Marker = ({ place }: { place: Place }) => (
  <svg viewBox="-14 -14 28 28" className="relative size-7 shrink-0" fill="none" aria-hidden="true">
    {place === 'done' && (
      <>
        <circle r="12" className="fill-primary-soft" />
        <path d="M-7 7C-9-3-4-9 8-9C9 2 3 8-7 7Z" className="fill-leaf" />
        <path
          d="M-6 6C-2 1 2-3 6-6"
          className="stroke-vein"
          strokeWidth="1.4"
          strokeLinecap="round"
        />
      </>
    )}
    {place === 'now' && (
      <>
        <circle r="11.5" className="fill-surface stroke-primary" strokeWidth="2.5" />
        <circle r="5" className="fill-primary" />
      </>
    )}
    {place === 'ahead' && (
      <circle
        r="11.5"
        className="fill-surface stroke-edge"
        strokeWidth="1.5"
        strokeDasharray="3 4"
      />
    )}
  </svg>
);
