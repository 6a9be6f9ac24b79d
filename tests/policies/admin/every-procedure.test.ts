import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';
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
/** Businesses that tests archive and merge. */
const [spare, twin, kept, other] = await Promise.all(
  ['Spare', 'Twin', 'Kept', 'Other'].map(async (name) => {
    const id = crypto.randomUUID();
    await ask(people.otherOwner, 'create_business($1, $2)', [id, name]);
    return id;
  }),
);
const { id: merged } = await ask(admin, "merge_businesses($1, $2, 'a test')", [other, kept]);

/**
 * A call of every procedure that only admins can make, with the rows that it needs. Each has to
 * leave exactly one row in the audit log, whether it reads or changes something.
 */
const EXAMPLES: Record<string, string> = {
  admin_audit: "admin_audit('{}')",
  admin_contact: `admin_contact('${first}')`,
  admin_contact_merge: `admin_contact_merge('${first}', '${second}')`,
  admin_contacts: "admin_contacts('{}')",
  admin_business: `admin_business('${ids.alder}')`,
  admin_businesses: "admin_businesses('{}')",
  admin_jobs: "admin_jobs('{}')",
  admin_merge_preview: `admin_merge_preview('${ids.alder}', '${ids.birch}')`,
  admin_message_reports: 'admin_message_reports()',
  admin_overview: 'admin_overview()',
  admin_people: "admin_people('{}')",
  admin_toggles: "admin_toggles('{}')",
  admin_person: `admin_person('${owner.userId}')`,
  answer_contact_message: `answer_contact_message('${asked}', 'Hello!')`,
  admin_projects: "admin_projects('{}')",
  archive_businesses: `archive_businesses(array['${spare}']::uuid[], 'a test')`,
  assign_coach: `assign_coach('${ids.birchEngagement}', '${coach.userId}', 'near')`,
  demographics_summary: 'demographics_summary()',
  end_sessions: `end_sessions('${owner.userId}', 'a test')`,
  get_reported_conversation: `get_reported_conversation('${report}')`,
  import_contacts: `import_contacts('[{"row": 1, "email": "new@contact.test"}]', 'list.csv', false)`,
  merge_contacts: `merge_contacts('${first}', '${second}', 'a test')`,
  replay_jobs: 'replay_jobs()',
  reset_second_factor: `reset_second_factor('${people.ownerWithoutCode.userId}', 'video', 'a new phone')`,
  resend_confirmation: `resend_confirmation('${unconfirmed.userId}', 'asked on the phone')`,
  save_coach_profile: `save_coach_profile('${coach.userId}', 'Knows bread', '{}', 12, true)`,
  merge_businesses: `merge_businesses('${twin}', '${kept}', 'a test')`,
  restore_businesses: `restore_businesses(array['${spare}']::uuid[], 'a test')`,
  set_blocked: `set_blocked('${people.otherOwner.userId}', true, 'a test')`,
  set_contact_message_outcome: `set_contact_message_outcome('${waiting}', 'elsewhere')`,
  set_staff_role: `set_staff_role('${colleague.userId}', 'coach', 'a trial')`,
  set_toggle: "set_toggle('registration', 'off', '{}', null, null, null, 'a test')",
  settle_message_report: `settle_message_report('${report}', 'removed', 'hateful')`,
  undo_merge: `undo_merge('${merged}', 'a test')`,
  void_attempt: `void_attempt('${ids.birchResult}', 'a test')`,
};

/** Coaches can call it too, for their clients. */
const NOT_ONLY_FOR_ADMINS = ['invite_to_survey'];

const procedures = await sql<{ name: string }[]>`
  select p.proname as name from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and (p.prosrc ~ 'private\.require_admin\(\)' or p.proname ~ '^admin_')
  order by 1`;
const names = procedures
  .map(({ name }) => name)
  .filter((name) => !NOT_ONLY_FOR_ADMINS.includes(name));

const countRows = async (): Promise<number> =>
  Number((await sql`select count(*) as n from public.audit_log`)[0]?.n);

test('Each procedure for admins has an example here', () => {
  expect(names.length).toBeGreaterThan(4);
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(names);
});

test.each(names)(
  '%s is refused to everyone but admins, and leaves one row in the log',
  async (name) => {
    const call = EXAMPLES[name] ?? '';
    for (const who of Object.values(people)) {
      if (who === admin) continue;
      const refused = await asPerson(sql, who, (tx) => tx.unsafe(`select public.${call}`)).then(
        () => 'nobody',
        (error: { code: string }) => error.code,
      );
      expect([who.userId, refused]).toEqual([who.userId, '42501']);
    }
    const before = await countRows();
    await asPerson(sql, admin, (tx) => tx.unsafe(`select public.${call}`));
    const rows =
      await sql`select actor_id, action from public.audit_log order by id offset ${before}`;
    expect(rows.map(({ actor_id }) => actor_id)).toEqual([admin.userId]);
  },
);

test('A list without a filter is one with an empty filter, and is in the log too', async () => {
  const before = await countRows();
  expect(await ask(admin, 'admin_people(null)')).toMatchObject({ more: false });
  expect((await countRows()) - before).toBe(1);
});
