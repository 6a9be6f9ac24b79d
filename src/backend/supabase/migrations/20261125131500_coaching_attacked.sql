SET local check_function_bodies = off;

ALTER TABLE "public"."surveys"
  DROP CONSTRAINT "surveys_grouped_by_check";

DROP FUNCTION "private"."survey_group"(text, uuid);

ALTER TABLE "public"."handovers"
  ADD COLUMN "added" text;

CREATE OR REPLACE FUNCTION private.add_survey_batches (
  p_survey_id    uuid,
  p_before       date,
  p_same_quarter boolean,
  p_same_group   boolean
)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with waiting as materialized (
    select w.response_id, w.question, w.value, w.words, w.invited,
      case when p_same_quarter then w.quarter end as quarter,
      case when p_same_group then w.grouped end as grouped
    from private.waiting_answers(p_survey_id) w
    where w.quarter < p_before
  ), full_enough as materialized (
    select gen_random_uuid() as id, w.question, w.invited, w.quarter, w.grouped,
      count(*)::int as answers,
      array(
        select (count(*) filter (where c.value = v.value))::int
        from generate_series(0, 10) as v (value)
        cross join unnest(array_agg(w.value)) as c (value)
        group by v.value order by v.value
      ) as counts,
      coalesce(array_agg(w.words order by random()) filter (where w.words is not null), '{}') as words
    from waiting w
    group by w.question, w.invited, w.quarter, w.grouped
    having count(*) >= 5
  ), batches as (
    insert into private.survey_batches (
      id, survey_id, question, invited, quarter, grouped, answers, counts, words
    )
    select f.id, p_survey_id, f.question, f.invited, f.quarter, f.grouped, f.answers, f.counts, f.words
    from full_enough f
    returning 1
  ), answers as (
    insert into private.survey_batch_answers (response_id, question, batch_id)
    select w.response_id, w.question, f.id
    from waiting w
    join full_enough f on f.question = w.question and f.invited = w.invited
      -- Not "is not distinct from", which compares each answer with each batch.
      and coalesce(f.quarter, 'infinity') = coalesce(w.quarter, 'infinity')
      and coalesce(f.grouped, '') = coalesce(w.grouped, '')
  )
  select count(*)::int from batches
$function$;

