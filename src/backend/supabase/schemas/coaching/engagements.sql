-- Engagements: who coaches which owner and business, from the request to its end, and the history of
-- each. The steps are in private.transitions; engagement_steps.sql and the files after it take them.

create table public.engagements (
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  owner_id uuid references auth.users (id) on delete set null,
  coach_id uuid references auth.users (id) on delete set null,
  state text not null default 'requested' check (
    state in (
      'requested', 'assigned', 'accepted', 'active', 'paused', 'completed', 'withdrawn',
      'unreachable', 'ineligible'
    )
  ),
  areas text[] not null default '{}' check (cardinality(areas) <= 8),
  note text check (char_length(note) <= 2000),
  results_shared boolean not null default false,
  requested_at timestamptz not null default now(),
  assigned_at timestamptz,
  updated_at timestamptz not null default now(),
  -- Null while it's open.
  closed_at timestamptz,
  -- Since when it's in its state.
  state_since timestamptz not null default now(),
  -- When the current coach said yes, and when their first session was closed.
  accepted_at timestamptz,
  active_at timestamptz,
  -- When a pause ends.
  resume_on date,
  -- What the coach wrote at the end, and who can help instead; the owner reads both.
  closing_summary text check (char_length(closing_summary) <= 2000),
  referral text check (char_length(referral) <= 1000),
  -- When the owner asked for another coach; the coach isn't told.
  change_requested_at timestamptz,
  -- The next thing that has to happen, and by when; kept by private.set_clock.
  due_what text check (
    due_what in (
      'assign', 'accept', 'contact', 'pick', 'session', 'write_up', 'plan', 'resume'
    )
  ),
  due_at timestamptz,
  check ((due_what is null) = (due_at is null))
);
comment on table public.engagements is
  'Who coaches which owner and business, and whether the coach can read quiz results.';

create index engagements_business_id_idx on public.engagements (business_id);
create index engagements_owner_id_idx on public.engagements (owner_id);
create index engagements_coach_id_idx on public.engagements (coach_id, due_at, id);
create index engagements_due_idx on public.engagements (due_at, id) where closed_at is null;
create unique index engagements_one_open_idx on public.engagements (business_id, owner_id)
  where closed_at is null;

create table public.engagement_events (
  id bigint generated always as identity primary key,
  engagement_id uuid not null references public.engagements (id),
  at timestamptz not null default now(),
  -- No foreign key: the event outlives the account.
  actor_id uuid,
  kind text not null check (
    kind in (
      'requested', 'state_changed', 'coach_changed', 'sharing_changed', 'change_requested',
      'change_dropped'
    )
  ),
  from_state text,
  to_state text,
  -- For staff: reasons and handover notes. Not readable through the API.
  note text,
  details jsonb not null default '{}'
);
comment on table public.engagement_events is
  'The history of an engagement, append-only. details: {coach_id, from_coach_id, why: declined, lapsed, coach_left or reply; results_shared}.';

create index engagement_events_engagement_id_idx on public.engagement_events (engagement_id, at);

-- Who coaches whom ------------------------------------------------------------------------------

create function private.my_clients()
returns table (engagement_id uuid, owner_id uuid, business_id uuid, results_shared boolean)
language sql stable security definer set search_path = '' as $$
  select e.id, e.owner_id, e.business_id, e.results_shared
  from public.engagements e
  where e.coach_id = (select auth.uid())
    -- Null once the owner deleted the account: their business is nobody's to read then.
    and e.owner_id is not null
    and e.closed_at is null
    and (select private.is_coach())
$$;
comment on function private.my_clients() is
  'Open engagements that the person runs, as long as they are a coach and the owner has an account.';

create function private.client_of(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', c.engagement_id, 'name', coalesce(nullif(p.preferred_name, ''), nullif(p.full_name, ''))
  )
  from private.my_clients() c
  join public.profiles p on p.user_id = c.owner_id
  where c.business_id = p_business_id
