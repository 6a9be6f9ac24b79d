/** What's for sale. */
import * as v from 'valibot';
import { PLAN_GIVES, PRICE_PERIODS } from '#domain/order.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export const priceList = v.object({
  plans: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      gives: v.picklist(PLAN_GIVES),
      /** For one of it; for a membership, for a month. */
      sessions: v.number(),
      months: v.number(),
      fewest: v.number(),
      most: v.number(),
      for_members: v.boolean(),
      /** Empty: it's quoted. */
      prices: v.array(
        v.object({
          every: v.picklist(PRICE_PERIODS),
          /** Of one, before tax. */
          amount_minor: v.number(),
          currency: v.string(),
        }),
      ),
    }),
  ),
  tax_rates: v.array(v.object({ region: v.string(), name: v.string(), rate: v.number() })),
});
export type PriceList = v.InferOutput<typeof priceList>;

/** The prices of now, for anyone. Throws an AppError. */
export const listPrices = (db: Db): Promise<PriceList> => rpc(db, 'list_prices', priceList);

const priceRows = v.array(
  v.object({
    plan_key: v.string(),
    name: v.string(),
    every: v.picklist(PRICE_PERIODS),
    amount_minor: v.number(),
    currency: v.string(),
    since: v.string(),
    /** The five before it, newest first. */
    earlier: v.array(
      v.object({ amount_minor: v.number(), currency: v.string(), until: v.string() }),
    ),
  }),
);
export type PriceRow = v.InferOutput<typeof priceRows>[number];

/** The prices with those before them, for admins. */
export const listPriceRows = (db: Db): Promise<PriceRow[]> => rpc(db, 'admin_prices', priceRows);

/** Changes a price from now on. Throws `conflict` if it isn't the one they saw anymore. */
export const setPrice = (
  db: Db,
  { plan_key, every, amount_minor }: PriceRow,
  amountMinor: number,
  reason: string,
): Promise<PriceRow[]> =>
  rpc(db, 'set_price', priceRows, {
    p_plan: plan_key,
    p_every: every,
    p_expected_minor: amount_minor,
    p_amount_minor: amountMinor,
    p_reason: reason,
  });
