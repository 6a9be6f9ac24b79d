/** The worked examples of the articles on the quiz, its sources and our rules, in content/blog. */
import {
  CONFIDENCE_GAP,
  confidenceNote,
  OVERCONFIDENCE_FACTOR,
  priorityOf,
} from '#domain/scoring.ts';
import {
  areaScore,
  firstQuiz,
  importanceOf,
  quiz,
  salesToBreakEven,
  sum,
} from './business-math.ts';
import { example, figureIn } from './worked-example.ts';

const behindTheScenes = example({
  path: 'blog/behind-the-scenes-at-product.mdx',
  given: { answers: 'An owner answers #, #, # and, for price, #:' },
  stated: ['| 0 | We', '| 1 | We', '| 2 | We', '| 3 | We', '| 4 | We'],
  work({ answers }) {
    const honest = areaScore('sales-marketing', answers);
    const flattered = areaScore('sales-marketing', [...answers.slice(0, 3), 3]);
    return {
      figures: {
        '> # + # + # + # = #; # ÷ # = #, shown as #': [
          ...[...answers.slice(0, 3), answers[3] * 1.5],
          6.5,
          6.5,
          18,
          honest,
          Math.round(honest),
        ],
        '# ÷ # = #, shown as #. Developing': [9.5, 18, flattered, Math.round(flattered)],
        'When it runs # points or more ahead of your answers': CONFIDENCE_GAP,
        'against a # truck': figureIn('case-studies/custom-research.mdx', 'wanted a # truck'),
      },
      asks: 'It shows what one answer is worth.',
    };
  },
});

const introducing = example({
  path: 'blog/introducing-product.mdx',
  given: {
    operations: 'Steps documented | # | # |',
    stock: 'Stock or capacity controlled | # | # |',
    quality: 'Quality and complaints logged | # | # |',
    suppliers: 'Suppliers compared | # | # |',
    people: 'People management | # | # | # | # |',
    sales: '| Sales and marketing | # | # | # | # |',
    third: '| Operations | # | # | # | # |',
  },
  work({ operations, stock, quality, suppliers, people, sales, third }) {
    const rows = [operations, stock, quality, suppliers];
    const score = areaScore(
      'operations-workflows',
      rows.map(([answer]) => answer),
    );
    const reached = sum(rows.map(([answer, weight]) => answer * weight));
    const most = sum(rows.map(([, weight]) => 4 * weight));
    const priority = (area: string, points: number, confidence: number) =>
      priorityOf(points, importanceOf(area), confidenceNote(points, confidence / 25 + 1));
    // The unrounded score from the window cleaners' case study.
    const sold = areaScore('sales-marketing', [3, 1, 2, 3], firstQuiz);
    const first = priority('people-management', people[0], people[3]);
    const second = priority('sales-marketing', sold, sales[3]);
    const last = priority('operations-workflows', score, third[3]);
    return {
      figures: {
        'Steps documented | 3 | 1 | # | #': [operations[0] * operations[1], 4 * operations[1]],
        'capacity controlled | 1 | 1 | # | #': [stock[0] * stock[1], 4 * stock[1]],
        'complaints logged | 0 | 1 | # | #': [quality[0] * quality[1], 4 * quality[1]],
        'Suppliers compared | 2 | 1.5 | # | #': [suppliers[0] * suppliers[1], 4 * suppliers[1]],
        '| Together | | | # | #': [reached, most],
        '# ÷ # × 100 = #, shown as #': [reached, most, score, Math.round(score)],
        'where a # came from': Math.round(score),
        'Suppliers weigh # because': suppliers[1],
        'times # where your confidence': OVERCONFIDENCE_FACTOR,
        'runs # points or more ahead of the score': CONFIDENCE_GAP,
        'People management | # | # | # | # | # | #': [
          ...[people[0], 100 - people[0], importanceOf('people-management'), people[3]],
          OVERCONFIDENCE_FACTOR,
          first,
        ],
        '| Sales and marketing | # | # | # | # | # | #': [
          ...[sold, 100 - sold, importanceOf('sales-marketing'), sales[3], 1],
          second,
        ],
        '| Operations | # | # | # | # | # | #': [
          ...[score, 100 - score, importanceOf('operations-workflows'), third[3], 1],
          last,
        ],
        "value: # }, { label: 'Sales and marketing (#)', value: # }, { label: 'Operations (#)', value: #":
          [first, Math.round(sold), second, Math.round(score), last],
      },
      asks: {
        ownRules: { 'They are recommended in this order': first > second && second > last },
      },
    };
  },
});

