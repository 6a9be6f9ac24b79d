import { describe, expect, test, vi } from 'vitest';
import { createLatestAnswer } from '#lib/latest-answer.ts';
import type { BrowserDb } from '#lib/supabase.ts';

/** A list whose requests the test resolves or rejects. */
function asking() {
  const shown: string[] = [];
  const signedOut = vi.fn();
  const answer = createLatestAnswer({ db: async () => ({}) as BrowserDb, signedOut });
  const ask = (words: string) => {
    const told = Promise.withResolvers<void>();
    const done = answer.ask(async () => {
      await told.promise;
      return () => void shown.push(words);
    });
    return {
      async arrives() {
        told.resolve();
        await done;
      },
      async fails(error: object) {
        told.reject(error);
        await done;
      },
    };
  };
  return { ...answer, ask, shown, signedOut };
}

const lost = { message: 'TypeError: Failed to fetch', code: '' };
const ended = { message: 'JWT expired', code: 'PGRST303' };

describe('What a list asks for', () => {
  test('Is shown when it arrives', async () => {
    const { ask, shown, $state } = asking();
    expect($state.get()).toEqual({ name: 'ready' });
    const question = ask('oven');
    expect($state.get()).toEqual({ name: 'loading' });
    await question.arrives();
    expect([shown, $state.get()]).toEqual([['oven'], { name: 'ready' }]);
  });

  test('Is not shown, nor its failure, once something else was asked', async () => {
    const { ask, shown, $state } = asking();
    const [first, second, third] = [ask('o'), ask('ov'), ask('ove')];
    await second.fails(lost);
    expect($state.get()).toEqual({ name: 'loading' });
    await third.arrives();
    await first.arrives();
    expect([shown, $state.get()]).toEqual([['ove'], { name: 'ready' }]);
  });

  test('Is not shown once it is not wanted any more', async () => {
    const { ask, drop, shown, $state } = asking();
    const first = ask('o');
    drop('loading');
    await first.arrives();
    expect([shown, $state.get()]).toEqual([[], { name: 'loading' }]);
    drop('ready');
    expect($state.get()).toEqual({ name: 'ready' });
  });

  test('Is asked for once more after a failure, the last of what was asked', async () => {
    const shown: string[] = [];
    const { ask, retry, $state } = createLatestAnswer({
      db: async () => ({}) as BrowserDb,
      signedOut() {},
    });
    let works = false;
    const tried = (words: string) =>
      ask(async () => {
        if (!works) throw lost;
        return () => void shown.push(words);
      });
    await tried('o');
    await tried('ov');
    expect($state.get()).toMatchObject({ name: 'failed', error: { kind: 'network' } });
    works = true;
    await retry();
    expect([shown, $state.get()]).toEqual([['ov'], { name: 'ready' }]);
    await retry();
    expect(shown).toEqual(['ov']);
  });

  test('Lets the person sign in again when their session is over', async () => {
    const { ask, signedOut, $state } = asking();
    await ask('oven').fails(ended);
    expect(signedOut).toHaveBeenCalledOnce();
    expect($state.get()).toMatchObject({ name: 'failed', error: { kind: 'signed-out' } });
  });
});
