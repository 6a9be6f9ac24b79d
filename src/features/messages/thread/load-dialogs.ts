/** Loads the dialogs of a conversation, which most visits don't need. */
export const loadThreadDialogs = () => import('./ThreadDialogs.tsx');
