-- Toolbox items: templates, guides and worksheets, each for one practice of an area and some levels of it.

create table public.toolbox_items (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null check (char_length(title) between 1 and 160),
  summary text not null check (char_length(summary) <= 600),
  type text not null check (
    type in ('template', 'guide', 'worksheet', 'calculator', 'checklist', 'video', 'link')
  ),
  area_key text not null references public.skill_areas (key),
  levels text[] not null check (
    levels <@ array['starting', 'developing', 'established', 'strong']
    and cardinality(levels) > 0
  ),
  minutes int not null check (minutes > 0),
  format text not null,
  version int not null default 1 check (version > 0),
  reviewed_on date not null,
  state text not null default 'draft' check (state in ('draft', 'published', 'archived')),
  body_markdown text not null default '',
  updated_at timestamptz not null default now(),
  calculator text check (calculator in ('break-even', 'cash-runway', 'price')),
  practice text check (practice ~ '^[a-z-]+\.[a-z-]+$' and starts_with(practice, area_key || '.')),
  -- How long a review lasts.
  review_months int not null default 12 check (review_months between 1 and 60),
  review_due_on date not null generated always as (
    (reviewed_on + make_interval(months => review_months))::date
  ) stored,
  archived_at timestamptz,
  archived_reason text check (char_length(archived_reason) <= 2000),
  -- What the built page of the tool says, if it comes from content/.
  built_version int,
  built_reviewed_on date,
  is_as_built boolean not null generated always as (
    state = 'published' and version is not distinct from built_version
    and reviewed_on is not distinct from built_reviewed_on
  ) stored,
  words tsvector not null generated always as (
    setweight(to_tsvector('english'::regconfig, title), 'A')
    || setweight(to_tsvector('english'::regconfig, summary), 'B')
    || to_tsvector('english'::regconfig, body_markdown)
  ) stored,
  -- What people download: [{id, name, type, size}], in the order that they see.
  files jsonb not null default '[]' check (jsonb_typeof(files) = 'array'),
  -- {id, type, size, seconds, poster: id of a picture}.
  video jsonb check (jsonb_typeof(video) = 'object'),
  -- What's said and heard in the video, as WebVTT.
  captions text not null default '' check (char_length(captions) <= 200000)
);
comment on table public.toolbox_items is
  'The tools in the toolbox, each as its newest published version has it; people see the published ones.';
comment on column public.toolbox_items.calculator is 'The calculator on the item''s page.';
comment on column public.toolbox_items.practice is
  'The key of the quiz question about the practice that the item does; null for none in particular.';
comment on column public.toolbox_items.is_as_built is
  'Whether the page that the build made of content/ still says what the tool says.';
comment on column public.toolbox_items.words is 'What search covers: title before summary before body.';

create index toolbox_items_area_key_idx on public.toolbox_items (area_key, state, minutes);
create index toolbox_items_practice_idx on public.toolbox_items (practice)
  where state = 'published';
create index toolbox_items_words_idx on public.toolbox_items using gin (words);
create index toolbox_items_title_idx on public.toolbox_items (title collate private.by_name, id);
create index toolbox_items_review_idx on public.toolbox_items (review_due_on, id);
create index toolbox_items_updated_idx on public.toolbox_items (updated_at, id);
create index toolbox_items_changed_idx on public.toolbox_items (id)
  where state <> 'draft' and not is_as_built;
create index toolbox_items_published_idx on public.toolbox_items (minutes, title, id)
  where state = 'published';

alter table public.toolbox_items enable row level security;

-- plpgsql, because the tables it reads are created in a later file.
create function private.kept_tool_ids() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select m.item_id from public.toolbox_marks m where m.user_id = auth.uid()
    union all
    select c.item_id from public.tool_copies c
    where c.removed_at is null and c.item_id is not null
      and c.business_id in (select private.readable_business_ids());
end
$$;
comment on function private.kept_tool_ids() is
  'The tools that the caller has saved or done, or can read a copy of: they keep them when the tool is archived.';
grant execute on function private.kept_tool_ids() to authenticated;

create policy "Everyone signed in reads published items, those who kept one the archived, admins all"
  on public.toolbox_items for select to authenticated
  using (
    (select private.session_ok())
    and (
      state = 'published' or (select private.is_admin())
      or (state = 'archived' and id = any (array(select private.kept_tool_ids())))
    )
  );

grant select on public.toolbox_items to authenticated;

create trigger toolbox_items_take_steps before insert or update of state on public.toolbox_items
  for each row execute function private.check_transition('tool', 'state');
create trigger toolbox_items_touch before update on public.toolbox_items
  for each row execute function private.touch_updated_at();

create function private.tool_for(p_area_key text, p_practice text, p_level text) returns text
language sql stable security definer set search_path = '' as $$
  -- Two lookups: the first one is answered by the index on the practice.
  select coalesce(
    (
      select t.slug from public.toolbox_items t
      where t.practice = p_practice and t.state = 'published'
      order by (p_level = any (t.levels)) desc, t.minutes, t.slug collate "C"
      limit 1
    ),
    (
      select t.slug from public.toolbox_items t
      where t.area_key = p_area_key and t.state = 'published'
      order by (p_level = any (t.levels)) desc, t.minutes, t.slug collate "C"
      limit 1
    )
  )
$$;
comment on function private.tool_for(text, text, text) is
  'The slug of the published item for the practice, otherwise of one in the area, otherwise null; of several the one for the level, then the shortest. The preview in the browser decides the same way (domain/tool.ts).';

create function public.list_practice_tools() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'slug', t.slug, 'title', t.title, 'type', t.type, 'area_key', t.area_key,
      'practice', t.practice, 'levels', t.levels, 'minutes', t.minutes
    ) order by t.slug collate "C"
  ), '[]')
  from public.toolbox_items t
  where t.state = 'published' and t.practice is not null
$$;
comment on function public.list_practice_tools() is
  'The published items for a practice, for a result that''s previewed in the browser.';
grant execute on function public.list_practice_tools() to anon, authenticated;
