-- Foundation: what every later file builds on.
--
-- The product has two schemas. `public` is what the REST interface exposes: tables under row-level
-- security, and the procedures that people can call. `private` isn't exposed. It has internal
-- tables, such as the job queue, and the rules that policies and procedures share, as functions
-- that bypass row-level security.

create schema private;
comment on schema private is
  'Rules shared by policies and procedures. Never exposed through the REST interface.';

grant usage on schema private to anon, authenticated, service_role;

-- Nothing is allowed by default -----------------------------------------------------------------
-- Nobody can read, change or call what a later file creates until that file grants it.

alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;

-- Sorting names ---------------------------------------------------------------------------------

create collation private.by_name (provider = icu, locale = 'en-US-u-kn-true');
comment on collation private.by_name is
  'The order people expect of names: "Step 2" before "Step 10", ignoring case.';

-- The caller's session --------------------------------------------------------------------------

create function private.session_state() returns text
-- Called for every policy and procedure of a request: plpgsql, and one look at the token, because in
-- sql each call would take twice as long.
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_session_id uuid := v_claims ->> 'session_id';
begin
  return case
    when v_session_id is not null and not exists (
      select from auth.sessions s where s.id = v_session_id and s.user_id = v_user_id
    ) then 'ended'
    when v_claims ->> 'aal' = 'aal2' then 'verified'
    when exists (
      select from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified'
    ) then 'required'
    else 'none'
  end;
end
$$;
comment on function private.session_state() is
  'ended: signed out or password changed, even though the token lasts an hour. Otherwise the second factor: none is enrolled; required, because this session hasn''t verified it; or verified.';

create function private.remember_session() returns void
language sql stable security definer set search_path = '' as $$
  -- Until the end of the transaction, because a page asks dozens of times. A caller who could set
  -- this could set the claims themselves.
  select set_config('private.checked_claims', current_setting('request.jwt.claims', true), true)
$$;
comment on function private.remember_session() is
  'Called where session_state was none or verified: session_ok doesn''t look again.';

create function private.session_ok() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_claims text := current_setting('request.jwt.claims', true);
  v_state text;
begin
  if v_claims <> '' and v_claims = current_setting('private.checked_claims', true) then
    return true;
  end if;
  v_state := private.session_state();
  -- An error and not false: nobody should take an empty list for the truth, or a refused answer
  -- for one that is not wanted. The REST interface makes it status 401.
  if v_state = 'ended' then
    raise exception 'Your session has ended. Sign in again.' using errcode = 'PT401';
  end if;
  if v_state = 'required' then
    return false;
  end if;
  perform private.remember_session();
  return true;
end
$$;
comment on function private.session_ok() is
  'False for a session that still needs its second factor, an error (PT401) for one that has ended. Part of every policy.';
grant execute on function private.session_ok() to anon, authenticated;

create function private.require_session() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
begin
  if v_user_id is null then
    raise exception 'Sign in to do this.' using errcode = '42501';
  end if;
  if not private.session_ok() then
    raise exception 'Enter the code from your authenticator app first.' using errcode = '42501';
  end if;
  return v_user_id;
end
$$;
comment on function private.require_session() is
  'The caller, or an error (42501): the first line of every procedure for signed-in people.';

-- Small rules shared by several tables ----------------------------------------------------------

create function private.one_at_a_time(p_what text, p_id uuid) returns void
language sql volatile set search_path = '' as $$
  select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(p_what || ':' || p_id, 0))
$$;
comment on function private.one_at_a_time(text, uuid) is
  'Serializes calls of the same procedure by the same person until the transaction ends.';

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'Rows of % are never changed or removed.', tg_table_name using errcode = '55000';
end
$$;
comment on function private.refuse_change() is 'Trigger of append-only tables.';

-- Rows that are otherwise never removed can be deleted along with the last person who could see
-- them. Only erase_business enables it, for one transaction; API roles can't delete such rows.
create function private.erasing() returns boolean
language sql stable set search_path = '' as $$
  select coalesce(current_setting('trellis.erasing', true), '') = 'on'
