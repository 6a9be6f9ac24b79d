import { useStore } from '@nanostores/react';
import { useState } from 'react';
import * as v from 'valibot';
import { createMessageReport } from '#data/messages.ts';
import { displayName, REPORT_CHOICES, REPORT_REASONS, type ReportReason } from '#domain/message.ts';
import { db } from '#lib/db.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { newId } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas.ts';
import { addToast } from '#stores/toasts.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { type SchemaForm, useSchemaForm } from '#ui/forms/use-schema-form.ts';
import type { ShownMessage } from './conversation.ts';
import type { ConversationStore } from './conversation-store.ts';

interface DialogProps {
  onClose: () => void;
}

const ROLES = { owner: 'Owner', coach: 'Coach', admin: 'Support' } as const;

interface ConfirmProps extends DialogProps {
  title: string;
  description: string;
  /** The labels of the buttons. */
  cancel: string;
  action: string;
  onConfirm: () => void;
  /** Takes the focus when the dialog has closed; gives whether it did. */
  onClosed?: () => boolean;
}

function ConfirmDialog({ title, description, onClosed, ...rest }: ConfirmProps) {
  return (
    <Dialog
      open
      onOpenChange={rest.onClose}
      title={title}
      description={description}
      onCloseAutoFocus={(event) => {
        if (onClosed?.()) event.preventDefault();
      }}
      footer={
        <>
          <Button variant="secondary" onClick={rest.onClose}>
            {rest.cancel}
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              rest.onConfirm();
              rest.onClose();
            }}
          >
            {rest.action}
          </Button>
        </>
      }
    />
  );
}

interface DeleteProps extends DialogProps {
  onDelete: () => void;
  /** Takes the focus when the dialog, and maybe the message, is gone; gives whether it did. */
  onClosed: () => boolean;
}

/** Asks before an own message is deleted. */
export function DeleteDialog({ onDelete, ...rest }: DeleteProps) {
  return (
    <ConfirmDialog
      title="Delete this message?"
      description="Its words and files go for everyone. A mark stays that says so."
      cancel="Keep it"
      action="Delete"
      onConfirm={onDelete}
      {...rest}
    />
  );
}

/** Asks before a person is blocked. */
export function BlockDialog({
  name,
  onBlock,
  onClose,
}: DialogProps & { name: string; onBlock: () => void }) {
  return (
    <ConfirmDialog
      title={`Block ${name}?`}
      description="Neither of you can write in this conversation any more. They are not told why. You can take it back here."
      cancel="Do not block"
      action="Block"
      onConfirm={onBlock}
      onClose={onClose}
    />
  );
}

/** Everybody who takes part, and who is present. */
export function PeopleDialog({
  store,
  me,
  onClose,
}: DialogProps & { store: ConversationStore; me: string }) {
  const people = useStore(store.data.$people);
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

interface Report {
  reason: ReportReason;
  note: string;
}

const reportSchema = v.object({
  reason: v.picklist(REPORT_REASONS, 'Choose what is wrong with it.'),
  note: textUpTo(1000, 'Keep it to 1,000 letters.'),
});

/** Reports a message. From then on the admins may read the conversation. */
export function ReportDialog({ message, onClose }: DialogProps & { message: ShownMessage }) {
  const [id] = useState(newId);
  const fields = useSchemaForm<Report>(
    reportSchema,
    async ({ reason, note }) => {
      await createMessageReport(await db(), { id, messageId: message.id, reason, note });
      addToast({ tone: 'good', title: 'Reported. An admin will look at it.' });
      onClose();
    },
    { guarded: true, defaults: { note: '' } },
  );
  const { form, submit, errorOf, failure, pending } = fields;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Report this message?"
      description="The admins can then read this conversation, and every such look is on record. The author is not told who reported it."
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Reasons id={`${id}-problem`} fields={fields} />
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

function Reasons({ id, fields }: { id: string; fields: SchemaForm<Report> }) {
  const problem = fields.errorOf('reason');
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={problem ? id : undefined}>
      <legend className="mb-1 text-sm font-semibold">What is wrong with it?</legend>
      {REPORT_REASONS.map((reason) => (
        <label key={reason} className="flex min-h-11 items-center gap-3 text-sm">
          <input
            type="radio"
            value={reason}
            className="size-5 accent-primary"
            {...fields.form.register('reason')}
          />
          {REPORT_CHOICES[reason]}
        </label>
      ))}
      {problem && (
        <p id={id} className="text-xs font-medium text-danger">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
