/** The worked examples of the guides on an owner's own pay, late customers, 1099s, seasons and selling the business. */
import { balances, monthlyPayment, salesToBreakEven, sum } from './business-math.ts';
import { about, example, says } from './worked-example.ts';

const payingYourself = example({
  path: 'pages/paying-yourself.mdx',
  given: {
    sales: '| Sales | #',
    materials: '| Materials, #% of sales | $74,400',
    fixed: 'the van | # | | Profit before the owner is paid | $54,600',
    tax: 'Tax set aside, #% of profit | $14,196',
    kept: 'Kept in the business, #% of profit',
    drop: 'Suppose sales fall by #%.',
    base: 'rounded down: #.',
    raise: 'In the example, #% more on the same sales',
    hours: "for # hours, that's",
    firstYear: 'In your first year, use #%.',
  },
  work({ sales, materials, fixed, tax, kept, drop, base, raise, hours, firstYear }) {
    const year = (sold: number, keep: number) => {
      const bought = (sold * materials) / 100;
      const profit = sold - bought - fixed;
      const [owed, stays] = [(profit * tax) / 100, (profit * keep) / 100];
      const left = profit - owed - stays;
      return { bought, profit, owed, stays, left, month: left / 12 };
    };
    const good = year(sales, kept);
    const lower = (sales * (100 - drop)) / 100;
    const bad = year(lower, 0);
    const more = Math.floor(good.month) - base;
    const beforeTax = Math.round(base / (1 - tax / 100));
    const monthly = fixed / 12 + beforeTax;
    const units = salesToBreakEven(Math.round(monthly), 100, materials);
    return {
      figures: {
        'Materials, 40% of sales | # | | Rent, insurance, software, the van | $57,000 | | Profit before the owner is paid | # | | Tax set aside, 26% of profit | # | | Kept':
          [good.bought, good.profit, good.owed],
        '10% of profit | # | | Left for the owner | # | | A month | # |': [
          good.stays,
          good.left,
          good.month,
        ],
        "'The owner', value: # }, { label: 'Tax', value: # }, { label: 'Kept in the business', value: #":
          [good.left, good.owed, good.stays],
        'other fixed costs, here #.': fixed / 6,
        'At # a year that takes # months.': [good.stays, about(fixed / 6 / (good.stays / 12), 1)],
        '# a month works in a year like the last one': good.month,
        'Sales, #% lower | # |': [drop, lower],
        'Materials, 40% of sales | # | | Rent, insurance, software, the van | # | | Profit before the owner is paid | # | | Tax set aside, 26% of profit | # | | Left for the owner, with nothing kept back | # | | A month | # |':
          [bad.bought, fixed, bad.profit, bad.owed, bad.left, bad.month],
        'Sales fell by #%, and profit by #%': [
          drop,
          (100 * (good.profit - bad.profit)) / good.profit,
        ],
        'on top: # − # = # a month': [good.month, base, more],
        'take # for the three months': 3 * more,
        "The sign shop's fixed costs are # a month.": fixed / 12,
        'A base of # after #% tax takes # of profit.': [base, tax, beforeTax],
        "Together that's #, and materials take # of every #.": [monthly, materials, 100],
        'it takes # sales of $100, or # a month.': [units, units * 100],
        'the shop sold # in an average month': sales / 12,
        'fixed={#} price={#} variable={#}': [monthly, 100, materials],
        'on the same sales adds # to profit': (sales * raise) / 100,
        'If you earn # for': good.left,
        "that's # an hour.": good.left / hours,
      },
      asks: {
        everyMonth: { 'The base is covered in an average month': units * 100 < sales / 12 },
        badCase: {
          'The base survives the bad year': base <= bad.month,
          'Break-even with the base is below the bad year’s sales': units * 1200 < lower,
        },
        ownRules: {
          'A first year sets aside what the tool says': says(
            'toolbox/tax-set-aside.md',
            `Set aside ${firstYear}% of profit until`,
          ),
        },
      },
    };
  },
});

