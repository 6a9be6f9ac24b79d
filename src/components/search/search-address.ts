/** Reads and writes a search in the URL: `/search?q=cash&kind=Article&shown=20`. */

/** The number of results shown at first, and added by each "Show more". */
export const STEP = 10;
/** The most results a URL, which users can edit, may ask for; "Show more" continues from there. */
const SHOWN_AT_MOST = 100;

export interface SearchQuery {
  q: string;
  /** Limits results to these kinds; all kinds if empty. */
  kinds: string[];
  /** The number of results to show. */
  shown: number;
}

/** Parses a URL's query string, including its `?`. */
export function readAddress(query: string): SearchQuery {
  const given = new URLSearchParams(query);
  const shown = Math.ceil((Number(given.get('shown')) || STEP) / STEP) * STEP;
  return {
    q: (given.get('q') ?? '').trim(),
    kinds: [...new Set(given.getAll('kind'))],
    shown: Math.min(Math.max(shown, STEP), SHOWN_AT_MOST),
  };
}

/** A search's URL, for sharing; it omits default values. */
export function addressOf({ q, kinds, shown }: SearchQuery): string {
  if (q === '') return '/search';
  const query = new URLSearchParams({ q });
  for (const kind of kinds) query.append('kind', kind);
  if (shown > STEP) query.set('shown', String(shown));
  return `/search?${query}`;
}
