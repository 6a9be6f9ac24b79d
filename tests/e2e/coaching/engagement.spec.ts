/** Coaching from request to closing, with owner, coach and admin each in their own browser. */
import type { Page } from '@playwright/test';
import { createMember, type Member } from '../support/account-steps.ts';
import {
  closeSession,
  createAccepted,
  createCoach,
  createSession,
} from '../support/client-steps.ts';
import { CUT_FROM_WORKER, expect, goOffline, type Site, test } from '../support/harness.ts';
import { asAdmin } from '../support/pair.ts';

test.use({ expectedConsole: CUT_FROM_WORKER });

const ADMIN = 'admin@demo.test';

/** An owner with a business that has two sessions to use. */
async function createOwner({ sql }: Site, business: string): Promise<Member> {
  const mark = crypto.randomUUID().slice(0, 6);
  const owner = await createMember(sql, {
    email: `ida-${mark}@journey.test`,
    fullName: 'Ida Marsh',
    businessName: `${business} ${mark}`,
  });
  await asAdmin(
    sql,
    (tx) => tx`
      select give_sessions(gen_random_uuid(), m.business_id, 2, 12, 'a grant')
      from (
        select (jsonb_array_elements(admin_person(${owner.id}) -> 'businesses') ->> 'id')::uuid as business_id
      ) m`,
  );
  return owner;
}

async function engagementOf({ sql }: Site, owner: Member) {
  const [row] = await sql`
    select id, state, coach_id from public.engagements where owner_id = ${owner.id}
    order by requested_at desc limit 1`;
  return row as { id: string; state: string; coach_id: string | null };
}

/** The admin's step: this coach, or whoever is suggested first, gets the request; returns their address. */
async function assign({ sql }: Site, admin: Page, id: string, name = ''): Promise<string> {
  await admin.goto(`/admin/coaching/${id}`);
  const matches = admin.getByRole('region', { name: 'Suggested coaches' });
  const more = matches.locator('summary');
  if (name && (await more.count()) > 0) await more.first().click();
  await matches
    .getByRole('button', { name: `Assign to ${name}` })
    .first()
    .click();
  const dialog = admin.getByRole('dialog', { name: / to coach/ });
  await dialog.getByLabel('Reason').fill('Knows shops like this one');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(admin.getByText(/ has the request of/).first()).toBeVisible();
  const [coach] = await sql`
    select u.email from public.engagements e join auth.users u on u.id = e.coach_id
    where e.id = ${id}`;
  return coach?.email;
}

async function askForCoach(owner: Page): Promise<void> {
  await owner.goto('/dashboard/coaching');
  await owner.getByRole('checkbox', { name: 'Sales' }).check();
  await owner.getByRole('radio', { name: /^Match me/ }).check();
  await owner.getByRole('button', { name: 'Ask for a coach' }).click();
  await expect(owner.getByRole('list', { name: 'Where your coaching is' })).toBeVisible();
}

test('An owner asks, is matched, picks a time, meets, and is asked how it went', async ({
  site,
  elsewhere,
}) => {
  const member = await createOwner(site, 'Marsh Books');
  // Not one of the demo, whose own sessions may be at the suggested times.
  await createCoach(site, 'Ines Falk');
  const owner = await elsewhere(member.email);
  await askForCoach(owner);
  const { id } = await engagementOf(site, member);

  const admin = await elsewhere(ADMIN);
  const coaching = await elsewhere(await assign(site, admin, id, 'Ines Falk'));
  await coaching.goto(`/dashboard/coaching/${id}`);
  await coaching.getByRole('button', { name: 'Accept' }).first().click();
  await expect(coaching.getByText('2 sessions left')).toBeVisible();
  await coaching.getByRole('button', { name: 'Plan a session' }).first().click();
  const plan = coaching.getByRole('dialog', { name: /^Plan a session/ });
  await plan.getByRole('button', { name: 'Send the times' }).click();
  await expect(coaching.getByText('Waiting for Ida Marsh to pick a time')).toBeVisible();

  await owner.reload();
  const offer = owner.getByRole('region', { name: 'Pick a time' });
  await offer.getByRole('radio').first().check();
  await offer.getByRole('button', { name: 'Pick this time' }).click();
  await expect(owner.getByRole('list', { name: 'Coming up' }).getByRole('listitem')).toHaveCount(1);

  // The day has come, and the coach has no connection.
  const [session] = await site.sql`
    update public.coaching_sessions set starts_at = now() - interval '90 minutes'
    where engagement_id = ${id} returning id`;
  await coaching.goto(`/dashboard/coaching/sessions/${session?.id}`);
  await goOffline(coaching);
  await coaching.getByLabel(/^Summary for/).fill('Most buyers come for the readings.');
  await coaching.getByLabel('Private note').fill('Tired today.');
  await coaching.getByRole('textbox', { name: 'Action 1' }).fill('Plan two readings');
  await coaching.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(coaching.getByText('It’s kept in this browser')).toBeVisible();
  await coaching.context().setOffline(false);
  await expect.poll(async () => (await engagementOf(site, member)).state).toBe('active');

  await owner.goto('/dashboard/coaching');
  await expect(owner.getByText('Most buyers come for the readings.')).toBeVisible();
  await expect(owner.getByText('Tired today.')).toHaveCount(0);
  await expect(owner.getByText('1 session left')).toBeVisible();
  await owner.getByRole('checkbox', { name: 'Plan two readings' }).check();
  await expect
    .poll(async () => {
      const [action] = await site.sql`
        select state from public.coaching_actions where engagement_id = ${id}`;
      return action?.state;
    })
    .toBe('done');

  await coaching.goto(`/dashboard/coaching/${id}`);
  await coaching.getByRole('button', { name: 'More steps' }).click();
  await coaching.getByRole('menuitem', { name: 'Complete coaching' }).click();
  const closing = coaching.getByRole('dialog', { name: 'Complete coaching' });
  await closing.getByLabel('Closing summary').fill('She plans readings now.');
  await closing.getByRole('button', { name: 'Complete it' }).click();
  await expect(coaching.getByText('She plans readings now.').first()).toBeVisible();
  const mail = await site.mail(member.email, /How was your coaching/);
  expect(mail.text).toContain('/engagement-survey');
});

