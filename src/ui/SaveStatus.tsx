/** How safe something is that a person wrote, in the same words everywhere. */
import { type ReactNode, useEffect, useState } from 'react';
import type { SaveStatus } from '#lib/save-status.ts';
import { Notice } from './Notice.tsx';

/** A field may also be disputed, or have changed under the person's hands. */
type ShownStatus = SaveStatus | { name: 'conflict' | 'updated' };

const SHORT: Record<ShownStatus['name'], string> = {
  saved: 'Saved',
  saving: 'Saving…',
  offline: 'Not sent yet',
  'memory-only': 'In this tab only',
  'signed-out': 'Not sent yet',
  refused: 'Not saved',
  conflict: 'Not saved',
  updated: 'Changed by somebody else',
};

const LONG = {
  offline: 'It’s kept in this browser, and we’ll keep trying to send it.',
  'memory-only': 'Your browser isn’t storing anything. Keep this tab open until it’s sent.',
  'signed-out': 'It’s kept in this browser and goes out when you have signed in again.',
} as const;

const isUnsent = (name: string): name is keyof typeof LONG => name in LONG;

/** In two words; nothing while nothing was touched. */
export function SaveWords({ status }: { status: ShownStatus | null }) {
  return <>{status && SHORT[status.name]}</>;
}

interface SaveNoticeProps {
  status: ShownStatus | null;
  /** Whether `SaveWords` stand beside it already. */
  isTitled?: boolean;
  /** What the person can do where they are signed out, if the page doesn't ask by itself. */
  signIn?: ReactNode;
  className?: string;
}

/** Why something is not safe yet, and what the person can do about it. Nothing while it is. */
export function SaveNotice({ status, isTitled = true, signIn, className = '' }: SaveNoticeProps) {
  if (status?.name === 'refused') {
    return (
      <Notice tone="danger" live="assertive" className={className} title="Not saved">
        {status.reason}
      </Notice>
    );
  }
  if (!status || !isUnsent(status.name)) return null;
  const signedOut = status.name === 'signed-out';
  const title = signedOut ? 'You are signed out' : SHORT[status.name];
  return (
    <Notice
      tone="caution"
      className={className}
      {...(isTitled || signedOut ? { title } : {})}
      {...(signedOut && signIn ? { action: signIn } : {})}
    >
      {LONG[status.name]}
    </Notice>
  );
}

const sentenceOf = (status: SaveStatus): string => {
  if (status.name === 'refused') return `Not stored: ${status.reason}`;
  return isUnsent(status.name) ? `${SHORT[status.name]}. ${LONG[status.name]}` : 'Sending …';
};

interface PendingStatusProps {
  status: SaveStatus;
  onDiscard: () => void;
}

/** How safe one thing of a list is that has not arrived. */
export function PendingStatus({ status, onDiscard }: PendingStatusProps) {
  return (
    <p className="mt-1 text-xs text-muted">
      {status.name === 'refused' ? (
        <>
          <span className="font-medium text-danger">{sentenceOf(status)}</span>{' '}
          <button type="button" className="link" onClick={onDiscard}>
            Remove it here
          </button>
        </>
      ) : (
        sentenceOf(status)
      )}
    </p>
  );
}

/** The same for a screen reader, of the whole list: what is not sent yet, or that it has arrived. */
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
