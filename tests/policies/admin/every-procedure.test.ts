import { beforeEach, expect, test } from 'vitest';
import { acceptClients, closeSession } from '../../fixtures/coaching.ts';
import { asPerson } from '../../fixtures/database.ts';
import { createRequest } from '../../fixtures/engagements.ts';
import { TODAY } from '../../fixtures/orders.ts';
import { createNewcomer, OWES_CODE, openWorld, refusalOf } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { admin, coach, colleague, owner } = people;

const { talk, direct } = await talksIn(world);
const report = crypto.randomUUID();
const { id: reported } = await talk.say(colleague, direct, 'Something hateful');
await ask(owner, 'report_message($1, $2, $3)', [report, reported, 'abuse']);

const unconfirmed = await createNewcomer(world);
await sql`update auth.users set email_confirmed_at = null where id = ${unconfirmed.userId}`;
const [first = '', second = '', asked = '', waiting = ''] = [1, 2, 3, 4].map(() =>
  crypto.randomUUID(),
);
await sql`
  insert into public.contacts (id, email)
  values (${first}, 'first@contact.test'), (${second}, 'second@contact.test')`;
await sql`
  insert into public.contact_messages (id, contact_id, topic, body)
  values (${asked}, ${first}, 'general', 'Hello?'), (${waiting}, ${first}, 'general', 'Well?')`;
/** Issues of the newsletter: one to delete, one to change, one to send and then to stop, and one for later. */
const [draft = '', written = '', ready = '', scheduled = ''] = [1, 2, 3, 4].map(() =>
  crypto.randomUUID(),
);
for (const id of [draft, written, ready, scheduled]) {
  await sql`
    insert into public.newsletter_issues (id, subject, body) values (${id}, 'S', 'B')`;
}
await sql`
  update public.newsletter_issues set state = 'scheduled', send_at = now() + interval '1 day'
  where id = ${scheduled}`;
await sql`
  insert into public.contacts (email, newsletter, consent_wording, consented_at)
  values ('reader@contact.test', 'subscribed', 'Yes', now())`;
/** A tool with a draft to delete, one with a draft to publish, and one to edit. */
const [dropped, edited, tool] = await sql<{ id: string }[]>`
  select id from public.toolbox_items where state = 'published' order by slug limit 3`;
const [doomed, changed] = await Promise.all(
  [dropped, edited].map(async (each) => {
    const { draft } = await ask(admin, 'edit_tool($1)', [each?.id]);
    const content = { ...draft, title: 'Another title' };
    await ask(admin, 'save_tool_draft($1, 1, $2)', [draft.id, content]);
    return draft.id;
  }),
);
/** A date to cancel, and one with someone whose place is given, someone whose place is canceled, and someone who came. */
const [event, otherEvent] = await sql`
  insert into public.events (slug, occasion, title, starts_at, minutes, time_zone, place, places)
  select s, '', 'A talk', now() + interval '30 minutes', 60, 'America/Denver', 'Library', 5
  from unnest(array['talk', 'workshop']) s
  returning id`;
const [heldPlace, lostPlace, usedPlace] = await Promise.all(
  ['held', 'lost', 'used'].map(async (name) => {
    const [row] = await sql`
      insert into public.event_signups (event_id, email, name, state, due_at)
      values (${event?.id}, ${`${name}@event.test`}, ${name}, 'held', now() + interval '1 hour')
      returning id`;
    return row?.id;
  }),
);
await sql`
  update public.event_signups set state = 'taken', taken_at = now(), due_at = null
  where id = ${usedPlace}`;
