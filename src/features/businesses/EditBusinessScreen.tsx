import { type ComponentProps, useState } from 'react';
import type { Business } from '#data/businesses.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { notifyTabs } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { GROUPS } from './edit-fields.ts';
import { FactInput } from './FactInput.tsx';
import { createFactsStore } from './facts-store.ts';
import { PageState, useAutosave } from './use-autosave.tsx';

export interface EditInitial {
  business: Pick<Business, 'id' | 'facts'>;
  userId: string;
  countries: { value: string; label: string }[];
  /** Where to go after saving: the page that required this business; null for its own page. */
  next: string | null;
}

/** The details of a business, saved as you type. The Done button waits until all are stored. */
function EditBusinessScreen({ initial }: { initial: EditInitial }) {
  const { business, userId, countries, next } = initial;
  const { autosave, fields } = useAutosave(() =>
    createFactsStore(business.id, userId, business.facts),
  );
  const [pending, setPending] = useState(false);
  const home = next ?? hrefFor('/dashboard/businesses/[id]', { id: business.id });

  async function save() {
    setPending(true);
    autosave.flush();
    // A field that can't be saved now shows why, and the page stays open.
    await autosave.answered();
    setPending(false);
    const statuses = Object.values(autosave.$fields.get()).map(({ status }) => status?.name);
    if (!statuses.every((name) => !name || name === 'saved' || name === 'updated')) return;
    notifyTabs('changed');
    location.assign(home);
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      className="flex flex-col gap-10"
    >
      {GROUPS.map(({ title, why, fields: specs }) => (
        <fieldset
          key={title}
          className="grid gap-x-10 gap-y-5 lg:grid-cols-[16rem_minmax(0,34rem)]"
        >
          <div>
            <legend className="font-display text-lg">{title}</legend>
            <p className="mt-1 text-sm text-muted">{why}</p>
          </div>
          <div className="grid grid-cols-6 content-start items-end gap-x-4 gap-y-5">
            {specs.map((spec) => (
              <FactInput
                key={spec.field}
                spec={spec}
                state={fields[spec.field]}
                choices={spec.field === 'country' ? countries : undefined}
                onType={(value) => autosave.type(spec.field, value)}
                onChoose={(which) => autosave.choose(spec.field, which)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <Foot pending={pending} fields={Object.values(fields)} />
    </form>
  );
}

interface FootProps extends ComponentProps<typeof PageState> {
  pending: boolean;
}

function Foot({ pending, fields }: FootProps) {
  return (
    <div
      data-foot
      className="sticky bottom-14 z-10 flex items-center gap-x-4 border-t border-line bg-paper py-3 lg:bottom-0 lg:py-4"
    >
      <Button type="submit" pending={pending} needsScript>
        Done
      </Button>
      <PageState fields={fields} />
    </div>
  );
}

export default screen(EditBusinessScreen);
