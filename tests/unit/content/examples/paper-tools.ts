/** The worked examples of the tools on agreements, licenses, hiring and pay, in content/toolbox. */
import { sum } from './business-math.ts';
import { example } from './worked-example.ts';

const renewalList = example({
  path: 'toolbox/renewal-list.md',
  given: {
    card: 'January 2 | #',
    fire: 'February 1 | #',
    food: 'February 15 | #',
    policies:
      '| Truck insurance | May 12 | April 12 | # | Driving records | | Liability insurance | May 12 | April 12 | #',
    truck: 'August 1 | #',
    city: 'December 1 | #',
    week: ': # in sales, minus # for food and hours',
    trailer: 'Borrow a trailer, # a day',
    deductible: 'raised the deductible from # to # to save # a year',
  },
  work({ card, fire, food, policies, truck, city, week, trailer, deductible }) {
    const bills = sum([card, fire, food, ...policies, truck, city]);
    const closed = week[0] - week[1];
    const [before, after, saved] = deductible;
    return {
      figures: {
        'Yearly bills | | | #': bills,
        '# is # a month, and # of it comes due on one day': [bills, bills / 12, sum(policies)],
        'costs this truck about #': closed,
        'At # a day, six days of a borrowed trailer cost #,': [trailer, 6 * trailer],
        'less than one claim every # years': (after - before) / saved,
        'one claim in six years': 6 > (after - before) / saved,
      },
      asks: { pays: { 'The trailer costs less than a closed week': 6 * trailer < closed } },
    };
  },
});

export const paperTools = [renewalList];
