-- Session grants: the coaching sessions a business has, where they come from and until when they're
-- good. Separate from payment: an invoice gives sessions before it's paid, and an admin can give some.
--
-- A session pack is one grant. A membership is one a month, good for two, so that an unused session
-- carries over once. A seat of a program is one. Sessions use the grant that ends first.

create table public.session_grants (
  id uuid primary key default gen_random_uuid(),
  business_id uuid not null references public.businesses (id),
  kind text not null check (kind in ('pack', 'membership', 'seat', 'given')),
  -- What it comes from, which grants once: order:<id>:<line>, payment:<id>:<month>, seat:<id>.
  source text not null unique check (char_length(source) <= 120),
  order_id uuid references public.orders (id),
  -- How many it was, and how many are left of that after refunds; not less what was used.
  bought smallint not null check (bought between 1 and 1000),
  sessions smallint not null check (sessions between 0 and bought),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  -- Why an admin gave it.
  reason text check (char_length(reason) <= 500),
  given_by uuid,
  created_at timestamptz not null default now()
);
comment on table public.session_grants is
  'Coaching sessions that a business can use, by what gave them. Only procedures write rows.';
create index session_grants_business_id_idx on public.session_grants (business_id, ends_at);
create index session_grants_order_id_idx on public.session_grants (order_id);

alter table public.session_grants enable row level security;
create policy "Members read the sessions their business has"
  on public.session_grants for select to authenticated
  using (
    (select private.session_ok()) and business_id = any (array(select private.my_business_ids()))
  );
grant select on public.session_grants to authenticated;

create table public.session_uses (
  session_id uuid primary key references public.coaching_sessions (id),
  -- Null: nothing was left when it took place.
  grant_id uuid references public.session_grants (id),
  used_at timestamptz not null default now(),
  waived_at timestamptz,
  waive_reason text check (char_length(waive_reason) <= 500),
  waived_by uuid,
  check ((waived_at is null) = (waive_reason is null))
);
comment on table public.session_uses is
  'Sessions that used what a business bought, and of which grant. Read with the session.';
create index session_uses_grant_id_idx on public.session_uses (grant_id);
alter table public.session_uses enable row level security;

create function private.put_grant(
  p_source text, p_business_id uuid, p_kind text, p_order_id uuid, p_bought int, p_sessions int,
  p_starts_at timestamptz, p_ends_at timestamptz
) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.session_grants as g (
    source, business_id, kind, order_id, bought, sessions, starts_at, ends_at
  ) values (
    p_source, p_business_id, p_kind, p_order_id, p_bought, p_sessions, p_starts_at, p_ends_at
  )
  on conflict (source) do update set
    sessions = excluded.sessions, starts_at = excluded.starts_at, ends_at = excluded.ends_at
  where (g.sessions, g.starts_at, g.ends_at)
    <> (excluded.sessions, excluded.starts_at, excluded.ends_at)
$$;
comment on function private.put_grant(text, uuid, text, uuid, int, int, timestamptz, timestamptz) is
  'Stores what a source gives now; the same source again changes its grant.';

-- What's left -----------------------------------------------------------------------------------

create function private.is_held(p_order_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders o
    where o.id = p_order_id and o.state = 'invoiced'
      and o.invoice_due_on + 15 <= private.coaching_day()
  )
$$;
comment on function private.is_held(uuid) is
  'Whether an order''s sessions wait for its payment: 15 days after an invoice was due.';

create function private.grants_of(p_business_id uuid)
returns table (
  id uuid, kind text, source text, order_id uuid, sessions int, used int, starts_at timestamptz,
  ends_at timestamptz, is_held boolean
)
language sql stable security definer set search_path = '' as $$
  select g.id, g.kind, g.source, g.order_id, g.sessions::int, (
    select count(*)::int from public.session_uses u where u.grant_id = g.id and u.waived_at is null
  ), g.starts_at, g.ends_at, private.is_held(g.order_id)
  from public.session_grants g
  where g.business_id = p_business_id
$$;
comment on function private.grants_of(uuid) is
  'A business''s grants with how many sessions of each were used.';

create function private.sessions_left(p_business_id uuid, p_at timestamptz default now()) returns int
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(greatest(g.sessions - g.used, 0)), 0)::int
  from private.grants_of(p_business_id) g
  where g.starts_at <= p_at and g.ends_at > p_at and not g.is_held
$$;
comment on function private.sessions_left(uuid, timestamptz) is
  'How many sessions a business has to use at this moment.';

create function private.booked_times(p_business_id uuid, p_but uuid default null) returns timestamptz[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(greatest(s.starts_at, now())), '{}')
  from public.coaching_sessions s
  join public.engagements e on e.id = s.engagement_id
  where e.business_id = p_business_id and s.state = 'scheduled' and s.id is distinct from p_but
    and s.starts_at + make_interval(mins => s.minutes) > now()
$$;
comment on function private.booked_times(uuid, uuid) is
  'When a business''s scheduled sessions are, but for one that''s being moved.';

create function private.covered(
  p_business_id uuid, p_times timestamptz[], p_without uuid[] default '{}'
) returns int
language plpgsql stable security definer set search_path = '' as $$
declare
  v_starts timestamptz[];
  v_ends timestamptz[];
  v_left int[];
  v_time timestamptz;
  v_grant int;
  v_count int := 0;
