import { expect, test } from 'vitest';
import { dayText, timeText } from '#lib/locale/dates.ts';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { expectCallers, OWES_CODE, openWorldForEach, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids } = world;
const { owner, colleague, otherOwner, ownerWithoutCode, coach, otherCoach, admin } = people;

const now = () => Math.floor(Date.now() / 1000);
const fresh = <P extends Person>(who: P): P => ({ ...who, provedAt: now() });

const ask = async (who: Person, text: string) =>
  (await asPerson(world.sql, who, (tx) => tx.unsafe(`select ${text} as it`)))[0]?.it;

/** Requests a person's deletion, and lets the 30 days pass. */
async function goes(who: Person): Promise<void> {
  await ask(fresh(who), 'request_account_deletion()');
  await world.sql`
    update public.account_deletions
    set requested_at = now() - interval '30 days', due_at = now() - interval '1 second'
    where user_id = ${who.userId ?? null}`;
  await world.sql`select private.delete_due_accounts()`;
}

const mailsTo = async (who: Person) =>
  (
    await world.sql`
      select data ->> 'subject' as subject from private.mails
      where to_address = ${who.email ?? ''} order by created_at, id`
  ).map(({ subject }) => subject);

const exists = async (who: Person) =>
  (await world.sql`select from auth.users where id = ${who.userId ?? null}`).count === 1;

test('A session that was not proved within ten minutes is refused', async () => {
  const unproved = '42501 Confirm it’s you.';
  await expectCallers(world, 'request_account_deletion()', unproved, {});
  const stale = { ...owner, provedAt: now() - 660 };
  expect(await world.refusal(stale, 'request_account_deletion()')).toBe(unproved);
  expect(await world.refusal(fresh(ownerWithoutCode), 'request_account_deletion()')).toBe(
    OWES_CODE,
  );
});

test('The last admin stays, also when all others are about to go', async () => {
  const { sql } = world;
  const lastAdmin = '55000 You’re the last admin. Make someone else an admin first.';
  expect(await world.refusal(fresh(admin), 'request_account_deletion()')).toBe(lastAdmin);
  await ask(admin, `set_staff_role('${colleague.userId}', 'admin', 'second one')`);
  await ask(fresh(colleague), 'request_account_deletion()');
  expect(await world.refusal(fresh(admin), 'request_account_deletion()')).toBe(lastAdmin);
  // The other admin has lost the role since, so this one is now the last.
  await sql`update public.account_deletions set requested_at = now() - interval '31 days', due_at = now() - interval '1 day'`;
  await sql`delete from public.staff_roles where user_id = ${admin.userId}`;
  const [row] = await sql`select private.delete_due_accounts() as it`;
  expect(row?.it).toEqual({ deleted: 0, reminded: 0 });
  expect(await exists(colleague)).toBe(true);
  expect(await mailsTo(colleague)).toContain('We didn’t delete your account');
});

test('Somebody asks, is told when, keeps working, and keeps the account after all', async () => {
  const { deletion_due_at: due } = await ask(fresh(owner), 'request_account_deletion()');
  expect((Date.parse(due) - Date.now()) / 86_400_000).toBeCloseTo(30, 2);
  // Requesting it again changes nothing and sends no email.
  expect(await ask(fresh(owner), 'request_account_deletion()')).toEqual({ deletion_due_at: due });
  expect(await mailsTo(owner)).toHaveLength(1);
  expect(await ask(owner, 'session_context()')).toMatchObject({
    full_name: 'Olive Owner',
    deletion_due_at: due,
  });
  await world.sql`select private.delete_due_accounts()`;
  expect(await exists(owner)).toBe(true);

  expect(await ask(owner, 'keep_account()')).toEqual({ deletion_due_at: null });
  await ask(owner, 'keep_account()');
  expect(await mailsTo(owner)).toEqual([
    expect.stringMatching(/delete your account on/),
    'You’re keeping your account',
  ]);
  expect(await ask(owner, 'session_context()')).toMatchObject({ deletion_due_at: null });
});

test('A week before, one mail reminds', async () => {
  await ask(fresh(otherOwner), 'request_account_deletion()');
  await world.sql`update public.account_deletions set due_at = now() + interval '6 days'`;
  await world.sql`select private.delete_due_accounts()`;
  await world.sql`select private.delete_due_accounts()`;
  expect(await mailsTo(otherOwner)).toEqual([
    expect.stringMatching(/delete your account on/),
    expect.stringMatching(/^One week left/),
  ]);
});

