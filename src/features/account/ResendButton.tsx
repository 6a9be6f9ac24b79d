import { useEffect, useState } from 'react';
import { toAppError } from '#lib/errors.ts';
import { Button } from '#ui/Button.tsx';

/** The auth service sends one mail a minute to one address. */
const PAUSE_SECONDS = 60;

interface ResendButtonProps {
  label: string;
  send: () => Promise<void>;
  /** A mail has just gone out, so that the pause runs already. */
  justSent?: boolean;
}

/** Sends a mail again, once a minute, and says how long it is until then. */
export function ResendButton({ label, send, justSent = false }: ResendButtonProps) {
  const [left, setLeft] = useState(justSent ? PAUSE_SECONDS : 0);
  const [pending, setPending] = useState(false);
  const [news, setNews] = useState('');

  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);

  async function press() {
    setPending(true);
    try {
      await send();
      setNews('Sent again.');
      setLeft(PAUSE_SECONDS);
    } catch (thrown) {
      const error = toAppError(thrown);
      setNews(error.message);
      if (error.kind === 'rate-limited') setLeft(PAUSE_SECONDS);
    } finally {
      setPending(false);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" disabled={left > 0} pending={pending} onClick={press}>
        {left > 0 ? `${label} (in ${left} s)` : label}
      </Button>
      <p role="status" className="text-xs text-muted">
        {news}
      </p>
    </div>
  );
}
