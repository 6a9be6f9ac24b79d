import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { hrefFor } from '#lib/routing/href.ts';
import { isSessionDraft, sessionKind } from '#sync/kinds/session.ts';
import { pageSync } from '#sync/page-sync.ts';
import { createPendingList } from '#sync/pending-list.ts';
import { Notice } from '#ui/Notice.tsx';
import { SaveWords } from '#ui/SaveStatus.tsx';

export interface UnsentProps {
  userId: string;
  /** Only those of one client; all by default. */
  engagementId?: string;
  /** Called when one of them is stored. */
  onStored: () => void;
}

/** Sessions that are written down only in this browser: unfinished, or not sent yet. */
export function UnsentList({ userId, engagementId, onStored }: UnsentProps) {
  const stored = useRef(onStored);
  stored.current = onStored;
  const [list] = useState(() =>
    createPendingList({
      openSync: () => pageSync(userId),
      kind: sessionKind,
      belongs: (session) => !engagementId || session.engagementId === engagementId,
      onStored: () => stored.current(),
    }),
  );
  const items = useStore(list.$items);
  useEffect(() => list.open(), [list]);
  if (items.length === 0) return null;
  return (
    <Notice
      tone="caution"
      title={items.length === 1 ? 'A session to finish' : 'Sessions to finish'}
    >
      <ul className="flex flex-col gap-1">
        {items.map(({ key, value, status }) => (
          <li key={key} className="flex flex-wrap items-baseline gap-x-3">
            <a
              className="link"
              href={`${hrefFor('/dashboard/coaching/sessions/[id]', { id: key })}?client=${value.engagementId}`}
            >
              {value.business}
            </a>
            <span className="text-xs text-muted">
              {isSessionDraft(status) ? (
                'You’ve started writing it up'
              ) : (
                <SaveWords status={status} />
              )}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
