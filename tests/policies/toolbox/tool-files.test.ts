/** Files and videos of tools: who stores them, who reads them, and what stays. */
import { expect, test } from 'vitest';
import { captionsTrouble, cleanCaptions } from '#domain/captions.ts';
import { badCaptions, goodCaptions } from '../../fixtures/captions.ts';
import type { Person } from '../../fixtures/database.ts';
import { openWorld, personaNames, refusalOf, whoMay } from '../../fixtures/personas.ts';
import { storeObject } from '../../fixtures/stored-object.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { admin, owner, coach, visitor } = people;

const CAPTIONS = goodCaptions[0] ?? '';

const idOf = async (slug: string): Promise<string> =>
  (await sql`select id from public.toolbox_items where slug = ${slug}`)[0]?.id;

interface Kind {
  type: string;
  name: string;
  size?: number;
  seconds?: number;
}
const PDF: Kind = { type: 'application/pdf', name: 'Sheet.pdf' };
const VIDEO: Kind = { type: 'video/webm', name: 'How it works.webm', seconds: 12 };

const begin = (who: Person, tool: string, id: string, { name, type, size, seconds }: Kind = PDF) =>
  ask(who, 'begin_tool_file($1, $2, $3, $4, $5, $6)', [
    id,
    tool,
    name,
    type,
    size ?? 2000,
    seconds ?? null,
  ]);

/** Uploads a file of a tool as an admin. */
async function bring(tool: string, kind: Kind = PDF): Promise<string> {
  const id = crypto.randomUUID();
  const { bucket, path } = await begin(admin, tool, id, kind);
  await storeObject(world, admin, { bucket, path, size: kind.size ?? 2000, type: kind.type });
  await ask(admin, 'finish_tool_file($1)', [id]);
  return id;
}

/** Saves changes to the draft of a tool's next version; returns it. */
async function write(tool: string, change: object) {
  const { draft } = await ask(admin, 'edit_tool($1)', [tool]);
  const saved = await ask(admin, 'save_tool_draft($1, $2, $3)', [
    draft.id,
    draft.revision,
    { ...draft, ...change },
  ]);
  return saved.draft;
}
const publish = (draft: { id: string; revision: number }) =>
  ask(admin, "publish_tool($1, $2, 'Something new.')", [draft.id, draft.revision]);

const readersOf = async (id: string) =>
  whoMay(world, (tx) => tx`select from storage.objects where name like ${`%/${id}`}`);

const every = Object.fromEntries(personaNames.map((name) => [name, 1]));
const onlyAdmin = { ...Object.fromEntries(personaNames.map((name) => [name, 0])), admin: 1 };

test('Nobody reads the rows, and only admins bring files, of the kinds and sizes that we say', async () => {
  const tool = await idOf('role-sheet');
  const refused = await whoMay(world, (tx) => tx`select from public.tool_files`);
  for (const [name, answer] of Object.entries(refused)) {
    expect(answer, name).toBe('42501 permission denied for table tool_files');
  }
  for (const who of [owner, coach, visitor]) {
    expect(await refusalOf(begin(who, tool, crypto.randomUUID()))).toMatch(/^42501/);
    expect(await refusal(who, 'finish_tool_file(gen_random_uuid())')).toMatch(/^42501/);
  }
  const said = (kind: Partial<Kind>) =>
    refusalOf(begin(admin, tool, crypto.randomUUID(), { ...PDF, ...kind }));
  expect(await said({ name: ' ' })).toBe('22023 A file needs a name.');
  expect(await said({ size: 20971521 })).toBe('22023 A file can be up to 20 MB.');
  expect(await said({ ...VIDEO, size: 52428801 })).toBe('22023 A file can be up to 50 MB.');
  for (const type of ['text/html', 'video/quicktime', 'image/svg+xml', 'text/vtt', '']) {
    expect(await said({ type }), type).toBe('22023 We can’t accept this kind of file.');
  }
  expect(await refusalOf(begin(admin, crypto.randomUUID(), crypto.randomUUID()))).toMatch(/^P0002/);
});

