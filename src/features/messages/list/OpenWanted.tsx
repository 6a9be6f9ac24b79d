import { useEffect, useRef, useState } from 'react';
import { createConversation } from '#data/conversations.ts';
import { db } from '#lib/db.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routes.ts';
import type { Wanted } from '#lib/write-href.ts';
import { reportError } from '#stores/session.ts';
import { whenBack } from '#stores/when-back.ts';
import { Failure } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';

/** Finds or creates the conversation that a link asked for, and goes there instead of this page. */
export function OpenWanted({ wanted }: { wanted: Wanted }) {
  const [id] = useState(newId);
  const { failure, run } = useAction(reportError);
  const open = () =>
    void run(async () => {
      const found = await createConversation(await db(), id, wanted);
      location.replace(hrefFor('/dashboard/messages/conversations/[id]', { id: found }));
    });
  const latestOpen = useRef(open);
  latestOpen.current = open;
  useEffect(() => latestOpen.current(), []);
  const failed = failure !== null;
  useEffect(() => (failed ? whenBack(() => latestOpen.current()) : undefined), [failed]);
  if (failure) {
    return <Failure failure={failure} onRetry={open} title="The conversation was not opened" />;
  }
  return (
    <p role="status" className="text-sm text-muted">
      Opening the conversation …
    </p>
  );
}
