/** Whether the user's input is saved, in the same words everywhere. */
import type { ReactNode } from 'react';
import type { SaveStatus } from '#lib/save-status.ts';
import { useSay } from './InLanguage.tsx';
import { Notice } from './Notice.tsx';

/** A field may also be in conflict, or have been updated by someone else while the user typed. */
type ShownStatus = SaveStatus | { name: 'conflict' | 'updated' };

export const SHORT: Record<ShownStatus['name'], string> = {
  saved: 'Saved',
  saving: 'Saving…',
  offline: 'Not sent yet',
  'memory-only': 'In this tab only',
  'signed-out': 'Not sent yet',
  refused: 'Not saved',
  conflict: 'Not saved',
  updated: 'Changed by someone else',
};

export const LONG = {
  offline: 'It’s kept in this browser, and we’ll keep trying to send it.',
  'memory-only': 'Your browser isn’t storing anything. Keep this tab open until it’s sent.',
  'signed-out': 'It’s kept in this browser, and we’ll send it when you sign in again.',
} as const;

export const isUnsent = (name: string): name is keyof typeof LONG => name in LONG;

/** The status in a word or two; nothing until something is edited. */
export function SaveWords({ status }: { status: ShownStatus | null }) {
  const say = useSay();
  return <>{status && say(SHORT[status.name])}</>;
}

interface SaveNoticeProps {
  status: ShownStatus | null;
  /** Whether the notice has its own title; false if `SaveWords` is next to it. */
  isTitled?: boolean;
  /** What the user can do when signed out, if the page itself doesn't ask them to sign in. */
  signIn?: ReactNode;
  className?: string;
}

/** Why something isn't saved yet, and what the user can do about it. Empty once it's saved. */
export function SaveNotice({ status, isTitled = true, signIn, className = '' }: SaveNoticeProps) {
  const say = useSay();
  if (status?.name === 'refused') {
    return (
      <Notice tone="danger" live="assertive" className={className} title={say('Not saved')}>
        {status.reason}
      </Notice>
    );
  }
  if (!status || !isUnsent(status.name)) return null;
  const signedOut = status.name === 'signed-out';
  const title = signedOut ? say('You’re signed out') : say(SHORT[status.name]);
  return (
    <Notice
      tone="caution"
      className={className}
      {...(isTitled || signedOut ? { title } : {})}
      {...(signedOut && signIn ? { action: signIn } : {})}
    >
      {say(LONG[status.name])}
    </Notice>
  );
}
