/** The icons of the messages, as elements that are made once. */
import {
  ArrowLeft,
  BellOff,
  CornerUpLeft,
  EllipsisVertical,
  FolderKanban,
  LifeBuoy,
  Paperclip,
  SendHorizontal,
  SquarePen,
} from 'lucide-react';
import { DOTS, LineIcon } from '#ui/LineIcon.tsx';

export const ADD_FILES = <Paperclip className="size-5" aria-hidden="true" />;
export const BACK = <ArrowLeft className="size-5" aria-hidden="true" />;
export const DOTS_ACROSS = LineIcon({ d: DOTS, box: 24, width: 4, className: 'size-4' });
export const DOTS_DOWN = <EllipsisVertical className="size-5" aria-hidden="true" />;
export const MUTED = <BellOff className="size-3.5 shrink-0 text-muted" aria-hidden="true" />;
export const PROJECT = <FolderKanban className="size-5" strokeWidth={1.7} aria-hidden="true" />;
export const REPLY = <CornerUpLeft className="size-3" aria-hidden="true" />;
export const SEND = <SendHorizontal className="size-4 max-sm:hidden" aria-hidden="true" />;
export const SUPPORT = <LifeBuoy className="size-5" strokeWidth={1.7} aria-hidden="true" />;
export const WRITE = <SquarePen className="size-4" aria-hidden="true" />;
