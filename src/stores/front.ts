/** Which conversations a person is looking at, in this tab and in others. */

const frontLock = (conversationId: string) => `trellis-front:${conversationId}`;

/** Conversations in front in this tab. Web Locks tell other tabs, if supported. */
const inFront = new Set<string>();

/** Whether the person is looking at a conversation in this tab. */
export const isInFrontHere = (conversationId: string): boolean => inFront.has(conversationId);

/** Marks a conversation as in front while this tab has focus. Returns the cleanup. */
export function holdFront(conversationId: string): () => void {
  let release = () => {};
  const look = () => {
    release();
    inFront.delete(conversationId);
    release = () => {};
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
    inFront.add(conversationId);
    const held = Promise.withResolvers<void>();
    release = held.resolve;
    void navigator.locks
      ?.request(frontLock(conversationId), { mode: 'shared' }, () => held.promise)
      .catch(() => {});
  };
  look();
  const listening = new AbortController();
  document.addEventListener('visibilitychange', look, listening);
  addEventListener('focus', look, listening);
  addEventListener('blur', look, listening);
  return () => {
    listening.abort();
    inFront.delete(conversationId);
    release();
  };
}

/** Whether the person is looking at a conversation in any tab. */
export async function isInFront(conversationId: string): Promise<boolean> {
  if (isInFrontHere(conversationId)) return true;
  const { held } = (await navigator.locks?.query()) ?? {};
  return (held ?? []).some(({ name }) => name === frontLock(conversationId));
}
