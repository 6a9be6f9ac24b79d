import { countText } from '#lib/browser/unread-title.ts';
import { classNames } from '#ui/class-names.ts';

const PLACES = {
  side: 'ml-auto px-1.5',
  bottom: 'absolute top-1.5 left-1/2 ml-1 px-1',
  bell: 'absolute top-0.5 left-1/2 px-1',
};

/**
 * The number of unread messages or notifications, next to the link that opens them. Layouts draw it
 * on the server only, because a page has several and each island would start React for a single
 * number: lib/browser/unread-marks.ts updates it.
 */
export const UnreadMark = ({ unread, place }: { unread: number; place: keyof typeof PLACES }) => (
  <span
    data-unread
    hidden={unread === 0}
    className={classNames(
      'grid h-5 min-w-5 place-items-center rounded-full bg-primary text-[0.75rem] leading-none font-semibold text-primary-ink figures',
      PLACES[place],
    )}
  >
    <span>{countText(unread)}</span>
    <span className="sr-only"> unread</span>
  </span>
);
