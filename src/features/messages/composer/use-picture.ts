import { useEffect, useState } from 'react';
import { getMessageFile } from '#data/message-files.ts';
import type { MessageFile } from '#data/messages.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';

/** Pictures that were read on this page: kept until it goes, so that scrolling back asks nothing. */
const read = new Map<string, Promise<string>>();

/** An address of the picture inside this page. */
function addressOf(file: MessageFile): Promise<string> {
  const before = read.get(file.id);
  if (before) return before;
  const reading = db()
    .then((client) => getMessageFile(client, file))
    .then((blob) => URL.createObjectURL(blob));
  read.set(file.id, reading);
  reading.catch(() => read.delete(file.id));
  return reading;
}

interface Shown {
  /** Null until it is there. */
  address: string | null;
  failed: boolean;
  again: () => void;
}

/**
 * Reads a private picture in the name of whoever is signed in.
 * @param wanted whether it should be read by now
 */
export function usePicture(file: MessageFile, wanted: boolean): Shown {
  const [address, setAddress] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const [known] = useState(file);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks the same once more
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    setFailed(false);
    addressOf(known).then(
      (found) => {
        if (!over) setAddress(found);
      },
      (thrown) => {
        reportError(thrown);
        if (!over) setFailed(true);
      },
    );
    return () => {
      over = true;
    };
  }, [known, wanted, tries]);
  return { address, failed, again: () => setTries((count) => count + 1) };
}
