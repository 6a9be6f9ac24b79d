-- What people do with the toolbox: they save an item, mark it as done, and fill in a copy of a
-- template that belongs to their business.
--
-- Marks are private. The members of a copy's business and the assigned coach can read it; only
-- members can write it, through procedures.

create table public.toolbox_marks (
  user_id uuid not null references auth.users (id) on delete cascade,
  item_id uuid not null references public.toolbox_items (id) on delete cascade,
  saved_at timestamptz,
  done_at timestamptz,
  primary key (user_id, item_id),
  check (saved_at is not null or done_at is not null)
);
comment on table public.toolbox_marks is 'Items of the toolbox that a person has saved or done.';
create index toolbox_marks_item_id_idx on public.toolbox_marks (item_id);
create index toolbox_marks_saved_idx on public.toolbox_marks (user_id, saved_at desc)
  where saved_at is not null;

create table public.tool_copies (
  -- Created by the browser, so that sending it twice copies once.
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  -- Null once the item is deleted: the copy stays.
  item_id uuid references public.toolbox_items (id) on delete set null,
  item_version int not null,
  title text not null check (char_length(btrim(title)) between 1 and 160),
  body_markdown text not null check (char_length(body_markdown) <= 60000),
  -- Counts changes, so that we detect an edit based on an older revision.
  revision int not null default 1,
  created_by uuid references auth.users (id) on delete set null,
  updated_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz
);
comment on table public.tool_copies is
  'Toolbox templates as a business fills them in; a removed one is kept for 30 days.';
create index tool_copies_business_id_idx on public.tool_copies (business_id, updated_at desc, id);
create index tool_copies_item_id_idx on public.tool_copies (item_id);
create index tool_copies_created_by_idx on public.tool_copies (created_by);
create index tool_copies_updated_by_idx on public.tool_copies (updated_by);
create index tool_copies_removed_at_idx on public.tool_copies (removed_at)
  where removed_at is not null;

-- Row-level security ----------------------------------------------------------------------------

alter table public.toolbox_marks enable row level security;
alter table public.tool_copies enable row level security;

create policy "People read their own marks"
  on public.toolbox_marks for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
