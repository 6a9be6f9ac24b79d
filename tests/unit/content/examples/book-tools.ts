/** The worked examples of the tools on books, profit, tax and invoices, in content/toolbox. */
import { balances, sum } from './business-math.ts';
import { example } from './worked-example.ts';

const weeklyBooks = example({
  path: 'toolbox/weekly-books.md',
  given: {
    sales:
      'two doors, check | Sales | # | | Copy | | May 5 | Hardware store, hinges for Ortiz | Job materials | | # |',
    gas: '| Vehicle | | # |',
    lopez: 'fence, bank transfer | Sales | # |',
    lumber: 'pickets for Lopez | Job materials | | # |',
    hall: 'faucet, card | Sales | # |',
    insurance: '| Insurance | | # |',
    draw: 'Owner’s draw | | # |',
    start: 'Books, last Friday | # |',
    arrives: 'arrives as #, the sale',
    software: 'Software, taken on May 6, not in our books | #',
    missing: 'Card fees | # |',
    subscriptions: '| Subscriptions | # |',
    receipts: 'in the truck | # |',
    cash: 'Small cash jobs | # |',
  },
  work(n) {
    const [ortiz, hinges] = n.sales;
    const into = ortiz + n.lopez + n.hall;
    const out = sum([hinges, n.gas, n.lumber, n.insurance, n.draw]);
    const books = n.start + into - out;
    const fee = n.hall - n.arrives;
    const bank = books - ortiz - fee + n.software;
    const eleven = n.missing + n.subscriptions + n.receipts + n.cash;
    return {
      figures: {
        '| Week | | | # | # | |': [into, out],
        'In this week | #': into,
        'Out this week | #': -out,
        'Books, this Friday | # |': books,
        'Bank, this Friday | # |': bank,
        'Difference | # |': books - bank,
        'not in yet | #': -ortiz,
        'payment, not in our books | #': -fee,
        'Left to explain | # |': books - bank - ortiz - fee + n.software,
        'When a card payment of # arrives': n.hall,
        'the sale is # and the fee of # is an expense': [n.hall, fee],
        'the books say #.': books - fee + n.software,
        'this handyman added eleven lines': eleven === 11,
      },
      asks: 'The sheet shows a routine, and the owner decides nothing with these figures.',
    };
  },
});

const MONTHS = [0, 1, 2] as const;

