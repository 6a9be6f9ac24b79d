import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkAdvisors, checkTypes } from '#backend/local/postgres/types.ts';
import { createTestDatabase, type TestDatabase } from '../../../fixtures/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.unsafe(`
    create table public.open_to_all (id int primary key);
    grant select on public.open_to_all to anon;
  `);
});
afterAll(() => database.drop());

test('A developer who adds a table is told to write its types', async () => {
  await expect(checkTypes(database.url)).rejects.toThrow('Run `npm run db:types`');
});

test('A developer who forgets row-level security is told by the advisors', async () => {
  await expect(checkAdvisors(database.url)).rejects.toThrow('rls_disabled_in_public');
});
