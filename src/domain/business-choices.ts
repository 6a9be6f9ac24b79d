/** Facts about a business that are picked from fixed lists, because benchmarks group by them. */

const options = (labels: readonly string[]) => labels.map((label) => ({ value: label, label }));

export const TRADING = [
  { value: 'trading', label: 'Yes, it has paying customers' },
  { value: 'not-yet', label: 'Not yet' },
] as const;

/** Labels for the same values in a list of businesses. */
export const TRADING_LABELS: Record<string, string> = {
  trading: 'Open for business',
  'not-yet': 'Not open yet',
};

const INDUSTRIES = options([
  'Agriculture',
  'Arts and entertainment',
  'Construction and trades',
  'Education and child care',
  'Food and drink',
  'Health and care',
  'Hospitality',
  'Manufacturing',
  'Media',
  'Personal services',
  'Professional services',
  'Retail and repair',
  'Technology',
  'Transport',
  'Travel and leisure',
  'Other',
]);

const STAGES = options(['Idea', 'Starting', 'Growing', 'Established', 'Changing hands']);

const ENTITY_TYPES = options([
  'Sole proprietorship',
  'Partnership',
  'Limited liability company (LLC)',
  'S corporation',
  'C corporation',
  'Cooperative',
  'Nonprofit',
  'Not registered yet',
  'Other',
]);

const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

type Choice = { value: string; label: string };

/** The choices for a field, plus its current value if it's missing. Undefined for free text. */
export function choicesOf(field: string, value: string): readonly Choice[] | undefined {
  const choices: Record<string, readonly Choice[]> = {
    trading: TRADING,
    industry: INDUSTRIES,
    stage: STAGES,
    entity_type: ENTITY_TYPES,
    home_based: YES_NO,
  };
  const found = choices[field];
  if (!found || value === '' || found.some((one) => one.value === value)) return found;
  return [...found, { value, label: value }];
}
