/** Whether the items of a list are saved, in the words of `SaveStatus.tsx`. */
import { useEffect, useState } from 'react';
import type { SaveStatus } from '#lib/save-status.ts';
import { isUnsent, LONG, SHORT } from './SaveStatus.tsx';

const sentenceOf = (status: SaveStatus): string => {
  if (status.name === 'refused') return `Not saved: ${status.reason}`;
  return isUnsent(status.name) ? `${SHORT[status.name]}. ${LONG[status.name]}` : 'Sending…';
};

interface PendingStatusProps {
  status: SaveStatus;
  onDiscard: () => void;
}

/** The status of one list item that isn't saved yet. */
export function PendingStatus({ status, onDiscard }: PendingStatusProps) {
  return (
    <p className="mt-1 text-xs text-muted">
      {status.name === 'refused' ? (
        <>
          <span className="font-medium text-danger">{sentenceOf(status)}</span>{' '}
          <button type="button" className="link" onClick={onDiscard}>
            Discard it
          </button>
        </>
      ) : (
        sentenceOf(status)
      )}
    </p>
  );
}

/** Announces a list's status to screen readers: what isn't sent yet, or that everything is. */
export function PendingAnnouncement({ items }: { items: readonly { status: SaveStatus }[] }) {
  const [begun, setBegun] = useState(false);
  const refused = items.find(({ status }) => status.name === 'refused');
  const told = refused ?? items[0];
  const some = items.length > 0;
  useEffect(() => {
    if (some) setBegun(refused === undefined);
  }, [some, refused]);
  return (
    <p role="status" className="sr-only">
      {told ? sentenceOf(told.status) : begun && 'Added.'}
    </p>
  );
}
