/** The link from a project that a coach recommends to the form that starts it. */
import { hrefFor } from './href.ts';
import { isUuid } from './uuid.ts';

export interface RecommendedProject {
  /** Of the recommendation. */
  id: string;
  title: string;
  engagementId: string;
}

/** The address of the form, filled in: `/dashboard/projects/new?recommended=0198…`. */
export function recommendedHref(
  { id, title, engagementId }: RecommendedProject,
  areaKey: string | null,
): string {
  const query = new URLSearchParams({ recommended: id, title, engagement: engagementId });
  if (areaKey) query.set('area', areaKey);
  return `${hrefFor('/dashboard/projects/new')}?${query}`;
}

/** Reads it from the address; null without one. */
export function recommendedIn(query: URLSearchParams): RecommendedProject | null {
  const read = (name: string) => (query.get(name) ?? '').trim().toWellFormed();
  const [id, title, engagementId] = [read('recommended'), read('title'), read('engagement')];
  return isUuid(id) && title ? { id, title: title.slice(0, 120), engagementId } : null;
}
