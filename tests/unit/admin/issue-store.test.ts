import { beforeEach, expect, test, vi } from 'vitest';
import type { NewsletterIssue } from '#data/newsletter.ts';
import { createIssueStore } from '#features/admin/newsletter/issue-store.ts';
import { AppError } from '#lib/errors.ts';
import { newsletterKind } from '#sync/kinds/newsletter.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { syncOf } from '../../fixtures/test-sync.ts';

const initial: NewsletterIssue = {
  ...{ id: 'issue', subject: 'Bread', preview: '', body: 'Words.', revision: 3, state: 'draft' },
  ...{ slug: null, send_at: null, begun_at: null, finished_at: null, last_begun_at: null },
  ...{ updated_at: '2026-11-20T10:00:00Z', updated_by: null, updated_by_name: 'Ada Admin' },
  ...{ recipients: 0, delivered: 0, refused: 0, waiting: 0, subscribers: 2, problem: null },
};

/** A database with one draft, which checks revisions as `save_newsletter_issue` does. */
const server = vi.hoisted(() => ({
  issue: {} as NewsletterIssue,
  isAnswerLost: false,
  saves: 0,
}));

vi.mock('#lib/db.ts', () => ({ db: async () => ({}) }));
vi.mock('#data/newsletter.ts', () => ({
  async saveIssue(
    _client: object,
    _id: string,
    change: Pick<NewsletterIssue, 'revision' | 'subject' | 'preview' | 'body'>,
  ) {
    if (change.revision !== server.issue.revision) return { saved: false, issue: server.issue };
    server.saves += 1;
    const subject = change.subject.replace(/\s+/g, ' ').trim();
    server.issue = { ...server.issue, ...change, subject, revision: change.revision + 1 };
    if (server.isAnswerLost) throw new AppError('network');
    return { saved: true, issue: server.issue };
  },
}));

beforeEach(() => {
  Object.assign(server, { issue: initial, isAnswerLost: false, saves: 0 });
});

/** Opens a draft's page. */
function open() {
  const browser = stillBrowser();
  const sync = syncOf('me', browser.openTab(), [newsletterKind]);
  const store = createIssueStore(initial, {
    read: async () => server.issue,
    openSync: () => sync,
  });
  store.open();
  // Sending loads modules dynamically, which takes extra ticks.
  const pass = async (milliseconds: number) => {
    await browser.pass(milliseconds);
    await vi.dynamicImportSettled();
    await settle();
  };
  return { store, pass, status: () => store.$status.get()?.name };
}

test('What is typed is saved once typing pauses, all texts together', async () => {
  const { store, pass, status } = open();
  store.change({ subject: 'Bread and ' });
  store.change({ subject: 'Bread and butter ' });
  store.change({ body: 'More words.' });
  expect(status()).toBe('saving');
  expect(server.saves).toBe(0);
  await pass(800);
  expect(status()).toBe('saved');
  expect(server.issue).toMatchObject({ subject: 'Bread and butter', body: 'More words.' });
  // What's being typed stays as it is.
  expect(store.$text.get().subject).toBe('Bread and butter ');
});

test('Nobody is taken for a colleague of themselves whose answer was lost', async () => {
  const { store, pass, status } = open();
  server.isAnswerLost = true;
  store.change({ body: 'Once' });
  await pass(800);
  server.isAnswerLost = false;
  store.change({ body: 'Twice' });
  await pass(60_000);
  expect(status()).toBe('saved');
  expect(server.issue.body).toBe('Twice');
});

test('Another admin’s changes aren’t overwritten until one version is chosen', async () => {
  const { store, pass, status } = open();
  server.issue = { ...initial, body: 'Theirs', revision: 4 };
  store.change({ body: 'Mine' });
  await pass(800);
  expect(status()).toBe('conflict');
  expect(server.issue.body).toBe('Theirs');
  store.choose('mine');
  await pass(800);
  expect(status()).toBe('saved');
  expect(server.issue).toMatchObject({ body: 'Mine', revision: 5 });
});
