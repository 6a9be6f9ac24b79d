import { beforeEach, expect, test } from 'vitest';
import { renderMail } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as } = world;
const { owner } = people;

const areas = ['sales-marketing', 'web-design'];

/** A time zone where it's about noon now, so that tests don't depend on the time of day. */
function noon(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The sign in these zone names is inverted.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
function midnight(): string {
  const hour = new Date().getUTCHours();
  return hour === 0 ? 'Etc/GMT' : hour > 12 ? `Etc/GMT-${24 - hour}` : `Etc/GMT+${hour}`;
}

beforeEach(async () => {
  await sql`delete from public.focus_areas`;
  await sql`delete from private.jobs where kind = 'mail'`;
  await sql`delete from public.notifications`;
  await sql`update public.profiles set time_zone = ${noon()} where user_id = ${owner.userId}`;
  for (const area of areas) {
    await as(owner)`select public.choose_focus_area(
        ${crypto.randomUUID()}, ${ids.alderResult}, ${area}, ${crypto.randomUUID()},
        ${`Do ${area}`}, current_date + 30)`;
  }
  await sql`update public.focus_actions set created_at = now() - interval '40 days'`;
});

/** Sets when actions are due, in days from today in their owner's time zone. */
const due = (days: number, body = '%') =>
  sql`
    update public.focus_actions set due_on = (now() at time zone ${noon()})::date + ${days}::int
    where body like ${body}`;
async function remind(): Promise<number> {
  const [row] = await sql`select private.remind_of_focus_actions()::int as sent`;
  return row?.sent;
}
const mails = () => sql`select to_address, data from private.mails order by created_at`;

test('Nothing goes out before its time', async () => {
  await due(8);
  expect(await remind()).toBe(0);
});

test('A week before and on the day, one mail for all that is due, and none twice', async () => {
  await due(7);
  expect(await remind()).toBe(1);
  expect(await remind()).toBe(0);
  await due(0);
  expect(await remind()).toBe(1);
  expect(await remind()).toBe(0);
  const [first] = await mails();
  expect(first?.to_address).toBe(owner.email);
  const mail = renderMail('notice', first?.data, {
    product: 'Trellis',
    organisation: 'Trellis',
    email: 'hello@example.test',
    siteUrl: 'https://site.example',
  });
  expect(mail.text).toContain('Do sales-marketing');
  expect(mail.text).toContain('Do web-design');
  const [row] = await sql`select id, path from public.notifications order by created_at limit 1`;
  expect(row?.path).toBe('/dashboard/skills#focus');
  expect(mail.text).toContain(`https://site.example/dashboard/notifications/${row?.id}`);
});

test('Two ticks at once send one mail', async () => {
  await due(0);
  const sent = await Promise.all([remind(), remind(), remind()]);
  expect(sent.reduce((a, b) => a + b)).toBe(1);
});

test('A date that was moved is reminded of anew', async () => {
  await due(0, 'Do web-design');
  expect(await remind()).toBe(1);
  await due(3, 'Do web-design');
  expect(await remind()).toBe(1);
  expect((await mails()).at(-1)?.data.subject).toMatch(/^One week left: web/);
});

test('Nobody is reminded of what is settled, of an ended area, or against their wish', async () => {
  await due(0);
  await sql`update public.focus_actions set remind = false where body = 'Do web-design'`;
  await sql`
    update public.focus_actions set state = 'done', settled_at = now()
    where body = 'Do sales-marketing'`;
  expect(await remind()).toBe(0);
  await sql`update public.focus_actions set remind = true where body = 'Do web-design'`;
  await sql`update public.focus_areas set state = 'ended', ended_at = now()`;
  expect(await remind()).toBe(0);
});

test('Nobody gets an email who wants no reminders', async () => {
  await due(0);
  await as(owner)`select public.save_notification_settings(p_reminders => false)`;
  expect(await remind()).toBe(1);
  expect(await mails()).toEqual([]);
  expect(await sql`select kind from public.notifications`).toEqual([{ kind: 'reminder' }]);
  await as(owner)`select public.save_notification_settings(p_reminders => true)`;
  expect(await remind()).toBe(0);
});

test('Nobody is woken at night', async () => {
  await due(0);
  await sql`update public.profiles set time_zone = ${midnight()}`;
  expect(await remind()).toBe(0);
});

test('What was chosen for next week is not announced the minute after', async () => {
  await due(7);
  await sql`update public.focus_actions set created_at = now()`;
  expect(await remind()).toBe(0);
});

test('A server that was away sends late ones up to a week, and no older ones', async () => {
  await due(-7, 'Do web-design');
  await due(-8, 'Do sales-marketing');
  expect(await remind()).toBe(1);
  expect((await mails())[0]?.data.paragraphs).toHaveLength(2);
});
