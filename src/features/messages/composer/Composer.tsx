import { useStore } from '@nanostores/react';
import { X } from 'lucide-react';
import { type RefObject, useId, useRef } from 'react';
import { MESSAGE_LENGTH } from '#data/messages.ts';
import { displayName, FORMER_ACCOUNT } from '#domain/message.ts';
import { FILES_TAKEN, sizeText } from '#lib/files/file-text.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { FileInput } from '#ui/forms/FileInput.tsx';
import { inputLook } from '#ui/forms/inputs.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { Progress } from '#ui/Progress.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import type { Draft } from '../conversation/shown-messages.ts';
import { ADD_FILES, SEND } from '../icons.tsx';
import type { Attachment, AttachmentStore } from './attachment-store.ts';
import {
  type ComposerState,
  countLetters,
  handleComposerKey,
  useComposer,
} from './use-composer.ts';

export function Composer(props: ComposerState) {
  const { attachments, takesFiles, editing } = props;
  const id = useId();
  const problem = useStore(attachments.$problem);
  const composer = useComposer(props);
  const { input, draft, chosen, text, pending } = composer;
  const files = editing ? [] : chosen;
  const letters = countLetters(text);
  const error = composer.note ?? problem;
  return (
    <form
      method="post"
      className="border-t border-line bg-surface px-3 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-4 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        void composer.submit();
      }}
    >
      <Context
        {...props}
        draft={draft}
        files={chosen.length}
        input={input}
        wasEdited={composer.wasEdited}
        onCancel={composer.finish}
      />
      {files.length > 0 && <AttachmentList store={attachments} attachments={files} />}
      <div className="flex items-end gap-1.5">
        {!editing && takesFiles && <FilePicker id={`${id}-files`} attachments={attachments} />}
        <label htmlFor={id} className="sr-only">
          {editing ? 'Your message' : 'Message'}
        </label>
        <textarea
          ref={input}
          id={id}
          rows={1}
          placeholder="Write a message"
          aria-describedby={classNames(`${id}-left`, error && `${id}-note`)}
          aria-invalid={letters > MESSAGE_LENGTH || undefined}
          value={text}
          onChange={({ target }) => composer.type(target.value)}
          onKeyDown={(event) => handleComposerKey(event, props, composer)}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files];
            if (pasted.length === 0 || !takesFiles) return;
            event.preventDefault();
            void attachments.add(pasted);
          }}
          className={`${inputLook} field-sizing-content max-h-40 resize-none leading-normal`}
        />
        <Button type="submit" needsScript pending={pending} className="max-sm:px-3">
          {!pending && SEND}
          {editing ? 'Save' : 'Send'}
        </Button>
      </div>
      <Hints id={id} letters={letters} waits={pending && files.length > 0} error={error} />
    </form>
  );
}

interface ContextProps extends ComposerState {
  draft: Draft;
  /** How many are attached. */
  files: number;
  input: RefObject<HTMLTextAreaElement | null>;
  wasEdited: boolean;
  onCancel: () => void;
}

/** Shows what the text is: a reply or an edit. Screen readers also announce attached files. */
function Context({ store, draft, files, editing, input, ...rest }: ContextProps) {
  const people = useStore(store.data.$people);
  const replyTo = editing ? null : draft.replyTo;
  const author = replyTo && people.find(({ id }) => id === replyTo.author_id);
  return (
    <div role="status">
      {replyTo && (
        <Bar
          title={`Reply to ${author ? displayName(author.name) : FORMER_ACCOUNT}`}
          text={replyTo.removed ? 'This message was deleted.' : replyTo.excerpt || 'A file'}
          label="Cancel reply"
          onClose={() => {
            store.reply(null);
            input.current?.focus();
          }}
        />
      )}
      {editing && (
        <Bar
          title="Edit your message"
          text={editing.body ?? ''}
          label="Cancel edit"
          onClose={rest.onCancel}
        />
      )}
      <p className="sr-only">
        {rest.wasEdited && 'Edited. '}
        {!editing && files > 0 && `${files} ${files === 1 ? 'file' : 'files'} attached.`}
      </p>
    </div>
  );
}

type PickerProps = { id: string; attachments: AttachmentStore };

function FilePicker({ id, attachments }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <FileInput ref={input} id={id} multiple onFiles={(files) => void attachments.add(files)} />
      <IconButton
        label="Add files"
        tip={`Add files: ${FILES_TAKEN}`}
        {...enabledWhenReady()}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink disabled:opacity-55"
        onClick={() => input.current?.click()}
      >
        {ADD_FILES}
      </IconButton>
    </>
  );
}

interface HintsProps {
  id: string;
  /** The character count of a long text; 0 while it's short. */
  letters: number;
  /** Whether sending is waiting for uploads to finish. */
  waits: boolean;
  error: string | null;
}

function Hints({ id, letters, waits, error }: HintsProps) {
  const left = MESSAGE_LENGTH - letters;
  const count = Math.abs(left);
  return (
    <>
      <p
        id={`${id}-left`}
        role="status"
        className={classNames('text-xs figures', left < 0 ? 'mt-1 text-danger' : 'text-muted')}
      >
        {letters > 0 &&
          `${count} ${count === 1 ? 'character' : 'characters'} ${left < 0 ? 'too many' : 'left'}`}
        {waits && 'It’ll send once the files finish uploading.'}
      </p>
      {error && (
        <p id={`${id}-note`} role="alert" className="mt-1 text-xs font-medium text-danger">
          {error}
        </p>
      )}
      <noscript>
        <p className="mt-1 text-xs text-muted">
          Turn on JavaScript to write messages. You can read them without it.
        </p>
      </noscript>
    </>
  );
}

/** The message being replied to or edited, with a Cancel button. */
function Bar(props: { title: string; text: string; label: string; onClose: () => void }) {
  const { title, text, label, onClose } = props;
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

interface ListProps {
  store: AttachmentStore;
  attachments: readonly Attachment[];
}

/** The files of the next message, each with its upload progress. */
function AttachmentList({ store, attachments }: ListProps) {
  return (
    <ul aria-label="Attached files" className="mb-2 flex max-h-44 flex-col gap-1.5 overflow-y-auto">
      {attachments.map((attachment) => (
        <Row key={attachment.id} attachment={attachment} store={store} />
      ))}
    </ul>
  );
}

function Row({ attachment, store }: { attachment: Attachment; store: AttachmentStore }) {
  const { id, name, size, sent, stored, problem } = attachment;
  return (
    <li className="flex items-center gap-2 rounded-control bg-raised py-1 pl-3 text-xs">
      <div className="min-w-0 grow py-1">
        <p className="flex items-baseline gap-2">
          <span className="min-w-0 truncate font-medium">{name}</span>
          <span className="shrink-0 text-muted figures">
            {stored || problem ? sizeText(size) : `${sizeText(sent)} of ${sizeText(size)}`}
          </span>
        </p>
        {problem ? (
          <p role="alert" className="text-danger">
            <span className="sr-only">{name}: </span>
            {problem.text}{' '}
            {problem.again && (
              <button type="button" className="link pointer-coarse:min-h-11" onClick={store.retry}>
                Try again
              </button>
            )}
          </p>
        ) : (
          !stored && (
            <Progress
              className="mt-1 bg-line"
              label={`Uploading ${name}`}
              value={sent}
              max={size}
            />
          )
        )}
      </div>
      <IconButton
        label={`Remove ${name}`}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:text-ink"
        onClick={() => store.remove(id)}
      >
        <X className="size-4" aria-hidden="true" />
      </IconButton>
    </li>
  );
}
