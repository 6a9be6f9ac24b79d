/** The worked examples of the tools on four numbers and the quarterly review, in content/toolbox. */
import { sum } from './business-math.ts';
import { example } from './worked-example.ts';

const fourNumbers = example({
  path: 'toolbox/four-numbers.md',
  given: {
    sales: 'Sales | # | Below # | # | # | # |',
    left: 'Left of each dollar | # | Below #, or falling 2 months in a row | # | # | # |',
    members: 'Members | # | Below # | # | # | # |',
    cash: 'Cash | # | Below # | # | # | # |',
    clay: 'October already: #.',
    teacher: 'each paid a teacher #.',
    trials: 'Trial classes | # | # | # | # |',
    joined: 'the month after | # | # | # | # |',
  },
  work({ sales, left, members, cash, clay, teacher, trials, joined }) {
    const september = sales[4];
    const gap = september * (left[0] - left[4]);
    return {
      figures: {
        'At # cents, September’s # would have left #.': [
          100 * left[0],
          september,
          september * left[0],
        ],
        'At # it left #. The gap is #.': [100 * left[4], september * left[4], gap],
        'That saves # a month': teacher,
        'one class too many make #, so': clay + teacher,
        'Of # people who tried a class, # joined in the month after: #%': [
          sum(trials),
          sum(joined),
          (100 * sum(joined)) / sum(trials),
        ],
        'with four and three people in them': true,
      },
      asks: {
        pays: {
          'The causes explain the gap': Math.abs(clay + teacher - gap) < 10,
          'Sales alone looked best': september > sales[2] && september > sales[3],
        },
        ownRules: {
          'Two numbers crossed their lines in September, two didn’t':
            left[4] < left[1] &&
            cash[4] < cash[1] &&
            september > sales[1] &&
            members[4] > members[1],
        },
        badCase: {
          'Fewer trials were followed by fewer members':
            trials[2] < trials[1] && joined[2] < joined[1],
        },
      },
    };
  },
});

export const progressTools = [fourNumbers];
