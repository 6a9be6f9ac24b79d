-- Seat codes: what a sponsor hands out so that owners can take a seat, and taking it.
--
-- A code is a word and five characters, OLIVE-7K4MQ: easy to read out, and one of 1.8 billion. Wrong
-- codes are counted by address, network, account and altogether, so guessing gets nowhere, while a
-- room full of owners with the right code can all use it.

create table public.seat_codes (
  id uuid primary key,
  program_id uuid not null references public.programs (id),
  code text not null unique check (code ~ '^[A-Z]{3,8}-[0-9A-Z]{5}$'),
  most int not null check (most between 1 and 1000),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now()
);
comment on table public.seat_codes is
  'Codes that take a seat of a program: how often each can be used, until when, and whether it was revoked.';
create index seat_codes_program_id_idx on public.seat_codes (program_id, created_at desc);
alter table public.seat_codes enable row level security;
alter table public.seats add constraint seats_code_id_fkey
  foreign key (code_id) references public.seat_codes (id);

create function private.new_seat_code() returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_words constant text[] := array[
    'ALDER', 'AMBER', 'APPLE', 'ASPEN', 'BASIL', 'BEACH', 'BERRY', 'BIRCH', 'BLOOM', 'BRICK', 'BROOK',
    'CEDAR', 'CHALK', 'CLIFF', 'CLOUD', 'CLOVER', 'CORAL', 'CORN', 'CREEK', 'DAISY', 'DUNE', 'ELDER',
    'FERN', 'FIELD', 'FLINT', 'GRAIN', 'GRAPE', 'HAZEL', 'HONEY', 'IRIS', 'IVORY', 'JUNE', 'LAUREL',
    'LEMON', 'LILAC', 'LINEN', 'MAPLE', 'MEADOW', 'MELON', 'MESA', 'MINT', 'MOSS', 'OASIS', 'OLIVE',
    'ORCHID', 'PEACH', 'PEARL', 'PECAN', 'PEONY', 'PINE', 'PLUM', 'POPPY', 'QUARTZ', 'RIVER', 'ROSE',
    'SAGE', 'SHELL', 'SPRUCE', 'STONE', 'THYME', 'TULIP', 'VALLEY', 'WHEAT', 'WILLOW'
  ];
  -- Without 0, O, 1, I and L, which look alike.
  c_signs constant text := '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  v_bytes bytea;
  v_code text;
  v_number bigint;
begin
  -- Bytes of a random UUID, without those that say its version.
  v_bytes := uuid_send(gen_random_uuid());
  v_code := c_words[1 + get_byte(v_bytes, 0) % 64] || '-';
  v_number := 0;
  for v_place in 9..14 loop
    v_number := v_number * 256 + get_byte(v_bytes, v_place);
  end loop;
  for v_place in 1..5 loop
    v_code := v_code || substr(c_signs, (v_number % 31)::int + 1, 1);
    v_number := v_number / 31;
  end loop;
  return v_code;
end
$$;

create function private.clean_code(p_code text) returns text
language sql immutable set search_path = '' as $$
  -- As people type it: in lowercase, with a space, another dash or none.
  select regexp_replace(
    regexp_replace(upper(pg_catalog.left(coalesce(p_code, ''), 60)), '[^A-Z0-9]', '', 'g'),
    '^(.+)(.{5})$', '\1-\2'
  )
$$;

-- Guessing --------------------------------------------------------------------------------------

create function private.guess_keys() returns table (key text, most int)
language sql stable security definer set search_path = '' as $$
  select 'seat-code:' || a.address, 10 from (select private.client_address() as address) a
  where a.address is not null
  union all select 'seat-code-person:' || auth.uid(), 10 where auth.uid() is not null
  union all select 'seat-code-network:'
    || coalesce(private.network_of(private.client_address(), 24, 48), 'unknown'), 100
  union all select 'seat-code', 1000
$$;

create function private.code_of(p_code text) returns public.seat_codes
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_code public.seat_codes;
  v_until timestamptz;
begin
  -- Before looking, so that someone who has used up their guesses can't tell a right one.
  select max(r.expires_at) into v_until
  from private.guess_keys() k join public.rate_limits r on r.key = k.key
  where r.hits >= k.most and not private.is_over(r.expires_at, interval '1 hour');
  if v_until is not null then
    perform private.refuse_for_now(
      'That’s too many codes that don’t exist. Try again %s.', v_until - clock_timestamp(), 'code'
    );
  end if;
  select * into v_code from public.seat_codes c where c.code = private.clean_code(p_code);
  if not found then
    perform private.take_rate_limit(k.key, k.most, interval '1 hour') from private.guess_keys() k;
  end if;
  return v_code;
end
$$;
comment on function private.code_of(text) is
  'The code that someone entered, or nulls; a wrong one counts, and too many are refused (PT429).';

-- What a code or a reserved seat leads to -------------------------------------------------------

