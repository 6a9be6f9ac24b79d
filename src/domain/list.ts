/** Lists that the database filters, sorts and pages: a page of one, and its filters in the address. */

/** A page of a list, and the places from which the pages around it are read; null where there is none. */
export interface ListPage<Row> {
  rows: readonly Row[];
  previous: Place | null;
  next: Place | null;
  /** How many rows fit on all pages; `atLeast` where the database stopped counting. */
  count: { total: number; atLeast: boolean } | null;
}

/** A place in a list: the row that the page comes right after, or right before. */
export interface Place {
  way: 'after' | 'before';
  /** What the list is sorted by, as the database wrote it for that row. */
  key: string;
  /** Tells rows apart that are sorted by the same. */
  id: string;
}

// Filters in the address -------------------------------------------------------------------------
//
// Reading never fails: what means nothing counts as not chosen. What is not chosen is not written, so
// the plain address of a list is the list without filters.

/** One filter: its name in the address, what it is when nothing is chosen, and how it is read. */
export interface Param<Value> {
  readonly name: string;
  readonly none: Value;
  /** What the text of an address means; `none` where it means nothing. */
  read(text: string): Value;
  write(value: Value): string;
}

const param = <Value>(
  name: string,
  none: Value,
  read: (text: string) => Value,
  write: (value: Value) => string = (value) => String(value ?? ''),
): Param<Value> => ({ name, none, read, write });

/** Words to search for, without spaces around them. */
export const textParam = (name: string, longest = 100) =>
  param(
    name,
    '',
    (text) => text.slice(0, longest).trim(),
    (words) => words.trim(),
  );

/** One of several values; `none` is the one that is meant when nothing is chosen. */
export const choiceParam = <const Value extends string, const None extends Value | null>(
  name: string,
  values: readonly Value[],
  none: None,
) => param<Value | None>(name, none, (text) => values.find((each) => each === text) ?? none);

/** A key such as `web-design`, whose existence only the database knows. */
export const keyParam = (name: string) =>
  param<string | null>(name, null, (text) =>
    text.length <= 100 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) ? text : null,
  );

/** Something that is so or not: `1`, or left out. */
export const flagParam = (name: string) =>
  param<boolean>(
    name,
    false,
    (text) => text === '1',
    (is) => (is ? '1' : ''),
  );

/** The number of a page, from 1. */
export const pageParam = (name = 'page') =>
  param(name, 1, (text) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1));

/** Where the page of a list starts or ends: `after.<id>.<key>`. Null is the first page. */
export const placeParam = (name = 'page') =>
  param<Place | null>(
    name,
    null,
    (text) => {
      const [, way, id = '', key = ''] =
        /^(after|before)\.([\w-]{1,64})\.(.{0,300})$/su.exec(text) ?? [];
      return way === 'after' || way === 'before' ? { way, key, id } : null;
    },
    (place) => (place ? `${place.way}.${place.id}.${place.key}` : ''),
  );

export interface FilterCodec<Filter> {
  /** Reads the filters of an address. */
  read(params: URLSearchParams): Filter;
  /** Writes them: `?status=all&sort=due`, or '' when nothing was chosen. */
  write(filter: Filter): string;
}

/** What a codec reads. */
export type FilterOf<Codec> = Codec extends FilterCodec<infer Filter> ? Filter : never;

/** Makes the codec of one list. The order of the parameters is their order in the address. */
export function filterCodec<Filter extends object>(
  params: {
    [Name in keyof Filter]: Param<Filter[Name]>;
  },
): FilterCodec<Filter> {
  const names = Object.keys(params) as (keyof Filter)[];
  return {
    read(query) {
      const filter = {} as Filter;
      for (const name of names) {
        const { name: called, none, read } = params[name];
        const text = query.get(called);
        filter[name] = text === null ? none : read(text);
      }
      return filter;
    },
    write(filter) {
      const query = new URLSearchParams();
      for (const name of names) {
        const { name: called, none, write } = params[name];
        const text = write(filter[name]);
        if (text !== write(none)) query.set(called, text);
      }
      const written = query.toString();
      return written && `?${written}`;
    },
  };
}
