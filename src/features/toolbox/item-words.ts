/** What an item of the toolbox is, in words. */
import type { ToolSummary } from '#data/toolbox.ts';
import type { Level } from '#lib/levels.ts';
import { LEVEL_WORDS } from '#ui/charts/levels.ts';

const isLevel = (value: string): value is Level => value in LEVEL_WORDS;

/** "Template, 45 minutes". */
export function kindText({ type, minutes }: Pick<ToolSummary, 'type' | 'minutes'>): string {
  const kind = type.charAt(0).toUpperCase() + type.slice(1);
  return `${kind}, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

/** "For Starting and Developing"; "For every level" where it fits them all. */
export function levelsText(levels: readonly string[]): string {
  const words = levels.filter(isLevel).map((level) => LEVEL_WORDS[level]);
  if (words.length === Object.keys(LEVEL_WORDS).length) return 'For every level';
  return `For ${new Intl.ListFormat('en-US').format(words)}`;
}
