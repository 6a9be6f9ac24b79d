import * as fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '#domain/attempt.ts';
import {
  clearVisitorAnswers,
  keepVisitorAnswers,
  newerAnswers,
  onVisitorAnswers,
  readVisitorAnswers,
} from '#lib/browser/visitor-answers.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';

const answer = (question_key: string, value: number | null, minute = 0): Answer => ({
  question_key,
  value,
  applies: value !== null,
  answered_at: new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString(),
});
const keep = (...answers: Answer[]) =>
  keepVisitorAnswers({ version_id: 'v1', kind: 'first_look', answers, confidences: [] });

let browser: ReturnType<typeof stubBrowser>;
beforeEach(() => {
  browser = stubBrowser();
});

describe('A visitor without an account', () => {
  test('Comes back to the answers, the changed ones as they were changed', () => {
    keep(answer('q1', 1), answer('q2', null));
    expect(keep(answer('q1', 4, 1))).toBe(true);
    expect(readVisitorAnswers()).toMatchObject({
      version_id: 'v1',
      kind: 'first_look',
      answers: [answer('q1', 4, 1), answer('q2', null)],
    });
  });

  test('Goes from the first look on to the full quiz and keeps every answer', () => {
    keep(answer('q1', 1));
    keepVisitorAnswers({
      version_id: 'v1',
      kind: 'full',
      answers: [answer('q2', 2)],
      confidences: [{ area_key: 'sales', rating: 3 }],
    });
    keep(answer('q3', 3));
    expect(readVisitorAnswers()).toMatchObject({
      kind: 'full',
      answers: [answer('q1', 1), answer('q2', 2), answer('q3', 3)],
      confidences: [{ area_key: 'sales', rating: 3 }],
    });
  });

  test('Starts anew with another version, because answers belong to their questions', () => {
    keep(answer('q1', 1));
    const answers = [answer('q1', 2)];
    keepVisitorAnswers({ version_id: 'v2', kind: 'full', answers, confidences: [] });
    expect(readVisitorAnswers()).toMatchObject({ version_id: 'v2', answers });
  });

  test('Finds nothing after the answers became an attempt', () => {
    keep(answer('q1', 1));
    clearVisitorAnswers();
    expect(readVisitorAnswers()).toBeNull();
  });

  test('Is told when the browser has no room or refuses', () => {
    browser.storage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    expect(keep(answer('q1', 1))).toBe(false);
    const refuse = () => {
      throw new DOMException('Denied', 'SecurityError');
    };
    vi.stubGlobal('localStorage', new Proxy({}, { get: refuse }));
    expect(keep(answer('q1', 1))).toBe(false);
    expect(readVisitorAnswers()).toBeNull();
    expect(clearVisitorAnswers).not.toThrow();
  });

  test('Hears of an answer given in another tab, and of nothing else', () => {
    const changed = vi.fn();
    const stop = onVisitorAnswers(changed);
    keep(answer('q1', 1));
    const keys = ['theme', ...browser.kept.keys(), null];
    for (const key of keys) browser.fire('storage', { key });
    expect(changed).toHaveBeenCalledTimes(2);
    stop();
    for (const key of keys) browser.fire('storage', { key });
    expect(changed).toHaveBeenCalledTimes(2);
  });
});

describe('What stands in the storage', () => {
  test('Whatever somebody wrote there, only answers that fit come out', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        browser.kept.set('trellis-visitor-answers', text);
        const kept = readVisitorAnswers();
        if (kept !== null) expect(kept.answers.length + kept.confidences.length).toBeGreaterThan(0);
      }),
    );
  });

  test.each([
    { ...answer('q1', 5) },
    { ...answer('q1', 1.5) },
    { ...answer('q1', null), applies: true },
    { ...answer('q1', 2), applies: false },
    { ...answer('q1', 2), answered_at: 'yesterday' },
    { value: 2, applies: true },
  ])('An answer that cannot be is left out: %j', (broken) => {
    const record = { version_id: 'v1', kind: 'full', updated_at: '', confidences: [] };
    browser.kept.set(
      'trellis-visitor-answers',
      JSON.stringify({ ...record, answers: [broken, answer('q2', 2)] }),
    );
    expect(readVisitorAnswers()?.answers).toEqual([answer('q2', 2)]);
  });
});

describe('Two tabs or two devices', () => {
  test('The newer answer to a question stands, in whatever order they come together', () => {
    const some = fc.array(
      fc.tuple(fc.constantFrom('q1', 'q2', 'q3'), fc.nat({ max: 4 }), fc.nat({ max: 59 })),
    );
    fc.assert(
      fc.property(some, some, (one, two) => {
        const [here, there] = [one, two].map((rows) =>
          rows.map(([key, value, minute]) => answer(key, value, minute)),
        ) as [Answer[], Answer[]];
        const merged = newerAnswers(here, there);
        const all = [...here, ...there];
        expect(merged.length).toBe(new Set(all.map((each) => each.question_key)).size);
        for (const each of merged) {
          const times = all
            .filter(({ question_key }) => question_key === each.question_key)
            .map(({ answered_at }) => answered_at);
          expect(each.answered_at).toBe(times.toSorted().at(-1));
        }
      }),
    );
  });
});

describe('On the server', () => {
  test('There are no answers, and nothing breaks', () => {
    vi.unstubAllGlobals();
    expect(readVisitorAnswers()).toBeNull();
    expect(keep(answer('q1', 1))).toBe(false);
  });
});