const lateCustomers = example({
  path: 'pages/customers-who-pay-late.mdx',
  given: {
    invoiced: 'An electrical contractor invoices # a month.',
    terms: 'The terms say # days.',
    taken: 'Customers take # on average.',
    rate: 'fills the gap, #% a year',
    margin: 'with # of every $10 left',
    lost: 'a lost invoice of # takes',
    job: "On a job of # that's",
    small: 'A fee of 3% on # is',
    fee: 'A fee of #% on $900',
    claim: '| Two payments agreed on by phone | $0 | # |',
    court: 'here a # filing fee and a day of yours worth # |',
    agency: 'A collection agency, here for #% |',
    after: 'customers take # days instead of',
  },
  stated: [
    'A fee of 1.5% a month',
    'on every job over $3,000',
    'agreed on by phone | $0 |',
    'of every $10 left',
    'costs under $5',
  ],
  work(n) {
    const aDay = n.invoiced / 30;
    const out = (days: number) => aDay * (days - n.terms);
    const interest = (amount: number) => (amount * n.rate) / 1200;
    const cost = sum(n.court);
    return {
      figures: {
        '# ÷ 30 | # |': [n.invoiced, aDay],
        'Days late, # − # | # |': [n.taken, n.terms, n.taken - n.terms],
        'that should be here | # | | Interest on': out(n.taken),
        'a year | # a month |': interest(out(n.taken)),
        'The interest is the small part. # is also': out(n.taken),
        'takes # of new sales to make up for': n.lost / (n.margin / 10),
        "that's # before you buy anything": n.job / 3,
        'on $900 is #; at #% a year, waiting # days for #': [
          (n.small * n.fee) / 100,
          n.rate,
          n.taken - n.terms,
          n.small,
        ],
        'costs under $5, so':
          (n.small * n.rate * (n.taken - n.terms)) / 36_500 < 5 &&
          (n.small * n.rate * (n.taken - n.terms)) / 36_500 > 4,
        'For an invoice of #': n.claim,
        'worth $400 | # | # |': [cost, n.claim - cost],
        'for 30% | # | # |': [(n.claim * n.agency) / 100, n.claim * (1 - n.agency / 100)],
        'Days until paid | # | # |': [n.taken, n.after],
        'that should be here | # | # |': [out(n.taken), out(n.after)],
        'Interest a month | # | # |': [interest(out(n.taken)), interest(out(n.after))],
        "'Before', value: # }, { label: 'After', value: #": [out(n.taken), out(n.after)],
        '# came home without a new customer': out(n.taken) - out(n.after),
      },
      asks: {
        pays: {
          'Two payments beat the court, and the court beats the agency':
            cost < (n.claim * n.agency) / 100,
        },
      },
    };
  },
});

const first1099s = example({
  path: 'pages/first-1099s.mdx',
  given: {
    limit: 'You paid that person or firm # or more over the year',
    photographer: 'Photographer, sole proprietor | Bank transfer | #',
    designer: 'taxed as an S corporation | Check | #',
    bookkeeper: 'Credit card | #',
    handyman: 'Three checks | #',
    lawyer: 'Lawyer, incorporated | Check | #',
    landlord: 'Landlord, one person | Bank transfer | #',
    store: 'Restaurant supply store | Check | #',
    held: 'hold back #% of what',
  },
  stated: ['the limit was $600'],
  work(n) {
    const reported = [n.photographer, n.lawyer, n.landlord];
    return {
      figures: {
        'Together | | # | # forms': [
          sum([...reported, n.designer, n.bookkeeper, n.handyman, n.store]),
          reported.length,
        ],
        'Three forms report # of the #.': [
          sum(reported),
          sum([...reported, n.designer, n.bookkeeper, n.handyman, n.store]),
        ],
        'one more job at # would bring him to it': n.limit - n.handyman,
        "On an invoice of #, that's #.": [n.photographer, (n.photographer * n.held) / 100],
        'January 31, 2027, is a Sunday': new Date(Date.UTC(2027, 0, 31)).getUTCDay() === 0,
      },
      asks: {
        ownRules: {
          'Everyone reported is at the limit, and the handyman isn’t':
            Math.min(...reported) >= n.limit && n.handyman < n.limit,
        },
      },
    };
  },
});

const MONTHS = ['April', 'May', 'June', 'July', 'August', 'September', 'October'] as const;

