/** The spreadsheets of the tools on cash, profit, tax and loans. Names are those of the tools' texts. */
import {
  above,
  before,
  countBelow,
  linesBetween,
  lowest,
  minus,
  monthlyPayment,
  over,
  round,
  roundUp,
  sum,
  times,
  upper,
  wholeLine,
} from './formulas.ts';
import type { Part } from './tool-sheets.ts';

const twelve = Array.from({ length: 12 }, (_, index) => `Month ${index + 1}`);

const cashForecast: Part[] = [
  {
    heading: 'Cash, month by month',
    note: 'Write your months over the names of the columns. Add a line by inserting a row between two yellow ones.',
    table: 'Invoices paid',
    lines: {
      In: sum(above),
      Out: sum(above),
      'In minus out': minus('In', 'Out'),
      'Balance at the start': before('Balance at the end'),
      'Balance at the end': sum('Balance at the start', 'In minus out'),
    },
    warn: { line: 'Balance at the end', below: 'The balance where you’ll act' },
    blank: {
      columns: twelve,
      lines: [
        'Sales paid right away',
        'Invoices that will be paid',
        'Loans, owner’s money, refunds',
        'In',
        'Suppliers',
        'Wages and payroll taxes',
        'Rent and utilities',
        'Loan payments',
        'Taxes, insurance, yearly bills',
        'Equipment',
        'Owner’s draw',
        'Out',
        'In minus out',
        'Balance at the start',
        'Balance at the end',
      ],
    },
  },
  {
    heading: 'Your floor',
    note: 'A month that ends below it is marked. Write down what you’ll do and by what date.',
    lines: [
      { label: 'The balance where you’ll act', as: 'dollars', given: 'one month’s rent: # here' },
      {
        label: 'The lowest balance at the end of a month',
        as: 'dollars',
        formula: lowest(wholeLine('Balance at the end')),
      },
      {
        label: 'Months that end below the floor',
        as: 'number',
        formula: countBelow('Balance at the end', 'The balance where you’ll act'),
      },
    ],
  },
];

const breakEven: Part[] = [
  {
    heading: 'Fixed costs for a month',
    table: 'Utilities',
    lines: { 'Fixed costs': sum(above) },
    titles: { Month: 'A month' },
    blank: {},
  },
  {
    heading: 'What’s left of a dollar',
    note: 'Costs that grow with each sale, as a share of sales: 30 cents is 0.30.',
    table: 'Packaging',
    lines: { Spent: sum(above), 'Left of each dollar': minus(1, 'Spent') },
    blank: {},
  },
  {
    heading: 'Break-even',
    lines: [
      { label: 'Days you’re open in a month', as: 'number', given: 'open # days' },
      { label: 'An average sale', as: 'cents', given: 'Sales a day, at # each' },
      {
        label: 'Break-even, a month',
        as: 'dollars',
        formula: over('Fixed costs', 'Left of each dollar'),
        says: '÷ 0.64 = # a month',
        total: true,
      },
      {
        label: 'A day',
        as: 'dollars',
        formula: over('Break-even, a month', 'Days you’re open in a month'),
        says: '22,578 ÷ 26 | #',
      },
      {
        label: 'Sales a day',
        as: 'number',
        formula: roundUp(over('A day', 'An average sale')),
        says: '868 ÷ 11.40 | #',
        total: true,
      },
    ],
  },
  {
    heading: 'With you paid',
    lines: [
      { label: 'What you need a month', as: 'dollars', given: 'The owner needs # a month.' },
      {
        label: 'Break-even with you paid, a month',
        as: 'dollars',
        formula: over(sum('Fixed costs', 'What you need a month'), 'Left of each dollar'),
        says: '÷ 0.64 = #, or',
        total: true,
      },
      {
        label: 'A day with you paid',
        as: 'dollars',
        formula: over('Break-even with you paid, a month', 'Days you’re open in a month'),
        says: 'or # and 98 guests a day',
      },
      {
        label: 'Sales a day with you paid',
        as: 'number',
        formula: roundUp(over('A day with you paid', 'An average sale')),
        says: 'and # guests a day',
        total: true,
      },
    ],
  },
  {
    heading: 'Last month',
    lines: [
      { label: 'Sales a day last month', as: 'number', given: 'Last month | # |' },
      {
        label: 'Sales in the month',
        as: 'dollars',
        formula: times('Sales a day last month', 'Days you’re open in a month', 'An average sale'),
        says: '26 × $11.40 = #;',
      },
      {
        label: 'Left of them',
        as: 'dollars',
        formula: times('Sales in the month', 'Left of each dollar'),
        says: '× 0.64 = #; minus',
      },
      {
        label: 'Left for you, before tax',
        as: 'dollars',
        formula: minus('Left of them', 'Fixed costs'),
        says: 'minus $14,450 = #',
        total: true,
      },
    ],
  },
];

