import { describe, expect, test } from 'vitest';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { admin, owner, colleague } = people;

interface Row {
  id: string;
  name: string | null;
  email: string;
  sources: string[];
  consent: string;
  businesses: string[];
  state: string;
  waiting: number;
  has_twin: boolean;
}
const list = async (filter: object = {}): Promise<Row[]> =>
  (await ask(admin, 'admin_contacts($1)', [filter])).rows;
const find = async (email: string) =>
  (await list({ words: email })).find((contact) => contact.email === email);
const emails = async (filter: object) => (await list(filter)).map(({ email }) => email);
const audited = (id: string) => sql`
  select action, reason, details from public.audit_log
  where entity = 'contact' and entity_id = ${id} and action not in ('contact.read', 'contact.list')
  order by id`;

async function write(email: string, { name = 'Wren', business = '', body = 'How much?' } = {}) {
  const id = crypto.randomUUID();
  await sql`
    select private.receive_message(
      ${`caller ${id}`}, ${id}, ${email}, ${name}, ${business}, 'pricing', ${body}, null,
      'us@example.test'
    )`;
  return id;
}
async function subscribe(email: string) {
  await sql`select private.request_newsletter(${`caller ${email}`}, ${email}, 'I want it')`;
  await sql`
    update public.contacts set newsletter = 'subscribed', consented_at = now() where email = ${email}`;
}

describe('Everyone who wrote, subscribed or registered is a contact', () => {
  test('People with a confirmed address join, with their businesses, and follow their changes', async () => {
    const contact = await find(owner.email);
    expect(contact).toMatchObject({
      name: 'Olive Owner',
      sources: ['registered'],
      consent: 'none',
      state: 'registered',
      businesses: ['Alder Bakery'],
    });
    await sql`update public.businesses set name = 'Maple Bakery' where name = 'Alder Bakery'`;
    expect(await emails({ words: 'maple', sort: 'name' })).toEqual([colleague.email, owner.email]);
    const newcomer = await createNewcomer(world);
    await sql`delete from public.contacts where user_id = ${newcomer.userId}`;
    await sql`update auth.users set email_confirmed_at = null where id = ${newcomer.userId}`;
    expect(await find(newcomer.email)).toBeUndefined();
    await sql`update auth.users set email_confirmed_at = now() where id = ${newcomer.userId}`;
    expect(await find(newcomer.email)).toMatchObject({ sources: ['registered'] });
  });

  test('A new address leaves the consent with the old one', async () => {
    const { userId, email } = await createNewcomer(world);
    await subscribe(email);
    expect(await find(email)).toMatchObject({ sources: ['newsletter', 'registered'] });
    await sql`update auth.users set email = 'moved@contact.test' where id = ${userId}`;
    expect(await find(email)).toMatchObject({ sources: ['newsletter'], consent: 'subscribed' });
    expect(await find('moved@contact.test')).toMatchObject({
      sources: ['registered'],
      consent: 'none',
    });
    // Without consent or messages, nothing of an old address stays.
    await sql`update auth.users set email = 'again@contact.test' where id = ${userId}`;
    expect(await find('moved@contact.test')).toBeUndefined();
    await sql`select private.delete_account(${userId})`;
    expect(await find('again@contact.test')).toBeUndefined();
    expect(await find(email)).toMatchObject({ consent: 'subscribed' });
  });

  test('Nobody renames a registered person through the form', async () => {
    await write(colleague.email, { name: 'Somebody Else' });
    expect(await find(colleague.email)).toMatchObject({
      name: 'Cole League',
      sources: ['wrote', 'registered'],
      state: 'waiting',
      waiting: 1,
    });
    await sql`delete from public.contact_messages`;
    expect(await find(colleague.email)).toMatchObject({ waiting: 0, sources: ['registered'] });
  });

  test('They are filtered by source, consent and what is open', async () => {
    await write('writer@contact.test', { name: 'Wanda Writer' });
    await subscribe('reader@contact.test');
    expect(await emails({ source: 'wrote' })).toEqual(['writer@contact.test']);
    expect(await emails({ source: 'newsletter', consent: 'subscribed', words: 'reader' })).toEqual([
      'reader@contact.test',
    ]);
    expect(await emails({ show: 'waiting' })).toEqual(['writer@contact.test']);
    const { tasks } = await ask(admin, 'admin_overview()');
    expect(tasks.contacts).toBe(1);
    expect((await list({ sort: 'name' })).at(-1)?.name).toBe('Wanda Writer');
  });

  test('Registered people stay, and those who only asked once don’t', async () => {
    await sql`update public.contacts set last_active_at = now() - interval '3 years'`;
    await sql`insert into public.contacts (email, last_active_at) values ('old@contact.test', now() - interval '31 days')`;
    await sql`
      insert into public.contacts (email, last_active_at, imported_at)
      values ('import@contact.test', now() - interval '31 days', now())`;
    await sql`select private.delete_old_contacts()`;
    expect(await find('old@contact.test')).toBeUndefined();
    expect(await find('import@contact.test')).toBeDefined();
    expect(await find(owner.email)).toBeDefined();
  });
});

