import { type ChangeEvent, useEffect } from 'react';
import * as v from 'valibot';
import {
  answerContactMessage,
  type ContactMessage,
  setContactMessageOutcome,
} from '#data/contacts.ts';
import { MESSAGE_OUTCOME_LABELS } from '#domain/contact.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { TOPICS, type Topic } from '#lib/schemas/contact.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { useAction } from '#ui/use-action.ts';
import { keepAnswerDraft, readAnswerDraft } from './answer-draft.ts';

interface CardProps {
  message: ContactMessage;
  timeZone: string;
  onChange: (message: ContactMessage) => void;
}

const topicOf = (topic: string) => TOPICS[topic as Topic] ?? topic;

/** A message from the contact form: read, answered by email, or marked without an answer. */
export function MessageCard(props: CardProps) {
  const { message, timeZone } = props;
  const { id, topic, body, created_at, from, outcome } = message;
  return (
    <li className="flex flex-col gap-4 card p-5 wrap-anywhere md:p-6">
      <article aria-labelledby={`message-${id}`} className="flex flex-col gap-4">
        <div>
          <h3 id={`message-${id}`} className="text-base">
            {topicOf(topic)}
          </h3>
          <p className="text-sm text-muted">
            {from} · {momentText(created_at, timeZone)}
          </p>
        </div>
        <p className="max-w-[68ch] text-sm whitespace-pre-line">{body}</p>
        {outcome ? <Outcome {...props} outcome={outcome} /> : <AnswerForm {...props} />}
      </article>
    </li>
  );
}

/** What became of it, which can be undone unless an email went out. */
function Outcome(props: CardProps & { outcome: NonNullable<ContactMessage['outcome']> }) {
  const { message, timeZone, onChange, outcome } = props;
  const { id, answer, answered_at, answered_by } = message;
  const { pending, failure, run } = useAction(reportError);
  const undo = () =>
    run(async () => onChange(await setContactMessageOutcome(await db(), id, null)));
  return (
    <div className="flex flex-col gap-3 border-l-2 border-primary pl-4 text-sm">
      <p className="text-muted">
        {MESSAGE_OUTCOME_LABELS[outcome]} · {answered_by ?? 'A deleted account'}
        {answered_at && `, ${momentText(answered_at, timeZone)}`}
      </p>
      {answer && <p className="max-w-[68ch] whitespace-pre-line">{answer}</p>}
      {outcome !== 'replied' && (
        <div>
          <Button size="small" variant="quiet" pending={pending} onClick={() => void undo()}>
            Undo
          </Button>
        </div>
      )}
      <Failure failure={failure} />
    </div>
  );
}

const schema = v.object({
  answer: v.pipe(
    textUpTo(5000, 'Keep it to 5,000 characters.'),
    v.minLength(1, 'Write an answer first.'),
  ),
});

function AnswerForm({ message, onChange }: CardProps) {
  const { id, from } = message;
  const marking = useAction(reportError);
  const { form, field, submit, failure, pending } = useSchemaForm<{ answer: string }>(
    schema,
    async ({ answer }) => {
      const answered = await answerContactMessage(await db(), id, answer);
      keepAnswerDraft(id, '');
      addToast({ tone: 'good', title: `Your answer is on its way to ${from}.` });
      onChange(answered);
    },
    { defaults: { answer: '' }, onError: reportError },
  );
  useEffect(() => {
    const draft = readAnswerDraft(id);
    if (draft && !form.getValues('answer')) form.setValue('answer', draft, { shouldDirty: true });
  }, [id, form]);
  const input = field('answer');

  const mark = (outcome: 'elsewhere' | 'not-needed') =>
    marking.run(async () => onChange(await setContactMessageOutcome(await db(), id, outcome)));

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label="Your answer"
        hint={`Goes to ${from} by email, with their message below it. What you type is kept in this browser until you send it.`}
        as={TextArea}
        rows={5}
        {...input}
        onChange={(event: ChangeEvent<HTMLTextAreaElement>) => {
          keepAnswerDraft(id, event.target.value);
          void input.onChange(event);
        }}
      />
      <Failure failure={failure ?? marking.failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" pending={pending} needsScript disabled={marking.pending}>
          Send the answer
        </Button>
        <Button
          size="small"
          variant="quiet"
          needsScript
          disabled={pending || marking.pending}
          onClick={() => void mark('elsewhere')}
        >
          Answered elsewhere
        </Button>
        <Button
          size="small"
          variant="quiet"
          needsScript
          disabled={pending || marking.pending}
          onClick={() => void mark('not-needed')}
        >
          No answer needed
        </Button>
      </div>
    </form>
  );
}
