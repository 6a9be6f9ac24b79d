/** The worked examples of the tools on customers, people and daily work, in content/toolbox. */
import { example, figureIn } from './worked-example.ts';

const LANDSCAPER = 'case-studies/growth-strategy.mdx';

const canvas = example({
  path: 'toolbox/business-model-canvas.md',
  given: {
    customers: '| Customers | # | # |',
    prices: 'Parks # a month; homes # a visit',
    sales: '| Sales | # | # |',
    hours: 'Crew hours | # | # |',
    wage: 'Crew cost at # an hour',
    plants: 'Plants and materials | # | # |',
    dearer: 'and # for a home visit',
  },
  stated: ['Referral 70%, yard signs 20%, web 10% (?)', 'trucks 11%', 'paid 30% of sales'],
  work({ customers, prices, sales, hours, wage, plants, dearer }) {
    const crew = hours.map((each) => each * wage);
    const [parks, homes] = [
      sales[0] - (crew[0] ?? 0) - plants[0],
      sales[1] - (crew[1] ?? 0) - plants[1],
    ];
    const all = sales[0] + sales[1];
    const visits = sales[1] / prices[1];
    const inCase = [
      figureIn(LANDSCAPER, '2,800 | | Left | #'),
      figureIn(LANDSCAPER, '2,800 | | Left | $5,180 | #'),
      figureIn(LANDSCAPER, 'Home visits at #'),
    ];
    return {
      figures: {
        '# homes, # office parks; parks are #% of sales': [
          customers[1],
          customers[0],
          (100 * sales[0]) / all,
        ],
        '| Sales | # | #': [customers[0] * prices[0], Math.round(visits) * prices[1]],
        'an hour | # | # | | Plants': crew,
        'Crew #%, plants #%': [
          (100 * ((crew[0] ?? 0) + (crew[1] ?? 0))) / all,
          (100 * (plants[0] + plants[1])) / all,
        ],
        '| Left | # | #': [parks, homes],
        'Left for an hour of work | # | #': [parks / hours[0], homes / hours[1]],
        'An hour spent on homes left it # cents': (100 * homes) / hours[1],
        'that leaves # an hour: better': (homes + visits * (dearer - prices[1])) / hours[1],
      },
      asks: {
        pays: {
          'A park leaves far more for an hour than a home':
            parks / hours[0] > (5 * homes) / hours[1],
          'The dearer visit leaves more': homes + visits * (dearer - prices[1]) > homes,
        },
        ownRules: {
          'The figures are those of the case': [parks, homes, dearer].every(
            (each, at) => each === inCase[at],
          ),
        },
        badCase: {
          'It still leaves more if a quarter of the homes go':
            0.75 * (homes + visits * (dearer - prices[1])) > homes,
        },
      },
    };
  },
});

const interview = example({
  path: 'toolbox/customer-interview-script.md',
  given: {
    heard:
      'the day before | # | “By the time I think of it, it’s too late” | | Portions too large for lunch | # | “I throw a third away” | | Would like it at the office | # | “I’m not driving at noon” | | Too expensive | # |',
    people: 'People (of #)',
  },
  stated: [
    '| 0 | Thanks',
    '| 2 | Tell',
    '| 5 | What',
    '| 8 | What',
    '| 11 | What',
    '| 13 | What',
    '| 15 | Why',
    '| 17 | If',
    '| 19 | Who',
  ],
  work: ({ heard, people }) => ({
    figures: { 'it came up once': heard[3] === 1, 'came up four times': heard[0] === 4 },
    asks: {
      pays: {
        'The owner acted on what most said, not on what one did':
          heard[0] > people / 2 && heard[3] < people / 2,
      },
    },
  }),
});

const oneToOne = example({
  path: 'toolbox/one-to-one-agenda.md',
  given: {
    minutes: 'Minutes | Part | Questions that work | | # |',
    length: 'each month, # minutes, on paid',
  },
  stated: [
    'about 16% of a year’s pay for jobs paying under $30,000',
    '| 10 | Theirs',
    '| 10 | The results',
    '| 5 | Next',
    'waste $64 a week (target $60)',
    'yours | 54% | 88%',
    'theirs | 81% | 85%',
  ],
  work: ({ minutes, length }) => ({
    figures: { 'those due | 66 of 72': 6 * 12 === 72 },
    asks: {
      ownRules: {
        'The parts fill the meeting': 2 * minutes + 20 === length,
        'The case held as many': figureIn('case-studies/people-management.mdx', '# of 72') === 66,
      },
    },
  }),
});

const roleSheet = example({
  path: 'toolbox/role-sheet.md',
  given: { limit: 'orders up to #;' },
  stated: ['36 hours, $21.50'],
  work: ({ limit }) => ({
    figures: {},
    asks: {
      ownRules: {
        'The limit is that of the case':
          limit === figureIn('case-studies/people-management.mdx', 'orders up to #,'),
      },
    },
  }),
});

const procedure = example({
  path: 'toolbox/standard-operating-procedure.md',
  given: {
    orders: 'Orders in the quarter | # | # | # |',
    again: 'Printed again | # | # | # |',
    each: 'Cost at # |',
  },
  work: ({ orders, again, each }) => ({
    figures: {
      'reprinted # of # orders in a quarter, at # each: #.': [
        again[0],
        orders[0],
        each,
        again[0] * each,
      ],
      'Cost at $86 | # | # | # |': again.map((count) => count * each),
    },
    asks: {
      pays: {
        'The share falls each time':
          again[0] / orders[0] > again[1] / orders[1] &&
          again[1] / orders[1] > again[2] / orders[2],
      },
      ownRules: {
        'The cost is that of the case':
          again[0] * each === figureIn('case-studies/operations-workflows.mdx', 'Cost at $86 | #'),
      },
    },
  }),
});

const websiteCheck = example({
  path: 'toolbox/website-check.md',
  given: {
    listing: 'open on Mondays | # | # |',
    booking: 'bottom of the page | # | # |',
    form: 'an old address | # | # |',
    text: 'Pale gray text | # | # |',
    pictures: 'without descriptions | # | # |',
    visits: 'Visits not counted | # | # |',
    domain: 'designer’s name | # | # |',
    designer: 'and # for an hour of a web designer',
  },
  work({ designer, ...rows }) {
    const products = Object.values(rows).map(([people, cost]) => people * cost);
    const [listing, booking, form, text, pictures, visits, domain] = products;
    return {
      figures: {
        'open on Mondays | 3 | 3 | #': listing ?? 0,
        'bottom of the page | 3 | 2 | #': booking ?? 0,
        'an old address | 2 | 3 | #': form ?? 0,
        'Pale gray text | 3 | 1 | #': text ?? 0,
        'without descriptions | 1 | 2 | #': pictures ?? 0,
        'Visits not counted | 1 | 1 | #': visits ?? 0,
        'designer’s name | 1 | 1 | #': domain ?? 0,
      },
      asks: {
        pays: {
          'The repairs come in the order of what they cost':
            products.join() === products.toSorted((a, b) => b - a).join(),
        },
        ownRules: {
          'The designer costs what the case says':
            designer ===
            figureIn('case-studies/web-design.mdx', 'and # for an hour of a web designer'),
        },
      },
    };
  },
});

export const workTools = [canvas, interview, oneToOne, roleSheet, procedure, websiteCheck];
