-- Merges: two businesses that turned out to be the same became one, and which rows that moved.

create table public.business_merges (
  id uuid primary key default gen_random_uuid(),
  from_id uuid not null references public.businesses (id),
  into_id uuid not null references public.businesses (id),
  -- The keys of the rows that moved, by table, so that undoing it moves exactly those back.
  moved jsonb not null,
  -- What the merged business was like: since when it was archived, and how many belonged to it.
  archived_at timestamptz,
  members int not null,
  reason text not null check (char_length(reason) <= 2000),
  merged_at timestamptz not null default now(),
  merged_by uuid references auth.users (id) on delete set null,
  undone_at timestamptz,
  undone_by uuid references auth.users (id) on delete set null,
  check (from_id <> into_id)
);
comment on table public.business_merges is
  'Which business was merged into which, with the rows that moved. No API role reads or writes it.';

create unique index business_merges_one_open_idx on public.business_merges (from_id)
  where undone_at is null;
create index business_merges_from_id_idx on public.business_merges (from_id);
create index business_merges_into_id_idx on public.business_merges (into_id);
create index business_merges_merged_by_idx on public.business_merges (merged_by);
create index business_merges_undone_by_idx on public.business_merges (undone_by);

alter table public.business_merges enable row level security;

create function private.merged_ids(p_ids uuid[]) returns setof uuid
language sql stable security definer set search_path = '' as $$
  with recursive merged (id) as (
    select i.id from unnest(p_ids) as i (id)
    where not exists (
      select from public.business_merges g where g.from_id = i.id and g.undone_at is null
    )
    union
    select g.from_id from merged m
    join public.business_merges g on g.into_id = m.id and g.undone_at is null
  )
  select m.id from merged m
$$;
comment on function private.merged_ids(uuid[]) is
  'Businesses, and those that were merged into them, directly or through another. One that was merged counts only with the business that''s kept.';

create function private.merged_into(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', b.id, 'name', b.name)
  from public.business_merges g
  join public.businesses b on b.id = g.into_id
  where g.from_id = p_id and g.undone_at is null
$$;
comment on function private.merged_into(uuid) is
  'The business that this one was merged into, {id, name}, or null.';
