/** The spreadsheets of the tools on customers, prices and the website. Names are those of the tools' texts. */
import {
  above,
  linesBetween,
  minus,
  over,
  round,
  roundUp,
  sum,
  times,
  wholeColumn,
} from './formulas.ts';
import type { Part } from './tool-sheets.ts';
import { dayNumber } from './tool-tables.ts';

const hundredth = (figure: number) => figure / 100;

const customerCost: Part[] = [
  {
    heading: 'What an hour costs',
    lines: [
      {
        label: 'What an hour of yours would cost to replace',
        as: 'dollars',
        given: 'an owner and two technicians, uses #',
      },
    ],
  },
  {
    heading: 'Table 1: What each one costs',
    table: 'Yard signs and the truck',
    columns: {
      'Hours at $30': times('Hours', 'What an hour of yours would cost to replace'),
      Cost: sum('Money', 'Hours at $30'),
      Each: over('Cost', 'New customers'),
    },
    total: 'Together',
    titles: { 'Hours at $30': 'Hours in dollars' },
    blank: 10,
  },
  {
    heading: 'Table 2: What one leaves',
    note: 'What’s left of a customer’s first year, after materials and wages for the work.',
    table: 'Yearly plan',
    columns: { 'Left, at 45%': times('Pays in the first year', 'What’s left of a dollar') },
    titles: { 'Left, at 45%': 'Left' },
    extra: {
      name: 'What’s left of a dollar',
      before: 'Left, at 45%',
      given: 'four visits at $95, and #% is left',
      read: hundredth,
      format: '0%',
    },
    blank: 4,
  },
  {
    heading: 'Which way pays?',
    note: 'Each way’s cost from table 1, and what its customers leave on average.',
    table: 'Leaves, each',
    columns: { 'Ahead in the first year': minus('Leaves, each', 'Costs, each') },
    blank: 10,
  },
];

const overdueInvoices: Part[] = [
  {
    heading: 'The day you look',
    lines: [
      {
        label: 'Today',
        as: 'date',
        given: 'made this one on Friday, June #',
        read: (day) => dayNumber(2026, 6, day),
      },
    ],
  },
  {
    heading: 'Every late invoice, oldest due date first',
    table: 'Harlan Dental',
    columns: { 'Days late': minus('Today', 'Due') },
    total: 'Late',
    without: ['Not due yet'],
    year: 2026,
    blank: 20,
  },
  {
    heading: 'How many days of sales are out?',
    lines: [
      { label: 'Not due yet', as: 'dollars', given: 'Not due yet | | | #' },
      {
        label: 'Owed in all',
        as: 'dollars',
        formula: sum('Owed', 'Not due yet'),
        says: 'The shop had # owed',
      },
      { label: 'Sales of the last quarter', as: 'dollars', given: 'owed and # in sales over' },
      { label: 'Days in it', as: 'number', given: 'in sales over # days' },
      {
        label: 'Days of sales that are out',
        as: 'number',
        formula: round(over('Owed in all', over('Sales of the last quarter', 'Days in it'))),
        says: 'over 91 days: # days of sales',
        total: true,
      },
      {
        label: 'A day is worth',
        as: 'dollars',
        formula: over('Sales of the last quarter', 'Days in it'),
        says: 'A day is worth #,',
      },
      { label: 'Days you’d like', as: 'number', given: 'so getting to # days' },
      {
        label: 'That would put in the bank',
        as: 'dollars',
        formula: times(
          minus('Days of sales that are out', 'Days you’d like'),
          round('A day is worth'),
        ),
        says: 'would put # in the bank',
      },
    ],
  },
];

