import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/axe.ts';
import {
  acceptClient,
  asCoach,
  holdSession,
  offerTimes,
  recommend,
  scheduleSession,
} from '../support/coaching-steps.ts';
import { awake, CUT, expect, test } from '../support/harness.ts';
import { assignCoach, createPair } from '../support/pair.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

const answerTo = (page: Page, procedure: string) =>
  page.waitForResponse(`**/rest/v1/rpc/${procedure}`);

test('An owner chooses a coach who has room, and sees when they say yes', async ({
  page,
  site,
  signIn,
}) => {
  const pair = await createPair(site);
  await signIn(page, pair.owner.email);
  await site.sql`update public.engagements set state = 'withdrawn' where id = ${pair.engagementId}`;
  await page.goto('/dashboard/coaching');
  await page.getByRole('checkbox', { name: 'Web design' }).check();
  await page.getByRole('radio', { name: /Let me choose/ }).check();
  const coach = page.getByRole('radio', { name: 'Ruth Abara' });
  await expect(coach).toBeVisible();
  await checkAccessibility(page);
  await coach.check();
  await page.getByRole('button', { name: 'Ask for a coach' }).click();
  await expect(page.getByRole('heading', { name: 'Ruth Abara has your request' })).toBeFocused();
  const steps = page.getByRole('list', { name: 'Where your coaching is' });
  await expect(steps.locator('[aria-current=step]')).toHaveText(/Coach said yes/);
  await expect(page.getByText('Read your request and say yes or no')).toBeVisible();

  // It's there without a reload, because a notification says so.
  const [asked] = await site.sql`
    select e.id, e.coach_id, u.email from public.engagements e join auth.users u on u.id = e.coach_id
    where e.owner_id = ${pair.owner.id} and e.closed_at is null`;
  const chosen = {
    ...pair,
    engagementId: asked?.id,
    coach: { id: asked?.coach_id, email: asked?.email, name: 'Ruth Abara' },
  };
  await awake(page);
  await acceptClient(site, chosen);
  await expect(page.getByRole('heading', { name: 'Ruth Abara said yes' })).toBeVisible();
  await expect(page.getByText('Write to you about a first session')).toBeVisible();
});

test('An owner picks a time, adds it to their calendar, and cancels', async ({
  page,
  site,
  signIn,
}) => {
  const pair = await createPair(site);
  await acceptClient(site, pair);
  await site.sql`
    update public.profiles set time_zone = 'America/New_York' where user_id = ${pair.owner.id}`;
  await offerTimes(site, pair, [50, 75]);
  await signIn(page, pair.owner.email);
  await page.goto('/dashboard/coaching');
  const offer = page.getByRole('region', { name: 'Pick a time' });
  await expect(offer.getByRole('radio')).toHaveCount(2);
  await expect(offer.getByText(/in Denver$/).first()).toBeVisible();
  await awake(page);
  await offer.getByRole('button', { name: 'None of these works' }).click();
  const declining = page.getByRole('dialog', { name: 'None of these works' });
  await checkAccessibility(page);
  await declining.getByLabel(/When would work/).fill('Tuesdays after 4.');
  const declined = answerTo(page, 'decline_times');
  await declining.getByRole('button', { name: 'Ask for other times' }).click();
  // The open dialog hides the offer from roles, so only the answer says that it's declined.
  expect((await declined).ok()).toBe(true);
  await expect(offer).toHaveCount(0);

  await offerTimes(site, pair, [52, 77]);
  await page.reload();
  await awake(page);
  await offer.getByRole('radio').last().check();
  await page.route('**/rest/v1/rpc/pick_time', (route) => route.abort('connectionfailed'));
  await offer.getByRole('button', { name: 'Pick this time' }).click();
  await expect(offer.getByRole('alert')).toContainText('The session isn’t booked');
  await expect(offer.getByRole('radio').last()).toBeChecked();
  await page.unroute('**/rest/v1/rpc/pick_time');
  await offer.getByRole('button', { name: 'Pick this time' }).click();
  const coming = page.getByRole('list', { name: 'Coming up' });
  await expect(coming.getByRole('listitem')).toHaveCount(1);
  await expect(offer).toHaveCount(0);

  const calendar = coming.getByRole('link', { name: /^Add to calendar/ });
  const address = (await calendar.getAttribute('href')) ?? '';
  const file = await page.request.get(address);
  expect(file.headers()['content-type']).toBe('text/calendar; charset=utf-8');
  expect(await file.text()).toContain('SUMMARY:Coaching with Carl Finch');

  await coming.getByRole('button', { name: /^Cancel session/ }).click();
  const canceling = page.getByRole('dialog', { name: 'Cancel this session?' });
  await expect(canceling).toContainText('It doesn’t use one of your sessions.');
  await canceling.getByRole('button', { name: 'Cancel session' }).click();
  await expect(canceling.getByText('Say why. A few words are enough.')).toBeVisible();
  await canceling.getByLabel('Why?').fill('The oven is being fixed that day.');
  await canceling.getByRole('button', { name: 'Cancel session' }).click();
  await expect(coming).toHaveCount(0);
  const past = page.getByRole('list', { name: 'Past sessions' });
  await expect(past).toContainText('Canceled');
  await expect(past).toContainText('The oven is being fixed that day.');
});

