/** The worked examples of the tools on tests and best customers, in content/toolbox. */
import { sum } from './business-math.ts';
import { example } from './worked-example.ts';

const testCard = example({
  path: 'toolbox/test-card.md',
  given: {
    lease: '# × # = $22,320',
    running: 'Insurance and gas | #',
    order: 'One order is #.',
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

export const researchTools = [testCard];
