-- Versions of tools. One that was published never changes; what people see is the newest, which its
-- row in toolbox_items repeats. A tool has at most one draft, which becomes the next version.

create function private.tool_file_ids(p_files jsonb, p_video jsonb) returns uuid[]
language sql immutable set search_path = '' as $$
  select array_remove(array(
    select (f ->> 'id')::uuid from jsonb_array_elements(p_files) f
  ) || (p_video ->> 'id')::uuid || (p_video ->> 'poster')::uuid, null)
$$;
comment on function private.tool_file_ids(jsonb, jsonb) is
  'The ids of all files that a tool or a version of it names.';

create table public.toolbox_versions (
  id uuid primary key default gen_random_uuid(),
  item_id uuid not null references public.toolbox_items (id) on delete cascade,
  -- Null for a draft.
  version int check (version > 0),
  -- The version that the draft began as.
  based_on int,
  -- What a tool that was never published wants as its address.
  slug text not null default '' check (char_length(slug) <= 60),
  title text not null default '' check (char_length(title) <= 160),
  summary text not null default '' check (char_length(summary) <= 600),
  type text not null check (
    type in ('template', 'guide', 'worksheet', 'calculator', 'checklist', 'video', 'link')
  ),
  area_key text not null references public.skill_areas (key),
  practice text check (practice ~ '^[a-z-]+\.[a-z-]+$' and starts_with(practice, area_key || '.')),
  levels text[] not null check (
    levels <@ array['starting', 'developing', 'established', 'strong']
  ),
  minutes int check (minutes > 0),
  format text not null default '',
  calculator text check (calculator in ('break-even', 'cash-runway', 'price')),
  body_markdown text not null default '' check (char_length(body_markdown) <= 60000),
  -- What's different from the version before, for people who have a copy of that.
  change text check (char_length(change) between 1 and 300),
  -- Whether it comes from content/ and not from an admin.
  from_content boolean not null default false,
  -- Counts the draft's changes, so that we detect an edit based on an older revision.
  revision int not null default 1,
  created_by uuid references auth.users (id) on delete set null,
  updated_by uuid references auth.users (id) on delete set null,
  published_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  published_at timestamptz,
  -- What people download: [{id, name, type, size}], in the order that they see.
  files jsonb not null default '[]' check (jsonb_typeof(files) = 'array'),
  -- {id, type, size, seconds, poster: id of a picture}.
  video jsonb check (jsonb_typeof(video) = 'object'),
  -- What's said and heard in the video, as WebVTT.
  captions text not null default '' check (char_length(captions) <= 200000),
  -- The files that it names, videos and posters included.
  file_ids uuid[] not null generated always as (private.tool_file_ids(files, video)) stored,
  unique (item_id, version),
  check ((version is null) = (published_at is null)),
  check (
    published_at is null or (title <> '' and minutes is not null and cardinality(levels) > 0)
  )
);
comment on table public.toolbox_versions is
  'Every version of a tool and the draft of its next one. What was published never changes.';
create unique index toolbox_versions_draft_idx on public.toolbox_versions (item_id)
  where published_at is null;
create index toolbox_versions_area_key_idx on public.toolbox_versions (area_key);
create index toolbox_versions_created_by_idx on public.toolbox_versions (created_by);
create index toolbox_versions_updated_by_idx on public.toolbox_versions (updated_by);
create index toolbox_versions_published_by_idx on public.toolbox_versions (published_by);
create index toolbox_versions_file_ids_idx on public.toolbox_versions using gin (file_ids);
-- Admins read and write it through procedures.
alter table public.toolbox_versions enable row level security;

