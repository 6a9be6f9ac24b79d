import { beforeEach, describe, expect, test } from 'vitest';
import {
  createAttempt,
  createNewcomer,
  openWorldForEach,
  pause,
  someoneWaits,
} from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids, quiz, ask, refusal } = world;
const { admin, owner, otherOwner, colleague, coach } = people;
const id = () => crypto.randomUUID();

/** Each of these has a row for a business that isn't there: it moves with one, or it stays. */
const FOLLOWS = [
  // By a foreign key with "on update cascade".
  'business_plan_versions',
  'business_worksheet_versions',
  'project_events',
  'project_files',
  'project_tasks',
  'project_updates',
];
const STAYS = [
  // Members are added to the other business, and still belong to the merged one.
  'business_members',
  // The record of it.
  'business_merges',
  // The nightly work makes it anew from what there is.
  'benchmark_businesses',
];

const merge = async (from = ids.birch, into = ids.alder): Promise<string> =>
  (await ask(admin, "merge_businesses($1, $2, 'the same shop')", [from, into])).id;
const undo = (merged: string) => ask(admin, "undo_merge($1, 'a mistake')", [merged]);

/** Tables with a business, by a column or a foreign key. */
const tablesOfBusinesses = async (): Promise<string[]> =>
  (
    await world.sql`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and (
        exists (
          select from pg_attribute a
          where a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
        ) or exists (
          select from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'f'
            and k.confrelid = 'public.businesses'::regclass
        )
      )
      order by 1`
  ).map(({ name }) => name as string);

/** Every row of those tables, of the businesses themselves, and of what hangs on a project. */
async function everything() {
  const tables = (await tablesOfBusinesses()).filter((name) => name !== 'business_merges');
  const rows: Record<string, unknown> = {};
  for (const table of [...tables, 'businesses', 'focus_areas', 'answers', 'area_scores']) {
    rows[table] = (
      await world.sql.unsafe(`select to_jsonb(t)::text as row from public.${table} t order by 1`)
    ).map(({ row }) => row);
  }
  return rows;
}

/** Something of each kind in Birch Cycles, and some of it in Alder Bakery too. */
async function fill() {
  const { sql } = world;
  const project = id();
  await ask(otherOwner, 'create_project($1, $2, $3)', [project, ids.birch, 'Bike racks']);
  await ask(otherOwner, "add_project_task($1, $2, 'Ask')", [id(), project]);
  await ask(otherOwner, "add_project_update($1, $2, 'Hello')", [id(), project]);
  await ask(otherOwner, "begin_project_file($1, $2, 'a.pdf', 'application/pdf', 9)", [
    id(),
    project,
  ]);
  await ask(otherOwner, 'add_snapshot($1, $2, $3, 4)', [id(), ids.birch, '2026-01-02']);
  await ask(owner, 'add_snapshot($1, $2, $3, 5)', [id(), ids.alder, '2026-01-02']);
  for (const [who, business, field] of [
    [otherOwner, ids.birch, 'offer'],
    [otherOwner, ids.birch, 'problem'],
    [owner, ids.alder, 'offer'],
  ] as const) {
    await ask(who, "save_plan_field($1, $2, 'Words', 0, $3)", [business, field, id()]);
  }
  for (const [who, business, kind] of [
    [otherOwner, ids.birch, 'price'],
    [otherOwner, ids.birch, 'break-even'],
    [owner, ids.alder, 'price'],
  ] as const) {
    await ask(who, 'save_worksheet($1, $2, $3, 0)', [business, kind, { cost: '12' }]);
  }
  for (const address of ['a@example.test', 'b@example.test']) {
    await ask(otherOwner, 'invite_member($1, $2, $3)', [id(), ids.birch, address]);
  }
  await ask(owner, 'invite_member($1, $2, $3)', [id(), ids.alder, 'a@example.test']);
  await sql`
    insert into public.tool_copies (id, business_id, item_version, title, body_markdown)
    values (${id()}, ${ids.birch}, 1, 'A plan', 'Words')`;
  // Someone in both, with an open quiz in both.
  await sql`
    insert into public.business_members (business_id, user_id, role)
    values (${ids.birch}, ${colleague.userId}, 'member')`;
  await createAttempt(sql, colleague, { quiz, business: ids.birch, submit: false });
  await sql`
    insert into public.benchmark_businesses (industry, stage, business_id, attempt_id)
    values ('retail', 'growing', ${ids.birch}, ${ids.birchResult})`;
  return project;
}