/** Businesses that tests archive and merge. */
const [spare, twin, kept, other] = await Promise.all(
  ['Spare', 'Twin', 'Kept', 'Other'].map(async (name) => {
    const id = crypto.randomUUID();
    await ask(people.otherOwner, 'create_business($1, $2)', [id, name]);
    return id;
  }),
);
const { id: merged } = await ask(admin, "merge_businesses($1, $2, 'a test')", [other, kept]);
const project = crypto.randomUUID();
await createProject(world, project);
const [task = '', done = ''] = [1, 2].map(() => crypto.randomUUID());
for (const id of [task, done]) {
  await ask(owner, 'add_project_task($1, $2, $3)', [id, project, 'Call Ann']);
}
const mirror = crypto.randomUUID();
await sql`
  insert into private.wrike_folders (id, title, kind, child_ids, listing, place)
  values ('IEA', 'Clients', 'space', '{}', gen_random_uuid(), 1)`;
await sql`
  insert into private.wrike_mirrors (id, folder_id, folder) values (${mirror}, 'IEA', 'Clients')`;
/** An admin whose session still needs the code of an authenticator app. */
const adminWithoutCode = await createNewcomer(world);
await sql`insert into public.staff_roles (user_id, role) values (${adminWithoutCode.userId}, 'admin')`;
await sql`
  insert into auth.mfa_factors (id, user_id, factor_type, status)
  values (gen_random_uuid(), ${adminWithoutCode.userId}, 'totp', 'verified')`;

const [{ survey } = { survey: '' }] = await sql<{ survey: string }[]>`
  select id as survey from public.surveys where state = 'open'`;

/** A seat that's held for someone, a code, and what a program says. */
const code = crypto.randomUUID();
await ask(people.sponsor, 'create_seat_code($1, $2, 5)', [code, ids.program]);
await ask(people.sponsor, "invite_to_program($1, '{new@example.test}', null)", [ids.program]);
const [reserved] = await sql`select id from public.seats where state = 'assigned'`;
const PROGRAM = JSON.stringify({
  ...{ name: 'A', sponsor: 'B', starts_on: '2026-01-01', ends_on: '2027-01-01', closed: false },
  ...{ groups_by: 'postal', postal_prefixes: [], email_domains: [] },
  consent: 'B pays for this seat. They see totals and no business.',
});
/** An order as far as its quote, its purchase order or its invoice. */
async function placeOrder(as: 'quoted' | 'po_received' | 'invoiced') {
  const id = crypto.randomUUID();
  await ask(owner, 'create_order($1, $2)', [
    id,
    {
      business_id: ids.alder,
      plan: 'session-pack',
      every: 'once',
      quantity: 1,
      method: 'purchase_order',
      expected_minor: 28_500,
      name: 'Olive Owner',
      address: '1 Main Street',
      region: 'US-CO',
    },
  ]);
  if (as !== 'quoted') await ask(owner, "send_purchase_order($1, 'PO-1')", [id]);
  if (as === 'invoiced') await ask(admin, "invoice_order($1, 'confirmed')", [id]);
  return id;
}
const [quoted, answered, received, invoiced] = [
  await placeOrder('quoted'),
  await placeOrder('quoted'),
  await placeOrder('po_received'),
  await placeOrder('invoiced'),
];
/** A membership that's paid for. */
const membership = crypto.randomUUID();
await sql`
  insert into public.orders (id, buyer_id, business_id, method, currency)
  values (${membership}, ${owner.userId}, ${ids.alder}, 'card', 'USD')`;
await sql`
  insert into public.order_lines (order_id, position, plan_key, every, description, quantity, unit_minor)
  values (${membership}, 1, 'membership', 'month', 'Membership', 1, 7900)`;
await sql`
  select private.report_payment(${membership}, 'pi_1', 'card', 7900, 'USD', now(), now(), now() + interval '1 month')`;
await sql`
  select private.report_membership(${membership}, 'sub_1', 'active', now() + interval '1 month', false, now())`;
const [payment] = await sql`select id from public.payments where order_id = ${membership}`;
const orderFile = crypto.randomUUID();
await sql`
  insert into public.order_files (id, order_id, name, type, size, sent_at)
  values (${orderFile}, ${received}, 'order.pdf', 'application/pdf', 1, now())`;
