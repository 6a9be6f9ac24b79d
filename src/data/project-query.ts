/** What the list of projects shows, as it stands in the address of the page. */
import {
  PROJECT_SORTS,
  PROJECT_STATUSES,
  type ProjectQuery,
  type ProjectStatus,
} from './projects.ts';

/** What "open" means: there is still something to do. */
const OPEN_STATUSES = PROJECT_STATUSES.filter(
  (status) => status !== 'done' && status !== 'canceled',
);

/** The columns of the board. */
export const BOARD_STATUSES = PROJECT_STATUSES.filter((status) => status !== 'canceled');

/** A choice of statuses: one of them, the open ones, or all. */
export type StatusChoice = 'open' | 'all' | ProjectStatus;

/** The filters of the list; the business comes from the page. */
export interface ProjectFilter {
  status: StatusChoice;
  area: string;
  words: string;
  sort: ProjectQuery['sort'];
  view: ProjectQuery['view'];
}

const known = <T extends string>(values: readonly T[], value: string | null, otherwise: T): T =>
  values.find((each) => each === value) ?? otherwise;

/** Reads the filters; what means nothing counts as not said. */
export function readFilter(params: URLSearchParams): ProjectFilter {
  const area = params.get('area') ?? '';
  return {
    status: known<StatusChoice>([...PROJECT_STATUSES, 'all'], params.get('status'), 'open'),
    area: /^[a-z]+(-[a-z]+)*$/.test(area) ? area : '',
    words: (params.get('q') ?? '').slice(0, 100),
    sort: known(PROJECT_SORTS, params.get('sort'), 'changed'),
    view: params.get('view') === 'board' ? 'board' : 'table',
  };
}

/** Writes them: `?status=all&sort=due`, or nothing when nothing was chosen. */
export function writeFilter(filter: ProjectFilter): string {
  const params = new URLSearchParams();
  if (filter.words) params.set('q', filter.words);
  if (filter.status !== 'open') params.set('status', filter.status);
  if (filter.area) params.set('area', filter.area);
  if (filter.sort !== 'changed') params.set('sort', filter.sort);
  if (filter.view !== 'table') params.set('view', filter.view);
  const text = params.toString();
  return text && `?${text}`;
}

/** Whether something is left out that would be there otherwise. */
export function isNarrowed(filter: ProjectFilter): boolean {
  const byStatus = filter.view === 'table' && filter.status !== 'open' && filter.status !== 'all';
  return filter.words.trim() !== '' || filter.area !== '' || byStatus;
}

function statusesOf({ status, view }: ProjectFilter): readonly ProjectStatus[] | null {
  if (view === 'board') return BOARD_STATUSES;
  if (status === 'all') return null;
  return status === 'open' ? OPEN_STATUSES : [status];
}

/** What the database is asked. */
export function queryOf(filter: ProjectFilter, businessId: string | null): ProjectQuery {
  return {
    businessId,
    statuses: statusesOf(filter),
    area: filter.area || null,
    words: filter.words,
    sort: filter.sort,
    view: filter.view,
  };
}
