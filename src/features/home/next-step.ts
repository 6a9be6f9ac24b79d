/** Picks the one thing the dashboard suggests to do next, and says why. */

import type { Dashboard, NextProject } from '#data/dashboard.ts';
import { openActionOf, openAreas } from '#domain/focus.ts';
import type { Role } from '#domain/person.ts';
import { questionsTake } from '#domain/quiz-time.ts';
import { dayOf, daysBetween, dueDayText, startText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { isWorkDone, keyOf } from './agenda.ts';

export interface NextStep {
  title: string;
  reason: string;
  action: { label: string; href: string };
  /** When it is, or by when: "today at 2:00 PM", "due Friday, in 3 days". */
  when?: string;
  /** How far it is. */
  progress?: { done: number; of: number };
  /** The agenda's item that it's about. */
  about?: string;
}

const step = (title: string, reason: string, label: string, href: string): NextStep => ({
  title,
  reason,
  action: { label, href },
});

const QUESTIONS = 32;
/** Something counts as due soon from this many days before its date. */
const SOON_DAYS = 7;

const QUIZ = () => hrefFor('/dashboard/skills/quiz');
const FOCUS = () => `${hrefFor('/dashboard/skills')}#focus`;

/** The data the rules look at. */
export interface Situation
  extends Pick<
    Dashboard,
    'open_attempt' | 'latest' | 'focus' | 'coaching' | 'session' | 'projects'
  > {
  timeZone: string;
  /** Today in the user's time zone, such as `2026-11-21`. */
  today: string;
  /** The current time, in ISO 8601. */
  now: string;
}

/**
 * Picks the next step for the current business: the first rule that returns one wins. Started work
 * comes before new work, and due work before the rest.
 */
export function nextStep(situation: Situation): NextStep {
  for (const rule of RULES) {
    const step = rule(situation);
    if (step) return step;
  }
  return lookAtResults(situation);
}

/** The next step for staff, who have no data of their own here. */
export function staffStep(role: Role): NextStep | null {
  if (role === 'coach') {
    const reason = 'Who you’re coaching, and what they share with you.';
    return step('See your clients', reason, 'Your clients', hrefFor('/dashboard/coaching'));
  }
  if (role === 'admin') {
    const reason = 'Live counts of people, businesses, quiz attempts and requests.';
    return step('See the overview', reason, 'Overview', hrefFor('/admin'));
  }
  return null;
}

const RULES: ((situation: Situation) => NextStep | null)[] = [
  sessionSoon,
  openQuiz,
  firstQuiz,
  dueAction,
  dueProject,
  retake,
  nextAction,
  laterAction,
  project,
  recommendation,
];

/** A session that's today or tomorrow, because it's the one thing that doesn't wait. */
function sessionSoon({ session, coaching, timeZone, now }: Situation): NextStep | null {
  if (!session) return null;
  const { id, starts_at, minutes } = session;
  if (daysBetween(dayOf(now, timeZone), dayOf(starts_at, timeZone)) > 1) return null;
  const title = `Your session with ${coaching?.coach_name ?? 'your coach'}`;
  const reason = `It takes ${minutes} minutes. Have what you want to talk about at hand, and what you did since the last one.`;
  return {
    ...step(title, reason, 'See the session', hrefFor('/dashboard/coaching')),
    when: startText(starts_at, timeZone, now),
    about: keyOf('session', id),
  };
}

function openQuiz({ open_attempt: open }: Situation): NextStep | null {
  if (!open || open.answered === 0) return null;
  const href = hrefFor('/dashboard/skills/quiz/[id]', { id: open.id });
  if (open.answered >= open.asked) {
    const reason = 'You’ve answered every question. Finish the quiz to see how you score.';
    return step('See your results', reason, 'Finish', href);
  }
  const progress = { done: open.answered, of: open.asked };
  const rest = questionsTake(open.asked - open.answered);
  const reason = `You’ve answered ${open.answered} of ${open.asked} questions. The rest takes ${rest}.`;
  return { ...step('Continue your skills quiz', reason, 'Continue the quiz', href), progress };
}

function firstQuiz({ latest }: Situation): NextStep | null {
  if (!latest) {
    const reason = `${QUESTIONS} questions about eight skills, ${questionsTake(QUESTIONS)}. You can stop anytime and continue later.`;
    return step('Find out where your business stands', reason, 'Start the quiz', QUIZ());
  }
  if (latest.attempt.kind === 'full') return null;
  const reason =
    'The first look asked one question per skill. The full quiz asks four, and keeps your answers.';
  return step('Take the full quiz', reason, 'Start the quiz', QUIZ());
}

/** The open action that's due first, with the name of its area and when it's due. */
function firstDue({ focus, today }: Situation) {
  const [first] = openAreas(focus)
    .flatMap((area) => {
      const action = openActionOf(area);
      return action ? [{ name: area.area_name.toLowerCase(), action }] : [];
    })
    .toSorted((a, b) => a.action.due_on.localeCompare(b.action.due_on));
  if (!first) return null;
  const { id, due_on, body } = first.action;
  return { ...first, body, when: `due ${dueDayText(due_on, today)}`, about: keyOf('action', id) };
}

function dueAction(situation: Situation): NextStep | null {
  const first = firstDue(situation);
  if (!first || daysBetween(situation.today, first.action.due_on) > SOON_DAYS) return null;
  return actionStep(first);
}

/** An action in its own words, with the skill that it's for. */
function actionStep({ name, body, when, about }: NonNullable<ReturnType<typeof firstDue>>) {
  return {
    ...step(body, `It’s what you chose to do in ${name}.`, 'Open the action', FOCUS()),
    when,
    about,
  };
}

/** A project's next due date: its next task's, or else its own. */
const dueDate = ({ due_on, next_task }: NextProject) => next_task?.due_on ?? due_on;

function stepOf(each: NextProject, today: string): NextStep {
  const href = hrefFor('/dashboard/projects/[id]', { id: each.id });
  if (isWorkDone(each)) {
    const reason = 'All of its tasks are done. Mark it as done, or add the tasks that are left.';
    return step(`Finish “${each.title}”`, reason, 'Open the project', href);
  }
  const due = dueDate(each);
  const state = each.status === 'blocked' ? 'The project is blocked.' : 'The project is underway.';
  return {
    ...step(
      each.next_task?.title ?? `Continue with “${each.title}”`,
      each.next_task ? `The next task in “${each.title}”.` : state,
      'Open the project',
      href,
    ),
    ...(due && { when: `due ${dueDayText(due, today)}`, about: keyOf('project', each.id) }),
  };
}

function dueProject({ projects, today }: Situation): NextStep | null {
  const [due] = projects.items
    .flatMap((each) => {
      const on = isWorkDone(each) ? null : dueDate(each);
      return on !== null && daysBetween(today, on) <= SOON_DAYS ? [{ each, on }] : [];
    })
    .toSorted((a, b) => a.on.localeCompare(b.on));
  return due ? stepOf(due.each, today) : null;
}

function retake({ latest, now }: Situation): NextStep | null {
  if (!latest || Date.parse(latest.attempt.retake_after) > Date.parse(now)) return null;
  const reason = 'Your last one is more than 90 days old. See what’s changed since.';
  return step('Take the quiz again', reason, 'Start the quiz', QUIZ());
}

function nextAction({ focus }: Situation): NextStep | null {
  const area = openAreas(focus).find((each) => !openActionOf(each));
  if (!area) return null;
  const title = `Choose what’s next in ${area.area_name.toLowerCase()}`;
  const reason = 'You’ve finished your last action there, and you’re still working on this area.';
  return step(title, reason, 'Choose an action', FOCUS());
}

function laterAction(situation: Situation): NextStep | null {
  const first = firstDue(situation);
  return first && actionStep(first);
}

function project({ projects, today }: Situation): NextStep | null {
  const [first] = projects.items;
  return first ? stepOf(first, today) : null;
}

function recommendation({ latest }: Situation): NextStep | null {
  const area = latest?.areas.find(({ recommended }) => recommended === 1);
  if (!area) return null;
  const reason = area.practice
    ? `Your weakest practice there: ${area.practice.name}. ${area.practice.action}`
    : 'It’s where an hour of work makes the most difference.';
  return step(`Work on ${area.label.toLowerCase()}`, reason, 'Choose this area', FOCUS());
}

function lookAtResults({ latest }: Situation): NextStep {
  const reason =
    'You answered too few questions for us to recommend an area. We’ve kept your answers.';
  const href = latest
    ? hrefFor('/dashboard/skills/quiz/[id]', { id: latest.attempt.id })
    : hrefFor('/dashboard/skills');
  return step('Look at your results', reason, 'See the results', href);
}
