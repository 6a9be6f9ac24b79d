import * as v from 'valibot';
import type { ToolDraftContent, ToolVersion } from '#data/admin-tools.ts';
import { defineKind, quoted, sendWith } from '../kind.ts';
import { createRevisionSaver, oneLine } from '../own-revisions.ts';

const save = createRevisionSaver<ToolDraftContent, ToolVersion>(
  (sent, stored) =>
    sent.body_markdown === stored.body_markdown &&
    [sent.title, sent.summary, sent.format].map(oneLine).join('\n') ===
      [stored.title, stored.summary, stored.format].join('\n'),
  'Someone else changed this draft in the meantime.',
);

/** A whole draft of a tool, whose fields the database checks; its key is the draft's id. */
export const toolDraftKind = defineKind({
  name: 'tool-draft',
  rest: 800,
  schema: v.object({
    value: v.custom<ToolDraftContent>((given) => typeof Object(given).title === 'string'),
    base: v.object({ revision: v.number() }),
  }),
  send: ({ value, base }, id) =>
    sendWith(
      () => import('#data/admin-tools.ts'),
      ({ saveToolDraft }, client) =>
        save(id, { value, revision: base.revision }, async (revision) => {
          const { saved, draft } = await saveToolDraft(client, id, { ...value, revision });
          return { saved, stored: draft };
        }),
    ),
  summarize: ({ value }) => quoted('Changes to a tool', value.title),
});