/** A draft of the quiz that can be published. There's one at a time, so it's discarded in between. */
const quizDraft = crypto.randomUUID();
await ask(admin, 'create_quiz_draft($1, $2)', [quizDraft, world.quiz.id]);
await sql`update public.quiz_versions set title = 'Clearer' where id = ${quizDraft}`;
const [{ fingerprint } = { fingerprint: '' }] = await sql<{ fingerprint: string }[]>`
  select private.quiz_fingerprint(${quizDraft}) as fingerprint`;
beforeEach(
  () => sql`
    update public.quiz_versions set discarded_at = case
      when id <> ${quizDraft} or ${!expect.getState().currentTestName?.includes('publish_quiz_draft')} then now()
    end
    where state = 'draft'`,
);
// One test closes the survey, and another opens a second one.
beforeEach(
  () => sql`
    update public.surveys set state = 'open', closed_at = null
    where id = ${survey} and not exists (select from public.surveys where state = 'open')`,
);

/** A session that a coach has closed, with a private note. */
const session = crypto.randomUUID();
await acceptClients(world);
await closeSession(world, {}, { id: session });
/** A request that's referred elsewhere. */
const { id: request } = await createRequest(world, people.colleague);

/**
 * A call of every procedure that only admins can make, with the rows that it needs. Each has to
 * leave exactly one row in the audit log, whether it reads or changes something.
 */
