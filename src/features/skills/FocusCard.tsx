import { useRef, useState } from 'react';
import type { FocusAction, FocusArea, StandingArea } from '#data/skills.ts';
import { openActionOf, settledText, suggestedAction } from '#domain/focus.ts';
import { daysBetween, dayText, dueDayText, shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { ActionForm, NewActionForm } from './ActionForm.tsx';
import type { FocusStore } from './focus-store.ts';
import { LinkItem } from './LinkItem.tsx';

interface CardProps {
  store: FocusStore;
  area: FocusArea;
  /** The area's score and weakest practice in the latest result. */
  standing: StandingArea | undefined;
  today: string;
  /** Whether the user wants reminders by email. */
  reminders: boolean;
  timeZone: string;
}

/** One area the owner is working on: its action, and what was done before. */
export function FocusCard(props: CardProps) {
  const { store, area, standing, timeZone } = props;
  const title = useRef<HTMLHeadingElement>(null);
  // The button or form that had the focus is gone, so move it to the heading.
  const focusTitle = () => title.current?.focus();
  const heading = `focus-${area.id}`;
  return (
    <li>
      <section aria-labelledby={heading} className="card flex flex-col gap-4 p-5 md:p-6">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h4 id={heading} ref={title} tabIndex={-1} className="scroll-mt-20 text-lg">
            {area.area_name}
          </h4>
          <p className="flex items-baseline gap-3 text-sm">
            <span className="text-xs whitespace-nowrap text-muted">
              Since {shortDayText(area.chosen_at, timeZone)}
            </span>
            {standing && standing.score !== null && (
              <>
                <span className="font-semibold figures">{scoreText(standing.score)}</span>
                <LevelWord level={standing.level} />
              </>
            )}
          </p>
        </div>
        <CurrentAction {...props} onDone={focusTitle} />
        <SettledActions store={store} area={area} timeZone={timeZone} onReopen={focusTitle} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <Ways area={area} standing={standing} />
          <Stop store={store} area={area} />
        </div>
      </section>
    </li>
  );
}

interface CurrentActionProps extends CardProps {
  /** Called when a form closes or the action is done or dropped. */
  onDone: () => void;
}

/** The open action, or the form that edits it. Without one, a button for the next action. */
function CurrentAction({ store, area, standing, today, reminders, onDone }: CurrentActionProps) {
  const [form, setForm] = useState<'closed' | 'change' | 'next'>('closed');
  const action = openActionOf(area);
  const close = () => {
    setForm('closed');
    onDone();
  };
  const formProps = { today, reminders, onCancel: close };
  if (action && form === 'change') {
    return (
      <ActionForm
        {...formProps}
        begins={{ body: action.body, dueOn: action.due_on, remind: action.remind }}
        onSave={async (input) => {
          await store.change(action.id, input);
          close();
        }}
      />
    );
  }
  if (action) {
    return (
      <OpenAction
        store={store}
        action={action}
        today={today}
        areaName={area.area_name}
        onChange={() => setForm('change')}
        onSettled={onDone}
      />
    );
  }
  if (form !== 'next') return <NoAction onNext={() => setForm('next')} areaName={area.area_name} />;
  return (
    <NewActionForm
      {...formProps}
      suggested={suggestedAction(standing?.practice, area)}
      onSave={async (input) => {
        await store.next(area.id, input);
        close();
      }}
    />
  );
}

interface OpenActionProps {
  store: FocusStore;
  action: FocusAction;
  areaName: string;
  today: string;
  onChange: () => void;
  onSettled: () => void;
}

function OpenAction(props: OpenActionProps) {
  const { store, action, areaName, today, onChange, onSettled } = props;
  const late = daysBetween(action.due_on, today) > 0;
  const about = areaName.toLowerCase();
  const settle = (state: 'done' | 'dropped') => {
    onSettled();
    void store.settle(action.id, state);
  };
  return (
    <div className="rounded-control bg-primary-soft p-4">
      <p className="max-w-[68ch] whitespace-pre-line [overflow-wrap:anywhere]">{action.body}</p>
      <p className={late ? 'mt-2 text-sm font-semibold text-caution' : 'mt-2 text-sm text-muted'}>
        {late ? 'Was due' : 'Due'} {dueDayText(action.due_on, today)}
        {action.remind ? '' : ' (no reminders)'}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {(
          [
            ['Done', 'Done with the action', 'primary', () => settle('done')],
            ['Edit', 'Edit the action', 'secondary', onChange],
            ['Drop', 'Drop the action', 'quiet', () => settle('dropped')],
          ] as const
        ).map(([words, label, variant, onPress]) => (
          <Button
            key={words}
            size="small"
            variant={variant}
            aria-label={`${label} for ${about}`}
            onClick={onPress}
          >
            {words}
          </Button>
        ))}
      </div>
    </div>
  );
}

function NoAction({ onNext, areaName }: { onNext: () => void; areaName: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-dashed border-line p-4">
      <p className="text-sm text-muted">No open action. What’s next?</p>
      <Button
        size="small"
        aria-label={`Choose the next action for ${areaName.toLowerCase()}`}
        onClick={onNext}
      >
        Choose the next action
      </Button>
    </div>
  );
}

/** Links to help: a tool and an example. */
function Ways({ area, standing }: Pick<CardProps, 'area' | 'standing'>) {
  const tool = standing?.tool;
  const about = `: ${area.area_name.toLowerCase()}`;
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {tool && (
        <LinkItem href={`${hrefFor('/dashboard/toolbox')}?item=${tool.slug}`} text={tool.title} />
      )}
      <LinkItem
        href={hrefFor('/case-studies/[slug]', { slug: area.area_key })}
        text="How another business did it"
        about={about}
      />
    </ul>
  );
}

