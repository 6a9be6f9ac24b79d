-- Closing a session: everything that a coach writes down about it, in one call that can be sent again.

create function private.store_figures(
  p_engagement public.engagements, p_figures jsonb, p_taken_on date
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_figures record;
begin
  if jsonb_typeof(p_figures) is distinct from 'object' then
    return;
  end if;
  select * into v_figures from jsonb_to_record(p_figures) as f (
    id uuid, full_time int, part_time int, revenue_minor bigint, profit_minor bigint, currency text
  );
  perform private.put_snapshot(
    auth.uid(), v_figures.id, p_engagement.business_id, least(p_taken_on, private.my_today()),
    v_figures.full_time, v_figures.part_time, v_figures.revenue_minor, v_figures.profit_minor,
    v_figures.currency
  );
end
$$;
comment on function private.store_figures(public.engagements, jsonb, date) is
  'Adds the figures that came up in a session to those of the business, as its members do.';

create function private.store_actions(
  p_engagement public.engagements, p_session_id uuid, p_actions jsonb
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if jsonb_array_length(p_actions) > 20
    or exists (select from jsonb_array_elements(p_actions) a where jsonb_typeof(a) <> 'object')
  then
    raise exception 'Add at most 20 actions.' using errcode = '22023', hint = 'actions';
  end if;
  perform private.put_action(
    p_engagement, p_session_id, a.id, a.body, a.doer, a.due_on, a.area_key, a.tool_slug,
    a.focus_area_id
  )
  from jsonb_to_recordset(p_actions) as a (
    id uuid, body text, doer text, due_on date, area_key text, tool_slug text, focus_area_id uuid
  );
end
$$;

create function private.store_session(
  p_id uuid, p_engagement public.engagements, p_session jsonb
) returns public.coaching_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_found public.coaching_sessions;
  v_said record;
  v_topics text[] := array(
    select distinct t from jsonb_array_elements_text(
      case when jsonb_typeof(p_session -> 'topics') = 'array' then p_session -> 'topics' else '[]' end
    ) t order by t
  );
begin
  select * into v_said from jsonb_to_record(p_session) as s (
    starts_at timestamptz, time_zone text, minutes int, kind text, outcome text, summary text
  );
  if v_said.outcome is null or v_said.outcome not in ('completed', 'no_show') then
    raise exception 'Say whether the session took place.' using errcode = '22023', hint = 'outcome';
  end if;
  -- A minute, because a phone's clock may be ahead of ours.
  if v_said.starts_at > now() + interval '1 minute' then
    raise exception 'You can close a session once it has started.'
      using errcode = '22023', hint = 'starts_at';
  end if;
  if exists (select from unnest(v_topics) t where t not in (select k.key from public.skill_areas k)) then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'topics';
  end if;
  perform private.check_session_plan(
    v_said.starts_at, v_said.time_zone, v_said.minutes, v_said.kind, null
  );
  if not exists (select from public.coaching_sessions s where s.id = p_id) then
    perform private.put_session(
      p_id, p_engagement, v_said.starts_at, v_said.time_zone, v_said.minutes, v_said.kind, null
    );
  end if;
  update public.coaching_sessions s set
    state = v_said.outcome, starts_at = v_said.starts_at, time_zone = v_said.time_zone,
    minutes = v_said.minutes, kind = v_said.kind, topics = v_topics,
    summary = private.clean_text(v_said.summary, 1000, 'summary')
  where s.id = p_id
  returning * into v_found;
  return v_found;
end
$$;
comment on function private.store_session(uuid, public.engagements, jsonb) is
  'Closes a session as the coach says, after checking it; adds it first if it wasn''t scheduled.';

create function private.tell_of_session(
  p_session public.coaching_sessions, p_engagement public.engagements
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_coach text := coalesce(private.name_of(p_session.coach_id), 'Your coach');
  v_actions int := (
    select count(*) from public.coaching_actions a
    where a.session_id = p_session.id and a.doer = 'owner'
  );
begin
  perform private.notify(
    p_engagement.owner_id, 'session', 'session:' || p_session.id || ':closed',
    case p_session.state
      when 'completed' then v_coach || ' wrote up your session'
      else 'You missed the session on ' || private.when_words(p_session.starts_at, p_engagement.owner_id)
    end,
    case
      when p_session.state = 'no_show' then
        'It used one of your sessions. If that’s a mistake, write to your coach.'
      when v_actions = 0 then 'Read the summary, and say how the session went.'
      else format(
        'Read the summary and your %s, and say how the session went.',
        case v_actions when 1 then 'next action' else v_actions || ' next actions' end
      )
    end,
    '/dashboard/coaching', 'Your coaching'
  );
end
$$;

-- Who closes it ---------------------------------------------------------------------------------

create function private.can_write_up(
  p_session public.coaching_sessions, p_engagement public.engagements, p_user_id uuid
) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    p_session.state = 'scheduled' and p_session.coach_id = p_user_id
    and p_engagement.owner_id is not null and private.role_of(p_user_id) = 'coach'
    and (
      p_engagement.coach_id = p_user_id and p_engagement.closed_at is null
      or p_session.starts_at <= now() and private.write_up_until(p_session) > now()
    ),
    false
  )
$$;
comment on function private.can_write_up(public.coaching_sessions, public.engagements, uuid) is
  'Whether someone can close a scheduled session: its coach, and for 14 days after it the coach whose coaching has ended since.';

create function private.hold_for_closing(p_session_id uuid, p_engagement_id uuid)
returns public.engagements
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
begin
  select e.* into v_engagement from public.engagements e
  where e.id = p_engagement_id and e.owner_id is not null and private.is_coach() and (
    e.coach_id = v_user_id
    or exists (
      select from public.coaching_sessions s
      where s.id = p_session_id and s.engagement_id = e.id and s.coach_id = v_user_id
    )
  )
  for update;
  if not found then
    raise exception 'We can’t find this coaching.' using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return v_engagement;
end
$$;
comment on function private.hold_for_closing(uuid, uuid) is
  'The engagement of a session that the caller closes, locked: as its coach, or as the one who had this session; an error (P0002) for everyone else.';

create function public.close_session(p_id uuid, p_engagement_id uuid, p_session jsonb)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
  v_session public.coaching_sessions;
  v_next record;
  v_is_over boolean;
begin
  if jsonb_typeof(p_session) is distinct from 'object' then
    raise exception 'Say how the session went.' using errcode = '22023', hint = '';
  end if;
  -- Before the engagement, in the order in which everyone takes them.
  perform private.one_at_a_time('business', e.business_id)
  from public.engagements e
  where e.id = p_engagement_id and jsonb_typeof(p_session -> 'figures') = 'object';
  v_engagement := private.hold_for_closing(p_id, p_engagement_id);
  v_is_over := v_engagement.coach_id is distinct from v_user_id or v_engagement.closed_at is not null;
  select * into v_session from public.coaching_sessions s where s.id = p_id for update;
  if found and (v_session.engagement_id <> p_engagement_id or v_session.coach_id is distinct from v_user_id) then
    raise exception 'This session already exists.' using errcode = '23505', hint = 'id';
  end if;
  if v_session.state in ('completed', 'no_show') then
    -- Sent twice: the second time finds what the first one stored.
    return private.session_state_json(p_id);
  end if;
  if v_session.state = 'canceled' then
    raise exception 'This session was canceled. Record it as a new one if it took place anyway.'
      using errcode = '55000';
  end if;
  if v_session.id is null then
    perform private.require_under_way(v_engagement);
  elsif not private.can_write_up(v_session, v_engagement, v_user_id) then
    raise exception 'Your coaching has ended, and sessions can be written up for 14 days.'
      using errcode = '55000';
  end if;
  v_session := private.store_session(p_id, v_engagement, p_session);
  perform private.keep_note(p_id, v_user_id, p_session ->> 'note');
  if v_is_over then
    -- What comes next isn't theirs to say anymore, not even if they wrote it down before.
    perform private.tell_of_session(v_session, v_engagement);
    return private.session_state_json(p_id);
  end if;
  if jsonb_typeof(p_session -> 'actions') = 'array' then
    perform private.store_actions(v_engagement, p_id, p_session -> 'actions');
  end if;
  perform private.store_figures(
    v_engagement, p_session -> 'figures',
    (v_session.starts_at at time zone v_session.time_zone)::date
  );
  if v_session.state = 'completed' and (
    v_engagement.state = 'accepted'
    -- One from before the pause leaves it alone.
    or v_engagement.state = 'paused' and v_session.starts_at >= v_engagement.state_since
  ) then
    perform private.start_coaching(p_engagement_id);
  end if;
  if jsonb_typeof(p_session -> 'next') = 'object' then
    select * into v_next from jsonb_to_record(p_session -> 'next') as n (
      id uuid, starts_at timestamptz, minutes int, kind text, place text
    );
    perform private.plan_session(
      v_next.id, v_engagement, v_next.starts_at, v_session.time_zone, v_next.minutes, v_next.kind,
      v_next.place
    );
  end if;
  perform private.tell_of_session(v_session, v_engagement);
  return private.session_state_json(p_id);
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow
    or numeric_value_out_of_range
  then
    raise exception 'Something you entered isn’t right. Check it and try again.'
      using errcode = '22023', hint = '';
end
$$;
comment on function public.close_session(uuid, uuid, jsonb) is
  'A coach closes a session, or records one that wasn''t scheduled, all at once or not at all: {starts_at, time_zone, minutes, kind, outcome (completed or no_show), topics, summary (the owner reads it), note (private), actions, figures, next}. Answers {id, state}; sent again, what''s stored. The first completed session makes accepted coaching active. The owner is notified. Once their coaching has ended, a coach can still close what had started, for 14 days, and only with a summary and a note.';
grant execute on function public.close_session(uuid, uuid, jsonb) to authenticated;

create function public.change_summary(p_session_id uuid, p_summary text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_session_id, '{coach}');
begin
  if v_session.state not in ('completed', 'no_show') then
    raise exception 'Close the session first.' using errcode = '55000';
  end if;
  perform private.require_running(v_session.engagement_id);
  if not private.can_change_summary(v_session) then
    raise exception 'You can change a summary for 30 days.' using errcode = '55000';
  end if;
  update public.coaching_sessions s set summary = private.clean_text(p_summary, 1000, 'summary')
  where s.id = p_session_id;
  return private.session_state_json(p_session_id);
end
$$;
comment on function public.change_summary(uuid, text) is
  'A coach changes the summary that the owner reads, within 30 days of closing the session; {id, state}.';
grant execute on function public.change_summary(uuid, text) to authenticated;

create function private.can_change_summary(p_session public.coaching_sessions) returns boolean
language sql stable set search_path = '' as $$
  select p_session.state in ('completed', 'no_show')
    and p_session.closed_at > now() - interval '30 days'
$$;

-- How it went -----------------------------------------------------------------------------------

create table public.session_feedback (
  session_id uuid primary key references public.coaching_sessions (id),
  owner_id uuid not null references auth.users (id) on delete cascade,
  rating int not null check (rating between 1 and 4),
  comment text check (char_length(comment) between 1 and 1000),
  created_at timestamptz not null default now()
);
comment on table public.session_feedback is
  'What owners say about a session, 1 to 4 and a comment. The owner and admins read it, never the coach.';
create index session_feedback_owner_id_idx on public.session_feedback (owner_id);
alter table public.session_feedback enable row level security;

create function public.rate_session(p_session_id uuid, p_rating int, p_comment text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_session_id, '{owner}');
begin
  if v_session.state <> 'completed' then
    raise exception 'You can say how a session went once it’s over.' using errcode = '55000';
  end if;
  if p_rating is null or p_rating not between 1 and 4 then
    raise exception 'Choose one of the four answers.' using errcode = '22023', hint = 'rating';
  end if;
  insert into public.session_feedback as f (session_id, owner_id, rating, comment)
  values (p_session_id, v_user_id, p_rating, private.clean_text(p_comment, 1000, 'comment'))
  on conflict (session_id) do update set rating = excluded.rating, comment = excluded.comment;
  return jsonb_build_object('id', p_session_id);
end
$$;
comment on function public.rate_session(uuid, int, text) is
  'An owner says how a completed session went, 1 to 4 with a comment; again replaces it; {id}. The coach never reads it.';
grant execute on function public.rate_session(uuid, int, text) to authenticated;
