import { type RefObject, useRef, useState } from 'react';
import { removeAvatar, saveAvatar } from '#data/avatars.ts';
import type { Role } from '#domain/person.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { accountChanged, reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { pictureProblem } from './picture-file.ts';
import { whoSees } from './who-sees.ts';

const loadCropDialog = () => import('./CropDialog.tsx');

interface PictureProps {
  userId: string;
  role: Role;
  name: string;
  /** Path in the bucket `avatars`. */
  path: string | null;
}

/** The stored picture, upload progress, and the last failed upload. */
function usePicture(userId: string, initial: string | null) {
  const [path, setPath] = useState(initial);
  /** From 0 to 1 during an upload; null otherwise. */
  const [progress, setProgress] = useState<number | null>(null);
  const [failed, setFailed] = useState<{ error: AppError; picture: Blob } | null>(null);

  async function send(picture: Blob) {
    setFailed(null);
    setProgress(0);
    try {
      setPath(await saveAvatar(await db(), userId, picture, setProgress));
      await accountChanged();
      addToast({ tone: 'good', title: 'Your photo is now showing.' });
    } catch (thrown) {
      setFailed({ error: reportError(thrown), picture });
    } finally {
      setProgress(null);
    }
  }
  async function remove() {
    try {
      await removeAvatar(await db());
      setPath(null);
      await accountChanged();
      addToast({ tone: 'good', title: 'Photo removed.' });
    } catch (thrown) {
      addToast({ tone: 'bad', title: 'We couldn’t remove it', text: reportError(thrown).message });
    }
  }
  return { path, progress, failed, send, remove, clearFailure: () => setFailed(null) };
}

/** Lets the user choose and crop a picture, follow its upload, or remove it. */
export function PictureEditor({ userId, role, name, path: initial }: PictureProps) {
  const { path, progress, failed, ...picture } = usePicture(userId, initial);
  const [chosen, setChosen] = useState<File | null>(null);
  const crop = useOpenedPart(loadCropDialog, chosen !== null, () => setChosen(null));
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  useFocusBack(chooser, path);

  const choose = async (file: File) => {
    const problem = await pictureProblem(file);
    setProblem(problem);
    picture.clearFailure();
    if (!problem) setChosen(file);
  };
  const send = (cropped: Blob) => {
    setChosen(null);
    void picture.send(cropped);
  };
  return (
    <div className="mt-4 flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar key={path} id={userId} name={name} src={avatarSrc(path)} size={48} />
        <FileInput ref={input} onChoose={(file) => void choose(file)} />
        <Button
          ref={chooser}
          variant="secondary"
          // Clicks replayed after hydration can't open a file dialog, so wait until it's ready.
          needsScript
          pending={progress !== null}
          onClick={() => input.current?.click()}
        >
          {path ? 'Change photo' : 'Choose a photo'}
        </Button>
        {path && (
          <Button variant="quiet" onClick={() => void picture.remove()}>
            Remove photo
          </Button>
        )}
      </div>
      <p className="text-xs text-muted">PNG, JPEG or WebP, up to 15 MB. {whoSees(role, 'photo')}</p>
      {progress !== null && (
        <Progress label="Uploading your photo" value={Math.round(progress * 100)} max={100} />
      )}
      {problem && (
        <Notice tone="danger" live="assertive">
          {problem}
        </Notice>
      )}
      {failed && <SendFailure {...failed} onRetry={send} />}
      {chosen && crop && (
        <crop.CropDialog file={chosen} onDone={send} onCancel={() => setChosen(null)} />
      )}
    </div>
  );
}

interface SendFailureProps {
  error: AppError;
  picture: Blob;
  onRetry: (picture: Blob) => void;
}

const SendFailure = ({ error, picture, onRetry }: SendFailureProps) => (
  <Notice
    tone="danger"
    live="assertive"
    title="The upload didn’t finish"
    action={
      <Button size="small" onClick={() => onRetry(picture)}>
        Try again
      </Button>
    }
  >
    {error.message}
  </Notice>
);

interface FileInputProps {
  ref: RefObject<HTMLInputElement | null>;
  onChoose: (file: File) => void;
}

const FileInput = ({ ref, onChoose }: FileInputProps) => (
  <input
    ref={ref}
    type="file"
    accept="image/png,image/jpeg,image/webp"
    className="sr-only"
    tabIndex={-1}
    aria-label="Photo file"
    onChange={(event) => {
      const file = event.currentTarget.files?.[0];
      if (file) onChoose(file);
      // Otherwise choosing the same file again wouldn't fire `change`.
      event.currentTarget.value = '';
    }}
  />
);