create policy "Members and the assigned coach read the copies of a business"
  on public.tool_copies for select to authenticated
  using (
    (select private.session_ok()) and removed_at is null
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.toolbox_marks, public.tool_copies to authenticated;

-- Marks -----------------------------------------------------------------------------------------

create function public.mark_tool(p_slug text, p_mark text, p_on boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_item_id uuid;
  v_now timestamptz := case when p_on then now() end;
begin
  if p_mark is null or p_mark not in ('saved', 'done') then
    raise exception 'A tool is marked as saved or as done.' using errcode = '22023';
  end if;
  select i.id into v_item_id
  from public.toolbox_items i
  where i.slug = p_slug and (
    i.state = 'published' or not p_on
    or (i.state = 'archived' and i.id in (select private.kept_tool_ids()))
  );
  if v_item_id is null then
    raise exception 'This tool is no longer available.' using errcode = 'P0002';
  end if;
  perform private.one_at_a_time('toolbox_marks', v_user_id);
  if p_on then
    insert into public.toolbox_marks as m (user_id, item_id, saved_at, done_at)
    values (
      v_user_id, v_item_id,
      case p_mark when 'saved' then v_now end, case p_mark when 'done' then v_now end
    )
    on conflict (user_id, item_id) do update set
      saved_at = coalesce(m.saved_at, excluded.saved_at),
      done_at = coalesce(m.done_at, excluded.done_at);
    return;
  end if;
  -- The last mark takes the row with it.
  delete from public.toolbox_marks m
  where m.user_id = v_user_id and m.item_id = v_item_id
    and case p_mark when 'saved' then m.done_at else m.saved_at end is null;
  update public.toolbox_marks m set
    saved_at = case p_mark when 'saved' then null else m.saved_at end,
    done_at = case p_mark when 'done' then null else m.done_at end
  where m.user_id = v_user_id and m.item_id = v_item_id;
end
$$;
comment on function public.mark_tool(text, text, boolean) is
  'Sets or clears the caller''s mark ("saved", "done") on a published item, or an archived one that they kept; idempotent.';

-- Copies ----------------------------------------------------------------------------------------

create function public.copy_tool(p_id uuid, p_slug text, p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_item public.toolbox_items;
begin
  perform private.require_member(p_business_id);
  perform private.one_at_a_time('tool_copies', p_business_id);
  if exists (
    select from public.tool_copies c where c.id = p_id and c.business_id = p_business_id
  ) then
    return;
  end if;
  select * into v_item
  from public.toolbox_items i where i.slug = p_slug and i.state = 'published';
  if v_item.id is null then
    raise exception 'This tool is no longer available.' using errcode = 'P0002';
  end if;
  if v_item.type not in ('template', 'worksheet', 'checklist') then
    raise exception 'You can only fill in templates, worksheets and checklists.'
      using errcode = '22023';
  end if;
  insert into public.tool_copies (
    id, business_id, item_id, item_version, title, body_markdown, created_by, updated_by
  ) values (
    p_id, p_business_id, v_item.id, v_item.version, v_item.title, v_item.body_markdown,
    v_user_id, v_user_id
  );
end
$$;
comment on function public.copy_tool(uuid, text, uuid) is
  'Copies a template, worksheet or checklist into one of the caller''s businesses, once under its id.';

create function private.require_copy(p_id uuid) returns public.tool_copies
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_copy public.tool_copies;
begin
  select * into v_copy from public.tool_copies c
  where c.id = p_id and c.business_id in (select private.my_business_ids())
  for update;
  -- Somebody else's sounds like none.
  if v_copy.id is null then
    raise exception 'This copy is gone.' using errcode = 'P0002';
  end if;
  perform private.require_unarchived(v_copy.business_id);
  return v_copy;
end
$$;

create function private.copy_json(p_copy public.tool_copies) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_copy.id, 'title', p_copy.title, 'body_markdown', p_copy.body_markdown,
    'revision', p_copy.revision, 'updated_at', p_copy.updated_at,
    'updated_by', p_copy.updated_by,
    'updated_by_name', (
      select p.full_name from public.profiles p where p.user_id = p_copy.updated_by
    )
  )
$$;

create function public.save_tool_copy(p_id uuid, p_revision int, p_title text, p_body text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_copy public.tool_copies := private.require_copy(p_id);
  v_title text := private.clean_line(p_title, 160);
begin
  if v_title is null then
    raise exception 'Give it a name.' using errcode = '22023', hint = 'title';
  end if;
  if char_length(p_body) > 60000 then
    raise exception 'That’s longer than 60,000 characters. Shorten it, or start a second copy.'
      using errcode = '22023', hint = 'body';
  end if;
  if v_copy.removed_at is not null then
    raise exception 'This copy was removed. Write to us within 30 days and we’ll restore it.' using errcode = '55000';
  end if;
  if v_copy.title = v_title and v_copy.body_markdown = p_body then
    -- Sent twice, or changed back: as it is asked for.
    return jsonb_build_object('saved', true, 'copy', private.copy_json(v_copy));
  end if;
  if v_copy.revision is distinct from p_revision then
    return jsonb_build_object('saved', false, 'copy', private.copy_json(v_copy));
  end if;
  update public.tool_copies c set
    title = v_title, body_markdown = p_body, revision = c.revision + 1,
    updated_by = v_user_id, updated_at = now()
  where c.id = p_id
  returning * into v_copy;
  return jsonb_build_object('saved', true, 'copy', private.copy_json(v_copy));
end
$$;
comment on function public.save_tool_copy(uuid, int, text, text) is
  'Saves a copy based on the given revision: {saved, copy}. If someone was faster, nothing is saved and copy is theirs.';

create function public.remove_tool_copy(p_id uuid, p_removed boolean default true) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.require_copy(p_id);
  update public.tool_copies c
  set removed_at = case when p_removed then coalesce(c.removed_at, now()) end
  where c.id = p_id;
end
$$;
comment on function public.remove_tool_copy(uuid, boolean) is
  'Removes a copy from one of the caller''s businesses, or restores it within 30 days.';

create function private.delete_removed_copies() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.tool_copies where removed_at < now() - interval '30 days' returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_removed_copies', interval '1 day');

-- Data of the screens, one query each -----------------------------------------------------------

create function private.words_query(p_text text) returns tsquery
language sql stable set search_path = '' as $$
  -- Each word as a beginning: "cash fore" finds the cash forecast.
  select to_tsquery('english', string_agg(w || ':*', ' & '))
  from regexp_split_to_table(lower(coalesce(p_text, '')), '[^[:alnum:]]+') w
  where w <> ''
$$;
comment on function private.words_query(text) is
  'A search query, with every word as a prefix; null for nothing.';

create function public.list_toolbox(
  p_business_id uuid default null,
  p_query text default '',
  p_area text default null,
  p_type text default null,
  p_level text default null,
  p_mark text default null,
  p_page int default 1
) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
  c_page constant int := 24;
  -- Beyond this many nobody needs the number.
  c_counted constant int := 1000;
  -- Put together from these constants alone, so that each request is planned for what it asks.
  c_from constant text := $from$
    from public.toolbox_items i
    left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
    where (i.state = 'published' or ($5 in ('saved', 'done') and i.state = 'archived'))
      and ($1 is null or i.words @@ $1)
      and ($2 is null or i.area_key = $2)
      and ($3 is null or i.type = $3)
      and ($4 is null or $4 = any (i.levels))
      and case $5 when 'saved' then m.saved_at is not null
        when 'done' then m.done_at is not null
        when 'open' then m.done_at is null
        else true end $from$;
  v_query tsquery := private.words_query(left(p_query, 100));
  v_page int := greatest(1, least(coalesce(p_page, 1), 1000));
  v_rank text := '';
  v_found jsonb;
  v_total int;
  v_narrowed boolean;
begin
  -- Words that mean nothing ("the") narrow nothing.
  if numnode(v_query) = 0 then
    v_query := null;
  end if;
  -- An area that does not exist filters nothing.
  if not exists (select from public.skill_areas a where a.key = p_area) then
    p_area := null;
  end if;
  v_narrowed := v_query is not null or p_area is not null or p_type is not null
    or p_level is not null or p_mark is not null;
  if v_query is not null then
    v_rank := 'ts_rank(i.words, $1) desc, ';
  end if;

  execute 'select coalesce(jsonb_agg(to_jsonb(f)), ''[]'') from (
      select i.slug, i.title, i.summary, i.type, i.area_key, i.levels, i.minutes, i.format,
        i.state = ''archived'' as archived, m.saved_at, m.done_at' || c_from
    || ' order by ' || v_rank || 'i.minutes, i.title, i.id limit $6 offset $7) f'
  into v_found
  using v_query, p_area, p_type, p_level, p_mark, c_page + 1, (v_page - 1) * c_page;
  execute 'select count(*) from (select ' || c_from || ' limit $6) f'
  into v_total
  using v_query, p_area, p_type, p_level, p_mark, c_counted;

  return jsonb_build_object(
    'items', v_found - c_page,
    'more', jsonb_array_length(v_found) > c_page,
    'page', v_page,
    'total', v_total,
    'counted_to', c_counted,
    'area', p_area,
    'areas', (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name, 'short_name', a.short_name)
        order by a.position)
      from public.skill_areas a
    ),
    'recommended', case when v_narrowed or v_page > 1 then '[]'
      else coalesce(private.recommended_tools(p_business_id), '[]') end,
    'copies', case when v_page > 1 then '[]' else coalesce((
      select jsonb_agg(to_jsonb(c) order by c.updated_at desc, c.id)
      from (
        select c.id, c.title, c.updated_at, i.title as item_title
        from public.tool_copies c
        left join public.toolbox_items i on i.id = c.item_id
        where c.business_id = p_business_id
        order by c.updated_at desc, c.id
        limit 50
      ) c
    ), '[]') end
  );
end
$$;
comment on function public.list_toolbox(uuid, text, text, text, text, text, int) is
  'A page of 24 matching published items with the caller''s marks, and among those they saved or did the archived ones: {items, more, page, total (counted up to counted_to), area (null if it doesn''t exist), areas}; without filters also {recommended}; {copies} of the business.';

create function private.recommended_tools(p_business_id uuid) returns jsonb
-- Of the caller's own attempts only: planning the policies of five tables takes longer than the query.
language sql stable security definer set search_path = '' as $$
  with latest as (
    select a.id, a.version_id, a.submitted_at
    from public.attempts a
    where (select private.session_ok()) and a.user_id = auth.uid() and a.state = 'submitted'
    order by (a.business_id is not distinct from p_business_id) desc, a.submitted_at desc
    limit 1
  )
  select jsonb_agg(
    jsonb_build_object(
      'area_key', r.area_key, 'score', s.score, 'submitted_at', l.submitted_at,
      'slug', t.slug, 'title', t.title, 'summary', t.summary, 'type', t.type,
      'levels', t.levels, 'minutes', t.minutes, 'format', t.format,
      'saved_at', t.saved_at, 'done_at', null
    ) order by r.position
  )
  from latest l
  join public.recommendations r on r.attempt_id = l.id
  join public.area_scores s on s.attempt_id = r.attempt_id and s.area_key = r.area_key
  cross join lateral private.tool_for(r.area_key, r.reason_question_key, s.level) c (slug)
  -- What the results page names, and when that is done the tool for the next weakest practice.
  join lateral (
    select i.*, m.saved_at
    from public.toolbox_items i
    left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
    left join public.answers n on n.attempt_id = l.id and n.question_key = i.practice
    left join public.quiz_questions q on q.version_id = l.version_id and q.key = n.question_key
    where i.area_key = r.area_key and i.state = 'published' and m.done_at is null
      and n.applies is distinct from false
    order by (i.slug = c.slug) desc nulls last, n.value, q.weight desc nulls last, q.position,
      (s.level = any (i.levels)) desc, i.minutes, i.slug
    limit 1
  ) t on true
$$;
comment on function private.recommended_tools(uuid) is
  'The next item for each area in the caller''s latest results: for its weakest practice, or for the next one that applies once that''s done. Null without results.';

create function public.get_tool(p_slug text, p_business_id uuid default null) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'slug', i.slug, 'title', i.title, 'summary', i.summary, 'type', i.type,
    'area_key', i.area_key, 'area_name', a.name, 'levels', i.levels, 'minutes', i.minutes,
    'format', i.format, 'version', i.version, 'reviewed_on', i.reviewed_on,
    'calculator', i.calculator, 'body_markdown', i.body_markdown,
    'files', i.files, 'video', i.video, 'captions', i.captions,
    'is_built', i.version is not distinct from i.built_version,
    'change', private.tool_changes(i.id, i.version - 1) -> 0 ->> 'change',
    'archived', case when i.state = 'archived' then jsonb_build_object(
      'at', i.archived_at, 'reason', i.archived_reason
    ) end,
    'saved_at', m.saved_at, 'done_at', m.done_at,
    'fillable', i.state = 'published' and i.type in ('template', 'worksheet', 'checklist'),
    'copies', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title, 'updated_at', c.updated_at)
        order by c.updated_at desc, c.id)
      from public.tool_copies c where c.item_id = i.id and c.business_id = p_business_id
    ), '[]')
  )
  from public.toolbox_items i
  join public.skill_areas a on a.key = i.area_key
  left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
  -- An admin sees drafts on the page where they're written.
  where i.slug = p_slug and i.state <> 'draft'
