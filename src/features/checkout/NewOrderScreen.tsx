import { useState } from 'react';
import * as v from 'valibot';
import { openCheckout } from '#data/checkout.ts';
import { createOrder, type NewOrder } from '#data/orders.ts';
import { listPrices, type PriceList } from '#data/prices.ts';
import { db } from '#lib/db.ts';
import { AppError } from '#lib/errors.ts';
import { money } from '#lib/locale/money.ts';
import { US_STATES } from '#lib/locale/us-states.ts';
import { idsByWords } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { type SchemaForm, useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { plansByPurchaseOrder, priceOf, totalsOf } from './order-totals.ts';

interface NewOrderProps {
  prices: PriceList;
  businesses: { id: string; name: string }[];
  /** The plan that the link named, and the buyer. */
  plan: string;
  name: string;
  email: string;
}

/** The choice for packs that several businesses get. */
const GROUP = 'group';

const schema = v.object({
  plan: v.pipe(v.string(), v.minLength(1, 'Choose what you’d like to buy.')),
  quantity: v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, 'Enter a number.')),
  businessId: v.string(),
  method: v.picklist(['card', 'purchase_order']),
  name: v.pipe(textUpTo(120), v.minLength(1, 'Enter the name of the person who pays.')),
  organization: textUpTo(160),
  email: v.pipe(textUpTo(254), v.email('Enter an email address, such as name@example.org.')),
  address: v.pipe(textUpTo(500), v.minLength(1, 'Enter the address of the person who pays.')),
  region: v.pipe(v.string(), v.minLength(1, 'Choose your state.')),
  taxExempt: v.boolean(),
  note: textUpTo(1000),
});
type Input = v.InferOutput<typeof schema>;

/** Whether seats of a program are bought, which takes a purchase order. */
const isGroup = (plan: PriceList['plans'][number] | undefined, businessId: string): boolean =>
  plan?.gives === 'seat' || businessId === GROUP;

function orderOf(input: Input, prices: PriceList): NewOrder {
  const plan = prices.plans.find(({ key }) => key === input.plan);
  const isForGroup = isGroup(plan, input.businessId);
  return {
    business_id: isForGroup ? null : input.businessId,
    plan: input.plan,
    every: 'once',
    quantity: Number(input.quantity),
    method: isForGroup ? 'purchase_order' : input.method,
    expected_minor: priceOf(plan)?.amount_minor ?? null,
    name: input.name,
    organization: input.organization,
    email: input.email,
    address: input.address,
    region: input.region,
    tax_exempt: input.taxExempt,
    note: input.note,
  };
}

/** The form, with prices that are read again if one has changed. */
function useQuoteForm(props: NewOrderProps) {
  const [prices, setPrices] = useState(props.prices);
  const [idOf] = useState(idsByWords);
  const plans = plansByPurchaseOrder(prices);
  const first = plans.find(({ key }) => key === props.plan) ?? plans[0];
  const fields = useSchemaForm<Input>(
    schema,
    async (input) => {
      const client = await db();
      const said = orderOf(input, prices);
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
        quantity: String(first?.fewest ?? 1),
        businessId: props.businesses[0]?.id ?? GROUP,
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

/** Buys sessions: what, how many, for whom, and who pays how. The price is the database's. */
function NewOrderScreen(props: NewOrderProps) {
  const { prices, plans, fields } = useQuoteForm(props);
  const [plan, quantity, region, taxExempt, businessId, method] = fields.form.watch([
    'plan',
    'quantity',
    'region',
    'taxExempt',
    'businessId',
    'method',
  ]);
  const chosen = plans.find(({ key }) => key === plan);
  const canPayByCard = !isGroup(chosen, businessId);
  const said = { plan, quantity: Number(quantity), region, taxExempt };
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <header>
        <h1>Buy sessions</h1>
        <p className="mt-2 text-muted">
          By card on the payment company’s page, or by purchase order. A quote costs nothing.
        </p>
      </header>
      <Form
        of={fields}
        submit={canPayByCard && method === 'card' ? 'Go to payment' : 'Get the quote'}
        className="gap-6"
      >
        <WhatFields
          fields={fields}
          plans={plans}
          plan={chosen}
          canPayByCard={canPayByCard}
          businesses={props.businesses}
        />
        <PayerFields fields={fields} />
        <Total totals={totalsOf(prices, said)} />
      </Form>
    </div>
  );
}

interface WhatProps {
  fields: SchemaForm<Input>;
  plans: PriceList['plans'];
  /** The chosen one. */
  plan: PriceList['plans'][number] | undefined;
  businesses: NewOrderProps['businesses'];
  canPayByCard: boolean;
}

function WhatFields({ fields: { field }, plans, plan, businesses, canPayByCard }: WhatProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="What"
        as={Select}
        options={plans.map(({ key, name }) => ({ value: key, label: name }))}
        {...field('plan')}
      />
      <Field
        label="How many"
        inputMode="numeric"
        hint={plan && `${plan.fewest} to ${plan.most.toLocaleString('en-US')}`}
        {...field('quantity')}
      />
      {plan?.gives === 'pack' && (
        <Field
          label="Who it’s for"
          as={Select}
          options={[
            ...businesses.map(({ id, name }) => ({ value: id, label: name })),
            { value: GROUP, label: 'A group of businesses' },
          ]}
          {...field('businessId')}
        />
      )}
      {canPayByCard && (
        <Field
          label="How you’d like to pay"
          as={Select}
          options={[
            { value: 'card', label: 'By card' },
            { value: 'purchase_order', label: 'By purchase order' },
          ]}
          {...field('method')}
        />
      )}
    </div>
  );
}

function PayerFields({ fields: { field, form } }: Pick<WhatProps, 'fields'>) {
  return (
    <Section id="payer" title="Who pays">
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Field label="Name" autoComplete="name" {...field('name')} />
        <Field
          label="Organization"
          optional
          autoComplete="organization"
          {...field('organization')}
        />
        <Field
          label="Email for the invoice"
          type="email"
          autoComplete="email"
          {...field('email')}
        />
        <Field
          label="State"
          as={Select}
          placeholder="Choose"
          options={US_STATES}
          {...field('region')}
        />
      </div>
      <div className="mt-4 flex flex-col gap-4">
        <Field label="Address" as={TextArea} rows={3} {...field('address')} />
        <Checkbox
          label="We’re exempt from sales tax"
          hint="We’ll ask for your certificate before we send the quote."
          {...form.register('taxExempt')}
        />
        <Field label="Anything we should know" optional as={TextArea} rows={3} {...field('note')} />
      </div>
    </Section>
  );
}

function Total({ totals }: { totals: ReturnType<typeof totalsOf> }) {
  if (!totals) {
    return (
      <p className="card p-5 text-sm" aria-live="polite">
        We’ll send you a price within two business days.
      </p>
    );
  }
  const rows: [label: string, minor: number][] = [
    ['Before tax', totals.subtotal],
    ...(totals.taxName ? [[totals.taxName, totals.tax] as [string, number]] : []),
    ['Total', totals.total],
  ];
  return (
    <dl className="card grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 p-5" aria-live="polite">
      {rows.map(([label, minor]) => (
        <div key={label} className="contents last:font-semibold">
          <dt>{label}</dt>
          <dd className="text-right tabular-nums">{money(minor, totals.currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

export default screen(NewOrderScreen);
