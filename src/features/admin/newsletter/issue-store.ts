/** A draft of the newsletter that's being written; each change saves the whole draft. */
import { computed } from 'nanostores';
import type { NewsletterIssue } from '#data/newsletter.ts';
import { Autosave, type Choice } from '#sync/autosave.ts';
import { oneLine } from '#sync/kind.ts';
import { type IssueText, newsletterKind } from '#sync/kinds/newsletter.ts';
import type { Sync } from '#sync/sync.ts';

export interface IssueDeps {
  /** Loads the issue's current state from the database. */
  read(): Promise<NewsletterIssue>;
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync(): Sync;
}

const textOf = ({ subject, preview, body }: NewsletterIssue): IssueText => ({
  subject,
  preview,
  body,
});

/** Creates the store for one draft, starting from the state that the server rendered. */
export function createIssueStore(initial: NewsletterIssue, deps: IssueDeps) {
  const autosave = new Autosave<
    'issue',
    IssueText,
    NewsletterIssue,
    { revision: number },
    NewsletterIssue
  >({
    kind: newsletterKind,
    keyOf: () => initial.id,
    initial: { issue: initial },
    shownOf: textOf,
    normalize: (_field, { subject, preview, body }) => ({
      subject: oneLine(subject),
      preview: oneLine(preview),
      body: body.replaceAll('\r\n', '\n'),
    }),
    baseOf: ({ revision }) => ({ revision }),
    extend: (base) => base,
    isStale: (base, { revision }) => revision > base.revision,
    afterSaving: (before, text, answer) => answer ?? { ...before, ...text },
    isAnswerComplete: true,
    merge: (_theirs, mine) => mine,
    read: async () => ({ issue: await deps.read() }),
    openSync: deps.openSync,
  });
  return {
    $text: computed(autosave.$fields, ({ issue }) => issue.value),
    $status: computed(autosave.$fields, ({ issue }) => issue.status),
    /** Changes one of the draft's texts. */
    change(part: Partial<IssueText>): void {
      autosave.type('issue', { ...autosave.$fields.get().issue.value, ...part });
    },
    flush: () => autosave.flush(),
    /** Resolves when everything is saved, or when we know why it isn't. */
    answered: () => autosave.answered(),
    /** Resolves a conflict: saves mine over theirs, or keeps theirs and discards mine. */
    choose: (which: Choice) => autosave.choose('issue', which),
    /** Follows edits in all tabs and what other people save. Returns the cleanup. */
    open: () => autosave.open(),
  };
}

export type IssueStore = ReturnType<typeof createIssueStore>;
