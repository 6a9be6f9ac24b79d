import { expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { everyone, expectCallers, openWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';
import { type Said, talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, colleague, coach, otherCoach, admin } = people;
const { talk, direct } = await talksIn(world);
await talk.say(owner, direct, 'Good morning');
const bad = await talk.say(colleague, direct, 'Something hateful');
const report = crypto.randomUUID();

const noAdmin = '42501 Only an admin can do this.';
const tell = (who: Person, id: string, message: string, reason = 'abuse', note = 'Look at this') =>
  ask(who, 'report_message($1, $2, $3, $4)', [id, message, reason, note]);
const logged = () => sql`
  select action, reason, actor_id, entity_id from public.audit_log
  where entity = 'message_report' and action <> 'message_report.list' order by id`;

test('No API role reads or writes the table', async () => {
  const denied = '42501 permission denied for table message_reports';
  expect(await whoMay(world, (sql) => sql`select 1 from public.message_reports`)).toEqual(
    everyone(denied),
  );
});

test('Only a reader reports a message, and nobody their own', async () => {
  await expectCallers(
    world,
    `report_message(gen_random_uuid(), '${bad.id}', 'spam')`,
    'P0002 We can’t find this message.',
    { owner: 1, colleague: '55000 This is your own message. You can delete it.' },
  );
  expect(await refusalOf(tell(owner, report, bad.id, 'boring'))).toBe(
    '22023 Tell us what’s wrong with it.',
  );
  expect(await refusalOf(tell(owner, report, bad.id, 'spam', 'x'.repeat(1001)))).toBe(
    '22023 Keep it to 1,000 characters.',
  );
});

test('Reported twice it is one report', async () => {
  expect(await tell(owner, report, bad.id)).toEqual({ id: report, state: 'open' });
  expect(await tell(owner, report, bad.id)).toEqual({ id: report, state: 'open' });
  expect(await tell(owner, crypto.randomUUID(), bad.id)).toEqual({ id: report, state: 'open' });
  expect(await sql`select from public.message_reports`).toHaveLength(1);
});

test.each([
  'admin_message_reports()',
  `get_reported_conversation('${report}')`,
  `settle_message_report('${report}', 'dismissed', 'looked')`,
])('Only admins call %s', (call) => expectCallers(world, call, noAdmin, { admin: 1 }));

test('Without a report an admin reads no conversation', async () => {
  expect(await talk.bodies(admin, direct)).toBeNull();
  expect(await refusal(admin, 'get_reported_conversation($1)', [crypto.randomUUID()])).toBe(
    'P0002 We can’t find this report.',
  );
});

test('The list says who and why and not what; reading it is written down', async () => {
  const list = await ask(admin, 'admin_message_reports()');
  expect(list).toMatchObject({
    open: 1,
    more: false,
    reports: [
      {
        id: report,
        reason: 'abuse',
        note: 'Look at this',
        kind: 'direct',
        reporter: { id: owner.userId, name: 'Olive Owner' },
        author: { id: colleague.userId, name: 'Cole League' },
      },
    ],
  });
  expect(JSON.stringify(list)).not.toContain('hateful');
  expect(await logged()).toEqual([]);
  const read = await ask(admin, 'get_reported_conversation($1)', [report]);
  expect(read.messages.map(({ body }: Said) => body)).toEqual([
    'Good morning',
    'Something hateful',
  ]);
  expect(read.report.said).toBe('Something hateful');
  expect(await logged()).toMatchObject([
    { action: 'message_report.read', actor_id: admin.userId, entity_id: report },
  ]);
});

test('A removal by its author in the meantime hides nothing from the admins', async () => {
  const other = await talk.say(colleague, direct, 'Worse');
  const id = crypto.randomUUID();
  await tell(owner, id, other.id);
  await ask(colleague, 'remove_message($1)', [other.id]);
  const read = await ask(admin, 'get_reported_conversation($1)', [id]);
  expect(read.report.said).toBe('Worse');
  expect(read.messages.at(-1).body).toBeNull();
  await ask(admin, 'settle_message_report($1, $2, $3)', [id, 'removed', 'It was gone']);
});

test('A message that does not belong is removed for all, and both are told', async () => {
  const settle = (outcome: string | null, reason = 'Against the rules') =>
    ask(admin, 'settle_message_report($1, $2, $3)', [report, outcome, reason]);
  expect(await refusalOf(settle(null))).toBe('22023 Dismiss the report, or remove the message.');
  expect(await refusalOf(settle('removed', ''))).toMatch(/^22023 Give a reason/);
  expect(await settle('removed')).toMatchObject({ state: 'settled', outcome: 'removed' });
  expect(await settle('removed')).toMatchObject({ state: 'settled' });
  expect(await refusalOf(settle('dismissed'))).toBe('55000 This report has already been resolved.');
  expect((await talk.bodies(owner, direct))?.slice(0, 2)).toEqual(['Good morning', null]);
  const mails = await sql`
    select to_address, data ->> 'subject' as subject from private.mails
    where template = 'notice' order by created_at, subject`;
  expect(mails).toContainEqual({
    to_address: colleague.email,
    subject: 'We removed one of your messages',
  });
  expect(mails).toContainEqual({
    to_address: owner.email,
    subject: 'We looked at the message you reported',
  });
  expect((await logged()).at(-1)).toMatchObject({
    action: 'message_report.settle',
    reason: 'Against the rules',
  });
  expect(await ask(admin, 'admin_message_reports()')).toMatchObject({ reports: [], open: 0 });
  expect((await ask(admin, "admin_message_reports('settled')")).reports).toHaveLength(2);
});

test('Nobody dismisses a report of their own words while another admin can look at it', async () => {
  const thread = await talk.open(owner, 'support');
  const rude = await talk.say(admin, thread, 'Read the manual');
  const id = crypto.randomUUID();
  await tell(owner, id, rude.id);
  const dismiss = () =>
    ask(admin, 'settle_message_report($1, $2, $3)', [id, 'dismissed', 'It was a joke']);
  const role = (name: string | null) =>
    ask(admin, 'set_staff_role($1, $2, $3)', [otherCoach.userId, name, 'for this test']);
  await role('admin');
  expect(await refusalOf(dismiss())).toBe(
    '42501 You wrote this message, so another admin has to decide.',
  );
  // If there's no other admin, this one may decide.
  await role('coach');
  expect(await dismiss()).toMatchObject({ outcome: 'dismissed' });
});

test('A settled report shows nothing that was said after it was settled', async () => {
  await talk.say(owner, direct, 'Between the two of us again');
  for (const before of [null, 1000]) {
    const read = await ask(admin, 'get_reported_conversation($1, $2)', [report, before]);
    expect(JSON.stringify(read)).not.toContain('Between the two of us');
    expect(read.messages.length).toBeGreaterThan(0);
  }
});

test('A report shows nothing that was said after its reporter had left', async () => {
  const talkOf = await talk.open(owner, 'engagement', ids.alderEngagement);
  const said = await talk.say(owner, talkOf, 'Reported by the coach');
  const id = crypto.randomUUID();
  await tell(coach, id, said.id);
  await ask(admin, 'assign_coach($1, $2, $3)', [
    ids.alderEngagement,
    otherCoach.userId,
    'takes over',
  ]);
  await talk.say(owner, talkOf, 'To the new coach');
  const read = await ask(admin, 'get_reported_conversation($1, 1000)', [id]);
  expect(read.messages.map(({ body }: Said) => body)).toEqual(['Reported by the coach']);
});

test('What is settled is forgotten after half a year', async () => {
  await sql`
    update public.message_reports set settled_at = now() - interval '181 days'
    where id = ${report}`;
  const [did] = await sql`select private.delete_old_message_reports()::int as gone`;
  expect(did?.gone).toBe(1);
});

test('The admins hear of reports by mail, once an hour at most, without what was said', async () => {
  await sql`delete from public.rate_limits`;
  await sql`delete from private.jobs where kind = 'mail'`;
  for (const words of ['Hateful', 'And worse']) {
    await tell(owner, crypto.randomUUID(), (await talk.say(colleague, direct, words)).id);
  }
  const mails = await sql`select to_address, data from private.mails`;
  expect(mails).toMatchObject([
    { to_address: admin.email, data: { subject: 'A message was reported' } },
  ]);
  expect(JSON.stringify(mails)).not.toContain('Hateful');
});
