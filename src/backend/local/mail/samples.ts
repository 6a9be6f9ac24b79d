import type { MailData } from '#backend/supabase/functions/_shared/mail/mail-data.ts';
import type { MailTemplate } from '#backend/supabase/functions/_shared/mail/templates.ts';

/** An example of an email: what's special about it, and its data. */
export interface MailSample {
  about: string;
  data: MailData;
}

/** The forms of an email that a template has, keyed by template: a new one needs an example here. */
export type MailSamples = Record<MailTemplate, MailSample[]>;

const SECRET = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
const ID = '01993c5e-7a4b-7c1d-9e2f-3a4b5c6d7e8f';

/** The emails that get people into their accounts. */
const accountSamples = (siteUrl: string) => {
  const link = new URL(`/confirm?token_hash=${SECRET}&type=signup`, siteUrl).href;
  return {
    confirm: [{ about: 'After signing up', data: { link } }],
    recovery: [{ about: 'A forgotten password', data: { link } }],
    'email-code': [{ about: 'Signing in with a code', data: { link, code: '204816' } }],
    'email-link': [{ about: 'Signing in after too many codes', data: { link } }],
    'email-change': [
      {
        about: 'A new email address',
        data: { link, current_address: 'ana@example.com', new_address: 'ana@bakery.example' },
      },
    ],
    'already-registered': [
      {
        about: 'Signing up with an address that has an account',
        data: {
          link: new URL('/login', siteUrl).href,
          recover_link: new URL('/recover', siteUrl).href,
        },
      },
    ],
  } satisfies Partial<MailSamples>;
};

const ISSUE = `A bakery counted its leftovers for **two weeks**, loaf by loaf.

## What it found

| Day | Baked | Left |
| --- | ---: | ---: |
| Monday | 80 | 22 |
| Saturday | 140 | 3 |

- Mondays were the problem, not the recipes.
- A smaller Monday batch saved about *$400 a month*.

> We baked for the week we wanted, not the week we had.

### Try it yourself

1. Count what's left each evening.
2. Put the numbers in our [break-even calculator](/toolbox/break-even).

---

Questions? Write to [us](mailto:hello@example.com).
`;

/** The contact form and the newsletter. */
const writingSamples = {
  'contact-received': [{ about: 'We have a message', data: {} }],
  'contact-message': [
    {
      about: 'The message, to us',
      data: {
        topic: 'Coaching',
        name: 'Ana Ortiz',
        business: 'Alder Bakery',
        email: 'ana@example.com',
        body: 'We lose about $400 a month on bread we throw away.\n\nCan a coach help with that?',
      },
    },
  ],
  'contact-answer': [
    {
      about: 'Our answer',
      data: {
        name: 'Ana Ortiz',
        asked: 'We lose about $400 a month on bread we throw away. Can a coach help with that?',
        answer:
          'Yes. Start with two weeks of counting what’s left each evening.\n\nA coach can then help you plan each day’s baking.',
      },
    },
  ],
  'newsletter-confirm': [
    { about: 'Before subscribing', data: { path: `/newsletter#confirm=${SECRET}` } },
  ],
  'newsletter-welcome': [
    { about: 'After subscribing', data: { path: `/newsletter#leave=${SECRET}` } },
  ],
  'newsletter-issue': [
    {
      about: 'An issue of the newsletter',
      data: {
        subject: 'The bread you throw away',
        preview: 'Two weeks of counting, and $400 a month.',
        body: ISSUE,
        path: '/newsletter/the-bread-you-throw-away',
        leave_path: `/newsletter#leave=${SECRET}`,
      },
    },
  ],
} satisfies Partial<MailSamples>;

const SURVEY = {
  path: `/engagement-survey#invitation=${SECRET}`,
  plain_path: `/engagement-survey/${SECRET}`,
};

/** Surveys, invitations and invoices. */
const businessSamples = {
  'survey-invitation': [
    { about: 'A confidential survey', data: { ...SURVEY, privacy: 'confidential' } },
    { about: 'An anonymous survey', data: { ...SURVEY, privacy: 'anonymous' } },
  ],
  'survey-reminder': [
    { about: 'A week later', data: { ...SURVEY, privacy: 'confidential' } },
    { about: 'A week later, anonymous', data: { ...SURVEY, privacy: 'anonymous' } },
  ],
  'business-invitation': [
    {
      about: 'Joining a business',
      data: {
        business: 'Alder Bakery',
        inviter: 'Ana Ortiz',
        path: `/dashboard/businesses/invitation?token=${SECRET}`,
      },
    },
  ],
  'business-claim': [
    {
      about: 'A business from a list that an admin imported',
      data: {
        business: 'Alder Bakery',
        path: `/dashboard/businesses/invitation?token=${SECRET}`,
      },
    },
  ],
  'program-invitation': [
    {
      about: 'A seat, with a note from the sponsor',
      data: {
        sponsor: 'Rio Grande Alliance',
        program: 'Main Street 2027',
        words: 'We’re glad to have you. The first workshop is in March.',
        path: `/purchase?seat=${ID}`,
      },
    },
  ],
  'program-sponsor': [
    {
      about: 'Running a program',
      data: { program: 'Main Street 2027', path: `/dashboard/programs/${ID}` },
    },
  ],
  'invoice-reminder': [
    {
      about: 'An invoice that’s due',
      data: {
        title: 'Invoice INV-2026-0012 is due on December 4',
        paragraphs: [
          'The invoice for $1,250.00 is due on December 4, 2026.',
          'If you’ve paid it in the meantime, you don’t need to do anything.',
        ],
      },
    },
  ],
} satisfies Partial<MailSamples>;

