/** The worked examples of the guides on contractors, the cash reserve and hiring a bookkeeper. */
import { monthsOfCash, sum } from './business-math.ts';
import { example, figureIn, says } from './worked-example.ts';

const contractor = example({
  path: 'pages/employee-or-contractor.mdx',
  given: {
    wages: 'Wages, # hours × # |',
    half: 'your half, #% | $1,683',
    federal: 'usually #% of the first # | $42',
    state: 'State unemployment tax, here at #%',
    injury: 'insurance, here at #%',
    payroll: 'Payroll service, # a month',
    asks: 'in business for herself asks #,',
    income: 'For income tax, #% or #%',
    theirs: "For the employee's half, #% or #% of #%",
    program: "and pay about #% of last year's pay",
  },
  work(n) {
    const paid = n.wages[0] * n.wages[1];
    const of = (percent: number) => (paid * percent) / 100;
    const federal = (n.federal[0] * n.federal[1]) / 100;
    const parts = [of(n.half), federal, of(n.state), of(n.injury), 12 * n.payroll];
    const employee = paid + sum(parts);
    // The federal tax stops at its limit, which these few hours are far from.
    const rates = n.half + n.federal[0] + n.state + n.injury;
    const costs = (hours: number) => n.wages[1] * hours * (1 + rates / 100) + 12 * n.payroll;
    const alike = (12 * n.payroll) / (n.asks - (costs(1) - costs(0)));
    const shown = [0, 50, 100, 150, 200];
    const owed = ([0, 1] as const).map((index) => {
      const income = of(n.income[index]);
      const theirs = (of(n.theirs[2]) * n.theirs[index]) / 100;
      return { income, theirs, together: income + theirs + of(n.half) };
    }) as [Owed, Owed];
    return {
      figures: {
        'As an employee at # an hour': n.wages[1],
        'hours × $22 | #': paid,
        'and Medicare, your half, 7.65% | #': parts[0] ?? 0,
        'of the first $7,000 | #': federal,
        'here at 1% | #': parts[2] ?? 0,
        'here at 3% | #': parts[3] ?? 0,
        '$55 a month | #': parts[4] ?? 0,
        'Together | #': employee,
        'For an hour | #': employee / n.wages[0],
        "That's # for the same hours": n.asks * n.wages[0],
        'here they cost the same at # hours': alike,
        "'0 h', '# h', '# h', '# h', '# h'": shown.slice(1),
        "'Employee at #', values: [#, #, #, #, #]": [n.wages[1], ...shown.map(costs)],
        "'Contractor at #', values: [#, #, #, #, #]": [
          n.asks,
          ...shown.map((hours) => n.asks * hours),
        ],
        'The payroll service costs # even': 12 * n.payroll,
        "taxes you didn't withhold. On # a year": paid,
        '1.5% or 3% | # | # |': [owed[0].income, owed[1].income],
        'of 7.65% | # | # |': [owed[0].theirs, owed[1].theirs],
        'Your own half, #% | # | # |': [n.half, of(n.half), of(n.half)],
        'For each year | # | # |': [owed[0].together, owed[1].together],
        'instead: here, #.': owed[0].together / 10,
      },
      asks: {
        pays: {
          'For steady work an employee is cheaper': employee < n.asks * n.wages[0],
          'For a few days a year, a contractor is':
            n.asks * 40 < (employee - 12 * n.payroll) * (40 / n.wages[0]) + 12 * n.payroll,
        },
        ownRules: {
          'The program costs what the page calls about 1%':
            Math.round((10 * owed[0].together) / paid) === n.program,
          'The rates are those of the guide on hiring':
            says('pages/hiring-your-first-employee.mdx', `your half, ${n.half}%`) &&
            says(
              'pages/hiring-your-first-employee.mdx',
              `usually ${n.federal[0]}% of the first $7,000`,
            ),
        },
      },
    };
  },
});

interface Owed {
  income: number;
  theirs: number;
  together: number;
}

