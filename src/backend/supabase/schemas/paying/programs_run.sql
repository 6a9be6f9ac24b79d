-- Running a program: what its sponsors do (codes, invitations, reading totals), and what admins do
-- besides (who's eligible, dates, the text that owners agree to, sponsors, passing on seats).

create function private.program_json(p_program public.programs) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_program.id, 'name', p_program.name, 'sponsor', p_program.sponsor,
    'sessions', p_program.sessions, 'starts_on', p_program.starts_on, 'ends_on', p_program.ends_on,
    'state', p_program.state, 'open', private.is_open(p_program),
    'has_report', p_program.has_report, 'groups_by', p_program.groups_by,
    'postal_prefixes', p_program.postal_prefixes, 'email_domains', p_program.email_domains,
    -- Not how many of those taken are in use: who was invited on a quiet day would be known to have
    -- accepted.
    'seats', (
      select jsonb_build_object(
        'all', count(*) filter (where s.state <> 'revoked'),
        'free', count(*) filter (where s.state = 'unassigned'),
        'taken', count(*) filter (where s.state in ('assigned', 'activated')),
        'ended', count(*) filter (where s.state = 'expired')
      )
      from public.seats s where s.program_id = p_program.id
    ),
    'waiting', (
      select count(*) from public.seat_waits w
      where w.program_id = p_program.id and w.offered_at is null
    ),
    'codes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'code', c.code, 'most', c.most, 'used', private.used(c),
        'expires_at', c.expires_at, 'state', private.code_state(c)
      ) order by c.created_at desc, c.id), '[]')
      from public.seat_codes c where c.program_id = p_program.id
    ),
    'figures', case when p_program.has_report then private.program_figures(p_program.id) end,
    'reports', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'period', r.period, 'made_at', r.made_at, 'figures', r.figures
      ) order by r.period desc), '[]')
      from public.program_reports r where r.program_id = p_program.id
    )
  )
$$;
comment on function private.program_json(public.programs) is
  'A program as its sponsors see it: seats, codes, how many wait, totals and reports. Never a business.';

create function public.get_program(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  return (
    select private.program_json(p) from public.programs p
    where p.id = p_id and private.is_sponsor_of(p.id)
  );
end
$$;
comment on function public.get_program(uuid) is
  'A program for its sponsors, as private.program_json; null for everyone else.';
grant execute on function public.get_program(uuid) to authenticated;

create function public.list_own_programs() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  return coalesce((
    select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.created_at desc, p.id)
    from public.programs p
    where p.id in (
      select s.program_id from public.program_sponsors s where s.address = private.my_address()
    )
  ), '[]');
end
$$;
comment on function public.list_own_programs() is
  'Programs that the caller sponsors, newest first: [{id, name}].';
grant execute on function public.list_own_programs() to authenticated;

create function private.audit_program(p_id uuid, p_action text, p_reason text default null,
  p_details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if private.is_admin() then
    perform private.audit(p_action, 'program', p_id::text, p_reason, p_details);
  end if;
end
$$;

-- Codes and invitations -------------------------------------------------------------------------

create function public.create_seat_code(
  p_id uuid, p_program_id uuid, p_most int, p_expires_on date default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.create_seat_code(uuid, uuid, int, date) is
  'A sponsor or an admin makes a code for a number of seats, good through a day; once per id; the program.';
grant execute on function public.create_seat_code(uuid, uuid, int, date) to authenticated;

create function public.revoke_seat_code(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_program public.programs;
begin
  v_program := private.run_program(
    (select c.program_id from public.seat_codes c where c.id = p_id)
  );
  update public.seat_codes c set revoked_at = now() where c.id = p_id and c.revoked_at is null;
  if found then
    perform private.audit_program(v_program.id, 'program.revoke_code');
  end if;
  return private.program_json(v_program);
end
$$;
comment on function public.revoke_seat_code(uuid) is
  'A sponsor or an admin ends a code; seats that were taken with it stay. The program.';
grant execute on function public.revoke_seat_code(uuid) to authenticated;

create function public.invite_to_program(p_program_id uuid, p_addresses text[], p_words text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_program public.programs := private.run_program(p_program_id);
  v_words text := private.clean_text(p_words, 1000, 'words');
  v_address text;
  v_seat_id uuid;
  v_sent int := 0;
begin
  perform private.require_open(v_program);
  if p_addresses is null or cardinality(p_addresses) not between 1 and 50 then
    raise exception 'Enter 1 to 50 addresses.' using errcode = '22023', hint = 'addresses';
  end if;
  for v_address in
    select distinct private.clean_address(a) from unnest(p_addresses) as a order by 1
  loop
    perform private.require_rate_limit(
      'program-invite:' || p_program_id, 200, interval '1 day',
      'You’ve invited 200 owners today. Try again %s.', 'addresses'
    );
    -- Reserved even for someone who has a seat already: which businesses have one isn't shown.
    v_seat_id := private.reserve_seat(p_program_id, v_address, now() + interval '30 days');
    exit when v_seat_id is null;
    perform private.send_mail(v_address, 'program-invitation', jsonb_build_object(
      'sponsor', v_program.sponsor, 'program', v_program.name, 'words', coalesce(v_words, ''),
      'path', '/purchase?seat=' || v_seat_id
    ), now() + interval '30 days');
    v_sent := v_sent + 1;
  end loop;
  perform private.audit_program(
    p_program_id, 'program.invite', null, jsonb_build_object('count', v_sent)
  );
  return jsonb_build_object('sent', v_sent, 'program', private.program_json(v_program));
end
$$;
comment on function public.invite_to_program(uuid, text[], text) is
  'A sponsor or an admin reserves seats for owners for 30 days and emails them, with words of their own: {sent: as far as seats were free, program}.';
grant execute on function public.invite_to_program(uuid, text[], text) to authenticated;

-- Admins ----------------------------------------------------------------------------------------

create function private.admin_program_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.program_json(p) || jsonb_build_object(
    'order', (
      select jsonb_build_object('id', o.id, 'state', o.state) from public.orders o where o.id = p.order_id
    ),
    'reason', p.reason, 'consent_version', p.consent_version,
    'consent', (
      select c.body from public.program_consents c
      where c.program_id = p.id and c.version = p.consent_version
    ),
    'sponsors', array(
      select s.address from public.program_sponsors s where s.program_id = p.id order by s.address
    ),
    'waiting_list', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', w.user_id, 'name', private.name_of(w.user_id), 'joined_at', w.joined_at
      ) order by w.joined_at, w.user_id), '[]')
      from (
        select * from public.seat_waits x where x.program_id = p.id and x.offered_at is null
        order by x.joined_at, x.user_id limit 50
      ) w
    )
  )
  from public.programs p where p.id = p_id