describe('A message is answered', () => {
  const answers = (email: string) => sql`
    select data from private.mails where to_address = ${email} and template = 'contact-answer'`;

  test('with words, and only where there’s a message', async () => {
    const id = await write('asks@contact.test');
    expect(await refusal(admin, `answer_contact_message('${id}', '  ')`)).toBe(
      '22023 Write an answer of 1 to 5,000 characters.',
    );
    expect(await refusal(admin, `answer_contact_message('${crypto.randomUUID()}', 'Hi')`)).toBe(
      'P0002 We can’t find this message.',
    );
  });

  test('once, by email, and says who answered', async () => {
    const id = await write('asks@contact.test', { name: 'Asa', body: 'Is it free?' });
    const contact = await find('asks@contact.test');
    const answer = await ask(admin, 'answer_contact_message($1, $2)', [id, ' Yes, it is. \n']);
    expect(answer).toMatchObject({
      outcome: 'replied',
      answer: 'Yes, it is.',
      answered_by: 'Ada Min',
      from: 'asks@contact.test',
    });
    await ask(admin, 'answer_contact_message($1, $2)', [id, 'Yes, it is.']);
    expect(await answers('asks@contact.test')).toEqual([
      { data: { name: 'Asa', answer: 'Yes, it is.', asked: 'Is it free?' } },
    ]);
    expect(await refusal(admin, `answer_contact_message('${id}', 'No')`)).toBe(
      '55000 Ada Min has answered this message already. Reload the page to read the answer.',
    );
    expect(await refusal(admin, `set_contact_message_outcome('${id}', null)`)).toBe(
      '55000 The answer has been sent, so this can’t change anymore.',
    );
    expect(await audited(contact?.id ?? '')).toEqual([
      { action: 'contact.answer', reason: null, details: { message_id: id } },
    ]);
  });

  test('elsewhere or not at all, which can be undone', async () => {
    const id = await write('other@contact.test');
    expect(await refusal(admin, `set_contact_message_outcome('${id}', 'replied')`)).toBe(
      '22023 Choose what became of the message.',
    );
    expect(
      await ask(admin, 'set_contact_message_outcome($1, $2)', [id, 'elsewhere']),
    ).toMatchObject({
      outcome: 'elsewhere',
      answered_by: 'Ada Min',
    });
    expect(await find('other@contact.test')).toMatchObject({ waiting: 0, state: 'answered' });
    expect(await ask(admin, 'set_contact_message_outcome($1, $2)', [id, null])).toMatchObject({
      outcome: null,
      answered_at: null,
      answered_by: null,
    });
    expect(await find('other@contact.test')).toMatchObject({ waiting: 1, state: 'waiting' });
    expect(await answers('other@contact.test')).toEqual([]);
  });
});

