/** The worked examples of the tools on break-even, prices and competitors, in content/toolbox. */
import { gapByChance, salesToBreakEven, sum } from './business-math.ts';
import { about, example, figureIn } from './worked-example.ts';

const WINDOWS = 'case-studies/sales-marketing.mdx';

const breakEvenTool = example({
  path: 'toolbox/break-even.md',
  given: {
    fixed:
      '| Rent | # | | Wages on the fixed schedule, payroll taxes included | # | | Insurance | # | | Utilities | # | | Phone, software, card terminal | # |',
    shares: 'Ingredients | # | | Packaging | # | | Card fees | # |',
    days: 'open # days',
    ticket: 'Sales a day, at # each',
    owner: 'The owner needs # a month.',
    guests: 'Last month | # |',
    step: 'Change one thing at a time by #%',
    lease: 'A # lease',
  },
  work({ fixed, shares, days, ticket, owner, guests, step, lease }) {
    const costs = sum(fixed);
    const [out, left] = [sum(shares), 1 - sum(shares)];
    const [point, paid] = [costs / left, (costs + owner) / left];
    const perDay = (month: number) => Math.round(month / days);
    const guestsFor = (month: number) => Math.ceil(perDay(month) / ticket);
    const sales = guests * days * ticket;
    const earned = sales * left - costs;
    const part = step / 100;
    const changes = {
      '5% more guests': sales * left * part,
      'Prices 5% up, same guests': sales * part * (1 - shares[2]),
      'Ingredients 5% cheaper': sales * shares[0] * part,
      'Fixed costs 5% lower': costs * part,
    };
    return {
      figures: {
        'Fixed costs | #': costs,
        'Spent | # | | Left of each dollar | #': [out, left],
        '# ÷ # = # a month': [costs, left, point],
        '26 days | # ÷ # | #': [point, days, perDay(point)],
        'each | # ÷ # | # |': [perDay(point), ticket, guestsFor(point)],
        'The #th guest of the day pays': guestsFor(point),
        'The #th is the first one who earns you anything: #.': [
          guestsFor(point) + 1,
          ticket * left,
        ],
        '(# + #) ÷ # = #, or # and # guests a day': [
          costs,
          owner,
          left,
          paid,
          perDay(paid),
          guestsFor(paid),
        ],
        'Break-even | # | | With the owner paid | #': [guestsFor(point), guestsFor(paid)],
        'its owner worked for about #:': about(earned, 50),
        '# × # × # = #; × # = #; minus # = #': [
          guests,
          days,
          ticket,
          sales,
          left,
          sales * left,
          costs,
          earned,
        ],
        'Nothing | #': earned,
        ...Object.fromEntries(
          Object.entries(changes).map(([change, gain]) => [
            `${change} | # | # |`,
            [about(earned + gain, 1), about(gain, 0.51)],
          ]),
        ),
        'at # a day, it’s the #nd day of #.': [
          sales / days,
          Math.ceil(point / (sales / days)),
          days,
        ],
        'lease needs # of sales every month, which is # guests': [
          lease / left,
          Math.ceil(lease / left / ticket),
        ],
      },
      asks: {
        pays: {
          'The shop is above break-even and below the owner’s pay, as the page says':
            guestsFor(point) < guests && guests < guestsFor(paid),
        },
        ownRules: {
          'The calculator finds the same guests a month':
            Math.ceil(salesToBreakEven(costs, ticket, ticket * out) / days) === guestsFor(point),
        },
      },
    };
  },
});

