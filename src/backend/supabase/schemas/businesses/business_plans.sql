-- Business plans: one page, field by field, with all earlier versions.
--
-- Two people can write at the same time. In different fields, both changes are kept. In the same
-- field, the second person sees what the first wrote, and nothing is overwritten until they choose.

create table public.business_plan_fields (
  business_id uuid not null references public.businesses (id) on delete cascade,
  field text not null check (
    field in (
      'problem', 'offer', 'customer', 'competitors', 'channels', 'revenue', 'costs', 'milestones',
      'team', 'funding', 'measures', 'assumption', 'evidence', 'test'
    )
  ),
  -- Short enough that all the fields together fit on one printed page.
  value text not null check (char_length(value) <= 400),
  -- Counts changes to this field.
  revision int not null check (revision > 0),
  saved_by uuid references auth.users (id) on delete set null,
  saved_at timestamptz not null default now(),
  primary key (business_id, field)
);
comment on table public.business_plan_fields is
  'The current one-page plan of a business: a row for each field that was ever filled in.';
create index business_plan_fields_saved_by_idx on public.business_plan_fields (saved_by);

create table public.business_plan_versions (
  business_id uuid not null,
  field text not null,
  revision int not null check (revision > 0),
  value text not null,
  -- No foreign key: the text outlives its author's account.
  saved_by uuid,
  -- The open page that wrote it: a person's two tabs are two editors.
  editor uuid not null,
  began_at timestamptz not null default clock_timestamp(),
  saved_at timestamptz not null default clock_timestamp(),
  restored_from int,
  primary key (business_id, field, revision),
  foreign key (business_id, field)
    references public.business_plan_fields (business_id, field) on delete cascade on update cascade
);
comment on table public.business_plan_versions is
  'Earlier contents of plan fields, with author and time. What one page writes within ten minutes is one version.';

-- Row-level security ----------------------------------------------------------------------------

alter table public.business_plan_fields enable row level security;
alter table public.business_plan_versions enable row level security;

create policy "Members and the assigned coach read the plan of a business"
  on public.business_plan_fields for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
create policy "The history of a plan is read by whoever reads the plan"
  on public.business_plan_versions for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.business_plan_fields, public.business_plan_versions to authenticated;

-- Procedures ------------------------------------------------------------------------------------

create function private.plan_progress(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'filled', count(*) filter (where f.value <> ''), 'of', 14, 'saved_at', max(f.saved_at)
  )
  from public.business_plan_fields f where f.business_id = p_business_id
$$;

create function private.plan_field_json(p_field public.business_plan_fields) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'field', p_field.field, 'value', p_field.value, 'revision', p_field.revision,
    'saved_by', private.name_of(p_field.saved_by), 'saved_at', p_field.saved_at
  )
$$;

create function public.get_plan(p_business_id uuid) returns jsonb
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
      'fields', coalesce((
        select jsonb_agg(private.plan_field_json(f) order by f.field)
        from public.business_plan_fields f where f.business_id = b.id
      ), '[]'),
      'client', private.client_of(b.id)
    )
    from public.businesses b
    where b.id = p_business_id and b.id = any (array(select private.readable_business_ids()))
  );
end
$$;
comment on function public.get_plan(uuid) is
  'The plan of a business: {business_id, name, archived, role, fields, client}; null if the caller can''t read it. role is null for the coach, who gets client, and fields never filled in are left out.';
grant execute on function public.get_plan(uuid) to authenticated;