test('A request always comes back to someone: one coach declines, another doesn’t answer', async ({
  site,
  elsewhere,
}) => {
  const member = await createOwner(site, 'Marsh Maps');
  const [owner, admin] = [await elsewhere(member.email), await elsewhere(ADMIN)];
  await askForCoach(owner);
  const { id } = await engagementOf(site, member);
  const back = () => expect.poll(async () => (await engagementOf(site, member)).state);

  const declining = await elsewhere(await assign(site, admin, id));
  await declining.goto(`/dashboard/coaching/${id}`);
  await declining.getByRole('button', { name: 'Decline' }).click();
  const why = declining.getByRole('dialog', { name: /^Decline/ });
  await why.getByLabel('Why').fill('I’m full until May.');
  await why.getByRole('button', { name: /^Decline/ }).click();
  await declining.waitForURL('**/dashboard/coaching');
  await back().toBe('requested');
  await declining.goto(`/dashboard/coaching/${id}`);
  await expect(declining.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();

  await assign(site, admin, id);
  await site.sql`update public.engagements set due_at = now() - interval '1 hour' where id = ${id}`;
  await site.sql`select private.lapse_requests()`;
  await back().toBe('requested');
  await owner.reload();
  await expect(owner.getByText(/looking for/i).first()).toBeVisible();
});

test('A missed session counts, and a coach who leaves hands over without private notes', async ({
  site,
  elsewhere,
}) => {
  const coach = await createCoach(site);
  const client = await createAccepted(site, coach);
  await closeSession(site, coach, client, 3);
  const missed = await createSession(site, coach, client, -90);
  const [owner, coaching, admin] = [
    await elsewhere(client.owner.email),
    await elsewhere(coach.email),
    await elsewhere(ADMIN),
  ];
  await coaching.goto(`/dashboard/coaching/sessions/${missed}`);
  await coaching.getByRole('radio', { name: /didn’t come$/ }).check();
  await coaching.getByLabel('Private note').fill('Third time. Only for me.');
  await coaching.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(coaching.getByRole('heading', { name: 'Saved' })).toBeVisible();
  await owner.goto('/dashboard/coaching');
  await expect(owner.getByText('2 sessions used so far')).toBeVisible();
  await expect(owner.getByText('Only for me.')).toHaveCount(0);

  await admin.goto(`/admin/coaching/${client.engagementId}`);
  await admin.getByRole('button', { name: 'Choose another coach' }).click();
  const dialog = admin.getByRole('dialog', { name: /over to another coach\?$/ });
  await dialog.getByRole('radio').first().check();
  await dialog.getByText('What the next coach gets').click();
  await expect(dialog.getByText('Only for me.')).toHaveCount(0);
  await dialog.getByLabel('Reason').fill('The coach is moving away');
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await expect(admin.getByText(/^(?!Notification ).+ is .+’s coach now\.$/)).toBeVisible();
  const warm = await site.mail(client.owner.email, /is your new coach/);
  expect(warm.text).toContain('so you don’t have to start over');
  await coaching.goto(`/dashboard/coaching/${client.engagementId}`);
  await expect(coaching.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
});
