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
    wedding: 'One wedding leaves about # after',
  },
  work({ wrong, places, asked, found, fee, wedding }) {
    const brides = found[3];
    return {
      figures: {
        '| Mistakes | # |': sum(wrong),
        'The shop found nine places, and only the Facebook page was right': places === 9,
        'which is # for each of its four customers': fee / brides,
        'brought nearly half, so': found[0] / asked > 0.44 && found[0] / asked < 0.5,
      },
      asks: {
        pays: {
          'A directory customer costs far less than a wedding leaves': fee / brides < wedding / 10,
        },
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

const websiteMonth = example({
  path: 'toolbox/website-month.md',
  given: {
    july: 'July | # | # | # | $5',
    august: 'August | # | # | # | $6',
    september: 'September | # | # | # | $3',
    october: 'October | # | # | # | $5',
    job: 'and # for an average job',
    october2: 'wrote # and #.',
  },
  work({ july, august, september, october, job, october2 }) {
    const months = [july, august, september, october];
    const perVisits = months.map(([visits, inquiries]) => (100 * inquiries) / visits);
    const perInquiries = months.map(([, inquiries, sales]) => (10 * sales) / inquiries);
    const rows = (at: number) => [perVisits[at] ?? 0, perInquiries[at] ?? 0];
    const won = (at: number) => perInquiries[at] ?? 0;
    const usual = (july[1] + august[1]) / (july[0] + august[0]);
    const missing = Math.round(usual * september[0]) - september[1];
    const jobs = Math.floor((missing * september[2]) / september[1]);
    return {
      figures: {
        'July | 480 | 24 | 15 | #': july[2] * job,
        'August | 505 | 26 | 16 | #': august[2] * job,
        'September | 498 | 13 | 8 | #': september[2] * job,
        'October | 512 | 25 | 15 | #': october[2] * job,
        'July | # | # | | August': rows(0),
        'August | # | # | | September': rows(1),
        'September | # | # | | October': rows(2),
        'October | # | # | | What': rows(3),
        '# visits would have brought # inquiries, # more': [
          september[0],
          Math.round(usual * september[0]),
          missing,
        ],
        'About # of those would have become jobs, worth # in sales': [jobs, jobs * job],
      },
      asks: {
        pays: {
          'Visits and sales for 10 inquiries were as usual, the middle was not':
            Math.abs(september[0] / august[0] - 1) < 0.02 &&
            Math.abs(won(2) - won(1)) < 0.1 &&
            september[1] / september[0] < 0.55 * usual,
        },
        ownRules: {
          'It acts on a drop by half, as it says': september[1] <= august[1] / 2,
          'What is left in October is less than its sales': october2[1] < october[2] * job,
        },
      },
    };
  },
});

export const websiteTools = [listings, nextStep, websiteMonth];
