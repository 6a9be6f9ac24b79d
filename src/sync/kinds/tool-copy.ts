import * as v from 'valibot';
import type { CopyState } from '#data/toolbox.ts';
import { defineKind, quoted, sendWith } from '../kind.ts';
import { createRevisionSaver, oneLine } from '../own-revisions.ts';

const text = v.object({ title: v.string(), body: v.string() });

export type CopyText = v.InferOutput<typeof text>;

const save = createRevisionSaver<CopyText, CopyState>(
  (sent, { title, body_markdown }) => oneLine(sent.title) === title && sent.body === body_markdown,
  'Someone else changed this copy in the meantime.',
);

/** A business's whole copy of a tool; its key is the copy's id. */
export const toolCopyKind = defineKind({
  name: 'tool-copy',
  rest: 800,
  schema: v.object({ value: text, base: v.object({ revision: v.number() }) }),
  send: ({ value, base }, id) =>
    sendWith(
      () => import('#data/toolbox.ts'),
      ({ saveToolCopy }, client) =>
        save(id, { value, revision: base.revision }, async (revision) => {
          const { saved, copy } = await saveToolCopy(client, id, { ...value, revision });
          return { saved, stored: copy };
        }),
    ),
  summarize: ({ value }) => quoted('Changes to your copy of a tool', value.title),
});
