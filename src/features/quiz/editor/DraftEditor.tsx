import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import {
  type DraftProblem,
  discardQuizDraft,
  type EditedVersion,
  publishQuizDraft,
} from '#data/quiz-versions.ts';
import { QUIZ_LIMITS, type QuizChange } from '#domain/quiz-version.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Notice } from '#ui/Notice.tsx';
import { SaveConflict } from '#ui/SaveConflict.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useAction } from '#ui/use-action.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { AreaEditor } from './AreaEditor.tsx';
import { Checks, fieldId } from './Checks.tsx';
import type { DraftStore } from './draft-store.ts';

interface DraftEditorProps {
  store: DraftStore;
  changes: readonly QuizChange[];
}

/** Edits a draft: its title, its areas with their questions, and what's missing to publish it. */
export function DraftEditor({ store, changes }: DraftEditorProps) {
  const draft = useStore(store.$draft, { ssr: 'initial' });
  const { settings } = useStore(store.$settings, { ssr: 'initial' });
  const [target, setTarget] = useState<string | null>(null);
  useEffect(() => {
    if (target === null) return;
    document.getElementById(target)?.focus();
    setTarget(null);
  }, [target]);
  const show = (problem: DraftProblem) => {
    if (problem.question_key) store.$open.set(problem.question_key);
    setTarget(fieldId(problem, problem.field));
  };
  const { status } = settings;
  return (
    <div data-wide className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <aside className="flex flex-col gap-4 lg:sticky lg:top-4 lg:order-last">
        <Overtaken draft={draft} />
        <Checks draft={draft} onShow={show} />
        <Publishing store={store} changes={changes} />
      </aside>
      <div className="flex min-w-0 flex-col gap-6">
        <div>
          {status?.name === 'conflict' ? (
            <SaveConflict
              name={status.theirs.updated_by_name}
              onChoose={(which) => store.chooseSettings(which)}
            >
              <p className="font-semibold">{status.theirs.title}</p>
              <ul className="mt-2 list-disc pl-5">
                {status.theirs.areas.map(({ key, importance, first_look }) => (
                  <li key={key}>
                    {draft.areas.find((area) => area.key === key)?.name}: importance {importance},{' '}
                    {draft.questions.find((each) => each.key === first_look)?.practice ?? 'nothing'}{' '}
                    in the first look
                  </li>
                ))}
              </ul>
            </SaveConflict>
          ) : (
            <SaveNotice status={status} isTitled={false} className="mb-4" />
          )}
          <Field
            id="quiz-title"
            label="Title"
            maxLength={QUIZ_LIMITS.title}
            autoComplete="off"
            value={settings.value.title}
            {...enabledWhenReady()}
            {...(settings.value.title.trim() === '' && { error: 'The quiz needs a title.' })}
            aside={
              <span role="status" className="text-muted">
                <SaveWords status={status} />
              </span>
            }
            onChange={(event) => store.changeTitle(event.currentTarget.value)}
          />
        </div>
        {draft.areas.map((area) => (
          <AreaEditor key={area.key} {...{ store, draft, area }} />
        ))}
      </div>
    </div>
  );
}

/** Says that what's published isn't what the draft was made from. */
function Overtaken({ draft: { published, before } }: { draft: EditedVersion }) {
  if (!published || !before || published.number === before.number) return null;
  return (
    <Notice tone="caution" title={`Version ${published.number} is published`}>
      This draft is from version {before.number}, so what’s different in version {published.number}{' '}
      isn’t in it.
    </Notice>
  );
}

const loadDialog = () => import('./PublishDialog.tsx');

/** Publishing and discarding a draft. */
function Publishing({ store, changes }: DraftEditorProps) {
  const draft = useStore(store.$draft, { ssr: 'initial' });
  const { pending, failure, run } = useAction(reportError);
  const [isOpen, setOpen] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setOpen(false);
  const part = useOpenedPart(loadDialog, isOpen, close);
  const isReady = draft.checks?.problems.length === 0;
  const ask = () =>
    run(async () => {
      const now = await store.refresh();
      if (now.checks?.problems.length === 0) setOpen(true);
    });
  const publish = async (reason: string) => {
    try {
      await publishQuizDraft(await db(), draft.id, draft.checks?.fingerprint ?? '', reason);
    } catch (thrown) {
      // What someone else changed shows up behind the dialog.
      void store.refresh().catch(() => {});
      throw reportError(thrown);
    }
    location.reload();
  };
  const askToDiscard = () =>
    setQuestion({
      title: 'Discard this draft?',
      text: 'The published version stays as it is. For 30 days, you can restore the draft from the list of versions.',
      yes: 'Discard it',
      danger: true,
      async act() {
        await discardQuizDraft(await db(), draft.id, true);
        location.assign(hrefFor('/admin/quiz'));
      },
    });
  return (
    <div className="flex flex-col gap-3">
      <Failure failure={failure} />
      <div className="flex flex-wrap gap-2">
        <Button
          needsScript
          pending={pending}
          disabled={!isReady}
          aria-describedby="checks"
          onClick={() => void ask()}
        >
          Publish
        </Button>
        <Button variant="quiet" needsScript onClick={askToDiscard}>
          Discard
        </Button>
      </div>
      {isOpen && part && (
        <part.PublishDialog draft={draft} changes={changes} onPublish={publish} onClose={close} />
      )}
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </div>
  );
}
