import { type ReactNode, useRef, useState } from 'react';
import {
  type AdminTool,
  archiveTool,
  editTool,
  restoreTool,
  reviewTool,
  setToolReview,
} from '#data/admin-tools.ts';
import { isOverdue, periodText, REVIEW_PERIODS, TOOL_STATE_LABELS } from '#domain/admin-tools.ts';
import { db } from '#lib/db.ts';
import { calendarDayText, dayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { Db } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart, usePart } from '#ui/use-part.ts';
import { DraftEditor } from './toolbox/DraftEditor.tsx';
import { Versions } from './toolbox/Versions.tsx';

interface ToolProps {
  tool: AdminTool;
  personId: string;
  /** The admin's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

const loadReason = () => import('./ReasonDialog.tsx');
const loadReview = () => import('./toolbox/ReviewDialog.tsx');
const loadPreview = () => import('./toolbox/ToolPreview.tsx');

/** A tool for an admin: its next version as it's written, what people see, its reviews and versions. */
function ToolScreen({ tool: initial, personId, timeZone, today }: ToolProps) {
  const [tool, setTool] = useState(initial);
  const { draft } = tool;
  const heading = useRef<HTMLHeadingElement>(null);
  // Editing, publishing and archiving replace the button that was pressed.
  useFocusBack(heading, `${tool.state} ${tool.version} ${draft?.id}`);
  const published = (now: AdminTool) => {
    if (now.version !== tool.version || now.state !== tool.state) {
      addToast({ tone: 'good', title: `Version ${now.version} is published` });
    }
    setTool(now);
  };
  return (
    <div className="flex flex-col gap-8">
      <header className="min-w-0">
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/admin/toolbox')}>
            Tools
          </a>
        </p>
        <h1 ref={heading} tabIndex={-1} className="wrap-anywhere">
          {tool.title}
        </h1>
        <p className="mt-2 text-muted">{stateText(tool, timeZone)}</p>
      </header>
      {tool.state === 'archived' && (
        <Notice tone="caution" title="Archived">
          {tool.archived_reason}
        </Notice>
      )}
      {tool.state !== 'draft' && <Actions tool={tool} today={today} onChange={setTool} />}
      {draft && tool.state !== 'archived' ? (
        <DraftEditor
          key={draft.id}
          tool={tool}
          draft={draft}
          personId={personId}
          timeZone={timeZone}
          onChange={published}
        />
      ) : (
        <Current tool={tool} />
      )}
      <Versions tool={tool} timeZone={timeZone} onChange={setTool} />
    </div>
  );
}

function stateText(tool: AdminTool, timeZone: string): string {
  if (tool.state === 'draft') return 'A draft that nobody else sees';
  const since = tool.archived_at ? ` since ${dayText(tool.archived_at, timeZone)}` : '';
  const next = tool.draft && tool.state === 'published' ? ', and the next version is a draft' : '';
  return `${TOOL_STATE_LABELS[tool.state]}${since}, version ${tool.version}${next}`;
}

/** Changes the tool, and says in a toast what's done. */
type Step = (change: (client: Db) => Promise<AdminTool>, done?: string) => Promise<void>;

interface ActionsProps {
  tool: AdminTool;
  today: string;
  onChange: (tool: AdminTool) => void;
}

/** When it was reviewed, how much it's used, and what an admin can do with a published tool. */
function Actions({ tool, today, onChange }: ActionsProps) {
  const [opened, setOpened] = useState<'archive' | 'review' | null>(null);
  const close = () => setOpened(null);
  const { pending, failure, run } = useAction(reportError);
  const step: Step = async (change, done) => {
    onChange(await change(await db()));
    if (done) addToast({ tone: 'good', title: done });
  };
  const press =
    (...given: Parameters<Step>) =>
    () =>
      void run(() => step(...given));
  const isLate = isOverdue(tool, today);
  return (
    <Section id="state" title="Review and use" titleClass="sr-only">
      <div className="card flex flex-col gap-5 p-5 sm:p-6">
        <div className="grid items-start gap-x-8 gap-y-3 text-sm sm:grid-cols-2 lg:grid-cols-4">
          <dl className="contents">
            <Fact name="Last reviewed">{calendarDayText(tool.reviewed_on)}</Fact>
            <Fact name="Next review">
              <span className={isLate ? 'font-medium text-danger' : undefined}>
                {isLate && 'Was due '}
                {calendarDayText(tool.review_due_on)}
              </span>
            </Fact>
            <Fact name="Use">{useText(tool)}</Fact>
          </dl>
          {tool.state === 'published' && (
            <Period
              months={tool.review_months}
              isBusy={pending}
              onChoose={(months) => press((client) => setToolReview(client, tool.id, months))()}
            />
          )}
        </div>
        <Failure failure={failure} />
        <div className="flex flex-wrap items-end gap-3">
          {tool.state === 'published' && (
            <>
              {!tool.draft && (
                <Button
                  needsScript
                  pending={pending}
                  onClick={press((client) => editTool(client, tool.id))}
                >
                  Edit
                </Button>
              )}
              <Button variant="secondary" needsScript onClick={() => setOpened('review')}>
                Reviewed, nothing to change
              </Button>
              <Button variant="secondary" href={hrefFor('/toolbox/[slug]', { slug: tool.slug })}>
                See it on the site
              </Button>
              <Button variant="quiet" needsScript onClick={() => setOpened('archive')}>
                Archive
              </Button>
            </>
          )}
          {tool.state === 'archived' && (
            <Button
              needsScript
              pending={pending}
              onClick={press(
                (client) => restoreTool(client, tool.id),
                'The tool is back in the toolbox',
              )}
            >
              Restore
            </Button>
          )}
        </div>
        {tool.versions[0]?.from_content === false && (
          <p className="text-sm text-muted">
            The site’s search covers the tools that come with the site, so it doesn’t find this
            version. The toolbox’s own search does.
          </p>
        )}
      </div>
      <Dialogs tool={tool} opened={opened} onStep={step} onClose={close} />
    </Section>
  );
}

interface DialogsProps {
  tool: AdminTool;
  opened: 'archive' | 'review' | null;
  onStep: Step;
  onClose: () => void;
}

function Dialogs({ tool, opened, onStep, onClose }: DialogsProps) {
  const reason = useOpenedPart(loadReason, opened === 'archive', onClose);
  const review = useOpenedPart(loadReview, opened === 'review', onClose);
  const isOnly = !tool.taken.some(({ practice }) => practice === tool.content?.practice);
  return (
    <>
      {opened === 'review' && review && (
        <review.ReviewDialog
          onReview={(note) =>
            onStep((client) => reviewTool(client, tool.id, note), 'The review is recorded')
          }
          onClose={onClose}
        />
      )}
      {opened === 'archive' && reason && (
        <reason.ReasonDialog
          action={{
            title: `Archive “${tool.title}”?`,
            description: `New people won’t find it, and results will recommend ${isOnly ? 'another tool for the skill' : 'the other tool for its practice'} instead. People who saved it, did it or have a copy keep it.`,
            action: 'Archive it',
            danger: true,
            reasonReader: 'Everyone who keeps it',
            onSubmit: (why) =>
              onStep((client) => archiveTool(client, tool.id, why), 'The tool is archived'),
          }}
          onClose={onClose}
        />
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface PeriodProps {
  months: number;
  isBusy: boolean;
  onChoose: (months: number) => void;
}

/** How long a review of the tool lasts. */
const Period = ({ months, isBusy, onChoose }: PeriodProps) => (
  <Field
    label="Review it every"
    className="max-w-48"
    as={Select}
    options={periodsWith(months)}
    value={String(months)}
    disabled={isBusy}
    onChange={(event) => onChoose(Number(event.currentTarget.value))}
  />
);

function useText({ saved, done, copies }: AdminTool): string {
  if (saved + done + copies === 0) return 'Not used yet';
  return `Saved ${times(saved)}, done ${times(done)}, ${wholeText(copies)} ${copies === 1 ? 'copy' : 'copies'}`;
}

const times = (count: number) => (count === 1 ? 'once' : `${wholeText(count)} times`);

/** The periods to choose from, with the one that's set. */
const periodsWith = (months: number) =>
  [...new Set([...REVIEW_PERIODS, months])]
    .toSorted((a, b) => a - b)
    .map((each) => ({ value: String(each), label: periodText(each) }));

/** What people see of the tool. */
function Current({ tool }: { tool: AdminTool }) {
  const preview = usePart(loadPreview, true);
  if (!tool.content) return null;
  const area = tool.areas.find(({ key }) => key === tool.content?.area_key);
  return (
    <Section id="current" title={tool.state === 'archived' ? 'What people saw' : 'What people see'}>
      {preview ? (
        <preview.ToolPreview tool={tool.content} areaName={area?.name ?? ''} />
      ) : (
        <p className="mt-3 text-sm text-muted">Loading…</p>
      )}
    </Section>
  );
}

export default screen(ToolScreen);
