import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import {
  everyone,
  OWES_CODE,
  openWorld,
  refusalOf,
  type World,
  whoMay,
} from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, as, ask } = world;
const { owner, colleague, otherOwner, ownerWithoutCode, ownerWithCode, coach, otherCoach, admin } =
  people;

const context = async (who: World['people']['owner']) => await ask(who, 'session_context()');

test('A visitor has none', async () => {
  expect(await whoMay(world, (sql) => sql`select session_context()`)).toEqual(
    everyone(1, { visitor: '42501 permission denied for function session_context' }),
  );
});

test('A session that owes its code learns that it owes it, and nothing private', async () => {
  expect(await context(ownerWithoutCode)).toEqual({
    user_id: people.ownerWithoutCode.userId,
    role: 'owner',
    second_factor: 'required',
    businesses: [],
    email: null,
    full_name: null,
    avatar_path: null,
    time_zone: null,
    locale: null,
    deletion_due_at: null,
    unread_messages: 0,
    unread_notifications: 0,
    message_text: false,
    programs: false,
    toggles: null,
  });
});

test('A session says how many messages are unread, and nothing of it while the code is owed', async () => {
  const talk = talkIn(world);
  const cedar = await talk.open(coach, 'engagement', ids.cedarEngagement);
  await talk.say(coach, cedar, 'Hello');
  await talk.say(coach, cedar, 'Hello again');
  expect(await context(ownerWithCode)).toMatchObject({ unread_messages: 2 });
  expect(await context(ownerWithoutCode)).toMatchObject({ unread_messages: 0 });
  expect(await context(coach)).toMatchObject({ unread_messages: 0 });
});

test('A session says whether emails and notifications may quote messages', async () => {
  await as(ownerWithCode)`select public.save_notification_settings(true, true, true, false)`;
  expect(await context(ownerWithCode)).toMatchObject({ message_text: false });
});

test('With the code it is whole', async () => {
  expect(await context(ownerWithCode)).toMatchObject({
    second_factor: 'verified',
    full_name: 'Wanda Without',
    businesses: [{ id: ids.cedar, name: 'Cedar Care', role: 'owner' }],
  });
});

test('People learn their name, role and businesses', async () => {
  expect(await context(colleague)).toEqual({
    user_id: people.colleague.userId,
    email: 'colleague@example.test',
    full_name: 'Cole League',
    avatar_path: null,
    time_zone: null,
    locale: 'en',
    role: 'owner',
    second_factor: 'none',
    deletion_due_at: null,
    unread_messages: 0,
    unread_notifications: 0,
    message_text: true,
    programs: false,
    toggles: ['coaching-requests', 'message-files', 'registration'],
    businesses: [{ id: ids.alder, name: 'Alder Bakery', role: 'member' }],
  });
  expect(await context(coach)).toMatchObject({ role: 'coach', businesses: [] });
  expect(await context(admin)).toMatchObject({ role: 'admin' });
});

test('A factor that was never verified asks for nothing', async () => {
  await sql`
    insert into auth.mfa_factors (id, user_id, factor_type, status)
    values (gen_random_uuid(), ${people.colleague.userId}, 'totp', 'unverified')`;
  expect(await context(colleague)).toMatchObject({ second_factor: 'none' });
});

test('A session that was ended reads and does nothing, though its token lasts longer', async () => {
  const sessionOf = async (who: World['people']['owner']) => {
    const sessionId = crypto.randomUUID();
    await sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${who.userId})`;
    return { ...owner, sessionId };
  };
  const [open, ended] = [await sessionOf(owner), await sessionOf(owner)];
  const someoneElses = await sessionOf(otherOwner);
  await sql`delete from auth.sessions where id = ${ended.sessionId}`;

  const businesses = (who: typeof open) => as(who)`select id from public.businesses`;
  expect(await businesses(open)).toHaveLength(1);
  expect(await context(open)).toMatchObject({ full_name: 'Olive Owner' });
  for (const who of [ended, someoneElses]) {
    expect(await context(who)).toBeNull();
    const share = () => as(who)`select set_results_shared(${ids.alderEngagement}, true)`;
    for (const refused of [() => businesses(who), share]) {
      expect(await refusalOf(refused())).toBe('PT401 Your session has ended. Sign in again.');
    }
  }
});

test('A session that was checked speaks for no other in the same transaction', async () => {
  const sessionId = crypto.randomUUID();
  await sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${owner.userId ?? ''})`;
  const both = asPerson(sql, { ...owner, sessionId }, async (tx) => {
    expect(await tx`select id from public.businesses`).toHaveLength(1);
    const claims = { sub: owner.userId, role: 'authenticated', session_id: crypto.randomUUID() };
    await tx`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
    return tx`select id from public.businesses`;
  });
  expect(await refusalOf(both)).toBe('PT401 Your session has ended. Sign in again.');
});

test('The token of a deleted account knows nobody', async () => {
  await sql`delete from auth.users where id = ${people.otherCoach.userId}`;
  expect(await context(otherCoach)).toBeNull();
});

test('A token cannot say that its owner is an admin', async () => {
  await sql`
    update auth.users set raw_user_meta_data = '{"role": "admin"}', raw_app_meta_data = '{"role": "admin"}'
    where id = ${otherOwner.userId}`;
  expect(await context(otherOwner)).toMatchObject({ role: 'owner' });
});

test('Only an admin sees the figures, and looking is in the audit log', async () => {
  expect(await whoMay(world, (tx) => tx`select admin_overview()`)).toMatchObject({
    visitor: '42501 permission denied for function admin_overview',
    owner: '42501 Only an admin can do this.',
    ownerWithoutCode: OWES_CODE,
    coach: '42501 Only an admin can do this.',
    admin: 1,
  });
  const [row] = await as(admin)`select admin_overview() as figures`;
  expect(row?.figures).toMatchObject({ figures: { businesses: { total: 3 } } });
  expect(
    await sql`select actor_id, action from public.audit_log where action = 'overview.read'`,
  ).toEqual([{ actor_id: admin.userId, action: 'overview.read' }]);
});
