/** The worked examples of the guides on starting, hiring and public contracts, in content/pages. */
import { priceFor } from '#ui/calculators/price.ts';
import { salesToBreakEven, sum } from './business-math.ts';
import { about, example, figureIn, says } from './worked-example.ts';

const starting = example({
  path: 'pages/starting-a-business.mdx',
  given: {
    blade: "farmers' markets for # apiece, of which # goes",
    once: 'Grinder, jigs, generator | # | | Registration, permits, local license | # | | First insurance payment | # | | Signs and a web page | # | | Supplies for two months | # |',
    monthly:
      'Stalls at two markets | # | | Fuel | # | | Insurance | # | | Phone and software | # | | Bookkeeping | # |',
    living: 'needs # a month to live on',
    blades: '| Blades | # | # | # | # | # | # |',
    tax: 'tax], #% of #% of what you net',
    first: 'Suppose # is left in your first year',
    aside: 'If you move #% of what',
  },
  stated: ['| Month | 1 | 2 | 3 | 4 | 5 | 6 |'],
  work({ blade, once, monthly, living, blades, tax, first, aside }) {
    const [price, cost] = blade;
    const margin = price - cost;
    const fixed = sum(monthly);
    const kept = 1 - aside / 100;
    const leave = living / kept;
    const left = blades.map((count) => count * margin);
    const set = left.map((each) => Math.max(0, (1 - kept) * (each - fixed)));
    const missing = left.map((each, month) => fixed + living + (set[month] ?? 0) - each);
    const all = sum(once) + sum(missing);
    const selfEmployment = (first * tax[1] * tax[0]) / 1e4;
    const [most = 0] = left.slice(-1);
    return {
      figures: {
        '| Once | #': sum(once),
        '| Fixed | #': fixed,
        'Each blade leaves #, so # blades a month pay': [margin, fixed / margin],
        'To keep # after setting a quarter aside': living,
        'the business has to leave # ÷ #, or #.': [living, kept, leave],
        'it takes # + #, divided by #: # blades': [
          fixed,
          leave,
          margin,
          salesToBreakEven(fixed + leave, price, cost),
        ],
        'fixed={#} price={#} variable={#}': [fixed + leave, price, cost],
        'Left at $12 | # | # | # | # | # | # |': left,
        'Fixed costs and living | # | # | # | # | # | # |': left.map(() => fixed + living),
        'Set aside for tax | # | # | # | # | # | # |': set,
        'Missing | # | # | # | # | # | # |': missing,
        'six months come up # short. Add the #, and it takes # to get there': [
          sum(missing),
          sum(once),
          all,
        ],
        "With a quarter on top for surprises, that's #,": all * 1.25,
        'at # blades nothing is left for a payment': most / margin,
        'Self-employment tax is # × # × #, or about #.': [
          first,
          tax[1] / 100,
          tax[0] / 100,
          selfEmployment,
        ],
        "you'll have put # away": (first * aside) / 100,
        'month three brings 60 instead of #,': blades[2],
      },
      asks: {
        pays: { 'At the goal the owner lives on it after tax': kept * (most - fixed) >= living },
        everyMonth: {
          'At the goal nothing is left for a payment, and the page says not to borrow':
            missing.at(-1) === 0 && says('pages/starting-a-business.mdx', "Don't borrow it"),
        },
        badCase: {
          'What is set aside covers self-employment tax with room for income tax':
            selfEmployment < 0.6 * ((first * aside) / 100),
        },
      },
    };
  },
});

const hiring = example({
  path: 'pages/hiring-your-first-employee.mdx',
  given: {
    job: 'An example: # an hour, # hours a week',
    medicare: 'your half, #% |',
    federal: 'usually #% of the first # |',
    state: 'State unemployment tax, here at #%',
    injury: 'insurance, here at #%',
    sick: 'sick leave for every # worked',
    left: 'If # of every # you sell is left',
    departure: 'one departure cost #,',
  },
  stated: ['about $1,000 once', '$12 an hour in 2026'],
  work({ job, medicare, federal, state, injury, sick, left, departure }) {
    const hours = job[1] * 52;
    const wages = job[0] * hours;
    const costs = [
      wages,
      (wages * medicare) / 100,
      (federal[1] * federal[0]) / 100,
      (wages * state) / 100,
      (wages * injury) / 100,
    ].map(Math.round);
    const total = sum(costs);
    const worked = Math.round(hours / (1 + 1 / sick));
    const share = left[0] / left[1];
    const talks = figureIn('case-studies/people-management.mdx', '| Together | #');
    return {
      figures: {
        'Wages, # × # × # | #': [job[0], job[1], 52, wages],
        'your half, 7.65% | #': costs[1] ?? 0,
        'of the first $7,000 | #': costs[2] ?? 0,
        'tax, here at 1% | #': costs[3] ?? 0,
        'insurance, here at 2% | #': costs[4] ?? 0,
        'Together | # | | A month | #': [total, total / 12],
        "That's #% on top of the wage": 100 * (total / wages - 1),
        'about # hours out of # that': [hours - worked, hours],
        '# ÷ # makes # for an hour of work': [total, worked, total / worked],
        'has to bring in # ÷ #, or # a year': [total, share, total / share],
        "That's # a week": total / share / 52,
        'fixed={#} price={#} variable={#}': [total / 12, left[1], left[1] - left[0]],
        'it takes # a month:': salesToBreakEven(total / 12, left[1], left[1] - left[0]),
      },
      asks: {
        pays: {
          'A year of talks costs less than two departures': talks < 2 * departure,
          'The departure costs what the case says':
            departure === figureIn('case-studies/people-management.mdx', 'One departure | #'),
        },
        badCase: {
          'Without the sales the page says fewer hours': says(
            'pages/hiring-your-first-employee.mdx',
            "If those sales aren't already waiting, think about fewer hours",
          ),
        },
      },
    };
  },
});

