import { beforeEach, expect, test, vi } from 'vitest';
import type { Survey, SurveyAccess, submitSurveyResponse } from '#data/survey.ts';
import { createSurveyStore } from '#features/survey/survey-store.ts';
import { AppError } from '#lib/errors.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';

const survey = (id = 'b1'): Survey => ({
  id,
  title: 'How was it?',
  privacy: 'anonymous',
  statements: Array.from({ length: 10 }, (_, place) => `Statement ${place + 1}`),
  recommend: 'Would you recommend us?',
  comments: ['What helped?', 'What did not?'],
});

let browser: ReturnType<typeof stubBrowser>;
beforeEach(() => {
  browser = stubBrowser();
});

const deps = (access: SurveyAccess = 'public', open = survey()) => ({
  getSurvey: vi.fn(async () => ({ ...open, access })),
  submitSurveyResponse: vi.fn<typeof submitSurveyResponse>(async () => {}),
});
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function opened(given = deps()) {
  const store = createSurveyStore(survey(), given);
  const close = store.open(null);
  await settle();
  return { store, close, given };
}

test('A client answers, sends once, and nothing stays in the browser', async () => {
  const { store, given } = await opened();
  store.agree(0, 5);
  store.recommend(0);
  store.comment(1, '  More time  ');
  await store.send();
  expect(given.submitSurveyResponse).toHaveBeenCalledExactlyOnceWith(
    store.$draft.get().id,
    'b1',
    { agreement: [5, ...Array(9).fill(null)], recommend: 0, comments: [null, 'More time'] },
    null,
  );
  expect(store.$state.get()).toEqual({ name: 'sent' });
  expect(browser.kept.size).toBe(0);
});

test('What was answered before the tab was closed is there again, under the same id', async () => {
  const first = await opened();
  first.store.agree(3, 2);
  first.store.comment(0, 'The visits');
  const second = await opened();
  expect(second.store.$draft.get()).toEqual(first.store.$draft.get());
});

test('Storage that holds something else is not taken for answers', async () => {
  for (const text of [
    '{',
    '{"id":1}',
    '{"id":"x","agreement":[9],"recommend":null,"comments":[]}',
  ]) {
    browser.kept.set('trellis-survey:b1', text);
    const { store } = await opened();
    expect(store.$draft.get().agreement).toEqual(Array(10).fill(null));
  }
});

test('A sending that fails keeps the answers and the id, and can be tried again', async () => {
  const given = deps();
  given.submitSurveyResponse.mockRejectedValueOnce(new AppError('network'));
  const { store } = await opened(given);
  store.recommend(8);
  await store.send();
  expect(store.$state.get()).toMatchObject({ name: 'open', failure: { kind: 'network' } });
  expect(browser.kept.size).toBe(1);
  await store.send();
  expect(store.$state.get()).toEqual({ name: 'sent' });
  const [first, second] = given.submitSurveyResponse.mock.calls;
  expect(first?.[0]).toBe(second?.[0]);
});

test('Nothing is sent while nothing is answered or a comment is too long, and the reason is said', async () => {
  const { store, given } = await opened();
  expect(store.findProblem()).toMatchObject({ comment: null });
  await store.send();
  store.comment(1, 'x'.repeat(2_003));
  expect(store.findProblem()).toEqual({
    comment: 1,
    text: 'Keep it to 2,000 characters. That’s 3 too many.',
  });
  await store.send();
  expect(given.submitSurveyResponse).not.toHaveBeenCalled();
});

test.each([
  ['answered', 'answered'],
  ['none', 'invitation-needed'],
] as const)('Who comes with a link that is %s reads why nothing is asked', async (access, name) => {
  const { store } = await opened(deps(access));
  expect(store.$state.get()).toEqual({ name });
});

test('When no survey is open the page says so; when nobody answers the page goes on', async () => {
  const none = deps();
  none.getSurvey.mockRejectedValue(new AppError('not-found'));
  expect((await opened(none)).store.$state.get()).toEqual({ name: 'closed' });
  const offline = deps();
  offline.getSurvey.mockRejectedValue(new AppError('network'));
  expect((await opened(offline)).store.$state.get()).toMatchObject({ name: 'open' });
});

test('A newer survey takes the place of the built one, but never of one that was begun', async () => {
  const { store } = await opened(deps('public', survey('b2')));
  expect(store.$survey.get().id).toBe('b2');
  store.agree(0, 1);
  expect([...browser.kept.keys()]).toEqual(['trellis-survey:b2']);

  const begun = createSurveyStore(survey(), deps('public', survey('b2')));
  begun.open(null);
  begun.agree(0, 4);
  await settle();
  expect(begun.$survey.get().id).toBe('b1');
});

test('Two tabs show the same answers, and the second does not send what the first one sent', async () => {
  const first = await opened();
  const second = await opened();
  first.store.agree(2, 3);
  browser.changedElsewhere('trellis-survey:b1');
  expect(second.store.$draft.get()).toEqual(first.store.$draft.get());
  await first.store.send();
  browser.changedElsewhere('trellis-survey:b1');
  expect(second.store.$state.get()).toEqual({ name: 'sent' });
  second.close();
});
