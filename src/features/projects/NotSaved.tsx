import { useEffect, useRef } from 'react';
import type { AppError } from '#lib/errors.ts';
import { whenBack } from '#stores/when-back.ts';
import { Notice } from '#ui/Notice.tsx';

interface NotSavedProps {
  /** Why the form wasn't sent; null if nothing has failed. */
  failure: AppError | null;
  send: () => void;
}

/** Says why a form wasn't sent, and resends it once the connection or the session is back. */
export function NotSaved({ failure, send }: NotSavedProps) {
  const latest = useRef(send);
  latest.current = send;
  const waits = failure?.kind === 'network' || failure?.kind === 'signed-out';
  useEffect(() => (waits ? whenBack(() => latest.current()) : undefined), [waits]);
  if (!failure) return null;
  return (
    <Notice tone={waits ? 'caution' : 'danger'} live="assertive" title="Not saved yet">
      {wordsOf(failure)}
    </Notice>
  );
}

function wordsOf(error: AppError): string {
  if (error.kind === 'network') {
    return navigator.onLine
      ? `${error.message} What you wrote is still here.`
      : 'You’re offline. What you wrote is still here, and we’ll send it when you’re back online.';
  }
  if (error.kind === 'signed-out') {
    return 'You’ve been signed out. What you wrote is still here, and we’ll send it once you sign in.';
  }
  return error.message;
}
