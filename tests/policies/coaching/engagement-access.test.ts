import { describe, expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { createCoach, createRequest, dayFromNow, tryToReach } from '../../fixtures/engagements.ts';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, as, ask, refusal } = world;
const { owner, coach, otherCoach, admin } = people;
await raiseLimits(sql, 'all');
const talk = talkIn(world);

type Account = Person & { userId: string };

/** An owner whose request is in progress with a coach, both new, with shared results. */
async function underWay() {
  const [client, its] = [await createNewcomer(world), await createCoach(world)];
  const { id, business } = await createRequest(world, client);
  await ask(client, 'choose_coach($1, $2)', [id, its.userId]);
  await ask(its, 'accept_client($1)', [id]);
  await sql`select private.start_coaching(${id})`;
  return { client, coach: its, id, business };
}
const rowOf = async (id: string) => {
  const [row] = await sql`select * from public.engagements where id = ${id}`;
  return row;
};
const namesSeen = async (who: Person, about: Account) =>
  (await as(who)`select full_name from public.profiles where user_id = ${about.userId}`).length;

describe('What was shared with one coach', () => {
  test('is there for the first coach who is asked, by whoever asks', async () => {
    for (const choose of ['choose', 'assign']) {
      const client = await createNewcomer(world);
      const { id } = await createRequest(world, client);
      if (choose === 'choose') await ask(client, 'choose_coach($1, $2)', [id, coach.userId]);
      else await ask(admin, "assign_coach($1, $2, 'near')", [id, coach.userId]);
      expect(await rowOf(id)).toMatchObject({ results_shared: true, coach_id: coach.userId });
    }
  });

  test('isn’t there for the next one, however the first one went', async () => {
    const ways: Record<string, (one: { id: string; coach: Account }) => Promise<unknown>> = {
      'an admin takes them off': ({ id }) => ask(admin, "unassign_coach($1, 'moved')", [id]),
      'an admin assigns another': ({ id }) =>
        ask(admin, "assign_coach($1, $2, 'moved')", [id, otherCoach.userId]),
      'they lose their role': ({ coach: its }) =>
        ask(admin, "set_staff_role($1, null, 'left')", [its.userId]),
      'they’re blocked': ({ coach: its }) =>
        ask(admin, "set_blocked($1, true, 'abuse')", [its.userId]),
      'their account is deleted': ({ coach: its }) =>
        sql`select private.delete_account(${its.userId})`,
      'their row is deleted': ({ coach: its }) =>
        sql`delete from auth.users where id = ${its.userId}`,
    };
    for (const [way, go] of Object.entries(ways)) {
      const one = await underWay();
      await go(one);
      expect([way, (await rowOf(one.id))?.results_shared]).toEqual([way, false]);
      if (way === 'an admin assigns another') continue;
      // Nobody is left without a next step.
      expect(await rowOf(one.id), way).toMatchObject({
        state: 'requested',
        coach_id: null,
        due_what: 'assign',
      });
      const told = await sql`
        select from public.notifications
        where user_id = ${one.client.userId} and title like '%can’t coach you anymore'`;
      expect([way, told.length > 0 || way === 'their row is deleted']).toEqual([way, true]);
      await ask(one.client, 'set_results_shared($1, true)', [one.id]);
      await ask(admin, "assign_coach($1, $2, 'free')", [one.id, otherCoach.userId]);
      expect(await rowOf(one.id), way).toMatchObject({ results_shared: true });
    }
  });

  test('isn’t there again when the coach reopens it, and is when the owner does', async () => {
    for (const [who, shared] of [
      ['coach', false],
      ['client', true],
    ] as const) {
      const one = await underWay();
      await ask(one.coach, "complete_coaching($1, 'Well done.')", [one.id]);
      await ask(one[who], 'reopen_coaching($1)', [one.id]);
      expect(await rowOf(one.id)).toMatchObject({ state: 'active', results_shared: shared });
    }
  });
});

test('The profile of a coach is readable while they coach, and only the name in one’s history stays', async () => {
  const one = await underWay();
  expect(await namesSeen(one.client, one.coach)).toBe(1);
  expect(await namesSeen(one.coach, one.client)).toBe(1);
  await ask(admin, "assign_coach($1, $2, 'moved')", [one.id, otherCoach.userId]);
  expect(await namesSeen(one.client, one.coach)).toBe(0);
  expect(await namesSeen(one.coach, one.client)).toBe(0);
  expect(await namesSeen(one.client, otherCoach)).toBe(1);

  const two = await underWay();
  await ask(two.coach, "complete_coaching($1, 'Well done.')", [two.id]);
  expect(await namesSeen(two.client, two.coach)).toBe(0);
  const answer = await ask(two.client, 'keep_coach($1)', [two.id]);
  expect(answer.coach).toEqual({
    user_id: two.coach.userId,
    full_name: 'New Comer',
    avatar_path: null,
    about: '',
    areas: [],
    languages: [],
    time_zone: null,
  });
});