const EXAMPLES: Record<string, string> = {
  admin_get_program: `admin_get_program('${ids.program}')`,
  admin_programs: "admin_programs('{}')",
  admin_seats: `admin_seats('{"program": "${ids.program}"}')`,
  give_sessions: `give_sessions(gen_random_uuid(), '${ids.alder}', 2, 12, 'a test')`,
  give_program: `give_program('${waiting}', 'A', 'B', 5, 4, current_date, current_date + 9, 'a test')`,
  pass_on_seat: `pass_on_seat('${reserved?.id}', 'a test')`,
  save_program: `save_program('${ids.program}', '${PROGRAM}')`,
  set_sponsor: `set_sponsor('${ids.program}', 'ann@example.test', true)`,
  admin_prices: 'admin_prices()',
  admin_refund_basis: `admin_refund_basis('${membership}')`,
  end_membership: `end_membership('${membership}', 'now', 'a test')`,
  refund_payment: `refund_payment(gen_random_uuid(), '${membership}', '${payment?.id}', 100, 'a test')`,
  set_price: "set_price('session-pack', 'once', 28500, 28600, 'a test')",
  admin_get_order: `admin_get_order('${quoted}')`,
  admin_orders: "admin_orders('{}')",
  invoice_order: `invoice_order('${received}', 'confirmed')`,
  quote_order_lines: `quote_order_lines('${quoted}', 1, 100, 0, false, 'agreed')`,
  record_payment: `record_payment(gen_random_uuid(), '${invoiced}', 'check', 100, ${TODAY}, 'check')`,
  record_purchase_order: `record_purchase_order('${answered}', 'PO-2', 'by mail')`,
  open_order_file: `open_order_file('${orderFile}')`,
  void_order: `void_order('${quoted}', 'a test')`,
  admin_attempts: "admin_attempts('{}')",
  admin_wrike_mirrors: "admin_wrike_mirrors('{}')",
  change_wrike_mirror: `change_wrike_mirror('${mirror}', 'replay')`,
  mirror_in_wrike: `mirror_in_wrike(gen_random_uuid(), 'IEA', '${project}')`,
  run_wrike: "run_wrike('check')",
  admin_audit: "admin_audit('{}')",
  admin_contact: `admin_contact('${first}')`,
  admin_contact_merge: `admin_contact_merge('${first}', '${second}')`,
  admin_contacts: "admin_contacts('{}')",
  admin_coaching_board: 'admin_coaching_board()',
  admin_engagement: `admin_engagement('${ids.alderEngagement}')`,
  admin_engagements: "admin_engagements('{}')",
  admin_read_session_note: `admin_read_session_note('${session}', 'a complaint')`,
  admin_business: `admin_business('${ids.alder}')`,
  admin_businesses: "admin_businesses('{}')",
  admin_hubspot_records: "admin_hubspot_records('{}')",
  admin_jobs: "admin_jobs('{}')",
  admin_merge_preview: `admin_merge_preview('${ids.alder}', '${ids.birch}')`,
  admin_message_reports: 'admin_message_reports()',
  admin_overview: 'admin_overview()',
  admin_people: "admin_people('{}')",
  create_quiz_draft: `create_quiz_draft(gen_random_uuid(), '${world.quiz.id}')`,
  discard_quiz_draft: `discard_quiz_draft('${quizDraft}', false)`,
  publish_quiz_draft: `publish_quiz_draft('${quizDraft}', '${fingerprint}', 'clearer')`,
  admin_newsletter_issues: 'admin_newsletter_issues()',
  admin_newsletter_refusals: `admin_newsletter_refusals('${draft}')`,
  create_newsletter_issue: 'create_newsletter_issue(gen_random_uuid())',
  remove_newsletter_issue: `remove_newsletter_issue('${draft}')`,
  send_newsletter_issue: `send_newsletter_issue('${ready}', 1)`,
  stop_newsletter_issue: `stop_newsletter_issue('${ready}', true)`,
  test_newsletter_issue: `test_newsletter_issue('${written}')`,
  unschedule_newsletter_issue: `unschedule_newsletter_issue('${scheduled}')`,
  admin_event_signups: `admin_event_signups('{"event": "${event?.id}"}')`,
  cancel_event: `cancel_event('${otherEvent?.id}', 'a test')`,
  cancel_event_place: `cancel_event_place('${lostPlace}', 'a test')`,
  give_event_place: `give_event_place('${heldPlace}')`,
  mark_event_attendance: `mark_event_attendance('${usedPlace}', true)`,
  admin_survey_results: "admin_survey_results('{}')",
  admin_toggles: "admin_toggles('{}')",
  admin_person: `admin_person('${owner.userId}')`,
  answer_contact_message: `answer_contact_message('${asked}', 'Hello!')`,
  admin_projects: "admin_projects('{}')",
  admin_tools: "admin_tools('{}')",
  archive_tool: `archive_tool('${dropped?.id}', 'a test')`,
  create_tool: 'create_tool(gen_random_uuid())',
  edit_tool: `edit_tool('${tool?.id}')`,
  publish_tool: `publish_tool('${changed}', 2, 'Another title.')`,
  remove_tool_draft: `remove_tool_draft('${doomed}')`,
  restore_tool: `restore_tool('${dropped?.id}')`,
  review_tool: `review_tool('${tool?.id}')`,
  set_tool_review: `set_tool_review('${tool?.id}', 6)`,
  archive_businesses: `archive_businesses(array['${spare}']::uuid[], 'a test')`,
  assign_coach: `assign_coach('${ids.birchEngagement}', '${coach.userId}', 'near')`,
  invite_to_survey: `invite_to_survey('${ids.alderEngagement}')`,
  close_survey: `close_survey('${survey}', 'a test')`,
  open_survey: `open_survey('${first}', 'anonymous', true, null, 'a test')`,
  close_engagement: `close_engagement('${ids.alderEngagement}', 'a test')`,
  demographics_summary: 'demographics_summary()',
  end_sessions: `end_sessions('${owner.userId}', 'a test')`,
  get_reported_conversation: `get_reported_conversation('${report}')`,
  import_contacts: `import_contacts('[{"row": 1, "email": "new@contact.test"}]', 'list.csv', false)`,
  map_hubspot:
    'map_hubspot(\'{"contact": {"id": "trellis_id", "email": "email"}, "company": {"id": "trellis_id", "name": "name"}}\')',
  merge_contacts: `merge_contacts('${first}', '${second}', 'a test')`,
  refer_elsewhere: `refer_elsewhere('${request}', 'a test', 'Ask a bank.')`,
  replay_hubspot: 'replay_hubspot()',
  replay_jobs: 'replay_jobs()',
  run_hubspot: "run_hubspot('check')",
  reset_second_factor: `reset_second_factor('${people.ownerWithoutCode.userId}', 'video', 'a new phone')`,
  resend_confirmation: `resend_confirmation('${unconfirmed.userId}', 'asked on the phone')`,
  save_coach_profile: `save_coach_profile('${coach.userId}', 'Knows bread', '{}', 12, true)`,
  merge_businesses: `merge_businesses('${twin}', '${kept}', 'a test')`,
  restore_businesses: `restore_businesses(array['${spare}']::uuid[], 'a test')`,
  set_blocked: `set_blocked('${people.otherOwner.userId}', true, 'a test')`,
  set_contact_message_outcome: `set_contact_message_outcome('${waiting}', 'elsewhere')`,
  set_staff_role: `set_staff_role('${colleague.userId}', 'coach', 'a trial')`,
  set_due_dates: `set_due_dates('[{"id": "${project}", "due_on": "2099-01-31"}]')`,
  set_toggle: "set_toggle('registration', 'off', '{}', null, null, null, 'a test')",
  settle_message_report: `settle_message_report('${report}', 'removed', 'hateful')`,
  unassign_coach: `unassign_coach('${ids.cedarEngagement}', 'a test')`,
  undo_merge: `undo_merge('${merged}', 'a test')`,
  void_attempt: `void_attempt('${ids.birchResult}', 'a test')`,
};

