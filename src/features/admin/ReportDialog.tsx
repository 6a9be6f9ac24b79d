import { useStore } from '@nanostores/react';
import * as v from 'valibot';
import type { ReportedConversation } from '#data/message-reports.ts';
import type { ReportOutcome } from '#domain/message-report.ts';
import { momentText } from '#lib/locale/dates.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import type { ReportsStore } from './reports-store.ts';

interface DialogProps {
  store: ReportsStore;
  reading: ReportedConversation;
  timeZone: string;
}

/** Shows the conversation around a reported message, with a form to resolve the report. */
export function ReportDialog({ store, reading, timeZone }: DialogProps) {
  const busy = useStore(store.$busy);
  const { report, more } = reading;
  return (
    <Dialog
      open
      onOpenChange={store.close}
      title="Reported message"
      description="We’ve logged that you opened this report."
      className="sm:w-[min(44rem,calc(100vw-2rem))]!"
    >
      <blockquote className="border-l-2 border-danger pl-4 text-sm whitespace-pre-line wrap-anywhere">
        {report.said || 'A message without text'}
      </blockquote>
      <section aria-labelledby="around" className="flex flex-col gap-3">
        <h3 id="around" className="text-base">
          Before and after
        </h3>
        {more && (
          <div>
            <Button
              size="small"
              variant="secondary"
              pending={busy === 'read'}
              onClick={() => void store.older()}
            >
              Show older messages
            </Button>
          </div>
        )}
        <Messages reading={reading} timeZone={timeZone} />
      </section>
      {report.state === 'open' && <Settle store={store} id={report.id} />}
    </Dialog>
  );
}

function Messages({ reading, timeZone }: Pick<DialogProps, 'reading' | 'timeZone'>) {
  const { report, people, messages } = reading;
  const names = new Map(people.map(({ id, name }) => [id, name]));
  if (messages.length === 0) {
    return <p className="text-sm text-muted">This conversation no longer exists.</p>;
  }
  return (
    <ol className="flex max-h-72 flex-col gap-3 overflow-y-auto rounded-control border border-line p-4">
      {messages.map(({ id, author_id, body, sent_at, removed_at, files }) => (
        <li
          key={id}
          className={classNames(
            'text-sm',
            id === report.message_id && 'rounded-control bg-danger-soft p-2',
          )}
        >
          <p className="text-xs">
            <span className="font-semibold">
              {(author_id && names.get(author_id)) ?? 'Deleted account'}
            </span>{' '}
            · {momentText(sent_at, timeZone)}
          </p>
          <p className="whitespace-pre-line wrap-anywhere">
            {removed_at ? 'This message was deleted.' : body}
          </p>
          {files.length > 0 && (
            <p className="text-xs text-muted">{files.map(({ name }) => name).join(', ')}</p>
          )}
        </li>
      ))}
    </ol>
  );
}

const settleSchema = v.object({
  outcome: v.picklist(['dismissed', 'removed'], 'Choose an outcome.'),
  reason: v.pipe(
    textUpTo(500, 'Keep it to 500 characters.'),
    v.minLength(3, 'Say why, for our records.'),
  ),
});

const OUTCOMES: [ReportOutcome, string][] = [
  ['removed', 'Remove the message'],
  ['dismissed', 'Keep the message'],
];

function Settle({ store, id }: { store: ReportsStore; id: string }) {
  const { form, field, submit, errorOf, failure, pending } = useSchemaForm<{
    outcome: ReportOutcome;
    reason: string;
  }>(
    settleSchema,
    async ({ outcome, reason }) => {
      await store.settle(id, outcome, reason);
      addToast({ tone: 'good', title: 'Resolved. We’ll email the person who reported it.' });
    },
    { guarded: true, defaults: { reason: '' } },
  );
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 border-t border-line pt-4">
      <RadioList
        legend="What should happen?"
        options={OUTCOMES}
        error={errorOf('outcome')}
        {...form.register('outcome')}
      />
      <Field
        label="Reason"
        hint="For our records. Neither person sees it."
        as={TextArea}
        rows={2}
        {...field('reason')}
      />
      <Failure failure={failure} />
      <div className="flex justify-end">
        <Button type="submit" pending={pending}>
          Resolve
        </Button>
      </div>
    </form>
  );
}
