import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, isDatabaseAway } from '#backend/supabase/functions/_shared/connection.ts';
import { DataFolderError } from './data-folder.ts';
import { listen } from './listen.ts';

/** Arbitrary number of the advisory lock whose holder owns the database. */
const OWNER_LOCK = 4_913_007;

/** Roles that requests run as; a superuser may have created them already. */
const ROLES = ['anon', 'authenticated', 'service_role'];

/** How many times startup tries the lock, every 250 ms: a killed process may still be exiting. */
const TRIES = 20;

/** The host and name of a database, without user and password. */
function placeOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new DataFolderError(
      'DATABASE_URL must be an address such as postgresql://user:password@127.0.0.1:5432/database.',
    );
  }
  return `${url.host || 'this machine'}${url.pathname}`;
}

/** @throws {DataFolderError} with a sentence for each requirement the database doesn't meet. */
export async function checkExternalDatabase(databaseUrl: string): Promise<void> {
  const place = placeOf(databaseUrl);
  // Not a pool, which would keep waiting for a connection that neither opens nor fails.
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Abilities>(
      `select current_setting('server_version_num')::int as version, current_user as role,
        current_database() as database, current_setting('server_encoding') as encoding,
        r.rolsuper as is_superuser, r.rolcreaterole as creates_roles, r.rolbypassrls as bypasses,
        pg_has_role(d.datdba, 'member') as owns_database, pg_is_in_recovery() as is_copy,
        exists (select from pg_available_extensions where name = 'pgcrypto') as has_pgcrypto,
        (
          select count(*) = cardinality($1::text[]) from pg_roles where rolname = any($1::text[])
        ) as has_roles,
        not exists (
          select from pg_roles where rolname = any($1::text[]) and not pg_has_role(oid, 'member')
            and not pg_has_role(oid, 'member with admin option')
        ) as becomes_roles
      from pg_roles r, pg_database d
      where r.rolname = current_user and d.datname = current_database()`,
      [ROLES],
    );
    const [found] = rows;
    const missing = found ? missingIn(found) : [];
    if (missing.length > 0) {
      throw new DataFolderError([`The database at ${place} can't be used.`, ...missing].join('\n'));
    }
  } catch (error) {
    throw error instanceof DataFolderError ? error : unreachable(error, place);
  } finally {
    client.giveUp();
  }
}

interface Abilities {
  version: number;
  role: string;
  database: string;
  encoding: string;
  is_superuser: boolean;
  creates_roles: boolean;
  bypasses: boolean;
  owns_database: boolean;
  is_copy: boolean;
  has_pgcrypto: boolean;
  has_roles: boolean;
  becomes_roles: boolean;
}

function missingIn(found: Abilities): string[] {
  const { version, role, database, encoding, has_roles: hasRoles } = found;
  const { creates_roles: creates, bypasses } = found;
  const anyone: [isMissing: boolean, sentence: string][] = [
    [
      version < 150_000,
      `It runs PostgreSQL ${Math.floor(version / 10_000)}; the site needs 15 or newer.`,
    ],
    [found.is_copy, 'It is a read-only copy of another server. Use that one.'],
    [encoding !== 'UTF8', `Its encoding is ${encoding}; the site needs encoding UTF8.`],
    [!found.has_pgcrypto, 'Its server is missing the extension pgcrypto. Install it there.'],
  ];
  const ordinary: typeof anyone = [
    [
      !found.owns_database,
      `The role ${role} doesn't own the database. As a superuser, run: ` +
        `alter database "${database}" owner to "${role}";`,
    ],
    [
      hasRoles && !found.becomes_roles,
      `The role ${role} can't switch to the roles that requests run as. As a superuser, run: ` +
        `grant ${ROLES.join(', ')} to "${role}";`,
    ],
    [
      !hasRoles && !creates,
      `The role ${role} can't create roles. As a superuser, run: alter role "${role}" createrole;`,
    ],
    [
      !hasRoles && !bypasses,
      `The role ${role} can't bypass row-level security, so it can't let service_role do so. ` +
        `As a superuser, run: alter role "${role}" bypassrls;`,
    ],
    [
      !hasRoles && creates && bypasses && version < 160_000,
      'Before PostgreSQL 16, only a superuser can create the role service_role. As one, run: ' +
        `create role service_role nologin noinherit bypassrls; grant service_role to "${role}";`,
    ],
  ];
  const checked = found.is_superuser ? anyone : [...anyone, ...ordinary];
  return checked.flatMap(([isMissing, sentence]) => (isMissing ? [sentence] : []));
}

