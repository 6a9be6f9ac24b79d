import { describe, expect, test } from 'vitest';
import { createNewcomer, expectCallers, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, owner } = people;

const ADMINS = '42501 Only an admin can do this.';
const MAPPING = {
  contact: { id: 'trellis_id', email: 'email', first_name: 'firstname', last_name: 'lastname' },
  company: { id: 'trellis_id', name: 'name' },
};

interface Row {
  id: string;
  kind: string;
  label: string;
  wants: string;
  state: string;
  change: string | null;
  reason: string | null;
  changes: { property: string; old: string | null; new: string }[];
}
const list = async (filter: object = {}): Promise<Row[]> =>
  (await ask(admin, 'admin_hubspot_records($1)', [filter])).rows;
const labels = async (filter: object = {}) => (await list(filter)).map(({ label }) => label);
const recordOf = async (label: string) => (await list()).find((row) => row.label === label);

/** Someone who agreed to the newsletter, unless they didn't. */
async function addContact(email: string, newsletter = 'subscribed', name = 'Ann Bell Cole') {
  const [row] = await sql<{ id: string }[]>`
    insert into public.contacts (email, name, newsletter, consented_at, consent_wording)
    values (${email}, ${name}, ${newsletter}, now(), 'Send it.') returning id`;
  return row?.id ?? '';
}
const setState = (state: string) =>
  sql`update private.hubspot_settings set state = ${state}, previewed_at = now()`;
/** As the job does once HubSpot has them. */
const markSent = (label: string) => sql`
  update private.hubspot_records
  set state = 'sent', sent_hash = hash, hubspot_id = 'h1' where label = ${label}`;

describe('Only admins', () => {
  test.each([
    'admin_hubspot()',
    'admin_hubspot_records()',
    `map_hubspot('${JSON.stringify(MAPPING)}')`,
    "run_hubspot('stop')",
    'replay_hubspot()',
  ])('can call %s', (call) => expectCallers(world, call, ADMINS, { admin: 1 }));

  test.each(['hubspot_settings', 'hubspot_records', 'hubspot_links'])(
    'Nobody reads private.%s directly',
    async (table) => {
      for (const who of Object.values(people)) {
        const read = world.as(who)`select * from ${sql(`private.${table}`)}`;
        await expect(read).rejects.toThrow(/permission denied/);
      }
    },
  );
});

describe('What an admin cannot do', () => {
  test('Send before a dry run showed what that would change', async () => {
    expect(await refusal(admin, "run_hubspot('send')")).toBe('55000 Do a dry run first.');
    await ask(admin, "run_hubspot('preview')");
    expect(await refusal(admin, "run_hubspot('send')")).toBe('55000 Do a dry run first.');
    expect(await ask(admin, "run_hubspot('stop')")).toMatchObject({ state: 'off' });
    expect(await refusal(admin, "run_hubspot('send')")).toBe('55000 Do a dry run first.');
    expect(await refusal(admin, "run_hubspot('jump')")).toBe('22023 Choose a step.');
  });

  test('Change the mapping, or do another dry run, while records are being sent', async () => {
    await setState('live');
    const stop = '55000 Stop sending first.';
    expect(await refusal(admin, 'map_hubspot($1)', [MAPPING])).toBe(stop);
    expect(await refusal(admin, "run_hubspot('preview')")).toBe(stop);
    await setState('previewing');
    expect(await refusal(admin, 'map_hubspot($1)', [MAPPING])).toBe(stop);
    await setState('off');
  });

  test('Map fields we never send, or two fields to one property', async () => {
    const words = /^22023 Give each field a HubSpot property of its own/;
    const { contact, company } = MAPPING;
    const bad = [
      null,
      {},
      { contact },
      { contact: [], company },
      { contact: { ...contact, notes: 'notes' }, company },
      { contact: { ...contact, first_name: 'email' }, company },
      { contact: { ...contact, first_name: 'First Name' }, company },
      { contact: { ...contact, first_name: null }, company },
      { contact: { email: 'email' }, company },
      { contact, company: { id: 'trellis_id' } },
    ];
    for (const mapping of bad) {
      expect(await refusal(admin, 'map_hubspot($1)', [mapping]), JSON.stringify(mapping)).toMatch(
        words,
      );
    }
    expect(
      await refusal(admin, 'map_hubspot($1)', [
        { contact: { ...contact, email: 'work_email' }, company },
      ]),
    ).toMatch(/^22023 HubSpot finds people by its property email/);
  });

  test('Send again what HubSpot hasn’t refused', async () => {
    expect(await refusal(admin, 'replay_hubspot($1)', [ids.alder])).toBe(
      'P0002 HubSpot hasn’t refused this record.',
    );
  });
});

