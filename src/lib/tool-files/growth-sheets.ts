/** The spreadsheets of the tools on goals, priorities and progress. Names are those of the tools' texts. */
import { linesBetween, minus, over, roundUp, sum, times } from './formulas.ts';
import type { Part } from './tool-sheets.ts';

const fourNumbers: Part[] = [
  {
    heading: 'What you count',
    table: 'Everything paid this month, sales tax taken out',
    blank: {},
  },
  {
    heading: 'The four numbers',
    note: 'The target is where you want to be. The line is where you stop and do something.',
    table: 'Below $14,500',
    titles: { July: 'Month 1', August: 'Month 2', September: 'Month 3' },
    blank: { names: { 'Left of each dollar': 'What’s left', Members: 'Customers' } },
  },
  {
    heading: 'When a number crosses its line',
    lines: [
      { label: 'Sales of the month', as: 'dollars', given: 'September’s # would have left' },
      {
        label: 'What should be left of each dollar',
        as: 'cents',
        given: 'At # cents, September’s',
        read: (cents) => cents / 100,
      },
      {
        label: 'What was left of each dollar',
        as: 'cents',
        given: 'At # it left',
        read: (cents) => cents / 100,
      },
      {
        label: 'The gap, in dollars',
        as: 'dollars',
        formula: times(
          'Sales of the month',
          minus('What should be left of each dollar', 'What was left of each dollar'),
        ),
        says: 'The gap is #',
        total: true,
      },
    ],
  },
  {
    heading: 'A number that moves first',
    table: 'Trial classes',
    titles: { July: 'Month 1', August: 'Month 2', September: 'Month 3', October: 'Month 4' },
    blank: {
      names: {
        'Trial classes': 'What moves first',
        'New members the month after': 'What follows the month after',
      },
    },
  },
  {
    heading: 'How many follow',
    lines: [
      {
        label: 'Followed, of those',
        as: 'percent',
        formula: over(
          sum((scope) => scope.line('New members the month after')),
          sum((scope) => scope.line('Trial classes')),
        ),
        says: '16 joined in the month after: #%',
        total: true,
      },
    ],
  },
];

const quarterlyReview: Part[] = [
  {
    heading: 'The numbers',
    table: 'Wholesale, pounds',
    columns: { 'Of target': over('July to September', 'Target') },
    titles: { 'July to September': 'This quarter' },
    blank: 6,
  },
  {
    heading: 'What became of last time’s decisions?',
    table: 'Decided in July',
    titles: { 'Decided in July': 'Decided last time' },
    blank: 3,
  },
  {
    heading: 'Decisions',
    note: 'Three at most. At least one has to stop something.',
    table: 'We were right if',
    blank: 3,
  },
  {
    heading: 'After a year of reviews',
    table: 'October a year ago',
    total: 'Together',
    blank: 4,
  },
  {
    heading: 'What they say',
    lines: [
      {
        label: 'Finished, of what was decided',
        as: 'percent',
        formula: over('Done by the date', 'Decided'),
        says: 'They finish #% of what they decide',
      },
      {
        label: 'Turned out right, of what was finished',
        as: 'percent',
        formula: over('Turned out right', 'Done by the date'),
        says: 'and #% of what they finish',
      },
    ],
  },
];

const goals: Part[] = [
  {
    heading: 'Start at the bottom line',
    lines: [
      {
        label: 'What you want to be left with, before tax',
        as: 'dollars',
        given: 'works alone wants # before',
      },
      { label: 'Costs that don’t change with sales', as: 'dollars', given: '(62,000 + #) ÷' },
      {
        label: 'Costs that do, as a share of sales',
        as: 'percent',
        given: 'Parts and gas, #% of sales',
      },
      {
        label: 'Sales you need',
        as: 'dollars',
        formula: over(
          sum('What you want to be left with, before tax', 'Costs that don’t change with sales'),
          minus(1, 'Costs that do, as a share of sales'),
        ),
        says: '÷ 0.65 = #',
        total: true,
      },
    ],
  },
  {
    heading: 'Turn it into a week',
    lines: [
      { label: 'An average job', as: 'dollars', given: 'Jobs, at # on average' },
      {
        label: 'Jobs in the year',
        as: 'number',
        formula: over('Sales you need', 'An average job'),
        says: 'on average | 472 | #',
      },
      { label: 'Weeks you work', as: 'number', given: 'in # working weeks' },
      {
        label: 'Jobs a week',
        as: 'tenths',
        formula: over('Jobs in the year', 'Weeks you work'),
        says: 'working weeks | 10.3 | #',
      },
      { label: 'Hours for a job', as: 'tenths', given: 'at # a job, driving' },
      {
        label: 'Hours for jobs, a week',
        as: 'number',
        formula: times('Jobs a week', 'Hours for a job'),
        says: 'driving included | 31 | #',
      },
      {
        label: 'Hours for calls, errands and paperwork, a week',
        as: 'number',
        given: 'parts runs and paperwork | #',
      },
      {
        label: 'Hours a week',
        as: 'number',
        formula: sum('Hours for jobs, a week', 'Hours for calls, errands and paperwork, a week'),
        says: 'Hours a week | 37 | #',
        total: true,
      },
    ],
  },
  {
    heading: 'Three goals',
    table: 'I’ll see it in',
    isOnlyBlank: true,
    blank: {},
  },
  {
    heading: 'Cut it up by season',
    table: 'January to March',
    columns: { 'This year’s goal': times('Sales you need', 'Last year’s share') },
    blank: {},
  },
  {
    heading: 'What you reached before',
    table: 'Goal for sales',
    columns: { Reached: over('Sales', 'Goal for sales') },
    total: 'Together',
    blank: 3,
  },
];

