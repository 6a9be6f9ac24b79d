import { DENVER, type Newcomer } from './people.ts';

/** The demo's owners and businesses: names, places, figures and skill levels. Only data. */

/** A demo business. Levels and changes use the scale of quiz answers, 0 to 4. */
export interface DemoBusiness {
  name: string;
  trading: 'trading' | 'not-yet';
  postalCode: string;
  helpWanted: string;
  city: string;
  region: string;
  industry: string;
  stage: string;
  homeBased: boolean;
  description: string;
  /** Years since it opened; undefined if it hasn't. */
  years?: number;
  /** Annual revenue in the latest figures, in US dollars, and the share of it that's profit. */
  revenue?: number;
  margin?: number;
  people?: { full: number; part: number };
  /** How well each area does in the first attempt. */
  levels: Record<string, number>;
  /** How overconfident the owner is, by area. */
  bias?: Record<string, number>;
  /** What happened, oldest first, in days before today. */
  history: DemoStep[];
}

/** One step in the history of a business. */
type DemoStep =
  | { kind: 'first-look'; daysAgo: number }
  /** A full quiz; `better` is what has changed since the previous one, by area. */
  | { kind: 'full'; daysAgo: number; better?: Record<string, number> }
  /** A full quiz in progress, with this many questions answered. */
  | { kind: 'open'; daysAgo: number; answered: number };

export interface DemoOwner extends Newcomer {
  businesses: DemoBusiness[];
}

/** How well each area does, in the order of the quiz. */
const levelsOf = (...levels: number[]): Record<string, number> =>
  Object.fromEntries(AREAS.map((area, place) => [area, levels[place] ?? 0]));

const AREAS = [
  'web-design',
  'custom-research',
  'growth-strategy',
  'sales-marketing',
  'business-planning',
  'people-management',
  'financial-projection',
  'operations-workflows',
];

