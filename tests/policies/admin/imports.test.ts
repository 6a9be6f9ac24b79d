import { describe, expect, test } from 'vitest';
import { createNewcomer, openWorld, someoneWaits } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { admin, owner } = people;

type Given = Record<string, unknown>;
interface Result {
  row: number;
  outcome: string;
  business: string | null;
  note: string | null;
}
const send = async (rows: Given[], { dry = false, invite = false } = {}): Promise<Result[]> =>
  (await ask(admin, 'import_contacts($1::jsonb, $2, $3, $4)', [rows, 'list.csv', dry, invite]))
    .rows;
const one = async (row: Given, options = {}) => (await send([{ row: 2, ...row }], options))[0];
const contact = async (email: string) =>
  (await sql`select * from public.contacts where email = ${email}`)[0];

describe('A row is refused with its reason', () => {
  test.each<[Given, string]>([
    [{}, 'There’s no email address.'],
    [{ email: 'ann at example' }, '“ann at example” isn’t an email address.'],
    [{ email: 'x<ann@example.com>' }, '“x<ann@example.com>” isn’t an email address.'],
    [{ email: 'a@b.test', name: 'x'.repeat(121) }, 'The name is longer than 120 characters.'],
    [
      { email: 'a@b.test', phone: '1'.repeat(41) },
      'The phone number is longer than 40 characters.',
    ],
    [
      { email: 'a@b.test', business: 'x'.repeat(121) },
      'The business’s name is longer than 120 characters.',
    ],
    [{ email: 'a@b.test', business: '…' }, 'The business’s name has no letters or digits.'],
    [
      { email: 'a@b.test', business: 'B', website: 'b.test' },
      'The website has to start with https:// or http://.',
    ],
    [
      { email: 'a@b.test', city: 'Taos' },
      'There’s a city, ZIP code or website, and no name of a business.',
    ],
    [{ email: 'a@b.test', consent: 'maybe' }, 'Consent has to be yes or no. It says “maybe”.'],
    [{ email: 'a@b.test', consent: 'yes' }, 'It says yes to the newsletter, but not since when.'],
    [
      { email: 'a@b.test', consent: 'yes', consent_on: '2/30/2026', consent_basis: 'a form' },
      '“2/30/2026” isn’t a date like 2026-11-24 or 11/24/2026.',
    ],
    [
      { email: 'a@b.test', consent: 'yes', consent_on: '2999-01-01', consent_basis: 'a form' },
      'The date of the consent is in the future.',
    ],
    [
      { email: 'a@b.test', consent: 'yes', consent_on: '2026-01-02' },
      'It says yes to the newsletter, but not in 3 to 500 characters what they agreed to.',
    ],
  ])('%j', async (row, note) => {
    expect(await one(row)).toEqual({ row: 2, outcome: 'refused', business: null, note });
    expect(await contact('a@b.test')).toBeUndefined();
  });

  test('A request has 1 to 500 rows with numbers, and the file’s name', async () => {
    const sentence = '22023 Send 1 to 500 rows, each with its number.';
    for (const rows of ['[]', '{}', '[1]', '[{"email": "a@b.test"}]']) {
      expect(await refusal(admin, `import_contacts('${rows}', 'list.csv', false)`)).toBe(sentence);
    }
    const many = JSON.stringify(Array.from({ length: 501 }, (_, row) => ({ row })));
    expect(await refusal(admin, `import_contacts('${many}', 'list.csv', false)`)).toBe(sentence);
    expect(await refusal(admin, `import_contacts('[{"row": 1}]', ' ', false)`)).toBe(
      '22023 Say which file it is, and whether to only check it.',
    );
  });
});

