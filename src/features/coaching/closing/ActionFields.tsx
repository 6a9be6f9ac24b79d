import { X } from 'lucide-react';
import type { SessionClient } from '#data/coaching-client.ts';
import { SESSION_LENGTHS } from '#domain/session.ts';
import type { SessionProblems } from '#lib/closed-session.ts';
import type { SessionForm } from '#lib/session-form.ts';
import { Button } from '#ui/Button.tsx';
import { Chips } from '#ui/forms/Chips.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadyTextInput } from '#ui/forms/ready-inputs.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { Section } from '#ui/Section.tsx';
import { dayOfReader, type Reader } from '../when.ts';
import type { ClosingStore } from './closing-store.ts';
import { blankAction } from './start.ts';

interface ActionsProps {
  store: ClosingStore;
  form: SessionForm;
  problems: SessionProblems;
  client: SessionClient;
  reader: Reader;
}

type Action = SessionForm['actions'][number];

/** The most actions of one session; the database rejects more. */
const MOST = 20;

/** What they agreed to do: rows with a text, who does it and by when. Empty ones don't count. */
export function ActionFields({ store, form, problems, client, reader }: ActionsProps) {
  const { actions } = form;
  const set = (index: number, part: Partial<Action>) =>
    store.change({
      actions: actions.map((each, at) => (at === index ? { ...each, ...part } : each)),
    });
  return (
    <Section id="agreed" title="What’s next to do" className="card p-5 md:p-6">
      {client.actions.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="link inline-block py-1 pointer-coarse:py-3">
            {client.actions.length === 1 ? '1 action' : `${client.actions.length} actions`} still
            open from before
          </summary>
          <ul className="mt-1 ml-5 list-disc text-muted">
            {client.actions.map((body) => (
              <li key={body} className="wrap-anywhere">
                {body}
              </li>
            ))}
          </ul>
        </details>
      )}
      <ul className="mt-3 flex flex-col divide-y divide-line">
        {actions.map((action, index) => (
          <ActionRow
            key={action.id}
            action={action}
            number={index + 1}
            name={client.name}
            error={problems[`actions.${index}.body`]}
            least={dayOfReader(reader)}
            onChange={(part) => set(index, part)}
            onRemove={
              actions.length > 1
                ? () => store.change({ actions: actions.filter((_, at) => at !== index) })
                : null
            }
          />
        ))}
      </ul>
      {actions.length < MOST && (
        <Button
          className="mt-3"
          size="small"
          variant="secondary"
          needsScript
          onClick={() => store.change({ actions: [...actions, blankAction(dayOfReader(reader))] })}
        >
          Add another action
        </Button>
      )}
    </Section>
  );
}

interface RowProps {
  action: Action;
  number: number;
  name: string;
  error: string | undefined;
  least: string;
  onChange: (part: Partial<Action>) => void;
  /** Null for the only one. */
  onRemove: (() => void) | null;
}

function ActionRow({ action, number, name, error, least, onChange, onRemove }: RowProps) {
  const which = <span className="sr-only"> {number}</span>;
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <div className="flex items-end gap-1">
        <Field
          className="min-w-0 grow"
          label={<>Action{which}</>}
          optional
          as={ReadyTextInput}
          maxLength={SESSION_LENGTHS.action}
          error={error}
          value={action.body}
          onChange={({ target }) => onChange({ body: target.value })}
        />
        {onRemove && (
          <IconButton
            label={`Remove action ${number}`}
            tip="Remove"
            className="-mr-2 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink"
            onClick={onRemove}
          >
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {/* Only once there's something to do, so that the form stays short. */}
      {action.body !== '' && (
        <div className="mt-3 flex flex-wrap items-end gap-x-5 gap-y-3">
          <Chips
            legend={`Who does action ${number}`}
            isLegendHidden
            options={[
              ['owner', name],
              ['coach', 'You'],
            ]}
            chosen={action.doer}
            onChoose={(doer) => onChange({ doer })}
          />
          <Field
            label={<>By when{which}</>}
            optional
            type="date"
            as={ReadyTextInput}
            min={least}
            value={action.due_on}
            onChange={({ target }) => onChange({ due_on: target.value })}
          />
        </div>
      )}
    </li>
  );
}
