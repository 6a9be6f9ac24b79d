import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keepVisitorAnswers, readVisitorAnswers } from '#lib/browser/visitor-answers.ts';
import { createAnswersStore } from '#stores/answers.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';

const VERSION = '0198f0a0-0000-7000-8000-000000000001';
const answers = {
  version_id: VERSION,
  kind: 'first_look' as const,
  answers: [
    {
      question_key: 'web-design.findable',
      value: 3,
      applies: true,
      answered_at: '2026-11-20T10:00:00.000Z',
    },
  ],
  confidences: [],
};

function backend(answer: (name: string, args: Record<string, unknown>) => unknown) {
  const rpc = vi.fn(async (name: string, args: Record<string, unknown>) => answer(name, args));
  const open = vi.fn<(id: string) => void>();
  const store = createAnswersStore(
    { db: async () => dbAnswering({ rpc }), businessId: () => 'bakery', open },
    () => 'attempt-1',
  );
  return { rpc, open, store };
}

const adopted = { data: { attempt_id: 'full-1', first_look_id: 'look-1' }, error: null };
const lost = { data: null, error: { message: 'TypeError: Failed to fetch', code: '' } };

beforeEach(() => {
  stubBrowser();
});

describe('Answers from before somebody had an account', () => {
  test.each([null, 'somebody-elses'])(
    'Nothing is asked where there are none, with claim %s',
    async (claim) => {
      const { store, open } = backend(() => ({ data: null, error: null }));
      await store.look(claim);
      expect(store.$answers.get()).toEqual({ state: 'none' });
      expect(open).not.toHaveBeenCalled();
    },
  );

  test.each([
    // Opens the first look's result; the full quiz continues from there.
    ['first_look', 'look-1'],
    ['full', null],
  ] as const)(
    'They become the person’s, leave the browser, and a %s goes on',
    async (kind, first_look_id) => {
      keepVisitorAnswers({ ...answers, kind });
      const { store, rpc, open } = backend(() => ({
        data: { attempt_id: 'full-1', first_look_id },
        error: null,
      }));
      await store.look(null);
      expect(store.$answers.get().state).toBe('asking');
      await store.use();
      expect(rpc.mock.calls[0]).toMatchObject([
        'adopt_answers',
        { p_id: 'attempt-1', p_business_id: 'bakery', p_kind: kind, p_version_id: VERSION },
      ]);
      expect(open).toHaveBeenCalledWith(first_look_id ?? 'full-1');
      expect(readVisitorAnswers()).toBeNull();
    },
  );

  test('A lost connection loses no answer, and the second try is the same attempt', async () => {
    keepVisitorAnswers(answers);
    const results = [lost, adopted];
    const { store, rpc, open } = backend(() => results.shift());
    await store.look(null);
    await store.use();
    expect(store.$answers.get()).toMatchObject({ state: 'asking', failure: { kind: 'network' } });
    expect(readVisitorAnswers()?.answers).toHaveLength(1);
    await store.use();
    expect(open).toHaveBeenCalledWith('look-1');
    expect(rpc.mock.calls.map(([, args]) => args.p_id)).toEqual(['attempt-1', 'attempt-1']);
  });

  test.each([
    ['refuse', null],
    ['later', { answers: [{ value: 3 }] }],
  ] as const)('Asked about answers of a shared computer, a person can %s', async (choice, left) => {
    keepVisitorAnswers(answers);
    const { store } = backend(() => adopted);
    await store.look(null);
    await store[choice]();
    expect(store.$answers.get().state).toBe('none');
    if (left) expect(readVisitorAnswers()).toMatchObject(left);
    else expect(readVisitorAnswers()).toBeNull();
  });

  const claimed = (name: string) =>
    ({
      get_claim: { data: { answers: 8, stored_at: '2026-11-20T10:00:00Z' }, error: null },
      take_claim: adopted,
      remove_claim: { data: null, error: null },
      adopt_answers: adopted,
    })[name];

  test('On another device the person is asked first, and nothing is taken until then', async () => {
    const { store, rpc, open } = backend(claimed);
    await store.look('a-secret-claim');
    expect(store.$answers.get()).toMatchObject({ state: 'asking', from: 'registration', count: 8 });
    expect(rpc.mock.calls.map(([name]) => name)).toEqual(['get_claim']);
    await store.use();
    expect(rpc.mock.calls[1]).toMatchObject(['take_claim', { p_claim: 'a-secret-claim' }]);
    expect(open).toHaveBeenCalledWith('look-1');
  });

  test('Who refuses what a registration left has it deleted, and nothing is taken', async () => {
    const { store, rpc, open } = backend(claimed);
    await store.look('a-secret-claim');
    await store.refuse();
    expect(rpc.mock.calls.map(([name]) => name)).toEqual(['get_claim', 'remove_claim']);
    expect(store.$answers.get().state).toBe('none');
    expect(open).not.toHaveBeenCalled();
  });

  test('In the browser that registered there is one question, and the copy goes too', async () => {
    keepVisitorAnswers(answers);
    const { store, rpc } = backend(claimed);
    await store.look('a-secret-claim');
    expect(store.$answers.get()).toMatchObject({ from: 'browser', count: 1 });
    await store.use();
    expect(rpc.mock.calls.map(([name]) => name)).toEqual(['adopt_answers', 'remove_claim']);
  });

  test('Who refuses the answers of a shared computer is still asked about their own', async () => {
    keepVisitorAnswers(answers);
    const { store } = backend(claimed);
    await store.look('a-secret-claim');
    await store.refuse();
    expect(readVisitorAnswers()).toBeNull();
    expect(store.$answers.get()).toMatchObject({ state: 'asking', from: 'registration' });
  });
});
