import { expect, test } from 'vitest';
import { createNewcomer, everyone, expectReaders, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask } = world;
const { admin } = people;

/** Starts sending an issue to everyone who has subscribed. */
async function begin() {
  const id = crypto.randomUUID();
  await sql`insert into public.newsletter_issues (id, subject, body) values (${id}, 'S', 'B')`;
  await sql`select private.begin_newsletter(${id}, null)`;
  return id;
}
const subscribe = (email: string) => sql`
  insert into public.contacts (email, newsletter, consent_wording, consented_at)
  values (${email}, 'subscribed', 'Yes', now())
  on conflict (email) do update set
    newsletter = 'subscribed', consent_wording = 'Yes', consented_at = now()`;
const claim = async (issue: string) =>
  (await sql`select private.claim_newsletter_delivery(${issue}) as row`)[0]?.row;
const finish = (id: string, state: string, isGone = false) =>
  sql`select private.finish_newsletter_delivery(${id}, ${state}, 'why', ${isGone})`;
const counts = async (issue: string) =>
  (
    await sql`
    select recipients, delivered, refused from public.newsletter_issues where id = ${issue}`
  )[0];

test('Nobody reads who got an issue but through procedures', async () => {
  await subscribe('reader@example.test');
  await begin();
  const nobody = '42501 permission denied for table newsletter_deliveries';
  await expectReaders(world, 'newsletter_deliveries', 'id', everyone(nobody));
});

test('Only who has confirmed and hasn’t left gets an issue, each once', async () => {
  await sql`
    insert into public.contacts (email, newsletter) values
      ('asked@example.test', 'pending'), ('gone@example.test', 'left'), ('none@example.test', 'none')`;
  const issue = await begin();
  expect(await counts(issue)).toMatchObject({ recipients: 1 });
  const first = await claim(issue);
  expect(first).toMatchObject({ to: 'reader@example.test' });
  // Claimed, they aren't due; two minutes later they are, with the same link.
  expect(await claim(issue)).toBe(null);
  await sql`update public.newsletter_deliveries set run_at = now() where id = ${first.id}`;
  expect(await claim(issue)).toEqual(first);
  await finish(first.id, 'sent');
  await finish(first.id, 'sent');
  await finish(first.id, 'refused');
  expect(await counts(issue)).toEqual({ recipients: 1, delivered: 1, refused: 0 });
  expect(await claim(issue)).toBe(null);
});

test('A mailbox that’s gone gets no more issues until its owner confirms again; admins see it', async () => {
  await subscribe('full@example.test');
  const issue = await begin();
  for (let row = await claim(issue); row; row = await claim(issue)) {
    await finish(row.id, 'refused', row.to === 'full@example.test');
  }
  const { rows } = await ask(admin, `admin_contacts('{"consent": "bounced"}')`);
  expect(rows).toMatchObject([{ email: 'full@example.test', state: 'bounced' }]);
  expect(await ask(admin, 'admin_newsletter_issue($1)', [issue])).toMatchObject({ refused: 2 });
  expect(await ask(admin, 'admin_newsletter_refusals($1)', [issue])).toContainEqual({
    contact_id: rows[0].id,
    email: 'full@example.test',
    reason: 'why',
  });
  expect(await counts(await begin())).toMatchObject({ recipients: 1 });

  await sql`select private.request_newsletter('caller', 'full@example.test', 'Yes')`;
  const [mail] = await sql`
    select data ->> 'path' as path from private.mails
    where to_address = 'full@example.test' and template = 'newsletter-confirm'`;
  await sql`select private.confirm_newsletter(${String(mail?.path).replace(/^.*=/, '')})`;
  const [contact] = await sql`
    select newsletter, bounced_at from public.contacts where email = 'full@example.test'`;
  expect(contact).toEqual({ newsletter: 'subscribed', bounced_at: null });
});

test('The link of every issue unsubscribes, also years of issues later; deliveries go after a year', async () => {
  await subscribe('reader@example.test');
  const [first, second] = [await begin(), await begin()];
  const links: string[] = [];
  for (const issue of [first, second]) {
    for (let row = await claim(issue); row; row = await claim(issue)) {
      if (row.to === 'reader@example.test') links.push(row.leave_secret);
      await finish(row.id, 'sent');
    }
  }
  expect(new Set(links).size).toBe(2);
  for (const link of links) {
    await subscribe('reader@example.test');
    const [left] = await sql`select private.leave_newsletter(${link}) as done`;
    expect(left).toEqual({ done: true });
    const [contact] = await sql`
      select newsletter from public.contacts where email = 'reader@example.test'`;
    expect(contact).toEqual({ newsletter: 'left' });
  }
  const [nothing] = await sql`select private.leave_newsletter(${'0'.repeat(64)}) as done`;
  expect(nothing).toEqual({ done: false });

  const before = await counts(first);
  await sql`
    update public.newsletter_deliveries set finished_at = now() - interval '366 days'
    where issue_id = ${first}`;
  await sql`select private.delete_old_newsletter_deliveries()`;
  const [kept] = await sql`
    select count(*)::int as count from public.newsletter_deliveries where issue_id = ${first}`;
  expect(kept).toEqual({ count: 0 });
  // The counts stay.
  expect(await counts(first)).toEqual(before);
});

test('A deleted account takes its deliveries along, and what its owner wrote as an admin loses the name', async () => {
  const { userId, email } = await createNewcomer(world);
  await subscribe(email);
  const issue = await begin();
  const deliveries = async () =>
    (
      await sql`
      select count(*)::int as count from public.newsletter_deliveries where issue_id = ${issue}`
    )[0]?.count;
  const before = await deliveries();
  await sql`update public.newsletter_issues set sent_by = ${userId} where id = ${issue}`;
  await sql`select private.delete_account(${userId})`;
  expect(await deliveries()).toBe(before - 1);
  const [kept] =
    await sql`select sent_by, recipients from public.newsletter_issues where id = ${issue}`;
  expect(kept?.sent_by).toBe(null);
});