$$;

create function public.admin_get_program(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.programs p where p.id = p_id) then
    return null;
  end if;
  perform private.audit('program.read', 'program', p_id::text);
  return private.admin_program_json(p_id);
end
$$;
comment on function public.admin_get_program(uuid) is
  'A program for an admin: as its sponsors see it, with its order, the text owners agree to, sponsors and the first 50 of the waiting list; null if there''s none. Its seats: admin_seats.';
grant execute on function public.admin_get_program(uuid) to authenticated;

create function public.admin_seats(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('program.seats', 'program', p_filter ->> 'program', null, p_filter);
  return private.list_page(
    'public.seats r',
    $row$
      (
        select jsonb_build_object(
          'number', r.number, 'state', r.state, 'since', r.state_since,
          'address', r.address, 'reserved_until', r.reserved_until,
          'business', (
            select jsonb_build_object('id', b.id, 'name', b.name)
            from public.businesses b where b.id = r.business_id
          ),
          'used', u.used, 'of', p.sessions, 'counted', r.withdrawn_at is null,
          'can_pass_on', r.state = 'assigned' or r.state = 'activated' and u.used = 0
            and greatest(r.activated_at, p.starts_on) <= now() - interval '90 days'
        )
        from public.programs p
        cross join lateral (select private.sessions_of_seat(r.id) as used) u
        where p.id = r.program_id
      )
    $row$,
    array[
      'r.program_id = ($1 ->> ''program'')::uuid',
      case when p_filter ? 'state' then 'r.state = $1 ->> ''state''' end
    ],
    'r.number', 'int', false, p_filter, p_place, p_limit
  );
end
$$;
comment on function public.admin_seats(jsonb, jsonb, int) is
  'A page of a program''s seats by {program, state}, as private.list_page: {number, state, since, address, reserved_until, business, used, of (sessions), counted, can_pass_on}.';
grant execute on function public.admin_seats(jsonb, jsonb, int) to authenticated;

create function public.admin_programs(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('program.list', 'program', null, null, p_filter);
  return private.list_page(
    'public.programs r',
    $row$
      (
        select jsonb_build_object(
          'name', r.name, 'sponsor', r.sponsor, 'starts_on', r.starts_on, 'ends_on', r.ends_on,
          'open', r.state = 'open' and r.ends_on >= private.coaching_day(), 'created_at', r.created_at,
          'seats', count(s.id) filter (where s.state <> 'revoked'),
          'free', count(s.id) filter (where s.state = 'unassigned'),
          'activated', count(s.id) filter (where s.state = 'activated'),
          'waiting', (
            select count(*) from public.seat_waits w
            where w.program_id = r.id and w.offered_at is null
          )
        )
        from public.seats s where s.program_id = r.id
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'all' then null
        when 'over' then format('(r.state = ''closed'' or r.ends_on < %L::date)', private.coaching_day())
        else format('(r.state = ''open'' and r.ends_on >= %L::date)', private.coaching_day())
      end
    ],
    case p_filter ->> 'sort' when 'ends' then 'r.ends_on' else 'r.created_at' end,
    case p_filter ->> 'sort' when 'ends' then 'date' else 'timestamptz' end,
    p_filter ->> 'sort' is distinct from 'ends',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_programs(jsonb, jsonb, int) is
  'A page of programs, as private.list_page: {name, sponsor, starts_on, ends_on, open, created_at, seats, free, activated, waiting}.';
grant execute on function public.admin_programs(jsonb, jsonb, int) to authenticated;

create function public.give_program(
  p_id uuid, p_name text, p_sponsor text, p_seats int, p_sessions int, p_starts_on date,
  p_ends_on date, p_reason text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  if p_id is null then
    raise exception 'A program needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if exists (select from public.programs p where p.id = p_id) then
    return private.admin_program_json(p_id);
  end if;
  if p_seats is null or p_seats not between 1 and 1000 then
    raise exception 'A program can have 1 to 1,000 seats.' using errcode = '22023', hint = 'seats';
  end if;
  if p_sessions is null or p_sessions not between 1 and 100 then
    raise exception 'A seat can have 1 to 100 sessions.' using errcode = '22023', hint = 'sessions';
  end if;
  perform private.check_program_days(p_starts_on, p_ends_on);
  perform private.make_program(
    p_id, private.clean_text(p_name, 120, 'name', 'Give the program a name.'),
    private.clean_text(p_sponsor, 160, 'sponsor', 'Say who pays for it.'), null,
    left(v_reason, 500), p_sessions, p_starts_on, p_ends_on, true
  );
  perform private.add_seats(p_id, p_seats);
  perform private.audit('program.give', 'program', p_id::text, v_reason,
    jsonb_build_object('seats', p_seats));
  return private.admin_program_json(p_id);
end
$$;
comment on function public.give_program(uuid, text, text, int, int, date, date, text) is
  'An admin makes a program without an order, with a reason; once per id; the program as admin_get_program.';
grant execute on function public.give_program(uuid, text, text, int, int, date, date, text) to authenticated;

create function private.check_program_days(p_starts_on date, p_ends_on date) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_starts_on is null then
    raise exception 'Enter its first day.' using errcode = '22023', hint = 'starts_on';
  end if;
  if p_ends_on is null or p_ends_on <= p_starts_on or p_ends_on > p_starts_on + 1100 then
    raise exception 'Enter a last day after the first one, at most three years later.'
      using errcode = '22023', hint = 'ends_on';
  end if;
end
$$;

create function public.save_program(p_id uuid, p_changes jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.save_program(uuid, jsonb) is
  'An admin changes a program: {name, sponsor, starts_on, ends_on, closed, groups_by, postal_prefixes, email_domains, consent}; another text is a new version. The program as admin_get_program.';
grant execute on function public.save_program(uuid, jsonb) to authenticated;

create function public.set_sponsor(p_program_id uuid, p_address text, p_is_sponsor boolean)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.run_program(p_program_id);
  if p_is_sponsor then
    perform private.add_sponsor(p_program_id, p_address);
  else
    delete from public.program_sponsors s
    where s.program_id = p_program_id and s.address = lower(btrim(p_address));
  end if;
  perform private.audit(
    case when p_is_sponsor then 'program.add_sponsor' else 'program.remove_sponsor' end, 'program',
    p_program_id::text, null, jsonb_build_object('address', lower(btrim(p_address)))
  );
  return private.admin_program_json(p_program_id);
end
$$;
comment on function public.set_sponsor(uuid, text, boolean) is
  'An admin says whether the person with this address is a sponsor of a program, and tells a new one by email; the program as admin_get_program.';
grant execute on function public.set_sponsor(uuid, text, boolean) to authenticated;

create function public.pass_on_seat(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text;
  v_seat public.seats;
  v_program public.programs;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  v_program := private.run_program((select s.program_id from public.seats s where s.id = p_id));
  select * into v_seat from public.seats s where s.id = p_id for update;
  if v_seat.state = 'assigned' then
    update public.seats s set state = 'unassigned' where s.id = p_id;
    perform private.offer_seats(v_program.id);
  elsif v_seat.state <> 'activated' then
    raise exception 'This seat isn’t taken.' using errcode = '55000', hint = 'state';
  elsif private.sessions_of_seat(p_id) > 0 then
    raise exception 'This seat has been used.' using errcode = '55000', hint = 'state';
  elsif greatest(v_seat.activated_at, v_program.starts_on) > now() - interval '90 days' then
    raise exception 'An owner has 90 days for a first session.' using errcode = '55000', hint = 'state';
  else
    perform private.pass_on(v_seat, v_reason);
  end if;
  perform private.audit('program.pass_on', 'program', v_program.id::text, v_reason,
    jsonb_build_object('seat', v_seat.number, 'business_id', v_seat.business_id));
  return private.admin_program_json(v_program.id);
end
$$;
comment on function public.pass_on_seat(uuid, text) is
  'An admin frees a reserved seat, or one without a session 90 days after it was taken, with a reason; it''s offered to the next in line. The program as admin_get_program.';
grant execute on function public.pass_on_seat(uuid, text) to authenticated;
