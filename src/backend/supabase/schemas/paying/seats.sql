-- Seats: places in a program, one business each.
--
--   unassigned → assigned → activated → revoked or expired
--
-- A seat is assigned while it's reserved for an email address: of someone who was invited, or who's
-- next on the waiting list. It's activated when an owner agrees to the program's text; that gives
-- their business its sessions. A seat without a session after 90 days can be passed on: it's revoked,
-- and a new one takes its place.

create table public.seats (
  id uuid primary key default gen_random_uuid(),
  program_id uuid not null references public.programs (id),
  number int not null check (number > 0),
  state text not null default 'unassigned' check (
    state in ('unassigned', 'assigned', 'activated', 'revoked', 'expired')
  ),
  state_since timestamptz not null default now(),
  -- Who it's reserved for, and until when.
  address text check (char_length(address) <= 254),
  reserved_until timestamptz,
  -- By a code; otherwise by invitation or from the waiting list.
  code_id uuid,
  business_id uuid references public.businesses (id),
  owner_id uuid references auth.users (id) on delete set null,
  activated_at timestamptz,
  -- The text the owner agreed to, and whether the business's jobs and sales may be counted.
  consent_version int,
  shares_figures boolean not null default false,
  -- From then on, the business isn't counted in anything that the sponsor sees.
  withdrawn_at timestamptz,
  reminded_at timestamptz,
  note text check (char_length(note) <= 500),
  unique (program_id, number),
  foreign key (program_id, consent_version) references public.program_consents (program_id, version),
  check ((activated_at is null) = (business_id is null)),
  check ((activated_at is null) = (consent_version is null)),
  check (state <> 'activated' or activated_at is not null),
  check (state = 'assigned' or reserved_until is null)
);
comment on table public.seats is
  'Places in programs: who each is reserved for, or which business has it, and what its owner agreed to.';
create unique index seats_one_a_business_idx on public.seats (program_id, business_id)
  where state = 'activated';
create index seats_business_id_idx on public.seats (business_id);
create index seats_owner_id_idx on public.seats (owner_id);
create index seats_code_id_idx on public.seats (code_id);
create index seats_address_idx on public.seats (address);
create index seats_consent_idx on public.seats (program_id, consent_version);
create index seats_by_state_idx on public.seats (program_id, state, number);
alter table public.seats enable row level security;

create table public.seat_waits (
  program_id uuid not null references public.programs (id),
  user_id uuid not null references auth.users (id) on delete cascade,
  joined_at timestamptz not null default now(),
  -- When a free seat was offered to them; an offer that ran out isn't repeated.
  offered_at timestamptz,
  primary key (program_id, user_id)
);
comment on table public.seat_waits is
  'Owners who wait for a seat, in order. Each is offered one, for 14 days.';
create index seat_waits_next_idx on public.seat_waits (program_id, joined_at, user_id)
  where offered_at is null;
create index seat_waits_user_id_idx on public.seat_waits (user_id);
alter table public.seat_waits enable row level security;

create trigger seats_take_known_steps before insert or update of state on public.seats
  for each row execute function private.check_transition('seat', 'state');

create function private.keep_seat() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.state <> old.state then
    new.state_since := now();
  end if;
  if new.state <> 'assigned' then
    new.reserved_until := null;
    new.address := null;
  end if;
  return new;
end
$$;
create trigger seats_keep_track before update on public.seats
  for each row execute function private.keep_seat();

