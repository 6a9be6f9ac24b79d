import { useStore } from '@nanostores/react';
import type { ClientRecord } from '#data/coaching-client.ts';
import type { CoachingAction } from '#data/coaching-sessions.ts';
import { dueDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Section } from '#ui/Section.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { dayOfReader, type Reader } from '../when.ts';
import type { ClientStore } from './client-store.ts';
import { nameOf } from './dialog-deps.ts';

interface ActionsProps {
  store: ClientStore;
  client: ClientRecord;
  reader: Reader;
  /** Null once coaching is closed. */
  onAdd: (() => void) | null;
}

/** What owner and coach agreed to do; the coach can tick off both. */
export function ActionSection({ store, client, reader, onAdd }: ActionsProps) {
  const busy = useStore(store.$busy, { ssr: 'initial' });
  const open = client.actions.filter(({ state }) => state === 'open');
  const settled = client.actions.filter(({ state }) => state !== 'open');
  const row = (action: CoachingAction) => (
    <ActionRow
      key={action.id}
      action={action}
      client={client}
      reader={reader}
      isBusy={busy === action.id}
      onSettle={onAdd && ((isDone) => void store.settle(action.id, isDone ? 'done' : 'open'))}
      onDrop={onAdd && (() => void store.settle(action.id, 'dropped'))}
    />
  );
  return (
    <Section id="actions" title="Actions" className="card scroll-mt-20 p-5 md:p-6">
      {open.length === 0 && <p className="mt-2 text-sm text-muted">None open.</p>}
      <ul className="mt-2 flex flex-col divide-y divide-line empty:hidden">{open.map(row)}</ul>
      {settled.length > 0 && (
        <details className="mt-2">
          <summary className="link inline-block py-1.5 text-sm pointer-coarse:py-3">
            {settled.length === 1 ? '1 done or dropped' : `${settled.length} done or dropped`}
          </summary>
          <ul className="flex flex-col divide-y divide-line">{settled.map(row)}</ul>
        </details>
      )}
      {onAdd && (
        <Button className="mt-4" size="small" variant="secondary" needsScript onClick={onAdd}>
          Add an action
        </Button>
      )}
    </Section>
  );
}

interface RowProps {
  action: CoachingAction;
  client: ClientRecord;
  reader: Reader;
  isBusy: boolean;
  onSettle: ((isDone: boolean) => void) | null;
  onDrop: (() => void) | null;
}

function ActionRow({ action, client, reader, isBusy, onSettle, onDrop }: RowProps) {
  const { body, doer, due_on, state, tool, area_key } = action;
  const today = dayOfReader(reader);
  const isLate = state === 'open' && due_on !== null && due_on < today;
  const area = client.skill_areas.find(({ key }) => key === area_key)?.short_name;
  const about = [
    doer === 'owner' ? nameOf(client) : 'You',
    ...(area ? [area] : []),
    ...(state === 'dropped' ? ['dropped'] : []),
  ];
  return (
    <li className="flex items-start gap-2 py-3 last:pb-0">
      <Checkbox
        className="min-w-0 grow"
        label={
          <span
            className={classNames(
              'wrap-anywhere',
              state === 'dropped' && 'text-muted line-through',
              isBusy && 'opacity-60',
            )}
          >
            {body}
          </span>
        }
        hint={
          <>
            {about.join(' · ')}
            {tool && (
              <>
                {' · '}
                <a className="link" href={`${hrefFor('/dashboard/toolbox')}?item=${tool.slug}`}>
                  {tool.title}
                </a>
              </>
            )}
            {due_on && state === 'open' && (
              <span className={classNames('block', isLate && 'font-medium text-danger')}>
                {isLate ? 'Was due' : 'Due'} {dueDayText(due_on, today)}
              </span>
            )}
          </>
        }
        checked={state === 'done'}
        {...enabledWhenReady({ disabled: onSettle === null })}
        onChange={({ currentTarget }) => onSettle?.(currentTarget.checked)}
      />
      {state === 'open' && onDrop && (
        <Button size="small" variant="quiet" className="-my-1.5 -mr-2" needsScript onClick={onDrop}>
          Drop<span className="sr-only">, {body}</span>
        </Button>
      )}
    </li>
  );
}
