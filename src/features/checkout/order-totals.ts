/** What an order would cost, from the prices of the database, before it's placed. */
import type { PriceList } from '#data/prices.ts';
import { taxOf } from '#domain/order.ts';

export type Plan = PriceList['plans'][number];
export type Period = Plan['prices'][number]['every'];

/** What someone can buy; extra sessions only if one of their businesses has a membership. */
export const plansFor = ({ plans }: PriceList, hasMembership: boolean): Plan[] =>
  plans.filter(({ gives, for_members }) => gives !== 'nothing' && (hasMembership || !for_members));

/** The price of one, paid this often; null: it's quoted. */
export const priceOf = (plan: Plan | undefined, every: Period) =>
  plan?.prices.find((price) => price.every === every) ?? null;

/** How often a plan can be paid: the chosen way, if it's sold like that, or else its first one. */
export const periodOf = (plan: Plan | undefined, chosen: string): Period =>
  plan?.prices.find(({ every }) => every === chosen)?.every ?? plan?.prices[0]?.every ?? 'once';

export interface Totals {
  subtotal: number;
  taxName: string | null;
  tax: number;
  total: number;
  currency: string;
  every: Period;
}

/** Null for what's quoted. @param region as in ISO 3166-2; '' if unknown */
export function totalsOf(
  prices: PriceList,
  said: {
    plan: Plan | undefined;
    every: Period;
    quantity: number;
    region: string;
    taxExempt: boolean;
  },
): Totals | null {
  const price = priceOf(said.plan, said.every);
  if (!price || !Number.isSafeInteger(said.quantity) || said.quantity < 1) return null;
  const rate = said.taxExempt
    ? undefined
    : prices.tax_rates.find(({ region }) => region === said.region);
  const subtotal = price.amount_minor * said.quantity;
  const tax = rate ? taxOf(subtotal, rate.rate) : 0;
  return {
    subtotal,
    taxName: rate?.name ?? null,
    tax,
    total: subtotal + tax,
    currency: price.currency,
    every: price.every,
  };
}
