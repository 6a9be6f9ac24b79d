-- Business records: the details of a business, saved field by field as people type; its figures
-- on a date; archiving and restoring it; and the queries for its pages.

-- Details of a business -------------------------------------------------------------------------

create function private.business_facts(p_business public.businesses) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_object_agg(
    f.key,
    case
      when f.key = 'home_based' then
        to_jsonb(case f.value #>> '{}' when 'true' then 'yes' when 'false' then 'no' else '' end)
      else to_jsonb(coalesce(f.value #>> '{}', ''))
    end
  )
  from jsonb_each(to_jsonb(p_business)) as f (key, value)
  where f.key in (
    'name', 'trading', 'postal_code', 'help_wanted', 'legal_name', 'entity_type', 'industry',
    'stage', 'start_date', 'address_line1', 'address_line2', 'city', 'region', 'country', 'phone',
    'website', 'home_based', 'description'
  )
$$;
comment on function private.business_facts(public.businesses) is
  'The details of a business as a form shows them: every field is text, '''' while unknown.';

create function private.fact_as_stored(p_field text, p_value text) returns text
language sql immutable set search_path = '' as $$
  select case
    when p_field in ('help_wanted', 'description') then nullif(btrim(p_value, e' \t\r\n'), '')
    when p_field = 'website' and l.line !~* '^https?://' then 'https://' || l.line
    when p_field = 'country' then upper(l.line)
    else l.line
  end
  from (select private.clean_line(p_value, 10000) as line) l
$$;
comment on function private.fact_as_stored(text, text) is
  'What someone typed into a field of a business, as it''s stored; null for nothing.';

create function private.check_business_fact(p_field text, p_value text) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_value text := private.fact_as_stored(p_field, p_value);
  v_longest int := case p_field
    when 'name' then 120 when 'postal_code' then 16 when 'help_wanted' then 2000
    when 'legal_name' then 200 when 'entity_type' then 80 when 'industry' then 120
    when 'stage' then 80 when 'address_line1' then 200 when 'address_line2' then 200
    when 'city' then 120 when 'region' then 120 when 'phone' then 40 when 'website' then 300
    when 'description' then 4000
  end;
  v_date date;
begin
  if p_field = 'name' and v_value is null then
    raise exception 'Give the business a name.' using errcode = '22023', hint = 'name';
  end if;
  if v_value is null then
    return null;
  end if;
  if char_length(v_value) > v_longest then
    raise exception 'Keep it to % characters.', to_char(v_longest, 'FM9,999')
      using errcode = '22023', hint = p_field;
  end if;
  case p_field
    when 'trading' then
      if v_value not in ('trading', 'not-yet') then
        raise exception 'Say whether the business is open yet.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'home_based' then
      if v_value not in ('yes', 'no') then
        raise exception 'Choose yes or no.' using errcode = '22023', hint = p_field;
      end if;
    when 'country' then
      if v_value !~ '^[A-Z]{2}$' then
        raise exception 'Choose a country from the list.' using errcode = '22023', hint = p_field;
      end if;
    when 'postal_code' then
      if v_value !~ '^[A-Za-z0-9 -]*$' then
        raise exception 'Use only letters, digits and spaces.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'phone' then
      if v_value !~ '^[0-9+() ./x-]*[0-9][0-9+() ./x-]*$' then
        raise exception 'Enter a phone number such as (505) 555-0114.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'website' then
      if v_value !~* '^https?://[^[:space:]/.]+[.][^[:space:]]+$' then
        raise exception 'A web address looks like www.example.com.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'start_date' then
      begin
        v_date := v_value::date;
      exception when others then
        v_date := null;
      end;
      if v_date is null or v_date < date '1700-01-01' or v_date > current_date + 3660 then
        raise exception 'Enter a date between 1700 and ten years from now.'
          using errcode = '22023', hint = p_field;
      end if;
      v_value := to_char(v_date, 'YYYY-MM-DD');
    else
      null;
  end case;
  return v_value;
end
$$;
comment on function private.check_business_fact(text, text) is
  'The value as it''s stored, null for unknown; an error (22023) in words if it''s invalid.';

create function public.save_business_fact(
  p_business_id uuid, p_field text, p_value text, p_known text[]
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_business public.businesses;
  v_facts jsonb;
  v_value text;
begin
  -- P0002 for strangers, before anything is said about the value.
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  select * into v_business from public.businesses b where b.id = p_business_id for update;
  v_facts := private.business_facts(v_business);
  if not v_facts ? coalesce(p_field, '') then
    raise exception 'A business doesn’t have this field.' using errcode = '22023', hint = 'field';
  end if;
  v_value := private.check_business_fact(p_field, p_value);
  if coalesce(v_value, '') = v_facts ->> p_field then
    return jsonb_build_object('saved', true, 'value', v_facts ->> p_field);
  end if;
  -- Whoever saves says what they know to have stood here. Something else is a colleague's.
  if not exists (
    select from unnest(p_known) as k (value)
    where coalesce(private.fact_as_stored(p_field, k.value), '') = v_facts ->> p_field
  ) then
    return jsonb_build_object('saved', false, 'value', v_facts ->> p_field);
  end if;
  execute format(
    'update public.businesses set %I = $1::%s where id = $2', p_field,
    case p_field when 'start_date' then 'date' when 'home_based' then 'boolean' else 'text' end
  ) using v_value, p_business_id;
  return jsonb_build_object('saved', true, 'value', coalesce(v_value, ''));
end
$$;
comment on function public.save_business_fact(uuid, text, text, text[]) is
  'A member saves one field of a business, '''' for unknown; {saved, value}. p_known are the values they''ve seen or sent: if the stored one isn''t among them, nothing is saved and it''s returned.';
grant execute on function public.save_business_fact(uuid, text, text, text[]) to authenticated;

-- Figures on a date -----------------------------------------------------------------------------

create function private.put_snapshot(
  p_user_id uuid, p_id uuid, p_business_id uuid, p_taken_on date, p_full_time int, p_part_time int,
  p_revenue_minor bigint, p_profit_minor bigint, p_currency text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_found public.business_snapshots;
begin
  perform private.one_at_a_time('business', p_business_id);
  select * into v_found from public.business_snapshots s where s.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.business_id <> p_business_id or v_found.created_by is distinct from p_user_id then
      raise exception 'These figures already exist.' using errcode = '23505', hint = 'id';
    end if;
    return;
  end if;
  if p_id is null then
    raise exception 'Figures need an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_taken_on is null or p_taken_on not between date '1900-01-01' and private.my_today() then
    raise exception 'Enter the date these figures are for, today or earlier.'
      using errcode = '22023', hint = 'taken_on';
  end if;
  if num_nonnulls(p_full_time, p_part_time, p_revenue_minor, p_profit_minor) = 0 then
    raise exception 'Enter at least one figure. Leave out anything you don’t know.'
      using errcode = '22023', hint = 'full_time';
  end if;
  if p_full_time not between 0 and 1000000 then
    raise exception 'Enter a whole number of people, 0 or more.' using errcode = '22023', hint = 'full_time';
  end if;
  if p_part_time not between 0 and 1000000 then
    raise exception 'Enter a whole number of people, 0 or more.' using errcode = '22023', hint = 'part_time';
  end if;
  if p_revenue_minor not between 0 and 100000000000000 then
    raise exception 'Revenue can’t be negative.' using errcode = '22023', hint = 'revenue';
  end if;
  if abs(p_profit_minor) > 100000000000000 then
    raise exception 'That number is too large.' using errcode = '22023', hint = 'profit';
  end if;
  if num_nonnulls(p_revenue_minor, p_profit_minor) > 0
    and coalesce(p_currency, '') !~ '^[A-Z]{3}$'
  then
    raise exception 'Choose a currency for the amounts.' using errcode = '22023', hint = 'currency';
  end if;
  insert into public.business_snapshots (
    id, business_id, taken_on, full_time, part_time, revenue_minor, profit_minor, currency,
    created_by, created_at
  ) values (
    p_id, p_business_id, p_taken_on, p_full_time, p_part_time, p_revenue_minor, p_profit_minor,
    case when num_nonnulls(p_revenue_minor, p_profit_minor) > 0 then p_currency end, p_user_id,
    -- Not now(): of two corrections in one transaction the later one counts.
    clock_timestamp()
  );
end
$$;
comment on function private.put_snapshot(uuid, uuid, uuid, date, int, int, bigint, bigint, text) is
  'Adds figures of a business for a date once under their id, after checking them. Who may is up to the caller.';

create function public.add_snapshot(
  p_id uuid, p_business_id uuid, p_taken_on date,
  p_full_time int default null, p_part_time int default null,
  p_revenue_minor bigint default null, p_profit_minor bigint default null,
  p_currency text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  perform private.put_snapshot(
    v_user_id, p_id, p_business_id, p_taken_on, p_full_time, p_part_time, p_revenue_minor,
    p_profit_minor, p_currency
  );
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.add_snapshot(uuid, uuid, date, int, int, bigint, bigint, text) is
  'A member adds figures for a date, or corrects that date''s with newer ones; {id}. Unknown is null, never 0. Amounts are annual, in minor units.';
grant execute on function public.add_snapshot(uuid, uuid, date, int, int, bigint, bigint, text)
  to authenticated;

create function private.snapshots_json(p_business_id uuid, p_before date, p_limit int) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', s.id, 'taken_on', s.taken_on, 'full_time', s.full_time, 'part_time', s.part_time,
      'revenue_minor', s.revenue_minor, 'profit_minor', s.profit_minor, 'currency', s.currency,
      'added_by', private.name_of(s.created_by), 'added_at', s.created_at,
      'corrections', (
        select count(*) - 1 from public.business_snapshots c
        where c.business_id = p_business_id and c.taken_on = s.taken_on
      )
    ) order by s.taken_on desc
  ), '[]')
  from (
    -- The days first: the index gives as many as are asked for and is then left alone.
    select distinct b.taken_on from public.business_snapshots b
    where b.business_id = p_business_id and b.taken_on < coalesce(p_before, 'infinity')
    order by b.taken_on desc
    limit least(greatest(coalesce(p_limit, 24), 1), 100)
  ) d
  cross join lateral (
    select b.* from public.business_snapshots b
    where b.business_id = p_business_id and b.taken_on = d.taken_on
    order by b.created_at desc, b.id limit 1
  ) s
$$;
comment on function private.snapshots_json(uuid, date, int) is
  'The current figures for each date, newest first, and how often each was corrected.';

create function public.list_snapshots(
  p_business_id uuid, p_before date default null, p_limit int default 24
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  if not p_business_id = any (array(select private.readable_business_ids())) then
    raise exception 'We can’t find this business.' using errcode = 'P0002';
  end if;
  return private.snapshots_json(p_business_id, p_before, p_limit);
end
$$;
comment on function public.list_snapshots(uuid, date, int) is
  'Figures of a business before a date, newest first, for its members and the assigned coach.';
grant execute on function public.list_snapshots(uuid, date, int) to authenticated;

-- Archiving -------------------------------------------------------------------------------------

create function private.archive_them(p_ids uuid[]) returns uuid[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_archived uuid[];
begin
  with done as (
    update public.businesses b set archived_at = now()
    where b.id = any (p_ids) and b.archived_at is null
    returning b.id
  )
  select coalesce(array_agg(d.id), '{}') into v_archived from done d;
  update public.business_invitations i set ended = 'revoked', ended_at = now()
  where i.business_id = any (v_archived) and i.ended is null;
  perform private.withdraw_coaching(b, null, 'The business was archived.')
  from unnest(v_archived) as b
  where exists (
    select from public.engagements e where e.business_id = b and e.closed_at is null
  );
  return v_archived;
end
$$;
comment on function private.archive_them(uuid[]) is
  'Archives businesses, which ends their open invitations and coaching; returns those that weren''t archived yet.';

create function private.unarchive_them(p_ids uuid[]) returns uuid[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_merge record;
  v_restored uuid[];
begin
  select b.name, private.merged_into(b.id) ->> 'name' as other into v_merge
  from public.businesses b
  where b.id = any (p_ids) and private.merged_into(b.id) is not null
  limit 1;
  if found then
    raise exception '% was merged into %. An admin has to undo that first.', v_merge.name, v_merge.other
      using errcode = '55000';
  end if;
  with done as (
    update public.businesses b set archived_at = null
    where b.id = any (p_ids) and b.archived_at is not null
    returning b.id
  )
  select coalesce(array_agg(d.id), '{}') into v_restored from done d;
  perform private.take_over_attempts(m.user_id, m.business_id)
  from (
    select n.user_id, n.business_id from public.business_members n
    where n.business_id = any (v_restored) order by n.business_id, n.user_id
  ) m;
  return v_restored;
end
$$;
comment on function private.unarchive_them(uuid[]) is
  'Restores businesses, without invitations or coaching; returns those that were archived. An error (55000) for one that was merged into another.';

create function public.archive_business(p_business_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.require_owner(p_business_id);
  perform private.archive_them(array[p_business_id]);
  return (
    select jsonb_build_object('id', b.id, 'archived_at', b.archived_at)
    from public.businesses b where b.id = p_business_id
  );
end
$$;
comment on function public.archive_business(uuid) is
  'The owner archives a business: it becomes read-only, open invitations stop working and open coaching ends; {id, archived_at}.';
grant execute on function public.archive_business(uuid) to authenticated;

create function public.unarchive_business(p_business_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.require_owner(p_business_id);
  perform private.unarchive_them(array[p_business_id]);
  return jsonb_build_object('id', p_business_id, 'archived_at', null);
end
$$;
comment on function public.unarchive_business(uuid) is
  'The owner restores a business as it was, without invitations or coaching; {id, archived_at}.';
grant execute on function public.unarchive_business(uuid) to authenticated;

-- Queries for the pages -------------------------------------------------------------------------

create function public.list_businesses(
  p_archived boolean default false, p_page int default 1, p_page_size int default 20
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_size int := least(greatest(coalesce(p_page_size, 20), 1), 100);
  v_skip bigint := (least(greatest(coalesce(p_page, 1), 1), 1000000)::bigint - 1) * v_size;
begin
  return (
    with mine as materialized (
      select b.*, m.role
      from public.businesses b
      left join public.business_members m on m.business_id = b.id and m.user_id = v_user_id
      where b.id = any (array(select private.readable_business_ids()))
    )
    select jsonb_build_object(
      'total', (select count(*) from mine where (archived_at is not null) = p_archived),
      'other', (select count(*) from mine where (archived_at is not null) <> p_archived),
      'page_size', v_size,
      'invitations', case when p_archived then '[]'::jsonb else private.invitations_to_me() end,
      'businesses', coalesce((
        select jsonb_agg(
          jsonb_build_object(
            'id', o.id, 'name', o.name, 'trading', o.trading, 'city', o.city, 'region', o.region,
            'postal_code', o.postal_code, 'industry', o.industry, 'role', o.role,
            'archived_at', o.archived_at,
            'members', (select count(*) from public.business_members a where a.business_id = o.id),
            -- Who belongs to it is for its members; a coach knows whose business it is.
            'owner', (
              select private.name_of(a.user_id) from public.business_members a
              where a.business_id = o.id and a.role = 'owner'
            ),
            'plan', private.plan_progress(o.id),
            'forecast_saved_at', (
              select w.saved_at from public.business_worksheets w
              where w.business_id = o.id and w.kind = 'forecast'
            )
          ) order by o.name collate private.by_name, o.id
        )
        from (
          select * from mine where (archived_at is not null) = p_archived
          order by name collate private.by_name, id offset v_skip limit v_size
        ) o
      ), '[]')
    )
  );
end
$$;
comment on function public.list_businesses(boolean, int, int) is
  'A page of the businesses the caller can read, by name, each with its owner''s name and how far its plan and forecast are: {businesses, total, other (archived, or the rest), page_size, invitations (open ones to the caller)}. role is null for the coach.';
grant execute on function public.list_businesses(boolean, int, int) to authenticated;

create function public.get_business(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_business public.businesses;
  v_role text;
begin
  select * into v_business from public.businesses b
  where b.id = p_id and b.id = any (array(select private.readable_business_ids()));
  if not found then
    return null;
  end if;
  select m.role into v_role from public.business_members m
  where m.business_id = p_id and m.user_id = v_user_id;
  return jsonb_build_object(
    'id', v_business.id, 'role', v_role, 'archived_at', v_business.archived_at,
    'merged_into', private.merged_into(p_id),
    'facts', private.business_facts(v_business),
    'snapshots', private.snapshots_json(p_id, null, 24),
    -- Who belongs to it is for its members.
    'members', case when v_role is null then '[]'::jsonb else coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'user_id', m.user_id, 'name', private.name_of(m.user_id), 'role', m.role,
          'joined_at', m.joined_at
        ) order by m.role desc, m.joined_at, m.user_id
      )
      from (
        select * from public.business_members a where a.business_id = p_id
        order by a.role desc, a.joined_at limit 200
      ) m
    ), '[]') end,
    'invitations', case when v_role is distinct from 'owner' then '[]'::jsonb else coalesce((
      select jsonb_agg(private.invitation_json(i.id) order by i.created_at desc, i.id)
      from public.business_invitations i where i.business_id = p_id and i.ended is null
    ), '[]') end,
    'plan', private.plan_progress(p_id),
    'forecast', (
      select jsonb_build_object('saved_at', w.saved_at)
      from public.business_worksheets w where w.business_id = p_id and w.kind = 'forecast'
    ),
    'calculators', (
      select count(*)
      from public.business_worksheets w where w.business_id = p_id and w.kind <> 'forecast'
    ),
    'client', private.client_of(p_id)
  );
end
$$;
comment on function public.get_business(uuid) is
  'A business with its figures, members, open invitations (for its owner) and its plan''s progress; null if the caller can''t read it. role is null for the coach, who gets client: {id, name} of the engagement and its owner.';
grant execute on function public.get_business(uuid) to authenticated;
