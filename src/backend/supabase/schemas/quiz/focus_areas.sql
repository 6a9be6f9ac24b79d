-- Focus areas: what an owner has chosen to work on, each with one action for about 30 days.
--
--   area:    open → ended                      at most three open per person and business
--   action:  open ⇄ done, open ⇄ dropped       at most one open per area
--
-- An area is chosen from a submitted attempt and belongs to the person and business of that
-- attempt. Only procedures write rows; a coach can read them if the results are shared.

create table public.focus_areas (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The results it was chosen from; the area belongs to the same business.
  attempt_id uuid not null,
  area_key text not null,
  state text not null default 'open' check (state in ('open', 'ended')),
  chosen_at timestamptz not null default now(),
  ended_at timestamptz,
  foreign key (attempt_id, area_key) references public.area_scores (attempt_id, area_key),
  check ((state = 'ended') = (ended_at is not null))
);
comment on table public.focus_areas is 'Areas that an owner works on, chosen from results.';

create index focus_areas_user_id_idx on public.focus_areas (user_id, state, chosen_at desc);
create index focus_areas_attempt_id_idx on public.focus_areas (attempt_id, area_key);

create table public.focus_actions (
  id uuid primary key,
  focus_area_id uuid not null references public.focus_areas (id) on delete cascade,
  -- The question whose practice it's about; null if it's about something else.
  question_key text check (char_length(question_key) <= 120),
  body text not null check (char_length(btrim(body)) between 1 and 600),
  due_on date not null,
  remind boolean not null default true,
  state text not null default 'open' check (state in ('open', 'done', 'dropped')),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((state = 'open') = (settled_at is null))
);
comment on table public.focus_actions is 'What an owner does about a focus area, with its due date.';

create index focus_actions_focus_area_id_idx
  on public.focus_actions (focus_area_id, created_at desc);
create unique index focus_actions_one_open_idx on public.focus_actions (focus_area_id)
  where state = 'open';
create index focus_actions_due_on_idx on public.focus_actions (due_on)
  where state = 'open' and remind;

create table public.focus_reminders (
  action_id uuid not null references public.focus_actions (id) on delete cascade,
  stage text not null check (stage in ('week', 'day')),
  -- A new date gets new reminders.
  due_on date not null,
  sent_at timestamptz not null default now(),
  primary key (action_id, stage, due_on)
);
comment on table public.focus_reminders is
  'Reminders that went out, by due date, so that none is sent twice. No API role reads it.';

-- Row-level security ----------------------------------------------------------------------------

alter table public.focus_areas enable row level security;
alter table public.focus_actions enable row level security;
alter table public.focus_reminders enable row level security;

create policy "Owners read their focus areas, coaches those of results shared with them"
  on public.focus_areas for select to authenticated
  using (
    (select private.session_ok())
    and (
      user_id = (select auth.uid())
      or attempt_id = any (array(select private.attempt_ids_shared_with_me()))
    )
  );

create policy "Actions are read with their focus area"
  on public.focus_actions for select to authenticated
  using (
    (select private.session_ok())
    and focus_area_id = any (array(select f.id from public.focus_areas f))
  );

grant select on public.focus_areas, public.focus_actions to authenticated;

-- Triggers --------------------------------------------------------------------------------------

create function private.guard_focus_area() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or new.user_id <> old.user_id or new.attempt_id <> old.attempt_id
    or new.area_key <> old.area_key
  then
    raise exception 'A focus area stays what it is.' using errcode = '55000';
  end if;
  if old.state = 'ended' then
    raise exception 'You’ve stopped working on this area. Choose it again.' using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger focus_areas_keep_to_their_states before update on public.focus_areas
  for each row execute function private.guard_focus_area();

create function private.guard_focus_action() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or new.focus_area_id <> old.focus_area_id then
    raise exception 'An action stays with its focus area.' using errcode = '55000';
  end if;
  if old.state <> 'open' and new.state <> 'open' then
    raise exception 'This action is closed. Reopen it to change it.' using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger focus_actions_keep_to_their_states before update on public.focus_actions
  for each row execute function private.guard_focus_action();

-- Reading ---------------------------------------------------------------------------------------

