/** The toolbox as admins write it: states, limits, the list's filters, reviews and comparing versions. */

import { captionsTrouble, cleanCaptions } from './captions.ts';
import {
  choiceParam,
  type FilterOf,
  filterCodec,
  keyParam,
  placeParam,
  textParam,
} from './list.ts';
import { TOOL_KINDS, type ToolKind } from './tool.ts';

export const TOOL_STATES = ['draft', 'published', 'archived'] as const;
export type ToolState = (typeof TOOL_STATES)[number];

export const TOOL_STATE_LABELS: Record<ToolState, string> = {
  draft: 'Draft',
  published: 'Published',
  archived: 'Archived',
};

export const TOOL_KIND_LABELS: Record<ToolKind, string> = {
  template: 'Template',
  worksheet: 'Worksheet',
  checklist: 'Checklist',
  guide: 'Guide',
  calculator: 'Calculator',
  video: 'Video',
  link: 'Link',
};

/** The longest texts, in characters. */
export const TOOL_LIMITS = {
  slug: 60,
  title: 60,
  summary: 200,
  format: 60,
  body: 30_000,
  change: 200,
  fileName: 120,
  /** How many files a tool can have. */
  files: 10,
} as const;

/** How long a review lasts, in months. */
export const REVIEW_PERIODS = [3, 6, 12, 24, 36] as const;

/** "A year" for 12 months. */
export function periodText(months: number): string {
  if (months % 12 !== 0) return `${months} months`;
  return months === 12 ? 'A year' : `${months / 12} years`;
}

/** Whether a published tool's review is overdue. The days are dates such as `2026-11-28`. */
export const isOverdue = (
  { state, review_due_on }: { state: ToolState; review_due_on: string },
  today: string,
): boolean => state === 'published' && review_due_on < today;

export const adminToolFilter = filterCodec({
  words: textParam('q'),
  state: choiceParam('state', TOOL_STATES, null),
  review: choiceParam('review', ['due'], null),
  area: keyParam('area'),
  type: choiceParam('type', TOOL_KINDS, null),
  sort: choiceParam('sort', ['title', 'review', 'newest'], 'title'),
  place: placeParam(),
});
export type AdminToolFilter = FilterOf<typeof adminToolFilter>;

/** What people read of a tool. */
export interface ToolContent {
  title: string;
  summary: string;
  type: string;
  area_key: string;
  practice: string | null;
  levels: readonly string[];
  /** Null in a draft that doesn't say yet. */
  minutes: number | null;
  format: string;
  calculator: string | null;
  body_markdown: string;
  files: readonly { id: string; name: string; type: string; size: number }[];
  video: {
    id: string;
    type: string;
    size: number;
    seconds: number | null;
    poster: string | null;
  } | null;
  /** WebVTT; '' for none. */
  captions: string;
}

type MediaField = 'files' | 'video' | 'captions';

export type DraftField = 'slug' | keyof ToolContent;

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** What's missing or wrong before a draft can be published, by field. Empty if nothing is. */
export function draftTroubles({
  slug,
  ...draft
}: ToolContent & { slug: string }): Partial<Record<DraftField, string>> {
  const { minutes } = draft;
  const isBlank = (text: string) => text.trim() === '';
  return {
    ...(isBlank(draft.title) && { title: 'Write a title.' }),
    ...(isBlank(draft.summary) && { summary: 'Say in a sentence what people end up with.' }),
    ...(isBlank(draft.format) && {
      format: 'Say what it looks like, such as “Table with a worked example”.',
    }),
    ...((minutes === null || minutes < 1 || minutes > 480) && {
      minutes: 'Enter the minutes it takes, from 1 to 480.',
    }),
    ...(draft.levels.length === 0 && { levels: 'Choose at least one level.' }),
    ...(isBlank(draft.body_markdown) && { body_markdown: 'Write the tool first.' }),
    ...(draft.files.some(({ name }) => isBlank(name)) && { files: 'Name every file.' }),
    ...videoTroubles(draft),
    ...(slug !== '' &&
      !SLUG.test(slug) && {
        slug: 'Use lowercase letters, digits and hyphens: price-increase-letter.',
      }),
  };
}

/** What's missing or wrong about a draft's video. */
function videoTroubles({ type, video, captions, body_markdown }: ToolContent) {
  if (!video) {
    return type === 'video' && !/https?:\/\//.test(body_markdown)
      ? { video: 'Add the video or, if it’s on another site, a link to it in the text.' }
      : {};
  }
  const text = cleanCaptions(captions);
  const trouble =
    text === ''
      ? 'Add captions, so that everyone can follow the video.'
      : captionsTrouble(text, video.seconds);
  return trouble ? { captions: trouble } : {};
}

/** The files, the video and the captions of a tool, a line each, to compare; '' if there are none. */
export function mediaText({ files, video, captions }: Pick<ToolContent, MediaField>): string {
  return [
    ...files.map(({ id, name, type }) => `File: ${name} (${type}, ${id})`),
    ...(video ? [`Video: ${video.type}, ${video.id}`] : []),
    ...(video?.poster ? [`Picture of the video: ${video.poster}`] : []),
    ...(captions === '' ? [] : ['Captions:', captions]),
  ].join('\n');
}

/** A line of two texts that are compared: in both, only in the earlier one, or only in the later. */
export interface ComparedLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/**
 * Compares two texts line by line, by their longest common subsequence
 * (https://en.wikipedia.org/wiki/Longest_common_subsequence). What was removed comes before what took
 * its place.
 */
export function compareLines(earlier: string, later: string): ComparedLine[] {
  const a = earlier.split('\n');
  const b = later.split('\n');
  // For every two positions, how many lines the rest of both have in common.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: ComparedLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: a[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: b[j] ?? '' });
      j += 1;
    }
  }
  return lines;
}
