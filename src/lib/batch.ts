/**
 * Sends the procedure calls of a page along with the one that loads its session. The calls are
 * collected by running the page's own data functions with a client that only notes them down;
 * later, `rpc` hands the page the answers. A call that wasn't collected is sent as usual.
 */
import type { Json } from './database.types.ts';
import type { Db } from './supabase.ts';

/** A call of a database procedure. */
export interface Call {
  name: string;
  args: Args;
}

type Args = Record<string, Json | undefined>;

/** What the database replaces with the person's current business. */
export const CURRENT_BUSINESS = 'current';

const collected = new WeakMap<Db, Call[]>();
const answers = new WeakMap<Db, Map<string, unknown>>();

/** Identifies a call. Here, an argument of null is the same as none: no business yet. */
const keyOf = ({ name, args }: Call): string =>
  JSON.stringify([
    name,
    Object.entries(args)
      .filter(([, value]) => value !== null && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);

/**
 * Runs data functions without sending anything, and returns the calls that they'd make. One that
 * fails before its call is left out: the page will run into the same error.
 */
export function collectCalls(db: Db, ask: () => Promise<unknown>[]): Call[] {
  const calls: Call[] = [];
  collected.set(db, calls);
  try {
    for (const asked of ask()) asked.catch(() => {});
  } catch {
    return [];
  } finally {
    collected.delete(db);
  }
  return calls;
}

/** Keeps the answers to calls, in their order, for `rpc` to return instead of asking again. */
export function keepAnswers(
  db: Db,
  calls: readonly Call[],
  given: readonly unknown[],
  businessId: string | null,
): void {
  const kept = calls.slice(0, given.length).map(({ name, args }, index) => {
    const isCurrent = args.p_business_id === CURRENT_BUSINESS;
    const asked = isCurrent ? { ...args, p_business_id: businessId } : args;
    return [keyOf({ name, args: asked }), given[index]] as const;
  });
  answers.set(db, new Map(kept));
}

/** Notes a call down while they're being collected. Returns whether they are. */
export function collect(db: Db, name: string, args: Args = {}): boolean {
  const calls = collected.get(db);
  calls?.push({ name, args });
  return calls !== undefined;
}

/** The answer that's kept for a call, if there is one; it's handed out once. */
export function takeAnswer(db: Db, name: string, args: Args = {}): { data: unknown } | undefined {
  const kept = answers.get(db);
  if (!kept) return undefined;
  const key = keyOf({ name, args });
  if (!kept.has(key)) return undefined;
  const data = kept.get(key);
  kept.delete(key);
  return { data };
}
