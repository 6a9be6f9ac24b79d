/** Places at events: a workshop with some taken, office hours that are full, and a date that's past. */
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';

const WORKSHOP = 'monthly-workshop-albuquerque';
const OFFICE_HOURS = 'online-office-hours';

/** Who asks, and what they'd like to get out of it. */
const people: readonly (readonly [email: string, name: string, wish: string])[] = [
  ['owner@demo.test', 'Maria Delgado', 'A forecast I can show the bank.'],
  ['luz.moreno@demo.test', 'Luz Moreno', ''],
  ['owen.begay@demo.test', 'Owen Begay', 'Whether my day rate covers the winter.'],
  ['priya.shah@demo.test', 'Priya Shah', ''],
  ['rosa.ibarra@demo.test', 'Rosa Ibarra', 'A price for custom rugs.'],
  ['june.carter@demo.test', 'June Carter', ''],
  ['dev.patel@demo.test', 'Dev Patel', 'I’d like to see how it works for our members.'],
  ['sam.ortega@demo.test', 'Sam Ortega', ''],
  ['nina.lujan@demo.test', 'Nina Lujan', 'A landlord who wants a personal guarantee.'],
  ['theo.chavez@demo.test', 'Theo Chavez', ''],
  ['owner2@demo.test', 'Theo Park', ''],
];

/** Asks for a place at the next date and, unless it's the last one to ask, confirms what's held. */
async function askFor(db: Database, slug: string, which: typeof people): Promise<void> {
  const next = await queryOne<{ occasion: string }>(db)`
    select occasion from public.events where slug = ${slug} and starts_at > now()
    order by starts_at limit 1`;
  for (const [index, [email, name, wish]] of which.entries()) {
    await query(db)`
      select private.ask_for_place(null, ${slug}, ${next?.occasion}, ${email}, ${name}, ${wish})`;
    if (index === which.length - 1) continue;
    await query(db)`
      update public.event_signups s set state = 'taken', taken_at = now(), due_at = null
      from public.events e
      where e.id = s.event_id and e.slug = ${slug} and s.email = ${email} and s.state = 'held'`;
  }
}

/** Adds a date of the workshop a month ago, with who came and who didn't. */
async function addPastDate(db: Database): Promise<void> {
  const past = await queryOne<{ id: string }>(db)`
    insert into public.events (slug, occasion, title, starts_at, minutes, time_zone, place, address, places)
    select slug, to_char(now() - interval '35 days', 'YYYY-MM'), title, starts_at - interval '35 days',
      minutes, time_zone, place, address, places
    from public.events where slug = ${WORKSHOP} and starts_at > now() order by starts_at limit 1
    returning id`;
  for (const [index, [email, name, wish]] of people.slice(1, 8).entries()) {
    const signup = await queryOne<{ id: string }>(db)`
      insert into public.event_signups (event_id, email, name, wish, state, due_at)
      values (${past?.id}, ${email}, ${name}, nullif(${wish}, ''), 'held', now())
      returning id`;
    await query(db)`
      update public.event_signups
      set state = 'taken', taken_at = now() - interval '40 days', due_at = null,
        came = ${index !== 2}, created_at = now() - interval '40 days'
      where id = ${signup?.id}`;
  }
}

/** Fills the next workshop halfway and the next office hours beyond their eight places. */
export async function fillEvents(db: Database): Promise<void> {
  await askFor(db, WORKSHOP, people.slice(0, 6));
  await askFor(db, OFFICE_HOURS, people.slice(1));
  await addPastDate(db);
}