export const demoOwners: DemoOwner[] = [
  {
    email: 'owner@demo.test',
    fullName: 'Maria Delgado',
    timeZone: DENVER,
    daysAgo: 421,
    businesses: [
      {
        name: 'Delgado Bakery',
        trading: 'trading',
        postalCode: '87104',
        helpWanted: 'Not running out of cash at the end of the month, and finding people who stay.',
        city: 'Albuquerque',
        region: 'NM',
        industry: 'Food and drink',
        stage: 'Growing',
        homeBased: false,
        description: 'Neighborhood bakery with a counter, eleven wholesale accounts and one van.',
        years: 6,
        revenue: 486_000,
        margin: 0.07,
        people: { full: 5, part: 4 },
        levels: levelsOf(1.9, 1.4, 1.1, 2.2, 1.5, 0.9, 1, 2.4),
        bias: { 'financial-projection': 1.6, 'operations-workflows': -1 },
        history: [
          { kind: 'first-look', daysAgo: 420 },
          { kind: 'full', daysAgo: 412 },
          {
            kind: 'full',
            daysAgo: 243,
            better: { 'people-management': 0.9, 'web-design': 0.5, 'growth-strategy': 0.2 },
          },
          {
            kind: 'full',
            daysAgo: 38,
            better: {
              'financial-projection': 1.4,
              'growth-strategy': 1,
              'people-management': 0.4,
              'operations-workflows': 0.6,
              'custom-research': 0.3,
            },
          },
        ],
      },
    ],
  },
  {
    email: 'owner2@demo.test',
    fullName: 'Theo Park',
    timeZone: DENVER,
    daysAgo: 64,
    businesses: [
      {
        name: 'Park Street Cycles',
        trading: 'trading',
        postalCode: '80203',
        helpWanted: 'Getting through the winter. We make our money from April to October.',
        city: 'Denver',
        region: 'CO',
        industry: 'Retail and repair',
        stage: 'Established',
        homeBased: false,
        description: 'Bike repairs and used bikes, plus rentals in the summer.',
        years: 11,
        revenue: 312_000,
        margin: 0.11,
        people: { full: 2, part: 3 },
        levels: levelsOf(2.8, 2.1, 1.6, 2.4, 1.2, 2.6, 2, 3.2),
        history: [
          { kind: 'first-look', daysAgo: 64 },
          { kind: 'open', daysAgo: 12, answered: 14 },
        ],
      },
    ],
  },
  {
    email: 'nadia@demo.test',
    fullName: 'Nadia Haddad',
    timeZone: DENVER,
    daysAgo: 330,
    businesses: [
      {
        name: 'High Desert Plumbing',
        trading: 'trading',
        postalCode: '87505',
        helpWanted: 'More customers of our own and less work for contractors.',
        city: 'Santa Fe',
        region: 'NM',
        industry: 'Construction and trades',
        stage: 'Growing',
        homeBased: true,
        description: 'Plumbing and heat pumps, new construction and repairs. Two vans.',
        years: 4,
        revenue: 640_000,
        margin: 0.13,
        people: { full: 4, part: 0 },
        levels: levelsOf(0.8, 1.2, 1.5, 0.9, 2, 2.3, 2.6, 2.8),
        bias: { 'web-design': 1.2 },
        history: [
          { kind: 'full', daysAgo: 328 },
          {
            kind: 'full',
            daysAgo: 131,
            better: { 'web-design': 1.3, 'sales-marketing': 0.7, 'custom-research': 0.4 },
          },
        ],
      },
    ],
  },
  {
    email: 'sam@demo.test',
    fullName: 'Sam Whitehorse',
    timeZone: 'America/Phoenix',
    daysAgo: 150,
    businesses: [
      {
        name: 'Red Mesa Tours',
        trading: 'trading',
        postalCode: '86040',
        helpWanted: 'Getting a loan for a second van.',
        city: 'Page',
        region: 'AZ',
        industry: 'Travel and leisure',
        stage: 'Growing',
        homeBased: true,
        description: 'Guided day hikes for small groups, booked online and through hotels.',
        years: 3,
        revenue: 148_000,
        margin: 0.19,
        people: { full: 1, part: 4 },
        levels: levelsOf(3.1, 2.7, 1.8, 2.9, 0.8, 1.7, 0.9, 2),
        history: [
          { kind: 'first-look', daysAgo: 149 },
          { kind: 'full', daysAgo: 71 },
        ],
      },
    ],
  },
  {
    email: 'grace@demo.test',
    fullName: 'Grace Lindqvist',
    timeZone: 'America/Chicago',
    daysAgo: 276,
    businesses: [
      {
        name: 'Lindqvist Bookkeeping',
        trading: 'trading',
        postalCode: '78704',
        helpWanted: 'Fewer clients, and better ones.',
        city: 'Austin',
        region: 'TX',
        industry: 'Professional services',
        stage: 'Established',
        homeBased: true,
        description: 'Bookkeeping and payroll for thirty small businesses.',
        years: 9,
        revenue: 205_000,
        margin: 0.34,
        people: { full: 2, part: 1 },
        levels: levelsOf(2.2, 1.9, 2.6, 1.6, 3.1, 2.9, 3.8, 3.3),
        bias: { 'financial-projection': -1.2 },
        history: [
          { kind: 'full', daysAgo: 275 },
          { kind: 'full', daysAgo: 90, better: { 'sales-marketing': 1, 'web-design': 0.3 } },
        ],
      },
      {
        name: 'Ledger Letters',
        trading: 'not-yet',
        postalCode: '78704',
        helpWanted: 'Finding out whether anyone would pay for it.',
        city: 'Austin',
        region: 'TX',
        industry: 'Media',
        stage: 'Idea',
        homeBased: true,
        description: 'A monthly newsletter that explains one small-business number at a time.',
        levels: levelsOf(0.6, 1.1, 0.8, 0.4, 1.4, 0.3, 1.9, 0.7),
        history: [{ kind: 'full', daysAgo: 19 }],
      },
    ],
  },
  {
    email: 'omar@demo.test',
    fullName: 'Omar Reyes',
    timeZone: DENVER,
    daysAgo: 238,
    businesses: [
      {
        name: 'Mesilla Print Works',
        trading: 'trading',
        postalCode: '88046',
        helpWanted: 'Not sure yet.',
        city: 'Mesilla',
        region: 'NM',
        industry: 'Manufacturing',
        stage: 'Growing',
        homeBased: false,
        description: 'T-shirts, bags and signs for schools and teams.',
        years: 2,
        revenue: 96_000,
        margin: 0.04,
        people: { full: 1, part: 2 },
        levels: levelsOf(1.4, 0.7, 0.6, 1.3, 0.9, 1.2, 0.5, 1.8),
        bias: { 'growth-strategy': 1.5 },
        // Left halfway through and never resumed, so it expired.
        history: [{ kind: 'open', daysAgo: 236, answered: 11 }],
      },
    ],
  },
  {
    email: 'june@demo.test',
    fullName: 'June Castellanos',
    timeZone: DENVER,
    daysAgo: 118,
    businesses: [
      {
        name: 'Sunrise Home Care',
        trading: 'trading',
        postalCode: '88011',
        helpWanted: 'Hiring, and clear rules for home visits.',
        city: 'Las Cruces',
        region: 'NM',
        industry: 'Health and care',
        stage: 'Growing',
        homeBased: false,
        description: 'In-home help for seniors: meals, company and rides.',
        years: 5,
        revenue: 731_000,
        margin: 0.06,
        people: { full: 9, part: 14 },
        levels: levelsOf(1.8, 2.3, 2.1, 1.7, 2.2, 1.4, 1.9, 1.5),
        history: [
          { kind: 'first-look', daysAgo: 117 },
          { kind: 'full', daysAgo: 109 },
        ],
      },
    ],
  },
];