$$;
comment on function private.client_of(uuid) is
  'Who the caller coaches at a business: {id, name}, of the engagement and as the owner wants to be called; null if nobody.';

create function private.my_client_engagement_ids() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select c.engagement_id from private.my_clients() c
$$;
grant execute on function private.my_client_engagement_ids() to authenticated;

-- Row-level security ----------------------------------------------------------------------------

alter table public.engagements enable row level security;
alter table public.engagement_events enable row level security;

create policy "Owners read their engagements, coaches those that they run"
  on public.engagements for select to authenticated
  using (
    (select private.session_ok())
    and (
      owner_id = (select auth.uid())
      or id = any (array(select private.my_client_engagement_ids()))
    )
  );

create policy "What happened to an engagement is read with it, without wishes for another coach"
  on public.engagement_events for select to authenticated
  using (
    (select private.session_ok())
    and engagement_id = any (array(select e.id from public.engagements e))
    and kind not in ('change_requested', 'change_dropped')
  );

-- Without change_requested_at, which is between the owner and the admins.
grant select (
  id, business_id, owner_id, coach_id, state, areas, note, results_shared, requested_at,
  assigned_at, updated_at, closed_at, state_since, accepted_at, active_at, resume_on,
  closing_summary, referral, due_what, due_at
) on public.engagements to authenticated;
grant select (id, engagement_id, at, actor_id, kind, from_state, to_state, details)
  on public.engagement_events to authenticated;

-- Triggers: allowed steps, each of them recorded ------------------------------------------------

create trigger engagements_touch before update on public.engagements
  for each row when (not private.merging()) execute function private.touch_updated_at();

create function private.is_closed(p_state text) returns boolean
language sql immutable set search_path = '' as $$
  select p_state in ('completed', 'withdrawn', 'unreachable', 'ineligible')
$$;
comment on function private.is_closed(text) is
  'Whether coaching has ended in this state, even if it can be picked up again.';

create function private.enter_state(p_new public.engagements)
returns public.engagements
language plpgsql stable set search_path = '' as $$
begin
  p_new.state_since := now();
  p_new.closed_at := case when private.is_closed(p_new.state) then now() end;
  case p_new.state
    when 'requested' then
      p_new.coach_id := null;
      p_new.assigned_at := null;
      p_new.accepted_at := null;
      p_new.active_at := null;
    when 'assigned' then p_new.assigned_at := now();
    when 'accepted' then p_new.accepted_at := now();
    when 'active' then p_new.active_at := coalesce(p_new.active_at, now());
    else null;
  end case;
  if p_new.coach_id is null and p_new.state in ('assigned', 'accepted', 'active', 'paused') then
    raise exception 'A coach is assigned to a request.' using errcode = '55000';
  end if;
  if p_new.state <> 'paused' then
    p_new.resume_on := null;
  elsif p_new.resume_on is null then
    raise exception 'A pause needs an end date.' using errcode = '55000';
  end if;
  return p_new;
end
$$;
comment on function private.enter_state(public.engagements) is
  'An engagement that has just changed its state, with what starts and ends with that.';