const priorities: Part[] = [
  {
    heading: 'Your hours',
    lines: [
      { label: 'Hours a week', as: 'number', given: '# hours × 12 weeks' },
      { label: 'Weeks that go right', as: 'number', given: '5 hours × # weeks' },
      {
        label: 'Hours this quarter',
        as: 'number',
        formula: times('Hours a week', 'Weeks that go right'),
        says: '12 weeks = # hours',
        total: true,
      },
    ],
  },
  {
    heading: 'Put numbers next to them',
    table: 'Coffee corner',
    total: 'Together',
    blank: 12,
  },
  {
    heading: 'Choose until the hours are gone',
    note: 'The one that leaves most for an hour of its year comes first.',
    table: 'Still free',
    lines: {},
    blank: 3,
  },
  { heading: 'Not now', table: 'We’ll look again', blank: 10 },
  {
    heading: 'What happened next to what you planned',
    table: 'Planned hours',
    total: 'Together',
    blank: 3,
  },
  {
    heading: 'Your own optimism',
    lines: [
      {
        label: 'Things took, times what you thought',
        as: 'tenths',
        formula: over('Used', 'Planned hours'),
        says: 'Things took # times',
      },
      {
        label: 'Hours to plan next time',
        as: 'number',
        formula: over('Hours this quarter', 'Things took, times what you thought'),
        says: 'planned with # hours instead',
        total: true,
      },
    ],
  },
];

const testCard: Part[] = [
  {
    heading: 'Work out line 3',
    note: 'What it costs each month, whether you use it or not, and what one sale leaves.',
    table: 'Insurance and gas',
    lines: {
      'Costs, whether anyone orders or not': sum(linesBetween('Lease', 'Insurance and gas')),
    },
    blank: {
      lines: ['Lease', 'Insurance and gas', 'Costs, whether anyone orders or not'],
      names: {
        Lease: 'Lease or payment',
        'Insurance and gas': 'What it takes to run it',
        'Costs, whether anyone orders or not': 'Costs, whether anyone buys or not',
      },
    },
  },
  {
    heading: 'How many sales is that?',
    lines: [
      { label: 'A sale brings in', as: 'dollars', given: 'An order brings in #.' },
      {
        label: 'It takes, in material, hours and driving',
        as: 'dollars',
        given: 'driving take # of it',
      },
      {
        label: 'Left of a sale',
        as: 'dollars',
        formula: minus('A sale brings in', 'It takes, in material, hours and driving'),
        says: 'so # is left',
      },
      {
        label: 'Sales a month',
        as: 'number',
        formula: roundUp(over('Costs, whether anyone orders or not', 'Left of a sale')),
        says: '850 ÷ 17 = # orders a month',
        total: true,
      },
      { label: 'Weeks in a month', as: 'hundredths', given: 'Divided by # weeks' },
      {
        label: 'Sales a week',
        as: 'number',
        formula: roundUp(over('Sales a month', 'Weeks in a month')),
        says: 'that’s # a week',
        total: true,
      },
    ],
  },
  {
    heading: 'After five cards',
    table: 'Pickup orders in a week',
    columns: { 'Happened ÷ expected': over('Happened', 'Expected') },
    blank: 8,
  },
];

export const growthSheets = {
  'four-numbers': fourNumbers,
  'quarterly-review': quarterlyReview,
  'goals-page': goals,
  'three-priorities': priorities,
  'test-card': testCard,
};
