import { useStore } from '@nanostores/react';
import { Paperclip, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ProjectFile } from '#data/projects.ts';
import { FILES_TAKEN, sizeText } from '#lib/files/file-text.ts';
import { isWaiting, type Upload } from '#lib/files/uploads.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { classNames } from '#ui/class-names.ts';
import { FileInput } from '#ui/forms/FileInput.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { Progress } from '#ui/Progress.tsx';
import { useFileDrop } from '#ui/use-file-drop.ts';
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
      {mayChange !== 'none' && <Picker store={store} />}
      {uploads.length > 0 && (
        <ul className="mt-4 flex flex-col gap-3" aria-label="Uploading">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} store={store} />
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
        uploads.length === 0 && <p className="mt-3 text-sm text-muted">No files yet.</p>
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

/** Adds files that the user picks with its button or drops on it. */
function Picker({ store }: { store: FileStore }) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const add = (files: File[]) => void store.add(files);
  const { isOver, drop } = useFileDrop(add);
  return (
    <div
      className={classNames(
        'no-print mt-3 rounded-control border border-dashed p-4 text-sm',
        isOver ? 'border-primary bg-primary-soft' : 'border-line',
      )}
      {...drop}
    >
      <label htmlFor={id} className="sr-only">
        Files to add
      </label>
      <FileInput ref={input} id={id} multiple onFiles={add} />
      <Button
        size="small"
        variant="secondary"
        needsScript
        aria-describedby={`${id}-kinds`}
        onClick={() => input.current?.click()}
      >
        Add files
      </Button>
      <p id={`${id}-kinds`} className="mt-2 text-xs text-muted">
        Or drop them here. {FILES_TAKEN}. Only members of the business and its coach can see them.
      </p>
    </div>
  );
}

function UploadRow({ upload, store }: { upload: Upload<ProjectFile>; store: FileStore }) {
  const { id, name, size, sent, problem } = upload;
  return (
    <li className="rounded-control bg-raised p-3 text-sm">
      <p className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
        {!problem && (
          <span className="shrink-0 text-xs text-muted figures">
            {sizeText(sent)} of {sizeText(size)}
          </span>
        )}
      </p>
      {problem ? (
        <p role="alert" className="mt-1 text-xs text-danger">
          <span className="sr-only">{name}: </span>
          {problem.text}
        </p>
      ) : (
        <Progress className="mt-2 bg-line" label={`Uploading ${name}`} value={sent} max={size} />
      )}
      <p className="mt-1 flex gap-1">
        {problem?.again && (
          <Button size="small" variant="quiet" className="-ml-3" onClick={() => void store.retry()}>
            Try again
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          className={problem?.again ? '' : '-ml-3'}
          onClick={() => store.drop(id)}
        >
          {problem ? 'Dismiss' : 'Cancel'}
          <span className="sr-only"> {name}</span>
        </Button>
      </p>
    </li>
  );
}