test('An object is stored only by the admin who announced it, where it’s awaited, and never replaced', async () => {
  const tool = await idOf('role-sheet');
  const id = crypto.randomUUID();
  const { bucket, path } = await begin(admin, tool, id);
  // Announced twice, it's the same.
  expect(await begin(admin, tool, id)).toMatchObject({ path });
  const insert = (where: string) =>
    whoMay(
      world,
      (tx) => tx`
        insert into storage.objects (bucket_id, name) values (${bucket}, ${where}) returning name`,
    );
  const elsewhere = await insert(`${tool}/${crypto.randomUUID()}`);
  for (const answer of Object.values(elsewhere)) expect(answer).toMatch(/^42501/);
  expect(await refusal(admin, 'finish_tool_file($1)', [id])).toMatch(
    /^55000 The file didn’t upload/,
  );
  const { admin: own, ...others } = await insert(path);
  expect(own).toBe(1);
  for (const [name, answer] of Object.entries(others)) expect(answer, name).toMatch(/^42501/);
  const removed = await bring(tool);
  const change = await whoMay(
    world,
    (tx) => tx`delete from storage.objects where name = ${`${tool}/${removed}`} returning name`,
  );
  for (const [name, answer] of Object.entries(change)) expect(answer, name).not.toBe(1);
});

test('A draft’s files are for admins, a published version’s for everyone, an archived tool’s for those who kept it', async () => {
  const tool = await idOf('role-sheet');
  const id = await bring(tool);
  expect(await readersOf(id)).toMatchObject(onlyAdmin);
  const draft = await write(tool, { files: [{ id, name: 'Roles to print' }] });
  expect(draft.files).toEqual([
    { id, name: 'Roles to print', type: 'application/pdf', size: 2000 },
  ]);
  expect(await readersOf(id)).toMatchObject(onlyAdmin);
  expect(await ask(visitor, 'get_tool_file($1)', [id])).toBeNull();
  await publish(draft);
  expect(await readersOf(id)).toMatchObject(every);
  expect(await ask(visitor, 'get_tool_file($1)', [id])).toMatchObject({
    name: 'Roles to print.pdf',
    bucket: 'tool-files',
  });
  expect(await ask(visitor, "get_public_tool('role-sheet')")).toMatchObject({ files: draft.files });
  expect(await ask(owner, "get_tool('role-sheet')")).toMatchObject({ files: draft.files });
  await ask(owner, "mark_tool('role-sheet', 'saved', true)");
  await ask(admin, "archive_tool($1, 'Out of date')", [tool]);
  expect(await readersOf(id)).toMatchObject({ ...onlyAdmin, owner: 1 });
  expect(await ask(visitor, 'get_tool_file($1)', [id])).toBeNull();
  await ask(admin, 'restore_tool($1)', [tool]);
  expect(await readersOf(id)).toMatchObject(every);
});

test('A published version keeps its files, and the next one begins with the same', async () => {
  const tool = await idOf('break-even');
  const id = await bring(tool);
  const { version } = await publish(await write(tool, { files: [{ id, name: 'Sheet' }] }));
  for (const change of [
    sql`update public.toolbox_versions set files = '[]' where item_id = ${tool} and version = ${version}`,
    sql`update public.toolbox_items set files = '[]' where id = ${tool}`,
    sql`update public.tool_files set size = 1 where id = ${id}`,
    sql`update public.tool_files set type = 'image/png' where id = ${id}`,
    sql`delete from public.tool_files where id = ${id}`,
  ]) {
    expect(await refusalOf(change)).toMatch(/^55000/);
  }
  const { draft } = await ask(admin, 'edit_tool($1)', [tool]);
  expect(draft.files).toEqual([{ id, name: 'Sheet', type: 'application/pdf', size: 2000 }]);
  await publish(await write(tool, { files: [] }));
  expect(await ask(visitor, "get_public_tool('break-even')")).toMatchObject({ files: [] });
  expect(await ask(admin, 'admin_tool_version($1, $2)', [tool, version])).toMatchObject({
    files: [{ id, name: 'Sheet' }],
  });
  // Only for admins: someone may have taken it out because it wasn't for everyone.
  expect(await readersOf(id)).toMatchObject(onlyAdmin);
  expect(await ask(visitor, 'get_tool_file($1)', [id])).toBeNull();
});

test('A draft names stored files of its own tool, each once, ten at most', async () => {
  const [tool, other] = [await idOf('supplier-comparison'), await idOf('business-model-canvas')];
  const [own, theirs, video] = [await bring(tool), await bring(other), await bring(tool, VIDEO)];
  const awaited = crypto.randomUUID();
  await begin(admin, tool, awaited);
  const said = (change: object) => refusalOf(write(tool, change));
  const gone = '22023 One of the files was removed. Add it again.';
  expect(await said({ files: [{ id: theirs }] })).toBe(gone);
  expect(await said({ files: [{ id: awaited }] })).toBe(gone);
  expect(await said({ files: [{ id: video }] })).toBe(gone);
  expect(await said({ files: [{ id: 'x' }] })).toBe(gone);
  expect(await said({ video: { id: own } })).toBe(gone);
  expect(await said({ video: { id: video, poster: own } })).toBe(gone);
  expect(await said({ files: [{ id: own }, { id: own }] })).toMatch(/^22023 A file can be in/);
  expect(await said({ files: Array.from({ length: 11 }, () => ({ id: own })) })).toMatch(
    /^22023 A tool can have at most 10/,
  );
  // What a browser says of type and size doesn't count, and without a name it's the file's own.
  const draft = await write(tool, { files: [{ id: own, type: 'text/html', size: 1 }] });
  expect(draft.files).toEqual([
    { id: own, name: 'Sheet.pdf', type: 'application/pdf', size: 2000 },
  ]);
});

