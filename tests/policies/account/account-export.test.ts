import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { expectCallers, openWorld, refusalOf } from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, as, ask } = world;
const { owner, colleague, otherOwner, ownerWithCode, coach } = people;

const archiveOf = (who: Person) => world.ask(who, 'export_account()');

/** Tables with a column that identifies a person, and why exports leave them out. */
const LEFT_OUT: Record<string, string> = {
  quiz_claims: 'answers of visitors, under a secret and nobody’s name',
  // Which sponsor or admin made them is kept for the organization, not for the person.
  events: 'dates of the organization, with the address of the venue',
  programs: 'what an organization pays for',
  program_consents: 'texts of the organization',
  seat_codes: 'codes of the organization',
  rate_limits: 'counters under hashes, that end by themselves',
};

test('Only whoever is signed in gets theirs, after their second factor', async () => {
  await expectCallers(world, 'export_account()', 1, {});
});

test('An owner gets their attempts, businesses and coaching, and nothing of anybody else', async () => {
  const archive = await archiveOf(owner);
  expect(archive.account).toMatchObject({ id: owner.userId, email: owner.email });
  const { tables } = archive;
  expect(tables.attempts.map(({ id }: { id: string }) => id).toSorted()).toEqual(
    [ids.alderResult, ids.alderOpen].toSorted(),
  );
  expect(tables.businesses).toMatchObject([{ id: ids.alder, name: 'Alder Bakery' }]);
  expect(tables.business_members).toMatchObject([{ user_id: owner.userId }]);
  expect(tables.engagements).toMatchObject([{ id: ids.alderEngagement, note: 'Please' }]);
  expect(tables.profiles).toMatchObject([{ full_name: 'Olive Owner' }]);
  const text = JSON.stringify(archive);
  for (const other of [ids.birch, ids.colleagueOpen, ids.cedarResult, 'Otto', 'Wanda']) {
    expect(text).not.toContain(other);
  }
});

test('A member gets the business without the attempts of its owner', async () => {
  const { tables } = await archiveOf(colleague);
  expect(tables.businesses).toMatchObject([{ id: ids.alder }]);
  expect(JSON.stringify(tables)).not.toContain(ids.alderResult);
  expect(tables.engagements).toEqual([]);
});

test('A coach gets that they coached, and neither results nor notes nor names of clients', async () => {
  const { tables } = await archiveOf(coach);
  expect(tables.engagements_as_coach).toHaveLength(2);
  const text = JSON.stringify(tables);
  for (const theirs of ['Please', ids.alder, ids.alderResult, 'Olive', owner.userId]) {
    expect(text).not.toContain(theirs);
  }
});

