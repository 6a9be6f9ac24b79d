import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Db } from '#lib/supabase.ts';
import { keepVisitorAnswers, readVisitorAnswers } from '#lib/visitor-answers.ts';
import { createAnswersStore } from '#stores/answers.ts';

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
    { db: async () => ({ rpc }) as unknown as Db, businessId: () => 'bakery', open },
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
  test('Nothing is asked where nothing was answered', () => {
    const { store } = backend(() => adopted);
    store.look();
    expect(store.$answers.get()).toEqual({ state: 'none' });
  });

  test('They become the person’s and leave the browser', async () => {
    keepVisitorAnswers(answers);
    const { store, rpc, open } = backend(() => adopted);
    store.look();
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
    store.look();
    await store.use();
    expect(open).toHaveBeenCalledWith('full-1');
  });

  test('A lost connection loses no answer, and the second try is the same attempt', async () => {
    keepVisitorAnswers(answers);
    const results = [lost, adopted];
    const { store, rpc, open } = backend(() => results.shift());
    store.look();
    await store.use();
    expect(store.$answers.get()).toMatchObject({ state: 'asking', failure: { kind: 'network' } });
    expect(readVisitorAnswers()?.answers).toHaveLength(1);
    await store.use();
    expect(open).toHaveBeenCalledWith('look-1');
    expect(rpc.mock.calls.map(([, args]) => args.p_id)).toEqual(['attempt-1', 'attempt-1']);
  });

  test('On a shared computer they are deleted when they are somebody else’s', () => {
    keepVisitorAnswers(answers);
    const { store } = backend(() => adopted);
    store.look();
    store.refuse();
    expect([store.$answers.get().state, readVisitorAnswers()]).toEqual(['none', null]);
  });

  test('Not now keeps them for the next page', () => {
    keepVisitorAnswers(answers);
    const { store } = backend(() => adopted);
    store.look();
    store.later();
    expect(store.$answers.get().state).toBe('none');
    expect(readVisitorAnswers()).not.toBeNull();
  });

  test('On another device the link brings them along', async () => {
    const { store, rpc, open } = backend(() => adopted);
    await store.take('a-secret-claim');
    expect(rpc.mock.calls[0]).toMatchObject(['take_claim', { p_claim: 'a-secret-claim' }]);
    expect(open).toHaveBeenCalledWith('look-1');
  });

  test('A link that holds nothing any more leaves the question about this browser', async () => {
    keepVisitorAnswers(answers);
    const { store, open } = backend(() => ({ data: null, error: null }));
    await store.take('used-before');
    expect(open).not.toHaveBeenCalled();
    expect(store.$answers.get().state).toBe('asking');
  });
});
