/** The worked examples of the tools on cash, loans and plans, in content/toolbox. */
import { balances, monthlyPayment, ourRules, sum } from './business-math.ts';
import { example, figureIn, says } from './worked-example.ts';

const cashForecast = example({
  path: 'toolbox/cash-forecast.md',
  given: {
    paid: 'Sales paid right away | # | # | # | # |',
    invoices: 'Invoices paid | # | # | # | # |',
    suppliers: '| Suppliers | # | # | # | # |',
    wages: '| Wages and payroll taxes | # | # | # | # |',
    rent: '| Rent | # | # | # | # |',
    tax: '| Estimated tax | # | | # | |',
    insurance: 'Insurance, a year | | | # | |',
    rest: 'Everything else | # | # | # | # |',
    start: 'Balance at the start | # |',
    installments: 'ten installments of # for the insurance',
    forward: 'billing one large customer on delivery brings # forward from July',
    days: 'If they pay after # days',
  },
  work(n) {
    const ins = n.paid.map((each, month) => each + (n.invoices[month] ?? 0));
    const bills = [n.tax[0], 0, n.tax[1] + n.insurance, 0];
    const outs = bills.map((bill, month) =>
      sum([bill, ...[n.suppliers, n.wages, n.rent, n.rest].map((row) => row[month] ?? 0)]),
    );
    const ends = balances(n.start, ins, outs);
    const [, may = 0, endOfJune = 0, endOfJuly = 0] = ends;
    const later = n.insurance - n.installments;
    const june = endOfJune + later + n.forward;
    const july = june + (endOfJuly - endOfJune) - n.installments - n.forward;
    const floor = n.wages[0] / 2 + n.rent[0];
    const arrives = (day: number) => new Date(Date.UTC(2026, 3, day + n.days)).toISOString();
    return {
      figures: {
        '| In | # | # | # | # |': ins,
        '| Out | # | # | # | # |': outs,
        'In minus out | # | # | # | # |': ins.map((each, month) => each - (outs[month] ?? 0)),
        'Balance at the start | # | # | # | # |': [n.start, ...ends.slice(0, 3)],
        'Balance at the end | # | # | # | # |': ends,
        'April and May both end above #.': Math.min(...ends.slice(0, 2)) > 5_000 ? 5_000 : 0,
        'June is # short': -endOfJune,
        '(# more in all) keep # in June': [10 * n.installments - n.insurance, later],
        'June then ends at # and July at #.': [june, july],
        'one month’s rent: # here (half a month of wages, #, and rent, #)': [
          floor,
          n.wages[0] / 2,
          n.rent[0],
        ],
        'July is still # under the floor': floor - july,
        'sales from the first half of April arrive in May':
          arrives(1).startsWith('2026-05-16') && arrives(15).startsWith('2026-05-30'),
        'and the rest in the first half of June': arrives(30).startsWith('2026-06-14'),
      },
      asks: {
        everyMonth: { 'The two moves close June without opening July': june > 0 && july > 0 },
        badCase: {
          'The page says which months stay under the floor':
            Math.max(may, june, july) < floor &&
            says('toolbox/cash-forecast.md', 'Here May, June and July stay colored'),
        },
      },
    };
  },
});

