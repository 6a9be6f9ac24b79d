/** The worked example of the guide to financial statements, in content/pages. */
import { monthsOfCash, ourRules, salesToBreakEven, sixMonthAdvanceRate } from './business-math.ts';
import { about, example } from './worked-example.ts';

const literacy = example({
  path: 'pages/financial-literacy.mdx',
  given: {
    shop: 'Sales, # frames at #',
    material: 'Materials, # a frame',
    wages: 'Wages and payroll taxes | #',
    rent: '| Rent | #',
    rest: 'Insurance, power, software, the rest | #',
    depreciation: 'Depreciation of the machines | #',
    interest: '| Interest | #',
    cash: '| Cash | # | # |',
    customers: 'Owed by customers | # | # |',
    stock: 'Inventory of molding and glass | # | # |',
    machines: 'Machines, after depreciation | # | # |',
    suppliers: 'Owed to suppliers | # | # |',
    loan: '| Loan | # | # |',
    cutter: 'New mat cutter | #',
    draw: "Owner's draw | #",
    markup: 'A frame costs # in materials. With a markup of #%',
    discount: 'Before you give anyone #% off',
    slow: 'brings in # frames a month instead of #',
    more: 'With a draw of # it',
    factor: '"Only #" on a cash advance',
    advance: 'It means # costs you',
  },
  work(n) {
    const [frames, price] = n.shop;
    const [sales, materials] = [frames * price, frames * n.material];
    const fixed = -(n.wages + n.rent + n.rest + n.depreciation + n.interest);
    const profit = sales - materials - fixed;
    const owned = (at: 0 | 1) => n.cash[at] + n.customers[at] + n.stock[at] + n.machines[at];
    const [had, has] = [owned(0), owned(1)];
    const share = (all: number, at: 0 | 1) => all - n.suppliers[at] - n.loan[at];
    const [before, after] = [share(had, 0), share(has, 1)];
    const repaid = n.loan[0] - n.loan[1];
    const owed = n.customers[1] - n.customers[0];
    const shelves = n.stock[1] - n.stock[0];
    const supplied = n.suppliers[1] - n.suppliers[0];
    const work = profit - n.depreciation;
    const tied = owed + shelves - supplied;
    const change = work - tied + n.cutter - repaid + n.draw;
    const margin = price - n.material;
    const cheap = price * (1 - n.discount / 100) - n.material;
    const bills = -(n.wages + n.rent + n.rest) / 12;
    const debt = (repaid - n.interest) / 12;
    const need = bills + debt - n.draw / 12;
    const soon = n.cash[1] + n.customers[1] + n.stock[1];
    const due = n.suppliers[1] + repaid;
    const days = [n.stock[1] / materials, n.customers[1] / sales, -n.suppliers[1] / materials].map(
      (share) => Math.round(share * 365),
    );
    const [waits = 0, pays = 0, supplierDays = 0] = days;
    const slowOut = n.slow[0] * n.material + need;
    const available = profit - n.depreciation - n.interest + n.draw;
    const payments = repaid - n.interest;
    const rate = about(sixMonthAdvanceRate(n.advance, n.advance * n.factor), 2);
    return {
      figures: {
        'frames at $160 | # | | Materials, $56 a frame | # | | Gross profit | #': [
          sales,
          -materials,
          sales - materials,
        ],
        '| Profit | # |': profit,
        'What it has | # | # |': [had, has],
        "Owner's share | # | # |": [before, after],
        'Who has a claim | # | # |': [had, has],
        'share grew by #: a profit of # minus the # draw': [after - before, profit, -n.draw],
        "The shop made #, yet there's # less": [profit, n.cash[0] - n.cash[1]],
        'but nobody got paid | #': -n.depreciation,
        'More owed by customers | # | | More inventory on the shelves | # | | More owed to suppliers | #':
          [-owed, -shelves, supplied],
        'Repaid on the loan | #': -repaid,
        'Change in cash | #': change,
        "inventory', value: # }": work,
        "less suppliers', value: # }, { label: 'Machine', value: # }, { label: 'Loan repaid', value: # }, { label: 'Draw', value: # }":
          [tied, -n.cutter, repaid, -n.draw],
        'add up to #. Subtract the first, and you get the # that': [work - change, -change],
        'sells for # × #, or #, and # of # is left: #%': [
          n.markup[0],
          1 + n.markup[1] / 100,
          n.markup[0] * 1.4,
          n.markup[0] * 0.4,
          n.markup[0] * 1.4,
          40 / 1.4,
        ],
        'a margin of #% it has to sell for # ÷ #, or #, and # is left': [
          n.markup[1],
          n.markup[0],
          1 - n.markup[1] / 100,
          n.markup[0] / 0.6,
          n.markup[0] / 0.6 - n.markup[0],
        ],
        "you're missing # on every frame": n.markup[0] / 0.6 - n.markup[0] * 1.4,
        'costs # and sells for #. That leaves #: a margin of #%, a markup of #%': [
          n.material,
          price,
          margin,
          (100 * margin) / price,
          (100 * margin) / n.material,
        ],
        'At # only # is left, so the shop would have to sell # frames a month instead of #': [
          cheap + n.material,
          cheap,
          Math.ceil(((frames / 12) * margin) / cheap),
          frames / 12,
        ],
        'interest: # a year, or # a month. Each frame leaves #.': [fixed, fixed / 12, margin],
        'So # ÷ # is #, and the #th frame': [
          fixed / 12,
          margin,
          fixed / 12 / margin,
          salesToBreakEven(fixed / 12, price, n.material),
        ],
        'fixed={#} price={#} variable={#}': [fixed / 12, price, n.material],
        '# ÷ # makes # frames': [bills, margin, salesToBreakEven(bills, price, n.material)],
        'the loan, # a month with its interest, and a draw of #,': [debt, -n.draw / 12],
        'it takes # ÷ #, or # frames. The shop sells #.': [
          need,
          margin,
          salesToBreakEven(need, price, n.material),
          frames / 12,
        ],
        'within a year, # + # + #, and': [n.cash[1], n.customers[1], n.stock[1]],
        'within a year: # to suppliers and about # of the loan': [n.suppliers[1], repaid],
        '# − # leaves # of working capital': [soon, due, soon - due],
        'Inventory waits | # ÷ # × # | #': [n.stock[1], materials, 365, waits],
        'Customers pay after | # ÷ # × # | #': [n.customers[1], sales, 365, pays],
        'pays suppliers after | # ÷ # × # | #': [n.suppliers[1], materials, 365, supplierDays],
        'The shop finances | | #': waits + pays + supplierDays,
        'customers paid after # days': (n.customers[0] / sales) * 365,
        'unpaid sales ties up #. Nine more days of that are roughly the # in': [
          sales / 365,
          about(9 * (sales / 365), 100),
        ],
        "That's #. Materials drop to #, but the other # doesn't budge, so # goes out": [
          n.slow[0] * price,
          n.slow[0] * n.material,
          need,
          slowOut,
        ],
        'in the bank lasts # months': monthsOfCash(n.cash[1], n.slow[0] * price, slowOut),
        'cash={#} income={#} costs={#}': [n.cash[1], n.slow[0] * price, slowOut],
        'add back # of depreciation and # of interest, and subtract the # draw the owner lives on: #':
          [-n.depreciation, -n.interest, -n.draw, available],
        'The payments are # + #, or #. # ÷ # is #.': [
          repaid,
          -n.interest,
          payments,
          available,
          payments,
          available / payments,
        ],
        'costs you #, however soon': n.advance * (n.factor - 1),
        "that's a rate of about #%": rate,
      },
      asks: {
        pays: {
          'The shop sells more than its profit break-even': (frames / 12) * margin > fixed / 12,
        },
        everyMonth: { 'What it sells pays bills, loan and draw': (frames / 12) * margin > need },
        badCase: { 'The slow season runs short, as the page says': n.slow[0] * margin < need },
        ownRules: {
          'It just passes the coverage lenders want': ourRules.covers(available, payments),
          'With the larger draw it does not': !ourRules.covers(
            available - n.draw - n.more,
            payments,
          ),
        },
      },
    };
  },
});

export const literacyGuide = [literacy];
