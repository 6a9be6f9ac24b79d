import { useEffect, useRef, useState } from 'react';
import { createConversation } from '#data/conversations.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routes.ts';
import type { Wanted } from '#lib/write-href.ts';
import { reportError } from '#stores/session.ts';
import { whenBack } from '#stores/when-back.ts';
import { Failure } from '#ui/Failure.tsx';

/** Finds or creates the conversation that a link asked for, and goes there instead of this page. */
export function OpenWanted({ wanted }: { wanted: Wanted }) {
  const [failure, setFailure] = useState<AppError | null>(null);
  const [id] = useState(newId);
  const isBusy = useRef(false);
  async function open() {
    if (isBusy.current) return;
    isBusy.current = true;
    setFailure(null);
    try {
      const found = await createConversation(await db(), id, wanted);
      location.replace(hrefFor('/dashboard/messages/conversations/[id]', { id: found }));
    } catch (thrown) {
      setFailure(reportError(thrown));
    } finally {
      isBusy.current = false;
    }
  }
  const latestOpen = useRef(open);
  latestOpen.current = open;
  useEffect(() => {
    void latestOpen.current();
  }, []);
  const failed = failure !== null;
  useEffect(() => (failed ? whenBack(() => void latestOpen.current()) : undefined), [failed]);
  if (!failure) {
    return (
      <p role="status" className="text-sm text-muted">
        Opening the conversation …
      </p>
    );
  }
  return (
    <Failure
      failure={failure}
      onRetry={() => void open()}
      title="The conversation was not opened"
    />
  );
}
