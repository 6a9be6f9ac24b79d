import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { demoPassword, seedDemo } from '#backend/local/demo/demo.ts';
import { migrate, migrationsFolder } from '#backend/local/postgres/migrate.ts';
import { prepareDatabase } from '#backend/local/prepare.ts';
import { contentFolder, seed } from '#backend/local/seed.ts';
import { type Backend, startBackend } from '#backend/local/start.ts';
import { createTestDatabase, type TestDatabase } from '../../fixtures/database.ts';
import { temporaryFolders } from './engine-process.ts';

const folders = temporaryFolders();
let database: TestDatabase;
let backend: Backend | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await backend?.close();
  backend = undefined;
  await database.drop();
});
afterAll(folders.clear);

async function start(databaseUrl: string, demo = true): Promise<Backend> {
  const dataDir = await folders.make();
  backend = await startBackend({
    dataDir,
    databaseUrl,
    siteUrl: 'http://127.0.0.1:4321',
    demo,
    tick: false,
  });
  return backend;
}

async function signIn(at: Backend, email: string): Promise<Response> {
  const request = new Request('http://127.0.0.1:4321/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { apikey: at.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  });
  return at.fetch(request, { remoteAddress: '127.0.0.1' });
}

test('The five demo accounts sign in, on a PostgreSQL of one’s own too', async () => {
  const empty = await createTestDatabase('empty');
  const site = await start(empty.url);
  for (const name of ['owner', 'owner2', 'coach', 'coach2', 'admin']) {
    const answer = await signIn(site, `${name}@demo.test`);
    expect(answer.status, name).toBe(200);
  }
  expect(await site.healthy()).toBe(true);
  await site.close();
  backend = undefined;
  await empty.drop();
});

test('Demo people move in once, and only where nobody lives', async () => {
  expect(await seedDemo(database.url)).toBe(true);
  expect(await seedDemo(database.url)).toBe(false);
  const [counted] = await database.sql`select
    (select count(*)::int from auth.users) as people,
    (select count(*)::int from attempts where state = 'in_progress') as open,
    (select count(*)::int from attempts where state = 'expired') as abandoned,
    (select count(*)::int from private.mails) as mails`;
  expect(counted).toEqual({ people: 31, open: 1, abandoned: 1, mails: 0 });
});

test('The demo’s owner has shared results with the assigned coach, the second coach has no client', async () => {
  await seedDemo(database.url);
  const rows = await database.sql`
    select c.email as coach, e.results_shared
    from engagements e join auth.users c on c.id = e.coach_id join auth.users o on o.id = e.owner_id
    where o.email = 'owner@demo.test' or c.email = 'coach2@demo.test'`;
  expect(rows).toEqual([{ coach: 'coach@demo.test', results_shared: true }]);
});

test('Nobody in the demo waits longer than the product lets anyone wait, and each state has its event', async () => {
  await seedDemo(database.url);
  const engagements = await database.sql`
    select e.state, e.coach_id is not null as coached, (
      select array_agg(v.to_state order by v.at, v.id) from engagement_events v
      where v.engagement_id = e.id
    ) as steps,
    (select max(v.at) from engagement_events v where v.engagement_id = e.id) as since
    from engagements e`;
  expect(engagements.length).toBeGreaterThanOrEqual(3);
  // Five business days for a coach to accept and to be found, two to get in touch.
  const days: Record<string, number> = { requested: 5, assigned: 5, accepted: 2 };
  const path = ['requested', 'assigned', 'accepted', 'active'];
  for (const { state, coached, steps, since } of engagements) {
    expect(steps).toEqual(path.slice(0, path.indexOf(state) + 1));
    expect(coached).toBe(state !== 'requested');
    const waited = (Date.now() - since.getTime()) / 86_400_000;
    expect(waited).toBeGreaterThanOrEqual(0);
    expect(waited).toBeLessThan(days[state] ?? Number.POSITIVE_INFINITY);
  }
});

test('A demo owner who worked on an area sees it better in the retake', async () => {
  await seedDemo(database.url);
  const scores = await database.sql<{ score: number }[]>`
    select s.score from area_scores s
    join attempts a on a.id = s.attempt_id and a.kind = 'full'
    join auth.users u on u.id = a.user_id and u.email = 'owner@demo.test'
    where s.area_key = 'financial-projection' order by a.submitted_at`;
  expect(scores).toHaveLength(3);
  expect(scores[2]?.score ?? 0).toBeGreaterThan((scores[1]?.score ?? 0) + 12.5);
});

test('Migrations run once', async () => {
  expect(await prepareDatabase(database.url)).toEqual([]);
  const [ledger] = await database.sql`
    select count(*)::int as n, count(hash)::int as hashes
    from supabase_migrations.schema_migrations`;
  expect(ledger?.n).toBe((await readdir(migrationsFolder)).length);
  expect(ledger?.hashes).toBe(ledger?.n);
});

test('A migration that fails leaves nothing of itself and says where', async () => {
  const folder = join(await folders.make(), 'migrations');
  await cp(migrationsFolder, folder, { recursive: true });
  await writeFile(
    join(folder, '29990101000000_broken.sql'),
    'create table public.half ();\n\nselect * from nothing_of_the_kind;\n',
  );
  await expect(migrate(database.db, folder)).rejects.toThrow(
    'Migration 29990101000000_broken.sql:3: relation "nothing_of_the_kind" does not exist',
  );
  const [half] = await database.sql`select to_regclass('public.half') as found`;
  expect(half?.found).toBeNull();
});

test('A database of another edition with somebody’s work in it is left alone', async () => {
  await database.sql`update supabase_migrations.schema_migrations set hash = 'edited'`;
  await expect(start(database.url)).rejects.toThrow(/made by another version of the project/);
  const [kept] = await database.sql`select to_regclass('public.businesses') as found`;
  expect(kept?.found).not.toBeNull();
});

test('Words that are loaded stay as the database has them', async () => {
  const words = await copyOfTheWords();
  const question = await editVersion(words, 'version-1.yaml', (text) =>
    text.replace(/^title: .*$/m, 'title: Another title'),
  );
  expect(question).toContain('Another title');
  const said: string[] = [];
  await seed(database.url, { folder: words, log: (line) => said.push(line) });
  const [version] = await database.sql`select title, state from quiz_versions where number = 1`;
  expect(version).toEqual({ title: 'Business skills quiz', state: 'published' });
  expect(said.join()).toContain('Write the change as a new version file');
});

test('A new version file becomes the published quiz and retires the one before', async () => {
  const words = await copyOfTheWords();
  const first = await readFile(join(words, 'quiz/version-1.yaml'), 'utf8');
  const second = first
    .replace(/^id: .*$/m, 'id: 5c3f5c0e-3b5f-4c8e-9a55-5b8f1f0f5d11')
    .replace(/^number: 1$/m, 'number: 2');
  await writeFile(join(words, 'quiz/version-2.yaml'), second);
  await seed(database.url, { folder: words });
  await seed(database.url, { folder: words });
  expect(await database.sql`select number, state from quiz_versions order by number`).toEqual([
    { number: 1, state: 'retired' },
    { number: 2, state: 'published' },
  ]);
});

test('A tool that an admin changed keeps the change, the others follow their files', async () => {
  await database.sql`update toolbox_items set title = 'Ours' where slug = 'break-even'`;
  const words = await copyOfTheWords();
  for (const slug of ['break-even', 'role-sheet']) {
    const path = join(words, 'toolbox', `${slug}.md`);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/^title: .*$/m, 'title: From the file'));
  }
  await seed(database.url, { folder: words });
  const titles = await database.sql`
    select slug, title from toolbox_items where slug in ('break-even', 'role-sheet') order by slug`;
  expect(titles).toEqual([
    { slug: 'break-even', title: 'Ours' },
    { slug: 'role-sheet', title: 'From the file' },
  ]);
});

test('A tool that an admin removed does not come back', async () => {
  await database.sql`delete from toolbox_items where slug = 'role-sheet'`;
  const words = await copyOfTheWords();
  await rm(join(words, 'toolbox/break-even.md'));
  await seed(database.url, { folder: words });
  expect(await database.sql`select 1 from toolbox_items where slug = 'role-sheet'`).toEqual([]);
});

async function copyOfTheWords(): Promise<string> {
  const folder = join(await folders.make(), 'content');
  await cp(contentFolder, folder, { recursive: true });
  return folder;
}

async function editVersion(
  folder: string,
  file: string,
  edit: (text: string) => string,
): Promise<string> {
  const path = join(folder, 'quiz', file);
  const text = edit(await readFile(path, 'utf8'));
  await writeFile(path, text);
  return text;
}
