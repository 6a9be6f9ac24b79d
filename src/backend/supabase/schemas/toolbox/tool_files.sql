-- Files of tools: what people download, videos and their posters. Versions name them
-- (toolbox_versions.file_ids), so that a later version has the same file without a second copy.
--
-- As with project files, the row comes first and has the only path where the admin can store the
-- object. Everyone reads the files of published versions, visitors included; admins read those of
-- drafts. A file stays as long as any version names it, and a day longer.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'tool-files', 'tool-files', false, 20971520,
  array[
    'application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'text/csv',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  ]
), (
  'tool-videos', 'tool-videos', false, 52428800, array['video/mp4', 'video/webm']
)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create table public.tool_files (
  id uuid primary key,
  item_id uuid not null references public.toolbox_items (id) on delete cascade,
  bucket text not null check (bucket in ('tool-files', 'tool-videos')),
  name text not null check (char_length(name) between 1 and 200),
  type text not null,
  size int not null check (size between 1 and 52428800),
  -- How long a video is, if the browser that brought it could tell.
  seconds numeric(8, 3) check (seconds > 0),
  state text not null default 'awaited' check (state in ('awaited', 'stored')),
  uploaded_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Since when no version names it; null while one does, and until it's noticed.
  unnamed_at timestamptz,
  path text not null unique generated always as (item_id::text || '/' || id::text) stored
);
comment on table public.tool_files is
  'Files and videos of tools; the object is in the row''s bucket under its path.';
create index tool_files_item_id_idx on public.tool_files (item_id);
create index tool_files_uploaded_by_idx on public.tool_files (uploaded_by);
-- Admins read and write it through procedures.
alter table public.tool_files enable row level security;

-- Who reads them --------------------------------------------------------------------------------

create function private.is_tool_file_named(p_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.toolbox_versions v where v.file_ids @> array[p_id])
$$;
comment on function private.is_tool_file_named(uuid) is
  'Whether a version of a tool, published or not, names a file.';

create function private.can_read_tool_file(p_file public.tool_files) returns boolean
language sql stable security definer set search_path = '' as $$
  select
    exists (
      select from public.toolbox_items i
      join public.toolbox_versions v on v.item_id = i.id and v.published_at is not null
      -- Of the version that people see: what a newer one leaves out isn't for everyone anymore.
      where i.id = p_file.item_id and v.version = i.version and v.file_ids @> array[p_file.id] and (
        i.state = 'published'
        -- Those who kept an archived tool keep its files.
        or (
          i.state = 'archived' and (select private.session_ok())
          and i.id in (select private.kept_tool_ids())
        )
      )
    )
    or ((select private.session_ok()) and (select private.is_admin()))
$$;
comment on function private.can_read_tool_file(public.tool_files) is
  'Whether the caller, a visitor perhaps, can read a file: everyone those of the published version that people see, admins all.';

create function private.can_read_tool_object(p_bucket text, p_path text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.tool_files f
    where f.path = p_path and f.bucket = p_bucket and private.can_read_tool_file(f)
  )
$$;
create function private.awaited_tool_paths(p_bucket text) returns setof text
language sql stable security definer set search_path = '' as $$
  select f.path from public.tool_files f
  where f.bucket = p_bucket and f.state = 'awaited' and f.uploaded_by = (select auth.uid())
    and (select private.is_admin())
$$;
comment on function private.can_read_tool_object(text, text) is
  'Whether the caller can read the object of a tool''s file.';
comment on function private.awaited_tool_paths(text) is 'Where the admin may store an object now.';
grant execute on function private.can_read_tool_object(text, text) to anon, authenticated;
grant execute on function private.awaited_tool_paths(text) to authenticated;

create policy "Published files of tools are read by everyone, others by admins"
  on storage.objects for select to anon, authenticated
  using (
    bucket_id in ('tool-files', 'tool-videos')
    and private.can_read_tool_object(bucket_id, name)
  );
create policy "Files of tools are stored by admins where they are awaited"
  on storage.objects for insert to authenticated
  with check (
    bucket_id in ('tool-files', 'tool-videos') and (select private.session_ok())
    and name in (select private.awaited_tool_paths(bucket_id))
  );

create function private.tool_file_json(p_file public.tool_files, p_name text default null)
returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'id', p_file.id, 'bucket', p_file.bucket, 'path', p_file.path,
    'name', private.file_name(coalesce(p_name, p_file.name), p_file.type), 'type', p_file.type,
    'size', p_file.size, 'seconds', p_file.seconds
  )
$$;