test('The wish for another coach is between the owner and the admins', async () => {
  const one = await underWay();
  expect(
    await ask(one.client, "ask_for_other_coach($1, 'We don’t get along.')", [one.id]),
  ).toMatchObject({ change_requested: true });
  // Once more changes nothing.
  await ask(one.client, "ask_for_other_coach($1, 'Again.')", [one.id]);
  const events = await sql`
    select note from public.engagement_events
    where engagement_id = ${one.id} and kind = 'change_requested'`;
  expect([...events]).toEqual([{ note: 'We don’t get along.' }]);
  expect(await ask(one.coach, 'resume_coaching($1)', [one.id])).toMatchObject({
    change_requested: false,
  });
  for (const who of [one.coach, one.client]) {
    const seen = await as(who)`
      select kind from public.engagement_events where engagement_id = ${one.id}`;
    expect(seen.map(({ kind }) => kind)).not.toContain('change_requested');
    await expect(as(who)`select change_requested_at from public.engagements`).rejects.toThrow(
      'permission denied',
    );
  }
  const [told] = await sql`
    select body from public.notifications
    where user_id = ${admin.userId} and title like '%asks for another coach' order by created_at desc`;
  expect(told?.body).not.toContain('get along');
  expect(await ask(one.client, 'keep_coach($1)', [one.id])).toMatchObject({
    change_requested: false,
  });
  await ask(one.client, "ask_for_other_coach($1, 'After all.')", [one.id]);
  await ask(admin, "assign_coach($1, $2, 'asked for it')", [one.id, otherCoach.userId]);
  expect(await rowOf(one.id)).toMatchObject({ change_requested_at: null, state: 'active' });
  expect(await refusal(owner, "ask_for_other_coach($1, 'no')", [one.id])).toMatch(/^P0002/);
  await ask(one.client, 'withdraw_coaching($1)', [one.id]);
  expect(await refusal(one.client, "ask_for_other_coach($1, 'too late')", [one.id])).toBe(
    '55000 You don’t have a coach for this business.',
  );
});

describe('An owner who couldn’t be reached', () => {
  async function unreachable() {
    const [client, its] = [await createNewcomer(world), await createCoach(world)];
    const { id, business } = await createRequest(world, client);
    await ask(client, 'choose_coach($1, $2)', [id, its.userId]);
    await ask(its, 'accept_client($1)', [id]);
    const conversation = await talk.open(its, 'engagement', id);
    await talk.say(its, conversation, 'Hello?');
    await tryToReach(world, its, id);
    await ask(its, 'mark_unreachable($1)', [id]);
    return { client, coach: its, id, business, conversation };
  }

  test('reopens the coaching with a reply, once', async () => {
    const one = await unreachable();
    expect(await namesSeen(one.client, one.coach)).toBe(0);
    // The coach may still try.
    await talk.say(one.coach, one.conversation, 'Are you there?');
    expect(await rowOf(one.id)).toMatchObject({ state: 'unreachable' });
    const id = crypto.randomUUID();
    await talk.say(one.client, one.conversation, 'I was on vacation.', { id });
    expect(await rowOf(one.id)).toMatchObject({ state: 'accepted', closed_at: null });
    await talk.say(one.client, one.conversation, 'I was on vacation.', { id });
    const events = await sql`
      select actor_id, details ->> 'why' as why from public.engagement_events
      where engagement_id = ${one.id} and from_state = 'unreachable'`;
    expect([...events]).toEqual([{ actor_id: one.client.userId, why: 'reply' }]);
    const told = await sql`
      select from public.notifications
      where user_id = ${one.coach.userId} and title = 'New Comer got back to you'`;
    expect(told).toHaveLength(1);
  });

  test('says so with a button, even without a conversation', async () => {
    const one = await unreachable();
    expect(await ask(one.client, 'resume_contact($1)', [one.id])).toMatchObject({
      state: 'accepted',
    });
    expect(await ask(one.client, 'resume_contact($1)', [one.id])).toMatchObject({
      state: 'accepted',
    });
  });

  test('can’t once there’s other coaching for the business, and nobody writes there anymore', async () => {
    const one = await unreachable();
    const next = crypto.randomUUID();
    await ask(one.client, "request_coaching($1, $2, 'Again', '{}', false)", [next, one.business]);
    const refused = '55000 There’s other coaching for this business. It has to end first.';
    expect(await refusal(one.client, 'resume_contact($1)', [one.id])).toBe(refused);
    expect(await refusal(one.client, 'reopen_coaching($1)', [one.id])).toMatch(/^55000/);
    for (const who of [one.client, one.coach]) {
      await expect(talk.say(who, one.conversation, 'Hello?')).rejects.toThrow(
        'This coaching has ended.',
      );
    }
    await ask(one.client, 'withdraw_coaching($1)', [next]);
    await talk.say(one.client, one.conversation, 'Hello again!');
    expect(await rowOf(one.id)).toMatchObject({ state: 'accepted' });
  });

  test('can’t once the coach isn’t one anymore', async () => {
    const one = await unreachable();
    await ask(admin, "set_staff_role($1, null, 'left')", [one.coach.userId]);
    expect(await refusal(one.client, 'resume_contact($1)', [one.id])).toBe(
      '55000 This coach isn’t coaching anymore. Send a new request.',
    );
    await expect(talk.say(one.client, one.conversation, 'Hello?')).rejects.toThrow(
      'This coaching has ended.',
    );
  });
});

