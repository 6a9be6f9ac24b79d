import { describe, expect, test, vi } from 'vitest';
import type { AttemptView } from '#data/attempts.ts';
import { alternatives, areaResults, whyNoOverall } from '#features/skills/results.ts';
import { createResultsStore } from '#features/skills/results-store.ts';
import type { AppError } from '#lib/errors.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const AREAS = ['web', 'sales', 'people', 'finance', 'planning'];

/** Five areas of two questions; the first three are recommended, the last has no score. */
function results(): AttemptView {
  const questions = AREAS.flatMap((area_key, index) =>
    [0, 1].map((each) => ({
      key: `${area_key}.${each}`,
      area_key,
      practice: `Practice ${each}`,
      text: 'How is it done?',
      help: null,
      position: index * 2 + each,
      anchors: ['None', 'Once', 'Sometimes', 'Regular', 'Improved'] as [
        string,
        string,
        string,
        string,
        string,
      ],
      weight: 1,
      action: 'Do it once.',
      first_look: each === 0,
    })),
  );
  return {
    attempt: {
      id: 'attempt',
      kind: 'full',
      state: 'submitted',
      version_id: 'v1',
      business_id: null,
      business_name: null,
      owner_name: 'Maria Delgado',
      mine: true,
      started_at: '2026-11-01T00:00:00Z',
      expires_at: '2027-05-01T00:00:00Z',
      submitted_at: '2026-11-01T01:00:00Z',
      retake_after: '2027-01-30T01:00:00Z',
      voided_at: null,
      void_reason: null,
      overall_score: null,
    },
    version: {
      id: 'v1',
      number: 1,
      title: 'Quiz',
      areas: AREAS.map((key, position) => ({
        key,
        name: key,
        short_name: key,
        position,
        importance: 1,
      })),
      questions,
    },
    answers: questions
      .filter(({ area_key }) => area_key !== 'planning')
      .map(({ key }, index) => ({
        question_key: key,
        value: index === 7 ? 4 : 1,
        applies: true,
        answered_at: '2026-11-01T00:30:00Z',
      })),
    confidences: [],
    scores: AREAS.map((area_key) => ({
      area_key,
      score: area_key === 'planning' ? null : 25,
      level: area_key === 'planning' ? null : ('developing' as const),
      answered: area_key === 'planning' ? 0 : 2,
      applicable: 2,
      asked: 2,
      confidence_note: null,
      weakest_question_key: area_key === 'planning' ? null : `${area_key}.0`,
    })),
    recommendations: ['web', 'sales', 'people'].map((area_key, index) => ({
      position: index + 1,
      area_key,
      priority: 75,
      reason_question_key: `${area_key}.0`,
      chosen_by: 'quiz' as const,
      toolbox_item: null,
    })),
  };
}

/** A backend that swaps in its own copy, or says why not. */
function backend() {
  let kept = results();
  const refusals: unknown[] = [];
  const rpc = vi.fn(async (_name: string, args: { p_position: number; p_area_key: string }) => {
    const error = refusals.shift();
    if (error) return { data: null, error };
    kept = {
      ...kept,
      recommendations: kept.recommendations.map((each) =>
        each.position === args.p_position ? { ...each, area_key: args.p_area_key } : each,
      ),
    };
    return { data: kept, error: null };
  });
  const failures: { error: AppError; again: () => void }[] = [];
  const store = createResultsStore(
    {
      db: async () => dbAnswering({ rpc }),
      failed: (error, again) => failures.push({ error, again }),
    },
    results(),
  );
  const shown = () => store.$view.get().recommendations.map(({ area_key }) => area_key);
  return { store, rpc, refusals, failures, shown };
}

const lost = { message: 'TypeError: Failed to fetch', code: '' };

describe('An owner who swaps a recommended area', () => {
  test('sees it at once, before the database has answered', async () => {
    const { store, shown } = backend();
    const done = store.swapTo(2, 'finance');
    expect(shown()).toEqual(['web', 'finance', 'people']);
    expect(store.$view.get().recommendations[1]).toMatchObject({
      chosen_by: 'owner',
      reason_question_key: 'finance.0',
    });
    expect(store.$swaps.get()).toHaveLength(1);
    await done;
    expect(shown()).toEqual(['web', 'finance', 'people']);
    expect(store.$swaps.get()).toEqual([]);
  });

  test('has the old one back when it could not be kept, and can try again', async () => {
    const { store, shown, refusals, failures } = backend();
    refusals.push(lost);
    await store.swapTo(1, 'finance');
    expect(shown()).toEqual(['web', 'sales', 'people']);
    expect(failures[0]?.error.kind).toBe('network');
    failures[0]?.again();
    await vi.waitFor(() => expect(store.$swaps.get()).toEqual([]));
    expect(shown()).toEqual(['finance', 'sales', 'people']);
  });

  test('keeps a second swap when the first one fails', async () => {
    const { store, shown, refusals } = backend();
    refusals.push(lost);
    await Promise.all([store.swapTo(1, 'finance'), store.swapTo(3, 'finance')]);
    expect(shown()).toEqual(['web', 'sales', 'finance']);
  });

  test('is offered the scored areas that are not recommended yet, and no other', () => {
    expect(alternatives(results()).map(({ area }) => area.key)).toEqual(['finance']);
  });
});

describe('Someone who reads results', () => {
  test('sees the chosen anchor of the weakest practice and the next one up', () => {
    const finance = areaResults(results()).find(({ area }) => area.key === 'finance');
    expect(finance?.weakest).toMatchObject({ chosen: 'Once', next: 'Sometimes' });
  });

  test('at the top of the scale there is no next one', () => {
    const view = results();
    for (const score of view.scores) {
      if (score.area_key === 'finance') score.weakest_question_key = 'finance.1';
    }
    const finance = areaResults(view).find(({ area }) => area.key === 'finance');
    expect(finance?.weakest).toMatchObject({ chosen: 'Improved', next: null });
  });

  test('never sees a blank as a zero', () => {
    const planning = areaResults(results()).find(({ area }) => area.key === 'planning');
    expect(planning?.score.score).toBeNull();
    expect(planning?.answers.map(({ words }) => words)).toEqual(['Not answered', 'Not answered']);
    expect(whyNoOverall(4)).toContain('4 have one');
  });

  test('of a first look sees its one question an area', () => {
    const view = results();
    view.attempt.kind = 'first_look';
    expect(areaResults(view).map(({ answers }) => answers.length)).toEqual([1, 1, 1, 1, 1]);
  });
});
