-- Prices: what's for sale, what it gives and what it costs.
--
-- content/pricing.yaml is the first version; from then on the database's prices apply. A price never
-- changes: a new one takes its place, and orders keep the one they were made with.

create table public.plans (
  key text primary key check (key ~ '^[a-z][a-z-]{0,39}$'),
  name text not null check (char_length(name) between 1 and 60),
  position smallint not null,
  -- pack: sessions for one business. membership: sessions a month. seat: a place in a program, which
  -- gives its business sessions. nothing: it's free.
  gives text not null check (gives in ('nothing', 'pack', 'membership', 'seat')),
  -- For one of it; for a membership, for one month.
  sessions smallint not null check (sessions between 0 and 100),
  -- How long a session can wait: a pack's from payment, a membership's from the start of its month.
  months smallint not null check (months between 0 and 60),
  fewest int not null default 1 check (fewest between 1 and 1000),
  most int not null default 1 check (most between fewest and 1000),
  -- Whether only businesses with a membership can buy it.
  for_members boolean not null default false,
  check ((gives = 'nothing') = (sessions = 0))
);
comment on table public.plans is 'What can be bought, and the coaching sessions it gives.';

create table public.prices (
  id uuid primary key default gen_random_uuid(),
  plan_key text not null references public.plans (key),
  every text not null check (every in ('once', 'month', 'year')),
  -- Of one, before tax, in minor units.
  amount_minor bigint not null check (amount_minor between 1 and 100000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- An admin set it, so a change of the content doesn't undo it.
  by_admin boolean not null default false
);
comment on table public.prices is
  'What a plan costs, once, monthly or yearly. A plan without a price is quoted.';
create unique index prices_current_idx on public.prices (plan_key, every) where ended_at is null;
create index prices_earlier_idx on public.prices (plan_key, every, ended_at);

create table public.tax_rates (
  -- As in ISO 3166-2: US-NM.
  region text primary key check (region ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$'),
  -- What the line of an order says.
  name text not null check (char_length(name) between 1 and 80),
  -- A share: 0.04875 is 4.875 %.
  rate numeric(7, 6) not null check (rate > 0 and rate < 1)
);
comment on table public.tax_rates is
  'Where the organization charges tax on coaching, by the buyer''s region, and how much.';

alter table public.plans enable row level security;
alter table public.prices enable row level security;
alter table public.tax_rates enable row level security;

create function private.keep_price() returns trigger
language plpgsql set search_path = '' as $$
begin
  if old.ended_at is not null
    or to_jsonb(new) - 'ended_at' <> to_jsonb(old) - 'ended_at'
  then
    raise exception 'A price never changes. Add a new one.' using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger prices_never_change before update on public.prices
  for each row execute function private.keep_price();
create trigger prices_are_never_removed before delete on public.prices
  for each row execute function private.refuse_change();

create function private.is_us_state(p_region text) returns boolean
language sql immutable set search_path = '' as $$
  select p_region is not null and p_region = any (string_to_array(
    'US-AL US-AK US-AZ US-AR US-CA US-CO US-CT US-DE US-DC US-FL US-GA US-HI US-ID US-IL US-IN US-IA '
    'US-KS US-KY US-LA US-ME US-MD US-MA US-MI US-MN US-MS US-MO US-MT US-NE US-NV US-NH US-NJ US-NM '
    'US-NY US-NC US-ND US-OH US-OK US-OR US-PA US-RI US-SC US-SD US-TN US-TX US-UT US-VT US-VA US-WA '
    'US-WV US-WI US-WY', ' '
  ))
$$;
comment on function private.is_us_state(text) is
  'Whether a region is a US state or the District of Columbia, as in ISO 3166-2: those the order form offers.';

create function private.tax_of(p_amount_minor bigint, p_rate numeric) returns bigint
language sql immutable set search_path = '' as $$
  -- Half a cent goes up, as on paper.
  select pg_catalog.round(p_amount_minor * p_rate)::bigint
$$;
comment on function private.tax_of(bigint, numeric) is
  'The tax on a line in minor units: rounded once, half up, so that the lines add up to the total.';

create function public.list_prices() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'plans', (
      select jsonb_agg(jsonb_build_object(
        'key', p.key, 'name', p.name, 'gives', p.gives, 'sessions', p.sessions, 'months', p.months,
        'fewest', p.fewest, 'most', p.most, 'for_members', p.for_members,
        'prices', coalesce((
          select jsonb_agg(jsonb_build_object(
            'every', c.every, 'amount_minor', c.amount_minor, 'currency', c.currency
          ) order by array_position(array['once', 'month', 'year'], c.every))
          from public.prices c where c.plan_key = p.key and c.ended_at is null
        ), '[]')
      ) order by p.position)
      from public.plans p
    ),
    'tax_rates', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'region', t.region, 'name', t.name, 'rate', t.rate
      ) order by t.region), '[]')
      from public.tax_rates t
    )
  )
$$;
comment on function public.list_prices() is
  'What''s for sale, for anyone: {plans: [{key, name, gives, sessions, months, fewest, most, for_members, prices: [{every, amount_minor, currency}]}], tax_rates: [{region, name, rate}]}.';
grant execute on function public.list_prices() to anon, authenticated;

-- Admins ----------------------------------------------------------------------------------------

create function private.price_rows() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'plan_key', p.key, 'name', p.name, 'every', c.every, 'amount_minor', c.amount_minor,
    'currency', c.currency, 'since', c.created_at,
    'earlier', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'amount_minor', e.amount_minor, 'currency', e.currency, 'until', e.ended_at
      ) order by e.ended_at desc), '[]')
      from (
        select * from public.prices x
        where x.plan_key = c.plan_key and x.every = c.every and x.ended_at is not null
        order by x.ended_at desc limit 5
      ) e
    )
  ) order by p.position, array_position(array['once', 'month', 'year'], c.every)), '[]')
  from public.prices c join public.plans p on p.key = c.plan_key
  where c.ended_at is null
$$;
comment on function private.price_rows() is
  'Each present price and the five before it: [{plan_key, name, every, amount_minor, currency, since, earlier: [{amount_minor, currency, until}]}].';

create function public.admin_prices() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('price.list', 'price', null);
  return private.price_rows();
end
$$;
comment on function public.admin_prices() is 'The prices and those before them, as private.price_rows.';
grant execute on function public.admin_prices() to authenticated;

create function public.set_price(
  p_plan text, p_every text, p_expected_minor bigint, p_amount_minor bigint, p_reason text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.set_price(text, text, bigint, bigint, text) is
  'An admin gives a plan another price than the one they saw, from now on; orders keep the one they were made with. The prices, as private.price_rows.';
grant execute on function public.set_price(text, text, bigint, bigint, text) to authenticated;
