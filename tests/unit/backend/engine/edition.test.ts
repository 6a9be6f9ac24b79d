import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { expect, test } from 'vitest';
import { seedDemo } from '#backend/local/demo/demo.ts';
import { forget, NEVER_OPEN } from '#backend/local/postgres/bootstrap.ts';
import { holdsOnlyDemoData, moveOldDatabase } from '#backend/local/postgres/old-database.ts';
import { createTestDatabase } from '../../../fixtures/database.ts';
import { createDemoDatabase } from '../../../fixtures/demo-database.ts';
import { ask, start, temporaryFolders } from './process.ts';

const makeFolder = temporaryFolders();

/** Makes the database look as if another edition of the project created it. */
const edit = (sql: Sql) => sql`update supabase_migrations.schema_migrations set hash = 'edited'`;

const subscribe = (sql: Sql) => sql`
  insert into contacts (email, newsletter, consented_at, consent_wording)
  values ('ana@example.org', 'subscribed', now(), 'Yes, please')`;

/** Simulates sign-ins and runs the schedule, without any user input. */
async function lookAround(sql: Sql): Promise<void> {
  await sql`update auth.users set last_sign_in_at = now()`;
  await sql`select private.tick()`;
}

const written: [string, boolean, (sql: Sql) => Promise<unknown>][] = [
  ['nothing', true, async () => {}],
  ['what the site writes by itself', true, lookAround],
  ['a contact of the newsletter', false, subscribe],
  [
    'a message of a visitor',
    false,
    (sql) => sql`
      with contact as (
        insert into contacts (email) values ('ana@example.org') returning id
      )
      insert into contact_messages (id, contact_id, topic, body)
      select gen_random_uuid(), id, 'general', 'Please call me' from contact`,
  ],
  [
    'a project',
    false,
    (sql) => sql`
      insert into projects (id, business_id, title)
      select gen_random_uuid(), id, 'A new oven' from businesses limit 1`,
  ],
  [
    'an edited business',
    false,
    (sql) => sql`
      update businesses set description = 'What we really do'
      where id = (select id from businesses limit 1)`,
  ],
  [
    'an account',
    false,
    (sql) => sql`insert into auth.users (id, email) values (gen_random_uuid(), 'ana@example.org')`,
  ],
];

test.each(written)('A demo with %s since holds only demo data: %s', async (_, isOnly, write) => {
  const database = await createDemoDatabase();
  await write(database.sql);
  expect(await holdsOnlyDemoData(database.url)).toBe(isOnly);
  await database.drop();
});

test('A demo made beside what visitors wrote before keeps it, and holds more than demo data', async () => {
  const database = await createTestDatabase();
  const { sql, url } = database;
  await subscribe(sql);
  await sql`select private.send_mail('ana@example.org', 'contact-received')`;
  await forget(database.db, NEVER_OPEN);
  expect(await seedDemo(url)).toBe(true);
  expect(await holdsOnlyDemoData(url)).toBe(false);
  const [kept] = await sql`
    select (
        select array_agg(email) from contacts where email not like '%@demo.test'
      ) as contacts,
      (select array_agg(to_address) from private.mails) as mail`;
  expect(kept).toEqual({ contacts: ['ana@example.org'], mail: ['ana@example.org'] });
  await database.drop();
});

test('An upgrade leaves the site of an organization alone, whatever is in it', async () => {
  const dataDir = await makeFolder('plain');
  await ask(dataDir, async (sql) => {
    await subscribe(sql);
    await edit(sql);
  });
  for (const demo of [false, true]) {
    await expect(start(dataDir, { demo })).rejects.toMatchObject({
      name: 'DataFolderError',
      message: expect.stringMatching(/made by another version.*nothing was changed/s),
    });
  }
  const contacts = await ask(dataDir, (sql) => sql`select email from contacts`);
  expect(contacts).toEqual([{ email: 'ana@example.org' }]);
});

test('A database elsewhere that another edition made is left alone, even a demo', async () => {
  const database = await createDemoDatabase();
  await edit(database.sql);
  const started = start(await makeFolder(), { databaseUrl: database.url, demo: true });
  await expect(started).rejects.toThrow(/made by another version of the project/);
  expect(await database.sql`select from public.businesses`).toHaveLength(28);
  await database.drop();
});

const MOVED = ['keys.json', 'postgres', 'postgres-passwords.json', 'storage'];
const oldDatabases = async (dataDir: string) =>
  (await readdir(dataDir)).filter((name) => name.startsWith('before')).sort();

test('Folders of an operator that are named alike stay as they are, and a killed move is finished', async () => {
  const dataDir = await makeFolder('plain');
  const [theirs, alike] = ['before-christmas', 'before-2026-01-01T00-00-00'];
  for (const name of [theirs, alike]) {
    await mkdir(join(dataDir, name));
    await writeFile(join(dataDir, name, 'keys.json'), 'theirs');
  }
  // Simulates a move that was killed after it moved the stored files but not yet the database.
  const begun = join(dataDir, 'before-2026-02-02T00-00-00');
  await mkdir(begun);
  await writeFile(join(begun, 'unfinished'), '');
  await mkdir(join(dataDir, 'storage'), { recursive: true });
  await rename(join(dataDir, 'storage'), join(begun, 'storage'));

  expect(await moveOldDatabase(dataDir)).toBe(begun);
  expect(await oldDatabases(dataDir)).toEqual([alike, 'before-2026-02-02T00-00-00', theirs]);
  expect((await readdir(begun)).sort()).toEqual(MOVED);
  for (const name of [theirs, alike]) {
    expect(await readdir(join(dataDir, name))).toEqual(['keys.json']);
    expect(await readFile(join(dataDir, name, 'keys.json'), 'utf8')).toBe('theirs');
  }
});

test('A demo that nobody wrote into is set aside by an upgrade and can be opened again', async () => {
  const dataDir = await makeFolder('demo');
  await mkdir(join(dataDir, 'storage/notes'), { recursive: true });
  await ask(dataDir, async (sql) => {
    await edit(sql);
    await sql`create table private.of_the_other_edition ()`;
    await lookAround(sql);
  });
  const logged: string[] = [];
  await (await start(dataDir, { demo: true, log: (line) => logged.push(line) })).close();
  const [first = ''] = await oldDatabases(dataDir);
  expect(logged.join('\n')).toContain(join(dataDir, first));
  const question = (sql: Sql) => sql`
    select to_regclass('private.of_the_other_edition') is not null as older,
      (select count(*)::int from businesses) as businesses`;
  expect(await ask(dataDir, question)).toEqual([{ older: false, businesses: 28 }]);
  expect((await readdir(join(dataDir, first))).sort()).toEqual(MOVED);

  // Moving another database doesn't affect this one.
  await moveOldDatabase(dataDir);
  expect(await oldDatabases(dataDir)).toEqual([first, expect.stringMatching(/^before-/)]);
  expect(await ask(join(dataDir, first), question)).toEqual([{ older: true, businesses: 28 }]);
});
