import { asPerson } from '../../fixtures/database.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { createAccepted, createCoach, createSession } from '../support/client-steps.ts';
import { expect, test } from '../support/harness.ts';

test('A coach whose client withdrew writes up the session that had started', async ({
  page,
  site,
  signIn,
}) => {
  const coach = await createCoach(site);
  const client = await createAccepted(site, coach);
  const id = await createSession(site, coach, client, -120);
  await asPerson(
    site.sql,
    { userId: client.owner.id },
    (tx) => tx`select withdraw_coaching(${client.engagementId})`,
  );
  await signIn(page, coach.email);
  await page.goto('/dashboard/notifications');
  await page.getByRole('link', { name: /Write up your session with/ }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/coaching/sessions/${id}$`));
  await expect(page.getByText('You’re not their coach anymore')).toBeVisible();
  // Nothing is agreed on anymore, and neither the client's page nor a note could be opened again.
  await expect(page.getByLabel('Private note')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Next session' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: client.business })).toHaveCount(0);
  await checkBothThemes(page, 'a session of a former client');
  await checkWidth(page, 360);
  await page.getByLabel(/^Summary for/).fill('We listed the best customers.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Saved' })).toBeFocused();
  const [stored] = await site.sql`
    select s.state, s.summary, e.state as engagement from public.coaching_sessions s
    join public.engagements e on e.id = s.engagement_id where s.id = ${id}`;
  expect(stored).toEqual({
    state: 'completed',
    summary: 'We listed the best customers.',
    engagement: 'withdrawn',
  });
});
