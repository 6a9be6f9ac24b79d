/** Which of an owner's engagements are shown in full, rather than among earlier ones. */
import { isOpenEngagement } from '#domain/engagement.ts';
import type { Engagement } from '../coaching-store.ts';

/**
 * The open ones, and the newest of a business if it ended in a way that says what to do next:
 * completed, out of reach, or not taken on. In the order given, newest first.
 */
export function currentOf<Each extends Pick<Engagement, 'id' | 'business_id' | 'state'>>(
  engagements: readonly Each[],
): Each[] {
  const seen = new Set<string>();
  return engagements.filter((each) => {
    const isNewest = !seen.has(each.business_id);
    seen.add(each.business_id);
    return isOpenEngagement(each) || (isNewest && each.state !== 'withdrawn');
  });
}
