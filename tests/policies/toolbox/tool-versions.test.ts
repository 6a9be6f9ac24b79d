/** Tools as admins write them: what was published never changes, and who sees what. */
import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { openWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';
import { publishChange } from '../../fixtures/tools.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, owner } = people;

const idOf = async (slug: string): Promise<string> =>
  (await sql`select id from public.toolbox_items where slug = ${slug}`)[0]?.id;

/** The published version of a tool. */
const versionOf = async (slug: string): Promise<number> =>
  (await sql`select version from public.toolbox_items where slug = ${slug}`)[0]?.version;

/** A draft of the next version of a tool. */
async function draftOf(slug: string) {
  const { draft } = await ask(admin, 'edit_tool($1)', [await idOf(slug)]);
  return draft;
}
const save = (draft: { id: string }, revision: number, content: object) =>
  ask(admin, 'save_tool_draft($1, $2, $3)', [draft.id, revision, content]);

test('Nobody reads or writes versions and drafts directly, admins neither', async () => {
  const refused = await whoMay(world, (tx) => tx`select from public.toolbox_versions`);
  for (const [name, answer] of Object.entries(refused)) {
    expect(answer, name).toBe('42501 permission denied for table toolbox_versions');
  }
  const writes = [
    "update public.toolbox_items set title = 'Mine'",
    "update public.toolbox_versions set title = 'Mine'",
    'delete from public.toolbox_items',
    'delete from public.toolbox_versions',
    'insert into public.toolbox_versions (item_id, type, area_key, levels) select id, type, area_key, levels from public.toolbox_items',
  ];
  for (const who of [admin, owner] satisfies Person[]) {
    for (const write of writes) {
      expect(await refusalOf(asPerson(sql, who, (tx) => tx.unsafe(write))), write).toMatch(
        /^42501/,
      );
    }
  }
});

test('What was published is changed by nobody, not even in SQL', async () => {
  const id = await idOf('break-even');
  const first = await versionOf('break-even');
  await publishChange(world, 'break-even', { summary: 'A second summary.' });
  for (const write of [
    sql`update public.toolbox_versions set title = 'Mine' where item_id = ${id}`,
    sql`update public.toolbox_versions set body_markdown = '' where item_id = ${id} and version = ${first}`,
    sql`update public.toolbox_versions set published_at = null, version = null where item_id = ${id} and version = ${first}`,
    sql`delete from public.toolbox_versions where item_id = ${id} and version = ${first}`,
    sql`update public.toolbox_items set title = 'Mine' where id = ${id}`,
    sql`update public.toolbox_items set practice = null where id = ${id}`,
    sql`update public.toolbox_items set version = ${first} where id = ${id}`,
    sql`update public.toolbox_items set version = 7 where id = ${id}`,
    sql`update public.toolbox_items set slug = 'mine' where id = ${id}`,
    sql`update public.toolbox_items set state = 'draft' where id = ${id}`,
  ]) {
    expect(await refusalOf(write)).toMatch(/^55000/);
  }
  // Who published it is forgotten with their account, and a review changes nothing that people read.
  await sql`update public.toolbox_versions set published_by = null where item_id = ${id}`;
  await sql`update public.toolbox_items set reviewed_on = current_date where id = ${id}`;
});

test('A tool becomes public with its first version, under an address of its own', async () => {
  const item = crypto.randomUUID();
  const { draft } = await ask(admin, "create_tool($1, 'operations-workflows.steps-documented')", [
    item,
  ]);
  expect(draft).toMatchObject({ practice: 'operations-workflows.steps-documented', revision: 1 });
  expect(await ask(owner, "get_tool('draft-' || $1::text)", [item])).toBeNull();
  const publish = (revision: number) =>
    refusal(admin, 'publish_tool($1, $2)', [draft.id, revision]);
  const content = {
    ...draft,
    title: '  A  tool ',
    summary: 'A sum.',
    format: 'Table',
    slug: 'break-even',
    body_markdown: 'Words.',
  };
  expect(await publish(1)).toBe('22023 Write a title.');
  expect(await save(draft, 1, content)).toMatchObject({
    saved: true,
    draft: { title: 'A tool', revision: 2 },
  });
  // Sent again, it's saved; based on what others have changed, it isn't.
  expect(await save(draft, 1, content)).toMatchObject({ saved: true, draft: { revision: 2 } });
  expect(await save(draft, 1, { ...content, title: 'Other' })).toMatchObject({ saved: false });
  expect(await publish(1)).toMatch(/^55000 Someone changed this draft/);
  expect(await publish(2)).toBe('22023 Another tool has this address. Choose another one.');
  await save(draft, 2, { ...content, slug: 'Not/this' });
  expect(await publish(3)).toMatch(/^22023 Use lowercase letters/);
  await save(draft, 3, { ...content, slug: 'current' });
  expect(await publish(4)).toMatch(/^22023 Another tool/);
  await save(draft, 4, { ...content, slug: '' });
  const published = await ask(admin, 'publish_tool($1, 5)', [draft.id]);
  expect(published).toMatchObject({ slug: 'a-tool', state: 'published', version: 1, draft: null });
  // Pressed twice, and typed on.
  expect(await ask(admin, 'publish_tool($1, 5)', [draft.id])).toMatchObject({ version: 1 });
  expect(await refusalOf(save(draft, 5, { ...content, title: 'Later' }))).toMatch(/^55000/);
  expect(await ask(owner, "get_tool('a-tool')")).toMatchObject({ title: 'A tool', change: null });
  expect(await ask(people.visitor, "get_public_tool('a-tool')")).toMatchObject({ title: 'A tool' });
  expect(await ask(people.visitor, "is_tool_as_built('a-tool')")).toBe(false);
});

test('The next version takes the place of the one before, and copies keep theirs', async () => {
  const copy = crypto.randomUUID();
  const first = await versionOf('role-sheet');
  await ask(owner, "copy_tool($1, 'role-sheet', $2)", [copy, ids.alder]);
  expect(await ask(people.visitor, "is_tool_as_built('role-sheet')")).toBe(true);
  const draft = await draftOf('role-sheet');
  // Asked for twice, there's one.
  expect(await draftOf('role-sheet')).toMatchObject({ id: draft.id });
  const id = await idOf('role-sheet');
  expect(await refusal(admin, 'edit_tool($1, $2)', [id, first])).toMatch(/^55000 There’s a draft/);
  expect(await refusal(admin, "publish_tool($1, 1, 'Nothing')", [draft.id])).toMatch(
    /^55000 Nothing/,
  );
  await save(draft, 1, { ...draft, title: 'Roles in a page' });
  expect((await ask(owner, "get_tool('role-sheet')")).title).not.toBe('Roles in a page');
  expect(await refusal(admin, 'publish_tool($1, 2)', [draft.id])).toMatch(
    /^22023 Say in a sentence/,
  );
  await ask(admin, "publish_tool($1, 2, 'One page instead of two.')", [draft.id]);
  expect(await ask(owner, "get_tool('role-sheet')")).toMatchObject({
    title: 'Roles in a page',
    version: first + 1,
    change: 'One page instead of two.',
  });
  expect(await ask(people.visitor, "is_tool_as_built('role-sheet')")).toBe(false);
  expect(await ask(people.visitor, 'is_tool_as_built()')).toBe(false);
  const kept = await ask(owner, 'get_tool_copy($1)', [copy]);
  expect(kept.title).not.toBe('Roles in a page');
  expect(kept.item).toMatchObject({
    version: first + 1,
    copied_version: first,
    changes: [{ version: first + 1, change: 'One page instead of two.' }],
  });

  // An earlier one comes back as a draft.
  const { draft: back } = await ask(admin, 'edit_tool($1, $2)', [id, first]);
  expect(back).toMatchObject({ title: kept.title, based_on: first });
  await ask(admin, 'remove_tool_draft($1)', [back.id]);
  expect(await refusal(admin, 'remove_tool_draft($1)', [draft.id])).toMatch(/^55000 Only drafts/);
  expect(await ask(admin, 'admin_tool_version($1, $2)', [id, first])).toMatchObject({
    title: kept.title,
  });
});

test('A deleted draft takes a tool with it that was never published, and no other', async () => {
  const item = crypto.randomUUID();
  const { draft } = await ask(admin, 'create_tool($1)', [item]);
  await ask(admin, 'create_tool($1)', [item]);
  expect(await ask(admin, 'remove_tool_draft($1)', [draft.id])).toBeNull();
  expect(await sql`select from public.toolbox_items where id = ${item}`).toEqual([]);
  const next = await draftOf('price-check').catch(() => draftOf('cash-forecast'));
  expect(await ask(admin, 'remove_tool_draft($1)', [next.id])).toMatchObject({
    state: 'published',
  });
});

test('An archived tool can’t be edited, and comes back as it was', async () => {
  const id = await idOf('cash-forecast');
  const version = await versionOf('cash-forecast');
  expect(await refusal(admin, "archive_tool($1, '')", [id])).toMatch(/^22023 Give a reason/);
  const draft = await draftOf('cash-forecast');
  await save(draft, 1, { ...draft, title: 'Another' });
  await ask(admin, "archive_tool($1, 'Out of date')", [id]);
  expect(await ask(people.visitor, "get_public_tool('cash-forecast')")).toBeNull();
  expect(await ask(people.visitor, "is_tool_as_built('cash-forecast')")).toBe(false);
  expect(await refusal(admin, 'edit_tool($1)', [id])).toMatch(/^55000/);
  expect(await refusal(admin, "publish_tool($1, 2, 'No')", [draft.id])).toMatch(/^55000/);
  expect(await refusal(admin, 'review_tool($1)', [id])).toMatch(/^55000/);
  expect(await ask(admin, 'restore_tool($1)', [id])).toMatchObject({
    state: 'published',
    archived_reason: null,
    version,
  });
});

test('A review moves the day of the next one, by months that are chosen for each tool', async () => {
  const id = await idOf('website-check');
  await sql`update public.toolbox_items set reviewed_on = current_date - 400 where id = ${id}`;
  const overdue = async () =>
    (await ask(admin, `admin_tools('{"review": "due"}')`)).rows.map(
      ({ slug }: { slug: string }) => slug,
    );
  expect(await overdue()).toContain('website-check');
  await ask(admin, 'set_tool_review($1, 24)', [id]);
  expect(await overdue()).not.toContain('website-check');
  await ask(admin, 'set_tool_review($1, 1)', [id]);
  await ask(admin, "review_tool($1, 'Nothing to change')", [id]);
  expect(await overdue()).not.toContain('website-check');
  expect(await refusal(admin, 'set_tool_review($1, 0)', [id])).toMatch(/^22023/);
  const [entry] = await sql`
    select reason from public.audit_log where action = 'tool.review' order by id desc limit 1`;
  expect(entry?.reason).toBe('Nothing to change');
});

test('A practice without a published tool is named', async () => {
  const missing = async () =>
    (await ask(admin, "admin_tools('{}')")).choices.missing.map(
      ({ value }: { value: string }) => value,
    );
  expect(await missing()).toEqual([]);
  await ask(admin, "archive_tool($1, 'a test')", [await idOf('website-check')]);
  const [item] = await sql`select practice from public.toolbox_items where slug = 'website-check'`;
  expect(await missing()).toEqual([item?.practice]);
});
