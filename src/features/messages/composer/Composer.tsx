import { useStore } from '@nanostores/react';
import { Paperclip, SendHorizontal, X } from 'lucide-react';
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Reader } from '#data/conversations.ts';
import { lettersOf, MESSAGE_LENGTH } from '#data/messages.ts';
import { displayName, FORMER_ACCOUNT } from '#domain/message.ts';
import { FILES_TAKEN } from '#lib/files/file-kind.ts';
import { isWaiting } from '#lib/files/uploads.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { inputLook } from '#ui/forms/inputs.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';
import type { ConversationStore, ShownMessage } from '../thread/conversation.ts';
import { AttachmentList } from './AttachmentList.tsx';
import type { AttachmentStore } from './attachment-store.ts';

export interface ComposerHandle {
  focus: () => void;
  addFiles: (files: readonly File[]) => void;
  /** Whether other words may take the place of those in the field; where not, it says so there. */
  isFree: () => boolean;
}

interface ComposerProps {
  store: ConversationStore;
  attachments: AttachmentStore;
  /** The message whose words are being changed; null while a new one is written. */
  editing: ShownMessage | null;
  onEdit: (message: ShownMessage | null) => void;
  people: readonly Reader[];
  handle: Ref<ComposerHandle>;
}

/** From here on it is said how many letters are left. */
const SAY_FROM = 4_500;

/** Where a finger types, the key for a new line makes one; elsewhere it sends. */
const isTouch = () => matchMedia('(pointer: coarse)').matches;

