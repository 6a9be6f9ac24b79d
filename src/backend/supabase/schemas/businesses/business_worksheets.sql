-- Worksheets: the cash forecast and the calculators that a business keeps, with earlier versions.
--
-- A worksheet is one document, saved as a whole while people type. Whoever saves over a version they
-- haven't seen is shown it first. Each person's last version of each day is kept.

create table public.business_worksheets (
  business_id uuid not null references public.businesses (id) on delete cascade,
  kind text not null check (kind in ('forecast', 'break-even', 'cash-runway', 'price')),
  -- Its figures. A forecast's are in whole cents; a calculator's are as typed.
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  -- Counts changes.
  revision int not null check (revision > 0),
  saved_by uuid references auth.users (id) on delete set null,
  saved_at timestamptz not null default now(),
  primary key (business_id, kind)
);
comment on table public.business_worksheets is
  'The cash forecast and the calculators of a business, one of each kind, as they are now.';
create index business_worksheets_saved_by_idx on public.business_worksheets (saved_by);

create table public.business_worksheet_versions (
  business_id uuid not null,
  kind text not null,
  revision int not null check (revision > 0),
  document jsonb not null,
  -- No foreign key: the figures outlive their author's account.
  saved_by uuid,
  saved_at timestamptz not null default clock_timestamp(),
  restored_from int,
  -- Restored over: it stays, whatever its author saves the same day.
  is_final boolean not null default false,
  primary key (business_id, kind, revision),
  foreign key (business_id, kind)
    references public.business_worksheets (business_id, kind) on delete cascade on update cascade
);
comment on table public.business_worksheet_versions is
  'Earlier versions of worksheets: each person''s last one of each day, with author and time.';

-- Row-level security ----------------------------------------------------------------------------

alter table public.business_worksheets enable row level security;
alter table public.business_worksheet_versions enable row level security;

create policy "Members and the assigned coach read worksheets"
  on public.business_worksheets for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
create policy "Those who read a worksheet read its history"
  on public.business_worksheet_versions for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.business_worksheets, public.business_worksheet_versions to authenticated;

-- What a document can hold ----------------------------------------------------------------------

