import * as v from 'valibot';
import type { CopyState } from '#data/toolbox.ts';
import { oneLine } from '../kind.ts';
import { defineTextKind } from '../text-kind.ts';

const text = v.object({ title: v.string(), body: v.string() });

export type CopyText = v.InferOutput<typeof text>;

/** A business's whole copy of a tool; its key is the copy's id. */
export const toolCopyKind = defineTextKind({
  name: 'tool-copy',
  text,
  isSame: (sent, { title, body_markdown }: CopyState) =>
    oneLine(sent.title) === title && sent.body === body_markdown,
  load: () => import('#data/toolbox.ts'),
  async save({ saveToolCopy }, client, id, text, revision) {
    const { saved, copy: stored } = await saveToolCopy(client, id, { ...text, revision });
    return { saved, stored };
  },
  what: 'Changes to your copy of a tool',
  titleOf: ({ title }) => title,
});
