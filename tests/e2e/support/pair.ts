import type { Browser, Page } from '@playwright/test';
import postgres from 'postgres';
import { createPerson } from '#backend/local/demo/builders.ts';
import { demoPassword } from '#backend/local/demo/demo.ts';
import { asPerson, within } from '../../fixtures/database.ts';
import { expect, type Site } from './harness.ts';
import { addSession } from './session.ts';

export interface Member {
  id: string;
  email: string;
  name: string;
}

/** An owner and a coach who work together, made for one story. */
export interface Pair {
  owner: Member;
  coach: Member;
  engagementId: string;
}

/** What a browser writes into the console when a story refuses something or cuts the connection. */
export const CUT =
  /Failed to load resource|WebSocket connection to|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/;

/** Runs statements in the database of the site. */
export async function inDatabase<Result>(
  site: Pick<Site, 'databaseUrl'>,
  fn: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(site.databaseUrl, { max: 1, onnotice: () => {} });
  try {
    return await fn(sql);
  } finally {
    await sql.end();
  }
}

let made = 0;

/** Makes an owner with a business and a coach for it; nobody else's story knows them. */
export function makePair(site: Pick<Site, 'databaseUrl'>): Promise<Pair> {
  made += 1;
  const mark = `${made}-${Math.random().toString(36).slice(2, 8)}`;
  return inDatabase(site, async (sql) => {
    const [known] = await sql`
      select encrypted_password from auth.users where email = 'owner@demo.test'`;
    const [admin] = await sql`select id, email from auth.users where email = 'admin@demo.test'`;
    const person = async (fullName: string, email: string, businessName?: string) => {
      const { id } = await createPerson(within(sql), {
        id: crypto.randomUUID(),
        email,
        fullName,
        passwordHash: known?.encrypted_password,
        ...(businessName ? { businessName } : {}),
      });
      return { id, email, name: fullName };
    };
    const owner = await person('Olga Wren', `olga-${mark}@pair.test`, `Wren Tools ${mark}`);
    const coach = await person('Carl Finch', `carl-${mark}@pair.test`);
    const engagementId = crypto.randomUUID();
    const by = ({ id, email }: { id: string; email: string }) => ({ userId: id, email });
    const anAdmin = { userId: admin?.id, email: admin?.email };
    await asPerson(sql, anAdmin, (tx) => tx`select set_staff_role(${coach.id}, 'coach', 'hired')`);
    await asPerson(sql, by(owner), async (tx) => {
      const [business] =
        await tx`select business_id from public.business_members where user_id = ${owner.id}`;
      await tx`select request_coaching(
        ${engagementId}, ${business?.business_id}, 'Please', array['sales-marketing'], false)`;
    });
    await asPerson(
      sql,
      anAdmin,
      (tx) => tx`select assign_coach(${engagementId}, ${coach.id}, 'near')`,
    );
    return { owner, coach, engagementId };
  });
}

/** Gives this browser the session of somebody of a pair. It opens no page. */
export const enter = (page: Page, site: Pick<Site, 'url'>, { email }: Pick<Member, 'email'>) =>
  addSession(page, site, { email, password: demoPassword });

/** Somebody on another computer, signed in. Close its context when the story is over. */
export async function onAnotherComputer(
  browser: Browser,
  site: Pick<Site, 'url'>,
  who: Pick<Member, 'email'>,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url, locale: 'en-US' });
  const page = await context.newPage();
  await enter(page, site, who);
  return page;
}

/** Waits until one can write: the scripts are there. */
export const canWrite = (page: Page) =>
  expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();

/** Begins, or opens, the direct conversation with somebody. Gives its address. */
export async function openDirect(page: Page, { id }: Pick<Member, 'id'>): Promise<string> {
  await page.goto(`/dashboard/messages?to=direct:${id}`);
  await page.waitForURL(/\/dashboard\/messages\/conversations\/[0-9a-f-]{36}$/);
  await canWrite(page);
  return page.url();
}

/** An owner on this page, with the conversation with their coach open. */
export async function openOwn(page: Page, site: Site): Promise<{ pair: Pair; address: string }> {
  const pair = await makePair(site);
  await enter(page, site, pair.owner);
  return { pair, address: await openDirect(page, pair.coach) };
}

/** Two people in two browsers, with the same conversation open. */
export async function openBoth(
  page: Page,
  browser: Browser,
  site: Site,
): Promise<{ pair: Pair; other: Page; address: string }> {
  const { pair, address } = await openOwn(page, site);
  const other = await onAnotherComputer(browser, site, pair.coach);
  await other.goto(address);
  await canWrite(other);
  return { pair, other, address };
}

export const messages = (page: Page) => page.getByRole('list', { name: 'Messages', exact: true });

/** The one message with these words. */
export const message = (page: Page, text: string) =>
  messages(page).getByRole('listitem').filter({ hasText: text });

export const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** Writes something and sends it with the key for it; waits until it stands there. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
  await expect(message(page, text)).toBeVisible();
}

/** Waits until a message of one's own is stored. */
export const hasArrived = (page: Page, text: string) =>
  expect(message(page, text)).toContainText(/Sent|Read/);

/** The words of all messages that match, in their order. */
export const wordsOf = (page: Page, pattern: RegExp) =>
  messages(page)
    .locator('p')
    .evaluateAll(
      (all, source) =>
        all.map((each) => each.textContent ?? '').filter((text) => new RegExp(source).test(text)),
      pattern.source,
    );

/** Writes numbered messages into an open conversation, a minute apart, one of three by the coach. */
export async function writeMany(
  site: Pick<Site, 'databaseUrl'>,
  address: string,
  pair: Pair,
  count: number,
): Promise<void> {
  const conversationId = address.split('/').at(-1) ?? '';
  await inDatabase(site, (sql) =>
    sql.begin(async (tx) => {
      await tx`
        insert into public.messages (id, conversation_id, seq, revision, author_id, body, sent_at)
        select gen_random_uuid(), c.id, c.last_seq + n, c.revision + n,
          case when n % 3 = 0 then ${pair.coach.id}::uuid else ${pair.owner.id}::uuid end,
          'Line ' || n || ' ' || repeat('and so on ', n % 17), now() - interval '1 minute' * (${count} - n)
        from public.conversations c, generate_series(1, ${count}::int) n where c.id = ${conversationId}`;
      await tx`
        update public.conversations
        set last_seq = last_seq + ${count}, revision = revision + ${count}
        where id = ${conversationId}`;
    }),
  );
}
