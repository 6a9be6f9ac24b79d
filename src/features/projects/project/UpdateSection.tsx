import { useStore } from '@nanostores/react';
import { useId, useRef } from 'react';
import * as v from 'valibot';
import type { HistoryEntry, ProjectRight } from '#data/projects.ts';
import { STATUS_LABELS } from '#domain/project.ts';
import { momentText } from '#lib/locale/dates.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { PendingAnnouncement, PendingStatus } from '#ui/PendingStatus.tsx';
import { Still } from '#ui/Still.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenStore } from '#ui/use-open-store.ts';
import type { HistoryStore } from './history-store.ts';

interface UpdatesProps {
  store: HistoryStore;
  timeZone: string;
  mayWrite: boolean;
  /** Coaches and admins post updates here too. */
  right: ProjectRight;
}

const updateSchema = v.object({
  body: v.pipe(
    textUpTo(4000, 'Keep it to 4,000 characters.'),
    v.minLength(1, 'Write a few words.'),
  ),
});

/** The project's history, newest first, and a form for new updates. */
export function UpdateSection({ store, timeZone, mayWrite, right }: UpdatesProps) {
  const entries = useStore(store.$entries, { ssr: 'initial' });
  const pending = useStore(store.pending.$items);
  const more = useStore(store.$more, { ssr: 'initial' });
  const loading = useStore(store.$loading, { ssr: 'initial' });
  useOpenStore(store.pending);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, `${entries.length} ${pending.length}`);
  return (
    <section aria-labelledby="updates" className="card p-5 md:p-6">
      <h2 id="updates" ref={heading} tabIndex={-1} className="text-lg">
        Updates
      </h2>
      {mayWrite && <WriteUpdate store={store} right={right} />}
      <PendingAnnouncement items={pending} />
      {pending.length > 0 && (
        <ol className="mt-5 flex flex-col gap-5">
          {pending.toReversed().map(({ key, value, status }) => (
            <li key={key} className="border-l-2 border-line pl-4">
              <p className="text-sm whitespace-pre-line wrap-anywhere">{value.body}</p>
              <PendingStatus status={status} onDiscard={() => store.pending.discard(key)} />
            </li>
          ))}
        </ol>
      )}
      <Still as="ol" of={[entries]} className="mt-5 flex flex-col gap-5">
        {() =>
          entries.map((entry) => (
            <Entry key={`${entry.kind}-${entry.id}`} entry={entry} timeZone={timeZone} />
          ))
        }
      </Still>
      {more && (
        <Button
          className="mt-4"
          size="small"
          variant="secondary"
          pending={loading}
          onClick={() => void store.more()}
        >
          Show older updates
        </Button>
      )}
    </section>
  );
}

const HINTS: Record<ProjectRight, string> = {
  edit: 'What you did, what changed, what’s in the way. Your coach can read it too.',
  share: 'What you saw, and what to try next. Members of the business can read it.',
  admin: 'The business’s members and coach can read it.',
};

function WriteUpdate({ store, right }: Pick<UpdatesProps, 'store' | 'right'>) {
  const { form, submit, field } = useSchemaForm<{ body: string }>(
    updateSchema,
    async ({ body }) => {
      store.write(body);
      form.reset({ body: '' });
    },
    { guarded: true },
  );
  const hint = useId();
  return (
    // One line, until it's used: it opens with the focus, and stays open while there's text in it.
    <form method="post" noValidate onSubmit={submit} className="group no-print mt-4">
      <Field
        label="New update"
        as={TextArea}
        rows={1}
        className="[&>textarea]:min-h-11! group-focus-within:[&>textarea]:min-h-28!"
        placeholder=" "
        aria-describedby={hint}
        {...field('body')}
      />
      <div className="mt-3 hidden flex-col items-start gap-3 group-focus-within:flex group-has-[textarea:not(:placeholder-shown)]:flex">
        <p id={hint} className="text-xs text-muted">
          {HINTS[right]}
        </p>
        <Button type="submit" variant="secondary" needsScript>
          Add update
        </Button>
      </div>
    </form>
  );
}

function Entry({ entry, timeZone }: { entry: HistoryEntry; timeZone: string }) {
  const { kind, body, by, mine, at, to } = entry;
  const isUpdate = kind === 'update';
  const step =
    kind === 'created' ? ' created this project' : ` moved it to “${to ? STATUS_LABELS[to] : '…'}”`;
  return (
    <li className={classNames('border-l-2 pl-4', isUpdate ? 'border-primary' : 'border-line')}>
      <p className="text-xs">
        <span className="font-semibold">{mine ? 'You' : (by ?? 'Someone')}</span>
        {!isUpdate && step}
      </p>
      <time dateTime={at} className="block text-xs text-muted">
        {momentText(at, timeZone)}
      </time>
      <p
        className={classNames(
          'mt-1 text-sm whitespace-pre-line wrap-anywhere empty:hidden',
          !isUpdate && 'text-muted',
        )}
      >
        {body}
      </p>
    </li>
  );
}
