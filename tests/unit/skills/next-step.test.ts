import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NextProject } from '#data/dashboard.ts';
import type { FocusArea, OpenAttempt, Standing } from '#data/skills.ts';
import { agendaOf } from '#features/home/agenda.ts';
import { type NextStep, nextStep, type Situation, staffStep } from '#features/home/next-step.ts';
import { addDays } from '#lib/locale/dates.ts';

const OPEN = '0198f0a0-1111-7222-8333-444455556666';
const DONE = '0198f0a0-1111-7222-8333-777788889999';
const TODAY = '2026-11-20';
const NOW = '2026-11-20T12:00:00Z';

const open = (answered: number): OpenAttempt => ({
  id: OPEN,
  answered,
  asked: 32,
  started_at: NOW,
});

const standing = (
  change: Partial<{ kind: 'full' | 'first_look'; retake: string; none: boolean }> = {},
): Standing => ({
  attempt: {
    id: DONE,
    kind: change.kind ?? 'full',
    submitted_at: '2026-10-03T00:00:00Z',
    retake_after: change.retake ?? '2027-01-01T00:00:00Z',
    overall_score: 50,
  },
  areas: [
    {
      key: 'sales-marketing',
      label: 'Sales and marketing',
      short_label: 'Sales',
      score: 20,
      level: 'starting',
      left_out: false,
      tool: null,
      recommended: change.none ? null : 1,
      practice: {
        question_key: 'sales-marketing.price',
        name: 'A reasoned price',
        action: 'Use the worksheet.',
      },
    },
  ],
});

const focus = (dueOn: string | null): FocusArea => ({
  id: OPEN,
  area_key: 'operations-workflows',
  area_name: 'Operations',
  attempt_id: DONE,
  state: 'open',
  chosen_at: NOW,
  ended_at: null,
  actions:
    dueOn === null
      ? []
      : [
          {
            id: DONE,
            question_key: null,
            body: 'Write it down',
            due_on: dueOn,
            remind: true,
            state: 'open',
            created_at: NOW,
            settled_at: null,
          },
        ],
});

const situation = (change: Partial<Situation>): Situation => ({
  open_attempt: null,
  latest: null,
  focus: [],
  coaching: null,
  session: null,
  projects: { open: 0, items: [] },
  timeZone: 'America/Denver',
  today: TODAY,
  now: NOW,
  ...change,
});

const coaching = {
  id: OPEN,
  state: 'active',
  results_shared: true,
  coach_name: 'Ruth Abara',
} as const;
const meeting = (at: string): Situation['session'] => ({
  id: DONE,
  starts_at: at,
  minutes: 60,
  kind: 'phone',
  place: null,
});

const ended = { ...focus('2026-11-17'), state: 'ended' as const, ended_at: NOW };
const old = standing({ retake: '2026-11-19T12:00:00Z' });
const attempt = (id: string) => `/dashboard/skills/quiz/${id}`;

const PROJECT = `/dashboard/projects/${OPEN}`;
const allDone: NextProject = {
  id: OPEN,
  title: 'Fit the kitchen',
  status: 'in_progress',
  due_on: '2026-11-17',
  task_count: 3,
  done_count: 3,
  next_task: null,
};
const underway: NextProject = {
  ...allDone,
  id: DONE,
  done_count: 2,
  next_task: { id: DONE, title: 'Measure the ovens', due_on: '2026-11-22' },
};

test.each<[string, Partial<Situation>, Partial<NextStep>]>([
  [
    'has nothing yet',
    {},
    {
      reason:
        '32 questions about eight skills, about 15 minutes. You can stop anytime and continue later.',
      action: { label: 'Start the quiz', href: '/dashboard/skills/quiz' },
    },
  ],
  [
    'is in the middle of the quiz',
    { open_attempt: open(20) },
    {
      reason: 'You’ve answered 20 of 32 questions. The rest takes about 6 minutes.',
      action: { label: 'Continue the quiz', href: attempt(OPEN) },
    },
  ],
  [
    'has answered everything',
    { open_attempt: open(32) },
    { action: { label: 'Finish', href: attempt(OPEN) } },
  ],
  [
    'opened a quiz and has not answered',
    { open_attempt: open(0), latest: standing() },
    {
      title: 'Work on sales and marketing',
      reason: 'Your weakest practice there: A reasoned price. Use the worksheet.',
      action: { label: 'Choose this area', href: '/dashboard/skills#focus' },
    },
  ],
  [
    'has a first look',
    { latest: standing({ kind: 'first_look' }) },
    { title: 'Take the full quiz' },
  ],
  [
    'meets their coach tomorrow',
    { open_attempt: open(20), session: meeting('2026-11-21T21:00:00Z'), coaching },
    {
      title: 'Your session with Ruth Abara',
      when: 'tomorrow at 2:00 PM',
      action: { label: 'See the session', href: '/dashboard/coaching' },
    },
  ],
  [
    'meets their coach in two days',
    { open_attempt: open(20), session: meeting('2026-11-22T21:00:00Z'), coaching },
    { title: 'Continue your skills quiz', progress: { done: 20, of: 32 } },
  ],
  ['has results of more than 90 days ago', { latest: old }, { title: 'Take the quiz again' }],
  [
    'has old results and an action that is due soon',
    { latest: old, focus: [focus('2026-11-25')] },
    { title: 'Write it down', when: 'due Wednesday, in 5 days', about: `action-${DONE}` },
  ],
  [
    'has old results and an action that is due later',
    { latest: old, focus: [focus('2026-12-19')] },
    { title: 'Take the quiz again' },
  ],
  [
    'has two actions that are due',
    { latest: standing(), focus: [focus('2026-11-22'), focus('2026-11-17')] },
    { title: 'Write it down', when: 'due Tuesday, 3 days ago' },
  ],
  [
    'has done all tasks of a project that was due',
    { latest: standing(), projects: { open: 2, items: [allDone, underway] } },
    { title: 'Measure the ovens', when: 'due Sunday, in 2 days' },
  ],
  [
    'has nothing left but a project whose tasks are done',
    { latest: standing(), projects: { open: 1, items: [allDone] } },
    { title: 'Finish “Fit the kitchen”', action: { label: 'Open the project', href: PROJECT } },
  ],
  [
    'has an area without an open action',
    { latest: standing(), focus: [focus(null)] },
    { title: 'Choose what’s next in operations' },
  ],
  [
    'has stopped working on an area',
    { latest: standing(), focus: [ended] },
    { title: 'Work on sales and marketing' },
  ],
  [
    'answered too little for a recommendation',
    { latest: standing({ none: true }) },
    { action: { label: 'See the results', href: attempt(DONE) } },
  ],
])('What comes next for a person who %s', (_, given, expected) => {
  expect(nextStep(situation(given))).toMatchObject(expected);
});

