import { expect, test } from 'vitest';
import { expectCallers, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { owner, ownerWithCode, ownerWithoutCode } = people;

const use = (code: string) => ask(ownerWithoutCode, 'use_recovery_code($1)', [code]);
const factors = () => sql`
  select from auth.mfa_factors where user_id = ${ownerWithoutCode.userId} and status = 'verified'`;
/** The codes of ownerWithoutCode, made in their other session, which did enter a code. */
const make = async (): Promise<string[]> =>
  (await ask({ ...ownerWithoutCode, aal: 'aal2' }, 'make_recovery_codes()')).codes;

test('Only a session that entered a code makes codes', async () => {
  const none = '55000 Add an authenticator app first.';
  await expectCallers(world, 'make_recovery_codes()', none, { ownerWithCode: 1 });
});

test('Nobody uses a code but a session that still needs its second factor', async () => {
  for (const who of [owner, ownerWithCode]) {
    expect(await refusal(who, "use_recovery_code('whatever')")).toBe(
      '42501 Sign in with your password first.',
    );
  }
});

test('There are ten codes, stored as hashes, and new ones replace them', async () => {
  const codes = await make();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes)
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
  const rows = await sql`select * from private.recovery_codes`;
  expect(rows).toHaveLength(10);
  expect(JSON.stringify(rows)).not.toContain(codes[0]);
  await make();
  expect(await sql`select from private.recovery_codes`).toHaveLength(10);
  expect(await use(codes[0] ?? '')).toEqual({ used: false });
});

test('A code, however it’s typed, removes the apps and ends the other sessions, once', async () => {
  const codes = await make();
  const other = crypto.randomUUID();
  await sql`insert into auth.sessions (id, user_id) values (${other}, ${ownerWithoutCode.userId})`;
  const typed = codes[3]
    ?.toLowerCase()
    .replaceAll('-', ' ')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');
  expect(await use(typed ?? '')).toEqual({ used: true });
  expect(await factors()).toHaveLength(0);
  expect(await sql`select from auth.sessions where id = ${other}`).toHaveLength(0);
  expect(await ask(ownerWithoutCode, 'session_context()')).toMatchObject({
    second_factor: 'none',
    full_name: 'Wanda Without',
  });
  expect((await ask(ownerWithoutCode, 'get_account()')).recovery_codes).toMatchObject({ left: 9 });
  const [mail] = await sql`
    select data ->> 'subject' as subject from private.mails
    where to_address = ${ownerWithoutCode.email} order by created_at desc limit 1`;
  expect(mail?.subject).toBe('Someone signed in with a recovery code');
  expect(await sql`select from public.audit_log where action = 'recovery_codes.use'`).toHaveLength(
    1,
  );

  await sql`
    insert into auth.mfa_factors (id, user_id, factor_type, status)
    values (gen_random_uuid(), ${ownerWithoutCode.userId}, 'totp', 'verified')`;
  expect(await use(codes[3] ?? '')).toEqual({ used: false });
  expect(await use(codes[4] ?? '')).toEqual({ used: true });
});

test('Guessing stops after ten tries an hour', async () => {
  await sql`delete from public.rate_limits`;
  await sql`
    insert into auth.mfa_factors (id, user_id, factor_type, status)
    values (gen_random_uuid(), ${ownerWithoutCode.userId}, 'totp', 'verified')`;
  for (let time = 0; time < 10; time++)
    expect(await use('AAAA-AAAA-AAAA')).toEqual({ used: false });
  expect(await refusal(ownerWithoutCode, "use_recovery_code('AAAA-AAAA-AAAA')")).toMatch(
    /^PT429 Too many tries/,
  );
});

test('Whoever is helped by the server’s operator loses the codes too', async () => {
  expect((await sql`select from private.recovery_codes`).length).toBeGreaterThan(0);
  await sql`select private.forget_second_factor(${ownerWithoutCode.email}, 'Called back')`;
  expect(await sql`select from private.recovery_codes`).toHaveLength(0);
});
