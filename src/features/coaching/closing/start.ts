/** What the form for closing a session starts from. */
import type { SessionClient } from '#data/coaching-client.ts';
import type { SessionPage } from '#data/coaching-sessions.ts';
import { SESSION_MINUTES } from '#domain/session.ts';
import type { SessionKind } from '#domain/session-values.ts';
import { addDays, dayOf, timeOf } from '#lib/locale/dates.ts';
import { newId } from '#lib/new-id.ts';
import type { SessionForm } from '#lib/session-form.ts';
import { weeksLater } from '../coach/suggested-times.ts';
import { dayOfReader, type Reader } from '../when.ts';

/** Days until an action is due, unless the coach says otherwise. */
const DUE_DAYS = 14;
const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

/** An action to fill in. */
export const blankAction = (today: string): SessionForm['actions'][number] => ({
  id: newId(),
  body: '',
  doer: 'owner',
  due_on: addDays(today, DUE_DAYS),
});

export function startOfForm(
  session: SessionPage | null,
  { last, isOver }: SessionClient,
  reader: Reader,
): SessionForm {
  const minutes = session?.minutes ?? last?.minutes ?? SESSION_MINUTES.usual;
  // One that wasn't planned is probably just over.
  const begun = Date.parse(reader.now) - minutes * 60_000;
  const at = session?.starts_at ?? new Date(begun - (begun % QUARTER_MS)).toISOString();
  const kind: SessionKind = session?.kind ?? last?.kind ?? 'online';
  return {
    day: dayOf(at, reader.timeZone),
    time: timeOf(at, reader.timeZone),
    minutes,
    kind,
    place: session?.place ?? '',
    outcome: 'completed',
    topics: [],
    summary: '',
    note: '',
    actions: isOver ? [] : [blankAction(dayOfReader(reader))],
    figures: null,
    next: null,
  };
}

/** The next session, some weeks later at the same time and place. */
export function startOfNext(
  form: SessionForm,
  { last, holidays }: SessionClient,
  weeks: number,
  today: string,
): NonNullable<SessionForm['next']> {
  const { minutes, kind } = form;
  return {
    id: form.next?.id ?? newId(),
    ...weeksLater(form, weeks, today, holidays),
    minutes,
    kind,
    place: form.place || (last?.kind === kind ? (last.place ?? '') : ''),
  };
}

/** Figures to fill in. */
export const blankFigures = (currency: string): NonNullable<SessionForm['figures']> => ({
  id: newId(),
  full_time: '',
  part_time: '',
  revenue: '',
  profit: '',
  currency,
});
