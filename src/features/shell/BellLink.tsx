import { Bell } from 'lucide-react';
import { bellName } from '#lib/browser/unread-title.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { UnreadMark } from './UnreadMark.tsx';

/**
 * The bell: a link to the notifications, with how many are unread. Layouts draw it on the server
 * only; once ShellScreen is there, it opens the newest notifications in place.
 */
export const BellLink = ({ unread }: { unread: number }) => (
  <IconButton
    data-bell
    href="/dashboard/notifications"
    label={bellName(unread)}
    tip="Notifications"
    className="relative flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:bg-raised hover:text-ink aria-expanded:bg-raised"
  >
    <Bell className="size-5" strokeWidth={1.7} aria-hidden="true" />
    <UnreadMark unread={unread} place="bell" />
  </IconButton>
);
