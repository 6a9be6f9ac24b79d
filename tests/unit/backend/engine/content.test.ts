import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { contentFolder, seed } from '#backend/local/seed.ts';
import { createTestDatabase, type TestDatabase } from '../../../fixtures/database.ts';
import { temporaryFolders } from './process.ts';

const makeFolder = temporaryFolders();
let database: TestDatabase;
/** A folder with a copy of the content that the database was seeded with. */
let content: string;
beforeEach(async () => {
  database = await createTestDatabase();
  content = await makeFolder();
  for (const name of [
    'quiz',
    'toolbox',
    'events',
    'survey.yaml',
    'coaching.yaml',
    'pricing.yaml',
  ]) {
    await cp(join(contentFolder, name), join(content, name), { recursive: true });
  }
});
afterEach(() => database.drop());

/** Changes a file, or writes the changed text to `to`. */
async function edit(file: string, change: (text: string) => string, to = file): Promise<void> {
  await writeFile(join(content, to), change(await readFile(join(content, file), 'utf8')));
}

test('A published version stays as the database has it', async () => {
  await edit('quiz/version-2.yaml', (text) => text.replace(/^title: .*$/m, 'title: Another title'));
  const logged: string[] = [];
  await seed(database.url, { folder: content, log: (line) => logged.push(line) });
  const [version] = await database.sql`select title, state from quiz_versions where number = 2`;
  expect(version).toEqual({ title: 'Business skills quiz', state: 'published' });
  expect(logged.join()).toContain('Make the change in a new version file');
});

test('A new version file becomes the published quiz and retires the one before', async () => {
  const next = (text: string) =>
    text
      .replace(/^id: .*$/m, 'id: 5c3f5c0e-3b5f-4c8e-9a55-5b8f1f0f5d11')
      .replace(/^number: 2$/m, 'number: 3');
  await edit('quiz/version-2.yaml', next, 'quiz/version-3.yaml');
  await seed(database.url, { folder: content });
  await seed(database.url, { folder: content });
  expect(await database.sql`select number, state from quiz_versions order by number`).toEqual([
    { number: 1, state: 'retired' },
    { number: 2, state: 'retired' },
    { number: 3, state: 'published' },
  ]);
});

test('Tools follow their files with a new version, except one that an admin changed, archived or removed', async () => {
  const { sql } = database;
  const published = Object.fromEntries(
    (await sql`select slug, version from toolbox_items`).map(({ slug, version }) => [
      slug,
      version,
    ]),
  );
  // As an admin publishes a version.
  const [ours] = await sql`
    insert into toolbox_versions (
      item_id, version, published_at, title, summary, type, area_key, practice, levels, minutes,
      format, calculator, body_markdown
    )
    select id, version + 1, now(), 'Ours', summary, type, area_key, practice, levels, minutes, format,
      calculator, body_markdown
    from toolbox_items where slug = 'break-even' returning id`;
  await sql`
    select private.show_tool_version(v, current_date) from toolbox_versions v where id = ${ours?.id}`;
  await sql`update toolbox_items set state = 'archived' where slug = 'cash-forecast'`;
  await sql`delete from toolbox_items where slug = 'website-check'`;
  for (const slug of ['break-even', 'cash-forecast', 'role-sheet', 'website-check']) {
    await edit(`toolbox/${slug}.md`, (text) =>
      text.replace(/^title: .*$/m, 'title: From the file'),
    );
  }
  await seed(database.url, { folder: content });
  const stored = () => sql`
    select slug, title, version, is_as_built from toolbox_items
    where slug in ('break-even', 'cash-forecast', 'role-sheet', 'website-check') order by slug`;
  expect(await stored()).toEqual([
    {
      slug: 'break-even',
      title: 'Ours',
      version: published['break-even'] + 1,
      is_as_built: false,
    },
    {
      slug: 'cash-forecast',
      title: '12-month cash forecast',
      version: published['cash-forecast'],
      is_as_built: false,
    },
    // Its page says the number it had before.
    {
      slug: 'role-sheet',
      title: 'From the file',
      version: published['role-sheet'] + 1,
      is_as_built: false,
    },
  ]);
  const versions = await sql`
    select v.version, v.title from toolbox_versions v join toolbox_items i on i.id = v.item_id
    where i.slug = 'role-sheet' order by v.version`;
  expect(versions.map(({ title }) => title)).toEqual([
    expect.not.stringMatching(/From/),
    'From the file',
  ]);
  expect(await sql`select public.is_tool_as_built('role-sheet') as is`).toEqual([{ is: false }]);

  const next = published['role-sheet'] + 1;
  // With a number of its own, the built page and the tool agree again.
  await edit('toolbox/role-sheet.md', (text) => text.replace(/^version: .*$/m, `version: ${next}`));
  await seed(database.url, { folder: content });
  expect((await stored())[2]).toMatchObject({ version: next, is_as_built: true });
  expect(await sql`select public.is_tool_as_built('role-sheet') as is`).toEqual([{ is: true }]);
});

