import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/axe.ts';
import { expect, type Site, test } from '../support/harness.ts';

test.use({ as: 'admin' });

/** The newest engagement of a demo owner. */
async function engagementOf({ sql }: Site, email: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select e.id from public.engagements e join auth.users u on u.id = e.owner_id
    where u.email = ${email} order by e.requested_at desc limit 1`;
  if (!row) throw new Error(`${email} has no coaching.`);
  return row.id;
}

const stateOf = async ({ sql }: Site, id: string) => {
  const [row] = await sql`
    select state, coach_id, results_shared from public.engagements where id = ${id}`;
  return row;
};

/** The row of the audit log about what was just done. */
async function inAuditLog(page: Page, action: RegExp) {
  await page.goto('/admin/audit?kind=');
  return page.getByRole('table', { name: 'Audit log' }).getByRole('row', { name: action }).first();
}

test('An admin assigns a coach from the suggestions, in one step', async ({ page, site }) => {
  const id = await engagementOf(site, 'sam@demo.test');
  await page.goto('/admin');
  const task = page.getByRole('link', {
    name: 'Coaching requests without a coach',
  });
  const count = await task.evaluate(
    (link) => link.closest('li')?.querySelector('span')?.textContent,
  );
  await task.click();
  await expect(page).toHaveURL(/\/admin\/coaching\?state=requested$/);
  const table = page.getByRole('table', { name: 'Coaching' });
  await expect(table.getByRole('row')).toHaveCount(Number(count) + 1);
  await checkAccessibility(page);

  await page.goto(`/admin/coaching/${id}`);
  const matches = page.getByRole('region', { name: 'Suggested coaches' });
  await expect(matches.getByText(/clients/).first()).toBeVisible();
  await checkAccessibility(page);
  await matches.getByRole('button', { name: 'Assign to Daniel Ostrander' }).click();
  const dialog = page.getByRole('dialog', {
    name: /^Ask Daniel Ostrander to coach/,
  });
  await expect(dialog.getByLabel('Reason')).toHaveValue(/has room\.$/i);
  await checkAccessibility(page);
  await dialog.getByLabel('Reason').fill('Knows how banks read a plan');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText(/^Daniel Ostrander has the request of/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'History' })).toContainText(
    'Knows how banks read a plan',
  );
  expect((await stateOf(site, id))?.state).toBe('assigned');
  await expect(await inAuditLog(page, /Assigned a coach/)).toContainText(
    'Knows how banks read a plan',
  );
});

test('An owner who asks for another coach gets one, who knows what was agreed on', async ({
  page,
  site,
}) => {
  const id = await engagementOf(site, 'owner@demo.test');
  await site.sql`
    update public.engagements set change_requested_at = now() where id = ${id}`;
  await site.sql`
    insert into public.engagement_events (engagement_id, actor_id, kind, note)
    select id, owner_id, 'change_requested', 'We never find a time'
    from public.engagements where id = ${id}`;
  await page.goto('/admin/coaching');
  await page.getByRole('link', { name: 'See who and why' }).click();
  const table = page.getByRole('table', { name: 'Coaching' });
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByRole('link').first().click();
  await expect(page.getByText('“We never find a time”')).toBeVisible();

  await page.getByRole('button', { name: 'Choose another coach' }).click();
  const dialog = page.getByRole('dialog', { name: /over to another coach\?$/ });
  await dialog.getByRole('radio', { name: /Daniel Ostrander/ }).check();
  await expect(dialog.getByLabel('Message to the owner')).toHaveValue(
    /^Hi Maria,\n\nDaniel Ostrander is your coach from now on\./,
  );
  await dialog.getByText('What the next coach gets').click();
  await expect(dialog.getByText('Goals', { exact: true })).toBeVisible();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  await dialog.getByLabel('Something to add for the next coach').fill('Mornings are best.');
  await dialog.getByLabel('Reason').fill('Their calendars never met');
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await expect(page.getByText(/^Daniel Ostrander is .+’s coach now\.$/)).toBeVisible();
  await expect(page.getByText('“We never find a time”')).toBeHidden();
  await expect(page.getByRole('region', { name: 'Handovers' })).toContainText('Mornings are best.');
  await expect(page.getByRole('region', { name: 'History' })).toContainText(
    'Daniel Ostrander took over from Ruth Abara',
  );
  expect(await stateOf(site, id)).toMatchObject({
    state: 'active',
    results_shared: false,
  });
  const mail = await site.mail('owner@demo.test', /is your new coach/);
  expect(mail.text).toContain('so you don’t have to start over');
});

test('An admin takes a client back and refers them elsewhere', async ({ page, site }) => {
  const id = await engagementOf(site, 'nadia@demo.test');
  await page.goto(`/admin/coaching/${id}`);
  await page.getByRole('button', { name: 'Back to requests' }).click();
  const back = page.getByRole('dialog', {
    name: /^Take .+ back from Ruth Abara\?$/,
  });
  await back.getByLabel('Reason').fill('Ruth can’t go on');
  await back.getByRole('button', { name: 'Take the client back' }).click();
  await expect(page.getByRole('region', { name: 'Suggested coaches' })).toBeVisible();

  await page.getByRole('button', { name: 'Refer elsewhere' }).click();
  const refer = page.getByRole('dialog', { name: /elsewhere\?$/ });
  await refer.getByRole('button', { name: 'Send the referral' }).click();
  await expect(refer.getByText('Write something here.')).toBeVisible();
  await refer.getByLabel('Who can help instead').fill('The builders’ association in Las Cruces.');
  await refer.getByLabel('Reason').fill('Outside of what we do');
  await refer.getByRole('button', { name: 'Send the referral' }).click();
  await expect(
    page.getByText('High Desert Plumbing is referred elsewhere.', { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'The request' })).toContainText(
    'The builders’ association in Las Cruces.',
  );
  await expect(page.getByRole('region', { name: 'Suggested coaches' })).toBeHidden();
  expect((await stateOf(site, id))?.state).toBe('ineligible');
  const mail = await site.mail('nadia@demo.test', /coach you on this/);
  expect(mail.text).toContain('The builders’ association in Las Cruces.');
  await expect(await inAuditLog(page, /Referred a request elsewhere/)).toContainText(
    'Outside of what we do',
  );
});

test('A private note is read only with a reason, which the audit log keeps', async ({
  page,
  site,
}) => {
  const id = await engagementOf(site, 'owner@demo.test');
  const session = crypto.randomUUID();
  await site.sql`
    insert into public.coaching_sessions (
      id, engagement_id, coach_id, state, starts_at, time_zone, minutes, kind, summary
    )
    select ${session}, id, (
        select user_id from public.profiles where full_name = 'Ruth Abara'
      ), 'scheduled', now() - interval '20 days', 'America/Denver', 60, 'online', null
    from public.engagements where id = ${id}`;
  await site.sql`
    update public.coaching_sessions
    set state = 'completed', closed_at = now(), summary = 'We read the cash forecast together.'
    where id = ${session}`;
  await site.sql`
    insert into public.session_notes (session_id, author_id, body)
    select id, coach_id, 'Worried about the landlord.' from public.coaching_sessions
    where id = ${session}`;
  await page.goto(`/admin/coaching/${id}`);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect(sessions).toContainText('We read the cash forecast together.');
  expect(await page.content()).not.toContain('Worried about the landlord.');

  const item = sessions.getByRole('listitem').filter({ hasText: 'We read the cash forecast' });
  await item.getByRole('button', { name: 'Read the private note' }).click();
  const dialog = page.getByRole('dialog', {
    name: 'Read Ruth Abara’s private note?',
  });
  await dialog.getByRole('button', { name: 'Read the note' }).click();
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  await checkAccessibility(page);
  await dialog.getByLabel('Reason').fill('The owner complained about advice');
  await dialog.getByRole('button', { name: 'Read the note' }).click();
  const note = page.getByRole('dialog', { name: 'Ruth Abara’s private note' });
  await expect(note).toContainText('Worried about the landlord.');
  await checkAccessibility(page);
  await note.getByRole('button', { name: 'Close' }).last().click();
  await expect(await inAuditLog(page, /Read a coach’s private note/)).toContainText(
    'The owner complained about advice',
  );
});

test('Clients of a coach who’s away can’t be missed, with and without scripts', async ({
  page,
  elsewhere,
  site,
}) => {
  await site.sql`
    insert into public.coach_profiles (user_id, paused_until)
    select coach_id, current_date + 20 from public.engagements
    where closed_at is null and coach_id is not null limit 1
    on conflict (user_id) do update set paused_until = excluded.paused_until`;
  await page.goto('/admin/coaching');
  const coaches = page.getByRole('region', { name: 'Coaches' });
  await expect(coaches).toContainText(/takes no new clients until/);
  const states = page.getByRole('region', { name: 'Where coaching is' });
  await expect(states.getByRole('listitem')).toHaveCount(5);
  await page.getByRole('link', { name: /^See (all \d+|the one)$/ }).click();
  await expect(page).toHaveURL(/show=away/);
  await expect(page.getByLabel('Attention')).toHaveValue('away');
  const table = page.getByRole('table', { name: 'Coaching' });
  await expect(table.getByText(/takes no new clients until/).first()).toBeVisible();

  const without = await elsewhere('admin', { javaScriptEnabled: false });
  await without.goto(`${site.url}/admin/coaching`);
  await without.getByRole('link', { name: 'In progress' }).click();
  await expect(without).toHaveURL(/state=active/);
  await expect(without.getByRole('table', { name: 'Coaching' })).toBeVisible();
});
