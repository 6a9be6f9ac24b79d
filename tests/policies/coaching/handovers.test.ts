import { expect, test } from 'vitest';
import { createCoach, createRequest } from '../../fixtures/engagements.ts';
import { createNewcomer, expectCallers, openWorld } from '../../fixtures/personas.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, otherCoach, coach } = people;
await raiseLimits(sql, 'all');

async function clientOf(its: { userId: string }) {
  const client = await createNewcomer(world);
  const { id } = await createRequest(world, client);
  await ask(client, 'choose_coach($1, $2)', [id, its.userId]);
  return { id, client };
}
const handoversOf = (id: string) => sql`
  select from_coach_id, to_coach_id, note, added, packet, handed_at is not null as handed
  from public.handovers where engagement_id = ${id} order by created_at`;

test('Only a coach leaves clients, only an admin takes a coach away', async () => {
  await expectCallers(world, "leave_clients('[]')", '42501 Only a coach can do this.', {
    coach: '22023 Write a note for each client.',
    otherCoach: 1,
  });
  await expectCallers(
    world,
    `unassign_coach('${ids.alderEngagement}', 'on leave')`,
    '42501 Only an admin can do this.',
    { admin: 1 },
  );
});

test('A coach who leaves writes a note for each client, and stays until there’s another', async () => {
  const leaving = await createCoach(world);
  const [one, two] = [await clientOf(leaving), await clientOf(leaving)];
  await ask(leaving, 'accept_client($1)', [one.id]);
  const notes = (...of: string[]) =>
    JSON.stringify(of.map((id) => ({ engagement_id: id, note: `About ${id}` })));
  expect(await refusal(leaving, 'leave_clients($1::text::jsonb)', [notes(one.id)])).toBe(
    '22023 Write a note for each client.',
  );
  expect(await handoversOf(one.id)).toHaveLength(0);
  for (let times = 0; times < 2; times += 1) {
    expect(await ask(leaving, 'leave_clients($1::text::jsonb)', [notes(one.id, two.id)])).toEqual({
      left: 2,
    });
  }
  const waiting = { from_coach_id: leaving.userId, to_coach_id: null, handed: false };
  expect(await handoversOf(one.id)).toMatchObject([{ ...waiting, note: `About ${one.id}` }]);
  const [row] = await sql`select coach_id, state from public.engagements where id = ${one.id}`;
  expect(row).toEqual({ coach_id: leaving.userId, state: 'accepted' });
  const told = await sql`
    select body from public.notifications
    where user_id = ${admin.userId} and title = 'New Comer is leaving'`;
  expect([...told]).toEqual([{ body: 'They left notes for 2 clients, who need another coach.' }]);
  const board = await ask(admin, 'admin_coaching_board()');
  expect(board.coaches).toContainEqual(
    expect.objectContaining({
      user_id: leaving.userId,
      leaving: true,
      accepting: false,
      clients: 2,
      waiting: 1,
    }),
  );
  expect(board.attention.away).toBe(2);
  const list = await ask(admin, `admin_engagements('{"show": "away"}')`);
  expect(list.rows.map(({ id }: { id: string }) => id).toSorted()).toEqual(
    [one.id, two.id].toSorted(),
  );
  expect(list.rows[0].coach.away).toEqual({ why: 'leaving', until: null });

  await ask(admin, "assign_coach($1, $2, 'has time', 'Call after five.', 'Otis knows bakeries.')", [
    one.id,
    otherCoach.userId,
  ]);
  expect(await handoversOf(one.id)).toMatchObject([
    {
      from_coach_id: leaving.userId,
      to_coach_id: otherCoach.userId,
      note: `About ${one.id}`,
      added: 'Call after five.',
      packet: { goals: { note: 'Please', areas: ['sales-marketing'] }, actions: [], summaries: [] },
      handed: true,
    },
  ]);
  const { handover } = await ask(otherCoach, 'get_client($1)', [one.id]);
  expect(handover.note).toBe(`About ${one.id}\n\nCall after five.`);
  // What the admin wrote isn't the former coach's to take along.
  const archive = JSON.stringify(await ask(leaving, 'export_account()'));
  expect(archive).toContain(`About ${one.id}`);
  expect(archive).not.toContain('Call after five.');
  // The status stays.
  const [after] = await sql`select coach_id, state from public.engagements where id = ${one.id}`;
  expect(after).toEqual({ coach_id: otherCoach.userId, state: 'accepted' });
  const [warm] = await sql`
    select body from public.notifications
    where user_id = ${one.client.userId} and title = 'Otis Coach is your new coach'`;
  expect(warm?.body).toMatch(/^Otis knows bakeries\./);
});

test('A coach who loses their role leaves the packet to whoever comes next', async () => {
  const gone = await createCoach(world);
  const { id, client } = await clientOf(gone);
  await ask(gone, 'accept_client($1)', [id]);
  await ask(admin, "set_staff_role($1, null, 'left')", [gone.userId]);
  expect(await handoversOf(id)).toMatchObject([{ to_coach_id: null, note: null, handed: false }]);
  const next = await createCoach(world);
  await ask(client, 'choose_coach($1, $2)', [id, next.userId]);
  expect(await handoversOf(id)).toMatchObject([{ to_coach_id: next.userId, handed: true }]);
});

test('Who never accepted leaves nothing', async () => {
  const never = await createCoach(world);
  const { id } = await clientOf(never);
  await ask(never, "decline_client($1, 'no time')", [id]);
  expect(await handoversOf(id)).toHaveLength(0);
});

test('The note and the packet go with the owner’s account', async () => {
  const { id, client } = await clientOf(coach);
  await ask(coach, 'accept_client($1)', [id]);
  await ask(admin, "assign_coach($1, $2, 'has time', 'Knows her.')", [id, otherCoach.userId]);
  await ask(otherCoach, "log_contact(gen_random_uuid(), $1, 'phone', true, 'She is ill.')", [id]);
  await sql`select private.delete_account(${client.userId})`;
  expect(await handoversOf(id)).toHaveLength(0);
  const [row] = await sql`select note from public.contact_attempts where engagement_id = ${id}`;
  expect(row).toEqual({ note: null });
});
