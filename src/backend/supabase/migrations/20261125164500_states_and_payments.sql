SET local check_function_bodies = off;

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

COMMENT ON FUNCTION "public"."get_checkout"(uuid) IS 'The state and the checkout session of an order of the caller, and whether a bank is deciding about its money; null for everyone else''s.';

REVOKE ALL ON FUNCTION "private"."is_us_state"(text) FROM PUBLIC;
