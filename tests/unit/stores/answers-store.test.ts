import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keepVisitorAnswers, readVisitorAnswers } from '#lib/visitor-answers.ts';
import { createAnswersStore } from '#stores/answers.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

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

function browserStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

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
  const storage = browserStorage();
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('window', { localStorage: storage });
});

describe('Answers from before somebody had an account', () => {
  test('Nothing is asked where nothing was answered', async () => {
    const { store } = backend(() => adopted);
    await store.look(null);
    expect(store.$answers.get()).toEqual({ state: 'none' });
  });

  test('They become the person’s and leave the browser', async () => {
    keepVisitorAnswers(answers);
    const { store, rpc, open } = backend(() => adopted);
    await store.look(null);
    expect(store.$answers.get().state).toBe('asking');
    await store.use();
    expect(rpc.mock.calls[0]).toMatchObject([
      'adopt_answers',
      { p_id: 'attempt-1', p_business_id: 'bakery', p_kind: 'first_look', p_version_id: VERSION },
    ]);
    // The result of the first look, from which the full quiz goes on.
    expect(open).toHaveBeenCalledWith('look-1');
    expect(readVisitorAnswers()).toBeNull();
  });

  test('Who answered questions of the full quiz goes on there', async () => {
    keepVisitorAnswers({ ...answers, kind: 'full' });
    const { store, open } = backend(() => ({
      data: { attempt_id: 'full-1', first_look_id: null },
      error: null,
    }));
    await store.look(null);
    await store.use();
    expect(open).toHaveBeenCalledWith('full-1');
  });

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

  test('On a shared computer they are deleted when they are somebody else’s', async () => {
    keepVisitorAnswers(answers);
    const { store } = backend(() => adopted);
    await store.look(null);
    await store.refuse();
    expect([store.$answers.get().state, readVisitorAnswers()]).toEqual(['none', null]);
  });

  test('Not now keeps them for the next page', async () => {
    keepVisitorAnswers(answers);
    const { store } = backend(() => adopted);
    await store.look(null);
    store.later();
    expect(store.$answers.get().state).toBe('none');
    expect(readVisitorAnswers()).not.toBeNull();
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

  test('A claim that holds nothing for this person asks nothing', async () => {
    const { store, open } = backend(() => ({ data: null, error: null }));
    await store.look('somebody-elses');
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
