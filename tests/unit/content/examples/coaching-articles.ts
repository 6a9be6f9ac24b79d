/** The worked examples of the articles on coaching, in content/blog. */
import { areaScore } from './business-math.ts';
import { about, example, figureIn, says } from './worked-example.ts';

const workingWith = example({
  path: 'blog/what-its-like-working-with-product.mdx',
  given: {
    pack: 'a [session pack], #.',
    quoted: 'Hours quoted | # | | Hours worked | # |',
    hour: 'rent, power | # |',
    sound: 'Springs sound | # | # | | Springs broken | # | # |',
    raise: 'go up # percent',
    chair: 'Quoted at # hours',
    later: '# hours quoted and # worked',
    steps:
      'documented | # | # | +1 | | Stock or capacity controlled | # | # | +2 | | Quality and complaints logged | # | # | +3 | | Suppliers compared | # | # |',
  },
  work({ pack, quoted, hour, sound, raise, chair, later, steps }) {
    const over = quoted[1] - quoted[0];
    const each = sound[3] / sound[2];
    const overLater = later[1] - later[0];
    const first = steps.filter((_, at) => at % 2 === 0);
    const retake = steps.filter((_, at) => at % 2 === 1);
    const saved = (over - overLater) * hour;
    return {
      figures: {
        '14 jobs ran # hours over': over,
        'Over | #, or #%': [over, (100 * over) / quoted[0]],
        'Cost of the hours nobody paid for | #': over * hour,
        'a chair would go up by #.': (chair * raise) / 100,
        'ran over by # hours each': each,
        'a second fixed amount, #, which is # hours at #,': [each * hour, each, hour],
        'That # covers her cost': each * hour,
        "worked: # percent over, or #. Compared with #, that's # a month": [
          (100 * overLater) / later[0],
          overLater * hour,
          over * hour,
          saved,
        ],
        'documented | 1 | 2 | #': (retake[0] ?? 0) - (first[0] ?? 0),
        'capacity controlled | 1 | 3 | #': (retake[1] ?? 0) - (first[1] ?? 0),
        'complaints logged | 0 | 3 | #': (retake[2] ?? 0) - (first[2] ?? 0),
        'Suppliers compared | 2 | 2 | #': (retake[3] ?? 0) - (first[3] ?? 0),
        'Skill score | # | #': [
          Math.round(areaScore('operations-workflows', first)),
          Math.round(areaScore('operations-workflows', retake)),
        ],
        'The whole price was #, # hours': [pack, 14],
      },
      asks: {
        pays: {
          'The plain increase would miss the chairs that run over': (chair * raise) / 100 < each,
          'The fixed amount covers the hours and no more, as the text says': says(
            'blog/what-its-like-working-with-product.mdx',
            'covers her cost and nothing more',
          ),
        },
        badCase: {
          'Half of one month’s gain, as she counts it, is more than pack and hours':
            saved / 2 > pack + 14 * hour,
        },
      },
    };
  },
});