const pricing: Part[] = [
  {
    heading: '1. What one sale costs directly',
    lines: [
      { label: 'People', as: 'number', given: '# people × 1.75' },
      { label: 'Hours, each', as: 'hundredths', given: 'people × # hours' },
      { label: 'What an hour costs', as: 'cents', given: 'hours × # (wage' },
      {
        label: 'Labor',
        as: 'cents',
        formula: times('People', 'Hours, each', 'What an hour costs'),
        says: 'insurance) | #',
      },
      { label: 'Miles', as: 'number', given: '# miles at' },
      { label: 'What a mile costs', as: 'cents', given: 'miles at # cents', read: hundredth },
      {
        label: 'Travel',
        as: 'cents',
        formula: times('Miles', 'What a mile costs'),
        says: 'gas and wear | #',
      },
      { label: 'Materials', as: 'cents', given: 'Soap, cloths, blades | #' },
      {
        label: 'Direct cost',
        as: 'cents',
        formula: sum('Labor', 'Travel', 'Materials'),
        says: 'Direct cost | | #',
        total: true,
      },
    ],
  },
  {
    heading: '2. Its share of everything else',
    lines: [
      { label: 'Overhead in a month', as: 'cents', given: 'Overhead in a month | #' },
      { label: 'Sales in a month', as: 'number', given: 'Jobs in a month | #' },
      {
        label: 'Share of one sale',
        as: 'cents',
        formula: over('Overhead in a month', 'Sales in a month'),
        says: 'Share of one job | #',
        total: true,
      },
    ],
  },
  {
    heading: '3. What the price leaves',
    lines: [
      { label: 'Price now', as: 'cents', given: '| Price | # | | Direct cost' },
      {
        label: 'Left',
        as: 'cents',
        formula: minus('Price now', 'Direct cost', 'Share of one sale'),
        says: 'Share of overhead | −$35.00 | | Left | #',
        total: true,
      },
      {
        label: 'Left, as a share of the price',
        as: 'percent',
        formula: over('Left', 'Price now'),
        says: 'as a share of the price | #',
      },
      { label: 'The share you want', as: 'percent', given: 'This owner wanted #%' },
      {
        label: 'The price that leaves it',
        as: 'dollars',
        formula: over(sum('Direct cost', 'Share of one sale'), minus(1, 'The share you want')),
        says: '÷ (1 − 0.20) = #',
        total: true,
      },
    ],
  },
  {
    heading: '4. How many sales could you lose?',
    lines: [
      { label: 'New price', as: 'dollars', given: '| Price | $149 | #' },
      {
        label: 'Left after direct cost, one sale, now',
        as: 'dollars',
        formula: minus('Price now', 'Direct cost'),
        says: 'Left after direct cost, one job | #',
      },
      {
        label: 'Left after direct cost, one sale, at the new price',
        as: 'dollars',
        formula: minus('New price', 'Direct cost'),
        says: 'one job | $52 | #',
      },
      {
        label: 'Left after direct cost, a month, now',
        as: 'dollars',
        formula: times('Left after direct cost, one sale, now', 'Sales in a month'),
        says: 'Left after direct cost, a month | #',
      },
      {
        label: 'Sales that leave as much at the new price',
        as: 'number',
        formula: roundUp(
          over(
            'Left after direct cost, a month, now',
            'Left after direct cost, one sale, at the new price',
          ),
        ),
        says: 'the same at # jobs',
        total: true,
      },
      {
        label: 'Sales you could lose',
        as: 'number',
        formula: minus('Sales in a month', 'Sales that leave as much at the new price'),
        says: 'It could lose # jobs',
      },
    ],
  },
];

const inquiryList: Part[] = [
  {
    heading: 'The list',
    note: 'Every line has a next step with a date, or an outcome.',
    table: 'Reyes, Elm St.',
    blank: 30,
  },
  {
    heading: 'After 30 days, count',
    lines: [
      { label: 'Won', as: 'number', given: '| Won | #' },
      { label: 'Lost', as: 'number', given: '| Lost | #' },
      {
        label: 'Never heard from them after the quote',
        as: 'number',
        given: 'after the quote | #',
      },
      { label: 'Never answered by us', as: 'number', given: 'Never answered by us | #' },
      { label: 'Still open', as: 'number', given: 'Still open | #' },
      {
        label: 'Inquiries',
        as: 'number',
        formula: sum(linesBetween('Won', 'Still open')),
        says: 'What became of # inquiries',
        total: true,
      },
      {
        label: 'Got a quote and decided',
        as: 'number',
        formula: sum(linesBetween('Won', 'Never heard from them after the quote')),
        says: 'Of the # who got a quote',
      },
      {
        label: 'Said yes, of those',
        as: 'percent',
        formula: over('Won', 'Got a quote and decided'),
        says: '14 said yes: #%',
        total: true,
      },
      { label: 'An average job', as: 'dollars', given: 'with # for an average job' },
      {
        label: 'What nobody answered would have brought',
        as: 'dollars',
        formula: round(times('Never answered by us', 'Said yes, of those', 'An average job'), -2),
        says: 'would have brought in about #',
      },
    ],
  },
  {
    heading: 'By how fast you answered',
    table: 'Same day',
    columns: { 'Share won': over('Won', 'Decided') },
    blank: {},
  },
  {
    heading: 'By how they found you',
    table: 'Neighbor or friend',
    columns: { 'Share won': over('Won', 'Decided') },
    blank: 6,
  },
];

