/**
 * The icons of the messages, drawn as in Lucide. React goes through one element for each of them; a
 * component of Lucide would add itself and all of its lines.
 */
import { DOTS, LineIcon } from '#ui/LineIcon.tsx';

const icon = (d: string, className: string, width = 2) =>
  LineIcon({ d, box: 24, width, className });

export const ADD_FILES = icon(
  'm16 6-8.414 8.586a2 2 0 0 0 2.829 2.829l8.414-8.586a4 4 0 1 0-5.657-5.657l-8.379 8.551a6 6 0 1 0 8.485 8.485l8.379-8.551',
  'size-5',
);
export const BACK = icon('m12 19-7-7 7-7M19 12H5', 'size-5');
export const DOTS_ACROSS = LineIcon({ d: DOTS, box: 24, width: 4, className: 'size-4' });
export const DOTS_DOWN = LineIcon({
  d: 'M12 5h.01M12 12h.01M12 19h.01',
  box: 24,
  width: 4,
  className: 'size-5',
});
export const MUTED = icon(
  'M10.268 21a2 2 0 0 0 3.464 0M17 17H4a1 1 0 0 1-.74-1.673C4.59 13.956 6 12.499 6 8a6 6 0 0 1 .258-1.742M2 2l20 20M8.668 3.01A6 6 0 0 1 18 8c0 2.687.77 4.653 1.707 6.05',
  'size-3.5 shrink-0 text-muted',
);
export const PROJECT = icon(
  'M4 20h16a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.93a2 2 0 0 1-1.66-.9l-.82-1.2A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13c0 1.1.9 2 2 2ZM8 10v4M12 10v2M16 10v6',
  'size-5',
  1.7,
);
export const REPLY = icon('M20 20v-7a4 4 0 0 0-4-4H4M9 14 4 9l5-5', 'size-3');
export const SEND = icon(
  'M3.714 3.048a.498.498 0 0 0-.683.627l2.843 7.627a2 2 0 0 1 0 1.396l-2.842 7.627a.498.498 0 0 0 .682.627l18-8.5a.5.5 0 0 0 0-.904zM6 12h16',
  'size-4 max-sm:hidden',
);
export const SUPPORT = icon(
  'M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0M8 12a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.93 4.93l4.24 4.24M14.83 9.17l4.24-4.24M14.83 14.83l4.24 4.24M9.17 14.83l-4.24 4.24',
  'size-5',
  1.7,
);
export const WRITE = icon(
  'M12 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-7M18.375 2.625a1 1 0 0 1 3 3l-9.013 9.014a2 2 0 0 1-.853.505l-2.873.84a.5.5 0 0 1-.62-.62l.84-2.873a2 2 0 0 1 .506-.852z',
  'size-4',
);