describe('Two contacts may be the same person', () => {
  test('by mailbox, or by name and business or phone number', async () => {
    const one = await find('asks@contact.test');
    expect(one?.has_twin).toBe(false);
    await write('asks+news@contact.test', { name: 'Asa' });
    await write('tea@contact.test', { name: 'Téa Tree', business: 'Tree & Co' });
    await write('tea@work.test', { name: 'tea tree', business: 'tree co.' });
    await sql`insert into public.contacts (email, name, phone) values
      ('phil@contact.test', 'Phil', '+1 (505) 555-0101'), ('phil@work.test', 'Phil', '505 555 0101'),
      ('phil@other.test', 'Phil', '505 555 0102')`;
    expect((await emails({ show: 'twins' })).toSorted()).toEqual([
      'asks+news@contact.test',
      'asks@contact.test',
      'phil@contact.test',
      'phil@work.test',
      'tea@contact.test',
      'tea@work.test',
    ]);
    const tea = await find('tea@work.test');
    expect((await ask(admin, 'admin_contact($1)', [tea?.id])).twins).toMatchObject([
      { email: 'tea@contact.test', same: 'business', registered: false },
    ]);
    await sql`delete from public.contacts where email = 'tea@contact.test'`;
    await sql`update public.contacts set phone = null where email = 'phil@work.test'`;
    expect((await emails({ show: 'twins' })).toSorted()).toEqual([
      'asks+news@contact.test',
      'asks@contact.test',
    ]);
  });
});

describe('Merging', () => {
  const idOf = async (email: string) => (await find(email))?.id ?? '';
  const merge = (keep: string, drop: string, reason = 'same person') =>
    `merge_contacts('${keep}', '${drop}', '${reason}')`;

  test('needs a reason, two contacts and at most one account', async () => {
    const [a, b] = [await idOf('asks@contact.test'), await idOf('asks+news@contact.test')];
    expect(await refusal(admin, merge(a, b, ' '))).toBe(
      '22023 Give a reason of 3 to 2,000 characters.',
    );
    expect(await refusal(admin, merge(a, crypto.randomUUID()))).toBe(
      'P0002 We can’t find this contact.',
    );
    expect(await refusal(admin, merge(a, a))).toBe('55000 Choose two different contacts.');
    const [olive, cole] = [await idOf(owner.email), await idOf(colleague.email)];
    expect(await refusal(admin, merge(olive, cole))).toBe(
      '55000 Both have an account, and accounts can’t be merged.',
    );
    expect(await refusal(admin, merge(a, olive))).toBe('55000 Keep the one that has an account.');
  });

  test('brings the messages, answers where they came from, and remembers the address', async () => {
    const [keep, drop] = [await idOf('asks@contact.test'), await idOf('asks+news@contact.test')];
    expect(await ask(admin, 'admin_contact_merge($1, $2)', [keep, drop])).toMatchObject({
      refusal: null,
      email: 'asks@contact.test',
      other_email: 'asks+news@contact.test',
      messages: 3,
      consent: 'none',
    });
    expect(await ask(admin, merge(keep, drop))).toEqual({ id: keep });
    const contact = await ask(admin, 'admin_contact($1)', [keep]);
    expect(contact.other_emails).toEqual(['asks+news@contact.test']);
    expect(contact.messages.map(({ from }: { from: string }) => from).toSorted()).toEqual([
      'asks+news@contact.test',
      'asks@contact.test',
      'asks@contact.test',
    ]);
    expect(await ask(admin, 'admin_contact($1)', [drop])).toBeNull();
    expect((await list({ words: 'asks+news' }))[0]).toMatchObject({ id: keep, waiting: 2 });
    expect((await audited(keep)).at(-1)).toMatchObject({
      action: 'contact.merge',
      reason: 'same person',
    });
  });

  test.each([
    ['subscribed', 'left', 'left'],
    ['left', 'subscribed', 'left'],
    ['none', 'subscribed', 'none'],
    ['subscribed', 'none', 'subscribed'],
  ])('%s and %s make %s: consent is for one address, and withdrawn wins', async (a, b, both) => {
    const [keep, drop] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const [id, newsletter] of [
      [keep, a],
      [drop, b],
    ] as const) {
      await sql`
        insert into public.contacts (id, email, newsletter, consent_wording, consented_at, left_at)
        values (
          ${id}, ${`${id}@contact.test`}, ${newsletter}, 'I want it', '2026-01-02',
          ${newsletter === 'left' ? '2026-02-03' : null}
        )`;
    }
    await ask(admin, merge(keep, drop));
    const { consent, left_at } = await ask(admin, 'admin_contact($1)', [keep]);
    expect(consent).toBe(both);
    expect(left_at !== null).toBe(both === 'left');
  });
});
