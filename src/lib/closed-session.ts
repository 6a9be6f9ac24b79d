/** What's wrong with what a coach wrote down about a session, and how it's stored. */
import * as v from 'valibot';
import { SESSION_LENGTHS, SESSION_MINUTES, SESSION_PLACE_LABELS } from '#domain/session.ts';
import { instantOf } from './locale/dates.ts';
import { wholeText } from './locale/numbers.ts';
import { type FiguresInput, figuresInput, snapshotOf } from './schemas/figures.ts';
import type { PlanInput, SessionForm } from './session-form.ts';

/** What's wrong, in words, by field: `summary`, `next.day`, `actions.0.body`. */
export type SessionProblems = Record<string, string>;

const lettersIn = (text: string) => [...text.trim()].length;

function planProblems(planned: PlanInput, prefix = ''): SessionProblems {
  const found: SessionProblems = {};
  const { least, most } = SESSION_MINUTES;
  if (!/^\d{4}-\d\d-\d\d$/.test(planned.day)) found[`${prefix}day`] = 'Choose the day.';
  if (!/^\d\d:\d\d/.test(planned.time)) found[`${prefix}time`] = 'Choose the time.';
  if (!(planned.minutes >= least && planned.minutes <= most)) {
    found[`${prefix}minutes`] = `Choose ${least} to ${most} minutes.`;
  }
  if (lettersIn(planned.place) > SESSION_LENGTHS.place) {
    found[`${prefix}place`] = `Keep it to ${SESSION_LENGTHS.place} characters.`;
  }
  return found;
}

/** The same for a session that's being planned: it needs a place to go to, and to be ahead. */
export function nextProblems(
  planned: PlanInput,
  timeZone: string,
  now: number,
  prefix = '',
): SessionProblems {
  const found = planProblems(planned, prefix);
  if (Object.keys(found).length > 0) return found;
  const { day, time, kind, place } = planned;
  if (Date.parse(instantOf(day, time, timeZone)) <= now) {
    found[`${prefix}day`] = 'Choose a time in the future.';
  }
  if (kind === 'in_person' && place.trim() === '') {
    found[`${prefix}place`] = `Add the ${SESSION_PLACE_LABELS.in_person.toLowerCase()}.`;
  }
  return found;
}

const textProblem = (text: string, most: number) =>
  lettersIn(text) > most ? `Keep it to ${wholeText(most)} characters.` : null;

const asFigures = ({ full_time, part_time, revenue, profit, currency }: FiguresShown) => ({
  takenOn: '2000-01-01',
  fullTime: full_time,
  partTime: part_time,
  revenue,
  profit,
  currency,
});
type FiguresShown = NonNullable<SessionForm['figures']>;

const isBlank = ({ full_time, part_time, revenue, profit }: FiguresShown) =>
  (full_time + part_time + revenue + profit).trim() === '';

const FIGURE_FIELDS: Partial<Record<keyof FiguresInput, keyof FiguresShown>> = {
  fullTime: 'full_time',
  partTime: 'part_time',
  revenue: 'revenue',
  profit: 'profit',
};

function figuresProblems(figures: FiguresShown): SessionProblems {
  const read = v.safeParse(figuresInput, asFigures(figures));
  const found: SessionProblems = {};
  for (const issue of read.issues ?? []) {
    const field = FIGURE_FIELDS[String(issue.path?.[0]?.key) as keyof FiguresInput];
    if (field) found[`figures.${field}`] ??= issue.message;
  }
  return found;
}

/**
 * Everything that keeps a session from being saved; empty if nothing does.
 * @param now in ms since 1970
 */
export function sessionProblems(form: SessionForm, timeZone: string, now: number): SessionProblems {
  const found = planProblems(form);
  if (!found.day && Date.parse(instantOf(form.day, form.time || '00:00', timeZone)) > now) {
    found.day = 'You can close a session once it has started.';
  }
  const isHeld = form.outcome === 'completed';
  if (isHeld && form.summary.trim() === '') {
    found.summary = 'Write a line or two. The owner reads it.';
  }
  const tooLong = textProblem(form.summary, SESSION_LENGTHS.summary);
  if (tooLong) found.summary = tooLong;
  const longNote = textProblem(form.note, SESSION_LENGTHS.note);
  if (longNote) found.note = longNote;
  form.actions.forEach(({ body }, index) => {
    const long = textProblem(body, SESSION_LENGTHS.action);
    if (long) found[`actions.${index}.body`] = long;
  });
  if (isHeld && form.figures && !isBlank(form.figures)) {
    Object.assign(found, figuresProblems(form.figures));
  }
  if (form.next) Object.assign(found, nextProblems(form.next, timeZone, now, 'next.'));
  return found;
}

function figuresOf(figures: SessionForm['figures']) {
  if (!figures || isBlank(figures)) return null;
  const { taken_on: _, ...rest } = snapshotOf(figures.id, asFigures(figures));
  return rest;
}

/** The form as it's stored. What doesn't go with its outcome is left out. */
export function closedSessionOf(form: SessionForm, timeZone: string) {
  const isHeld = form.outcome === 'completed';
  const { next } = form;
  return {
    starts_at: instantOf(form.day, form.time, timeZone),
    time_zone: timeZone,
    minutes: form.minutes,
    kind: form.kind,
    outcome: form.outcome,
    topics: isHeld ? form.topics : [],
    summary: form.summary.trim(),
    note: form.note.trim(),
    actions: form.actions
      .filter(({ body }) => body.trim() !== '')
      .map(({ id, body, doer, due_on }) => ({
        id,
        body: body.trim(),
        doer,
        due_on: due_on || null,
        area_key: form.topics.length === 1 ? (form.topics[0] ?? null) : null,
        tool_slug: null,
        focus_area_id: null,
      })),
    figures: isHeld ? figuresOf(form.figures) : null,
    next: next && {
      id: next.id,
      starts_at: instantOf(next.day, next.time, timeZone),
      minutes: next.minutes,
      kind: next.kind,
      place: next.place.trim(),
    },
  };
}
