import { expect, test } from 'vitest';
import { messageShow } from '#data/page-data.ts';
import { attemptFilter } from '#domain/admin-attempts.ts';
import { allBusinessesFilter } from '#domain/admin-businesses.ts';
import { engagementFilter } from '#domain/admin-coaching.ts';
import { peopleFilter } from '#domain/admin-people.ts';
import { allProjectsFilter } from '#domain/admin-projects.ts';
import { toggleFilter } from '#domain/admin-toggles.ts';
import { adminToolFilter } from '#domain/admin-tools.ts';
import { contactFilter } from '#domain/contact.ts';
import { hubspotFilter } from '#domain/hubspot.ts';
import { jobFilter } from '#domain/job.ts';
import { orderFilter } from '#domain/order.ts';
import { FIGURES, TASKS } from '#domain/overview.ts';
import { mirrorFilter } from '#domain/wrike.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { ordersIn } from '../../fixtures/orders.ts';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { admin } = people;

interface List {
  procedure: string;
  codec: { read(query: URLSearchParams): object };
}
/** The lists that the overview opens, by path. */
const LISTS: Record<string, List> = {
  '/admin/people': { procedure: 'admin_people', codec: peopleFilter },
  '/admin/businesses': { procedure: 'admin_businesses', codec: allBusinessesFilter },
  '/admin/coaching': { procedure: 'admin_engagements', codec: engagementFilter },
  '/admin/contacts-summary': { procedure: 'admin_contacts', codec: contactFilter },
  '/admin/hubspot-sync': { procedure: 'admin_hubspot_records', codec: hubspotFilter },
  '/admin/jobs': { procedure: 'admin_jobs', codec: jobFilter },
  '/admin/orders': { procedure: 'admin_orders', codec: orderFilter },
  '/admin/projects': { procedure: 'admin_projects', codec: allProjectsFilter },
  '/admin/quiz': { procedure: 'admin_attempts', codec: attemptFilter },
  '/admin/toolbox': { procedure: 'admin_tools', codec: adminToolFilter },
  '/admin/toggles': { procedure: 'admin_toggles', codec: toggleFilter },
  '/admin/wrike-test': { procedure: 'admin_wrike_mirrors', codec: mirrorFilter },
};
/** Lists of another form, with how many rows they show. */
const OTHERS: Record<string, (query: URLSearchParams) => Promise<number>> = {
  '/admin/messages': async () => (await ask(admin, 'admin_message_reports()')).open,
  '/dashboard/messages': async (query) => {
    const listed = await ask(admin, 'list_conversations(p_unread_support => $1)', [
      messageShow(query) === 'support',
    ]);
    return listed.conversations.length;
  },
};

/** As many rows as the list has that a link of the overview opens. */
async function countOf(list: string): Promise<number> {
  const { pathname, searchParams } = new URL(list, 'http://site.test');
  const other = OTHERS[pathname];
  if (other) return other(searchParams);
  const found = LISTS[pathname];
  if (!found) throw new Error(`Add the list ${pathname} above, with its procedure and filter.`);
  const filter = Object.entries(found.codec.read(searchParams)).filter(
    ([name, value]) => name !== 'place' && value !== null && value !== '' && value !== false,
  );
  const { count } = await ask(admin, `${found.procedure}($1, null, 0)`, [
    Object.fromEntries(filter),
  ]);
  return count.total;
}

test('Each number on the overview is the count of the list it opens', async () => {
  // Something in each list, and something that doesn't count.
  await createNewcomer(world);
  await sql`update public.businesses set archived_at = now() where id = ${ids.cedar}`;
  await sql`
    insert into private.jobs (kind, payload, state, last_error)
    values
      ('mail', '{"to": "a@home.test"}', 'failed', 'No such mailbox'),
      ('remove_file', '{"path": "a"}', 'failed', 'Gone'),
      ('remove_file', '{"path": "b"}', 'failed', 'Gone'),
      ('remove_file', '{"path": "c"}', 'waiting', null)`;
  await sql`update private.toggles set expires_on = current_date where key = 'registration'`;
  await sql`
    insert into private.hubspot_records (kind, source_id, label, hash, state, hubspot_id)
    values ('contact', gen_random_uuid(), 'a@home.test', '', 'refused', null),
      ('contact', gen_random_uuid(), 'b@home.test', '', 'sent', '1'),
      ('company', gen_random_uuid(), 'B', '', 'sent', '2')`;
  await sql`
    insert into private.hubspot_links (contact_id, company_id, reason)
    select r.id, o.id, 'Gone' from private.hubspot_records r, private.hubspot_records o
    where r.label = 'b@home.test' and o.label = 'B'`;
  await sql`
    insert into private.wrike_mirrors (id, folder_id, folder, state)
    values (gen_random_uuid(), 'A', 'Clients', 'refused'),
      (gen_random_uuid(), 'A', 'Clients', 'sent')`;
  const contact = crypto.randomUUID();
  await sql`insert into public.contacts (id, email) values (${contact}, 'asks@home.test')`;
  await sql`
    insert into public.contact_messages (id, contact_id, topic, body)
    values (gen_random_uuid(), ${contact}, 'general', 'Hello?')`;

  await sql`
    update public.engagements set assigned_at = now() - interval '30 days' where state = 'assigned'`;

  await ask(admin, "void_attempt($1, 'a test')", [ids.cedarResult]);

  const order = ordersIn(world);
  // A quote to make, one that was made, a card that's still to be paid.
  await order.placed({
    business_id: null,
    plan: 'sponsor-seats',
    quantity: 10,
    expected_minor: null,
  });
  await order.placed();
  await order.placed({ method: 'card', quantity: 1 });
  // Two purchase orders to invoice, one invoice that's due, and two that are overdue.
  await order.sent();
  await order.sent();
  await order.invoiced();
  for (const late of [await order.invoiced(), await order.invoiced()]) {
    await sql`update public.orders set invoice_due_on = current_date - 2 where id = ${late}`;
  }

  // Three people wrote to support, one of them twice, and one thread is read.
  const talk = talkIn(world);
  const threads: string[] = [];
  for (const who of [people.owner, people.otherOwner, people.coach]) {
    threads.push(await talk.open(who, 'support'));
    await talk.say(who, threads.at(-1) ?? '', 'Hello?');
  }
  await talk.say(people.owner, threads[0] ?? '', 'Anyone there?');
  await ask(admin, 'read_messages($1, 1)', [threads[2]]);

  const { tasks, figures } = await ask(admin, 'admin_overview()');
  const compared: string[] = [];
  for (const { name, list } of TASKS) {
    if (!hrefIfExists(list)) continue;
    expect([name, await countOf(list)]).toEqual([name, tasks[name]]);
    compared.push(name);
  }
  for (const { name, list } of FIGURES) {
    if (!list || !hrefIfExists(list)) continue;
    expect([name, await countOf(list)]).toEqual([name, figures[name].total]);
    compared.push(name);
  }
  expect(compared.length).toBeGreaterThan(14);
  // Every figure opens a list, but for sessions, which have none.
  expect(FIGURES.flatMap(({ name, list }) => (list && hrefIfExists(list) ? [] : name))).toEqual([
    'sessions',
  ]);
  expect(tasks).toMatchObject({
    mails: 1,
    jobs: 2,
    toggles: 1,
    support: 2,
    unassigned: 1,
    late: 2,
    quotes: 1,
    purchase_orders: 2,
    overdue: 2,
  });
  expect(figures.orders.total).toBe(8);
});
