/** What a kind of write says of itself. Each has one small file in `kinds/`. */
import * as v from 'valibot';
import { db } from '#lib/db.ts';
import { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { Entry, EntryText } from './queue-storage.ts';

interface KindBase<Value> {
  /** How entries are marked in the browser's storage; a name is never used for another kind. */
  name: string;
  /** What an entry holds: what a browser stored is checked against it before it's shown or sent. */
  schema: v.GenericSchema<unknown, Value>;
  /** Milliseconds before what is still being typed is sent. */
  rest?: number;
  /** Whether an entry goes only after another one has arrived; where that is refused, not at all. */
  isAfter?(mine: Entry, other: Entry): boolean;
  /** What a person reads where there is no connection: `A task: “Measure the door”`. */
  summarize(value: Value): string;
  /** Of several that are described alike, behind their number: `quiz answers`. */
  plural?: string;
}

/**
 * How entries are sent, oldest first: one by one, or as many as `batch` at once. What is sent twice
 * counts once. Throws an AppError: `denied`, `invalid`, `not-found` and `conflict` are refusals, and
 * their message is what the person reads.
 */
type KindSpec<Value, Answer> = KindBase<Value> &
  (
    | { send(value: Value, key: string): Promise<Answer> }
    | { batch: number; sendAll(values: Value[]): Promise<Answer> }
  );

export interface Kind<Value, Answer> extends Pick<KindBase<Value>, 'name' | 'rest' | 'isAfter'> {
  batch?: number;
  /** What a browser stored, or null where that isn't what this kind holds. */
  parse(value: unknown): Value | null;
  send(entries: Pick<Entry, 'key' | 'value'>[]): Promise<Answer>;
  /** What a person reads of a value, in the form in which it is stored beside it. */
  textOf(value: unknown): EntryText;
}

export type AnyKind = Kind<unknown, unknown>;

export function defineKind<Value, Answer>(spec: KindSpec<Value, Answer>): Kind<Value, Answer> {
  const { schema, summarize, plural, ...rest } = spec;
  const parse = (stored: unknown) => {
    const read = v.safeParse(schema, stored);
    return read.success ? read.output : null;
  };
  return {
    ...rest,
    parse,
    send(entries) {
      if ('sendAll' in spec) {
        return spec.sendAll(entries.flatMap(({ value }) => parse(value) ?? []));
      }
      const [entry] = entries;
      return spec.send(v.parse(schema, entry?.value), entry?.key ?? '');
    },
    textOf(stored) {
      const value = parse(stored);
      return value === null ? {} : { text: summarize(value), ...(plural ? { plural } : {}) };
    },
  };
}

/**
 * Sends by a module of `data/`, which is loaded when something is sent and not before.
 * Throws what `send` throws, and an AppError of kind `network` when the module cannot be loaded.
 */
export async function sendWith<Data, Answer>(
  load: () => Promise<Data>,
  send: (data: Data, client: Db) => Promise<Answer>,
): Promise<Answer> {
  const loading = load().catch((cause) => {
    throw new AppError('network', undefined, { cause });
  });
  const [data, client] = await Promise.all([loading, db()]);
  return send(data, client);
}

/** The first words of a text behind what it is: `A message: “See you at nine”`. */
export function quoted(what: string, text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  if (line === '') return what;
  return `${what}: “${line.length > 80 ? `${line.slice(0, 79).trim()}…` : line}”`;
}