function unreachable(error: unknown, place: string): DataFolderError {
  const { code = '', message } = error as Error & { code?: string };
  if (['28P01', '28000'].includes(code) || /client password must be/.test(message)) {
    return new DataFolderError(`${place} refuses the user or the password in DATABASE_URL.`);
  }
  if (code === '3D000') return new DataFolderError(`There is no such database: ${place}.`);
  return new DataFolderError(
    `The database at DATABASE_URL (${place}) can't be reached: ${message || code}. Start it, or ` +
      'correct DATABASE_URL.',
  );
}

/**
 * Makes this process the owner of the database through a lock that ends with its session. If the
 * session is lost, it's reopened.
 * @param lost called once, with the reason, if another process takes over the database; this one
 * then has to exit.
 * @returns a function that releases the database.
 * @throws {DataFolderError} if another process owns it.
 */
export async function ownExternalDatabase(
  databaseUrl: string,
  lost: (why: string) => void,
): Promise<() => Promise<void>> {
  const place = placeOf(databaseUrl);
  const name = `owner ${process.pid}@${hostname().slice(0, 24)} ${randomUUID().slice(0, 8)}`;
  const holding = new WeakSet<Client>();
  const first = Promise.withResolvers<void>();
  let isFirst = true;
  /** Whether another process has taken the database, or this one has released it. */
  let isOver = false;

  async function check(client: Client): Promise<void> {
    if (holding.has(client)) return void (await client.query('select 1'));
    // If this machine stops responding, the server releases the lock after half a minute.
    await client.query(
      'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4',
    );
    for (let turn = 1; !(await hasLock(client)); turn += 1) {
      const other = await findHolder(client);
      if (isOver) return;
      if (other?.name === name) await client.query('select pg_terminate_backend($1)', [other.pid]);
      else if ((other && !isFirst) || turn >= TRIES) return refuse(other);
      await wait(250);
    }
    holding.add(client);
    isFirst = false;
    first.resolve();
  }

  function refuse(other: Holder | undefined): void {
    const why = inUse(place, other);
    if (isFirst) first.reject(new DataFolderError(why));
    else lost(why);
    isOver = true;
  }

  const listener = await listen(databaseUrl, {
    name,
    channel: 'owner',
    check: async (client) => {
      if (isOver) return;
      await check(client).catch((error) => {
        // Otherwise a permanent problem would keep the start waiting forever.
        if (!isDatabaseAway(error)) first.reject(error);
        throw error;
      });
    },
  }).catch((error) => {
    throw unreachable(error, place);
  });
  const release = () => {
    isOver = true;
    return listener.close();
  };
  await first.promise.catch((error) => release().finally(() => Promise.reject(error)));
  return release;
}

function inUse(place: string, other: Holder | undefined): string {
  const since = other?.since && `, since ${other.since.toISOString()}`;
  const who = `${other?.name?.replace(/^owner /, 'process ') || 'another process'}${since ?? ''}`;
  return (
    `The database at ${place} is in use by another site (${who}). Stop that one first, or set ` +
    'DATABASE_URL to another database.'
  );
}

async function hasLock(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${OWNER_LOCK}) as ok`);
  return rows[0]?.ok === true;
}

interface Holder {
  pid: number;
  /** Null if this role isn't allowed to see another role's sessions. */
  name: string | null;
  since: Date | null;
}

async function findHolder(client: Client): Promise<Holder | undefined> {
  const { rows } = await client.query<Holder>(`
    select a.pid, a.application_name as name, a.backend_start as since
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = ${OWNER_LOCK}
      and l.database = (select oid from pg_database where datname = current_database())`);
  return rows[0];
}