const pricing = example({
  path: 'toolbox/pricing-worksheet.md',
  given: {
    labor: '# people × # hours × # (wage # plus #% taxes and insurance)',
    travel: '# miles at # cents',
    materials: 'Soap, cloths, blades | #',
    overhead: 'Overhead in a month | # | | Jobs in a month | #',
    price: '| Price | # | | Direct cost',
    wanted: '÷ (1 − #) =',
    discount: 'At #% off',
    won: 'Inquiries won: #% now, stop below #% over 30 days',
    perSide: 'After # quotes at each price',
  },
  stated: [
    'Adding 20% to 132 isn’t',
    'To spot a real ten-point gap four times out of five, you need about 390 at each',
  ],
  work({ labor, travel, materials, overhead, price, wanted, discount, won, perSide }) {
    const [people, hours, rate, wage, taxes] = labor;
    const work = people * hours * rate;
    const driving = (travel[0] * travel[1]) / 100;
    const direct = work + driving + materials;
    const share = overhead[0] / overhead[1];
    const [jobs, now] = [overhead[1], price - direct];
    const better = Math.floor((direct + share) / (1 - wanted));
    const added = (direct + share) * (1 + wanted);
    const then = better - direct;
    const needed = Math.ceil((now * jobs) / then);
    const cheap = price * (1 - discount / 100);
    const inCase = [
      figureIn(WINDOWS, 'Direct cost | #'),
      figureIn(WINDOWS, 'the price had to be #.'),
      figureIn(WINDOWS, 'Jobs that leave $6,240 a month | 120 | #'),
      figureIn(WINDOWS, 'fewer than #% of inquiries'),
    ];
    return {
      figures: {
        'hours × # (wage': wage * (1 + taxes / 100),
        'insurance) | #': work,
        'gas and wear | #': driving,
        'Direct cost | | #': direct,
        'Share of one job | #': share,
        'share of direct cost: here # ÷ #, or #%': [share, direct, (100 * share) / direct],
        'Direct cost | # | | Share of overhead | # | | Left | # | | Left, as a share of the price | #%':
          [-direct, -share, price - direct - share, (100 * (price - direct - share)) / price],
        'This owner wanted #%.': wanted * 100,
        '(# + #) ÷ (1 − 0.20) = #': [direct, share, better],
        'That’s #, and it leaves #%.': [added, (100 * (added - direct - share)) / added],
        '| Price | # | # | | Left after direct cost, one job | # | # |': [price, better, now, then],
        '| Jobs | #': jobs,
        'a month | # | the same at # jobs': [now * jobs, needed],
        '# ÷ # = #.': [now * jobs, then, (now * jobs) / then],
        'At # the business earns as much with # jobs as it did with #. It could lose # jobs': [
          better,
          needed,
          jobs,
          jobs - needed,
        ],
        '10% off, #, one job leaves #, and it takes # jobs to earn what # did': [
          cheap,
          cheap - direct,
          Math.ceil((now * jobs) / (cheap - direct)),
          jobs,
        ],
        'windows | # | # | March 1': [price, better],
        'Left #%, want #%': [(100 * (price - direct - share)) / price, wanted * 100],
        'Below #%, the new price earns less than the old one did at #%': [
          about((now * won[0]) / then, 0.5),
          won[0],
        ],
        'by # percentage points either way': gapByChance(perSide),
        // Two shares near half, at 95% confidence (1.96) and 80% power (0.84).
        'you need about # at each': about((2 * 0.25 * (1.96 + 0.84) ** 2) / 0.1 ** 2, 5),
      },
      asks: {
        pays: {
          'With the jobs it names the new price earns as much, with one fewer not':
            then * needed >= now * jobs && then * (needed - 1) < now * jobs,
          'At the share to turn back at, it still earns as much':
            then * won[1] >= now * won[0] - 1e-9,
        },
        ownRules: {
          'The figures are those of the case': [direct, better, needed, won[1]].every(
            (each, at) => each === inCase[at],
          ),
        },
        badCase: {
          'A month of quotes can’t show the difference, and the page says so':
            gapByChance(perSide) > won[0] - won[1],
        },
      },
    };
  },
});

const competitors = example({
  path: 'toolbox/competitor-grid.md',
  given: {
    prices: '| Price | # | # | # cash | # and a Saturday |',
    promised: '#% of jobs last quarter',
    screens: 'Yes | # more | No',
  },
  stated: ['March 9 | $410'],
  work: ({ prices, promised, screens }) => ({
    figures: {
      '(# times in 100)': promised,
      'where they cost # more': screens,
      'March 3 | #': prices[0],
      'March 11 | # | One man | # less': [prices[0], prices[0] - prices[2]],
    },
    asks: {
      pays: { 'Its promise costs less than the competitor': prices[1] + screens > prices[0] },
      ownRules: {
        'Price and promise are those of the case':
          promised === figureIn(WINDOWS, '# of 100 jobs last quarter started') &&
          prices[0] === figureIn(WINDOWS, 'the price had to be #.'),
      },
    },
  }),
});

export const priceTools = [breakEvenTool, pricing, competitors];
