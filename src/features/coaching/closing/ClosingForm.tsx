import { useStore } from '@nanostores/react';
import { Lock } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { SessionClient } from '#data/coaching-client.ts';
import { SESSION_LENGTHS } from '#domain/session.ts';
import type { SessionProblems } from '#lib/closed-session.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import type { SessionForm } from '#lib/session-form.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Chips } from '#ui/forms/Chips.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadyTextArea } from '#ui/forms/ready-inputs.tsx';
import { SaveNotice } from '#ui/SaveStatus.tsx';
import { useLeaveGuard } from '#ui/use-unsaved.ts';
import { LengthChips, PlaceFields, TimeFields } from '../coach/PlanFields.tsx';
import { dayOfReader, type Reader } from '../when.ts';
import { ActionFields } from './ActionFields.tsx';
import type { ClosingStore } from './closing-store.ts';
import { FigureFields } from './FigureFields.tsx';
import { NextFields } from './NextFields.tsx';

export interface ClosingProps {
  store: ClosingStore;
  client: SessionClient;
  reader: Reader;
  /** Whether it was in the calendar, so that when and where are known. */
  isPlanned: boolean;
}

/** Writes a session down. What's typed is kept in this browser as it's typed. */
export function ClosingForm(props: ClosingProps) {
  const { store, client, reader, isPlanned } = props;
  const form = useStore(store.$form, { ssr: 'initial' });
  const problems = useStore(store.$problems, { ssr: 'initial' });
  const element = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  // After a save that was refused here, the first field with a problem gets the focus.
  useEffect(() => {
    if (tries > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (store.save().length > 0) setTries(tries + 1);
  };
  const isHeld = form.outcome === 'completed';
  return (
    <form
      ref={element}
      method="post"
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-5 [&_:is(button,input,select,textarea)]:scroll-mb-36"
    >
      <div className="card flex flex-col gap-5 p-5 md:p-6">
        <Chips
          legend="Did it take place?"
          options={[
            ['completed', 'Yes'],
            ['no_show', `${client.name} didn’t come`],
          ]}
          chosen={form.outcome}
          onChoose={(outcome) => store.change({ outcome })}
        />
        {!isPlanned && (
          <>
            <TimeFields
              value={form}
              problems={problems}
              most={dayOfReader(reader)}
              onChange={store.change}
            />
            <PlaceFields
              kind={form.kind}
              place={form.place}
              error={problems.place}
              onKind={(kind) => store.change({ kind })}
              onPlace={(place) => store.change({ place })}
            />
          </>
        )}
        {isHeld ? (
          <LengthChips
            minutes={form.minutes}
            error={problems.minutes}
            onChange={(minutes) => store.change({ minutes })}
          />
        ) : (
          <p className="text-sm text-muted">
            It uses one of their sessions. If they told you at least 24 hours before, cancel it on
            the client’s page instead.
          </p>
        )}
        {isHeld && client.areas.length > 0 && <Topics store={store} form={form} client={client} />}
        <Summary store={store} form={form} name={client.name} error={problems.summary} />
        {client.keepsNotes && <PrivateNote store={store} form={form} error={problems.note} />}
      </div>
      {!client.isOver && <Agreed {...props} form={form} problems={problems} />}
      <SaveBar store={store} hasProblems={Object.keys(problems).length > 0} />
    </form>
  );
}

/** What comes of the session, which is only for someone who goes on. */
function Agreed(props: ClosingProps & { form: SessionForm; problems: SessionProblems }) {
  const { store, form, problems, client } = props;
  return (
    <>
      <ActionFields {...props} />
      {form.outcome === 'completed' && (
        <FigureFields store={store} form={form} problems={problems} currency={client.currency} />
      )}
      <NextFields {...props} />
    </>
  );
}

interface PartProps {
  store: ClosingStore;
  form: SessionForm;
}

function Topics({ store, form, client }: PartProps & { client: SessionClient }) {
  const { topics } = form;
  const toggle = (key: string) =>
    topics.includes(key) ? topics.filter((each) => each !== key) : [...topics, key];
  return (
    <Chips
      legend="What it was about"
      options={client.areas.map(({ key, name }) => [key, name] as const)}
      chosen={topics}
      onChoose={(key) => store.change({ topics: toggle(key) })}
    />
  );
}

interface SummaryProps extends PartProps {
  name: string;
  error: string | undefined;
}

function Summary({ store, form, name, error }: SummaryProps) {
  const length = [...form.summary.trim()].length;
  const isOver = length > SESSION_LENGTHS.summary;
  return (
    <Field
      label={`Summary for ${name}`}
      optional={form.outcome === 'no_show'}
      hint={`${name} reads it.`}
      aside={
        <span className={classNames('figures', isOver ? 'font-medium text-danger' : 'text-muted')}>
          {wholeText(length)} of {wholeText(SESSION_LENGTHS.summary)}
        </span>
      }
      as={ReadyTextArea}
      rows={4}
      error={error}
      value={form.summary}
      onChange={({ target }) => store.change({ summary: target.value })}
    />
  );
}

/** Marked off from what's shared, so that nobody writes into the wrong field. */
const PrivateNote = ({ store, form, error }: PartProps & { error: string | undefined }) => (
  <div className="rounded-control border border-dashed border-edge bg-raised p-4">
    <Field
      label={
        <>
          <Lock className="mr-1.5 inline size-4 align-[-0.15em]" aria-hidden="true" />
          Private note
        </>
      }
      optional
      hint="Only you can read this. It isn’t part of a handover."
      as={ReadyTextArea}
      rows={3}
      error={error}
      value={form.note}
      onChange={({ target }) => store.change({ note: target.value })}
    />
  </div>
);

/** The button that's always in reach on a phone, and how safe what's typed is. */
function SaveBar({ store, hasProblems }: { store: ClosingStore; hasProblems: boolean }) {
  const item = useStore(store.$item);
  const isDraft = useStore(store.$isDraft);
  const status = isDraft ? null : (item?.status ?? null);
  const isAtRisk = isDraft && item?.memoryOnly === true;
  useLeaveGuard(isAtRisk);
  return (
    <>
      {isDraft && (
        <Button
          variant="quiet"
          size="small"
          className="self-start"
          needsScript
          onClick={store.discard}
        >
          Start over
        </Button>
      )}
      <SaveNotice status={status} />
      <div className="sticky bottom-14 z-10 -mx-5 flex items-center gap-4 border-t border-line bg-paper px-5 py-3 lg:bottom-0 lg:mx-0 lg:px-0">
        <Button type="submit" needsScript pending={status?.name === 'saving'} className="min-w-28">
          Save
        </Button>
        <p role="status" className="min-w-0 text-xs text-muted">
          {hasProblems && <span className="font-medium text-danger">Look above. </span>}
          {isAtRisk && 'Your browser isn’t storing anything. Save before you leave.'}
          {isDraft && !isAtRisk && 'Kept in this browser until you save or sign out.'}
          {status?.name === 'saving' && 'Saving…'}
        </p>
      </div>
    </>
  );
}