const profitAndLoss = example({
  path: 'toolbox/profit-and-loss.md',
  given: {
    shop: 'Sales in the shop | # | # | # |',
    weddings: 'Weddings and events | # | # | # |',
    cocoa: '4 | Cocoa, cream and boxes | # | # | # |',
    wages: '6 | Wages and payroll taxes | # | # | # |',
    rent: '7 | Rent and power | # | # | # |',
    van: 'Van and delivery | # | # | # |',
    fees: 'Card fees and software | # | # | # |',
    advertising: 'Advertising | # | # | # |',
    rest: 'Insurance and everything else | # | # | # |',
    planned: 'Difference | | Sales | #',
    share: 'stayed at the #% in the budget',
    plannedWages: '| Wages and payroll taxes | # | 2,870 |',
    plannedRest: 'Lines 8 to 11 | # |',
  },
  stated: [
    '| 1 | Sales',
    '| 2 | Weddings',
    '| 3 | Sales',
    '| 4 | Cocoa',
    '| 5 | Left',
    '| 6 | Wages',
    '| 7 | Rent',
    '| 8 | Van',
    '| 9 | Card',
    '| 10 | Advertising',
    '| 11 | Insurance',
    '| 12 | Profit',
    'If $1,980 for insurance',
    'but $245 isn’t',
  ],
  work(n) {
    const sales = MONTHS.map((at) => n.shop[at] + n.weddings[at]);
    const left = MONTHS.map((at) => (sales[at] ?? 0) - n.cocoa[at]);
    const lower = MONTHS.map((at) => n.van[at] + n.fees[at] + n.advertising[at] + n.rest[at]);
    const profit = MONTHS.map(
      (at) => (left[at] ?? 0) - n.wages[at] - n.rent[at] - (lower[at] ?? 0),
    );
    const [february = 0, march = 0, april = 0] = profit;
    const [, , aprilSales = 0] = sales;
    const plannedCocoa = (n.planned * n.share) / 100;
    const [, , aprilLower = 0] = lower;
    const plannedProfit = n.planned - plannedCocoa - n.plannedWages - n.rent[2] - n.plannedRest;
    const cocoaThen = (aprilSales * n.share) / 100;
    return {
      figures: {
        '3 | Sales | # | # | # |': sales,
        'Left after line 4 | # | # | # |': left,
        '12 | Profit | # | # | # |': profit,
        'with # more in sales than March. It left # more.': [
          (sales[0] ?? 0) - (sales[1] ?? 0),
          february - march,
        ],
        '4, of each $100 | # | # | # |': MONTHS.map((at) => (100 * n.cocoa[at]) / (sales[at] ?? 0)),
        'Line 4, of each # |': 100,
        '| Sales | 14,000 | # | # |': [aprilSales, aprilSales - n.planned],
        '+800 | | Cocoa, cream and boxes | # | # | # |': [
          plannedCocoa,
          n.cocoa[2],
          n.cocoa[2] - plannedCocoa,
        ],
        '| Wages and payroll taxes | 2,800 | # | # |': [n.wages[2], n.wages[2] - n.plannedWages],
        '+70 | | Rent and power | 2,100 | # | # |': [n.rent[2], 0],
        'Lines 8 to 11 | 1,800 | # | # |': [aprilLower, aprilLower - n.plannedRest],
        '+245 | | Profit | # | # | # |': [plannedProfit, april, april - plannedProfit],
        'they’d have cost #, and April would have made # more': [cocoaThen, n.cocoa[2] - cocoaThen],
      },
      asks: {
        pays: {
          'The line that was chosen is the largest difference':
            n.cocoa[2] - plannedCocoa > aprilLower - n.plannedRest,
        },
      },
    };
  },
});

const taxSetAside = example({
  path: 'toolbox/tax-set-aside.md',
  given: {
    leashes: 'took in # for leashes',
    salesTax: 'At #%, that’s',
    sales: 'without sales tax | # |',
    profit: 'Profit last year | # |',
    federal: 'Total federal tax | # |',
    state: 'State income tax | # |',
    cents: 'Round up to # cents of',
    more: 'sets aside # cents through May and',
    periods:
      'January to March | # | $3,360 | $3,212 | $148 | | June 15 | April and May | # | $2,385 | $3,212 | −$679 | | September 15 | June to August | # | $3,840 | $3,212 | −$51 | | January 15 | September to December | # |',
    deposits: 'first transfer: # in deposits',
  },
  stated: [
    'Set aside 30% of profit',
    '90% of what this year’s tax turns out to be or 100% of last year’s',
    'over $150,000, it’s 110% of',
    'more than 10% ahead',
  ],
  work(n) {
    const rate = (n.federal + n.state) / n.profit;
    const payment = n.federal / 4 + n.state / 4;
    const payments = n.periods.map(() => payment);
    const even = n.periods.map((each) => (each * n.cents) / 100);
    const early = n.periods.map((each, at) => (each * (at < 2 ? n.more : n.cents)) / 100);
    const [evenLeft, earlyLeft] = [balances(0, even, payments), balances(0, early, payments)];
    const row = (set: number[], left: number[], at: number) => [
      set[at] ?? 0,
      payment,
      left[at] ?? 0,
    ];
    const tax = sum(n.periods) * (n.profit / n.sales) * rate;
    const price = n.leashes / (1 + n.salesTax / 100);
    return {
      figures: {
        'that’s # in sales and # for the state': [price, n.leashes - price],
        '% of $1,284 gives #, which': (n.leashes * n.salesTax) / 100,
        'each dollar of profit | # cents': 100 * rate,
        'Profit, of each dollar of sales | # cents': (100 * n.profit) / n.sales,
        'Tax, of each dollar of sales | # cents': (100 * rate * n.profit) / n.sales,
        '# × # = #. Round': [rate, n.profit / n.sales, (rate * n.profit) / n.sales],
        'quarter: # + # = #.': [n.federal / 4, n.state / 4, payment],
        'March | $22,400 | # | # | # |': row(even, evenLeft, 0),
        'May | $15,900 | # | # | # |': row(even, evenLeft, 1),
        'August | $25,600 | # | # | # |': row(even, evenLeft, 2),
        'December | $30,100 | # | # | # |': row(even, evenLeft, 3),
        'April 15 | # | # | # |': row(early, earlyLeft, 0),
        'June 15 | # | # | # |': row(early, earlyLeft, 1),
        'September 15 | # | # | # |': row(early, earlyLeft, 2),
        'January 15 | # | # | # |': row(early, earlyLeft, 3),
        'On # in sales': sum(n.periods),
        'tax comes to about #.': tax,
        'That’s # more than the four payments, and # covers it': [
          tax - 4 * payment,
          earlyLeft[3] ?? 0,
        ],
        'in deposits × # = #.': [n.more / 100, (n.deposits * n.more) / 100],
      },
      asks: {
        everyMonth: { 'No payment finds too little': Math.min(...earlyLeft) >= 0 },
        badCase: {
          'What is left covers a tax that is a tenth higher': 0.1 * tax < (earlyLeft[3] ?? 0),
        },
      },
    };
  },
});

