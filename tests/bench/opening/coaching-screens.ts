/** Lists of coaching: an admin's of all engagements, and a coach's of their clients. */
import type { TransactionSql } from 'postgres';
import { idOf, OURS, people, rare } from './admin-screens.ts';
import type { Fill, ScreenCase } from './screens.ts';

/** Half of the engagements are open, up to this many: coaches take only so many clients. */
const MOST_OPEN = 3000;
/** Coaches among the bench's people. */
const COACHES = 40;

/** Removes what the bench made, because it belongs to people whom it makes again. */
async function clear(sql: TransactionSql) {
  await sql`delete from private.engagement_names where id::text like ${`${OURS}%`}`;
  await sql`delete from public.engagements where id::text like ${`${OURS}%`}`;
  await sql`delete from public.staff_roles where user_id::text like ${`${OURS}%`}`;
}

/** What engagements are searched and sorted by. */
async function name(sql: TransactionSql, count: number) {
  await sql.unsafe(`
    select private.name_engagements(array_agg(${idOf(4)})) from generate_series(1, ${count}) n`);
  await sql.unsafe(`
    update private.engagement_names e set words = private.name_words(e.name || ${rare(count)})
    from generate_series(1, ${count}) n where e.id = ${idOf(4)} and ${rare(count)} <> ''`);
}

/**
 * Everyone's coaching: the first ones are open, half of them without a coach and the others in every
 * state, and half of them are late. A page is full with few of them, too.
 */
const engagements: Fill = async (sql, count) => {
  await clear(sql);
  await people(sql, count);
  const open = Math.min(MOST_OPEN, count / 2);
  await sql.unsafe(`
    insert into public.staff_roles (user_id, role)
    select ${idOf(1)}, 'coach' from generate_series(1, ${COACHES}) n`);
  await sql.unsafe(`
    insert into public.engagements (
      id, business_id, owner_id, coach_id, state, areas, requested_at, state_since, assigned_at,
      closed_at, resume_on, change_requested_at, due_what, due_at
    )
    select ${idOf(4)}, ${idOf(2)}, ${idOf(1)},
      case when s.state <> 'requested'
        then ('${OURS}0001-4000-8000-' || lpad((1 + n % ${COACHES})::text, 12, '0'))::uuid end,
      s.state, case when n % 4 = 0 then '{web-design}'::text[] else '{sales-marketing}' end,
      now() - make_interval(mins => n), now() - make_interval(mins => n),
      case when s.state <> 'requested' then now() - make_interval(mins => n) end,
      case when n > ${open} then now() end,
      case when s.state = 'paused' then current_date + 30 end,
      case when n <= ${open} and s.state <> 'requested' then now() end,
      case when n <= ${open} then s.due end,
      case when n <= ${open} then now() + make_interval(mins => case when n % 4 < 2 then -n else n end) end
    from generate_series(1, ${count}) n
    join (values
      (0, 'requested', 'assign'), (1, 'assigned', 'accept'), (2, 'accepted', 'contact'),
      (3, 'active', 'plan'), (4, 'paused', 'resume'), (5, 'completed', null), (6, 'withdrawn', null)
    ) s (place, state, due) on s.place = case
      when n > ${open} then 5 + n % 2
      when n % 2 = 0 then 0
      else 1 + n / 2 % 4
    end`);
  await name(sql, count);
};

/** Clients of the demo's coach, all of them open. */
const clients: Fill = async (sql, count) => {
  await clear(sql);
  await people(sql, count);
  await sql.unsafe(`
    insert into public.engagements (
      id, business_id, owner_id, coach_id, state, requested_at, state_since, assigned_at,
      accepted_at, resume_on, due_what, due_at
    )
    select ${idOf(4)}, ${idOf(2)}, ${idOf(1)},
      (select u.id from auth.users u where u.email = 'coach@demo.test'), s.state,
      now() - make_interval(mins => n), now() - make_interval(mins => n),
      now() - make_interval(mins => n), now() - make_interval(mins => n),
      case when s.state = 'paused' then current_date + 30 end, s.due,
      now() + make_interval(mins => case n % 3 when 0 then -n else n end)
    from generate_series(1, ${count}) n
    join (values
      (0, 'assigned', 'accept'), (1, 'accepted', 'contact'), (2, 'active', 'plan'),
      (3, 'paused', 'resume')
    ) s (place, state, due) on s.place = n % 4`);
  await name(sql, count);
};

const LIST = '/admin/coaching';
const CLIENTS = '/dashboard/coaching';

const admins = (what: string, address: string): ScreenCase => ({
  what,
  address,
  fill: engagements,
  email: 'admin@demo.test',
  many: 100_000,
});
const coaches = (what: string, address: string): ScreenCase => ({
  what,
  address,
  fill: clients,
  email: 'coach@demo.test',
  many: 10_000,
});

export const coachingScreens: ScreenCase[] = [
  admins('coaching', LIST),
  admins('coaching, newest', `${LIST}?sort=requested`),
  admins('coaching, requested', `${LIST}?state=requested`),
  admins('coaching, late', `${LIST}?late=1`),
  admins('coaching, ended', `${LIST}?state=completed&sort=requested`),
  admins('coaching in one area', `${LIST}?state=all&area=web-design`),
  admins('coaching, wants another coach', `${LIST}?show=change`),
  admins('coaching, a word of all', `${LIST}?q=shop`),
  admins('coaching, a word of 25', `${LIST}?state=all&q=giraffe`),
  coaches('clients, board', CLIENTS),
  coaches('clients, table', `${CLIENTS}?view=table`),
  coaches('clients by name', `${CLIENTS}?view=table&sort=name`),
  coaches('clients, one state', `${CLIENTS}?view=table&state=active`),
  coaches('clients, a word of all', `${CLIENTS}?view=table&q=shop`),
  coaches('clients, a word of 25', `${CLIENTS}?view=table&q=giraffe`),
];
