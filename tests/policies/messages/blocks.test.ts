import { expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { expectReaders, openWorld, refusalOf } from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, colleague, otherOwner, coach } = people;
const talk = talkIn(world);
const direct = await talk.open(owner, 'direct', colleague.userId);
await talk.say(owner, direct, 'Hello');

const block = (who: Person, whom: Person, blocked = true) =>
  ask(who, 'set_person_blocked($1, $2)', [whom.userId, blocked]);
const why = async (who: Person) =>
  (await ask(who, 'get_conversation($1)', [direct])).conversation.closed_why;

test('Strangers cannot be blocked, so that nobody learns who has an account', async () => {
  const strange = 'P0002 We can’t find this person.';
  expect(await refusalOf(block(otherOwner, owner))).toBe(strange);
  expect(await refusal(owner, 'set_person_blocked($1, true)', [crypto.randomUUID()])).toBe(strange);
  expect(await refusalOf(block(owner, owner))).toBe('22023 You can’t block yourself.');
});

test('Only who blocked sees it', async () => {
  await block(owner, colleague);
  await block(owner, colleague);
  await expectReaders(world, 'blocks', "'one'", { owner: ['one'] });
  expect(await ask(owner, 'list_blocked()')).toMatchObject([
    { id: colleague.userId, name: 'Cole League', role: 'owner' },
  ]);
  expect(await ask(colleague, 'list_blocked()')).toEqual([]);
});

test('Neither of the two writes, and the other is not told why', async () => {
  expect(await why(owner)).toBe('You’ve blocked this person.');
  expect(await why(colleague)).toBe('You can’t write here.');
  expect(await refusalOf(talk.say(owner, direct, 'x'))).toBe('55000 You’ve blocked this person.');
  expect(await refusalOf(talk.say(colleague, direct, 'x'))).toBe(
    '55000 You can no longer write here.',
  );
  expect((await ask(owner, 'get_conversation($1)', [direct])).blocked).toBe(true);
  expect((await ask(colleague, 'get_conversation($1)', [direct])).blocked).toBe(false);
  // Both keep their messages.
  expect(await talk.bodies(colleague, direct)).toEqual(['Hello']);
  for (const who of [owner, colleague]) {
    const names = (await ask(who, 'list_correspondents()')).map(
      ({ name }: { name: string }) => name,
    );
    expect(names).not.toContain('Cole League');
    expect(names).not.toContain('Olive Owner');
  }
  await block(owner, colleague, false);
  await talk.say(colleague, direct, 'Thank you');
});

test('Blocked by both, it takes both to write again', async () => {
  await block(owner, colleague);
  await block(colleague, owner);
  await block(owner, colleague, false);
  expect(await why(owner)).toBe('You can’t write here.');
  await block(colleague, owner, false);
  expect(await why(owner)).toBeNull();
});

test('Blocking again and again is refused: each time the other has to join anew', async () => {
  await sql`delete from public.rate_limits`;
  for (let times = 0; times < 30; times += 1) {
    await block(owner, colleague);
    await block(owner, colleague, false);
  }
  expect(await refusalOf(block(owner, colleague))).toBe(
    'PT429 You’ve blocked a lot of people in a short time. Try again in a minute.',
  );
  // Blocking twice, or unblocking twice, isn't counted.
  await block(owner, colleague, false);
  await sql`delete from public.rate_limits`;
});

test('Nothing new is begun between the two', async () => {
  await block(owner, coach);
  const refused = 'P0002 You can’t message this person.';
  expect(await refusalOf(talk.open(coach, 'direct', owner.userId))).toBe(refused);
  expect(await refusalOf(talk.open(owner, 'direct', coach.userId))).toBe(refused);
  await block(owner, coach, false);
});

test('Coaching goes on, silenced', async () => {
  const id = await talk.open(owner, 'engagement', ids.alderEngagement);
  await talk.say(coach, id, 'Hello');
  await block(owner, coach);
  const { conversation } = await ask(owner, 'get_conversation($1)', [id]);
  expect(conversation).toMatchObject({ open: true, muted: true });
  await talk.say(coach, id, 'Still here');
  await talk.say(owner, id, 'So am I');
});
