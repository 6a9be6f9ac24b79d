/** How safe something a person wrote is, in the same words everywhere. */
import { type ReactNode, useEffect, useState } from 'react';
import type { SaveStatus } from '#lib/save-status.ts';
import { Notice } from './Notice.tsx';

/** A field may also be in conflict, or have changed while the person was typing. */
type ShownStatus = SaveStatus | { name: 'conflict' | 'updated' };

const SHORT: Record<ShownStatus['name'], string> = {
  saved: 'Saved',
  saving: 'Saving…',
  offline: 'Not sent yet',
  'memory-only': 'In this tab only',
  'signed-out': 'Not sent yet',
  refused: 'Not saved',
  conflict: 'Not saved',
  updated: 'Changed by someone else',
};

const LONG = {
  offline: 'It’s kept in this browser, and we’ll keep trying to send it.',
  'memory-only': 'Your browser isn’t storing anything. Keep this tab open until it’s sent.',
  'signed-out': 'It’s kept in this browser, and we’ll send it when you sign in again.',
} as const;

const isUnsent = (name: string): name is keyof typeof LONG => name in LONG;

/** In two words; nothing while nothing was touched. */
export function SaveWords({ status }: { status: ShownStatus | null }) {
  return <>{status && SHORT[status.name]}</>;
}

interface SaveNoticeProps {
  status: ShownStatus | null;
  /** Whether `SaveWords` are already next to it. */
  isTitled?: boolean;
  /** What the person can do when they're signed out, if the page doesn't ask on its own. */
  signIn?: ReactNode;
  className?: string;
}

/** Why something isn't safe yet, and what the person can do about it. Empty once it is. */
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
  const title = signedOut ? 'You’re signed out' : SHORT[status.name];
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
  if (status.name === 'refused') return `Not saved: ${status.reason}`;
  return isUnsent(status.name) ? `${SHORT[status.name]}. ${LONG[status.name]}` : 'Sending…';
};

interface PendingStatusProps {
  status: SaveStatus;
  onDiscard: () => void;
}

/** How safe one item of a list is while it hasn't arrived. */
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

/** The same for screen readers, for the whole list: what isn't sent yet, or that it has arrived. */
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