create function public.get_tool_file(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.tool_file_json(f, (
    select n ->> 'name'
    from public.toolbox_versions v cross join jsonb_array_elements(v.files) n
    where v.file_ids @> array[f.id] and v.published_at is not null
      and n ->> 'id' = f.id::text
    order by v.version desc limit 1
  ))
  from public.tool_files f where f.id = p_id and private.can_read_tool_file(f)
$$;
comment on function public.get_tool_file(uuid) is
  'A file of a published tool, for everyone, or of a draft, for admins: {id, bucket, path, name, type, size, seconds}; null if there''s none. Its name is the one of the newest published version.';
create function public.get_tool_captions(p_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select v.captions
  from public.tool_files f join public.toolbox_versions v on v.file_ids @> array[f.id]
  where f.id = p_id and private.can_read_tool_file(f)
    and v.published_at is not null and v.video ->> 'id' = f.id::text
  order by v.version desc limit 1
$$;
comment on function public.get_tool_captions(uuid) is
  'The captions of a video that the caller can read, as WebVTT, from the newest published version that has it; null if there are none.';
grant execute on function public.get_tool_file(uuid), public.get_tool_captions(uuid)
  to anon, authenticated;

-- What stays ------------------------------------------------------------------------------------

create function private.keep_named_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- With its whole tool, it goes.
  if exists (select from public.toolbox_items i where i.id = old.item_id)
    and private.is_tool_file_named(old.id)
  then
    raise exception 'A version of a tool has this file.' using errcode = '55000';
  end if;
  return old;
end
$$;
create trigger tool_files_stay_while_named before delete on public.tool_files
  for each row execute function private.keep_named_file();

create function private.keep_stored_file() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- What doesn't change what people read, and a computed column, which isn't known yet.
  c_notes constant text[] := array['uploaded_by', 'unnamed_at', 'path'];
begin
  if to_jsonb(old) - c_notes is distinct from to_jsonb(new) - c_notes then
    raise exception 'A file that was stored never changes.' using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger tool_files_keep_what_was_stored before update on public.tool_files
  for each row when (old.state = 'stored') execute function private.keep_stored_file();

create function private.remove_object_of_tool_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.jobs (kind, payload)
  select 'remove_file', jsonb_build_object('bucket', o.bucket_id, 'path', o.name)
  from storage.objects o where o.bucket_id = old.bucket and o.name = old.path;
  return null;
end
$$;
create trigger tool_files_take_their_object after delete on public.tool_files
  for each row execute function private.remove_object_of_tool_file();

create function private.forget_tool_files() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_gone int;
begin
  -- Locked first: a draft that is being saved holds what it names until it's seen here.
  perform from public.tool_files f where f.unnamed_at < now() - interval '1 day' for update;
  update public.tool_files f set unnamed_at = null
  where f.unnamed_at is not null and private.is_tool_file_named(f.id);
  update public.tool_files f set unnamed_at = now()
  where f.unnamed_at is null and not private.is_tool_file_named(f.id);
  delete from public.tool_files f
  where f.unnamed_at < now() - interval '1 day' and not private.is_tool_file_named(f.id);
  get diagnostics v_gone = row_count;
  return jsonb_build_object('gone', v_gone);
end
$$;
comment on function private.forget_tool_files() is
  'Removes files that no version of a tool has named for a day, with their objects.';
insert into private.jobs (kind, every) values ('forget_tool_files', interval '1 hour');

-- Bringing one ----------------------------------------------------------------------------------

create function public.begin_tool_file(
  p_id uuid, p_item_id uuid, p_name text, p_type text, p_size int, p_seconds numeric default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_bytes constant bigint := 524288000;
  v_admin_id uuid := private.require_admin();
  v_bucket constant text := case when starts_with(p_type, 'video/') then 'tool-videos'
    else 'tool-files' end;
  v_file public.tool_files;
begin
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_file from public.tool_files f where f.id = p_id;
  if found then
    if v_file.item_id <> p_item_id or v_file.uploaded_by is distinct from v_admin_id then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.tool_file_json(v_file);
  end if;
  -- One after the other, so that together they stay within the limit.
  perform private.require_tool(p_item_id);
  perform private.check_file(v_bucket, p_name, p_type, p_size);
  if (
    select coalesce(sum(f.size), 0) + p_size from public.tool_files f where f.item_id = p_item_id
  ) > c_bytes then
    raise exception 'A tool can have at most 500 MB of files, with those of its versions.'
      using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.tool_files (id, item_id, bucket, name, type, size, seconds, uploaded_by)
  values (
    p_id, p_item_id, v_bucket, private.file_name(p_name, p_type), p_type, p_size,
    case when p_seconds > 0 and p_seconds < 86400 then p_seconds end, v_admin_id
  )
  returning * into v_file;
  return private.tool_file_json(v_file);
end
$$;
comment on function public.begin_tool_file(uuid, uuid, text, text, int, numeric) is
  'An admin announces a file of a tool (name, type, size in bytes, and how many seconds a video is); returns the file with the bucket and the path to store it under.';

create function public.finish_tool_file(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_file public.tool_files;
begin
  select * into v_file from public.tool_files f
  where f.id = p_id and f.uploaded_by = v_admin_id for update;
  if not found then
    raise exception 'We can’t find this file.' using errcode = 'P0002', hint = 'id';
  end if;
  if v_file.state = 'awaited' then
    if not private.is_stored(v_file.bucket, v_file.path, v_file.type, v_file.size) then
      raise exception 'The file didn’t upload completely. Send it again.' using errcode = '55000';
    end if;
    update public.tool_files f set state = 'stored' where f.id = p_id returning * into v_file;
  end if;
  return private.tool_file_json(v_file);
end
$$;
comment on function public.finish_tool_file(uuid) is
  'The admin confirms an upload; returns the file, which a draft can name from then on. Rejected until the object is stored as announced.';
grant execute on function
  public.begin_tool_file(uuid, uuid, text, text, int, numeric), public.finish_tool_file(uuid)
to authenticated;
