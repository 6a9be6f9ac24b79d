-- Files of messages: a row that describes the file, and an object in a private bucket.
--
-- As with project files, the row comes first and has the only path where the sender can store the
-- object. Sending a message attaches its files, which must be stored by then. Anyone who can read
-- the message can read its files. When a row is deleted (its message was removed, or never sent),
-- its object is too.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
-- The same types as for projects.
select 'message-files', 'message-files', false, b.file_size_limit, b.allowed_mime_types
from storage.buckets b where b.id = 'project-files'
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create table public.message_attachments (
  id uuid primary key,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- Null until it's sent.
  message_id uuid references public.messages (id) on delete cascade,
  place int not null default 0,
  name text not null check (char_length(name) between 1 and 200),
  type text not null,
  size int not null check (size between 1 and 20971520),
  -- A picture's size in pixels, so that its space is reserved before it loads.
  width int check (width between 1 and 20000),
  height int check (height between 1 and 20000),
  state text not null default 'awaited' check (state in ('awaited', 'stored')),
  uploaded_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  path text not null unique generated always as (
    conversation_id::text || '/' || id::text
  ) stored,
  check (message_id is null or state = 'stored')
);
comment on table public.message_attachments is
  'Files of messages; the object is in the bucket message-files under its row''s path.';
create index message_attachments_message_id_idx on public.message_attachments (message_id, place);
create index message_attachments_conversation_id_idx on public.message_attachments (conversation_id);
create index message_attachments_uploaded_by_idx on public.message_attachments (uploaded_by, state);
create index message_attachments_unsent_idx on public.message_attachments (created_at)
  where message_id is null;

-- Row-level security ----------------------------------------------------------------------------

alter table public.message_attachments enable row level security;

create policy "Files are read with their message, and by their sender before"
  on public.message_attachments for select to authenticated
  using (
    (select private.session_ok())
    and conversation_id = any (array(select private.my_conversation_ids()))
    and case when message_id is null then uploaded_by = (select auth.uid())
    else exists (select from public.messages m where m.id = message_attachments.message_id) end
  );
grant select on public.message_attachments to authenticated;

create function private.awaited_message_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select a.path from public.message_attachments a
  where a.uploaded_by = (select auth.uid()) and a.state = 'awaited'
    and a.conversation_id in (select private.my_conversation_ids())
$$;
create function private.unsent_message_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select a.path from public.message_attachments a
  where a.uploaded_by = (select auth.uid()) and a.message_id is null
$$;
comment on function private.awaited_message_paths() is 'Where the person may store an object now.';
comment on function private.unsent_message_paths() is 'Files that the person hasn''t sent yet.';
grant execute on function private.awaited_message_paths(), private.unsent_message_paths()
  to authenticated;

create policy "Files of messages are read by whoever reads the message"
  on storage.objects for select to authenticated
  using (
    bucket_id = 'message-files' and (select private.session_ok())
    -- Row-level security applies to this query too, so it finds only files that the reader can see.
    and exists (select from public.message_attachments a where a.path = objects.name)
  );
create policy "Files of messages are stored where they are awaited"
  on storage.objects for insert to authenticated
  with check (
    bucket_id = 'message-files' and (select private.session_ok())
    and name = any (array(select private.awaited_message_paths()))
  );
create policy "Files of messages are taken away before they are sent"
  on storage.objects for delete to authenticated
  using (
    bucket_id = 'message-files' and (select private.session_ok())
    and name = any (array(select private.unsent_message_paths()))
  );

-- Triggers --------------------------------------------------------------------------------------

create function private.remove_object_of_row() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.jobs (kind, payload)
  select 'remove_file', jsonb_build_object('bucket', o.bucket_id, 'path', o.name)
  from storage.objects o where o.bucket_id = tg_argv[0] and o.name = old.path;
  return null;
end
$$;
comment on function private.remove_object_of_row() is
  'Trigger for tables of files: the object of a deleted row is removed from the bucket that the argument names.';
create trigger message_attachments_take_their_object after delete on public.message_attachments
  for each row execute function private.remove_object_of_row('message-files');

-- Procedures ------------------------------------------------------------------------------------

create function private.attachment_json(p_file public.message_attachments) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'id', p_file.id, 'name', p_file.name, 'type', p_file.type, 'size', p_file.size,
    'width', p_file.width, 'height', p_file.height, 'path', p_file.path
  )
$$;

create function private.message_files_json(p_message_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.attachment_json(a) order by a.place), '[]')
  from public.message_attachments a where a.message_id = p_message_id
$$;

