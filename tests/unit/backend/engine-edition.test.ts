import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from 'postgres';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { startPostgres } from '#backend/local/postgres/postgres.ts';
import { startBackend } from '#backend/local/start.ts';
import { temporaryFolders } from './engine-process.ts';

const folders = temporaryFolders();
afterAll(folders.clear);

const said: string[] = [];
const start = (dataDir: string, demo = true) =>
  startBackend({
    dataDir,
    siteUrl: 'http://127.0.0.1:4321',
    demo,
    tick: false,
    log: (line) => said.push(line),
  });

/** Folders of an organization and of a demo, which tests copy. */
let plain: string;
let demo: string;
beforeAll(async () => {
  plain = await folders.make();
  await (await start(plain, false)).close();
  demo = await folders.make();
  await (await start(demo)).close();
}, 120_000);

/** A copy of a folder, whose files keep their owners. */
async function copyOf(folder: string): Promise<string> {
  const copy = join(await folders.make(), 'data');
  await promisify(execFile)('cp', ['-a', folder, copy]);
  return copy;
}

/** Asks the database of a folder that no site uses. */
async function ask<Answer>(dataDir: string, question: (sql: Sql) => Promise<Answer>) {
  const folder = await takeDataFolder(dataDir);
  const server = await startPostgres({ folder: dataDir });
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    return await question(sql);
  } finally {
    await sql.end();
    await server.stop();
    folder.release();
  }
}

/** As if another edition of the project had made it. */
const edit = (sql: Sql) => sql`update supabase_migrations.schema_migrations set hash = 'edited'`;

const subscribe = (sql: Sql) => sql`
  insert into contacts (email, newsletter, consented_at, consent_wording)
  values ('ana@example.org', 'subscribed', now(), 'Yes, please')`;

const written: [string, (sql: Sql) => Promise<unknown>][] = [
  ['a contact of the newsletter', subscribe],
  [
    'a message of a visitor',
    (sql) => sql`
      with contact as (
        insert into contacts (email) values ('ana@example.org') returning id
      )
      insert into contact_messages (id, contact_id, topic, body)
      select gen_random_uuid(), id, 'general', 'Please call me' from contact`,
  ],
  [
    'a project',
    (sql) => sql`
      insert into projects (id, business_id, title)
      select gen_random_uuid(), id, 'A new oven' from businesses limit 1`,
  ],
  [
    'an edited business',
    (sql) => sql`
      update businesses set description = 'What we really do'
      where id = (select id from businesses limit 1)`,
  ],
  [
    'an account',
    (sql) => sql`insert into auth.users (id, email) values (gen_random_uuid(), 'ana@example.org')`,
  ],
];

test.each(written)('An upgrade leaves a demo with %s in it alone', async (_, write) => {
  const dataDir = await copyOf(demo);
  await ask(dataDir, async (sql) => {
    await write(sql);
    await edit(sql);
  });
  await expect(start(dataDir)).rejects.toThrow(/more than demo data, so nothing was changed/);
  const [kept] = await ask(dataDir, (sql) => sql`select count(*)::int as n from businesses`);
  expect(kept).toEqual({ n: 28 });
});

test('An upgrade leaves the site of an organization alone, whatever is in it', async () => {
  const dataDir = await copyOf(plain);
  await ask(dataDir, async (sql) => {
    await subscribe(sql);
    await edit(sql);
  });
  for (const withDemo of [false, true]) {
    await expect(start(dataDir, withDemo)).rejects.toMatchObject({
      name: 'DataFolderError',
      message: expect.stringMatching(/made by another version.*nothing was changed/s),
    });
  }
  expect(await ask(dataDir, (sql) => sql`select email from contacts`)).toEqual([
    { email: 'ana@example.org' },
  ]);
});

test('A demo made beside what visitors wrote before keeps their mail, and an upgrade leaves it alone', async () => {
  const dataDir = await copyOf(plain);
  await ask(dataDir, async (sql) => {
    await subscribe(sql);
    await sql`
      select private.send_mail('ana@example.org', 'contact-received')`;
  });
  await (await start(dataDir)).close();
  await ask(dataDir, edit);
  await expect(start(dataDir)).rejects.toThrow(
    /It may hold more than demo data, so nothing was changed/,
  );
  const [kept] = await ask(
    dataDir,
    (sql) => sql`
      select (select count(*)::int from businesses) as businesses,
        (select array_agg(email) from contacts) as contacts,
        (select array_agg(to_address) from private.mails) as mail`,
  );
  const ana = ['ana@example.org'];
  expect(kept).toEqual({ businesses: 28, contacts: ana, mail: ana });
}, 120_000);

test('Folders of an operator that are named alike stay as they are, and a killed move is finished', async () => {
  const dataDir = await copyOf(demo);
  const [theirs, alike] = ['before-christmas', 'before-2026-01-01T00-00-00'];
  for (const name of [theirs, alike]) {
    await mkdir(join(dataDir, name));
    await writeFile(join(dataDir, name, 'keys.json'), 'theirs');
  }
  // Killed after the stored files, before the database.
  const begun = join(dataDir, 'before-2026-02-02T00-00-00');
  await mkdir(begun);
  await writeFile(join(begun, 'unfinished'), '');
  await mkdir(join(dataDir, 'storage'), { recursive: true });
  await rename(join(dataDir, 'storage'), join(begun, 'storage'));
  await ask(dataDir, edit);

  await (await start(dataDir)).close();
  expect((await readdir(dataDir)).filter((name) => name.startsWith('before'))).toEqual(
    [alike, 'before-2026-02-02T00-00-00', theirs].toSorted(),
  );
  expect(await readdir(begun)).toEqual(
    ['keys.json', 'postgres', 'postgres-passwords.json', 'storage'].toSorted(),
  );
  for (const name of [theirs, alike]) {
    expect(await readdir(join(dataDir, name))).toEqual(['keys.json']);
    expect(await readFile(join(dataDir, name, 'keys.json'), 'utf8')).toBe('theirs');
  }
}, 120_000);

test('A demo that nobody wrote into is set aside by an upgrade and can be opened again', async () => {
  const dataDir = await copyOf(demo);
  const markAndEdit = async (sql: Sql) => {
    await edit(sql);
    await sql`create table private.of_the_other_edition ()`;
    // Somebody signed in to look around, and the schedule ran.
    await sql`update auth.users set last_sign_in_at = now()`;
    await sql`select private.tick()`;
  };
  await mkdir(join(dataDir, 'storage/notes'), { recursive: true });
  await ask(dataDir, markAndEdit);

  await (await start(dataDir)).close();
  const oldDatabases = async () =>
    (await readdir(dataDir)).filter((name) => name.startsWith('before'));
  const [first = ''] = await oldDatabases();
  expect(said.join('\n')).toContain(join(dataDir, first));
  const question = (sql: Sql) => sql`
    select to_regclass('private.of_the_other_edition') is not null as older,
      (select count(*)::int from businesses) as businesses`;
  expect(await ask(dataDir, question)).toEqual([{ older: false, businesses: 28 }]);
  expect(await readdir(join(dataDir, first))).toEqual(
    ['keys.json', 'postgres', 'postgres-passwords.json', 'storage'].toSorted(),
  );

  // It stays, whether somebody opened it or not.
  await ask(dataDir, markAndEdit);
  await (await start(dataDir)).close();
  expect(await oldDatabases()).toEqual([first, expect.stringMatching(/^before-/)]);
  expect(await ask(join(dataDir, first), question)).toEqual([{ older: true, businesses: 28 }]);
}, 240_000);
