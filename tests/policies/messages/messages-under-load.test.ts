import { expect, test } from 'vitest';
import { randomFrom } from '#backend/local/demo/builders.ts';
import type { Person } from '../../fixtures/database.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { owner, colleague, coach, otherCoach, admin } = people;
const talk = talkIn(world);
await talk.limit();

/** Errors that are expected when someone else was faster; any other is a bug. */
const EXPECTED = /^(55000|P0002|42501|22023 Choose someone who’s a coach)/;

test('While people write, read, edit, come, go, block and are mailed, nobody waits in a circle and every number holds', async () => {
  const project = crypto.randomUUID();
  await ask(owner, 'create_project($1, $2, $3, p_engagement_id => $4)', [
    project,
    ids.alder,
    'Leads',
    ids.alderEngagement,
  ]);
  const conversations = [
    await talk.open(owner, 'direct', colleague.userId),
    await talk.open(owner, 'direct', coach.userId),
    await talk.open(owner, 'engagement', ids.alderEngagement),
    await talk.open(owner, 'project', project),
    await talk.open(owner, 'support'),
  ];
  const random = randomFrom(20_261_123);
  const any = <Of>(list: readonly Of[]) => list[Math.floor(random() * list.length)] as Of;
  const sent: { by: Person; id: string }[] = [];
  const everyone = [owner, colleague, coach, otherCoach, admin];

  const deeds: ((who: Person, where: string) => Promise<unknown>)[] = [
    ...Array.from({ length: 8 }, () => async (who: Person, where: string) => {
      const { id } = await talk.say(who, where, 'Some words');
      sent.push({ by: who, id });
    }),
    ...Array.from({ length: 4 }, () => async (who: Person, where: string) => {
      const [row] = await sql`select last_seq from public.conversations where id = ${where}`;
      await ask(who, 'read_messages($1, $2)', [where, Math.ceil(Number(row?.last_seq) * random())]);
    }),
    async () => {
      const one = any(sent);
      if (one) await ask(one.by, 'edit_message($1, $2)', [one.id, `Other words ${random()}`]);
    },
    async () => {
      const one = any(sent);
      if (one) await ask(one.by, 'remove_message($1)', [one.id]);
    },
    (who, where) => ask(who, 'set_conversation_muted($1, $2)', [where, random() < 0.5]),
    (who, where) => ask(who, 'save_message_draft($1, $2)', [where, 'Half a thought']),
    () =>
      ask(admin, 'assign_coach($1, $2, $3)', [
        ids.alderEngagement,
        any([coach, otherCoach]).userId,
        'in turn',
      ]),
    () =>
      ask(admin, 'set_staff_role($1, $2, $3)', [
        any([coach, otherCoach]).userId,
        any(['coach', 'admin', null]),
        'in turn',
      ]),
    () => ask(owner, 'set_person_blocked($1, $2)', [colleague.userId, random() < 0.5]),
    () => ask(owner, 'set_person_blocked($1, $2)', [coach.userId, random() < 0.5]),
    () => sql`
      delete from public.business_members
      where business_id = ${ids.alder} and user_id = ${colleague.userId}`,
    () => sql`
      insert into public.business_members (business_id, user_id, role)
      values (${ids.alder}, ${colleague.userId}, 'member') on conflict do nothing`,
    async () => {
      await sql`
        update public.conversation_participants p set unread_since = now() - interval '2 hours'
        from (
          select q.conversation_id, q.user_id from public.conversation_participants q
          where q.unread_since is not null for update skip locked
        ) w
        where p.conversation_id = w.conversation_id and p.user_id = w.user_id`;
      await sql`select private.mail_unread_messages()`;
    },
  ];

  const faults: string[] = [];
  const work = async () => {
    for (let turn = 0; turn < 120; turn += 1) {
      try {
        await any(deeds)(any(everyone), any(conversations));
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        if (!EXPECTED.test(`${code} ${message}`)) faults.push(`${code} ${message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 7 }, work));
  expect(faults).toEqual([]);
  expect(sent.length).toBeGreaterThan(40);

  const numbers = await sql`
    select count(m.id)::int as messages, c.last_seq::int, count(distinct m.revision)::int as revisions,
      coalesce(max(m.revision), 0) <= c.revision as known
    from public.conversations c left join public.messages m on m.conversation_id = c.id
    group by c.id`;
  for (const row of numbers) {
    expect(row).toEqual({
      messages: row.last_seq,
      last_seq: row.last_seq,
      revisions: row.messages,
      known: true,
    });
  }
  const miscounted = await sql`
    select c.kind, f.full_name, p.unread, u.counted
    from public.conversation_participants p
    join public.conversations c on c.id = p.conversation_id
    join public.profiles f on f.user_id = p.user_id
    cross join lateral (
      select count(*)::int as counted from public.messages m
      where m.conversation_id = p.conversation_id and m.removed_at is null
        and m.seq > p.read_seq and m.seq >= p.from_seq and m.author_id is distinct from p.user_id
    ) u
    where p.left_at is null and p.unread <> u.counted`;
  expect(miscounted).toEqual([]);
  // The participants are exactly those that the rules require.
  const astray = await sql`
    select c.kind, w.user_id as wanted, p.user_id as present
    from public.conversations c
    left join lateral private.people_of(c) as w (user_id) on true
    full join public.conversation_participants p
      on p.conversation_id = c.id and p.user_id = w.user_id and p.left_at is null
    where (p.left_at is null and p.user_id is not null) <> (w.user_id is not null)`;
  expect(astray).toEqual([]);
}, 60_000);
