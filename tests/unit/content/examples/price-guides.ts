/** The worked examples of the guides on prices, reviews and insurance. */
import { salesToBreakEven, sum } from './business-math.ts';
import { example } from './worked-example.ts';

const pricingAJob = example({
  path: 'pages/pricing-a-job.mdx',
  given: {
    wage: 'A painter pays # an hour, plus # for those',
    overhead: "Everything that isn't for one job | #",
    sold: 'Hours sold to customers | #',
    hours: 'Labor, # hours × $28',
    materials: 'Paint and materials | #',
    quoted: 'Quoted: #',
    margin: 'This owner wants #% of the price',
    took: 'the job takes # hours, a fifth more',
    off: "Don't add #% to the cost",
    jobs: 'Together | # | # |',
    first: 'on Alameda | # | # |',
    second: 'Dental office, hall | # | # |',
    third: 'Fence | # | # |',
    fourth: 'Two apartments | # | # |',
    fifth: 'Kitchen cabinets | # | # |',
    small: 'the minimum is #.',
    extra: 'Extra work is # an hour plus materials',
    less: 'Walls only | Two coats on walls, three rooms | #',
    more: 'moved and moved back | #',
  },
  stated: ['If others quote $4,600'],
  work(n) {
    const hour = sum(n.wage);
    const carried = n.overhead / n.sold;
    const direct = n.hours * hour + n.materials;
    const cost = direct + n.hours * carried;
    const share = 1 - n.margin / 100;
    const left = n.quoted - cost;
    const late = (n.took - n.hours) * (hour + carried);
    const discount = n.quoted / 10;
    const added = cost * (1 + n.off / 100);
    const half = 8 * (hour + carried);
    const each = [n.first, n.second, n.third, n.fourth, n.fifth];
    return {
      figures: {
        'plus $4 for those: #.': hour,
        'Overhead for each hour sold | # |': carried,
        'Labor, 80 hours × # | # |': [hour, n.hours * hour],
        'Direct cost | # |': direct,
        'Overhead, 80 hours × # | # |': [carried, n.hours * carried],
        'What the job costs | # |': cost,
        '# ÷ # is #. Quoted': [cost, share, cost / share],
        "That's #, and it leaves #%.": [added, (100 * (added - cost)) / added],
        'cost={#} hours={#} rate={#} overhead={#} margin={#}': [
          n.materials,
          n.hours,
          hour,
          (n.hours * carried) / direct,
          n.margin / 100,
        ],
        "'Labor', value: # }, { label: 'Materials', value: # }, { label: 'Overhead', value: # }, { label: 'Profit', value: # }":
          [n.hours * hour, n.materials, n.hours * carried, left],
        'Each extra hour costs #, so # of them cost #.': [hour + carried, n.took - n.hours, late],
        'Of the # that should be left, # is.': [left, left - late],
        'Here the job pays # for each hour': (n.quoted - n.materials) / n.hours,
        "It's #, and it comes out of the #: you'd do the same work for #.": [
          discount,
          left,
          left - discount,
        ],
        'As quoted | Walls, ceilings and trim | #': n.quoted,
        'more than its direct cost of #.': direct,
        "eight hours, or # before profit. At #% that's #, so": [half, n.margin, half / share],
        '# ÷ # is #. This': [n.jobs[1], n.jobs[0], n.jobs[1] / n.jobs[0]],
        'hopeful, by #%, every time': 100 * (n.jobs[1] / n.jobs[0] - 1),
      },
      asks: {
        pays: {
          'A third of the profit is left after ten percent off':
            Math.round((3 * (left - discount)) / left) === 1,
          'An extra hour pays no less than the others':
            n.extra >= (n.quoted - n.materials) / n.hours,
          'The minimum leaves the margin': n.small * share >= half,
          'Fewer rooms cost less, more cost more': n.less < n.quoted && n.more > n.quoted,
        },
        badCase: {
          'A fifth more hours still loses nothing': left - late > 0 && n.took === 1.2 * n.hours,
        },
        ownRules: {
          'The jobs add up':
            each.every(([planned, took]) => took >= planned) &&
            sum(each.map(([planned]) => planned)) === n.jobs[0] &&
            sum(each.map(([, took]) => took)) === n.jobs[1],
        },
      },
    };
  },
});

const reviews = example({
  path: 'pages/customer-reviews.mdx',
  given: {
    have: 'finds # reviews with an average of #',
    wanted: 'reviews to get from 4.3 to #.',
    customers: 'The shop has # customers a month',
    writes: 'about one in # writes something',
    few: 'With # reviews and an average of #, a single',
    many: 'With # reviews, the same one',
  },
  work(n) {
    const [count, average] = n.have;
    const needed = Math.ceil(((n.wanted - average) * count) / (5 - n.wanted) - 1e-9);
    const withOneStar = (reviewed: number) => (reviewed * n.few[1] + 1) / (reviewed + 1);
    const monthly = n.customers / n.writes;
    return {
      figures: {
        'it would take # reviews to get from # to': [needed, average],
        "That's ten a month, so 4.5 is two months away":
          monthly === 10 && Math.ceil(needed / monthly) === 2,
        'one-star review brings it down to #.': withOneStar(n.few[0]),
        'the same one leaves it at #.': withOneStar(n.many),
      },
      asks: 'Nothing is spent or signed.',
    };
  },
});

