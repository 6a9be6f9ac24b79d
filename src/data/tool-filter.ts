/** The filter of the toolbox as an address has it, so that it can be kept, shared and gone back to. */
import { hrefFor } from '#lib/routes.ts';
import type { ToolFilter, ToolKind } from './toolbox.ts';

export const KINDS: readonly ToolKind[] = [
  'template',
  'worksheet',
  'checklist',
  'guide',
  'calculator',
  'video',
  'link',
];
export const LEVELS = ['starting', 'developing', 'established', 'strong'] as const;
const MARKS = ['open', 'saved', 'done'] as const;

const LONGEST = 100;

function oneOf<T extends string>(value: string | null, known: readonly T[]): T | null {
  return known.find((each) => each === value) ?? null;
}

/** What an address asks for. What does not exist filters nothing; of areas the database knows. */
export function filterOf(query: URLSearchParams): ToolFilter {
  const page = Number(query.get('page'));
  return {
    query: (query.get('q') ?? '').slice(0, LONGEST).trim(),
    area: query.get('area')?.slice(0, LONGEST) || null,
    type: oneOf(query.get('type'), KINDS),
    level: oneOf(query.get('level'), LEVELS),
    mark: oneOf(query.get('mark'), MARKS),
    page: Number.isInteger(page) && page >= 1 && page <= 1000 ? page : 1,
  };
}

/** The address of a filter. */
export function filterHref(filter: ToolFilter, change: Partial<ToolFilter> = {}): string {
  const { query, page, ...rest } = { ...filter, page: 1, ...change };
  const search = new URLSearchParams();
  if (query) search.set('q', query);
  for (const [name, value] of Object.entries(rest)) if (value) search.set(name, value);
  if (page > 1) search.set('page', String(page));
  const text = search.toString();
  return hrefFor('/dashboard/toolbox') + (text && `?${text}`);
}

/** Whether anything narrows the list. */
export const isNarrowed = ({ query, area, type, level, mark }: ToolFilter): boolean =>
  Boolean(query || area || type || level || mark);
