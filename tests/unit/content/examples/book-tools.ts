/** The worked examples of the tools on books, profit, tax and invoices, in content/toolbox. */
import { sum } from './business-math.ts';
import { example } from './worked-example.ts';

const weeklyBooks = example({
  path: 'toolbox/weekly-books.md',
  given: {
    sales:
      'two doors, check | Sales | # | | Copy | | May 5 | Hardware store, hinges for Ortiz | Job materials | | # |',
    gas: '| Vehicle | | # |',
    lopez: 'fence, bank transfer | Sales | # |',
    lumber: 'pickets for Lopez | Job materials | | # |',
    hall: 'faucet, card | Sales | # |',
    insurance: '| Insurance | | # |',
    draw: 'Owner’s draw | | # |',
    start: 'Books, last Friday | # |',
    arrives: 'arrives as #, the sale',
    software: 'Software, taken on May 6, not in our books | #',
    missing: 'Card fees | # |',
    subscriptions: '| Subscriptions | # |',
    receipts: 'in the truck | # |',
    cash: 'Small cash jobs | # |',
  },
  work(n) {
    const [ortiz, hinges] = n.sales;
    const into = ortiz + n.lopez + n.hall;
    const out = sum([hinges, n.gas, n.lumber, n.insurance, n.draw]);
    const books = n.start + into - out;
    const fee = n.hall - n.arrives;
    const bank = books - ortiz - fee + n.software;
    const eleven = n.missing + n.subscriptions + n.receipts + n.cash;
    return {
      figures: {
        '| Week | | | # | # | |': [into, out],
        'In this week | #': into,
        'Out this week | #': -out,
        'Books, this Friday | # |': books,
        'Bank, this Friday | # |': bank,
        'Difference | # |': books - bank,
        'not in yet | #': -ortiz,
        'payment, not in our books | #': -fee,
        'Left to explain | # |': books - bank - ortiz - fee + n.software,
        'When a card payment of # arrives': n.hall,
        'the sale is # and the fee of # is an expense': [n.hall, fee],
        'the books say #.': books - fee + n.software,
        'this handyman added eleven lines': eleven === 11,
      },
      asks: 'The sheet shows a routine, and the owner decides nothing with these figures.',
    };
  },
});

export const bookTools = [weeklyBooks];
