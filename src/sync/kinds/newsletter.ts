import * as v from 'valibot';
import type { NewsletterIssue } from '#data/newsletter.ts';
import { defineKind, quoted, sendWith } from '../kind.ts';
import { createRevisionSaver, oneLine } from '../own-revisions.ts';

const text = v.object({ subject: v.string(), preview: v.string(), body: v.string() });

export type IssueText = v.InferOutput<typeof text>;

const save = createRevisionSaver<IssueText, NewsletterIssue>(
  (sent, { subject, preview, body }) =>
    oneLine(sent.subject) === subject && oneLine(sent.preview) === preview && sent.body === body,
  'Someone else changed this issue in the meantime.',
);

/** A whole draft of the newsletter; its key is the issue's id. */
export const newsletterKind = defineKind({
  name: 'newsletter',
  rest: 800,
  schema: v.object({ value: text, base: v.object({ revision: v.number() }) }),
  send: ({ value, base }, id) =>
    sendWith(
      () => import('#data/newsletter.ts'),
      ({ saveIssue }, client) =>
        save(id, { value, revision: base.revision }, async (revision) => {
          const { saved, issue } = await saveIssue(client, id, { ...value, revision });
          return { saved, stored: issue };
        }),
    ),
  summarize: ({ value }) => quoted('Changes to the newsletter', value.subject),
});
