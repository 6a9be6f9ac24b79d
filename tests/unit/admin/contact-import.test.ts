import { expect, test } from 'vitest';
import {
  chunkRows,
  columnsProblem,
  guessColumns,
  IMPORT_FIELD_NAMES,
  importRows,
} from '#domain/contact-import.ts';
import { EXAMPLE } from '#features/admin/import/example-list.ts';

test('Columns are recognized by their names, each once', () => {
  expect(
    guessColumns([
      'E-Mail',
      'First Name',
      'Last name',
      'Company',
      'ZIP',
      'Newsletter?',
      'Email',
      'Age',
    ]),
  ).toEqual(['email', 'first_name', 'last_name', 'business', 'postal_code', 'consent', null, null]);
  expect(columnsProblem(['name'])).toBe('Choose the column with the email addresses.');
  expect(columnsProblem(['email', 'name', 'name'])).toBe(
    'Two columns are “Name”. Choose one of them.',
  );
  expect(columnsProblem(['email', null, null])).toBeNull();
});

test('Rows have their number in the file, one name, and yes or no', () => {
  const columns = ['email', 'first_name', 'last_name', 'consent', 'phone'] as const;
  expect(
    importRows(
      [
        [' ann@a.test ', 'Ann', 'Lee', 'TRUE', "'+1 505 555 0101"],
        ['', ' ', '', '', ''],
        ['ben@a.test', '', 'Ben', 'perhaps'],
        ['cy@a.test', '', '', 'N', ''],
      ],
      columns,
    ),
  ).toEqual([
    { row: 2, email: 'ann@a.test', name: 'Ann Lee', consent: 'yes', phone: '+1 505 555 0101' },
    { row: 4, email: 'ben@a.test', name: 'Ben', consent: 'perhaps' },
    { row: 5, email: 'cy@a.test', consent: 'no' },
  ]);
});

test('Rows of one address are sent one after the other', () => {
  const rows = ['a', 'b', 'A', 'c'].map((name, index) => ({ row: index, email: `${name}@x.test` }));
  expect(chunkRows(rows, 2).map((chunk) => chunk.map(({ row }) => row))).toEqual([
    [0, 2],
    [1, 3],
  ]);
});

test('Each column of the example file is recognized, and each but a split name is in it', () => {
  const columns = guessColumns(Object.keys(EXAMPLE));
  expect(columnsProblem(columns)).toBeNull();
  const fields = IMPORT_FIELD_NAMES.filter((field) => !['first_name', 'last_name'].includes(field));
  expect(columns.toSorted()).toEqual(fields.toSorted());
});
