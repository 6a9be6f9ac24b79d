/** What the job does about each change here and each answer of HubSpot, with a stand-in for it. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { hubspotJobs } from '#backend/supabase/functions/_shared/jobs/hubspot.ts';
import { runDueJobs } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import { withSettings } from '#backend/supabase/functions/_shared/settings.ts';
import { openHubSpot } from '../../../fixtures/hubspot/sync.ts';

const hubspot = await openHubSpot();
const { sql, standIn, run, step, overview, addContact, logged } = hubspot;
const { owner, colleague } = hubspot.people;
afterAll(() => hubspot.close());

beforeEach(async () => {
  standIn.fault = () => null;
  standIn.idType.hasUniqueValue = true;
  await sql`delete from public.contacts where user_id is null`;
  await sql`update public.contacts set newsletter = 'none', consented_at = null, consent_wording = null`;
  await sql`delete from private.hubspot_records`;
  await sql`delete from private.jobs where kind = 'hubspot_sync'`;
  await sql`update private.hubspot_settings set state = 'live', previewed_at = now()`;
  standIn.contacts.clear();
  standIn.companies.clear();
  standIn.links.clear();
  standIn.writes.length = 0;
  standIn.requests.length = 0;
  standIn.erased.length = 0;
  logged.length = 0;
});

const recordOf = async (label: string) =>
  (await sql`select * from private.hubspot_records where label = ${label}`)[0];
const there = (email: string) => standIn.find('contacts', 'email', email);
const jobs = () => sql`
  select state, last_error, run_at - now() as wait, extract(epoch from run_at - now())::int as seconds
  from private.jobs where kind = 'hubspot_sync'`;
const log = (line: string) => void logged.push(line);
/** Runs what's due once, with these settings. */
const runOnce = (settings: Record<string, string> = hubspot.settings) =>
  withSettings(settings, () =>
    runDueJobs(hubspot.database.db, hubspotJobs({ requestLimit: 300, pause: 1 }), { log }),
  );
const subscribe = (userId: string, newsletter = 'subscribed') => sql`
  update public.contacts
  set newsletter = ${newsletter}, consented_at = now(), consent_wording = 'Send it.'
  where user_id = ${userId}`;

test('Without a token nothing is asked, and the job says what’s missing', async () => {
  await addContact('ann@sync.test');
  await runOnce({ ...hubspot.settings, HUBSPOT_TOKEN: '' });
  expect(standIn.requests).toEqual([]);
  const problem = 'HubSpot isn’t connected: HUBSPOT_TOKEN isn’t set.';
  expect(await jobs()).toMatchObject([{ state: 'waiting', last_error: problem }]);
  expect((await overview()).connection).toMatchObject({ is_connected: false, problem });
});

test('A check without anything to send ends, whatever it finds', async () => {
  await sql`update private.hubspot_settings set state = 'off'`;
  await step('check');
  await runOnce({ ...hubspot.settings, HUBSPOT_TOKEN: '' });
  expect(await jobs()).toMatchObject([{ state: 'dropped' }]);
  await step('check');
  await runOnce();
  expect((await overview()).connection).toMatchObject({ is_connected: true, problem: null });
});

test('A token that HubSpot refuses stops nothing for good, and is in no log or answer', async () => {
  await addContact('ann@sync.test');
  await runOnce({ ...hubspot.settings, HUBSPOT_TOKEN: 'pat-wrong' });
  expect(await jobs()).toMatchObject([{ state: 'waiting' }]);
  const said = JSON.stringify([logged, await jobs(), await overview()]);
  expect(said).toContain('HubSpot doesn’t accept HUBSPOT_TOKEN');
  expect(said).not.toContain('pat-');
});

