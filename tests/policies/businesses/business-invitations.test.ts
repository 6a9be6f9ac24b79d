import { expect, test } from 'vitest';
import { createPerson } from '#backend/local/demo/builders.ts';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { expectCallers, openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as, refusal } = world;
const { owner, otherOwner, coach, admin } = people;

const ask = async (who: Person, text: string) =>
  (await asPerson(sql, who, (tx) => tx.unsafe(`select ${text} as it`)))[0]?.it;

const invite = (who: Person, address: string, id: string = crypto.randomUUID()) =>
  ask(who, `invite_member('${id}', '${ids.alder}', '${address}')`);

/** The token in the link of the newest invitation email to an address. */
async function tokenTo(address: string): Promise<string> {
  const [mail] = await sql`
    select data->>'path' as path from private.mails
    where to_address = ${address} and template = 'business-invitation'
    order by created_at desc limit 1`;
  return new URL(mail?.path, 'http://site.test').searchParams.get('token') ?? '';
}

/** Resets rate limits, so that one test's don't affect the next. */
const forgetLimits = () => sql`delete from public.rate_limits`;

test('Only the owner of the business invites', async () => {
  await expectCallers(
    world,
    `invite_member(gen_random_uuid(), '${ids.alder}', 'new@home.test')`,
    'P0002 We can’t find this business.',
    { colleague: '42501 Only the owner of the business can do this.', owner: 1 },
  );
});

test('Only the owner takes an invitation back or sends it again', async () => {
  const { id } = await invite(owner, 'back@home.test');
  for (const act of ['revoke_invitation', 'resend_invitation']) {
    await expectCallers(world, `${act}('${id}')`, 'P0002 We can’t find this invitation.', {
      owner: 1,
    });
  }
});

test('An address that is none, one’s own or invited already is refused in words', async () => {
  const refused = (address: string) => refusalOf(invite(owner, address));
  for (const address of [
    '',
    'nobody',
    'a b@c.test',
    'a@b',
    'a@b@c.test',
    'x<ann@c.test>',
    'x,ann@c.test',
    '[x]ann@c.test',
    'x\\ann@c.test',
  ]) {
    expect(await refused(address)).toBe('22023 An email address looks like name@example.com.');
  }
  expect(await refused('Owner@example.test')).toMatch(/^22023 That’s your own address/);
  await invite(owner, 'twice@home.test');
  expect(await refused(' Twice@Home.test ')).toMatch(/^23505 There’s already an open invitation/);
});

test('What the owner is told is the same for an address with an account and one without', async () => {
  await forgetLimits();
  const known = await invite(owner, otherOwner.email);
  const unknown = await invite(owner, 'without-an-account@home.test');
  const shape = ({ address: _, id: __, ...rest }: Record<string, unknown>) =>
    Object.entries(rest).map(([key, value]) => [key, typeof value]);
  expect(shape(known)).toEqual(shape(unknown));
});

test('Sent twice with one id, it is one invitation and one mail', async () => {
  const id = crypto.randomUUID();
  await invite(owner, 'once@home.test', id);
  await invite(owner, 'once@home.test', id);
  expect(await refusalOf(invite(owner, 'other@home.test', id))).toBe(
    '23505 This invitation already exists.',
  );
  expect(
    await sql`select count(*)::int from private.mails where to_address = 'once@home.test'`,
  ).toEqual([{ count: 1 }]);
});