const seasonal = example({
  path: 'pages/seasonal-business.mdx',
  given: {
    fixed: "with the owner's pay and taxes on it, are # a month",
    april: '| April | #',
    may: '| May | #',
    june: '| June | #',
    july: '| July | #',
    august: '| August | #',
    september: '| September | #',
    october: '| October | #',
    november: '| November | #',
    december: '| December | #',
    january: '| January | #',
    february: '| February | #',
    march: '| March | #',
    aside: '22,000 ÷ 184,000 is #%.',
    worse: 'With #% less it',
    contracts: 'Eight spring contracts of #, signed',
    asleep: '# a month less for five months',
    other: 'At half of every dollar, # a month for five months',
    rate: 'At #% a year',
  },
  stated: ['If sales are 10% under it'],
  work(n) {
    const busy = [n.april, n.may, n.june, n.july, n.august, n.september, n.october];
    const slow = [n.november, n.december, n.january, n.february, n.march];
    const after = (sales: number) => sales / 2 - n.fixed;
    const gaps = slow.map(after);
    const winter = -sum(gaps);
    const summer = sum(busy.map(after));
    const all = [...busy, ...slow];
    const down = balances(
      0,
      [0, 0, 0, 0, 0],
      gaps.map((gap) => -gap),
    ).map((each) => -each);
    const back = balances(winter, [0, 0, 0, 0], busy.slice(0, 4).map(after));
    const owed = [...down, ...back.filter((each) => each > 0)];
    const rows = Object.fromEntries(
      [...MONTHS, 'November', 'December', 'January', 'February', 'March'].map((month, index) => [
        `| ${month} | # | # | # |`,
        [all[index] ?? 0, (all[index] ?? 0) / 2, after(all[index] ?? 0)],
      ]),
    );
    return {
      figures: {
        ...rows,
        'Year | # | # | # |': [sum(all), sum(all) / 2, summer - winter],
        'values: [#, #, #, #, #, #, #, #, #, #, #, #]': all.map(after),
        'The year is fine: it leaves #.': summer - winter,
        'From November to March, # more goes out': winter,
        'The seven busy months bring in #. # ÷ #': [sum(busy), winter, sum(busy)],
        'So # cents of every dollar': n.aside,
        "By the end of October that's #.": (sum(busy) * n.aside) / 100,
        'takes # from what those months leave: # becomes #.': [
          sum(busy) / 20,
          summer,
          summer - sum(busy) / 20,
        ],
        'with # to spare': summer - sum(busy) / 20 - winter,
        "it doesn't: # leaves a hole of #.": [
          summer - (sum(busy) * n.worse) / 200,
          winter - (summer - (sum(busy) * n.worse) / 200),
        ],
        'with a third down, bring in # two months early': (8 * n.contracts) / 3,
        'less for five months is #.': 5 * n.asleep,
        'for five months leaves #. That alone is a third of the winter': (5 * n.other) / 2,
        'would be #, #, #, # and #, and then #, # and # on the way down': owed,
        "that's # of interest": (sum(owed) * n.rate) / 1200,
      },
      asks: {
        everyMonth: {
          'What is set aside covers the winter': (sum(busy) * n.aside) / 100 >= winter,
        },
        badCase: {
          'A tenth less in summer still covers it': summer - sum(busy) / 20 >= winter,
          'Other work is a third of the winter': Math.round((3 * 5 * n.other) / 2 / winter) === 1,
        },
      },
    };
  },
});

const selling = example({
  path: 'pages/selling-your-business.mdx',
  given: {
    profit: 'Profit before the owner is paid | #',
    interest: '| Interest | #',
    depreciation: '| Depreciation | #',
    roof: 'once in 20 years | #',
    multiple: "Here it's #:",
    broker: 'Broker, here #% |',
    lawyer: 'Lawyer and accountant | #',
    loan: 'still owed on the loan | #',
    better: 'Going from 2.2 to # adds',
    down: 'the technician pays #% down',
    rate: 'at #% for five years',
    living: 'The technician needs # to live on',
  },
  work(n) {
    const earned = n.profit + n.interest + n.depreciation + n.roof;
    const price = earned * n.multiple;
    const left = price * (1 - n.broker / 100) + n.lawyer + n.loan;
    const note = price * (1 - n.down / 100);
    const five = monthlyPayment(note, n.rate, 60);
    const seven = monthlyPayment(note, n.rate, 84);
    const room = earned / 12 - n.living;
    const bad = (earned * 0.9) / 12 - n.living;
    return {
      figures: {
        'What it pays the person who runs it | #': earned,
        '# × # = #': [earned, n.multiple, price],
        '| Price | # | | Broker, here 10% | # |': [price, (-price * n.broker) / 100],
        'Left, before tax | # |': left,
        "'You, before tax', value: # }, { label: 'The lender', value: # }, { label: 'The broker', value: # }, { label: 'Lawyer and accountant', value: #":
          [left, -n.loan, (price * n.broker) / 100, -n.lawyer],
        'Compare that with staying. # is about a year and seven months': left,
        'is about a year and seven months of': Math.round((12 * left) / earned) === 19,
        'to 2.7 adds # here': earned * (n.better - n.multiple),
        '% down, #, and you carry the rest, #, at': [(price * n.down) / 100, note],
        "That's # a month. The shop pays its owner # a year, or # a month.": [
          five,
          earned,
          earned / 12,
        ],
        'That leaves # for your payment: it fits, by #.': [
          room,
          Math.round(room) - Math.round(five),
        ],
        'If earnings fall by a tenth, # is left': bad,
        "Over seven years it's # a month": seven,
      },
      asks: {
        everyMonth: { 'Five years fit in a year like the last one': five < room },
        badCase: {
          'Five years fail in a bad one, as the page says': five > bad,
          'Seven years survive it': seven < bad,
        },
      },
    };
  },
});

export const ownerMoneyGuides = [payingYourself, lateCustomers, first1099s, seasonal, selling];