create function private.write_plan_field(
  p_business_id uuid, p_field text, p_value text, p_editor uuid, p_restored_from int
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Versions of a field.
  c_kept constant int := 500;
  v_user_id uuid := auth.uid();
  v_revision int;
begin
  insert into public.business_plan_fields as f (
    business_id, field, value, revision, saved_by, saved_at
  ) values (p_business_id, p_field, p_value, 1, v_user_id, clock_timestamp())
  on conflict (business_id, field) do update
    set value = excluded.value, revision = f.revision + 1, saved_by = excluded.saved_by,
      saved_at = excluded.saved_at
  returning f.revision into v_revision;

  -- One page that goes on writing goes on with its version; a restored one stands for itself.
  update public.business_plan_versions v
  set revision = v_revision, value = p_value, saved_at = clock_timestamp()
  where v.business_id = p_business_id and v.field = p_field and v.revision = v_revision - 1
    and v.editor = p_editor and v.saved_by = v_user_id and v.restored_from is null
    and p_restored_from is null and v.began_at > clock_timestamp() - interval '10 minutes';
  if not found then
    insert into public.business_plan_versions (
      business_id, field, revision, value, saved_by, editor, restored_from
    ) values (
      p_business_id, p_field, v_revision, p_value, v_user_id, p_editor, p_restored_from
    );
    -- Refusing to save would be worse than forgetting the oldest of so many.
    delete from public.business_plan_versions v
    where v.business_id = p_business_id and v.field = p_field and v.revision <= (
      select o.revision from public.business_plan_versions o
      where o.business_id = p_business_id and o.field = p_field
      order by o.revision desc offset c_kept limit 1
    );
  end if;
end
$$;

create function public.save_plan_field(
  p_business_id uuid, p_field text, p_value text, p_base_revision int, p_editor uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_value text := btrim(replace(coalesce(p_value, ''), e'\r\n', e'\n'), e' \t\n');
  v_before public.business_plan_fields;
  v_saved boolean := true;
begin
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  if p_field is null or p_field not in (
    'problem', 'offer', 'customer', 'competitors', 'channels', 'revenue', 'costs', 'milestones',
    'team', 'funding', 'measures', 'assumption', 'evidence', 'test'
  ) then
    raise exception 'A plan doesn’t have this field.' using errcode = '22023', hint = 'field';
  end if;
  if p_editor is null then
    raise exception 'Say which page is saving.' using errcode = '22023', hint = 'editor';
  end if;
  if char_length(v_value) > 400 then
    raise exception 'Keep it to 400 characters so the plan fits on one page.'
      using errcode = '22023', hint = p_field;
  end if;
  if char_length(v_value) - char_length(replace(v_value, e'\n', '')) > 9 then
    raise exception 'Keep it to ten lines so the plan fits on one page.'
      using errcode = '22023', hint = p_field;
  end if;

  perform private.one_at_a_time('plan', p_business_id);
  select * into v_before from public.business_plan_fields f
  where f.business_id = p_business_id and f.field = p_field;
  if coalesce(v_before.value, '') <> v_value then
    -- Whatever this page has not seen was written by somebody else: it is for a person to choose.
    v_saved := not exists (
      select from public.business_plan_versions v
      where v.business_id = p_business_id and v.field = p_field
        and v.revision > coalesce(p_base_revision, 0)
        and (v.editor <> p_editor or v.saved_by is distinct from v_user_id)
    );
    if v_saved then
      perform private.write_plan_field(p_business_id, p_field, v_value, p_editor, null);
    end if;
  end if;
  return jsonb_build_object(
    'saved', v_saved,
    'field', (
      select private.plan_field_json(f) from public.business_plan_fields f
      where f.business_id = p_business_id and f.field = p_field
    )
  );
end
$$;
comment on function public.save_plan_field(uuid, text, text, int, uuid) is
  'A member saves one field of the plan; {saved, field}. p_base_revision is what their page showed, p_editor the page: someone else''s newer text isn''t overwritten, but returned with saved false.';
grant execute on function public.save_plan_field(uuid, text, text, int, uuid) to authenticated;

create function public.list_plan_versions(
  p_business_id uuid, p_field text, p_before int default null, p_limit int default 20
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
        'revision', v.revision, 'value', v.value, 'saved_at', v.saved_at,
        'saved_by', private.name_of(v.saved_by), 'restored_from', v.restored_from
      ) order by v.revision desc
    ), '[]')
    from (
      select * from public.business_plan_versions a
      where a.business_id = p_business_id and a.field = p_field
        and (p_before is null or a.revision < p_before)
      order by a.revision desc limit least(greatest(coalesce(p_limit, 20), 1), 100)
    ) v
  );
end
$$;
comment on function public.list_plan_versions(uuid, text, int, int) is
  'Earlier contents of a plan field, newest first, with author and time, for anyone who can read the plan.';
grant execute on function public.list_plan_versions(uuid, text, int, int) to authenticated;

create function public.restore_plan_version(
  p_business_id uuid, p_field text, p_revision int, p_editor uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_value text;
  v_now text;
begin
  perform private.require_session();
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  if p_editor is null then
    raise exception 'Say which page is saving.' using errcode = '22023', hint = 'editor';
  end if;
  perform private.one_at_a_time('plan', p_business_id);
  select v.value into v_value from public.business_plan_versions v
  where v.business_id = p_business_id and v.field = p_field and v.revision = p_revision;
  if not found then
    raise exception 'We can’t find this version.' using errcode = 'P0002';
  end if;
  select f.value into v_now from public.business_plan_fields f
  where f.business_id = p_business_id and f.field = p_field;
  -- What stands there now is a version as well: nothing is lost by bringing an older one back.
  if v_now <> v_value then
    perform private.write_plan_field(p_business_id, p_field, v_value, p_editor, p_revision);
  end if;
  return (
    select private.plan_field_json(f) from public.business_plan_fields f
    where f.business_id = p_business_id and f.field = p_field
  );
end
$$;
comment on function public.restore_plan_version(uuid, text, int, uuid) is
  'A member restores an older version of a field as a new one; returns the resulting field.';
grant execute on function public.restore_plan_version(uuid, text, int, uuid) to authenticated;
