/** Toolbox items: their kinds, marks and labels, and the filters of the list. */
import { LEVEL_LABELS, LEVELS, type Level } from './level.ts';
import { choiceParam, type FilterOf, filterCodec, keyParam, pageParam, textParam } from './list.ts';

export const TOOL_KINDS = [
  'template',
  'worksheet',
  'checklist',
  'guide',
  'calculator',
  'video',
  'link',
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** Calculators that can be embedded in an item's page. */
export const TOOL_CALCULATORS = ['break-even', 'cash-runway', 'price'] as const;

export type ToolMark = 'saved' | 'done';

/** The toolbox's filters, kept in its URL. */
export const toolFilter = filterCodec({
  query: textParam('q'),
  area: keyParam('area'),
  type: choiceParam('type', TOOL_KINDS, null),
  level: choiceParam('level', LEVELS, null),
  /** `open` means not marked as done. */
  mark: choiceParam('mark', ['open', 'saved', 'done'], null),
  page: pageParam(),
});
export type ToolFilter = FilterOf<typeof toolFilter>;

/** Whether any filter is active. */
export const isNarrowed = (filter: ToolFilter): boolean =>
  toolFilter.write({ ...filter, page: 1 }) !== '';

/** "Template, 45 minutes". */
export function kindLabel({ type, minutes }: { type: ToolKind; minutes: number }): string {
  const kind = type.charAt(0).toUpperCase() + type.slice(1);
  return `${kind}, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

const isLevel = (value: string): value is Level => value in LEVEL_LABELS;

/** "For Starting, Developing and Strong", or "For every level". */
export function levelsLabel(levels: readonly string[]): string {
  const labels = levels.filter(isLevel).map((level) => LEVEL_LABELS[level]);
  if (labels.length === LEVELS.length) return 'For every level';
  const others = labels.slice(0, -1).join(', ');
  return `For ${others && `${others} and `}${labels.at(-1)}`;
}
