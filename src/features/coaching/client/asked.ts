/** The dialogs of a client's page, of which at most one is open. */
import type { Session } from '#data/coaching-sessions.ts';

export type Asked =
  | { what: 'decline' | 'contact' | 'pause' | 'complete' | 'unreachable' | 'action' | 'recommend' }
  | { what: 'plan'; moving: Session | null }
  | { what: 'cancel'; session: Session };

/** Loads the dialogs, which a visit needs only once one is opened. */
export const loadClientDialogs = () => import('./ClientDialogs.tsx');
export const loadPlanDialog = () => import('../coach/PlanDialog.tsx');