test('Twenty invitations a day are enough, and an address is not flooded', async () => {
  await forgetLimits();
  for (let count = 0; count < 20; count += 1) await invite(owner, `many${count}@home.test`);
  expect(await refusalOf(invite(owner, 'one-more@home.test'))).toMatch(/^PT429 You’ve sent a lot/);
  await sql`delete from public.business_invitations where address like 'many%'`;
  await forgetLimits();
  const { id } = await invite(owner, 'flooded@home.test');
  await ask(owner, `resend_invitation('${id}')`);
  expect(await refusal(owner, `resend_invitation('${id}')`)).toMatch(
    /^PT429 We just sent this one/,
  );
  await sql`update public.business_invitations set times_sent = 5 where id = ${id}`;
  // One business's invitations to an address don't keep another business from inviting it.
  await sql`
    update public.rate_limits set hits = 99 where key like 'invite-to:' || ${ids.alder} || ':%'`;
  await ask(
    otherOwner,
    `invite_member('${crypto.randomUUID()}', '${ids.birch}', 'flooded@home.test')`,
  );
  await forgetLimits();
  expect(await refusal(owner, `resend_invitation('${id}')`)).toMatch(
    /^55000 We’ve sent this invitation five times/,
  );
});

const accept = (who: Person, token: string) => ask(who, `accept_invitation('${token}')`);
const open = (who: Person, token: string) => ask(who, `get_invitation('${token}')`);

