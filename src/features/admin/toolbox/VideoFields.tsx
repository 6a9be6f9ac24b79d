import { useStore } from '@nanostores/react';
import { useId, useRef, useState } from 'react';
import {
  captionCues,
  captionsTrouble,
  cleanCaptions,
  lengthText,
  MOST_CAPTIONS,
} from '#domain/captions.ts';
import { acceptedText, kindText, TOOL_POSTERS, TOOL_VIDEOS } from '#lib/files/file-text.ts';
import type { Upload } from '#lib/files/uploads.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FileInput } from '#ui/forms/FileInput.tsx';
import { FilePicker } from '#ui/forms/FilePicker.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { UploadRow } from '#ui/forms/UploadRow.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import type { MediaFieldsProps } from './MediaFields.tsx';

/** The video of a draft, with its captions and its picture. */
export function VideoFields({ store, media, errorOf }: MediaFieldsProps) {
  const { video } = useStore(store.$content);
  const uploads = useStore(media.video.$uploads, { ssr: 'initial' });
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, `${video?.id} ${uploads.length}`);
  const error = errorOf('video');
  return (
    <section aria-labelledby="video" className="card flex flex-col gap-4 p-5">
      <h2 id="video" ref={heading} tabIndex={-1} className="text-base font-semibold">
        Video
      </h2>
      {error && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {video ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <p>
              {kindText(video)}
              {video.seconds !== null && `, ${lengthText(video.seconds)} long`}
            </p>
            <Button size="small" variant="quiet" needsScript onClick={() => store.setVideo(null)}>
              Remove the video
            </Button>
          </div>
          <Captions {...{ store, media, errorOf }} />
          <Poster {...{ store, media, errorOf }} />
        </>
      ) : (
        <>
          <Uploads uploads={uploads} onRetry={media.retry} onDrop={(id) => media.video.drop(id)} />
          {uploads.length === 0 && (
            <FilePicker
              label="Video file"
              button="Add a video"
              hint={`Or drop it here. ${acceptedText(TOOL_VIDEOS)}. It needs captions before you can publish it.`}
              accept={TOOL_VIDEOS.types.join()}
              onFiles={(files) => void media.video.add(files)}
            />
          )}
        </>
      )}
    </section>
  );
}

interface UploadsProps {
  uploads: readonly Upload<unknown>[];
  onRetry: () => void;
  onDrop: (id: string) => void;
}

function Uploads({ uploads, onRetry, onDrop }: UploadsProps) {
  if (uploads.length === 0) return null;
  return (
    <ul aria-label="Uploading">
      {uploads.map((upload) => (
        <UploadRow
          key={upload.id}
          upload={upload}
          onRetry={onRetry}
          onDrop={() => onDrop(upload.id)}
        />
      ))}
    </ul>
  );
}

/** Captions from a file, which can be corrected here. */
function Captions({ store, errorOf }: MediaFieldsProps) {
  const { captions, video } = useStore(store.$content);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const text = cleanCaptions(captions);
  const trouble = text === '' ? null : captionsTrouble(text, video?.seconds ?? null);
  const read = async ([file]: File[]) => {
    if (!file) return;
    const found = await readCaptions(file);
    if ('trouble' in found) return setUnreadable(found.trouble);
    setUnreadable(null);
    store.change({ captions: found.text });
  };
  return (
    <div>
      <Field
        as={TextArea}
        label="Captions"
        hint="What’s said and heard, as a WebVTT file (.vtt). It also becomes the transcript below the video."
        rows={6}
        className="font-mono text-xs [&>textarea]:max-h-80"
        maxLength={MOST_CAPTIONS}
        value={captions}
        error={unreadable ?? trouble ?? errorOf('captions')}
        {...enabledWhenReady()}
        onChange={(event) => {
          setUnreadable(null);
          store.change({ captions: event.currentTarget.value });
        }}
      />
      <div className="mt-2 flex flex-wrap items-center gap-3">
        <label htmlFor={id} className="sr-only">
          Captions file
        </label>
        <FileInput
          ref={input}
          id={id}
          accept=".vtt,text/vtt"
          onFiles={(files) => void read(files)}
        />
        <Button size="small" variant="secondary" needsScript onClick={() => input.current?.click()}>
          {text === '' ? 'Choose a captions file' : 'Choose another captions file'}
        </Button>
        <p role="status" className="text-sm text-muted">
          {text !== '' && !trouble && captionsWords(text)}
        </p>
      </div>
    </div>
  );
}

/** "12 captions, until 0:58". */
function captionsWords(text: string): string {
  const cues = captionCues(text);
  const end = cues.at(-1)?.end ?? 0;
  return `${cues.length} ${cues.length === 1 ? 'caption' : 'captions'}, until ${lengthText(end)}`;
}

/** The text of a captions file, or why it can't be one. */
async function readCaptions(file: File): Promise<{ text: string } | { trouble: string }> {
  // A letter has at most four bytes.
  if (file.size > MOST_CAPTIONS * 4) return { trouble: 'This file is too large for captions.' };
  try {
    const bytes = await file.arrayBuffer();
    const text = cleanCaptions(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (text === '') return { trouble: 'This file is empty.' };
    return text.length > MOST_CAPTIONS
      ? { trouble: 'This file is too large for captions.' }
      : { text };
  } catch {
    return { trouble: 'We can’t read this file. Captions are text, saved as a .vtt file.' };
  }
}

/** The picture that a video shows before it's played. */
function Poster({ store, media }: MediaFieldsProps) {
  const { video } = useStore(store.$content);
  const uploads = useStore(media.poster.$uploads, { ssr: 'initial' });
  return (
    <div>
      <h3 className="text-sm font-semibold">Picture shown before it plays (optional)</h3>
      {video?.poster && (
        <div className="mt-2 flex flex-wrap items-center gap-3 text-sm text-muted">
          <p>There’s a picture. You can see it in the preview.</p>
          <Button size="small" variant="quiet" needsScript onClick={() => store.setPoster(null)}>
            Remove the picture
          </Button>
        </div>
      )}
      <div className="mt-2">
        <Uploads uploads={uploads} onRetry={media.retry} onDrop={(id) => media.poster.drop(id)} />
        {uploads.length === 0 && !video?.poster && (
          <FilePicker
            label="Picture for the video"
            button="Add a picture"
            hint={`Or drop it here. ${acceptedText(TOOL_POSTERS)}, as wide as the video.`}
            accept={TOOL_POSTERS.types.join()}
            onFiles={(files) => void media.poster.add(files)}
          />
        )}
      </div>
    </div>
  );
}
