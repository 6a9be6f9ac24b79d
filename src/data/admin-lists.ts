/** Lists for admins: each is a procedure `admin_…` of the same form, which records who read it. */
import * as v from 'valibot';
import type { ListPage, Place } from '#domain/list.ts';
import type { Database, Json } from '#lib/database.types.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { placesAround } from './keyset.ts';

type Procedures = Database['public']['Functions'];
interface ListArgs {
  p_filter?: Json;
  p_place?: Json;
  p_limit?: number;
}
/** The procedures that take a filter, a place and a limit. */
type AdminList = {
  [Name in keyof Procedures]: Name extends `admin_${string}`
    ? ListArgs extends Procedures[Name]['Args']
      ? Name
      : never
    : never;
}[keyof Procedures];

/** Every row has its id and, for paging, its sort key. */
const placed = { id: v.string(), key: v.string() };

/** The schema of a row with these fields. */
export const listedRow = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object({ ...entries, ...placed });

/** Values to filter by that only the database knows, by the filter's name. */
const listChoices = v.record(
  v.string(),
  v.array(v.object({ value: v.string(), label: v.string() })),
);
export type ListChoices = v.InferOutput<typeof listChoices>;

type FilterValue = string | boolean | null | Place;

/**
 * A page of a list. What wasn't chosen is left out of the filter that the procedure gets.
 * @param row the schema of a row, made with `listedRow`
 * @param limit at most 500; by default 25; 0 only counts the rows, exactly
 * @throws AppError, `denied` for everyone but admins
 */
export async function readAdminList<
  Row extends { id: string; key: string },
  Filter extends { place: Place | null },
>(
  db: Db,
  name: AdminList,
  row: v.GenericSchema<unknown, Row>,
  { place, ...filter }: Filter,
  limit?: number,
): Promise<ListPage<Row> & { choices: ListChoices | null }> {
  const answer = v.object({
    rows: v.array(row),
    more: v.boolean(),
    count: v.nullable(v.object({ total: v.number(), at_least: v.boolean() })),
    choices: v.optional(v.nullable(listChoices)),
  });
  const chosen = Object.entries<FilterValue>(filter as Record<string, FilterValue>).filter(
    ([, value]) => value !== null && value !== '' && value !== false,
  );
  const {
    rows,
    more,
    count,
    choices = null,
  } = await rpc(db, name, answer, {
    p_filter: Object.fromEntries(chosen) as Json,
    ...(place ? { p_place: { ...place } } : {}),
    ...(limit === undefined ? {} : { p_limit: limit }),
  });
  return {
    rows,
    ...placesAround(rows, place, more),
    count: count && { total: count.total, atLeast: count.at_least },
    choices,
  };
}
