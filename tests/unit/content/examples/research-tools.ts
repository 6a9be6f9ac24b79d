/** The worked examples of the tools on tests and best customers, in content/toolbox. */
import { sum } from './business-math.ts';
import { example } from './worked-example.ts';

const testCard = example({
  path: 'toolbox/test-card.md',
  given: {
    lease: '# × # = $22,320',
    running: 'Insurance and gas | #',
    order: 'An order brings in #.',
    takes: 'driving take # of it',
    expected: 'What do we expect? | # orders a week',
    floor: '# orders or more in the second week',
    most: '| # and # of our hours',
    result: '| Orders | # | # | # |',
    spent: '(# for flyers, # for gas)',
    kept: '# of the # orders came from two buildings',
    after: 'or # after gas and wear',
    cards:
      'in a week | # | # | 44% | | Card readers, paid loads a day | # | # | 90% | | Dry-cleaning counter, items a week | # | # | 35% | | Longer hours, loads after 9 p.m. | # | # | 55% | | Loyalty cards returned in a month | # | # | 66%',
  },
  stated: ['$500 is a good start', ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((line) => `| ${line} |`)],
  work(n) {
    const [months, lease] = n.lease;
    const costs = lease + n.running;
    const left = n.order - n.takes;
    const needed = Math.ceil(costs / left);
    const [, first, second] = n.result;
    const keptOrders = Math.round((n.kept[0] / 2) * 4.33);
    const shares = [0, 2, 4, 6, 8].map((at) => (n.cards[at + 1] ?? 0) / (n.cards[at] ?? 1));
    const average = sum(shares) / shares.length;
    return {
      figures: {
        '36 × $620 = #': months * lease,
        'Lease | #': lease,
        'anyone orders or not | #': costs,
        'so # is left': left,
        '# ÷ # = # orders a month': [costs, left, needed],
        'that’s # a week': Math.ceil(needed / 4.33),
        '# orders a week (worked out below)': Math.ceil(needed / 4.33),
        'which leaves about # a month': Math.round(n.floor * 4.33) * left - costs,
        'The test cost # (': sum(n.spent),
        'At # orders a month that leaves #,': [keptOrders, keptOrders * left],
        'Pickup orders in a week | 25 | 11 | #%': 100 * (shares[0] ?? 0),
        'a day | 60 | 54 | #%': 100 * (shares[1] ?? 0),
        'items a week | 40 | 14 | #%': 100 * (shares[2] ?? 0),
        'after 9 p.m. | 20 | 11 | #%': 100 * (shares[3] ?? 0),
        'in a month | 100 | 66 | #%': 100 * (shares[4] ?? 0),
        'they get #% of what': 100 * average,
        'multiply line 4 by #': average,
      },
      asks: {
        pays: {
          'The result is under the floor, so they don’t buy': second < n.floor,
          'The smaller service leaves money': n.after > 0 && n.after < keptOrders * left,
        },
        ownRules: {
          'The test stays within its limit': sum(n.spent) <= n.most[0],
          'The floor is above what the van needs': n.floor > Math.ceil(needed / 4.33),
          'Both weeks make up the orders': first + second === n.kept[1],
          'The first card is this one': n.cards[0] === n.expected && n.cards[1] === second,
        },
      },
    };
  },
});

const bestCustomers = example({
  path: 'toolbox/best-customers.md',
  given: {
    rows: 'tank stands | # | High | 20 days | Another brewery | Yes | | Ortiz ranch | Gates, trailer repair | # | Medium | 5 days | Neighbor | Yes | | Builder, north side | Stair frames | # | Low | 62 days | Bid list | No | | Taproom downtown | Bar, foot rails | # |',
    customers:
      'Ranches | # | $48,600 | $14,580 | $0.30 | 9 days | | Builders | # | $92,000 | $16,560 | $0.18 | 58 days | | Breweries and bars | # |',
    ranches: 'Ranches | 9 | # | # |',
    builders: 'Builders | 6 | # | # |',
    bars: 'bars | 5 | # | # |',
    hours: 'Ranches | # | 14% | 29% | | Builders | # | 70% | 33% | | Breweries and bars | # |',
    limit: 'limit for bids is # hours',
  },
  work({ rows, customers, ranches, builders, bars, hours, limit }) {
    const groups = [ranches, builders, bars];
    const sales = sum(groups.map(([sold]) => sold));
    const left = sum(groups.map(([, kept]) => kept));
    const all = sum(hours);
    return {
      figures: {
        '$14,580 | #': ranches[1] / ranches[0],
        '$16,560 | #': builders[1] / builders[0],
        '$18,320 | #': bars[1] / bars[0],
        'Together | # | # | # | #': [sum(customers), sales, left, left / sales],
        'Builders bring #% of the sales and #% of what’s left': [
          (100 * builders[0]) / sales,
          (100 * builders[1]) / left,
        ],
        'bars bring #% of the sales and #% of what’s left': [
          (100 * bars[0]) / sales,
          (100 * bars[1]) / left,
        ],
        'the brewery on 4th is #%': (100 * rows[0]) / bars[0],
        'Ranches | 6 | #% | #%': [(100 * hours[0]) / all, (100 * ranches[1]) / left],
        'Builders | 31 | #% | #%': [(100 * hours[1]) / all, (100 * builders[1]) / left],
        'bars | 7 | #% | #%': [(100 * hours[2]) / all, (100 * bars[1]) / left],
        'spent # of # hours on bids': [hours[1], all],
      },
      asks: {
        pays: {
          'The group they choose leaves most of each dollar and most in all':
            bars[1] / bars[0] > ranches[1] / ranches[0] &&
            bars[1] > builders[1] &&
            bars[1] > ranches[1],
          'The limit moves half of the hours spent on bids': limit <= hours[1] / 2,
        },
        ownRules: {
          'The largest one is more than a quarter of its group': rows[0] > bars[0] / 4,
          'The customers it shows fit into their groups':
            rows[0] + rows[3] < bars[0] && rows[1] < ranches[0] && rows[2] < builders[0],
        },
      },
    };
  },
});

export const researchTools = [testCard, bestCustomers];
