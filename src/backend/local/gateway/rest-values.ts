import {
  ColumnNode,
  InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  PrimitiveValueListNode,
  type QueryExecutorProvider,
  TableNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import pg from 'pg';
import { query } from '#backend/supabase/functions/_shared/connection.ts';

type Read = (text: string) => unknown;

/** Parses PostgreSQL's text into the value that PostgREST returns in JSON, by type OID. */
const READERS: Record<number, Read> = {
  16: (text) => text === 't',
  17: pg.types.getTypeParser(pg.types.builtins.BYTEA),
  // A number if JSON can represent it exactly; lite writes a BigInt as text.
  20: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)),
  21: Number,
  23: Number,
  26: Number,
  114: (text) => JSON.parse(text),
  700: Number,
  701: Number,
  1114: isoTime,
  1184: isoTime,
  1700: (text) => (String(Number(text)) === text ? Number(text) : text),
  3802: (text) => JSON.parse(text),
};

const asText: Read = (text) => text;
const TEXT_ARRAY: number = 1009;
const readTexts = pg.types.getTypeParser(TEXT_ARRAY) as (text: string) => Texts;
type Texts = (string | null | Texts)[];

function readEach(texts: Texts, read: Read): unknown[] {
  return texts.map((each) =>
    each === null ? null : Array.isArray(each) ? readEach(each, read) : read(each),
  );
}

export interface RestValues {
  types: pg.CustomTypesConfig;
  /**
   * Serializes arrays and strings for JSON columns. The driver would write an array as a PostgreSQL
   * array, and a string as if it were JSON already.
   */
  plugin: KyselyPlugin;
  /** Looks up which types are arrays and which columns hold JSON. Repeat it after a migration. */
  learn(db: QueryExecutorProvider): Promise<void>;
}

/** Converts values between PostgreSQL and the JSON of the REST API. */
export function createRestValues(): RestValues {
  let arrays = new Map<number, Read>();
  let jsonColumns = new Set<string>();
  const readerOf = (oid: number): Read => READERS[oid] ?? arrays.get(oid) ?? asText;
  return {
    types: { getTypeParser: readerOf },
    plugin: {
      transformQuery: ({ node }) =>
        withJson(node, (table) => {
          const { schema, identifier } = table.table;
          const before = `${schema?.name ?? 'public'}.${identifier.name}.`;
          return (column) => jsonColumns.has(before + column);
        }) as typeof node,
      transformResult: async ({ result }) => result,
    },
    async learn(db) {
      const rows = await query<{ oid: number; typelem: number }>(db)`
        select oid, typelem from pg_type where typcategory = 'A' and typelem <> 0`;
      arrays = new Map(
        rows.map(({ oid, typelem }) => {
          const read = READERS[typelem] ?? asText;
          return [oid, (text: string) => readEach(readTexts(text), read)];
        }),
      );
      // Only `public`: for its own tables (Storage), lite already serializes JSON.
      const columns = await query<{ name: string }>(db)`
        select concat_ws('.', table_schema, table_name, column_name) as name
        from information_schema.columns
        where data_type in ('json', 'jsonb') and table_schema = 'public'`;
      jsonColumns = new Set(columns.map(({ name }) => name));
    },
  };
}

type IsJson = (column: string) => boolean;

function withJson(node: OperationNode, isJsonOf: (table: TableNode) => IsJson): OperationNode {
  if (InsertQueryNode.is(node) && node.into && node.values && ValuesNode.is(node.values)) {
    const isJson = isJsonOf(node.into);
    const columns = (node.columns ?? []).map(({ column }) => isJson(column.name));
    if (!columns.includes(true)) return node;
    const rows = node.values.values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? PrimitiveValueListNode.create(row.values.map((each, n) => written(each, columns[n])))
        : ValueListNode.create(row.values.map((each, n) => writtenNode(each, columns[n]))),
    );
    return { ...node, values: ValuesNode.create(rows) } as OperationNode;
  }
  if (UpdateQueryNode.is(node) && node.table && TableNode.is(node.table)) {
    const isJson = isJsonOf(node.table);
    const updates = node.updates?.map((update) => ({
      ...update,
      value: writtenNode(
        update.value,
        ColumnNode.is(update.column) && isJson(update.column.column.name),
      ),
    }));
    return { ...node, ...(updates && { updates }) } as OperationNode;
  }
  return node;
}

function written(value: unknown, isJson = false): unknown {
  return isJson && (Array.isArray(value) || typeof value === 'string')
    ? JSON.stringify(value)
    : value;
}

function writtenNode(node: OperationNode, isJson = false): OperationNode {
  return ValueNode.is(node) ? ValueNode.create(written(node.value, isJson)) : node;
}

/** `2026-11-20 13:45:26.089+00` → `2026-11-20T13:45:26.089+00:00`, as PostgREST writes it. */
function isoTime(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
}