test('A property that can’t take our ID stops everything before a record is refused for it', async () => {
  standIn.idType.hasUniqueValue = false;
  await addContact('ann@sync.test');
  await runOnce();
  expect(standIn.writes).toEqual([]);
  expect(await jobs()).toMatchObject([{ last_error: expect.stringContaining('trellis_id') }]);
  const { connection } = await overview();
  expect(connection.problems).toMatchObject([
    { kind: 'contact', field: 'id' },
    { kind: 'company', field: 'id' },
  ]);
  // It's listed as text, which other fields can be sent as.
  expect(connection.properties.contact).toContainEqual({
    ...{ name: 'trellis_id', label: 'Trellis ID', fits: 'text' },
  });
});

test('A dry run writes nothing, and says what’s new, changed and the same', async () => {
  await sql`update private.hubspot_settings set state = 'off'`;
  const ann = await addContact('ann@sync.test', { name: 'Ann Lee' });
  await addContact('ben@sync.test', { name: 'Ben' });
  await addContact('cal@sync.test', { agreed: false });
  standIn.add('contacts', { email: 'ben@sync.test', firstname: 'Benjamin' });
  standIn.add('contacts', {
    ...{ trellis_id: ann, email: 'ann@sync.test', firstname: 'Ann', lastname: 'Lee' },
  });
  await step('preview');
  await run();
  expect(standIn.writes).toEqual([]);
  expect(await overview()).toMatchObject({
    state: 'previewed',
    records: [
      { kind: 'contact', change: 'changed', count: 1 },
      { kind: 'contact', change: 'unchanged', count: 1 },
    ],
  });
});

test('An unchanged record isn’t sent again, and a changed one is, once', async () => {
  const id = await addContact('ann@sync.test', { name: 'Ann' });
  await run();
  expect(there('ann@sync.test')?.properties).toEqual({
    ...{ trellis_id: id, email: 'ann@sync.test', firstname: 'Ann' },
  });
  await sql`update public.contacts set name = 'Anna' where id = ${id}`;
  await sql`update public.contacts set name = 'Ann' where id = ${id}`;
  await run();
  expect(standIn.writes).toHaveLength(1);
  await sql`update public.contacts set name = 'Anna' where id = ${id}`;
  await run();
  expect(standIn.writes).toHaveLength(2);
  expect(there('ann@sync.test')?.properties.firstname).toBe('Anna');
});

test('Someone HubSpot knows already is the same contact there, not a second one', async () => {
  standIn.add('contacts', { email: 'ann@sync.test', firstname: 'Annie', phone: '555' });
  const id = await addContact('ann@sync.test', { name: 'Ann' });
  await run();
  expect(standIn.contacts.size).toBe(1);
  expect(there('ann@sync.test')?.properties).toMatchObject({
    ...{ trellis_id: id, firstname: 'Ann', phone: '555' },
  });
});

test.each([
  ['the connection is cut before HubSpot did anything', 'drop'],
  ['the connection is cut after HubSpot did it', 'lose'],
  ['HubSpot did it and never answers', 'hang'],
  ['HubSpot fails', { status: 503 }],
  ['HubSpot asks to wait for a moment', { status: 429, headers: { 'retry-after': '0' } }],
] as const)('A record is sent once when %s', async (_, fault) => {
  await addContact('ann@sync.test');
  let isFirst = true;
  standIn.fault = (_number, path) => {
    if (!path.endsWith('/upsert') || !isFirst) return null;
    isFirst = false;
    return fault;
  };
  await run();
  expect(standIn.writes).toHaveLength(1);
  expect((await recordOf('ann@sync.test'))?.state).toMatch(/^(sent|unchanged)$/);
});

test('The job waits as long as HubSpot asks it to', async () => {
  await addContact('ann@sync.test');
  standIn.fault = (_, path) =>
    path.endsWith('/upsert') ? { status: 429, headers: { 'retry-after': '600' } } : null;
  await runOnce();
  const [job] = await jobs();
  expect(job).toMatchObject({ state: 'waiting', last_error: 'HubSpot asks us to wait.' });
  expect(job?.seconds).toBeGreaterThan(590);
  expect(standIn.writes).toEqual([]);
});

