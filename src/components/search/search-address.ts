/** A search as the address has it: `/search?q=cash&kind=Article&shown=20`. */

/** How many results are shown at first, and how many more each time. */
export const STEP = 10;
/** The limit for an address that was edited by hand; "Show more" goes on from there. */
const SHOWN_AT_MOST = 100;

export interface SearchQuery {
  q: string;
  /** Only these; all of them where there is none. */
  kinds: string[];
  /** How many results are shown. */
  shown: number;
}

/** Reads the part of an address that begins with `?`. */
export function readAddress(query: string): SearchQuery {
  const given = new URLSearchParams(query);
  const shown = Math.ceil((Number(given.get('shown')) || STEP) / STEP) * STEP;
  return {
    q: (given.get('q') ?? '').trim(),
    kinds: [...new Set(given.getAll('kind'))],
    shown: Math.min(Math.max(shown, STEP), SHOWN_AT_MOST),
  };
}

/** The address of a search, to share it: defaults are left out. */
export function addressOf({ q, kinds, shown }: SearchQuery): string {
  if (q === '') return '/search';
  const query = new URLSearchParams({ q });
  for (const kind of kinds) query.append('kind', kind);
  if (shown > STEP) query.set('shown', String(shown));
  return `/search?${query}`;
}
