/** The worked examples of the case studies on sales and websites, in content/case-studies. */
import { areaScores, sum } from './business-math.ts';
import { about, example } from './worked-example.ts';

const sales = example({
  path: 'case-studies/sales-marketing.mdx',
  given: {
    jobs: 'cleaned about # houses a month at #.',
    advertising: 'set aside # a month',
    outcome:
      'Won | # | | Lost to someone else | # | | Never answered, or after more than three days | # |',
    labor: 'Labor: # people × # hours × #',
    travel: 'Travel and materials | #',
    overhead: 'Share of overhead (# ÷ # jobs)',
    wanted: 'To keep #%, the price had to be #.',
    phone: 'an answering service for # a month',
    stop: 'fewer than #% of inquiries',
    inquiries: '| Inquiries | # | # |',
    never: '| Never answered | # | # |',
    won: '| Won | # (52%) | # (47%) |',
    returning: 'returning customers | # | # |',
    may: 'May a year earlier: # jobs at #,',
  },
  work(n) {
    const [jobs, price] = n.jobs;
    const [won, lost, never] = n.outcome;
    const answered = won + lost;
    const all = answered + never;
    const labor = n.labor[0] * n.labor[1] * n.labor[2];
    const direct = labor + n.travel;
    const share = n.overhead[0] / n.overhead[1];
    const left = price - direct - share;
    const [wanted, better] = n.wanted;
    const [margin, more] = [price - direct, better - direct];
    const needed = Math.ceil((margin * jobs) / more);
    const jobsThen = n.won[1] + n.returning[1];
    const overheadThen = n.overhead[0] + n.phone;
    const [before, after] = [margin * jobs - n.overhead[0], more * jobsThen - overheadThen];
    const shares = [(100 * n.won[0]) / n.inquiries[0], (100 * n.won[1]) / n.inquiries[1]] as const;
    return {
      figures: {
        'sales: About #': about(jobs * price * 12, 500),
        "Left after overhead in a month, before: '#', after: '#'": [before, after],
        'raised its price by #,': better - price,
        'spent # a month to bring in more': n.advertising,
        'Of the # who got a proper answer, # said yes: #%. Of all # it was #%.': [
          answered,
          won,
          (100 * won) / answered,
          all,
          (100 * won) / all,
        ],
        '$24 | #': labor,
        'Direct cost | #': direct,
        '120 jobs) | # | | Price | # | | Left | #': [share, price, left],
        "That's # percent, before": (100 * left) / price,
        'the price had to be #.': (direct + share) / (1 - wanted / 100),
        '| | At # | At # | | Left after direct cost, one job | # | # |': [
          price,
          better,
          margin,
          more,
        ],
        'Jobs that leave # a month | # | #': [margin * jobs, jobs, needed],
        'could lose # of its # jobs': [jobs - needed, jobs],
        'New customers paid #': better,
        '| Won | # (#%) | # (#%) |': [n.won[0], shares[0], n.won[1], shares[1]],
        'never answered, before: # of #, after: # of #': [never, all, n.never[1], n.inquiries[1]],
        '| Inquiries | # | # | | Never answered | # |': [all, n.inquiries[1], never],
        '| Jobs | # | # |': [n.won[0] + n.returning[0], jobsThen],
        '| Left after direct cost | # | # | | Overhead | # | # | | Left | # | # |': [
          margin * jobs,
          more * jobsThen,
          -n.overhead[0],
          -overheadThen,
          before,
          after,
        ],
        'fell from #% to #%, and from #% to #% among those answered in time': [
          ...shares,
          (100 * won) / answered,
          (100 * n.won[1]) / (n.inquiries[1] - n.never[1]),
        ],
        'bring in # more.': after - before,
        'which left about #.': about(n.may[0] * (n.may[1] - direct) - n.overhead[0], 5),
        ...areaScores(
          'sales-marketing',
          [0, 0, 1, 1],
          [3, 1, 2, 3],
          ['Sales and marketing scored #, Starting', 'the score came out at #, Established'],
        ),
      },
      asks: {
        pays: {
          'More jobs remain than the new price needs': jobsThen > needed,
          'It leaves more than before, answering service included': after > before,
        },
        badCase: { 'The share won stays above where to turn back': shares[1] > n.stop },
        ownRules: {
          'At the share to turn back at, the price still earns as much':
            more * n.stop >= margin * Math.floor(shares[0]) - 1e-9,
        },
      },
    };
  },
});

const website = example({
  path: 'case-studies/web-design.mdx',
  given: {
    lost: 'Requests nobody saw | #',
    usual: 'Usually won (#%)',
    repair: 'Average repair | #',
    designer: 'and # for an hour of a web designer',
    asked:
      '# people answered: # from the map, # from a friend, # because they drove past, # from a search',
    site: 'wanted to spend # on a new website',
    visits: 'Visits to the site | # | # |',
    phone: 'tapping the number | # | # |',
    form: 'Booked with the form | # | # |',
    kept: 'card fees (#%)',
  },
  stated: ['sales: About $310,000'],
  work({ lost, usual, repair, designer, asked, site, visits, phone, form, kept }) {
    const won = (lost * usual) / 100;
    const bookings = [phone[0] + form[0], phone[1] + form[1]] as const;
    const shares = [(100 * bookings[0]) / visits[0], (100 * bookings[1]) / visits[1]];
    const fresh = form[1] - 9;
    const gained = (fresh * repair * kept) / 100;
    return {
      figures: {
        'Usually won (55%) | #': won,
        '# requests had landed': lost,
        'wrote to all # with': lost,
        'at # for an average repair': repair,
        'in six weeks, about | #': won * repair,
        "Website bookings in a month, before: '#', after: '#'": [...bookings],
        'who book, before: #%, after: #%': shares,
        'Bookings from the site | # | # | | Visitors who book | #% | #%': [...bookings, ...shares],
        'bookings at # would be #,': [repair, form[1] * repair],
        'nine of the # said': bookings[1],
        'counts # of the # as new': [fresh, form[1]],
        'New bookings in the month | #': fresh,
        'Sales, at # | #': [repair, fresh * repair],
        '(58%) | #': gained,
        'About nine of the # are bookings': fresh,
        'can save you #.': site,
        ...areaScores(
          'web-design',
          [1, 1, 1, 0],
          [3, 2, 3, 3],
          ['eight skills: #, Starting', 'web design came out at #, Established'],
        ),
      },
      asks: {
        pays: {
          'Half of the new bookings pay for the designer in just over a week':
            designer / (gained / 2 / 4.33) < 1.1,
        },
        badCase: {
          'So do the requests that the dead form would have swallowed':
            (lost / 6) * 4.33 * (usual / 100) * repair * (kept / 100) > designer,
        },
        ownRules: {
          'Nearly half came from the map, so the new website waits':
            asked[1] / asked[0] > 0.45 && sum(asked.slice(1)) === asked[0],
        },
      },
    };
  },
});

export const customerCases = [sales, website];
