import type { APIRoute } from 'astro';
import { listPrices } from '#data/prices.ts';
import { priceTexts } from '#lib/locale/money.ts';

export const prerender = false;

/** What everything costs today, as the page with the prices writes it: {"membership month": "$79"}. */
export const GET: APIRoute = async ({ locals }) => {
  const { plans } = await listPrices(locals.db);
  const texts = plans.flatMap(({ key, prices }) =>
    prices[0] ? Object.entries(priceTexts(key, prices, prices[0].currency)) : [],
  );
  return Response.json(Object.fromEntries(texts), {
    headers: { 'cache-control': 'private, max-age=60' },
  });
};
