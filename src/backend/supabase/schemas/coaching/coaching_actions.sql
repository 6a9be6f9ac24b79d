-- Coaching actions: what an owner and their coach agree to do, each with who does it and by when.
--
--   action:  open ⇄ done, open ⇄ dropped

create table public.coaching_actions (
  id uuid primary key,
  engagement_id uuid not null references public.engagements (id),
  -- The session in which it was agreed on.
  session_id uuid references public.coaching_sessions (id),
  body text not null check (char_length(btrim(body)) between 1 and 600),
  doer text not null check (doer in ('owner', 'coach')),
  due_on date,
  state text not null default 'open' check (state in ('open', 'done', 'dropped')),
  focus_area_id uuid references public.focus_areas (id) on delete set null,
  area_key text references public.skill_areas (key),
  -- The question whose practice it's about.
  question_key text check (char_length(question_key) <= 120),
  tool_slug text check (char_length(tool_slug) <= 120),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((state = 'open') = (settled_at is null))
);
comment on table public.coaching_actions is
  'What owners and coaches agreed to do. The owner and the coach read it through procedures.';

create index coaching_actions_engagement_id_idx
  on public.coaching_actions (engagement_id, state, due_on);
create index coaching_actions_session_id_idx on public.coaching_actions (session_id);
create index coaching_actions_focus_area_id_idx on public.coaching_actions (focus_area_id);
create index coaching_actions_area_key_idx on public.coaching_actions (area_key);
create index coaching_actions_created_by_idx on public.coaching_actions (created_by);
create index coaching_actions_due_on_idx on public.coaching_actions (due_on) where state = 'open';

alter table public.coaching_actions enable row level security;

create function private.tool_link(p_slug text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes)
  from public.toolbox_items i where i.slug = p_slug and i.state = 'published'
$$;
comment on function private.tool_link(text) is
  'What a link to a published tool needs, {slug, title, type, minutes}; null for any other slug.';

create function private.coaching_action_json(p_action public.coaching_actions) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_action.id, 'session_id', p_action.session_id, 'body', p_action.body,
    'doer', p_action.doer, 'due_on', p_action.due_on, 'state', p_action.state,
    'focus_area_id', p_action.focus_area_id, 'area_key', p_action.area_key,
    'tool', case when p_action.tool_slug is not null then private.tool_link(p_action.tool_slug) end,
    'created_at', p_action.created_at, 'settled_at', p_action.settled_at
  );
end
$$;

create function private.put_action(
  p_engagement public.engagements, p_session_id uuid, p_id uuid, p_body text, p_doer text,
  p_due_on date, p_area_key text, p_tool_slug text, p_focus_area_id uuid
) returns public.coaching_actions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_action public.coaching_actions;
  v_body text;
begin
  select * into v_action from public.coaching_actions a where a.id = p_id;
  if found then
    if v_action.engagement_id <> p_engagement.id then
      raise exception 'This action already exists.' using errcode = '23505', hint = 'id';
    end if;
    return v_action;
  end if;
  if p_id is null then
    raise exception 'An action needs an id.' using errcode = '22023', hint = 'id';
  end if;
  v_body := private.clean_text(p_body, 600, 'body', 'Say what there is to do.');
  if p_doer is null or p_doer not in ('owner', 'coach') then
    raise exception 'Say who does it.' using errcode = '22023', hint = 'doer';
  end if;
  -- What was written offline may be due before it gets here.
  if p_due_on not between private.my_today() - 60 and private.my_today() + 366 then
    raise exception 'Choose a date within the next year.' using errcode = '22023', hint = 'due_on';
  end if;
  if p_area_key is not null
    and not exists (select from public.skill_areas k where k.key = p_area_key)
  then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'area_key';
  end if;
  if p_tool_slug is not null and private.tool_link(p_tool_slug) is null then
    raise exception 'Choose a tool from the toolbox.' using errcode = '22023', hint = 'tool_slug';
  end if;
  if p_focus_area_id is not null and not exists (
    select from public.focus_areas f join public.attempts t on t.id = f.attempt_id
    where f.id = p_focus_area_id and f.user_id = p_engagement.owner_id
      and t.business_id = p_engagement.business_id
  ) then
    raise exception 'Choose one of the focus areas.' using errcode = '22023', hint = 'focus_area_id';
  end if;
  insert into public.coaching_actions (
    id, engagement_id, session_id, body, doer, due_on, focus_area_id, area_key, tool_slug, created_by
  ) values (
    p_id, p_engagement.id, p_session_id, v_body, p_doer, p_due_on, p_focus_area_id,
    coalesce(p_area_key, (select f.area_key from public.focus_areas f where f.id = p_focus_area_id)),
    p_tool_slug, auth.uid()
  )
  returning * into v_action;
  return v_action;
end
$$;
comment on function private.put_action(public.engagements, uuid, uuid, text, text, date, text, text, uuid) is
  'Adds an action to an engagement once under its id, after checking it.';

create function public.add_coaching_action(
  p_id uuid, p_engagement_id uuid, p_body text, p_doer text, p_due_on date,
  p_area_key text default null, p_tool_slug text default null, p_focus_area_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner,coach}');
  v_action public.coaching_actions;
begin
  -- What a lost answer was about stays true after the coaching has ended.
  if not exists (select from public.coaching_actions a where a.id = p_id) then
    perform private.require_under_way(v_engagement);
  end if;
  v_action := private.put_action(
    v_engagement, null, p_id, p_body, p_doer, p_due_on, p_area_key, p_tool_slug, p_focus_area_id
  );
  if v_user_id = v_engagement.coach_id and v_action.doer = 'owner' then
    perform private.notify(
      v_engagement.owner_id, 'action', 'coaching-action:' || p_id, 'A new action from your coach',
      v_action.body, '/dashboard/coaching', 'Your coaching'
    );
  end if;
  return private.coaching_action_json(v_action);
end
$$;
comment on function public.add_coaching_action(uuid, uuid, text, text, date, text, text, uuid) is
  'An owner or their coach adds an action, once under its id; the action. The owner is notified of one that the coach gives them.';
grant execute on function public.add_coaching_action(uuid, uuid, text, text, date, text, text, uuid)
  to authenticated;

create function public.settle_coaching_action(p_id uuid, p_state text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_action public.coaching_actions;
begin
  if p_state is null or p_state not in ('open', 'done', 'dropped') then
    raise exception 'An action is open, done or dropped.' using errcode = '22023', hint = 'state';
  end if;
  select a.* into v_action
  from public.coaching_actions a join public.engagements e on e.id = a.engagement_id
  where a.id = p_id and (
    -- Their own, even once the coaching has ended.
    e.owner_id = v_user_id
    or e.coach_id = v_user_id and e.closed_at is null and e.owner_id is not null and private.is_coach()
  )
  for update of a;
  if not found then
    raise exception 'We can’t find this action.' using errcode = 'P0002', hint = 'id';
  end if;
  if v_action.doer = 'coach' and exists (
    select from public.engagements e where e.id = v_action.engagement_id and e.owner_id = v_user_id
  ) then
    raise exception 'Your coach does this one.' using errcode = '42501';
  end if;
  if v_action.state <> p_state then
    update public.coaching_actions a set
      state = p_state, settled_at = case when p_state <> 'open' then now() end
    where a.id = p_id
    returning * into v_action;
  end if;
  return private.coaching_action_json(v_action);
end
$$;
comment on function public.settle_coaching_action(uuid, text) is
  'An owner finishes, drops or reopens an action of theirs, or the coach any of a client; the action. Idempotent.';
grant execute on function public.settle_coaching_action(uuid, text) to authenticated;
