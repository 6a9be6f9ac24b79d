import { expect, test, vi } from 'vitest';
import { countOutcomes, createImportStore } from '#features/admin/import/import-store.ts';
import { readList } from '#features/admin/import/read-list.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const fileOf = (text: string | Uint8Array<ArrayBuffer>, name = 'clients.csv') =>
  new File([text], name, { type: 'text/csv' });

type Rows = { row: number; email?: string }[];

/** A database that refuses rows without an @, and whose requests can fail. */
function fakeDb() {
  const calls: { rows: Rows; dry: boolean }[] = [];
  let failures = 0;
  const db = dbAnswering({
    rpc: vi.fn((_name: string, args: { p_rows: Rows; p_dry: boolean }) => {
      if (failures > 0) {
        failures -= 1;
        return Promise.resolve({ data: null, error: { message: 'TypeError: Failed to fetch' } });
      }
      calls.push({ rows: args.p_rows, dry: args.p_dry });
      const rows = args.p_rows.map(({ row, email }) => ({
        row,
        outcome: email?.includes('@') ? 'new' : 'refused',
        business: null,
        note: email?.includes('@') ? null : 'There’s no email address.',
      }));
      return Promise.resolve({ data: { rows }, error: null });
    }),
  });
  return { db, calls, failNext: () => (failures = 1) };
}

const createStore = (fake = fakeDb()) => ({
  ...fake,
  store: createImportStore({ db: () => Promise.resolve(fake.db), read: readList }),
});

test('A list is checked before it’s imported, and refused rows keep their number', async () => {
  const { store, calls } = createStore();
  await store.choose(fileOf('E-mail,Full name\nann@a.test,Ann\n\nbad,Ben\n'));
  expect(store.$columns.get()).toEqual(['email', 'name']);
  await store.check();
  expect(store.$step.get()).toEqual({ name: 'checked' });
  expect(store.$results.get().map(({ row, outcome }) => [row, outcome])).toEqual([
    [2, 'new'],
    [4, 'refused'],
  ]);
  await store.send();
  expect(store.$step.get()).toEqual({ name: 'done' });
  expect(calls.map(({ dry }) => dry)).toEqual([true, false]);
  expect(countOutcomes(store.$results.get())).toEqual({ new: 1, changed: 0, there: 0, refused: 1 });
});

test('Without a column of addresses nothing is sent', async () => {
  const { store, calls } = createStore();
  await store.choose(fileOf('Who\nAnn\n'));
  await store.check();
  expect(store.$step.get()).toEqual({
    name: 'map',
    problem: 'Choose the column with the email addresses.',
  });
  store.setColumn(0, 'email');
  expect(store.$step.get()).toEqual({ name: 'map', problem: null });
  expect(calls).toEqual([]);
});

test('An import that’s interrupted goes on where it stopped', async () => {
  const { store, calls, failNext } = createStore();
  const lines = Array.from({ length: 600 }, (_, index) => `client${index}@a.test`);
  await store.choose(fileOf(`Email\n${lines.join('\n')}\n`));
  await store.check();
  calls.length = 0;
  const sending = store.send();
  failNext();
  await sending;
  expect(store.$step.get()).toMatchObject({
    name: 'stopped',
    doing: 'import',
    done: 0,
    total: 600,
  });
  await store.resume();
  expect(store.$step.get()).toEqual({ name: 'done' });
  expect(calls.map(({ rows }) => rows.length)).toEqual([250, 250, 100]);
  expect(store.$results.get()).toHaveLength(600);
});

test.each([
  ['', 'This file needs a first line with the names of its columns, and rows below it.'],
  ['Email\n', 'This file needs a first line with the names of its columns, and rows below it.'],
  ['PK\u0003\u0004', 'This is a spreadsheet. Save it as CSV first, then choose that file.'],
  [
    `Email\n${'a\n'.repeat(20_001)}`,
    'This file has more than 20,000 rows. Split it and import the rest another day.',
  ],
])('A file that can’t be used says why: %#', async (text, message) => {
  const { store } = createStore();
  await store.choose(fileOf(text));
  expect(store.$step.get()).toMatchObject({ name: 'choose', failure: { message } });
});

test('Excel’s own encoding and semicolons are read', async () => {
  const text = 'Email;Name\nana@a.test;Peña\n';
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  expect(await readList(fileOf(bytes))).toMatchObject({
    headers: ['Email', 'Name'],
    lines: [['ana@a.test', 'Peña']],
  });
});