test('Only the owner and the coach get a session’s calendar file', async ({
  page,
  site,
  elsewhere,
}) => {
  const pair = await createPair(site);
  await acceptClient(site, pair);
  const address = `/dashboard/coaching/sessions/${await scheduleSession(site, pair, 60)}.ics`;
  const visitor = await page.request.get(address, { maxRedirects: 0 });
  expect(visitor.status()).toBe(302);
  expect(visitor.headers().location).toContain('/login?next=');
  for (const [who, status] of [
    ['owner2@demo.test', 404],
    ['coach2@demo.test', 404],
    ['admin@demo.test', 404],
    [pair.owner.email, 200],
    [pair.coach.email, 200],
  ] as const) {
    const reader = await elsewhere(who);
    expect((await reader.request.get(address)).status(), who).toBe(status);
  }
});

test('An owner works on what was agreed, starts a recommended project, and says how it went', async ({
  page,
  site,
  signIn,
}) => {
  const pair = await createPair(site);
  await acceptClient(site, pair);
  await holdSession(site, pair, {
    summary: 'Most leads come by phone and nobody writes them down.',
    actions: [
      { body: 'Write down each call for a week', doer: 'owner', area_key: 'sales-marketing' },
      { body: 'Send a template for the list', doer: 'coach' },
    ],
  });
  await recommend(site, pair, { tool: 'customer-interview-script' }, 'Ten minutes is enough.');
  await recommend(site, pair, { project: 'Call back every lead in a day' }, 'You have the list.');
  await signIn(page, pair.owner.email);
  await page.goto('/dashboard/coaching');
  await expect(page.getByRole('heading', { name: 'You’re working with Carl Finch' })).toBeVisible();
  await expect(page.getByText('Most leads come by phone and nobody writes')).toBeVisible();
  await expect(page.getByText('A private thought.')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'The work so far' })).toBeVisible();
  await awake(page);
  await checkAccessibility(page);

  const call = page.getByRole('checkbox', { name: 'Write down each call for a week' });
  await page.route('**/rest/v1/rpc/settle_coaching_action', (route) =>
    route.abort('connectionfailed'),
  );
  await call.click();
  await expect(page.getByText('Your change wasn’t saved', { exact: true })).toBeVisible();
  await expect(call).not.toBeChecked();
  await page.unrouteAll();
  const stored = answerTo(page, 'settle_coaching_action');
  await call.check();
  expect((await stored).ok()).toBe(true);
  await page.getByRole('button', { name: 'Add something you’ll do' }).click();
  const adding = page.getByRole('dialog', { name: 'Add something you’ll do' });
  await adding.getByRole('button', { name: 'Add' }).click();
  await expect(adding.getByText('Say what you’ll do.')).toBeVisible();
  await adding.getByLabel('What will you do?').fill('Ask Ann about the van');
  await adding.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('checkbox', { name: 'Ask Ann about the van' })).toBeVisible();

  await page.getByRole('button', { name: /^How did it go/ }).click();
  const rating = page.getByRole('dialog', { name: 'How did it go?' });
  await rating.getByRole('button', { name: 'Send' }).click();
  await expect(rating.getByText('Choose one of the four.')).toBeVisible();
  await rating.getByRole('radio', { name: 'Very helpful' }).check();
  await rating.getByLabel(/Anything/).fill('He listened.');
  await checkAccessibility(page);
  await rating.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('You told us how it went.')).toBeVisible();
  await page.getByRole('button', { name: /^Change\s*, session on/ }).click();
  await expect(rating.getByRole('radio', { name: 'Very helpful' })).toBeChecked();
  await expect(rating.getByLabel(/Anything/)).toHaveValue('He listened.');
  await rating.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('link', { name: /^Start this project/ }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Call back every lead in a day');
  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(
    page.getByRole('heading', { name: 'Call back every lead in a day', level: 1 }),
  ).toBeVisible();
  await page.goto('/dashboard/coaching');
  await page.getByText('Done so far: 1').click();
  await expect(page.getByText('Write down each call for a week').first()).toBeVisible();
  const recommended = page.getByRole('region', { name: 'Carl Finch recommends' });
  await recommended.getByText('Taken so far: 1').click();
  await expect(
    recommended.getByRole('link', { name: 'Call back every lead in a day' }),
  ).toBeVisible();
});

