import { useStore } from '@nanostores/react';
import { useMemo, useState } from 'react';
import { type EditedVersion, getEditedVersion, type QuizStatistics } from '#data/quiz-versions.ts';
import { changesBetween, type QuizView } from '#domain/quiz-version.ts';
import type { PreviewTool } from '#domain/tool.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast } from '#stores/toasts.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { ViewSwitch } from '#ui/table/ViewSwitch.tsx';
import { usePart } from '#ui/use-part.ts';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { Changes } from './editor/Changes.tsx';
import { comparedDraft, comparedVersion, takenFrom } from './editor/compared.ts';
import { DraftEditor } from './editor/DraftEditor.tsx';
import { DraftStore } from './editor/draft-store.ts';
import { QuestionTexts } from './editor/QuestionTexts.tsx';
import { Statistics } from './editor/Statistics.tsx';

interface QuizVersionProps {
  version: EditedVersion;
  /** Null for a draft. */
  statistics: QuizStatistics | null;
  view: QuizView;
  /** The tools that results in the preview name. */
  tools: readonly PreviewTool[];
  personId: string;
  timeZone: string;
}

function stateText({ state, created_at, published_at, before }: EditedVersion, timeZone: string) {
  const from = before ? `, from version ${before.number}` : '';
  const day = dayText(published_at ?? created_at, timeZone);
  if (state === 'draft') return `Draft${from}, started on ${day}`;
  return `${state === 'retired' ? 'Retired; p' : 'P'}ublished on ${day}${from}`;
}

const VIEWS = {
  draft: [
    ['questions', 'Questions'],
    ['changes', 'Changes'],
    ['preview', 'Preview'],
  ],
  kept: [
    ['questions', 'Questions'],
    ['statistics', 'Statistics'],
    ['changes', 'Changes'],
    ['preview', 'Preview'],
  ],
} as const;

const loadTryOut = () => import('./editor/TryOut.tsx');

/** A version of the quiz: written as long as it's a draft, then read, with how its questions work. */
function QuizVersionScreen(props: QuizVersionProps) {
  const { version, timeZone } = props;
  const isDraft = version.state === 'draft' && version.discarded_at === null;
  return (
    <div className="flex flex-col gap-6">
      <header>
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/admin/quiz')}>
            Quizzes
          </a>
        </p>
        <h1>Version {version.number} of the quiz</h1>
        <p className="mt-2 text-muted">{stateText(version, timeZone)}</p>
      </header>
      {version.discarded_at !== null && (
        <Notice tone="caution" title="This draft was discarded">
          You can restore it from the{' '}
          <a className="link" href={hrefFor('/admin/quiz')}>
            list of versions
          </a>
          .
        </Notice>
      )}
      {isDraft ? <Draft {...props} /> : <Views {...props} shown={version} />}
    </div>
  );
}

/** A draft that's being edited, here and by other admins. */
function Draft(props: QuizVersionProps) {
  const { version, personId } = props;
  const store = useSavingStore(
    () =>
      new DraftStore(
        {
          db,
          signedOut: sessionEnded,
          showFailure: addFailureToast,
          read: async () => getEditedVersion(await db(), version.id),
          openSync: () => pageSync(personId),
        },
        version,
      ),
  );
  const shown = useStore(store.$draft, { ssr: 'initial' });
  return <Views {...props} shown={shown} store={store} />;
}

interface ViewsProps extends QuizVersionProps {
  /** The version as it is now. */
  shown: EditedVersion;
  /** If it can be edited. */
  store?: DraftStore;
}

function Views({ shown, store, statistics, view: initial, tools }: ViewsProps) {
  const [view, setView] = useState<QuizView>(initial);
  const views = store ? VIEWS.draft : VIEWS.kept;
  const hrefOf = (each: QuizView) =>
    `${hrefFor('/admin/quiz/[id]', { id: shown.id })}${each === 'questions' ? '' : `?view=${each}`}`;
  const changes = useMemo(
    () => (shown.before ? changesBetween(comparedVersion(shown.before), comparedDraft(shown)) : []),
    [shown],
  );
  const preview = usePart(loadTryOut, view === 'preview');
  return (
    <>
      <ViewSwitch<QuizView>
        views={views}
        shown={view}
        hrefOf={hrefOf}
        onChoose={(each) => {
          setView(each);
          history.replaceState(null, '', hrefOf(each));
        }}
      />
      {view === 'questions' &&
        (store ? (
          <DraftEditor store={store} changes={changes} />
        ) : (
          <QuestionTexts version={shown} />
        ))}
      {view === 'changes' && <Changes changes={changes} from={shown.before?.number ?? null} />}
      {view === 'statistics' && statistics && <Statistics statistics={statistics} />}
      {view === 'preview' &&
        (preview ? (
          <preview.TryOut version={takenFrom(shown)} tools={tools} />
        ) : (
          <p className="text-muted">Loading the preview…</p>
        ))}
    </>
  );
}

export default screen(QuizVersionScreen);