test('With nothing left of HubSpot’s limit, the next request waits until there is', async () => {
  await addContact('ann@sync.test');
  standIn.rate = { left: 0, interval: 120 };
  standIn.times.length = 0;
  await run();
  standIn.rate = { left: 90, interval: 10_000 };
  const pauses = standIn.times.slice(1).map((at, index) => at - (standIn.times[index] ?? 0));
  expect(pauses.length).toBeGreaterThan(2);
  expect(Math.min(...pauses)).toBeGreaterThan(100);
  expect(standIn.writes).toHaveLength(1);
});

test('A busy HubSpot is asked again for ten seconds at most, and then by the next run', async () => {
  await addContact('ann@sync.test');
  standIn.fault = (_, path) =>
    path.endsWith('/upsert') ? { status: 429, headers: { 'retry-after': '0' } } : null;
  await runOnce();
  expect(standIn.requests.filter((request) => request.endsWith('/upsert'))).toHaveLength(11);
  expect(await jobs()).toMatchObject([{ state: 'waiting' }]);
});

test('One bad record doesn’t keep back the others of its batch', async () => {
  for (const name of ['ann', 'bad1', 'ben', 'odd1', 'taken1', 'cal']) {
    await addContact(`${name}@sync.test`);
  }
  await run();
  const rows = await sql`
    select label, state, reason from private.hubspot_records order by label`;
  expect(rows).toEqual([
    { label: 'ann@sync.test', state: 'sent', reason: null },
    { label: 'bad1@sync.test', state: 'refused', reason: 'Property values were not valid: bad.' },
    { label: 'ben@sync.test', state: 'sent', reason: null },
    { label: 'cal@sync.test', state: 'sent', reason: null },
    { label: 'odd1@sync.test', state: 'refused', reason: 'Property values were not valid: odd.' },
    { label: 'taken1@sync.test', state: 'refused', reason: 'Contact already exists.' },
  ]);
  expect(standIn.writes).toHaveLength(3);
  // A refused one isn't tried again by itself.
  const count = standIn.requests.length;
  await run();
  expect(standIn.requests).toHaveLength(count);
});

test('Who unsubscribes is removed, who comes back is sent, and who is deleted is erased', async () => {
  const id = await addContact('ann@sync.test');
  await run();
  await sql`update public.contacts set newsletter = 'left' where id = ${id}`;
  await run();
  expect(standIn.contacts.size).toBe(0);
  expect(standIn.erased).toEqual([]);
  expect((await recordOf('ann@sync.test'))?.state).toBe('removed');

  await sql`update public.contacts set newsletter = 'subscribed' where id = ${id}`;
  await run();
  const hubspotId = there('ann@sync.test')?.id;
  expect(hubspotId).toBeDefined();

  await sql`update private.hubspot_settings set state = 'stopped'`;
  await sql`delete from public.contacts where id = ${id}`;
  await run();
  expect(standIn.erased).toEqual([hubspotId]);
  expect(await recordOf('ann@sync.test')).toBeUndefined();
});

test('A deletion whose answer is lost is done, and leaves nothing here', async () => {
  const id = await addContact('ann@sync.test');
  await run();
  await sql`delete from public.contacts where id = ${id}`;
  let isFirst = true;
  standIn.fault = (_, path) => {
    if (!path.endsWith('/gdpr-delete') || !isFirst) return null;
    isFirst = false;
    return 'lose';
  };
  await run();
  expect(standIn.erased).toHaveLength(1);
  expect(await recordOf('ann@sync.test')).toBeUndefined();
});

test('A contact who was never sent isn’t looked for when they’re deleted', async () => {
  await sql`update private.hubspot_settings set state = 'stopped'`;
  standIn.add('contacts', { email: 'ann@sync.test', firstname: 'Ours from elsewhere' });
  const id = await addContact('ann@sync.test');
  await sql`delete from public.contacts where id = ${id}`;
  await run();
  expect(standIn.contacts.size).toBe(1);
  expect(await recordOf('ann@sync.test')).toBeUndefined();
});

