import { takeChosenWork } from '#lib/chosen-work.ts';
import { hrefFor, withNext } from '#lib/routing/href.ts';
import type { NewBusiness } from '#lib/schemas/account.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { BusinessForm } from './BusinessForm.tsx';
import { NEW_FIELDS } from './edit-fields.ts';
import type { FactSpec } from './FactInput.tsx';

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

/** A new business: four fields, saved as you type once it has a name. */
const NewBusinessScreen = ({ userId, next }: NewBusinessProps) => (
  <BusinessForm
    userId={userId}
    fields={FIELDS}
    submit="Add the business"
    className="flex max-w-xl flex-col gap-5"
    onCreated={(id) => {
      // A reload continues on the business's own edit page.
      const edit = hrefFor('/dashboard/businesses/[id]/edit', { id });
      history.replaceState(history.state, '', withNext(edit, next));
    }}
    onSaved={() => location.assign(next ?? takeChosenWork(userId) ?? hrefFor('/dashboard'))}
    beside={(isEmpty) => (
      <Button variant="quiet" href={next ?? hrefFor('/dashboard/businesses')}>
        {isEmpty ? 'Cancel' : next ? 'Back' : 'Back to the list'}
      </Button>
    )}
  />
);

export default screen(NewBusinessScreen);
