/** The requests of a coach's first page, loaded with the first one. */

export { acceptClient } from '#data/coach-steps.ts';
export { getCoachToday } from '#data/coach-today.ts';
export { resumeCoaching } from '#data/coaching.ts';
