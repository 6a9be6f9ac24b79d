/** What a dialog on the owner's page asks about. */
import type { Session } from '#data/coaching-sessions.ts';

export type Asking =
  | { kind: 'pause' }
  | { kind: 'other-coach' }
  | { kind: 'action' }
  | { kind: 'decline'; offerId: string }
  | { kind: 'cancel'; session: Session }
  | { kind: 'rate'; session: Session };

/** Loads the dialogs, which most visits don't need. */
export const loadDialogs = () => import('./EngagementDialogs.tsx');
