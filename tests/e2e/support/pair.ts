import type { Page } from '@playwright/test';
import type { Sql, TransactionSql } from 'postgres';
import { asPerson } from '../../fixtures/database.ts';
import { createMember, type Member } from './account-steps.ts';
import { expect, type Site } from './harness.ts';
import { addSession } from './session.ts';

/** An owner and their coach, created for one test. */
export interface Pair {
  owner: Member;
  coach: Member;
  engagementId: string;
}

let made = 0;

/** Creates an owner with a business, and a coach for it. */
export async function createPair({ sql }: Pick<Site, 'sql'>): Promise<Pair> {
  made += 1;
  const mark = `${made}-${Math.random().toString(36).slice(2, 8)}`;
  const owner = await createMember(sql, {
    email: `olga-${mark}@pair.test`,
    fullName: 'Olga Wren',
    businessName: `Wren Tools ${mark}`,
  });
  const coach = await createMember(sql, {
    email: `carl-${mark}@pair.test`,
    fullName: 'Carl Finch',
  });
  const engagementId = crypto.randomUUID();
  await asAdmin(sql, (tx) => tx`select set_staff_role(${coach.id}, 'coach', 'hired')`);
  await asPerson(sql, { userId: owner.id, email: owner.email }, async (tx) => {
    const [business] =
      await tx`select business_id from public.business_members where user_id = ${owner.id}`;
    await tx`select request_coaching(
      ${engagementId}, ${business?.business_id}, 'Please', array['sales-marketing'], false)`;
  });
  await assignCoach(sql, engagementId, coach.id);
  await giveSessions(sql, engagementId);
  return { owner, coach, engagementId };
}

/** Runs statements as the demo admin. */
export async function asAdmin<Result>(
  sql: Sql,
  fn: (tx: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const [admin] = await sql`select id, email from auth.users where email = 'admin@demo.test'`;
  return asPerson(sql, { userId: admin?.id, email: admin?.email }, fn);
}

/** As an admin, assigns a coach to an engagement, replacing any previous one. */
export const assignCoach = (sql: Sql, engagementId: string, coachId: string) =>
  asAdmin(sql, (tx) => tx`select assign_coach(${engagementId}, ${coachId}, 'Nearest')`);

/** As an admin, gives the business of an engagement sessions to use. */
export const giveSessions = (sql: Sql, engagementId: string) =>
  asAdmin(
    sql,
    (tx) => tx`select give_sessions(
      gen_random_uuid(), (select admin_engagement(${engagementId}) -> 'engagement' -> 'business' ->> 'id')::uuid,
      20, 12, 'for a test')`,
  );

/** Waits until the composer is hydrated. */
export const canWrite = (page: Page) =>
  expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();

/** Starts or opens the direct conversation with a person; returns its URL. */
export async function openDirect(page: Page, { id }: Pick<Member, 'id'>): Promise<string> {
  await page.goto(`/dashboard/messages?to=direct:${id}`);
  await page.waitForURL(/\/dashboard\/messages\/conversations\/[0-9a-f-]{36}$/);
  await canWrite(page);
  return page.url();
}

/** Signs in a new owner on this page and opens the conversation with their coach. */
export async function openOwn(page: Page, site: Site): Promise<{ pair: Pair; address: string }> {
  const pair = await createPair(site);
  await addSession(page, site, pair.owner.email);
  return { pair, address: await openDirect(page, pair.coach) };
}

/** Opens the same conversation for both people, in two browsers. */
export async function openBoth(
  page: Page,
  site: Site,
  elsewhere: (who: string) => Promise<Page>,
): Promise<{ pair: Pair; other: Page; address: string }> {
  const { pair, address } = await openOwn(page, site);
  const other = await elsewhere(pair.coach.email);
  await other.goto(address);
  await canWrite(other);
  return { pair, other, address };
}

export const messages = (page: Page) => page.getByRole('list', { name: 'Messages', exact: true });

/** The message with this text. */
export const message = (page: Page, text: string) =>
  messages(page).getByRole('listitem').filter({ hasText: text });

export const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** Types a message, sends it with Enter, and waits until it's displayed. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
  await expect(message(page, text)).toBeVisible();
}

/** Waits until the user's own message is stored. */
export const hasArrived = (page: Page, text: string) =>
  expect(message(page, text)).toContainText(/Sent|Read/);

/** The texts of all matching messages, in order. */
export const wordsOf = (page: Page, pattern: RegExp) =>
  messages(page)
    .locator('p')
    .evaluateAll(
      (all, source) =>
        all.map((each) => each.textContent ?? '').filter((text) => new RegExp(source).test(text)),
      pattern.source,
    );

/** Inserts numbered messages into a conversation, a minute apart, every third one by the coach. */
export async function writeMany(
  { sql }: Pick<Site, 'sql'>,
  address: string,
  pair: Pair,
  count: number,
): Promise<void> {
  const id = address.split('/').at(-1) ?? '';
  await sql.begin(async (tx) => {
    await tx`
      insert into public.messages (id, conversation_id, seq, revision, author_id, body, sent_at)
      select gen_random_uuid(), c.id, c.last_seq + n, c.revision + n,
        case when n % 3 = 0 then ${pair.coach.id}::uuid else ${pair.owner.id}::uuid end,
        'Line ' || n || ' ' || repeat('and so on ', n % 17), now() - interval '1 minute' * (${count} - n)
      from public.conversations c, generate_series(1, ${count}::int) n where c.id = ${id}`;
    await tx`
      update public.conversations
      set last_seq = last_seq + ${count}, revision = revision + ${count} where id = ${id}`;
  });
}
