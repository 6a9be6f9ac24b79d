import type { Reader } from '#data/conversations.ts';
import { addToast } from '#stores/toasts.ts';
import { type AskForMenu, type ItemMenu, renderSharedMenu } from '#ui/shared-menu.tsx';
import type { ShownMessage } from '../conversation/shown-messages.ts';
import { DOTS_ACROSS } from '../icons.tsx';

export type Action = 'reply' | 'edit' | 'delete' | 'report';

/** What every message of a thread needs. */
export interface ThreadContext {
  /** Everyone in the conversation, by id. */
  people: ReadonlyMap<string, Reader>;
  timeZone: string;
  /** Sequence number of the message that the reader jumped to; null for none. */
  highlighted: number | null;
  /** Whether the author's name is shown above their messages. */
  hasNames: boolean;
  /** Whether messages can be sent. */
  isOpen: boolean;
  onReach: (id: string) => void;
  onMenu: AskForMenu;
  onAct: (action: Action, message: ShownMessage) => void;
  onJump: (seq: number) => void;
  onRetry: (id: string) => void;
  onDiscard: (id: string) => void;
}

interface ActionsProps {
  message: ShownMessage;
  /** "your message, 3:04 PM" */
  which: string;
  thread: ThreadContext;
  /** Whether its button is the tab stop of all these buttons. */
  isReachable: boolean;
  /** Its menu, if it's open. */
  menu: ItemMenu | null;
}

/** Renders the button of a message's menu, and the menu if it's open. */
export function renderActions({ message, which, thread, isReachable, menu }: ActionsProps) {
  if (message.seq === null || message.removed_at !== null) return <span className="w-9 shrink-0" />;
  return renderSharedMenu({
    name: message.id,
    menu,
    ask: thread.onMenu,
    label: 'Message actions',
    groups: () => actionsOf(message, thread),
    trigger: (
      <button
        type="button"
        aria-label={`Actions for ${which}`}
        data-tooltip="Actions"
        data-actions=""
        tabIndex={isReachable ? 0 : -1}
        onFocus={() => thread.onReach(message.id)}
        className="grid size-9 shrink-0 pointer-coarse:size-11 place-items-center self-center rounded-full text-muted group-hover/item:opacity-100 hover:bg-raised hover:text-ink focus-visible:opacity-100 aria-expanded:opacity-100 pointer-fine:opacity-0"
      >
        {DOTS_ACROSS}
      </button>
    ),
  });
}

function actionsOf(message: ShownMessage, { isOpen, onAct }: ThreadContext) {
  const { body, mine } = message;
  const item = (action: Action, label: string, danger = false) => ({
    key: action,
    label,
    danger,
    onSelect: () => onAct(action, message),
  });
  return [
    [
      ...(isOpen ? [item('reply', 'Reply')] : []),
      ...(body ? [{ key: 'copy', label: 'Copy text', onSelect: () => void copy(body) }] : []),
      ...(isOpen && mine && body !== null ? [item('edit', 'Edit')] : []),
    ],
    [mine ? item('delete', 'Delete…', true) : item('report', 'Report…', true)],
  ].filter((group) => group.length > 0);
}

async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    addToast({ tone: 'good', title: 'Copied.' });
  } catch {
    addToast({ tone: 'bad', title: 'Your browser blocked copying.' });
  }
}