const learned = example({
  path: 'blog/what-ive-learned.mdx',
  given: {
    early: 'small jobs at # that earned next to nothing',
    large: '# of his # large customers',
    sales: '| Sales | # | # |',
    flowers: '| Flowers | # | # |',
    wage: 'Staff at # an hour',
    van: 'Van, vases, delivery | # | # |',
    card: 'Card fees, #%',
    hours: 'Staff hours | # | # |',
    bouquets: '| # office bouquets |',
    later: 'At #, before ten in the morning',
  },
  work({ early, large, sales, flowers, wage, van, card, hours, bouquets, later }) {
    const [weddings, offices] = [0, 1].map((at) => {
      const [sold = 0, hour = 0] = [sales[at], hours[at]];
      return sold + (flowers[at] ?? 0) - hour * wage + (van[at] ?? 0) - (sold * card) / 100;
    }) as [number, number];
    const perHour = [Math.round(weddings) / hours[0], Math.round(offices) / hours[1]] as const;
    return {
      figures: {
        'an hour | # | # | | Van': hours.map((each) => -each * wage),
        'Card fees, 3% | # | #': sales.map((each) => (-each * card) / 100),
        '| Left | # | # |': [weddings, offices],
        'Left for an hour of staff work | # | #': [...perHour],
        "'Weddings', value: # }, { label: 'Office bouquets', value: #": [...perHour],
        'The other had left # for # hours, and # more bouquets make up for it in #.': [
          weddings / 2,
          hours[0] / 2,
          Math.ceil(weddings / 2 / (offices / bouquets)),
          (hours[1] / bouquets) * Math.ceil(weddings / 2 / (offices / bouquets)),
        ],
        'it came to [#] plus interest': figureIn(
          'case-studies/people-management.mdx',
          'half of $17 = #',
        ),
      },
      asks: {
        pays: {
          'An office’s hour leaves more than a wedding’s': perHour[1] > perHour[0],
          'The small jobs come back at a better price': later > early,
        },
        badCase: { 'More than half of the large customers began small': large[0] > large[1] / 2 },
      },
    };
  },
});

const kindsOfHelp = example({
  path: 'blog/what-kind-of-help.mdx',
  given: {
    unpaid: 'nobody has called | # |',
    tax: 'forgotten last year | # |',
    tile: '# bathrooms, each # too cheap',
    bookkeeper: 'for six hours at # costs',
  },
  stated: ['"Where do I get $40,000?"'],
  work({ unpaid, tax, tile, bookkeeper }) {
    const cheap = tile[0] * tile[1];
    const all = unpaid + tax + cheap;
    return {
      figures: {
        'since tile went up | #': cheap,
        'Together | #': all,
        "there's # less in the account": about(all, 50),
        'Written out, the # looks': about(all, 50),
        'Where # went': about(all, 50),
        'at $45 costs #,': 6 * bookkeeper,
        'over 60 days, #, list': unpaid,
      },
      asks: {
        pays: { 'The bookkeeper costs less than the first row brings in': 6 * bookkeeper < unpaid },
        badCase: { 'Even if one invoice in ten gets paid': 6 * bookkeeper < unpaid / 10 },
      },
    };
  },
});

const whyACoach = example({
  path: 'blog/why-do-i-need-a-business-coach.mdx',
  given: {
    pack: 'Session pack, three sessions | #',
    hour: '# × # hour at #',
    between: '# × # hours at #',
    kept: 'A café keeps # cents of each dollar',
    ticket: 'seven or eight guests at #.',
    jobs: 'A window cleaner with # jobs',
    reprint: 'reprints three orders a month at #',
    small: 'selling # a month',
  },
  work({ pack, hour, between, kept, ticket, jobs, reprint, small }) {
    const [session, work] = [hour, between].map(([times, hours, rate]) => times * hours * rate) as [
      number,
      number,
    ];
    const all = pack + session + work;
    const month = all / 12;
    const more = (100 * month) / kept;
    return {
      figures: {
        'sessions here cost [#]': pack,
        'hour at $40 | #': session,
        'hours at $40 | #': work,
        'What it really costs | #': all,
        'months, # is # a month. What would have to change in your business to leave # a month': [
          all,
          month,
          month,
        ],
        'Three ways to #': month,
        'It needs # more in sales a month': more,
        'needs # cents more left on each': (100 * month) / jobs,
        'Spend the # on five lunches': pack,
        "you've saved #.": all,
      },
      asks: {
        pays: {
          'Seven or eight guests bring it in': more / ticket > 7 && more / ticket < 8,
          'One reprint fewer in most months saves it': month / reprint > 0.5 && month / reprint < 1,
        },
        badCase: {
          'For a very small business it’s too much, as the text says': month > small / 12,
        },
      },
    };
  },
});

export const coachingArticles = [workingWith, learned, kindsOfHelp, whyACoach];
