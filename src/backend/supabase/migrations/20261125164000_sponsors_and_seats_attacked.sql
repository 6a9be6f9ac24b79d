SET local check_function_bodies = off;

DROP FUNCTION "public"."record_payment"(uuid, uuid, text, bigint, date, text);

DROP FUNCTION "public"."send_purchase_order"(uuid, text, uuid);

ALTER TABLE "private"."program_groups"
  ADD COLUMN "is_shown" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.activate_seat (
  p_id          uuid,
  p_code_id     uuid,
  p_business_id uuid,
  p_shares      boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs;
begin
  update public.seats s set state = 'assigned' where s.id = p_id and s.state = 'unassigned';
  select p.* into v_program from public.programs p
  join public.seats s on s.program_id = p.id where s.id = p_id;
  update public.seats s set
    state = 'activated', code_id = p_code_id, business_id = p_business_id, owner_id = auth.uid(),
    activated_at = now(), consent_version = v_program.consent_version, shares_figures = p_shares
  where s.id = p_id;
  delete from public.seat_waits w where w.program_id = v_program.id and w.user_id = auth.uid();
  perform private.put_grant(
    'seat:' || p_id, p_business_id, 'seat', v_program.order_id, v_program.sessions,
    v_program.sessions, greatest(now(), v_program.starts_on),
    greatest(now() + interval '1 day', private.end_of_day(v_program.ends_on))
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.are_too_close (
  p_one   jsonb,
  p_other jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- In a sum, someone who adds nothing is the same as someone who isn't in it.
  select private.changes_between(p_one, p_other) between 1 and 4
    or private.changes_between(
      private.without_zeros(p_one), private.without_zeros(p_other)
    ) between 1 and 4
$function$;

CREATE OR REPLACE FUNCTION private.can_follow (
  p_program_id uuid,
  p_figure     text,
  p_group      text,
  p_entries    jsonb
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select (select count(*) from jsonb_each(coalesce(p_entries, '{}'))) >= 5 and not exists (
    select from private.program_readings r
    where r.program_id = p_program_id and r.figure = p_figure
      and (p_group is null or r.entries ? p_group)
      and private.are_too_close(
        case when p_group is null then private.all_entries(r.entries) else r.entries -> p_group end,
        p_entries
      )
  ) and not exists (
    select from private.program_readings r
    cross join lateral (
      select private.all_entries(r.entries) as entries
      union all select g.value from jsonb_each(r.entries) g
    ) shown
    where r.program_id in (select * from private.programs_sharing(p_program_id))
      -- How many have a seat is what the sponsor pays for, program by program.
      and r.figure = p_figure and p_figure <> 'joined'
      and private.are_too_close(shown.entries, p_entries)
  )
$function$;

CREATE OR REPLACE FUNCTION private.clean_address (
  p_address text
)
  RETURNS text
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
declare
  v_address text := lower(btrim(coalesce(p_address, '')));
begin
  if not private.is_address(v_address) then
    raise exception 'An email address looks like name@example.com.'
      using errcode = '22023', hint = 'address';
  end if;
  return v_address;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_of_day (
  p_day date
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Its last second, so that it's shown as the same day.
  select (p_day + time '23:59:59') at time zone private.coaching_zone()
$function$;

CREATE OR REPLACE FUNCTION private.figure_json (
  p_program_id uuid,
  p_figure     text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.figure_value(p_figure, private.all_entries(r.entries))
    -- The total less the other groups would be the group that isn't shown.
    || case when g.hides_one then '{"value": null}' else '{}'::jsonb end
    || jsonb_build_object('made_on', r.made_on, 'groups', coalesce(g.groups, '[]'))
  from private.program_readings r
  cross join lateral (
    select bool_or(v.figure -> 'value' = 'null') as hides_one, jsonb_agg(
      v.figure || jsonb_build_object('labels', array(
        select x.label from private.program_groups x
        where x.program_id = p_program_id and x.figure = p_figure and x.position = v.position
          and x.is_shown
        order by x.label
      )) order by v.position
    ) as groups
    from (
      select e.key::int as position, private.figure_value(p_figure, e.value) as figure
      from jsonb_each(r.entries) e
    ) v
  ) g
  where r.program_id = p_program_id and r.figure = p_figure
  order by r.version desc limit 1
$function$;

CREATE OR REPLACE FUNCTION private.figure_value (
  p_figure  text,
  p_entries jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
declare
  v_count bigint;
  -- By fives: one more would be about one business.
  v_at_least bigint;
begin
  select count(*) into v_count from jsonb_each_text(p_entries);
  v_at_least := v_count / 5 * 5;
  if v_count < 5 then
    return null;
  elsif p_figure = 'joined' then
    return jsonb_build_object('businesses', v_count);
  elsif p_figure in ('asked', 'started', 'finished') then
    return (
      select jsonb_build_object('value', private.safe_count(sum(e.value::int), v_count))
      from jsonb_each_text(p_entries) e
    );
  elsif p_figure = 'sessions' then
    -- Of which one to four businesses had some, or one more than half, they would be those businesses'.
    return (
      select jsonb_build_object('value', case
        when count(*) filter (where e.value <> '0') not between 1 and 4
          and 2 * max(e.value::int) <= sum(e.value::int) then sum(e.value::int) end)
      from jsonb_each_text(p_entries) e
    );
  elsif p_figure in ('jobs', 'sales') then
    -- Where one business is more than half of it, the figure would be that business's. Sales are
    -- rounded to $1,000.
    return (
      select jsonb_build_object('at_least', v_at_least, 'value', case
        when 2 * max(abs(e.value::bigint)) <= sum(abs(e.value::bigint)) then case p_figure
          when 'sales' then pg_catalog.round(sum(e.value::bigint), -5)::bigint
          else sum(e.value::bigint) end end)
      from jsonb_each_text(p_entries) e
    );
  end if;
  return (
    select jsonb_build_object(
      'at_least', v_at_least,
      'first', round(percentile_cont(0.5) within group (order by x.first)),
      'latest', round(percentile_cont(0.5) within group (order by x.latest)),
      'change', round(avg(x.latest - x.first)::numeric, 1)
    )
    from (
      select split_part(e.value, ' ', 1)::float8 as first, split_part(e.value, ' ', 2)::float8 as latest
      from jsonb_each_text(p_entries) e
    ) x
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.is_address (
  p_text text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select char_length(p_text) <= 254 and p_text ~
    '^[^][:space:][:cntrl:]@<>"(),;:\\[]+@[^][:space:][:cntrl:]@<>"(),;:\\[]+[.][^][:space:][:cntrl:]@.<>"(),;:\\[]+$'
$function$;

CREATE OR REPLACE FUNCTION private.place_entries (
  p_program_id uuid,
  p_figure     text,
  p_entries    jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- The group of each business that has been counted.
  v_counted constant jsonb := (
    select coalesce(jsonb_object_agg(b.key, g.key order by r.version), '{}')
    from private.program_readings r
    cross join lateral jsonb_each(r.entries) g
    cross join lateral jsonb_object_keys(g.value) as b (key)
    where r.program_id = p_program_id and r.figure = p_figure
  );
begin
  -- What's new goes to the smallest group.
  insert into private.program_groups (program_id, figure, label, position)
  select distinct p_program_id, p_figure, e.value ->> 'label', coalesce((
    select g.position from private.program_groups g
    where g.program_id = p_program_id and g.figure = p_figure
    order by g.position desc limit 1
  ), 1)
  from jsonb_each(p_entries) e where not v_counted ? e.key
  on conflict do nothing;
  return (
    select coalesce(jsonb_object_agg(x.position, x.entries), '{}')
    from (
      select coalesce((v_counted ->> e.key)::int, g.position) as position,
        jsonb_object_agg(e.key, e.value -> 'value') as entries
      from jsonb_each(p_entries) e
      left join private.program_groups g
        on g.program_id = p_program_id and g.figure = p_figure and g.label = e.value ->> 'label'
      group by 1
    ) x
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.programs_sharing (
  p_program_id uuid
)
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select distinct o.program_id
  from public.seats s
  join public.seats o on o.business_id = s.business_id and o.program_id <> s.program_id
  where s.program_id = p_program_id
$function$;

CREATE OR REPLACE FUNCTION private.read_figure (
  p_program_id uuid,
  p_figure     text,
  p_entries    jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_last record;
  v_found jsonb;
  v_new jsonb := '{}';
  v_group text;
begin
  select r.version, r.entries into v_last from private.program_readings r
  where r.program_id = p_program_id and r.figure = p_figure order by r.version desc limit 1;
  if not exists (
    select from private.program_groups g where g.program_id = p_program_id and g.figure = p_figure
  ) then
    -- Groups are formed once, so they wait until there's something to form them of.
    if (select count(*) from jsonb_each(p_entries)) < private.groups_from(p_program_id) then
      return false;
    end if;
    perform private.form_groups(p_program_id, p_figure, (
      select jsonb_object_agg(l.label, l.n) from (
        select e.value ->> 'label' as label, count(*) as n from jsonb_each(p_entries) e group by 1
      ) l
    ));
  end if;
  v_found := private.place_entries(p_program_id, p_figure, p_entries);
  for v_group in
    select k from jsonb_object_keys(v_found || coalesce(v_last.entries, '{}')) as k
  loop
    if private.can_follow(p_program_id, p_figure, v_group, v_found -> v_group) then
      v_new := v_new || jsonb_build_object(v_group, v_found -> v_group);
    elsif v_last.entries ? v_group then
      v_new := v_new || jsonb_build_object(v_group, v_last.entries -> v_group);
    end if;
  end loop;
  if v_new = coalesce(v_last.entries, '{}')
    or not private.can_follow(p_program_id, p_figure, null, private.all_entries(v_new))
  then
    return false;
  end if;
  insert into private.program_readings (program_id, figure, version, made_on, entries)
  values (p_program_id, p_figure, coalesce(v_last.version, 0) + 1, private.coaching_day(), v_new);
  update private.program_groups g set is_shown = true
  where g.program_id = p_program_id and g.figure = p_figure and not g.is_shown
    and v_new -> g.position::text = v_found -> g.position::text;
  return true;
end
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
  if v_said.region is not null and v_said.region !~ '^[A-Z]{2}-[A-Z0-9]{1,3}$' then
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

CREATE OR REPLACE FUNCTION private.without_zeros (
  p_entries jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_object_agg(e.key, e.value), '{}')
  from jsonb_each(coalesce(p_entries, '{}')) e where e.value <> '"0"'
$function$;

CREATE OR REPLACE FUNCTION public.create_seat_code (
  p_id         uuid,
  p_program_id uuid,
  p_most       integer,
  p_expires_on date    DEFAULT NULL::date
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs := private.run_program(p_program_id);
begin
  perform private.require_open(v_program);
  if p_id is null then
    raise exception 'A code needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_most is null or p_most not between 1 and 1000 then
    raise exception 'A code can be used 1 to 1,000 times.' using errcode = '22023', hint = 'most';
  end if;
  if p_expires_on not between private.coaching_day() and v_program.ends_on then
    raise exception 'Choose a date from today to the end of the program.'
      using errcode = '22023', hint = 'expires_on';
  end if;
  if exists (select from public.seat_codes c where c.id = p_id and c.program_id <> p_program_id) then
    raise exception 'This code already exists.' using errcode = '23505', hint = 'id';
  end if;
  insert into public.seat_codes (id, program_id, code, most, expires_at, created_by) values (
    p_id, p_program_id, private.new_seat_code(), p_most, private.end_of_day(p_expires_on), auth.uid()
  )
  on conflict (id) do nothing;
  if found then
    perform private.audit_program(p_program_id, 'program.add_code');
  end if;
  return private.program_json(v_program);
end
$function$;

CREATE OR REPLACE FUNCTION public.record_payment (
  p_id           uuid,
  p_order_id     uuid,
  p_method       text,
  p_amount_minor bigint,
  p_received_on  date,
  p_reason       text,
  p_open_minor   bigint DEFAULT NULL::bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.desk_order(p_order_id);
  v_reason text := private.require_reason(p_reason);
begin
  if exists (
    select from public.payments p where p.ref = 'manual:' || p_id and p.order_id = p_order_id
  ) then
    return private.desk_order_json(p_order_id);
  end if;
  if p_id is null then
    raise exception 'A payment needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_order.state <> 'invoiced' then
    raise exception 'Only an invoice that isn’t paid can be paid.' using errcode = '55000', hint = 'state';
  end if;
  if p_open_minor <> v_order.total_minor - v_order.paid_minor then
    raise exception 'Someone else has recorded a payment for this invoice: % is open. Reload the page.',
      private.money_words(v_order.total_minor - v_order.paid_minor, v_order.currency)
      using errcode = '55000', hint = 'amount_minor';
  end if;
  if p_method is null or p_method not in ('check', 'transfer', 'other') then
    raise exception 'Choose how it was paid.' using errcode = '22023', hint = 'method';
  end if;
  if p_amount_minor is null or p_amount_minor not between 1 and v_order.total_minor - v_order.paid_minor then
    raise exception 'Enter an amount up to %, which is what’s open.',
      private.money_words(v_order.total_minor - v_order.paid_minor, v_order.currency)
      using errcode = '22023', hint = 'amount_minor';
  end if;
  if p_received_on is null or p_received_on > private.coaching_day()
    or p_received_on < v_order.invoiced_at::date - 1
  then
    raise exception 'Enter a day from the invoice’s to today.' using errcode = '22023', hint = 'received_on';
  end if;
  perform private.report_payment(
    p_order_id, 'manual:' || p_id, p_method, p_amount_minor, v_order.currency,
    (p_received_on + time '12:00') at time zone private.coaching_zone()
  );
  perform private.audit('order.payment', 'order', p_order_id::text, v_reason,
    jsonb_build_object('amount_minor', p_amount_minor, 'method', p_method));
  return private.desk_order_json(p_order_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."record_payment"(uuid, uuid, text, bigint, date, text, bigint) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_program (
  p_id      uuid,
  p_changes jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs;
  v_said record;
  v_consent text;
begin
  perform private.require_admin();
  v_program := private.run_program(p_id);
  select * into v_said from jsonb_to_record(p_changes) as s (
    name text, sponsor text, starts_on date, ends_on date, closed boolean, groups_by text,
    postal_prefixes text[], email_domains text[], consent text
  );
  perform private.check_program_days(v_said.starts_on, v_said.ends_on);
  if v_said.groups_by is null or v_said.groups_by not in ('none', 'postal', 'industry') then
    raise exception 'Choose how the report groups businesses.' using errcode = '22023', hint = 'groups_by';
  end if;
  if v_said.groups_by <> v_program.groups_by and exists (
    select from private.program_groups g where g.program_id = p_id
  ) then
    raise exception 'The sponsor has seen figures by these groups. Other ones could be subtracted from them.'
      using errcode = '55000', hint = 'groups_by';
  end if;
  if cardinality(v_said.postal_prefixes) > 200 then
    raise exception 'Enter at most 200 postal codes. The first three digits cover a whole area.'
      using errcode = '22023', hint = 'postal_prefixes';
  end if;
  if cardinality(v_said.email_domains) > 50 then
    raise exception 'Enter at most 50 domains.' using errcode = '22023', hint = 'email_domains';
  end if;
  v_consent := private.clean_text(v_said.consent, 4000, 'consent', 'Write what owners agree to.');
  if char_length(v_consent) < 40 then
    raise exception 'Say who pays, what they see and what they don’t.'
      using errcode = '22023', hint = 'consent';
  end if;
  if v_consent <> (
    select c.body from public.program_consents c
    where c.program_id = p_id and c.version = v_program.consent_version
  ) then
    v_program.consent_version := v_program.consent_version + 1;
    insert into public.program_consents (program_id, version, body, created_by)
    values (p_id, v_program.consent_version, v_consent, auth.uid());
  end if;
  update public.programs p set
    name = private.clean_text(v_said.name, 120, 'name', 'Give the program a name.'),
    sponsor = private.clean_text(v_said.sponsor, 160, 'sponsor', 'Say who pays for it.'),
    starts_on = v_said.starts_on, ends_on = v_said.ends_on,
    state = case when v_said.closed then 'closed' else 'open' end,
    groups_by = v_said.groups_by, consent_version = v_program.consent_version,
    postal_prefixes = array(
      select distinct x from (
        select nullif(upper(regexp_replace(x, '[^A-Za-z0-9]', '', 'g')), '') as x
        from unnest(v_said.postal_prefixes) as x
      ) c where x is not null order by x
    ),
    email_domains = array(
      select distinct x from (
        select nullif(ltrim(lower(btrim(x)), '@'), '') as x from unnest(v_said.email_domains) as x
      ) c where x is not null order by x
    )
  where p.id = p_id;
  -- Sessions are good as long as the program.
  update public.session_grants g set ends_at = private.end_of_day(v_said.ends_on)
  from public.seats s
  where s.program_id = p_id and s.state = 'activated' and g.source = 'seat:' || s.id
    and private.end_of_day(v_said.ends_on) > g.starts_at;
  perform private.audit('program.save', 'program', p_id::text, null, p_changes);
  return private.admin_program_json(p_id);
exception when invalid_text_representation or datetime_field_overflow or invalid_datetime_format then
  raise exception 'Something you entered isn’t right. Check it and try again.'
    using errcode = '22023', hint = '';
end
$function$;

CREATE OR REPLACE FUNCTION public.send_purchase_order (
  p_id          uuid,
  p_po_number   text,
  p_file_id     uuid   DEFAULT NULL::uuid,
  p_total_minor bigint DEFAULT NULL::bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_id);
  v_number text := private.clean_line(
    private.clean_text(p_po_number, 60, 'po_number', 'Enter the number of your purchase order.'), 60
  );
begin
  -- Sent twice, or the file comes after the number.
  if v_order.state = 'po_received' and v_order.po_number = v_number then
    if p_file_id is not null then
      perform private.send_order_file(p_id, p_file_id);
    end if;
    return private.order_json(v_order);
  end if;
  if p_total_minor <> v_order.total_minor then
    raise exception 'The quote is now %. Reload the page, and send your purchase order for that.',
      private.money_words(v_order.total_minor, v_order.currency)
      using errcode = '55000', hint = 'total_minor';
  end if;
  perform private.accept_purchase_order(v_order, v_number, 'buyer');
  if p_file_id is not null then
    perform private.send_order_file(p_id, p_file_id);
  end if;
  perform private.notify_admins(
    'order', 'po:' || p_id, 'A purchase order for ' || v_order.quote_number,
    coalesce(v_order.billing_organization, v_order.billing_name, 'A buyer')
      || ' sent number ' || v_number || '. Confirm it with an invoice.',
    '/admin/orders/' || p_id, 'Open the order'
  );
  select * into v_order from public.orders o where o.id = p_id;
  return private.order_json(v_order);
end
$function$;

REVOKE ALL ON FUNCTION "public"."send_purchase_order"(uuid, text, uuid, bigint) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.set_price (
  p_plan           text,
  p_every          text,
  p_expected_minor bigint,
  p_amount_minor   bigint,
  p_reason         text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
  v_price public.prices;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  if p_amount_minor is null or p_amount_minor not between 1 and 100000000 then
    raise exception 'Enter a price up to $1,000,000.' using errcode = '22023', hint = 'amount_minor';
  end if;
  -- Locking the price isn't enough: whoever waits for it would find it ended, and the new one not yet.
  perform from public.plans p where p.key = p_plan for no key update;
  select * into v_price from public.prices p
  where p.plan_key = p_plan and p.every = p_every and p.ended_at is null;
  if not found then
    raise exception 'We can’t find this price.' using errcode = 'P0002', hint = 'plan';
  end if;
  -- Sent again, it's there already.
  if v_price.amount_minor = p_amount_minor then
    return private.price_rows();
  end if;
  if v_price.amount_minor is distinct from p_expected_minor then
    raise exception 'Someone else has changed this price to %. Reload the page.',
      private.money_words(v_price.amount_minor, v_price.currency)
      using errcode = '55000', hint = 'amount_minor';
  end if;
  update public.prices p set ended_at = now() where p.id = v_price.id;
  insert into public.prices (plan_key, every, amount_minor, currency, by_admin)
  values (p_plan, p_every, p_amount_minor, v_price.currency, true);
  perform private.audit('price.set', 'price', p_plan, v_reason, jsonb_build_object(
    'every', p_every, 'from_minor', v_price.amount_minor, 'to_minor', p_amount_minor
  ));
  return private.price_rows();
end
$function$;

CREATE OR REPLACE FUNCTION public.take_seat (
  p_business_id     uuid,
  p_consent_version integer,
  p_shares_figures  boolean,
  p_code            text    DEFAULT NULL::text,
  p_seat_id         uuid    DEFAULT NULL::uuid,
  p_postal_code     text    DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_offer record;
  v_postal_code text;
  v_why text;
  v_seat_id uuid := p_seat_id;
begin
  perform private.require_session();
  perform private.require_member(p_business_id);
  if private.my_address() is null then
    raise exception 'Confirm your email first.' using errcode = '42501', hint = 'address';
  end if;
  select * into v_offer from private.seat_offer(p_code, p_seat_id);
  if (v_offer.program).id is not null then
    -- The order before its program, like private.settle_order: its sessions refer to both.
    perform from public.orders o where o.id = (v_offer.program).order_id for key share;
    perform from public.programs p where p.id = (v_offer.program).id for update;
    -- Someone may have taken the last one while this waited.
    select * into v_offer from private.seat_offer(p_code, p_seat_id);
  end if;
  if v_offer.outcome <> 'open' then
    return jsonb_build_object('outcome', v_offer.outcome, 'program_id', (v_offer.program).id);
  end if;
  if p_consent_version is distinct from (v_offer.program).consent_version then
    return jsonb_build_object('outcome', 'consent-changed', 'program_id', (v_offer.program).id);
  end if;
  if exists (
    select from public.seats s where s.program_id = (v_offer.program).id
      and s.business_id = p_business_id and s.state = 'activated'
  ) then
    return jsonb_build_object('outcome', 'business-has-one', 'program_id', (v_offer.program).id);
  end if;
  select coalesce(b.postal_code, private.clean_line(p_postal_code, 16)) into v_postal_code
  from public.businesses b where b.id = p_business_id;
  v_why := private.eligible(v_offer.program, private.my_address(), v_postal_code);
  if v_why is not null then
    return jsonb_build_object('outcome', v_why, 'program_id', (v_offer.program).id);
  end if;
  update public.businesses b set postal_code = v_postal_code
  where b.id = p_business_id and b.postal_code is null and v_postal_code is not null;
  if v_seat_id is null then
    select s.id into v_seat_id from public.seats s
    where s.program_id = (v_offer.program).id and s.state = 'unassigned' order by s.number limit 1;
  end if;
  perform private.activate_seat(
    v_seat_id, (v_offer.code).id, p_business_id, coalesce(p_shares_figures, false)
  );
  return jsonb_build_object(
    'outcome', 'taken', 'program_id', (v_offer.program).id, 'seat_id', v_seat_id
  );
end
$function$;

COMMENT ON FUNCTION "private"."are_too_close"(jsonb, jsonb) IS 'Whether the difference of two readings would be about one to four businesses.';

COMMENT ON FUNCTION "private"."can_follow"(uuid, text, text, jsonb) IS 'Whether a group (null: all together) with these entries can be shown after every reading before, also of programs that share businesses: it has five businesses, and none or at least five differ from each.';

COMMENT ON FUNCTION "private"."end_of_day"(date) IS 'The last second of a day in the organization''s time zone.';

COMMENT ON FUNCTION "private"."is_address"(text) IS 'Whether a text is one email address.';

COMMENT ON FUNCTION "private"."place_entries"(uuid, text, jsonb) IS 'Entries by group, {group: {business: value}}: where each was counted first or, if it''s new, its label''s.';

COMMENT ON FUNCTION "private"."programs_sharing"(uuid) IS 'Other programs with a business of this one, such as the same sponsor''s of last year.';

COMMENT ON FUNCTION "public"."record_payment"(uuid, uuid, text, bigint, date, text, bigint) IS 'An admin records a check or a transfer for an invoice, in full or in part, once per id (p_open_minor: what was open when they looked; refused if someone else has recorded a payment since); the order, as private.desk_order_json.';

COMMENT ON FUNCTION "public"."send_purchase_order"(uuid, text, uuid, bigint) IS 'A buyer answers a quote with the number of their purchase order, once (p_total_minor: what it came to when they saw it; refused if it has been quoted again), and with its file if it''s stored (order_files.sql), which can also come later; the order, as private.order_json.';

REVOKE ALL ON FUNCTION "private"."are_too_close"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_of_day"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_address"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."programs_sharing"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."without_zeros"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."record_payment"(uuid, uuid, text, bigint, date, text, bigint) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."send_purchase_order"(uuid, text, uuid, bigint) TO "authenticated";

-- Labels that sponsors have seen already.
update private.program_groups set is_shown = true;

-- Codes and the sessions of seats ended at midnight in UTC, which is an afternoon in the United States.
update public.seat_codes c
set expires_at = private.end_of_day((c.expires_at at time zone 'UTC')::date - 1)
where c.expires_at is not null;
update public.session_grants g set ends_at = private.end_of_day(p.ends_on)
from public.seats s join public.programs p on p.id = s.program_id
where g.source = 'seat:' || s.id and g.ends_at = (p.ends_on + interval '1 day') at time zone 'UTC';
