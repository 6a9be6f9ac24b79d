/** Worked examples for sponsors, buyers and event guests in content/standing and content/events. */
import { sum } from './business-math.ts';
import { about, example, figureIn, says } from './worked-example.ts';

const sponsors = example({
  path: 'standing/economic-development.mdx',
  given: {
    seats: '# seats at # |',
    setup: 'Setup, two reports, one meeting | #',
    used: 'Businesses that used their seat | # | # |',
    held: 'Sessions held | # | # |',
    pack: 'one session costs #, so',
    counties: '| Bernalillo | # | # | | Sandoval | # | # | | Valencia | # |',
    all: '| All | # | # |',
  },
  work({ seats, setup, used, held, pack, counties, all }) {
    const [count, price] = seats;
    const total = count * price + setup;
    const known = [counties[0] * counties[1], counties[2] * counties[3]] as const;
    const points = Math.round(all[0] * all[1]);
    const hidden = points - sum(known);
    return {
      figures: {
        'seats at $360 | # | # | | Setup, two reports, one meeting | # | # | | Total | # | # |': [
          ...[count * price, count * price, setup, setup, total, total],
        ],
        'Cost per business served | # | # |': used.map((each) => total / each),
        'Cost per session held | # | # |': held.map((each) => total / each),
        'seven of the # hadn': count,
        'The total is # × # = # points. Bernalillo has # × # = # of them and Sandoval # × # = #.': [
          ...[all[0], all[1], points],
          ...[counties[0], counties[1], known[0], counties[2], counties[3], known[1]],
        ],
        'That leaves #, and # ÷ # is #:': [hidden, hidden, counties[4], hidden / counties[4]],
        'Sandoval and Valencia | # | # |': [
          counties[2] + counties[4],
          (known[1] + hidden) / (counties[2] + counties[4]),
        ],
      },
      asks: {
        pays: {
          'Passing seats on costs less for each business and session':
            used[1] > used[0] && held[1] > held[0] && used[1] === used[0] + 6,
        },
        badCase: {
          'With no report to make, packs cost less, and the page says so':
            total / held[1] > pack &&
            says('standing/economic-development.mdx', "don't need a report, buy packs"),
        },
        ownRules: {
          'No group of fewer than five is shown': counties[2] + counties[4] >= 5,
          'A session costs what the price list says':
            pack === figureIn('pricing.yaml', 'or # each'),
        },
      },
    };
  },
});

const buyers = example({
  path: 'standing/pricing-how-to-buy.mdx',
  given: { pack: 'Session pack, 3 sessions of 60 minutes | # | # |' },
  stated: ['| 1 | You', '| 2 | We', '| 3 | You', '| 4 | We', '| 5 | You'],
  work: ({ pack }) => ({
    figures: {
      '60 minutes | 6 | $285.00 | #': pack[0] * pack[1],
      'Total before tax | | | #': pack[0] * pack[1],
    },
    asks: {
      ownRules: {
        'The pack costs what the price list says':
          pack[1] === figureIn('pricing.yaml', 'A pack costs #'),
      },
    },
  }),
});

const firstHire = example({
  path: 'events/first-hire-farmington.mdx',
  given: { job: 'a person at # an hour for # hours a week' },
  stated: ['from $27,000 to $52,000'],
  work({ job }) {
    const wages = job[0] * job[1] * 52;
    // The hiring guide's rates: payroll tax 7.65%, federal unemployment 0.6% of the first $7,000,
    // state unemployment 1%, workers' compensation 2%. Plus a week of paid time off, covered.
    const cost = wages * 1.1065 + 42 + job[0] * job[1];
    return {
      figures: {
        'are # × # × #, or #': [job[0], job[1], 52, wages],
        'ended up near #.': about(cost, 1_000),
      },
      asks: {
        ownRules: {
          'The rates are those of the guide':
            says('pages/hiring-your-first-employee.mdx', 'your half, 7.65%') &&
            says('pages/hiring-your-first-employee.mdx', 'here at 1%') &&
            says('pages/hiring-your-first-employee.mdx', 'here at 2%'),
        },
      },
    };
  },
});

export const programTexts = [sponsors, buyers, firstHire];
