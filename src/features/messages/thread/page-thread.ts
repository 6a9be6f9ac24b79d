import type { ConversationView } from '#data/conversations.ts';
import { db } from '#lib/db.ts';
import { sessionEnded } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import {
  type AttachmentStore,
  createAttachmentStore,
  measurePicture,
} from '../composer/attachment-store.ts';
import type { ConversationStore } from './conversation.ts';
import { conversationDeps, createConversationStore } from './conversation-store.ts';

export interface PageThread {
  store: ConversationStore;
  attachments: AttachmentStore;
}

/** None on the server, nor where a browser denies it. */
function allowedStorage(): Storage | null {
  try {
    return globalThis.window?.localStorage ?? null;
  } catch {
    return null;
  }
}

/** The stores of one page. */
export function createPageThread(me: string, view: ConversationView): PageThread {
  const store = createConversationStore(
    {
      ...conversationDeps(me),
      signedOut: sessionEnded,
      failed: (what, error, again) =>
        addToast({
          tone: 'bad',
          title: what,
          text: error.message,
          action: { label: 'Try again', onPress: again },
        }),
    },
    view,
  );
  const attachments = createAttachmentStore(
    { db, signedOut: sessionEnded, storage: allowedStorage(), measure: measurePicture },
    { me, conversationId: view.conversation.id },
  );
  return { store, attachments };
}