test('Nothing is noted before an admin starts a dry run', async () => {
  await setState('off');
  await addContact('early@hubspot.test');
  expect(await list()).toEqual([]);
  const jobs = sql`select from private.jobs where kind = 'hubspot_sync' and every is null`;
  await sql`delete from private.jobs where kind = 'hubspot_sync'`;
  await ask(admin, "run_hubspot('preview')");
  expect(await labels()).toEqual(['early@hubspot.test']);
  expect(await jobs).toHaveLength(1);
});

describe('Only what people agreed to is noted', () => {
  test('People who confirmed the newsletter, with their name, and nobody else', async () => {
    for (const consent of ['none', 'pending', 'left'])
      await addContact(`${consent}@hubspot.test`, consent);
    const id = await addContact('ann@hubspot.test');
    expect(await labels({ words: 'hubspot.test' })).toEqual([
      'ann@hubspot.test',
      'early@hubspot.test',
    ]);
    const [content] = await sql`
      select properties from private.hubspot_content('contact', array[${id}]::uuid[])`;
    expect(content?.properties).toEqual({
      trellis_id: id,
      email: 'ann@hubspot.test',
      firstname: 'Ann',
      lastname: 'Bell Cole',
    });
  });

  test('A business only while one of its people agreed, with its name and website', async () => {
    const companies = () => labels({ kind: 'company' });
    expect(await companies()).toEqual([]);
    await sql`
      update public.contacts set newsletter = 'subscribed', consented_at = now(), consent_wording = 'Yes'
      where user_id = ${owner.userId}`;
    expect(await companies()).toEqual(['Alder Bakery']);
    const [content] = await sql`
      select properties from private.hubspot_content('company', array[${ids.alder}]::uuid[])`;
    expect(content?.properties).toEqual({ trellis_id: ids.alder, name: 'Alder Bakery' });
    await sql`update public.contacts set newsletter = 'left' where user_id = ${owner.userId}`;
    expect(await companies()).toEqual([]);
  });

  test('An incomplete address is refused here, with the reason', async () => {
    await addContact('someone@intranet');
    expect(await recordOf('someone@intranet')).toMatchObject({
      state: 'refused',
      reason: 'HubSpot only takes complete addresses, such as ann@example.com.',
    });
  });
});

describe('What HubSpot has follows what’s here', () => {
  test('A change waits to be sent again, and one that’s taken back doesn’t', async () => {
    const id = await addContact('ben@hubspot.test');
    await markSent('ben@hubspot.test');
    await sql`update public.contacts set name = 'Benjamin' where id = ${id}`;
    expect(await recordOf('ben@hubspot.test')).toMatchObject({ state: 'waiting', wants: 'save' });
    await sql`update public.contacts set name = 'Ann Bell Cole' where id = ${id}`;
    expect(await recordOf('ben@hubspot.test')).toMatchObject({ state: 'unchanged' });
    await sql`update public.contacts set phone = '555', last_active_at = now() where id = ${id}`;
    expect(await recordOf('ben@hubspot.test')).toMatchObject({ state: 'unchanged' });
  });

  test('Who unsubscribes is removed there, and isn’t sent if that hasn’t happened yet', async () => {
    const id = await addContact('cal@hubspot.test');
    await markSent('cal@hubspot.test');
    const never = await addContact('dee@hubspot.test');
    await sql`update public.contacts set newsletter = 'left' where id in (${id}, ${never})`;
    expect(await recordOf('cal@hubspot.test')).toMatchObject({
      state: 'waiting',
      wants: 'archive',
    });
    expect(await recordOf('dee@hubspot.test')).toBeUndefined();
    await sql`update public.contacts set newsletter = 'subscribed' where id = ${id}`;
    expect(await recordOf('cal@hubspot.test')).toMatchObject({ state: 'waiting', wants: 'save' });
  });

  test('Who deletes their account is erased there, even while sending is stopped', async () => {
    const { userId, email } = await createNewcomer(world);
    await sql`
      update public.contacts set newsletter = 'subscribed', consented_at = now(), consent_wording = 'Yes'
      where user_id = ${userId}`;
    await markSent(email);
    await setState('stopped');
    await sql`delete from private.jobs where kind = 'hubspot_sync'`;
    await sql`select private.delete_account(${userId})`;
    expect(await recordOf(email)).toMatchObject({ state: 'waiting', wants: 'erase' });
    expect(await sql`select from private.jobs where kind = 'hubspot_sync'`).toHaveLength(1);
    await setState('previewing');
  });

  test('A merged contact is removed there, not erased: HubSpot would never take its address again', async () => {
    const keep = await addContact('eve@hubspot.test');
    const drop = await addContact('eve.old@hubspot.test');
    await markSent('eve.old@hubspot.test');
    await ask(admin, "merge_contacts($1, $2, 'the same person')", [keep, drop]);
    expect(await recordOf('eve.old@hubspot.test')).toMatchObject({ wants: 'archive' });
  });
});