const pastCustomers: Part[] = [
  {
    heading: 'After two weeks, count',
    lines: [
      { label: 'Booked', as: 'number', given: '| Booked | #' },
      { label: 'Have moved', as: 'number', given: 'Have moved | #' },
      { label: 'Don’t need it anymore', as: 'number', given: 'Don’t heat with wood anymore | #' },
      { label: 'Went to someone else', as: 'number', given: 'Went to someone else | #' },
      { label: 'No answer', as: 'number', given: 'No answer | #' },
      { label: 'Of', as: 'number', formula: sum(above), says: '| Of # |', total: true },
      { label: 'Your price', as: 'dollars', given: 'visits at # are' },
      {
        label: 'What the calls and letters brought',
        as: 'dollars',
        formula: times('Booked', 'Your price'),
        says: 'visits at $189 are #',
        total: true,
      },
      {
        label: 'Customers who are due and weren’t asked',
        as: 'number',
        given: 'the other # would bring',
      },
      {
        label: 'What they’d bring at half the rate',
        as: 'dollars',
        formula: times(
          round(over(times('Customers who are due and weren’t asked', 'Booked'), times(2, 'Of'))),
          'Your price',
        ),
        says: 'would bring 22 visits, #',
      },
    ],
  },
  {
    heading: 'Who comes back?',
    table: 'For the first time',
    columns: { Share: over('Came back', 'Visited') },
    total: 'Together',
    blank: 3,
  },
];
const pastCustomersList: Part = {
  heading: 'The list',
  note: 'People you liked, who paid on time, and who’d have a real reason to come back. Leave out everyone who’s asked you not to call.',
  table: 'Reason to come back',
  isOnlyBlank: true,
  blank: 20,
};

const bestCustomers: Part[] = [
  {
    heading: '1. List 20',
    table: 'Brewery on 4th',
    blank: 20,
  },
  {
    heading: '2. Sort them into three or four groups',
    table: 'Left after metal and hours',
    columns: { 'Left of each dollar': over('Left after metal and hours', 'Sales') },
    titles: { 'Left after metal and hours': 'Left after materials and hours' },
    total: 'Together',
    blank: 4,
  },
  {
    heading: 'Hours spent on winning work, last quarter',
    table: 'Hours spent on winning work',
    columns: {
      'Share of the hours': over(
        'Hours spent on winning work',
        sum(wholeColumn('Hours spent on winning work')),
      ),
    },
    blank: 4,
  },
];

const websiteMonth: Part[] = [
  {
    heading: 'An average sale',
    lines: [{ label: 'What a sale is worth', as: 'dollars', given: 'and # for an average job' }],
  },
  {
    heading: 'The sheet',
    table: 'What we changed',
    join: 'Sales per 10 inquiries',
    columns: {
      'In dollars': times('Sales', 'What a sale is worth'),
      'Inquiries per 100 visits': over(times(100, 'Inquiries'), 'Visits'),
      'Sales per 10 inquiries': over(times(10, 'Sales'), 'Inquiries'),
    },
    blank: 12,
  },
];

const nextStep: Part[] = [
  {
    heading: 'One line for each page',
    table: 'Lessons and prices',
    blank: 8,
  },
  {
    heading: 'Count for 30 days, twice',
    note: 'Visits, and how many took the step: before you changed the words, and after.',
    table: 'Visits in August',
    total: 'Together',
    titles: {
      'Visits in August': 'Visits before',
      'Took the step': 'Took the step, before',
      'Visits in September': 'Visits after',
      'Took the step\n4': 'Took the step, after',
    },
    blank: 8,
  },
];

const listings: Part[] = [
  {
    heading: 'What’s true',
    table: 'Next days closed',
    titles: { 'The flower shop': 'Yours' },
    blank: {},
  },
  { heading: 'Every place that shows your business', table: 'Facebook page', blank: 20 },
  {
    heading: 'What’s wrong, by fact',
    table: 'Wrong in, of 9 places',
    titles: { 'Wrong in, of 9 places': 'Places where it’s wrong' },
    total: 'Mistakes',
    blank: 6,
  },
  { heading: 'How people found your number', table: 'A map on their phone', blank: 8 },
];

export const customerSheets = {
  'customer-cost': customerCost,
  'overdue-invoices': overdueInvoices,
  'pricing-worksheet': pricing,
  'inquiry-list': inquiryList,
  'past-customers': [pastCustomersList, ...pastCustomers],
  'best-customers': bestCustomers,
  'website-month': websiteMonth,
  'next-step-sheet': nextStep,
  'listings-list': listings,
};
