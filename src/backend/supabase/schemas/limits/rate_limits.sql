-- Rate limits: how often something can happen, across all processes.

create table public.rate_limits (
  key text primary key check (char_length(key) <= 300),
  hits int not null,
  expires_at timestamptz not null,
  -- The hits of the current minute, for keys that also have a limit per minute.
  minute_hits int not null default 0,
  minute_ends_at timestamptz not null default '-infinity'
);
comment on table public.rate_limits is
  'One counter per key, which restarts when its window ends. No API role reads or writes it.';

create index rate_limits_expires_at_idx on public.rate_limits (expires_at);

alter table public.rate_limits enable row level security;

create function private.is_over(p_ends_at timestamptz, p_window interval) returns boolean
language sql volatile set search_path = '' as $$
  -- A minute, because somebody else may have begun the window after this statement read the clock.
  select p_ends_at <= clock_timestamp()
    or p_ends_at > clock_timestamp() + p_window + interval '1 minute'
$$;
comment on function private.is_over(timestamptz, interval) is
  'Whether a window has ended, or started in what''s now the future because the clock was set back.';

create function private.take_rate_limit(p_key text, p_limit int, p_window interval) returns boolean
language sql volatile security definer set search_path = '' as $$
  insert into public.rate_limits as r (key, hits, expires_at)
  values (p_key, 1, clock_timestamp() + p_window)
  on conflict (key) do update set
    -- One more than the limit is enough to know: the number cannot overflow. A key with several
    -- limits keeps what the highest of them counted.
    hits = case
      when private.is_over(r.expires_at, p_window) then 1
      else greatest(r.hits, least(r.hits + 1, p_limit + 1))
    end,
    expires_at = case
      when private.is_over(r.expires_at, p_window) then clock_timestamp() + p_window
      else r.expires_at
    end
  returning hits <= p_limit
$$;
comment on function private.take_rate_limit(text, int, interval) is
  'Counts one use of the key and returns whether it''s within p_limit per window; rejected uses don''t extend the window.';

create function private.wait_words(p_wait interval) returns text
language sql immutable set search_path = '' as $$
  select case
    when p_wait <= interval '1 minute' then 'in a minute'
    when p_wait <= interval '59 minutes'
      then format('in %s minutes', ceil(extract(epoch from p_wait) / 60))
    when p_wait <= interval '1 hour' then 'in an hour'
    else format('in %s hours', ceil(extract(epoch from p_wait) / 3600))
  end
$$;
comment on function private.wait_words(interval) is
  'How long to wait, for the end of a sentence: "in a minute", "in 5 minutes", "in 3 hours".';

create function private.refuse_for_now(p_message text, p_wait interval, p_field text default null)
returns void
language plpgsql volatile set search_path = '' as $$
begin
  raise exception '%', format(p_message, private.wait_words(p_wait)) using
    errcode = 'PT429',
    detail = greatest(ceil(extract(epoch from p_wait)), 1)::int::text,
    hint = coalesce(p_field, '');
end
$$;
comment on function private.refuse_for_now(text, interval, text) is
  'Raises PT429, which the REST interface returns as 429. %s in p_message becomes the time to wait; the detail is the same in seconds. p_field names the form field the message belongs to.';

create function private.require_rate_limit(
  p_key text, p_limit int, p_window interval, p_message text, p_field text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.take_rate_limit(p_key, p_limit, p_window) then
    perform private.refuse_for_now(p_message, r.expires_at - clock_timestamp(), p_field)
    from public.rate_limits r where r.key = p_key;
  end if;
end
$$;
comment on function private.require_rate_limit(text, int, interval, text, text) is
  'Counts one use of the key, and rejects it for now if it exceeds p_limit per window.';

create function private.delete_old_rate_limits() returns bigint
language sql volatile security definer set search_path = '' as $$
  -- Without waiting: a person who is writing may hold one counter and be waiting for the next.
  with old as (
    select r.key from public.rate_limits r where r.expires_at < now() for update skip locked
  ), gone as (
    delete from public.rate_limits r using old where r.key = old.key returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_old_rate_limits', interval '1 hour');