begin
  select array_agg(g.starts_at order by g.ends_at, g.id), array_agg(g.ends_at order by g.ends_at, g.id),
    array_agg(g.sessions - g.used order by g.ends_at, g.id)
  into v_starts, v_ends, v_left
  from private.grants_of(p_business_id) g
  where g.sessions > g.used and not g.is_held and g.id <> all (p_without);
  -- Each session, the earliest first, takes what ends first: no other way covers more of them.
  for v_time in select t from unnest(p_times) t order by t loop
    for v_grant in 1 .. coalesce(cardinality(v_left), 0) loop
      if v_left[v_grant] > 0 and v_starts[v_grant] <= v_time and v_ends[v_grant] > v_time then
        v_left[v_grant] := v_left[v_grant] - 1;
        v_count := v_count + 1;
        exit;
      end if;
    end loop;
  end loop;
  return v_count;
end
$$;
comment on function private.covered(uuid, timestamptz[], uuid[]) is
  'How many sessions at these moments a business''s grants are enough for, or would be without some of them.';

create function private.why_none_left(p_business_id uuid, p_at timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_until timestamptz;
  v_from timestamptz;
begin
  if private.sessions_left(p_business_id, p_at) > 0 then
    return 'Every session this business has left is already scheduled.';
  end if;
  select max(g.ends_at) filter (where g.ends_at <= p_at), min(g.starts_at) filter (where g.starts_at > p_at)
  into v_until, v_from
  from private.grants_of(p_business_id) g
  where g.sessions > g.used and not g.is_held and g.ends_at > now();
  return case
    when v_until is not null then format(
      'The sessions this business has left are good until %s. Choose an earlier time.',
      private.day_words(v_until, auth.uid())
    )
    when v_from is not null then format(
      'The next session this business has is good from %s on. Choose a later time.',
      private.day_words(v_from, auth.uid())
    )
    else 'This business has no sessions left. More can be bought under Orders, or a seat code used.'
  end;
end
$$;
comment on function private.why_none_left(uuid, timestamptz) is
  'Why a business that has no session left for this moment has none, in words.';

create function private.require_sessions_left(
  p_business_id uuid, p_at timestamptz, p_but uuid default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_at timestamptz := greatest(p_at, now());
  v_booked timestamptz[];
begin
  -- Two sessions scheduled at once would both find the last one.
  perform private.one_at_a_time('sessions', p_business_id);
  v_booked := private.booked_times(p_business_id, p_but);
  if private.covered(p_business_id, v_booked || v_at) <= private.covered(p_business_id, v_booked) then
    raise exception '%', private.why_none_left(p_business_id, v_at)
      using errcode = '55000', hint = 'sessions';
  end if;
end
$$;
comment on function private.require_sessions_left(uuid, timestamptz, uuid) is
  'An error (55000) unless the business has a session left to use at this moment, besides those scheduled (but for one that''s being moved).';

create function private.sessions_left_json(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  with g as (
    select * from private.grants_of(p_business_id) x where x.ends_at > now()
  )
  select jsonb_build_object(
    -- As in sessions_left, of the same grants.
    'left', (
      select coalesce(sum(greatest(g.sessions - g.used, 0)), 0)::int
      from g where g.starts_at <= now() and not g.is_held
    ),
    'booked', cardinality(private.booked_times(p_business_id)),
    'grants', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', g.id, 'kind', g.kind, 'sessions', g.sessions, 'left', greatest(g.sessions - g.used, 0),
        'starts_at', g.starts_at, 'ends_at', g.ends_at, 'held', g.is_held
      ) order by g.ends_at, g.id)
      from g where g.starts_at <= now() and g.sessions > 0
    ), '[]'),
    -- The next month of a membership.
    'next_at', (
      select min(g.starts_at) from g
      where g.starts_at > now() and g.sessions > g.used and not g.is_held
    )
  )
$$;
comment on function private.sessions_left_json(uuid) is
  'What a business has left for coaching: {left, booked (of these, scheduled), grants: [{id, kind, sessions, left, starts_at, ends_at, held (until an overdue invoice is paid)}] of now, next_at: when more come, or null}.';

create function public.give_sessions(
  p_id uuid, p_business_id uuid, p_sessions int, p_months int, p_reason text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  if p_id is null then
    raise exception 'A grant needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_sessions is null or p_sessions not between 1 and 50 then
    raise exception 'Give 1 to 50 sessions.' using errcode = '22023', hint = 'sessions';
  end if;
  if p_months is null or p_months not between 1 and 36 then
    raise exception 'Sessions can be good for 1 to 36 months.' using errcode = '22023', hint = 'months';
  end if;
  if char_length(v_reason) > 500 then
    raise exception 'Keep the reason to 500 characters.' using errcode = '22023', hint = 'reason';
  end if;
  if not exists (select from public.businesses b where b.id = p_business_id) then
    raise exception 'We can’t find this business.' using errcode = 'P0002', hint = 'business_id';
  end if;
  perform private.require_unarchived(p_business_id);
  insert into public.session_grants (
    id, source, business_id, kind, bought, sessions, starts_at, ends_at, reason, given_by
  ) values (
    p_id, 'given:' || p_id, p_business_id, 'given', p_sessions, p_sessions, now(),
    now() + make_interval(months => p_months), v_reason, auth.uid()
  )
  on conflict (id) do nothing;
  if found then
    perform private.audit('sessions.give', 'business', p_business_id::text, v_reason,
      jsonb_build_object('sessions', p_sessions, 'months', p_months));
  end if;
  return private.sessions_left_json(p_business_id);
end
$$;
comment on function public.give_sessions(uuid, uuid, int, int, text) is
  'An admin gives a business sessions for some months, with a reason; once per id; what the business has now, as private.sessions_left_json.';
grant execute on function public.give_sessions(uuid, uuid, int, int, text) to authenticated;
