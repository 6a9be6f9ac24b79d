/** The worked examples of the cases on an owner who works alone and a shop online. */
import { areaScores, sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

/** Weeks in a month. */
const WEEKS = 4.33;

const alone = example({
  path: 'case-studies/working-alone.mdx',
  given: {
    complete: 'Papers come complete, on time | # | # | # | $56.67',
    late: 'Papers come late or in pieces | # | # | # |',
    daily: 'Restaurants, with sales to enter every day | # | # | # |',
    own: 'courses took another # hours',
    costs: 'Software and insurance cost # a month',
    week: 'She wants to work # hours',
    assistant: 'off her hands, at # with taxes',
    laterPrice: "and # if it wasn't",
    dailyHour: "14.5 hours each. At # an hour that's",
    dailyFee: 'so the new fee was #,',
    completeNow: 'Papers come complete, on time | # | # | # | $55.54',
    lateNow: 'Late, at the higher price | # | # | # |',
    dailyNow: '| Restaurants | # | # | # |',
    ownNow: 'With # hours for her own office',
    enough: 'that # a month before tax is enough',
  },
  stated: ['a new program for $1,800 a year'],
  work(n) {
    const before = [n.complete, n.late, n.daily];
    const after = [n.completeNow, n.lateNow, n.dailyNow];
    const total = (groups: readonly (readonly [number, number, number])[], column: 0 | 1 | 2) =>
      sum(groups.map((group) => group[column]));
    const hour = (group: readonly [number, number, number]) => group[1] / group[2];
    const row = (groups: readonly (readonly [number, number, number])[]) => [
      total(groups, 0),
      total(groups, 1),
      total(groups, 2),
      total(groups, 1) / total(groups, 2),
    ];
    const worked = total(before, 2) + n.own;
    const left = total(before, 1) - n.costs;
    const workedNow = total(after, 2) + n.ownNow;
    const leftNow = total(after, 1) - n.costs;
    const room = Math.floor((n.week - 5) * 0.9);
    const dearest = [n.complete[1] / n.complete[0], n.complete[2] / n.complete[0]] as const;
    const help = 10 * WEEKS;
    return {
      figures: {
        'sales: About #': about(12 * total(before, 1), 500),
        'on time | 13 | $4,420 | 78 | #': hour(n.complete),
        'in pieces | 7 | $2,520 | 72 | #': hour(n.late),
        'every day | 4 | $1,220 | 58 | #': hour(n.daily),
        '| Together | 24 | # | # | # |': row(before).slice(1),
        'So # hours left her #, or # an hour before tax': [worked, left, left / worked],
        'had sold # hours of a month that has #. She counted': [total(before, 2), room * WEEKS],
        "that's # hours a week, or # a month. She'd sold #.": [
          room,
          room * WEEKS,
          total(before, 2),
        ],
        'Five go to her own office, which leaves #': n.week - 5,
        'would have taken # hours a month': help,
        'with taxes: # to do work that brings # an hour': [
          Math.floor(help) * n.assistant,
          hour(n.daily),
        ],
        'in the second row paid # a month': n.late[1] / n.late[0],
        'From June on it was #': n.late[1] / n.late[0],
        'had paid # each since the year she opened, and took # hours each': [
          n.daily[1] / n.daily[0],
          n.daily[2] / n.daily[0],
        ],
        "At $42 an hour that's #": n.dailyHour * (n.daily[2] / n.daily[0]),
        'Together | # | $8,160': total(before, 0),
        'Together | # | $7,920': total(after, 0),
        'on time | 18 | $6,220 | 112 | #': hour(n.completeNow),
        'price | 1 | $480 | 10 | #': hour(n.lateNow),
        '| Restaurants | 2 | $1,220 | 24 | #': hour(n.dailyNow),
        '| Together | 21 | # | # | # |': row(after).slice(1),
        "that's # hours a week. After the same #, it leaves # a month, or # an hour": [
          workedNow / WEEKS,
          n.costs,
          leftNow,
          leftNow / workedNow,
        ],
        'she earns # a month less than in March, for # fewer hours': [
          left - leftNow,
          worked - workedNow,
        ],
        "Hours a week, before: '#', after: '#'": [worked / WEEKS, workedNow / WEEKS],
        'Working # hours alone. Which # can go': [
          worked / WEEKS,
          Math.round(worked / WEEKS) - Math.round(workedNow / WEEKS),
        ],
        'Left for an hour of work, before: #, after: #': [left / worked, leftNow / workedNow],
        'take # hours instead of #': [n.dailyNow[2], n.daily[2] / 2],
        '# is a good fee for six hours': n.late[1] / n.late[0],
        ...areaScores(
          'operations-workflows',
          [0, 0, 1, 3],
          [1, 3, 2, 3],
          ['Operations and workflows came out at #', 'On the retake the score came out at #'],
        ),
      },
      asks: {
        pays: {
          'The assistant costs more than the restaurants bring': n.assistant > hour(n.daily),
          'An hour leaves more than before': leftNow / workedNow > left / worked,
          'The new fee is worth the hours': n.dailyFee >= n.dailyHour * (n.daily[2] / n.daily[0]),
        },
        everyMonth: { 'It leaves what she says is enough': leftNow >= n.enough },
        badCase: {
          'With two more clients gone, it still does':
            leftNow - 2 * dearest[0] >= n.enough &&
            (leftNow - 2 * dearest[0]) / (workedNow - 2 * dearest[1]) > left / worked,
        },
        ownRules: {
          'The groups add up, and one late client and two restaurants left':
            total(before, 0) === 24 &&
            total(after, 0) === 21 &&
            n.completeNow[1] === n.complete[1] + 5 * (n.late[1] / n.late[0]) &&
            n.lateNow[1] === n.laterPrice &&
            n.dailyNow[1] === 2 * n.dailyFee,
        },
      },
    };
  },
});

const online = example({
  path: 'case-studies/online-shop.mdx',
  given: {
    cart: 'Goods in the cart | # | $42.00',
    coupon: 'Welcome coupon, #%',
    jars: 'Spices, jars and box | # |',
    postage: 'Postage we pay | # |',
    fees: 'Card and store fees, #%',
    packing: 'Packing, # minutes at # |',
    broken: 'Broken or refunded | # |',
    first: 'In September, # of the',
    orders: 'of the # orders were first ones',
    returns: 'a year earlier, #% ordered again',
    again: 'and a year brought # more orders',
    video: 'Social video | # | # |',
    search: '| Search | # | # |',
    newsletters: 'Recipe newsletters | # | # |',
    videoBack: 'Social video | $3,900 | 236 | $16.53 | # |',
    searchBack: '| Search | $1,240 | 104 | $11.92 | # |',
    newsletterBack: 'Recipe newsletters | $600 | 70 | $8.57 | # |',
    less: 'went from $3,900 to #,',
    sample: 'a free sample jar in it, which costs #',
    written: 'In March, # people got a message, and # of them ordered',
    left: "Of the # who didn't get one",
    firstNow: 'First orders | 410 | # |',
    email: 'Email service | | # |',
    rent: 'Rent, software, insurance | # |',
  },
  stated: [
    '31% more than the year before',
    'line of credit for $15,000',
    'ads at $9,000 a month',
    'the two were within 4% of each other',
    'used to start at $35. They moved it to $60',
    "between $40 and $55. It's at $45 now",
  ],
  work(n) {
    const packed = (n.packing[0] * n.packing[1]) / 60;
    const fixed = n.jars + n.postage + n.broken - packed;
    const paid = (goods: number) => goods * (1 - n.fees / 100) + fixed;
    const off = (n.cart * n.coupon) / 100;
    const firstOrder = paid(n.cart - off);
    const laterOrder = paid(n.cart);
    const channels = [n.video, n.search, n.newsletters];
    const back = [n.videoBack, n.searchBack, n.newsletterBack];
    const ads = sum(channels.map(([money]) => money));
    const each = ads / n.first;
    const later = n.orders - n.first;
    const later100 = n.returns * n.again;
    const fromLater = (later100 / 100) * laterOrder;
    const returning = sum(channels.map(([, people], index) => (people * (back[index] ?? 0)) / 100));
    const september = n.first * firstOrder - ads + later * laterOrder + n.rent;
    const anyway = (3 / n.left) * n.written[0];
    const counted = n.written[1] - anyway;
    const laterNow = later + counted;
    const sampled = laterOrder - n.sample;
    const adsNow = ads - n.video[0] + n.less;
    const march = n.firstNow * sampled - adsNow + laterNow * laterOrder + n.email + n.rent;
    const sold = n.first * (n.cart - off) + later * n.cart;
    const soldNow = (n.firstNow + laterNow) * n.cart;
    return {
      figures: {
        'sales: About #': about(12 * sold, 500),
        'shipped # orders in September': n.orders,
        'a month instead of #.': ads,
        'The average order is # before the coupon': n.cart,
        'Welcome coupon, 15% | #': -off,
        'Spices, jars and box | # | # |': [n.jars, n.jars],
        'Postage we pay | # | # |': [n.postage, n.postage],
        'store fees, 4% | # | # |': [(-(n.cart - off) * n.fees) / 100, (-n.cart * n.fees) / 100],
        '9 minutes at $20 | # | # |': [-packed, -packed],
        'Broken or refunded | # | # |': [n.broken, n.broken],
        'Left before ads | # | # |': [firstOrder, laterOrder],
        'the ads had cost #: # for each. A new customer lost them #.': [
          ads,
          each,
          each - firstOrder,
        ],
        "For 100 new customers that's # later orders, or # for each": [later100, fromLater],
        'new customer had brought in # after a year': fromLater + firstOrder - each,
        'someone has to lend you the #': each - firstOrder,
        'Social video | $3,900 | 236 | #': n.video[0] / n.video[1],
        'Search | $1,240 | 104 | #': n.search[0] / n.search[1],
        'newsletters | $600 | 70 | #': n.newsletters[0] / n.newsletters[1],
        '| Together | # | # | # | # |': [
          ads,
          n.first,
          each,
          about((100 * returning) / n.first, 0.5),
        ],
        'within two weeks: #%': (100 * n.written[1]) / n.written[0],
        'At that rate, # of the # would have come anyway, so they count #': [
          anyway,
          n.written[1],
          counted,
        ],
        "they'd have claimed all #": n.written[1],
        'Later orders | # | # |': [later, laterNow],
        'Sales after coupons | # | # |': [sold, soldNow],
        'First orders, before ads | # | # |': [n.first * firstOrder, n.firstNow * sampled],
        '| Ads | # | # |': [-ads, -adsNow],
        'Later orders leave | # | # |': [later * laterOrder, laterNow * laterOrder],
        'software, insurance | # | # |': [n.rent, n.rent],
        '| Left | # | # |': [september, march],
        'Sales fell by #%': 100 * (1 - soldNow / sold),
        "What's left went from # to #": [september, march],
        'leaves # cents after its # of ads': [
          Math.round(100 * (sampled - adsNow / n.firstNow)),
          adsNow / n.firstNow,
        ],
        "Divided by two, it's #": march / 2,
        "Left in a month, before: '#', after: '#'": [september, march],
        "after ads', before: '#', after: '#'": [firstOrder - each, sampled - adsNow / n.firstNow],
        'paid # in ads for a first order that left #': [each, firstOrder],
        ...areaScores(
          'sales-marketing',
          [1, 0, 1, 1],
          [1, 3, 3, 1],
          ['Sales and marketing scored #, Starting', 'On the retake the score came out at #'],
        ),
      },
      asks: {
        pays: {
          'A first order pays for its ad now, and didn’t before':
            firstOrder < each && sampled > adsNow / n.firstNow,
        },
        everyMonth: { 'The shop pays its bills in March': march > 0 && september < 0 },
        badCase: {
          'It does even if no message brought anyone': march - counted * laterOrder > 0,
        },
        ownRules: {
          'A tenth of the list gets nothing': n.left === (n.left + n.written[0]) / 10,
          'Ads are cut in half': Math.round((10 * adsNow) / ads) === 5,
        },
      },
    };
  },
});

export const soloAndShopCases = [alone, online];