const TALK = {
  title: 'Ben Carter',
  messages: 2,
  authors: ['Ben Carter'],
  others: 0,
  path: `/dashboard/messages/conversations/${ID}`,
};

/** Messages and what happens to someone's coaching and account. */
const noticeSamples = {
  'unread-messages': [
    {
      about: 'One conversation',
      data: {
        messages: 2,
        conversations: 1,
        talks: [
          {
            ...TALK,
            said: [
              { by: 'Ben Carter', text: 'Could you bring the cash forecast on Tuesday?', files: 0 },
              { by: 'Ben Carter', text: 'Here’s the blank one.', files: 1 },
            ],
          },
        ],
      },
    },
    {
      about: 'Several conversations, without the text',
      data: {
        messages: 5,
        conversations: 2,
        talks: [
          TALK,
          { ...TALK, title: 'Alder Bakery', messages: 3, authors: ['Ana', 'Cy'], others: 1 },
        ],
      },
    },
  ],
  notice: [
    {
      about: 'A step in coaching, which people can turn off',
      data: {
        subject: 'Ben Carter will coach you',
        heading: 'Ben Carter will coach you',
        paragraphs: ['You’ll hear from Ben within two business days.'],
        button_label: 'See your coaching',
        button_path: `/dashboard/notifications/${ID}`,
        has_choice: true,
        why: 'You’re getting this email because you have coaching.',
      },
    },
  ],
  'account-notice': [
    {
      about: 'A deleted account',
      data: {
        subject: 'We’ve deleted your account',
        heading: 'We’ve deleted your account',
        paragraphs: [
          'You asked us to 30 days ago. This is our last email. We’ll erase your address 30 days from now.',
        ],
        why: 'You’re getting this email because this address had an account.',
      },
    },
  ],
} satisfies Partial<MailSamples>;

const PLACE = {
  title: 'Cash and pricing: a monthly workshop',
  when: 'Tuesday, December 8, 2026, 5:30 PM MST',
  minutes: 120,
  where: 'Example Business Center, 210 Example Street NW, Albuquerque, NM 87102',
  event_path: '/events/monthly-workshop-albuquerque',
  path: `/confirm/place/${SECRET}`,
};
const ONLINE = {
  ...PLACE,
  title: 'Online office hours',
  where: 'Video call; we email you the link',
  event_path: '/events/online-office-hours',
  online_link: 'https://meet.example.com/office-hours',
};

/** Places at events. */
const eventSamples = {
  'event-held': [
    {
      about: 'A place to confirm',
      data: { ...PLACE, until: 'Wednesday, November 25, 2026, 9:00 AM MST' },
    },
  ],
  'event-taken': [
    { about: 'A place on site', data: { ...PLACE, online_link: null } },
    { about: 'A place online', data: ONLINE },
  ],
  'event-waiting': [{ about: 'The waiting list', data: { ...PLACE, position: 3 } }],
  'event-offer': [
    {
      about: 'A place for the next in line',
      data: { ...PLACE, until: 'Friday, November 27, 2026, 9:00 AM MST' },
    },
  ],
  'event-reminder': [
    { about: 'The day before', data: { ...PLACE, stage: 'day', online_link: null } },
    { about: 'The hour before, online', data: { ...ONLINE, stage: 'hour' } },
  ],
  'event-moved': [
    {
      about: 'Another date',
      data: {
        ...PLACE,
        was_when: 'Tuesday, December 1, 2026, 5:30 PM MST',
        was_where: PLACE.where,
      },
    },
  ],
  'event-canceled': [
    {
      about: 'A canceled event',
      data: { ...PLACE, reason: 'The building has no heat this week.' },
    },
  ],
  'event-removed': [
    {
      about: 'A place that an admin canceled',
      data: { ...PLACE, reason: 'You told us on the phone that you can’t come.' },
    },
  ],
} satisfies Partial<MailSamples>;

/** Examples of every email that the product sends; the people in them are made up. */
export const mailSamples = (siteUrl: string): MailSamples => ({
  ...accountSamples(siteUrl),
  ...writingSamples,
  ...businessSamples,
  ...noticeSamples,
  ...eventSamples,
});
