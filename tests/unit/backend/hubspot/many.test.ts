/** The whole sync at size: 10,000 contacts through everything that goes wrong on the way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openHubSpot } from '../../../fixtures/hubspot/sync.ts';
import { typeStripping } from '../engine/process.ts';

const CONTACTS = 10_000;
const COMPANIES = 50;

const hubspot = await openHubSpot();
const { sql, standIn, run, step } = hubspot;
afterAll(() => hubspot.close());

/** Every thousandth is bad in one of three ways. */
const beginning = (n: string) =>
  `case ${n} % 1000 when 7 then 'odd' when 77 then 'bad' when 777 then 'taken' else 'person' end`;

await sql.unsafe(`
  insert into auth.users (id, email)
  select gen_random_uuid(), ${beginning('n')} || n || '@example.test'
  from generate_series(1, ${COMPANIES}) n`);
await sql.unsafe(`
  insert into public.contacts (email, name, business, newsletter, consented_at, consent_wording, user_id)
  select ${beginning('n')} || n || '@example.test', 'Secretname Number' || n, 'Business ' || n,
    'subscribed', now(), 'Send me the monthly newsletter.', o.id
  from generate_series(1, ${CONTACTS}) n
  left join auth.users o on o.email = ${beginning('n')} || n || '@example.test'`);
await sql.unsafe(`
  insert into public.businesses (id, name, website)
  select gen_random_uuid(), 'Company ' || n, 'https://company' || n || '.test'
  from generate_series(1, ${COMPANIES}) n`);
await sql`
  insert into public.business_members (business_id, user_id, role)
  select b.id, u.id, 'owner' from public.businesses b
  join auth.users u on u.email ~ ('^[a-z]+' || substr(b.name, 9) || '@example.test$')`;
// Some are in HubSpot already, by their address.
for (let n = 2_101; n <= 2_200; n += 1)
  standIn.add('contacts', { email: `person${n}@example.test`, lastname: 'From elsewhere' });

/** Runs the job in a process of its own, and kills it during the 20th batch. */
async function crash(): Promise<string> {
  const child = spawn(
    process.execPath,
    [
      ...typeStripping,
      fileURLToPath(new URL('../../../fixtures/hubspot/worker.ts', import.meta.url)),
    ],
    { env: { ...process.env, ...hubspot.settings, DATABASE_URL: hubspot.url } },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const exited = once(child, 'exit');
  standIn.fault = (_, path) => {
    if (!path.endsWith('/upsert') || standIn.writes.length < 2_000) return null;
    // It's been done, and nobody will ever read the answer.
    standIn.fault = () => null;
    setImmediate(() => child.kill('SIGKILL'));
    return 'hang';
  };
  await exited;
  return said;
}

test('10,000 contacts end with each good one sent once and each bad one named with its reason', async () => {
  await step('preview');
  await run();
  expect((await hubspot.overview()).state).toBe('previewed');
  expect(standIn.writes).toEqual([]);
  await step('send');

  const output = await crash();
  expect(standIn.writes.length).toBeLessThan(3_000);
  // As if the lease of the job had run out.
  await sql`update private.jobs set run_at = now() where kind = 'hubspot_sync'`;

  const start = standIn.requests.length;
  standIn.fault = (number) => {
    const n = number - start;
    if (n === 10 || n === 90) return { status: 429, headers: { 'retry-after': '1' } };
    if (n % 40 === 12) return 'drop';
    if (n % 40 === 22) return 'lose';
    if (n % 40 === 32) return { status: 502 };
    if (n === 60) return 'hang';
    return null;
  };
  await run();

  const sent = standIn.writes.filter(({ kind }) => kind === 'contacts');
  const times = new Map<string, number>();
  for (const { id } of sent) times.set(id, (times.get(id) ?? 0) + 1);
  const [counted] = await sql`
    select count(*) filter (where state in ('sent', 'unchanged'))::int as sent,
      count(*) filter (where state = 'refused' and reason <> '')::int as refused, count(*)::int as all
    from private.hubspot_records where kind = 'contact'`;
  expect(counted).toEqual({ sent: CONTACTS - 30, refused: 30, all: CONTACTS });
  expect(times.size).toBe(CONTACTS - 30);
  expect([...times.values()].filter((count) => count > 1)).toEqual([]);
  const reasons = await sql`
    select distinct regexp_replace(label, '\\d.*', '') as bad, reason from private.hubspot_records
    where state = 'refused' order by 1`;
  expect(reasons).toEqual([
    { bad: 'bad', reason: 'Property values were not valid: bad.' },
    { bad: 'odd', reason: 'Property values were not valid: odd.' },
    { bad: 'taken', reason: 'Contact already exists.' },
  ]);
  expect(standIn.companies.size).toBe(COMPANIES);
  // One of the owners is bad, so it isn't there to be linked.
  expect(standIn.links.size).toBe(COMPANIES - 1);
  expect(standIn.contacts.size).toBe(CONTACTS - 30);

  const logged = [...hubspot.logged, output].join('\n');
  expect(logged).not.toMatch(/@|Secretname|Business|Company|pat-of-this-test/);
}, 60_000);