const raisingPrices = example({
  path: 'pages/raising-prices.mdx',
  given: {
    price: 'A groomer charges # for a dog',
    dogs: 'She grooms # a month',
    direct: 'Direct cost of a dog | # | # |',
    overhead: 'for each of 140 dogs | # | # |',
    raised: 'She decides on #.',
    leave: 'At $70, and # leave | 132',
    lower: 'At #, to get more customers',
    soft: 'you pay # until September',
    small: 'a bath and trim for #.',
  },
  stated: ['Three percent a year is', 'Thirteen percent after two years'],
  work(n) {
    const [before, now] = [0, 1].map(
      (year) => n.price - (n.direct[year] ?? 0) - (n.overhead[year] ?? 0),
    ) as [number, number];
    const each = n.price - n.direct[1];
    const eachRaised = n.raised - n.direct[1];
    const eachLower = n.lower - n.direct[1];
    const need = Math.ceil((n.dogs * each) / eachRaised);
    const needLower = Math.ceil((n.dogs * each) / eachLower);
    const fixed = n.overhead[1] * n.dogs;
    const hours = 1.5;
    return {
      figures: {
        'come to # a dog. Two': n.direct[1],
        'Left of # | # | # |': [n.price, before, now],
        'a pay cut of # a dog, or # a month': [before - now, (before - now) * n.dogs],
        'the price has to be #.': n.price + before - now,
        'Each dog then leaves # after its direct cost, instead of #.': [eachRaised, each],
        '# ÷ # is #. She needs # dogs instead of #, so she can lose #': [
          each,
          eachRaised,
          each / eachRaised,
          need,
          n.dogs,
          n.dogs - need,
        ],
        'or one in seven': Math.round(n.dogs / (n.dogs - need)) === 7,
        "gets 21 appointments back. At an hour and a half each, that's # hours a month":
          (n.dogs - need) * hours,
        'Now, at # | # | # | # |': [n.price, n.dogs, each, n.dogs * each],
        'At #, and 8 leave | # | # | # |': [
          n.raised,
          n.dogs - n.leave,
          eachRaised,
          (n.dogs - n.leave) * eachRaised,
        ],
        'At #, and 21 leave | # | # | # |': [n.raised, need, eachRaised, need * eachRaised],
        'to get more customers | # | # | # |': [needLower, eachLower, needLower * eachLower],
        "'At #', value: # }, { label: 'At #, today', value: # }, { label: 'At #', value: #": [
          ...[n.lower, needLower, n.price, n.dogs],
          ...[n.raised, need],
        ],
        "With # off, she'd need # dogs": [n.price - n.lower, needLower],
        'earns now: # more, and # more hours': [needLower - n.dogs, (needLower - n.dogs) * hours],
        'a full groom is #.': n.raised,
        'rent and overhead of # a month need # dogs': [
          fixed,
          salesToBreakEven(fixed, n.raised, n.direct[1]),
        ],
        'fixed={#} price={#} variable={#}': [fixed, n.raised, n.direct[1]],
      },
      asks: {
        pays: { 'Losing eight pays': (n.dogs - n.leave) * eachRaised > n.dogs * each },
        badCase: { 'Losing one in seven does no harm': need * eachRaised >= n.dogs * each },
        ownRules: {
          'Nobody is offered less than what keeps her even':
            n.soft >= n.price + before - now && n.small < n.price,
          'The rise is what the page calls it':
            Math.round((100 * (n.raised - n.price)) / n.price) === 13,
        },
      },
    };
  },
});

const insurance = example({
  path: 'pages/business-insurance.mdx',
  given: {
    low: 'With a deductible of # it',
    full: "it's # a year. With",
    high: 'a year. With #,',
    less: "With $2,500, it's #.",
  },
  stated: ['$1 million / $2 million'],
  work: ({ low, full, high, less }) => ({
    figures: {
      "That's # saved each year for # more of a loss": [full - less, high - low],
      'less often than every five and a half years':
        Math.abs((high - low) / (full - less) - 5.5) < 0.1,
      "'Lower deductible', value: # }, { label: 'Higher deductible', value: #": [
        10 * full + low,
        10 * less + high,
      ],
      'It only works if the # is there. Put the # into': [high, full - less],
    },
    asks: {
      pays: { 'One loss in ten years is less often': 10 > (high - low) / (full - less) },
    },
  }),
});

export const priceGuides = [pricingAJob, raisingPrices, reviews, insurance];
