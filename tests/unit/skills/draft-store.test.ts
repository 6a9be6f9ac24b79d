import { beforeEach, expect, test, vi } from 'vitest';
import type { DraftQuestion, EditedVersion } from '#data/quiz-versions.ts';
import { DraftStore } from '#features/quiz/editor/draft-store.ts';
import { AppError } from '#lib/errors.ts';
import { quizQuestionKind, quizSettingsKind } from '#sync/kinds/quiz-draft.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { syncOf } from '../../fixtures/test-sync.ts';

const question = (key: string): DraftQuestion => ({
  ...{ key, area_key: 'web', practice: `Practice ${key}`, position: 1, help: '', weight: 1 },
  ...{ text: 'Are you online?', anchors: ['a', 'b', 'c', 'd', 'e'], action: 'Do it.' },
  ...{ meaning: 'same', tool: null, revision: 0, updated_by_name: null },
  before: { number: 1, text: 'Are you online?', anchors: ['a', 'b', 'c', 'd', 'e'] },
});

const initial: EditedVersion = {
  ...{ id: 'draft', number: 2, state: 'draft', created_at: '', published_at: null },
  ...{ discarded_at: null, before: null, practices: [], published: null },
  settings: {
    title: 'Skills',
    areas: [{ key: 'web', importance: 1, skip_question: '', skip_help: '', first_look: 'web.a' }],
    revision: 0,
    updated_by_name: null,
  },
  areas: [{ key: 'web', name: 'Web', short_name: 'Web', position: 1 }],
  questions: ['web.a', 'web.b', 'web.c'].map(question),
  checks: { fingerprint: '0', problems: [] },
};

/** A database with one draft, which checks revisions as `save_quiz_question` does. */
const server = vi.hoisted(() => ({
  draft: {} as EditedVersion,
  saves: 0,
  isOffline: false,
}));

vi.mock('#lib/db.ts', () => ({ db: async () => ({}) }));
vi.mock('#data/quiz-versions.ts', () => ({
  async saveQuizQuestion(_: object, _id: string, key: string, change: DraftQuestion) {
    const stored = server.draft.questions.find((each) => each.key === key);
    if (!stored) throw new AppError('not-found');
    const checks = { fingerprint: String(server.saves + 1), problems: [] };
    if (change.revision !== stored.revision) return { saved: false, question: stored, checks };
    server.saves += 1;
    const saved = { ...stored, ...change, revision: change.revision + 1 };
    server.draft = {
      ...server.draft,
      checks,
      questions: server.draft.questions.map((each) => (each.key === key ? saved : each)),
    };
    return { saved: true, question: saved, checks };
  },
  async orderQuizQuestions(_: object, _id: string, _area: string, keys: string[]) {
    if (server.isOffline) throw new AppError('network');
    server.draft = {
      ...server.draft,
      questions: keys.flatMap(
        (key) => server.draft.questions.find((each) => each.key === key) ?? [],
      ),
    };
  },
}));

beforeEach(() => Object.assign(server, { draft: initial, saves: 0, isOffline: false }));

function openDraft() {
  const browser = stillBrowser();
  const sync = syncOf('me', browser.openTab(), [quizQuestionKind, quizSettingsKind]);
  const failures: string[] = [];
  const store = new DraftStore(
    {
      db: async () => ({}) as never,
      signedOut: () => {},
      showFailure: (title) => failures.push(title),
      read: async () => server.draft,
      openSync: () => sync,
    },
    initial,
  );
  store.open();
  // Sending loads modules dynamically, which takes extra ticks.
  const pass = async (milliseconds: number) => {
    await browser.pass(milliseconds);
    await vi.dynamicImportSettled();
    await settle();
  };
  const keys = () => store.$draft.get().questions.map(({ key }) => key);
  return { store, failures, pass, keys };
}

test('What is typed shows up in the list, is saved once typing pauses, and brings new checks', async () => {
  const { store, pass } = openDraft();
  const own = store.editQuestion('web.a');
  own.open();
  own.change({ help: 'On' });
  own.change({ help: 'On a map' });
  expect(store.$draft.get().questions[0]?.help).toBe('On a map');
  expect(own.$field.get().status?.name).toBe('saving');
  await pass(800);
  expect(own.$field.get().status?.name).toBe('saved');
  expect(server.saves).toBe(1);
  expect(store.$draft.get().checks?.fingerprint).toBe('1');
});

test('New words ask whether the question means the same, and the old ones answer it', async () => {
  const { store } = openDraft();
  const own = store.editQuestion('web.a');
  own.open();
  const meaning = () => own.$field.get().value.meaning;
  own.change({ help: 'Somewhere' });
  expect(meaning()).toBe('same');
  own.change({ text: 'Can people find you?' });
  expect(meaning()).toBeNull();
  own.change({ meaning: 'same' });
  own.change({ text: 'Can people find you online?' });
  expect(meaning()).toBe('same');
  own.change({ meaning: 'new' });
  own.change({ text: 'Can customers find you?' });
  expect(meaning()).toBe('new');
  own.change({ text: 'Are you online? ' });
  expect(meaning()).toBe('same');
  own.change({ anchors: ['a', 'b', 'c', 'd', 'changed'] });
  expect(meaning()).toBeNull();
});

test('What another admin saved in the meantime is a conflict in that question alone', async () => {
  const { store, pass } = openDraft();
  const own = store.editQuestion('web.a');
  own.open();
  const theirs = { ...question('web.a'), help: 'Theirs', revision: 1, updated_by_name: 'Ada' };
  const other = { ...question('web.b'), help: 'Also theirs', revision: 1 };
  server.draft = { ...initial, questions: [theirs, other, question('web.c')] };
  own.change({ help: 'Mine' });
  await pass(800);
  expect(own.$field.get().status).toMatchObject({ name: 'conflict', theirs: { help: 'Theirs' } });
  expect(store.$draft.get().questions.map(({ help }) => help)).toEqual(['Mine', 'Also theirs', '']);
  own.choose('mine');
  await pass(800);
  expect(server.draft.questions[0]).toMatchObject({ help: 'Mine', revision: 2 });
});

test('Questions move within their area, and back if that cannot be saved', async () => {
  const { store, keys, failures } = openDraft();
  const moved = store.move('web.a', 2);
  expect(keys()).toEqual(['web.b', 'web.c', 'web.a']);
  await moved;
  expect(keys()).toEqual(['web.b', 'web.c', 'web.a']);
  server.isOffline = true;
  await store.move('web.b', 9);
  expect(keys()).toEqual(['web.b', 'web.c', 'web.a']);
  expect(failures).toEqual(['“Practice web.b” wasn’t moved']);
});

test('Publishing waits for what is typed', async () => {
  const { store, pass } = openDraft();
  const own = store.editQuestion('web.a');
  own.open();
  own.change({ help: 'Last words' });
  const refreshed = store.refresh();
  await pass(0);
  expect((await refreshed).questions[0]?.help).toBe('Last words');
});