const overdueInvoices = example({
  path: 'toolbox/overdue-invoices.md',
  given: {
    mesa: '| Mesa Builders | May 2 | # | # |',
    harlan: '| Harlan Dental | May 20 | # | # |',
    school: '| School district | May 29 | # | # |',
    brewing: '| Dry Creek Brewing | June 8 | # | # |',
    notDue: 'Not due yet | | | # |',
    rate: 'at #% a year',
    half: 'June 19: #',
    quarter: 'owed and # in sales over # days',
    goal: 'getting to # days',
  },
  work({ mesa, harlan, school, brewing, notDue, rate, half, quarter, goal }) {
    const late = mesa[1] + harlan[1] + school[1] + brewing[1];
    const owed = late + notDue;
    const came = brewing[1] + school[1] + half;
    const [sales, length] = quarter;
    const days = Math.round((owed / sales) * length);
    const day = Math.round(sales / length);
    const daysLate = (due: string) =>
      (Date.parse('2026-06-12') - Date.parse(`2026-${due}`)) / 86_400_000;
    return {
      figures: {
        'Late | | | # |': late,
        'Two of every three dollars owed': Math.round((30 * late) / owed) === 20,
        'a year, # costs # a month': [late, (late * rate) / 1200],
        'is due Monday: #': brewing[1],
        '1052 for # was due Monday': brewing[1],
        'invoice 1050, #,': school[1],
        'You’ll pay # by Thursday': school[1],
        'Invoice 1041, #,': mesa[1],
        'June 15: #': brewing[1],
        'June 18: #': school[1],
        'After one week, # of the # was in the bank': [came, late],
        'The shop had # owed': owed,
        'days: # days of sales. A day is worth #': [days, day],
        'would put # in the bank': (days - goal) * day,
      },
      asks: {
        ownRules: {
          'The days late follow from the due dates':
            daysLate('05-02') === mesa[0] &&
            daysLate('05-20') === harlan[0] &&
            daysLate('05-29') === school[0] &&
            daysLate('06-08') === brewing[0],
          'Harlan paid half': half === harlan[1] / 2,
        },
      },
    };
  },
});

export const bookTools = [weeklyBooks, profitAndLoss, taxSetAside, overdueInvoices];