test('An email about a deletion has the day and time of its reader’s time zone, which it names', async () => {
  const { sql } = world;
  const mail = async (due: string, zone: string | null) => {
    await sql`update public.profiles set time_zone = ${zone} where user_id = ${owner.userId}`;
    const [row] = await sql`
      select private.day_words(${due}::timestamptz, ${owner.userId}) as day,
        private.time_words(${due}::timestamptz, ${owner.userId}) as time`;
    return `${row?.day}, ${row?.time}`;
  };
  const due = '2026-12-22T02:05:00Z';
  expect(await mail(due, 'America/Denver')).toBe('December 21, 2026, 7:05 PM MST');
  expect(await mail('2026-07-02T02:05:00Z', 'America/Denver')).toBe('July 1, 2026, 8:05 PM MDT');
  expect(await mail(due, 'Asia/Kolkata')).toBe('December 22, 2026, 7:35 AM IST');
  expect(await mail(due, 'Asia/Kathmandu')).toBe('December 22, 2026, 7:50 AM GMT+5:45');
  expect(await mail(due, 'Pacific/Apia')).toBe('December 22, 2026, 3:05 PM GMT+13');
  expect(await mail(due, 'Pacific/Marquesas')).toBe('December 21, 2026, 4:35 PM GMT-9:30');
  expect(await mail(due, null)).toBe('December 22, 2026, 2:05 AM UTC');
  const [row] = await sql`select current_setting('timezone') as zone`;
  expect(row?.zone).toBe('UTC');
});

test.each(['Pacific/Apia', 'Pacific/Pago_Pago'])(
  'An email about a deletion has the day and time of %s',
  async (zone) => {
    const { sql } = world;
    await sql`update public.profiles set time_zone = ${zone} where user_id = ${owner.userId}`;
    const { deletion_due_at } = await ask(fresh(owner), 'request_account_deletion()');
    await sql`
    update public.account_deletions set due_at = ${deletion_due_at}::timestamptz - interval '25 days'`;
    await sql`select private.delete_due_accounts()`;
    const early = new Date(Date.parse(deletion_due_at) - 25 * 86_400_000).toISOString();
    const [first, reminder] = await sql`
    select data ->> 'subject' as subject, data -> 'paragraphs' ->> 0 as words
    from private.mails where to_address = ${owner.email} order by created_at, id`;
    expect(first?.subject).toBe(`We’ll delete your account on ${dayText(deletion_due_at, zone)}`);
    expect(reminder?.subject).toBe(
      `One week left: we’ll delete your account on ${dayText(early, zone)}`,
    );
    const at = timeText(early, zone);
    for (const mail of [first, reminder]) {
      expect(mail?.words).toContain(`${at} ${zone === 'Pacific/Apia' ? 'GMT+13' : 'SST'}`);
    }
  },
);

test('A business with others passes on, with everything in it', async () => {
  const { sql } = world;
  await goes(owner);
  expect(await exists(owner)).toBe(false);
  expect(
    await sql`select user_id, role from public.business_members where business_id = ${ids.alder}`,
  ).toEqual([{ user_id: colleague.userId, role: 'owner' }]);
  expect(
    await sql`select name, archived_at from public.businesses where id = ${ids.alder}`,
  ).toEqual([{ name: 'Alder Bakery', archived_at: null }]);
  expect(await mailsTo(colleague)).toContain('You’re now the owner of Alder Bakery');
});

test('Attempts stay for statistics and no longer lead to anybody', async () => {
  const { sql } = world;
  const scores = () =>
    sql`select * from public.area_scores where attempt_id = ${ids.alderResult} order by area_key`;
  const before = await scores();
  const counts = () =>
    sql`select key from public.rate_limits where key like ${`%${owner.userId}%`}`;
  await ask(owner, 'save_notification_settings(true)');
  expect(await counts()).not.toEqual([]);
  await goes(owner);
  expect(await counts()).toEqual([]);
  expect(await scores()).toEqual(before);
  expect(
    await sql`select user_id, state from public.attempts where id = ${ids.alderResult}`,
  ).toEqual([{ user_id: null, state: 'submitted' }]);
  const found = await sql`
    select c.relname as name from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r'
      and c.relname not in ('audit_log')
      and (xpath('//it/text()', query_to_xml(format(
        'select count(*) as it from %s t where to_jsonb(t)::text ~* %L', c.oid::regclass, ${`\\m${owner.email}`}::text
      ), false, true, '')))[1]::text::int > 0`;
  // Only the last email still has the address, for 30 days.
  expect(found.map(({ name }) => name)).toEqual(['jobs']);
  expect(await mailsTo(owner)).toEqual(['We’ve deleted your account']);
});