const lenderList = example({
  path: 'toolbox/lender-readiness-list.md',
  given: {
    price: 'wants a # press',
    firstOwn: 'With # of its own it would borrow',
    rate: 'over seven years at #%',
    own: 'with # of its own, $75,000',
    cash: 'the owner’s pay | # | $29,000 | | Plus depreciation | # | $6,500 | | Plus interest already paid | # |',
    existing: 'Payments on existing debt | # |',
    cushion: 'Many lenders want # or more',
    less: 'With # less profit',
    adds: 'and # of that is left after paper',
  },
  stated: ['adds $4,600 a month', '20 percent or more'],
  work({ price, firstOwn, rate, own, cash, existing, cushion, less, adds }) {
    const available = sum(cash);
    const [first, loan] = [price - firstOwn, price - own];
    const yearly = (amount: number) => 12 * monthlyPayment(amount, rate, 84);
    const payment = monthlyPayment(loan, rate, 84);
    const [all, smaller] = [existing + yearly(first), existing + yearly(loan)];
    const both = (value: number) => [value, value];
    const yearsWithHalf = 7 + (own + 84 * (payment - adds / 2)) / (12 * (adds / 2));
    return {
      figures: {
        'it would borrow # over seven years': first,
        'of its own, #: |': loan,
        '| | # | # | | Profit after': [first, loan],
        'the owner’s pay | # | # |': both(cash[0]),
        'Plus depreciation | # | # |': both(cash[1]),
        'Plus interest already paid | # | # |': both(cash[2]),
        'Cash before debt | # | # |': both(available),
        'Payments on existing debt | # | # |': both(existing),
        'Payments on the new loan | # | # |': [yearly(first), yearly(loan)],
        'All payments | # | # |': [all, smaller],
        'Coverage | # | # |': [available / all, available / smaller],
        'Borrowing # less': own - firstOwn,
        'the second column falls to #.': (available - less) / smaller,
        'We need # in April': loan,
        '(#, quotes attached; the other # is ours)': [price, own],
        'The payment is # a month': payment,
        'half of those sales, # covers': adds / 2,
        'the shortfall of # comes from': Math.round(payment) - adds / 2,
        'all of those sales, # a month is left after the payment, and the # is back in # months': [
          adds - payment,
          own,
          Math.ceil(own / (adds - payment)),
        ],
        'only back in the tenth year': Math.ceil(yearsWithHalf) === 10,
        'about three years longer than its loan': Math.round(yearsWithHalf - 7) === 3,
      },
      asks: {
        pays: {
          'In seven years the work leaves more than loan and own share cost':
            adds * 84 > payment * 84 + own,
        },
        everyMonth: { 'The payment is below what the work leaves': payment < adds },
        badCase: {
          'With half of the sales the shortfall fits what is left of cash':
            (payment - adds / 2) * 12 < available - smaller,
        },
        ownRules: {
          'The smaller request passes the ratio without a new sale, the larger does not':
            ourRules.covers(available, smaller) && !ourRules.covers(available, all),
          'It is the cushion of the guide':
            cushion === figureIn('pages/financial-literacy.mdx', 'Many lenders want # or more'),
          'The own share is common': ourRules.putsIn(own, price),
        },
      },
    };
  },
});

const onePagePlan = example({
  path: 'toolbox/one-page-plan.md',
  given: {
    fee: '# a week per child; # spots',
    costs: 'Staff # a week when full; rent # and food # a month',
    need: '# in April for the second room; # of our own',
    extra: 'parents pay # more',
    weeks: 'a month of # weeks',
    fewer: '| | At 24 spots | At # spots |',
    rest: 'Insurance, bookkeeping, repairs | #',
    less: '(# a week for all staff) and food costs # less',
  },
  stated: ['less than $200'],
  work({ fee, costs, need, extra, weeks, fewer, rest, less }) {
    const full = {
      fees: Math.round(fee[0] * fee[1] * weeks),
      staff: Math.round(costs[0] * weeks),
      rent: costs[1] + costs[2],
    };
    const short = {
      fees: Math.round(fee[0] * fewer * weeks),
      staff: Math.round(less[0] * weeks),
      rent: full.rent - less[1],
    };
    const [left, leftShort] = [full, short].map(
      (each) => each.fees - each.staff - each.rent + rest,
    ) as [number, number];
    const loan = need[0] - need[1];
    const plan = 'case-studies/business-planning.mdx';
    const payment = monthlyPayment(loan, figureIn(plan, 'over five years at #%'), 60);
    return {
      figures: {
        'of our own, # loan': loan,
        'sign 6 families at # before': fee[0] + extra,
        '× 4.33) | # | # |': [full.fees, short.fees],
        'Fees (# × spots': fee[0],
        '| Staff | # | # |': [-full.staff, -short.staff],
        'Rent and food | # | # |': [-full.rent, -short.rent],
        'Insurance, bookkeeping, repairs | # | # |': [rest, rest],
        'loan and tax | # | # |': [left, leftShort],
        'Five empty spots cost # a month': left - leftShort,
      },
      asks: {
        everyMonth: {
          'At 24 places the loan of the case can be paid': left > payment,
        },
        badCase: { 'At 19 places, too': leftShort > payment },
        ownRules: {
          'The own share is common': ourRules.putsIn(need[1], need[0]),
          'Plan and case leave the same':
            left === figureIn(plan, 'the rest | −$19,059 | −$17,025 | | Left | #'),
        },
      },
    };
  },
});

export const cashTools = [cashForecast, lenderList, onePagePlan];
