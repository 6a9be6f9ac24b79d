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

export const websiteTools = [listings];
