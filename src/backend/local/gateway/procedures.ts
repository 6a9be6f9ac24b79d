/**
 * Calls of procedures as supabase-js sends them (a POST with JSON, without a query), in one message
 * to the database. lite takes four round trips and as long again for everything else it could be
 * asked. All other requests, and those that it explains better, are left to lite.
 */
import pg from 'pg';
import * as v from 'valibot';
import type { Pool } from '#backend/supabase/functions/_shared/connection.ts';
import type { Caller } from './lite.ts';
import { answerToError } from './rest-errors.ts';
import { openingOf, passedOn } from './rest-transactions.ts';
import { TextResponse } from './text-response.ts';

interface Procedure {
  /** The types of its arguments by name, and which of them have no default. */
  types: Map<string, string>;
  required: string[];
  isVoid: boolean;
}

/** A request to the REST interface. */
interface RestRequest {
  request: Request;
  /** The path after `/rest/v1`. */
  path: string;
  /** The body; undefined if it hasn't been read. */
  text: string | undefined;
  caller: Caller;
  /** The client's, for procedures that limit requests by it. */
  address: string | undefined;
  /** Whether the disk is full, so that writes are rejected. */
  readOnly: boolean;
  /** Whether a page that this server is rendering asks, which only reads the response's text. */
  isFromPage: boolean;
}

/** Procedures that return one value, whose text in JSON is PostgreSQL's own. */
const LEARN = `
  select p.proname as name, p.pronargdefaults as defaults, p.prorettype::regtype::text as returns,
    to_jsonb(coalesce(p.proargnames, '{}')) as names,
    to_jsonb(array(
      select t.type::regtype::text from unnest(p.proargtypes) with ordinality as t (type, place)
      order by t.place
    )) as types
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not p.proretset
    and p.proargmodes is null and p.prorettype::regtype::text in ('json', 'jsonb', 'void', 'boolean')
    -- These are overloaded, or decide on the response themselves.
    and (select count(*) from pg_proc o where o.pronamespace = p.pronamespace and o.proname = p.proname) = 1
    and p.prosrc !~ 'response\\.(status|headers)'`;

/**
 * Whether the server's log leaves out the text of statements, which contains what people send. With
 * `log_min_error_statement` at its default, each call that's refused would be logged with it.
 */
const LOG = `
  select current_setting('log_min_error_statement') in ('log', 'fatal', 'panic')
    and current_setting('log_statement') in ('none', 'ddl')
    and current_setting('log_min_duration_statement') = '-1' as hides_values`;

const logged = v.object({ rows: v.tuple([v.object({ hides_values: v.boolean() })]) });

const learned = v.array(
  v.object({
    name: v.string(),
    defaults: v.number(),
    returns: v.string(),
    names: v.array(v.string()),
    types: v.array(v.string()),
  }),
);

const answered = v.looseTuple([
  v.unknown(),
  v.unknown(),
  v.object({ rows: v.tuple([v.object({ answer: v.nullable(v.string()) })]) }),
]);

export function createProcedures(pool: Pool, log: (line: string) => void) {
  let known = new Map<string, Procedure>();

  async function ask(text: string): Promise<unknown> {
    const client = await pool.connect();
    let broken = false;
    try {
      return await client.query(text);
    } catch (error) {
      // An error of the database leaves the transaction open; any other, the connection unusable.
      const rolledBack = error instanceof pg.DatabaseError && client.query('rollback');
      broken = !(await Promise.resolve(rolledBack).catch(() => false));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    /**
     * Looks up which procedures there are. Repeat it after a migration. If the database would log
     * what people send, lite makes all calls: it sends values apart from the statement.
     */
    async learn(): Promise<void> {
      const [{ hides_values: hidesValues }] = v.parse(logged, await ask(LOG)).rows;
      if (!hidesValues) {
        known = new Map();
        return;
      }
      const { rows } = v.parse(v.object({ rows: learned }), await ask(LEARN));
      known = new Map(
        rows.map(({ name, defaults, returns, names, types }) => [
          name,
          {
            types: new Map(names.map((arg, index) => [arg, types[index] ?? 'text'])),
            required: names.slice(0, names.length - defaults),
            isVoid: returns === 'void',
          },
        ]),
      );
    },

    /**
     * Calls a procedure; undefined if lite should answer.
     * @throws the driver's error when the database is unreachable
     */
    async call(asked: RestRequest): Promise<Response | undefined> {
      const name = procedureOf(asked);
      const procedure = known.get(name);
      const args = procedure && argumentsOf(asked.text ?? '', procedure);
      if (!args) return undefined;
      try {
        const text = statements(asked, name, procedure, args);
        const [, , { rows }] = v.parse(answered, await ask(text));
        if (procedure.isVoid) return new Response(null, { status: 204 });
        const Answer = asked.isFromPage ? TextResponse : Response;
        return new Answer(rows[0].answer ?? 'null', {
          headers: { 'content-type': 'application/json; charset=utf-8' },
        });
      } catch (error) {
        return answerToError(error, { role: asked.caller.role, readOnly: asked.readOnly }, log);
      }
    },
  };
}

/** Half a character, which PostgreSQL refuses and lite replaces. */
const HALF_CHARACTER = /\\u[dD][89a-fA-F]/;
const ANY_JSON = /^(\*\/\*|application\/json)$/;

/** The name of the procedure that a request calls, and does nothing else; otherwise empty. */
function procedureOf({ path, request, text }: RestRequest): string {
  const [, name = ''] = /^\/rpc\/([a-z_0-9]+)$/.exec(path) ?? [];
  if (name === '' || text === undefined || request.method !== 'POST') return '';
  const { headers } = request;
  const isPlain =
    !request.url.includes('?') &&
    headers.get('prefer') === null &&
    ANY_JSON.test(headers.get('accept') ?? '*/*') &&
    /^application\/json(;|$)/.test(headers.get('content-type') ?? '') &&
    (headers.get('content-profile') ?? 'public') === 'public' &&
    !HALF_CHARACTER.test(text);
  return isPlain ? name : '';
}

/** The names of the arguments in a body; null if it doesn't fit the procedure. */
function argumentsOf(body: string, { types, required }: Procedure): string[] | null {
  if (body === '') return required.length === 0 ? [] : null;
  try {
    const given: unknown = JSON.parse(body);
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
    const names = Object.keys(given);
    const fits = names.every((name) => types.has(name));
    return fits && required.every((name) => name in given) ? names : null;
  } catch {
    return null;
  }
}

/** The whole transaction, with the answer as its third result. */
function statements(
  { text = '', request, caller, address, readOnly }: RestRequest,
  name: string,
  { types, isVoid }: Procedure,
  args: string[],
): string {
  const quoted = args.map((each) => pg.escapeIdentifier(each));
  const columns = args.map((each, index) => `${quoted[index]} ${types.get(each)}`);
  const values = quoted.map((each) => `${each} => a.${each}`);
  const from =
    args.length === 0
      ? ''
      : ` from json_to_record(${pg.escapeLiteral(text)}) as a (${columns.join(', ')})`;
  const call = `public.${pg.escapeIdentifier(name)}(${values.join(', ')})${isVoid ? '' : '::text'}`;
  const requestHeaders = passedOn(request.headers, address);
  const procedure = { method: 'POST', path: `/rpc/${name}`, readOnly, requestHeaders };
  const opening = openingOf(caller, { readOnly, timeout: undefined, procedure });
  return `${opening}; select ${call} as answer${from}; commit`;
}
