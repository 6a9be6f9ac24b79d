import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { TRADING } from '#domain/business.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { withNext } from '#lib/next-path.ts';
import { hrefFor } from '#lib/routes.ts';
import type { NewBusiness } from '#lib/schemas.ts';
import { notifyTabs, sessionEnded } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useReady } from '#ui/use-ready.ts';
import { useLeaveGuard } from '#ui/use-unsaved.ts';
import { NEW_FIELDS } from './edit-fields.ts';
import { FactControl } from './FactControl.tsx';
import type { FactSpec } from './FactInput.tsx';
import { createNewBusinessStore, pageOutbox } from './new-business-store.ts';

const FIELDS: [keyof NewBusiness, FactSpec][] = [
  ['name', NEW_FIELDS.name],
  ['trading', NEW_FIELDS.trading],
  ['postalCode', NEW_FIELDS.postal_code],
  ['helpWanted', NEW_FIELDS.help_wanted],
];

interface NewBusinessProps {
  userId: string;
  /** The page that asked for a business first, to go back to; null where none did. */
  next: string | null;
}

/** A new business: four fields, saved as one types once it has a name. */
function NewBusinessScreen({ userId, next }: NewBusinessProps) {
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const [store] = useState(() =>
    createNewBusinessStore({
      openOutbox: pageOutbox(userId),
      made(id) {
        // Reloaded, this page goes on where it was.
        const edit = hrefFor('/dashboard/businesses/[id]/edit', { id });
        history.replaceState(history.state, '', withNext(edit, next));
        notifyTabs('changed');
      },
      signedOut: sessionEnded,
    }),
  );
  const input = useStore(store.$input, { ssr: 'initial' });
  const state = useStore(store.$state, { ssr: 'initial' });
  useLeaveGuard(state.name === 'not-sent' && !state.kept);
  const [asked, setAsked] = useState(false);
  const [pending, setPending] = useState(false);
  const problems = store.problems();

  useEffect(() => {
    const close = store.open();
    addEventListener('pagehide', store.flush);
    return () => {
      removeEventListener('pagehide', store.flush);
      close();
    };
  }, [store]);

  async function save() {
    setAsked(true);
    const first = FIELDS.find(([field]) => problems[field] !== undefined);
    if (first) {
      (form.current?.elements.namedItem(first[0]) as HTMLElement | null)?.focus();
      return;
    }
    setPending(true);
    store.flush();
    await store.answered();
    setPending(false);
    if (store.$state.get().name !== 'saved') return;
    chooseBusiness(store.id());
    notifyTabs('changed');
    location.assign(next ?? hrefFor('/dashboard'));
  }

  // What was not typed yet is not wrong yet.
  const errorOf = (field: keyof NewBusiness) =>
    asked || (field !== 'name' && input[field] !== '') ? problems[field] : undefined;
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      className="flex max-w-xl flex-col gap-5"
    >
      {FIELDS.map(([field, spec]) => (
        <Field
          key={field}
          name={field}
          label={spec.label}
          hint={spec.hint}
          optional={!spec.required}
          autoComplete={spec.autoComplete ?? 'off'}
          className={spec.className ?? ''}
          error={errorOf(field)}
          value={input[field]}
          as={FactControl}
          choices={field === 'trading' ? TRADING : undefined}
          long={spec.long}
          // Before the scripts run nothing would be saved.
          closed={!ready}
          onType={(value) => store.type(field, value)}
        />
      ))}
      <div role="status" className="min-h-6 text-sm text-muted">
        {state.name === 'blank' && 'Saved as you type, once it has a name.'}
        {state.name === 'saving' && 'Saving…'}
        {state.name === 'saved' && 'Saved'}
        {state.name === 'not-sent' && (
          <Notice tone="caution" className="text-ink" title="Not sent yet">
            We couldn’t save this yet.{' '}
            {state.kept
              ? 'What you typed is kept in this browser, and we’ll keep trying.'
              : 'This browser keeps nothing: leave this page open until it says “Saved”.'}
          </Notice>
        )}
        {state.name === 'signed-out' && (
          <Notice tone="caution" className="text-ink" title="You are signed out">
            What you typed is kept in this browser and sent when you have signed in again.
          </Notice>
        )}
        {state.name === 'refused' && (
          <Notice tone="danger" className="text-ink" title="Not saved">
            {state.sentence}
          </Notice>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending} disabled={!ready}>
          Save
        </Button>
        <Button variant="quiet" href={next ?? hrefFor('/dashboard/businesses')}>
          {state.name === 'blank' ? 'Cancel' : next ? 'Back' : 'Back to the list'}
        </Button>
      </div>
    </form>
  );
}

export default screen(NewBusinessScreen);
