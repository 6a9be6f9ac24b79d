-- Write limits: how much one person can write, kind by kind.
--
-- Each row below is a kind of write with its limits. A trigger counts what a signed-in person
-- writes to a table, or a procedure counts it itself. What the product writes on its own (scheduled
-- jobs, other triggers, the server's operator) is never counted. The limits are far above what a
-- person does by hand: they stop a script, but only slow down a queue of unsent writes.

create table private.write_limits (
  kind text primary key check (kind ~ '^[a-z_]+$'),
  -- The table and the statements that count; null if a procedure calls private.count_writes.
  on_table text,
  on_event text check (on_event in ('insert', 'update', 'insert or update')),
  a_minute int not null check (a_minute > 0),
  a_day int not null check (a_day >= a_minute),
  -- The middle of a sentence: "You’ve ... today. Try again in 3 hours."
  what text not null,
  check ((on_table is null) = (on_event is null))
);
comment on table private.write_limits is
  'How much one person can write of each kind per minute and per day. The server''s operator can change a row at any time; no API role reads or writes it.';
alter table private.write_limits enable row level security;

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  -- The quiz. Someone who was offline may send several hundred answers at once.
  ('answers', 'answers', 'insert or update', 600, 20000, 'saved a lot of answers'),
  ('confidences', 'attempt_confidences', 'insert or update', 300, 10000, 'saved a lot of ratings'),
  ('attempts', 'attempts', 'insert', 20, 100, 'started the quiz many times'),
  ('adoptions', 'attempt_adoptions', 'insert', 20, 100, 'brought answers into your account many times'),
  ('recommendations', 'recommendations', 'update', 30, 300, 'changed a lot of recommendations'),
  ('focus_areas', 'focus_areas', 'insert', 20, 50, 'chosen a lot of focus areas'),
  ('focus_actions', 'focus_actions', 'insert', 30, 100, 'added a lot of actions'),
  ('action_changes', 'focus_actions', 'update', 60, 1000, 'changed a lot of actions'),
  -- The account.
  ('profile', 'profiles', 'update', 60, 1000, 'changed your profile many times'),
  ('notification_settings', 'notification_settings', 'insert or update', 60, 1000,
    'changed your settings many times'),
  ('notification_marks', 'notifications', 'update', 120, 5000, 'read a lot of notifications'),
  ('demographics', 'demographics', 'insert or update', 30, 300, 'changed your answers many times'),
  ('coach_profiles', 'coach_profiles', 'insert or update', 30, 300,
    'changed a lot of coach profiles'),
  ('coach_time_off', 'coach_time_off', 'insert', 30, 200, 'added a lot of time off'),
  ('account_deletions', 'account_deletions', 'insert', 5, 20,
    'asked us to delete your account many times'),
  ('event_links', null, null, 30, 300, 'opened a lot of events'),
  ('exports', null, null, 10, 30, 'created a lot of archives'),
  -- The command menu asks as people type.
  ('searches', null, null, 120, 5000, 'searched a lot'),
  -- Businesses. Fields are saved as people type.
  ('businesses', 'businesses', 'insert', 20, 20, 'added a lot of businesses'),
  ('business_facts', 'businesses', 'update', 240, 10000, 'made a lot of changes to a business'),
  ('business_plan', 'business_plan_fields', 'insert or update', 240, 10000,
    'made a lot of changes to a plan'),
  ('business_worksheets', 'business_worksheets', 'insert or update', 240, 10000,
    'made a lot of changes to a forecast or a calculator'),
  ('business_snapshots', 'business_snapshots', 'insert', 60, 200, 'entered a lot of figures'),
  ('business_invitations', 'business_invitations', 'insert', 20, 20, 'sent a lot of invitations'),
  ('memberships', 'business_members', 'insert', 20, 100, 'joined a lot of businesses'),
  ('handovers', 'business_members', 'update', 10, 50, 'handed over a business many times'),
  -- Coaching.
  ('coaching_requests', 'engagements', 'insert', 10, 50, 'asked for a coach many times'),
  ('coaching_changes', 'engagements', 'update', 120, 2000, 'made a lot of changes to coaching'),
  ('contact_attempts', 'contact_attempts', 'insert', 60, 500, 'logged a lot of attempts'),
  ('coaching_handovers', 'handovers', 'insert or update', 300, 2000, 'left a lot of notes for coaches'),
  -- What a coach closed offline arrives at once.
  ('coaching_sessions', 'coaching_sessions', 'insert or update', 60, 1000,
    'made a lot of changes to sessions'),
  ('session_offers', 'session_offers', 'insert or update', 30, 300, 'offered a lot of times'),
  ('session_notes', 'session_notes', 'insert or update', 120, 3000, 'saved a lot of notes'),
  ('session_feedback', 'session_feedback', 'insert or update', 30, 300, 'rated a lot of sessions'),
  ('coaching_actions', 'coaching_actions', 'insert or update', 120, 2000,
    'made a lot of changes to actions'),
  ('coach_recommendations', 'coach_recommendations', 'insert or update', 60, 1000,
    'made a lot of changes to recommendations'),
  ('calendar_feeds', 'calendar_feeds', 'insert or update', 10, 50,
    'changed your calendar feed many times'),
  -- Projects.
  ('projects', 'projects', 'insert', 30, 200, 'started a lot of projects'),
  ('project_changes', 'projects', 'update', 240, 10000, 'made a lot of changes to projects'),
  ('project_tasks', 'project_tasks', 'insert or update', 240, 10000,
    'made a lot of changes to tasks'),
  -- Including rejected steps, which are recorded too.
  ('project_steps', 'project_events', 'insert', 120, 2000, 'moved projects many times'),
  ('project_updates', 'project_updates', 'insert', 60, 500, 'written a lot of updates'),
  ('project_files', 'project_files', 'insert', 60, 300, 'added a lot of files'),
  -- The toolbox.
  ('toolbox_marks', 'toolbox_marks', 'insert or update', 120, 2000, 'marked a lot of tools'),
  ('tool_copies', 'tool_copies', 'insert', 30, 200, 'copied a lot of tools'),
  ('copy_changes', 'tool_copies', 'update', 240, 10000, 'made a lot of changes to copies'),
  ('tool_files', 'tool_files', 'insert', 60, 300, 'added a lot of files'),
  -- Messages.
  ('conversations', 'conversations', 'insert', 30, 100, 'started a lot of conversations'),
  ('messages', 'messages', 'insert', 30, 500, 'sent a lot of messages'),
  -- Editing only: people can remove their messages at any time.
  ('message_changes', null, null, 30, 500, 'edited a lot of messages'),
  ('message_drafts', 'message_drafts', 'insert or update', 120, 10000, 'saved a lot of drafts'),
  ('message_files', 'message_attachments', 'insert', 60, 100, 'sent a lot of files'),
  ('read_marks', null, null, 600, 20000, 'read a lot of messages'),
  ('blocks', 'blocks', 'insert', 30, 60, 'blocked a lot of people'),
  ('message_reports', 'message_reports', 'insert', 20, 20, 'reported a lot of messages'),
  -- Files of projects and messages together, in kilobytes.
  ('uploads', null, null, 1048576, 2097152, 'uploaded a lot'),
  -- Buying.
  ('orders', 'orders', 'insert', 10, 50, 'placed a lot of orders'),
  ('order_changes', 'orders', 'update', 60, 500, 'made a lot of changes to orders'),
  ('order_files', 'order_files', 'insert', 10, 50, 'added a lot of files to orders'),
  ('session_grants', 'session_grants', 'insert', 60, 500, 'given away a lot of sessions'),
  ('waived_sessions', 'session_uses', 'update', 30, 300, 'given back a lot of sessions'),
  -- Programs. Invitations and wrong codes have limits of their own.
  ('seat_codes', 'seat_codes', 'insert or update', 30, 200, 'made a lot of codes'),
  ('seat_changes', 'seats', 'update', 240, 5000, 'made a lot of changes to seats'),
  ('seat_waits', 'seat_waits', 'insert or update', 10, 50, 'joined a lot of waiting lists'),
  -- What only admins do.
  ('programs', 'programs', 'insert or update', 60, 500, 'made a lot of changes to programs'),
  ('program_sponsors', 'program_sponsors', 'insert', 60, 500, 'added a lot of sponsors'),
  ('business_merges', 'business_merges', 'insert or update', 20, 300, 'merged a lot of businesses'),
  ('staff_roles', 'staff_roles', 'insert or update', 30, 300, 'changed a lot of roles'),
  ('surveys', 'surveys', 'insert or update', 20, 100, 'opened or closed a lot of surveys'),
  ('survey_invitations', 'survey_invitations', 'insert or update', 60, 500,
    'sent a lot of survey invitations'),
  ('settled_reports', 'message_reports', 'update', 60, 1000, 'resolved a lot of reports'),
  ('saved_views', 'saved_views', 'insert or update', 30, 300, 'saved a lot of views'),
  ('contact_answers', null, null, 30, 500, 'answered a lot of messages'),
  ('contact_merges', null, null, 30, 500, 'merged a lot of contacts'),
  ('toolbox_items', 'toolbox_items', 'insert or update', 240, 10000,
    'changed a lot of tools'),
  ('toolbox_versions', 'toolbox_versions', 'insert or update', 240, 10000,
    'made a lot of changes to tools'),
  ('newsletter_issues', 'newsletter_issues', 'insert or update', 240, 10000,
    'made a lot of changes to newsletters'),
  ('quiz_drafts', null, null, 240, 10000, 'made a lot of changes to the quiz'),
  ('newsletter_tests', null, null, 5, 50, 'sent yourself a lot of test emails'),
  -- Rows of a file, and rows that were only checked.
  ('imported_rows', null, null, 10000, 20000, 'imported a lot of rows'),
  ('import_checks', null, null, 20000, 100000, 'checked a lot of rows');

create function private.write_key(p_kind text, p_user_id uuid) returns text
language sql immutable set search_path = '' as $$
  select 'writes:' || p_kind || ':' || p_user_id
$$;

create function private.count_writes(p_kind text, p_times int default 1) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
  v_now timestamptz := clock_timestamp();
  v_limit private.write_limits;
  v_count public.rate_limits;
  v_wait interval;
begin
  if v_user_id is null or p_times = 0 then
    return;
  end if;
  select * into strict v_limit from private.write_limits l where l.kind = p_kind;
  -- One row for each person and kind holds both counts, so a write costs one upsert, and nobody
  -- waits for anyone else.
  insert into public.rate_limits as r (key, hits, expires_at, minute_hits, minute_ends_at)
  values (
    private.write_key(p_kind, v_user_id), p_times, v_now + interval '1 day',
    p_times, v_now + interval '1 minute'
  )
  on conflict (key) do update set
    hits = case when private.is_over(r.expires_at, interval '1 day') then 0 else r.hits end + p_times,
    expires_at = case when private.is_over(r.expires_at, interval '1 day')
      then v_now + interval '1 day' else r.expires_at end,
    minute_hits = case when private.is_over(r.minute_ends_at, interval '1 minute')
      then 0 else r.minute_hits end + p_times,
    minute_ends_at = case when private.is_over(r.minute_ends_at, interval '1 minute')
      then v_now + interval '1 minute' else r.minute_ends_at end
  returning * into v_count;

  -- A refusal undoes the count with everything else: trying again does not prolong the wait.
  if v_count.hits > v_limit.a_day then
    v_wait := v_count.expires_at - v_now;
  elsif v_count.minute_hits > v_limit.a_minute then
    v_wait := v_count.minute_ends_at - v_now;
  else
    return;
  end if;
  perform private.refuse_for_now(format(
    'You’ve %s %s. Try again %%s.', v_limit.what,
    case when v_count.hits > v_limit.a_day then 'today' else 'in a short time' end
  ), v_wait);
end
$$;
comment on function private.count_writes(text, int) is
  'Counts what the caller writes, and raises PT429 over the limits of its kind. Counts nothing if nobody is signed in.';

create function private.limit_writes() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_rows int;
begin
  -- An import's rows are counted by themselves, and a merge counts once however many move: both are
  -- more than anyone writes by hand.
  if current_setting('trellis.importing', true) = 'on' or private.merging() then
    return null;
  end if;
  select count(*) into v_rows from written;
  -- One change by a procedure may move many rows, such as the tasks of a project into a new order.
  perform private.count_writes(
    tg_argv[0], case when tg_argv[1] = 'each row' then v_rows else least(v_rows, 1) end
  );
  return null;
end
$$;
comment on function private.limit_writes() is
  'Trigger for what people write: counts a statement''s rows under the kind in its argument.';

do $$
declare
  v_limit private.write_limits;
  v_event text;
begin
  for v_limit in select * from private.write_limits l where l.on_table is not null loop
    foreach v_event in array string_to_array(v_limit.on_event, ' or ') loop
      execute format(
        'create trigger %I after %s on public.%I referencing new table as written
          for each statement when (pg_catalog.pg_trigger_depth() = 0)
          execute function private.limit_writes(%L, %L)',
        v_limit.on_table || '_' || v_event || '_is_limited', v_event, v_limit.on_table, v_limit.kind,
        case
          when v_event = 'insert' then 'each row'
          -- The REST interface changes any number of rows at once.
          when has_any_column_privilege('authenticated', 'public.' || v_limit.on_table, 'update')
            then 'each row'
          else 'each statement'
        end
      );
    end loop;
  end loop;
end
$$;