create function private.used(p_code public.seat_codes) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int from public.seats s where s.code_id = p_code.id
$$;

create function private.code_state(p_code public.seat_codes) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when p_code.id is null then 'unknown'
    when p_code.revoked_at is not null then 'revoked'
    when p_code.expires_at <= now() then 'expired'
    when private.used(p_code) >= p_code.most then 'used-up'
    else 'open'
  end
$$;

create function private.seat_offer(p_code text, p_seat_id uuid, out code public.seat_codes,
  out seat public.seats, out program public.programs, out outcome text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
begin
  if p_seat_id is not null then
    select * into seat from public.seats s where s.id = p_seat_id;
    select * into program from public.programs p where p.id = seat.program_id;
    outcome := case
      when seat.id is null or seat.state = 'unassigned' then 'ended'
      when seat.state = 'activated' and seat.owner_id = v_user_id then 'yours'
      when seat.state <> 'assigned' or seat.reserved_until <= now() then 'ended'
      when v_user_id is null then 'open'
      when seat.address is distinct from private.my_address() then 'other-address'
      else 'open'
    end;
  else
    code := private.code_of(p_code);
    select * into program from public.programs p where p.id = code.program_id;
    outcome := private.code_state(code);
    if v_user_id is not null and exists (
      select from public.seats s
      where s.program_id = program.id and s.owner_id = v_user_id and s.state = 'activated'
    ) then
      outcome := 'yours';
    elsif outcome = 'open' and not exists (
      select from public.seats s where s.program_id = program.id and s.state = 'unassigned'
    ) then
      outcome := case when exists (
        select from public.seat_waits w
        where w.program_id = program.id and w.user_id = v_user_id and w.offered_at is null
      ) then 'waiting' else 'full' end;
    end if;
  end if;
  if program.id is not null and outcome in ('open', 'full', 'waiting')
    and not private.is_open(program)
  then
    outcome := 'over';
  end if;
end
$$;
comment on function private.seat_offer(text, uuid) is
  'What a code, or a seat reserved for someone, leads to, and how it is: open, yours (taken already), full (no seat is free), waiting (the caller is on the list), used-up, expired, revoked, unknown; of a reserved seat other-address and ended; over (the program).';

create function public.get_seat_offer(p_code text default null, p_seat_id uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_offer record;
  v_is_signed_in boolean := auth.uid() is not null;
begin
  if v_is_signed_in then
    perform private.require_session();
  end if;
  select * into v_offer from private.seat_offer(p_code, p_seat_id);
  return jsonb_build_object(
    'outcome', v_offer.outcome,
    'program', case when (v_offer.program).id is not null and v_offer.outcome <> 'other-address' then
      jsonb_build_object(
        'id', (v_offer.program).id, 'name', (v_offer.program).name, 'sponsor', (v_offer.program).sponsor,
        'sessions', (v_offer.program).sessions, 'starts_on', (v_offer.program).starts_on,
        'ends_on', (v_offer.program).ends_on, 'has_report', (v_offer.program).has_report,
        'postal_prefixes', (v_offer.program).postal_prefixes,
        'email_domains', (v_offer.program).email_domains,
        'consent_version', (v_offer.program).consent_version,
        'consent', (
          select c.body from public.program_consents c
          where c.program_id = (v_offer.program).id and c.version = (v_offer.program).consent_version
        )
      ) end,
    -- Where a seat can be taken: the caller's businesses, and exactly what the sponsor sees now.
    'businesses', case when v_is_signed_in then (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', b.id, 'name', b.name, 'postal_code', b.postal_code
      ) order by m.joined_at, b.id), '[]')
      from public.business_members m join public.businesses b on b.id = m.business_id
      where m.user_id = auth.uid() and b.archived_at is null
    ) end,
    'figures', case when v_is_signed_in and (v_offer.program).has_report
      and v_offer.outcome in ('open', 'full', 'waiting', 'yours')
      then private.program_figures((v_offer.program).id) end
  );
end
$$;
comment on function public.get_seat_offer(text, uuid) is
  'What a seat code, or a seat reserved for the caller, leads to, for anyone: {outcome (private.seat_offer), program (with the text to agree to), businesses of the caller, figures: what the sponsor sees now}. Wrong codes are limited (PT429).';
grant execute on function public.get_seat_offer(text, uuid) to anon, authenticated;

-- Taking a seat ---------------------------------------------------------------------------------

create function private.eligible(p_program public.programs, p_address text, p_postal_code text)
returns text
language sql immutable set search_path = '' as $$
  select case
    when cardinality(p_program.email_domains) > 0
      and not split_part(p_address, '@', 2) = any (p_program.email_domains) then 'address'
    when cardinality(p_program.postal_prefixes) > 0 and p_postal_code is null then 'no-postal-code'
    when cardinality(p_program.postal_prefixes) > 0 and not exists (
      select from unnest(p_program.postal_prefixes) as x (prefix)
      where starts_with(upper(replace(p_postal_code, ' ', '')), x.prefix)
    ) then 'postal-code'
  end
