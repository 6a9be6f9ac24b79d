/** The worked examples of the tools on goals, priorities, numbers and reviews, in content/toolbox. */
import { sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const goals = example({
  path: 'toolbox/goals-page.md',
  given: {
    wants: 'wants # before his own taxes. Last year it was #:',
    sales: '| Sales | # |',
    parts: 'Parts, #% of sales',
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

export const growthTools = [goals];
