import { beforeEach, describe, expect, test } from 'vitest';
import { openWorld } from '../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { visitor, admin } = people;

/** Resolves when the worker is woken. */
async function nextWaking() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { unlisten } = await sql.listen('jobs', () => resolve());
  return { woken: promise, unlisten };
}

test('A new job wakes the worker', async () => {
  const { woken, unlisten } = await nextWaking();
  await sql`select private.send_mail('a@example.test', 'notice')`;
  await woken;
  await unlisten();
});

describe('A job that has stopped', () => {
  beforeEach(() => sql`delete from private.jobs where every is null`);

  const stop = async (kind = 'mail') => {
    const [row] = await sql`
      insert into private.jobs (kind, state, attempts, failing_since, last_error)
      values (${kind}, 'failed', 60, now() - interval '2 days', 'No answer')
      returning id`;
    return row?.id as string;
  };

  test('Only an admin lets it run again, after their second factor, and the audit log says so', async () => {
    const id = await stop();
    const admins = '42501 Only an admin can do this.';
    for (const name of ['owner', 'coach', 'otherOwner'] as const) {
      expect(await refusal(people[name], 'replay_jobs($1)', [id])).toBe(admins);
    }
    expect(await refusal(visitor, 'replay_jobs($1)', [id])).toMatch(/permission denied/);
    expect(await ask(admin, 'replay_jobs($1)', [id])).toEqual({ replayed: 1 });
    const [job] = await sql`select * from private.jobs where id = ${id}`;
    expect(job).toMatchObject({
      state: 'waiting',
      attempts: 0,
      failing_since: null,
      last_error: null,
    });
    const [logged] = await sql`
      select actor_id, entity_id, details from public.audit_log where action = 'job.replay'`;
    expect(logged).toEqual({
      actor_id: admin.userId,
      entity_id: id,
      details: { count: 1 },
    });
  });

  test('All of them at once; what was done, or is waiting, stays as it is', async () => {
    await Promise.all([stop(), stop('remove_file')]);
    const [done] = await sql`
      insert into private.jobs (kind, state, finished_at) values ('mail', 'done', now()) returning id`;
    expect(await ask(admin, 'replay_jobs()')).toEqual({ replayed: 2 });
    expect(await ask(admin, 'replay_jobs()')).toEqual({ replayed: 0 });
    expect(await refusal(admin, 'replay_jobs($1)', [done?.id])).toBe(
      'P0002 There’s no failed job with this id.',
    );
  });

  test('Letting it run again wakes the worker', async () => {
    const id = await stop();
    const { woken, unlisten } = await nextWaking();
    await ask(admin, 'replay_jobs($1)', [id]);
    await woken;
    await unlisten();
  });

  test('What ended is kept for 30 days; what waits, or comes back, stays', async () => {
    await sql`
      insert into private.jobs (kind, state, created_at)
      select 'mail', s, now() - interval '31 days'
      from unnest(array['waiting', 'running', 'done', 'failed', 'dropped']) s`;
    const scheduled = await scheduledJobs();
    await sql`select private.delete_old_jobs()`;
    const left = await sql`select state from private.jobs where every is null order by 1`;
    expect(left.map(({ state }) => state)).toEqual(['running', 'waiting']);
    expect(await scheduledJobs()).toEqual(scheduled);
  });
});

const scheduledJobs = () => sql`select id from private.jobs where every is not null order by id`;

const tick = async (): Promise<Record<string, unknown>> =>
  (await sql`select private.tick() as done`)[0]?.done;

test('A clock that is put back stops nothing: each runs once now, and then as often as before', async () => {
  await tick();
  expect(await tick()).toEqual({});
  // As if these rows had been written before the clock went back by a day.
  await sql`
    update private.jobs
    set finished_at = finished_at + interval '1 day', run_at = run_at + interval '1 day'
    where every is not null`;
  expect(Object.keys(await tick())).toHaveLength((await scheduledJobs()).length);
  expect(await tick()).toEqual({});
  const [next] = await sql`
    select bool_and(run_at between now() and now() + every) as soon from private.jobs
    where every is not null`;
  expect(next?.soon).toBe(true);
});

test('A clock that is put forward lets each run once, not once for each time that it missed', async () => {
  await sql`
    update private.jobs set run_at = now() - interval '400 days' where every is not null`;
  expect(Object.keys(await tick())).toHaveLength((await scheduledJobs()).length);
  expect(await tick()).toEqual({});
});

test('A tick leaves alone what another one, which began a moment later, has planned', async () => {
  await sql`
    update private.jobs set run_at = now() + every + interval '20 seconds' where every is not null`;
  expect(await tick()).toEqual({});
});