const research = example({
  path: 'blog/rooted-in-research.mdx',
  given: {
    raise: 'sales and profit by # to # percent',
    shop: 'has # in sales a year and a profit of #',
  },
  stated: ['Productivity rose 17 percent'],
  work: ({ raise, shop }) => ({
    figures: {
      'and # of the # questions in the': [quiz.research.length, quiz.questions.length],
      'Twenty of the # questions': quiz.questions.length,
      "by # to # percent, it's # to # a year, or # to # a month": [
        ...raise,
        ...raise.map((each) => (shop[1] * each) / 100),
        ...raise.map((each) => (shop[1] * each) / 1200),
      ],
    },
    asks: {
      ownRules: {
        'The shop is that of the guide':
          shop[0] === figureIn('pages/financial-literacy.mdx', 'frames at $160 | #') &&
          shop[1] === figureIn('pages/financial-literacy.mdx', '| Profit | # |'),
      },
    },
  }),
});

const salon = example({
  path: 'blog/welcome-to-product.mdx',
  given: {
    price: 'The salon charges #.',
    parts: '# to the groomer, # for shampoo and towels, # in card fees',
    fixed: 'the phone come to # a month',
    days: 'Over # open days',
  },
  stated: ['Where the case says $149'],
  work({ price, parts, fixed, days }) {
    const variable = sum(parts);
    const margin = price - variable;
    const dogs = salesToBreakEven(fixed, price, variable);
    return {
      figures: {
        'Of that, # goes straight back out': variable,
        'So each dog leaves #.': margin,
        '# ÷ # = #, so # dogs': [fixed, margin, fixed / margin, dogs],
        'At four a day the salon washes # dogs, has # left toward the #, and comes up # short': [
          4 * days,
          4 * days * margin,
          fixed,
          fixed - 4 * days * margin,
        ],
        'fixed={#} price={#} variable={#}': [fixed, price, variable],
      },
      asks: {
        everyMonth: { 'It takes five or six a day': dogs / days > 5 && dogs / days < 6 },
        badCase: { 'Four a day lose money, as the text says': 4 * days * margin < fixed },
      },
    };
  },
});

const promise = example({
  path: 'blog/how-values-influence-approach.mdx',
  given: {
    repairs: 'he did # repairs at an average of #.',
    visit: 'A return visit costs # in wages',
    raise: 'the price went up by #,',
    changes: 'There were # in one season, averaging # hours at # an hour',
    late: 'two days before, and # after that. The next season had #.',
    purchases: '# of purchases a month, paid on day # instead of day #',
    credit: 'a credit line at # percent',
    discount: 'asked for a # percent discount',
  },
  work({ repairs, visit, raise, changes, late, purchases, credit, discount }) {
    const cost = 9 * visit;
    const each = cost / repairs[0];
    const earlier = (purchases[0] * (purchases[2] - purchases[1])) / 30;
    const season = changes[0] * changes[1] * changes[2];
    const saved = (purchases[0] * 12 * discount) / 100;
    const interest = (earlier * credit) / 100;
    return {
      figures: {
        '# × # = # a year': [9, visit, cost],
        '# ÷ # = # a repair': [cost, repairs[0], each],
        'For # on #, about # percent': [each, repairs[1], (100 * each) / repairs[1]],
        'at # repairs is #.': [repairs[0], raise * repairs[0]],
        'an hour: #, and three cooks': season,
        'always out earlier: # of your cash': earlier,
        "it's # a year. For that # you may": [interest, interest],
        '# percent of # a year is #.': [discount, 12 * purchases[0], saved],
      },
      asks: {
        pays: {
          'The promise pays for itself twice': raise * repairs[0] > 2 * cost,
          'The discount more than pays for the interest': saved > interest,
        },
        badCase: {
          'Fewer late changes cost less, even if nobody pays for them':
            late[1] * changes[1] * changes[2] < season / 2,
        },
      },
    };
  },
});

export const quizArticles = [behindTheScenes, introducing, research, salon, promise];
