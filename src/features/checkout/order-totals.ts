/** What an order would cost, from the prices of the database, before it's placed. */
import type { PriceList } from '#data/prices.ts';
import { taxOf } from '#domain/order.ts';

type Plan = PriceList['plans'][number];

/** What can be bought by purchase order: packs, and seats, which are quoted. */
export const plansByPurchaseOrder = ({ plans }: PriceList): Plan[] =>
  plans.filter(({ gives, for_members }) => (gives === 'pack' || gives === 'seat') && !for_members);

/** The price of one, paid once; null: it's quoted. */
export const priceOf = (plan: Plan | undefined) =>
  plan?.prices.find(({ every }) => every === 'once') ?? null;

export interface Totals {
  subtotal: number;
  taxName: string | null;
  tax: number;
  total: number;
  currency: string;
}

/** Null for what's quoted. @param region as in ISO 3166-2; '' if unknown */
export function totalsOf(
  prices: PriceList,
  said: { plan: string; quantity: number; region: string; taxExempt: boolean },
): Totals | null {
  const price = priceOf(prices.plans.find(({ key }) => key === said.plan));
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
  };
}
