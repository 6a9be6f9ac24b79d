import * as v from 'valibot';
import type { ToolVersion } from '#data/toolbox.ts';
import { cleanCaptions } from '#domain/captions.ts';
import { oneLine } from '../kind.ts';
import { defineTextKind } from '../text-kind.ts';

const file = v.object({ id: v.string(), name: v.string(), type: v.string(), size: v.number() });
const video = v.object({
  id: v.string(),
  type: v.string(),
  size: v.number(),
  seconds: v.nullable(v.number()),
  poster: v.nullable(v.string()),
});

const text = v.object({
  slug: v.string(),
  title: v.string(),
  summary: v.string(),
  type: v.string(),
  area_key: v.string(),
  practice: v.nullable(v.string()),
  levels: v.array(v.string()),
  minutes: v.nullable(v.number()),
  format: v.string(),
  calculator: v.nullable(v.string()),
  body_markdown: v.string(),
  // What an earlier build left unsent doesn't have them.
  files: v.optional(v.array(file), []),
  video: v.optional(v.nullable(video), null),
  captions: v.optional(v.string(), ''),
});

export type ToolDraftContent = v.InferOutput<typeof text>;

const mediaOf = ({
  files,
  video,
  captions,
}: Pick<ToolDraftContent, 'files' | 'video' | 'captions'>) =>
  JSON.stringify([
    files.map(({ id, name }) => [id, oneLine(name)]),
    video && [video.id, video.poster],
    cleanCaptions(captions),
  ]);

/** A whole draft of a tool; its key is the draft's id. */
export const toolDraftKind = defineTextKind({
  name: 'tool-draft',
  text,
  isSame: (sent, stored: ToolVersion) =>
    oneLine(sent.title) === stored.title &&
    sent.body_markdown === stored.body_markdown &&
    mediaOf(sent) === mediaOf(stored),
  load: () => import('#data/toolbox.ts'),
  async save({ saveToolDraft }, client, id, text, revision) {
    const { saved, draft } = await saveToolDraft(client, id, { ...text, revision });
    return { saved, stored: draft };
  },
  what: 'Changes to a tool',
  titleOf: ({ title }) => title,
});