/**
 * Procedures that an admin shares with the people whose rows these are, and what leaves a row each
 * time an admin calls it. Who else can call them is in the tests of their tables.
 */
const SHARED: Record<string, string> = {
  create_seat_code: `create_seat_code(gen_random_uuid(), '${ids.program}', 5)`,
  invite_to_program: `invite_to_program('${ids.program}', '{ben@example.test}', 'Hello')`,
  revoke_seat_code: `revoke_seat_code('${code}')`,
  add_project_task: `add_project_task(gen_random_uuid(), '${project}', 'Call Bo')`,
  add_project_update: `add_project_update(gen_random_uuid(), '${project}', 'Called Ann.')`,
  complete_coaching: `complete_coaching('${ids.alderEngagement}', 'We met our goals.')`,
  get_project: `get_project('${project}')`,
  waive_session: `waive_session('${session}', 'a test')`,
  list_project_history: `list_project_history('${project}', now(), '')`,
  list_project_tasks: `list_project_tasks('${project}', '${task}')`,
  move_project: `move_project('${project}', 'planned')`,
  move_project_task: `move_project_task('${task}')`,
  remove_project_task: `remove_project_task('${done}')`,
  save_project: `save_project('${project}', 1, 'Answer every lead today')`,
  save_project_task: `save_project_task('${task}', 1, 'Call Ann today')`,
  set_project_task_state: `set_project_task_state('${task}', 'doing')`,
};