test('Who was removed from a business gets nothing that was written there since', async () => {
  const project = crypto.randomUUID();
  const asked = (who: Person, text: string) =>
    asPerson(sql, who, (tx) => tx.unsafe(`select ${text}`));
  await asked(colleague, `create_project('${project}', '${ids.alder}', 'Rye for cafés')`);
  await asked(colleague, `add_project_update(gen_random_uuid(), '${project}', 'My own words.')`);
  await asked(owner, `remove_member('${ids.alder}', '${colleague.userId}')`);
  await asked(owner, `add_project_update(gen_random_uuid(), '${project}', 'A secret since.')`);
  const text = JSON.stringify(await archiveOf(colleague));
  expect(text).toContain('My own words.');
  expect(text).not.toContain('A secret since.');
  // Its name is only where they were told.
  expect(text.match(/Alder Bakery"/g)).toHaveLength(1);
  expect(text).toContain('You’re no longer a member of Alder Bakery"');
  expect(text).not.toContain('Rye for');
});

test('Of conversations there are their own words and files, and nobody else’s', async () => {
  const talk = talkIn(world);
  const direct = await talk.open(owner, 'direct', coach.userId);
  const file = crypto.randomUUID();
  await ask(owner, "begin_message_file($1, $2, 'till.pdf', 'application/pdf', 9)", [file, direct]);
  await sql`
    insert into storage.objects (bucket_id, name, metadata)
    values ('message-files', ${`${direct}/${file}`}, '{"size": 9, "mimetype": "application/pdf"}')`;
  await talk.say(owner, direct, 'My own question', { files: [file] });
  const said = await talk.say(coach, direct, 'An answer of somebody else');
  await ask(owner, 'save_message_draft($1, $2)', [direct, 'Half a thought']);
  await ask(owner, "report_message(gen_random_uuid(), $1, 'other')", [said.id]);
  const archive = await archiveOf(owner);
  const text = JSON.stringify(archive);
  for (const own of ['My own question', 'Half a thought', 'till.pdf']) {
    expect(text).toContain(own);
  }
  expect(text).not.toContain('An answer of');
  expect(archive.files).toEqual([
    { bucket: 'message-files', path: `${direct}/${file}`, size: 9, name: 'till.pdf' },
  ]);
  expect(JSON.stringify(await archiveOf(coach))).not.toContain('My own question');
});

test('A business made under the id of a conversation or a person names none of their files', async () => {
  const talk = talkIn(world);
  const direct = await talk.open(owner, 'direct', coach.userId);
  for (const id of [direct, owner.userId]) {
    await ask(ownerWithCode, 'create_business($1, $2)', [id, 'Under another name']);
  }
  await sql`
    insert into storage.objects (bucket_id, name)
    values ('message-files', ${`${direct}/secret.pdf`}), ('avatars', ${`${owner.userId}/me.webp`})`;
  expect((await archiveOf(ownerWithCode)).files).toEqual([]);
  expect((await archiveOf(owner)).files).toContainEqual(
    expect.objectContaining({ bucket: 'avatars', name: 'me.webp' }),
  );
});

test('No secret is in it: hashes, links of mails, what the log says of others', async () => {
  await as(owner)`select invite_member(gen_random_uuid(), ${ids.alder}, 'new@home.test')`;
  const archive = await archiveOf(owner);
  const keys = new Set<string>();
  JSON.stringify(archive, (key, value) => {
    keys.add(key);
    return value;
  });
  for (const secret of [
    'token_hash',
    'html',
    'body_text',
    'data',
    'secret',
    'encrypted_password',
  ]) {
    expect([...keys], secret).not.toContain(secret);
  }
  expect(archive.tables.business_invitations).toMatchObject([{ address: 'new@home.test' }]);
});

test('Every table that names a person is in it', async () => {
  const naming = await sql`
    select distinct c.relname as name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
      and k.confrelid = 'auth.users'::regclass and a.attnum = any (k.conkey)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and (
        k.oid is not null
        or a.attname ~ '^(user|owner|coach|actor|author|person|sender|recipient)_id$'
        or a.attname ~ '_by$' and a.atttypid = 'uuid'::regtype
        or a.attname in ('email', 'address', 'to_address', 'phone', 'answers')
        or a.attname in ('attempt_id', 'engagement_id')
      )
    order by 1`;
  const parts = (await sql`select name from private.export_parts()`).map(({ name }) => name);
  const forgotten = naming
    .map(({ name }) => name)
    .filter((name) => !parts.includes(name) && !(name in LEFT_OUT));
  // Benchmark statistics belong to a business, and refer to an attempt that's in the export.
  expect(forgotten).toEqual(['benchmark_businesses']);
  expect(naming.length).toBeGreaterThan(20);
  expect(new Set(parts).size).toBe(parts.length);
});

test('Ten archives in a minute are enough', async () => {
  for (let made = 0; made < 10; made += 1) await archiveOf(otherOwner);
  expect(await refusalOf(archiveOf(otherOwner))).toBe(
    'PT429 You’ve created a lot of archives in a short time. Try again in a minute.',
  );
});
