import { useStore } from '@nanostores/react';
import type { ReadableAtom } from 'nanostores';
import { useEffect, useState } from 'react';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';

const WAITING = {
  sent: 'Sending …',
  sending: 'Sending …',
  waiting: 'Not sent yet. It is kept in this browser, and we’ll keep trying to send it.',
  'this-tab':
    'Not sent yet, and this browser keeps nothing. Leave this page open until it is sent.',
  'signed-out': 'Not sent yet. It goes out when you have signed in again.',
} as const;

interface WaitingRoom {
  $fragile: ReadableAtom<boolean>;
  open: () => () => void;
}

/** Follows what waits while the page is open. */
export function useWaitingRoom(room: WaitingRoom): void {
  const fragile = useStore(room.$fragile, { ssr: 'initial' });
  useLeaveGuard(fragile);
  useUnsaved(fragile);
  useEffect(() => room.open(), [room]);
}

interface WaitingStatusProps {
  state: keyof typeof WAITING;
  waiting: readonly { refused: string | undefined }[];
}

/** The same for whoever does not see it: how what waits stands, or that it has arrived. */
export function WaitingStatus({ state, waiting }: WaitingStatusProps) {
  const [begun, setBegun] = useState(false);
  const some = waiting.length > 0;
  const refused = waiting.find((each) => each.refused)?.refused;
  useEffect(() => {
    if (some) setBegun(!refused);
  }, [some, refused]);
  return (
    <p role="status" className="sr-only">
      {refused ? `Not stored: ${refused}` : some ? WAITING[state] : begun && 'Added.'}
    </p>
  );
}

interface WaitingWordsProps {
  state: keyof typeof WAITING;
  /** Why it never arrives. */
  refused: string | undefined;
  onDrop: () => void;
}

/** How something stands that has not arrived. */
export function WaitingWords({ state, refused, onDrop }: WaitingWordsProps) {
  return (
    <p className="mt-1 text-xs text-muted">
      {refused ? (
        <>
          <span className="font-medium text-danger">Not stored: {refused}</span>{' '}
          <button type="button" className="link" onClick={onDrop}>
            Remove it here
          </button>
        </>
      ) : (
        WAITING[state]
      )}
    </p>
  );
}
