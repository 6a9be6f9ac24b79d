import { Download, FileText, ImageIcon } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { getMessageFile, getMessageFileLink } from '#data/message-files.ts';
import type { MessageFile } from '#data/messages.ts';
import { db } from '#lib/db.ts';
import { sizeText } from '#lib/files/file-text.ts';
import { reportError } from '#stores/session.ts';
import { addFailureToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { useAnswer } from '#ui/use-answer.ts';

const isPicture = ({ type, width, height }: MessageFile) =>
  type.startsWith('image/') && width !== null && height !== null && width > 0 && height > 0;

/** Downloads a file through a link that's valid for a minute. */
async function saveFile(file: MessageFile): Promise<void> {
  try {
    location.assign(await getMessageFileLink(await db(), file));
  } catch (thrown) {
    const title = `We couldn’t open “${file.name}”`;
    addFailureToast(title, reportError(thrown), () => void saveFile(file));
  }
}

/** Object URLs of the pictures this page has loaded, so scrolling back doesn't reload them. */
const loaded = new Map<string, Promise<string>>();

/** Loads a private picture with the reader's session; returns its object URL. */
function loadPicture(file: MessageFile): Promise<string> {
  const before = loaded.get(file.id);
  if (before) return before;
  const loading = db()
    .then((client) => getMessageFile(client, file))
    .then((blob) => URL.createObjectURL(blob));
  loaded.set(file.id, loading);
  loading.catch(() => loaded.delete(file.id));
  return loading;
}

/** The files of a message: pictures are shown, other files listed. */
export function MessageFiles({ files, after }: { files: readonly MessageFile[]; after: boolean }) {
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  return (
    <div className={classNames('flex flex-col gap-2', after && 'mt-2')}>
      {pictures.map((file) => (
        <Picture key={file.id} file={file} />
      ))}
      {others.length > 0 && (
        <ul aria-label="Files" className="flex flex-col gap-1.5">
          {others.map((file) => (
            <li key={file.id}>
              <button
                type="button"
                className="flex min-h-11 max-w-full items-center gap-2.5 rounded-control bg-raised px-3 py-1.5 text-left hover:bg-line"
                onClick={() => void saveFile(file)}
              >
                <FileText
                  className="size-5 shrink-0 text-muted"
                  strokeWidth={1.7}
                  aria-hidden="true"
                />
                <span className="min-w-0">
                  <span className="sr-only">Download </span>
                  <span className="line-clamp-2 wrap-anywhere">{file.name}</span>
                  <span className="block text-xs text-muted">{sizeText(file.size)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The largest size of a picture in a conversation, in CSS pixels. */
const BOX = { width: 320, height: 280 };

/** A picture, loaded when it scrolls into view and enlarged when it's clicked. */
function Picture({ file }: { file: MessageFile }) {
  const button = useRef<HTMLButtonElement>(null);
  const isVisible = useVisible(button);
  const [isLarge, setLarge] = useState(false);
  const { answer, failure, retry } = useAnswer(
    isVisible ? () => loadPicture(file) : null,
    reportError,
    [file.id, isVisible],
  );
  const scale = Math.min(1, BOX.width / (file.width ?? 1), BOX.height / (file.height ?? 1));
  const width = Math.max(1, Math.round((file.width ?? 1) * scale));
  const height = Math.max(1, Math.round((file.height ?? 1) * scale));
  return (
    <>
      <button
        ref={button}
        type="button"
        className="relative block max-w-full overflow-hidden rounded-control bg-raised"
        onClick={() => (failure ? retry() : setLarge(true))}
      >
        <span className="sr-only">
          {failure ? 'Load the picture again: ' : 'Show the picture '}
        </span>
        {answer ? (
          <img src={answer} width={width} height={height} alt={file.name} className="block" />
        ) : (
          <Placeholder width={width} height={height}>
            {failure ? `${file.name} didn’t load. Try again` : file.name}
          </Placeholder>
        )}
      </button>
      {isLarge && <LargePicture file={file} address={answer} onOpenChange={setLarge} />}
    </>
  );
}

/** Reserves the space of a picture that hasn't loaded, so the layout doesn't shift. */
function Placeholder(props: { width: number; height: number; children: string }) {
  const { width, height, children } = props;
  return (
    <>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="h-auto max-w-full"
        aria-hidden="true"
      />
      <span className="absolute inset-0 grid place-items-center p-2 text-xs text-muted">
        <span className="flex max-w-full items-center gap-2">
          <ImageIcon className="size-4 shrink-0" aria-hidden="true" />
          <span className="line-clamp-2 wrap-anywhere">{children}</span>
        </span>
      </span>
    </>
  );
}

interface LargeProps {
  file: MessageFile;
  address: string | null;
  onOpenChange: (open: boolean) => void;
}

function LargePicture({ file, address, onOpenChange }: LargeProps) {
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={<span className="text-lg wrap-anywhere">{file.name}</span>}
      description={sizeText(file.size)}
      className="sm:w-[min(64rem,calc(100vw-2rem))]!"
      footer={
        <Button variant="secondary" onClick={() => void saveFile(file)}>
          <Download className="size-4" aria-hidden="true" />
          Download
        </Button>
      }
    >
      {address && (
        <img
          src={address}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          alt={file.name}
          className="mx-auto max-h-[70dvh] w-auto rounded-control object-contain"
        />
      )}
    </Dialog>
  );
}

/** Whether an element has been in view, or within 300 px of it. */
function useVisible(target: RefObject<HTMLElement | null>): boolean {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setVisible(true);
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [target]);
  return isVisible;
}