$$;
comment on function public.get_tool(text, uuid) is
  'One published item, or an archived one that the caller kept, with their marks, its copies in the business and what changed in this version; null if there is none.';

create function public.get_tool_copy(p_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'id', c.id, 'title', c.title, 'body_markdown', c.body_markdown, 'revision', c.revision,
    'updated_at', c.updated_at, 'updated_by', c.updated_by,
    'updated_by_name', (
      select p.full_name from public.profiles p where p.user_id = c.updated_by
    ),
    'business', jsonb_build_object(
      'id', b.id, 'name', b.name, 'archived', b.archived_at is not null
    ),
    'item', case when i.id is not null then jsonb_build_object(
      'slug', i.slug, 'title', i.title, 'version', i.version, 'copied_version', c.item_version,
      'archived', i.state = 'archived', 'changes', private.tool_changes(i.id, c.item_version)
    ) end,
    'may_edit', c.business_id in (select private.my_business_ids()) and b.archived_at is null
  )
  from public.tool_copies c
  join public.businesses b on b.id = c.business_id
  left join public.toolbox_items i on i.id = c.item_id
  where c.id = p_id
$$;
comment on function public.get_tool_copy(uuid) is
  'A copy the caller can read, with its business, the item it came from and what changed in that since; null if there is none.';

grant execute on function
  public.mark_tool(text, text, boolean), public.copy_tool(uuid, text, uuid),
  public.save_tool_copy(uuid, int, text, text), public.remove_tool_copy(uuid, boolean),
  public.list_toolbox(uuid, text, text, text, text, text, int), public.get_tool(text, uuid),
  public.get_tool_copy(uuid),
  private.recommended_tools(uuid), private.words_query(text)
to authenticated;
