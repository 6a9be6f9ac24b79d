import { db } from '#lib/db.ts';
import { openLive } from '#stores/live.ts';
import { sessionEnded } from '#stores/session.ts';
import {
  type ConversationListStore,
  createConversationListStore,
  type ListStart,
} from './list-store.ts';

/** The list of one page. */
export function createPageList(me: string, start: ListStart): ConversationListStore {
  return createConversationListStore(
    { db, me, openLive: () => openLive(me), signedOut: sessionEnded },
    start,
  );
}
