import { useStore } from '@nanostores/react';
import { useState } from 'react';
import * as z from 'zod/mini';
import { createMessageReport } from '#data/messages.ts';
import { displayName, REPORT_CHOICES, REPORT_REASONS, type ReportReason } from '#domain/message.ts';
import { db } from '#lib/db.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { newId } from '#lib/new-id.ts';
import { addToast } from '#stores/toasts.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import type { ConversationStore, ShownMessage } from './conversation.ts';

interface Asking {
  onClose: () => void;
}

const ROLES = { owner: 'Owner', coach: 'Coach', admin: 'Support' } as const;

interface DeleteProps extends Asking {
  onDelete: () => void;
  /** Takes the focus when the dialog is gone, and with it maybe the message; gives whether it did. */
  onClosed: () => boolean;
}

/** Whether one's own message should really go. */
export function DeleteDialog({ onDelete, onClose, onClosed }: DeleteProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete this message?"
      description="Its words and files go for everyone. A mark stays that says so."
      onCloseAutoFocus={(event) => {
        if (onClosed()) event.preventDefault();
      }}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              onDelete();
              onClose();
            }}
          >
            Delete
          </Button>
        </>
      }
    />
  );
}

/** Whether nobody should write here any more, and how to take it back. */
export function BlockDialog({
  name,
  onBlock,
  onClose,
}: Asking & { name: string; onBlock: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Block ${name}?`}
      description="Neither of you can write in this conversation any more. They are not told why. You can take it back here."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Do not block
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              onBlock();
              onClose();
            }}
          >
            Block
          </Button>
        </>
      }
    />
  );
}

/** Everybody who takes part, and who of them is here. */
export function PeopleDialog({
  store,
  me,
  onClose,
}: Asking & { store: ConversationStore; me: string }) {
  const people = useStore(store.$people);
  const present = useStore(store.$present);
  return (
    <Dialog open onOpenChange={onClose} title="Who takes part">
      <ul className="flex flex-col gap-1">
        {people
          .filter(({ left }) => !left)
          .map(({ id, name, avatar_path, role }) => (
            <li key={id} className="flex min-h-12 items-center gap-3">
              <Avatar name={name} src={avatarSrc(avatar_path)} size={40} />
              <span className="min-w-0">
                <span className="block text-sm font-medium wrap-anywhere">
                  {displayName(name)}
                  {id === me && ' (you)'}
                </span>
                <span className="block text-xs text-muted">
                  {ROLES[role]}
                  {id !== me && present.has(id) && ' · active now'}
                </span>
              </span>
            </li>
          ))}
      </ul>
    </Dialog>
  );
}

const reportSchema = z.object({
  reason: z.enum(REPORT_REASONS, 'Choose what is wrong with it.'),
  note: z.string().check(z.trim(), z.maxLength(1000, 'Keep it to 1,000 letters.')),
});

/** What is wrong with a message. From then on the admins may read the conversation. */
export function ReportDialog({ message, onClose }: Asking & { message: ShownMessage }) {
  const [id] = useState(newId);
  const { form, submit, errorOf, failure, pending } = useSchemaForm<{
    reason: ReportReason;
    note: string;
  }>(
    reportSchema,
    async ({ reason, note }) => {
      await createMessageReport(await db(), { id, messageId: message.id, reason, note });
      addToast({ tone: 'good', title: 'Reported. An admin will look at it.' });
      onClose();
    },
    { guarded: true, defaults: { note: '' } },
  );
  const problem = errorOf('reason');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Report this message?"
      description="The admins can then read this conversation, and every such look is on record. The author is not told who reported it."
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <fieldset
          className="flex flex-col gap-1"
          aria-describedby={problem ? `${id}-problem` : undefined}
        >
          <legend className="mb-1 text-sm font-semibold">What is wrong with it?</legend>
          {REPORT_REASONS.map((reason) => (
            <label key={reason} className="flex min-h-11 items-center gap-3 text-sm">
              <input
                type="radio"
                value={reason}
                className="size-5 accent-primary"
                {...form.register('reason')}
              />
              {REPORT_CHOICES[reason]}
            </label>
          ))}
          {problem && (
            <p id={`${id}-problem`} className="text-xs font-medium text-danger">
              {problem}
            </p>
          )}
        </fieldset>
        <Field
          label="What should we know?"
          optional
          as={TextArea}
          rows={3}
          error={errorOf('note')}
          {...form.register('note')}
        />
        <Failure failure={failure} />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" pending={pending}>
            Report
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