create function private.is_cents(p_value jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case jsonb_typeof(p_value)
    when 'null' then true
    when 'number' then abs((p_value)::numeric) <= 100000000000 and (p_value)::numeric % 1 = 0
    else false
  end
$$;
comment on function private.is_cents(jsonb) is
  'Whether a value is whole cents, at most a billion dollars either way, or null.';

create function private.is_percent(p_value jsonb, p_least numeric, p_most numeric) returns boolean
language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(p_value) = 'number'
    then (p_value)::numeric between p_least and p_most and (p_value)::numeric * 10 % 1 = 0
    else false
  end
$$;
comment on function private.is_percent(jsonb, numeric, numeric) is
  'Whether a value is a number within limits, with at most one decimal.';

create function private.is_month(p_value jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(
    jsonb_typeof(p_value) = 'string' and p_value #>> '{}' ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$', false
  )
$$;
comment on function private.is_month(jsonb) is 'Whether a value is a month: "2026-12".';

create function private.has_keys(p_value jsonb, variadic p_keys text[]) returns boolean
language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(p_value) = 'object'
    then p_value ?& p_keys and (p_value - p_keys) = '{}'
    else false
  end
$$;
comment on function private.has_keys(jsonb, text[]) is
  'Whether a value is an object with these keys and no others.';

create function private.is_forecast_row(p_row jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when private.has_keys(p_row, 'id', 'side', 'kind', 'name', 'amounts')
      and jsonb_typeof(p_row -> 'name') = 'string' and jsonb_typeof(p_row -> 'id') = 'string'
      and jsonb_typeof(p_row -> 'amounts') = 'array'
    then char_length(p_row ->> 'id') between 1 and 36
      and char_length(p_row ->> 'name') between 1 and 60
      and case p_row ->> 'side'
        when 'in' then coalesce(p_row ->> 'kind' in ('sale', 'invoice', 'funding'), false)
        when 'out' then coalesce(p_row ->> 'kind' in ('variable', 'fixed'), false)
        else false
      end
      and jsonb_array_length(p_row -> 'amounts') = 12
      and (select bool_and(private.is_cents(a)) from jsonb_array_elements(p_row -> 'amounts') a)
    else false
  end
$$;
comment on function private.is_forecast_row(jsonb) is
  'Whether a value is a row of a forecast: its id, side, kind, name and twelve amounts.';

create function private.is_past_row(p_row jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when private.has_keys(p_row, 'name', 'side', 'planned', 'actual')
    then jsonb_typeof(p_row -> 'name') = 'string' and char_length(p_row ->> 'name') <= 60
      and coalesce(p_row ->> 'side' in ('in', 'out'), false)
      and private.is_cents(p_row -> 'planned') and private.is_cents(p_row -> 'actual')
    else false
  end
$$;
comment on function private.is_past_row(jsonb) is
  'Whether a value is a row of a month that''s over: what was planned and what happened.';

create function private.is_past_month(p_month jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when private.has_keys(p_month, 'month', 'rows', 'planned', 'actual')
      and jsonb_typeof(p_month -> 'rows') = 'array' and jsonb_array_length(p_month -> 'rows') <= 60
    then private.is_month(p_month -> 'month')
      and jsonb_typeof(p_month -> 'planned') = 'number'
      and jsonb_typeof(p_month -> 'actual') in ('number', 'null')
      and (
        select coalesce(bool_and(private.is_past_row(r)), true)
        from jsonb_array_elements(p_month -> 'rows') r
      )
    else false
  end
$$;
comment on function private.is_past_month(jsonb) is
  'Whether a value is a month of a forecast that''s over.';

create function private.is_what_if(p_what jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when private.has_keys(p_what, 'late', 'price', 'hire')
      and private.has_keys(p_what -> 'late', 'on', 'percent', 'months')
      and private.has_keys(p_what -> 'price', 'on', 'from', 'percent', 'volume')
      and private.has_keys(p_what -> 'hire', 'on', 'from', 'cents', 'taxes')
    then (
        select bool_and(jsonb_typeof(w.value -> 'on') = 'boolean') from jsonb_each(p_what) w
      )
      and private.is_percent(p_what #> '{late,percent}', 0, 100)
      and p_what #> '{late,months}' in ('1', '2', '3', '4', '5', '6')
      and private.is_month(p_what #> '{price,from}')
      and private.is_percent(p_what #> '{price,percent}', -100, 1000)
      and private.is_percent(p_what #> '{price,volume}', -100, 1000)
      and private.is_month(p_what #> '{hire,from}')
      and jsonb_typeof(p_what #> '{hire,cents}') = 'number'
      and private.is_cents(p_what #> '{hire,cents}')
      and private.is_percent(p_what #> '{hire,taxes}', 0, 100)
    else false
  end
$$;
comment on function private.is_what_if(jsonb) is
  'Whether a value holds the three what-ifs of a forecast.';

create function private.is_forecast(p_document jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when private.has_keys(p_document, 'start', 'opening', 'floor', 'rows', 'whatIf', 'past')
      and jsonb_typeof(p_document -> 'rows') = 'array'
      and jsonb_array_length(p_document -> 'rows') <= 60
      and jsonb_typeof(p_document -> 'past') = 'array'
      and jsonb_array_length(p_document -> 'past') <= 24
    then private.is_month(p_document -> 'start')
      and private.is_cents(p_document -> 'opening') and private.is_cents(p_document -> 'floor')
      and (
        select coalesce(bool_and(private.is_forecast_row(r)), true)
          and count(*) = count(distinct r -> 'id')
          and count(*) filter (where r ->> 'side' = 'in') <= 30
          and count(*) filter (where r ->> 'side' = 'out') <= 30
        from jsonb_array_elements(p_document -> 'rows') r
      )
      and private.is_what_if(p_document -> 'whatIf')
      and (
        select coalesce(bool_and(private.is_past_month(m)), true)
        from jsonb_array_elements(p_document -> 'past') m
      )
    else false
  end
$$;
comment on function private.is_forecast(jsonb) is
  'Whether a document is a forecast as src/domain/forecast.ts defines it.';

create function private.is_calculator(p_document jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(p_document) = 'object'
    then (
      select count(*) <= 10 and coalesce(bool_and(
        f.key ~ '^[a-z]{1,20}$' and jsonb_typeof(f.value) = 'string'
        and char_length(f.value #>> '{}') <= 40
      ), true)
      from jsonb_each(p_document) f
    )
    else false
  end
$$;
comment on function private.is_calculator(jsonb) is
  'Whether a document holds what was typed into a calculator, by field.';

-- Procedures ------------------------------------------------------------------------------------

create function private.worksheet_json(p_business_id uuid, p_kind text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select jsonb_build_object(
      'document', w.document, 'revision', w.revision,
      'saved_by', private.name_of(w.saved_by), 'saved_at', w.saved_at
    )
    from public.business_worksheets w where w.business_id = p_business_id and w.kind = p_kind
  ), jsonb_build_object('document', null, 'revision', 0, 'saved_by', null, 'saved_at', null))
$$;
comment on function private.worksheet_json(uuid, text) is
  'A worksheet: {document, revision, saved_by, saved_at}; revision 0 if there''s none yet.';

create function public.get_worksheet(p_business_id uuid, p_kind text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'business_id', b.id, 'name', b.name, 'archived', b.archived_at is not null,
      'role', (
        select m.role from public.business_members m
        where m.business_id = b.id and m.user_id = v_user_id
      ),
      'sheet', private.worksheet_json(b.id, p_kind),
      'client', private.client_of(b.id)
    )
    from public.businesses b
    where b.id = p_business_id and b.id = any (array(select private.readable_business_ids()))
  );
end
$$;
comment on function public.get_worksheet(uuid, text) is
  'A worksheet of a business: {business_id, name, archived, role, sheet, client}; null if the caller can''t read it. role is null for the coach, who gets client.';
grant execute on function public.get_worksheet(uuid, text) to authenticated;

create function private.write_worksheet(
  p_business_id uuid, p_kind text, p_document jsonb, p_restored_from int
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Versions of a worksheet.
  c_kept constant int := 400;
  v_user_id uuid := auth.uid();
  v_revision int;
begin
  insert into public.business_worksheets as w (
    business_id, kind, document, revision, saved_by, saved_at
  ) values (p_business_id, p_kind, p_document, 1, v_user_id, clock_timestamp())
  on conflict (business_id, kind) do update
    set document = excluded.document, revision = w.revision + 1, saved_by = excluded.saved_by,
      saved_at = excluded.saved_at
  returning w.revision into v_revision;

  -- The newest version goes on, if it's the same person's and of the same day where they are.
  update public.business_worksheet_versions v
  set revision = v_revision, document = p_document, saved_at = clock_timestamp()
  where v.business_id = p_business_id and v.kind = p_kind and v.revision = v_revision - 1
    and v.saved_by = v_user_id and not v.is_final and v.restored_from is null
    and p_restored_from is null and v.saved_at >= private.day_start(v_user_id);
  if not found then
    insert into public.business_worksheet_versions (
      business_id, kind, revision, document, saved_by, restored_from
    ) values (p_business_id, p_kind, v_revision, p_document, v_user_id, p_restored_from);
    -- Refusing to save would be worse than forgetting the oldest of so many.
    delete from public.business_worksheet_versions v
    where v.business_id = p_business_id and v.kind = p_kind and v.revision <= (
      select o.revision from public.business_worksheet_versions o
      where o.business_id = p_business_id and o.kind = p_kind
      order by o.revision desc offset c_kept limit 1
    );
  end if;
end
$$;

create function public.save_worksheet(
  p_business_id uuid, p_kind text, p_document jsonb, p_base_revision int
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_before public.business_worksheets;
  v_saved boolean := true;
begin
  perform private.require_session();
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  if p_kind is null or p_kind not in ('forecast', 'break-even', 'cash-runway', 'price') then
    raise exception 'There’s no such worksheet.' using errcode = '22023', hint = 'kind';
  end if;
  if octet_length(p_document::text) > 200000 then
    raise exception 'That’s too much for one worksheet. Remove some rows.'
      using errcode = '22023', hint = 'document';
  end if;
  if not coalesce(case p_kind when 'forecast' then private.is_forecast(p_document)
      else private.is_calculator(p_document) end, false) then
    raise exception 'Something in these figures can’t be saved. Reload the page and try again.'
      using errcode = '22023', hint = 'document';
  end if;

  perform private.one_at_a_time('worksheet', p_business_id);
  select * into v_before from public.business_worksheets w
  where w.business_id = p_business_id and w.kind = p_kind;
  if v_before.document is distinct from p_document then
    v_saved := coalesce(v_before.revision, 0) = coalesce(p_base_revision, 0);
    if v_saved then
      perform private.write_worksheet(p_business_id, p_kind, p_document, null);
    end if;
  end if;
  return jsonb_build_object(
    'saved', v_saved, 'sheet', private.worksheet_json(p_business_id, p_kind)
  );
end
$$;
comment on function public.save_worksheet(uuid, text, jsonb, int) is
  'A member saves a worksheet based on the given revision (0 for a new one): {saved, sheet}. If someone was faster, nothing is saved and sheet is theirs.';
grant execute on function public.save_worksheet(uuid, text, jsonb, int) to authenticated;

create function public.list_worksheet_versions(
  p_business_id uuid, p_kind text, p_before int default null, p_limit int default 20
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  if not p_business_id = any (array(select private.readable_business_ids())) then
    raise exception 'We can’t find this business.' using errcode = 'P0002';
  end if;
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'revision', v.revision, 'document', v.document, 'saved_at', v.saved_at,
        'saved_by', private.name_of(v.saved_by), 'restored_from', v.restored_from
      ) order by v.revision desc
    ), '[]')
    from (
      select * from public.business_worksheet_versions a
      where a.business_id = p_business_id and a.kind = p_kind
        and (p_before is null or a.revision < p_before)
      order by a.revision desc limit least(greatest(coalesce(p_limit, 20), 1), 50)
    ) v
  );
end
$$;
comment on function public.list_worksheet_versions(uuid, text, int, int) is
  'Earlier versions of a worksheet, newest first, with author and time, for anyone who can read it.';
grant execute on function public.list_worksheet_versions(uuid, text, int, int) to authenticated;

create function public.restore_worksheet_version(
  p_business_id uuid, p_kind text, p_revision int
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document jsonb;
  v_now jsonb;
begin
  perform private.require_session();
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  perform private.one_at_a_time('worksheet', p_business_id);
  select v.document into v_document from public.business_worksheet_versions v
  where v.business_id = p_business_id and v.kind = p_kind and v.revision = p_revision;
  if not found then
    raise exception 'We can’t find this version.' using errcode = 'P0002';
  end if;
  select w.document into v_now from public.business_worksheets w
  where w.business_id = p_business_id and w.kind = p_kind;
  if v_now <> v_document then
    -- What's there now stays in the history as well.
    update public.business_worksheet_versions v set is_final = true
    where v.business_id = p_business_id and v.kind = p_kind and v.revision = (
      select w.revision from public.business_worksheets w
      where w.business_id = p_business_id and w.kind = p_kind
    );
    perform private.write_worksheet(p_business_id, p_kind, v_document, p_revision);
  end if;
  return private.worksheet_json(p_business_id, p_kind);
end
$$;
comment on function public.restore_worksheet_version(uuid, text, int) is
  'A member restores an older version of a worksheet as a new one; returns the resulting worksheet.';
grant execute on function public.restore_worksheet_version(uuid, text, int) to authenticated;
