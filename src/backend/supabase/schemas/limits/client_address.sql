-- The caller's IP address, for rate limits. Any caller can send a header; we can only trust one
-- that a proxy overwrites. Our proxy and Supabase's write the last entry of `x-forwarded-for`.
-- Another header counts only if the server's operator says that every request comes through a proxy
-- that sets it.

create table private.trusted_headers (
  -- At most one row.
  singleton boolean primary key default true check (singleton),
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,60}$')
);
comment on table private.trusted_headers is
  'The header that the proxy in front of the backend uses for the client''s address, if it isn''t x-forwarded-for.';

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
  'From now on, rate limits use this header: select private.trust_address_header(''cf-connecting-ip''). Null: x-forwarded-for again. No API role can call it.';

create function private.trusted_header() returns text
language sql stable security definer set search_path = '' as $$
  select name from private.trusted_headers
$$;

create function private.network_of(p_address text, p_bits_4 int, p_bits_6 int) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_address inet;
begin
  v_address := regexp_replace(p_address, '^::ffff:(?=[0-9]+[.])', '', 'i')::inet;
  return host(network(
    set_masklen(v_address, case family(v_address) when 4 then p_bits_4 else p_bits_6 end)
  ));
exception when invalid_text_representation then
  return p_address;
end
$$;
comment on function private.network_of(text, int, int) is
  'The first address of an address''s network with this many bits (IPv4, IPv6); anything that isn''t an address is returned unchanged.';

create function private.client_address() returns text
language sql stable set search_path = '' as $$
  -- One client has the whole network of 64 bits of its IPv6 address.
  select private.network_of(pg_catalog.left(coalesce(
    h.headers ->> private.trusted_header(),
    -- The last entry is the one that our own proxy wrote.
    btrim(regexp_replace(h.headers ->> 'x-forwarded-for', '^.*,', ''))
  ), 64), 32, 64)
  from (select nullif(current_setting('request.headers', true), '')::jsonb as headers) h
$$;
comment on function private.client_address() is
  'The caller''s address as passed on by the REST interface (for IPv6 its 64-bit network), or null.';

create function private.require_fair_share(
  p_what text, p_sender text, p_network text, p_each int, p_all int, p_window interval,
  p_message text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_sender is not null then
    perform private.require_rate_limit(p_what || ':' || p_sender, p_each, p_window, p_message);
  end if;
  -- A sender with many addresses mostly has them in one network, which can't use up the whole.
  perform private.require_rate_limit(
    p_what || '-network:' || coalesce(p_network, 'unknown'), p_all / 10, p_window, p_message
  );
  perform private.require_rate_limit(p_what, p_all, p_window, p_message);
end
$$;
comment on function private.require_fair_share(text, text, text, int, int, interval, text) is
  'Counts one use by a sender, who can have p_each per window, and by the sender''s network, which can have a tenth of p_all, and only then for all visitors together. Rejected for now if any limit is exceeded; rejected uses don''t count against the other limits.';