$$;

-- Rows that otherwise stay with their business move when two businesses are merged. Only
-- merge_businesses and undo_merge enable it, for one transaction; nothing but the business changes.
create function private.merging() returns boolean
language sql stable set search_path = '' as $$
  select coalesce(current_setting('trellis.merging', true), '') = 'on'
$$;

create function private.refuse_change_unless_erased() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and private.erasing() then
    return old;
  end if;
  raise exception 'Rows of % are never changed or removed.', tg_table_name using errcode = '55000';
end
$$;

create function private.clean_line(p_text text, p_length int) returns text
language sql immutable set search_path = '' as $$
  select nullif(
    btrim(pg_catalog.left(
      regexp_replace(
        coalesce(p_text, ''), '[[:cntrl:][:space:]\u202a-\u202e\u2066-\u2069]+', ' ', 'g'
      ),
      p_length
    )),
    ''
  )
$$;
comment on function private.clean_line(text, int) is
  'One line of at most p_length characters, without control characters and those that reverse the direction of text; null if nothing is left.';

-- Uploaded files: a row, then an object in a private bucket -------------------------------------

create function private.file_name(p_name text, p_type text) returns text
language sql immutable set search_path = '' as $$
  select case
    when n.name ~* ('\.(' || e.endings || ')$') then pg_catalog.right(n.name, 200)
    else pg_catalog.left(n.name, 195) || '.' || split_part(e.endings, '|', 1)
  end
  from (select private.clean_line(p_name, 300) as name) n
  cross join (
    select case p_type
      when 'application/pdf' then 'pdf'
      when 'image/png' then 'png'
      when 'image/jpeg' then 'jpg|jpeg|jfif'
      when 'image/webp' then 'webp'
      when 'text/csv' then 'csv'
      when 'video/mp4' then 'mp4|m4v'
      when 'video/webm' then 'webm'
      when 'text/plain' then 'txt|md|text'
      when 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' then 'docx'
      when 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' then 'xlsx'
      when 'application/vnd.openxmlformats-officedocument.presentationml.presentation' then 'pptx'
    end as endings
  ) e
$$;
comment on function private.file_name(text, text) is
  'The name a file of a type is saved under, at most 200 characters: its extension matches the type, so nothing is opened as something else. Null without a name, or for an unsupported type.';

create function private.check_file(p_bucket text, p_name text, p_type text, p_size int) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_bucket storage.buckets;
begin
  select * into strict v_bucket from storage.buckets b where b.id = p_bucket;
  if private.clean_line(p_name, 200) is null then
    raise exception 'A file needs a name.' using errcode = '22023', hint = 'name';
  end if;
  if p_size is null or p_size < 1 then
    raise exception 'This file is empty.' using errcode = '22023', hint = 'size';
  end if;
  if p_size > v_bucket.file_size_limit then
    raise exception 'A file can be up to % MB.', v_bucket.file_size_limit / 1048576
      using errcode = '22023', hint = 'size';
  end if;
  if (p_type = any (v_bucket.allowed_mime_types)) is not true then
    raise exception 'We can’t accept this kind of file.' using errcode = '22023', hint = 'type';
  end if;
end
$$;
comment on function private.check_file(text, text, text, int) is
  'Rejects (22023) a file without a name or content, or one whose size or type its bucket doesn''t allow.';

create function private.is_stored(
  p_bucket text, p_path text, p_type text default null, p_size int default null
) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from storage.objects o
    where o.bucket_id = p_bucket and o.name = p_path
      and (p_type is null or o.metadata ->> 'mimetype' = p_type)
      and (p_size is null or (o.metadata ->> 'size')::bigint = p_size)
  )
$$;
comment on function private.is_stored(text, text, text, int) is
  'Whether an object is stored under a path and, if given, has this type and size in bytes.';
