import { type BaseSyntheticEvent, useState } from 'react';
import {
  createSession,
  createSessionOffer,
  moveSession,
  type Session,
} from '#data/coaching-sessions.ts';
import { OFFERED_TIMES, SESSION_MINUTES } from '#domain/session.ts';
import type { SessionKind } from '#domain/session-values.ts';
import { nextProblems, type SessionProblems } from '#lib/closed-session.ts';
import { db } from '#lib/db.ts';
import { dayOf, instantOf, sessionText, timeOf } from '#lib/locale/dates.ts';
import { idsByWords } from '#lib/new-id.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Chips } from '#ui/forms/Chips.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { useAction } from '#ui/use-action.ts';
import { dayOfReader, type Reader } from '../when.ts';
import { LengthChips, PlaceFields, TimeFields } from './PlanFields.tsx';
import { type PlannedTime, suggestedTimes } from './suggested-times.ts';

export interface PlanTarget {
  engagementId: string;
  /** Who it's with. */
  name: string;
  /** The owner's zone, if it's known. */
  ownerTimeZone: string | null;
  /** How they met last, to start from. */
  last: { minutes: number; kind: SessionKind; place: string | null } | null;
  /** Dates on which no time is suggested. */
  holidays: readonly string[];
  /** The session that's moved; null for a new one. */
  moving: Session | null;
}

interface PlanProps {
  target: PlanTarget;
  reader: Reader;
  /** Called once it's stored, with what to announce. */
  onDone: (said: string) => void;
  onClose: () => void;
}

const WAYS = [
  ['offer', 'Offer times to pick from'],
  ['schedule', 'We agreed on a time'],
] as const;
const ORDINALS = ['First time', 'Second time', 'Third time'];

function usePlan({ target, reader, onDone, onClose }: PlanProps) {
  const { moving, last, engagementId } = target;
  const { timeZone } = reader;
  const [idOf] = useState(idsByWords);
  const [way, setWay] = useState<'offer' | 'schedule'>(moving ? 'schedule' : 'offer');
  const [times, setTimes] = useState<PlannedTime[]>(() =>
    moving
      ? [{ day: dayOf(moving.starts_at, timeZone), time: timeOf(moving.starts_at, timeZone) }]
      : suggestedTimes(dayOfReader(reader), target.holidays),
  );
  const begun = moving ?? last;
  const [rest, setRest] = useState({
    minutes: begun?.minutes ?? SESSION_MINUTES.usual,
    kind: begun?.kind ?? ('online' as SessionKind),
    place: begun?.place ?? '',
  });
  const [problems, setProblems] = useState<SessionProblems>({});
  const action = useAction(reportError);
  const shown = way === 'offer' ? times : times.slice(0, 1);

  async function send() {
    const instants = shown
      .filter(({ day, time }) => day !== '' && time !== '')
      .map(({ day, time }) => instantOf(day, time, timeZone));
    const planned = { engagementId, timeZone, ...rest, place: rest.place.trim() };
    const [startsAt = ''] = instants;
    const client = await db();
    if (moving) await moveSession(client, moving.id, { startsAt, ...rest });
    else if (way === 'offer') {
      const offer = { ...planned, times: instants };
      await createSessionOffer(client, { id: idOf(offer), ...offer });
    } else {
      const session = { ...planned, startsAt };
      await createSession(client, { id: idOf(session), ...session });
    }
    onDone(moving ? 'The session is moved.' : way === 'offer' ? 'Sent.' : 'It’s in the calendar.');
    onClose();
  }

  async function submit(event?: BaseSyntheticEvent) {
    event?.preventDefault();
    const found = problemsOf(shown, rest, timeZone, way);
    setProblems(found);
    if (Object.keys(found).length === 0) await action.run(send);
  }
  return { way, setWay, times: shown, setTimes, rest, setRest, problems, submit, ...action };
}

/** Offers need at least two times; a third may stay empty. */
function problemsOf(
  times: readonly PlannedTime[],
  rest: { minutes: number; kind: SessionKind; place: string },
  timeZone: string,
  way: 'offer' | 'schedule',
): SessionProblems {
  const found: SessionProblems = {};
  times.forEach((time, index) => {
    if (index >= OFFERED_TIMES.least && time.day === '' && time.time === '') return;
    Object.assign(
      found,
      Object.fromEntries(
        Object.entries(nextProblems({ ...time, ...rest }, timeZone, Date.now())).map(
          ([name, words]) => [['day', 'time'].includes(name) ? `${index}.${name}` : name, words],
        ),
      ),
    );
  });
  const said = times.map(({ day, time }) => `${day} ${time}`);
  const twice = said.findIndex((each, index) => each.trim() && said.indexOf(each) < index);
  if (way === 'offer' && twice > 0) found[`${twice}.time`] ??= 'Choose a different time.';
  return found;
}

/** Offers two or three times, schedules a session on one, or moves one. */
export function PlanDialog(props: PlanProps) {
  const { target, reader, onClose } = props;
  const plan = usePlan(props);
  const { way, setWay, times, setTimes, rest, setRest, problems } = plan;
  const { moving, name } = target;
  const setTime = (index: number, change: Partial<PlannedTime>) =>
    setTimes((all) => all.map((each, at) => (at === index ? { ...each, ...change } : each)));
  return (
    <FormDialog
      firm
      fields={plan}
      title={moving ? 'Move the session' : `Plan a session with ${name}`}
      description={
        moving ? `${name} gets a notification with the new time.` : 'All times are on your clock.'
      }
      action={moving ? 'Move it' : way === 'offer' ? 'Send the times' : 'Schedule it'}
      onClose={onClose}
    >
      {!moving && (
        <Chips
          legend="How to find a time"
          isLegendHidden
          options={WAYS}
          chosen={way}
          onChoose={setWay}
        />
      )}
      {times.map((time, index) => (
        <TimeFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the three stay in their order
          key={index}
          {...(times.length > 1 && { legend: ORDINALS[index] ?? '' })}
          value={time}
          prefix={`${index}.`}
          problems={problems}
          least={dayOfReader(reader)}
          hint={otherClock(time, target, reader)}
          onChange={(change) => setTime(index, change)}
        />
      ))}
      <LengthChips
        minutes={rest.minutes}
        error={problems.minutes}
        onChange={(minutes) => setRest({ ...rest, minutes })}
      />
      <PlaceFields
        kind={rest.kind}
        place={rest.place}
        error={problems.place}
        onKind={(kind) => setRest({ ...rest, kind })}
        onPlace={(place) => setRest({ ...rest, place })}
      />
      <Failure failure={plan.failure} title="Not saved" />
    </FormDialog>
  );
}

/** The same time on the owner's clock, if it's another one. */
function otherClock(
  { day, time }: PlannedTime,
  { ownerTimeZone, name }: PlanTarget,
  reader: Reader,
): string | undefined {
  if (!ownerTimeZone || day === '' || time === '') return undefined;
  const instant = instantOf(day, time, reader.timeZone);
  const there = sessionText(instant, ownerTimeZone, dayOfReader(reader));
  const here = sessionText(instant, reader.timeZone, dayOfReader(reader));
  return there === here ? undefined : `For ${name}, that’s ${there}.`;
}
