/** The worked examples of the guides on borrowing and on cash shortages, in content/pages. */
import {
  balances,
  monthlyPayment,
  monthsOfCash,
  ourRules,
  periodRate,
  sixMonthAdvanceRate,
  sum,
} from './business-math.ts';
import { about, example } from './worked-example.ts';

const accessToCapital = example({
  path: 'pages/access-to-capital.mdx',
  given: {
    cash: 'comes to # a year',
    cushion: 'Divide it by #, the cushion',
    van: 'pays # a month on a van',
    less: 'brings in # less',
    loan: 'three offers of #:',
    bank: '(SBA) | # years | #% |',
    cdfi: 'Community lender (CDFI) | # years | #% |',
    advance: 'Cash advance, factor # | # months',
    price: 'toward a # computer-controlled fabric cutter',
    declined: '(# jobs at about # since June',
    leaves: 'leave # a month after fabric and labor',
    used: 'a used cutter for # can do two thirds of that work',
  },
  stated: ['up to $5 million', 'Up to $50,000', 'Owners of 20% or more', '10% to 30%'],
  work({ cash, cushion, van, less, loan, bank, cdfi, advance, price, declined, leaves, used }) {
    const room = cash / 12 / cushion - van;
    const slowRoom = (cash - less) / 12 / cushion - van;
    const payment = monthlyPayment(loan, bank[1], bank[0] * 12);
    const cdfiPayment = monthlyPayment(loan, cdfi[1], cdfi[0] * 12);
    const advanced = (loan * advance[0]) / advance[1];
    const own = price - loan;
    const usedLoan = used - own;
    const usedPayment = monthlyPayment(usedLoan, bank[1], bank[0] * 12);
    return {
      figures: {
        'or # a month. # ÷ # is #': [cash / 12, cash / 12, cushion, cash / 12 / cushion],
        'a new loan can take # a month': room,
        "it's # ÷ 12 ÷ #, or #, which leaves # for the new loan": [
          cash - less,
          cushion,
          (cash - less) / 12 / cushion,
          slowRoom,
        ],
        '(SBA) | 5 years | 11% | # | # |': [payment, payment * 60],
        '(CDFI) | 5 years | 12% | # | # |': [cdfiPayment, cdfiPayment * 60],
        'about #% | # | # |': [
          periodRate(loan, advanced, advance[1]) * 12,
          advanced,
          loan * advance[0],
        ],
        'its rate is about #%.': periodRate(loan, advanced, advance[1]) * 12,
        "'SBA-guaranteed', value: # }, { label: 'CDFI', value: # }, { label: 'Cash advance', value: # }":
          [payment, cdfiPayment, advanced],
        'carry # in a usual year and # in a slow one': [room, slowRoom],
        'The advance takes five times what the shop can carry': Math.floor(advanced / room) === 5,
        'The two loans are # a month apart': Math.round(cdfiPayment) - Math.round(payment),
        'the second misses it by #.': Math.round(cdfiPayment) - Math.round(slowRoom),
        'We need # in March': loan,
        'the other # is ours': own,
        // Eight months, June to January, because the request is from February.
        'We turn away # of work a month': (declined[0] * declined[1]) / 8,
        'The payment is #.': payment,
        'half of that work, # covers': leaves / 2,
        'the other # comes from current cash': payment - leaves / 2,
        'the shop clears # a month': leaves - payment,
        "it's # short for five years and then # ahead": [payment - leaves / 2, leaves / 2],
        'the shop borrows #, pays # a month at #% and earns # with it': [
          usedLoan,
          usedPayment,
          bank[1],
          (leaves * 2) / 3,
        ],
      },
      asks: {
        pays: {
          'In ten years the work leaves more than loan and own share cost':
            leaves * 120 > payment * 60 + own,
          'The used cutter leaves money from the first month': (leaves * 2) / 3 > usedPayment,
        },
        everyMonth: { 'The payment is below what the work leaves': payment < leaves },
        badCase: {
          'With half of the work it still pays': (leaves / 2) * 120 > payment * 60 + own,
          'With none of it, the payment fits a slow year': payment <= slowRoom,
          'The used cutter fits a slow year, too': usedPayment <= slowRoom,
        },
        ownRules: {
          'The cutter outlasts the loan': ourRules.outlasts(10, bank[0]),
          'The own share is common': ourRules.putsIn(own, price) && ourRules.putsIn(own, used),
          'A slow year covers both payments with the cushion': ourRules.covers(
            cash - less,
            12 * (van + Math.floor(payment)),
          ),
        },
      },
    };
  },
});

const cashFlow = example({
  path: 'pages/cash-flow-in-a-bad-month.mdx',
  given: {
    start: '| Start | #',
    ins: '| In | # | # | # | # |',
    payroll: 'Payroll and its taxes | | # | | # |',
    rent: '| Rent | # |',
    rest: 'Suppliers and the rest | # | # | # | # |',
    found: 'overdue invoices brought in # nobody had counted on',
    moved: 'took # in week 4 instead of week 2',
    ended: 'a # software subscription ended',
    supplier: 'owe you # on the 14th. I can pay # on the 14th',
    discount: '#% off for paying this week. On #',
    advance: 'you get # and pay back # from daily sales over six months',
    saved: 'At # a week',
  },
  work({
    start,
    ins,
    payroll,
    rent,
    rest,
    found,
    moved,
    ended,
    supplier,
    discount,
    advance,
    saved,
  }) {
    const outs = [rest[0] + rent, rest[1] + payroll[0], rest[2], rest[3] + payroll[1]];
    const before = balances(start, ins, outs);
    const [first = 0, ...others] = before;
    const gained = [found + moved + ended, found + moved + ended, found + ended];
    const after = others.map((left, week) => left + (gained[week] ?? 0));
    return {
      figures: {
        '| Start | # | # | # | # |': [start, ...before.slice(0, 3)],
        '| End | # | # | # | # |': before,
        "'Before the calls', values: [#, #, #, #]": before,
        "'After the calls', values: [#, #, #, #]": [first, ...after],
        'the gap is #, and it opens in week #.': [-Math.min(...before), 2],
        'and # on the 28th': supplier[0] - supplier[1],
        "that's #, once": (discount[1] * discount[0]) / 100,
        'week 2 ends at #, week 3 at # and week 4 at #.': after,
        '# months in the example': monthsOfCash(start, sum(ins), sum(outs)),
        'cash={#} income={#} costs={#}': [start, sum(ins), sum(outs)],
        'rate (APR) of about #%': about(sixMonthAdvanceRate(advance[0], advance[1]), 2),
        "don't have the # for most": advance[0],
        'a week, # takes a year': payroll[0],
      },
      asks: {
        everyMonth: { 'After the steps, no week ends below zero': Math.min(first, ...after) >= 0 },
        ownRules: {
          'Only the payment the supplier agreed to moves': moved === supplier[0] - supplier[1],
          'A year of saving makes one payroll': saved * 52 >= payroll[0] && saved * 48 < payroll[0],
        },
      },
    };
  },
});

export const borrowingGuides = [accessToCapital, cashFlow];
