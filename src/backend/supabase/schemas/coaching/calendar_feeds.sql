-- Calendar feeds: a person's own sessions, events and due dates, at an address that only they know. Anyone
-- who has the address can read the feed, so the database keeps only a hash of its secret, and the
-- person can replace or remove it.

create table public.calendar_feeds (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- SHA-256 of the secret; only the address has the secret itself.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now()
);
comment on table public.calendar_feeds is
  'Who has a private calendar feed, and the hash of its secret. No API role reads or writes it.';
alter table public.calendar_feeds enable row level security;

create function public.make_calendar_feed() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  -- Two random UUIDs have 244 random bits.
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  insert into public.calendar_feeds as f (user_id, token_hash)
  values (v_user_id, sha256(convert_to(v_token, 'UTF8')))
  on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = now();
  return jsonb_build_object('path', '/functions/v1/calendar?token=' || v_token);
end
$$;
comment on function public.make_calendar_feed() is
  'Creates the caller''s calendar feed or replaces its address, so that the old one stops working; {path}, which is never shown again.';
grant execute on function public.make_calendar_feed() to authenticated;

create function public.remove_calendar_feed() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  delete from public.calendar_feeds f where f.user_id = v_user_id;
  return jsonb_build_object('removed', found);
end
$$;
comment on function public.remove_calendar_feed() is
  'Removes the caller''s calendar feed: its address stops working; {removed}. Idempotent.';
grant execute on function public.remove_calendar_feed() to authenticated;

create function private.calendar_since(p_user_id uuid) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select f.created_at from public.calendar_feeds f where f.user_id = p_user_id
$$;

-- What's in a feed ------------------------------------------------------------------------------

create function private.sessions_in_calendar(p_user_id uuid) returns table (
  uid text, sequence int, starts_at timestamptz, minutes int, title text, place text,
  description text, canceled boolean
)
language sql stable security definer set search_path = '' as $$
  select 'session-' || s.id, s.revision, s.starts_at, s.minutes,
    case when e.owner_id = p_user_id
      then 'Coaching with ' || coalesce(private.name_of(s.coach_id), 'your coach')
      else 'Coaching: ' || b.name
    end,
    s.place,
    case s.kind
      when 'in_person' then 'In person' when 'online' then 'Online' else 'By phone'
    end,
    s.state = 'canceled'
  from (
    select e.id from public.engagements e where e.owner_id = p_user_id
    union
    select e.id from public.engagements e
    where e.coach_id = p_user_id and e.owner_id is not null and private.role_of(p_user_id) = 'coach'
  ) own
  join public.engagements e on e.id = own.id
  join public.businesses b on b.id = e.business_id
  join public.coaching_sessions s on s.engagement_id = e.id
  where s.starts_at > now() - interval '60 days'
    and (e.owner_id = p_user_id or s.coach_id = p_user_id)
  order by s.starts_at desc
  limit 500
$$;

create function private.due_in_calendar(p_user_id uuid) returns table (
  uid text, day date, title text, description text
)
language sql stable security definer set search_path = '' as $$
  select 'action-' || a.id, a.due_on, a.body, 'Coaching action'
  from public.engagements e
  join public.coaching_actions a on a.engagement_id = e.id and a.state = 'open'
  where a.due_on > current_date - 60 and (
    a.doer = 'owner' and e.owner_id = p_user_id
    or a.doer = 'coach' and e.coach_id = p_user_id and e.closed_at is null
      and e.owner_id is not null and private.role_of(p_user_id) = 'coach'
  )
  union all
  select 'action-' || a.id, a.due_on, a.body, 'Focus area'
  from public.focus_areas f
  join public.focus_actions a on a.focus_area_id = f.id and a.state = 'open'
  where f.user_id = p_user_id and f.state = 'open' and a.due_on > current_date - 60
  union all
  select 'project-' || p.id, p.due_on, p.title, 'Project of ' || b.name
  from public.business_members m
  join public.businesses b on b.id = m.business_id and b.archived_at is null
  join public.projects p on p.business_id = m.business_id
  where m.user_id = p_user_id and p.due_on > current_date - 60
    and p.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
  order by 2 desc
  limit 500
$$;

create function private.calendar_of(p_caller text, p_token text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid;
begin
  -- Calendar apps of many people may ask from one address.
  if p_caller is not null then
    perform private.require_rate_limit(
      'calendar:' || p_caller, 600, interval '1 hour',
      'Your calendar asked too often. Try again %s.'
    );
  end if;
  select f.user_id into v_user_id
  from public.calendar_feeds f
  where f.token_hash = sha256(convert_to(p_token, 'UTF8'))
    and private.account_state(f.user_id) <> 'blocked';
  if not found then
    return null;
  end if;
  perform private.require_rate_limit(
    'calendar:' || v_user_id, 60, interval '1 hour', 'Your calendar asked too often. Try again %s.'
  );
  return jsonb_build_object(
    'sessions', (
      select coalesce(jsonb_agg(m.entry), '[]') from (
        select to_jsonb(s) || '{"path": "/dashboard/coaching"}' as entry
        from private.sessions_in_calendar(v_user_id) s
        union all
        select to_jsonb(e) || '{"path": "/dashboard"}' from private.events_in_calendar(v_user_id) e
      ) m
    ),
    'due', (select coalesce(jsonb_agg(d), '[]') from private.due_in_calendar(v_user_id) d)
  );
end
$$;
comment on function private.calendar_of(text, text) is
  'What the feed with this secret contains: {sessions: [{uid, sequence, starts_at, minutes, title, place, description, canceled, path}], due: [{uid, day, title, description}]}; null if there''s no such feed. Raises PT429 over the limits. The edge function calendar calls it.';