test('A dry run shows what’s there and what it would become', async () => {
  const id = await addContact('finn@hubspot.test', 'subscribed', 'Finn Gray');
  await sql`
    update private.hubspot_records set change = 'changed', found = '{"firstname": "Finnegan", "lastname": "Gray"}'
    where source_id = ${id}`;
  const [row] = await list({ change: 'changed' });
  expect(row?.changes).toEqual([
    { property: 'email', old: null, new: 'finn@hubspot.test' },
    { property: 'firstname', old: 'Finnegan', new: 'Finn' },
    { property: 'trellis_id', old: null, new: id },
  ]);
});

test('A refused record is sent again, alone or with the others', async () => {
  await addContact('gus@hubspot.test');
  await sql`
    update private.hubspot_records set state = 'refused', reason = 'Too long.'
    where label = 'gus@hubspot.test'`;
  const refused = await list({ state: 'refused' });
  expect(refused.map(({ reason }) => reason)).toContain('Too long.');
  const gus = refused.find(({ label }) => label === 'gus@hubspot.test');
  expect(await ask(admin, 'replay_hubspot($1)', [gus?.id])).toEqual({ replayed: 1 });
  expect(await recordOf('gus@hubspot.test')).toMatchObject({ state: 'waiting', reason: null });
  expect(await ask(admin, 'replay_hubspot()')).toEqual({ replayed: refused.length - 1 });
  expect(await list({ state: 'refused' })).toEqual([]);
});

test('Contacts say how far they are in HubSpot', async () => {
  await markSent('ann@hubspot.test');
  const { rows } = await ask(admin, 'admin_contacts($1)', [{ words: 'hubspot.test' }]);
  const ann = rows.find(({ email }: { email: string }) => email === 'ann@hubspot.test');
  expect(ann.hubspot).toMatchObject({ state: 'sent', reason: null });
  expect(rows.find(({ email }: { email: string }) => email === 'none@hubspot.test').hubspot).toBe(
    null,
  );
  expect(await ask(admin, 'admin_contact($1)', [ann.id])).toMatchObject({
    hubspot: { state: 'sent' },
  });
});

test('The property with our ID stays once HubSpot has records by it', async () => {
  await setState('off');
  await ask(admin, 'map_hubspot($1)', [MAPPING]);
  const { contact, company } = MAPPING;
  const other = { contact: { ...contact, id: 'our_id' }, company };
  await markSent('ann@hubspot.test');
  expect(await refusal(admin, 'map_hubspot($1)', [other])).toBe(
    '22023 HubSpot has records with our ID in its property already, so that one stays.',
  );
  // Of companies, HubSpot has none yet.
  const free = { contact, company: { ...company, id: 'our_id' } };
  expect(await ask(admin, 'map_hubspot($1)', [free])).toMatchObject({ mapping: free });
});

test('A new mapping asks for a new dry run', async () => {
  await setState('off');
  await ask(admin, 'map_hubspot($1)', [MAPPING]);
  await setState('stopped');
  expect(await ask(admin, 'map_hubspot($1)', [MAPPING])).toMatchObject({ state: 'stopped' });
  const { contact, company } = MAPPING;
  const changed = { contact: { ...contact, agreed_to: 'consent' }, company };
  expect(await ask(admin, 'map_hubspot($1)', [changed])).toMatchObject({
    state: 'off',
    mapping: changed,
    previewed_at: null,
  });
});