test('Completed coaching is picked up again within 90 days, if there’s no other for the business', async () => {
  const one = await underWay();
  await ask(one.coach, "complete_coaching($1, 'Well done.')", [one.id]);
  const late = await underWay();
  await ask(late.coach, "complete_coaching($1, 'Well done.')", [late.id]);
  await sql`alter table public.engagements disable trigger user`;
  await sql`
    update public.engagements set closed_at = now() - interval '91 days' where id = ${late.id}`;
  await sql`alter table public.engagements enable trigger user`;
  for (const who of [late.client, late.coach]) {
    expect(await refusal(who, 'reopen_coaching($1)', [late.id])).toBe(
      '55000 This coaching ended more than 90 days ago. Send a new request.',
    );
  }
  const next = crypto.randomUUID();
  await ask(one.client, "request_coaching($1, $2, 'More', '{}', false)", [next, one.business]);
  for (const who of [one.client, one.coach]) {
    expect(await refusal(who, 'reopen_coaching($1)', [one.id])).toBe(
      '55000 There’s other coaching for this business. It has to end first.',
    );
  }
  await ask(one.client, 'withdraw_coaching($1)', [next]);
  expect(await ask(one.client, 'reopen_coaching($1)', [one.id])).toMatchObject({
    state: 'active',
    closed_at: null,
    due_what: 'plan',
  });
});

test('Who completes coaching writes a summary, and the owner is asked about it once', async () => {
  const one = await underWay();
  const refused = '22023 Write a few sentences about what came of it.';
  expect(await refusal(one.coach, "complete_coaching($1, ' ')", [one.id])).toBe(refused);
  expect(await refusal(admin, 'complete_coaching($1, null)', [one.id])).toBe(refused);
  for (let times = 0; times < 2; times += 1) {
    await ask(one.coach, "complete_coaching($1, 'You can read a cash flow now.')", [one.id]);
    await ask(one.client, 'reopen_coaching($1)', [one.id]);
  }
  expect(await rowOf(one.id)).toMatchObject({ closing_summary: 'You can read a cash flow now.' });
  const invitations = await sql`
    select from private.mails where to_address = ${one.client.email} and template = 'survey-invitation'`;
  expect(invitations).toHaveLength(1);
  await sql`update public.surveys set state = 'closed', closed_at = now()`;
  const two = await underWay();
  expect(await ask(two.coach, "complete_coaching($1, 'Bye.')", [two.id])).toMatchObject({
    state: 'completed',
  });
});

test('A pause ends on a day between tomorrow and a year from now', async () => {
  const one = await underWay();
  for (const days of [-1, 0, 400]) {
    const day = await dayFromNow(sql, days);
    expect(await refusal(one.client, 'pause_coaching($1, $2)', [one.id, day])).toBe(
      '22023 Choose a day between tomorrow and a year from now.',
    );
  }
});

test('A former coach reads nothing of what came after them', async () => {
  const one = await underWay();
  await ask(admin, "assign_coach($1, $2, 'moved')", [one.id, otherCoach.userId]);
  for (const table of ['engagements', 'engagement_events', 'businesses']) {
    const seen = await as(one.coach)`select from ${sql(`public.${table}`)}`;
    expect([table, seen.length]).toEqual([table, 0]);
  }
  expect(
    await as(otherCoach)`select from public.businesses where id = ${one.business}`,
  ).toHaveLength(1);
});
