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

const review = example({
  path: 'toolbox/quarterly-review.md',
  given: {
    sales: 'Sales | # | # |',
    pounds: 'Wholesale, pounds | # | # |',
    left: 'Left of each dollar | # | # |',
    cash: 'Cash on the last day | # | # |',
    price: '| Yes | # pounds × # =',
    lost: 'accounts left: # pounds × # =',
    market: 'Yes, # times | # left each time',
    hours: 'in all, for # hours',
    boxes: 'Make # gift boxes instead of # (# were left',
    parts: '(# minutes.) Read them aloud',
    numbers: '(# minutes.) For each one',
    worked: '(# minutes.) Two lists',
    outside: '(# minutes.) Customers',
    decide: '(# minutes.) Write down everything',
    write: '(# minutes.) Each decision',
    counts:
      'October a year ago | # | # | # | | January | # | # | # | | April | # | # | # | | July | # | # | # |',
  },
  stated: ['Wholesale up 60 cents a pound', '| 1 |', '| 2 |', '| 3 |'],
  work(n) {
    const share = ([target, got]: readonly [number, number]) => (100 * got) / target;
    const more = n.price[0] * n.price[1];
    const less = n.lost[0] * n.lost[1];
    const marketLeft = n.market[0] * n.market[1];
    const minutes = [n.parts, n.numbers, n.worked, n.outside, n.decide, n.write];
    const [decided, done, right] = [0, 1, 2].map((at) =>
      sum([0, 3, 6, 9].map((row) => n.counts[row + at] ?? 0)),
    );
    const [all = 0, finished = 0, good = 0] = [decided, done, right];
    return {
      figures: {
        '$84,000 | $81,300 | #%': share(n.sales),
        '3,900 | 3,640 | #%': share(n.pounds),
        '$0.42 | $0.44 | #%': share(n.left),
        '$15,000 | $13,900 | #%': share(n.cash),
        '× $0.60 = # more': more,
        '× $4.10 = # less': less,
        'Ahead by #.': more - less,
        'left each time, # in all, for # hours: # an hour': [
          marketLeft,
          n.hours,
          marketLeft / n.hours,
        ],
        'mattered: # under target. The account that left explains #. The other # belong': [
          n.pounds[0] - n.pounds[1],
          n.lost[0],
          n.pounds[0] - n.pounds[1] - n.lost[0],
        ],
        'Together | # | # | # |': [all, finished, good],
        'They finish #% of what they decide, and #% of what they finish': [
          (100 * finished) / all,
          (100 * good) / finished,
        ],
        'Minute 10: The numbers': n.parts === 10,
        'Minute 40: What worked': n.parts + n.numbers === 40,
        'Minute 65: What’s changed': sum(minutes.slice(0, 3)) === 65,
        'Minute 80: Decide': sum(minutes.slice(0, 4)) === 80,
        'Minute 110: Write': sum(minutes.slice(0, 5)) === 110,
      },
      asks: {
        pays: { 'The higher price earns more than the account that left': more > less },
        ownRules: {
          'The parts fill two hours': sum(minutes) === 120,
          'Fewer boxes than were sold a year ago are not made':
            n.boxes[0] <= n.boxes[1] - n.boxes[2] && n.boxes[0] > 0,
          'Three were done and not right, as it says':
            finished - good === 3 && all - finished === 3,
        },
        badCase: { 'Even if a second account left, it would not lose': more > 2 * less },
      },
    };
  },
});

export const progressTools = [fourNumbers, review];
