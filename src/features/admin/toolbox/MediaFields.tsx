import { useStore } from '@nanostores/react';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ToolFile } from '#data/toolbox.ts';
import { type DraftField, TOOL_LIMITS } from '#domain/admin-tools.ts';
import { acceptedText, kindText, TOOL_FILES } from '#lib/files/file-text.ts';
import { isWaiting } from '#lib/files/uploads.ts';
import { whenBack } from '#stores/when-back.ts';
import { Field } from '#ui/forms/Field.tsx';
import { FilePicker } from '#ui/forms/FilePicker.tsx';
import { UploadRow } from '#ui/forms/UploadRow.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { type DragListProps, PlainList } from '#ui/PlainList.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useDrag } from '#ui/use-drag.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';
import type { DraftStore } from './draft-store.ts';
import type { MediaStore } from './media-store.ts';
import { VideoFields } from './VideoFields.tsx';

export interface MediaFieldsProps {
  store: DraftStore;
  media: MediaStore;
  errorOf: (field: DraftField) => string | undefined;
}

const loadDrag = () => import('#ui/DragList.tsx');

/** What comes with the text of a tool: files to download, and a video. */
export function MediaFields(props: MediaFieldsProps) {
  const { media } = props;
  const lists = [media.files, media.video, media.poster].map(({ $uploads }) =>
    // biome-ignore lint/correctness/useHookAtTopLevel: always the same three
    useStore($uploads, { ssr: 'initial' }),
  );
  useEffect(() => whenBack(media.retry), [media]);
  // An unfinished upload doesn't survive leaving the page.
  const unsaved = lists.some((uploads) => uploads.some(isWaiting));
  useUnsaved(unsaved);
  useLeaveGuard(unsaved);
  return (
    <>
      <Files {...props} />
      <VideoFields {...props} />
    </>
  );
}

/** The files of the draft in order, each with the name that people read. */
function Files({ store, media, errorOf }: MediaFieldsProps) {
  const { files } = useStore(store.$content);
  const uploads = useStore(media.files.$uploads, { ssr: 'initial' });
  const { Frame, around } = useDrag<DragListProps>(PlainList, loadDrag);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, `${files.length} ${uploads.length}`);
  const room = TOOL_LIMITS.files - files.length - uploads.length;
  const error = errorOf('files');
  return (
    <section aria-labelledby="files" className="card p-5">
      <h2 id="files" ref={heading} tabIndex={-1} className="text-base font-semibold">
        Files to download
      </h2>
      <p role="status" className="sr-only">
        {files.length} {files.length === 1 ? 'file' : 'files'}
      </p>
      {error && (
        <p role="alert" className="mt-2 text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {files.length > 0 && (
        <div {...around} className="mt-3">
          <Frame
            items={files.map(({ id, name }) => ({ id, title: name || 'A file' }))}
            noun="file"
            onDrop={store.moveFile}
            row={(id, handle) => <FileRow {...{ id, handle, store }} />}
          />
        </div>
      )}
      {uploads.length > 0 && (
        <ul className="mt-3 flex flex-col gap-3" aria-label="Uploading">
          {uploads.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              onRetry={media.retry}
              onDrop={() => media.files.drop(upload.id)}
            />
          ))}
        </ul>
      )}
      {room > 0 ? (
        <FilePicker
          label="Files for people to download"
          button="Add files"
          hint={`Or drop them here. ${acceptedText(TOOL_FILES)} each, ${TOOL_LIMITS.files} files at most. Everyone can download them once this version is published.`}
          multiple
          accept={TOOL_FILES.types.join()}
          className="mt-3"
          onFiles={(chosen) => void media.files.add(chosen.slice(0, room))}
        />
      ) : (
        <p className="mt-3 text-sm text-muted">
          A tool can have at most {TOOL_LIMITS.files} files. Remove one to add another.
        </p>
      )}
    </section>
  );
}

interface FileRowProps {
  id: string;
  handle: ReactNode;
  store: DraftStore;
}

function FileRow({ id, handle, store }: FileRowProps) {
  const { files } = useStore(store.$content);
  const place = files.findIndex((file) => file.id === id);
  const file: ToolFile | undefined = files[place];
  if (!file) return null;
  const button = (label: string, icon: ReactNode, isOff: boolean, onClick: () => void) => (
    <IconButton
      label={`${label} ${file.name}`}
      tip={label}
      {...enabledWhenReady({ disabled: isOff })}
      className="grid size-9 shrink-0 place-items-center rounded-small text-muted enabled:hover:bg-raised enabled:hover:text-ink disabled:opacity-40 pointer-coarse:size-11"
      onClick={onClick}
    >
      {icon}
    </IconButton>
  );
  return (
    <div className="flex flex-wrap items-end gap-x-2 gap-y-1 py-3">
      {handle}
      <Field
        label={`Name of file ${place + 1}`}
        hint={kindText(file)}
        className="min-w-0 grow basis-40"
        maxLength={TOOL_LIMITS.fileName}
        value={file.name}
        {...enabledWhenReady()}
        onChange={(event) => store.renameFile(id, event.currentTarget.value)}
      />
      <div className="flex">
        {button('Move up', <ArrowUp className="size-4" aria-hidden="true" />, place === 0, () =>
          store.moveFile(id, place - 1),
        )}
        {button(
          'Move down',
          <ArrowDown className="size-4" aria-hidden="true" />,
          place === files.length - 1,
          () => store.moveFile(id, place + 1),
        )}
        {button('Remove', <X className="size-4" aria-hidden="true" />, false, () =>
          store.removeFile(id),
        )}
      </div>
    </div>
  );
}