/** The only project. */
const projectOf = async (): Promise<string> =>
  (await world.sql`select id from public.projects`)[0]?.id;

const countOf = async (table: string, business: string): Promise<number> =>
  (await world.sql.unsafe(`select from public.${table} where business_id = '${business}'`)).length;

test('Every table with a business is handled, so a new one can’t be forgotten', async () => {
  const parts = await world.sql`select name from private.merge_parts()`;
  expect(await tablesOfBusinesses()).toEqual(
    [...parts.map(({ name }) => name), ...FOLLOWS, ...STAYS].toSorted(),
  );
  const cascading = await world.sql`
    select distinct k.conrelid::regclass::text as name from pg_constraint k
    where k.contype = 'f' and k.confupdtype = 'c'
      and k.conrelid::regclass::text = any (${FOLLOWS})
    order by 1`;
  expect(cascading.map(({ name }) => name)).toEqual(FOLLOWS);
});

describe('What’s refused', () => {
  test('without a reason, a business, or two of them', async () => {
    const call = (from: string, into: string, reason = 'the same') =>
      refusal(admin, 'merge_businesses($1, $2, $3)', [from, into, reason]);
    expect(await call(ids.birch, ids.alder, '')).toBe(
      '22023 Give a reason of 3 to 2,000 characters.',
    );
    expect(await call(ids.birch, id())).toBe('P0002 We can’t find this business.');
    expect(await call(ids.birch, ids.birch)).toBe('55000 A business can’t be merged with itself.');
    expect(await refusal(admin, "undo_merge($1, 'a test')", [id()])).toBe(
      'P0002 We can’t find this merge.',
    );
  });

  test('into an archived or merged one', async () => {
    await world.sql`update public.businesses set archived_at = now() where id = ${ids.alder}`;
    expect(await refusal(admin, "merge_businesses($1, $2, 'same')", [ids.birch, ids.alder])).toBe(
      '55000 Alder Bakery is archived. Restore it first.',
    );
    await ask(admin, "restore_businesses($1, 'open')", [[ids.alder]]);
    await merge();
    for (const pair of [
      [ids.birch, ids.cedar],
      [ids.cedar, ids.birch],
    ]) {
      expect(await refusal(admin, "merge_businesses($1, $2, 'same')", pair)).toBe(
        '55000 Birch Cycles was already merged into Alder Bakery.',
      );
    }
  });

  test('while one person has open coaching in both', async () => {
    const { sql } = world;
    await sql`
      insert into public.business_members (business_id, user_id, role)
      values (${ids.birch}, ${owner.userId}, 'member')`;
    await ask(owner, "request_coaching($1, $2, 'Please', '{}', true)", [id(), ids.birch]);
    const words =
      'Olive Owner has open coaching in both businesses. It has to end in one of them first.';
    expect(await refusal(admin, "merge_businesses($1, $2, 'same')", [ids.birch, ids.alder])).toBe(
      `55000 ${words}`,
    );
    const preview = await ask(admin, 'admin_merge_preview($1, $2)', [ids.birch, ids.alder]);
    expect(preview.blockers).toEqual([words]);
  });
});

