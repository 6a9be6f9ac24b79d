-- Engagements: an owner requests a coach, and an admin assigns one. The states include later ones
-- (accepted, active, paused, completed), but the database rejects those steps until they have
-- procedures.

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
  closed_at timestamptz
);
comment on table public.engagements is
  'Who coaches which owner and business, and whether the coach can read quiz results.';

create index engagements_business_id_idx on public.engagements (business_id);
create index engagements_owner_id_idx on public.engagements (owner_id);
create index engagements_coach_id_idx on public.engagements (coach_id);
create unique index engagements_one_open_idx on public.engagements (business_id, owner_id)
  where closed_at is null;

create table public.engagement_events (
  id bigint generated always as identity primary key,
  engagement_id uuid not null references public.engagements (id),
  at timestamptz not null default now(),
  -- No foreign key: the event outlives the account.
  actor_id uuid,
  kind text not null check (
    kind in ('requested', 'state_changed', 'coach_changed', 'sharing_changed')
  ),
  from_state text,
  to_state text,
  -- For staff: reasons and handover notes. Not readable through the API.
  note text,
  details jsonb not null default '{}'
);
comment on table public.engagement_events is 'The history of an engagement, append-only.';

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

create policy "What happened to an engagement is read with it"
  on public.engagement_events for select to authenticated
  using (
    (select private.session_ok())
    and engagement_id = any (array(select e.id from public.engagements e))
  );

grant select on public.engagements to authenticated;
grant select (id, engagement_id, at, actor_id, kind, from_state, to_state, details)
  on public.engagement_events to authenticated;

-- Triggers: allowed steps, each of them recorded ------------------------------------------------

create trigger engagements_touch before update on public.engagements
  for each row when (not private.merging()) execute function private.touch_updated_at();

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
  if new.state = 'requested' and new.coach_id is not null
    or tg_op = 'UPDATE' and old.state = 'requested' and new.state = 'assigned' and new.coach_id is null
  then
    raise exception 'A coach is assigned to a request.' using errcode = '55000';
  end if;

  if tg_op = 'UPDATE' and new.state <> old.state then
    if new.state = 'assigned' then
      new.assigned_at := now();
    end if;
    -- Where no step leads on from it is closed.
    if not exists (
      select from private.transitions t where t.entity = 'engagement' and t.from_state = new.state
    ) then
      new.closed_at := now();
    end if;
  end if;
  return new;
end
$$;
comment on function private.guard_engagement() is
  'An engagement keeps its subject, has a coach once it''s assigned, and records when it closed.';
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
begin
  if tg_op = 'INSERT' then
    insert into public.engagement_events (engagement_id, actor_id, kind, to_state)
    values (new.id, auth.uid(), 'requested', new.state);
  elsif new.state <> old.state then
    insert into public.engagement_events (engagement_id, actor_id, kind, from_state, to_state, note)
    values (
      new.id, auth.uid(), 'state_changed', old.state, new.state,
      nullif(current_setting('trellis.reason', true), '')
    );
  elsif new.coach_id is distinct from old.coach_id then
    insert into public.engagement_events (
      engagement_id, actor_id, kind, from_state, to_state, note
    ) values (
      new.id, auth.uid(), 'coach_changed', old.state, new.state,
      nullif(current_setting('trellis.reason', true), '')
    );
  elsif new.results_shared <> old.results_shared then
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

-- Procedures ------------------------------------------------------------------------------------

create function public.request_coaching(
  p_id uuid,
  p_business_id uuid,
  p_note text default null,
  p_areas text[] default '{}',
  p_share_results boolean default false
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_found record;
begin
  perform private.one_at_a_time('engagements', v_user_id);

  select e.id, e.owner_id, e.state into v_found from public.engagements e where e.id = p_id;
  if found then
    if v_found.owner_id is distinct from v_user_id then
      raise exception 'This request already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;

  if p_id is null then
    raise exception 'A request needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_member(p_business_id);
  if not private.toggle_on('coaching-requests') then
    raise exception 'We aren’t taking coaching requests right now. Try again later.'
      using errcode = '55000';
  end if;
  if char_length(p_note) > 2000 then
    raise exception 'Keep the note to 2,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if exists (
    select from unnest(p_areas) as chosen (key)
    where not exists (select from public.skill_areas s where s.key = chosen.key)
  ) then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'areas';
  end if;
  if exists (
    select from public.engagements e
    where e.owner_id = v_user_id and e.business_id = p_business_id
      and e.closed_at is null
  ) then
    raise exception 'You’ve already asked for a coach for this business.'
      using errcode = '23505', hint = 'business_id';
  end if;

  insert into public.engagements (id, business_id, owner_id, areas, note, results_shared)
  values (
    p_id, p_business_id, v_user_id,
    array(select distinct key from unnest(p_areas) as chosen (key) order by key),
    nullif(btrim(p_note), ''), coalesce(p_share_results, false)
  );
  return jsonb_build_object('id', p_id, 'state', 'requested');
