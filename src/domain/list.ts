/** Lists that the database filters, sorts and pages: the page type, and filters kept in the URL. */

/** A page of a list, with cursors to the pages around it; null where there's no such page. */
export interface ListPage<Row> {
  rows: readonly Row[];
  previous: Place | null;
  next: Place | null;
  /** Matching rows on all pages; `atLeast` if the database stopped counting at a limit. */
  count: { total: number; atLeast: boolean } | null;
}

/** A keyset cursor: the row that a page follows or precedes. */
export interface Place {
  way: 'after' | 'before';
  /** That row's sort key, in the database's own format. */
  key: string;
  /** Breaks ties between equal keys. */
  id: string;
}

// Filters in the URL -----------------------------------------------------------------------------
//
// Parsing never fails: an invalid value counts as not chosen. Filters that aren't chosen are left
// out of the query, so a list's plain URL is the unfiltered list.

/** One filter: its query parameter, its default when nothing is chosen, and how it's parsed. */
export interface Param<Value> {
  readonly name: string;
  readonly none: Value;
  /** Parses the parameter's text; returns `none` if it's invalid. */
  read(text: string): Value;
  write(value: Value): string;
}

const param = <Value>(
  name: string,
  none: Value,
  read: (text: string) => Value,
  write: (value: Value) => string = (value) => String(value ?? ''),
): Param<Value> => ({ name, none, read, write });

/** Search words, trimmed. */
export const textParam = (name: string, longest = 100) =>
  param(
    name,
    '',
    (text) => text.slice(0, longest).trim(),
    (words) => words.trim(),
  );

/** One of several values; `none` is the default when nothing is chosen. */
export const choiceParam = <const Value extends string, const None extends Value | null>(
  name: string,
  values: readonly Value[],
  none: None,
) => param<Value | None>(name, none, (text) => values.find((each) => each === text) ?? none);

/** A key such as `web-design`; only the database knows whether it exists. */
export const keyParam = (name: string) =>
  param<string | null>(name, null, (text) =>
    text.length <= 100 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) ? text : null,
  );

/** A UUID. */
export const idParam = (name: string) =>
  param<string | null>(name, null, (text) =>
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null,
  );

/** A boolean: `1`, or left out. */
export const flagParam = (name: string) =>
  param<boolean>(
    name,
    false,
    (text) => text === '1',
    (is) => (is ? '1' : ''),
  );

/** A date, `2026-11-28`. */
export const dayParam = (name: string) =>
  param<string | null>(name, null, (text) =>
    /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text)
      ? text
      : null,
  );

/** A page number, 1 to 999. */
export const pageParam = (name = 'page') =>
  param(name, 1, (text) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1));

/** A keyset cursor, `after.<id>.<key>` or `before.<id>.<key>`. Null is the first page. */
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
  /** The query parameter of each filter, as a form field's name. */
  readonly params: { readonly [Name in keyof Filter]: Pick<Param<Filter[Name]>, 'name' | 'none'> };
  /** Parses the filters from a URL's query. */
  read(params: URLSearchParams): Filter;
  /** Serializes them: `?status=all&sort=due`, or '' when nothing was chosen. */
  write(filter: Filter): string;
}

/** The filter type that a codec parses. */
export type FilterOf<Codec> = Codec extends FilterCodec<infer Filter> ? Filter : never;

/** Creates the codec of one list. The order of `params` is their order in the URL. */
export function filterCodec<Filter extends object>(
  params: {
    [Name in keyof Filter]: Param<Filter[Name]>;
  },
): FilterCodec<Filter> {
  const names = Object.keys(params) as (keyof Filter)[];
  return {
    params,
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
