import { Check, Lock } from 'lucide-react';
import { useState } from 'react';
import * as v from 'valibot';
import { type SessionPage, saveSessionNote, saveSummary } from '#data/coaching-sessions.ts';
import { firstName } from '#domain/message.ts';
import { SESSION_LENGTHS, SESSION_STATE_LABELS, SUMMARY_DAYS } from '#domain/session.ts';
import { db } from '#lib/db.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { SessionPageFrame } from './closing/SessionPageFrame.tsx';
import { WaiveSession } from './closing/WaiveSession.tsx';
import type { Reader } from './when.ts';

interface ClosedProps {
  session: SessionPage;
  reader: Reader;
}

/** What the page calls the owner, in a sentence. */
const nameIn = ({ owner_name, business }: SessionPage) =>
  owner_name ? firstName(owner_name) : business.name;

const text = (most: number) =>
  v.object({ text: textUpTo(most, `Keep it to ${wholeText(most)} characters.`) });

/** A session that's over: the summary can be corrected for a while, the private note always. */
function ClosedSessionScreen({ session, reader }: ClosedProps) {
  const { state, actions, summary, can_change_summary: canChange } = session;
  const name = nameIn(session);
  const [counts, setCounts] = useState(session.uses_one);
  return (
    <SessionPageFrame
      engagementId={session.engagement_id}
      business={session.business.name}
      name={session.owner_name ?? session.business.name}
      session={session}
      reader={reader}
    >
      <p className="-mt-5 text-muted">
        {SESSION_STATE_LABELS[state]}.{counts && ` Counts as one of ${name}’s sessions.`}
      </p>
      <Section id="summary" title="Summary" className="card p-5 md:p-6">
        {canChange ? (
          <SummaryForm session={session} />
        ) : (
          <p className="mt-2 max-w-[68ch] whitespace-pre-line wrap-anywhere">
            {summary ?? <span className="text-muted">No summary.</span>}
          </p>
        )}
      </Section>
      <NoteForm session={session} />
      {actions.length > 0 && (
        <Section id="agreed" title="Agreed on" className="card p-5 md:p-6">
          <ul className="mt-2 flex flex-col divide-y divide-line text-sm">
            {actions.map(({ id, body, doer, due_on, state: now }) => (
              <li key={id} className="flex gap-3 py-2.5">
                {now === 'done' ? (
                  <Check className="mt-0.5 size-4 shrink-0 text-primary" aria-hidden="true" />
                ) : (
                  <span
                    className="mt-0.5 size-4 shrink-0 rounded-full border border-edge"
                    aria-hidden="true"
                  />
                )}
                <span className="min-w-0 wrap-anywhere">
                  <span className={now === 'dropped' ? 'text-muted line-through' : undefined}>
                    {body}
                  </span>
                  {now !== 'open' && <span className="sr-only"> ({now})</span>}
                  <span className="block text-xs text-muted">
                    {doer === 'owner' ? name : 'You'}
                    {due_on && `, due ${calendarDayText(due_on)}`}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {counts && (
        <div>
          <WaiveSession sessionId={session.id} onWaived={() => setCounts(false)} />
        </div>
      )}
    </SessionPageFrame>
  );
}

function SummaryForm({ session }: { session: SessionPage }) {
  const fields = useSchemaForm<{ text: string }>(
    text(SESSION_LENGTHS.summary),
    async (input) => {
      await saveSummary(await db(), session.id, input.text);
      fields.beginFrom(input);
      addToast({ tone: 'good', title: 'Saved.' });
    },
    { defaults: { text: session.summary ?? '' }, guarded: true, onError: reportError },
  );
  return (
    <Form
      of={fields}
      submit="Save the summary"
      size="small"
      variant="secondary"
      className="mt-3 gap-3 items-start"
    >
      <Field
        className="w-full"
        label={`Summary for ${session.owner_name ?? 'the owner'}`}
        isLabelHidden
        hint={`${nameIn(session)} can read this. You can change it for ${SUMMARY_DAYS} days.`}
        as={TextArea}
        rows={5}
        {...fields.field('text')}
      />
    </Form>
  );
}

function NoteForm({ session }: { session: SessionPage }) {
  const fields = useSchemaForm<{ text: string }>(
    text(SESSION_LENGTHS.note),
    async (input) => {
      await saveSessionNote(await db(), session.id, input.text);
      fields.beginFrom(input);
      addToast({ tone: 'good', title: 'Saved.' });
    },
    { defaults: { text: session.note ?? '' }, guarded: true, onError: reportError },
  );
  return (
    <section
      aria-labelledby="note"
      className="rounded-card border border-dashed border-edge bg-raised p-5 md:p-6"
    >
      <h2 id="note" className="flex items-center gap-2 text-lg">
        <Lock className="size-4.5" aria-hidden="true" />
        Private note
      </h2>
      <Form
        of={fields}
        submit="Save the note"
        size="small"
        variant="secondary"
        className="mt-3 gap-3 items-start"
      >
        <Field
          className="w-full"
          label="Note"
          isLabelHidden
          hint="Only you can read this. It isn’t part of a handover."
          as={TextArea}
          rows={4}
          {...fields.field('text')}
        />
      </Form>
    </section>
  );
}

export default screen(ClosedSessionScreen);
