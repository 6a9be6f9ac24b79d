/** The spreadsheets of the tools on people and daily work. Names are those of the tools' texts. */
import { above, ifAtMost, largest, minus, over, roundDown, sum, times } from './formulas.ts';
import type { Part } from './tool-sheets.ts';

const stockAndHours: Part[] = [
  {
    heading: 'Part A: When to order',
    note: 'Order when you’re down to the busiest week times the weeks until it arrives.',
    table: 'Dryer belt',
    columns: {
      'Order at': times('Busiest week', 'Weeks to arrive'),
      Today: ifAtMost('We have', 'Order at', 'Order', 'Fine'),
    },
    blank: 10,
  },
  {
    heading: 'Part B: How much fits into a week',
    table: 'At work',
    lines: {
      'Hours for jobs': minus('At work', 'Phone, quotes, books, picking up parts', 'Driving'),
    },
    isUnsigned: true,
    titles: { Owner: 'First person', Technician: 'Second person' },
    blank: {
      columns: ['Owner', 'Technician', 'Third person', 'Fourth person'],
      names: {
        'Phone, quotes, books, picking up parts': 'Of that, phone, quotes, books, errands',
        Driving: 'Of that, driving',
      },
    },
  },
  {
    heading: 'When is it full?',
    lines: [
      {
        label: 'Hours in all',
        as: 'number',
        formula: sum((scope) => scope.line('Hours for jobs')),
        says: 'Together that’s # hours',
      },
      { label: 'An average job takes', as: 'tenths', given: 'An average job takes # hours' },
      {
        label: 'Jobs that fill it to the minute',
        as: 'number',
        formula: over('Hours in all', 'An average job takes'),
        says: 'so # jobs would fill',
      },
      {
        label: 'Full, with a tenth kept free',
        as: 'number',
        formula: roundDown(times(0.9, 'Jobs that fill it to the minute')),
        says: '# jobs is full',
        total: true,
      },
    ],
  },
  {
    heading: 'What’s promised',
    table: 'June 15',
    lines: { 'Room, of 27': minus('Full, with a tenth kept free', 'Booked') },
    titles: {
      'June 8': 'This week',
      'June 15': 'Next',
      'June 22': 'In two weeks',
      'June 29': 'In three',
    },
    blank: { lines: ['Booked', 'Room, of 27'], names: { 'Room, of 27': 'Room' } },
  },
];

const suppliers: Part[] = [
  {
    heading: 'How much you use',
    lines: [{ label: 'How many you need in a year', as: 'number', given: 'A year, # jars |' }],
  },
  {
    heading: 'What a usable one costs',
    table: 'Smallest order, jars',
    lines: {
      'Paid for the order': sum(
        times('Price of a jar', 'Smallest order, jars'),
        'Freight for that order',
      ),
      'Usable jars': times('Smallest order, jars', minus(1, over('Broken or flawed, of 100', 100))),
      'A usable jar': over('Paid for the order', 'Usable jars'),
      'A year, 4,800 jars': times('How many you need in a year', 'A usable jar'),
    },
    titles: { 'Now: Ferris': 'Now', 'Prairie Glass': 'Second', Importer: 'Third' },
    blank: {
      names: {
        'Price of a jar': 'Price of one',
        'Smallest order, jars': 'Smallest order',
        'Usable jars': 'Usable ones',
        'A usable jar': 'One you can use',
        'A year, 4,800 jars': 'A year',
      },
    },
  },
  {
    heading: 'What the price leaves out',
    table: 'Weeks to arrive',
    titles: { Ferris: 'Now', 'Prairie Glass': 'Second', Importer: 'Third' },
    blank: { names: { 'Months of jars in one order': 'Months that one order lasts' } },
  },
  {
    heading: 'One line for each year’s deliveries',
    table: 'Before the call',
    titles: { 'Ferris, in 12 months': 'Supplier, in 12 months' },
    blank: 6,
  },
];

const mistakeLog: Part[] = [
  { heading: 'The log', table: 'March 3', blank: 30 },
  {
    heading: 'Day 30: count',
    table: 'Zipper not tested',
    total: 'All',
    blank: 8,
  },
  {
    heading: 'Did it hold?',
    table: 'Everything else',
    titles: { March: 'Month 1', April: 'Month 2', May: 'Month 3' },
    blank: { names: { 'Measured without the shoes they’d wear': 'The line you changed' } },
  },
];

const payRecords: Part[] = [
  {
    heading: 'Two weeks of hours and pay',
    note: 'Hours past 40 in a week count one and a half times, each week by itself. Your state may count by the day.',
    table: 'Rosa',
    columns: {
      Owed: times(
        'Rate',
        sum(
          'Week 1',
          'Week 2',
          over(largest(0, minus('Week 1', 40)), 2),
          over(largest(0, minus('Week 2', 40)), 2),
        ),
      ),
      Short: minus('Owed', 'Paid'),
    },
    total: 'All',
    blank: 12,
  },
  {
    heading: 'The folder',
    table: 'New-hire report sent',
    titles: { Rosa: 'Person 1', Dee: 'Person 2', Tam: 'Person 3', Jo: 'Person 4' },
    blank: {},
  },
];

const renewals: Part[] = [
  {
    heading: 'The list',
    note: 'Sorted by the day it runs out.',
    table: 'Fire inspection tag',
    total: 'Yearly bills',
    blank: 15,
  },
  {
    heading: 'For your cash forecast',
    lines: [
      {
        label: 'A month',
        as: 'dollars',
        formula: over('A year', 12),
        says: '$4,560 is # a month',
        total: true,
      },
    ],
  },
];

const websiteCheck: Part[] = [
  {
    heading: 'Pick three to fix',
    note: 'Rate each “no” twice, from 1 to 3. Fix the highest scores first.',
    table: 'Run into it',
    columns: { Score: times('Run into it', 'Costs a sale') },
    blank: 20,
  },
];

const hiring: Part[] = [
  {
    heading: 'Five questions',
    note: '0 for no example, 1 for an example, 2 for one that shows what you need.',
    table: 'A 2 sounds like',
    lines: { 'Points of 10': sum(above) },
    titles: { Ana: 'First', Ben: 'Second', Cora: 'Third' },
    blank: {},
  },
];

const canvas: Part[] = [
  {
    heading: 'What an hour costs',
    lines: [
      { label: 'What an hour of your crew costs', as: 'dollars', given: 'Crew cost at # an hour' },
    ],
  },
  {
    heading: 'Check that it adds up',
    note: 'A month, for each kind of customer.',
    table: 'Crew hours',
    lines: {
      'Crew cost at $27 an hour': times('Crew hours', 'What an hour of your crew costs'),
      Left: minus('Sales', 'Crew cost at $27 an hour', 'Plants and materials'),
      'Left for an hour of work': over('Left', 'Crew hours'),
    },
    titles: { 'Office parks': 'First kind', Homes: 'Second kind' },
    blank: {
      columns: ['Office parks', 'Homes', 'Third kind'],
      names: {
        'Crew hours': 'Hours of work',
        'Crew cost at $27 an hour': 'Cost of those hours',
        'Plants and materials': 'Materials',
      },
    },
  },
];

export const workSheets = {
  'stock-and-hours': stockAndHours,
  'supplier-comparison': suppliers,
  'mistake-log': mistakeLog,
  'pay-records-check': payRecords,
  'renewal-list': renewals,
  'website-check': websiteCheck,
  'hiring-and-first-week': hiring,
  'business-model-canvas': canvas,
};