const government = example({
  path: 'pages/selling-to-government.mdx',
  given: {
    bid: 'A bid takes # hours. At # an hour',
    contract: "clean the example's office # times a month",
    pay: 'this one names # and # in benefits',
    taxes: 'Payroll taxes and insurance, #% of the wages',
    supplies: 'Supplies | # | | Vehicle | #',
    supervision: 'Supervision, # hours at #',
    overhead: 'Overhead, #% |',
    margin: 'Left, #% of the price',
    rate: 'at #% is about',
  },
  stated: ['are $15,000 and $350,000 in 2026', '35% of employees'],
  work({ bid, contract, pay, taxes, supplies, supervision, overhead, margin, rate }) {
    const cost = bid[0] * bid[1];
    const hours = contract * 2 * 3;
    const hour = pay[0] + pay[1];
    const onWages = Math.round((hours * pay[0] * taxes) / 100);
    const supervised = supervision[0] * supervision[1];
    const other = onWages + sum(supplies) + supervised;
    const { direct, full, price, left } = priceFor({
      cost: other * 100,
      hours,
      rate: hour * 100,
      overhead: overhead / 100,
      margin: margin / 100,
    });
    const [monthly, year] = [Math.round(left / 100), 12 * Math.round(left / 100)];
    const carried = (2 * direct) / 100;
    const interest = (carried * rate) / 100;
    const added = (full * (1 + margin / 100)) / 100;
    return {
      figures: {
        "an hour that's #.": cost,
        'each win costs # × #, or # in bids': [5, cost, 5 * cost],
        'would leave # a month, or # in its first year. # − # leaves #.': [
          monthly,
          year,
          year,
          5 * cost,
          year - 5 * cost,
        ],
        'At one in eight the bids cost #, and the company loses': 8 * cost,
        'three hours each time: # hours': hours,
        '| # hours at # | # | | Payroll': [hours, hour, hours * hour],
        'of the wages of # | #': [hours * pay[0], onWages],
        'Supervision, 12 hours at $30 | #': supervised,
        'Direct | #': direct / 100,
        'Overhead, 12% | #': (direct * overhead) / 1e4,
        '| Cost | #': full / 100,
        'Left, 8% of the price | #': left / 100,
        '| Price | #': price / 100,
        '# ÷ # is #. Add #% to the cost instead and you get #, which loses you # a month': [
          full / 100,
          1 - margin / 100,
          price / 100,
          margin,
          added,
          about(price / 100 - added, 1),
        ],
        'cost={#} hours={#} rate={#} overhead={#} margin={#}': [
          other,
          hours,
          hour,
          overhead / 100,
          margin / 100,
        ],
        'first field: # + # + # + #, or #': [onWages, ...supplies, supervised, other],
        'two months: # × #, or #, before': [2, direct / 100, carried],
        'Count the interest, too: # at': carried,
        "is about # a year, which takes most of the first year's #.": [
          about(interest, 2),
          year - 5 * cost,
        ],
      },
      asks: {
        pays: {
          'One in five pays in the first year, one in eight does not':
            year - 5 * cost > 0 && year - 8 * cost < 0,
          'From the second year, without a bid, it clearly does': year - interest > 3_000,
        },
        everyMonth: {
          'The price leaves money each month, interest included': monthly > interest / 12,
        },
        badCase: {
          'On borrowed money the first year leaves little, and the page says when to pass':
            year - 5 * cost - interest > 0 && interest > (year - 5 * cost) / 2,
        },
      },
    };
  },
});

const bakeryPromise = example({
  path: 'pages/we-solve-small-business-owners-toughest-problems.mdx',
  given: { profit: 'a profit of #', cheap: 'and [# too cheap]' },
  work: ({ profit, cheap }) => ({
    figures: {},
    asks: {
      ownRules: {
        'The profit is that of the case':
          profit ===
          figureIn('case-studies/financial-projection.mdx', 'third year with a profit of #'),
        'So is the price':
          cheap === figureIn('case-studies/sales-marketing.mdx', 'raised its price by #,'),
      },
    },
  }),
});

export const ownerGuides = [starting, hiring, government, bakeryPromise];
