-- Saved views: a list's filters that a person saved under a name.
--
-- A view is the query string of a list's filters, which only that list's page reads. Views are
-- private: nobody else can read them, not even an admin.

create table public.saved_views (
  -- Created by the browser, so that saving it twice saves it once.
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  list text not null check (list ~ '^[a-z]+(-[a-z]+)*$' and char_length(list) <= 40),
  name text not null check (char_length(name) between 1 and 60),
  query text not null check (char_length(query) <= 1000),
  created_at timestamptz not null default now(),
  unique (user_id, list, name)
);
comment on table public.saved_views is
  'List filters that a person saved under a name, as the query string of its URL.';

alter table public.saved_views enable row level security;
create policy "People read their own saved views"
  on public.saved_views for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.saved_views to authenticated;

create function public.save_view(p_id uuid, p_list text, p_name text, p_query text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_name text := private.clean_line(p_name, 10000);
  v_id uuid;
begin
  if p_id is null then
    raise exception 'A view needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_name is null or char_length(v_name) > 60 then
    raise exception 'Give the view a name of 1 to 60 characters.' using errcode = '22023', hint = 'name';
  end if;
  if char_length(p_query) > 1000 then
    raise exception 'These filters are too long to save.' using errcode = '22023', hint = 'query';
  end if;
  -- The same name again means the same view with other filters; the same id again is the same save.
  insert into public.saved_views as v (id, user_id, list, name, query)
  values (p_id, v_user_id, p_list, v_name, coalesce(p_query, ''))
  on conflict (user_id, list, name) do update set query = excluded.query
  returning v.id into v_id;
  return v_id;
exception
  when unique_violation then
    raise exception 'This view already exists.' using errcode = '23505', hint = 'id';
  when check_violation or not_null_violation then
    raise exception 'This list doesn’t exist.' using errcode = '22023', hint = 'list';
end
$$;
comment on function public.save_view(uuid, text, text, text) is
  'Saves the filters of a list under a name, replacing any with that name; returns the view''s id.';
grant execute on function public.save_view(uuid, text, text, text) to authenticated;

create function public.remove_view(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  delete from public.saved_views v where v.id = p_id and v.user_id = v_user_id;
end
$$;
comment on function public.remove_view(uuid) is
  'Removes one of the caller''s saved views; idempotent.';
grant execute on function public.remove_view(uuid) to authenticated;
