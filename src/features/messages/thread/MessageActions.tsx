import { Ellipsis } from 'lucide-react';
import { timeText } from '#lib/dates.ts';
import { addToast } from '#stores/toasts.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { useMenu } from '../use-menu.ts';
import type { ShownMessage } from './conversation.ts';

export type Action = 'reply' | 'edit' | 'delete' | 'report';

interface ActionsProps {
  message: ShownMessage;
  /** Whose it is, as it is said. */
  author: string;
  timeZone: string;
  /** Whether anybody can write here. */
  open: boolean;
  /** The one stop of the tab key among all of them. */
  reachable: boolean;
  onReach: (id: string) => void;
  onAct: (action: Action, message: ShownMessage) => void;
}

/** What can be done with a message. The menu is fetched when the first one is opened. */
export function MessageActions(props: ActionsProps) {
  const { message, author, timeZone, open, reachable, onReach, onAct } = props;
  const [Menu, fetchMenu] = useMenu();
  if (message.seq === null || message.removed_at !== null) return <span className="w-9 shrink-0" />;

  const button = (
    <IconButton
      label={`Actions for the message of ${author}, ${timeText(message.sent_at, timeZone)}`}
      tip="Actions"
      data-actions=""
      tabIndex={reachable ? 0 : -1}
      onFocus={() => onReach(message.id)}
      {...(Menu
        ? {}
        : {
            onClick: fetchMenu,
          })}
      aria-haspopup="menu"
      className="grid size-9 shrink-0 pointer-coarse:size-11 place-items-center self-center rounded-full text-muted group-hover/item:opacity-100 hover:bg-raised hover:text-ink focus-visible:opacity-100 aria-expanded:opacity-100 pointer-fine:opacity-0"
    >
      <Ellipsis className="size-4" aria-hidden="true" />
    </IconButton>
  );
  if (!Menu) return button;
  const words = message.body;
  const item = (action: Action, label: string, danger = false) => ({
    ...{ key: action, label, danger },
    onSelect: () => onAct(action, message),
  });
  return (
    <Menu
      trigger={button}
      defaultOpen
      label="What to do with this message"
      groups={[
        [
          ...(open ? [item('reply', 'Reply')] : []),
          ...(words
            ? [{ key: 'copy', label: 'Copy the text', onSelect: () => void copy(words) }]
            : []),
          ...(open && message.mine && words !== null ? [item('edit', 'Edit')] : []),
        ],
        [message.mine ? item('delete', 'Delete …', true) : item('report', 'Report …', true)],
      ].filter((group) => group.length > 0)}
    />
  );
}

async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    addToast({ tone: 'good', title: 'Copied.' });
  } catch {
    addToast({ tone: 'bad', title: 'This browser did not let us copy it.' });
  }
}
