import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { type AdminTool, getAdminTool, publishTool, removeToolDraft } from '#data/admin-tools.ts';
import type { ToolVersion } from '#data/toolbox.ts';
import { draftTroubles, mediaText } from '#domain/admin-tools.ts';
import { db } from '#lib/db.ts';
import { AppError } from '#lib/errors.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError, sessionEnded } from '#stores/session.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { SaveConflict } from '#ui/SaveConflict.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { useOpenedPart, usePart } from '#ui/use-part.ts';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { DraftFields } from './DraftFields.tsx';
import { createDraftStore, type DraftStore } from './draft-store.ts';
import { createMediaStore } from './media-store.ts';

interface DraftEditorProps {
  tool: AdminTool;
  draft: ToolVersion;
  personId: string;
  timeZone: string;
  onChange: (tool: AdminTool) => void;
}

const loadDialog = () => import('./PublishDialog.tsx');
const loadPreview = () => import('./ToolPreview.tsx');

/** The stored draft of a tool. @throws AppError if it was published or deleted in the meantime */
async function readDraft(toolId: string, draftId: string): Promise<ToolVersion> {
  const { draft } = await getAdminTool(await db(), toolId);
  if (draft?.id !== draftId) throw new AppError('not-found');
  return draft;
}

/** The stored draft, once it's what's on this page. @throws AppError if it isn't saved */
async function savedDraft(store: DraftStore, toolId: string, draftId: string) {
  store.flush();
  await store.answered();
  const status = store.$status.get()?.name ?? 'saved';
  if (status !== 'saved' && status !== 'updated') {
    throw new AppError('conflict', 'Your latest changes aren’t saved yet.');
  }
  return readDraft(toolId, draftId);
}

/** Writes the draft of a tool's next version, next to how people will see it. */
export function DraftEditor({ tool, draft, personId, timeZone, onChange }: DraftEditorProps) {
  const store = useSavingStore(() =>
    createDraftStore(draft, {
      read: () => readDraft(tool.id, draft.id),
      openSync: () => pageSync(personId),
    }),
  );
  const [media] = useState(() => createMediaStore({ db, signedOut: sessionEnded }, tool.id, store));
  const content = useStore(store.$content);
  const status = useStore(store.$status);
  const [isChecked, setIsChecked] = useState(false);
  const [isUploading, setIsUploading] = useState(false);
  const [publishing, setPublishing] = useState<ToolVersion | null>(null);
  const { pending, failure, run } = useAction(reportError);
  const part = useOpenedPart(loadDialog, publishing !== null, () => setPublishing(null));
  const preview = usePart(loadPreview, true);
  const troubles = draftTroubles(content);
  const area = tool.areas.find(({ key }) => key === content.area_key);

  const ask = () => {
    setIsChecked(true);
    if (Object.keys(troubles).length > 0) return;
    if (media.isWaiting()) return setIsUploading(true);
    setIsUploading(false);
    void run(async () => setPublishing(await savedDraft(store, tool.id, draft.id)));
  };
  const publish = async (change: string) => {
    if (publishing) onChange(await publishTool(await db(), draft.id, publishing.revision, change));
  };
  const isBehind = draft.based_on !== null && draft.based_on < tool.version;
  return (
    <div data-wide className="grid items-start gap-8 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <p role="status" className="text-xs text-muted">
          {status ? <SaveWords status={status} /> : savedWords(draft, timeZone)}
        </p>
        {status?.name === 'conflict' ? (
          <SaveConflict name={status.theirs.updated_by_name} onChoose={store.choose}>
            <p className="font-semibold">{status.theirs.title}</p>
            <p className="text-muted">{status.theirs.summary}</p>
            <pre className="mt-2 text-sm whitespace-pre-wrap">{status.theirs.body_markdown}</pre>
            <pre className="mt-2 text-sm whitespace-pre-wrap">{mediaText(status.theirs)}</pre>
          </SaveConflict>
        ) : (
          <SaveNotice status={status} isTitled={false} />
        )}
        {isBehind && (
          <Notice title={`This draft started from version ${draft.based_on}`}>
            Version {tool.version} is what people see now. Look at what’s different below before you
            publish.
          </Notice>
        )}
        <DraftFields
          tool={tool}
          store={store}
          media={media}
          errorOf={(field) => (isChecked ? troubles[field] : undefined)}
        />
        <Failure failure={failure} />
        {isChecked && Object.keys(troubles).length > 0 && (
          <p role="alert" className="text-sm font-medium text-danger">
            Something’s missing above. Fill it in, then publish.
          </p>
        )}
        {isUploading && (
          <p role="alert" className="text-sm font-medium text-danger">
            A file is still uploading. Publish once it’s there, or cancel it.
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button needsScript pending={pending} onClick={ask}>
            Publish
          </Button>
          <Remove tool={tool} draft={draft} onChange={onChange} />
        </div>
      </div>
      <Section id="preview" title="Preview" className="min-w-0">
        {preview ? (
          <preview.ToolPreview tool={content} areaName={area?.name ?? ''} />
        ) : (
          <p className="mt-3 text-sm text-muted">Loading the preview…</p>
        )}
      </Section>
      {publishing && part && (
        <part.PublishDialog
          version={tool.state === 'draft' ? 1 : tool.version + 1}
          copies={tool.copies}
          onPublish={publish}
          onClose={() => setPublishing(null)}
        />
      )}
    </div>
  );
}

/** When the draft was last saved and who saved it, until something changes on this page. */
const savedWords = ({ updated_at, updated_by_name }: ToolVersion, timeZone: string) =>
  `Saved ${dayText(updated_at, timeZone)}${updated_by_name ? ` by ${updated_by_name}` : ''}`;

interface RemoveProps {
  tool: AdminTool;
  draft: ToolVersion;
  onChange: (tool: AdminTool) => void;
}

function Remove({ tool, draft, onChange }: RemoveProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = () =>
    setQuestion({
      title: 'Delete this draft?',
      text:
        tool.state === 'draft'
          ? 'The tool was never published. It’s deleted for good, for all admins.'
          : 'It’s deleted for good, for all admins. The published version stays as it is.',
      yes: 'Delete it',
      danger: true,
      async act() {
        const left = await removeToolDraft(await db(), draft.id);
        if (left) onChange(left);
        else location.assign(hrefFor('/admin/toolbox'));
      },
    });
  return (
    <>
      <Button variant="quiet" needsScript onClick={ask}>
        Delete draft
      </Button>
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </>
  );
}