const reserve = example({
  path: 'pages/cash-reserve.mdx',
  given: {
    bank: 'In the bank | #',
    held: 'tax withheld from wages | #',
    aside: "the owner's own taxes | #",
    passes: 'paid for and not used | #',
    dip: 'the worst was #.',
    fixed:
      "rent #, wages it would keep paying #, the owner's base pay #, insurance and software #, the loan #.",
    left: 'Of each dollar in sales, # cents',
    sales: 'and a usual month brings in #.',
    conditioner: 'The air conditioning dies | Quote | #',
    leaves: 'Ad, overtime, training | #',
    down: 'With sales down #%',
    share: "It moves #% of each week's deposits",
    card: 'Say # is on a card at #%',
    savings: 'The same $6,000 in savings at #%',
    need: 'It needs # for kennels and wages, and will have it back in # days',
    job: 'The job leaves #.',
    line: 'Line of credit, #% a year',
    factor: 'Cash advance, factor # |',
  },
  stated: ['insures up to $250,000', 'If 3% hurts, take 1%', 'A loan at 8% can wait'],
  work(n) {
    const yours = n.bank + n.held + n.aside + n.passes;
    const free = yours - n.dip;
    const fixed = sum(n.fixed);
    const kept = n.left / 100;
    const slow = 2 * (n.sales / 4) * kept;
    const week = (n.sales / 4.33) * kept;
    const target = slow + n.conditioner;
    const low = n.sales * (1 - n.down / 100);
    const costs = fixed + low * (1 - kept);
    const monthly = (n.sales * n.share) / 100;
    const line = (days: number) => (n.need[0] * n.line * days) / 36_000;
    const advance = n.need[0] * (n.factor - 1);
    const late = 2 * n.need[1];
    return {
      figures: {
        'has # in the bank': n.bank,
        '| Yours | #': yours,
        'Of #, # is left': [yours, free],
        "That's # a month. Of each": fixed,
        '2 × # × # | #': [n.sales / 4, kept, slow],
        'a week | # ÷ 4.33 × 0.80 | #': [n.sales, week],
        '9,600 + 5,200 is #': target,
        'would take in # and pay #, plus 20 cents of each dollar: #': [low, fixed, costs],
        'Its # would last # months': [yours, monthsOfCash(yours, low, costs)],
        'cash={#} income={#} costs={#}': [yours, low, costs],
        "has # and wants #, so it's # short": [free, target, target - free],
        'second account: # in a usual month, so it takes seven months': monthly,
        'takes seven months': Math.ceil((target - free) / monthly) === 7,
        "isn’t yours', value: #, look: 'held' }, { label: 'for an ordinary month', value: #": [
          n.bank - yours,
          n.dip,
        ],
        "'in the reserve', value: #, look: 'free' }, { label: 'still to fill', value: #": [
          free,
          target - free,
        ],
        'still to fill, it’s #.': target,
        'It costs # a month. The same # in': [(n.card[0] * n.card[1]) / 1200, n.card[0]],
        'at 3.5% earns #': (n.card[0] * n.savings) / 1200,
        'Cost of # for 60 days | Left of # |': [n.need[0], n.job],
        '12% a year | # | # | # |': [line(n.need[1]), n.job - line(n.need[1]), n.job - line(late)],
        'factor 1.15 | # | # | # |': [advance, n.job - advance, n.job - advance],
      },
      asks: {
        pays: {
          'The line beats the advance, even late': line(late) < advance,
          'The card costs more than savings earn': n.card[1] > n.savings,
        },
        badCase: {
          'The two worst are the two it names':
            slow >= Math.max(week, n.leaves) && n.conditioner >= Math.max(week, n.leaves),
          'It’s a little over a month of costs': target > fixed && target < 1.25 * fixed,
        },
        ownRules: {
          'A bad stretch is longer than a season to change something':
            monthsOfCash(yours, low, costs) > 6,
        },
      },
    };
  },
});

const bookkeeper = example({
  path: 'pages/hiring-a-bookkeeper.mdx',
  given: {
    now: 'Hours she spends now | #',
    still: "Hours she'd still spend | #",
    price: 'A bookkeeper quotes # a month',
    hour: 'on a job leaves # after materials',
    sold: 'sells four of the seven hours: # ×',
    behind: "at her bookkeeper's catch-up price of # would be",
  },
  stated: ['a median of [$22.81 an hour] in May 2023', 'match the bank at $0.00'],
  work(n) {
    const back = n.now - n.still;
    return {
      figures: {
        'Hours she gets back | #': back,
        '| Price | # |': n.price,
        'Price of an hour back | #': n.price / back,
        '4 × # is #': [n.hour, n.sold * n.hour],
        'would be #, all in one bill': 11 * n.behind,
      },
      asks: {
        pays: {
          'Four hours pay for it, three don’t':
            n.sold * n.hour > n.price && (n.sold - 1) * n.hour < n.price && n.sold <= back,
        },
        ownRules: {
          'The median isn’t above what she pays for an hour':
            figureIn('pages/hiring-a-bookkeeper.mdx', 'a median of [# an hour]') < n.price / back,
        },
      },
    };
  },
});

export const ownerDecisionGuides = [contractor, reserve, bookkeeper];
