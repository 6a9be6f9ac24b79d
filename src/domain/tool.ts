/** Items of the toolbox: their kinds and marks, what these are called, and the filters of the list. */
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

/** What works in the page of an item. */
export const TOOL_CALCULATORS = ['break-even', 'cash-runway', 'price'] as const;

export type ToolMark = 'saved' | 'done';

/** The filters of the toolbox in its address. */
export const toolFilter = filterCodec({
  query: textParam('q'),
  area: keyParam('area'),
  type: choiceParam('type', TOOL_KINDS, null),
  level: choiceParam('level', LEVELS, null),
  /** `open` are those that aren't done. */
  mark: choiceParam('mark', ['open', 'saved', 'done'], null),
  page: pageParam(),
});
export type ToolFilter = FilterOf<typeof toolFilter>;

/** Whether anything narrows the list. */
export const isNarrowed = (filter: ToolFilter): boolean =>
  toolFilter.write({ ...filter, page: 1 }) !== '';

/** "Template, 45 minutes". */
export function kindLabel({ type, minutes }: { type: ToolKind; minutes: number }): string {
  const kind = type.charAt(0).toUpperCase() + type.slice(1);
  return `${kind}, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

const isLevel = (value: string): value is Level => value in LEVEL_LABELS;

/** "For Starting and Developing"; "For every level" where it fits them all. */
export function levelsLabel(levels: readonly string[]): string {
  const labels = levels.filter(isLevel).map((level) => LEVEL_LABELS[level]);
  if (labels.length === LEVELS.length) return 'For every level';
  return `For ${labels.join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
}
