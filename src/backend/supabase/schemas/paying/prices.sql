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
  ended_at timestamptz
);
comment on table public.prices is
  'What a plan costs, once, monthly or yearly. A plan without a price is quoted.';
create unique index prices_current_idx on public.prices (plan_key, every) where ended_at is null;
create index prices_plan_key_idx on public.prices (plan_key);

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
