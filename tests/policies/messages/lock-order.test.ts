import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const talk = talkIn(world);

test('Reading and muting a conversation at once wait for each other in turn, not in a circle', async () => {
  const where = await talk.open(people.owner, 'direct', people.colleague.userId);
  await talk.say(people.colleague, where, 'Some words');
  let muting: Promise<unknown> = Promise.resolve();
  const reading = asPerson(sql, people.owner, async (tx) => {
    // What read_messages locks first.
    await tx`reset role`;
    await tx`
      select from public.conversation_participants
      where conversation_id = ${where} and user_id = ${people.owner.userId} for update`;
    muting = ask(people.owner, 'set_conversation_muted($1, $2)', [where, true]);
    await expect
      .poll(() => sql`select from pg_locks where not granted`.then((rows) => rows.length))
      .toBeGreaterThan(0);
    return tx`select read_messages(${where}, 1) as answer`;
  });
  await expect(reading).resolves.toMatchObject([{ answer: { unread: 0 } }]);
  await expect(muting).resolves.toEqual({ muted: true });
});

test('A coach who becomes an admin and someone who blocks them lock conversations in one order', async () => {
  const { owner, coach, admin } = people;
  await talk.open(owner, 'engagement', ids.alderEngagement);
  const support = await talk.open(owner, 'support');
  let promoting: Promise<unknown> = Promise.resolve();
  const blocking = asPerson(sql, owner, async (tx) => {
    // What set_person_blocked locks first, if the coach was an admin before.
    await tx`reset role`;
    await tx`select private.hold_conversations(${[support]})`;
    promoting = ask(admin, 'set_staff_role($1, $2, $3)', [coach.userId, 'admin', 'New tasks']);
    await expect
      .poll(() => sql`select from pg_locks where not granted`.then((rows) => rows.length))
      .toBeGreaterThan(0);
    return tx`select set_person_blocked(${coach.userId}, true) as answer`;
  });
  await expect(blocking).resolves.toMatchObject([{ answer: { blocked: true } }]);
  await expect(promoting).resolves.toMatchObject({ role: 'admin' });
});
