/** The worked examples of the tools on agreements, licenses, hiring and pay, in content/toolbox. */
import { sum } from './business-math.ts';
import { example, figureIn } from './worked-example.ts';

const renewalList = example({
  path: 'toolbox/renewal-list.md',
  given: {
    card: 'January 2 | #',
    fire: 'February 1 | #',
    food: 'February 15 | #',
    policies:
      '| Truck insurance | May 12 | April 12 | # | Driving records | | Liability insurance | May 12 | April 12 | #',
    truck: 'August 1 | #',
    city: 'December 1 | #',
    week: ': # in sales, minus # for food and hours',
    trailer: 'Borrow a trailer, # a day',
    deductible: 'raised the deductible from # to # to save # a year',
  },
  work({ card, fire, food, policies, truck, city, week, trailer, deductible }) {
    const bills = sum([card, fire, food, ...policies, truck, city]);
    const closed = week[0] - week[1];
    const [before, after, saved] = deductible;
    return {
      figures: {
        'Yearly bills | | | #': bills,
        '# is # a month, and # of it comes due on one day': [bills, bills / 12, sum(policies)],
        'costs this truck about #': closed,
        'At # a day, six days of a borrowed trailer cost #,': [trailer, 6 * trailer],
        'less than one claim every # years': (after - before) / saved,
        'one claim in six years': 6 > (after - before) / saved,
      },
      asks: { pays: { 'The trailer costs less than a closed week': 6 * trailer < closed } },
    };
  },
});

const hiring = example({
  path: 'toolbox/hiring-and-first-week.md',
  given: {
    angry: 'named a next step | # | # | # |',
    mistake: 'changed something | # | # | # |',
    three: 'anything written | # | # | # |',
    price: 'stopped talking | # | # | # |',
    learned: 'taught themselves | # | # | # |',
    cost: 'the owner # hours in the first week, at #, and the mechanic # hours at #:',
  },
  stated: ['32 hours a week, $19 an hour'],
  work: ({ cost, ...answers }) => {
    const points = [0, 1, 2].map((at) => sum(Object.values(answers).map((row) => row[at] ?? 0)));
    const plan = cost[0] * cost[1] + cost[2] * cost[3];
    const departure = figureIn('case-studies/people-management.mdx', 'One departure | #');
    return {
      figures: {
        'Points of 10 | | # | # | # |': points,
        'at $28: #.': plan,
        'one person leaving cost #': departure,
        'Tuesday to Friday, 7:30 to 4, half an hour': 4 * 8 === 32,
      },
      asks: {
        pays: {
          'The plan costs less than half of one departure': plan < departure / 2,
          'The person who was hired had the most points': Math.max(...points) === points[2],
        },
      },
    };
  },
});

/** A week's pay in dollars, with one and a half times the rate past 40 hours. */
const weekPay = (rate: number, hours: number) => rate * (hours + Math.max(0, hours - 40) / 2);

const payRecords = example({
  path: 'toolbox/pay-records-check.md',
  given: {
    rosa: '| Rosa | # | # | # |',
    dee: '| Dee | # | # | # |',
    tam: '| Tam | # | # | # |',
    jo: '| Jo | # | # | # |',
    driving: 'drove between houses for # hours',
  },
  work({ rosa, dee, tam, jo, driving }) {
    const owed = [rosa, dee, tam, jo].map(
      ([rate, first, second]) => weekPay(rate, first) + weekPay(rate, second),
    );
    const short = [0, (dee[0] / 2) * (dee[1] - 40), driving * tam[0], 0];
    const paid = owed.map((each, person) => each - (short[person] ?? 0));
    const row = (person: number) => [owed[person] ?? 0, paid[person] ?? 0, short[person] ?? 0];
    return {
      figures: {
        '| Rosa | $18 | 38 | 40 | # | # | # |': row(0),
        '| Dee | $18 | 44 | 36 | # | # | # |': row(1),
        '| Tam | $17 | 34 | 35 | # | # | # |': row(2),
        '| Jo | $20 | 40 | 42 | # | # | # |': row(3),
        '| All | | | | # | # | # |': [sum(owed), sum(paid), sum(short)],
        'payroll paid # hours at the plain rate': dee[1] + dee[2],
        '# × half of # is #.': [dee[1] - 40, dee[0], short[1] ?? 0],
        'we found # hours of overtime': dee[1] - 40,
        'The # is in Friday’s check': short[1] ?? 0,
      },
      asks: {
        ownRules: {
          'The plain rate for all hours is what Dee got': paid[1] === dee[0] * (dee[1] + dee[2]),
          'Only one person went past 40 hours unpaid': jo[1] <= 40 && weekPay(jo[0], jo[2]) === 860,
        },
      },
    };
  },
});

const jobAgreement = example({
  path: 'toolbox/job-agreement.md',
  given: {
    price: '# × # + # × # =',
    payments: '# when you sign; # when the posts are set; # when you’ve walked it',
    rock: 'Rock: # a hole',
    holes: 'Rock in # holes',
    gateFix: 'the wrong way | #',
    haul: 'or # a foot to haul',
  },
  stated: ['Brother, owns 30%'],
  work({ price, payments, rock, holes, gateFix, haul }) {
    const [feet, foot, gates, gate] = price;
    const total = feet * foot + gates * gate;
    const costs = [holes * rock, gateFix, feet * haul];
    return {
      figures: {
        '2 × $310 = #,': total,
        'That’s # more and one more day. New total #,': [gate, total + gate],
        'Rock in 6 holes | #': costs[0] ?? 0,
        'left in the yard | #': costs[2] ?? 0,
        'Three lines, #.': sum(costs),
        'Thirty percent, 40 and 30':
          payments[0] === 0.3 * total && payments[1] === 0.4 * total && payments[2] === 0.3 * total,
      },
      asks: { everyMonth: { 'The payments add up to the price': sum(payments) === total } },
    };
  },
});

export const paperTools = [renewalList, hiring, payRecords, jobAgreement];
