/**
 * Limits of one request to /rest/v1. PostgREST limits the rows of each level, so embedded tables
 * multiply them (sixteen levels: 174 MB). A request that's too large is rejected before it's
 * computed, or at least before its result is sent.
 */
import {
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  FromNode,
  type KyselyPlugin,
  RawNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  WhereNode,
  WithNode,
} from 'kysely';

/** Largest result: bytes of its rows as text. Ours are below 200 kB; procedures limit their own. */
const LARGEST_ANSWER = 2 * 1024 * 1024;
/** Statement timeout of requests that embed tables, in ms. */
export const EMBED_TIMEOUT = 2000;

const DEEPEST_EMBED = 4;
const MOST_EMBEDS = 12;
/** Most characters and parameters of a query string, and most levels of parentheses. */
const LONGEST_QUERY = 8000;
const MOST_PARAMETERS = 100;
const DEEPEST_PARENTHESES = 10;

const NESTED = /^select$|^columns$|(^|\.)(or|and)$/;

/**
 * Why a query string is rejected unparsed; null if it isn't. A procedure that writes has none: a
 * column that can't be cast would undo what it wrote, such as that it was called, and quote its
 * result in the error.
 */
export function queryRefusal({ method, url }: Request): string | null {
  const { pathname, search, searchParams } = new URL(url);
  const isCall = method === 'POST' && pathname.startsWith('/rest/v1/rpc/');
  if (isCall && [...searchParams.keys()].some((name) => name !== 'apikey')) {
    return 'A procedure that’s called with POST can’t have a query';
  }
  if (search.length > LONGEST_QUERY) {
    return `A query can have at most ${LONGEST_QUERY} characters`;
  }
  if (searchParams.size > MOST_PARAMETERS) {
    return `A query can have at most ${MOST_PARAMETERS} parameters`;
  }
  for (const [name, value] of searchParams) {
    if (NESTED.test(name) && parenthesesIn(value) > DEEPEST_PARENTHESES) {
      return `"${name}" can have at most ${DEEPEST_PARENTHESES} levels of parentheses`;
    }
  }
  return null;
}

function parenthesesIn(text: string): number {
  let [open, deepest] = [0, 0];
  for (const character of text.replace(/"(?:[^"\\]|\\.)*"/g, '')) {
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    deepest = Math.max(deepest, open);
  }
  return deepest;
}

export interface Embeds {
  count: number;
  depth: number;
}

/** @param select as parsed by lite: column names, and objects keyed by alias. */
export function embedsOf(select: unknown): Embeds {
  const found: Embeds = { count: 0, depth: 0 };
  if (!Array.isArray(select)) return found;
  for (const each of select.flatMap((item) => (isObject(item) ? Object.values(item) : []))) {
    // A column that's renamed or cast is an object too, but without these keys.
    if (!isObject(each) || !('select' in each || 'spread' in each || 'join' in each)) continue;
    const inner = embedsOf(each.select);
    found.count += 1 + inner.count;
    found.depth = Math.max(found.depth, 1 + inner.depth);
  }
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export function embedRefusal({ count, depth }: Embeds): string | null {
  if (depth > DEEPEST_EMBED) return `Tables can be embedded at most ${DEEPEST_EMBED} levels deep`;
  return count > MOST_EMBEDS ? `At most ${MOST_EMBEDS} tables can be embedded` : null;
}

/** The response to a request that's too large, in the format of PostgREST's parse errors. */
export function tooMuchResponse(message: string): Response {
  return Response.json({ code: 'PGRST100', details: null, hint: null, message }, { status: 400 });
}

/**
 * A Kysely plugin that makes the database reject a result that's too large (PT413): parsing it here
 * would block everyone else's requests.
 */
export const limitedAnswers: KyselyPlugin = {
  transformQuery({ node }) {
    if (!SelectQueryNode.is(node)) return node;
    const bytes = '(select sum(octet_length(answer::text)) from answer)';
    const name = CommonTableExpressionNameNode.create('answer');
    return {
      kind: 'SelectQueryNode',
      with: WithNode.create({
        ...CommonTableExpressionNode.create(name, node),
        materialized: true,
      }),
      selections: [SelectionNode.createSelectAll()],
      from: FromNode.create([TableNode.create('answer')]),
      where: WhereNode.create(RawNode.createWithSql(`gateway.fits(${bytes}, ${LARGEST_ANSWER})`)),
    };
  },
  transformResult: async ({ result }) => result,
};