test('Prices follow their file, except one that an admin set', async () => {
  const { sql } = database;
  await sql`
    update public.prices set ended_at = now() where plan_key = 'session-pack' and ended_at is null`;
  await sql`
    insert into public.prices (plan_key, every, amount_minor, currency, by_admin)
    values ('session-pack', 'once', 30000, 'USD', true)`;
  await edit('pricing.yaml', (text) =>
    text.replace('amount_minor: 28500', 'amount_minor: 29000').replace('7900,', '8100,'),
  );
  await seed(database.url, { folder: content });
  const prices = await sql`
    select plan_key, amount_minor::int as minor from public.prices
    where ended_at is null and every <> 'year' and plan_key in ('session-pack', 'membership')
    order by plan_key`;
  expect(prices).toEqual([
    { plan_key: 'membership', minor: 8_100 },
    { plan_key: 'session-pack', minor: 30_000 },
  ]);
});

test('A version file and an admin’s version with the same number are told apart, in words', async () => {
  const { sql } = database;
  const numbered = (number: number) => (text: string) =>
    text
      .replace(/^id: .*$/m, `id: 5c3f5c0e-3b5f-4c8e-9a55-5b8f1f0f5d9${number % 10}`)
      .replace(/^number: \d+$/m, `number: ${number}`);
  const [latest] = await sql`select id, number from quiz_versions where state = 'published'`;
  const from = `quiz/version-${latest?.number}.yaml`;
  const next = latest?.number + 1;
  // A draft moves out of the way.
  await sql`
    insert into quiz_versions (id, number, title, created_from)
    values (gen_random_uuid(), ${next}, 'A draft', ${latest?.id})`;
  await edit(from, numbered(next), `quiz/version-${next}.yaml`);
  const logged: string[] = [];
  await seed(database.url, { folder: content, log: (line) => logged.push(line) });
  expect(
    await sql`select number, state from quiz_versions where number >= ${next} order by 1`,
  ).toEqual([
    { number: next, state: 'published' },
    { number: next + 1, state: 'draft' },
  ]);
  expect(logged).toEqual([
    `content/quiz/version-${next}.yaml has the number of an admin’s draft, so the draft now has the next number.`,
  ]);
  // What an admin published stays, and the file isn't used.
  await sql`
    insert into quiz_version_areas
    select (jsonb_populate_record(a, jsonb_build_object('version_id', d.id))).*
    from quiz_version_areas a, quiz_versions d
    where a.version_id = ${latest?.id} and d.state = 'draft'`;
  await sql`
    insert into quiz_questions
    select (jsonb_populate_record(q, jsonb_build_object('version_id', d.id))).*
    from quiz_questions q, quiz_versions d
    where q.version_id = ${latest?.id} and d.state = 'draft'`;
  await sql`update quiz_versions set state = 'published' where state = 'draft'`;
  await edit(from, numbered(next + 1), `quiz/version-${next + 1}.yaml`);
  await seed(database.url, { folder: content, log: (line) => logged.push(line) });
  expect(logged.slice(1)).toEqual([
    `content/quiz/version-${next + 1}.yaml isn’t used, because version ${next + 1} of the quiz is already published on this site. To publish the file, give it the number ${next + 2}.`,
  ]);
  const [published] = await sql`select title from quiz_versions where state = 'published'`;
  expect(published?.title).toBe('A draft');
});