CREATE OR REPLACE FUNCTION private.export_parts()
  RETURNS TABLE (
    name   text,
    rows   text,
    hidden text[]
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with listed (name, rows, hidden) as (values
    -- What belongs to them alone.
    ('attempts', 't.user_id = $1', '{voided_by}'::text[]),
    ('answers', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('attempt_confidences', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('area_scores', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('recommendations', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('focus_actions', 't.focus_area_id in (select f.id from public.focus_areas f where f.user_id = $1)', '{}'),
    ('focus_reminders', 't.action_id in (select c.id from public.focus_actions c join public.focus_areas f on f.id = c.focus_area_id where f.user_id = $1)', '{}'),
    ('staff_roles', 't.user_id = $1', '{granted_by}'),
    -- Their businesses, with what every member reads; of a business that they have left only their
    -- own words, which nobody has changed since.
    ('businesses', 't.id = any ($3)', '{words}'),
    ('business_snapshots', 't.business_id = any ($3) or t.created_by = $1', '{}'),
    ('business_merges', 't.from_id = any ($3) or t.into_id = any ($3)', '{moved,reason,merged_by,undone_by}'),
    ('business_invitations', 't.address = $2 or t.invited_by = $1', '{token_hash}'),
    ('business_plan_fields', 't.business_id = any ($3)', '{}'),
    ('business_plan_versions', 't.business_id = any ($3) or t.saved_by = $1', '{editor}'),
    ('tool_copies', 't.business_id = any ($3) and t.removed_at is null', '{}'),
    ('projects', 't.business_id = any ($3)', '{words}'),
    ('project_events', 't.business_id = any ($3) or t.actor_id = $1', '{}'),
    ('project_updates', 't.business_id = any ($3) or t.author_id = $1', '{}'),
    ('project_tasks', 't.business_id = any ($3)', '{}'),
    ('project_files', 't.business_id = any ($3) or t.uploaded_by = $1', '{}'),
    -- Coaching: all of their own; as a coach, that there was one and not what the owner wrote.
    ('engagements', 't.owner_id = $1', '{}'),
    ('engagements_as_coach', 't.coach_id = $1', '{note,areas,owner_id,business_id,referral,change_requested_at}'),
    ('engagement_events', 't.actor_id = $1 or t.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{note}'),
    -- What coaches and admins write to each other about a client is theirs.
    ('contact_attempts', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{note,coach_id}'),
    ('contact_attempts_as_coach', 't.coach_id = $1', '{engagement_id}'),
    ('handovers', 't.from_coach_id = $1', '{engagement_id,to_coach_id,packet,added}'),
    ('coaching_sessions', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coaching_sessions_as_coach', 't.coach_id = $1', '{engagement_id,place,topics,summary,cancel_reason}'),
    -- Their own private notes, and nobody else's.
    ('session_notes', 't.author_id = $1', '{}'),
    ('session_offers', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('session_offers_as_coach', 't.coach_id = $1', '{engagement_id,place,note}'),
    ('coaching_actions', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coaching_actions_as_coach', 't.created_by = $1 and t.engagement_id not in (select e.id from public.engagements e where e.owner_id = $1)', '{engagement_id,focus_area_id}'),
    ('coach_recommendations', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coach_recommendations_as_coach', 't.coach_id = $1', '{engagement_id,project_id}'),
    ('session_feedback', 't.owner_id = $1', '{}'),
    ('calendar_feeds', 't.user_id = $1', '{token_hash}'),
    ('survey_invitations', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{token_hash}'),
    ('survey_responses', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    -- What they bought, and the sessions their businesses have.
    ('orders', 't.buyer_id = $1', '{words,checkout_ref,customer_ref}'),
    ('order_lines', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{}'),
    ('order_events', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{actor_id}'),
    ('order_files', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{uploaded_by}'),
    ('payments', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{ref,recorded_by}'),
    ('refunds', 't.payment_ref in (select p.ref from public.payments p join public.orders o on o.id = p.order_id where o.buyer_id = $1)', '{ref,payment_ref,recorded_by}'),
    ('disputes', 't.payment_ref in (select p.ref from public.payments p join public.orders o on o.id = p.order_id where o.buyer_id = $1)', '{ref,payment_ref}'),
    ('memberships', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{ref}'),
    ('session_grants', 't.business_id = any ($3)', '{given_by,reason}'),
    ('session_uses', 't.session_id in (select s.id from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id where e.owner_id = $1)', '{waived_by}'),
    -- Their seats in programs, and programs they sponsor.
    ('seats', 't.owner_id = $1', '{note,code_id}'),
    ('program_sponsors', 't.address = $2', '{added_by}'),
    -- Their own words and files; what others wrote to them is the others'.
    ('conversations', 't.id in (select p.conversation_id from public.conversation_participants p where p.user_id = $1 and p.left_at is null)', '{about_user_id,direct_pair,created_by}'),
    ('messages', 't.author_id = $1', '{words}'),
    ('message_attachments', 't.uploaded_by = $1', '{}'),
    ('message_reports', 't.reporter_id = $1', '{said,author_id,settled_by}'),
    -- Kept under their address.
    ('contacts', 't.email = $2', '{confirm_hash,leave_hash,words,has_twin}'),
    ('contact_messages', 't.contact_id in (select c.id from public.contacts c where c.email = $2)', '{answered_by}'),
    -- Without what was in them: a link of a mail signs in.
    ('mails', 'lower(t.to_address) = $2', '{data,html,body_text,last_error,run_at,attempts,failing_since,awaits_service,expires_at}'),
    -- What they did and what was done about them; by whom and why stays with the log.
    ('audit_log', 't.actor_id = $1 or t.entity = ''user'' and t.entity_id = $1::text', '{actor_id,reason,details}')
  )
  select l.name, l.rows, l.hidden from listed l
  union all
  select c.relname::text, 't.user_id = $1', '{}'
  from pg_catalog.pg_class c
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not exists (select from listed l where l.name = c.relname)
$function$;

CREATE OR REPLACE FUNCTION private.handover_json (
  p_handover public.handovers
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object(
    'id', p_handover.id, 'note', nullif(concat_ws(E'\n\n', p_handover.note, p_handover.added), ''), 'packet', p_handover.packet,
    'created_at', p_handover.created_at, 'handed_at', p_handover.handed_at,
    'from', private.name_of(p_handover.from_coach_id),
    'to', private.name_of(p_handover.to_coach_id)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.leave_handover (
  p_engagement_id uuid,
  p_coach_id      uuid,
  p_note          text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into public.handovers as h (engagement_id, from_coach_id, note, added, packet)
  values (
    -- Nobody, if their account is being deleted.
    p_engagement_id, (select u.id from auth.users u where u.id = p_coach_id),
    case when auth.uid() = p_coach_id then p_note end,
    case when auth.uid() is distinct from p_coach_id then p_note end,
    private.handover_packet(p_engagement_id)
  )
  on conflict (engagement_id) where handed_at is null do update set
    note = coalesce(excluded.note, h.note),
    added = pg_catalog.left(nullif(concat_ws(E'\n\n', h.added, excluded.added), ''), 8000),
    packet = excluded.packet;
end
$function$;

CREATE OR REPLACE FUNCTION private.survey_group (
  p_grouped_by    text,
  p_engagement_id uuid
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- plpgsql, because seats are created in a later file.
  return (
    select case p_grouped_by
      when 'area' then e.areas[1]
      when 'coach' then e.coach_id::text
      when 'industry' then nullif(btrim(b.industry), '')
      -- The latest that the business counts in.
      when 'program' then (
        select s.program_id::text from public.seats s
        where s.business_id = b.id and s.state in ('activated', 'expired') and s.withdrawn_at is null
        order by s.activated_at desc, s.id limit 1
      )
    end
    from public.engagements e join public.businesses b on b.id = e.business_id
    where e.id = p_engagement_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.survey_group_name (
  p_grouped_by text,
  p_key        text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case p_grouped_by
    when 'area' then (select a.name from public.skill_areas a where a.key = p_key)
    when 'coach' then coalesce(private.name_of(private.uuid_of(p_key)), 'A former coach')
    when 'program' then (select p.name from public.programs p where p.id = private.uuid_of(p_key))
    else p_key
  end
$function$;

CREATE OR REPLACE FUNCTION private.waiting_answers (
  p_survey_id uuid
)
  RETURNS TABLE (
    response_id uuid,
    question    smallint,
    value       smallint,
    words       text,
    invited     boolean,
    quarter     date,
    grouped     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- First the responses of which something waits, which are few: a look at each answer of all of
  -- them, and at its engagement, would take seconds.
  with waiting as materialized (
    select r.*, s.grouped_by
    from public.surveys s
    join public.survey_responses r on r.survey_id = s.id and r.privacy = s.privacy
    where s.id = p_survey_id and (
      select count(*) from private.survey_batch_answers b where b.response_id = r.id
    ) < 1 + cardinality(array_remove(r.agreement, null)) + num_nonnulls(r.recommend)
      + cardinality(array_remove(r.comments, null))
  ), engaged as materialized (
    select e.engagement_id, private.survey_group(e.grouped_by, e.engagement_id) as grouped
    from (select distinct w.engagement_id, w.grouped_by from waiting w) e
  )
  select r.id, q.question, q.value, q.words, r.invited,
    date_trunc('quarter', r.responded_on::timestamp)::date, e.grouped
  from waiting r
  left join engaged e on e.engagement_id = r.engagement_id
  cross join lateral (
    select 0::smallint as question, null::smallint as value, null::text as words
    union all
    select a.place::smallint, a.value, null
    from unnest(r.agreement) with ordinality as a (value, place) where a.value is not null
    union all
    select 11::smallint, r.recommend, null where r.recommend is not null
    union all
    select (11 + c.place)::smallint, null, c.words
    from unnest(r.comments) with ordinality as c (words, place) where c.words is not null
  ) q
  where not exists (
    select from private.survey_batch_answers b
    where b.response_id = r.id and b.question = q.question
  )
$function$;

CREATE OR REPLACE FUNCTION public.open_survey (
  p_id          uuid,
  p_privacy     text,
  p_public_link boolean,
  p_grouped_by  text,
  p_reason      text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
  v_text public.surveys;
  v_closed uuid;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  perform private.one_at_a_time('surveys', p_id);
  if exists (select from public.surveys s where s.id = p_id) then
    return jsonb_build_object('id', p_id);
  end if;
  if p_privacy is null or p_privacy not in ('anonymous', 'confidential') or p_public_link is null then
    raise exception 'Say who reads the answers and who can give them.'
      using errcode = '22023', hint = 'privacy';
  end if;
  if p_grouped_by is not null
    and (p_privacy <> 'confidential' or p_grouped_by not in ('area', 'coach', 'industry', 'program'))
  then
    raise exception 'Only confidential answers can be grouped, by area, coach, industry or program.'
      using errcode = '22023', hint = 'grouped_by';
  end if;
  select * into v_text from public.surveys s order by s.opened_at desc limit 1;
  if not found then
    raise exception 'There’s no text for a survey yet.' using errcode = '55000';
  end if;
  v_closed := private.close_open_survey();
  insert into public.surveys (
    id, title, privacy, statements, recommend, comments, public_link, grouped_by
  ) values (
    p_id, v_text.title, p_privacy, v_text.statements, v_text.recommend, v_text.comments,
    p_public_link, p_grouped_by
  );
  perform private.audit('survey.open', 'survey', p_id::text, v_reason, jsonb_strip_nulls(
    jsonb_build_object(
      'privacy', p_privacy, 'public_link', p_public_link, 'grouped_by', p_grouped_by,
      'closed', v_closed
    )
  ));
  return jsonb_build_object('id', p_id);
end
$function$;

ALTER TABLE "public"."handovers"
  ADD CONSTRAINT "handovers_added_check" CHECK (((char_length(added) >= 1) AND (char_length(added) <= 8000)));

ALTER TABLE "public"."surveys"
  ADD CONSTRAINT "surveys_grouped_by_check" CHECK ((grouped_by = ANY (ARRAY['area'::text, 'coach'::text, 'industry'::text, 'program'::text])));

COMMENT ON FUNCTION "private"."survey_group"(text, uuid) IS 'The group that an engagement''s response counts in; null without one.';

COMMENT ON FUNCTION "public"."open_survey"(uuid, text, boolean, text, text) IS 'An admin opens a survey under an id of their choice, with the words of the newest one: anonymous or confidential, with or without a public link, grouped (if confidential) by area, coach, industry, program or nothing, and with a reason; {id}. Closes the one that was open.';

REVOKE ALL ON FUNCTION "private"."survey_group"(text, uuid) FROM PUBLIC;
