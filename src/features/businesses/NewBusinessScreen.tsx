import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { TRADING } from '#domain/business.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { withNext } from '#lib/next-path.ts';
import { hrefFor } from '#lib/routes.ts';
import type { NewBusiness } from '#lib/schemas.ts';
import { notifyTabs } from '#stores/session.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useReady } from '#ui/use-ready.ts';
import { NEW_FIELDS } from './edit-fields.ts';
import { FactControl } from './FactControl.tsx';
import type { FactSpec } from './FactInput.tsx';
import { createNewBusinessStore } from './new-business-store.ts';

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

/** A new business: four fields, saved as you type once it has a name. */
function NewBusinessScreen({ userId, next }: NewBusinessProps) {
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const [store] = useState(() =>
    createNewBusinessStore({
      openSync: () => pageSync(userId),
      onCreated(id) {
        // Reloaded, this page goes on where it was.
        const edit = hrefFor('/dashboard/businesses/[id]/edit', { id });
        history.replaceState(history.state, '', withNext(edit, next));
        notifyTabs('changed');
      },
    }),
  );
  const input = useStore(store.$input, { ssr: 'initial' });
  const status = useStore(store.$status, { ssr: 'initial' });
  const [asked, setAsked] = useState(false);
  const [pending, setPending] = useState(false);
  const problems = store.problems();

  useEffect(() => store.open(), [store]);

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
    if (store.$status.get()?.name !== 'saved') return;
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
        {status === null && 'Saved as you type, once it has a name.'}
        {(status?.name === 'saving' || status?.name === 'saved') && <SaveWords status={status} />}
        <SaveNotice className="text-ink" status={status} />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending} disabled={!ready}>
          Save
        </Button>
        <Button variant="quiet" href={next ?? hrefFor('/dashboard/businesses')}>
          {status === null ? 'Cancel' : next ? 'Back' : 'Back to the list'}
        </Button>
      </div>
    </form>
  );
}

export default screen(NewBusinessScreen);