$$;
comment on function private.eligible(public.programs, text, text) is
  'Why a business can''t have a seat: its owner''s address, its postal code or that it has none; null if it can.';

create function private.activate_seat(p_id uuid, p_code_id uuid, p_business_id uuid, p_shares boolean)
returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;

create function public.take_seat(
  p_business_id uuid, p_consent_version int, p_shares_figures boolean, p_code text default null,
  p_seat_id uuid default null, p_postal_code text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.take_seat(uuid, int, boolean, text, uuid, text) is
  'An owner takes a seat for a business by a code or a reservation, and agrees to the text of this version: {outcome: taken, or why not (as get_seat_offer, or consent-changed, business-has-one, address, postal-code, no-postal-code), program_id, seat_id}.';
grant execute on function public.take_seat(uuid, int, boolean, text, uuid, text) to authenticated;

create function public.wait_for_seat(p_code text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_offer record;
begin
  select * into v_offer from private.seat_offer(p_code, null);
  if v_offer.outcome = 'full' then
    insert into public.seat_waits as w (program_id, user_id) values ((v_offer.program).id, v_user_id)
    on conflict (program_id, user_id) do update set joined_at = now(), offered_at = null
    where w.offered_at is not null;
    perform private.offer_seats((v_offer.program).id);
    return jsonb_build_object('outcome', 'waiting');
  end if;
  return jsonb_build_object('outcome', v_offer.outcome);
end
$$;
comment on function public.wait_for_seat(text) is
  'The caller joins the waiting list of a code''s program, if no seat is free; {outcome} as get_seat_offer.';
grant execute on function public.wait_for_seat(text) to authenticated;

-- An owner's seats ------------------------------------------------------------------------------

create function public.list_own_seats() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', s.id, 'state', s.state, 'program', p.name, 'sponsor', p.sponsor,
      'business', b.name, 'sessions', p.sessions, 'used', private.sessions_of_seat(s.id),
      'ends_on', p.ends_on, 'activated_at', s.activated_at, 'withdrawn_at', s.withdrawn_at,
      'shares_figures', s.shares_figures, 'has_report', p.has_report, 'consent', c.body,
      'figures', case when p.has_report then private.program_figures(p.id) end
    ) order by s.activated_at desc, s.id)
    from public.seats s
    join public.programs p on p.id = s.program_id
    join public.businesses b on b.id = s.business_id
    join public.program_consents c on c.program_id = s.program_id and c.version = s.consent_version
    where s.owner_id = v_user_id
  ), '[]');
end
$$;
comment on function public.list_own_seats() is
  'The caller''s seats, newest first, with what they agreed to and exactly what the sponsor sees now (figures).';
grant execute on function public.list_own_seats() to authenticated;

create function private.own_seat(p_id uuid) returns public.seats
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_seat public.seats;
begin
  perform from public.programs p join public.seats s on s.program_id = p.id
  where s.id = p_id and s.owner_id = v_user_id for update of p;
  select * into v_seat from public.seats s where s.id = p_id and s.owner_id = v_user_id for update;
  if not found then
    raise exception 'We can’t find this seat.' using errcode = 'P0002', hint = 'seat_id';
  end if;
  return v_seat;
end
$$;

create function public.stop_counting(p_seat_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat public.seats := private.own_seat(p_seat_id);
begin
  update public.seats s set withdrawn_at = now(), shares_figures = false
  where s.id = v_seat.id and s.withdrawn_at is null;
  return jsonb_build_object('id', v_seat.id);
end
$$;
comment on function public.stop_counting(uuid) is
  'An owner withdraws from the sponsor''s totals and keeps the seat: none that''s made from now on counts their business; {id}.';
grant execute on function public.stop_counting(uuid) to authenticated;

create function public.leave_program(p_seat_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat public.seats := private.own_seat(p_seat_id);
begin
  if v_seat.state = 'activated' then
    update public.seats s set withdrawn_at = coalesce(s.withdrawn_at, now()) where s.id = v_seat.id;
    perform private.pass_on(v_seat, 'Its owner left the program.');
  end if;
  return jsonb_build_object('id', v_seat.id);
end
$$;
comment on function public.leave_program(uuid) is
  'An owner gives up a seat with its unused sessions; if none was used, it goes to the next business; {id}.';
grant execute on function public.leave_program(uuid) to authenticated;

create function private.pass_on(p_seat public.seats, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_is_unused boolean := private.sessions_of_seat(p_seat.id) = 0;
begin
  if not v_is_unused then
    perform private.end_seat(p_seat.id);
  else
    perform private.revoke_seat(p_seat.id, p_note);
    perform private.add_seats(p_seat.program_id, 1);
    perform private.offer_seats(p_seat.program_id);
  end if;
end
$$;
comment on function private.pass_on(public.seats, text) is
  'Ends a seat; if it wasn''t used, a free one takes its place and is offered to the next in line.';
