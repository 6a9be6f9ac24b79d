import type { ConversationView } from '#data/conversations.ts';
import { db } from '#lib/db.ts';
import { holdFront } from '#stores/front.ts';
import { openLive } from '#stores/live.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast } from '#stores/toasts.ts';
import { setUnread } from '#stores/unread.ts';
import { pageSync } from '#sync/page-sync.ts';
import { createAttachmentStore } from '../composer/attachment-store.ts';
import { ConversationStore } from './conversation-store.ts';

/** Returns null on the server, and where the browser denies access. */
function localStorageIfAllowed(): Storage | null {
  try {
    return globalThis.window?.localStorage ?? null;
  } catch {
    return null;
  }
}

export function createPageThread(me: string, view: ConversationView) {
  const deps = {
    me,
    db,
    holdFront,
    setUnread: (messages: number) => setUnread({ messages }),
    openLive: () => openLive(me),
    openSync: () => pageSync(me),
    signedOut: sessionEnded,
    showFailure: addFailureToast,
  };
  return {
    store: new ConversationStore(deps, view),
    attachments: createAttachmentStore(
      { db, signedOut: sessionEnded, storage: localStorageIfAllowed() },
      { me, conversationId: view.conversation.id },
    ),
  };
}

export type PageThread = ReturnType<typeof createPageThread>;
