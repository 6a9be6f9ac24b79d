/** The fields of a business as its form shows them, with why each is asked. */
import type { FactSpec } from './FactInput.tsx';

export interface FactGroup {
  title: string;
  why: string;
  fields: readonly FactSpec[];
}

export const NEW_FIELDS = {
  name: { field: 'name', label: 'Business name', required: true, autoComplete: 'organization' },
  trading: { field: 'trading', label: 'Is it trading?' },
  postal_code: {
    field: 'postal_code',
    label: 'Postal code',
    hint: 'So that we can point you to help near you.',
    autoComplete: 'postal-code',
    className: '[&_input]:max-w-48',
  },
  help_wanted: {
    field: 'help_wanted',
    label: 'What would help most?',
    hint: 'In your own words. A coach reads it only if you ask for one.',
    long: true,
  },
} satisfies Record<string, FactSpec>;

export const GROUPS: readonly FactGroup[] = [
  {
    title: 'The business',
    why: 'Its name is all that is needed. The rest helps a coach to understand it before you meet.',
    fields: [
      NEW_FIELDS.name,
      NEW_FIELDS.trading,
      {
        field: 'description',
        label: 'What it does',
        hint: 'For whom, in two sentences.',
        long: true,
      },
      NEW_FIELDS.help_wanted,
    ],
  },
  {
    title: 'Its kind',
    why: 'Your results are compared with businesses of the same industry and stage, once there are twenty.',
    fields: [
      { field: 'industry', label: 'Industry' },
      { field: 'stage', label: 'Stage' },
      { field: 'start_date', label: 'Trading since', type: 'date', className: 'max-w-56' },
      { field: 'home_based', label: 'Run from home?' },
    ],
  },
  {
    title: 'In law',
    why: 'Lenders and programs ask for these; here they stand ready to copy.',
    fields: [
      { field: 'legal_name', label: 'Legal name', hint: 'Where it is not the name above.' },
      { field: 'entity_type', label: 'Legal form' },
    ],
  },
  {
    title: 'Where and how to reach it',
    why: 'Programs near you depend on the place. Nothing of it is shown in public.',
    fields: [
      { field: 'address_line1', label: 'Address', autoComplete: 'address-line1' },
      { field: 'address_line2', label: 'Address, second line', autoComplete: 'address-line2' },
      { field: 'city', label: 'City', autoComplete: 'address-level2' },
      { field: 'region', label: 'State or region', autoComplete: 'address-level1' },
      NEW_FIELDS.postal_code,
      { field: 'country', label: 'Country', autoComplete: 'country' },
      { field: 'phone', label: 'Telephone', type: 'tel', autoComplete: 'tel' },
      { field: 'website', label: 'Website', type: 'url', hint: 'Such as www.example.com.' },
    ],
  },
];