create function private.guard_engagement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'An engagement is closed, never removed.' using errcode = '55000';
  end if;
  if tg_op = 'UPDATE' and (
    new.id <> old.id or new.business_id <> old.business_id
    or (new.owner_id is distinct from old.owner_id and new.owner_id is not null)
  ) then
    raise exception 'An engagement stays with its owner and business.' using errcode = '55000';
  end if;
  if tg_op = 'INSERT' then
    new.state_since := new.requested_at;
  end if;
  if new.state = 'requested' and new.coach_id is not null
    and (tg_op = 'INSERT' or old.state = 'requested')
  then
    raise exception 'A coach is assigned to a request.' using errcode = '55000';
  end if;

  if tg_op = 'UPDATE' then
    -- Their account is gone: the owner isn't left without anyone.
    if new.coach_id is null and old.coach_id is not null and new.state = old.state
      and not private.is_closed(new.state)
    then
      new.state := 'requested';
    end if;
    if new.state <> old.state then
      new := private.enter_state(new);
    end if;
    if old.coach_id is not null and new.coach_id is distinct from old.coach_id then
      -- What the owner shared, they shared with this coach.
      new.results_shared := false;
      new.change_requested_at := null;
      if new.coach_id is not null and new.state = old.state then
        new.assigned_at := now();
        new.accepted_at := case when new.state = 'accepted' then now() else new.accepted_at end;
      end if;
    end if;
  end if;
  if tg_op = 'INSERT'
    or (new.state, new.coach_id, new.requested_at, new.state_since, new.assigned_at, new.accepted_at, new.resume_on)
      is distinct from
      (old.state, old.coach_id, old.requested_at, old.state_since, old.assigned_at, old.accepted_at, old.resume_on)
  then
    select c.due_what, c.due_at into new.due_what, new.due_at from private.clock_of(new) c;
  end if;
  return new;
end
$$;
comment on function private.guard_engagement() is
  'An engagement keeps its subject, has a coach once it''s assigned, shares nothing with the next coach, knows what has to happen next, and records when it closed.';
create trigger engagements_stay_as_they_are
  before insert or update or delete on public.engagements
  for each row when (not private.merging()) execute function private.guard_engagement();
create trigger engagements_take_known_steps before insert or update of state on public.engagements
  for each row execute function private.check_transition('engagement', 'state');

create trigger engagement_events_are_append_only before update or delete on public.engagement_events
  for each row execute function private.refuse_change();
create trigger engagement_events_are_never_emptied before truncate on public.engagement_events
  for each statement execute function private.refuse_change();

create function private.record_engagement() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_note text := nullif(current_setting('trellis.reason', true), '');
  v_why text := nullif(current_setting('trellis.why', true), '');
begin
  if tg_op = 'INSERT' then
    insert into public.engagement_events (engagement_id, actor_id, kind, to_state)
    values (new.id, auth.uid(), 'requested', new.state);
    return null;
  end if;
  if new.state <> old.state or new.coach_id is distinct from old.coach_id then
    insert into public.engagement_events (
      engagement_id, actor_id, kind, from_state, to_state, note, details
    ) values (
      new.id, auth.uid(), case when new.state <> old.state then 'state_changed' else 'coach_changed' end,
      old.state, new.state, v_note,
      jsonb_strip_nulls(jsonb_build_object(
        'coach_id', new.coach_id,
        'from_coach_id', case when new.coach_id is distinct from old.coach_id then old.coach_id end,
        'why', v_why
      ))
    );
  end if;
  if new.results_shared <> old.results_shared then
    insert into public.engagement_events (
      engagement_id, actor_id, kind, from_state, to_state, details
    ) values (
      new.id, auth.uid(), 'sharing_changed', old.state, new.state,
      jsonb_build_object('results_shared', new.results_shared)
    );
  end if;
  return null;
end
$$;
create trigger engagements_are_recorded after insert or update on public.engagements
  for each row execute function private.record_engagement();

-- Attempts to reach an owner ---------------------------------------------------------------------

create table public.contact_attempts (
  -- Created by the browser, so that sending it twice stores it once.
  id uuid primary key,
  engagement_id uuid not null references public.engagements (id),
  coach_id uuid references auth.users (id) on delete set null,
  at timestamptz not null default now(),
  channel text not null check (channel in ('message', 'email', 'phone', 'text', 'in_person')),
  -- Whether they talked or the owner answered.
  reached boolean not null,
  note text check (char_length(note) between 1 and 500),
  created_at timestamptz not null default now()
);
comment on table public.contact_attempts is
  'How and when a coach tried to reach an owner. Coach and admins read it through procedures.';
create index contact_attempts_engagement_id_idx on public.contact_attempts (engagement_id, at);
create index contact_attempts_coach_id_idx on public.contact_attempts (coach_id);
alter table public.contact_attempts enable row level security;
