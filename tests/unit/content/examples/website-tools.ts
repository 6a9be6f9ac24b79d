/** The worked examples of the tools on listings, next steps and visits, in content/toolbox. */
import { sum } from './business-math.ts';
import { example } from './worked-example.ts';

const listings = example({
  path: 'toolbox/listings-list.md',
  given: {
    wrong:
      'Address | # | | Hours | # | | Phone | # | | Open or closed | # | | Services | # | | Mistakes',
    places: 'Wrong in, of # places',
    asked: 'The shop asked # people',
    found:
      'A map on their phone | # | | A friend | # | | Walked by | # | | Wedding directory | # | | Chamber of commerce | # |',
    fee: 'The directory costs # a month',
    dress: 'A wedding dress brings in #,',
  },
  work({ wrong, places, asked, found, fee, dress }) {
    const brides = found[3];
    return {
      figures: {
        '| Mistakes | # |': sum(wrong),
        'The shop found nine places, and only the social page was right': places === 9,
        'which is # for each of its four customers': fee / brides,
        'brought nearly half, so': found[0] / asked > 0.44 && found[0] / asked < 0.5,
      },
      asks: {
        pays: { 'A directory customer costs far less than a dress': fee / brides < dress / 10 },
        ownRules: { 'Everyone asked is counted once': sum(found) === asked },
      },
    };
  },
});

const nextStep = example({
  path: 'toolbox/next-step-sheet.md',
  given: {
    home: '| Home | # | # | # | # |',
    lessons: 'Lessons and prices | # | # | # | # |',
    adults: 'For adults | # | # | # | # |',
    contact: '| Contact | # | # | # | # |',
    last: 'even last September had #.',
  },
  stated: [
    'Jobs over $10,000',
    'Lessons and prices | 3 | The calendar',
    'For adults | 1 | Opened',
    'Contact | 4 | The message',
  ],
  work({ home, lessons, adults, contact, last }) {
    const pages = [home, lessons, adults, contact];
    const column = (at: 0 | 1 | 2 | 3) => sum(pages.map((page) => page[at]));
    const [visits, steps, visitsThen, stepsThen] = [column(0), column(1), column(2), column(3)];
    const rates = pages.map((page) => page[3] / page[2]);
    return {
      figures: {
        '| Together | # | # | # | # |': [visits, steps, visitsThen, stepsThen],
        'That’s #% before and #% after': [(100 * steps) / visits, (100 * stepsThen) / visitsThen],
        'she counts # as new': stepsThen - last,
        'the home page is last, at #%': (100 * home[3]) / home[2],
        'celebrate nine turning into #.': 13,
      },
      asks: {
        pays: {
          'The page to rework has the lowest share and the most visits':
            Math.min(...rates) === rates[0] && home[2] === Math.max(...pages.map(([, , n]) => n)),
        },
        badCase: {
          'Nine and 13 can be chance, as the page says': 13 - 9 < 1.96 * Math.sqrt(13 + 9),
        },
        ownRules: { 'It doesn’t claim the season as its own': last > steps },
      },
    };
  },
});

export const websiteTools = [listings, nextStep];
