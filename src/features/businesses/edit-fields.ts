/** The fields of the business form, in groups, and why we ask for each group. */
import type { FactSpec } from './FactInput.tsx';

export interface FactGroup {
  title: string;
  why: string;
  fields: readonly FactSpec[];
}

export const NEW_FIELDS = {
  name: { field: 'name', label: 'Business name', required: true, autoComplete: 'organization' },
  trading: { field: 'trading', label: 'Is it open for business?' },
  postal_code: {
    field: 'postal_code',
    label: 'ZIP or postal code',
    hint: 'So we can point you to help near you.',
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
    why: 'All we need is a name. The rest helps a coach understand the business before you meet.',
    fields: [
      NEW_FIELDS.name,
      NEW_FIELDS.trading,
      {
        field: 'description',
        label: 'What it does',
        hint: 'And who it’s for, in two sentences.',
        long: true,
      },
      NEW_FIELDS.help_wanted,
    ],
  },
  {
    title: 'Type of business',
    why: 'We compare your results with businesses in the same industry and stage, once there are 20.',
    fields: [
      { field: 'industry', label: 'Industry' },
      { field: 'stage', label: 'Stage' },
      { field: 'start_date', label: 'In business since', type: 'date', className: 'max-w-56' },
      { field: 'home_based', label: 'Home-based?' },
    ],
  },
  {
    title: 'Legal details',
    why: 'Lenders and programs ask for these. Keep them here, ready to copy.',
    fields: [
      { field: 'legal_name', label: 'Legal name', hint: 'If it’s not the name above.' },
      { field: 'entity_type', label: 'Business structure' },
    ],
  },
  {
    title: 'Location and contact',
    why: 'Local programs depend on where you are. None of this is public.',
    fields: [
      { field: 'address_line1', label: 'Address', autoComplete: 'address-line1' },
      { field: 'address_line2', label: 'Address line 2', autoComplete: 'address-line2' },
      {
        field: 'city',
        label: 'City',
        autoComplete: 'address-level2',
        span: 'col-span-6 sm:col-span-2',
      },
      {
        field: 'region',
        label: 'State or region',
        autoComplete: 'address-level1',
        span: 'col-span-3 sm:col-span-2',
      },
      // Why we ask is said of the whole group here.
      {
        field: 'postal_code',
        label: NEW_FIELDS.postal_code.label,
        autoComplete: 'postal-code',
        span: 'col-span-3 sm:col-span-2',
      },
      { field: 'country', label: 'Country', autoComplete: 'country' },
      { field: 'phone', label: 'Phone', type: 'tel', autoComplete: 'tel' },
      { field: 'website', label: 'Website', type: 'url', hint: 'For example, www.example.com.' },
    ],
  },
];
