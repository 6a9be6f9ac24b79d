import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { admin, coach, colleague, owner } = people;

const { talk, direct } = await talksIn(world);
const report = crypto.randomUUID();
const { id: reported } = await talk.say(colleague, direct, 'Something hateful');
await ask(owner, 'report_message($1, $2, $3)', [report, reported, 'abuse']);

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
  admin_business: `admin_business('${ids.alder}')`,
  admin_businesses: "admin_businesses('{}')",
  admin_jobs: "admin_jobs('{}')",
  admin_merge_preview: `admin_merge_preview('${ids.alder}', '${ids.birch}')`,
  admin_message_reports: 'admin_message_reports()',
  admin_overview: 'admin_overview()',
  admin_people: "admin_people('{}')",
  admin_person: `admin_person('${owner.userId}')`,
  admin_projects: "admin_projects('{}')",
  archive_businesses: `archive_businesses(array['${spare}']::uuid[], 'a test')`,
  assign_coach: `assign_coach('${ids.birchEngagement}', '${coach.userId}', 'near')`,
  demographics_summary: 'demographics_summary()',
  end_sessions: `end_sessions('${owner.userId}', 'a test')`,
  get_reported_conversation: `get_reported_conversation('${report}')`,
  merge_businesses: `merge_businesses('${twin}', '${kept}', 'a test')`,
  replay_jobs: 'replay_jobs()',
  reset_second_factor: `reset_second_factor('${people.ownerWithoutCode.userId}', 'video', 'a new phone')`,
  restore_businesses: `restore_businesses(array['${spare}']::uuid[], 'a test')`,
  set_blocked: `set_blocked('${people.otherOwner.userId}', true, 'a test')`,
  set_staff_role: `set_staff_role('${colleague.userId}', 'coach', 'a trial')`,
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
