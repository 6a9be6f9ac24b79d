import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { getToolCopy, removeToolCopy, type ToolCopy } from '#data/toolbox.ts';
import { db } from '#lib/db.ts';
import { AppError } from '#lib/errors.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Markdown } from '#ui/Markdown.tsx';
import { SaveConflict } from '#ui/SaveConflict.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { CopyBlocks } from './CopyBlocks.tsx';
import { createCopyStore } from './copy-store.ts';
import { markdownOf } from './document.ts';

interface CopyProps {
  copy: ToolCopy;
  personId: string;
  timeZone: string;
}

const base = hrefFor('/dashboard/toolbox');

/** A business's copy of a tool, which its members fill in and its coach can read. */
function CopyScreen({ copy, personId, timeZone }: CopyProps) {
  return (
    <article className="print:[zoom:0.85]">
      <p className="print:hidden">
        <a className="link text-sm" href={base}>
          Toolbox
        </a>
      </p>
      {copy.may_edit ? (
        <Editor copy={copy} personId={personId} timeZone={timeZone} />
      ) : (
        <>
          <header className="mt-5 mb-8 border-b border-line pb-5">
            <p className="eyebrow">{copy.business.name}</p>
            <h1 className="mt-1">{copy.title}</h1>
            <LastChange copy={copy} timeZone={timeZone} />
            {copy.business.archived && (
              <p className="mt-1 text-sm text-muted">
                This business is archived, so its copy is read-only.
              </p>
            )}
          </header>
          <Markdown text={copy.body_markdown} />
        </>
      )}
    </article>
  );
}

function Editor({ copy, personId, timeZone }: CopyProps) {
  const store = useSavingStore(() =>
    createCopyStore(copy.id, copy, {
      async read() {
        const now = await getToolCopy(await db(), copy.id);
        if (!now) throw new AppError('not-found');
        return now;
      },
      openSync: () => pageSync(personId),
    }),
  );
  const title = useStore(store.$title);
  const status = useStore(store.$status);
  const blocks = useStore(store.$blocks);
  const titleError = title.trim() === '' ? 'Give it a name.' : undefined;
  return (
    <>
      <header className="mt-5 mb-6 flex flex-col gap-4 border-b border-line pb-5 print:mb-3 print:pb-2">
        <p className="eyebrow">{copy.business.name}</p>
        <h1 className="sr-only print:not-sr-only">{title || copy.title}</h1>
        <Field
          label="Name of this copy"
          className="max-w-[40rem] print:hidden"
          maxLength={160}
          value={title}
          error={titleError}
          {...enabledWhenReady()}
          onChange={(event) => store.setTitle(event.currentTarget.value)}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
          <Button variant="secondary" size="small" onClick={() => window.print()}>
            Print
          </Button>
          <Remove copy={copy} />
          <p role="status" className="text-xs text-muted">
            {status ? <SaveWords status={status} /> : savedWords(copy, timeZone)}
          </p>
        </div>
        <Origin copy={copy} />
      </header>
      {status?.name === 'conflict' ? (
        <SaveConflict name={status.theirs.updated_by_name} onChoose={store.choose}>
          <p className="font-semibold">{status.theirs.title}</p>
          <Markdown text={status.theirs.body_markdown} />
        </SaveConflict>
      ) : (
        !titleError && <SaveNotice className="mb-5 print:hidden" status={status} isTitled={false} />
      )}
      {/* Prints as a document, not a form. */}
      <div className="print:hidden">
        <CopyBlocks store={store} />
      </div>
      <div className="hidden print:block">
        <Markdown text={markdownOf(blocks)} />
      </div>
    </>
  );
}

/** When the copy was last saved and who saved it, until something changes on this page. */
const savedWords = ({ updated_at, updated_by_name }: ToolCopy, timeZone: string) =>
  `Saved ${dayText(updated_at, timeZone)}${updated_by_name ? ` by ${updated_by_name}` : ''}`;

/** Links to the tool the copy was made from, and says whether there's a newer version. */
function Origin({ copy }: { copy: ToolCopy }) {
  if (!copy.item) return null;
  const { slug, title, version, copied_version, archived, changes } = copy.item;
  const isOlder = version > copied_version;
  const told = changes.filter(({ change }) => change !== null);
  return (
    <div className="text-sm text-muted print:hidden">
      <p>
        From{' '}
        <a className="link" href={`${base}?item=${slug}`}>
          {title}
        </a>
        {isOlder ? `, version ${copied_version}. ` : ', with its worked example. '}
        {archived && 'That tool is no longer offered, but this copy stays as it is.'}
        {isOlder &&
          !archived &&
          `There’s a newer version now, version ${version}, but this copy stays as it is.`}
      </p>
      {isOlder && told.length > 0 && (
        <>
          <p className="mt-2">What’s different in the newer version:</p>
          <ul className="mt-1 list-disc pl-5">
            {told.map((each) => (
              <li key={each.version}>{each.change}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function LastChange({ copy, timeZone }: { copy: ToolCopy; timeZone: string }) {
  return (
    <p className="mt-3 text-sm text-muted">
      Last updated {dayText(copy.updated_at, timeZone)}
      {copy.updated_by_name && ` by ${copy.updated_by_name}`}.
    </p>
  );
}

function Remove({ copy }: { copy: ToolCopy }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = () =>
    setQuestion({
      title: 'Remove this copy?',
      text: `This removes it for everyone at ${copy.business.name}. If you change your mind within 30 days, write to us and we’ll restore it.`,
      yes: 'Remove it',
      no: 'Keep it',
      danger: true,
      async act() {
        await removeToolCopy(await db(), copy.id, true);
        location.assign(base);
      },
    });
  return (
    <>
      <Button variant="quiet" size="small" onClick={ask}>
        Remove
      </Button>
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </>
  );
}

export default screen(CopyScreen);