end
$$;
comment on function public.request_coaching(uuid, uuid, text, text[], boolean) is
  'An owner asks for a coach for a business; {id, state}. One open request per business and owner.';
grant execute on function public.request_coaching(uuid, uuid, text, text[], boolean)
  to authenticated;

create function public.assign_coach(p_engagement_id uuid, p_coach_id uuid, p_reason text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_before record;
begin
  select e.id, e.closed_at, e.coach_id, e.owner_id into v_before
  from public.engagements e where e.id = p_engagement_id for update;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- They stay a coach until this is done.
  perform private.one_at_a_time('coach', p_coach_id);
  if private.role_of(p_coach_id) <> 'coach' then
    raise exception 'Choose someone who’s a coach.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.owner_id = p_coach_id then
    raise exception 'People can’t coach themselves.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.closed_at is not null then
    raise exception 'This coaching has ended.' using errcode = '55000';
  end if;

  if v_before.coach_id is distinct from p_coach_id then
    perform private.require_room(p_coach_id);
    -- The trigger that records the step reads the reason from here.
    perform set_config('trellis.reason', v_reason, true);
    update public.engagements e
    set coach_id = p_coach_id,
      state = case when e.state = 'requested' then 'assigned' else e.state end
    where e.id = p_engagement_id;
    perform set_config('trellis.reason', '', true);
    perform private.audit(
      'engagement.assign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_before.coach_id, 'after', p_coach_id)
    );
  end if;
  return (
    select jsonb_build_object('id', e.id, 'state', e.state, 'coach_id', e.coach_id)
    from public.engagements e where e.id = p_engagement_id
  );
end
$$;
comment on function public.assign_coach(uuid, uuid, text) is
  'An admin assigns a request to a coach who has room, or an open engagement to another one, with a reason.';
grant execute on function public.assign_coach(uuid, uuid, text) to authenticated;

create function public.set_results_shared(p_engagement_id uuid, p_shared boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_shared is null then
    raise exception 'Say whether to share the results.' using errcode = '22023', hint = 'shared';
  end if;
  update public.engagements e set results_shared = p_shared
  where e.id = p_engagement_id and e.owner_id = v_user_id;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return jsonb_build_object('id', p_engagement_id, 'results_shared', p_shared);
end
$$;
comment on function public.set_results_shared(uuid, boolean) is
  'An owner lets the coach read quiz results, or stops sharing them, at any time.';
grant execute on function public.set_results_shared(uuid, boolean) to authenticated;

create function public.withdraw_coaching(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_before record;
begin
  select e.state, e.coach_id, b.name as business into v_before
  from public.engagements e join public.businesses b on b.id = e.business_id
  where e.id = p_engagement_id and e.owner_id = v_user_id
  for update of e;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- Sent again after a lost answer, it is done already.
  if v_before.state <> 'withdrawn' then
    if not private.may_step('engagement', v_before.state, 'withdrawn', 'owner') then
      raise exception 'This coaching has already ended.' using errcode = '55000';
    end if;
    update public.engagements e set state = 'withdrawn' where e.id = p_engagement_id;
    if v_before.coach_id is not null then
      perform private.notify_person(
        v_before.coach_id, v_before.business || ' has withdrawn from coaching',
        coalesce(private.name_of(v_user_id), 'The owner') || ' has withdrawn from coaching for '
          || v_before.business || '. You can’t open the business or its results anymore.',
        'You’re getting this email because you were the coach.', 'Your clients', '/dashboard/coaching'
      );
    end if;
  end if;
  return jsonb_build_object('id', p_engagement_id, 'state', 'withdrawn');
end
$$;
comment on function public.withdraw_coaching(uuid) is
  'An owner withdraws from coaching in any open state; {id, state}. The coach loses access immediately and gets an email.';
grant execute on function public.withdraw_coaching(uuid) to authenticated;