create function public.begin_message_file(
  p_id uuid, p_conversation_id uuid, p_name text, p_type text, p_size int,
  p_width int default null, p_height int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_bytes constant bigint := 1073741824;
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_file public.message_attachments;
begin
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('message_files', v_part.user_id);
  select * into v_file from public.message_attachments a where a.id = p_id;
  if found then
    if v_file.uploaded_by is distinct from v_part.user_id
      or v_file.conversation_id <> p_conversation_id
    then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.attachment_json(v_file);
  end if;
  perform private.require_open(c, v_part.user_id)
  from public.conversations c where c.id = p_conversation_id;
  if not private.toggle_on('message-files') then
    raise exception 'You can’t add files to messages right now. Send the text without them.'
      using errcode = '55000';
  end if;
  perform private.check_file('message-files', p_name, p_type, p_size);
  -- What is awaited may turn out as large as the bucket allows, whatever was said.
  if (
    select coalesce(sum(case a.state when 'stored' then a.size else 20971520 end), 0) + p_size
    from public.message_attachments a where a.conversation_id = p_conversation_id
  ) > c_bytes then
    raise exception 'A conversation can have at most 1 GB of files.' using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.message_attachments (
    id, conversation_id, name, type, size, width, height, uploaded_by
  ) values (
    p_id, p_conversation_id, private.file_name(p_name, p_type), p_type, p_size,
    case when p_width between 1 and 20000 and p_height between 1 and 20000 then p_width end,
    case when p_width between 1 and 20000 and p_height between 1 and 20000 then p_height end,
    v_part.user_id
  )
  returning * into v_file;
  return private.attachment_json(v_file);
end
$$;
comment on function public.begin_message_file(uuid, uuid, text, text, int, int, int) is
  'Announces a file (name, type, size in bytes; for a picture its pixels); returns the file with the path to store it under.';

create function public.finish_message_file(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_file public.message_attachments;
begin
  select * into v_file from public.message_attachments a
  where a.id = p_id and a.uploaded_by = v_user_id
    and a.conversation_id in (select private.my_conversation_ids())
  for update;
  if not found then
    raise exception 'We can’t find this file.' using errcode = 'P0002';
  end if;
  if v_file.state = 'awaited' then
    if not private.is_stored('message-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file didn’t upload completely. Send it again.' using errcode = '55000';
    end if;
    update public.message_attachments a set state = 'stored' where a.id = p_id
    returning * into v_file;
  end if;
  return private.attachment_json(v_file);
end
$$;
comment on function public.finish_message_file(uuid) is
  'The sender confirms an upload; returns the file. Rejected until the object is stored as announced.';

create function public.remove_message_file(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if exists (
    select from public.message_attachments a
    where a.id = p_id and a.uploaded_by = v_user_id and a.message_id is not null
  ) then
    raise exception 'This file has been sent. Delete the message instead.' using errcode = '55000';
  end if;
  delete from public.message_attachments a
  where a.id = p_id and a.uploaded_by = v_user_id and a.message_id is null;
end
$$;
comment on function public.remove_message_file(uuid) is
  'The sender removes an unsent file with its object; idempotent.';

create function private.attach_files(p_message public.messages, p_files uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.message_attachments;
  v_attached int := 0;
begin
  if cardinality(p_files) = 0 then
    return;
  end if;
  if cardinality(p_files) > 10 then
    raise exception 'A message can have at most ten files.' using errcode = '22023', hint = 'files';
  end if;
  for v_file in
    select a.* from public.message_attachments a
    where a.id = any (p_files) and a.uploaded_by = p_message.author_id
      and a.conversation_id = p_message.conversation_id and a.message_id is null
    order by a.id for update
  loop
    -- Also what had arrived: its sender may have taken the object away again.
    if not private.is_stored('message-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file "%" didn’t upload completely. Send it again.', v_file.name
        using errcode = '55000', hint = 'files';
    end if;
    update public.message_attachments a
    set state = 'stored', message_id = p_message.id, place = array_position(p_files, a.id)
    where a.id = v_file.id;
    v_attached := v_attached + 1;
  end loop;
  if v_attached <> cardinality(p_files) then
    raise exception 'A file in this message is no longer available. Choose it again.'
      using errcode = '22023', hint = 'files';
  end if;
end
$$;
comment on function private.attach_files(public.messages, uuid[]) is
  'Attaches the files its author uploaded to a new message, in this order.';

create function private.forget_unsent_files() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_gone int;
begin
  delete from public.message_attachments a
  where a.message_id is null and a.created_at < now() - interval '1 day';
  get diagnostics v_gone = row_count;
  return jsonb_build_object('gone', v_gone);
end
$$;
comment on function private.forget_unsent_files() is
  'Removes files that weren''t sent within a day, with their objects.';
insert into private.jobs (kind, every) values ('forget_unsent_files', interval '10 minutes');

grant execute on function
  public.begin_message_file(uuid, uuid, text, text, int, int, int),
  public.finish_message_file(uuid), public.remove_message_file(uuid)
  to authenticated;