create function private.focus_json(p_user_id uuid, p_business_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  with chosen as (
    select f.id, f.attempt_id, f.area_key, f.state, f.chosen_at, f.ended_at
    from public.focus_areas f
    join public.attempts t on t.id = f.attempt_id
    where f.user_id = p_user_id and t.business_id is not distinct from p_business_id
    order by f.state = 'open' desc, f.chosen_at desc, f.id
    limit 12
  )
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', c.id, 'area_key', c.area_key, 'area_name', k.name, 'attempt_id', c.attempt_id,
      'state', c.state, 'chosen_at', c.chosen_at, 'ended_at', c.ended_at,
      'actions', (
        select coalesce(jsonb_agg(
          jsonb_build_object(
            'id', a.id, 'question_key', a.question_key, 'body', a.body, 'due_on', a.due_on,
            'remind', a.remind, 'state', a.state, 'created_at', a.created_at,
            'settled_at', a.settled_at
          ) order by a.state = 'open' desc, a.created_at desc, a.id
        ), '[]')
        from (
          select x.* from public.focus_actions x
          where x.focus_area_id = c.id
          order by x.state = 'open' desc, x.created_at desc, x.id
          limit 12
        ) a
      )
    ) order by c.state = 'open' desc,
      case when c.state = 'open' then c.chosen_at end, c.chosen_at desc, c.id
  ), '[]')
  from chosen c
  join public.skill_areas k on k.key = c.area_key
$$;
comment on function private.focus_json(uuid, uuid) is
  'The focus areas of a person and business with their actions: open ones first, then the most recently ended; as far as the caller can read them.';
grant execute on function private.focus_json(uuid, uuid) to authenticated;

create function private.my_focus_json(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.focus_json(auth.uid(), p_business_id) where (select private.session_ok())
  ), '[]')
$$;
comment on function private.my_focus_json(uuid) is
  'The caller''s own focus areas for a business, as in focus_json; the policies would have each table looked through for what others share.';
grant execute on function private.my_focus_json(uuid) to authenticated;

-- Procedures ------------------------------------------------------------------------------------

create function private.check_focus_action(p_id uuid, p_body text, p_due_on date) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_id is null then
    raise exception 'An action needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if char_length(btrim(coalesce(p_body, ''))) not between 1 and 600 then
    raise exception 'Say what you’ll do, in 1 to 600 characters.'
      using errcode = '22023', hint = 'body';
  end if;
  if p_due_on is null or p_due_on not between private.my_today() and private.my_today() + 366 then
    raise exception 'Choose a date within the next year.'
      using errcode = '22023', hint = 'due_on';
  end if;
end
$$;

create function private.my_focus_area(p_id uuid) returns public.focus_areas
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_area public.focus_areas;
begin
  select * into v_area from public.focus_areas f
  where f.id = p_id and f.user_id = v_user_id
  for update;
  if not found then
    raise exception 'We can’t find this focus area.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_area;
end
$$;
comment on function private.my_focus_area(uuid) is
  'The caller''s own focus area, locked; an error (P0002) for everyone else.';

create function private.focus_after(p_area public.focus_areas) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.focus_json(p_area.user_id, t.business_id)
  from public.attempts t where t.id = p_area.attempt_id
$$;

