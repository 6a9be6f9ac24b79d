import * as v from 'valibot';
import { AppError } from '#lib/errors.ts';
import { defineKind, quoted, sendWith } from '../kind.ts';

const text = v.object({ title: v.string(), body: v.string() });

export type CopyText = v.InferOutput<typeof text>;

/** Recent versions of each copy that this page has sent, since their responses may be lost. */
const recent = new Map<string, CopyText[]>();
const RECENT = 10;

const line = (title: string) => title.replace(/\s+/g, ' ').trim();

/** A business's whole copy of a tool; its key is the copy's id. */
export const toolCopyKind = defineKind({
  name: 'tool-copy',
  rest: 800,
  schema: v.object({ value: text, base: v.object({ revision: v.number() }) }),
  send: ({ value, base }, id) =>
    sendWith(
      () => import('#data/toolbox.ts'),
      async ({ saveToolCopy }, client) => {
        const own = [...(recent.get(id) ?? []), value].slice(-RECENT);
        recent.set(id, own);
        const first = await saveToolCopy(client, id, { ...value, revision: base.revision });
        if (first.saved) return first.copy;
        const { title, body_markdown, revision } = first.copy;
        // The newer revision is this page's own, whose response was lost.
        const isOwn = own.some((each) => line(each.title) === title && each.body === body_markdown);
        const second = isOwn ? await saveToolCopy(client, id, { ...value, revision }) : first;
        if (second.saved) return second.copy;
        throw new AppError('conflict', 'Someone else changed this copy in the meantime.');
      },
    ),
  summarize: ({ value }) => quoted('Changes to your copy of a tool', value.title),
});