describe('A person becomes a contact, and their business waits for them', () => {
  const alder = {
    email: 'Nora@Client.test',
    name: 'Nora New',
    phone: '505 555 0101',
    business: 'Nora’s Nursery',
    city: 'Taos',
    postal_code: '87571',
  };

  test('A check says what would happen and changes nothing', async () => {
    expect(await one(alder, { dry: true, invite: true })).toEqual({
      row: 2,
      outcome: 'new',
      business: 'new',
      note: null,
    });
    expect(await contact('nora@client.test')).toBeUndefined();
    expect(await sql`select from public.businesses where name like 'Nora%'`).toHaveLength(0);
    expect(await sql`select from private.mails where template = 'business-claim'`).toHaveLength(0);
  });

  test('Sent again, it adds nothing; without consent in the list there’s none', async () => {
    expect(await one(alder)).toMatchObject({ outcome: 'new', business: 'new' });
    expect(await one(alder, { invite: true })).toMatchObject({
      outcome: 'there',
      business: 'there',
    });
    expect(await contact('nora@client.test')).toMatchObject({
      name: 'Nora New',
      newsletter: 'none',
      user_id: null,
    });
    expect(await sql`select from auth.users where email = 'nora@client.test'`).toHaveLength(0);
    expect(await sql`select city from public.businesses where name like 'Nora%'`).toEqual([
      { city: 'Taos' },
    ]);
    expect(await sql`select from private.mails where to_address = 'nora@client.test'`).toHaveLength(
      0,
    );
  });

  test('Two people of one business: who registers first owns it, the other joins', async () => {
    expect(await one({ ...alder, email: 'nils@client.test', name: 'Nils New' })).toMatchObject({
      outcome: 'new',
      business: 'joined',
    });
    const [nora, nils] = [await createNewcomer(world), await createNewcomer(world)];
    await sql`update auth.users set email = 'nora@client.test' where id = ${nora.userId}`;
    await sql`update auth.users set email = 'nils@client.test' where id = ${nils.userId}`;
    expect(await contact('nora@client.test')).toMatchObject({ user_id: nora.userId });
    for (const person of [nora, nils]) {
      const [invitation] = await ask(person, 'list_businesses()').then(
        (answer: { invitations: { id: string; role: string }[] }) => answer.invitations,
      );
      expect(invitation).toMatchObject({ business: 'Nora’s Nursery', role: 'owner' });
      await ask(person, 'accept_my_invitation($1)', [invitation?.id]);
    }
    expect(
      await sql`
        select m.user_id, m.role from public.business_members m
        join public.businesses b on b.id = m.business_id
        where b.name like 'Nora%' order by m.role desc`,
    ).toEqual([
      { user_id: nora.userId, role: 'owner' },
      { user_id: nils.userId, role: 'member' },
    ]);
    expect(await one(alder)).toMatchObject({ outcome: 'there', business: 'there' });
    expect(await one({ ...alder, email: 'nick@client.test' })).toMatchObject({
      outcome: 'new',
      note: '“Nora’s Nursery” has an owner here, who can invite them.',
    });
  });

  test('An invitation is emailed if the admin wants that, and not again', async () => {
    const row = { email: 'mia@client.test', business: 'Mia’s Mill' };
    await one(row, { invite: true });
    await one(row, { invite: true });
    expect(
      await sql`select data ->> 'business' as business from private.mails where template = 'business-claim'`,
    ).toEqual([{ business: 'Mia’s Mill' }]);
  });

  test('What people told us themselves stays', async () => {
    expect(
      await one({ email: owner.email, name: 'Wrong', business: 'Alder Bakery' }),
    ).toMatchObject({
      outcome: 'there',
      business: 'there',
    });
    expect(await contact(owner.email)).toMatchObject({ name: 'Olive Owner', imported_at: null });
    expect(await one({ email: 'mia@client.test', name: 'Mia', phone: '1' })).toMatchObject({
      outcome: 'changed',
    });
  });
});

test('A business waits for only so many people, and the others come in without it', async () => {
  await sql`
    update private.row_ceilings set most = 2
    where on_table = 'business_invitations' and per = 'business_id'`;
  const rows = [1, 2, 3].map((row) => ({ row, email: `all${row}@client.test`, business: 'Acme' }));
  expect(await send(rows)).toMatchObject([
    { outcome: 'new', business: 'new' },
    { outcome: 'new', business: 'joined' },
    {
      outcome: 'new',
      business: 'there',
      note: '“Acme” waits for as many people as it can already, so it doesn’t wait for them.',
    },
  ]);
});