test('A business made under the id of a conversation or a person takes no file of theirs along', async () => {
  const { sql } = world;
  const talk = crypto.randomUUID();
  await ask(owner, `open_conversation('${talk}', 'direct', '${colleague.userId}')`);
  for (const id of [talk, owner.userId]) {
    await ask(otherOwner, `create_business('${id}', 'Under another name')`);
    for (const bucket of ['message-files', 'avatars']) {
      await ask(otherOwner, `save_worksheet('${ids.birch}', 'price', '{"cost": "12"}', 0)`);
      await sql`insert into storage.objects (bucket_id, name) values (${bucket}, ${`${id}/theirs`})`;
    }
  }
  await goes(otherOwner);
  expect(await exists(otherOwner)).toBe(false);
  expect(
    await sql`select payload ->> 'path' as path from private.jobs where kind = 'remove_file'`,
  ).toEqual([]);
});

test('A business that nobody else belongs to is emptied, its files included', async () => {
  const { sql } = world;
  const project = crypto.randomUUID();
  const file = `${ids.birch}/${project}/${crypto.randomUUID()}`;
  await ask(otherOwner, `create_project('${project}', '${ids.birch}', 'Sell the red tandem')`);
  await ask(otherOwner, `add_project_update(gen_random_uuid(), '${project}', 'Called Ann.')`);
  await ask(otherOwner, `save_plan_field('${ids.birch}', 'offer', 'Bikes', 0, gen_random_uuid())`);
  await sql`insert into storage.objects (id, bucket_id, name) values (gen_random_uuid(), 'project-files', ${file})`;
  await sql`update public.businesses set industry = 'Retail', phone = '505 555 0100' where id = ${ids.birch}`;
  await goes(otherOwner);
  expect(await exists(otherOwner)).toBe(false);
  const left = await sql`select * from public.businesses where id = ${ids.birch}`;
  expect(left).toMatchObject([
    { name: 'A deleted business', phone: null, industry: 'Retail', created_by: null },
  ]);
  expect(left[0]?.archived_at).not.toBeNull();
  for (const table of [
    'projects',
    'project_updates',
    'project_events',
    'business_plan_fields',
    'business_plan_versions',
    'business_worksheets',
    'business_worksheet_versions',
    'business_members',
  ]) {
    const { count } = await sql`select from public.${sql(table)} where business_id = ${ids.birch}`;
    expect(count, table).toBe(0);
  }
  expect(
    await sql`select payload ->> 'bucket' as bucket_id, payload ->> 'path' as path from private.jobs where kind = 'remove_file'`,
  ).toEqual([{ bucket_id: 'project-files', path: file }]);
  expect(
    await sql`select state, note, owner_id from public.engagements where id = ${ids.birchEngagement}`,
  ).toEqual([{ state: 'withdrawn', note: null, owner_id: null }]);
});

test('What is never removed is still never removed otherwise', async () => {
  const { sql } = world;
  const project = crypto.randomUUID();
  await ask(owner, `create_project('${project}', '${ids.alder}', 'Stays')`);
  await ask(owner, `add_project_update(gen_random_uuid(), '${project}', 'Stays too.')`);
  await ask(owner, `add_snapshot(gen_random_uuid(), '${ids.alder}', current_date, 2)`);
  for (const [table, words] of [
    ['project_updates', 'never changed or removed'],
    ['project_events', 'never changed or removed'],
    ['projects', 'canceled, never removed'],
    ['business_snapshots', 'can’t be changed or removed'],
  ] as const) {
    expect(await refusalOf(sql`delete from public.${sql(table)}`), table).toContain(words);
  }
});

test('The clients of a coach who goes are looking for one again, with nothing shared', async () => {
  const { sql } = world;
  await goes(coach);
  expect(
    await sql`
      select state, coach_id, results_shared, due_what from public.engagements
      where id = ${ids.alderEngagement}`,
  ).toEqual([{ state: 'requested', coach_id: null, results_shared: false, due_what: 'assign' }]);
  expect(await mailsTo(owner)).toContain('Carla Coach can’t coach you anymore');
  await ask(admin, `assign_coach('${ids.alderEngagement}', '${otherCoach.userId}', 'takes over')`);
});

test('Whoever is deleted loses every session at once, and may register again', async () => {
  const { sql } = world;
  const sessionId = crypto.randomUUID();
  await sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${colleague.userId})`;
  await goes({ ...colleague, sessionId });
  expect(await ask({ ...colleague, sessionId }, 'session_context()')).toBeNull();
  expect(await ask(colleague, 'session_context()')).toBeNull();
});

test('Every reference to an account lets it go', async () => {
  const holding = await world.sql`
    select k.conrelid::regclass::text as name, k.conname from pg_constraint k
    where k.contype = 'f' and k.confrelid = 'auth.users'::regclass
      and k.connamespace = 'public'::regnamespace and k.confdeltype not in ('c', 'n')`;
  expect(holding).toEqual([]);
});
