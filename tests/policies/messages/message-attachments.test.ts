import { expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { everyone, openWorld, refusalOf, whoMay, whoReads } from '../../fixtures/personas.ts';
import { storeObject } from '../../fixtures/stored-object.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, as, ask, refusal } = world;
const { owner, colleague, coach, otherCoach, admin } = people;
const { talk, engagement } = await talksIn(world);

const denied = '42501 permission denied for table message_attachments';
const refusedRow = '42501 new row violates row-level security policy for table "objects"';
const pathOf = (id: string) => `${engagement}/${id}`;

const begin = (
  who: Person,
  id: string,
  more: { type?: string; size?: number; name?: string } = {},
) =>
  ask(who, 'begin_message_file($1, $2, $3, $4, $5, $6, $7)', [
    id,
    engagement,
    more.name ?? 'Till.webp',
    more.type ?? 'image/webp',
    more.size ?? 2000,
    640,
    480,
  ]);

const store = (who: Person, path: string, size = 2000) =>
  storeObject(world, who, { bucket: 'message-files', path, size, type: 'image/webp' });

/** Uploads a file that isn't attached to a message yet. */
async function bring(who: Person, name?: string): Promise<string> {
  const id = crypto.randomUUID();
  await begin(who, id, name ? { name } : {});
  await store(who, pathOf(id));
  await ask(who, 'finish_message_file($1)', [id]);
  return id;
}

const seesObject = (id: string) =>
  whoMay(world, (sql) => sql`select from storage.objects where name = ${pathOf(id)}`);

test('A file has a name, a kind that is taken, and at most 20 MB', async () => {
  const refused = (more: { type?: string; size?: number; name?: string }) =>
    refusalOf(begin(owner, crypto.randomUUID(), more));
  expect(await refused({ name: ' ' })).toBe('22023 A file needs a name.');
  expect(await refused({ size: 0 })).toBe('22023 This file is empty.');
  expect(await refused({ size: 20971521 })).toBe('22023 A file can be up to 20 MB.');
  for (const type of ['text/html', 'image/svg+xml', 'application/zip', '']) {
    expect(await refused({ type }), type).toBe('22023 We can’t accept this kind of file.');
  }
});

test('A file is saved under a name that says what it is', async () => {
  const named = async (name: string, type: string) =>
    (await begin(owner, crypto.randomUUID(), { name, type })).name;
  expect(await named('Setup.exe', 'text/plain')).toBe('Setup.exe.txt');
  expect(await named('Notes', 'text/plain')).toBe('Notes.txt');
  expect(await named('List.CSV', 'text/csv')).toBe('List.CSV');
  expect(await named('photo.jpeg', 'image/jpeg')).toBe('photo.jpeg');
  expect(await named('page.html', 'application/pdf')).toBe('page.html.pdf');
  // Nor a name with reversed text: "invoice_fdp.exe" displayed as "invoice_exe.pdf".
  expect(await named('invoice_\u202efdp.exe', 'application/pdf')).toBe('invoice_ fdp.exe.pdf');
  const long = await named('x'.repeat(300), 'application/pdf');
  expect(long).toMatch(/^x{190,195}\.pdf$/);
  await sql`delete from public.message_attachments where state = 'awaited'`;
});

test('An object is stored only by who announced it, where it is awaited', async () => {
  const id = crypto.randomUUID();
  await begin(owner, id);
  const insert = (path: string) =>
    whoMay(
      world,
      (sql) => sql`
        insert into storage.objects (bucket_id, name) values ('message-files', ${path})
        returning name`,
    );
  expect(await insert(pathOf(id))).toEqual(everyone(refusedRow, { owner: 1 }));
  expect(await insert(pathOf(crypto.randomUUID()))).toEqual(everyone(refusedRow));
});

test('Before it is sent a file is its sender’s alone, row and object', async () => {
  const id = await bring(owner, 'Alone.webp');
  const rows = await whoReads(world, 'message_attachments', 'name', (row) => row.name);
  expect(rows).toEqual(everyone([], { visitor: denied, owner: ['Alone.webp', 'Till.webp'] }));
  expect(await seesObject(id)).toEqual(everyone(0, { owner: 1 }));
  for (const text of ['finish_message_file($1)']) {
    expect(await refusal(coach, text, [id])).toBe('P0002 We can’t find this file.');
  }
  expect(await refusalOf(talk.say(coach, engagement, 'Mine', { files: [id] }))).toMatch(
    /^22023 A file in this message/,
  );
  await ask(coach, 'remove_message_file($1)', [id]);
  expect(await sql`select from public.message_attachments where id = ${id}`).toHaveLength(1);
});

test('With its message it is read by those who read the message, from then on', async () => {
  await sql`delete from public.message_attachments`;
  const [first, second] = [await bring(owner, 'First.webp'), await bring(owner, 'Second.webp')];
  const said = await talk.say(owner, engagement, '', { files: [second, first] });
  expect(said).toMatchObject({
    body: '',
    files: [
      { id: second, name: 'Second.webp', width: 640, height: 480, path: pathOf(second) },
      { id: first, name: 'First.webp' },
    ],
  });
  expect(await seesObject(first)).toEqual(everyone(0, { owner: 1, coach: 1 }));
  expect((await ask(coach, 'list_conversations()')).conversations[0].last_message).toMatchObject({
    files: 2,
    excerpt: '',
  });

  await ask(admin, 'assign_coach($1, $2, $3)', [
    ids.alderEngagement,
    otherCoach.userId,
    'takes over',
  ]);
  // One coach has left, and the other joined later.
  expect(await seesObject(first)).toEqual(everyone(0, { owner: 1 }));
  await ask(admin, 'assign_coach($1, $2, $3)', [ids.alderEngagement, coach.userId, 'back again']);
  expect(await seesObject(first)).toEqual(everyone(0, { owner: 1, coach: 1 }));
});

test('Nobody replaces an object or takes a sent one away', async () => {
  const id = await bring(owner);
  const take = () =>
    whoMay(world, (sql) => sql`delete from storage.objects where name = ${pathOf(id)}`);
  expect(await take()).toEqual(everyone(0, { owner: 1 }));
  await talk.say(owner, engagement, 'Look', { files: [id] });
  expect(await take()).toEqual(everyone(0));
  expect(
    await whoMay(
      world,
      (sql) => sql`update storage.objects set name = name where name = ${pathOf(id)}`,
    ),
  ).toEqual(everyone(0));
  expect(await refusal(owner, 'remove_message_file($1)', [id])).toBe(
    '55000 This file has been sent. Delete the message instead.',
  );
});

test('Announced twice it is one; what has not arrived whole is not sent', async () => {
  const id = crypto.randomUUID();
  expect(await begin(owner, id)).toEqual(await begin(owner, id));
  expect(await refusalOf(begin(coach, id))).toBe('23505 This file already exists.');
  const notWhole = /^55000 The file .*didn’t upload completely/;
  expect(await refusal(owner, 'finish_message_file($1)', [id])).toMatch(notWhole);
  const seq = async () =>
    (await sql`select last_seq from public.conversations where id = ${engagement}`)[0]?.last_seq;
  const before = await seq();
  expect(await refusalOf(talk.say(owner, engagement, 'x', { files: [id] }))).toMatch(notWhole);
  await store(owner, pathOf(id), 1999);
  expect(await refusalOf(talk.say(owner, engagement, 'x', { files: [id] }))).toMatch(notWhole);
  expect(await seq()).toBe(before);
  await sql`
    update storage.objects set metadata = '{"size": 2000, "mimetype": "image/webp"}'
    where name = ${pathOf(id)}`;
  // Uploaded but not confirmed, because the tab was closed.
  const said = await talk.say(owner, engagement, 'x', { files: [id] });
  expect(said.files).toHaveLength(1);
  expect(await talk.say(owner, engagement, 'x', { id: said.id, files: [id] })).toEqual(said);
  expect(await refusalOf(talk.say(owner, engagement, 'y', { files: [id] }))).toMatch(
    /^22023 A file in this message is no longer available/,
  );
});

test('What was taken away again before it was sent is not sent', async () => {
  const id = await bring(owner);
  await ask(owner, 'finish_message_file($1)', [id]);
  await as(owner)`delete from storage.objects where name = ${pathOf(id)}`;
  expect(await refusalOf(talk.say(owner, engagement, 'Look', { files: [id] }))).toMatch(
    /^55000 The file ".*" didn’t upload completely/,
  );
});

test('The files of a conversation have one gigabyte', async () => {
  const said = await talk.say(owner, engagement, 'Many');
  await sql`
    insert into public.message_attachments (
      id, conversation_id, message_id, name, type, size, state, uploaded_by
    )
    select gen_random_uuid(), ${engagement}, ${said.id}, 'n.pdf', 'application/pdf', 20971520,
      'stored', ${owner.userId}
    from generate_series(1, 52)`;
  expect(await refusalOf(begin(owner, crypto.randomUUID()))).toMatch(
    /^55000 A conversation can have at most 1 GB/,
  );
  await ask(owner, 'remove_message($1)', [said.id]);
  await begin(owner, crypto.randomUUID());
});

test('At most ten go with a message, and twenty wait', async () => {
  const files = Array.from({ length: 11 }, () => crypto.randomUUID());
  expect(await refusalOf(talk.say(coach, engagement, 'All', { files }))).toBe(
    '22023 A message can have at most ten files.',
  );
  for (let place = 0; place < 20; place += 1) await begin(coach, crypto.randomUUID());
  expect(await refusalOf(begin(coach, crypto.randomUUID()))).toMatch(/^55000 You have 20 unsent/);
  await sql`
    update public.rate_limits set hits = 100 where key like 'writes:message_files:%'`;
  await sql`
    delete from public.message_attachments where uploaded_by = ${coach.userId}`;
  expect(await refusalOf(begin(coach, crypto.randomUUID()))).toMatch(
    /^PT429 You’ve sent a lot of files/,
  );
});

test('The files of a removed message go, and those that nobody sent within a day', async () => {
  await sql`delete from private.jobs where kind = 'remove_file'`;
  await sql`delete from public.rate_limits`;
  const [sent, unsent, young] = [await bring(owner), await bring(owner), await bring(owner)];
  const said = await talk.say(owner, engagement, 'Look', { files: [sent] });
  await ask(owner, 'remove_message($1)', [said.id]);
  expect(await seesObject(sent)).toEqual(everyone(0));
  await sql`
    update public.message_attachments set created_at = now() - interval '25 hours'
    where id = ${unsent}`;
  const [did] = await sql`select private.forget_unsent_files() as it`;
  expect(did?.it).toEqual({ gone: 1 });
  const removals =
    await sql`select payload ->> 'path' as path from private.jobs where kind = 'remove_file' order by created_at`;
  expect(removals.map(({ path }) => path)).toEqual([pathOf(sent), pathOf(unsent)]);
  await ask(owner, 'remove_message_file($1)', [young]);
  await ask(owner, 'remove_message_file($1)', [young]);
  expect(
    await sql`select payload ->> 'path' as path from private.jobs where kind = 'remove_file'`,
  ).toHaveLength(3);
});

test('Who cannot write there announces nothing', async () => {
  await sql`select private.withdraw_coaching(${ids.alder}, null, 'over')`;
  expect(await refusalOf(begin(owner, crypto.randomUUID()))).toBe('55000 This coaching has ended.');
});

test('The files of somebody who goes go too, and a message that was nothing else', async () => {
  const direct = await talk.open(owner, 'direct', colleague.userId);
  const file = crypto.randomUUID();
  await ask(colleague, "begin_message_file($1, $2, 'a.webp', 'image/webp', 2000)", [file, direct]);
  await store(colleague, `${direct}/${file}`);
  await talk.say(colleague, direct, '', { files: [file] });
  await talk.say(colleague, direct, 'Words stay');
  await sql`select private.delete_account(${colleague.userId})`;
  expect(await talk.bodies(owner, direct)).toEqual([null, 'Words stay']);
  expect(
    await sql`select from private.jobs where kind = 'remove_file' and payload ->> 'path' = ${`${direct}/${file}`}`,
  ).toHaveLength(1);
});
