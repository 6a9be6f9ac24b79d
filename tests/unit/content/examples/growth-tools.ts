/** The worked examples of the tools on goals, priorities, numbers and reviews, in content/toolbox. */
import { sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const goals = example({
  path: 'toolbox/goals-page.md',
  given: {
    wants: 'wants # before his own taxes. Last year it was #:',
    sales: '| Sales | # |',
    parts: 'Parts and gas, #% of sales',
    fixed: 'insurance, phone | # | # |',
    price: 'Jobs, at # on average',
    weeks: 'in # working weeks',
    each: 'at # a job, driving',
    office: 'parts runs and paperwork | # |',
    vehicles: '# vehicles from two companies, # visits a year each, makes #.',
    texts: 'said yes to them, #.',
    shares: 'March | #% | $30,360 | | April to June | #% | $37,260 | | July to September | #% |',
    june: 'If he has #, he’ll know',
    before: 'Two years ago | # | # | 83% | | Last year | # |',
    sundays: 'In the same months of last year it was #.',
  },
  stated: ['with no new monthly cost above $50', 'December | 22% | $30,360 |'],
  work(n) {
    const [want, had] = n.wants;
    const part = 1 - n.parts / 100;
    const goal = (want - n.fixed[1]) / part;
    const [jobsBefore, jobs] = [n.sales / n.price, goal / n.price];
    const perWeek = [jobsBefore / n.weeks, jobs / n.weeks] as const;
    const hours = perWeek.map((each) => Math.round(each * n.each));
    const quarters = [...n.shares, 100 - sum(n.shares)].map((share) => (goal * share) / 100);
    const [goalBefore, soldBefore, goalLast] = n.before;
    const reached = (soldBefore + n.sales) / (goalBefore + goalLast);
    const short = goal * 0.87;
    return {
      figures: {
        'Sales | $118,000 | #': goal,
        'of sales | # | # |': [-(n.sales * n.parts) / 100, -(goal * n.parts) / 100],
        'Left before tax | # | # |': [n.sales * part + n.fixed[0], want],
        '(# + #) ÷ # = #': [want, -n.fixed[1], part, goal],
        'on average | # | # |': [jobsBefore, jobs],
        'working weeks | # | # |': [...perWeek],
        'driving included | # | # |': hours,
        'paperwork | 6 | # |': n.office,
        'Hours a week | # | # |': hours.map((each) => each + n.office),
        'where do # more jobs come from': jobs - jobsBefore,
        'visits a year each, makes #': n.vehicles[0] * n.vehicles[1],
        'sales are #, up from #.': [goal, n.sales],
        '# is left before tax, up from #.': [want, had],
        'from the # extra jobs': jobs - jobsBefore,
        'to March | 22% | #': quarters[0] ?? 0,
        'to June | 27% | #': quarters[1] ?? 0,
        'to September | 29% | #': quarters[2] ?? 0,
        'December | #% | #': [100 - sum(n.shares), quarters[3] ?? 0],
        'By the end of June he should have #.': sum(quarters.slice(0, 2)),
        'ago | $125,000 | $104,000 | #%': (100 * soldBefore) / goalBefore,
        'Last year | $130,000 | # | #%': [n.sales, (100 * n.sales) / goalLast],
        'Together | # | # | #%': [goalBefore + goalLast, soldBefore + n.sales, 100 * reached],
        'At #% of this year’s goal he’d sell about #, and # would be left': [
          100 * reached,
          about(short, 100),
          about(short * part + n.fixed[1], 50),
        ],
      },
      asks: {
        pays: { 'The jobs he names make up the difference': n.vehicles[2] + n.texts === 80 },
        everyMonth: { 'The example for June is under what it should be': n.june < 67_620 },
        badCase: {
          'At what he usually reaches, he’d still have more than last year':
            short * part + n.fixed[1] > had,
        },
        ownRules: { 'Fewer Sundays than before': n.sundays > 4 },
      },
    };
  },
});

const priorities = example({
  path: 'toolbox/three-priorities.md',
  given: {
    week: '# hours × # weeks = 60',
    fairs: 'two schools | # | # | # | # | Did',
    evenings: 'two a month | # | # | # | # | Six',
    club: 'by subscription | # | # | # | # | 19',
    newsletter: 'every three weeks | # | # | # | # | Guess',
    shop: 'Online shop | # | # | # | # |',
    coffee: 'Coffee corner | # | # | # | # |',
    software: 'Bookkeeping software | # | # | # | # |',
    shelves: 'New shelves | # | # | # | # |',
    once: 'Did one last spring: #',
    evening: 'Six held, # left on average',
    limit: 'needs more than #.',
    half: 'Newsletter, every six weeks | $38 | # |',
    used: 'Book fairs | 30 | # | $5,400 | # | | Author evenings | 24 | # | $1,050 | # | | Newsletter | 6 | # | $225 | # |',
  },
  stated: ['| 1 |', '| 2 |', '| 3 |'],
  work(n) {
    const ideas = [
      ...[n.fairs, n.evenings, n.club, n.newsletter],
      ...[n.shop, n.coffee, n.software, n.shelves],
    ];
    const budget = n.week[0] * n.week[1];
    const perHour = ideas.map(([, hours, , leaves]) => leaves / hours);
    const [fairs = 0, evenings = 0, club = 0, newsletter = 0] = perHour;
    const planned = [n.fairs[0], n.evenings[0], n.half];
    const should = [n.fairs[3], n.evenings[3] / 4, n.newsletter[3] / 2 / 4];
    const [hoursUsed, got] = [
      [0, 2, 4],
      [1, 3, 5],
    ].map((at) => at.map((i) => n.used[i] ?? 0));
    const factor = sum(hoursUsed ?? []) / sum(planned);
    return {
      figures: {
        'weeks = # hours': budget,
        'Together | # | # | # | | |': [0, 1, 2].map((at) =>
          sum(ideas.map((each) => each[at] ?? 0)),
        ),
        'They wanted # hours out of #.': [sum(ideas.map(([hours]) => hours)), budget],
        'two schools | # | # | # | | Author': [fairs, n.fairs[0], budget - n.fairs[0]],
        'Author evenings | # | # | # | | Newsletter': [
          evenings,
          n.evenings[0],
          budget - n.fairs[0] - n.evenings[0],
        ],
        'every six weeks | # | # | # |': [newsletter, n.newsletter[0] / 2, budget - sum(planned)],
        'came third, at #, but': club,
        'Book fairs | # | 41 | # |': [planned[0] ?? 0, should[0] ?? 0],
        'Author evenings | # | 22 | # |': [planned[1] ?? 0, should[1] ?? 0],
        'Newsletter | # | 9 | # |': [planned[2] ?? 0, should[2] ?? 0],
        'Together | # | # | # | # |': [
          sum(planned),
          sum(hoursUsed ?? []),
          sum(should),
          sum(got ?? []),
        ],
        'Things took # times': factor,
        'planned with # hours instead of #.': [budget / factor, budget],
        'The newsletter brought #%.': (100 * n.used[5]) / (should[2] ?? 1),
      },
      asks: {
        pays: {
          'The first two leave most for an hour, and the third fits':
            fairs > evenings && evenings > club && club > newsletter && sum(planned) <= budget,
          'The club doesn’t fit': n.fairs[0] + n.evenings[0] + n.club[0] > budget,
        },
        ownRules: {
          'The guesses that are crossed out cost more than the limit':
            n.shop[2] > n.limit && n.coffee[2] > n.limit && n.newsletter[2] < n.limit,
          'Both fairs and all evenings leave what one did':
            2 * n.once === n.fairs[3] && 24 * n.evening === n.evenings[3],
          'The newsletter is above half': n.used[5] > (should[2] ?? 0) / 2,
        },
      },
    };
  },
});

export const growthTools = [goals, priorities];
