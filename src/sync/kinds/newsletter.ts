import * as v from 'valibot';
import type { NewsletterIssue } from '#data/newsletter.ts';
import { oneLine } from '../kind.ts';
import { defineTextKind } from '../text-kind.ts';

const text = v.object({ subject: v.string(), preview: v.string(), body: v.string() });

export type IssueText = v.InferOutput<typeof text>;

/** A whole draft of the newsletter; its key is the issue's id. */
export const newsletterKind = defineTextKind({
  name: 'newsletter',
  text,
  isSame: (sent, { subject, preview, body }: NewsletterIssue) =>
    oneLine(sent.subject) === subject && oneLine(sent.preview) === preview && sent.body === body,
  load: () => import('#data/newsletter.ts'),
  async save({ saveIssue }, client, id, text, revision) {
    const { saved, issue: stored } = await saveIssue(client, id, { ...text, revision });
    return { saved, stored };
  },
  what: 'Changes to the newsletter',
  titleOf: ({ subject }) => subject,
});
