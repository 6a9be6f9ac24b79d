import { expect, test } from 'vitest';
import { allBusinessesFilter } from '#domain/admin-businesses.ts';
import { peopleFilter } from '#domain/admin-people.ts';
import { toggleFilter } from '#domain/admin-toggles.ts';
import { contactFilter } from '#domain/contact.ts';
import { jobFilter } from '#domain/job.ts';
import { FIGURES, TASKS } from '#domain/overview.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';

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
  '/admin/contacts-summary': { procedure: 'admin_contacts', codec: contactFilter },
  '/admin/jobs': { procedure: 'admin_jobs', codec: jobFilter },
  '/admin/toggles': { procedure: 'admin_toggles', codec: toggleFilter },
};
/** Lists of another form, with how many rows they show. */
const OTHERS: Record<string, () => Promise<number>> = {
  '/admin/messages': async () => (await ask(admin, 'admin_message_reports()')).open,
  // Unread messages are counted in the admin's own conversations.
  '/dashboard/messages': async () =>
    (await ask(admin, 'session_context()')).unread_messages as number,
};

/** As many rows as the list has that a link of the overview opens. */
async function countOf(list: string): Promise<number> {
  const { pathname, searchParams } = new URL(list, 'http://site.test');
  const other = OTHERS[pathname];
  if (other) return other();
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
  const contact = crypto.randomUUID();
  await sql`insert into public.contacts (id, email) values (${contact}, 'asks@home.test')`;
  await sql`
    insert into public.contact_messages (id, contact_id, topic, body)
    values (gen_random_uuid(), ${contact}, 'general', 'Hello?')`;

  const { tasks, figures } = await ask(admin, 'admin_overview()');
  const compared: string[] = [];
  for (const { name, list } of TASKS) {
    if (!hrefIfExists(list)) continue;
    expect([name, await countOf(list)]).toEqual([name, tasks[name]]);
    compared.push(name);
  }
  for (const { name, list } of FIGURES) {
    if (!hrefIfExists(list)) continue;
    expect([name, await countOf(list)]).toEqual([name, figures[name].total]);
    compared.push(name);
  }
  expect(compared.length).toBeGreaterThan(6);
  expect(tasks).toMatchObject({ mails: 1, jobs: 2, toggles: 1 });
});
