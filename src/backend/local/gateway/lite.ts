import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely } from 'kysely';
import {
  createPool,
  isDatabaseAway,
  isOutOfSpace,
  type Pool,
} from '#backend/supabase/functions/_shared/connection.ts';
import type { Keys } from '../keys.ts';
import type { StorageFolder } from '../storage/folder.ts';
import { unavailableResponse } from './errors.ts';
import { loadLite } from './lite-package.ts';
import { createProcedures } from './procedures.ts';
import { answerToError, isLeftToLite } from './rest-errors.ts';
import {
  EMBED_TIMEOUT,
  embedRefusal,
  embedsOf,
  limitedAnswers,
  queryRefusal,
  tooMuchResponse,
} from './rest-limits.ts';
import { openingOf, passedOn, RestDialect } from './rest-transactions.ts';
import { createRestValues } from './rest-values.ts';

/** A verified caller: the role and the claims that the database will see. */
export interface Caller {
  role: 'anon' | 'authenticated' | 'service_role';
  /** The user's ID; undefined if the request has only a key. */
  sub?: string;
  [claim: string]: unknown;
}

export type Lite = Awaited<ReturnType<typeof createLite>>;

/** Statement timeout of a request, in ms; Supabase's is 8 s too, for signed-in users. */
export const STATEMENT_TIMEOUT = 8000;

/** lite's own key check requires some key, but the gateway has already identified the caller. */
const INTERNAL_KEY = 'decided-by-the-gateway';

/**
 * Starts lite's REST and Storage over a database, configured and patched for the gateway:
 * - the gateway passes callers through lite's key resolver, without a token or a query;
 * - queries use a pool of ours, because lite's own driver ends the process when a connection dies;
 * - database errors reach the client with code, message, hint and details;
 * - lite must not grant anything: on its first request it would give `anon` and `authenticated` all
 *   privileges on every table with row-level security, including those in `auth` and `private`.
 */
export async function createLite(options: LiteOptions) {
  const { App, setExperimental } = await loadLite();
  const losses = new AsyncLocalStorage<Losses>();
  const asked = new AsyncLocalStorage<RestQuestion>();
  const { connection, procedures, learn } = await openConnection(options, losses, asked);

  const callers = new WeakMap<Request, Caller>();
  const app = new App({ connection, ...configOf(options, callers) });
  app._storageAdapter = noticingUploads(options.storage, losses);
  // lite warns about every experimental feature that's on when it starts, so turn on Storage later.
  setExperimental('storage', false);
  await app.init();
  // Otherwise each of the first requests reads the whole catalog, and many at once all time out.
  await connection.introspect();
  setExperimental('storage', true);

  // lite turns every error into a response. These are rethrown, so the gateway can respond itself.
  async function answered(answer: () => Promise<Response> | Response): Promise<Response> {
    const lost: Losses = {};
    const response = await losses.run(lost, answer);
    if (lost.error && !response.ok) throw lost.error;
    return response;
  }

  return {
    ...procedures,
    /**
     * Passes a request for /rest/v1 or /storage/v1 to lite on behalf of a caller.
     * @param address the client's, for procedures that limit requests by it.
     * @param readOnly whether the disk is full, so that writes are rejected.
     * @throws the driver's error when the database is unreachable, and the error for a full disk.
     */
    async fetch(request: Request, caller: Caller | null, address?: string, readOnly = false) {
      const inner = innerRequest(request, caller, address);
      if (caller) callers.set(inner, caller);
      const url = new URL(request.url);
      if (!caller || !url.pathname.startsWith('/rest/')) return answered(() => app.fetch(inner));
      const tooMuch = queryRefusal(request);
      if (tooMuch) return tooMuchResponse(tooMuch);
      const isProcedure = url.pathname.startsWith('/rest/v1/rpc/');
      const question: RestQuestion = {
        caller,
        isProcedure,
        readOnly,
        embeds: 0,
        refusal: null,
        opening: undefined,
      };
      return answered(() => asked.run(question, () => app.fetch(inner)));
    },
    /** Clears the schema that lite has cached; call it after a migration. */
    async schemaChanged() {
      await connection.clearSchemaCache();
      await learn();
    },
    async close() {
      await Promise.all([connection.kysely.destroy(), connection.close()]);
    },
  };
}

interface LiteOptions {
  databaseUrl: string;
  keys: Keys;
  siteUrl: string;
  storage: StorageFolder;
  log: (line: string) => void;
}

/** Opens lite's connection on a pool of ours, with limits on REST requests. */
async function openConnection(
  { databaseUrl, log }: LiteOptions,
  losses: AsyncLocalStorage<Losses>,
  asked: AsyncLocalStorage<RestQuestion>,
) {
  const { createPostgresConnection } = await loadLite();
  const { types, plugin, learn } = createRestValues();
  // lite's own driver doesn't connect before its first query, and it never gets one.
  const connection = createPostgresConnection({ url: databaseUrl });
  const pool = createPool(databaseUrl, {
    max: 10,
    name: 'trellis-rest',
    statementTimeout: STATEMENT_TIMEOUT,
    types,
  });
  connection.kysely = new Kysely({
    dialect: new RestDialect({ pool: noticing(pool, losses) }, () => asked.getStore()?.opening),
    plugins: [plugin],
    log: (event) => {
      if (event.level === 'error') notice(event.error, losses);
    },
  });
  const procedures = createProcedures(pool, log);
  const learnAll = () => Promise.all([learn(connection.kysely), procedures.learn()]);
  await learnAll();
  limitConnection(connection, asked, log);
  return { connection, procedures, learn: learnAll };
}

