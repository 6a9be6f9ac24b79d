import type { ConversationView } from '#data/conversations.ts';
import { db } from '#lib/db.ts';
import { openLive } from '#stores/live.ts';
import { holdFront } from '#stores/notices.ts';
import { sessionEnded } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { setUnread } from '#stores/unread.ts';
import { pageSync } from '#sync/page-sync.ts';
import {
  type AttachmentStore,
  createAttachmentStore,
  measurePicture,
} from '../composer/attachment-store.ts';
import type { ConversationDeps } from './conversation.ts';
import { ConversationStore } from './conversation-store.ts';

export interface PageThread {
  store: ConversationStore;
  attachments: AttachmentStore;
}

/** Gives null on the server, and where the browser denies it. */
function localStorageIfAllowed(): Storage | null {
  try {
    return globalThis.window?.localStorage ?? null;
  } catch {
    return null;
  }
}

/** Makes the stores of one page. */
export function createPageThread(me: string, view: ConversationView): PageThread {
  const deps: ConversationDeps = {
    me,
    db,
    holdFront,
    setUnread,
    openLive: () => openLive(me),
    openSync: () => pageSync(me),
    signedOut: sessionEnded,
    showFailure: (title, error, retry) =>
      addToast({
        tone: 'bad',
        title,
        text: error.message,
        action: { label: 'Try again', onPress: retry },
      }),
  };
  return {
    store: new ConversationStore(deps, view),
    attachments: createAttachmentStore(
      { db, signedOut: sessionEnded, storage: localStorageIfAllowed(), measure: measurePicture },
      { me, conversationId: view.conversation.id },
    ),
  };
}
