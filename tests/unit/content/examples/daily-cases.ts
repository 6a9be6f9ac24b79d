/** The worked examples of the case studies on operations and people, in content/case-studies. */
import { areaScores, sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const operations = example({
  path: 'case-studies/operations-workflows.mdx',
  given: {
    causes:
      'taken from the order | # | 64% | | Wrong version of the artwork | # | 18% | | Ink color matched on a monitor | # | 9% | | Blanks came late, replaced by another brand | # |',
    parts: '# for blanks, # for an hour and a half of labor, # for ink',
    orders: 'Orders in the quarter | # | # | # |',
    again: 'Printed again | # | # | # |',
    redraw: 'orders in hand, # × # hours × #',
    repeat: 'redrawn as they order, in a year | # |',
    idle: 'Two days without orders | # |',
    press: 'a quote for a new one, at #.',
    backup: 'The backup costs # a month',
  },
  stated: ['sales: About $390,000', 'took two orders, $1,340 together'],
  work({ causes, parts, orders, again, redraw, repeat, idle, press, backup }) {
    const all = sum(causes);
    const [first, , last] = again;
    const each = sum(parts);
    const cost = again.map((count) => count * each);
    const saved = (cost[0] ?? 0) - (cost[2] ?? 0);
    const redrawn = redraw[0] * redraw[1] * redraw[2];
    const lost = redrawn + repeat + idle;
    return {
      figures: {
        'from the order | 7 | #%': (100 * causes[0]) / all,
        'of the artwork | 2 | #%': (100 * causes[1]) / all,
        'on a monitor | 1 | #%': (100 * causes[2]) / all,
        'another brand | 1 | #%': (100 * causes[3]) / all,
        '| All | #': all,
        'Eleven of # orders is #%. A reprint cost # on average': [
          orders[0],
          (100 * first) / orders[0],
          each,
        ],
        'That came to # for the quarter, plus # hours': [cost[0] ?? 0, about(first * 1.5, 0.5)],
        'Share | #% | #% | #% |': again.map((count, at) =>
          about((100 * count) / (orders[at] ?? 1), 0.051),
        ),
        'Cost at # | # | # | # |': [each, ...cost],
        'cost of redoing work from # to # a quarter': [cost[0] ?? 0, cost[2] ?? 0],
        'Cost of doing it twice, before: #, after: #': [cost[0] ?? 0, cost[2] ?? 0],
        'Saving # a quarter': saved,
        'Twelve hours of press time': (first - last) * 1.5 === 12,
        '× $28 | #': redrawn,
        'Together, about | #': about(lost, 5),
        '(the press, #) was wrong': press,
        ...areaScores(
          'operations-workflows',
          [1, 2, 0, 1],
          [3, 2, 3, 3],
          ['scored exactly #, as low', 'That retake came out at #, Established'],
        ),
      },
      asks: {
        pays: {
          'The press would take years to earn back in reprints': press > 3 * 4 * (cost[0] ?? 0),
          'Most mistakes happen before the press': causes[0] > all / 2,
          'The backup costs less than one loss of the files': 12 * 5 * backup < lost,
        },
      },
    };
  },
});

const people = example({
  path: 'case-studies/people-management.mdx',
  given: {
    ad: 'Advertising the job | #',
    owner: 'paperwork, # hours at #',
    learning: 'New person, first # hours',
    pay: 'New people earn # an hour',
    trainer: 'trains them, # hours at #',
    left: 'who left in 12 months, before: # of #, after: # of #',
    late: "Late openings in a quarter, before: '#', after: '#'",
    talks: '| # people × # × half an hour × #',
    ownerTalks: 'Owner, # hours at #',
    overtime: '# hours × half of #',
    shifts: 'a day ahead, monthly | # | # |',
    mornings: 'when the owner opened, monthly | # | # |',
  },
  stated: ['orders up to $300'],
  work({
    ad,
    owner,
    learning,
    pay,
    trainer,
    left,
    late,
    talks,
    ownerTalks,
    overtime,
    shifts,
    mornings,
  }) {
    const parts = [owner[0] * owner[1], learning * pay, trainer[0] * trainer[1]];
    const one = ad + sum(parts);
    const held = talks[0] * talks[1] * 0.5 * talks[2];
    const year = held + ownerTalks[0] * ownerTalks[1];
    return {
      figures: {
        // The café of the break-even worksheet: 91 guests a day, 26 days a month, $11.40 each.
        'sales: About #': about(91 * 26 * 11.4 * 12, 500),
        'paperwork, 14 hours at $30 | # |': parts[0] ?? 0,
        'while learning | #': parts[1] ?? 0,
        'hours at $17 | #': parts[2] ?? 0,
        'One departure | # | | Four in a year | #': [one, left[0] * one],
        'half an hour × $17 | #': held,
        'Owner, 36 hours at $30 | #': ownerTalks[0] * ownerTalks[1],
        '| Together | #': year,
        'half of $17 = #': (overtime[0] * overtime[1]) / 2,
        'Find # yourself and it costs #': [
          overtime[0] * overtime[1],
          overtime[0] * overtime[1],
        ].map((double) => double / 2),
        'in the last quarter | # | #': late,
        '# of 72': 66,
        'those # mornings': mornings[0] - mornings[1],
        ...areaScores(
          'people-management',
          [0, 0, 0, 2],
          [3, 1, 3, 3],
          ['People management came out at #.', 'people management came out at #, Established'],
        ),
      },
      asks: {
        pays: {
          'A year of talks costs less than two departures, and three fewer people left':
            year < 2 * one && left[0] - left[2] === 3,
        },
        badCase: {
          'With one departure fewer they cost little more than they save': year < 1.6 * one,
          'Fewer shifts stay open a day ahead': shifts[1] < shifts[0],
        },
        ownRules: { 'A talk a month for each person': talks[0] * talks[1] === 72 },
      },
    };
  },
});

export const dailyCases = [operations, people];