create function private.tool_content(p_row jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_object_agg(k, p_row -> k)
  from unnest(array[
    'title', 'summary', 'type', 'area_key', 'practice', 'levels', 'minutes', 'format', 'calculator',
    'body_markdown', 'files', 'video', 'captions'
  ]) k
$$;
comment on function private.tool_content(jsonb) is
  'What people read of a tool or a version of it, from its row as JSON.';

create function private.keep_published_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Become null when the account is deleted; a computed column isn't known yet.
  c_people constant text[] := array['created_by', 'updated_by', 'published_by', 'file_ids'];
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(old) - c_people = to_jsonb(new) - c_people then
      return new;
    end if;
  -- With the whole tool, which only SQL can delete.
  elsif not exists (select from public.toolbox_items i where i.id = old.item_id) then
    return old;
  end if;
  raise exception 'This version was published, so it can’t change anymore. Edit the tool to make the next one.'
    using errcode = '55000';
end
$$;
create trigger toolbox_versions_keep_what_was_published before update or delete
  on public.toolbox_versions
  for each row when (old.published_at is not null) execute function private.keep_published_version();

create function private.keep_published_tool() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.state <> 'draft' and new.slug <> old.slug then
    raise exception 'The address of a published tool stays the same.' using errcode = '55000';
  end if;
  if (new.version, private.tool_content(to_jsonb(new)))
      is distinct from (old.version, private.tool_content(to_jsonb(old)))
    or (old.state = 'draft' and new.state <> 'draft')
  then
    if new.state <> 'draft' and not exists (
      select from public.toolbox_versions v
      where v.item_id = new.id and v.version = new.version
        and private.tool_content(to_jsonb(v)) = private.tool_content(to_jsonb(new))
    ) then
      raise exception 'A published tool only changes with a new version of it.' using errcode = '55000';
    end if;
  end if;
  return new;
end
$$;
create trigger toolbox_items_keep_what_was_published before update on public.toolbox_items
  for each row execute function private.keep_published_tool();

create function private.add_first_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.toolbox_versions (
    item_id, version, title, summary, type, area_key, practice, levels, minutes, format, calculator,
    body_markdown, files, video, captions, from_content, published_at
  ) values (
    new.id, new.version, new.title, new.summary, new.type, new.area_key, new.practice, new.levels,
    new.minutes, new.format, new.calculator, new.body_markdown, new.files, new.video, new.captions,
    true, now()
  );
  return null;
end
$$;
create trigger toolbox_items_begin_with_a_version after insert on public.toolbox_items
  for each row when (new.state <> 'draft') execute function private.add_first_version();

create function private.show_tool_version(
  p_version public.toolbox_versions, p_reviewed_on date, p_slug text default null
) returns void
language sql volatile security definer set search_path = '' as $$
  update public.toolbox_items i set
    slug = coalesce(p_slug, i.slug), title = p_version.title, summary = p_version.summary,
    type = p_version.type, area_key = p_version.area_key, practice = p_version.practice,
    levels = p_version.levels, minutes = p_version.minutes, format = p_version.format,
    calculator = p_version.calculator, body_markdown = p_version.body_markdown,
    files = p_version.files, video = p_version.video, captions = p_version.captions,
    version = p_version.version, reviewed_on = p_reviewed_on, state = 'published'
  where i.id = p_version.item_id
$$;
comment on function private.show_tool_version(public.toolbox_versions, date, text) is
  'Makes a published version what people see of its tool.';

create function private.tool_changes(p_item_id uuid, p_after int) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('version', v.version, 'change', v.change) order by v.version
  ), '[]')
  from public.toolbox_versions v
  where v.item_id = p_item_id and v.version > p_after
$$;
comment on function private.tool_changes(uuid, int) is
  'The versions of a tool after this one, and what changed in each: [{version, change}].';
grant execute on function private.tool_changes(uuid, int) to authenticated;

-- What visitors read ----------------------------------------------------------------------------

create function public.is_tool_as_built(p_slug text default null) returns boolean
language sql stable security definer set search_path = '' as $$
  select case when p_slug is null then not exists (
    select from public.toolbox_items i where i.state <> 'draft' and not i.is_as_built
  ) else coalesce((
    select i.is_as_built or i.state = 'draft' from public.toolbox_items i where i.slug = p_slug
  ), true) end
$$;
comment on function public.is_tool_as_built(text) is
  'Whether the built page of a tool, or without a slug that of all tools, still says what''s published. True if there''s no such tool.';

create function public.list_public_tools() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'slug', i.slug, 'title', i.title, 'summary', i.summary, 'type', i.type,
      'area_key', i.area_key, 'practice', i.practice, 'minutes', i.minutes
    ) order by i.minutes, i.title, i.id
  ), '[]')
  from (
    select * from public.toolbox_items i where i.state = 'published'
    order by i.minutes, i.title, i.id limit 1000
  ) i
$$;
comment on function public.list_public_tools() is
  'The first 1,000 published tools, the shortest first, for everyone: [{slug, title, summary, type, area_key, practice, minutes}].';

create function public.get_public_tool(p_slug text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'slug', i.slug, 'title', i.title, 'summary', i.summary, 'type', i.type,
    'area_key', i.area_key, 'practice', i.practice, 'levels', i.levels, 'minutes', i.minutes,
    'format', i.format, 'version', i.version, 'reviewed_on', i.reviewed_on,
    'calculator', i.calculator, 'body_markdown', i.body_markdown,
    'files', i.files, 'video', i.video, 'captions', i.captions,
    'is_built', i.version is not distinct from i.built_version
  )
  from public.toolbox_items i where i.slug = p_slug and i.state = 'published'
$$;
comment on function public.get_public_tool(text) is
  'A published tool in full, for everyone, and whether the build has the same words; null if there''s none.';
grant execute on function
  public.is_tool_as_built(text), public.list_public_tools(), public.get_public_tool(text)
to anon, authenticated;
