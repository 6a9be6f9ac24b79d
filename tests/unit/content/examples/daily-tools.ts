/** The worked examples of the tools on stock, mistakes, backups and suppliers, in content/toolbox. */
import { sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const stockAndHours = example({
  path: 'toolbox/stock-and-hours.md',
  given: {
    belt: 'Dryer belt | # | # | # |',
    igniter: 'Igniter | # | # | # |',
    pump: 'Drain pump | # | # | # |',
    latch: 'Door latch | # | # | # |',
    have: '| 7 | # | Order | | Igniter | 3 | 5 | 2 | 10 | # | Fine | | Drain pump | 2 | 4 | 2 | 8 | # | Order | | Door latch | 1 | 2 | 3 | 6 | # | Fine |',
    pumpCost: 'A pump costs #, so',
    hour: 'at # an hour: ',
    work: 'At work | # | # |',
    phone: 'picking up parts | # | # |',
    driving: 'Driving | # | # |',
    job: 'An average job takes # hours',
    booked: 'Booked | # | # | # | # |',
    discount: 'take # off for the trouble',
  },
  stated: ['Pumps, twice | 3 |', 'Nothing | 1 |', 'found $640 in parts', 'shop for $200'],
  work(n) {
    const parts = [n.belt, n.igniter, n.pump, n.latch];
    const [belt = 0, igniter = 0, pump = 0, latch = 0] = parts.map(
      ([, busiest, weeks]) => busiest * weeks,
    );
    const trip = 1.25 * n.hour;
    const hours = [0, 1].map((at) => (n.work[at] ?? 0) + (n.phone[at] ?? 0) + (n.driving[at] ?? 0));
    const full = Math.floor((sum(hours) / n.job) * 0.9);
    const room = n.booked.map((each) => full - each);
    const moved = -sum(room.filter((each) => each < 0));
    const after = n.booked.map((each, week) => (week === 3 ? each + moved : Math.min(each, full)));
    return {
      figures: {
        '| 4 | 7 | 1 | #': belt,
        '| 3 | 5 | 2 | #': igniter,
        '| 2 | 4 | 2 | #': pump,
        '| 1 | 2 | 3 | #': latch,
        'keeping five more ties up #.': 5 * n.pumpCost,
        'an hour: # a trip, # in the month': [trip, 6 * trip],
        'pays for itself in five weeks':
          Math.round(((5 * n.pumpCost) / (3 * trip)) * (52 / 12)) === 5,
        'Hours for jobs | # | # |': hours,
        'Together that’s # hours': sum(hours),
        'so # jobs would fill': sum(hours) / n.job,
        '# jobs is full': full,
        'Room, of 27 | # | # | # | # |': room,
        'After moving six | # | # | # | # |': after,
        'Six times # is #.': [n.discount, moved * n.discount],
      },
      asks: {
        pays: {
          'What is ordered is at or under its level':
            n.have[0] <= belt && n.have[1] > igniter && n.have[2] <= pump && n.have[3] > latch,
        },
        everyMonth: { 'All four weeks fit': moved === 6 && Math.max(...after) <= full },
      },
    };
  },
});

const mistakeLog = example({
  path: 'toolbox/mistake-log.md',
  given: {
    zipper: '| Us | #',
    dress: '| Customer, phone | #',
    sleeve: 'not 1¼ | Customer, pickup | #',
    hour: 'an hour and a half at # and # for',
    shoes: 'the shoes they’d wear | # | $188',
    shoesCost: 'the shoes they’d wear | 4 | # | | Ticket',
    ticket: 'Ticket hard to read | # |',
    promised: 'Promised a day without looking | # |',
    untested: 'Zipper not tested | # |',
    later: 'May | | Measured without the shoes they’d wear | 4 | # | # |',
    rest: 'Everything else | # | # | # |',
  },
  stated: ['Cost of all | $304 | $171 | $88'],
  work(n) {
    const pants = 1.5 * n.hour[0] + n.hour[1];
    const times = [n.shoes, n.ticket, n.promised, n.untested];
    const costs = [n.shoesCost, n.ticket * n.sleeve, n.promised * n.dress, n.untested * n.zipper];
    return {
      figures: {
        'an inch too short | Customer, pickup | #': pants,
        'for a new hem band: #.': pants,
        'Ticket hard to read | 2 | #': costs[1] ?? 0,
        'without looking | 2 | #': costs[2] ?? 0,
        'Zipper not tested | 1 | #': costs[3] ?? 0,
        '| All | # | # |': [sum(times), sum(costs)],
        'Cost of all | # |': sum(costs),
        'the shop had nine': sum(times) === 9,
        '3 of March’s 9 lines': n.shoes + n.rest[0] === 9,
        '5 of April’s 7': n.later[0] + n.rest[1] === 7,
      },
      asks: {
        pays: {
          'The cause that was changed came up most and cost most':
            Math.max(...times) === n.shoes && Math.max(...costs) === n.shoesCost,
        },
        ownRules: { 'It did what was expected of it': n.later[0] <= 1 && n.later[1] <= 1 },
      },
    };
  },
});

const backupCheck = example({
  path: 'toolbox/backup-and-login-check.md',
  given: {
    refund: 'Two weddings: refund #',
    backup: 'online backup costs # a month and the second drive was #.',
  },
  work: ({ refund, backup }) => ({
    figures: {
      'That’s # in the first year, against one refund of #.': [12 * backup[0] + backup[1], refund],
    },
    asks: {
      pays: { 'The backup costs less than one refund': 12 * backup[0] + backup[1] < refund },
    },
  }),
});

const YEAR = 4_800;

const supplierComparison = example({
  path: 'toolbox/supplier-comparison.md',
  given: {
    price: 'Price of a jar | # | # | # |',
    order: 'Smallest order, jars | # | # | # |',
    freight: 'Freight for that order | # | # | # |',
    broken: 'Broken or flawed, of 100 | # | # | # |',
    cash: 'For a business with # in cash',
    wanted: 'can you do # with freight included',
    agreed: 'Ferris said #, freight included',
  },
  stated: ['| 1 | 2 | 11 |', '| 17 | 4 | 3 | 9 |', '| 8 | 1 | 0 | 1 |', '2½ | 7 |'],
  work({ price, order, freight, broken, cash, wanted, agreed }) {
    const offers = ([0, 1, 2] as const).map((at) => {
      const paid = price[at] * order[at] + freight[at];
      const usable = order[at] * (1 - broken[at] / 100);
      return { paid, usable, each: paid / usable, year: (YEAR * paid) / usable };
    });
    const [ferris, prairie, importer] = offers;
    if (!ferris || !prairie || !importer) throw new Error('There are three offers.');
    const each = agreed / (1 - broken[0] / 100);
    return {
      figures: {
        'Paid for the order | # | # | # |': offers.map(({ paid }) => paid),
        'Usable jars | # | # | # |': offers.map(({ usable }) => usable),
        'A usable jar | # | # | # |': offers.map((offer) => offer.each),
        'A year, # jars | # | # | # |': [YEAR, ...offers.map(({ year }) => year)],
        'looked # cents more expensive': 100 * (price[0] - price[1]),
        'it’s #. Breakage': 100 * (ferris.each - prairie.each),
        'and # leaves the bank': importer.paid,
        'comes to # for a jar I can use. Yours comes to #, and # cents of that is freight': [
          prairie.each,
          ferris.each,
          (100 * freight[0]) / ferris.usable,
        ],
        'a usable jar is #: # a year, # less than before': [
          each,
          YEAR * each,
          about(ferris.year - YEAR * each, 1),
        ],
        'It’s also # a year below Prairie': prairie.year - YEAR * each,
        'at # with freight.': agreed,
      },
      asks: {
        pays: { 'The new terms beat the nearer offer': each < prairie.each && wanted < agreed },
        everyMonth: {
          'The cheapest offer would tie up most of the cash': importer.paid > cash / 2,
        },
      },
    };
  },
});

export const dailyTools = [stockAndHours, mistakeLog, backupCheck, supplierComparison];
