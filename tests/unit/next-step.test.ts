import { describe, expect, test } from 'vitest';
import type { Skills } from '#data/attempts.ts';
import { nextStep } from '#features/home/next-step.ts';

const OPEN = '0198f0a0-1111-7222-8333-444455556666';
const DONE = '0198f0a0-1111-7222-8333-777788889999';
const TODAY = '2026-11-20T12:00:00Z';

const open = (answered: number) => ({ id: OPEN, answered, asked: 32, started_at: TODAY });

const results = (change: Partial<{ kind: string; retake_after: string; none: boolean }> = {}) =>
  ({
    attempt: {
      id: DONE,
      kind: change.kind ?? 'full',
      retake_after: change.retake_after ?? '2027-01-01T00:00:00Z',
    },
    version: {
      areas: [{ key: 'sales-marketing', name: 'Sales and marketing' }],
      questions: [
        {
          key: 'sales-marketing.price',
          practice: 'A reasoned price',
          action: 'Use the worksheet.',
        },
      ],
    },
    recommendations: change.none
      ? []
      : [
          {
            position: 1,
            area_key: 'sales-marketing',
            reason_question_key: 'sales-marketing.price',
          },
        ],
  }) as unknown as Skills['latest'];

const skills = (change: Partial<Skills>): Skills => ({
  open_attempt: null,
  attempts: [],
  latest: null,
  ...change,
});

describe('What a person does next', () => {
  test('Someone new starts the quiz, and reads how long it takes', () => {
    const next = nextStep(skills({}), TODAY);
    expect(next.action).toEqual({ label: 'Start the quiz', href: '/dashboard/skills/quiz' });
    expect(next.reason).toContain('about 15 minutes');
  });

  test('Someone in the middle goes on, and reads how much is left', () => {
    const next = nextStep(skills({ open_attempt: open(20) }), TODAY);
    expect(next.action.href).toBe(`/dashboard/skills/quiz/${OPEN}`);
    expect(next.reason).toBe('20 of 32 questions are answered; the rest takes about 6 minutes.');
  });

  test('Someone who has answered everything finishes', () => {
    expect(nextStep(skills({ open_attempt: open(32) }), TODAY).action.label).toBe('Finish');
  });

  test('An attempt that was opened and not begun is not an attempt to go on with', () => {
    const next = nextStep(skills({ open_attempt: open(0), latest: results() }), TODAY);
    expect(next.title).toBe('Work on sales and marketing');
  });

  test('Someone with results works on the first recommendation, and reads why', () => {
    const next = nextStep(skills({ latest: results() }), TODAY);
    expect(next.reason).toBe('Your weakest practice there: A reasoned price. Use the worksheet.');
    expect(next.action.href).toBe(`/dashboard/skills/quiz/${DONE}`);
  });

  test('After a first look comes the full quiz', () => {
    const next = nextStep(skills({ latest: results({ kind: 'first_look' }) }), TODAY);
    expect(next.title).toBe('Take the full quiz');
  });

  test('After 90 days comes the quiz again', () => {
    const latest = results({ retake_after: '2026-11-19T12:00:00Z' });
    expect(nextStep(skills({ latest }), TODAY).title).toBe('Take the quiz again');
  });

  test('Too few answers for a recommendation still lead to the results', () => {
    const next = nextStep(skills({ latest: results({ none: true }) }), TODAY);
    expect(next.action).toEqual({
      label: 'See the results',
      href: `/dashboard/skills/quiz/${DONE}`,
    });
  });
});
