import { expect, test } from 'vitest';
import {
  everyone,
  expectCallers,
  openWorld,
  refusalOf,
  type World,
  whoMay,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, as, ask } = world;
const { owner, colleague, otherOwner, ownerWithoutCode, coach, admin } = people;

/** Signs a person in on another device. */
async function device(who: World['people']['owner'], userAgent: string) {
  const sessionId = crypto.randomUUID();
  await sql`
    insert into auth.sessions (id, user_id, user_agent)
    values (${sessionId}, ${who.userId}, ${userAgent})`;
  return { ...who, sessionId };
}

const list = async (who: World['people']['owner']) => await ask(who, 'list_sessions()');

test('A visitor and a session that owes its code learn nothing', async () => {
  for (const name of ['list_sessions', 'get_account']) {
    await expectCallers(world, `${name}()`, 1, {});
  }
});

test('People are told whether they have a password, which they may have to choose yet', async () => {
  const has = async () => (await ask(colleague, 'get_account()')).has_password;
  for (const [stored, told] of [
    ['$2b$10$abcdefghijklmnopqrstuv', true],
    [null, false],
    // Hosted Auth stores an empty string.
    ['', false],
  ]) {
    await sql`
      update auth.users set encrypted_password = ${stored ?? null} where id = ${colleague.userId}`;
    expect(await has()).toBe(told);
  }
});

test('Nobody ends the session of somebody else', async () => {
  const phone = await device(owner, 'Phone');
  await whoMay(world, (sql) => sql`select end_session(${phone.sessionId})`);
  for (const who of [otherOwner, admin]) {
    await as(who)`select end_session(${phone.sessionId})`;
  }
  expect(await list(phone)).toHaveLength(1);
});

test('People see their own devices, this one first, and end another at once', async () => {
  const desk = await device(colleague, 'Desk');
  const phone = await device(colleague, 'Phone');
  expect(await list(phone)).toMatchObject([
    { id: phone.sessionId, user_agent: 'Phone', current: true },
    { id: desk.sessionId, user_agent: 'Desk', current: false },
  ]);
  const [row] = await as(phone)`select end_session(${desk.sessionId}) as it`;
  expect(row?.it).toMatchObject([{ id: phone.sessionId }]);
  expect(await refusalOf(list(desk))).toBe('PT401 Your session has ended. Sign in again.');
  // Ending it again changes nothing.
  await as(phone)`select end_session(${desk.sessionId})`;
  expect(await list(phone)).toHaveLength(1);
});

test('The session in use is left by signing out, not from the list', async () => {
  const desk = await device(coach, 'Desk');
  expect(await refusalOf(as(desk)`select end_session(${desk.sessionId})`)).toBe(
    '55000 You’re using this session now. Sign out instead.',
  );
});

test('Of thousands of sessions at most fifty are shown, this one among them', async () => {
  const old = await device(admin, 'Old');
  await sql`update auth.sessions set created_at = now() - interval '1 year' where id = ${old.sessionId}`;
  await sql`
    insert into auth.sessions (id, user_id)
    select gen_random_uuid(), ${admin.userId} from generate_series(1, 2000)`;
  const shown = await list(old);
  expect(shown).toHaveLength(50);
  expect(shown[0]).toMatchObject({ id: old.sessionId, current: true });
});

test('No person may take it away; whoever runs the server does, and it is written down', async () => {
  const email = ownerWithoutCode.email;
  expect(
    await whoMay(world, (tx) => tx`select private.forget_second_factor(${email}, 'lost')`),
  ).toEqual(everyone('42501 permission denied for function forget_second_factor'));
  await sql`select private.forget_second_factor(${email}, 'Called back on the known number')`;
  const [log] = await sql`
    select reason from public.audit_log where action = 'second_factor.forget'`;
  expect(log).toEqual({ reason: 'Called back on the known number' });
  const [mail] = await sql`
    select data ->> 'subject' as subject from private.mails where to_address = ${email}`;
  expect(mail?.subject).toBe('We removed your authenticator app');
  const [row] = await as(ownerWithoutCode)`select session_context() as it`;
  expect(row?.it).toMatchObject({ second_factor: 'none', full_name: 'Wanda Without' });
});
