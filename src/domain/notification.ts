/** Notifications: what selects a page of them. */
import { choiceParam, type FilterOf, filterCodec, placeParam } from './list.ts';

export const notificationFilter = filterCodec({
  sort: choiceParam('sort', ['newest'], 'newest'),
  place: placeParam(),
});
export type NotificationFilter = FilterOf<typeof notificationFilter>;