const SETTLED = { done: 'Done', dropped: 'Dropped', open: 'Open' } as const;

interface SettledProps extends Pick<CardProps, 'store' | 'area' | 'timeZone'> {
  onReopen: () => void;
}

/** The finished and dropped actions. If none is open, the newest can be reopened. */
function SettledActions({ store, area, timeZone, onReopen }: SettledProps) {
  const words = settledText(area);
  if (!words) return null;
  const settled = area.actions.filter(({ state }) => state !== 'open');
  return (
    <details className="text-sm">
      <summary className="link inline-block py-1 pointer-coarse:py-3">
        Actions so far: {words}
        <span className="sr-only"> in {area.area_name.toLowerCase()}</span>
      </summary>
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {settled.map((action, index) => (
          <li key={action.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5">
            <span className="min-w-0 grow basis-72 [overflow-wrap:anywhere]">{action.body}</span>
            <span className="text-xs text-muted">
              {SETTLED[action.state]}
              {action.settled_at && `, ${dayText(action.settled_at, timeZone)}`}
            </span>
            {!openActionOf(area) && index === 0 && (
              <Button
                size="small"
                variant="quiet"
                onClick={() => {
                  onReopen();
                  void store.settle(action.id, 'open');
                }}
              >
                Reopen
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Stop({ store, area }: Pick<CardProps, 'store' | 'area'>) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="-my-2 -mx-3">
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Stop working on ${area.area_name.toLowerCase()}?`}
        description="We’ll keep what you’ve done and drop the open action. You can pick this area again anytime."
        trigger={
          <Button
            variant="quiet"
            size="small"
            aria-label={`Stop working on it: ${area.area_name.toLowerCase()}`}
          >
            Stop working on it
          </Button>
        }
        footer={
          <>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep working on it
            </Button>
            <Button
              onClick={() => {
                setAsking(false);
                void store.end(area.id);
                // Wait until the dialog has tried to return the focus to a button that's gone.
                setTimeout(() => document.querySelector<HTMLElement>('#focus')?.focus());
              }}
            >
              Stop
            </Button>
          </>
        }
      />
    </div>
  );
}
