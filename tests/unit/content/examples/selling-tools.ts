/** The worked examples of the tools on inquiries, channels and past customers, in content/toolbox. */
import { sum } from './business-math.ts';
import { example } from './worked-example.ts';

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
    '120 feet | $5,200',
    'Gate repair | $350',
    'chain link | $11,800',
    'does it cost?” | $4,000',
    '80 feet | $2,900',
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
        'brought in about # at that rate': unanswered * rate * n.job,
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

export const sellingTools = [inquiries];
