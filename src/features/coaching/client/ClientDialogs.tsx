/** The dialogs of a client's page. Each is a form that's open until it's stored or closed. */
import { useState } from 'react';
import * as v from 'valibot';
import { completeCoaching, declineClient, logContact, markUnreachable } from '#data/coach-steps.ts';
import { pauseCoaching } from '#data/coaching.ts';
import { createCoachingAction } from '#data/coaching-actions.ts';
import { cancelSession, type Session } from '#data/coaching-sessions.ts';
import {
  CONTACT_CHANNEL_LABELS,
  CONTACT_CHANNELS,
  STEP_LENGTHS,
  UNREACHABLE_AFTER,
} from '#domain/engagement-text.ts';
import { SESSION_LENGTHS } from '#domain/session.ts';
import { ACTION_DOERS } from '#domain/session-values.ts';
import { addDays, sessionText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { idsByWords } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Failure } from '#ui/Failure.tsx';
import { Chips } from '#ui/forms/Chips.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { dayOfReader } from '../when.ts';
import type { Asked } from './asked.ts';
import { type DialogDeps, nameOf } from './dialog-deps.ts';
import { RecommendDialog } from './RecommendDialog.tsx';

export function ClientDialog({ asked, ...deps }: DialogDeps & { asked: Asked }) {
  switch (asked.what) {
    case 'decline':
      return <DeclineDialog {...deps} />;
    case 'contact':
      return <ContactDialog {...deps} />;
    case 'pause':
      return <PauseDialog {...deps} />;
    case 'complete':
      return <CompleteDialog {...deps} />;
    case 'unreachable':
      return <UnreachableDialog {...deps} />;
    case 'action':
      return <ActionDialog {...deps} />;
    case 'recommend':
      return <RecommendDialog {...deps} />;
    case 'cancel':
      return <CancelDialog {...deps} session={asked.session} />;
    default:
      return null;
  }
}

const text = (most: number, missing: string) =>
  v.pipe(textUpTo(most, `Keep it to ${wholeText(most)} characters.`), v.minLength(1, missing));

