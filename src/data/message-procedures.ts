/** The one place that asks procedures of messages by name. */
import type { Db } from '#lib/supabase.ts';

interface Answer {
  data: unknown;
  error: unknown;
  status: number;
}

type Ask = (name: string, args: Record<string, unknown>) => PromiseLike<Answer>;

/** Asks a procedure of messages. */
export async function ask(db: Db, name: string, args: Record<string, unknown>): Promise<Answer> {
  return await (db.rpc.bind(db) as unknown as Ask)(name, args);
}
