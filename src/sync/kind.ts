/** Defines the kinds of writes. Each has a small file in `kinds/`. */
import * as v from 'valibot';
import { loadModule } from '#lib/browser/load-module.ts';
import { db } from '#lib/db.ts';
import type { BrowserDb } from '#lib/supabase.ts';
import type { Entry, EntryText } from './queue-storage.ts';

interface KindBase<Value> {
  /** How entries are labeled in the browser's storage. Never reuse a name for another kind. */
  name: string;
  /** The schema of a value, which checks what storage returns before it's shown or sent. */
  schema: v.GenericSchema<unknown, Value>;
  /** Milliseconds to wait after the last change, in case the person is still typing. */
  rest?: number;
  /** Whether an entry must wait for another to be sent; if that's refused, it's never sent. */
  isAfter?(mine: Entry, other: Entry): boolean;
  /** Describes an entry on the offline page: `A task: “Measure the door”`. */
  summarize(value: Value): string;
  /** The noun after the number of entries with the same description: `quiz answers`. */
  plural?: string;
}

/**
 * Sends entries, oldest first: one at a time, or up to `batch` at once. It must be idempotent.
 * Throws an AppError: `denied`, `invalid`, `not-found` and `conflict` are refusals, and the person
 * sees their message.
 */
type KindSpec<Value, Answer> = KindBase<Value> &
  (
    | { send(value: Value, key: string): Promise<Answer> }
    | { batch: number; sendAll(values: Value[]): Promise<Answer> }
  );

export interface Kind<Value, Answer> extends Pick<KindBase<Value>, 'name' | 'rest' | 'isAfter'> {
  batch?: number;
  /** Parses a value from storage; null if it doesn't match this kind's schema. */
  parse(value: unknown): Value | null;
  send(entries: Pick<Entry, 'key' | 'value'>[]): Promise<Answer>;
  /** Describes a value, in the form that's stored with its entry. */
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
 * Sends through a module of `data/` that's loaded only when there's something to send. Throws what
 * `send` throws, and an AppError of kind `network` if the module can't be loaded.
 */
export async function sendWith<Data, Answer>(
  load: () => Promise<Data>,
  send: (data: Data, client: BrowserDb) => Promise<Answer>,
): Promise<Answer> {
  const [data, client] = await Promise.all([loadModule(load), db()]);
  return send(data, client);
}

/** A text as a one-line field of the database stores it. */
export const oneLine = (words: string): string => words.replace(/\s+/g, ' ').trim();

/** A label with the start of a text: `A message: “See you at nine”`. */
export function quoted(what: string, text: string): string {
  const line = oneLine(text);
  if (line === '') return what;
  return `${what}: “${line.length > 80 ? `${line.slice(0, 79).trim()}…` : line}”`;
}
