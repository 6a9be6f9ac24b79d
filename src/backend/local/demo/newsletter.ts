/** The newsletter: two issues that went out, with who got them, and the draft of the next one. */
import { sql } from 'kysely';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { CONSENT } from '#backend/supabase/functions/_shared/schemas/contact.ts';
import { type BuiltPerson, idOf } from './builders.ts';
import { type DateChange, daysAgo } from './dates.ts';
import { known } from './people.ts';

interface Issue {
  subject: string;
  preview: string;
  body: string;
  /** When it went out; null for a draft. */
  daysAgo: number | null;
}

const issues: Issue[] = [
  {
    subject: 'The bread you throw away',
    preview: 'Two weeks of counting, and where $350 a month went.',
    daysAgo: 33,
    body: `A bakery with four people bakes 80 loaves on a Monday and throws 22 away. On a Saturday, it bakes 140 and throws 3 away.

## What two weeks of counting showed

| Day | Baked | Left over |
| --- | ---: | ---: |
| Monday | 80 | 22 |
| Wednesday | 100 | 9 |
| Saturday | 140 | 3 |

A loaf costs $4 in flour, wages and oven time. The 22 loaves of a Monday are **$88**, and there are four Mondays in most months: about $350, for nothing.

The owner baked 64 the next Monday. Two people asked for bread after it was gone. Both came back on Tuesday.

> We baked for the week we wanted, not the week we had.

## One tool

Our [break-even calculator](/toolbox/break-even) says how many loaves a day pay for the month. It doesn’t help if you don’t know what’s left in the evening, so count first.
`,
  },
  {
    subject: 'Ask five customers before you change the price',
    preview: 'What a print shop heard, and what it changed.',
    daysAgo: 2,
    body: `A print shop wanted to raise the price of business cards from $45 to $55. Before it did, the owner called five regular customers and asked each the same three questions.

1. What did you do the last time you needed cards?
2. What nearly made you go elsewhere?
3. What would you miss if we stopped?

Nobody named the price. Four of the five said they couldn’t tell **when the cards would be ready**. So the shop now promises a day on every order, and the price went up a month later. All five ordered again.

## One tool

The [customer interview script](/toolbox/customer-interview-script) has these questions and more. Don’t use it to sell: the moment you explain your product, people turn polite.
`,
  },
  {
    subject: 'Three numbers to look at on a Monday',
    preview: '',
    daysAgo: null,
    body: `Sales last week, cash in the bank, invoices overdue. If you only have ten minutes…
`,
  },
];

/** The first subscribers; the last one confirmed long ago, and their mailbox is gone by now. */
const readers = [
  ['luz.moreno@demo.test', 'Luz Moreno', 70],
  ['owen.begay@demo.test', 'Owen Begay', 64],
  ['priya.shah@demo.test', 'Priya Shah', 58],
  ['old.mill@demo.test', 'Old Mill Cafe', 410],
] as const;
const GONE = 'old.mill@demo.test';

/** Adds the first subscribers. */
export async function addReaders(db: Database): Promise<void> {
  for (const [email, name, days] of readers) {
    const at = daysAgo(days);
    await query(db)`
      insert into public.contacts (
        email, name, newsletter, consent_wording, consented_at, created_at, last_active_at
      )
      values (${email}, ${name}, 'subscribed', ${CONSENT}, ${at}, ${at}, ${at})`;
  }
}

/**
 * Writes issues, and sends those that aren't drafts to everyone who has subscribed by now.
 * @param which the first issue, before the other contacts came, or the rest
 */
export async function sendIssues(
  db: Database,
  people: Map<string, BuiltPerson>,
  which: 'first' | 'rest',
): Promise<DateChange[]> {
  const admin = known(people, 'admin@demo.test');
  const dates: DateChange[] = [];
  for (const issue of which === 'first' ? issues.slice(0, 1) : issues.slice(1)) {
    const id = idOf(`issue ${issue.subject}`);
    await query(db)`
      insert into public.newsletter_issues (id, subject, preview, body, created_by, updated_by)
      values (${id}, ${issue.subject}, ${issue.preview}, ${issue.body}, ${admin.id}, ${admin.id})`;
    if (issue.daysAgo === null) continue;
    await query(db)`select private.begin_newsletter(${id}, ${admin.id})`;
    await deliver(db, id);
    await query(db)`delete from private.jobs where kind = 'send_newsletter'`;
    const at = daysAgo(issue.daysAgo);
    dates.push(
      sql`update public.newsletter_issues
        set created_at = ${at}, updated_at = ${at}, begun_at = ${at}, finished_at = ${at} where id = ${id}`,
      sql`update public.newsletter_deliveries set finished_at = ${at} where issue_id = ${id}`,
      sql`update public.contacts set bounced_at = ${at} where email = ${GONE} and newsletter = 'bounced'`,
    );
  }
  return dates;
}

/** Records that everyone got it, but for a mailbox that's gone. Nothing is sent: nobody reads these. */
async function deliver(db: Database, issueId: string): Promise<void> {
  await query(db)`
    select private.finish_newsletter_delivery(
      d.id, case when c.email = ${GONE} then 'refused' else 'sent' end,
      case when c.email = ${GONE} then '550 5.1.1 No such user' end, c.email = ${GONE}
    )
    from public.newsletter_deliveries d join public.contacts c on c.id = d.contact_id
    where d.issue_id = ${issueId}`;
  await query(db)`select private.end_newsletter(${issueId})`;
}
