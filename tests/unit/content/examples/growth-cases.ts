/** The worked examples of the case studies on cash and growth, in content/case-studies. */
import { areaScores, balances, sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const financialProjection = example({
  path: 'case-studies/financial-projection.mdx',
  given: {
    year: "| Profit | # | | Depreciation, which is a cost but not a payment | # | | Owner's draw | # | | Repaid on the oven loan | # | | More owed by customers than a year ago | # | | More owed to suppliers than a year ago | # | | New mixer | # |",
    ins: 'Apr | | In | # | # | # | # | | Out | 15,200 | 16,300 | 17,800',
    outs: '| Out | # | # | # | 15,900',
    april: '| Out | 15,200 | 16,300 | 17,800 | # |',
    sooner: 'moves # from April into March, and # from May into April',
    later: 'moves # from March into April, and # from April into May',
    service: 'gets serviced (#)',
    march: 'March ended at #,',
    grocer: '(about # a month), and what it would tie up (about #,',
    days: 'came down from # days to #.',
  },
  stated: ['A reserve of $2,000', 'about 6% too high', 'sales: About $205,000'],
  work({ year, ins, outs, april, sooner, later, service, march, grocer, days }) {
    const allOuts = [...outs, april];
    const before = balances(0, ins, allOuts);
    const insAfter = [ins[0], ins[1], ins[2] + sooner[0], ins[3] - sooner[0] + sooner[1]];
    const outsAfter = [
      outs[0],
      outs[1],
      outs[2] - later[0] - service,
      april + later[0] - later[1] + service,
    ];
    const after = balances(0, insAfter, outsAfter);
    const nets = (income: number[], out: number[]) =>
      income.map((each, at) => each - (out[at] ?? 0));
    const [low = 0, high = 0] = [before[2], after[2]];
    return {
      figures: {
        'A # profit, so why': year[0],
        'third year with a profit of #': year[0],
        'Change in the bank account | #': sum(year),
        '17,800 | 15,900 | | In minus out | # | # | # | # | | Left at the end | # | # | # | # |': [
          ...nets(ins, allOuts),
          ...before,
        ],
        '| In | # | # | # | # | | Out | # | # | # | # | | In minus out | # | # | 750': [
          ...insAfter,
          ...outsAfter,
          ...nets(insAfter, outsAfter).slice(0, 2),
        ],
        'In minus out | # | # | 750 | # | | Left at the end | # | # | # | # |': [
          ...nets(insAfter, outsAfter).filter((_, at) => at !== 2),
          ...after,
        ],
        '| 3,200 | 600 | # | 2,250': nets(insAfter, outsAfter)[2] ?? 0,
        "End of March in the forecast, before: '#', after: '#'": [low, high],
        "cafés and grocers pay, before: '#', after: '#'": days,
        "That's a swing of #": high - low,
        'which is # below the forecast': high - march,
        ...areaScores(
          'financial-projection',
          [3, 2, 0, 1],
          [3, 3, 3, 2],
          ['Financial projection scored #, Developing', 'the score came out at #, Established'],
        ),
      },
      asks: {
        pays: {
          'The third account earns back what it ties up in five months': grocer[1] < 5 * grocer[0],
        },
        everyMonth: { 'After the changes no month ends below zero': Math.min(...after) > 0 },
        badCase: { 'With the grocer late March still ends above zero': march > 0 && march < high },
        ownRules: {
          'Fewer days of March sales make what moves':
            Math.abs(((days[0] - days[1]) / 30) * 6_100 - sooner[0]) < 100,
        },
      },
    };
  },
});

const growthStrategy = example({
  path: 'case-studies/growth-strategy.mdx',
  given: {
    customers: '| Customers | # | # |',
    sales: '44 | | Sales | # | # |',
    hours: '23,100 | | Crew hours | # | # |',
    wage: 'Crew at # an hour',
    plants: '14,850 | | Plants and materials | # | # |',
    visit: 'took # crew hours a visit',
    prices: 'Home visits at # instead of #',
    august: 'with eight parks and # homes',
    augustSales: 'Together | | Sales | # | # | $28,025',
    augustHours: '$28,025 | | Crew hours | # | # |',
    augustPlants: '$16,416 | | Plants and materials | # | # |',
    parks: 'Parks under contract | # by June | # | # | # | # |',
    lost: 'under # | # | # | # | # |',
    saturdays: 'the owner worked | # | # | # | # | # |',
  },
  stated: ['up 8% on the year', 'a $6,400 plow', 'crew work | $13 |'],
  work(n) {
    const part = (sales: number, hours: number, plants: number) => sales - hours * n.wage - plants;
    const [parkHours, homeHours] = n.hours;
    const [parks, homes] = [0, 1].map((at) =>
      part(n.sales[at] ?? 0, n.hours[at] ?? 0, n.plants[at] ?? 0),
    ) as [number, number];
    const [parksThen, homesThen] = [0, 1].map((at) =>
      part(n.augustSales[at] ?? 0, n.augustHours[at] ?? 0, n.augustPlants[at] ?? 0),
    ) as [number, number];
    const [before, then] = [parks + homes, parksThen + homesThen];
    const both = sum(n.augustHours);
    const [dear, cheap] = n.prices;
    // Parks earn what they did in April. A visit earns the new price, less wages and $18 of plants.
    const hour = (month: 1 | 2 | 3) => {
      const homesLeft = n.customers[1] - n.lost[month];
      const made = Math.round((homesLeft * n.sales[1]) / cheap / n.customers[1]);
      const share = n.parks[month] / n.customers[0];
      const left = share * parks + made * (dear - n.visit * n.wage - 18);
      return about(left / (share * parkHours + made * n.visit), 0.02);
    };
    const table = (values: number[]) => [...values, sum(values)];
    const visits = n.augustSales[1] / dear;
    return {
      figures: {
        'sales: About #': about(12 * sum(n.sales), 500),
        'crew work, before: #, after: #': [before / sum(n.hours), then / both],
        "Left in a month, before: '#', after: '#'": [before, then],
        'of crew work from # to #.': [before / sum(n.hours), then / both],
        '| Customers | # | # | #': table(n.customers),
        '| Sales | # | # | $23,100 | | Crew hours | # | # | #': [...n.sales, ...table(n.hours)],
        '| Sales | $14,100 | $9,000 | #': sum(n.sales),
        '550 | | Crew at $27 an hour | # | # | # | | Plants and materials | # | # | #': [
          ...table(n.hours.map((each) => each * n.wage)),
          ...table(n.plants),
        ],
        '2,800 | | Left | # | # | # | | Left per hour | # | # | #': [
          parks,
          homes,
          before,
          parks / parkHours,
          homes / homeHours,
          before / sum(n.hours),
        ],
        'An hour at a home left # cents': (100 * homes) / homeHours,
        'crew work | $13 | # | # | # | # |': [hour(1), hour(2), hour(3), then / both],
        '| Sales | $18,800 | $9,225 | # | | Crew hours | # | # | #': [
          sum(n.augustSales),
          ...table(n.augustHours),
        ],
        '608 | | Crew at $27 an hour | # | # | # | | Plants and materials | # | # | #': [
          ...table(n.augustHours.map((each) => each * n.wage)),
          ...table(n.augustPlants),
        ],
        '3,343 | | Left | # | # | # | | Left per hour | # | # | #': [
          parksThen,
          homesThen,
          then,
          parksThen / n.augustHours[0],
          homesThen / n.augustHours[1],
          then / both,
        ],
        'The # visits that remained brought in # more than the # had': [
          visits,
          n.augustSales[1] - n.sales[1],
          n.sales[1] / cheap,
        ],
        "what's left in a month rose by #.": then - before,
        'At # hours the crew of four is full, # hours each': [both, both / 4],
        'leave # at a park and # at homes': [
          about(parksThen / 8, 1),
          about(((n.augustHours[0] / 8) * homesThen) / n.augustHours[1], 1),
        ],
        ...areaScores(
          'growth-strategy',
          [1, 2, 2, 0],
          [3, 3, 3, 2],
          ['Growth strategy scored #, Developing', 'the score came out at #, Established'],
        ),
      },
      asks: {
        pays: {
          'Homes leave more with fewer of them': homesThen > homes,
          'A park’s hour leaves more than three times a home’s':
            parksThen / n.augustHours[0] > (3 * homesThen) / n.augustHours[1],
        },
        badCase: {
          'With as many homes lost as they feared the price still pays':
            (visits - n.lost[0]) * (dear - n.visit * n.wage - 18) > homes,
        },
        ownRules: {
          'Each month the owner works fewer Saturdays':
            n.saturdays.slice(1).join() ===
            n.saturdays
              .slice(1)
              .toSorted((a, b) => b - a)
              .join(),
          'The goals were met': n.parks[0] === n.parks[4] && n.saturdays[0] === n.saturdays[4],
          'The homes lost are those of the text':
            n.customers[1] - n.august === n.lost[4] && n.lost[4] < n.lost[0],
        },
      },
    };
  },
});

export const growthCases = [financialProjection, growthStrategy];
