import { useStore } from '@nanostores/react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { choicesOf } from '#domain/business-choices.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import type { NewBusiness } from '#lib/schemas/account.ts';
import { notifyTabs } from '#stores/session.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Button } from '#ui/Button.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { FactField, type FactSpec } from './FactInput.tsx';
import { createNewBusinessStore } from './new-business-store.ts';

interface BusinessFormProps {
  userId: string;
  fields: readonly [field: keyof NewBusiness, spec: FactSpec][];
  /** What the button says. */
  submit: string;
  className?: string;
  /** How the fields are laid out; one below another by default. */
  fieldsLook?: string;
  /** Called once, when the business has been created. */
  onCreated?: (id: string) => void;
  /** Called when it's saved and is the current business. */
  onSaved: () => void;
  /** What's next to the button; `isEmpty` until there's something to save. */
  beside?: (isEmpty: boolean) => ReactNode;
}

/** Creates the form's store and the action of its button. */
function useNewBusiness({ userId, onCreated, onSaved }: BusinessFormProps) {
  const store = useSavingStore(() =>
    createNewBusinessStore({
      openSync: () => pageSync(userId),
      onCreated(id) {
        onCreated?.(id);
        notifyTabs('changed');
      },
    }),
  );
  const [pending, setPending] = useState(false);

  async function save() {
    setPending(true);
    store.flush();
    await store.answered();
    setPending(false);
    if (store.$status.get()?.name !== 'saved') return;
    chooseBusiness(store.id());
    notifyTabs('changed');
    onSaved();
  }

  return { store, pending, save };
}

/** A few fields of a new business, saved as you type once it has a name. */
export function BusinessForm(props: BusinessFormProps) {
  const { fields, submit: label, className, beside, fieldsLook = 'contents' } = props;
  const { store, pending, save } = useNewBusiness(props);
  const input = useStore(store.$input, { ssr: 'initial' });
  const status = useStore(store.$status, { ssr: 'initial' });
  const [asked, setAsked] = useState(false);
  const problems = store.problems();
  const say = useSay();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setAsked(true);
    const first = fields.find(([field]) => problems[field] !== undefined);
    if (!first) return void save();
    (event.currentTarget.elements.namedItem(first[0]) as HTMLElement | null)?.focus();
  }

  // Before the first submit, only filled-in fields show errors, and the name doesn't.
  const errorOf = (field: keyof NewBusiness) => {
    const problem = problems[field];
    const isShown = asked || (field !== 'name' && input[field] !== '');
    return isShown && problem !== undefined ? say(problem) : undefined;
  };
  return (
    <form method="post" noValidate onSubmit={submit} className={className}>
      <div className={fieldsLook}>
        {fields.map(([field, spec]) => (
          <FactField
            key={field}
            spec={spec}
            name={field}
            className={spec.className ?? ''}
            error={errorOf(field)}
            value={input[field]}
            choices={choicesOf(field, input[field])}
            // Before hydration, nothing would be saved.
            onType={(value) => store.type(field, value)}
          />
        ))}
      </div>
      <div role="status" className="min-h-6 text-sm text-muted">
        {(status?.name === 'saving' || status?.name === 'saved') && <SaveWords status={status} />}
        <SaveNotice className="text-ink" status={status} />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending} needsScript>
          {label}
        </Button>
        {beside?.(status === null)}
      </div>
    </form>
  );
}
