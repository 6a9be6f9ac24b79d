import { expect, test } from 'vitest';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql } = world;

const ask = (email: string, caller = 'a') =>
  sql`select private.request_newsletter(${caller}, ${email}, 'I want it')`;
const stateOf = async (email: string) =>
  (await sql`select newsletter from public.contacts where email = ${email}`)[0]?.newsletter;

/** The secret in the newest email to an address with a given template. */
async function secretIn(email: string, template: string): Promise<string> {
  const [mail] = await sql`
    select data ->> 'path' as path from private.mails
    where to_address = ${email} and template = ${template} order by created_at desc limit 1`;
  return String(mail?.path).replace(/^.*=/, '');
}

test('Only who opens the mail and presses the button is on the list, and leaves it by another', async () => {
  await ask('Reader@Example.test');
  expect(await stateOf('reader@example.test')).toBe('pending');
  const secret = await secretIn('reader@example.test', 'newsletter-confirm');
  const confirm = (given: string) => sql`select private.confirm_newsletter(${given}) as done`;
  expect(await confirm('0'.repeat(64))).toEqual([{ done: false }]);
  expect(await confirm(secret)).toEqual([{ done: true }]);
  expect(await confirm(secret)).toEqual([{ done: true }]);
  expect(await stateOf('reader@example.test')).toBe('subscribed');

  // If someone on the list subscribes again, they stay on it and get no email.
  await ask('reader@example.test');
  const [mails] = await sql`
    select count(*)::int as sent from private.mails
    where to_address = 'reader@example.test' and template = 'newsletter-confirm'`;
  expect(mails).toEqual({ sent: 1 });

  const leave = await secretIn('reader@example.test', 'newsletter-welcome');
  await sql`select private.leave_newsletter(${leave})`;
  expect(await stateOf('reader@example.test')).toBe('left');
  expect(await confirm(secret)).toEqual([{ done: false }]);
});

test('A link that ran out confirms nothing', async () => {
  await ask('late@example.test');
  await sql`update public.contacts set confirm_expires_at = now() where newsletter = 'pending'`;
  const secret = await secretIn('late@example.test', 'newsletter-confirm');
  const [row] = await sql`select private.confirm_newsletter(${secret}) as done`;
  expect(row).toEqual({ done: false });
});

test('One caller asks eight times an hour; nobody keeps an address from writing, and it gets three mails', async () => {
  for (let count = 0; count < 8; count += 1) await ask(`n${count}@example.test`, 'busy');
  expect(await refusalOf(ask('n9@example.test', 'busy'))).toMatch(/^PT429 That’s too many/);
  await ask('wanted@example.test', 'caller');
  for (let count = 0; count < 6; count += 1) {
    await ask(`Wanted+${count}@example.test`, `caller ${count}`);
  }
  const [mails] = await sql`
    select count(*)::int as sent from private.mails where to_address like 'wanted%'`;
  expect(mails).toEqual({ sent: 3 });
  // A stranger's repeated requests don't invalidate the link that was emailed.
  const secret = await secretIn('wanted@example.test', 'newsletter-confirm');
  const [row] = await sql`select private.confirm_newsletter(${secret}) as done`;
  expect(row).toEqual({ done: true });
});

test('Who never pressed the button is forgotten after a month', async () => {
  await ask('gone@example.test', 'other');
  await sql`
    update public.contacts set confirm_expires_at = now() - interval '24 days',
      last_active_at = now() - interval '31 days'
    where email = 'gone@example.test'`;
  await sql`select private.delete_old_contacts()`;
  await sql`select private.delete_old_contacts()`;
  expect(await stateOf('gone@example.test')).toBeUndefined();
});