function DeclineDialog({ client, take, onClose }: DialogDeps) {
  const fields = useSchemaForm<{ reason: string }>(
    v.object({ reason: text(STEP_LENGTHS.reason, 'Say why, so that we find the right person.') }),
    async ({ reason }) => {
      // They're no longer the coach then, so this leaves the page.
      await take((db) => declineClient(db, client.id, reason));
    },
    { defaults: { reason: '' } },
  );
  return (
    <FormDialog
      fields={fields}
      danger
      title={`Decline ${client.business_name}?`}
      description="We’ll ask someone else. Only staff read the reason; the owner doesn’t."
      action="Decline"
      onClose={onClose}
    >
      <Field label="Why" as={TextArea} rows={3} {...fields.field('reason')} />
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}

const contactSchema = v.object({
  channel: v.picklist(CONTACT_CHANNELS),
  reached: v.boolean(),
  note: textUpTo(STEP_LENGTHS.contactNote),
});
type ContactInput = v.InferOutput<typeof contactSchema>;

function ContactDialog({ client, take, onDone, onClose }: DialogDeps) {
  const [idOf] = useState(idsByWords);
  const fields = useSchemaForm<ContactInput>(
    contactSchema,
    async (input) => {
      await take((db) => logContact(db, { id: idOf(input), engagementId: client.id, ...input }));
      onDone('Logged.');
    },
    { defaults: { channel: 'phone', reached: true, note: '' } },
  );
  const { form } = fields;
  const name = nameOf(client);
  return (
    <FormDialog
      fields={fields}
      title="Log a contact"
      description={`That you tried to reach ${name} just now. Only you and the admins read this.`}
      action="Log it"
      onClose={onClose}
    >
      <Chips
        legend="How"
        options={CONTACT_CHANNELS.map((each) => [each, CONTACT_CHANNEL_LABELS[each]] as const)}
        chosen={form.watch('channel')}
        onChoose={(channel) => form.setValue('channel', channel, { shouldDirty: true })}
      />
      <Chips
        legend="What came of it"
        options={[
          ['yes', `Reached ${name}`],
          ['no', 'No answer'],
        ]}
        chosen={form.watch('reached') ? 'yes' : 'no'}
        onChoose={(value) => form.setValue('reached', value === 'yes', { shouldDirty: true })}
      />
      <Field label="Note" optional as={TextArea} rows={2} {...fields.field('note')} />
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}

function PauseDialog({ client, reader, take, onDone, onClose }: DialogDeps) {
  const today = dayOfReader(reader);
  const fields = useSchemaForm<{ resumeOn: string; reason: string }>(
    v.object({
      resumeOn: v.pipe(
        v.string(),
        v.check((day) => day > today, 'Choose a day from tomorrow on.'),
      ),
      reason: textUpTo(STEP_LENGTHS.reason),
    }),
    async ({ resumeOn, reason }) => {
      await take((db) => pauseCoaching(db, client.id, resumeOn, reason));
      onDone('Paused.');
    },
    { defaults: { resumeOn: addDays(today, 28), reason: '' } },
  );
  return (
    <FormDialog
      fields={fields}
      title="Pause coaching"
      description={`${nameOf(client)} gets a notification. You both can pick it up again at any time.`}
      action="Pause it"
      onClose={onClose}
    >
      <Field
        label="Pick it up again on"
        type="date"
        min={addDays(today, 1)}
        {...fields.field('resumeOn')}
      />
      <Field label="Why" optional as={TextArea} rows={2} {...fields.field('reason')} />
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}

function CompleteDialog({ client, take, onDone, onClose }: DialogDeps) {
  const fields = useSchemaForm<{ summary: string }>(
    v.object({
      summary: text(STEP_LENGTHS.closingSummary, 'Write a few sentences about what came of it.'),
    }),
    async ({ summary }) => {
      await take((db) => completeCoaching(db, client.id, summary));
      onDone('Completed.');
    },
    { defaults: { summary: '' }, guarded: true },
  );
  const name = nameOf(client);
  return (
    <FormDialog
      fields={fields}
      firm={fields.form.formState.isDirty}
      title="Complete coaching"
      description={`${name} reads the summary and is asked how it was. You both can pick it up again within 90 days.`}
      action="Complete it"
      onClose={onClose}
    >
      <Field
        label="Closing summary"
        hint="What changed, what to keep doing, and what to look at next."
        as={TextArea}
        rows={6}
        {...fields.field('summary')}
      />
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}

function UnreachableDialog({ client, take, onDone, onClose }: DialogDeps) {
  const fields = useSchemaForm<Record<string, never>>(
    v.object({}),
    async () => {
      await take((db) => markUnreachable(db, client.id));
      onDone('Marked as unreachable.');
    },
    { defaults: {} },
  );
  const { attempts, days } = UNREACHABLE_AFTER;
  return (
    <FormDialog
      fields={fields}
      danger
      title={`Mark ${nameOf(client)} as unreachable?`}
      description={`You’ve tried at least ${attempts} times over ${days} days. Coaching closes for now, and opens again as soon as they reply.`}
      action="Mark as unreachable"
      onClose={onClose}
    >
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}

const actionSchema = v.object({
  body: text(SESSION_LENGTHS.action, 'Write what’s to be done.'),
  doer: v.picklist(ACTION_DOERS),
  dueOn: v.string(),
  area: v.string(),
});
type ActionInput = v.InferOutput<typeof actionSchema>;

function ActionDialog({ client, reader, take, onDone, onClose }: DialogDeps) {
  const [idOf] = useState(idsByWords);
  const today = dayOfReader(reader);
  const fields = useSchemaForm<ActionInput>(
    actionSchema,
    async (input) => {
      const { body, doer, dueOn, area } = input;
      await take((db) =>
        createCoachingAction(db, {
          id: idOf(input),
          engagementId: client.id,
          body,
          doer,
          dueOn: dueOn || null,
          areaKey: area || null,
        }),
      );
      onDone('Added.');
    },
    { defaults: { body: '', doer: 'owner', dueOn: addDays(today, 14), area: '' } },
  );
  const { form, field } = fields;
  return (
    <FormDialog
      fields={fields}
      firm={form.formState.isDirty}
      title="Add an action"
      description={`${nameOf(client)} sees it among their actions.`}
      action="Add it"
      onClose={onClose}
    >
      <Field label="What’s to be done" as={TextArea} rows={2} {...field('body')} />
      <Chips
        legend="Who does it"
        options={[
          ['owner', nameOf(client)],
          ['coach', 'You'],
        ]}
        chosen={form.watch('doer')}
        onChoose={(doer) => form.setValue('doer', doer, { shouldDirty: true })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="By when" optional type="date" min={today} {...field('dueOn')} />
        <Field
          label="Skill"
          optional
          as={Select}
          placeholder="None"
          options={client.skill_areas.map(({ key, name }) => ({ value: key, label: name }))}
          {...field('area')}
        />
      </div>
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}

function CancelDialog(props: DialogDeps & { session: Session }) {
  const { client, reader, session, take, onDone, onClose } = props;
  const fields = useSchemaForm<{ reason: string }>(
    v.object({ reason: textUpTo(SESSION_LENGTHS.cancelReason) }),
    async ({ reason }) => {
      await take((db) => cancelSession(db, session.id, reason));
      onDone('Canceled.');
    },
    { defaults: { reason: '' } },
  );
  const when = sessionText(session.starts_at, reader.timeZone, dayOfReader(reader));
  return (
    <FormDialog
      fields={fields}
      danger
      cancel="Keep it"
      title={`Cancel the session, ${when}?`}
      description={`${nameOf(client)} gets a notification. A canceled session uses none of theirs.`}
      action="Cancel the session"
      onClose={onClose}
    >
      <Field
        label="Why"
        optional
        hint={`${nameOf(client)} reads it.`}
        as={TextArea}
        rows={2}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}
