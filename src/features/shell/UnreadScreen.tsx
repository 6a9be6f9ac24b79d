import { useStore } from '@nanostores/react';
import { countText } from '#lib/browser/unread-title.ts';
import { $unread } from '#stores/unread.ts';
import { classNames } from '#ui/class-names.ts';
import { screen } from '#ui/ScreenBoundary.tsx';

interface UnreadProps {
  /** The number of unread messages when the server rendered the page. */
  initial: number;
  place: 'side' | 'bottom';
}

const PLACES = {
  side: 'ml-auto px-1.5',
  bottom: 'absolute top-1.5 left-1/2 ml-1 px-1',
};

/** The number of unread messages, next to the link that opens them. */
function UnreadScreen({ initial, place }: UnreadProps) {
  const unread = useStore($unread, { ssr: 'initial' }) ?? initial;
  if (unread === 0) return null;
  return (
    <span
      className={classNames(
        'grid h-5 min-w-5 place-items-center rounded-full bg-primary text-[0.75rem] leading-none font-semibold text-primary-ink figures',
        PLACES[place],
      )}
    >
      <span aria-hidden="true">{countText(unread)}</span>
      <span className="sr-only">{countText(unread)} unread</span>
    </span>
  );
}

/** On an error it shows nothing: the link next to the number isn't part of it and still works. */
export default screen(UnreadScreen, () => null);
