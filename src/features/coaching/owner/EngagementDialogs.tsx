import * as v from 'valibot';
import { coachName } from '#domain/engagement-text.ts';
import { SESSION_LENGTHS, SESSION_RATINGS } from '#domain/session.ts';
import { addDays, weekdayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import type { CoachingStore, Engagement } from '../coaching-store.ts';
import type { Asking } from './asking.ts';
import type { Reader } from './reader.ts';

interface DialogsProps {
  store: CoachingStore;
  engagement: Engagement;
  asking: Asking;
  reader: Reader;
  onClose: () => void;
}

/** The dialog that's open on the owner's page. */
export function EngagementDialog(props: DialogsProps) {
  const { store, engagement, asking, reader, onClose } = props;
  const name = coachName(engagement);
  switch (asking.kind) {
    case 'pause':
      return <PauseDialog {...props} />;
    case 'action':
      return <ActionDialog {...props} />;
    case 'rate':
      return <RateDialog {...props} sessionId={asking.session.id} />;
    case 'other-coach':
      return (
        <TextDialog
          title="Ask for another coach"
          description={`Our staff read this, and ${name} doesn’t. Until there’s someone else, nothing changes. The next coach starts without access to your results.`}
          label="Why?"
          hint="A sentence is enough. It helps us find someone who fits better."
          action="Ask for another coach"
          required="Say why, so that we can find someone who fits better."
          onSend={(reason) => store.askForOtherCoach(engagement.id, reason)}
          onClose={onClose}
        />
      );
    case 'decline':
      return (
        <TextDialog
          title="None of these works"
          description={`${name.charAt(0).toUpperCase() + name.slice(1)} will offer other times.`}
          label="When would work?"
          hint="Days and times, for example “Tuesdays and Thursdays after 4”."
          action="Ask for other times"
          most={SESSION_LENGTHS.declineNote}
          onSend={(note) => store.declineTimes(asking.offerId, note)}
          onClose={onClose}
        />
      );
    case 'cancel':
      return (
        <TextDialog
          title="Cancel this session?"
          description={`${weekdayText(asking.session.starts_at, reader.timeZone, new Date(reader.now))}. ${cancelNote(asking.session.starts_at, reader.now)}`}
          label="Why?"
          hint={`${name.charAt(0).toUpperCase() + name.slice(1)} reads this.`}
          action="Cancel session"
          danger
          required="Say why. A few words are enough."
          most={SESSION_LENGTHS.cancelReason}
          onSend={(reason) => store.cancelSession(asking.session.id, reason)}
          onClose={onClose}
        />
      );
  }
}

/** A session that's canceled a day ahead doesn't count. */
const cancelNote = (startsAt: string, now: string): string =>
  Date.parse(startsAt) - Date.parse(now) >= 24 * 3_600_000
    ? 'It doesn’t use one of your sessions.'
    : 'It’s less than 24 hours away. Canceling is still better than not coming.';

interface TextDialogProps {
  title: string;
  description: string;
  label: string;
  hint: string;
  action: string;
  danger?: boolean;
  /** What it says if nothing was typed; without it, that's fine. */
  required?: string;
  most?: number;
  onSend: (text: string) => Promise<void>;
  onClose: () => void;
}

function TextDialog({
  label,
  hint,
  required,
  most = 500,
  onSend,
  onClose,
  ...dialog
}: TextDialogProps) {
  const text = v.pipe(
    textUpTo(most, `Keep it to ${wholeText(most)} characters.`),
    v.check((typed) => typed !== '' || required === undefined, required),
  );
  const fields = useSchemaForm<{ text: string }>(
    v.object({ text }),
    async (input) => {
      await onSend(input.text);
      onClose();
    },
    { defaults: { text: '' } },
  );
  return (
    <FormDialog
      {...dialog}
      fields={fields}
      firm={fields.form.formState.isDirty}
      cancel="Back"
      onClose={onClose}
    >
      <Field
        label={label}
        hint={hint}
        optional={required === undefined}
        as={TextArea}
        rows={3}
        {...fields.field('text')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}

const newAction = v.object({
  body: v.pipe(
    textUpTo(SESSION_LENGTHS.action, 'Keep it to 600 characters.'),
    v.minLength(1, 'Say what you’ll do.'),
  ),
  dueOn: v.string(),
});
type NewAction = v.InferOutput<typeof newAction>;

function ActionDialog({ store, engagement, onClose }: DialogsProps) {
  const fields = useSchemaForm<NewAction>(
    newAction,
    async (input) => {
      await store.addAction(engagement.id, input);
      onClose();
    },
    { defaults: { body: '', dueOn: '' } },
  );
  return (
    <FormDialog
      title="Add something you’ll do"
      description={`It shows up here for ${coachName(engagement)} too.`}
      action="Add"
      fields={fields}
      firm={fields.form.formState.isDirty}
      onClose={onClose}
    >
      <Field label="What will you do?" as={TextArea} rows={2} {...fields.field('body')} />
      <Field label="Due" optional type="date" {...fields.field('dueOn')} />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}

/** The usual and the longest pause, in days. */
const PAUSE = { usual: 30, most: 366 };

function PauseDialog({ store, engagement, reader: { today }, onClose }: DialogsProps) {
  const fits = (day: string) => day > today && day <= addDays(today, PAUSE.most);
  const schema = v.object({
    resumeOn: v.pipe(
      v.string(),
      v.check(fits, 'Choose a day between tomorrow and a year from now.'),
    ),
    reason: textUpTo(500, 'Keep it to 500 characters.'),
  });
  const fields = useSchemaForm<v.InferOutput<typeof schema>>(
    schema,
    async ({ resumeOn, reason }) => {
      await store.pause(engagement.id, resumeOn, reason);
      onClose();
    },
    { defaults: { resumeOn: addDays(today, PAUSE.usual), reason: '' } },
  );
  return (
    <FormDialog
      title="Pause coaching"
      description="Your coach keeps your place. On that day we remind you both."
      action="Pause"
      fields={fields}
      firm={fields.form.formState.isDirty}
      onClose={onClose}
    >
      <Field
        label="Pick it up again on"
        type="date"
        min={addDays(today, 1)}
        max={addDays(today, PAUSE.most)}
        {...fields.field('resumeOn')}
      />
      <Field
        label="Why?"
        optional
        hint="Only our staff read this."
        as={TextArea}
        rows={2}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}

const RATINGS = SESSION_RATINGS.map(({ value, label }) => [String(value), label] as const);

const feedback = v.object({
  rating: v.pipe(
    v.string('Choose one of the four.'),
    v.check((value) => RATINGS.some(([each]) => each === value), 'Choose one of the four.'),
  ),
  comment: textUpTo(SESSION_LENGTHS.feedback, 'Keep it to 1,000 characters.'),
});
type Feedback = v.InferOutput<typeof feedback>;

function RateDialog({
  store,
  engagement,
  onClose,
  sessionId,
}: DialogsProps & { sessionId: string }) {
  const said = engagement.feedback.find((each) => each.session_id === sessionId);
  const fields = useSchemaForm<Feedback>(
    feedback,
    async ({ rating, comment }) => {
      await store.rate(sessionId, Number(rating), comment);
      onClose();
    },
    { defaults: { ...(said && { rating: String(said.rating) }), comment: said?.comment ?? '' } },
  );
  const { error: wrong, ...rating } = fields.field('rating');
  return (
    <FormDialog
      title="How did it go?"
      description="Only our staff read your answer. Your coach doesn’t."
      action={said ? 'Save' : 'Send'}
      fields={fields}
      firm={fields.form.formState.isDirty}
      onClose={onClose}
    >
      <RadioList legend="The session was" options={RATINGS} error={wrong} {...rating} />
      <Field
        label="Anything you’d like to add?"
        optional
        as={TextArea}
        rows={3}
        {...fields.field('comment')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