const profitAndLoss: Part[] = [
  {
    heading: 'The twelve lines',
    note: 'Write your own names over lines 1, 2, 4 and 6 to 11, and your months over the names of the columns.',
    table: 'Weddings and events',
    labels: 1,
    lines: {
      Sales: sum(above),
      'Left after line 4': minus('Sales', 'Cocoa, cream and boxes'),
      Profit: minus('Left after line 4', sum(above)),
    },
    titles: { February: 'Month 1', March: 'Month 2', April: 'Month 3' },
    blank: {
      names: {
        'Sales in the shop': 'Sales, first kind',
        'Weddings and events': 'Sales, second kind',
        'Cocoa, cream and boxes': 'What you spend more on when you sell more',
        'Van and delivery': 'Vehicle and delivery',
        'Insurance and everything else': 'Everything else',
      },
    },
  },
  {
    heading: 'What’s line 4 as a share of line 3?',
    table: 'Line 4, of each $100',
    lines: { 'Line 4, of each $100': over(times(100, 'Cocoa, cream and boxes'), 'Sales') },
    titles: { February: 'Month 1', March: 'Month 2', April: 'Month 3' },
    blank: {},
  },
  {
    heading: 'Next to a budget',
    note: 'Write the budget before the month starts, and look at the biggest difference.',
    table: 'Lines 8 to 11',
    titles: { April: 'Line' },
    columns: { Difference: minus('Actual', 'Budget') },
    lines: { Profit: minus('Sales', sum(linesBetween('Cocoa, cream and boxes', 'Lines 8 to 11'))) },
    blank: { names: { 'Cocoa, cream and boxes': 'Line 4' } },
  },
];

const hundredth = (figure: number) => figure / 100;

const taxSetAside: Part[] = [
  {
    heading: 'Sales tax in a month’s sales',
    lines: [
      { label: 'Taken in, sales tax included', as: 'dollars', given: 'took in # for leashes' },
      { label: 'The sales tax', as: 'percent', given: 'At #%, that’s' },
      {
        label: 'Your sales',
        as: 'dollars',
        formula: over('Taken in, sales tax included', sum(1, 'The sales tax')),
        says: 'that’s # in sales',
      },
      {
        label: 'The state’s part',
        as: 'dollars',
        formula: minus('Taken in, sales tax included', 'Your sales'),
        says: 'in sales and # for the state',
        total: true,
      },
    ],
  },
  {
    heading: 'Your own rate',
    note: 'From last year’s returns, and last year’s profit and loss.',
    table: 'Total federal tax',
    lines: {
      'Tax, of each dollar of profit': over(
        sum('Total federal tax', 'State income tax'),
        'Profit last year',
      ),
      'Profit, of each dollar of sales': over(
        'Profit last year',
        'Sales last year, without sales tax',
      ),
      'Tax, of each dollar of sales': over(
        sum('Total federal tax', 'State income tax'),
        'Sales last year, without sales tax',
      ),
    },
    titles: { 'The dog trainer': 'Last year' },
    blank: {},
  },
  {
    heading: 'Will it be there?',
    note: 'Round your rate up. You can set aside more before the first dates than later: change it line by line.',
    table: 'January to March',
    columns: {
      'Set aside': times('Sales', 'Of each dollar'),
      Paid: over(sum('Total federal tax', 'State income tax'), 4),
      Left: sum(upper, minus('Set aside', 'Paid')),
    },
    extra: {
      name: 'Of each dollar',
      before: 'Set aside',
      given: 'Round up to # cents of',
      read: hundredth,
      format: '$0.00',
    },
    titles: { Sales: 'Sales you expect' },
    blank: { keep: ['From sales in'] },
  },
];

const weeklyBooks: Part[] = [
  {
    heading: 'The week, line by line',
    table: 'Mrs. Ortiz, two doors, check',
    total: 'Week',
    blank: 25,
  },
  {
    heading: 'The match',
    note: 'Explain every cent. What the bank doesn’t have yet, or your books don’t, goes into the yellow lines, with a minus if the bank is to get less.',
    table: 'Books, last Friday',
    titles: { 'The handyman’s match': 'Our match' },
    lines: {
      'In this week': 'In',
      'Out this week': minus(0, 'Out'),
      'Books, this Friday': sum('Books, last Friday', 'In this week', 'Out this week'),
      Difference: minus('Books, this Friday', 'Bank, this Friday'),
      'Left to explain': round(
        sum(
          'Difference',
          linesBetween(
            'Mrs. Ortiz’s check, deposited today, not in yet',
            'Software, taken on May 6, not in our books',
          ),
        ),
        2,
      ),
    },
    blank: {
      names: {
        'Mrs. Ortiz’s check, deposited today, not in yet': 'First explanation',
        'Card fee on Mr. Hall’s payment, not in our books': 'Second explanation',
        'Software, taken on May 6, not in our books': 'Third explanation',
      },
    },
  },
];

const lenderList: Part[] = [
  {
    heading: 'The new loan',
    lines: [
      { label: 'The price', as: 'dollars', given: 'A print shop wants a # press' },
      { label: 'From your own money', as: 'dollars', given: 'the other # is ours' },
      {
        label: 'To borrow',
        as: 'dollars',
        formula: minus('The price', 'From your own money'),
        says: 'of its own, #:',
        total: true,
      },
      { label: 'Interest, a year', as: 'rate', given: 'over seven years at #%' },
      { label: 'Years', as: 'number', value: 7 },
      {
        label: 'Payment, a month',
        as: 'dollars',
        formula: monthlyPayment('To borrow', 'Interest, a year', times(12, 'Years')),
        says: 'The payment is # a month',
        total: true,
      },
    ],
  },
  {
    heading: 'The ratio they work out first',
    note: 'A year’s figures. Many lenders want 1.25 or more; ask yours. The payments on the new loan are twelve of those above.',
    table: 'Plus depreciation',
    lines: {
      'Cash before debt': sum(above),
      'All payments': sum(above),
      Coverage: over('Cash before debt', 'All payments'),
    },
    titles: { '$80,000': 'First request', '$75,000': 'Second request' },
    blank: {},
  },
];

export const moneySheets = {
  'lender-readiness-list': lenderList,
  'cash-forecast': cashForecast,
  'break-even': breakEven,
  'profit-and-loss': profitAndLoss,
  'tax-set-aside': taxSetAside,
  'weekly-books': weeklyBooks,
};
