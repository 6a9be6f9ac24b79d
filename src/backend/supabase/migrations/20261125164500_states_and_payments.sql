SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.apply_card_facts (
  p_facts jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_fact record;
begin
  -- Payments before orders, as every report locks them: two reports of one order come at the same time.
  perform private.hold_payment(p.ref)
  from (
    select distinct coalesce(f ->> 'payment_ref', f ->> 'ref') as ref
    from jsonb_array_elements(p_facts) f where f ->> 'kind' in ('payment', 'refund', 'dispute')
    order by 1
  ) p;
  for v_fact in
    select f.* from jsonb_array_elements(p_facts) with ordinality as a (fact, n)
    cross join jsonb_to_record(a.fact) as f (
      kind text, order_id uuid, ref text, payment_ref text, amount_minor bigint, currency text,
      at timestamptz, period_starts_at timestamptz, period_ends_at timestamptz, state text,
      ends_with_period boolean, customer_ref text, is_test boolean
    )
    order by a.n
  loop
    case v_fact.kind
      when 'checkout' then
        update public.orders o set
          customer_ref = coalesce(v_fact.customer_ref, o.customer_ref), is_test = v_fact.is_test
        where o.id = v_fact.order_id;
      when 'payment' then
        perform private.report_payment(
          v_fact.order_id, v_fact.ref, 'card', v_fact.amount_minor, v_fact.currency, v_fact.at,
          v_fact.period_starts_at, v_fact.period_ends_at
        );
      when 'membership' then
        perform private.report_membership(
          v_fact.order_id, v_fact.ref, v_fact.state, v_fact.period_ends_at,
          v_fact.ends_with_period, v_fact.at
        );
      when 'refund' then
        perform private.report_refund(
          v_fact.ref, v_fact.payment_ref, v_fact.amount_minor, v_fact.state, v_fact.at
        );
      when 'dispute' then
        perform private.report_dispute(
          v_fact.ref, v_fact.payment_ref, v_fact.amount_minor, v_fact.state, v_fact.at
        );
      when 'paid_outside' then
        perform private.tell_of_outside_payment(
          v_fact.order_id, v_fact.ref, v_fact.amount_minor
        );
      when 'checkout_ended' then
        perform private.end_checkout(v_fact.order_id, v_fact.ref, v_fact.state);
    end case;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_us_state (
  p_region text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select p_region is not null and p_region = any (string_to_array(
    'US-AL US-AK US-AZ US-AR US-CA US-CO US-CT US-DE US-DC US-FL US-GA US-HI US-ID US-IL US-IN US-IA '
    'US-KS US-KY US-LA US-ME US-MD US-MA US-MI US-MN US-MS US-MO US-MT US-NE US-NV US-NH US-NJ US-NM '
    'US-NY US-NC US-ND US-OH US-OK US-OR US-PA US-RI US-SC US-SD US-TN US-TX US-UT US-VT US-VA US-WA '
    'US-WV US-WI US-WY', ' '
  ))
$function$;

CREATE OR REPLACE FUNCTION private.store_order (
  p_id      uuid,
  p_user_id uuid,
  p_said    jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_said record;
  v_plan public.plans;
  v_price public.prices;
  v_tax public.tax_rates;
  v_is_exempt boolean;
begin
  select * into v_said from jsonb_to_record(p_said) as s (
    business_id uuid, plan text, every text, quantity int, method text, expected_minor bigint,
    name text, organization text, email text, address text, region text, tax_exempt boolean, note text
  );
  if v_said.method is null or v_said.method not in ('card', 'purchase_order') then
    raise exception 'Choose how you’d like to pay.' using errcode = '22023', hint = 'method';
  end if;
  if v_said.business_id is not null then
    perform private.require_member(v_said.business_id);
  end if;
  select * into v_plan from public.plans p where p.key = v_said.plan;
  v_price := private.price_for(
    v_plan, v_said.every, v_said.method, v_said.quantity, v_said.business_id
  );
  if v_price.amount_minor is distinct from v_said.expected_minor then
    raise exception 'The price is now %. Check it and try again.',
      coalesce(private.money_words(v_price.amount_minor, v_price.currency), 'by quote')
      using errcode = '55000', hint = 'price';
  end if;
  v_is_exempt := coalesce(v_said.tax_exempt, false);
  if v_is_exempt and v_said.method = 'card' then
    raise exception 'Ask for a quote, so that we can check your certificate first.'
      using errcode = '22023', hint = 'tax_exempt';
  end if;
  -- Without one, no tax would be added.
  if not private.is_us_state(v_said.region) then
    raise exception 'Choose your state.' using errcode = '22023', hint = 'region';
  end if;
  -- Reminders of an invoice go there, so it's one address and nothing else.
  if not private.is_address(private.clean_text(v_said.email, 254, 'email')) then
    raise exception 'An email address looks like name@example.com.'
      using errcode = '22023', hint = 'email';
  end if;
  if v_said.method = 'purchase_order' and (
    coalesce(btrim(v_said.address), '') = '' or coalesce(btrim(v_said.name), '') = ''
  ) then
    raise exception '%', case when coalesce(btrim(v_said.name), '') = ''
      then 'Enter the name of the person the quote is for.'
      else 'Enter the address for the quote and the invoice.' end
      using errcode = '22023',
        hint = case when coalesce(btrim(v_said.name), '') = '' then 'name' else 'address' end;
  end if;
  if not v_is_exempt then
    select * into v_tax from public.tax_rates t where t.region = v_said.region;
  end if;

  insert into public.orders (
    id, buyer_id, business_id, method, currency, billing_name, billing_organization,
    billing_email, billing_address, billing_region, tax_exempt, note
  ) values (
    p_id, p_user_id, v_said.business_id, v_said.method, coalesce(v_price.currency, 'USD'),
    private.clean_text(v_said.name, 120, 'name'),
    private.clean_text(v_said.organization, 160, 'organization'),
    coalesce(
      private.clean_text(v_said.email, 254, 'email'),
      (select u.email from auth.users u where u.id = p_user_id)
    ),
    private.clean_text(v_said.address, 500, 'address'), v_said.region, v_is_exempt,
    private.clean_text(v_said.note, 1000, 'note')
  );
  insert into public.order_lines (
    order_id, position, plan_key, every, description, quantity, unit_minor, tax_name, tax_rate
  ) values (
    p_id, 1, v_plan.key, v_said.every, v_plan.name, v_said.quantity,
    coalesce(v_price.amount_minor, 0), v_tax.name, coalesce(v_tax.rate, 0)
  );
  -- What has a price is quoted right away; seats and certificates wait for an admin.
  if v_said.method = 'purchase_order' and v_price.id is not null and not v_is_exempt then
    perform private.quote_order(p_id);
  end if;
exception
  when invalid_text_representation or numeric_value_out_of_range then
    raise exception 'Something you entered isn’t right. Check it and try again.'
      using errcode = '22023', hint = '';
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_outside_payment (
  p_order_id     uuid,
  p_invoice_ref  text,
  p_amount_minor bigint
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders o where o.id = p_order_id;
  if not found then
    raise exception 'There’s no order for this invoice.' using errcode = 'P0002', hint = 'order_id';
  end if;
  perform private.notify_admins(
    'order', 'paid_outside:' || p_invoice_ref, 'An invoice was marked as paid at the payment company',
    'The invoice ' || p_invoice_ref || ', '
      || private.money_words(p_amount_minor, v_order.currency) || ' for '
      || private.order_words(p_order_id)
      || E', wasn’t paid by card. We haven’t recorded a payment, and it gave no sessions.\n'
      || 'If the money arrived another way, give the sessions on the business’s page.',
    '/admin/orders/' || p_order_id, 'Open the order'
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_checkout (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'state', o.state, 'checkout_ref', o.checkout_ref, 'is_disputed', o.disputed_minor > 0
    )
    from public.orders o where o.id = p_id and o.buyer_id = v_user_id
  );
end
$function$;

COMMENT ON FUNCTION "private"."is_us_state"(text) IS 'Whether a region is a US state or the District of Columbia, as in ISO 3166-2: those the order form offers.';

COMMENT ON FUNCTION "private"."tell_of_outside_payment"(uuid, text, bigint) IS 'Tells admins, once, of a membership''s invoice that someone marked as paid at Stripe. It''s no payment: there''s no card that it could be refunded to.';

COMMENT ON FUNCTION "public"."get_checkout"(uuid) IS 'The state and the checkout session of an order of the caller, and whether a bank is deciding about its money; null for everyone else''s.';

REVOKE ALL ON FUNCTION "private"."is_us_state"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_outside_payment"(uuid, text, bigint) FROM PUBLIC;
