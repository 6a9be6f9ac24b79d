import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FocusArea, NextProject, OpenAttempt, Standing } from '#data/skills.ts';
import { nextStep, type Situation, staffStep } from '#features/home/next-step.ts';
import { addDays } from '#lib/dates.ts';

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
  tools: [],
  projects: { open: 0, items: [] },
  today: TODAY,
  now: NOW,
  ...change,
});

describe('What a person does next', () => {
  test('Someone new starts the quiz, and reads how long it takes', () => {
    const next = nextStep(situation({}));
    expect(next.action).toEqual({ label: 'Start the quiz', href: '/dashboard/skills/quiz' });
    expect(next.reason).toContain('about 15 minutes');
  });

  test('Someone in the middle goes on, and reads how much is left', () => {
    const next = nextStep(situation({ open_attempt: open(20) }));
    expect(next.action.href).toBe(`/dashboard/skills/quiz/${OPEN}`);
    expect(next.reason).toBe('20 of 32 questions are answered; the rest takes about 6 minutes.');
  });

  test('Someone who has answered everything finishes', () => {
    expect(nextStep(situation({ open_attempt: open(32) })).action.label).toBe('Finish');
  });

  test('An attempt that was opened and not begun is not an attempt to go on with', () => {
    const next = nextStep(situation({ open_attempt: open(0), latest: standing() }));
    expect(next.title).toBe('Work on sales and marketing');
  });

  test('Someone with results chooses the first recommendation, and reads why', () => {
    const next = nextStep(situation({ latest: standing() }));
    expect(next.reason).toBe('Your weakest practice there: A reasoned price. Use the worksheet.');
    expect(next.action.href).toBe('/dashboard/skills#focus');
  });

  test('After a first look comes the full quiz', () => {
    const next = nextStep(situation({ latest: standing({ kind: 'first_look' }) }));
    expect(next.title).toBe('Take the full quiz');
  });

  test('After 90 days comes the quiz again, but first what is due', () => {
    const latest = standing({ retake: '2026-11-19T12:00:00Z' });
    expect(nextStep(situation({ latest })).title).toBe('Take the quiz again');
    expect(nextStep(situation({ latest, focus: [focus('2026-11-25')] })).reason).toBe(
      'Due in 5 days: Write it down',
    );
    expect(nextStep(situation({ latest, focus: [focus('2026-12-19')] })).title).toBe(
      'Take the quiz again',
    );
  });

  test('What is overdue is said to be, and the earliest comes first', () => {
    const next = nextStep(
      situation({ latest: standing(), focus: [focus('2026-11-22'), focus('2026-11-17')] }),
    );
    expect(next.reason).toBe('Due 3 days ago: Write it down');
  });

  test('An area without an open action asks for one before a new area is proposed', () => {
    const next = nextStep(situation({ latest: standing(), focus: [focus(null)] }));
    expect(next.title).toBe('Choose what comes next in operations');
  });

  test('An area that was ended is nobody’s next thing', () => {
    const ended = { ...focus('2026-11-17'), state: 'ended' as const, ended_at: NOW };
    expect(nextStep(situation({ latest: standing(), focus: [ended] })).title).toBe(
      'Work on sales and marketing',
    );
  });

  test('Too few answers for a recommendation still lead to the results', () => {
    const next = nextStep(situation({ latest: standing({ none: true }) }));
    expect(next.action).toEqual({
      label: 'See the results',
      href: `/dashboard/skills/quiz/${DONE}`,
    });
  });

  test('Staff without anything of their own are led to their work, an owner is not', () => {
    expect(staffStep('coach')?.action.href).toBe('/dashboard/coaching');
    expect(staffStep('admin')?.action.href).toBe('/admin');
    expect(staffStep('owner')).toBeNull();
  });
});

describe('Whatever there is', () => {
  const day = fc.integer({ min: -40, max: 60 }).map((days) => addDays(TODAY, days));
  const aProject: fc.Arbitrary<NextProject> = fc.record({
    id: fc.constant(OPEN),
    title: fc.constant('Fit the kitchen'),
    status: fc.constantFrom('draft', 'in_progress', 'blocked'),
    due_on: fc.option(day),
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
    tools: fc.constant([]),
    projects: fc.array(aProject, { maxLength: 4 }).map((items) => ({ open: items.length, items })),
    today: fc.constant(TODAY),
    now: fc.constant(NOW),
  });

  test('there is one thing with its reason, and it leads to a page of this site', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const next = nextStep(given);
        expect(next.title).toMatch(/^\S/);
        expect(next.reason).toMatch(/[.?]$|Write it down$/);
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
