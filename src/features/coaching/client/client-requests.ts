/** The requests of a client's page, loaded with the first one. */
export { acceptClient } from '#data/coach-steps.ts';
export { reopenCoaching, resumeCoaching } from '#data/coaching.ts';
export { settleCoachingAction } from '#data/coaching-actions.ts';
export { getClient } from '#data/coaching-client.ts';
export { removeSessionOffer } from '#data/coaching-sessions.ts';
export { getProjectFileLink } from '#data/project-files.ts';