/** What is being written: a new message, or other words for one of one's own. */
export function Composer(props: ComposerProps) {
  const { store, attachments, editing, onEdit, people, handle } = props;
  const id = useId();
  const ready = useReady();
  const input = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const draft = useStore(store.$draft);
  const chosen = useStore(attachments.$attachments);
  const problem = useStore(attachments.$problem);
  const [words, setWords] = useState('');
  const [note, setNote] = useState<string | null>(null);
  const [waiting, setWaiting] = useState(false);
  const [changedOne, setChangedOne] = useState(false);
  const text = editing ? words : draft.text;
  const letters = text.length >= SAY_FROM ? lettersOf(text) : 0;
  const over = letters - MESSAGE_LENGTH;

  useFocusBack(input, chosen.length);
  useEffect(() => attachments.open(), [attachments]);
  useEffect(() => whenBack(attachments.retry), [attachments]);
  // The words of the message take the place of the draft, which waits.
  useLayoutEffect(() => {
    if (!editing) return;
    setWords(editing.body ?? '');
    input.current?.focus();
  }, [editing]);

  const changed = editing !== null && words !== (editing.body ?? '');
  // Half a file cannot be kept.
  const unsaved = changed || chosen.some(isWaiting);
  useUnsaved(unsaved);
  useLeaveGuard(unsaved);
  useImperativeHandle(handle, () => ({
    focus: () => input.current?.focus(),
    addFiles: (files) => void attachments.add(files),
    isFree() {
      if (changed) setNote('Save this change first, or leave it as it was.');
      return !changed;
    },
  }));

  function type(value: string) {
    setNote(null);
    setChangedOne(false);
    if (editing) setWords(value);
    else store.write(value);
  }

  function leaveEditing() {
    onEdit(null);
    setNote(null);
    goOnHere();
  }

  /** The field has the focus again, unless the person has gone elsewhere while they waited. */
  function goOnHere() {
    const at = document.activeElement;
    if (at === document.body || input.current?.form?.contains(at)) input.current?.focus();
  }

  async function save(message: ShownMessage) {
    const body = words.trim();
    if (body === '' && message.files.length === 0) {
      setNote('Write a few words, or delete the message.');
      return;
    }
    // As it is now: an earlier try may have been stored, whatever was heard of it.
    const stored = store.$messages.get().find(({ id: each }) => each === message.id);
    if (body === stored?.body) return leaveEditing();
    setWaiting(true);
    const saved = await store.edit(message.id, body);
    setWaiting(false);
    // What was typed meanwhile is not saved yet.
    if (!saved || input.current?.value.trim() !== body) return;
    leaveEditing();
    setChangedOne(true);
  }

  async function send() {
    if (waiting) return;
    if (over > 0) {
      setNote(`This is ${over} letters too long. Send it in two messages, or as a file.`);
      return;
    }
    if (editing) return save(editing);
    if (draft.text.trim() === '' && chosen.length === 0) return;
    setWaiting(true);
    const files = await attachments.settled();
    setWaiting(false);
    if (files === null) {
      setNote('One of the files has not arrived. Try it again, or take it out.');
      return;
    }
    store.send(files);
    attachments.clear();
    setNote(null);
    goOnHere();
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey && !isTouch()) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape') {
      if (editing) leaveEditing();
      else if (draft.replyTo) store.reply(null);
    } else if (event.key === 'ArrowUp' && text === '' && !editing) {
      const last = store.$messages
        .get()
        .findLast(({ mine, seq, body }) => mine && seq !== null && body);
      if (!last) return;
      event.preventDefault();
      onEdit(last);
    }
  }

  const replyTo = editing ? null : draft.replyTo;
  const answered = replyTo && people.find((person) => person.id === replyTo.author_id);
  const trouble = note ?? problem;
  return (
    <form
      method="post"
      className="border-t border-line bg-surface px-3 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-4 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div role="status">
        {replyTo && (
          <Bar
            title={`Answer to ${answered ? displayName(answered.name) : FORMER_ACCOUNT}`}
            text={replyTo.removed ? 'This message was deleted.' : replyTo.excerpt || 'A file'}
            label="Do not answer to it"
            onClose={() => {
              store.reply(null);
              input.current?.focus();
            }}
          />
        )}
        {editing && (
          <Bar
            title="Change your message"
            text={editing.body ?? ''}
            label="Leave it as it was"
            onClose={leaveEditing}
          />
        )}
        <p className="sr-only">
          {changedOne && 'Changed. '}
          {!editing &&
            chosen.length > 0 &&
            `${chosen.length} ${chosen.length === 1 ? 'file goes' : 'files go'} with it.`}
        </p>
      </div>
      {!editing && chosen.length > 0 && <AttachmentList store={attachments} attachments={chosen} />}
      <div className="flex items-end gap-1.5">
        <input
          ref={picker}
          id={`${id}-files`}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            // The same file may be chosen again after it was refused.
            target.value = '';
            void attachments.add(files);
          }}
        />
        {!editing && (
          <IconButton
            label="Add files"
            tip={`Add files: ${FILES_TAKEN}`}
            disabled={!ready}
            className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink disabled:opacity-55"
            onClick={() => picker.current?.click()}
          >
            <Paperclip className="size-5" aria-hidden="true" />
          </IconButton>
        )}
        <label htmlFor={id} className="sr-only">
          {editing ? 'Your message' : 'Message'}
        </label>
        <textarea
          ref={input}
          id={id}
          rows={1}
          placeholder="Write a message"
          aria-describedby={classNames(`${id}-left`, trouble && `${id}-note`)}
          aria-invalid={over > 0 || undefined}
          value={text}
          onChange={({ target }) => type(target.value)}
          onKeyDown={press}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0) return;
            event.preventDefault();
            void attachments.add(files);
          }}
          className={classNames(
            inputLook,
            'field-sizing-content max-h-40 resize-none leading-normal',
          )}
        />
        <Button type="submit" disabled={!ready} pending={waiting} className="max-sm:px-3">
          {!waiting && <SendHorizontal className="size-4 max-sm:hidden" aria-hidden="true" />}
          {editing ? 'Save' : 'Send'}
        </Button>
      </div>
      <p
        id={`${id}-left`}
        role="status"
        className={classNames('text-xs figures', over > 0 ? 'mt-1 text-danger' : 'text-muted')}
      >
        {letters >= SAY_FROM &&
          (over > 0
            ? `${over} ${over === 1 ? 'letter' : 'letters'} too many`
            : `${-over} ${over === -1 ? 'letter' : 'letters'} left`)}
        {waiting && !editing && chosen.length > 0 && 'It goes out when its files are there.'}
      </p>
      {trouble && (
        <p id={`${id}-note`} role="alert" className="mt-1 text-xs font-medium text-danger">
          {trouble}
        </p>
      )}
      <noscript>
        <p className="mt-1 text-xs text-muted">Writing needs JavaScript; reading does not.</p>
      </noscript>
    </form>
  );
}

/** What the next words belong to, and the way out of it. */
function Bar({
  title,
  text,
  label,
  onClose,
}: {
  title: string;
  text: string;
  label: string;
  onClose: () => void;
}) {
  return (
    <div className="mb-2 flex items-center gap-2 rounded-control border-l-2 border-primary bg-raised py-1 pl-3 text-xs">
      <p className="min-w-0 grow">
        <span className="block font-semibold">{title}</span>
        <span className="block truncate text-muted">{text}</span>
      </p>
      <IconButton
        label={label}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:text-ink"
        onClick={onClose}
      >
        <X className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
