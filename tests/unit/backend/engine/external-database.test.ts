import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  checkExternalDatabase,
  ownExternalDatabase,
} from '#backend/local/postgres/external-database.ts';
import { prepareDatabase } from '#backend/local/postgres/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../../fixtures/database.ts';
import { command } from './process.ts';

// Caps the delay between retries at 10 ms.
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>();
  const wait: typeof timers.setTimeout = (ms = 0, ...more) =>
    timers.setTimeout(Math.min(ms, 10), ...more);
  return { ...timers, setTimeout: wait };
});

let database: TestDatabase;
let role: string;
beforeEach(async () => {
  database = await createTestDatabase('empty');
  role = `weak_${nameOf(database.url)}`;
});
afterEach(() => database.drop());

const nameOf = (url: string) => new URL(url).pathname.slice(1);

function addressOf(
  changes: Partial<Record<'username' | 'password' | 'port' | 'pathname', string>>,
) {
  return Object.assign(new URL(database.url), changes).href;
}

const refusal = (url: string) =>
  checkExternalDatabase(url).then(
    () => 'none',
    (error: Error) => {
      expect(error.name).toBe('DataFolderError');
      expect(error.message).not.toContain(new URL(database.url).password);
      return error.message;
    },
  );

test('An operator whose database cannot be reached reads why, without the password', async () => {
  expect(await refusal(addressOf({ port: '1' }))).toMatch(/can't be reached.*ECONNREFUSED/);
  expect(await refusal(addressOf({ password: 'wrong' }))).toMatch(
    /refuses the user or the password/,
  );
  expect(await refusal(addressOf({ password: '' }))).toMatch(/refuses the user or the password/);
  expect(await refusal(addressOf({ pathname: '/none' }))).toMatch(/There is no such database/);
  const noAddress = await checkExternalDatabase('database.example').catch((error) => error);
  expect(noAddress.message).toMatch(/^DATABASE_URL must be an address such as/);
  expect(await refusal(database.url)).toBe('none');
});

test('A role that may do too little is told each thing that it lacks', async () => {
  const { sql } = database;
  await sql.unsafe(`create role ${role} login password 'weak'`);
  const url = addressOf({ username: role, password: 'weak' });
  try {
    const lacking = await refusal(url);
    expect(lacking.split('\n').slice(1)).toEqual([
      expect.stringMatching(/doesn't own the database.*run: alter database/),
      // This server already has these roles. On a new one, this role would create them itself.
      expect.stringContaining('grant anon, authenticated, service_role to'),
    ]);
    // Following these instructions is enough.
    await sql.unsafe(`grant ${role} to postgres`);
    await sql.unsafe(`alter database ${nameOf(url)} owner to ${role}`);
    await sql.unsafe(`grant anon, authenticated, service_role to ${role}`);
    expect(await refusal(url)).toBe('none');
    expect((await prepareDatabase(url)).length).toBeGreaterThan(0);
  } finally {
    await sql.unsafe(`alter database ${nameOf(url)} owner to postgres`);
    await sql.unsafe(`reassign owned by ${role} to postgres`);
    await sql.unsafe(`drop owned by ${role}`);
    await sql.unsafe(`drop role ${role}`);
  }
});

test('A second process on a database is refused and told who has it', async () => {
  const release = await ownExternalDatabase(database.url, () => {});
  await expect(ownExternalDatabase(database.url, () => {})).rejects.toMatchObject({
    name: 'DataFolderError',
    message: expect.stringMatching(new RegExp(`in use by another site \\(process ${process.pid}@`)),
  });
  await release();
  await (await ownExternalDatabase(database.url, () => {}))();
});

test('A process of another role that has the database is named as far as this one may know it', async () => {
  const { sql } = database;
  await sql.unsafe(`create role ${role} login password 'weak'`);
  const holder = await sql.reserve();
  try {
    await holder`select set_config('application_name', '', false), pg_advisory_lock(4913007)`;
    const weak = addressOf({ username: role, password: 'weak' });
    await expect(ownExternalDatabase(weak, () => {})).rejects.toMatchObject({
      name: 'DataFolderError',
      message: expect.stringContaining('in use by another site (another process)'),
    });
  } finally {
    await holder`select pg_advisory_unlock(4913007)`;
    holder.release();
    await sql.unsafe(`drop role ${role}`);
  }
});

test('What would never pass ends the start, and is not tried for good', async () => {
  await database.sql.unsafe(`
    create schema trap;
    create function trap.pg_try_advisory_lock(int) returns boolean language plpgsql as $$
    begin
      raise exception 'no locks here';
    end $$`);
  const url = new URL(database.url);
  url.searchParams.set('options', '-c search_path=trap,pg_catalog');
  await expect(ownExternalDatabase(url.href, () => {})).rejects.toThrow('no locks here');
});

const cut = () => database.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'owner %' and datname = current_database()`;
const locks = (isGranted: boolean) => database.sql`
  select pid from pg_locks where locktype = 'advisory' and granted = ${isGranted}
    and database = (select oid from pg_database where datname = current_database())`;
const patient = { timeout: 20_000 };

test('A process that lost the connection takes the database again; one that finds another there has to end', async () => {
  const lost: string[] = [];
  const release = await ownExternalDatabase(database.url, (why) => lost.push(why));
  const [before] = await locks(true);
  await cut();
  // A connection that was cut may hold its lock for a moment longer.
  await vi.waitFor(async () => {
    const after = await locks(true);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual([before]);
  }, patient);
  expect(lost).toEqual([]);

  const other = await database.sql.reserve();
  const taking = other`select pg_advisory_lock(4913007)`.execute();
  await vi.waitFor(async () => expect(await locks(false)).toHaveLength(1), patient);
  await cut();
  await taking;
  const inUse = [expect.stringContaining('is in use by another')];
  await vi.waitFor(() => expect(lost).toEqual(inUse), patient);
  await release();
  other.release();
});

test.each(['backup', 'restore'])('It needs a %s of its own server', async (word) => {
  const tried = command('/nowhere', [word, '/nowhere/site.tar.gz'], { DATABASE_URL: database.url });
  await expect(tried).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database is at DATABASE_URL, so its own server/),
  });
});
