import * as v from 'valibot';
import { AppError } from '#lib/errors.ts';
import { defineKind, quoted, sendWith } from '../kind.ts';

const text = v.object({ subject: v.string(), preview: v.string(), body: v.string() });

export type IssueText = v.InferOutput<typeof text>;

/** Recent versions of each issue that this page has sent, since their responses may be lost. */
const recent = new Map<string, IssueText[]>();
const RECENT = 10;

export const line = (words: string) => words.replace(/\s+/g, ' ').trim();

/** A whole draft of the newsletter; its key is the issue's id. */
export const newsletterKind = defineKind({
  name: 'newsletter',
  rest: 800,
  schema: v.object({ value: text, base: v.object({ revision: v.number() }) }),
  send: ({ value, base }, id) =>
    sendWith(
      () => import('#data/newsletter.ts'),
      async ({ saveIssue }, client) => {
        const own = [...(recent.get(id) ?? []), value].slice(-RECENT);
        recent.set(id, own);
        const first = await saveIssue(client, id, { ...value, revision: base.revision });
        if (first.saved) return first.issue;
        const { subject, preview, body, revision } = first.issue;
        // The newer revision is this page's own, whose response was lost.
        const isOwn = own.some(
          (each) =>
            line(each.subject) === subject && line(each.preview) === preview && each.body === body,
        );
        const second = isOwn ? await saveIssue(client, id, { ...value, revision }) : first;
        if (second.saved) return second.issue;
        throw new AppError('conflict', 'Someone else changed this issue in the meantime.');
      },
    ),
  summarize: ({ value }) => quoted('Changes to the newsletter', value.subject),
});
