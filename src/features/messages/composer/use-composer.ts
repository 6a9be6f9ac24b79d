import { useStore } from '@nanostores/react';
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { lettersOf, MESSAGE_LENGTH } from '#data/messages.ts';
import { isWaiting } from '#lib/files/uploads.ts';
import { whenBack } from '#stores/when-back.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenStore } from '#ui/use-open-store.ts';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import type { ShownMessage } from '../conversation/shown-messages.ts';
import type { Attachment, AttachmentStore } from './attachment-store.ts';

export interface ComposerHandle {
  focus: () => void;
  addFiles: (files: readonly File[]) => void;
  /** Whether the text in the field may be replaced; if not, the composer shows why. */
  isFree: () => boolean;
}

export interface ComposerState {
  store: ConversationStore;
  attachments: AttachmentStore;
  /** Whether files can be added right now. */
  takesFiles: boolean;
  /** The message being edited; null while the user writes a new one. */
  editing: ShownMessage | null;
  onEdit: (message: ShownMessage | null) => void;
  handle: Ref<ComposerHandle>;
}

type Outcome = 'done' | 'unchanged' | 'failed' | { note: string };

/** Characters are only counted from this length on. */
export const COUNT_FROM = 4_500;

/** Counts the characters of a text of `COUNT_FROM` or longer; 0 for a shorter one. */
export const countLetters = (text: string) => (text.length >= COUNT_FROM ? lettersOf(text) : 0);

/** The Enter key adds a line on touch screens, and sends everywhere else. */
const isTouch = () => matchMedia('(pointer: coarse)').matches;

/** The state and actions of the composer, for a new message or an edit. */
export function useComposer({ store, attachments, editing, onEdit, handle }: ComposerState) {
  const input = useRef<HTMLTextAreaElement>(null);
  const draft = useStore(store.writing.$draft);
  const [edited, setEdited] = useState('');
  const [note, setNote] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [wasEdited, setWasEdited] = useState(false);
  const text = editing ? edited : draft.text;
  const isChanged = editing !== null && edited !== (editing.body ?? '');
  const chosen = useStore(attachments.$attachments);
  useAttachments(attachments, chosen, input, isChanged);
  // The message's text takes the place of the draft until the edit ends.
  useLayoutEffect(() => {
    if (!editing) return;
    setEdited(editing.body ?? '');
    input.current?.focus();
  }, [editing]);
  useImperativeHandle(handle, () => ({
    focus: () => input.current?.focus(),
    addFiles: (files) => void attachments.add(files),
    isFree() {
      if (isChanged) setNote('Save or cancel your edit first.');
      return !isChanged;
    },
  }));

  function type(value: string) {
    setNote(null);
    setWasEdited(false);
    if (editing) setEdited(value);
    else store.write(value);
  }

  function finish() {
    if (editing) onEdit(null);
    setNote(null);
    focusAgain(input.current);
  }

  async function submit() {
    if (pending) return;
    const over = countLetters(text) - MESSAGE_LENGTH;
    if (over > 0) {
      setNote(
        `This is ${over} characters too long. Split it into two messages, or send it as a file.`,
      );
      return;
    }
    setPending(true);
    const outcome = await (editing ? saveEdit(store, editing, text) : send(store, attachments));
    setPending(false);
    if (typeof outcome === 'object') return setNote(outcome.note);
    // Text typed during the request isn't saved yet.
    const isOutdated = editing && outcome === 'done' && input.current?.value.trim() !== text.trim();
    if (outcome === 'failed' || isOutdated) return;
    finish();
    setWasEdited(editing !== null && outcome === 'done');
  }

  return { input, draft, chosen, text, note, pending, wasEdited, type, finish, submit };
}

async function saveEdit(
  store: ConversationStore,
  { id, files }: ShownMessage,
  text: string,
): Promise<Outcome> {
  const body = text.trim();
  if (body === '' && files.length === 0) {
    return { note: 'Write a few words, or delete the message.' };
  }
  // An earlier attempt may have been saved even though its response was lost.
  const stored = store.$messages.get().find((each) => each.id === id);
  if (body === stored?.body) return 'unchanged';
  return (await store.editing.edit(id, body)) ? 'done' : 'failed';
}

/** Sends the draft once its files are uploaded. */
async function send(store: ConversationStore, attachments: AttachmentStore): Promise<Outcome> {
  const hasFiles = attachments.$attachments.get().length > 0;
  if (store.writing.$draft.get().text.trim() === '' && !hasFiles) return 'failed';
  const files = await attachments.waitUntilStored();
  if (files === null) {
    return { note: 'One of the files didn’t upload. Try it again, or remove it.' };
  }
  store.writing.send(files);
  attachments.clear();
  return 'done';
}

/** Returns the focus to the field, unless the user has focused something else. */
function focusAgain(input: HTMLTextAreaElement | null) {
  const focused = document.activeElement;
  if (focused === document.body || input?.form?.contains(focused)) input?.focus();
}

/** Restores files after a reload, retries failed uploads, and warns before unsaved work is lost. */
function useAttachments(
  attachments: AttachmentStore,
  chosen: readonly Attachment[],
  input: RefObject<HTMLTextAreaElement | null>,
  isChanged: boolean,
) {
  useFocusBack(input, chosen.length);
  useOpenStore(attachments);
  useEffect(() => whenBack(attachments.retry), [attachments]);
  // An unfinished upload doesn't survive leaving the page.
  const unsaved = isChanged || chosen.some(isWaiting);
  useUnsaved(unsaved);
  useLeaveGuard(unsaved);
}

/** Enter sends, Escape cancels, and Up in an empty field edits the user's last message. */
export function handleComposerKey(
  event: KeyboardEvent,
  { store, editing, onEdit }: ComposerState,
  { text, finish, submit }: Pick<ReturnType<typeof useComposer>, 'text' | 'finish' | 'submit'>,
) {
  if (event.nativeEvent.isComposing) return;
  if (event.key === 'Enter' && !event.shiftKey && !isTouch()) {
    event.preventDefault();
    void submit();
  } else if (event.key === 'Escape') {
    if (editing) finish();
    else if (store.writing.$draft.get().replyTo) store.reply(null);
  } else if (event.key === 'ArrowUp' && text === '' && !editing) {
    const last = store.$messages
      .get()
      .findLast(({ mine, seq, body }) => mine && seq !== null && body);
    if (!last) return;
    event.preventDefault();
    onEdit(last);
  }
}
