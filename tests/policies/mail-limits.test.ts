import { expect, test } from 'vitest';
import { TEMPLATES } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { asPerson, type Person } from '../fixtures/database.ts';
import { openWorld } from '../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { visitor, owner, coach } = people;

/** Queues emails as a procedure called by this person would; returns how many will be sent. */
async function mail(addresses: string[], template: string, who: Person = visitor): Promise<number> {
  return asPerson(sql, who, async (tx) => {
    await tx`select set_config('role', 'none', true)`;
    const rows = await tx`
      select private.send_mail(a, ${template}, '{"link": "secret"}') as goes
      from unnest(${addresses}::text[]) a`;
    const kept =
      await tx`select state, data from private.mails where to_address = any(${addresses}) and template = ${template}`;
    for (const { state, data } of kept) {
      expect(data).toEqual(state === 'dropped' ? {} : { link: 'secret' });
    }
    return rows.filter(({ goes }) => goes).length;
  });
}

const many = (address: string, count = 30) => Array.from({ length: count }, () => address);

test('Every mail that there is has a limit, or a reason to have none', async () => {
  const rows = await sql`select template from private.mail_limits`;
  const unlimited = [
    // Written by an admin, once for each message they answer.
    'contact-answer',
    // To our own staff; what visitors write has its own limits.
    'contact-message',
    // About a place that its owner asked for: once for each change, by the schedule or an admin.
    'event-canceled',
    'event-moved',
    'event-offer',
    'event-reminder',
    'event-removed',
    // To those who confirmed, once for each issue. A test of one has a write limit.
    'newsletter-issue',
    // After a click in an email that had a limit.
    'newsletter-welcome',
    // Sent by the schedule, once for new messages in a conversation.
    'unread-messages',
  ];
  expect([...rows.map(({ template }) => template), ...unlimited].sort()).toEqual(
    Object.keys(TEMPLATES).sort(),
  );
});

test.each([
  ['Anna+news@Example.test', 'anna@example.test'],
  [' anna@example.test ', 'anna@example.test'],
  ['a.n.n.a+1@googlemail.com', 'anna@gmail.com'],
  ['a.n.na@example.test', 'a.n.na@example.test'],
])('%s counts as %s', async (address, mailbox) => {
  const [row] = await sql`select private.mailbox_of(${address}) as mailbox`;
  expect(row).toEqual({ mailbox });
});

test('What anybody can cause counts together, with all the names of a mailbox', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `wanted+${n}@example.test`);
  expect(await mail(names.slice(0, 5), 'newsletter-confirm')).toBe(5);
  expect(await mail(names, 'contact-received')).toBe(3);
  expect(await mail(names, 'business-invitation', owner)).toBe(0);
  // Other addresses aren't affected.
  expect(await mail(['other@example.test'], 'newsletter-confirm')).toBe(1);
});

test('Strangers do not use up the mails with which somebody gets into their account', async () => {
  await mail(many('keeper@example.test'), 'newsletter-confirm');
  // 20, minus the 8 that were sent and the one that was rejected.
  expect(await mail(many('keeper@example.test'), 'email-code')).toBe(11);
  expect(await mail(many('keeper@example.test'), 'newsletter-confirm')).toBe(0);
  expect(await mail(many('keeper@example.test'), 'email-code')).toBe(0);
  // Links, which can't be guessed, have their own, equal limit.
  expect(await mail(many('keeper@example.test'), 'recovery')).toBe(19);
  expect(await mail(many('keeper@example.test'), 'confirm')).toBe(0);
});

test('Notices of people have a limit of their own; what the product says by itself always goes', async () => {
  expect(await mail(many('member@example.test', 60), 'notice', owner)).toBe(50);
  expect(await mail(many('member@example.test', 3), 'notice')).toBe(3);
  expect(await mail(['member@example.test'], 'recovery')).toBe(1);
});

test('Nobody’s notices hold back an email about the account, which has a limit of its own', async () => {
  const told = (kind: string, times: number) =>
    asPerson(sql, coach, async (tx) => {
      await tx`select set_config('role', 'none', true)`;
      await tx`
        select private.notify(
          ${owner.userId}, ${kind}, ${kind} || ':' || n, 'A title', 'A body', '/dashboard'
        ) from generate_series(1, ${times}::int) n`;
      const [row] = await tx`
        select count(*)::int as waiting from private.mails
        where to_address = ${owner.email} and state = 'waiting'
          and (template = 'account-notice') = (${kind} = 'account')`;
      return row?.waiting;
    });
  await sql`delete from public.rate_limits`;
  expect(await told('coaching', 60)).toBe(50);
  expect(await told('account', 60)).toBe(50);
  expect(await told('order', 1)).toBe(50);
});

test('Without a mail the link that somebody has goes on working', async () => {
  const address = 'invited@example.test';
  const id = crypto.randomUUID();
  await ask(owner, 'invite_member($1, $2, $3)', [id, ids.alder, address]);
  const hash = () => sql`select token_hash from public.business_invitations where id = ${id}`;
  const before = await hash();
  await mail(many(address), 'contact-received');
  await sql`delete from public.rate_limits where key like 'invite-again:%'`;
  await ask(owner, 'resend_invitation($1)', [id]);
  expect(await hash()).toEqual(before);
});

test('Counts hold no address', async () => {
  await mail(['clear@example.test'], 'recovery');
  const rows = await sql`select key from public.rate_limits where key like '%clear%'`;
  expect(rows).toHaveLength(0);
});
