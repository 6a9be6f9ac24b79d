/** The worked examples of the guides on an owner's own pay, late customers and 1099s. */
import { salesToBreakEven, sum } from './business-math.ts';
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
  stated: ['A fee of 1.5% a month', 'on every job over $3,000', 'agreed on by phone | $0 |', 'of every $10 left', 'costs under $5'],
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

export const ownerMoneyGuides = [payingYourself, lateCustomers, first1099s];
