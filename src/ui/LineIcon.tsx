import { classNames } from './class-names.ts';

interface LineIconProps {
  /** The line's path data, in a square of `box` units. */
  d: string;
  box?: number;
  width?: number;
  className: string;
}

/**
 * An icon drawn as one line in the current text color: a check mark, a cross. Its path is HTML to
 * React, so that it has one element less to go through for each icon of a list; called as a function,
 * an icon isn't a component either.
 */
export function LineIcon({ d, box = 20, width = 1.8, className }: LineIconProps) {
  return (
    <svg
      viewBox={`0 0 ${box} ${box}`}
      className={classNames('stroke-current', className)}
      fill="none"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: path data from the code
      dangerouslySetInnerHTML={{ __html: `<path d="${d}"></path>` }}
    />
  );
}

/** Path data of three dots, for a `box` of 24. */
export const DOTS = 'M5 12h.01M12 12h.01M19 12h.01';

/** Path data of a check mark, for a `box` of 16. */
export const CHECK = 'm3 8.5 3.2 3.2L13 5';
