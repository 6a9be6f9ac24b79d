import { useStore } from '@nanostores/react';
import { useState } from 'react';
import {
  getIssue,
  type NewsletterIssue,
  removeIssue,
  sendIssue,
  testIssue,
} from '#data/newsletter.ts';
import { ISSUE_LIMITS } from '#domain/newsletter.ts';
import { db } from '#lib/db.ts';
import { AppError } from '#lib/errors.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { SaveConflict } from '#ui/SaveConflict.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useAction } from '#ui/use-action.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { IssuePreview } from './IssuePreview.tsx';
import { createIssueStore, type IssueStore } from './issue-store.ts';

interface IssueEditorProps {
  issue: NewsletterIssue;
  personId: string;
  timeZone: string;
  onChange: (issue: NewsletterIssue) => void;
}

const loadDialog = () => import('./SendDialog.tsx');

/** The stored draft, once it's what's on this page. @throws AppError if it isn't saved */
async function savedIssue(store: IssueStore, id: string): Promise<NewsletterIssue> {
  store.flush();
  await store.answered();
  const status = store.$status.get()?.name ?? 'saved';
  if (status !== 'saved' && status !== 'updated') {
    throw new AppError('conflict', 'Your latest changes aren’t saved yet.');
  }
  return getIssue(await db(), id);
}

/** Writes a draft: its texts, a test to oneself, and sending it. */
export function IssueEditor({ issue, personId, timeZone, onChange }: IssueEditorProps) {
  const store = useSavingStore(() =>
    createIssueStore(issue, {
      read: async () => getIssue(await db(), issue.id),
      openSync: () => pageSync(personId),
    }),
  );
  const text = useStore(store.$text);
  const status = useStore(store.$status);
  const [sending, setSending] = useState<NewsletterIssue | null>(null);
  const { pending, failure, run } = useAction(reportError);
  const part = useOpenedPart(loadDialog, sending !== null, () => setSending(null));

  const test = () =>
    run(async () => {
      await savedIssue(store, issue.id);
      const to = await testIssue(await db(), issue.id);
      addToast({ tone: 'good', title: `A test is on its way to ${to}` });
    });
  const ask = () => run(async () => setSending(await savedIssue(store, issue.id)));
  const send = async (at: string | null) => {
    if (sending) onChange(await sendIssue(await db(), issue.id, sending.revision, at));
  };
  return (
    <div data-wide className="grid items-start gap-8 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <p role="status" className="text-xs text-muted">
          {status ? <SaveWords status={status} /> : savedWords(issue, timeZone)}
        </p>
        {status?.name === 'conflict' ? (
          <SaveConflict name={status.theirs.updated_by_name} onChoose={store.choose}>
            <p className="font-semibold">{status.theirs.subject}</p>
            <p className="text-muted">{status.theirs.preview}</p>
            <pre className="mt-2 text-sm whitespace-pre-wrap">{status.theirs.body}</pre>
          </SaveConflict>
        ) : (
          <SaveNotice status={status} isTitled={false} />
        )}
        <Field
          label="Subject"
          maxLength={ISSUE_LIMITS.subject}
          value={text.subject}
          {...enabledWhenReady()}
          onChange={(event) => store.change({ subject: event.currentTarget.value })}
        />
        <Field
          label="Preview line"
          hint="An inbox shows it next to the subject."
          optional
          maxLength={ISSUE_LIMITS.preview}
          value={text.preview}
          {...enabledWhenReady()}
          onChange={(event) => store.change({ preview: event.currentTarget.value })}
        />
        <Field
          as={TextArea}
          label="Text"
          hint="In Markdown: ## for a heading, - for a list, **bold**, [words](/toolbox) for a link."
          rows={8}
          className="[&>textarea]:max-h-none [&>textarea]:min-h-52 lg:[&>textarea]:min-h-96"
          maxLength={ISSUE_LIMITS.body}
          value={text.body}
          {...enabledWhenReady()}
          onChange={(event) => store.change({ body: event.currentTarget.value })}
        />
        <Failure failure={failure} />
        <div className="flex flex-wrap gap-2">
          <Button needsScript pending={pending} onClick={() => void ask()}>
            Send
          </Button>
          <Button variant="secondary" needsScript pending={pending} onClick={() => void test()}>
            Send me a test
          </Button>
          <Remove issue={issue} />
        </div>
      </div>
      <IssuePreview text={text} />
      {sending && part && (
        <part.SendDialog
          issue={sending}
          timeZone={timeZone}
          onSend={send}
          onClose={() => setSending(null)}
        />
      )}
    </div>
  );
}

/** When the draft was last saved and who saved it, until something changes on this page. */
const savedWords = ({ updated_at, updated_by_name }: NewsletterIssue, timeZone: string) =>
  `Saved ${dayText(updated_at, timeZone)}${updated_by_name ? ` by ${updated_by_name}` : ''}`;

function Remove({ issue }: { issue: NewsletterIssue }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = () =>
    setQuestion({
      title: 'Delete this draft?',
      text: 'It’s deleted for good, for all admins.',
      yes: 'Delete it',
      danger: true,
      async act() {
        await removeIssue(await db(), issue.id);
        location.assign(hrefFor('/admin/newsletter'));
      },
    });
  return (
    <>
      <Button variant="quiet" needsScript onClick={ask}>
        Delete
      </Button>
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </>
  );
}
