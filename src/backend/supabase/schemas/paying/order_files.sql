-- Files of orders: the purchase order itself, as a PDF or a picture of it.
--
-- As with files of messages, the row comes first and has the only path where the buyer can store the
-- object. Sending the number of the purchase order sends its file, which must be stored by then. The
-- buyer can read it; so can an admin, for two minutes after the audit log has recorded that they
-- opened it.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'order-files', 'order-files', false, 10485760, array['application/pdf', 'image/png', 'image/jpeg']
)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create table public.order_files (
  id uuid primary key,
  order_id uuid not null references public.orders (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  type text not null,
  size int not null check (size between 1 and 10485760),
  uploaded_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Null until the purchase order is sent with it.
  sent_at timestamptz,
  path text not null unique generated always as (order_id::text || '/' || id::text) stored
);
comment on table public.order_files is
  'Purchase orders as files; the object is in the bucket order-files under its row''s path.';
create index order_files_order_id_idx on public.order_files (order_id);
create index order_files_uploaded_by_idx on public.order_files (uploaded_by);
create index order_files_unsent_idx on public.order_files (created_at) where sent_at is null;

-- Row-level security ----------------------------------------------------------------------------

alter table public.order_files enable row level security;

create policy "Buyers read the files of their orders"
  on public.order_files for select to authenticated
  using (
    (select private.session_ok()) and order_id = any (array(select o.id from public.orders o))
  );
grant select on public.order_files to authenticated;

create function private.unsent_order_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select f.path from public.order_files f
  where f.uploaded_by = (select auth.uid()) and f.sent_at is null
$$;
create function private.opened_order_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select f.path from public.audit_log l
  join public.order_files f on f.id = private.uuid_of(l.details ->> 'file_id')
  where private.is_admin() and l.actor_id = (select auth.uid())
    and l.action = 'order.open_file' and l.at > now() - interval '2 minutes'
$$;
comment on function private.unsent_order_paths() is 'Where the person may store an object now, or take it away.';
comment on function private.opened_order_paths() is
  'Files that the calling admin may read now, because the audit log says that they opened them.';
grant execute on function private.unsent_order_paths(), private.opened_order_paths() to authenticated;

create policy "Files of orders are read by buyers and admins who opened them"
  on storage.objects for select to authenticated
  using (
    bucket_id = 'order-files' and (select private.session_ok())
    and (
      -- Row-level security applies to this query too.
      exists (select from public.order_files f where f.path = objects.name)
      or name = any (array(select private.opened_order_paths()))
    )
  );
create policy "Files of orders are stored where they are awaited"
  on storage.objects for insert to authenticated
  with check (
    bucket_id = 'order-files' and (select private.session_ok())
    and name = any (array(select private.unsent_order_paths()))
  );
create policy "Files of orders are taken away before they are sent"
  on storage.objects for delete to authenticated
  using (
    bucket_id = 'order-files' and (select private.session_ok())
    and name = any (array(select private.unsent_order_paths()))
  );

create trigger order_files_take_their_object after delete on public.order_files
  for each row execute function private.remove_object_of_row('order-files');

-- Procedures ------------------------------------------------------------------------------------

create function private.order_file_json(p_file public.order_files) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'id', p_file.id, 'name', p_file.name, 'type', p_file.type, 'size', p_file.size,
    'path', p_file.path
  )
$$;

create function private.order_files_json(p_order_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.order_file_json(f) order by f.sent_at, f.id), '[]')
  from public.order_files f where f.order_id = p_order_id and f.sent_at is not null
$$;

create function public.begin_order_file(
  p_id uuid, p_order_id uuid, p_name text, p_type text, p_size int
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.own_order(p_order_id);
  v_file public.order_files;
begin
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_file from public.order_files f where f.id = p_id;
  if found then
    if v_file.order_id <> p_order_id or v_file.uploaded_by is distinct from auth.uid() then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.order_file_json(v_file);
  end if;
  if v_order.state not in ('quoted', 'po_received') then
    raise exception 'A file goes with the purchase order for a quote.'
      using errcode = '55000', hint = 'state';
  end if;
  perform private.check_file('order-files', p_name, p_type, p_size);
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.order_files (id, order_id, name, type, size, uploaded_by)
  values (p_id, p_order_id, private.file_name(p_name, p_type), p_type, p_size, auth.uid())
  returning * into v_file;
  return private.order_file_json(v_file);
end
$$;
comment on function public.begin_order_file(uuid, uuid, text, text, int) is
  'A buyer announces the file of their purchase order (name, type, size in bytes); returns the file with the path to store it under. send_purchase_order sends it.';
grant execute on function public.begin_order_file(uuid, uuid, text, text, int) to authenticated;

create function private.send_order_file(p_order_id uuid, p_file_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.order_files;
begin
  select * into v_file from public.order_files f
  where f.id = p_file_id and f.order_id = p_order_id and f.uploaded_by = auth.uid() for update;
  if not found then
    raise exception 'This file is no longer available. Choose it again.'
      using errcode = '22023', hint = 'file';
  end if;
  if v_file.sent_at is not null then
    return;
  end if;
  if not private.is_stored('order-files', v_file.path, v_file.type, v_file.size) then
    raise exception 'The file didn’t upload completely. Send it again.'
      using errcode = '55000', hint = 'file';
  end if;
  update public.order_files f set sent_at = now() where f.id = p_file_id;
end
$$;
comment on function private.send_order_file(uuid, uuid) is
  'Sends a file that the caller has stored for an order, once.';

create function public.open_order_file(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.order_files;
begin
  perform private.require_admin();
  select * into v_file from public.order_files f where f.id = p_id and f.sent_at is not null;
  if not found then
    raise exception 'We can’t find this file.' using errcode = 'P0002', hint = 'id';
  end if;
  perform private.audit(
    'order.open_file', 'order', v_file.order_id::text, null, jsonb_build_object('file_id', p_id)
  );
  return private.order_file_json(v_file);
end
$$;
comment on function public.open_order_file(uuid) is
  'An admin opens the file of a purchase order, which they can then read for two minutes; the file.';
grant execute on function public.open_order_file(uuid) to authenticated;

create function private.forget_unsent_order_files() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_gone int;
begin
  delete from public.order_files f
  where f.sent_at is null and f.created_at < now() - interval '1 day';
  get diagnostics v_gone = row_count;
  return jsonb_build_object('gone', v_gone);
end
$$;
comment on function private.forget_unsent_order_files() is
  'Removes files of orders that weren''t sent within a day, with their objects.';
insert into private.jobs (kind, every) values ('forget_unsent_order_files', interval '1 hour');