describe('A merge', () => {
  beforeEach(async () => {
    await fill();
  });

  test('does what its preview said: rows move, and what the other has stays', async () => {
    const { parts, blockers } = await ask(admin, 'admin_merge_preview($1, $2)', [
      ids.birch,
      ids.alder,
    ]);
    expect(blockers).toEqual([]);
    expect(Object.fromEntries(parts.map((p: { name: string }) => [p.name, p]))).toMatchObject({
      attempts: { moves: 1, stays: 1 },
      business_invitations: { moves: 1, stays: 1 },
      business_plan_fields: { moves: 1, stays: 1 },
      business_snapshots: { moves: 1, stays: 0 },
      business_worksheets: { moves: 1, stays: 1 },
      engagements: { moves: 1, stays: 0 },
      projects: { moves: 1, stays: 0 },
      tool_copies: { moves: 1, stays: 0 },
      business_members: { moves: 1, stays: 1 },
    });
    await merge();
    for (const { name, stays } of parts) {
      if (name !== 'business_members')
        expect([name, await countOf(name, ids.birch)]).toEqual([name, stays]);
    }
    expect(await countOf('project_tasks', ids.alder)).toBe(1);
    expect(await countOf('business_members', ids.alder)).toBe(3);
    const roles = await world.sql`
      select role from public.business_members
      where business_id = ${ids.alder} and user_id = ${otherOwner.userId}`;
    expect(roles).toEqual([{ role: 'member' }]);
  });

  test('undone restores every row of every table, times included', async () => {
    const before = await everything();
    expect(Object.entries(before).filter(([, rows]) => (rows as []).length === 0)).toEqual([
      ['orders', []],
      ['focus_areas', []],
    ]);
    const merged = await merge();
    expect(await everything()).not.toEqual(before);
    await undo(merged);
    expect(await everything()).toEqual(before);
    // And once more: an undone merge leaves nothing in the way of another.
    await undo(await merge());
    expect(await everything()).toEqual(before);
    await undo(await merge(ids.alder, ids.birch));
    expect(await everything()).toEqual(before);
  });

  test('of two businesses into a third is undone in any order', async () => {
    const before = await everything();
    const [birch, cedar] = [await merge(), await merge(ids.cedar, ids.alder)];
    await undo(birch);
    await undo(cedar);
    expect(await everything()).toEqual(before);
  });

  test('keeps what was done since, and only what came with it goes back', async () => {
    const merged = await merge();
    const project = await projectOf();
    await ask(owner, "add_project_task($1, $2, 'Since then')", [id(), project]);
    await ask(owner, 'create_project($1, $2, $3)', [id(), ids.alder, 'A new one']);
    await undo(merged);
    expect(await countOf('project_tasks', ids.birch)).toBe(2);
    expect(await countOf('projects', ids.alder)).toBe(1);
  });

  test('lets everyone read what moved, files too, and leads them from the old page', async () => {
    const { sql } = world;
    await merge();
    const old = await ask(otherOwner, 'get_business($1)', [ids.birch]);
    expect(old).toMatchObject({ merged_into: { id: ids.alder, name: 'Alder Bakery' } });
    expect(old.archived_at).not.toBeNull();
    const [file] = await sql`select path, business_id from public.project_files`;
    expect(file).toMatchObject({
      path: expect.stringMatching(new RegExp(`^${ids.birch}/`)),
      business_id: ids.alder,
    });
    const folders = await world.as(coach)`select private.readable_file_folders() as folder`;
    expect(folders.map(({ folder }) => folder)).toContain(ids.birch);
    // A file that's added now stays with its project when the merge is undone.
    const project = await projectOf();
    const added = await ask(owner, "begin_project_file($1, $2, 'b.pdf', 'application/pdf', 9)", [
      id(),
      project,
    ]);
    expect(added.path).toMatch(new RegExp(`^${ids.birch}/`));
    expect(await refusal(otherOwner, 'unarchive_business($1)', [ids.birch])).toBe(
      '55000 Birch Cycles was merged into Alder Bakery. An admin has to undo that first.',
    );
    expect(await refusal(admin, "restore_businesses($1, 'a test')", [[ids.birch]])).toBe(
      '55000 Birch Cycles was merged into Alder Bakery. An admin has to undo that first.',
    );
  });

  test('keeps the files that moved when the merged one is erased, and removes them with the other', async () => {
    const { sql } = world;
    const [{ path } = {}] = await sql`select path from public.project_files`;
    await sql`insert into storage.objects (bucket_id, name) values ('project-files', ${path})`;
    const removed = () => sql`
      select payload ->> 'path' as path from private.jobs where kind = 'remove_file'`;
    await merge();
    await sql`select private.erase_business(${ids.birch})`;
    expect(await removed()).toEqual([]);
    await sql`select private.erase_business(${ids.alder})`;
    expect(await removed()).toEqual([{ path }]);
  });

  test('shows what moved only to those who belong to the business that’s kept', async () => {
    const { sql } = world;
    const folders = async () =>
      (
        await world.as(otherOwner)`
          select private.readable_file_folders() as folder
          union all select private.removable_file_folders()`
      ).map(({ folder }) => folder);
    const [{ path } = {}] = await sql`select path from public.project_files`;
    await sql`insert into storage.objects (bucket_id, name) values ('project-files', ${path})`;
    const filesOf = async () => (await ask(otherOwner, 'export_account()')).files;
    const merged = await merge();
    expect(await folders()).toContain(ids.birch);
    expect(await filesOf()).toHaveLength(1);
    await ask(owner, 'remove_member($1, $2)', [ids.alder, otherOwner.userId]);
    expect(await folders()).toEqual([]);
    expect(await filesOf()).toEqual([]);
    await undo(merged);
    expect(await folders()).toEqual([ids.birch, ids.birch]);
  });

  test('of a business with many members counts as one change', async () => {
    await world.sql`
      update private.write_limits set a_minute = 1, a_day = 1 where kind = 'memberships'`;
    const [one, two] = [await createNewcomer(world), await createNewcomer(world)];
    await world.sql`
      insert into public.business_members (business_id, user_id, role)
      values (${ids.birch}, ${one.userId}, 'member'), (${ids.birch}, ${two.userId}, 'member')`;
    await undo(await merge());
  });

  test('into one that nobody owns yet makes its owner the owner, until it’s undone', async () => {
    const rows = JSON.stringify([{ row: 1, email: 'z@client.test', business: 'From a list' }]);
    await ask(admin, `import_contacts('${rows}', 'list.csv', false)`);
    const [{ id: listed } = {}] =
      await world.sql`select id from public.businesses where name = 'From a list'`;
    const owners = () => world.sql`
      select user_id from public.business_members
      where business_id = ${listed} and role = 'owner'`;
    const merged = await merge(ids.birch, listed);
    expect(await owners()).toEqual([{ user_id: otherOwner.userId }]);
    await undo(merged);
    expect(await owners()).toEqual([]);
  });

  test('undone takes those along who have accepted one of its invitations since', async () => {
    const { sql } = world;
    const invited = await createNewcomer(world);
    await ask(otherOwner, 'invite_member($1, $2, $3)', [id(), ids.birch, invited.email]);
    const merged = await merge();
    const [{ id: invitation } = {}] = await sql`
      select id from public.business_invitations where address = ${invited.email}`;
    await ask(invited, 'accept_my_invitation($1)', [invitation]);
    await undo(merged);
    const belongs = await sql`
      select business_id, role from public.business_members where user_id = ${invited.userId}`;
    expect(belongs).toEqual([{ business_id: ids.birch, role: 'member' }]);
  });

  test('undone leaves no project with the coach of the other business', async () => {
    await ask(admin, "assign_coach($1, $2, 'near')", [
      ids.birchEngagement,
      people.otherCoach.userId,
    ]);
    const merged = await merge();
    const [project, talk] = [id(), id()];
    await ask(owner, 'create_project($1, $2, $3, p_engagement_id => $4)', [
      project,
      ids.alder,
      'A new one',
      ids.birchEngagement,
    ]);
    await ask(owner, 'open_conversation($1, $2, $3)', [talk, 'project', project]);
    const takesPart = () => world.sql`
      select from public.conversation_participants
      where conversation_id = ${talk} and user_id = ${people.otherCoach.userId}
        and left_at is null`;
    expect(await takesPart()).toHaveLength(1);
    await undo(merged);
    expect(await takesPart()).toHaveLength(0);
  });

  test('and deleting a member’s account wait for each other in turn, not in a circle', async () => {
    const { sql } = world;
    let merging: Promise<unknown> = Promise.resolve();
    const deleting = sql.begin(async (tx) => {
      await tx`select private.delete_account(${otherOwner.userId})`;
      merging = merge();
      await someoneWaits(sql);
    });
    await deleting;
    await merging;
    // The other way round: the deletion waits before it holds anything that the merge needs.
    const held = await pause(sql, admin, async (tx) => {
      await tx`reset role`;
      await tx`select private.one_at_a_time('business', ${ids.alder})`;
    });
    const gone = sql`select private.delete_account(${owner.userId})`.execute();
    await someoneWaits(sql);
    await sql`
      select from public.engagements where id = ${ids.alderEngagement} for update nowait`;
    await held.finish();
    await gone;
  });

  test('tells the members, and is in the log with both businesses', async () => {
    const merged = await merge();
    const mails = await world.sql`
      select to_address from private.mails where data::text like '%is now part of Alder Bakery%'`;
    expect(mails.map(({ to_address }) => to_address).toSorted()).toEqual(
      [owner.email, otherOwner.email, colleague.email].toSorted(),
    );
    await undo(merged);
    const log = await world.sql`
      select action, entity_id, reason, details from public.audit_log
      where action in ('business.merge', 'business.unmerge') order by id`;
    const both = { entity_id: ids.birch, details: { business_id: ids.alder, merge_id: merged } };
    expect(log).toMatchObject([
      { action: 'business.merge', reason: 'the same shop', ...both },
      { action: 'business.unmerge', reason: 'a mistake', ...both },
    ]);
  });
});

