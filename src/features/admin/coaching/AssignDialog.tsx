import { type ChangeEvent, useId } from 'react';
import * as v from 'valibot';
import { type AdminEngagement, assignCoach, type Match } from '#data/admin-engagement.ts';
import { fitReasons, loadText } from '#domain/admin-coaching.ts';
import { db } from '#lib/db.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { type SchemaForm, useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { isHandover, MESSAGE_LENGTH, messageFor, reasonFor } from './assignment.ts';
import type { EngagementNames } from './names.ts';
import { PacketPreview } from './PacketPreview.tsx';

interface AssignProps {
  page: AdminEngagement;
  /** The coach to assign; null lets the admin choose. */
  chosen: Match | null;
  names: EngagementNames;
  /** The admin's IANA time zone and the day there. */
  timeZone: string;
  today: string;
  onClose: () => void;
  onAssigned: (coach: Match) => Promise<void>;
}

const input = v.object({
  coachId: v.pipe(v.string(), v.minLength(1, 'Choose a coach.')),
  reason: v.pipe(
    textUpTo(2000, 'Keep it to 2,000 characters.'),
    v.minLength(3, 'Say why, for the audit log.'),
  ),
  handover: textUpTo(4000, 'Keep it to 4,000 characters.'),
  message: textUpTo(MESSAGE_LENGTH, `Keep it to ${MESSAGE_LENGTH} characters.`),
});
type Input = v.InferOutput<typeof input>;

/** As many coaches to choose from are shown right away. */
const FIRST = 3;

const titleOf = (engagement: AdminEngagement['engagement'], chosen: Match | null) => {
  const business = engagement.business.name;
  const who = chosen ? chosen.name || 'this coach' : null;
  if (isHandover(engagement)) return `Hand ${business} over to ${who ?? 'another coach'}?`;
  return who ? `Ask ${who} to coach ${business}?` : `Ask another coach for ${business}?`;
};

/** The form's words follow the coach that's chosen, until the admin writes their own. */
function useAssigning({ page, chosen, names, onClose, onAssigned }: AssignProps) {
  const { engagement, matches } = page;
  const hasHandover = isHandover(engagement);
  const coachOf = (id: string) => matches.find(({ user_id }) => user_id === id);
  const wordsFor = (match: Match | undefined) => ({
    reason: hasHandover ? '' : reasonFor(match, names),
    message: hasHandover ? messageFor(engagement, match) : '',
  });
  const fields = useSchemaForm<Input>(
    input,
    async ({ coachId, ...words }) => {
      await assignCoach(await db(), { engagementId: engagement.id, coachId, ...words });
      const coach = coachOf(coachId);
      if (coach) await onAssigned(coach);
      onClose();
    },
    {
      guarded: true,
      defaults: { coachId: chosen?.user_id ?? '', handover: '', ...wordsFor(chosen ?? undefined) },
      onError: reportError,
    },
  );
  function choose(id: string) {
    const { dirtyFields } = fields.form.formState;
    const words = wordsFor(coachOf(id));
    if (!dirtyFields.reason) fields.form.resetField('reason', { defaultValue: words.reason });
    if (!dirtyFields.message) fields.form.resetField('message', { defaultValue: words.message });
  }
  return { fields, choose, hasHandover };
}

/** Asks a coach to take a request, or hands an engagement over to another one. */
export function AssignDialog(props: AssignProps) {
  const { page, chosen, onClose } = props;
  const { engagement } = page;
  const { fields, choose, hasHandover } = useAssigning(props);
  const before = engagement.coach?.name ?? 'The coach before';
  return (
    <FormDialog
      title={titleOf(engagement, chosen)}
      description={
        hasHandover
          ? `They take over right away, and ${before} loses access. The owner’s results aren’t shared with them, unless the owner shares them again.`
          : 'They get an email and say yes or no. If they don’t answer in time, the request comes back to you.'
      }
      action={hasHandover ? 'Hand over' : 'Assign'}
      fields={fields}
      onClose={onClose}
      className="sm:w-[min(40rem,calc(100vw-2rem))]"
    >
      {!chosen && <CoachChoice {...props} fields={fields} onChoose={choose} />}
      {hasHandover && <Handover {...props} fields={fields} />}
      <Field
        label="Reason"
        hint="For the history and the audit log. Only staff reads it."
        as={TextArea}
        rows={2}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}

interface PartProps extends AssignProps {
  fields: SchemaForm<Input>;
}

function CoachChoice(props: PartProps & { onChoose: (id: string) => void }) {
  const { page, names, fields, onChoose } = props;
  const id = useId();
  const free = page.matches.filter(({ has_room }) => has_room);
  const error = fields.errorOf('coachId');
  const choice = fields.form.register('coachId');
  const card = (match: Match) => (
    <RadioCard
      key={match.user_id}
      value={match.user_id}
      {...choice}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        onChoose(event.target.value);
        return choice.onChange(event);
      }}
    >
      <span className="block text-sm font-medium">{match.name || 'Unnamed'}</span>
      <span className="block text-xs text-muted">
        {[loadText(match.clients, match.capacity), ...fitReasons(names.fitOf(match))].join(' · ')}
      </span>
    </RadioCard>
  );
  if (free.length === 0) return <p className="text-sm">No other coach has room right now.</p>;
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error ? id : undefined}>
      <legend className="mb-1 text-sm font-semibold">Coach</legend>
      {free.slice(0, FIRST).map(card)}
      {free.length > FIRST && (
        <details>
          <summary className="text-sm">
            {free.length === FIRST + 1 ? 'One more coach' : `${free.length - FIRST} more coaches`}
          </summary>
          <div className="mt-2 flex flex-col gap-2">{free.slice(FIRST).map(card)}</div>
        </details>
      )}
      {error && (
        <p id={id} className="text-xs font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** What goes to the next coach, and to the owner. */
function Handover({ page, names, timeZone, today, fields }: PartProps) {
  return (
    <>
      <details className="rounded-control border border-line bg-raised p-4">
        <summary className="text-sm font-semibold">What the next coach gets</summary>
        <div className="mt-3">
          <PacketPreview packet={page.packet} names={names} timeZone={timeZone} today={today} />
          <p className="mt-3 text-xs text-muted">Nobody’s private notes are in it.</p>
        </div>
      </details>
      <Field
        label="Something to add for the next coach"
        hint="The owner doesn’t see it."
        optional
        as={TextArea}
        rows={2}
        {...fields.field('handover')}
      />
      <Field
        label="Message to the owner"
        hint="In the app and by email, from us."
        as={TextArea}
        rows={6}
        {...fields.field('message')}
      />
    </>
  );
}
