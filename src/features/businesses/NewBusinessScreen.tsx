import { useStore } from '@nanostores/react';
import { type SubmitEvent, useEffect, useState } from 'react';
import { TRADING } from '#domain/business-choices.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { hrefFor, withNext } from '#lib/routing/href.ts';
import type { NewBusiness } from '#lib/schemas/account.ts';
import { notifyTabs } from '#stores/session.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Button } from '#ui/Button.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { NEW_FIELDS } from './edit-fields.ts';
import { FactField, type FactSpec } from './FactInput.tsx';
import { createNewBusinessStore } from './new-business-store.ts';

const FIELDS: [keyof NewBusiness, FactSpec][] = [
  ['name', NEW_FIELDS.name],
  ['trading', NEW_FIELDS.trading],
  ['postalCode', NEW_FIELDS.postal_code],
  ['helpWanted', NEW_FIELDS.help_wanted],
];

interface NewBusinessProps {
  userId: string;
  /** The page to go back to, which required a business first; null if there's none. */
  next: string | null;
}

/** Creates the store of this page and the action of its Save button. */
function useNewBusiness({ userId, next }: NewBusinessProps) {
  const [store] = useState(() =>
    createNewBusinessStore({
      openSync: () => pageSync(userId),
      onCreated(id) {
        // A reload continues on the business's own edit page.
        const edit = hrefFor('/dashboard/businesses/[id]/edit', { id });
        history.replaceState(history.state, '', withNext(edit, next));
        notifyTabs('changed');
      },
    }),
  );
  const [pending, setPending] = useState(false);
  useEffect(() => store.open(), [store]);

  async function save() {
    setPending(true);
    store.flush();
    await store.answered();
    setPending(false);
    if (store.$status.get()?.name !== 'saved') return;
    chooseBusiness(store.id());
    notifyTabs('changed');
    location.assign(next ?? hrefFor('/dashboard'));
  }

  return { store, pending, save };
}

/** A new business: four fields, saved as you type once it has a name. */
function NewBusinessScreen(props: NewBusinessProps) {
  const { next } = props;
  const { store, pending, save } = useNewBusiness(props);
  const input = useStore(store.$input, { ssr: 'initial' });
  const status = useStore(store.$status, { ssr: 'initial' });
  const [asked, setAsked] = useState(false);
  const problems = store.problems();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setAsked(true);
    const first = FIELDS.find(([field]) => problems[field] !== undefined);
    if (!first) return void save();
    (event.currentTarget.elements.namedItem(first[0]) as HTMLElement | null)?.focus();
  }

  // Before the first submit, only filled-in fields show errors, and the name doesn't.
  const errorOf = (field: keyof NewBusiness) =>
    asked || (field !== 'name' && input[field] !== '') ? problems[field] : undefined;
  return (
    <form method="post" noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-5">
      {FIELDS.map(([field, spec]) => (
        <FactField
          key={field}
          spec={spec}
          name={field}
          className={spec.className ?? ''}
          error={errorOf(field)}
          value={input[field]}
          choices={field === 'trading' ? TRADING : undefined}
          // Before hydration, nothing would be saved.
          onType={(value) => store.type(field, value)}
        />
      ))}
      <div role="status" className="min-h-6 text-sm text-muted">
        {status === null && 'We save as you type, once it has a name.'}
        {(status?.name === 'saving' || status?.name === 'saved') && <SaveWords status={status} />}
        <SaveNotice className="text-ink" status={status} />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending} needsScript>
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