describe('Undoing is refused', () => {
  const undoing = (merged: string) => refusal(admin, "undo_merge($1, 'a test')", [merged]);

  test('twice, or after 30 days', async () => {
    const merged = await merge();
    await world.sql`update public.business_merges set merged_at = now() - interval '31 days'`;
    expect(await undoing(merged)).toBe(
      '55000 A merge can be undone for 30 days, and this one is older.',
    );
    await world.sql`update public.business_merges set merged_at = now()`;
    await undo(merged);
    expect(await undoing(merged)).toBe('55000 This merge was already undone.');
  });

  test('while the other business is merged into a third one', async () => {
    const first = await merge();
    await merge(ids.alder, ids.cedar);
    expect(await undoing(first)).toBe(
      '55000 Alder Bakery was merged into Cedar Care since then. Undo that first.',
    );
    const page = await ask(admin, 'admin_business($1)', [ids.birch]);
    expect(page.merges).toMatchObject([
      { blocker: 'Alder Bakery was merged into Cedar Care since then. Undo that first.' },
    ]);
  });

  test('while someone who came with it owns the other business', async () => {
    const merged = await merge();
    await ask(owner, 'hand_over_business($1, $2)', [ids.alder, otherOwner.userId]);
    expect(await undoing(merged)).toBe(
      '55000 Otto Other owns the other business now. They have to hand it over first.',
    );
  });

  test('once nobody belongs to the merged business', async () => {
    const merged = await merge();
    await world.sql`delete from public.business_members where business_id = ${ids.birch}`;
    expect(await undoing(merged)).toBe('55000 Nobody belongs to the merged business anymore.');
  });
});
