/** The practices as something one does, for sentences: "You’re furthest along with …". */
import type { PRACTICES } from './practice.ts';

type Practice = (typeof PRACTICES)[number];

const SPOKEN: Record<Practice, string> = {
  'web-design.findable-and-accurate': 'being found online with the right details',
  'web-design.works-for-everyone': 'a website that works on a phone',
  'web-design.clear-next-step': 'giving visitors a clear next step',
  'web-design.visits-and-leads': 'knowing what your website brings in',
  'custom-research.customer-conversations': 'talking with customers',
  'custom-research.competitor-review': 'keeping an eye on competitors',
  'custom-research.test-before-spending': 'testing before you spend',
  'custom-research.known-segment': 'knowing who your best customers are',
  'growth-strategy.written-goals': 'setting goals for the year',
  'growth-strategy.chosen-priorities': 'choosing priorities',
  'growth-strategy.progress-numbers': 'watching the numbers that show progress',
  'growth-strategy.quarterly-review': 'a quarterly review',
  'sales-marketing.leads-tracked': 'following up on leads',
  'sales-marketing.channel-cost': 'knowing what each marketing channel costs',
  'sales-marketing.repeat-customers': 'bringing customers back',
  'sales-marketing.reasoned-price': 'setting prices',
  'sales-marketing.getting-paid': 'getting paid',
  'business-planning.one-page-plan': 'a current one-page plan',
  'business-planning.business-model': 'knowing how the business makes money',
  'business-planning.risks-and-licenses': 'keeping licenses and insurance current',
  'business-planning.funding-need': 'knowing how much funding you need',
  'business-planning.written-agreements': 'putting agreements in writing',
  'people-management.written-roles': 'written roles',
  'people-management.hiring-and-first-week': 'hiring and the first week',
  'people-management.one-to-ones': 'regular one-to-ones',
  'people-management.pay-records': 'keeping pay records the law asks for',
  'financial-projection.every-transaction': 'recording every transaction',
  'financial-projection.monthly-profit-and-loss': 'a monthly profit and loss statement',
  'financial-projection.cash-forecast': 'a 12-month cash forecast',
  'financial-projection.costs-and-break-even': 'knowing your costs and break-even',
  'financial-projection.tax-set-aside': 'setting money aside for taxes',
  'operations-workflows.steps-documented': 'writing down how the work is done',
  'operations-workflows.stock-or-capacity': 'controlling stock or capacity',
  'operations-workflows.quality-and-complaints': 'handling quality and complaints',
  'operations-workflows.backups-and-access': 'backups and logins',
  'operations-workflows.suppliers-compared': 'comparing suppliers',
};

const isPractice = (key: string): key is Practice => key in SPOKEN;

/**
 * A practice as it's said in a sentence: "a 12-month cash forecast". One that isn't in the list, of
 * a quiz written later, is quoted by its name.
 */
export const spokenPractice = (key: string, name: string): string =>
  isPractice(key) ? SPOKEN[key] : `“${name}”`;
