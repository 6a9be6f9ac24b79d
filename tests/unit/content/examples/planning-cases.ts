/** The worked examples of the case studies on planning and research, in content/case-studies. */
import { areaScore, areaScores, monthlyPayment, ourRules, sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const businessPlanning = example({
  path: 'case-studies/business-planning.mdx',
  given: {
    fee: 'has # spots at # a week',
    extra: 'charge every family # a week more',
    loan: 'borrow # for a second room',
    weeks: 'A month of # weeks',
    staff: 'one hour, # days, at # with taxes',
    early: 'the early hour costs # a week',
    costs: 'insurance and the rest | # | # |',
    fewer: 'what happens at # spots',
    rate: 'over five years at #%',
    care: 'a caregiver for # hours a week at #:',
    food: 'Food and supplies, # a child',
    need: 'the need: # in April, # of it from savings',
  },
  stated: ['Added a rider, $38 a month'],
  work({ fee, extra, loan, weeks, staff, early, costs, fewer, rate, care, food, need }) {
    const [places, price] = fee;
    const hour = 2 * staff[0] * staff[1];
    const fees = (families: number, each: number) => Math.round(families * each * weeks);
    const planned = fees(places, extra) - Math.round(hour);
    const nine = fees(9, early) - Math.round(hour);
    const seven = fees(7, early) - Math.round(hour);
    const payment = Math.round(monthlyPayment(loan, rate, 60));
    const left = [places, fewer].map((count, at) => fees(count, price) + (costs[at] ?? 0));
    const [, leftFewer = 0] = left;
    const caregiver = Math.round(care[0] * care[1] * weeks);
    const room = (children: number) =>
      fees(children, price) - caregiver - children * food - payment;
    return {
      figures: {
        'sales: About #': about(places * price * 52, 500),
        'at about # a week in fees': places * price,
        '| # × # × # | #': [places, extra, weeks, fees(places, extra)],
        'with taxes | # | | Left | #': [-hour, planned],
        'first: planned, before: #, after: #': [planned, seven],
        'pay # more for the early start': extra,
        'sign for # a week': price + extra,
        'The fee stays at #,': price,
        'Families × # × # | # | # |': [early, weeks, fees(9, early), fees(7, early)],
        'Staff for the hour | # | # | | Left | # | # |': [-hour, -hour, nine, seven],
        '# ÷ (# × #) = #': [hour, early, weeks, hour / (early * weeks)],
        '| A month | 24 spots | 19 spots | | Fees | # | # |': [
          fees(places, price),
          fees(fewer, price),
        ],
        'insurance and the rest | −$19,059 | −$17,025 | | Left | # | # |': left,
        'pay the # a month on # over five years at 9%, with # to spare': [
          payment,
          loan,
          leftFewer - payment,
        ],
        'Six | | Fees | # | # | | Caregiver | # | # |': [
          fees(5, price),
          fees(6, price),
          -caregiver,
          -caregiver,
        ],
        'a child | # | # | | Loan payment | # | # | | Left | # | # |': [
          -5 * food,
          -6 * food,
          -payment,
          -payment,
          room(5),
          room(6),
        ],
        ...areaScores(
          'business-planning',
          [1, 1, 1, 0],
          [3, 2, 3, 3],
          ['Business planning scored #, Starting', 'the score came out at #, Established'],
        ),
      },
      asks: {
        pays: {
          'The early hour pays from five families': fees(5, early) > hour && fees(4, early) < hour,
          'The second room pays with six children, not with five': room(6) > 0 && room(5) < 0,
        },
        everyMonth: { 'At 19 places the payment can be made': leftFewer > payment },
        badCase: { 'Two of the seven families may leave': fees(7 - 2, early) > hour },
        ownRules: {
          'The loan is the need without savings': need[0] - need[1] === loan,
          'The own share is common': ourRules.putsIn(need[1], need[0]),
        },
      },
    };
  },
});

const customResearch = example({
  path: 'case-studies/custom-research.mdx',
  given: {
    sales: 'stalled at about # a month',
    truck: 'A used one cost #, and',
    meal: 'A meal sells for #, and # of that is left',
    day: 'A day on the street costs # in wages',
    rate: 'five years at #%',
    days: 'With # days a month',
    floor: 'not to buy below #,',
    spent: '# for the rental, # for permits, # in extra wages',
    meals: 'Meals a day | # | # |',
    best: 'On the best day they sold #,',
    lunches: 'Meals (# offices × # × # days)',
    cooks: 'Two cooks, # × # extra hours each at #',
    driver: 'Driver, # × # hours at #',
    fuel: 'Fuel | # |',
  },
  stated: [
    'for under $2,000?',
    'the day before | 9 |',
    'at noon | 7 |',
    'too large | 4 |',
    'expensive | 2 |',
    'in line | 2 |',
    'Any purchase above $500',
  ],
  work({
    sales,
    truck,
    meal,
    day,
    rate,
    days,
    floor,
    spent,
    meals,
    best,
    lunches,
    cooks,
    driver,
    fuel,
  }) {
    const loan = monthlyPayment(truck, rate, 60);
    const left = meal[1];
    const forDay = Math.ceil(day / left);
    const needed = Math.ceil((day + loan / days) / left);
    const weekly = lunches[0] * lunches[1] * lunches[2];
    const kitchen = 2 * cooks[0] * cooks[1] * cooks[2];
    const driving = driver[0] * driver[1] * driver[2];
    const gain = weekly * left - kitchen - driving + fuel;
    const sold = Math.round(meals[1] * left);
    return {
      figures: {
        'sales: About #': 12 * sales,
        'would be # a month.': loan,
        'had to sell # meals a day: # to pay for the day, # for the loan. The owner expected #.': [
          needed,
          forDay,
          needed - forDay,
          meals[0],
        ],
        "there'd be about # a month": about((floor * left - day) * days - loan, 2),
        'cost # before any sales': sum(spent),
        "first: planned, before: '#', after: '#' }": [truck, sum(spent)],
        'Left after food, at # | # | # |': [left, meals[0] * left, sold],
        'Cost of the day | # | # | | A day | # | #': [day, day, meals[0] * left - day, sold - day],
        '2 days) | #': weekly,
        'Sales at # | #': [meal[0], weekly * meal[0]],
        'packaging, at # | #': [left, weekly * left],
        'hours each at $21 | #': -kitchen,
        'hours at $19 | #': -driving,
        '| Gain | #': gain,
        "Weekly gain after direct costs, before: '#', after: '#'": [0, gain],
        "That's about # a month with no loan": about(gain * 4.33, 25),
        'Those two changes alone would have made it #. The other # points': [
          areaScore('custom-research', [3, 2, 3, 2]),
          areaScore('custom-research', [3, 3, 3, 3]) -
            Math.round(areaScore('custom-research', [3, 2, 3, 2])),
        ],
        ...areaScores(
          'custom-research',
          [1, 2, 0, 2],
          [3, 3, 3, 3],
          ['Customer research came out at #, Developing', 'customer research came out at #, just'],
        ),
      },
      asks: {
        pays: {
          'The truck doesn’t pay for its day, and they don’t buy': meals[1] < forDay,
          'Office lunches pay after kitchen, driver and fuel': gain > 0,
        },
        badCase: {
          'Even the best day is under the number they wrote down': best < floor,
          'Lunches still pay if two of the six offices stop':
            (4 / 6) * weekly * left - kitchen - driving + fuel > 0,
        },
        ownRules: { 'The number they wrote down pays the loan': floor > needed },
      },
    };
  },
});

export const planningCases = [businessPlanning, customResearch];
