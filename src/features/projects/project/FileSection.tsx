import { useStore } from '@nanostores/react';
import { Paperclip, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ProjectFile } from '#data/projects.ts';
import { FILES_UP_TO, sizeText } from '#lib/files/file-text.ts';
import { isWaiting } from '#lib/files/uploads.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { whenBack } from '#stores/when-back.ts';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { FilePicker } from '#ui/forms/FilePicker.tsx';
import { UploadRow } from '#ui/forms/UploadRow.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';
import type { FileStore } from './file-store.ts';

interface FilesProps {
  store: FileStore;
  /** Whether the user may open the files. An admin only sees their names. */
  mayOpen: boolean;
  /** `own`: the user may add files and remove their own. `all`: they may remove any file. */
  mayChange: 'none' | 'own' | 'all';
  timeZone: string;
}

/** The files of a project, opened through links that are valid for a minute. */
export function FileSection({ store, mayOpen, mayChange, timeZone }: FilesProps) {
  const files = useStore(store.$files, { ssr: 'initial' });
  const uploads = useStore(store.$uploads, { ssr: 'initial' });
  const [removing, setRemoving] = useState<ProjectFile | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, `${files.length} ${uploads.length}`);
  useEffect(() => whenBack(store.retry), [store]);
  // An unfinished upload doesn't survive leaving the page.
  const unsaved = uploads.some(isWaiting);
  useUnsaved(unsaved);
  useLeaveGuard(unsaved);
  return (
    <section aria-labelledby="files" className="card p-5 md:p-6">
      <h2 id="files" ref={heading} tabIndex={-1} className="text-lg">
        Files
      </h2>
      <p role="status" className="sr-only">
        {files.length} {files.length === 1 ? 'file' : 'files'}
      </p>
      {mayChange !== 'none' && (
        <FilePicker
          label="Files to add"
          button="Add files"
          hint={
            <>
              <span className="max-sm:hidden">Or drop them here. </span>
              {FILES_UP_TO}. The business and its coach can see them.
            </>
          }
          multiple
          className="mt-3"
          onFiles={(files) => void store.add(files)}
        />
      )}
      {uploads.length > 0 && (
        <ul className="mt-4 flex flex-col gap-3" aria-label="Uploading">
          {uploads.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              onRetry={() => void store.retry()}
              onDrop={() => store.drop(upload.id)}
            />
          ))}
        </ul>
      )}
      {files.length > 0 ? (
        <ul className="mt-3 divide-y divide-line">
          {files.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              store={store}
              mayOpen={mayOpen}
              timeZone={timeZone}
              onRemove={
                mayChange === 'all' || (mayChange === 'own' && file.mine)
                  ? () => setRemoving(file)
                  : null
              }
            />
          ))}
        </ul>
      ) : (
        uploads.length === 0 &&
        mayChange === 'none' && <p className="mt-3 text-sm text-muted">No files yet.</p>
      )}
      <Confirm
        question={removing && removeQuestion(store, removing)}
        onClose={() => setRemoving(null)}
        onError={reportError}
      />
    </section>
  );
}

interface RowProps extends Pick<FilesProps, 'store' | 'mayOpen' | 'timeZone'> {
  file: ProjectFile;
  /** Null if the user may not remove it. */
  onRemove: (() => void) | null;
}

function FileRow({ file, store, mayOpen, timeZone, onRemove }: RowProps) {
  const busy = useStore(store.$busy, { ssr: 'initial' });
  return (
    <li className="flex items-start gap-2 py-2.5">
      <Paperclip className="mt-1 size-4 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 grow">
        {mayOpen ? (
          <button
            type="button"
            aria-busy={busy.has(file.id) || undefined}
            className="link text-left text-sm wrap-anywhere"
            onClick={() => void store.download(file)}
          >
            <span className="sr-only">Download </span>
            {file.name}
          </button>
        ) : (
          <span className="text-sm wrap-anywhere">{file.name}</span>
        )}
        <p className="text-xs text-muted">
          {sizeText(file.size)} · {file.mine ? 'you' : (file.by ?? 'someone')},{' '}
          {dayText(file.created_at, timeZone)}
        </p>
      </div>
      {onRemove && (
        <IconButton
          label={`Remove ${file.name}`}
          className="-mr-2 grid size-9 shrink-0 place-items-center rounded-small text-muted hover:bg-raised hover:text-ink pointer-coarse:size-11"
          onClick={onRemove}
        >
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      )}
    </li>
  );
}

const removeQuestion = (store: FileStore, file: ProjectFile): Question => ({
  title: 'Remove this file?',
  text: `This deletes “${file.name}” for everyone, and you can’t get it back.`,
  yes: 'Remove',
  no: 'Keep it',
  danger: true,
  act: async () => void store.remove(file),
});
