import { lazy, Suspense, useRef, useState } from 'react';
import { removeAvatar, saveAvatar } from '#data/avatars.ts';
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
import { useReady } from '#ui/use-ready.ts';
import { pictureProblem } from './picture-file.ts';

/** Loaded when somebody has chosen a picture. */
const CropDialog = lazy(() => import('./CropDialog.tsx'));

interface PictureProps {
  userId: string;
  name: string;
  /** Path in the bucket `avatars`. */
  path: string | null;
}

/** The person's picture: choose one, cut it, see it arrive, or take it away. */
export function PictureEditor({ userId, name, path: initial }: PictureProps) {
  const [path, setPath] = useState(initial);
  const [chosen, setChosen] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [failed, setFailed] = useState<{ error: AppError; picture: Blob } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  useFocusBack(chooser, path);
  const ready = useReady();

  const choose = async (file: File | undefined) => {
    if (!file) return;
    const wrong = await pictureProblem(file);
    setProblem(wrong);
    setFailed(null);
    if (!wrong) setChosen(file);
  };
  const send = async (picture: Blob) => {
    setChosen(null);
    setFailed(null);
    setSent(0);
    try {
      setPath(await saveAvatar(await db(), userId, picture, setSent));
      await accountChanged();
      addToast({ tone: 'good', title: 'Your picture is shown from now on.' });
    } catch (thrown) {
      setFailed({ error: reportError(thrown), picture });
    } finally {
      setSent(null);
    }
  };
  const remove = async () => {
    try {
      await removeAvatar(await db());
      setPath(null);
      await accountChanged();
      addToast({ tone: 'good', title: 'Your picture is taken away.' });
    } catch (thrown) {
      addToast({ tone: 'bad', title: 'It is still there', text: reportError(thrown).message });
    }
  };
  return (
    <div className="mt-4 flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar key={path} name={name} src={avatarSrc(path)} size={48} />
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="sr-only"
          tabIndex={-1}
          aria-label="Picture file"
          onChange={(event) => {
            void choose(event.currentTarget.files?.[0]);
            // The same file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
        <Button
          ref={chooser}
          variant="secondary"
          disabled={!ready}
          pending={sent !== null}
          onClick={() => input.current?.click()}
        >
          {path ? 'Choose another picture' : 'Choose a picture'}
        </Button>
        {path && (
          <Button variant="quiet" disabled={!ready} onClick={() => void remove()}>
            Take it away
          </Button>
        )}
      </div>
      <p className="text-xs text-muted">
        PNG, JPEG or WebP of up to 15 MB. Your coach and the members of your businesses see it.
      </p>
      {sent !== null && (
        <Progress label="Sending the picture" value={Math.round(sent * 100)} max={100} />
      )}
      {problem && (
        <Notice tone="danger" live="assertive">
          {problem}
        </Notice>
      )}
      {failed && (
        <Notice
          tone="danger"
          live="assertive"
          title="The picture did not arrive"
          action={
            <Button size="small" onClick={() => void send(failed.picture)}>
              Send it again
            </Button>
          }
        >
          {failed.error.message}
        </Notice>
      )}
      {chosen && (
        <Suspense>
          <CropDialog
            file={chosen}
            onDone={(picture) => void send(picture)}
            onCancel={() => setChosen(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
