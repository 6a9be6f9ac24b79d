/** The worked examples of the articles on running a business, in content/blog. */
import { monthsOfCash, sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const KINDS = [0, 1, 2] as const;

const canvas = example({
  path: 'blog/business-model-canvas.mdx',
  given: {
    customers: '| Customers | # | # | # |',
    prices: 'Restaurants # a month; rentals # a month; events # each',
    hours: '| Hours | # | # | # |',
    wage: 'Wages at #',
    water: 'Water, power, soap | # | # | # |',
    driving: '| Driving | # | # | # |',
    lost: 'Linen lost or stained | # | # | # |',
    fixed: 'insurance and software take #,',
    van: "that's about # a month to protect",
    changed: '# rentals instead of 22; # events instead of 5',
    tablecloths: '# more tablecloths at #:',
    shorter: '# hours instead of #;',
    drive: 'Driving for rentals # instead of',
  },
  work(n) {
    const sales = KINDS.map((at) => n.customers[at] * n.prices[at]);
    const left = KINDS.map(
      (at) => (sales[at] ?? 0) - n.hours[at] * n.wage + n.water[at] + n.driving[at] + n.lost[at],
    );
    const [restaurants = 0, rentals = 0, events = 0] = left;
    const before = sum(left) - n.fixed;
    const [fewer, more] = n.changed;
    const part = fewer / n.customers[1];
    const hours = Math.round(n.hours[1] * part);
    const rentalsThen =
      fewer * n.prices[1] -
      hours * n.wage +
      Math.round(n.water[1] * part) -
      n.drive +
      Math.round(n.lost[1] * part);
    const eventsThen = (events * more) / n.customers[2];
    const after = restaurants + rentalsThen + eventsThen - n.fixed;
    const cautious = restaurants + rentalsThen + events - n.fixed;
    const cloths = n.tablecloths[0] * n.tablecloths[1];
    return {
      figures: {
        'fewer customers and # more a month': after - before,
        "there's # left for the owner": before,
        'Wages #; water, power, soap #; driving #; lost linen #; fixed #': [
          sum(n.hours) * n.wage,
          -sum(n.water),
          -sum(n.driving),
          -sum(n.lost),
          n.fixed,
        ],
        '| Sales | # | # | # |': sales,
        'Wages at $19 | # | # | # |': n.hours.map((each) => -each * n.wage),
        '| Left | # | # | # | | Left for an hour of work | # | # | # |': [
          ...left,
          ...left.map((each, at) => each / (n.hours[at] ?? 1)),
        ],
        "That's # together.": sum(left),
        'and # remains.': before,
        'the column that leaves #.': rentals,
        'A week without steam is # in sales': about(sum(sales) / 4.33, 10),
        'to protect #.': rentals,
        'Rentals #, events # |': [fewer * n.prices[1], more * n.prices[2]],
        'at $14: #, once': cloths,
        '# hours instead of #;': [
          n.hours[0] + hours + Math.round((n.hours[2] * more) / n.customers[2]),
          sum(n.hours),
        ],
        'for rentals $240 instead of #': -n.driving[1],
        'Restaurants, left | # | # | | Rentals, left | # | # | | Events, left | # | # | | Fixed | # | # | | For the owner | # | # |':
          [
            ...[restaurants, restaurants, rentals, rentalsThen, events, eventsThen],
            ...[-n.fixed, -n.fixed, before, after],
          ],
        "That's # more, and the tablecloths": after - before,
        'would leave #, so': cautious,
      },
      asks: {
        pays: {
          'The tablecloths are paid within the first month': cloths < after - before,
          'The second van would cost more than it protects': n.van > rentals,
        },
        badCase: { 'Without one extra event it still leaves more': cautious > before },
      },
    };
  },
});

const cannabis = example({
  path: 'blog/solving-cannabis-equity-entrepreneurs-business-challenges.mdx',
  given: {
    waiting: 'feet | # | | Insurance, utilities, alarm | # | | Loan interest | # |',
    cash: 'With # and nothing coming in',
    buildOut: 'Put # into the build-out',
    shop: '| Sales | # | # | | Cost of goods sold | # |',
    rest: 'everything else | # |',
    rate: 'Tax at #%',
    guard: 'counting, # × # |',
    counting: 'carrying, # hours at #',
    insurance: 'cash on the premises | # |',
    missing: 'at the count, #% of #',
    account: 'An account at # a month',
    fee: 'A management fee of # percent',
  },
  stated: ['so $38,000 is gone before the first sale'],
  work({
    waiting,
    cash,
    buildOut,
    shop,
    rest,
    rate,
    guard,
    counting,
    insurance,
    missing,
    account,
    fee,
  }) {
    const burn = sum(waiting);
    const wait = 9 * 1.5;
    const [sales, , goods] = shop;
    const gross = sales + goods;
    const profit = gross + rest;
    const [tax, tax280] = [(profit * rate) / 100, (gross * rate) / 100];
    const bankless = [
      guard[0] * guard[1],
      counting[0] * counting[1],
      insurance,
      (missing[0] * missing[1]) / 100,
    ];
    const managed = (sales * fee) / 100;
    return {
      figures: {
        'Going out | #': burn,
        'that lasts # months': cash / burn,
        'it lasts #.': monthsOfCash(cash - buildOut, 0, burn),
        'cash={#} income={#} costs={#}': [cash - buildOut, 0, burn],
        "nine months becomes #, or #. With the build-out you'd be # short": [
          wait,
          wait * burn,
          wait * burn + buildOut - cash,
        ],
        'If they refuse, add # to the cost of that location': burn,
        '| Sales | # | # | | Cost of goods sold | # | # | | Gross profit | # | # |': [
          ...[sales, sales, goods, goods, gross, gross],
        ],
        'else | # | # | | Profit before tax | # | # | | Taxed amount | # | # |': [
          ...[rest, rest, profit, profit, profit, gross],
        ],
        '21% | # | # | | Left | # | # |': [-tax, -tax280, profit - tax, profit - tax280],
        'earned # and owes #,': [profit, tax280],
        "it's # − # = #. The shop spends #.": [gross, tax280, gross - tax280, -rest],
        "it's # percent of sales, about # a week": [(100 * tax280) / sales, tax280 / 52],
        'counting, 4 × $220 | #': bankless[0] ?? 0,
        'hours at $30 | #': bankless[1] ?? 0,
        'of $100,000 | #': bankless[3] ?? 0,
        'Together | #': sum(bankless),
        'The account costs # and saves #.': [account, sum(bankless) - account],
        "On #, that's #, before": [sales, managed],
        'with # of profit before tax, a # fee makes a loss of #': [
          profit,
          managed,
          managed - profit,
        ],
      },
      asks: {
        pays: { 'The account costs less than going without': account < sum(bankless) },
        badCase: {
          'With the wait half again as long the money runs out, and the page says not to sign':
            wait * burn + buildOut > cash,
          'The tax is more than the profit, as the page says':
            tax280 > profit && -rest > gross - tax280,
        },
      },
    };
  },
});

const capabilities = example({
  path: 'blog/using-core-capabilities-to-re-engineer-value.mdx',
  given: {
    built: 'Last year it built #, at #.',
    wood: 'Wood, hardware, finishing | #',
    kitchenHours: '| # hours at $36 | −$7,560',
    wage: '| 210 hours at # |',
    price: '| One measure-and-fit | | | Price | # |',
    fitHours: '| # hours at $36 | −$792',
    travel: 'Travel, shims, screws | #',
    again:
      'orders # of cabinets online, a wrong measurement means a second order of three boxes at #, a second visit at #',
    calls: '# of # came from people asking',
    tried: 'Said yes | | # | # | # | | # | # | # | | # | # | # |',
  },
  stated: ['kitchens at $22,000'],
  work({ built, wood, kitchenHours, wage, price, fitHours, travel, again, calls, tried }) {
    const [kitchens, kitchenPrice] = built;
    const kitchen = kitchenPrice + wood - kitchenHours * wage;
    const fit = price - fitHours * wage + travel;
    const mistake = 3 * again[1] + again[2];
    // The comparison leaves out wages, which are paid either way.
    const [perKitchen, perFit] = [kitchenPrice + wood, price + travel];
    const lost = 2 * perKitchen;
    const room = Math.floor((2 * kitchenHours) / fitHours);
    const likely = Math.round((calls[0] * 2) / 3);
    const needed = (count: number) => Math.ceil((count * perKitchen) / perFit);
    return {
      figures: {
        'earned # an hour on kitchens and # on the part': [kitchen / kitchenHours, fit / fitHours],
        '| One kitchen | | | Price | #': kitchenPrice,
        'hours at $36 | # | | Left | # | | Left for an hour of work | # | At': [
          -kitchenHours * wage,
          kitchen,
          kitchen / kitchenHours,
        ],
        "a year that's #": kitchens * kitchen,
        "That's # and a bad month. With one in 12 going wrong, the plain average is about #,": [
          mistake,
          mistake / 12,
        ],
        'is enough to start with #.': price,
        '| Price | # | | # hours at # | # | | Travel, shims, screws | # | | Left | # | | Left for an hour of work | #':
          [price, fitHours, wage, -fitHours * wage, travel, fit, fit / fitHours],
        "'Kitchen', value: # }, { label: 'Measure and fit', value: #": [
          kitchen / kitchenHours,
          fit / fitHours,
        ],
        'frees up # hours, which is room for # fittings': [2 * kitchenHours, room],
        'each kitchen brings in # after materials, each fitting #.': [perKitchen, perFit],
        '# kitchens not built, at # | #': [2, perKitchen, -lost],
        '# fittings, at # | #': [room, perFit, room * perFit],
        'If all # are sold | #': [room, room * perFit - lost],
        "If # are sold, two thirds of last year's # callers | #": [
          likely,
          calls[0],
          likely * perFit - lost,
        ],
        'If 10 are sold | #': 10 * perFit - lost,
        'to break even, # ÷ # | #': [lost, perFit, needed(2)],
        'in a year, when # people had asked': calls[0],
        'would have taken # fittings to break even': needed(4),
      },
      asks: {
        pays: {
          'Two kitchens fewer pay with two thirds of the callers': likely >= needed(2),
          'They start at the highest price most said yes to':
            tried[3] === price && 2 * tried[5] > tried[4] && 2 * tried[8] < tried[7],
        },
        badCase: {
          'Four would need more than the calls promise': needed(4) > likely,
          'Ten fittings would lose, as the text says': 10 * perFit < lost,
        },
      },
    };
  },
});

export const businessArticles = [canvas, cannabis, capabilities];
