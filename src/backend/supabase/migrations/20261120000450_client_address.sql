-- Where a caller is, for limits. Any caller can write a header; only a proxy that writes it over is to
-- be believed. Ours and Supabase's write `x-forwarded-for`, whose last entry is theirs. Another header
-- counts where whoever runs the server says that every request comes through a proxy that sets it.

create table private.trusted_headers (
  -- At most one.
  singleton boolean primary key default true check (singleton),
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,60}$')
);
comment on table private.trusted_headers is
  'The header in which the proxy in front of the backend names its client, where it is not x-forwarded-for.';

create function private.trust_address_header(p_name text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_name is null then
    delete from private.trusted_headers where singleton;
  else
    insert into private.trusted_headers (name) values (lower(p_name))
    on conflict (singleton) do update set name = excluded.name;
  end if;
end
$$;
comment on function private.trust_address_header(text) is
  'Limits count by this header from now on: select private.trust_address_header(''cf-connecting-ip''). Null: by x-forwarded-for again. No API role may call it.';

create function private.trusted_header() returns text
language sql stable security definer set search_path = '' as $$
  select name from private.trusted_headers
$$;

create function private.client_address() returns text
language sql stable set search_path = '' as $$
  select pg_catalog.left(coalesce(
    h.headers ->> private.trusted_header(),
    -- The last entry is the one that our own proxy wrote.
    btrim(regexp_replace(h.headers ->> 'x-forwarded-for', '^.*,', ''))
  ), 64)
  from (select nullif(current_setting('request.headers', true), '')::jsonb as headers) h
$$;
comment on function private.client_address() is
  'Address of the caller as far as the REST interface passes it on; null otherwise.';
