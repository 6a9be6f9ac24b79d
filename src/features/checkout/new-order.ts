/** The form that buys something: its fields, and the order that they make. */
import { useState } from 'react';
import * as v from 'valibot';
import { openCheckout } from '#data/checkout.ts';
import { createOrder, type NewOrder } from '#data/orders.ts';
import { listPrices, type PriceList } from '#data/prices.ts';
import { db } from '#lib/db.ts';
import { AppError } from '#lib/errors.ts';
import { idsByWords } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { type SchemaForm, useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { type Plan, periodOf, plansFor, priceOf } from './order-totals.ts';

export interface NewOrderProps {
  prices: PriceList;
  businesses: { id: string; name: string }[];
  /** Which of them have a membership. */
  members: string[];
  /** The plan that the link named, how often it's paid, and the buyer. */
  plan: string;
  every: string;
  name: string;
  email: string;
}

/** The choice for packs that several businesses get. */
export const GROUP = 'group';

const schema = v.object({
  plan: v.pipe(v.string(), v.minLength(1, 'Choose what you’d like to buy.')),
  every: v.string(),
  quantity: v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, 'Enter a number.')),
  businessId: v.pipe(v.string(), v.minLength(1, 'Choose the business it’s for.')),
  method: v.picklist(['card', 'purchase_order']),
  name: v.pipe(textUpTo(120), v.minLength(1, 'Enter the name of the person who pays.')),
  organization: textUpTo(160),
  email: v.pipe(textUpTo(254), v.email('Enter an email address, such as name@example.org.')),
  address: v.pipe(textUpTo(500), v.minLength(1, 'Enter the address of the person who pays.')),
  region: v.pipe(v.string(), v.minLength(1, 'Choose your state.')),
  taxExempt: v.boolean(),
  note: textUpTo(1000),
});
export type NewOrderInput = v.InferOutput<typeof schema>;
export type NewOrderForm = SchemaForm<NewOrderInput>;

/** What the chosen plan leaves open. */
export interface Choices {
  plan: Plan | undefined;
  every: ReturnType<typeof periodOf>;
  isMembership: boolean;
  /** It's for several businesses, which takes a purchase order. */
  isGroup: boolean;
  canBeForGroup: boolean;
  byCard: boolean;
  canChooseMethod: boolean;
}

/** What a plan, a business and a way to pay come to together. */
export function choicesOf(
  plan: Plan | undefined,
  said: Pick<NewOrderInput, 'every' | 'businessId' | 'method'>,
): Choices {
  const isMembership = plan?.gives === 'membership';
  const canBeForGroup = plan?.gives === 'pack' && !plan.for_members;
  const isGroup = plan?.gives === 'seat' || (canBeForGroup && said.businessId === GROUP);
  return {
    plan,
    every: periodOf(plan, said.every),
    isMembership,
    isGroup,
    canBeForGroup,
    byCard: isMembership || (!isGroup && said.method === 'card'),
    canChooseMethod: !isMembership && !isGroup,
  };
}

function orderOf(input: NewOrderInput, plan: Plan | undefined): NewOrder {
  const { every, isMembership, isGroup, byCard } = choicesOf(plan, input);
  return {
    business_id: isGroup || input.businessId === GROUP ? null : input.businessId,
    plan: input.plan,
    every,
    quantity: isMembership ? 1 : Number(input.quantity),
    method: byCard ? 'card' : 'purchase_order',
    expected_minor: priceOf(plan, every)?.amount_minor ?? null,
    name: input.name,
    organization: input.organization,
    email: input.email,
    address: input.address,
    region: input.region,
    tax_exempt: input.taxExempt && !isMembership,
    note: input.note,
  };
}

/** The form, with prices that are read again if one has changed. */
export function useNewOrder(props: NewOrderProps) {
  const [prices, setPrices] = useState(props.prices);
  const [idOf] = useState(idsByWords);
  const plans = plansFor(prices, props.members.length > 0);
  const named = plans.find(({ key }) => key === props.plan);
  const first = named ?? plans.find(({ gives }) => gives === 'pack') ?? plans[0];
  const member = first?.for_members ? props.members[0] : undefined;
  const fields = useSchemaForm<NewOrderInput>(
    schema,
    async (input) => {
      const client = await db();
      const said = orderOf(
        input,
        plans.find(({ key }) => key === input.plan),
      );
      try {
        const { id } = await createOrder(client, idOf(said), said);
        location.assign(
          said.method === 'card'
            ? await openCheckout(client, id)
            : hrefFor('/dashboard/orders/[id]', { id }),
        );
      } catch (thrown) {
        // The message says the new price; the page shows it, too.
        if (thrown instanceof AppError && thrown.field === 'price') {
          setPrices(await listPrices(client));
        }
        throw thrown;
      }
    },
    {
      guarded: true,
      onError: reportError,
      defaults: {
        plan: first?.key ?? '',
        every: props.every === 'year' ? 'year' : 'month',
        quantity: String(first?.fewest ?? 1),
        businessId: member ?? props.businesses[0]?.id ?? (first?.gives === 'pack' ? GROUP : ''),
        method: 'card',
        name: props.name,
        organization: '',
        email: props.email,
        address: '',
        region: '',
        taxExempt: false,
        note: '',
      },
    },
  );
  return { prices, plans, fields };
}
