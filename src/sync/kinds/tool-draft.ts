import * as v from 'valibot';
import type { ToolDraftContent, ToolVersion } from '#data/admin-tools.ts';
import { oneLine } from '../own-revisions.ts';
import { defineTextKind } from '../text-kind.ts';

/** A whole draft of a tool, whose fields the database checks; its key is the draft's id. */
export const toolDraftKind = defineTextKind({
  name: 'tool-draft',
  text: v.custom<ToolDraftContent>((given) => typeof Object(given).title === 'string'),
  isSame: (sent, stored: ToolVersion) =>
    oneLine(sent.title) === stored.title && sent.body_markdown === stored.body_markdown,
  changed: 'Someone else changed this draft in the meantime.',
  load: () => import('#data/admin-tools.ts'),
  async save({ saveToolDraft }, client, id, content) {
    const { saved, draft } = await saveToolDraft(client, id, content);
    return { saved, stored: draft };
  },
  what: 'Changes to a tool',
  titleOf: ({ title }) => title,
});
