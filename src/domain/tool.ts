/** Toolbox items: their kinds, marks and labels, and the filters of the list. */
import { LEVEL_LABELS, LEVELS, type Level } from './level.ts';
import { choiceParam, type FilterOf, filterCodec, keyParam, pageParam, textParam } from './list.ts';
import { nameList } from './name-list.ts';

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

/** The kinds that a business fills in a copy of; `copy_tool` takes the same. */
export const isFillable = (type: ToolKind): boolean =>
  type === 'template' || type === 'worksheet' || type === 'checklist';

/** Calculators that can be embedded in an item's page. */
export const TOOL_CALCULATORS = ['break-even', 'cash-runway', 'price'] as const;

/** What a tool can be downloaded as. */
export const TOOL_FILES = ['spreadsheet', 'document'] as const;
export type ToolFileKind = (typeof TOOL_FILES)[number];

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
export function kindLabel({ type, minutes }: { type: string; minutes: number }): string {
  const kind = type.charAt(0).toUpperCase() + type.slice(1);
  return `${kind}, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

/** What a tool is, how long it takes, and which levels it's for, unless that's all of them. */
export function toolFacts(tool: {
  format: string;
  minutes: number;
  levels: readonly string[];
}): string {
  const { format, minutes, levels } = tool;
  const facts = [format, `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`];
  if (levels.filter(isLevel).length < LEVELS.length) facts.push(levelsLabel(levels).toLowerCase());
  return facts.join(' · ');
}

/** The fields of a published tool that decide whether results recommend it. */
export interface RecommendableTool {
  slug: string;
  area_key: string;
  /** The key of the question about the practice that it does; null for none in particular. */
  practice: string | null;
  levels: readonly string[];
  minutes: number;
}

/** What a preview needs to know about a tool. */
export interface PreviewTool extends RecommendableTool {
  title: string;
  type: ToolKind;
}

/**
 * The tool that results recommend for an area: the one for its weakest practice, otherwise one of the
 * area; of several the one for the level, then the shortest. Undefined if the area has none. For
 * previews in the browser; `private.tool_for` decides the same way for results that are kept.
 */
export function toolFor<Tool extends RecommendableTool>(
  tools: readonly Tool[],
  weakest: { area_key: string; practice: string; level: Level | null },
): Tool | undefined {
  const fits = ({ levels }: Tool) => (levels.some((level) => level === weakest.level) ? 0 : 1);
  const first = (some: readonly Tool[]) =>
    some.toSorted(
      (a, b) => fits(a) - fits(b) || a.minutes - b.minutes || (a.slug < b.slug ? -1 : 1),
    )[0];
  return (
    first(tools.filter(({ practice }) => practice === weakest.practice)) ??
    first(tools.filter(({ area_key }) => area_key === weakest.area_key))
  );
}

const isLevel = (value: string): value is Level => value in LEVEL_LABELS;

/** "For Starting, Developing and Strong", or "For every level". */
export function levelsLabel(levels: readonly string[]): string {
  const labels = levels.filter(isLevel).map((level) => LEVEL_LABELS[level]);
  if (labels.length === LEVELS.length) return 'For every level';
  return `For ${nameList(labels)}`;
}