create function private.end_seat(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.seats s set state = 'expired' where s.id = p_id and s.state = 'activated';
  update public.session_grants g set sessions = private.sessions_of_seat(p_id)
  where g.source = 'seat:' || p_id and g.sessions > private.sessions_of_seat(p_id);
end
$$;
comment on function private.end_seat(uuid) is
  'Ends a seat that was used: it keeps counting as one of those that were paid for.';

create function private.end_seats_of(p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.seats s set withdrawn_at = coalesce(s.withdrawn_at, now())
  where s.business_id = p_business_id;
  perform private.end_seat(s.id) from public.seats s
  where s.business_id = p_business_id and s.state = 'activated';
end
$$;
comment on function private.end_seats_of(uuid) is
  'When a business is deleted: its seats end, and no new total counts it.';

-- As many as were paid for ----------------------------------------------------------------------

create function private.add_seats(p_program_id uuid, p_count int) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.seats (program_id, number)
  select p_program_id, n.number from generate_series(
    (select coalesce(max(s.number), 0) + 1 from public.seats s where s.program_id = p_program_id),
    (select coalesce(max(s.number), 0) + p_count from public.seats s where s.program_id = p_program_id)
  ) as n (number)
$$;

create function private.sessions_of_seat(p_id uuid) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int
  from public.session_grants g
  join public.session_uses u on u.grant_id = g.id and u.waived_at is null
  where g.source = 'seat:' || p_id
$$;
comment on function private.sessions_of_seat(uuid) is 'How many sessions a seat has used.';

create function private.revoke_seat(p_id uuid, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat public.seats;
  v_program public.programs;
begin
  update public.seats s set state = 'revoked', note = left(p_note, 500) where s.id = p_id
  returning * into v_seat;
  update public.session_grants g set sessions = private.sessions_of_seat(p_id)
  where g.source = 'seat:' || p_id and g.sessions > private.sessions_of_seat(p_id);
  if v_seat.activated_at is not null and v_seat.owner_id is distinct from auth.uid() then
    select * into v_program from public.programs p where p.id = v_seat.program_id;
    perform private.notify(
      v_seat.owner_id, 'order', 'seat_revoked:' || p_id, 'Your seat in ' || v_program.name || ' has ended',
      'Sessions that took place aren’t affected. You can keep using the quiz, the toolbox and your messages.',
      '/dashboard/coaching', 'Your coaching'
    );
  end if;
end
$$;
comment on function private.revoke_seat(uuid, text) is
  'Ends a seat: its unused sessions are gone, and its owner hears of it unless they did it.';

create function private.settle_seats(p_order_id uuid, p_seats int) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_program public.programs;
  v_count int;
begin
  perform private.one_at_a_time('program_order', p_order_id);
  select * into v_program from public.programs p where p.order_id = p_order_id for update;
  if not found then
    if p_seats < 1 then
      return;
    end if;
    perform private.make_program(
      gen_random_uuid(), left(coalesce(o.billing_organization, o.billing_name, 'Your program'), 120),
      coalesce(o.billing_organization, o.billing_name, 'Your organization'), o.id, null, p.sessions,
      private.coaching_day(),
      (private.coaching_day() + make_interval(months => p.months) - interval '1 day')::date,
      p.gives = 'seat' or p_seats >= 10
    )
    from public.orders o
    join public.order_lines l on l.order_id = o.id
    join public.plans p on p.key = l.plan_key and p.gives <> 'nothing'
    where o.id = p_order_id
    order by l.position limit 1;
    select * into v_program from public.programs p where p.order_id = p_order_id for update;
  end if;
  select count(*) into v_count from public.seats s
  where s.program_id = v_program.id and s.state <> 'revoked';
  if v_count < p_seats then
    perform private.add_seats(v_program.id, p_seats - v_count);
    perform private.tell_of_seats(v_program, p_seats - v_count);
    perform private.offer_seats(v_program.id);
  elsif v_count > p_seats then
    perform private.revoke_seat(r.id, 'It isn’t paid for anymore.') from (
      select s.id from public.seats s
      where s.program_id = v_program.id and s.state not in ('revoked', 'expired')
      order by array_position(array['unassigned', 'assigned', 'activated'], s.state),
        private.sessions_of_seat(s.id) > 0, s.activated_at desc, s.number desc
      limit v_count - p_seats
    ) r;
  end if;
end
$$;
comment on function private.settle_seats(uuid, int) is
  'Makes an order''s program have as many seats as are paid for: new ones are free; of too many, free ones go first, then reserved ones, then the newest unused.';

create function private.tell_of_seats(p_program public.programs, p_count int) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders o where o.id = p_program.order_id;
  perform private.add_sponsor(p_program.id, u.email) from auth.users u
  where u.id = v_order.buyer_id and u.email_confirmed_at is not null
    and not exists (select from public.program_sponsors s where s.program_id = p_program.id);
  perform private.notify(
    v_order.buyer_id, 'order', 'seats:' || p_program.id || ':' || now(), format(
      '%s seats are ready to hand out', p_count
    ),
    'Create a code for the businesses you serve, or invite their owners by email.',
    '/dashboard/programs/' || p_program.id, 'Your program'
  );
end
$$;

-- The waiting list ------------------------------------------------------------------------------

create function private.reserve_seat(p_program_id uuid, p_address text, p_until timestamptz) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  select s.id into v_id from public.seats s
  where s.program_id = p_program_id and s.state = 'unassigned'
  order by s.number limit 1 for update;
  update public.seats s set state = 'assigned', address = p_address, reserved_until = p_until
  where s.id = v_id;
  return v_id;
end
$$;
comment on function private.reserve_seat(uuid, text, timestamptz) is
  'Reserves a free seat for an address; its id, or null if none is free. The program is locked.';

create function private.offer_seats(p_program_id uuid) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_program public.programs;
  v_wait record;
  v_seat_id uuid;
  v_count int := 0;
begin
  select * into v_program from public.programs p where p.id = p_program_id for update;
  if not private.is_open(v_program) then
    return 0;
  end if;
  for v_wait in
    select w.user_id, lower(u.email) as address
    from public.seat_waits w join auth.users u on u.id = w.user_id
    where w.program_id = p_program_id and w.offered_at is null
    order by w.joined_at, w.user_id
  loop
    v_seat_id := private.reserve_seat(p_program_id, v_wait.address, now() + interval '14 days');
    exit when v_seat_id is null;
    update public.seat_waits w set offered_at = now()
    where w.program_id = p_program_id and w.user_id = v_wait.user_id;
    perform private.notify(
      v_wait.user_id, 'order', 'seat_offer:' || v_seat_id || ':' || v_wait.user_id,
      'A seat in ' || v_program.name || ' is free for you',
      'We’re holding it for 14 days. After that, the next business on the list gets it.',
      '/purchase?seat=' || v_seat_id, 'Take the seat'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.offer_seats(uuid) is
  'Offers free seats to the owners on the waiting list, in order; how many.';

-- What happens by itself ------------------------------------------------------------------------

create function private.keep_seats() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_program record;
  v_freed int := 0;
  v_expired int := 0;
  v_reminded int := 0;
  v_n int;
begin
  for v_program in
    select p.id from public.programs p
    where exists (
      select from public.seats s
      where s.program_id = p.id and (
        s.state = 'assigned' and s.reserved_until <= now()
        or s.state in ('unassigned', 'assigned', 'activated')
          and (p.state = 'closed' or p.ends_on < private.coaching_day())
      )
    )
    order by p.id limit 200 for update skip locked
  loop
    update public.seats s set state = 'expired'
    from public.programs p
    where s.program_id = v_program.id and p.id = s.program_id
      and s.state in ('unassigned', 'assigned', 'activated')
      and (p.state = 'closed' or p.ends_on < private.coaching_day());
    get diagnostics v_n = row_count;
    v_expired := v_expired + v_n;
    update public.seats s set state = 'unassigned'
    where s.program_id = v_program.id and s.state = 'assigned' and s.reserved_until <= now();
    get diagnostics v_n = row_count;
    v_freed := v_freed + v_n;
    perform private.offer_seats(v_program.id);
  end loop;
  return jsonb_build_object(
    'freed', v_freed, 'expired', v_expired, 'reminded', private.remind_of_seats()
  );
end
$$;
comment on function private.keep_seats() is
  'Seats end with their program, and reservations that ran out free theirs; owners who haven’t started after 90 days hear that the seat can go to someone else.';
insert into private.jobs (kind, every) values ('keep_seats', interval '1 hour');

create function private.remind_of_seats() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat record;
  v_count int := 0;
begin
  for v_seat in
    select s.id, s.owner_id, s.program_id, p.name
    from public.seats s join public.programs p on p.id = s.program_id
    where s.state = 'activated' and s.reminded_at is null
      and greatest(s.activated_at, p.starts_on) <= now() - interval '90 days'
      and private.sessions_of_seat(s.id) = 0
    order by s.id limit 200 for update of s skip locked
  loop
    update public.seats s set reminded_at = now() where s.id = v_seat.id;
    perform private.notify(
      v_seat.owner_id, 'order', 'seat_unused:' || v_seat.id, 'Do you still want your seat?',
      'You’ve had a seat in ' || v_seat.name || ' for 90 days without a session. Plan one soon: we may give the seat to a business that’s waiting.',
      '/dashboard/coaching', 'Your coaching'
    );
    perform private.notify_admins(
      'order', 'seat_unused:' || v_seat.id, 'A seat hasn’t been used for 90 days',
      'It’s one of ' || v_seat.name || '. Call the owner, or pass it on.',
      '/admin/programs/' || v_seat.program_id, 'Open the program'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