/** Procedures that ask for the role and let an admin read or change nothing of someone else's. */
const HARMLESS: Record<string, string> = {
  admin_quiz_statistics: 'has counts and averages of five people or more',
  admin_quiz_version: 'has a text of ours and no person, and is read again and again',
  admin_quiz_versions: 'has versions of ours, with counts',
  add_quiz_question: 'changes a draft of ours; publishing it is logged with what changed',
  order_quiz_questions: 'changes a draft of ours',
  remove_quiz_question: 'changes a draft of ours',
  save_quiz_question: 'changes a draft of ours, and is called for every few words',
  save_quiz_settings: 'changes a draft of ours',
  admin_newsletter_issue: 'has a text of ours and no person, and is read again and again',
  save_newsletter_issue: 'changes a draft of ours, and is called for every few words',
  admin_tool: 'has texts of ours and no person, and is read again while it’s edited',
  admin_tool_version: 'has a text of ours and no person',
  get_tool_captions: 'has a text of ours and no person',
  get_tool_file: 'has a file of ours and no person',
  begin_tool_file: 'announces a file of ours; publishing what names it is logged',
  finish_tool_file: 'only finds files that the caller has begun',
  save_tool_draft: 'changes a draft of ours, and is called for every few words',
  admin_event: 'counts people and names nobody',
  admin_events: 'counts people and names nobody',
  admin_hubspot: 'counts records and names nobody',
  admin_wrike: 'counts records and names nobody',
  admin_wrike_folders: 'has the names of folders in Wrike and nothing of anyone here',
  begin_project_file: 'refuses admins, who could neither store nor read the file',
  finish_project_file: 'only finds files that the caller has begun',
  list_correspondents: 'leaves out support for those who are support',
  open_conversation: 'begins an empty conversation with someone',
};

/** Procedures that ask whether the caller is an admin, themselves or through others they call. */
const procedures = await sql<{ name: string }[]>`
  with recursive functions as (
    select n.nspname as schema, p.proname as name, p.prosrc as source
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'private')
  ), asking as (
    select name collate "C" from (values ('is_admin'), ('require_admin')) as a (name)
    union
    select f.name from functions f join asking a on f.source ~ ('private\\.' || a.name || '\\(')
    where f.schema = 'private'
  )
  select distinct f.name
  from functions f
  where f.schema = 'public' and (f.name ~ '^admin_' or exists (
    select from asking a where f.source ~ ('private\\.' || a.name || '\\(')
  ))
  order by 1`;
const names = procedures.map(({ name }) => name);

const countRows = async (): Promise<number> =>
  Number((await sql`select count(*) as n from public.audit_log`)[0]?.n);

/** Who did what, in the rows that an admin's call left. */
async function rowsOf(call: string) {
  const before = await countRows();
  await asPerson(sql, admin, (tx) => tx.unsafe(`select public.${call}`));
  return sql`select actor_id from public.audit_log order by id offset ${before}`;
}

test('Each procedure that asks for an admin has an example here', () => {
  expect(names.length).toBeGreaterThan(40);
  const known = { ...EXAMPLES, ...SHARED, ...HARMLESS };
  expect(Object.keys(known).toSorted()).toEqual(names);
});

test.each(Object.entries(EXAMPLES).toSorted())(
  '%s is refused to everyone but admins, and leaves one row in the log',
  async (_, call) => {
    for (const who of Object.values(people)) {
      if (who === admin) continue;
      const refused = await asPerson(sql, who, (tx) => tx.unsafe(`select public.${call}`)).then(
        () => 'nobody',
        (error: { code: string }) => error.code,
      );
      expect([who.userId, refused]).toEqual([who.userId, '42501']);
    }
    expect(await refusalOf(ask(adminWithoutCode, call))).toBe(OWES_CODE);
    expect(await rowsOf(call)).toEqual([{ actor_id: admin.userId }]);
  },
);

test.each(Object.entries(SHARED))(
  '%s, which others call too, leaves one row in the log for an admin',
  async (_, call) => {
    expect(await refusalOf(ask(adminWithoutCode, call))).toBe(OWES_CODE);
    expect(await rowsOf(call)).toEqual([{ actor_id: admin.userId }]);
  },
);

test('A list without a filter is one with an empty filter, and is in the log too', async () => {
  const before = await countRows();
  expect(await ask(admin, 'admin_people(null)')).toMatchObject({ more: false });
  expect((await countRows()) - before).toBe(1);
});