test('An owner pauses, picks it up again, and asks for another coach', async ({
  page,
  site,
  signIn,
}) => {
  const pair = await createPair(site);
  await acceptClient(site, pair);
  await holdSession(site, pair);
  await signIn(page, pair.owner.email);
  await page.goto('/dashboard/coaching');
  await awake(page);
  await page.getByRole('button', { name: 'Pause coaching' }).click();
  const pausing = page.getByRole('dialog', { name: 'Pause coaching' });
  const until = pausing.getByLabel('Pick it up again on');
  await until.fill('2020-01-01');
  await pausing.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(pausing.getByText('Choose a day between tomorrow and a year')).toBeVisible();
  const [day] = await site.sql`select to_char(now() + interval '40 days', 'YYYY-MM-DD') as it`;
  await until.fill(day?.it);
  await pausing.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Coaching is paused' })).toBeFocused();
  await page.getByRole('button', { name: 'Pick it up now' }).click();
  await expect(page.getByRole('heading', { name: 'You’re working with Carl Finch' })).toBeFocused();

  await page.getByRole('button', { name: 'Ask for another coach' }).click();
  const asking = page.getByRole('dialog', { name: 'Ask for another coach' });
  await asking.getByLabel('Why?').fill('I need someone who knows retail.');
  await asking.getByRole('button', { name: 'Ask for another coach' }).click();
  await expect(page.getByText('You asked for another coach')).toBeVisible();
  await page.getByRole('button', { name: 'Keep Carl Finch' }).click();
  await expect(page.getByText('You asked for another coach')).toHaveCount(0);

  // A new coach starts without access, and the owner is asked again.
  const [ruth] = await site.sql`select id from auth.users where email = 'coach2@demo.test'`;
  await site.sql`
    update public.engagements set results_shared = true where id = ${pair.engagementId}`;
  await assignCoach(site.sql, pair.engagementId, ruth?.id);
  await page.reload();
  const sharing = page.getByRole('checkbox', { name: /^Let .+ read my results$/ });
  await expect(sharing).not.toBeChecked();
  await awake(page);
  await page.getByRole('button', { name: 'Share my results' }).click();
  await expect(sharing).toBeChecked();
  await expect(page.getByRole('button', { name: 'Share my results' })).toHaveCount(0);
});

test('An owner is back after their coach couldn’t reach them, and reopens what was complete', async ({
  page,
  site,
  signIn,
}) => {
  const pair = await createPair(site);
  await acceptClient(site, pair);
  const state = (to: string) =>
    site.sql`update public.engagements set state = ${to} where id = ${pair.engagementId}`;
  await state('unreachable');
  await signIn(page, pair.owner.email);
  await page.goto('/dashboard/coaching');
  await awake(page);
  await page.getByRole('button', { name: 'I’m here' }).click();
  await expect(page.getByRole('heading', { name: 'Carl Finch said yes' })).toBeFocused();
  await holdSession(site, pair);
  await asCoach(
    site,
    pair,
    (tx) => tx`select complete_coaching(${pair.engagementId}, 'You know your leads now.')`,
  );
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Coaching is complete' })).toBeVisible();
  await expect(page.getByText('You know your leads now.')).toBeVisible();
  await checkAccessibility(page);
  await awake(page);
  await page.getByRole('button', { name: 'Pick it up again' }).click();
  await expect(page.getByRole('heading', { name: 'You’re working with Carl Finch' })).toBeFocused();
});

test('An owner’s calendar address is shown once and can be removed', async ({
  page,
  site,
  signIn,
}) => {
  const pair = await createPair(site);
  await acceptClient(site, pair);
  await scheduleSession(site, pair, 60);
  await signIn(page, pair.owner.email);
  await page.goto('/dashboard/coaching');
  await awake(page);
  await page.getByRole('button', { name: 'Create an address' }).click();
  const address = page.getByLabel('Your calendar’s address');
  await expect(address).toBeFocused();
  const feed = await page.request.get(await address.inputValue());
  expect(await feed.text()).toContain('SUMMARY:Coaching with Carl Finch');
  await page.reload();
  await expect(page.getByText('We only show an address once.')).toBeVisible();
  await awake(page);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const removing = page.getByRole('dialog', { name: 'Remove this calendar?' });
  await removing.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Create an address' })).toBeVisible();
  expect((await page.request.get(feed.url())).status()).toBe(404);
});

test('Without JavaScript, an owner reads everything', async ({ site, elsewhere }) => {
  const pair = await createPair(site);
  await acceptClient(site, pair);
  // The drawing of the work says more than its list from the second session on.
  await holdSession(site, pair, { hoursAgo: 30 });
  await holdSession(site, pair, { actions: [{ body: 'Count the calls', doer: 'owner' }] });
  await scheduleSession(site, pair, 60);
  const page = await elsewhere(pair.owner.email, { javaScriptEnabled: false });
  await page.goto('/dashboard/coaching');
  await expect(page.getByText('We went through where your leads come from.')).toHaveCount(2);
  await expect(page.getByRole('checkbox', { name: 'Count the calls' })).toBeDisabled();
  await expect(page.getByRole('link', { name: /^Add to calendar/ })).toBeVisible();
  await page.getByText('Show it as a table').click();
  await expect(page.getByRole('row', { name: /Sales and marketing/ })).toBeVisible();
});
