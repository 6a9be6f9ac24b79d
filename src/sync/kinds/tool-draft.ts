import * as v from 'valibot';
import type { ToolVersion } from '#data/toolbox.ts';
import { oneLine } from '../kind.ts';
import { defineTextKind } from '../text-kind.ts';

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
});

export type ToolDraftContent = v.InferOutput<typeof text>;

/** A whole draft of a tool; its key is the draft's id. */
export const toolDraftKind = defineTextKind({
  name: 'tool-draft',
  text,
  isSame: (sent, { title, body_markdown }: ToolVersion) =>
    oneLine(sent.title) === title && sent.body_markdown === body_markdown,
  load: () => import('#data/toolbox.ts'),
  async save({ saveToolDraft }, client, id, text, revision) {
    const { saved, draft } = await saveToolDraft(client, id, { ...text, revision });
    return { saved, stored: draft };
  },
  what: 'Changes to a tool',
  titleOf: ({ title }) => title,
});
