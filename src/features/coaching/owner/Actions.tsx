import { useState } from 'react';
import type { CoachingAction } from '#data/coaching-sessions.ts';
import { isOpenEngagement } from '#domain/engagement.ts';
import { coachName } from '#domain/engagement-text.ts';
import { dueState } from '#domain/project.ts';
import { dayOf, nearDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import type { CoachingStore, Engagement } from '../coaching-store.ts';
import type { Reader } from './reader.ts';

interface ActionsProps {
  store: CoachingStore;
  engagement: Engagement;
  reader: Reader;
  /** Opens the dialog that adds one. */
  onAdd: () => void;
}

/** What the owner and the coach agreed to do. Owners check off their own. */
export function Actions({ store, engagement, reader, onAdd }: ActionsProps) {
  const { actions } = engagement;
  // What's checked off on this page stays where it is until the next one, so it can be unchecked.
  const [settledHere, setSettledHere] = useState<ReadonlySet<string>>(new Set());
  const isListed = ({ id, state }: CoachingAction) => state === 'open' || settledHere.has(id);
  const listed = actions.filter(isListed);
  const before = actions.filter((each) => !isListed(each) && each.state === 'done');
  const settle = (id: string, isDone: boolean) => {
    setSettledHere(new Set([...settledHere, id]));
    void store.settleAction(id, isDone ? 'done' : 'open');
  };
  const id = `actions-${engagement.id}`;
  const mine = listed.filter(({ doer }) => doer === 'owner');
  const theirs = listed.filter(({ doer }) => doer === 'coach');
  return (
    <section aria-labelledby={id} className="card p-5 md:p-6">
      <h3 id={id}>Who does what</h3>
      <h4 className="mt-4 text-sm font-semibold">You</h4>
      {mine.length > 0 ? (
        <ul className="mt-1 divide-y divide-line">
          {mine.map((action) => (
            <Own key={action.id} action={action} reader={reader} onSettle={settle} />
          ))}
        </ul>
      ) : (
        <p className="mt-1 text-sm text-muted">Nothing right now.</p>
      )}
      {isOpenEngagement(engagement) && engagement.coach && (
        <Button className="mt-2" size="small" variant="secondary" needsScript onClick={onAdd}>
          Add something you’ll do
        </Button>
      )}
      {theirs.length > 0 && (
        <>
          <h4 className="mt-5 text-sm font-semibold">{capital(coachName(engagement))}</h4>
          <ul className="mt-1 divide-y divide-line">
            {theirs.map((action) => (
              <li key={action.id} className="py-2.5 text-sm [overflow-wrap:anywhere]">
                {action.body}
                <Facts action={action} reader={reader} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Done actions={before} reader={reader} />
    </section>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface OwnProps {
  action: CoachingAction;
  reader: Reader;
  onSettle: (id: string, isDone: boolean) => void;
}

function Own({ action, reader, onSettle }: OwnProps) {
  const isDone = action.state === 'done';
  return (
    <li className="py-2.5">
      <Checkbox
        checked={isDone}
        {...enabledWhenReady()}
        onChange={({ currentTarget }) => onSettle(action.id, currentTarget.checked)}
        label={
          <span
            className={classNames('[overflow-wrap:anywhere]', isDone && 'text-muted line-through')}
          >
            {action.body}
          </span>
        }
      />
      <div className="pl-8">
        <Facts action={action} reader={reader} />
      </div>
    </li>
  );
}

/** When it's due, and the tool for it. */
function Facts({ action, reader }: Pick<OwnProps, 'action' | 'reader'>) {
  const { due_on, tool, state } = action;
  if (!due_on && !tool) return null;
  const due = due_on && dueState(due_on, reader.today, state === 'open');
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-4 text-xs text-muted">
      {due_on && (
        <time dateTime={due_on} className={due === 'late' ? 'font-medium text-danger' : undefined}>
          {due === 'today'
            ? 'Due today'
            : `${due === 'late' ? 'Was due' : 'Due'} ${nearDayText(due_on, reader.today)}`}
        </time>
      )}
      {tool && (
        <a className="link" href={`${hrefFor('/dashboard/toolbox')}?item=${tool.slug}`}>
          {tool.title}
        </a>
      )}
    </p>
  );
}

/** What was done before this page was opened. */
function Done({ actions, reader }: { actions: CoachingAction[]; reader: Reader }) {
  if (actions.length === 0) return null;
  return (
    <details className="mt-4 text-sm">
      <summary className="link inline-block py-1 pointer-coarse:py-3">
        Done so far: {actions.length}
      </summary>
      <ul className="mt-1 divide-y divide-line">
        {actions.map((action) => (
          <li key={action.id} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">{action.body}</span>
            {action.settled_at && (
              <span className="text-xs text-muted">
                {nearDayText(dayOf(action.settled_at, reader.timeZone), reader.today)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
