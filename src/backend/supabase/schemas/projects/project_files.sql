-- Files of a project: a row that describes the file, and an object in a private bucket.
--
-- The row comes first and has the only path where the uploader can store the object. Once an object
-- of the announced size is stored, everyone who can read the project can see the file. Objects
-- can't be replaced, and a row is deleted only after its object, so no object is left behind.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'project-files', 'project-files', false, 20971520,
  array[
    'application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'text/plain', 'text/csv',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation'
  ]
)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create table public.project_files (
  id uuid primary key,
  project_id uuid not null,
  business_id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  type text not null,
  size int not null check (size between 1 and 20971520),
  state text not null default 'awaited' check (state in ('awaited', 'stored')),
  -- No foreign key: a file outlives its uploader's account.
  uploaded_by uuid,
  created_at timestamptz not null default now(),
  -- Set by a trigger. The first folder is the business that the project was created for, even while
  -- that one is merged into another.
  path text not null,
  foreign key (project_id, business_id) references public.projects (id, business_id)
    on update cascade
);
comment on table public.project_files is
  'Files of a project; the object is in the bucket project-files under its row''s path.';
create index project_files_project_id_idx on public.project_files (project_id, created_at desc, id);
create index project_files_business_id_idx on public.project_files (business_id);
create index project_files_uploaded_by_idx on public.project_files (uploaded_by, state);
create index project_files_awaited_idx on public.project_files (created_at) where state = 'awaited';

-- Row-level security ----------------------------------------------------------------------------

alter table public.project_files enable row level security;

create policy "The files of a project are read by whoever reads the project"
  on public.project_files for select to authenticated
  using (
    (select private.session_ok()) and state = 'stored'
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.project_files to authenticated;

create function private.place_project_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.path := concat_ws('/', coalesce((
    select g.from_id from public.business_merges g
    where g.undone_at is null and g.moved -> 'projects' ? new.project_id::text
    order by g.merged_at limit 1
  ), new.business_id), new.project_id, new.id);
  return new;
end
$$;
create trigger project_files_have_a_place before insert on public.project_files
  for each row execute function private.place_project_file();

create function private.readable_file_folders() returns setof text
language sql stable security definer set search_path = '' as $$
  select b::text from private.merged_ids(array(select private.readable_business_ids())) b
$$;
create function private.awaited_file_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select f.path from public.project_files f
  where f.uploaded_by = (select auth.uid()) and f.state = 'awaited'
    and f.business_id in (select private.readable_business_ids())
$$;
create function private.removable_file_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select f.path from public.project_files f
  where f.uploaded_by = (select auth.uid())
    and f.business_id in (select private.readable_business_ids())
$$;
create function private.removable_file_folders() returns setof text
language sql stable security definer set search_path = '' as $$
  select b::text from private.merged_ids(array(select private.my_business_ids())) b
$$;
comment on function private.readable_file_folders() is 'First folders of the files that the person reads: ids of businesses.';
comment on function private.awaited_file_paths() is 'Where the person may store an object now.';
comment on function private.removable_file_paths() is 'Files that the person brought.';
comment on function private.removable_file_folders() is 'First folders of the files that the person may take away: their businesses.';
grant execute on function
  private.readable_file_folders(), private.awaited_file_paths(), private.removable_file_paths(),
  private.removable_file_folders()
  to authenticated;

create policy "Project files are read by whoever reads the project"
  on storage.objects for select to authenticated
  using (
    bucket_id = 'project-files' and (select private.session_ok())
    and (storage.foldername(name))[1] = any (array(select private.readable_file_folders()))
  );
create policy "Project files are stored where they are awaited"
  on storage.objects for insert to authenticated
  with check (
    bucket_id = 'project-files' and (select private.session_ok())
    and name = any (array(select private.awaited_file_paths()))
  );
create policy "Project files are taken away by members and by who brought them"
  on storage.objects for delete to authenticated
  using (
    bucket_id = 'project-files' and (select private.session_ok())
    and (
      (storage.foldername(name))[1] = any (array(select private.removable_file_folders()))
      or name = any (array(select private.removable_file_paths()))
    )
  );

-- Procedures ------------------------------------------------------------------------------------

create function private.file_json(p_file public.project_files) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_file.id, 'name', p_file.name, 'type', p_file.type, 'size', p_file.size,
    'path', p_file.path, 'created_at', p_file.created_at,
    'mine', coalesce(p_file.uploaded_by = (select auth.uid()), false),
    'by', (select f.full_name from public.profiles f where f.user_id = p_file.uploaded_by)
  )