test('A contact is shown with their company, until they leave the business', async () => {
  await subscribe(owner.userId);
  await run();
  const contact = there(owner.email);
  const company = standIn.find('companies', 'name', 'Alder Bakery');
  expect([...standIn.links]).toEqual([`${contact?.id} ${company?.id}`]);
  expect(await overview()).toMatchObject({ links: 1, refused_links: 0 });

  await subscribe(owner.userId, 'left');
  await run();
  expect(standIn.contacts.size).toBe(0);
  expect(standIn.companies.size).toBe(0);
  expect(await overview()).toMatchObject({ links: 0 });
});

test('Who leaves a business isn’t shown with it anymore, and who stays is', async () => {
  await subscribe(owner.userId);
  await subscribe(colleague.userId);
  await run();
  expect(standIn.links.size).toBe(2);
  await sql`delete from public.business_members where user_id = ${colleague.userId}`;
  await run();
  expect([...standIn.links]).toEqual([
    `${there(owner.email)?.id} ${standIn.find('companies', 'name', 'Alder Bakery')?.id}`,
  ]);
  await sql`
    insert into public.business_members (business_id, user_id, role)
    values (${hubspot.ids.alder}, ${colleague.userId}, 'member')`;
});

test('A company that HubSpot lost is named as the reason, and sending again helps', async () => {
  await subscribe(owner.userId);
  standIn.fault = (_, path) => {
    if (path.includes('/associations/')) standIn.companies.clear();
    return null;
  };
  await run();
  expect(await overview()).toMatchObject({ links: 0, refused_links: 1 });
  const { rows } = await hubspot.ask(hubspot.people.admin, 'admin_hubspot_records($1)', [
    { state: 'refused' },
  ]);
  expect(rows).toMatchObject([
    { label: owner.email, reason: expect.stringContaining('Not shown with its company') },
  ]);
  standIn.fault = () => null;
  await sql`update public.businesses set website = 'https://alder.test' where name = 'Alder Bakery'`;
  await hubspot.ask(hubspot.people.admin, 'replay_hubspot($1)', [rows[0].id]);
  await run();
  expect(await overview()).toMatchObject({ links: 1, refused_links: 0 });
  await sql`update public.businesses set website = null where name = 'Alder Bakery'`;
});

test('Nothing more is sent once an admin stops it', async () => {
  for (let n = 0; n < 150; n += 1) await addContact(`person${n}@sync.test`);
  standIn.fault = async (_, path) => {
    if (path.endsWith('/upsert')) await step('stop');
    return null;
  };
  await run();
  expect(standIn.writes).toHaveLength(100);
  standIn.fault = () => null;
  await run();
  expect(standIn.writes).toHaveLength(100);
  await step('send');
  await run();
  expect(standIn.writes).toHaveLength(150);
});

test('Two workers at once don’t send a record twice', async () => {
  for (let n = 0; n < 120; n += 1) await addContact(`person${n}@sync.test`);
  await sql`insert into private.jobs (kind) values ('hubspot_sync')`;
  await Promise.all([runOnce(), runOnce()]);
  await run();
  const ids = standIn.writes.map(({ id }) => id);
  expect(new Set(ids).size).toBe(120);
  expect(ids).toHaveLength(120);
});

test('What’s logged names nobody', async () => {
  await addContact('bad.secretname@sync.test', { name: 'Secretname' });
  await addContact('ann.secretname@sync.test', { name: 'Secretname' });
  standIn.fault = (number) => (number % 3 === 0 ? { status: 500 } : null);
  await run(3);
  standIn.fault = (_, path) => (path.endsWith('/upsert') ? 'drop' : null);
  await addContact('ben.secretname@sync.test');
  await runOnce();
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join('\n')).not.toMatch(/secretname|sync\.test/i);
});