function configOf({ keys, siteUrl }: LiteOptions, callers: WeakMap<Request, Caller>) {
  const resolver = async (_key: string, context: { req: { raw: Request } }) => {
    const caller = callers.get(context.req.raw);
    return caller ? { type: 'publishable' as const, claims: { ...caller } } : null;
  };
  return {
    api: { enabled: true, schemas: ['public'], extra_search_path: ['public', 'extensions'] },
    auth: {
      enabled: true,
      site_url: siteUrl,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
    },
    storage: { enabled: true, file_size_limit: '50MiB' },
    studio: { enabled: false },
    options: { server: { admin: false, disableStudio: true, apiKeys: { resolver } } },
  };
}

/** Wraps the storage adapter, so that errors of uploads reach the gateway. */
function noticingUploads(storage: StorageFolder, losses: AsyncLocalStorage<Losses>): StorageFolder {
  const uploadObject: StorageFolder['uploadObject'] = async (...file) => {
    try {
      return await storage.uploadObject(...file);
    } catch (error) {
      notice(error, losses);
      throw error;
    }
  };
  return { ...storage, uploadObject };
}

function innerRequest(request: Request, caller: Caller | null, address?: string): Request {
  const headers = new Headers(passedOn(request.headers, address));
  if (caller) headers.set('apikey', INTERNAL_KEY);
  return new Request(request.url, {
    method: request.method,
    headers,
    body: request.body,
    signal: request.signal,
    ...(request.body ? { duplex: 'half' } : {}),
  });
}

/** The error of a request that lost its connection, couldn't get one, or filled up the disk. */
interface Losses {
  error?: unknown;
}

function notice(error: unknown, losses: AsyncLocalStorage<Losses>): void {
  const lost = losses.getStore();
  if (lost && (isDatabaseAway(error) || isOutOfSpace(error))) lost.error ??= error;
}

function noticing(pool: Pool, losses: AsyncLocalStorage<Losses>): Pool {
  return {
    end: () => pool.end(),
    async connect() {
      try {
        return await pool.connect();
      } catch (error) {
        notice(error, losses);
        throw error;
      }
    },
  };
}

interface RestQuestion {
  caller: Caller;
  isProcedure: boolean;
  readOnly: boolean;
  /** How many tables the request embeds, and why it's rejected; set once lite has parsed it. */
  embeds: number;
  refusal: string | null;
  /** The statements that open the transaction; set once lite is about to. */
  opening: string | undefined;
}

type LiteConnection = ReturnType<Awaited<ReturnType<typeof loadLite>>['createPostgresConnection']>;
type WithContext = LiteConnection['withContext'];

/** Limits what REST requests can query, and formats database errors as PostgREST does. */
function limitConnection(
  connection: LiteConnection,
  asked: AsyncLocalStorage<RestQuestion>,
  log: (line: string) => void,
): void {
  const onPostgrestAST = connection.onPostgrestAST.bind(connection);
  const withContext: WithContext = connection.withContext.bind(connection);
  Object.assign(connection, {
    rlsState: 'active',
    async onPostgrestAST(ast: Parameters<typeof onPostgrestAST>[0]) {
      const question = asked.getStore();
      if (question) {
        const embeds = embedsOf('select' in ast ? ast.select : undefined);
        question.embeds = embeds.count;
        question.refusal = embedRefusal(embeds);
      }
      return onPostgrestAST(ast);
    },
    // lite sends a Response returned here to the client, after rolling back a failed transaction.
    async withContext(...[vars, work, options]: Parameters<WithContext>) {
      const question = asked.getStore();
      if (!question) return withContext(vars, work, options);
      if (question.refusal) return tooMuchResponse(question.refusal);
      question.opening = openingOf(question.caller, {
        readOnly: question.readOnly,
        timeout: question.embeds > 0 ? EMBED_TIMEOUT : undefined,
        procedure: options?.rpc,
      });
      // A procedure limits its own result, unless the request embeds tables in it.
      const isUnlimited = question.isProcedure && question.embeds === 0;
      try {
        return await connection.kysely
          .transaction()
          .execute((db) => work(isUnlimited ? db : db.withPlugin(limitedAnswers)));
      } catch (error) {
        // The gateway replaces this response. Throwing would make lite log it on every request.
        if (isDatabaseAway(error)) return unavailableResponse('rest');
        if (isLeftToLite(error)) throw error;
        return answerToError(error, { ...question, role: question.caller.role }, log);
      }
    },
  });
}
