/** The worked examples of the cases on a trade and on a second salon that closed. */
import { areaScores, monthlyPayment, sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

/** Weeks in a month. */
const WEEKS = 4.33;

const electrician = example({
  path: 'case-studies/electrician.mdx',
  given: {
    part: 'in four parts, # each',
    idle: '# hours on that site, of which # went to other jobs: # idle hours × #',
    overtime: 'Overtime to catch up: # hours × half of #',
    charged: 'by the general contractor, # days × #',
    more: 'in its first year | #',
    company: 'registrations, bond | # | # |',
    people: "driver's licenses | # | # |",
    vans: 'Vans, trailer, lift | # | # |',
    policies: 'Insurance policies | # | # |',
    contracts: 'some kind of coverage | # | # |',
    due: 'that followed, # dates came up',
    fee: 'The fee was #.',
    lateBefore: 'Renewed late | # |',
    hour: 'at # an hour, $300 once',
  },
  stated: [
    'sales: About $840,000',
    'asked for $2 million of liability coverage, and the policy had $1 million; the rest cost $610 a year',
    'got the job, $31,000',
    'Dates that came up | 29 |',
  ],
  work(n) {
    const [hours, elsewhere, idle, wage] = n.idle;
    const lapse = [
      idle * wage,
      (n.overtime[0] * n.overtime[1]) / 2,
      n.charged[0] * n.charged[1],
      n.more,
    ];
    const cost = sum(lapse);
    const lines = [n.company, n.people, n.vans, n.policies, n.contracts];
    const dates = sum(lines.map(([all]) => all));
    const unknown = sum(lines.map(([, nobody]) => nobody));
    const start = 5 * n.hour;
    const yearly = (4 * 2 * 20 * n.hour) / 60;
    return {
      figures: {
        '# hours on that site': 3 * 8 * 9,
        'idle hours × $46 | #': lapse[0] ?? 0,
        'half of $36 | #': lapse[1] ?? 0,
        '5 days × $350 | #': lapse[2] ?? 0,
        '| Together | # | Idle': cost,
        'One missed payment of #': n.part,
        'Nine days cost #. One list of # dates': [cost, dates],
        '| Together | # | # |': [dates, unknown],
        'Dates that came up | 29 | #': n.due,
        'Thirty were renewed on time': n.due - 1 === 30,
        'Renewed late | # | # |': [n.lateBefore, 1],
        "crew couldn't work | # | # |": [9, 0],
        '| Cost | # | # |': [cost, n.fee],
        'an hour, # once and # a year. Ten years of it come to #': [
          start,
          yearly,
          start + 10 * yearly,
        ],
        'dates known, before: # of #, after: # of #': [dates - unknown, dates, dates, dates],
        "Renewed late in a year, before: '#', after: '#'": [n.lateBefore, 1],
        ...areaScores(
          'business-planning',
          [1, 0, 1, 2],
          [1, 0, 4, 2],
          ['Business planning came out at #, as low', 'the score came out at #, as low'],
        ),
      },
      asks: {
        pays: { 'One such April in 40 years pays for it': start + 40 * yearly < cost },
        ownRules: { 'Hours not worked elsewhere were idle': hours - elsewhere === idle },
      },
    };
  },
});

const salon = example({
  path: 'case-studies/second-salon.mdx',
  given: {
    built: 'A second salon: # to build and equip, # rent a month',
    desk: 'a front desk (#)',
    other: 'insurance and software (#)',
    visit: 'A visit brings #, and # is left',
    test: 'The four weeks brought #, #, # and # visits',
    limit: 'We open if | # visits or more',
    early: '1 to 3 | # | # |',
    second: '4 to 6 | # | # |',
    third: '7 to 9 | # | # |',
    last: '10 and 11 | # | # |',
    filled: 'Its waiting list filled # of those',
    sold: 'minus # for what was sold',
    paid: "she'd paid # from savings and borrowed #, at #% over three years",
    own: 'customers of the first salon | #',
    coupon: 'New, with # off for opening | #',
    full: 'New, at the full price | #',
    line: 'under # visits in month 5, we close. It was #,',
    sundays: 'brought # visits, and four of them counted',
  },
  stated: ['sales: About $412,000', 'She stopped, $410 poorer'],
  work(n) {
    const [build, rent] = n.built;
    const left = n.visit[1];
    const monthly = rent + n.desk + n.other;
    const need = Math.ceil(monthly / left - 1e-9);
    const months = [n.early, n.second, n.third, n.last];
    const lengths = [3, 3, 3, 2];
    const month = (visits: number) => visits * left - monthly;
    const inAll = (column: (group: readonly [number, number]) => number) =>
      sum(months.map((group, index) => column(group) * (lengths[index] ?? 0)));
    const lost = -inAll(([visits]) => month(visits));
    const moved = inAll(([, from]) => from);
    const empty = moved - n.filled;
    const passed = n.test[2] + n.test[3];
    const planned = Math.round((passed / 2 / 2) * 5 * WEEKS);
    const out = [lost, empty * left, build - n.sold, 3 * rent];
    const apart = Math.round((n.second[1] * empty) / moved);
    return {
      figures: {
        '| # visits a month |': need,
        'The # came from simple math': need,
        'come to # a month. A visit': monthly,
        '# ÷ # is #. The four': [monthly, left, about(monthly / left, 0.5)],
        "The last two make #. On two days a week that's #": [passed, passed / 2],
        'about # a month, and # left': [planned, month(planned)],
        '| 148 | 92 | #': month(n.early[0]),
        '| 163 | 98 | #': month(n.second[0]),
        '| 171 | 96 | #': month(n.third[0]),
        '| 166 | 94 | #': month(n.last[0]),
        'Eleven months came to #, or # a month': [-lost, -lost / 11],
        'In all, # visits moved over': moved,
        'The other # stayed empty': empty,
        'The new salon, 11 months | #': lost,
        '# visits the first salon lost, at # | #': [empty, left, empty * left],
        'for what was sold | #': build - n.sold,
        'two months to get out | #': 3 * rent,
        '| Together | #': sum(out),
        'and lost #. What': sum(out),
        'Of the #, she': sum(n.paid.slice(0, 2)),
        'paying # a month for two more': monthlyPayment(n.paid[1], n.paid[2], 36),
        'Who were those #?': passed,
        '| All | #': passed,
        'Twenty-nine of #, or #%': [passed, (100 * n.own) / passed],
        'the test got #, not #': [n.full, passed],
        'without the rent the salon had # a month to spare': n.second[0] * left - monthly + rent,
        'about # visits, or #.': [apart, apart * left],
        'rent for 48 more months would have been #': 48 * rent,
        "first: planned, before: #, after: '#'": [month(planned), -lost / 11],
        "first: needed, before: '#', after: '#'": [need, inAll(([visits]) => visits) / 11],
        ...areaScores(
          'custom-research',
          [1, 1, 1, 2],
          [3, 1, 4, 2],
          [
            'Customer research came out at #, Developing',
            'customer research came out at #, Established',
          ],
        ),
      },
      asks: {
        pays: {
          'The test passed by its own rule and fails by the better one':
            passed >= n.limit && n.full < n.limit,
        },
        badCase: {
          'The stop line was reached': n.second[0] < n.line[0] && n.line[1] < n.line[0],
          'Month 5 wasn’t worth it for the business as a whole':
            n.second[0] * left - monthly + rent < apart * left,
        },
        ownRules: {
          'Everyone in the test is counted once': n.own + n.coupon[1] + n.full === passed,
          'What was built is what was paid': build === n.paid[0] + n.paid[1],
          'The Sundays failed their card': n.sundays > 4 && 4 < 10,
        },
      },
    };
  },
});

export const tradeAndSalonCases = [electrician, salon];