test('The secret is only in the mail, never in the table', async () => {
  await forgetLimits();
  await invite(owner, 'secret@home.test');
  const token = await tokenTo('secret@home.test');
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const rows = await sql`select * from public.business_invitations`;
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('Somebody else learns nothing from the link, and does not get in', async () => {
  await invite(owner, 'guest@home.test');
  const token = await tokenTo('guest@home.test');
  for (const who of [otherOwner, admin]) {
    expect(await open(who, token)).toEqual({
      state: 'other-address',
      your_address: who.email,
    });
    expect(await refusalOf(accept(who, token))).toBe(
      '42501 This invitation is for a different email address.',
    );
  }
  expect(await ask(otherOwner, `decline_invitation('${token}')`)).toEqual({ declined: false });
  expect(await open(otherOwner, 'made-up')).toEqual({ state: 'unknown' });
  expect(await refusalOf(as({ role: 'anon' })`select get_invitation('x')`)).toBe(
    '42501 permission denied for function get_invitation',
  );
});

test('The reader joins once, the owner hears of it, and the link is used up', async () => {
  const { id } = await createPerson(world.database.db, {
    email: 'guest@home.test',
    fullName: 'Gus Guest',
  });
  const guest: Person = { userId: id, email: 'guest@home.test' };
  const token = await tokenTo('guest@home.test');
  expect(await open(guest, token)).toMatchObject({
    state: 'open',
    business: 'Alder Bakery',
    invited_by: 'Olive Owner',
  });
  expect(await accept(guest, token)).toEqual({ business_id: ids.alder, name: 'Alder Bakery' });
  // Accepting again, after a double click or a lost response.
  expect(await accept(guest, token)).toMatchObject({ business_id: ids.alder });
  expect(await sql`select role from public.business_members where user_id = ${id}`).toEqual([
    { role: 'member' },
  ]);
  const [mail] = await sql`
    select data->>'subject' as subject from private.mails
    where to_address = ${owner.email} and template = 'notice'`;
  expect(mail?.subject).toBe('Gus Guest has joined Alder Bakery');
  await ask(owner, `remove_member('${ids.alder}', '${id}')`);
  expect(await open(guest, token)).toMatchObject({ state: 'accepted' });
  await accept(guest, token);
  expect(await sql`select role from public.business_members where user_id = ${id}`).toEqual([]);
});

test('An address that is not confirmed does not join', async () => {
  const address = 'unconfirmed@home.test';
  const { id } = await createPerson(world.database.db, {
    email: address,
    fullName: 'Una',
    confirmed: false,
  });
  await invite(owner, address);
  const token = await tokenTo(address);
  const una: Person = { userId: id, email: address };
  expect(await open(una, token)).toEqual({ state: 'unconfirmed', your_address: address });
  expect(await refusalOf(accept(una, token))).toMatch(/^42501 Confirm your email first/);
});

test('A link that was replaced, taken back, declined or has run out lets nobody in', async () => {
  const address = otherOwner.email;
  const over = '55000 This invitation no longer works. Ask for a new one.';
  await forgetLimits();
  const [open1] = await sql`
    select id from public.business_invitations where address = ${address} and ended is null`;
  const first = await tokenTo(address);
  await ask(owner, `resend_invitation('${open1?.id}')`);
  expect(await open(otherOwner, first)).toEqual({ state: 'unknown' });

  const second = await tokenTo(address);
  await sql`update public.business_invitations set expires_at = now() where id = ${open1?.id}`;
  expect(await open(otherOwner, second)).toMatchObject({ state: 'expired' });
  expect(await refusalOf(accept(otherOwner, second))).toBe(over);

  await ask(owner, `revoke_invitation('${open1?.id}')`);
  expect(await refusalOf(accept(otherOwner, second))).toBe(over);
  await invite(owner, address);
  const third = await tokenTo(address);
  expect(await ask(otherOwner, `decline_invitation('${third}')`)).toEqual({
    declined: true,
  });
  expect(await refusalOf(accept(otherOwner, third))).toBe(over);
  expect(
    await sql`
      select role from public.business_members
      where user_id = ${otherOwner.userId} and business_id = ${ids.alder}`,
  ).toEqual([]);
});

test('An invitation stands in the list of whoever holds the confirmed address, and of nobody else', async () => {
  await forgetLimits();
  const address = 'listed@home.test';
  const { id: personId } = await createPerson(world.database.db, {
    email: address,
    fullName: 'Lia Listed',
  });
  const lia: Person = { userId: personId, email: address };
  const { id } = await invite(owner, address);
  const listed = async (who: Person) =>
    (await ask(who, 'list_businesses()')).invitations as { id: string }[];
  const idsOf = async (who: Person) => (await listed(who)).map((each) => each.id);
  expect(await listed(lia)).toEqual([
    {
      id,
      business: 'Alder Bakery',
      invited_by: 'Olive Owner',
      expires_at: expect.any(String),
      role: 'member',
    },
  ]);

  for (const who of [owner, otherOwner, coach, admin]) {
    expect(await idsOf(who)).not.toContain(id);
    expect(await refusal(who, `accept_my_invitation('${id}')`)).toBe(
      '42501 This invitation is for a different email address.',
    );
    expect(await ask(who, `decline_my_invitation('${id}')`)).toEqual({ declined: false });
  }
  expect(
    await refusalOf(
      asPerson(sql, { role: 'anon' }, (tx) => tx.unsafe(`select accept_my_invitation('${id}')`)),
    ),
  ).toBe('42501 permission denied for function accept_my_invitation');
  expect(await refusal(lia, `accept_my_invitation(gen_random_uuid())`)).toMatch(/^55000/);

  await sql`update auth.users set email_confirmed_at = null where id = ${personId}`;
  expect(await idsOf(lia)).toEqual([]);
  expect(await refusal(lia, `accept_my_invitation('${id}')`)).toMatch(/^42501 Confirm/);
  await sql`update auth.users set email_confirmed_at = now() where id = ${personId}`;
  await sql`update public.businesses set archived_at = now() where id = ${ids.alder}`;
  expect(await idsOf(lia)).toEqual([]);
  await sql`update public.businesses set archived_at = null where id = ${ids.alder}`;

  expect(await ask(lia, `decline_my_invitation('${id}')`)).toEqual({ declined: true });
  expect(await idsOf(lia)).toEqual([]);
  const { id: again } = await invite(owner, address);
  const joined = await ask(lia, `accept_my_invitation('${again}')`);
  expect(joined).toEqual({ business_id: ids.alder, name: 'Alder Bakery' });
  expect(await idsOf(lia)).toEqual([]);
});

test('Invitations that are long over are forgotten', async () => {
  await sql`
    update public.business_invitations
    set expires_at = now() - interval '91 days', ended_at = ended_at - interval '91 days'
    where address = 'secret@home.test'`;
  const [row] = await sql`select private.delete_old_invitations()::int as gone`;
  expect(row?.gone).toBe(1);
});
