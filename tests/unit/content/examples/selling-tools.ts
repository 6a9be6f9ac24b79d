/** The worked examples of the tools on inquiries, channels and past customers, in content/toolbox. */
import { sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const inquiries = example({
  path: 'toolbox/inquiry-list.md',
  given: {
    all: 'What became of # inquiries',
    ended:
      '| Won | # | | Lost | # | | Never heard from them after the quote | # | | Never answered by us | # | | Still open | # |',
    job: 'with # for an average job',
    day: 'Same day | # | # | 55%',
    next: 'Next day | # | # | 33%',
    later: 'Later | # | # | 0%',
    friend: 'Neighbor or friend | # | # |',
    map: 'Map or search | # | # |',
    sign: 'Our sign | # | # |',
  },
  stated: [
    'two cars | $5,200',
    'Cracked step | $350',
    '160 feet | $11,800',
    'does it cost?” | $4,000',
    'for a shed | $2,900',
    'runs $3,500 to $4,500',
  ],
  work(n) {
    const [won, lost, quiet, unanswered] = n.ended;
    const decided = won + lost + quiet;
    const rate = Math.round((100 * won) / decided) / 100;
    const bySpeed = [n.day, n.next, n.later];
    const bySource = [n.friend, n.map, n.sign];
    const percent = ([asked, said]: readonly [number, number]) => (100 * said) / asked;
    return {
      figures: {
        'Of the # who got a quote and are done deciding, # said yes: #%': [
          decided,
          won,
          100 * rate,
        ],
        'brought in about # at that rate': about(unanswered * rate * n.job, 50),
        'Four of the # jobs': won,
        'the second message: #,': 4 * n.job,
        'Why did # say no? Five wanted an earlier start, four found a lower price, two dropped':
          5 + 4 + 2,
        'Same day | 22 | 12 | #%': percent(n.day),
        'Next day | 6 | 2 | #%': percent(n.next),
        'Later | 3 | 0 | #%': percent(n.later),
        'friend | 14 | 9 | #%': percent(n.friend),
        'search | 10 | 4 | #%': percent(n.map),
        'sign | 7 | 1 | #%': percent(n.sign),
      },
      asks: {
        pays: { 'More was lost to the date than to the price': 5 > 4 && lost === 5 + 4 + 2 },
        ownRules: {
          'Every inquiry is counted once': sum(n.ended) === n.all,
          'Both splits count the decided ones and the won ones': [bySpeed, bySource].every(
            (split) =>
              sum(split.map(([asked]) => asked)) === decided &&
              sum(split.map(([, said]) => said)) === won,
          ),
        },
      },
    };
  },
});

type Channel = readonly [money: number, hours: number, customers: number];

/** The cost of each channel, and of a new customer in it, as the first table has them. */
function channelCosts(
  rate: number,
  channels: Record<'ads' | 'signs' | 'show' | 'referrals' | 'posts', Channel>,
) {
  const costOf = ([money, hours, customers]: Channel) => {
    const cost = money + hours * rate;
    return { hours: hours * rate, cost, each: cost / customers };
  };
  const { ads, signs, show, referrals, posts } = channels;
  const all = [ads, signs, show, referrals, posts];
  const costs = {
    ads: costOf(ads),
    signs: costOf(signs),
    show: costOf(show),
    referrals: costOf(referrals),
    posts: costOf(posts),
  };
  const money = sum(all.map(([spent]) => spent));
  const hours = sum(all.map(([, spent]) => spent));
  const customers = sum(all.map(([, , found]) => found));
  const cost = money + hours * rate;
  const row = ({ hours: paid, cost: total, each }: (typeof costs)['ads']) => [paid, total, each];
  return {
    ...costs,
    customers,
    cost,
    figures: {
      'Hours at #': rate,
      'ads | $1,950 | 6 | # | # | 15 | #': row(costs.ads),
      'truck | $240 | 4 | # | # | 6 | #': row(costs.signs),
      'show | $850 | 26 | # | # | 7 | #': row(costs.show),
      'referral | $300 | 5 | # | # | 12 | #': row(costs.referrals),
      'groups | $0 | 24 | # | # | 3 | #': row(costs.posts),
      'Together | # | # | # | # | # | #': [
        money,
        hours,
        hours * rate,
        cost,
        customers,
        cost / customers,
      ],
    },
  };
}

const channels = example({
  path: 'toolbox/customer-cost.md',
  given: {
    rate: 'technicians, uses #.',
    ads: 'Search ads | # | # | $180 | $2,130 | # |',
    signs: 'the truck | # | # | $120 | $360 | # |',
    show: 'Home show | # | # | $780 | $1,630 | # |',
    thanks: 'of # for a referral',
    referrals: 'a referral | # | # | $150 | $450 | # |',
    posts: 'neighborhood groups | # | # | $720 | $720 | # |',
    visits: 'four visits at #, and #% is left',
    wasps: 'The ones about wasps cost # and',
    better: 'Thank-you of #, and asking',
    wonInJune: 'In June they won # customers',
    raised: 'raised ads from # to # a month',
  },
  stated: ['the next $100'],
  work(n) {
    const { figures, ads, signs, show, referrals, posts, customers, cost } = channelCosts(
      n.rate,
      n,
    );
    const plan = 4 * n.visits[0];
    const [leaves, once] = [(plan * n.visits[1]) / 100, (n.visits[0] * n.visits[1]) / 100];
    const plans = n.ads[2] - 6;
    const fromAds = (plans * leaves + 6 * once) / n.ads[2];
    const [rest, adMoney] = [ads.cost - n.wasps, (n.ads[0] - n.wasps) / 3];
    const june = adMoney + ads.hours / 3 + signs.cost / 3 + 6 * n.better + referrals.hours / 3;
    const spring = (cost - show.cost) / (customers - n.show[2]);
    const fourth = n.raised[1] - n.raised[0];
    return {
      figures: {
        ...figures,
        'Left, at #%': n.visits[1],
        'Yearly plan | # | # | | One visit | # | #': [plan, leaves, n.visits[0], once],
        'Referrals | # | # | # |': [referrals.each, leaves, about(leaves - referrals.each, 0.51)],
        'truck | # | # | # | | Search': [signs.each, leaves, leaves - signs.each],
        'Search ads | # | # | # | | Home': [ads.each, fromAds, fromAds - ads.each],
        'Home show | # | # | # | | Posts': [show.each, leaves, leaves - show.each],
        '| Posts | # | # | #': [posts.each, leaves, leaves - posts.each],
        'six who came once: # each, for #.': [n.wasps / 6, once],
        'Everything else cost # with the hours and brought nine plans: # each, for #.': [
          rest,
          rest / plans,
          leaves,
        ],
        '# a month saved': n.wasps / 3,
        'customers for #: # each': [june, june / n.wonInJune],
        'it had been # a month at # each': [(customers - n.show[2]) / 3, spring],
        'from # to $590': adMoney,
        'still # in ad money. But the fourth customer cost #, and leaves #. So # is enough': [
          n.raised[1] / 4,
          fourth,
          leaves,
          adMoney,
        ],
      },
      asks: {
        pays: {
          'What they stop costs more than it leaves': n.wasps / 6 > once && posts.each > leaves,
          'What they keep of the ads costs less': rest / plans < leaves,
          'The fourth customer costs more than it leaves': fourth > leaves,
        },
        ownRules: {
          'Each referral was thanked': n.thanks * n.referrals[2] === n.referrals[0],
          'A dearer thank-you still pays': n.better + referrals.hours / n.referrals[2] < leaves,
        },
      },
    };
  },
});

const pastCustomers = example({
  path: 'toolbox/past-customers.md',
  given: {
    customers: 'The sweep had # customers in two years. # had been served',
    came: 'Booked | # | | Have moved | # | | Don’t heat with wood anymore | # | | Went to someone else | # | | No answer | # |',
    chosen: '| Of # |',
    price: 'Seven visits at # are',
    called: 'called the # whose last visit',
    first: 'For the first time | # | # |',
    more: 'For the second time or more | # | # |',
  },
  stated: ['So is 10% off'],
  work({ customers, came, chosen, price, called, first, more }) {
    const due = customers[0] - customers[1];
    const visits = Math.round(((due - chosen) * came[0]) / chosen / 2);
    const [visited, back] = [first[0] + more[0], first[1] + more[1]];
    return {
      figures: {
        'so # were due': due,
        'It’s #, same as last time': price,
        'are #, for two hours': came[0] * price,
        'Don’t multiply # in # by': [came[0], chosen],
        'the other # would bring # visits, #.': [due - chosen, visits, visits * price],
        'wrote to the other eight': chosen - called === 8,
        'the first time | 60 | 27 | #%': (100 * first[1]) / first[0],
        'time or more | 180 | 151 | #%': (100 * more[1]) / more[0],
        'Together | # | # | #%': [visited, back, (100 * back) / visited],
        'look at the #% again': (100 * first[1]) / first[0],
      },
      asks: {
        pays: { 'An hour of calling earns more than a visit': (came[0] * price) / 2 > price },
        badCase: { 'It plans with half the rate': visits < ((due - chosen) * came[0]) / chosen },
        ownRules: { 'Everyone chosen is counted once': sum(came) === chosen },
      },
    };
  },
});

export const sellingTools = [inquiries, channels, pastCustomers];