create function public.choose_focus_area(
  p_id uuid, p_attempt_id uuid, p_area_key text,
  p_action_id uuid, p_body text, p_due_on date,
  p_question_key text default null, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_attempt record;
  v_found public.focus_areas;
  v_open int;
begin
  perform private.one_at_a_time('focus_areas', v_user_id);
  select * into v_found from public.focus_areas f where f.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.user_id <> v_user_id then
      raise exception 'This focus area already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.focus_after(v_found);
  end if;
  if p_id is null then
    raise exception 'A focus area needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.check_focus_action(p_action_id, p_body, p_due_on);

  select t.id, t.state, t.business_id into v_attempt from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if v_attempt.state <> 'submitted' or not exists (
    select from public.area_scores s
    where s.attempt_id = p_attempt_id and s.area_key = p_area_key and s.score is not null
  ) then
    raise exception 'Choose an area that has a score.' using errcode = '22023', hint = 'area_key';
  end if;

  select count(*) into v_open
  from public.focus_areas f
  join public.attempts t on t.id = f.attempt_id
  where f.user_id = v_user_id and f.state = 'open' and f.area_key = p_area_key
    and t.business_id is not distinct from v_attempt.business_id;
  if v_open > 0 then
    raise exception 'You’re already working on this area.' using errcode = '23505', hint = 'area_key';
  end if;
  select count(*) into v_open
  from public.focus_areas f
  join public.attempts t on t.id = f.attempt_id
  where f.user_id = v_user_id and f.state = 'open'
    and t.business_id is not distinct from v_attempt.business_id;
  if v_open >= 3 then
    raise exception 'You can work on three areas at a time. Stop working on one first.'
      using errcode = '55000';
  end if;

  insert into public.focus_areas (id, user_id, attempt_id, area_key)
  values (p_id, v_user_id, p_attempt_id, p_area_key)
  returning * into v_found;
  insert into public.focus_actions (id, focus_area_id, question_key, body, due_on, remind)
  values (
    p_action_id, p_id, left(p_question_key, 120), btrim(p_body), p_due_on, coalesce(p_remind, true)
  );
  return private.focus_after(v_found);
end
$$;
comment on function public.choose_focus_area(uuid, uuid, text, uuid, text, date, text, boolean) is
  'An owner chooses an area of their results to work on, with its first action; returns the focus areas of that business. Idempotent by id.';
grant execute on function
  public.choose_focus_area(uuid, uuid, text, uuid, text, date, text, boolean) to authenticated;

create function public.add_focus_action(
  p_id uuid, p_focus_area_id uuid, p_body text, p_due_on date,
  p_question_key text default null, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(p_focus_area_id);
  v_owner_id uuid;
begin
  select a.focus_area_id into v_owner_id from public.focus_actions a where a.id = p_id;
  if found then
    if v_owner_id <> p_focus_area_id then
      raise exception 'This action already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.focus_after(v_area);
  end if;
  perform private.check_focus_action(p_id, p_body, p_due_on);
  if v_area.state <> 'open' then
    raise exception 'You’ve stopped working on this area. Choose it again.' using errcode = '55000';
  end if;
  if exists (
    select from public.focus_actions a
    where a.focus_area_id = p_focus_area_id and a.state = 'open'
  ) then
    raise exception 'One action at a time: finish or drop the open one first.' using errcode = '55000';
  end if;
  insert into public.focus_actions (id, focus_area_id, question_key, body, due_on, remind)
  values (
    p_id, p_focus_area_id, left(p_question_key, 120), btrim(p_body), p_due_on,
    coalesce(p_remind, true)
  );
  return private.focus_after(v_area);
end
$$;
comment on function public.add_focus_action(uuid, uuid, text, date, text, boolean) is
  'Adds the next action to the caller''s focus area; returns the focus areas of that business. Idempotent by id.';
grant execute on function public.add_focus_action(uuid, uuid, text, date, text, boolean)
  to authenticated;

create function public.change_focus_action(
  p_id uuid, p_body text, p_due_on date, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(
    (select a.focus_area_id from public.focus_actions a where a.id = p_id)
  );
  v_action public.focus_actions;
begin
  select * into v_action from public.focus_actions a where a.id = p_id;
  if v_action.state <> 'open' or v_area.state <> 'open' then
    raise exception 'This action is closed. Reopen it to change it.' using errcode = '55000';
  end if;
  -- A date that has passed may stay as it is while the words are changed.
  perform private.check_focus_action(
    p_id, p_body, case when p_due_on = v_action.due_on then private.my_today() else p_due_on end
  );
  update public.focus_actions a
  set body = btrim(p_body), due_on = p_due_on, remind = coalesce(p_remind, true)
  where a.id = p_id;
  return private.focus_after(v_area);
end
$$;
comment on function public.change_focus_action(uuid, text, date, boolean) is
  'An owner changes the text, date or reminders of an open action; returns the focus areas of that business.';
grant execute on function public.change_focus_action(uuid, text, date, boolean) to authenticated;

create function public.settle_focus_action(p_id uuid, p_state text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(
    (select a.focus_area_id from public.focus_actions a where a.id = p_id)
  );
begin
  if p_state is null or p_state not in ('open', 'done', 'dropped') then
    raise exception 'An action is open, done or dropped.' using errcode = '22023', hint = 'state';
  end if;
  if v_area.state <> 'open' then
    raise exception 'You’ve stopped working on this area. Choose it again.' using errcode = '55000';
  end if;
  if p_state = 'open' and exists (
    select from public.focus_actions a
    where a.focus_area_id = v_area.id and a.state = 'open' and a.id <> p_id
  ) then
    raise exception 'Another action is open now. Finish or drop that one first.'
      using errcode = '55000';
  end if;
  update public.focus_actions a
  set state = p_state, settled_at = case when p_state = 'open' then null else now() end
  where a.id = p_id and a.state <> p_state;
  return private.focus_after(v_area);
end
$$;
comment on function public.settle_focus_action(uuid, text) is
  'An owner marks an action as done or dropped, or reopens it; returns the focus areas of that business.';
grant execute on function public.settle_focus_action(uuid, text) to authenticated;

create function public.end_focus_area(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(p_id);
begin
  if v_area.state = 'open' then
    update public.focus_actions a set state = 'dropped', settled_at = now()
    where a.focus_area_id = p_id and a.state = 'open';
    update public.focus_areas f set state = 'ended', ended_at = now() where f.id = p_id;
  end if;
  return private.focus_after(v_area);
end
$$;
comment on function public.end_focus_area(uuid) is
  'An owner stops working on an area; its open action is dropped. Returns the focus areas of that business.';
grant execute on function public.end_focus_area(uuid) to authenticated;

-- Reminders -------------------------------------------------------------------------------------

create function private.remind_of_focus_actions() returns bigint
language sql volatile security definer set search_path = '' as $$
  with open_ones as (
    select a.id, a.body, a.due_on, k.name as area_name, k.position, u.id as user_id,
      a.created_at at time zone z.name as made_at, now() at time zone z.name as here
    from public.focus_actions a
    join public.focus_areas f on f.id = a.focus_area_id and f.state = 'open'
    join public.skill_areas k on k.key = f.area_key
    join auth.users u on u.id = f.user_id
    cross join lateral private.time_zone_of(f.user_id) as z (name)
    where a.state = 'open' and a.remind
      -- A day each way more than matters: today is another day in some zones.
      and a.due_on between current_date - 8 and current_date + 8
  ),
  due as (
    -- A week ahead, for what was known longer; on the day; late when the server was away, up to a
    -- week. Never at night.
    select o.*, case when o.due_on > o.here::date then 'week' else 'day' end as stage
    from open_ones o
    where o.here::time >= time '08:00'
      and case
        when o.due_on > o.here::date
          then o.due_on <= o.here::date + 7 and o.made_at::date < o.due_on - 10
        else o.due_on >= o.here::date - 7
      end
  ),
  fresh as (
    insert into public.focus_reminders (action_id, stage, due_on)
    select d.id, d.stage, d.due_on from due d
    on conflict do nothing
    returning action_id
  ),
  notified as (
    select private.notify(
      d.user_id, 'reminder',
      'focus:' || md5(string_agg(d.id || d.stage || d.due_on, ',' order by d.id)),
      case
        when count(*) > 1 then 'What you said you’d do'
        when bool_or(d.stage = 'week') then 'One week left: ' || lower(min(d.area_name))
        else 'Due: ' || lower(min(d.area_name))
      end,
      string_agg(
        d.area_name || ', due ' || to_char(d.due_on, 'FMMonth FMDD') || ': ' || d.body,
        E'\n' order by d.due_on, d.position
      ) || E'\nDone? Mark it and choose what’s next. No time? Move the date or drop it. No hard feelings. To turn off an action’s reminders, edit it.',
      '/dashboard/skills#focus', 'Open your actions'
    ) as is_new
    from due d
    where d.id in (select r.action_id from fresh r)
    group by d.user_id
  )
  select count(*) filter (where n.is_new) from notified n
$$;
comment on function private.remind_of_focus_actions() is
  'Notifies everyone with an action due in a week or today, once per person and due date, unless they''ve turned off the action''s reminders; returns how many people.';
insert into private.jobs (kind, every)
values ('remind_of_focus_actions', interval '30 minutes');
