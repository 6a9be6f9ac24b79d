import { useState } from 'react';
import { createBusiness } from '#data/businesses.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { db } from '#lib/door.ts';
import { newId } from '#lib/new-id.ts';
import { type NewBusiness, newBusiness } from '#lib/schemas.ts';
import { tellTabs } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/Field.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Select } from '#ui/Select.tsx';
import { TextArea } from '#ui/TextArea.tsx';
import { useSchemaForm } from '#ui/use-schema-form.ts';

const TRADING = [
  { value: 'trading', label: 'Yes, it takes money from customers' },
  { value: 'not-yet', label: 'Not yet' },
];

/** The four questions with which a business begins; only its name is needed. */
export default function NewBusinessScreen() {
  // One id for all tries: sent twice, it stays one business.
  const [id] = useState(newId);
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<NewBusiness>(
    newBusiness,
    async (input) => {
      const made = await createBusiness(await db(), id, input);
      chooseBusiness(made.id);
      tellTabs('changed');
      form.reset(input);
      location.assign('/dashboard');
    },
    { guarded: true },
  );
  return (
    <form method="post" noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-5">
      <Field
        label="Business name"
        autoComplete="organization"
        error={errorOf('name')}
        {...form.register('name')}
      />
      <Field
        label="Is it trading?"
        optional
        as={Select}
        options={TRADING}
        placeholder="Choose one"
        error={errorOf('trading')}
        {...form.register('trading')}
      />
      <Field
        label="Postal code"
        optional
        hint="So that we can point you to help near you."
        autoComplete="postal-code"
        className="max-w-48"
        error={errorOf('postalCode')}
        {...form.register('postalCode')}
      />
      <Field
        label="What would help most?"
        optional
        as={TextArea}
        rows={4}
        hint="In your own words. A coach reads it only if you ask for one."
        error={errorOf('helpWanted')}
        {...form.register('helpWanted')}
      />
      {failure && (
        <Notice tone="danger" live="assertive">
          {failure.message}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending} disabled={!ready}>
          Save
        </Button>
        <Button variant="quiet" href="/dashboard/businesses">
          Cancel
        </Button>
      </div>
    </form>
  );
}
