/** The demo's coaching: what owners asked for, and what came of it. Only data. */

export interface DemoSession {
  daysAgo: number;
  kind: 'in_person' | 'online' | 'phone';
  minutes: number;
  topics: readonly string[];
  summary: string;
  note?: string;
  actions?: readonly DemoAction[];
}

interface DemoAction {
  body: string;
  doer: 'owner' | 'coach';
  /** Due this many days from today. */
  dueIn: number;
  area?: string;
  tool?: string;
  /** Done this many days ago; undefined if it's open. */
  doneAgo?: number;
}

export interface DemoRequest {
  owner: string;
  coach?: string;
  shared: boolean;
  /** When a coach was assigned and said yes, in days before today. */
  assignedAgo?: number;
  acceptedAgo?: number;
  daysAgo: number;
  areas: readonly string[];
  note: string;
  /** Oldest first; coaching is active from the first one. */
  sessions: readonly DemoSession[];
  /** A session this many days from now, or days from now to choose from. */
  nextIn?: number;
  offersIn?: readonly number[];
}

/** What the demo's coaches say about themselves. */
export const demoCoaches = [
  {
    email: 'coach@demo.test',
    about:
      'I ran a restaurant for eleven years and kept its books for nine of them. I like numbers that fit on one page and decisions that have a date.',
    areas: ['financial-projection', 'people-management', 'sales-marketing'],
    industries: ['Food and drink', 'Construction and trades'],
    capacity: 12,
    languages: ['en', 'es'],
  },
  {
    email: 'coach2@demo.test',
    about:
      'I help small shops and tour companies get found online and plan the next year. Before that I sold outdoor gear for fifteen years.',
    areas: ['web-design', 'business-planning', 'growth-strategy', 'financial-projection'],
    industries: ['Travel and leisure', 'Retail and repair'],
    capacity: 8,
    languages: ['en'],
  },
] as const;

/** Coaching requests of the demo's owners, for their first business. */
export const demoRequests: readonly DemoRequest[] = [
  {
    owner: 'owner@demo.test',
    coach: 'coach@demo.test',
    shared: true,
    daysAgo: 96,
    assignedAgo: 95,
    acceptedAgo: 94,
    areas: ['financial-projection', 'people-management'],
    note: 'We’re busy, but most months we’re short on cash by the end. I’d like someone to go over the numbers with me.',
    sessions: [
      {
        daysAgo: 89,
        kind: 'in_person',
        minutes: 90,
        topics: ['financial-projection'],
        summary:
          'We listed everything that comes in and goes out in a month. The money is there, but it comes in three weeks after it goes out. Next time we look at when each customer pays.',
        note: 'Warm, quick with numbers, hates calling customers about money. Go slowly there.',
        actions: [
          {
            body: 'Write down every payment of last month, in and out, with its date.',
            doer: 'owner',
            dueIn: -82,
            area: 'financial-projection',
            tool: 'cash-forecast',
            doneAgo: 80,
          },
        ],
      },
      {
        daysAgo: 61,
        kind: 'online',
        minutes: 60,
        topics: ['financial-projection'],
        summary:
          'The first 13-week forecast is done. Its lowest week is week 9. We moved the flour order by a week and it’s no longer below zero.',
        actions: [
          {
            body: 'Update the forecast every Friday before closing.',
            doer: 'owner',
            dueIn: -54,
            area: 'financial-projection',
            doneAgo: 40,
          },
        ],
      },
      {
        daysAgo: 33,
        kind: 'online',
        minutes: 60,
        topics: ['people-management'],
        summary:
          'Luis can decide about orders up to $400 without asking. We wrote down what he checks first, on one page that hangs by the phone.',
        note: 'She finds it hard to let go of ordering. Ask how the first two weeks went.',
        actions: [
          {
            body: 'Hang up the page about orders, and don’t answer questions it answers.',
            doer: 'owner',
            dueIn: -20,
            area: 'people-management',
            doneAgo: 18,
          },
        ],
      },
      {
        daysAgo: 12,
        kind: 'phone',
        minutes: 45,
        topics: ['financial-projection'],
        summary:
          'Wholesale customers pay on day 38 on average, two of them on day 61. We wrote an offer: two percent off for paying within ten days.',
        actions: [
          {
            body: 'Offer both late payers two percent off if they pay within ten days.',
            doer: 'owner',
            dueIn: 1,
            area: 'financial-projection',
          },
          {
            body: 'Send the template for the payment offer.',
            doer: 'coach',
            dueIn: -10,
            doneAgo: 11,
          },
        ],
      },
    ],
    nextIn: 2,
  },
  {
    owner: 'nadia@demo.test',
    coach: 'coach@demo.test',
    shared: false,
    daysAgo: 18,
    assignedAgo: 17,
    acceptedAgo: 16,
    areas: ['sales-marketing'],
    note: 'Most of our work comes from two contractors. How do we find a third one?',
    sessions: [
      {
        daysAgo: 13,
        kind: 'online',
        minutes: 60,
        topics: ['sales-marketing'],
        summary:
          'Two contractors bring in four fifths of the work. We’re looking for a third before one of them stops calling. You list ten companies you’d like to work for.',
        actions: [
          {
            body: 'List ten companies you’d like to work for, and how you know each of them.',
            doer: 'owner',
            dueIn: 1,
            area: 'sales-marketing',
          },
        ],
      },
    ],
    offersIn: [3, 4, 7],
  },
  {
    owner: 'sam@demo.test',
    shared: true,
    daysAgo: 3,
    areas: ['business-planning', 'financial-projection'],
    note: 'The bank wants a business plan and a forecast by the end of next month.',
    sessions: [],
  },
];
