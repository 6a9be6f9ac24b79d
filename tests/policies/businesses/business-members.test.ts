import { expect, test } from 'vitest';
import { expectCallers, expectReaders, openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as, refusal } = world;
const { owner, otherOwner } = people;

test('Members see the members of their own business', () =>
  expectReaders(world, 'business_members', 'user_id', {
    owner: [owner.userId, people.colleague.userId].toSorted(),
    colleague: [owner.userId, people.colleague.userId].toSorted(),
    otherOwner: [otherOwner.userId],
    ownerWithCode: [people.ownerWithCode.userId],
  }));

const notFound = 'P0002 We can’t find this business.';
const onlyOwner = '42501 Only the owner of the business can do this.';

test('Only the owner removes a member or hands the business over', async () => {
  const colleague = people.colleague.userId;
  for (const act of ['remove_member', 'hand_over_business']) {
    await expectCallers(world, `${act}('${ids.alder}', '${colleague}')`, notFound, {
      colleague: onlyOwner,
      owner: 1,
    });
  }
});

test('A member leaves; the owner hands over first, to somebody who belongs to it', async () => {
  const hold = '55000 Make someone else the owner before you leave.';
  await expectCallers(world, `leave_business('${ids.alder}')`, notFound, {
    owner: hold,
    colleague: 1,
  });
  expect(await refusal(owner, 'remove_member($1, $2)', [ids.alder, owner.userId])).toBe(hold);
  expect(await refusal(owner, 'hand_over_business($1, $2)', [ids.alder, otherOwner.userId])).toBe(
    '22023 Choose someone who’s already a member of the business.',
  );
});

test('After handing over, the other one decides, and both hear of it', async () => {
  const hand = (from: typeof people.owner, to: typeof people.owner) =>
    as(from)`select hand_over_business(${ids.alder}, ${to.userId})`;
  await hand(owner, people.colleague);
  expect(await refusalOf(hand(owner, people.colleague))).toBe(onlyOwner);
  const mails = await sql`select to_address, data->>'subject' as subject from private.mails`;
  expect(mails).toContainEqual({
    to_address: 'colleague@example.test',
    subject: 'You’re now the owner of Alder Bakery',
  });
  await hand(people.colleague, owner);
});

test('Who was removed sees nothing of the business, and their coach neither', async () => {
  const engagement = crypto.randomUUID();
  await as(people.colleague)`select request_coaching(${engagement}, ${ids.alder})`;
  await as(owner)`select remove_member(${ids.alder}, ${people.colleague.userId})`;
  expect(await as(people.colleague)`select id from public.businesses`).toEqual([]);
  expect(await sql`select state from public.engagements where id = ${engagement}`).toEqual([
    { state: 'withdrawn' },
  ]);
  await sql`
    insert into public.business_members (business_id, user_id, role)
    values (${ids.alder}, ${people.colleague.userId}, 'member')`;
});

test('When the owner deletes the account, the member who joined first becomes the owner', async () => {
  await sql`delete from auth.users where id = ${owner.userId}`;
  expect(
    await sql`select user_id, role from public.business_members where business_id = ${ids.alder}`,
  ).toEqual([{ user_id: people.colleague.userId, role: 'owner' }]);
});