$$;

create function public.begin_project_file(
  p_id uuid, p_project_id uuid, p_name text, p_type text, p_size int
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_bytes constant bigint := 1073741824;
  v_project public.projects := private.project_for_change(p_project_id);
  v_file public.project_files;
begin
  -- An admin could neither store nor read the object.
  if private.project_right(v_project.business_id) = 'admin' then
    raise exception 'Only members of the business and their coach can add files.'
      using errcode = '42501';
  end if;
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_file from public.project_files f where f.id = p_id;
  if found then
    if v_file.uploaded_by is distinct from auth.uid() or v_file.project_id <> p_project_id then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.file_json(v_file);
  end if;
  perform private.check_file('project-files', p_name, p_type, p_size);
  -- What is awaited may turn out as large as the bucket allows, whatever was said.
  if (
    select coalesce(sum(case f.state when 'stored' then f.size else 20971520 end), 0) + p_size
    from public.project_files f where f.business_id = v_project.business_id
  ) > c_bytes then
    raise exception 'A business can have at most 1 GB of files. Remove some first.'
      using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.project_files (id, project_id, business_id, name, type, size, uploaded_by)
  values (
    p_id, p_project_id, v_project.business_id, private.file_name(p_name, p_type), p_type, p_size,
    auth.uid()
  )
  returning * into v_file;
  return private.file_json(v_file);
end
$$;
comment on function public.begin_project_file(uuid, uuid, text, text, int) is
  'A member or the coach announces a file (name, type, size in bytes); returns the file with the path to store it under.';

create function public.finish_project_file(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.project_files;
begin
  select * into v_file from public.project_files f where f.id = p_id;
  perform private.project_for_change(v_file.project_id);
  if v_file.uploaded_by is distinct from auth.uid() then
    raise exception 'We can’t find this file.' using errcode = 'P0002';
  end if;
  if v_file.state = 'awaited' then
    if not private.is_stored('project-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file didn’t upload completely. Send it again.' using errcode = '55000';
    end if;
    update public.project_files f set state = 'stored' where f.id = p_id returning * into v_file;
    update public.projects p set updated_at = now() where p.id = v_file.project_id;
  end if;
  return private.file_json(v_file);
end
$$;
comment on function public.finish_project_file(uuid) is
  'The uploader confirms an upload; returns the file. Rejected until the object is stored as announced.';

create function public.remove_project_file(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.project_files;
begin
  perform private.require_session();
  select * into v_file from public.project_files f
  where f.id = p_id and f.business_id in (select private.readable_business_ids());
  -- Gone already: it was asked for twice.
  if not found then
    return;
  end if;
  if v_file.uploaded_by is distinct from auth.uid()
    and v_file.business_id not in (select private.my_business_ids())
  then
    raise exception 'Only members and the person who added a file can remove it.' using errcode = '42501';
  end if;
  if private.is_stored('project-files', v_file.path) then
    raise exception 'The file itself is still there. Try again.' using errcode = '55000';
  end if;
  delete from public.project_files f where f.id = p_id;
end
$$;
comment on function public.remove_project_file(uuid) is
  'Deletes a file''s row after its object was removed; idempotent.';

create function private.settle_project_files() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_stored int;
  v_gone int;
begin
  update public.project_files f set state = 'stored'
  where f.state = 'awaited' and f.created_at < now() - interval '1 hour'
    and private.is_stored('project-files', f.path, f.type, f.size);
  get diagnostics v_stored = row_count;
  delete from public.project_files f
  where f.state = 'awaited' and f.created_at < now() - interval '1 day'
    and not private.is_stored('project-files', f.path);
  get diagnostics v_gone = row_count;
  return jsonb_build_object('stored', v_stored, 'gone', v_gone);
end
$$;
comment on function private.settle_project_files() is
  'Files whose tab was closed too early: those that arrived are kept, the rest are deleted.';
insert into private.jobs (kind, every) values ('settle_project_files', interval '10 minutes');

grant execute on function
  public.begin_project_file(uuid, uuid, text, text, int), public.finish_project_file(uuid),
  public.remove_project_file(uuid)
  to authenticated;