test('A video is published with captions, and a tool of that kind with a video or a link', async () => {
  const tool = await idOf('customer-interview-script');
  const video = await bring(tool, VIDEO);
  const poster = await bring(tool, { type: 'image/png', name: 'Poster.png' });
  const said = async (change: object) => refusalOf(write(tool, change).then(publish));
  const base = { type: 'video', body_markdown: 'Words.', video: null, captions: '' };
  expect(await said(base)).toMatch(/^22023 Add the video or, if it’s on another site, a link/);
  const own = { ...base, video: { id: video, poster } };
  expect(await said(own)).toBe('22023 Add captions, so that everyone can follow the video.');
  expect(await said({ ...own, captions: '1' })).toMatch(/^22023 Captions start with/);
  const late = 'WEBVTT\n\n00:11.000 --> 00:14.000\nToo late';
  expect(await said({ ...own, captions: late })).toMatch(/^22023 Line 3: the caption ends after/);
  const draft = await write(tool, { ...own, captions: CAPTIONS });
  expect(draft.video).toEqual({ id: video, type: 'video/webm', size: 2000, seconds: 12, poster });
  await publish(draft);
  expect(await readersOf(video)).toMatchObject(every);
  expect(await readersOf(poster)).toMatchObject(every);
  expect(await ask(visitor, "get_public_tool('customer-interview-script')")).toMatchObject({
    video: draft.video,
    captions: cleanCaptions(CAPTIONS),
  });
  const linked = { ...base, body_markdown: 'See https://example.org/video.' };
  await publish(await write(tool, linked));
});

test('Captions are checked by the same rules here and in the browser', async () => {
  for (const given of [...goodCaptions, ...badCaptions, '', 'WEBVTT']) {
    for (const seconds of [null, 12]) {
      const [row] = await sql`
        select private.clean_captions(${given}) as text,
          private.captions_trouble(private.clean_captions(${given}), ${seconds}) as trouble`;
      expect(row?.text).toBe(cleanCaptions(given));
      expect(row?.trouble).toBe(captionsTrouble(cleanCaptions(given), seconds));
    }
  }
});

test('A file that no version names goes after a day, with its object; others stay', async () => {
  const tool = await idOf('competitor-grid');
  const [named, dropped, back] = [await bring(tool), await bring(tool), await bring(tool)];
  await write(tool, { files: [{ id: named }, { id: back }] });
  const forget = () => sql`select private.forget_tool_files()`;
  const left = async () =>
    (await sql`select id from public.tool_files where item_id = ${tool}`).map(({ id }) => id);
  await forget();
  expect(await left()).toHaveLength(3);
  await sql`update public.tool_files set unnamed_at = unnamed_at - interval '25 hours' where item_id = ${tool}`;
  // Named again in the meantime, it stays.
  await sql`update public.tool_files set unnamed_at = now() - interval '25 hours' where id = ${back}`;
  await forget();
  expect((await left()).sort()).toEqual([named, back].sort());
  const jobs = await sql`
    select payload from private.jobs where kind = 'remove_file' and payload ->> 'path' = ${`${tool}/${dropped}`}`;
  expect(jobs).toEqual([{ payload: { bucket: 'tool-files', path: `${tool}/${dropped}` } }]);
});

test('A draft that’s deleted with its tool takes its files along', async () => {
  const tool = crypto.randomUUID();
  const { draft } = await ask(admin, 'create_tool($1)', [tool]);
  const id = await bring(tool);
  await write(tool, { files: [{ id }] });
  await ask(admin, 'remove_tool_draft($1)', [draft.id]);
  expect(await sql`select from public.tool_files where id = ${id}`).toHaveLength(0);
  expect(
    await sql`select from private.jobs where payload ->> 'path' = ${`${tool}/${id}`}`,
  ).toHaveLength(1);
});

test('A tool has 500 MB of files at most, with those of its versions', async () => {
  const tool = await idOf('lender-readiness-list');
  const large = { ...VIDEO, size: 52428800 };
  for (let count = 0; count < 10; count++) await begin(admin, tool, crypto.randomUUID(), large);
  expect(await refusalOf(begin(admin, tool, crypto.randomUUID()))).toMatch(
    /^55000 A tool can have/,
  );
});