test('A project whose tasks are all done isn’t late, and isn’t coming up', () => {
  const { today, ...rest } = situation({ projects: { open: 2, items: [allDone, underway] } });
  const items = agendaOf({ ...rest, today, agreed: [], events: [] }, undefined);
  expect(items.map(({ title, isLate }) => [title, isLate])).toEqual([['Measure the ovens', false]]);
});

test('What was agreed in coaching comes up on its day, and is late after it', () => {
  const { today, ...rest } = situation({ coaching });
  const agreed = [
    { id: OPEN, body: 'Ask the landlord', due_on: addDays(TODAY, 3) },
    { id: DONE, body: 'Call the bank', due_on: addDays(TODAY, -1) },
  ];
  expect(agendaOf({ ...rest, today, agreed, events: [] }, undefined)).toMatchObject([
    { title: 'Call the bank', detail: 'Agreed with Ruth Abara', isLate: true },
    { title: 'Ask the landlord', isLate: false },
  ]);
});

test.each([
  ['coach', '/dashboard/coaching'],
  ['admin', '/admin'],
  ['owner', undefined],
] as const)('A person with nothing of their own who is %s is led to %s', (role, href) => {
  expect(staffStep(role)?.action.href).toBe(href);
});

describe('Whatever there is', () => {
  const day = fc.integer({ min: -40, max: 60 }).map((days) => addDays(TODAY, days));
  const aProject: fc.Arbitrary<NextProject> = fc.record({
    id: fc.constant(OPEN),
    title: fc.constant('Fit the kitchen'),
    status: fc.constantFrom('draft', 'in_progress', 'blocked'),
    due_on: fc.option(day),
    task_count: fc.nat(9),
    done_count: fc.nat(9),
    next_task: fc.option(
      fc.record({
        id: fc.constant(DONE),
        title: fc.constant('Measure'),
        due_on: fc.option(day),
      }),
    ),
  });
  const anything: fc.Arbitrary<Situation> = fc.record({
    open_attempt: fc.option(fc.nat({ max: 32 }).map(open)),
    latest: fc.option(
      fc
        .record({
          kind: fc.constantFrom('full' as const, 'first_look' as const),
          retake: day.map((each) => `${each}T00:00:00Z`),
          none: fc.boolean(),
        })
        .map(standing),
    ),
    focus: fc.array(fc.option(day).map(focus), { maxLength: 3 }),
    coaching: fc.constant(null),
    session: fc.constant(null),
    projects: fc.array(aProject, { maxLength: 4 }).map((items) => ({ open: items.length, items })),
    timeZone: fc.constant('America/Denver'),
    today: fc.constant(TODAY),
    now: fc.constant(NOW),
  });

  test('there is one thing with its reason, and it leads to a page of this site', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const next = nextStep(given);
        expect(next.title).toMatch(/^\S/);
        expect(next.reason).toMatch(/[.?]$/);
        expect(next.action.href).toMatch(/^\/dashboard/);
      }),
    );
  });

  test('a quiz that was begun comes first, and nothing is proposed before a full one', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const next = nextStep(given);
        const begun = given.open_attempt !== null && given.open_attempt.answered > 0;
        const full = given.latest?.attempt.kind === 'full';
        expect(next.action.href.includes(OPEN) && next.action.href.includes('quiz')).toBe(begun);
        if (!begun && !full) expect(next.action.label).toBe('Start the quiz');
      }),
    );
  });

  test('an action that is due within a week is never passed over for a retake', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const due = given.focus.some(({ actions }) =>
          actions.some(({ due_on }) => due_on <= addDays(TODAY, 7)),
        );
        fc.pre(due);
        expect(nextStep(given).title).not.toBe('Take the quiz again');
      }),
    );
  });
});
