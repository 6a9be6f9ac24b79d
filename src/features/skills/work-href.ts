import { hrefFor } from '#lib/routing/href.ts';

/**
 * The form for a project in an area, filled in with the action for a practice.
 * @param question the key of the practice's question, if there's one to start from
 */
export function workHref(area: string, question: string | undefined): string {
  const query = new URLSearchParams({ area, ...(question ? { action: question } : {}) });
  return `${hrefFor('/dashboard/projects/new')}?${query}`;
}
