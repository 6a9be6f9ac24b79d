import { useEffect, useState } from 'react';
import { getMessageFile } from '#data/message-files.ts';
import type { MessageFile } from '#data/messages.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';

/** Pictures loaded by this page, so that scrolling back loads nothing again. */
const loaded = new Map<string, Promise<string>>();

/** Loads a picture; gives its object URL. */
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

interface PictureState {
  /** Null until it is loaded. */
  address: string | null;
  failed: boolean;
  retry: () => void;
}

/**
 * Loads a private picture with the reader's session.
 * @param wanted whether it should be loaded by now
 */
export function usePicture(file: MessageFile, wanted: boolean): PictureState {
  const [address, setAddress] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const [known] = useState(file);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try loads the same again
  useEffect(() => {
    if (!wanted) return;
    let isOutdated = false;
    setFailed(false);
    loadPicture(known).then(
      (found) => {
        if (!isOutdated) setAddress(found);
      },
      (thrown) => {
        reportError(thrown);
        if (!isOutdated) setFailed(true);
      },
    );
    return () => {
      isOutdated = true;
    };
  }, [known, wanted, tries]);
  return { address, failed, retry: () => setTries((count) => count + 1) };
}