describe('Consent', () => {
  const yes = { consent: 'yes', consent_on: '3/1/2026', consent_basis: 'Signed up at the fair' };

  test('comes with its date and what they agreed to', async () => {
    await one({ email: 'yes@client.test', ...yes });
    expect(await contact('yes@client.test')).toMatchObject({
      newsletter: 'subscribed',
      consent_wording: 'Signed up at the fair',
      consented_at: new Date('2026-03-01T00:00:00Z'),
    });
  });

  test('is read whatever separates the words, as when it’s checked', async () => {
    const row = { ...yes, consent: 'Yes\t', consent_on: '\n3/1/2026\t' };
    expect(await one({ email: 'tabs@client.test', ...row })).toMatchObject({ outcome: 'new' });
    expect(await contact('tabs@client.test')).toMatchObject({
      newsletter: 'subscribed',
      consented_at: new Date('2026-03-01T00:00:00Z'),
    });
  });

  test('that was withdrawn stays withdrawn, for merged addresses too', async () => {
    await sql`
      insert into public.contacts (email, newsletter, left_at, other_emails)
      values ('gone@client.test', 'left', now(), '{was@client.test}')`;
    expect(await one({ email: 'gone@client.test', ...yes })).toMatchObject({
      outcome: 'there',
      note: 'They unsubscribed here, so they stay off the newsletter.',
    });
    expect(await one({ email: 'was@client.test', ...yes })).toMatchObject({ outcome: 'there' });
    expect(await contact('gone@client.test')).toMatchObject({ newsletter: 'left' });
    expect(await contact('was@client.test')).toBeUndefined();
  });
});

test('Of 5,000 rows with 200 bad ones, 4,800 come in, and a second time nothing does', async () => {
  const rows = Array.from({ length: 5000 }, (_, index) => ({
    row: index + 2,
    email: index % 25 === 0 ? `row ${index}` : `client${index}@large.test`,
    name: `Client ${index}`,
    business: `Large ${index}`,
  }));
  const sendAll = async () => {
    const outcomes: Record<string, number> = {};
    for (let start = 0; start < rows.length; start += 500) {
      for (const { outcome, note } of await send(rows.slice(start, start + 500))) {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (outcome === 'refused') expect(note).toMatch(/isn’t an email address\.$/);
      }
    }
    return outcomes;
  };
  await sql`update private.write_limits set a_minute = a_day where kind = 'imported_rows'`;
  expect(await sendAll()).toEqual({ new: 4800, refused: 200 });
  const counted = () => sql`
    select
      (select count(*)::int from public.contacts where email like '%@large.test') as contacts,
      (select count(*)::int from public.businesses where name like 'Large %') as businesses`;
  expect(await counted()).toEqual([{ contacts: 4800, businesses: 4800 }]);
  expect(await sendAll()).toEqual({ there: 4800, refused: 200 });
  expect(await counted()).toEqual([{ contacts: 4800, businesses: 4800 }]);
}, 120_000);

test('Someone who writes at the same moment is found, and the other rows come in', async () => {
  let importing: Promise<Result[]> = Promise.resolve([]);
  await sql.begin(async (tx) => {
    await tx`select private.contact_of('now@client.test', 'Nia Now')`;
    importing = send([
      { row: 1, email: 'now@client.test', name: 'Nia', phone: '505 555 0101' },
      { row: 2, email: 'later@client.test' },
    ]);
    await someoneWaits(sql);
  });
  expect(await importing).toMatchObject([{ outcome: 'changed' }, { outcome: 'new' }]);
  expect(await contact('now@client.test')).toMatchObject({
    name: 'Nia Now',
    phone: '505 555 0101',
    imported_at: null,
  });
});

test('An admin imports only so many rows a day', async () => {
  await sql`update private.write_limits set a_minute = 2, a_day = 2 where kind = 'imported_rows'`;
  await sql`delete from public.rate_limits`;
  await send([{ row: 1 }, { row: 2 }]);
  expect(await refusal(admin, `import_contacts('[{"row": 3}]', 'list.csv', false)`)).toMatch(
    /^PT429 You’ve imported a lot of rows today\./,
  );
});
