SET local check_function_bodies = off;

REVOKE ALL ON TABLE "public"."engagements" FROM "authenticated";

DROP POLICY "What happened to an engagement is read with it" ON "public"."engagement_events";

DROP INDEX "public"."engagements_coach_id_idx";

DROP INDEX "public"."engagements_requested_at_idx";

ALTER TABLE "private"."transitions"
  DROP CONSTRAINT "transitions_who_check";

ALTER TABLE "public"."engagement_events"
  DROP CONSTRAINT "engagement_events_kind_check";

DROP FUNCTION "private"."audit_contact"(text, public.contacts, text, jsonb);

DROP FUNCTION "private"."clients_json"();

DROP FUNCTION "public"."assign_coach"(uuid, uuid, text);

DROP FUNCTION "public"."get_coaching"();

DROP FUNCTION "public"."my_engagements"();

DROP FUNCTION "public"."request_coaching"(uuid, uuid, text, text[], boolean);

DROP FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean);

CREATE TABLE "private"."coaching_rules" (
  "id"            boolean NOT NULL DEFAULT true,
  "time_zone"     text    NOT NULL DEFAULT 'America/Denver'::text,
  "assign_days"   integer NOT NULL DEFAULT 3,
  "accept_days"   integer NOT NULL DEFAULT 5,
  "contact_days"  integer NOT NULL DEFAULT 2,
  "write_up_days" integer NOT NULL DEFAULT 2,
  "stale_days"    integer NOT NULL DEFAULT 14,
  CONSTRAINT "coaching_rules_accept_days_check" CHECK (((accept_days >= 1) AND (accept_days <= 60))),
  CONSTRAINT "coaching_rules_assign_days_check" CHECK (((assign_days >= 1) AND (assign_days <= 60))),
  CONSTRAINT "coaching_rules_contact_days_check" CHECK (((contact_days >= 1) AND (contact_days <= 60))),
  CONSTRAINT "coaching_rules_id_check" CHECK (id),
  CONSTRAINT "coaching_rules_pkey" PRIMARY KEY (id),
  CONSTRAINT "coaching_rules_stale_days_check" CHECK (((stale_days >= 1) AND (stale_days <= 365))),
  CONSTRAINT "coaching_rules_write_up_days_check" CHECK (((write_up_days >= 1) AND (write_up_days <= 60)))
);

ALTER TABLE "private"."coaching_rules"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."engagement_names" (
  "id"       uuid                     NOT NULL,
  "coach_id" uuid,
  "state"    text                     NOT NULL,
  "at"       timestamp with time zone NOT NULL,
  "name"     text                     COLLATE private.by_name NOT NULL,
  "words"    tsvector                 NOT NULL,
  CONSTRAINT "engagement_names_pkey" PRIMARY KEY (id)
);

ALTER TABLE "private"."engagement_names"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."holidays" (
  "day"  date NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "holidays_name_check" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  CONSTRAINT "holidays_pkey" PRIMARY KEY (day)
);

ALTER TABLE "private"."holidays"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."calendar_feeds" (
  "user_id"    uuid                     NOT NULL,
  "token_hash" bytea                    NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY (user_id),
  CONSTRAINT "calendar_feeds_token_hash_check" CHECK ((octet_length(token_hash) = 32)),
  CONSTRAINT "calendar_feeds_token_hash_key" UNIQUE (token_hash)
);

ALTER TABLE "public"."calendar_feeds"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."calendar_feeds" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."coach_recommendations" (
  "id"            uuid                     NOT NULL,
  "engagement_id" uuid                     NOT NULL,
  "coach_id"      uuid,
  "kind"          text                     NOT NULL,
  "tool_slug"     text,
  "title"         text,
  "area_key"      text,
  "note"          text,
  "state"         text                     NOT NULL DEFAULT 'open'::text,
  "project_id"    uuid,
  "created_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "settled_at"    timestamp with time zone,
  CONSTRAINT "coach_recommendations_check1" CHECK (((kind = 'project'::text) = (title IS NOT NULL))),
  CONSTRAINT "coach_recommendations_check2" CHECK (((state = 'open'::text) = (settled_at IS NULL))),
  CONSTRAINT "coach_recommendations_check" CHECK (((kind = 'tool'::text) = (tool_slug IS NOT NULL))),
  CONSTRAINT "coach_recommendations_kind_check" CHECK ((kind = ANY (ARRAY['tool'::text, 'project'::text]))),
  CONSTRAINT "coach_recommendations_note_check" CHECK ((char_length(note) <= 500)),
  CONSTRAINT "coach_recommendations_pkey" PRIMARY KEY (id),
  CONSTRAINT "coach_recommendations_state_check" CHECK ((state = ANY (ARRAY['open'::text, 'taken'::text, 'dismissed'::text]))),
  CONSTRAINT "coach_recommendations_title_check" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 120))),
  CONSTRAINT "coach_recommendations_tool_slug_check" CHECK ((char_length(tool_slug) <= 120))
);

ALTER TABLE "public"."coach_recommendations"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."coach_recommendations" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."coach_time_off" (
  "id"         uuid                     NOT NULL,
  "user_id"    uuid                     NOT NULL,
  "starts_on"  date                     NOT NULL,
  "ends_on"    date                     NOT NULL,
  "note"       text,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "coach_time_off_check" CHECK (((ends_on >= starts_on) AND (ends_on <= (starts_on + 366)))),
  CONSTRAINT "coach_time_off_note_check" CHECK (((char_length(note) >= 1) AND (char_length(note) <= 200))),
  CONSTRAINT "coach_time_off_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."coach_time_off"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."coach_time_off" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."coaching_actions" (
  "id"            uuid                     NOT NULL,
  "engagement_id" uuid                     NOT NULL,
  "session_id"    uuid,
  "body"          text                     NOT NULL,
  "doer"          text                     NOT NULL,
  "due_on"        date,
  "state"         text                     NOT NULL DEFAULT 'open'::text,
  "focus_area_id" uuid,
  "area_key"      text,
  "question_key"  text,
  "tool_slug"     text,
  "created_by"    uuid,
  "created_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "settled_at"    timestamp with time zone,
  CONSTRAINT "coaching_actions_body_check" CHECK (((char_length(btrim(body)) >= 1) AND (char_length(btrim(body)) <= 600))),
  CONSTRAINT "coaching_actions_check" CHECK (((state = 'open'::text) = (settled_at IS NULL))),
  CONSTRAINT "coaching_actions_doer_check" CHECK ((doer = ANY (ARRAY['owner'::text, 'coach'::text]))),
  CONSTRAINT "coaching_actions_pkey" PRIMARY KEY (id),
  CONSTRAINT "coaching_actions_question_key_check" CHECK ((char_length(question_key) <= 120)),
  CONSTRAINT "coaching_actions_state_check" CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'dropped'::text]))),
  CONSTRAINT "coaching_actions_tool_slug_check" CHECK ((char_length(tool_slug) <= 120))
);

ALTER TABLE "public"."coaching_actions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."coaching_actions" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."coaching_sessions" (
  "id"            uuid                     NOT NULL,
  "engagement_id" uuid                     NOT NULL,
  "coach_id"      uuid,
  "state"         text                     NOT NULL DEFAULT 'scheduled'::text,
  "starts_at"     timestamp with time zone NOT NULL,
  "time_zone"     text                     NOT NULL,
  "minutes"       integer                  NOT NULL,
  "kind"          text                     NOT NULL,
  "place"         text,
  "topics"        text[]                   NOT NULL DEFAULT '{}'::text[],
  "summary"       text,
  "cancel_reason" text,
  "uses_one"      boolean                  GENERATED ALWAYS AS ((state = ANY (ARRAY['completed'::text, 'no_show'::text]))) STORED NOT NULL,
  "revision"      integer                  NOT NULL DEFAULT 0,
  "created_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "closed_at"     timestamp with time zone,
  CONSTRAINT "coaching_sessions_cancel_reason_check" CHECK ((char_length(cancel_reason) <= 500)),
  CONSTRAINT "coaching_sessions_check" CHECK (((state = 'scheduled'::text) = (closed_at IS NULL))),
  CONSTRAINT "coaching_sessions_kind_check" CHECK ((kind = ANY (ARRAY['in_person'::text, 'online'::text, 'phone'::text]))),
  CONSTRAINT "coaching_sessions_minutes_check" CHECK (((minutes >= 15) AND (minutes <= 240))),
  CONSTRAINT "coaching_sessions_pkey" PRIMARY KEY (id),
  CONSTRAINT "coaching_sessions_place_check" CHECK ((char_length(place) <= 300)),
  CONSTRAINT "coaching_sessions_state_check" CHECK ((state = ANY (ARRAY['scheduled'::text, 'completed'::text, 'no_show'::text, 'canceled'::text]))),
  CONSTRAINT "coaching_sessions_summary_check" CHECK ((char_length(summary) <= 1000)),
  CONSTRAINT "coaching_sessions_time_zone_check" CHECK ((char_length(time_zone) <= 64)),
  CONSTRAINT "coaching_sessions_topics_check" CHECK ((cardinality(topics) <= 8))
);

ALTER TABLE "public"."coaching_sessions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."coaching_sessions" FROM "anon", "service_role";

CREATE TABLE "public"."contact_attempts" (
  "id"            uuid                     NOT NULL,
  "engagement_id" uuid                     NOT NULL,
  "coach_id"      uuid,
  "at"            timestamp with time zone NOT NULL DEFAULT now(),
  "channel"       text                     NOT NULL,
  "reached"       boolean                  NOT NULL,
  "note"          text,
  "created_at"    timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "contact_attempts_channel_check" CHECK ((channel = ANY (ARRAY['message'::text, 'email'::text, 'phone'::text, 'text'::text, 'in_person'::text]))),
  CONSTRAINT "contact_attempts_note_check" CHECK (((char_length(note) >= 1) AND (char_length(note) <= 500))),
  CONSTRAINT "contact_attempts_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."contact_attempts"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."contact_attempts" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."handovers" (
  "id"            uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "engagement_id" uuid                     NOT NULL,
  "from_coach_id" uuid,
  "to_coach_id"   uuid,
  "note"          text,
  "packet"        jsonb                    NOT NULL DEFAULT '{}'::jsonb,
  "created_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "handed_at"     timestamp with time zone,
  CONSTRAINT "handovers_note_check" CHECK (((char_length(note) >= 1) AND (char_length(note) <= 8000))),
  CONSTRAINT "handovers_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."handovers"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."handovers" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."session_feedback" (
  "session_id" uuid                     NOT NULL,
  "owner_id"   uuid                     NOT NULL,
  "rating"     integer                  NOT NULL,
  "comment"    text,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "session_feedback_comment_check" CHECK (((char_length(comment) >= 1) AND (char_length(comment) <= 1000))),
  CONSTRAINT "session_feedback_pkey" PRIMARY KEY (session_id),
  CONSTRAINT "session_feedback_rating_check" CHECK (((rating >= 1) AND (rating <= 4)))
);

ALTER TABLE "public"."session_feedback"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_feedback" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."session_notes" (
  "session_id" uuid                     NOT NULL,
  "author_id"  uuid                     NOT NULL,
  "body"       text                     NOT NULL,
  "updated_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "session_notes_body_check" CHECK (((char_length(body) >= 1) AND (char_length(body) <= 10000))),
  CONSTRAINT "session_notes_pkey" PRIMARY KEY (session_id)
);

ALTER TABLE "public"."session_notes"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_notes" FROM "anon", "service_role";

CREATE TABLE "public"."session_offers" (
  "id"            uuid                       NOT NULL,
  "engagement_id" uuid                       NOT NULL,
  "coach_id"      uuid,
  "times"         timestamp with time zone[] NOT NULL,
  "time_zone"     text                       NOT NULL,
  "minutes"       integer                    NOT NULL,
  "kind"          text                       NOT NULL,
  "place"         text,
  "state"         text                       NOT NULL DEFAULT 'open'::text,
  "session_id"    uuid,
  "note"          text,
  "created_at"    timestamp with time zone   NOT NULL DEFAULT now(),
  CONSTRAINT "session_offers_check" CHECK (((state = 'picked'::text) = (session_id IS NOT NULL))),
  CONSTRAINT "session_offers_kind_check" CHECK ((kind = ANY (ARRAY['in_person'::text, 'online'::text, 'phone'::text]))),
  CONSTRAINT "session_offers_minutes_check" CHECK (((minutes >= 15) AND (minutes <= 240))),
  CONSTRAINT "session_offers_note_check" CHECK ((char_length(note) <= 500)),
  CONSTRAINT "session_offers_pkey" PRIMARY KEY (id),
  CONSTRAINT "session_offers_place_check" CHECK ((char_length(place) <= 300)),
  CONSTRAINT "session_offers_state_check" CHECK ((state = ANY (ARRAY['open'::text, 'picked'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text]))),
  CONSTRAINT "session_offers_time_zone_check" CHECK ((char_length(time_zone) <= 64)),
  CONSTRAINT "session_offers_times_check" CHECK (((cardinality(times) >= 2) AND (cardinality(times) <= 3)))
);

ALTER TABLE "public"."session_offers"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_offers" FROM "anon", "authenticated", "service_role";

ALTER TABLE "public"."coach_profiles"
  ADD COLUMN "industries" text[] NOT NULL DEFAULT '{}'::text[];

ALTER TABLE "public"."coach_profiles"
  ADD COLUMN "paused_until" date;

ALTER TABLE "public"."engagements"
  ADD COLUMN "state_since" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."engagements"
  ADD COLUMN "accepted_at" timestamp WITH time zone;

ALTER TABLE "public"."engagements"
  ADD COLUMN "active_at" timestamp WITH time zone;

ALTER TABLE "public"."engagements"
  ADD COLUMN "resume_on" date;

ALTER TABLE "public"."engagements"
  ADD COLUMN "closing_summary" text;

ALTER TABLE "public"."engagements"
  ADD COLUMN "referral" text;

ALTER TABLE "public"."engagements"
  ADD COLUMN "change_requested_at" timestamp WITH time zone;

ALTER TABLE "public"."engagements"
  ADD COLUMN "due_what" text;

ALTER TABLE "public"."engagements"
  ADD COLUMN "due_at" timestamp WITH time zone;

CREATE OR REPLACE FUNCTION private.any_engagement (
  p_id uuid
)
  RETURNS public.engagements
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
begin
  select * into v_engagement from public.engagements e where e.id = p_id for update;
  if not found then
    raise exception 'We can’t find this coaching.' using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return v_engagement;
end
$function$;

CREATE OR REPLACE FUNCTION private.ask_about_coaching (
  p_engagement_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Who has been asked in this survey isn't asked again only because coaching ended once more.
  if not exists (
    select from public.survey_invitations i
    join public.surveys s on s.id = i.survey_id and s.state = 'open'
    where i.engagement_id = p_engagement_id
  ) then
    perform private.send_survey(p_engagement_id);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.ask_coach (
  p_engagement public.engagements,
  p_coach_id   uuid,
  p_who        text,
  p_note       text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_names record;
  v_engagement public.engagements;
begin
  perform private.begin_step(p_engagement, 'assigned', p_who, p_note);
  perform private.require_coach(p_engagement, p_coach_id);
  update public.engagements e set state = 'assigned', coach_id = p_coach_id
  where e.id = p_engagement.id returning * into v_engagement;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    v_engagement.id, p_coach_id, v_names.business || ' would like you as their coach',
    -- Without the owner's words, which go with the owner's account.
    'Read what they ask for, and say yes or no by '
      || private.day_words(v_engagement.due_at, p_coach_id) || '.',
    '/dashboard/coaching/' || v_engagement.id, 'Read the request'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.audit (
  p_action    text,
  p_entity    text,
  p_entity_id text,
  p_reason    text  DEFAULT NULL::text,
  p_details   jsonb DEFAULT '{}'::jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into public.audit_log (actor_id, action, entity, entity_id, reason, details)
  values (
    auth.uid(), p_action, p_entity, p_entity_id, p_reason,
    private.audit_about(p_entity, private.uuid_of(p_entity_id)) || coalesce(p_details, '{}')
  )
$function$;

CREATE OR REPLACE FUNCTION private.audit_about (
  p_entity text,
  p_id     uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_about jsonb;
begin
  case p_entity
    when 'project' then
      select jsonb_build_object('business_id', p.business_id) into v_about
      from public.projects p where p.id = p_id;
    when 'attempt' then
      select jsonb_build_object('business_id', t.business_id) into v_about
      from public.attempts t where t.id = p_id;
    when 'engagement' then
      select jsonb_build_object('business_id', e.business_id, 'person_id', e.owner_id) into v_about
      from public.engagements e where e.id = p_id;
    when 'session' then
      select jsonb_build_object('business_id', e.business_id, 'person_id', e.owner_id) into v_about
      from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id
      where s.id = p_id;
    when 'contact' then
      select jsonb_build_object('person_id', c.user_id) into v_about
      from public.contacts c where c.id = p_id;
    when 'message_report' then
      select jsonb_build_object('person_id', r.author_id) into v_about
      from public.message_reports r where r.id = p_id;
    else null;
  end case;
  return coalesce(jsonb_strip_nulls(v_about), '{}');
end
$function$;

CREATE OR REPLACE FUNCTION private.away_until (
  p_coach_id uuid
)
  RETURNS date
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select max(o.ends_on) from public.coach_time_off o
  where o.user_id = p_coach_id and private.coaching_day() between o.starts_on and o.ends_on
$function$;

CREATE OR REPLACE FUNCTION private.begin_step (
  p_engagement public.engagements,
  p_to         text,
  p_who        text,
  p_note       text               DEFAULT NULL::text,
  p_why        text               DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not private.may_step('engagement', p_engagement.state, p_to, p_who) then
    raise exception '%', case p_engagement.state
      when 'requested' then 'This request has no coach yet.'
      when 'assigned' then 'The coach hasn’t said yes yet.'
      when 'accepted' then 'The coach has said yes, and the first session hasn’t taken place yet.'
      when 'active' then 'This coaching is already in progress.'
      when 'paused' then 'This coaching is paused.'
      else 'This coaching has already ended.'
    end using errcode = '55000', hint = 'state';
  end if;
  -- The trigger that records the step reads these.
  perform set_config('trellis.reason', coalesce(p_note, ''), true),
    set_config('trellis.why', coalesce(p_why, ''), true);
end
$function$;

CREATE OR REPLACE FUNCTION private.best_coaches (
  p_engagement public.engagements,
  p_areas      text[]
)
  RETURNS TABLE (
    coach_id  uuid,
    areas     text[],
    industry  text,
    languages text[],
    hours     integer,
    clients   integer,
    place     bigint
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select s.user_id, f.areas, f.industry, f.languages, f.hours, n.clients,
    -- Who fits best and, among equals, who has the fewest clients.
    row_number() over (order by f.score desc, n.clients, s.user_id)
  from public.staff_roles s
  cross join lateral private.coach_fit(
    s.user_id, p_areas, p_engagement.business_id, p_engagement.owner_id
  ) f
  cross join lateral (select private.client_count(s.user_id) as clients) n
  where s.role = 'coach' and s.user_id is distinct from p_engagement.owner_id
    and s.user_id is distinct from p_engagement.coach_id
$function$;

CREATE OR REPLACE FUNCTION private.business_day_end (
  p_from timestamp with time zone,
  p_days integer
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.day_end(d.day)
  from (
    select private.coaching_day(p_from) + n as day
    -- Two weeks for every five days, and four more: holidays never come that thick.
    from generate_series(1, p_days / 5 * 14 + 28) as n
  ) d
  where private.is_business_day(d.day)
  order by d.day
  offset p_days - 1 limit 1
$function$;

CREATE OR REPLACE FUNCTION private.business_days_between (
  p_from date,
  p_to   date
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::int
  from generate_series(1, p_to - p_from) as n
  where private.is_business_day(p_from + n)
$function$;

CREATE OR REPLACE FUNCTION private.business_moments (
  p_engagement public.engagements
)
  RETURNS TABLE (
    at        timestamp with time zone,
    kind      text,
    id        text,
    title     text,
    area_key  text,
    href_kind text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select v.at, case v.to_status when 'done' then 'project_done' else 'project_started' end,
    p.id::text, p.title, p.area_key, 'project'
  from public.projects p
  join public.project_events v on v.project_id = p.id
  where p.business_id = p_engagement.business_id and v.kind = 'moved'
    and (v.to_status = 'done' or v.from_status = 'planned' and v.to_status = 'in_progress')
    and v.at >= p_engagement.requested_at
  union all
  select s.created_at, 'figure', s.business_id::text, null, null, 'business'
  from public.business_snapshots s
  where s.business_id = p_engagement.business_id and s.created_at >= p_engagement.requested_at
$function$;

CREATE OR REPLACE FUNCTION private.calendar_of (
  p_caller text,
  p_token  text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
    'sessions', (select coalesce(jsonb_agg(s), '[]') from private.sessions_in_calendar(v_user_id) s),
    'due', (select coalesce(jsonb_agg(d), '[]') from private.due_in_calendar(v_user_id) d)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.calendar_since (
  p_user_id uuid
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select f.created_at from public.calendar_feeds f where f.user_id = p_user_id
$function$;

CREATE OR REPLACE FUNCTION private.can_change_summary (
  p_session public.coaching_sessions
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select p_session.state in ('completed', 'no_show')
    and p_session.closed_at > now() - interval '30 days'
$function$;

CREATE OR REPLACE FUNCTION private.check_recommendation (
  p_kind      text,
  p_tool_slug text,
  p_title     text,
  p_area_key  text,
  p_note      text
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_kind is null or p_kind not in ('tool', 'project') then
    raise exception 'Recommend a tool or a project.' using errcode = '22023', hint = 'kind';
  end if;
  if p_kind = 'tool' and private.tool_link(p_tool_slug) is null then
    raise exception 'Choose a tool from the toolbox.' using errcode = '22023', hint = 'tool_slug';
  end if;
  if p_kind = 'project' and char_length(btrim(coalesce(p_title, ''))) not between 1 and 120 then
    raise exception 'Give the project a title of 1 to 120 characters.'
      using errcode = '22023', hint = 'title';
  end if;
  if p_area_key is not null
    and not exists (select from public.skill_areas k where k.key = p_area_key)
  then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'area_key';
  end if;
  perform private.clean_text(p_note, 500, 'note');
end
$function$;

CREATE OR REPLACE FUNCTION private.check_session_plan (
  p_starts_at timestamp with time zone,
  p_time_zone text,
  p_minutes   integer,
  p_kind      text,
  p_place     text
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_starts_at is null
    or p_starts_at not between now() - interval '60 days' and now() + interval '365 days'
  then
    raise exception 'Choose a time within the last 60 days or the next year.'
      using errcode = '22023', hint = 'starts_at';
  end if;
  if private.known_time_zone(p_time_zone) is null then
    raise exception 'We don’t know this time zone. Choose one from the list.'
      using errcode = '22023', hint = 'time_zone';
  end if;
  if p_minutes is null or p_minutes not between 15 and 240 then
    raise exception 'A session takes 15 to 240 minutes.' using errcode = '22023', hint = 'minutes';
  end if;
  if p_kind is null or p_kind not in ('in_person', 'online', 'phone') then
    raise exception 'Say whether it’s in person, online or by phone.'
      using errcode = '22023', hint = 'kind';
  end if;
  perform private.clean_text(p_place, 300, 'place');
end
$function$;

CREATE OR REPLACE FUNCTION private.clean_text (
  p_text   text,
  p_most   integer,
  p_field  text,
  p_needed text    DEFAULT NULL::text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_text text := nullif(private.clean_body(p_text), '');
begin
  if v_text is null and p_needed is not null then
    raise exception '%', p_needed using errcode = '22023', hint = p_field;
  end if;
  if char_length(v_text) > p_most then
    raise exception 'Keep it to % characters.', to_char(p_most, 'FM99,999')
      using errcode = '22023', hint = p_field;
  end if;
  return v_text;
end
$function$;

CREATE OR REPLACE FUNCTION private.client_counts (
  p_coach_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_object_agg(s.state, (
    select count(*) from (
      -- In the order of an index, so that nothing else is read.
      select from private.engagement_names e
      where e.coach_id = p_coach_id and e.state = s.state
      order by e.at, e.id limit 1000
    ) n
    where private.role_of(p_coach_id) = 'coach'
  ))
  from unnest(array['assigned', 'accepted', 'active', 'paused']) as s (state)
$function$;

CREATE OR REPLACE FUNCTION private.client_owner (
  p_owner_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'user_id', p.user_id, 'full_name', p.full_name, 'preferred_name', p.preferred_name,
    'phone', p.phone, 'languages', p.languages, 'time_zone', p.time_zone,
    'avatar_path', p.avatar_path
  )
  from public.profiles p where p.user_id = p_owner_id
$function$;

CREATE OR REPLACE FUNCTION private.client_page (
  p_state   text,
  p_by_name boolean,
  p_query   tsquery,
  p_filter  jsonb,
  p_place   jsonb,
  p_limit   integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_closed boolean := p_state in ('completed', 'unreachable');
  v_states text := case
    when p_state = 'open' then 'n.state in (''assigned'', ''accepted'', ''active'', ''paused'')'
    else format('n.state = %L', p_state)
  end;
begin
  return private.list_page(
    -- Their own before anything else: a search looks at how many of these its words fit.
    format(
      '(select n.* from private.engagement_names n where n.coach_id = (select auth.uid()) and %s) r',
      v_states
    ),
    'private.client_row(r.id)',
    -- Those that can be picked up again.
    array[case when v_closed then 'r.at > now() - interval ''90 days''' else 'true' end],
    case when p_by_name then 'r.name' else 'r.at' end,
    case when p_by_name then 'text' else 'timestamptz' end,
    v_closed and not p_by_name, p_filter, p_place, p_limit, p_query
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.client_records (
  p_engagement public.engagements
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'handover', (
      select private.handover_json(h)
      from public.handovers h
      where h.engagement_id = p_engagement.id and h.to_coach_id = p_engagement.coach_id
      order by h.handed_at desc, h.id limit 1
    ),
    'contacts', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'at', c.at, 'channel', c.channel, 'reached', c.reached, 'note', c.note
      ) order by c.at desc, c.id), '[]')
      from (
        select * from public.contact_attempts x
        where x.engagement_id = p_engagement.id and x.coach_id = p_engagement.coach_id
        order by x.at desc, x.id limit 50
      ) c
    ),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'session_id', n.session_id, 'body', n.body, 'updated_at', n.updated_at
      ) order by s.starts_at desc), '[]')
      from public.coaching_sessions s
      join public.session_notes n on n.session_id = s.id and n.author_id = p_engagement.coach_id
      where s.engagement_id = p_engagement.id and s.coach_id = p_engagement.coach_id
    ),
    'conversation', (
      select jsonb_build_object('id', c.id, 'unread', p.unread)
      from public.conversations c
      join public.conversation_participants p
        on p.conversation_id = c.id and p.user_id = p_engagement.coach_id and p.left_at is null
      where c.engagement_id = p_engagement.id
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.client_row (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', e.id,
    'business', jsonb_build_object('id', b.id, 'name', b.name),
    'owner', jsonb_build_object(
      'user_id', p.user_id, 'full_name', p.full_name, 'avatar_path', p.avatar_path
    ),
    'state', e.state, 'due_what', e.due_what, 'due_at', e.due_at,
    'session_id', case when e.due_what in ('session', 'write_up') then (
      select s.id from public.coaching_sessions s
      where s.engagement_id = e.id and s.state = 'scheduled' and s.coach_id = e.coach_id
      order by s.starts_at, s.id limit 1
    ) end,
    'next_session_at', (
      select min(s.starts_at) from public.coaching_sessions s
      where s.engagement_id = e.id and s.state = 'scheduled' and s.starts_at > now()
    ),
    'last_session_at', (
      select max(s.starts_at) from public.coaching_sessions s
      where s.engagement_id = e.id and s.state = 'completed'
    ),
    'open_actions', (
      select count(*) from public.coaching_actions a
      where a.engagement_id = e.id and a.state = 'open'
    ),
    'results_shared', e.results_shared,
    'unread', coalesce((
      select c.unread
      from public.conversations v
      join public.conversation_participants c
        on c.conversation_id = v.id and c.user_id = e.coach_id and c.left_at is null
      where v.engagement_id = e.id
    ), 0)
  )
  from public.engagements e
  join public.businesses b on b.id = e.business_id
  join public.profiles p on p.user_id = e.owner_id
  where e.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.client_standing (
  p_engagement public.engagements
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'attempt_id', t.id, 'submitted_at', t.submitted_at, 'overall_score', t.overall_score,
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'area_key', s.area_key, 'name', k.name, 'short_name', k.short_name, 'score', s.score,
        'level', s.level
      ) order by k.position), '[]')
      from public.area_scores s join public.skill_areas k on k.key = s.area_key
      where s.attempt_id = t.id
    )
  )
  from public.attempts t
  where p_engagement.results_shared and t.user_id = p_engagement.owner_id
    and t.business_id = p_engagement.business_id and t.state = 'submitted'
  order by t.kind = 'full' desc, t.submitted_at desc, t.id
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.client_work (
  p_engagement public.engagements
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'business', (
      select jsonb_build_object(
        'id', b.id, 'facts', private.business_facts(b),
        'snapshots', private.snapshots_json(b.id, null, 5)
      )
      from public.businesses b where b.id = p_engagement.business_id
    ),
    'standing', private.client_standing(p_engagement),
    'focus', case when p_engagement.results_shared
      then private.focus_json(p_engagement.owner_id, p_engagement.business_id) else '[]' end,
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'title', p.title, 'status', p.status, 'due_on', p.due_on, 'area_key', p.area_key
      ) order by p.updated_at desc, p.id desc), '[]')
      from (
        -- The newest of each status by the index, so the time doesn't grow with the projects.
        select x.* from unnest(array['draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done']) s (status)
        cross join lateral (
          select y.* from public.projects y
          where y.business_id = p_engagement.business_id and y.status = s.status
          order by y.updated_at desc, y.id desc limit 10
        ) x
        order by x.updated_at desc, x.id desc limit 10
      ) p
    ),
    'files', (
      select coalesce(jsonb_agg(
        private.file_json(f) || jsonb_build_object('project_id', p.id, 'project_title', p.title)
        order by f.created_at desc, f.id
      ), '[]')
      from (
        select * from public.project_files x
        where x.business_id = p_engagement.business_id and x.state = 'stored'
        order by x.created_at desc, x.id limit 10
      ) f
      join public.projects p on p.id = f.project_id
    )
  )
  where p_engagement.closed_at is null
  union all
  select '{"business": null, "standing": null, "focus": [], "projects": [], "files": []}'
  where p_engagement.closed_at is not null
$function$;

CREATE OR REPLACE FUNCTION private.clock_of (
  p_engagement public.engagements,
  OUT          due_what text,
  OUT          due_at timestamp with time zone
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  case p_engagement.state
    when 'requested' then
      due_what := 'assign';
      due_at := private.business_day_end(p_engagement.state_since, r.assign_days)
        from private.coaching_rules r;
    when 'assigned' then
      due_what := 'accept';
      due_at := private.business_day_end(p_engagement.assigned_at, r.accept_days)
        from private.coaching_rules r;
    when 'paused' then
      due_what := 'resume';
      due_at := private.day_end(p_engagement.resume_on);
    when 'accepted', 'active' then
      select c.due_what, c.due_at into due_what, due_at from private.session_clock(p_engagement) c;
    else null;
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.coach_away (
  p_coach_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_paused_until date := (
    select c.paused_until from public.coach_profiles c
    where c.user_id = p_coach_id and c.paused_until >= private.coaching_day()
  );
begin
  return case
    when p_coach_id is null then null
    when private.role_of(p_coach_id) <> 'coach' or private.account_state(p_coach_id) = 'blocked'
      then jsonb_build_object('why', 'gone', 'until', null)
    when private.is_leaving(p_coach_id) then jsonb_build_object('why', 'leaving', 'until', null)
    when private.away_until(p_coach_id) is not null
      then jsonb_build_object('why', 'time_off', 'until', private.away_until(p_coach_id))
    when v_paused_until is not null then jsonb_build_object('why', 'paused', 'until', v_paused_until)
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.coach_card (
  p_coach_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return (
    select jsonb_build_object(
      'user_id', p.user_id, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
      'about', coalesce(c.about, ''), 'areas', coalesce(c.areas, '{}'),
      'industries', coalesce(c.industries, '{}'), 'languages', p.languages,
      'time_zone', p.time_zone
    )
    from public.profiles p left join public.coach_profiles c on c.user_id = p.user_id
    where p.user_id = p_coach_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.coach_choices()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(
    jsonb_build_object('value', c.user_id, 'label', c.full_name)
    order by c.full_name collate private.by_name, c.user_id
  ), '[]')
  from (
    select f.user_id, f.full_name from public.staff_roles s
    join public.profiles f on f.user_id = s.user_id
    where s.role = 'coach' limit 200
  ) c
$function$;

CREATE OR REPLACE FUNCTION private.coach_fit (
  p_coach_id    uuid,
  p_areas       text[],
  p_business_id uuid,
  p_owner_id    uuid,
  OUT           areas text[],
  OUT           industry text,
  OUT           languages text[],
  OUT           hours integer,
  OUT           score integer
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_coach record;
  v_owner record;
begin
  select p.languages, p.time_zone, c.areas, c.industries into v_coach
  from public.profiles p left join public.coach_profiles c on c.user_id = p.user_id
  where p.user_id = p_coach_id;
  select p.languages, p.time_zone into v_owner from public.profiles p where p.user_id = p_owner_id;
  areas := array(select a from unnest(p_areas) a where a = any (v_coach.areas) order by a);
  industry := (
    select b.industry from public.businesses b
    where b.id = p_business_id and b.industry = any (v_coach.industries)
  );
  languages := private.shared_languages(v_owner.languages, v_coach.languages);
  hours := private.hours_apart(v_owner.time_zone, v_coach.time_zone);
  score := 100 * cardinality(areas)
    + case when industry is not null then 60 else 0 end
    + case when cardinality(languages) > 0 then 40 else 0 end
    + case when hours <= 3 then 20 - 5 * hours else 0 end;
end
$function$;

CREATE OR REPLACE FUNCTION private.coach_matches (
  p_engagement public.engagements
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'user_id', m.coach_id, 'name', private.name_of(m.coach_id), 'areas', m.areas,
    'industry', m.industry, 'languages', m.languages, 'hours', m.hours,
    'capacity', (select c.capacity from public.coach_profiles c where c.user_id = m.coach_id),
    'clients', m.clients, 'waiting', private.waiting_count(m.coach_id),
    'room', private.coach_room(m.coach_id), 'has_room', m.has_room,
    'before', private.was_coach(m.coach_id, p_engagement.id),
    'away', private.coach_away(m.coach_id)
  ) order by m.has_room desc, m.place), '[]')
  from (
    select b.*, private.has_room(b.coach_id) as has_room
    from private.best_coaches(p_engagement, p_engagement.areas) b
    order by private.has_room(b.coach_id) desc, b.place limit 50
  ) m
$function$;

CREATE OR REPLACE FUNCTION private.coach_profile_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'about', coalesce(c.about, ''), 'areas', coalesce(c.areas, '{}'), 'capacity', c.capacity,
    'accepting', coalesce(c.accepting, true), 'clients', private.client_count(p_id),
    'industries', coalesce(c.industries, '{}'), 'paused_until', c.paused_until
  )
  from (select p_id as id) asked left join public.coach_profiles c on c.user_id = asked.id
$function$;

CREATE OR REPLACE FUNCTION private.coach_room (
  p_coach_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Greatest takes null for less than 0.
  select greatest(c.capacity - private.client_count(c.user_id), 0)
  from public.coach_profiles c where c.user_id = p_coach_id and c.capacity is not null
$function$;

CREATE OR REPLACE FUNCTION private.coaching_action_json (
  p_action public.coaching_actions
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_action.id, 'session_id', p_action.session_id, 'body', p_action.body,
    'doer', p_action.doer, 'due_on', p_action.due_on, 'state', p_action.state,
    'focus_area_id', p_action.focus_area_id, 'area_key', p_action.area_key,
    'tool', private.tool_link(p_action.tool_slug), 'created_at', p_action.created_at,
    'settled_at', p_action.settled_at
  )
$function$;

CREATE OR REPLACE FUNCTION private.coaching_day (
  p_at timestamp with time zone DEFAULT now()
)
  RETURNS date
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select (p_at at time zone private.coaching_zone())::date
$function$;

CREATE OR REPLACE FUNCTION private.coaching_funnel()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_agg(jsonb_build_object(
    'state', s.state, 'count', coalesce(n.count, 0), 'late', coalesce(n.late, 0),
    'median_hours', n.median_hours
  ) order by s.place)
  from unnest(array['requested', 'assigned', 'accepted', 'active', 'paused'])
    with ordinality as s (state, place)
  left join (
    select e.state, count(*) as count,
      -- As private.is_late, which would be called for each of them.
      count(*) filter (where e.due_at < now() and e.due_what <> 'session') as late,
      round((
        percentile_cont(0.5) within group (order by extract(epoch from now() - e.state_since)) / 3600
      )::numeric, 1) as median_hours
    from public.engagements e where e.closed_at is null group by e.state
  ) n on n.state = s.state
$function$;

CREATE OR REPLACE FUNCTION private.coaching_industries()
  RETURNS text[]
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Those that businesses chose, most common first.
  select coalesce(array_agg(i.industry order by i.n desc, i.industry), '{}')
  from (
    select b.industry, count(*) as n from public.businesses b
    where b.industry is not null and b.archived_at is null
    group by b.industry order by 2 desc, 1 limit 40
  ) i
$function$;

CREATE OR REPLACE FUNCTION private.coaching_loop (
  p_engagement_id uuid,
  p_results       boolean
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(private.loop_area_json(e, k, p_results) order by k.position), '[]')
  from public.engagements e
  join public.skill_areas k on k.key = any (e.areas)
    or exists (
      select from public.coaching_actions a where a.engagement_id = e.id and a.area_key = k.key
    )
    or exists (
      select from public.coaching_sessions s
      where s.engagement_id = e.id and s.state = 'completed' and k.key = any (s.topics)
    )
    or exists (
      select from public.coach_recommendations r where r.engagement_id = e.id and r.area_key = k.key
    )
    or p_results and exists (
      select from public.focus_areas f join public.attempts t on t.id = f.attempt_id
      where f.user_id = e.owner_id and t.business_id = e.business_id and f.area_key = k.key
        and f.chosen_at >= e.requested_at
    )
  where e.id = p_engagement_id
$function$;

CREATE OR REPLACE FUNCTION private.coaching_names (
  p_engagement public.engagements,
  OUT          business text,
  OUT          owner text,
  OUT          coach text
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  business := (select b.name from public.businesses b where b.id = p_engagement.business_id);
  owner := coalesce(private.name_of(p_engagement.owner_id), 'The owner');
  coach := coalesce(private.name_of(p_engagement.coach_id), 'Your coach');
end
$function$;

CREATE OR REPLACE FUNCTION private.coaching_story (
  p_engagement_id uuid,
  p_results       boolean,
  p_business      boolean
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'timeline', private.coaching_timeline(p_engagement_id, p_results, p_business),
    'loop', private.coaching_loop(p_engagement_id, p_results)
  )
$function$;

CREATE OR REPLACE FUNCTION private.coaching_timeline (
  p_engagement_id uuid,
  p_results       boolean DEFAULT false,
  p_business      boolean DEFAULT true
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'at', m.at, 'kind', m.kind, 'id', m.id, 'title', m.title, 'area_key', m.area_key,
    'href_kind', m.href_kind
  ) order by m.at desc, m.kind, m.id), '[]')
  from (
    select n.* from (
      select * from private.engagement_moments(p_engagement_id)
      union all
      select r.* from public.engagements e cross join lateral private.result_moments(e) r
      where e.id = p_engagement_id and p_results
      union all
      select b.* from public.engagements e cross join lateral private.business_moments(e) b
      where e.id = p_engagement_id and p_business
    ) n
    order by n.at desc, n.kind, n.id
    limit 100
  ) m
$function$;

CREATE OR REPLACE FUNCTION private.coaching_zone()
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.time_zone from private.coaching_rules r
$function$;

CREATE OR REPLACE FUNCTION private.comes_as_coach (
  p_conversation public.conversations,
  p_user_id      uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return case p_conversation.kind
    when 'engagement' then p_user_id is not distinct from private.talking_coach(p_conversation.engagement_id)
    when 'project' then not exists (
      select from public.projects j
      join public.business_members m on m.business_id = j.business_id
      where j.id = p_conversation.project_id and m.user_id = p_user_id
    )
    when 'direct' then exists (
      select from public.conversation_participants o
      where o.conversation_id = p_conversation.id and o.user_id <> p_user_id
        and private.coaches(p_user_id, o.user_id)
    )
    else false
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.complete (
  p_engagement public.engagements,
  p_who        text,
  p_note       text,
  p_summary    text
)
  RETURNS public.engagements
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
  v_names record;
begin
  perform private.begin_step(p_engagement, 'completed', p_who, p_note);
  update public.engagements e set state = 'completed', closing_summary = p_summary
  where e.id = p_engagement.id returning * into v_engagement;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    v_engagement.id, v_engagement.owner_id, 'Your coaching for ' || v_names.business || ' is complete',
    coalesce(private.excerpt(p_summary), 'Thank you for working with us.')
      || E'\nYou can pick it up again within 90 days.',
    '/dashboard/coaching', 'Your coaching'
  );
  if p_who = 'admin' then
    perform private.tell_of_step(
      v_engagement.id, v_engagement.coach_id, 'Coaching for ' || v_names.business || ' is complete',
      'An admin closed it.', '/dashboard/coaching/' || v_engagement.id, 'Open the client'
    );
  end if;
  perform private.ask_about_coaching(v_engagement.id);
  return v_engagement;
end
$function$;

CREATE OR REPLACE FUNCTION private.contacts_json (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id, 'at', c.at, 'channel', c.channel, 'reached', c.reached, 'note', c.note,
      'coach', private.name_of(c.coach_id)
    ) order by c.at desc, c.id), '[]')
    from (
      select * from public.contact_attempts x
      where x.engagement_id = p_engagement_id order by x.at desc, x.id limit 100
    ) c
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.day_end (
  p_day date
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select (p_day + time '17:00') at time zone private.coaching_zone()
$function$;

CREATE OR REPLACE FUNCTION private.day_start (
  p_user_id uuid,
  p_days    integer DEFAULT 0
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select ((now() at time zone z.name)::date + p_days)::timestamp at time zone z.name
  from (select private.time_zone_of(p_user_id) as name) z
$function$;

CREATE OR REPLACE FUNCTION private.delete_account (
  p_user_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_email text;
  v_name text := coalesce(private.name_of(p_user_id), 'Someone you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them: businesses, then as in private.hold_coach.
  perform private.one_at_a_time('business', b.business_id)
  from (
    select m.business_id from public.business_members m
    where m.user_id = p_user_id order by m.business_id
  ) b;
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- People whom it concerns hear of it, in words that do not depend on who they are to each other.
  perform private.notify(
    c.coach_id, 'coaching', 'gone:' || p_user_id, v_name || ' has deleted their account',
    'You were their coach. The coaching has ended.', '/dashboard/coaching', 'Your clients'
  )
  from (
    select distinct e.coach_id from public.engagements e
    where e.owner_id = p_user_id and e.coach_id is not null and e.closed_at is null
  ) c;
  perform private.free_clients(p_user_id, 'The account was deleted.');

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The owner’s account was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify(
        m.user_id, 'account', 'owner:' || v_business.business_id || ':' || now(),
        'You’re now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You now decide who belongs to the business and whether to archive it.',
        '/dashboard/businesses/' || v_business.business_id, 'Open the business'
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform private.forget_coaching_of(p_user_id);

  perform private.remove_folder('avatars', p_user_id);

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.contacts c where c.email = lower(v_email) or c.user_id = p_user_id;
  delete from private.jobs j where j.kind = 'mail' and lower(j.payload ->> 'to') = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  perform private.send_mail(v_email, 'notice', jsonb_build_object(
    'subject', 'We’ve deleted your account', 'heading', 'We’ve deleted your account',
    'paragraphs', jsonb_build_array('You asked us to 30 days ago. This is our last email. We’ll erase your address 30 days from now.'),
    'why', 'You’re getting this email because this address had an account.'
  ));
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.due_in_calendar (
  p_user_id uuid
)
  RETURNS TABLE (
    uid         text,
    day         date,
    title       text,
    description text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.end_sessions()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.coaching_sessions s set
    state = 'canceled', revision = s.revision + 1,
    cancel_reason = case when new.closed_at is null then 'The coach changed.' else 'The coaching ended.' end
  -- One that has begun may have taken place.
  where s.engagement_id = new.id and s.state = 'scheduled' and s.starts_at > now();
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = new.id and o.state = 'open';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_step()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform set_config('trellis.reason', '', true), set_config('trellis.why', '', true);
end
$function$;

CREATE OR REPLACE FUNCTION private.engagement_facts (
  p_engagement public.engagements
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_engagement.id, 'state', p_engagement.state, 'state_since', p_engagement.state_since,
    'areas', p_engagement.areas, 'note', p_engagement.note,
    'results_shared', p_engagement.results_shared, 'requested_at', p_engagement.requested_at,
    'assigned_at', p_engagement.assigned_at, 'accepted_at', p_engagement.accepted_at,
    'active_at', p_engagement.active_at, 'resume_on', p_engagement.resume_on,
    'closed_at', p_engagement.closed_at, 'closing_summary', p_engagement.closing_summary,
    'referral', p_engagement.referral, 'change_requested_at', p_engagement.change_requested_at,
    'change_reason', case when p_engagement.change_requested_at is not null then (
      select ev.note from public.engagement_events ev
      where ev.engagement_id = p_engagement.id and ev.kind = 'change_requested'
      order by ev.id desc limit 1
    ) end,
    'due_what', p_engagement.due_what, 'due_at', p_engagement.due_at,
    'late', private.is_late(p_engagement),
    'can_reopen', private.reopen_blocker(p_engagement) is null,
    'business', (
      select jsonb_build_object('id', b.id, 'name', b.name, 'archived', b.archived_at is not null)
      from public.businesses b where b.id = p_engagement.business_id
    ),
    'owner', (
      select jsonb_build_object(
        'id', p.user_id, 'name', nullif(p.full_name, ''), 'languages', p.languages,
        'time_zone', p.time_zone
      )
      from public.profiles p where p.user_id = p_engagement.owner_id
    ),
    'coach', case when p_engagement.coach_id is not null then jsonb_build_object(
      'id', p_engagement.coach_id, 'name', private.name_of(p_engagement.coach_id),
      'away', case when p_engagement.closed_at is null then private.coach_away(p_engagement.coach_id) end
    ) end
  )
$function$;

CREATE OR REPLACE FUNCTION private.engagement_history (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', ev.id, 'at', ev.at, 'kind', ev.kind, 'from_state', ev.from_state,
    'to_state', ev.to_state, 'note', ev.note, 'actor', private.name_of(ev.actor_id),
    'why', ev.details ->> 'why', 'coach', private.name_of((ev.details ->> 'coach_id')::uuid),
    'from_coach', private.name_of((ev.details ->> 'from_coach_id')::uuid),
    'shared', (ev.details ->> 'results_shared')::boolean
  ) order by ev.id desc), '[]')
  from (
    select * from public.engagement_events x where x.engagement_id = p_id order by x.id desc limit 200
  ) ev
$function$;

CREATE OR REPLACE FUNCTION private.engagement_json (
  p_engagement public.engagements
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
begin
  return jsonb_build_object(
    'id', p_engagement.id, 'business_id', p_engagement.business_id, 'state', p_engagement.state,
    'areas', p_engagement.areas, 'note', p_engagement.note,
    'results_shared', p_engagement.results_shared, 'requested_at', p_engagement.requested_at,
    'assigned_at', p_engagement.assigned_at, 'accepted_at', p_engagement.accepted_at,
    'resume_on', p_engagement.resume_on, 'closed_at', p_engagement.closed_at,
    'closing_summary', p_engagement.closing_summary, 'referral', p_engagement.referral,
    -- Between the owner and the admins, who read it elsewhere.
    'change_requested', p_engagement.change_requested_at is not null
      and coalesce(p_engagement.owner_id = v_user_id, false),
    'can_reopen', p_engagement.state in ('completed', 'unreachable')
      and private.reopen_blocker(p_engagement) is null,
    'coach', case
      when p_engagement.coach_id is null then null
      when p_engagement.closed_at is null then private.coach_card(p_engagement.coach_id) - 'industries'
      -- Of who coached once, only the name.
      else jsonb_build_object(
        'user_id', p_engagement.coach_id, 'full_name', coalesce(private.name_of(p_engagement.coach_id), ''),
        'avatar_path', null, 'about', '', 'areas', '[]'::jsonb, 'languages', '[]'::jsonb,
        'time_zone', null
      )
    end,
    'due_what', p_engagement.due_what, 'due_at', p_engagement.due_at
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.engagement_moments (
  p_engagement_id uuid
)
  RETURNS TABLE (
    at        timestamp with time zone,
    kind      text,
    id        text,
    title     text,
    area_key  text,
    href_kind text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select s.at, s.kind, null, null, null, null
  from (
    select v.at, case
      when v.kind = 'requested' then 'requested'
      when v.to_state = 'assigned' then 'assigned'
      when v.from_state = 'assigned' and v.to_state = 'accepted' then 'accepted'
      when v.to_state = 'paused' then 'paused'
      when v.from_state = 'paused' and v.to_state = 'active' then 'resumed'
      when v.to_state = 'completed' then 'completed'
    end as kind
    from public.engagement_events v
    where v.engagement_id = p_engagement_id and v.kind in ('requested', 'state_changed')
  ) s
  where s.kind is not null
  union all
  select s.starts_at, 'session', s.id::text, null, s.topics[1], 'session'
  from public.coaching_sessions s
  where s.engagement_id = p_engagement_id and s.state in ('completed', 'no_show')
  union all
  select a.created_at, 'action_added', a.id::text, a.body, a.area_key, null
  from public.coaching_actions a where a.engagement_id = p_engagement_id
  union all
  select a.settled_at, 'action_done', a.id::text, a.body, a.area_key, null
  from public.coaching_actions a where a.engagement_id = p_engagement_id and a.state = 'done'
  union all
  select r.created_at, 'recommended', r.tool_slug, coalesce(i.title, r.title), r.area_key,
    case when i.slug is not null then 'tool' end
  from public.coach_recommendations r
  left join public.toolbox_items i on i.slug = r.tool_slug and i.state = 'published'
  where r.engagement_id = p_engagement_id
  union all
  select r.settled_at, 'recommendation_taken', coalesce(r.project_id::text, r.tool_slug),
    coalesce(i.title, r.title), r.area_key,
    case when r.project_id is not null then 'project' when i.slug is not null then 'tool' end
  from public.coach_recommendations r
  left join public.toolbox_items i on i.slug = r.tool_slug and i.state = 'published'
  where r.engagement_id = p_engagement_id and r.state = 'taken'
$function$;

CREATE OR REPLACE FUNCTION private.engagement_parts_json (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', v.at, 'kind', v.kind, 'from_state', v.from_state, 'to_state', v.to_state
      ) order by v.at, v.id), '[]')
      from (
        select * from public.engagement_events x
        where x.engagement_id = p_engagement_id
          and x.kind not in ('change_requested', 'change_dropped')
        order by x.at desc, x.id desc limit 100
      ) v
    ),
    'sessions', (
      select coalesce(jsonb_agg(private.session_json(s) order by s.starts_at desc, s.id), '[]')
      from (
        select * from public.coaching_sessions x
        where x.engagement_id = p_engagement_id order by x.starts_at desc, x.id limit 100
      ) s
    ),
    'offers', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', o.id, 'times', o.times, 'time_zone', o.time_zone, 'minutes', o.minutes,
        'kind', o.kind, 'place', o.place, 'state', o.state, 'created_at', o.created_at
      )), '[]')
      from public.session_offers o where o.engagement_id = p_engagement_id and o.state = 'open'
    ),
    'actions', (
      select coalesce(jsonb_agg(private.coaching_action_json(a)
        order by a.state = 'open' desc, case when a.state = 'open' then a.due_on end,
          a.settled_at desc, a.created_at, a.id), '[]')
      from (
        select * from public.coaching_actions x
        where x.engagement_id = p_engagement_id
        order by x.state = 'open' desc, x.settled_at desc, x.created_at desc, x.id limit 100
      ) a
    ),
    'recommendations', (
      select coalesce(jsonb_agg(private.recommendation_json(r)
        order by r.state = 'open' desc, r.created_at desc, r.id), '[]')
      from (
        select * from public.coach_recommendations x
        where x.engagement_id = p_engagement_id
        order by x.state = 'open' desc, x.created_at desc, x.id limit 50
      ) r
    ),
    'used', (
      select count(*) from public.coaching_sessions s
      where s.engagement_id = p_engagement_id and s.uses_one
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.engagement_work (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'state', s.state, 'starts_at', s.starts_at, 'time_zone', s.time_zone,
        'minutes', s.minutes, 'kind', s.kind, 'topics', s.topics, 'summary', s.summary,
        'cancel_reason', s.cancel_reason, 'coach', private.name_of(s.coach_id),
        'has_note', exists (
          select from public.session_notes n where n.session_id = s.id and n.body <> ''
        )
      ) order by s.starts_at desc, s.id), '[]')
      from (
        select * from public.coaching_sessions x
        where x.engagement_id = p_id order by x.starts_at desc, x.id limit 100
      ) s
    ),
    'actions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', a.id, 'body', a.body, 'doer', a.doer, 'due_on', a.due_on, 'state', a.state,
        'created_at', a.created_at, 'settled_at', a.settled_at
      ) order by a.created_at desc, a.id), '[]')
      from (
        select * from public.coaching_actions x
        where x.engagement_id = p_id order by x.created_at desc, x.id limit 200
      ) a
    ),
    'feedback', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'session_id', f.session_id, 'rating', f.rating, 'comment', f.comment,
        'created_at', f.created_at
      ) order by f.created_at desc, f.session_id), '[]')
      from public.session_feedback f
      join public.coaching_sessions s on s.id = f.session_id
      where s.engagement_id = p_id
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.enter_state (
  p_new public.engagements
)
  RETURNS public.engagements
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.expire_offers()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_offer record;
  v_count int := 0;
begin
  for v_offer in
    select o.id, o.engagement_id, o.coach_id, b.name as business
    from public.session_offers o
    join public.engagements e on e.id = o.engagement_id
    join public.businesses b on b.id = e.business_id
    -- Sorted: the last time is the latest.
    where o.state = 'open' and o.times[cardinality(o.times)] <= now()
    order by e.id limit 500
    for update of e skip locked
  loop
    update public.session_offers o set state = 'expired' where o.id = v_offer.id and o.state = 'open';
    perform private.notify(
      v_offer.coach_id, 'session', 'offer:' || v_offer.id || ':expired',
      v_offer.business || ' hasn’t picked a time',
      'All the times you offered have passed. Offer others, or write to them.',
      '/dashboard/coaching/' || v_offer.engagement_id, 'Offer other times'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
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
    ('handovers', 't.from_coach_id = $1', '{engagement_id,to_coach_id,packet}'),
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

CREATE OR REPLACE FUNCTION private.fit_reasons (
  p_areas     text[],
  p_industry  text,
  p_languages text[],
  p_hours     integer
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(r.reason order by r.place), '[]')
  from (values
    (1, case when cardinality(p_areas) > 0 then
      jsonb_build_object('kind', 'areas', 'keys', p_areas) end),
    (2, case when p_industry is not null then
      jsonb_build_object('kind', 'industry', 'industry', p_industry) end),
    (3, case when cardinality(p_languages) > 0 then
      jsonb_build_object('kind', 'language', 'language', p_languages[1]) end),
    (4, case when p_hours <= 3 then
      jsonb_build_object('kind', 'time_zone', 'hours', p_hours) end)
  ) as r (place, reason)
  where r.reason is not null
$function$;

CREATE OR REPLACE FUNCTION private.forget_coaching_of (
  p_owner_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_ids uuid[] := array(select e.id from public.engagements e where e.owner_id = p_owner_id);
begin
  update public.engagements e set note = null, closing_summary = null, referral = null
  where e.id = any (v_ids)
    and (e.note is not null or e.closing_summary is not null or e.referral is not null);
  delete from public.handovers h where h.engagement_id = any (v_ids);
  update public.contact_attempts c set note = null where c.engagement_id = any (v_ids) and c.note is not null;
  delete from public.session_notes n using public.coaching_sessions s
  where s.id = n.session_id and s.engagement_id = any (v_ids);
  delete from public.coach_recommendations r where r.engagement_id = any (v_ids);
  delete from public.coaching_actions a where a.engagement_id = any (v_ids);
  delete from public.session_offers o where o.engagement_id = any (v_ids);
  update public.coaching_sessions s set summary = null, place = null, cancel_reason = null, topics = '{}'
  where s.engagement_id = any (v_ids);
end
$function$;

CREATE OR REPLACE FUNCTION private.free_clients (
  p_coach_id uuid,
  p_note     text
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
  v_count int := 0;
begin
  -- As everywhere: engagements, then their coach.
  perform from public.engagements e
  where e.coach_id = p_coach_id and e.closed_at is null order by e.id for update;
  perform private.one_at_a_time('coach', p_coach_id);
  for v_engagement in
    select * from public.engagements e
    where e.coach_id = p_coach_id and e.closed_at is null order by e.id for update
  loop
    perform private.return_request(v_engagement, 'system', p_note, 'coach_left');
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_engagement()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.guard_session()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if new.id <> old.id or new.engagement_id <> old.engagement_id
    or (new.coach_id is distinct from old.coach_id and new.coach_id is not null)
  then
    raise exception 'A session stays with its coaching and its coach.' using errcode = '55000';
  end if;
  if new.state <> old.state then
    new.closed_at := now();
  end if;
  return new;
end
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
    'id', p_handover.id, 'note', p_handover.note, 'packet', p_handover.packet,
    'created_at', p_handover.created_at, 'handed_at', p_handover.handed_at,
    'from', private.name_of(p_handover.from_coach_id),
    'to', private.name_of(p_handover.to_coach_id)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.handover_packet (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return (
    select jsonb_build_object(
      'goals', jsonb_build_object('note', e.note, 'areas', e.areas),
      'actions', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'body', a.body, 'doer', a.doer, 'due_on', a.due_on
        ) order by a.due_on, a.created_at, a.id), '[]')
        from public.coaching_actions a where a.engagement_id = e.id and a.state = 'open'
      ),
      'summaries', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'starts_at', s.starts_at, 'topics', s.topics, 'summary', s.summary
        ) order by s.starts_at, s.id), '[]')
        from (
          select * from public.coaching_sessions x
          where x.engagement_id = e.id and x.state = 'completed' and x.summary is not null
          order by x.starts_at desc limit 20
        ) s
      )
    )
    from public.engagements e where e.id = p_engagement_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.has_room (
  p_coach_id uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.why_no_room(p_coach_id) is null
$function$;

CREATE OR REPLACE FUNCTION private.hear_from_owner (
  p_engagement_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
  v_names record;
begin
  if v_engagement.state <> 'unreachable' then
    return;
  end if;
  perform private.require_reopenable(v_engagement);
  perform private.begin_step(v_engagement, 'accepted', 'system', null, 'reply');
  update public.engagements e set state = 'accepted' where e.id = v_engagement.id;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    v_engagement.id, v_engagement.coach_id, v_names.owner || ' got back to you',
    'The coaching for ' || v_names.business || ' is open again. Agree on a first session.',
    '/dashboard/coaching/' || v_engagement.id, 'Open the client'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_engagement (
  p_id  uuid,
  p_who text[]
)
  RETURNS public.engagements
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
begin
  select * into v_engagement from public.engagements e
  where e.id = p_id and (
    'owner' = any (p_who) and e.owner_id = v_user_id
    or 'coach' = any (p_who) and e.coach_id = v_user_id and e.owner_id is not null
      and private.is_coach()
  )
  for update;
  if not found then
    raise exception 'We can’t find this coaching.' using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return v_engagement;
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_offer (
  p_id  uuid,
  p_who text[]
)
  RETURNS public.session_offers
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers;
begin
  select * into v_offer from public.session_offers o where o.id = p_id;
  perform from public.engagements e where e.id = v_offer.engagement_id for update;
  select o.* into v_offer
  from public.session_offers o join public.engagements e on e.id = o.engagement_id
  where o.id = p_id and (
    'owner' = any (p_who) and e.owner_id = v_user_id
    or 'coach' = any (p_who) and e.coach_id = v_user_id and o.coach_id = v_user_id
      and e.owner_id is not null and private.is_coach()
  )
  for update of o;
  if not found then
    raise exception 'We can’t find these times.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_offer;
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_session (
  p_id  uuid,
  p_who text[]
)
  RETURNS public.coaching_sessions
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions;
begin
  select * into v_session from public.coaching_sessions s where s.id = p_id;
  -- The engagement first: everything that changes it or its sessions locks in this order.
  perform from public.engagements e where e.id = v_session.engagement_id for update;
  select s.* into v_session
  from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id
  where s.id = p_id and (
    'owner' = any (p_who) and e.owner_id = v_user_id
    or 'coach' = any (p_who) and e.coach_id = v_user_id and s.coach_id = v_user_id
      and e.owner_id is not null and private.is_coach()
  )
  for update of s;
  if not found then
    raise exception 'We can’t find this session.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_session;
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_unreachable (
  p_conversation_id uuid,
  p_owner_id        uuid
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement_id uuid;
begin
  select e.id into v_engagement_id
  from public.conversations c
  join public.engagements e on e.id = c.engagement_id
  where c.id = p_conversation_id and e.state = 'unreachable' and e.owner_id = p_owner_id
  for update of e;
  return v_engagement_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.hours_apart (
  p_one   text,
  p_other text
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select round(abs(extract(epoch from (now() at time zone p_one) - (now() at time zone p_other))) / 3600)::int
$function$;

CREATE OR REPLACE FUNCTION private.ids_of_my_people()
  RETURNS SETOF uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
begin
  return query
    select other.user_id
    from public.business_members mine
    join public.business_members other on other.business_id = mine.business_id
    where mine.user_id = v_user_id
    union
    select c.owner_id from private.my_clients() c where c.owner_id is not null
    union
    select e.coach_id
    from public.engagements e
    -- Not of those who coached them once.
    where e.owner_id = v_user_id and e.coach_id is not null and e.closed_at is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_business_day (
  p_day date
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select extract(isodow from p_day) < 6
    and not exists (select from private.holidays h where h.day = p_day)
$function$;

CREATE OR REPLACE FUNCTION private.is_closed (
  p_state text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select p_state in ('completed', 'withdrawn', 'unreachable', 'ineligible')
$function$;

CREATE OR REPLACE FUNCTION private.is_late (
  p_engagement public.engagements
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  -- A session that's taking place isn't late.
  select coalesce(p_engagement.due_at < now() and p_engagement.due_what <> 'session', false)
$function$;

CREATE OR REPLACE FUNCTION private.is_leaving (
  p_coach_id uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- plpgsql, because the tables are created in later files.
  return exists (
    select from public.handovers h
    join public.engagements e on e.id = h.engagement_id and e.coach_id = h.from_coach_id
    where h.from_coach_id = p_coach_id and h.handed_at is null
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_note (
  p_session_id uuid,
  p_author_id  uuid,
  p_body       text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_body text := private.clean_text(p_body, 10000, 'note');
begin
  if v_body is null then
    delete from public.session_notes n where n.session_id = p_session_id;
    return;
  end if;
  insert into public.session_notes as n (session_id, author_id, body)
  values (p_session_id, p_author_id, v_body)
  on conflict (session_id) do update set body = excluded.body, updated_at = now()
  where n.body <> excluded.body;
end
$function$;

CREATE OR REPLACE FUNCTION private.lapse_requests()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
  v_names record;
  v_count int := 0;
begin
  for v_engagement in
    select * from public.engagements e
    where e.closed_at is null and e.state = 'assigned' and e.due_at <= now()
    order by e.id limit 500
    for update skip locked
  loop
    perform private.return_request(v_engagement, 'system', 'lapsed', 'lapsed');
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      v_engagement.id, v_engagement.coach_id, 'Someone else will coach ' || v_names.business,
      'You didn’t say yes or no in time, so we’re looking for someone else. If you take no new clients right now, say so in your settings.',
      '/dashboard/coaching/settings', 'Your settings'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
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
  insert into public.handovers as h (engagement_id, from_coach_id, note, packet)
  values (
    -- Nobody, if their account is being deleted.
    p_engagement_id, (select u.id from auth.users u where u.id = p_coach_id), p_note,
    private.handover_packet(p_engagement_id)
  )
  on conflict (engagement_id) where handed_at is null do update set
    -- What one coach left stays, with what an admin adds.
    note = case when excluded.from_coach_id is not distinct from h.from_coach_id and auth.uid() = p_coach_id
      then excluded.note
      else pg_catalog.left(nullif(concat_ws(E'\n\n', h.note, excluded.note), ''), 8000) end,
    packet = excluded.packet;
end
$function$;

CREATE OR REPLACE FUNCTION private.loop_area_json (
  p_engagement public.engagements,
  p_area       public.skill_areas,
  p_results    boolean
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'area_key', p_area.key, 'area_name', p_area.name,
    'scores', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', t.submitted_at, 'score', t.score, 'version_number', t.number
      ) order by t.submitted_at), '[]')
      from (
        select a.submitted_at, s.score, n.number
        from public.attempts a
        join public.area_scores s on s.attempt_id = a.id and s.area_key = p_area.key
        join public.quiz_versions n on n.id = a.version_id
        where p_results and a.user_id = p_engagement.owner_id
          and a.business_id = p_engagement.business_id and a.state = 'submitted'
          and a.kind = 'full' and s.score is not null
        order by a.submitted_at desc limit 12
      ) t
    ),
    'focus_at', (
      select max(f.chosen_at)
      from public.focus_areas f join public.attempts t on t.id = f.attempt_id
      where p_results and f.user_id = p_engagement.owner_id
        and t.business_id = p_engagement.business_id and f.area_key = p_area.key
    ),
    'actions', (
      select coalesce(jsonb_agg(jsonb_build_object('at', x.at, 'done_at', x.done_at) order by x.at), '[]')
      from (
        select a.created_at as at, case a.state when 'done' then a.settled_at end as done_at
        from public.coaching_actions a
        where a.engagement_id = p_engagement.id and a.area_key = p_area.key and a.state <> 'dropped'
        union all
        select c.created_at, case c.state when 'done' then c.settled_at end
        from public.focus_areas f
        join public.attempts t on t.id = f.attempt_id
        join public.focus_actions c on c.focus_area_id = f.id
        where p_results and f.user_id = p_engagement.owner_id
          and t.business_id = p_engagement.business_id and f.area_key = p_area.key
          and c.state <> 'dropped'
        order by 1 desc limit 50
      ) x
    ),
    'sessions', (
      select coalesce(jsonb_agg(s.starts_at order by s.starts_at), '[]')
      from (
        select c.starts_at from public.coaching_sessions c
        where c.engagement_id = p_engagement.id and c.state = 'completed'
          and p_area.key = any (c.topics)
        order by c.starts_at desc limit 50
      ) s
    ),
    'tools', (
      select coalesce(jsonb_agg(jsonb_build_object('slug', r.tool_slug, 'at', r.created_at) order by r.created_at), '[]')
      from (
        select c.tool_slug, c.created_at from public.coach_recommendations c
        where c.engagement_id = p_engagement.id and c.kind = 'tool' and c.area_key = p_area.key
          and c.state <> 'dismissed'
        order by c.created_at desc limit 50
      ) r
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.move_clock()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.set_clock(new.engagement_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.name_engagement()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.name_engagements(case tg_table_name
    when 'engagements' then array[(to_jsonb(new) ->> 'id')::uuid]
    when 'businesses' then array(
      select e.id from public.engagements e where e.business_id = (to_jsonb(new) ->> 'id')::uuid
    )
    else array(
      select e.id from public.engagements e where e.owner_id = (to_jsonb(new) ->> 'user_id')::uuid
    )
  end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.name_engagements (
  p_ids uuid[]
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.engagement_names as n (id, coach_id, state, at, name, words)
  select e.id, case when e.owner_id is not null then e.coach_id end, e.state,
    coalesce(e.due_at, e.closed_at, e.requested_at), b.name,
    private.name_words(concat_ws(' ', b.name, p.full_name, p.preferred_name))
  from public.engagements e
  join public.businesses b on b.id = e.business_id
  left join public.profiles p on p.user_id = e.owner_id
  where e.id = any (p_ids)
  on conflict (id) do update set
    coach_id = excluded.coach_id, state = excluded.state, at = excluded.at, name = excluded.name,
    words = excluded.words
$function$;

CREATE OR REPLACE FUNCTION private.offer_state_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('id', o.id, 'state', o.state)
  from public.session_offers o where o.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.overview_tasks (
  p_admin_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'unassigned', (select count(*) from public.engagements e where e.state = 'requested'),
    -- The rule of private.is_late, in a form that an index answers.
    'late', (
      select count(*) from public.engagements e
      where e.closed_at is null and e.due_at < now() and e.due_what <> 'session'
    ),
    'support', (select count(*) from private.unread_support(p_admin_id)),
    'contacts', (select count(*) from public.contacts c where c.waiting > 0),
    'reports', (select count(*) from public.message_reports r where r.state = 'open'),
    'jobs', (
      select count(*) from private.jobs j
      where j.kind <> 'mail'
        and (j.state = 'failed' or j.every is not null and j.last_error is not null)
    ),
    'mails', (select count(*) from private.jobs j where j.state = 'failed' and j.kind = 'mail'),
    'toggles', (
      select count(*) from private.toggles t where t.expires_on <= current_date + 14
    ),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.reviewed_on < now() - interval '1 year'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.pass_on()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if old.coach_id is not null and old.state in ('accepted', 'active', 'paused') then
    perform private.leave_handover(new.id, old.coach_id, null);
  end if;
  if new.coach_id is not null then
    update public.handovers h set to_coach_id = new.coach_id, handed_at = now()
    where h.engagement_id = new.id and h.handed_at is null;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.people_of (
  p_conversation public.conversations
)
  RETURNS SETOF uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  case p_conversation.kind
    when 'engagement' then
      return query
        select e.owner_id from public.engagements e
        where e.id = p_conversation.engagement_id and e.owner_id is not null
        union
        select private.talking_coach(p_conversation.engagement_id)
        where private.talking_coach(p_conversation.engagement_id) is not null;
    when 'project' then
      return query
        select m.user_id from public.projects j
        join public.business_members m on m.business_id = j.business_id
        where j.id = p_conversation.project_id
        union
        select private.coach_of(j.engagement_id) from public.projects j
        where j.id = p_conversation.project_id
          and private.coach_of(j.engagement_id) is not null;
    when 'support' then
      return query
        select p_conversation.about_user_id where p_conversation.about_user_id is not null
        union
        select s.user_id from public.staff_roles s where s.role = 'admin';
    else
      -- Two who wrote to each other keep what was said; a coach only as long as they coach.
      return query
        select p.user_id from public.conversation_participants p
        where p.conversation_id = p_conversation.id
          and (not p.as_coach or exists (
            select from public.conversation_participants o
            where o.conversation_id = p.conversation_id and o.user_id <> p.user_id
              and private.work_together(p.user_id, o.user_id)
          ));
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.plan_session (
  p_id         uuid,
  p_engagement public.engagements,
  p_starts_at  timestamp with time zone,
  p_time_zone  text,
  p_minutes    integer,
  p_kind       text,
  p_place      text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_found public.coaching_sessions;
begin
  select * into v_found from public.coaching_sessions s where s.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement.id then
      raise exception 'This session already exists.' using errcode = '23505', hint = 'id';
    end if;
    return;
  end if;
  perform private.require_under_way(p_engagement);
  perform private.put_session(
    p_id, p_engagement, p_starts_at, p_time_zone, p_minutes, p_kind, p_place
  );
  perform private.require_free(p_engagement.coach_id, p_id, p_starts_at, p_minutes);
  -- What the owner could still have picked is settled by this.
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = p_engagement.id and o.state = 'open';
  perform private.notify(
    p_engagement.owner_id, 'session', 'session:' || p_id,
    'Your coaching session is on ' || private.when_words(p_starts_at, p_engagement.owner_id),
    coalesce(private.name_of(p_engagement.coach_id), 'Your coach') || ' scheduled it.',
    '/dashboard/coaching', 'Your coaching'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.project_for_change (
  p_id    uuid,
  p_right text DEFAULT 'share'::text
)
  RETURNS public.projects
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_project public.projects;
  v_right text;
begin
  perform private.require_session();
  select * into v_project from public.projects p where p.id = p_id;
  v_right := private.project_right(v_project.business_id);
  if v_right is null then
    raise exception 'We can’t find this project.' using errcode = 'P0002';
  end if;
  if v_right = 'share' and p_right = 'edit' then
    raise exception 'Only members of the business can do this.' using errcode = '42501';
  end if;
  perform private.require_unarchived(v_project.business_id);
  if v_right = 'admin' then
    perform private.audit('project.edit', 'project', p_id::text);
  end if;
  select * into v_project from public.projects p where p.id = p_id for update;
  return v_project;
end
$function$;

CREATE OR REPLACE FUNCTION private.project_to_read (
  p_id uuid
)
  RETURNS public.projects
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_project public.projects;
  v_right text;
begin
  perform private.require_session();
  select * into v_project from public.projects p where p.id = p_id;
  v_right := private.project_right(v_project.business_id);
  if v_right is null then
    return null;
  end if;
  if v_right = 'admin' then
    perform private.audit('project.read', 'project', p_id::text);
  end if;
  return v_project;
end
$function$;

CREATE OR REPLACE FUNCTION private.put_action (
  p_engagement    public.engagements,
  p_session_id    uuid,
  p_id            uuid,
  p_body          text,
  p_doer          text,
  p_due_on        date,
  p_area_key      text,
  p_tool_slug     text,
  p_focus_area_id uuid
)
  RETURNS public.coaching_actions
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.put_coach_profile (
  p_id           uuid,
  p_about        text,
  p_areas        text[],
  p_industries   text[],
  p_capacity     integer,
  p_accepting    boolean,
  p_paused_until date
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_areas text[] := array(select distinct a from unnest(p_areas) a order by a);
  v_industries text[] := array(
    select distinct private.clean_line(i, 120) from unnest(p_industries) i
    where private.clean_line(i, 120) is not null order by 1
  );
begin
  if char_length(p_about) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'about';
  end if;
  if exists (
    select from unnest(v_areas) a where a is null or a not in (select s.key from public.skill_areas s)
  ) then
    raise exception 'Choose areas from the list.' using errcode = '22023', hint = 'areas';
  end if;
  if cardinality(v_industries) > 16 then
    raise exception 'Choose at most 16 industries.' using errcode = '22023', hint = 'industries';
  end if;
  if p_capacity not between 0 and 200 then
    raise exception 'Enter a number from 0 to 200.' using errcode = '22023', hint = 'capacity';
  end if;
  if p_paused_until > private.coaching_day() + 366 then
    raise exception 'Choose a day within a year.' using errcode = '22023', hint = 'paused_until';
  end if;
  insert into public.coach_profiles (
    user_id, about, areas, industries, capacity, accepting, paused_until
  ) values (
    p_id, btrim(coalesce(p_about, '')), v_areas, v_industries, p_capacity,
    coalesce(p_accepting, true), p_paused_until
  )
  on conflict (user_id) do update set
    about = excluded.about, areas = excluded.areas, industries = excluded.industries,
    capacity = excluded.capacity, accepting = excluded.accepting,
    paused_until = excluded.paused_until, updated_at = now();
end
$function$;

CREATE OR REPLACE FUNCTION private.put_session (
  p_id         uuid,
  p_engagement public.engagements,
  p_starts_at  timestamp with time zone,
  p_time_zone  text,
  p_minutes    integer,
  p_kind       text,
  p_place      text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_id is null then
    raise exception 'A session needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.check_session_plan(p_starts_at, p_time_zone, p_minutes, p_kind, p_place);
  insert into public.coaching_sessions (
    id, engagement_id, coach_id, starts_at, time_zone, minutes, kind, place
  ) values (
    p_id, p_engagement.id, p_engagement.coach_id, p_starts_at, p_time_zone, p_minutes, p_kind,
    private.clean_text(p_place, 300, 'place')
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.put_snapshot (
  p_user_id       uuid,
  p_id            uuid,
  p_business_id   uuid,
  p_taken_on      date,
  p_full_time     integer,
  p_part_time     integer,
  p_revenue_minor bigint,
  p_profit_minor  bigint,
  p_currency      text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_found public.business_snapshots;
begin
  perform private.one_at_a_time('business', p_business_id);
  select * into v_found from public.business_snapshots s where s.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.business_id <> p_business_id or v_found.created_by is distinct from p_user_id then
      raise exception 'These figures already exist.' using errcode = '23505', hint = 'id';
    end if;
    return;
  end if;
  if p_id is null then
    raise exception 'Figures need an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_taken_on is null or p_taken_on not between date '1900-01-01' and private.my_today() then
    raise exception 'Enter the date these figures are for, today or earlier.'
      using errcode = '22023', hint = 'taken_on';
  end if;
  if num_nonnulls(p_full_time, p_part_time, p_revenue_minor, p_profit_minor) = 0 then
    raise exception 'Enter at least one figure. Leave out anything you don’t know.'
      using errcode = '22023', hint = 'full_time';
  end if;
  if p_full_time not between 0 and 1000000 then
    raise exception 'Enter a whole number of people, 0 or more.' using errcode = '22023', hint = 'full_time';
  end if;
  if p_part_time not between 0 and 1000000 then
    raise exception 'Enter a whole number of people, 0 or more.' using errcode = '22023', hint = 'part_time';
  end if;
  if p_revenue_minor not between 0 and 100000000000000 then
    raise exception 'Revenue can’t be negative.' using errcode = '22023', hint = 'revenue';
  end if;
  if abs(p_profit_minor) > 100000000000000 then
    raise exception 'That number is too large.' using errcode = '22023', hint = 'profit';
  end if;
  if num_nonnulls(p_revenue_minor, p_profit_minor) > 0
    and coalesce(p_currency, '') !~ '^[A-Z]{3}$'
  then
    raise exception 'Choose a currency for the amounts.' using errcode = '22023', hint = 'currency';
  end if;
  insert into public.business_snapshots (
    id, business_id, taken_on, full_time, part_time, revenue_minor, profit_minor, currency,
    created_by, created_at
  ) values (
    p_id, p_business_id, p_taken_on, p_full_time, p_part_time, p_revenue_minor, p_profit_minor,
    case when num_nonnulls(p_revenue_minor, p_profit_minor) > 0 then p_currency end, p_user_id,
    -- Not now(): of two corrections in one transaction the later one counts.
    clock_timestamp()
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.readable_avatar_folders()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select (select auth.uid())::text
  union
  select p::text from private.ids_of_my_people() p
  union
  -- Owners choose among these.
  select s.user_id::text from public.staff_roles s
  where s.role = 'coach' and private.has_room(s.user_id)
$function$;

CREATE OR REPLACE FUNCTION private.reassign (
  p_engagement public.engagements,
  p_coach_id   uuid,
  p_reason     text,
  p_message    text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
  v_names record;
begin
  perform private.require_coach(p_engagement, p_coach_id);
  perform set_config('trellis.reason', p_reason, true);
  update public.engagements e set coach_id = p_coach_id
  where e.id = p_engagement.id returning * into v_engagement;
  perform set_config('trellis.reason', '', true);
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    v_engagement.id, p_coach_id, 'You’re the new coach of ' || v_names.business,
    case v_engagement.state when 'assigned' then 'Say yes or no.' else 'Read what the last coach left for you, and get in touch.' end,
    '/dashboard/coaching/' || v_engagement.id, 'Open the client'
  );
  perform private.tell_of_step(
    v_engagement.id, p_engagement.coach_id, 'Someone else coaches ' || v_names.business || ' now',
    'You can’t open the business or its results anymore. Thank you for your work.',
    '/dashboard/coaching', 'Your clients'
  );
  perform private.tell_of_step(
    v_engagement.id, v_engagement.owner_id, v_names.coach || ' is your new coach',
    concat_ws(
      E'\n', coalesce(p_message, v_names.coach || ' will get in touch with you.'),
      case when p_engagement.results_shared
        then 'Your quiz results aren’t shared with them. You can change that on the page of your coaching.' end
    ),
    '/dashboard/coaching', 'Your coaching'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.recommendation_json (
  p_recommended public.coach_recommendations
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_recommended.id, 'kind', p_recommended.kind,
    'tool', private.tool_link(p_recommended.tool_slug), 'title', p_recommended.title,
    'area_key', p_recommended.area_key, 'note', p_recommended.note, 'state', p_recommended.state,
    'project_id', p_recommended.project_id, 'created_at', p_recommended.created_at,
    'settled_at', p_recommended.settled_at
  )
$function$;

CREATE OR REPLACE FUNCTION private.record_engagement()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.refresh_clocks()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_id uuid;
  v_count int := 0;
begin
  for v_id in
    select e.id from public.engagements e
    where e.closed_at is null and (
      -- A session has ended, or the first of the offered times has passed.
      e.due_at <= now() and e.due_what in ('session', 'pick')
      -- From before there were clocks.
      or e.due_at is null
    )
    order by e.id limit 2000
    for update skip locked
  loop
    perform private.set_clock(v_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_coaching_actions()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_due record;
  v_count int := 0;
begin
  for v_due in
    select a.id, a.body, d.person_id, d.path, format('action-due:%s:%s', a.id, a.due_on) as key
    from public.coaching_actions a
    join public.engagements e on e.id = a.engagement_id and e.closed_at is null
    cross join lateral (
      select
        case a.doer when 'owner' then e.owner_id else e.coach_id end as person_id,
        case a.doer when 'owner' then '/dashboard/coaching' else '/dashboard/coaching/' || e.id end as path
    ) d
    -- A day either way, because today isn't the same day everywhere.
    where a.state = 'open' and a.due_on between current_date - 1 and current_date + 1
      and d.person_id is not null
      and a.due_on = (now() at time zone private.time_zone_of(d.person_id))::date
      and not exists (
        select from public.notifications n
        where n.user_id = d.person_id and n.key = format('action-due:%s:%s', a.id, a.due_on)
      )
    order by a.due_on, a.id limit 1000
  loop
    if private.notify(
      v_due.person_id, 'reminder', v_due.key, 'Due today: ' || v_due.body,
      'You agreed on it in coaching.', v_due.path, 'Open coaching'
    ) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_pauses()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_paused record;
  v_count int := 0;
begin
  for v_paused in
    select p.person_id, p.path, e.id, b.name as business, format('resume:%s:%s', e.id, e.resume_on) as key
    from public.engagements e
    join public.businesses b on b.id = e.business_id
    cross join lateral (values
      (e.owner_id, '/dashboard/coaching'), (e.coach_id, '/dashboard/coaching/' || e.id)
    ) as p (person_id, path)
    where e.closed_at is null and e.state = 'paused' and e.resume_on <= private.coaching_day()
      and p.person_id is not null
      and not exists (
        select from public.notifications n
        where n.user_id = p.person_id and n.key = format('resume:%s:%s', e.id, e.resume_on)
      )
    order by e.id, p.path limit 1000
  loop
    if private.notify(
      v_paused.person_id, 'reminder', v_paused.key,
      'The pause of coaching for ' || v_paused.business || ' ends today',
      'Pick it up again, or agree on another date.', v_paused.path, 'Open coaching'
    ) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_session (
  p_stage  text,
  p_before interval,
  p_title  text
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_due record;
  v_count int := 0;
begin
  for v_due in
    select s.starts_at, p.person_id, p.other, p.path,
      format('session:%s:%s:%s', s.id, s.revision, p_stage) as key
    from public.coaching_sessions s
    join public.engagements e on e.id = s.engagement_id
    join public.businesses b on b.id = e.business_id
    cross join lateral (values
      (e.owner_id, coalesce(private.name_of(s.coach_id), 'your coach'), '/dashboard/coaching'),
      (s.coach_id, b.name, '/dashboard/coaching/' || e.id)
    ) as p (person_id, other, path)
    where s.state = 'scheduled' and s.starts_at > now() and s.starts_at <= now() + p_before
      -- Whoever has just planned or changed it knows.
      and s.updated_at < s.starts_at - p_before
      and p.person_id is not null
      and not exists (
        select from public.notifications n
        where n.user_id = p.person_id
          and n.key = format('session:%s:%s:%s', s.id, s.revision, p_stage)
      )
    order by s.starts_at, s.id, p.path limit 1000
  loop
    if private.notify(
      v_due.person_id, 'session', v_due.key, format(p_title, v_due.other),
      'It starts on ' || private.when_words(v_due.starts_at, v_due.person_id) || '.', v_due.path,
      'Open coaching'
    ) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_sessions()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object(
    'expired', private.expire_offers(),
    'day', private.remind_of_session('day', interval '24 hours', 'Your session with %s is coming up'),
    'hour', private.remind_of_session('hour', interval '1 hour', 'Your session with %s starts soon'),
    'actions', private.remind_of_coaching_actions()
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_steps()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_soon timestamptz := private.business_day_end(now(), 1);
  v_due record;
  v_count int := 0;
begin
  for v_due in
    select e.id, e.coach_id, e.due_what, e.due_at, b.name as business,
      format('due:%s:%s:%s', e.due_what, e.id, extract(epoch from e.due_at)::bigint) as key
    from public.engagements e
    join public.businesses b on b.id = e.business_id
    where e.closed_at is null and e.coach_id is not null
      and (
        e.due_what = 'accept' and e.due_at <= v_soon
        or e.due_what in ('contact', 'write_up', 'plan') and e.due_at <= now()
      )
      and not exists (
        select from public.notifications n
        where n.user_id = e.coach_id
          and n.key = format('due:%s:%s:%s', e.due_what, e.id, extract(epoch from e.due_at)::bigint)
      )
    order by e.due_at, e.id limit 500
  loop
    if private.notify(
      v_due.coach_id, 'reminder', v_due.key,
      case v_due.due_what
        when 'accept' then 'Say yes or no to ' || v_due.business
        when 'contact' then 'Get in touch with ' || v_due.business
        when 'write_up' then 'Write up your session with ' || v_due.business
        else 'Plan a next session with ' || v_due.business
      end,
      case v_due.due_what
        when 'accept' then 'They’re waiting until ' || private.day_words(v_due.due_at, v_due.coach_id)
          || '. After that we’ll ask someone else.'
        when 'contact' then 'You said yes, and they haven’t heard from you yet.'
        when 'write_up' then 'It’s over, and they’re waiting for your summary and what to do next.'
        else 'There hasn’t been one for a while.'
      end,
      '/dashboard/coaching/' || v_due.id, 'Open the client'
    ) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.reopen_blocker (
  p_engagement public.engagements
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return case
    when p_engagement.state not in ('completed', 'unreachable')
      then 'This coaching can’t be picked up again.'
    when p_engagement.state = 'completed' and p_engagement.closed_at < now() - interval '90 days'
      then 'This coaching ended more than 90 days ago. Send a new request.'
    when p_engagement.coach_id is null or private.role_of(p_engagement.coach_id) <> 'coach'
      or private.account_state(p_engagement.coach_id) = 'blocked'
      then 'This coach isn’t coaching anymore. Send a new request.'
    when not exists (
      select from public.business_members m
      where m.business_id = p_engagement.business_id and m.user_id = p_engagement.owner_id
    ) then 'The owner doesn’t belong to this business anymore.'
    when exists (
      select from public.engagements o
      where o.owner_id = p_engagement.owner_id and o.business_id = p_engagement.business_id
        and o.closed_at is null
    ) then 'There’s other coaching for this business. It has to end first.'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_coach (
  p_engagement public.engagements,
  p_coach_id   uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- They stay a coach, and nobody takes their last place, until this is done.
  perform private.one_at_a_time('coach', p_coach_id);
  if p_coach_id is null or private.role_of(p_coach_id) <> 'coach' then
    raise exception 'Choose someone who’s a coach.' using errcode = '22023', hint = 'coach_id';
  end if;
  if p_engagement.owner_id = p_coach_id then
    raise exception 'People can’t coach themselves.' using errcode = '22023', hint = 'coach_id';
  end if;
  perform private.require_room(p_coach_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.require_coach()
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  if not private.is_coach() then
    raise exception 'Only a coach can do this.' using errcode = '42501';
  end if;
  return v_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_free (
  p_coach_id   uuid,
  p_session_id uuid,
  p_starts_at  timestamp with time zone,
  p_minutes    integer
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_other record;
begin
  -- Two sessions scheduled at once would both find the time free.
  perform private.one_at_a_time('coach_times', p_coach_id);
  select s.starts_at, b.name as business into v_other
  from public.coaching_sessions s
  join public.engagements e on e.id = s.engagement_id
  join public.businesses b on b.id = e.business_id
  where s.coach_id = p_coach_id and s.state = 'scheduled' and s.id <> p_session_id
    and s.starts_at > p_starts_at - interval '240 minutes'
    and s.starts_at < p_starts_at + make_interval(mins => p_minutes)
    and s.starts_at + make_interval(mins => s.minutes) > p_starts_at
  order by s.starts_at limit 1;
  if not found then
    return;
  end if;
  -- An owner isn't told whom else their coach meets.
  raise exception '%', case
    when p_coach_id = auth.uid() then format(
      'You already have a session with %s on %s at %s. Choose another time.', v_other.business,
      private.day_words(v_other.starts_at, p_coach_id), private.time_words(v_other.starts_at, p_coach_id)
    )
    else 'Your coach has another session then. Choose another time.'
  end using errcode = '55000', hint = 'starts_at';
end
$function$;

CREATE OR REPLACE FUNCTION private.require_reopenable (
  p_engagement public.engagements
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_why text;
begin
  -- As in request_coaching: not while the owner asks for another coach.
  perform private.one_at_a_time('engagements', p_engagement.owner_id);
  v_why := private.reopen_blocker(p_engagement);
  if v_why is not null then
    raise exception '%', v_why using errcode = '55000';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_room (
  p_coach_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_why text := private.why_no_room(p_coach_id);
begin
  if v_why is not null then
    raise exception '%', v_why using errcode = '55000', hint = 'coach_id';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_under_way (
  p_engagement public.engagements
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  if p_engagement.state not in ('accepted', 'active', 'paused') then
    raise exception '%', case p_engagement.state
      when 'assigned' then 'Accept this client first.'
      else 'This coaching has ended.'
    end using errcode = '55000';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.result_moments (
  p_engagement public.engagements
)
  RETURNS TABLE (
    at        timestamp with time zone,
    kind      text,
    id        text,
    title     text,
    area_key  text,
    href_kind text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select f.chosen_at, 'focus_chosen', f.id::text, k.name, f.area_key, null
  from public.focus_areas f
  join public.attempts t on t.id = f.attempt_id
  join public.skill_areas k on k.key = f.area_key
  where f.user_id = p_engagement.owner_id and t.business_id = p_engagement.business_id
    and f.chosen_at >= p_engagement.requested_at
  union all
  select t.submitted_at, 'attempt', t.id::text, null, null, 'attempt'
  from public.attempts t
  where t.user_id = p_engagement.owner_id and t.business_id = p_engagement.business_id
    and t.state = 'submitted' and t.submitted_at >= p_engagement.requested_at
$function$;

CREATE OR REPLACE FUNCTION private.resume (
  p_engagement_id uuid,
  p_from          text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner,coach}');
  v_part text := case when v_engagement.owner_id = auth.uid() then 'owner' else 'coach' end;
  v_names record;
begin
  if v_engagement.state = 'active' then
    return private.engagement_json(v_engagement);
  end if;
  if v_engagement.state <> p_from then
    raise exception '%', case p_from
      when 'paused' then 'This coaching isn’t paused.' else 'This coaching isn’t complete.'
    end using errcode = '55000';
  end if;
  perform private.begin_step(v_engagement, 'active', v_part);
  if p_from = 'completed' then
    perform private.require_reopenable(v_engagement);
  end if;
  update public.engagements e set
    state = 'active',
    -- A coach can't give themselves access again to what was shared until the end.
    results_shared = e.results_shared and (v_part = 'owner' or p_from = 'paused')
  where e.id = p_engagement_id returning * into v_engagement;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    p_engagement_id,
    case v_part when 'owner' then v_engagement.coach_id else v_engagement.owner_id end,
    'Coaching for ' || v_names.business || ' continues',
    case v_part when 'owner' then v_names.owner else v_names.coach end
      || ' picked it up again. Agree on a next session.',
    case v_part when 'owner' then '/dashboard/coaching/' || p_engagement_id else '/dashboard/coaching' end,
    'Open coaching'
  );
  return private.engagement_json(v_engagement);
end
$function$;

CREATE OR REPLACE FUNCTION private.return_request (
  p_engagement public.engagements,
  p_who        text,
  p_note       text,
  p_why        text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_names record;
begin
  select * into v_names from private.coaching_names(p_engagement);
  perform private.begin_step(p_engagement, 'requested', p_who, p_note, p_why);
  update public.engagements e set state = 'requested' where e.id = p_engagement.id;
  perform private.end_step();
  perform private.tell_of_step(
    p_engagement.id, p_engagement.owner_id,
    case p_why
      when 'coach_left' then v_names.coach || ' can’t coach you anymore'
      else v_names.coach || ' can’t take on your request'
    end,
    concat_ws(
      E'\n', 'We’re looking for someone else for ' || v_names.business || '. You can also choose a coach yourself.',
      case when p_engagement.results_shared
        then 'Your quiz results aren’t shared anymore. If the next coach may see them, say so on the same page.' end
    ),
    '/dashboard/coaching', 'Your coaching'
  );
  perform private.notify_admins(
    'coaching', private.step_key(p_engagement.id), v_names.business || ' needs a coach again',
    case p_why
      when 'declined' then v_names.coach || ' declined: ' || pg_catalog.left(p_note, 300)
      when 'lapsed' then v_names.coach || ' didn’t answer in time.'
      else v_names.coach || ' isn’t their coach anymore.'
    end,
    '/admin/coaching/' || p_engagement.id, 'Find a coach'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.role_frees_clients()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.free_clients(old.user_id, 'No longer a coach.');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.run_coaching_clocks()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object(
    'lapsed', private.lapse_requests(),
    'sessions', private.remind_of_sessions(),
    'refreshed', private.refresh_clocks(),
    'resumed', private.remind_of_pauses(),
    'reminded', private.remind_of_steps()
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.runs (
  p_engagement public.engagements,
  p_user_id    uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    p_engagement.coach_id = p_user_id and p_engagement.owner_id is not null
    and (
      p_engagement.closed_at is null
      -- As long as it can be picked up again.
      or p_engagement.state in ('completed', 'unreachable')
        and p_engagement.closed_at > now() - interval '90 days'
    )
    and private.role_of(p_user_id) = 'coach',
    false
  )
$function$;

CREATE OR REPLACE FUNCTION private.send_survey (
  p_engagement_id uuid
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_survey_id uuid;
  v_address text;
  v_token text;
  v_goes boolean;
begin
  select s.id into v_survey_id from public.surveys s where s.state = 'open';
  if not found then
    return 'no survey';
  end if;
  select u.email into v_address
  from public.engagements e join auth.users u on u.id = e.owner_id
  where e.id = p_engagement_id
    and (e.closed_at is null and e.state <> 'requested' or e.state = 'completed');
  if not found then
    return 'nobody';
  end if;

  -- Two random UUIDs have 244 random bits.
  v_token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  select private.send_mail(v_address, 'survey-invitation', jsonb_build_object(
    -- Behind the #, which no server and no log ever sees.
    'path', '/engagement-survey#invitation=' || v_token, 'privacy', s.privacy
  ), now() + interval '90 days')
  into v_goes
  from public.surveys s where s.id = v_survey_id;
  -- The link that the client has stays good: it only ends when a new one is on its way.
  if not v_goes then
    return 'limited';
  end if;

  insert into public.survey_invitations (survey_id, engagement_id, token_hash)
  values (v_survey_id, p_engagement_id, private.survey_token_hash(v_token))
  -- Asked again, the client gets a new link, and the one before no longer works.
  on conflict (survey_id, engagement_id) do update
    set token_hash = excluded.token_hash, sent_at = now(),
      expires_at = now() + interval '90 days'
    where not survey_invitations.answered;
  return case when found then 'sent' else 'answered' end;
end
$function$;

CREATE OR REPLACE FUNCTION private.session_clock (
  p_engagement public.engagements,
  OUT          due_what text,
  OUT          due_at timestamp with time zone
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_rules private.coaching_rules;
  v_ended timestamptz;
  v_begun boolean;
  v_last timestamptz;
begin
  select * into strict v_rules from private.coaching_rules r;
  select min(s.starts_at + make_interval(mins => s.minutes)) into v_ended
  from public.coaching_sessions s
  where s.engagement_id = p_engagement.id and s.coach_id = p_engagement.coach_id
    and s.state = 'scheduled' and s.starts_at + make_interval(mins => s.minutes) <= now();
  if v_ended is not null then
    due_what := 'write_up';
    due_at := private.business_day_end(v_ended, v_rules.write_up_days);
    return;
  end if;

  select n.what, n.at into due_what, due_at
  from (
    select 'session' as what, s.starts_at as at from public.coaching_sessions s
    where s.engagement_id = p_engagement.id and s.coach_id = p_engagement.coach_id
      and s.state = 'scheduled'
    union all
    select 'pick', (select min(t) from unnest(o.times) t) from public.session_offers o
    where o.engagement_id = p_engagement.id and o.coach_id = p_engagement.coach_id
      and o.state = 'open'
  ) n
  order by n.at, n.what limit 1;
  if found then
    return;
  end if;

  v_begun := p_engagement.state = 'active' or exists (
    select from public.contact_attempts c
    where c.engagement_id = p_engagement.id and c.at >= p_engagement.accepted_at
  ) or exists (
    select from public.session_offers o
    where o.engagement_id = p_engagement.id and o.created_at >= p_engagement.accepted_at
  ) or exists (
    select from public.coaching_sessions s
    where s.engagement_id = p_engagement.id and s.created_at >= p_engagement.accepted_at
  );
  if not v_begun then
    due_what := 'contact';
    due_at := private.business_day_end(coalesce(p_engagement.accepted_at, p_engagement.state_since), v_rules.contact_days);
    return;
  end if;
  select greatest(p_engagement.state_since, p_engagement.assigned_at, (
    select max(s.starts_at + make_interval(mins => s.minutes)) from public.coaching_sessions s
    where s.engagement_id = p_engagement.id and s.state in ('completed', 'no_show')
  ), (
    select max(c.at) from public.contact_attempts c where c.engagement_id = p_engagement.id
  )) into v_last;
  due_what := 'plan';
  due_at := private.stale_after(v_last);
end
$function$;

CREATE OR REPLACE FUNCTION private.session_json (
  p_session public.coaching_sessions
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_session.id, 'state', p_session.state, 'starts_at', p_session.starts_at,
    'time_zone', p_session.time_zone, 'minutes', p_session.minutes, 'kind', p_session.kind,
    'place', p_session.place, 'topics', p_session.topics, 'summary', p_session.summary,
    'cancel_reason', p_session.cancel_reason, 'uses_one', p_session.uses_one,
    'revision', p_session.revision, 'closed_at', p_session.closed_at,
    'rated', exists (select from public.session_feedback f where f.session_id = p_session.id)
  )
$function$;

CREATE OR REPLACE FUNCTION private.session_state_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('id', s.id, 'state', s.state)
  from public.coaching_sessions s where s.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.sessions_in_calendar (
  p_user_id uuid
)
  RETURNS TABLE (
    uid         text,
    sequence    integer,
    starts_at   timestamp with time zone,
    minutes     integer,
    title       text,
    place       text,
    description text,
    canceled    boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.sessions_today (
  p_coach_id uuid,
  p_until    timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'engagement_id', s.engagement_id,
    'business', jsonb_build_object('id', b.id, 'name', b.name),
    'owner_name', private.name_of(e.owner_id), 'starts_at', s.starts_at, 'time_zone', s.time_zone,
    'minutes', s.minutes, 'kind', s.kind, 'place', s.place
  ) order by s.starts_at, s.id), '[]')
  from (
    select * from public.coaching_sessions x
    where x.coach_id = p_coach_id and x.state = 'scheduled' and x.starts_at < p_until
      and x.starts_at > p_until - interval '50 hours'
    order by x.starts_at, x.id limit 50
  ) s
  join public.engagements e on e.id = s.engagement_id and e.coach_id = p_coach_id
  join public.businesses b on b.id = e.business_id
  where s.starts_at >= private.day_start(p_coach_id)
$function$;

CREATE OR REPLACE FUNCTION private.set_clock (
  p_engagement_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.engagements e set due_what = c.due_what, due_at = c.due_at
  from public.engagements own cross join lateral private.clock_of(own) c
  where own.id = p_engagement_id and e.id = own.id
    and (e.due_what, e.due_at) is distinct from (c.due_what, c.due_at);
end
$function$;

CREATE OR REPLACE FUNCTION private.shared_languages (
  p_mine   text[],
  p_theirs text[]
)
  RETURNS text[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- "es" speaks with "es-MX".
  select array(
    select m.language
    from unnest(p_mine) with ordinality as m (language, place)
    where split_part(m.language, '-', 1) in (select split_part(t, '-', 1) from unnest(p_theirs) t)
    order by m.place
  )
$function$;

CREATE OR REPLACE FUNCTION private.skill_areas_json()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'key', k.key, 'name', k.name, 'short_name', k.short_name, 'position', k.position
  ) order by k.position), '[]')
  from public.skill_areas k
$function$;

CREATE OR REPLACE FUNCTION private.stale_after (
  p_at timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select (p_at at time zone r.time_zone + make_interval(days => r.stale_days)) at time zone r.time_zone
  from private.coaching_rules r
$function$;

CREATE OR REPLACE FUNCTION private.start_coaching (
  p_engagement_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_engagement.state <> 'active' then
    perform private.begin_step(v_engagement, 'active', 'system');
    update public.engagements e set state = 'active' where e.id = p_engagement_id;
    perform private.end_step();
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.step_key (
  p_engagement_id uuid
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return 'step:' || p_engagement_id || ':' || (
    select max(ev.id) from public.engagement_events ev where ev.engagement_id = p_engagement_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.store_actions (
  p_engagement public.engagements,
  p_session_id uuid,
  p_actions    jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.store_figures (
  p_engagement public.engagements,
  p_figures    jsonb,
  p_taken_on   date
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.store_session (
  p_id         uuid,
  p_engagement public.engagements,
  p_session    jsonb
)
  RETURNS public.coaching_sessions
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.talking_coach (
  p_engagement_id uuid
)
  RETURNS uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
    -- The owner may still reply, which opens it again.
    when e.state <> 'unreachable' then private.coach_of(e.id)
    when private.reopen_blocker(e) is null then e.coach_id
  end
  from public.engagements e where e.id = p_engagement_id
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_session (
  p_session    public.coaching_sessions,
  p_engagement public.engagements
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_step (
  p_engagement_id uuid,
  p_user_id       uuid,
  p_title         text,
  p_body          text,
  p_path          text,
  p_button        text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.notify(
    p_user_id, 'coaching', private.step_key(p_engagement_id), p_title, p_body, p_path, p_button
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.tool_link (
  p_slug text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes)
  from public.toolbox_items i where i.slug = p_slug and i.state = 'published'
$function$;

CREATE OR REPLACE FUNCTION private.topics_json (
  p_user_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'business_id', m.business_id,
    'areas', coalesce((
      select jsonb_agg(r.area_key order by r.position)
      from (
        select t.id from public.attempts t
        where t.user_id = p_user_id and t.business_id = m.business_id and t.state = 'submitted'
        order by t.kind = 'full' desc, t.submitted_at desc, t.id limit 1
      ) a
      join public.recommendations r on r.attempt_id = a.id
    ), '[]')
  ) order by m.business_id), '[]')
  from (
    select x.business_id from public.business_members x
    where x.user_id = p_user_id order by x.joined_at, x.business_id limit 50
  ) m
$function$;

CREATE OR REPLACE FUNCTION private.tried_enough (
  p_engagement public.engagements
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return (
    with since as (
      select greatest(p_engagement.accepted_at, max(c.at) filter (where c.reached)) as at
      from public.contact_attempts c
      where c.engagement_id = p_engagement.id and c.coach_id = p_engagement.coach_id
    )
    select count(*) >= 3 and max(c.at) - min(c.at) >= interval '10 days'
    from since s
    join public.contact_attempts c on c.at >= s.at and not c.reached
    where c.engagement_id = p_engagement.id and c.coach_id = p_engagement.coach_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.waiting_count (
  p_coach_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::int from public.engagements e
  where e.coach_id = p_coach_id and e.closed_at is null and e.state = 'assigned'
$function$;

CREATE OR REPLACE FUNCTION private.was_coach (
  p_coach_id      uuid,
  p_engagement_id uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.engagement_events ev
    where ev.engagement_id = p_engagement_id
      and ev.details ->> 'from_coach_id' = p_coach_id::text
  )
$function$;

CREATE OR REPLACE FUNCTION private.when_words (
  p_at      timestamp with time zone,
  p_user_id uuid
)
  RETURNS text
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.day_words(p_at, p_user_id) || ' at ' || private.time_words(p_at, p_user_id)
$function$;

CREATE OR REPLACE FUNCTION private.why_closed (
  p_conversation public.conversations,
  p_user_id      uuid
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_other uuid;
begin
  case p_conversation.kind
    when 'direct' then
      select p.user_id into v_other from public.conversation_participants p
      where p.conversation_id = p_conversation.id and p.user_id <> p_user_id;
      return case
        when v_other is null then 'They’ve deleted their account.'
        when exists (
          select from public.blocks b where b.user_id = p_user_id and b.blocked_id = v_other
        ) then 'You’ve blocked this person.'
        -- Why is between the other and themselves.
        when exists (
          select from public.blocks b where b.user_id = v_other and b.blocked_id = p_user_id
        ) then 'You can’t write here.'
        when not private.work_together(p_user_id, v_other) then 'You no longer work together.'
      end;
    when 'engagement' then
      return (
        select case
          when e.closed_at is not null
            and (e.state <> 'unreachable' or private.talking_coach(e.id) is null)
            then 'This coaching has ended.'
          when private.talking_coach(e.id) is null then 'You can write here once you have a coach.'
        end
        from public.engagements e where e.id = p_conversation.engagement_id
      );
    when 'project' then
      return (
        select case
          when b.archived_at is not null then 'This business is archived.'
          when not exists (
            select from public.conversation_participants p
            where p.conversation_id = p_conversation.id and p.left_at is null
              and p.user_id <> p_user_id
          ) then 'Nobody else is working on this project.'
        end
        from public.projects j join public.businesses b on b.id = j.business_id
        where j.id = p_conversation.project_id
      );
    else
      return case when p_conversation.about_user_id is null
        then 'They’ve deleted their account.' end;
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.why_no_room (
  p_coach_id uuid
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_profile public.coach_profiles;
begin
  select * into v_profile from public.coach_profiles c where c.user_id = p_coach_id;
  return case
    when private.account_state(p_coach_id) in ('blocked', 'leaving') or not v_profile.accepting
      or v_profile.paused_until >= private.coaching_day()
      then 'This coach isn’t taking new clients. Choose someone else.'
    when private.away_until(p_coach_id) is not null
      then 'This coach is away right now. Choose someone else.'
    when private.client_count(p_coach_id) >= v_profile.capacity then format(
      'This coach already has as many clients as they take (%s). Choose someone else.',
      v_profile.capacity
    )
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.without_coach_today()
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select e.id from public.engagements e
  where e.closed_at is null and e.coach_id = any (array(
    select c.user_id from public.coach_profiles c where c.paused_until >= private.coaching_day()
    union
    select o.user_id from public.coach_time_off o
    where private.coaching_day() between o.starts_on and o.ends_on
    union
    -- Of the coaches, who are few; nothing finds the blocked ones among all accounts.
    select r.user_id from public.staff_roles r join auth.users u on u.id = r.user_id
    where r.role = 'coach' and u.banned_until > now()
    union
    select h.from_coach_id from public.handovers h
    where h.handed_at is null and private.is_leaving(h.from_coach_id)
  ))
$function$;

CREATE OR REPLACE FUNCTION public.accept_client (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_names record;
begin
  if v_engagement.state <> 'accepted' then
    if v_engagement.state = 'unreachable' then
      raise exception 'This coaching opens again when the owner gets back to you.' using errcode = '55000';
    end if;
    perform private.begin_step(v_engagement, 'accepted', 'coach');
    update public.engagements e set state = 'accepted'
    where e.id = p_engagement_id returning * into v_engagement;
    perform private.end_step();
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      p_engagement_id, v_engagement.owner_id, v_names.coach || ' is your coach',
      v_names.coach || ' said yes to ' || v_names.business || ' and will get in touch by '
        || private.day_words(v_engagement.due_at, v_engagement.owner_id) || '.',
      '/dashboard/coaching', 'Your coaching'
    );
  end if;
  return private.engagement_json(v_engagement);
end
$function$;

REVOKE ALL ON FUNCTION "public"."accept_client"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.add_coaching_action (
  p_id            uuid,
  p_engagement_id uuid,
  p_body          text,
  p_doer          text,
  p_due_on        date,
  p_area_key      text DEFAULT NULL::text,
  p_tool_slug     text DEFAULT NULL::text,
  p_focus_area_id uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

REVOKE ALL ON FUNCTION "public"."add_coaching_action"(uuid, uuid, text, text, date, text, text, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.add_snapshot (
  p_id            uuid,
  p_business_id   uuid,
  p_taken_on      date,
  p_full_time     integer DEFAULT NULL::integer,
  p_part_time     integer DEFAULT NULL::integer,
  p_revenue_minor bigint  DEFAULT NULL::bigint,
  p_profit_minor  bigint  DEFAULT NULL::bigint,
  p_currency      text    DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  perform private.put_snapshot(
    v_user_id, p_id, p_business_id, p_taken_on, p_full_time, p_part_time, p_revenue_minor,
    p_profit_minor, p_currency
  );
  return jsonb_build_object('id', p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.add_time_off (
  p_id        uuid,
  p_starts_on date,
  p_ends_on   date,
  p_note      text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_coach();
begin
  if p_id is null then
    raise exception 'Time off needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_starts_on is null then
    raise exception 'Choose the first day.' using errcode = '22023', hint = 'starts_on';
  end if;
  if p_ends_on is null or p_ends_on < p_starts_on or p_ends_on > p_starts_on + 366
    or p_ends_on < private.coaching_day()
  then
    raise exception 'Choose a last day that’s still to come, within a year of the first.'
      using errcode = '22023', hint = 'ends_on';
  end if;
  insert into public.coach_time_off (id, user_id, starts_on, ends_on, note)
  values (p_id, v_user_id, p_starts_on, p_ends_on, private.clean_text(p_note, 200, 'note'))
  on conflict (id) do nothing;
  if not exists (select from public.coach_time_off o where o.id = p_id and o.user_id = v_user_id) then
    raise exception 'This time off already exists.' using errcode = '23505', hint = 'id';
  end if;
  return public.get_my_coaching();
end
$function$;

REVOKE ALL ON FUNCTION "public"."add_time_off"(uuid, date, date, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_coaching_board()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('coaching_board.read', 'engagement', null);
  return jsonb_build_object(
    'funnel', private.coaching_funnel(),
    'coaches', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'user_id', s.user_id, 'name', s.name, 'capacity', c.capacity,
        'accepting', coalesce(c.accepting, true),
        'paused_until', case when c.paused_until >= private.coaching_day() then c.paused_until end,
        'away_until', private.away_until(s.user_id),
        'leaving', private.is_leaving(s.user_id),
        'clients', private.client_count(s.user_id),
        'waiting', private.waiting_count(s.user_id)
      ) order by s.name collate private.by_name, s.user_id), '[]')
      from (
        select r.user_id, private.name_of(r.user_id) as name
        from public.staff_roles r where r.role = 'coach' order by 2, 1 limit 200
      ) s
      left join public.coach_profiles c on c.user_id = s.user_id
    ),
    'attention', jsonb_build_object(
      'away', (select count(*) from private.without_coach_today()),
      'change', (
        select count(*) from public.engagements e
        where e.closed_at is null and e.change_requested_at is not null
      )
    )
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_coaching_board"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_contact (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  if not exists (select from public.contacts c where c.id = p_id) then
    return null;
  end if;
  perform private.audit('contact.read', 'contact', p_id::text);
  return (
    select jsonb_build_object(
      'id', c.id, 'name', c.name, 'email', c.email, 'other_emails', c.other_emails,
      'phone', c.phone, 'business', c.business, 'user_id', c.user_id,
      'account_state', private.account_state(c.user_id),
      'consent', c.newsletter, 'consented_at', c.consented_at, 'left_at', c.left_at,
      'consent_wording', case when c.newsletter <> 'none' then c.consent_wording end,
      'imported_at', c.imported_at, 'created_at', c.created_at, 'active_at', c.last_active_at,
      'businesses', (
        select coalesce(jsonb_agg(
          jsonb_build_object('id', b.id, 'name', b.name, 'role', b.role) order by b.name, b.id
        ), '[]')
        from (
          select b.id, b.name, m.role
          from public.business_members m join public.businesses b on b.id = m.business_id
          where m.user_id = c.user_id
          union all
          select b.id, b.name, 'invited'
          from public.business_invitations i join public.businesses b on b.id = i.business_id
          where i.address = c.email and i.ended is null and i.role = 'owner'
          order by 2, 1 limit 50
        ) b
      ),
      'messages', (
        select coalesce(jsonb_agg(
          private.contact_message_json(m.id) order by m.created_at desc, m.id
        ), '[]')
        from (
          select m.id, m.created_at from public.contact_messages m where m.contact_id = c.id
          order by m.created_at desc, m.id limit 100
        ) m
      ),
      'twins', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', t.id, 'name', t.name, 'email', t.email, 'registered', t.user_id is not null,
          'same', t.same
        ) order by t.email), '[]')
        from (
          select t.id, t.name, t.email, t.user_id, min(split_part(k.key, ':', 1)) as same
          from private.contact_keys k
          join private.contact_keys o on o.key = k.key and o.contact_id <> k.contact_id
          join public.contacts t on t.id = o.contact_id
          where k.contact_id = c.id
          group by t.id order by t.email limit 20
        ) t
      )
    )
    from public.contacts c where c.id = p_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_contact_merge (
  p_keep uuid,
  p_drop uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_keep public.contacts;
  v_drop public.contacts;
begin
  perform private.require_admin();
  select * into v_keep from public.contacts c where c.id = p_keep;
  select * into v_drop from public.contacts c where c.id = p_drop;
  if v_keep.id is null or v_drop.id is null then
    return null;
  end if;
  perform private.audit(
    'contact.preview_merge', 'contact', p_keep::text, null, jsonb_build_object('other', p_drop)
  );
  return private.contact_merge(v_keep, v_drop);
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_engagement (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
begin
  perform private.require_admin();
  select * into v_engagement from public.engagements e where e.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit('engagement.read', 'engagement', p_id::text);
  return private.engagement_work(p_id) || jsonb_build_object(
    'engagement', private.engagement_facts(v_engagement),
    'timeline', private.coaching_timeline(p_id),
    'contacts', private.contacts_json(p_id),
    'handovers', (
      select coalesce(jsonb_agg(private.handover_json(h) order by h.created_at desc, h.id), '[]')
      from public.handovers h where h.engagement_id = p_id
    ),
    'events', private.engagement_history(p_id),
    'matches', case when v_engagement.closed_at is null
      then private.coach_matches(v_engagement) else '[]' end,
    'packet', private.handover_packet(p_id),
    'skill_areas', (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
      from public.skill_areas a
    )
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_engagement"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_engagements (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_by_request constant boolean := coalesce(p_filter ->> 'sort' = 'requested', false);
begin
  perform private.require_admin();
  perform private.audit('engagement.list', 'engagement', null, null, p_filter);
  return private.list_page(
    '(select e.*, n.words from public.engagements e left join private.engagement_names n on n.id = e.id) r',
    $row$
      jsonb_build_object(
        'business', (
          select jsonb_build_object('id', b.id, 'name', b.name)
          from public.businesses b where b.id = r.business_id
        ),
        'owner', case when r.owner_id is not null then
          jsonb_build_object('id', r.owner_id, 'name', private.name_of(r.owner_id)) end,
        'coach', case when r.coach_id is not null then jsonb_build_object(
          'id', r.coach_id, 'name', private.name_of(r.coach_id),
          'away', case when r.closed_at is null then private.coach_away(r.coach_id) end
        ) end,
        'state', r.state, 'areas', r.areas, 'requested_at', r.requested_at,
        'due_what', r.due_what, 'due_at', r.due_at,
        'late', coalesce(r.due_at < now() and r.due_what <> 'session', false),
        'change_requested', r.change_requested_at is not null,
        'sessions', (
          select count(*) from public.coaching_sessions s
          where s.engagement_id = r.id and s.state = 'completed'
        )
      )
    $row$,
    array[
      case coalesce(p_filter ->> 'state', 'open')
        when 'all' then null
        when 'open' then 'r.closed_at is null'
        else $where$r.state = $1 ->> 'state'$where$
      end,
      case when p_filter ->> 'late' = '1' then
        $where$r.closed_at is null and r.due_at < now() and r.due_what <> 'session'$where$
      end,
      case p_filter ->> 'show'
        when 'away' then 'r.id = any (array(select private.without_coach_today()))'
        when 'change' then $where$r.closed_at is null and r.change_requested_at is not null$where$
      end,
      case when p_filter ? 'coach' then $where$r.coach_id = ($1 ->> 'coach')::uuid$where$ end,
      case when p_filter ? 'area' then $where$r.areas @> array[$1 ->> 'area']$where$ end
    ],
    case when v_by_request then 'r.requested_at'
      else $key$coalesce(r.due_at, 'infinity'::timestamptz)$key$ end,
    'timestamptz', v_by_request, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'area', (
      select jsonb_agg(jsonb_build_object('value', a.key, 'label', a.name) order by a.position)
      from public.skill_areas a
    ),
    'coach', private.coach_choices()
  ) end);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_engagements"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_projects (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_sort constant text := coalesce(p_filter ->> 'sort', 'newest');
begin
  perform private.require_admin();
  perform private.audit(
    'project.list', 'project', null, null,
    p_filter || case when p_filter ? 'business'
      then jsonb_build_object('business_id', p_filter ->> 'business') else '{}' end
  );
  return private.list_page(
    $from$
      (
        select p.*, w.words as all_words
        from public.projects p left join private.project_words w on w.project_id = p.id
      ) p
      cross join lateral (
        select p.id, p.title, p.status, p.due_on, p.created_at, p.updated_at, p.business_id,
          p.task_count, p.done_count, p.all_words as words
      ) r
    $from$,
    $row$
      (
        select jsonb_build_object(
          'title', r.title, 'status', r.status, 'due_on', r.due_on, 'created_at', r.created_at,
          'updated_at', r.updated_at, 'task_count', r.task_count, 'done_count', r.done_count,
          'business', jsonb_build_object(
            'id', b.id, 'name', b.name, 'archived', b.archived_at is not null
          ),
          'coach', (
            select private.name_of(e.coach_id) from public.engagements e
            where e.business_id = b.id and e.closed_at is null and e.coach_id is not null
            order by e.requested_at desc limit 1
          )
        )
        from public.businesses b where b.id = r.business_id
      )
    $row$,
    array[
      case p_filter ->> 'status'
        when 'all' then null
        when 'late' then 'r.status not in (''done'', ''canceled'') and coalesce(r.due_on, ''infinity''::date) < current_date'
        else case when p_filter ? 'status' and p_filter ->> 'status' <> 'open'
          then 'r.status = $1 ->> ''status''' else 'r.status not in (''done'', ''canceled'')' end
      end,
      case when p_filter ? 'business' then 'r.business_id = ($1 ->> ''business'')::uuid' end,
      -- As constants: only then does the planner know how many there are.
      case when p_filter ? 'coach' then format('r.business_id = any (%L::uuid[])', array(
        select e.business_id from public.engagements e
        where e.coach_id = private.uuid_of(p_filter ->> 'coach') and e.closed_at is null
      )) end
    ],
    case v_sort
      when 'due' then 'coalesce(r.due_on, ''infinity''::date)'
      when 'title' then 'r.title collate private.by_name'
      else 'r.created_at' end,
    case v_sort when 'due' then 'date' when 'title' then 'text' else 'timestamptz' end,
    v_sort not in ('due', 'title'),
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'coach', private.coach_choices(),
    -- The name of the one that was chosen.
    'business', (
      select coalesce(jsonb_agg(jsonb_build_object('value', b.id, 'label', b.name)), '[]')
      from public.businesses b where b.id::text = p_filter ->> 'business'
    )
  ) end);
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_read_session_note (
  p_session_id uuid,
  p_reason     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_engagement_id uuid;
  v_note public.session_notes;
begin
  select s.engagement_id into v_engagement_id
  from public.coaching_sessions s where s.id = p_session_id;
  if not found then
    raise exception 'We can’t find this session.' using errcode = 'P0002', hint = 'session_id';
  end if;
  select * into v_note from public.session_notes n where n.session_id = p_session_id;
  perform private.audit(
    'session_note.read', 'session', p_session_id::text, v_reason,
    jsonb_build_object('engagement_id', v_engagement_id, 'author_id', v_note.author_id)
  );
  return jsonb_build_object(
    'session_id', p_session_id, 'body', v_note.body, 'author_name', private.name_of(v_note.author_id),
    'updated_at', v_note.updated_at
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_read_session_note"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.answer_contact_message (
  p_id     uuid,
  p_answer text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_answer text := btrim(coalesce(p_answer, ''), e' \t\r\n');
  v_message public.contact_messages;
begin
  select * into v_message from public.contact_messages m where m.id = p_id for update;
  if not found then
    raise exception 'We can’t find this message.' using errcode = 'P0002', hint = 'id';
  end if;
  if char_length(v_answer) not between 1 and 5000 then
    raise exception 'Write an answer of 1 to 5,000 characters.'
      using errcode = '22023', hint = 'answer';
  end if;
  if v_message.outcome = 'replied' then
    -- Sent twice, it goes out once.
    if v_message.answer = v_answer and v_message.answered_by = v_admin_id then
      return private.contact_message_json(p_id);
    end if;
    raise exception '% has answered this message already. Reload the page to read the answer.',
      coalesce(private.name_of(v_message.answered_by), 'Another admin') using errcode = '55000';
  end if;
  perform private.count_writes('contact_answers');
  update public.contact_messages m
  set outcome = 'replied', answer = v_answer, answered_at = now(), answered_by = v_admin_id
  where m.id = p_id;
  perform private.send_mail(coalesce(v_message.from_email, c.email), 'contact-answer', jsonb_build_object(
    'name', c.name, 'answer', v_answer, 'asked', v_message.body
  ))
  from public.contacts c where c.id = v_message.contact_id;
  perform private.audit(
    'contact.answer', 'contact', v_message.contact_id::text, null,
    jsonb_build_object('message_id', p_id)
  );
  return private.contact_message_json(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.ask_for_other_coach (
  p_engagement_id uuid,
  p_reason        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
  v_reason text := private.require_reason(p_reason);
begin
  if v_engagement.coach_id is null or v_engagement.closed_at is not null then
    raise exception 'You don’t have a coach for this business.' using errcode = '55000';
  end if;
  if v_engagement.change_requested_at is null then
    update public.engagements e set change_requested_at = now()
    where e.id = p_engagement_id returning * into v_engagement;
    insert into public.engagement_events (engagement_id, actor_id, kind, from_state, to_state, note)
    values (
      p_engagement_id, auth.uid(), 'change_requested', v_engagement.state, v_engagement.state, v_reason
    );
    perform private.notify_admins(
      'coaching', private.step_key(p_engagement_id),
      (private.coaching_names(v_engagement)).business || ' asks for another coach',
      'The reason is on the page of this coaching. Their coach doesn’t know.',
      '/admin/coaching/' || p_engagement_id, 'Open the coaching'
    );
  end if;
  return private.engagement_json(v_engagement);
end
$function$;

REVOKE ALL ON FUNCTION "public"."ask_for_other_coach"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.assign_coach (
  p_engagement_id uuid,
  p_coach_id      uuid,
  p_reason        text,
  p_handover      text DEFAULT NULL::text,
  p_message       text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_handover text := private.clean_text(p_handover, 4000, 'handover');
  v_message text := private.clean_text(p_message, 400, 'message');
  v_before public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_before.closed_at is not null then
    raise exception 'This coaching has ended.' using errcode = '55000';
  end if;
  if v_before.coach_id is distinct from p_coach_id or p_coach_id is null then
    if v_handover is not null then
      perform private.leave_handover(p_engagement_id, v_before.coach_id, v_handover);
    end if;
    if v_before.state = 'requested' then
      perform private.ask_coach(v_before, p_coach_id, 'admin', v_reason);
      perform private.notify(
        v_before.owner_id, 'coaching', private.step_key(p_engagement_id),
        coalesce(private.name_of(p_coach_id), 'A coach') || ' has your request',
        coalesce(v_message, 'We asked them because we think they’re right for you. They’ll say yes or no soon.'),
        '/dashboard/coaching', 'Your coaching'
      );
    else
      perform private.reassign(v_before, p_coach_id, v_reason, v_message);
    end if;
    perform private.audit(
      'engagement.assign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_before.coach_id, 'after', p_coach_id)
    );
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."assign_coach"(uuid, uuid, text, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.cancel_session (
  p_id     uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_id, '{owner,coach}');
  v_reason text := private.clean_text(p_reason, 500, 'reason');
  v_engagement public.engagements;
  v_is_owner boolean;
begin
  select * into v_engagement from public.engagements e where e.id = v_session.engagement_id;
  v_is_owner := v_engagement.owner_id = v_user_id;
  if v_session.state = 'canceled' then
    return private.session_state_json(p_id);
  end if;
  if v_session.state <> 'scheduled' then
    raise exception 'This session is over.' using errcode = '55000';
  end if;
  if v_is_owner and v_session.starts_at <= now() then
    raise exception 'This session has already started. Write to your coach instead.'
      using errcode = '55000';
  end if;
  update public.coaching_sessions s set
    state = 'canceled', cancel_reason = v_reason, revision = s.revision + 1
  where s.id = p_id;
  perform private.notify(
    t.user_id, 'session', 'session:' || p_id || ':canceled',
    'The session on ' || private.when_words(v_session.starts_at, t.user_id) || ' is canceled',
    coalesce(private.name_of(v_user_id), case when v_is_owner then 'Your client' else 'Your coach' end)
      || ' canceled it.' || coalesce(E'\n' || v_reason, ''),
    case when v_is_owner then '/dashboard/coaching/' || v_engagement.id else '/dashboard/coaching' end,
    case when v_is_owner then 'Open the client' else 'Your coaching' end
  )
  from (
    select case when v_is_owner then v_engagement.coach_id else v_engagement.owner_id end as user_id
  ) t;
  return private.session_state_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."cancel_session"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.change_summary (
  p_session_id uuid,
  p_summary    text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_session_id, '{coach}');
begin
  if v_session.state not in ('completed', 'no_show') then
    raise exception 'Close the session first.' using errcode = '55000';
  end if;
  if not private.can_change_summary(v_session) then
    raise exception 'You can change a summary for 30 days.' using errcode = '55000';
  end if;
  update public.coaching_sessions s set summary = private.clean_text(p_summary, 1000, 'summary')
  where s.id = p_session_id;
  return private.session_state_json(p_session_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."change_summary"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.choose_coach (
  p_engagement_id uuid,
  p_coach_id      uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
begin
  if v_engagement.state <> 'assigned' or v_engagement.coach_id is distinct from p_coach_id then
    if v_engagement.coach_id is not null and v_engagement.closed_at is null then
      raise exception 'You already have a coach. You can ask for another one.' using errcode = '55000';
    end if;
    perform private.ask_coach(v_engagement, p_coach_id, 'owner', null);
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."choose_coach"(uuid, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.client_counts()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.client_counts(private.require_session())
$function$;

REVOKE ALL ON FUNCTION "public"."client_counts"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.close_engagement (
  p_engagement_id uuid,
  p_reason        text,
  p_summary       text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_summary text := private.clean_text(p_summary, 2000, 'summary');
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_engagement.state <> 'completed' then
    v_engagement := private.complete(v_engagement, 'admin', v_reason, v_summary);
    perform private.audit('engagement.close', 'engagement', p_engagement_id::text, v_reason);
  end if;
  return private.engagement_json(v_engagement);
end
$function$;

REVOKE ALL ON FUNCTION "public"."close_engagement"(uuid, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.close_session (
  p_id            uuid,
  p_engagement_id uuid,
  p_session       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
  v_session public.coaching_sessions;
  v_next record;
begin
  if jsonb_typeof(p_session) is distinct from 'object' then
    raise exception 'Say how the session went.' using errcode = '22023', hint = '';
  end if;
  -- Before the engagement, in the order in which everyone takes them.
  perform private.one_at_a_time('business', e.business_id)
  from public.engagements e
  where e.id = p_engagement_id and jsonb_typeof(p_session -> 'figures') = 'object';
  v_engagement := private.hold_engagement(p_engagement_id, '{coach}');
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
  -- One that was planned can still be written up after the coaching.
  if v_session.id is null or v_engagement.state <> 'completed' then
    perform private.require_under_way(v_engagement);
  end if;
  v_session := private.store_session(p_id, v_engagement, p_session);
  perform private.keep_note(p_id, v_user_id, p_session ->> 'note');
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
$function$;

REVOKE ALL ON FUNCTION "public"."close_session"(uuid, uuid, jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.coach_today()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_until timestamptz := private.day_start(v_user_id, 2);
begin
  if not private.is_coach() then
    return null;
  end if;
  return jsonb_build_object(
    'due', (
      select coalesce(jsonb_agg(
        private.client_row(d.id) || jsonb_build_object('key', d.due_at) order by d.due_at, d.id
      ), '[]')
      from (
        select e.id, e.at as due_at from private.engagement_names e
        where e.coach_id = v_user_id and e.at < v_until
          and e.state in ('assigned', 'accepted', 'active', 'paused')
        order by e.at, e.id limit 20
      ) d
    ),
    'sessions', private.sessions_today(v_user_id, v_until),
    'offers_waiting', (
      select count(*) from (
        select from public.session_offers o
        where o.coach_id = v_user_id and o.state = 'open' limit 100
      ) n
    ),
    'counts', private.client_counts(v_user_id),
    'unread', private.unread_json(v_user_id),
    'calendar_since', private.calendar_since(v_user_id)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."coach_today"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.complete_coaching (
  p_engagement_id uuid,
  p_summary       text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_summary text;
  v_engagement public.engagements;
begin
  v_engagement := case
    when private.is_admin() then private.any_engagement(p_engagement_id)
    else private.hold_engagement(p_engagement_id, '{coach}')
  end;
  if v_engagement.state <> 'completed' then
    v_summary := private.clean_text(
      p_summary, 2000, 'summary', 'Write a few sentences about what came of it.'
    );
    v_engagement := private.complete(
      v_engagement, case when private.is_admin() then 'admin' else 'coach' end, null, v_summary
    );
  end if;
  if private.is_admin() then
    perform private.audit('engagement.complete', 'engagement', p_engagement_id::text);
  end if;
  return private.engagement_json(v_engagement);
end
$function$;

REVOKE ALL ON FUNCTION "public"."complete_coaching"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.decline_client (
  p_engagement_id uuid,
  p_reason        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_reason text;
begin
  -- Sent again after a lost answer: they're no longer the coach, and it is done already.
  if exists (
    select from public.engagements e
    join public.engagement_events ev on ev.engagement_id = e.id and ev.at >= e.state_since
    where e.id = p_engagement_id and e.state = 'requested'
      and ev.actor_id = v_user_id and ev.to_state = 'requested' and ev.details ->> 'why' = 'declined'
  ) then
    return jsonb_build_object('id', p_engagement_id, 'state', 'requested');
  end if;
  v_reason := private.require_reason(p_reason);
  perform private.return_request(
    private.hold_engagement(p_engagement_id, '{coach}'), 'coach', v_reason, 'declined'
  );
  return jsonb_build_object('id', p_engagement_id, 'state', 'requested');
end
$function$;

REVOKE ALL ON FUNCTION "public"."decline_client"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.decline_times (
  p_offer_id uuid,
  p_note     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers := private.hold_offer(p_offer_id, '{owner}');
  v_note text := private.clean_text(p_note, 500, 'note');
begin
  if v_offer.state = 'declined' then
    return private.offer_state_json(p_offer_id);
  end if;
  if v_offer.state = 'picked' then
    raise exception 'You’ve already picked a time. Cancel the session instead.' using errcode = '55000';
  end if;
  if v_offer.state <> 'open' then
    raise exception 'These times aren’t offered anymore.' using errcode = '55000';
  end if;
  update public.session_offers o set state = 'declined', note = v_note
  where o.id = p_offer_id;
  perform private.notify(
    v_offer.coach_id, 'session', 'offer:' || p_offer_id || ':declined',
    'None of the times works for ' || coalesce(private.name_of(v_user_id), 'your client'),
    coalesce(v_note, 'Offer other times, or write to them.'),
    '/dashboard/coaching/' || v_offer.engagement_id, 'Offer other times'
  );
  return private.offer_state_json(p_offer_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."decline_times"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_client (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
begin
  select * into v_engagement from public.engagements e where e.id = p_engagement_id;
  if not private.runs(v_engagement, v_user_id) then
    return null;
  end if;
  return (private.engagement_json(v_engagement) - 'coach')
    || private.engagement_parts_json(v_engagement.id)
    || private.client_work(v_engagement)
    || private.client_records(v_engagement)
    || private.coaching_story(
      v_engagement.id, v_engagement.results_shared and v_engagement.closed_at is null,
      v_engagement.closed_at is null
    )
    || jsonb_build_object(
      'owner', private.client_owner(v_engagement.owner_id),
      'business_name', (
        select b.name from public.businesses b where b.id = v_engagement.business_id
      ),
      'skill_areas', private.skill_areas_json()
    );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_client"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_coaching()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return jsonb_build_object(
    'engagements', (
      select coalesce(jsonb_agg(
        private.engagement_json(e) || private.engagement_parts_json(e.id) || jsonb_build_object(
          'story', case when n.is_newest then private.coaching_story(e.id, true, n.is_member) end
        ) order by e.requested_at desc, e.id
      ), '[]')
      from (
        select x.id, row_number() over (partition by x.business_id order by x.requested_at desc, x.id) = 1
          as is_newest,
          exists (
            select from public.business_members m
            where m.business_id = x.business_id and m.user_id = v_user_id
          ) as is_member
        from public.engagements x where x.owner_id = v_user_id
        order by x.requested_at desc, x.id limit 20
      ) n
      join public.engagements e on e.id = n.id
    ),
    'areas', private.skill_areas_json(),
    'topics', private.topics_json(v_user_id),
    'calendar_since', private.calendar_since(v_user_id)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_coaching"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_my_coaching()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_coach();
begin
  return (
    select private.coach_profile_json(v_user_id) || jsonb_build_object(
      'time_off', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', o.id, 'starts_on', o.starts_on, 'ends_on', o.ends_on, 'note', o.note
        ) order by o.starts_on, o.id), '[]')
        from public.coach_time_off o
        where o.user_id = v_user_id and o.ends_on >= private.coaching_day()
      ),
      'languages', p.languages, 'time_zone', p.time_zone,
      'choices', jsonb_build_object(
        'areas', (
          select coalesce(jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position), '[]')
          from public.skill_areas a
        ),
        'industries', private.coaching_industries()
      )
    )
    from public.profiles p where p.user_id = v_user_id
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_my_coaching"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_reported_conversation (
  p_report_id uuid,
  p_before    bigint DEFAULT NULL::bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_report public.message_reports;
  v_conversation public.conversations;
  v_part public.conversation_participants;
  v_seq bigint;
  v_to bigint;
begin
  perform private.require_admin();
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'We can’t find this report.' using errcode = 'P0002';
  end if;
  perform private.audit(
    'message_report.read', 'message_report', p_report_id::text, null,
    jsonb_build_object('conversation_id', v_report.conversation_id)
  );
  select * into v_conversation from public.conversations c where c.id = v_report.conversation_id;
  -- What its reporter could show of it: not what was said before they came.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = v_report.conversation_id and p.user_id = v_report.reporter_id;
  select m.seq into v_seq from public.messages m where m.id = v_report.message_id;
  v_part.conversation_id := v_report.conversation_id;
  v_part.from_seq := coalesce(v_part.from_seq, v_seq);
  -- Nor what was said after they left, or after the report was settled.
  v_to := least(coalesce(p_before - 1, v_seq + 20), (
    select max(m.seq) from public.messages m
    where m.conversation_id = v_report.conversation_id
      and (m.sent_at <= least(v_part.left_at, v_report.settled_at)) is not false
  ));
  return jsonb_build_object(
    'report', private.report_json(v_report) || jsonb_build_object('said', v_report.said),
    'people', coalesce((
      select jsonb_agg(
        private.person_json(p.user_id) || jsonb_build_object('left', p.left_at is not null)
        order by p.joined_at, p.user_id
      )
      from public.conversation_participants p where p.conversation_id = v_conversation.id
    ), '[]'),
    'messages', private.messages_json(v_part, v_to - 49, v_to),
    'more', v_to - 49 > v_part.from_seq
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_session (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions;
  v_engagement public.engagements;
  v_is_coach boolean;
begin
  select * into v_session from public.coaching_sessions s where s.id = p_id;
  select * into v_engagement from public.engagements e where e.id = v_session.engagement_id;
  v_is_coach := private.runs(v_engagement, v_user_id) and v_session.coach_id = v_user_id;
  if (v_is_coach or v_engagement.owner_id = v_user_id) is not true then
    return null;
  end if;
  return private.session_json(v_session) || jsonb_build_object(
    'engagement_id', v_engagement.id,
    'business', (
      select jsonb_build_object('id', b.id, 'name', b.name)
      from public.businesses b where b.id = v_engagement.business_id
    ),
    'owner_name', private.name_of(v_engagement.owner_id),
    'coach_name', private.name_of(v_session.coach_id),
    'note', case when v_is_coach then (
      select n.body from public.session_notes n
      where n.session_id = p_id and n.author_id = v_user_id
    ) end,
    'can_change_summary', v_is_coach and v_engagement.closed_at is null
      and private.can_change_summary(v_session),
    'actions', (
      select coalesce(jsonb_agg(private.coaching_action_json(a) order by a.created_at, a.id), '[]')
      from public.coaching_actions a where a.session_id = p_id
    ),
    'feedback', case when v_engagement.owner_id = v_user_id then (
      select jsonb_build_object('rating', f.rating, 'comment', f.comment)
      from public.session_feedback f where f.session_id = p_id
    ) end
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_session"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.invite_to_survey (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  case private.send_survey(p_engagement_id)
    when 'no survey' then
      raise exception 'There’s no open survey.' using errcode = '55000';
    when 'nobody' then
      raise exception 'We can’t find this coaching, or there’s nobody to ask.'
        using errcode = 'P0002', hint = 'engagement_id';
    when 'limited' then
      perform private.refuse_for_now(
        'We’ve sent this client a lot of emails today. Try again tomorrow.', interval '1 day'
      );
    when 'answered' then
      raise exception 'This client has already answered.' using errcode = '55000';
    else null;
  end case;
  perform private.audit('survey.invite', 'engagement', p_engagement_id::text);
  return jsonb_build_object('id', (
    select i.id from public.survey_invitations i
    join public.surveys s on s.id = i.survey_id and s.state = 'open'
    where i.engagement_id = p_engagement_id
  ));
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_coach (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
begin
  if v_engagement.change_requested_at is not null then
    update public.engagements e set change_requested_at = null
    where e.id = p_engagement_id returning * into v_engagement;
    insert into public.engagement_events (engagement_id, actor_id, kind, from_state, to_state)
    values (p_engagement_id, auth.uid(), 'change_dropped', v_engagement.state, v_engagement.state);
  end if;
  return private.engagement_json(v_engagement);
end
$function$;

REVOKE ALL ON FUNCTION "public"."keep_coach"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.leave_clients (
  p_handovers jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_coach();
  v_name text := coalesce(private.name_of(v_user_id), 'A coach');
  v_engagement public.engagements;
  v_note text;
  v_count int := 0;
begin
  if p_handovers is null or jsonb_typeof(p_handovers) <> 'array' or jsonb_array_length(p_handovers) > 200 then
    raise exception 'Write a note for each client.' using errcode = '22023', hint = 'handovers';
  end if;
  for v_engagement in
    select * from public.engagements e
    where e.coach_id = v_user_id and e.closed_at is null order by e.id for update
  loop
    v_note := private.clean_text((
      select h ->> 'note' from jsonb_array_elements(p_handovers) h
      where h ->> 'engagement_id' = v_engagement.id::text limit 1
    ), 4000, 'handovers', 'Write a note for each client.');
    perform private.leave_handover(v_engagement.id, v_user_id, v_note);
    v_count := v_count + 1;
  end loop;
  insert into public.coach_profiles as c (user_id, accepting) values (v_user_id, false)
  on conflict (user_id) do update set accepting = false, updated_at = now() where c.accepting;
  if v_count > 0 then
    perform private.notify_admins(
      'coaching', 'leaves:' || v_user_id || ':' || private.coaching_day(), v_name || ' is leaving',
      'They left notes for ' || case v_count when 1 then 'a client, who needs' else v_count || ' clients, who need' end
        || ' another coach.',
      '/admin/coaching?coach=' || v_user_id, 'Open their clients'
    );
  end if;
  return jsonb_build_object('left', v_count);
end
$function$;

REVOKE ALL ON FUNCTION "public"."leave_clients"(jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_clients (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- A board has this many of each state.
  c_column constant int := 12;
  v_user_id uuid := private.require_session();
  v_state text := coalesce(p_filter ->> 'state', 'open');
  v_by_name boolean := coalesce(p_filter ->> 'sort' = 'name', false);
  v_query tsquery := private.name_query(p_filter ->> 'q');
  v_rows jsonb;
begin
  if v_state not in ('open', 'assigned', 'accepted', 'active', 'paused', 'completed', 'unreachable') then
    raise exception 'Clients aren’t listed by this state.' using errcode = '22023', hint = 'state';
  end if;
  if not private.is_coach() then
    return '{"rows": [], "more": false, "count": null}';
  end if;
  if p_filter ->> 'view' is distinct from 'board' or p_limit is not null then
    return private.client_page(v_state, v_by_name, v_query, p_filter, p_place, p_limit);
  end if;
  select coalesce(jsonb_agg(r.row order by s.place, r.place), '[]') into v_rows
  from unnest(array['assigned', 'accepted', 'active', 'paused']) with ordinality as s (state, place)
  cross join lateral jsonb_array_elements(
    private.client_page(s.state, v_by_name, v_query, p_filter, null, c_column) -> 'rows'
  ) with ordinality as r (row, place);
  return jsonb_build_object('rows', v_rows, 'more', false, 'count', null);
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_clients"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_coaches (
  p_engagement_id uuid   DEFAULT NULL::uuid,
  p_business_id   uuid   DEFAULT NULL::uuid,
  p_areas         text[] DEFAULT '{}'::text[]
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_for public.engagements;
  v_areas text[] := coalesce(p_areas, '{}');
begin
  if p_engagement_id is not null then
    select * into v_for from public.engagements e
    where e.id = p_engagement_id and e.owner_id = v_user_id;
    if not found then
      raise exception 'We can’t find this coaching.' using errcode = 'P0002', hint = 'engagement_id';
    end if;
    if cardinality(v_areas) = 0 then
      v_areas := v_for.areas;
    end if;
  else
    perform private.require_member(p_business_id);
    v_for.business_id := p_business_id;
    v_for.owner_id := v_user_id;
  end if;
  return (
    select coalesce(jsonb_agg(
      private.coach_card(b.coach_id) || jsonb_build_object(
        'room', private.coach_room(b.coach_id),
        'fit', private.fit_reasons(b.areas, b.industry, b.languages, b.hours)
      )
      order by b.place
    ), '[]')
    from (
      select * from private.best_coaches(v_for, v_areas) c
      -- Who said no to this request, or was its coach before, isn't offered again.
      where private.has_room(c.coach_id) and not private.was_coach(c.coach_id, v_for.id)
      order by c.place limit 12
    ) b
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_coaches"(uuid, uuid, text[]) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_correspondents (
  p_search text    DEFAULT NULL::text,
  p_limit  integer DEFAULT 30
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_pattern text := private.like_pattern(p_search);
  v_peopled uuid[] := array(
    select m.business_id from public.business_members m
    where m.user_id = v_user_id and exists (
      select from public.business_members o
      where o.business_id = m.business_id and o.user_id <> m.user_id
    )
  );
  v_coached uuid[] := array(
    select e.id from public.engagements e
    where (e.coach_id = v_user_id or e.business_id in (
        select m.business_id from public.business_members m where m.user_id = v_user_id
      ))
      and private.coach_of(e.id) is not null
  );
begin
  return coalesce((
    with people (user_id, words, rank) as (
      select e.coach_id, 'Your coach', 1 from public.engagements e
      where e.owner_id = v_user_id and private.coach_of(e.id) is not null
      union all
      select c.owner_id, 'Client: ' || b.name, 2
      from private.my_clients() c join public.businesses b on b.id = c.business_id
      union all
      select o.user_id, 'Member of ' || b.name, 3
      from public.business_members m
      join public.business_members o on o.business_id = m.business_id and o.user_id <> m.user_id
      join public.businesses b on b.id = m.business_id
      where m.user_id = v_user_id
    ), known as (
      -- Whoever is met in two ways stands once.
      select distinct on (p.user_id) p.user_id, p.words, p.rank, f.full_name, f.avatar_path
      from people p join public.profiles f on f.user_id = p.user_id
      where not exists (
        select from public.blocks b
        where (b.user_id, b.blocked_id) in ((v_user_id, p.user_id), (p.user_id, v_user_id))
      )
      order by p.user_id, p.rank
    ), found as (
      (
        select 1 as part, k.rank::text || lower(k.full_name) as place, 'direct' as kind,
          k.user_id as subject_id, coalesce(nullif(k.full_name, ''), 'No name given') as name,
          k.words, k.avatar_path, private.role_of(k.user_id) as role, c.id as conversation_id
        from known k
        left join public.conversations c on c.direct_pair = private.pair_of(v_user_id, k.user_id)
        where k.full_name ilike v_pattern or k.words ilike v_pattern
        order by 2 limit v_limit
      )
      union all
      (
        select 2, lower(b.name), 'engagement', e.id, 'Coaching: ' || b.name,
          case when e.owner_id = v_user_id then 'With ' else 'Owner: ' end
            || coalesce(private.name_of(case when e.owner_id = v_user_id then e.coach_id else e.owner_id end), 'No name given'),
          null, null, c.id
        from public.engagements e
        join public.businesses b on b.id = e.business_id
        left join public.conversations c on c.engagement_id = e.id
        where v_user_id in (e.owner_id, e.coach_id) and private.talking_coach(e.id) is not null
          and 'Coaching: ' || b.name ilike v_pattern
        order by 2 limit v_limit
      )
      union all
      (
        select 3, lower(j.title), 'project', j.id, j.title, 'Project at ' || b.name, null, null, c.id
        from public.projects j
        join public.businesses b on b.id = j.business_id and b.archived_at is null
        left join public.conversations c on c.project_id = j.id
        -- Somebody else has to be there: another member, or the coach of its engagement.
        where (j.business_id = any (v_peopled) or j.engagement_id = any (v_coached))
          and j.status <> 'canceled'
          and (j.title ilike v_pattern or 'Project at ' || b.name ilike v_pattern)
        order by j.updated_at desc limit v_limit
      )
      union all
      (
        select 4, '', 'support', null, 'Support', 'Our staff', null, 'admin', c.id
        from (select) as one
        left join public.conversations c on c.about_user_id = v_user_id
        where not private.is_admin() and 'Support' ilike v_pattern
      )
    )
    select jsonb_agg(jsonb_build_object(
      'kind', f.kind, 'subject_id', f.subject_id, 'name', f.name, 'words', f.words,
      'avatar_path', f.avatar_path, 'role', f.role, 'conversation_id', f.conversation_id
    ) order by f.part, f.place, f.subject_id)
    from (select * from found order by part, place, subject_id limit v_limit) f
  ), '[]');
end
$function$;

CREATE OR REPLACE FUNCTION public.log_contact (
  p_id            uuid,
  p_engagement_id uuid,
  p_channel       text,
  p_reached       boolean,
  p_note          text                     DEFAULT NULL::text,
  p_at            timestamp with time zone DEFAULT NULL::timestamp WITH time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_at timestamptz := coalesce(p_at, now());
  v_found public.contact_attempts;
begin
  if p_id is null then
    raise exception 'An entry needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_found from public.contact_attempts c where c.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement_id or v_found.coach_id is distinct from v_engagement.coach_id then
      raise exception 'This entry already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.engagement_json(v_engagement);
  end if;
  if v_engagement.state not in ('assigned', 'accepted', 'active', 'paused') then
    raise exception 'This coaching has already ended.' using errcode = '55000';
  end if;
  if p_channel is null or p_channel not in ('message', 'email', 'phone', 'text', 'in_person') then
    raise exception 'Choose how you tried to reach them.' using errcode = '22023', hint = 'channel';
  end if;
  if p_reached is null then
    raise exception 'Say whether you reached them.' using errcode = '22023', hint = 'reached';
  end if;
  if v_at > now() + interval '5 minutes' then
    raise exception 'Choose a time that has passed.' using errcode = '22023', hint = 'at';
  end if;
  if v_at < v_engagement.assigned_at then
    raise exception 'Choose a time since you were asked.' using errcode = '22023', hint = 'at';
  end if;
  insert into public.contact_attempts (id, engagement_id, coach_id, at, channel, reached, note)
  values (
    p_id, p_engagement_id, v_engagement.coach_id, least(v_at, now()), p_channel, p_reached,
    private.clean_text(p_note, 500, 'note')
  );
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."log_contact"(uuid, uuid, text, boolean, text, timestamp WITH time zone) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.make_calendar_feed()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

REVOKE ALL ON FUNCTION "public"."make_calendar_feed"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.mark_unreachable (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_names record;
begin
  if v_engagement.state <> 'unreachable' then
    perform private.begin_step(v_engagement, 'unreachable', 'coach');
    if private.tried_enough(v_engagement) is not true then
      raise exception 'First try to reach them at least three times over at least ten days, and log each attempt.'
        using errcode = '55000';
    end if;
    update public.engagements e set state = 'unreachable'
    where e.id = p_engagement_id returning * into v_engagement;
    perform private.end_step();
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      p_engagement_id, v_engagement.owner_id, v_names.coach || ' couldn’t reach you',
      'We’ve closed your coaching for ' || v_names.business
        || ' for now. Reply to your coach’s last message, or say that you’re here, and it’s open again.',
      '/dashboard/coaching', 'I’m here'
    );
  end if;
  return private.engagement_json(v_engagement);
end
$function$;

REVOKE ALL ON FUNCTION "public"."mark_unreachable"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.merge_contacts (
  p_keep   uuid,
  p_drop   uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_keep public.contacts;
  v_drop public.contacts;
  v_merged jsonb;
begin
  -- In one order, so that two admins who merge the same two don't wait for each other.
  perform from public.contacts c where c.id in (p_keep, p_drop) order by c.id for update;
  select * into v_keep from public.contacts c where c.id = p_keep;
  select * into v_drop from public.contacts c where c.id = p_drop;
  if v_keep.id is null or v_drop.id is null then
    raise exception 'We can’t find this contact.' using errcode = 'P0002', hint = 'id';
  end if;
  v_merged := private.contact_merge(v_keep, v_drop);
  if v_merged ->> 'refusal' is not null then
    raise exception '%', v_merged ->> 'refusal' using errcode = '55000';
  end if;
  perform private.count_writes('contact_merges');
  update public.contact_messages m
  set contact_id = p_keep, from_email = coalesce(m.from_email, v_drop.email)
  where m.contact_id = p_drop;
  delete from public.contacts c where c.id = p_drop;
  update public.contacts c set
    name = v_merged ->> 'name', business = v_merged ->> 'business', phone = v_merged ->> 'phone',
    newsletter = v_merged ->> 'consent',
    left_at = case
      when v_merged ->> 'consent' = 'left' then greatest(v_keep.left_at, v_drop.left_at)
    end,
    consent_wording = case
      when v_merged ->> 'consent' = v_keep.newsletter then v_keep.consent_wording
      else v_drop.consent_wording
    end,
    confirm_hash = case when v_merged ->> 'consent' <> 'left' then c.confirm_hash end,
    other_emails = array(
      select distinct e from unnest(v_keep.other_emails || v_drop.other_emails || v_drop.email) e
      where e <> v_keep.email order by e
    ),
    imported_at = coalesce(v_keep.imported_at, v_drop.imported_at),
    created_at = least(v_keep.created_at, v_drop.created_at),
    last_active_at = greatest(v_keep.last_active_at, v_drop.last_active_at)
  where c.id = p_keep;
  -- The address itself stays out: it's erased with the contact, and this log isn't.
  perform private.audit(
    'contact.merge', 'contact', p_keep::text, v_reason,
    jsonb_build_object('other', p_drop, 'consent', v_merged ->> 'consent')
  );
  return jsonb_build_object('id', p_keep);
end
$function$;

CREATE OR REPLACE FUNCTION public.move_session (
  p_id        uuid,
  p_starts_at timestamp with time zone,
  p_minutes   integer,
  p_kind      text,
  p_place     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_id, '{coach}');
  v_place text := private.clean_text(p_place, 300, 'place');
begin
  if v_session.state <> 'scheduled' then
    raise exception 'This session is over or canceled. Schedule another one.' using errcode = '55000';
  end if;
  perform private.check_session_plan(
    p_starts_at, v_session.time_zone, p_minutes, p_kind, p_place
  );
  -- Sent again after a lost answer, it's done already.
  if (v_session.starts_at, v_session.minutes, v_session.kind, v_session.place)
    is not distinct from (p_starts_at, p_minutes, p_kind, v_place)
  then
    return private.session_state_json(p_id);
  end if;
  perform private.require_free(v_session.coach_id, p_id, p_starts_at, p_minutes);
  update public.coaching_sessions s set
    starts_at = p_starts_at, minutes = p_minutes, kind = p_kind,
    place = v_place, revision = s.revision + 1
  where s.id = p_id;
  perform private.notify(
    e.owner_id, 'session', 'session:' || p_id || ':' || v_session.revision + 1,
    'Your coaching session is now on ' || private.when_words(p_starts_at, e.owner_id),
    coalesce(private.name_of(v_user_id), 'Your coach') || ' changed it. It was going to be on '
      || private.when_words(v_session.starts_at, e.owner_id) || '.',
    '/dashboard/coaching', 'Your coaching'
  )
  from public.engagements e where e.id = v_session.engagement_id;
  return private.session_state_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."move_session"(uuid, timestamp WITH time zone, integer, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.offer_times (
  p_id            uuid,
  p_engagement_id uuid,
  p_times         timestamp with time zone[],
  p_time_zone     text,
  p_minutes       integer,
  p_kind          text,
  p_place         text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_times timestamptz[] := array(select distinct t from unnest(p_times) t order by t);
  v_found public.session_offers;
  v_time timestamptz;
begin
  select * into v_found from public.session_offers o where o.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement_id then
      raise exception 'This offer already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.offer_state_json(p_id);
  end if;
  if p_id is null then
    raise exception 'An offer needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_under_way(v_engagement);
  if cardinality(v_times) <> cardinality(p_times) or cardinality(v_times) not between 2 and 3
    or v_times[1] <= now() or array_position(v_times, null) is not null
  then
    raise exception 'Offer two or three different times in the future.'
      using errcode = '22023', hint = 'times';
  end if;
  foreach v_time in array v_times loop
    perform private.check_session_plan(v_time, p_time_zone, p_minutes, p_kind, p_place);
    perform private.require_free(v_user_id, p_id, v_time, p_minutes);
  end loop;
  -- There's one question at a time.
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = p_engagement_id and o.state = 'open';
  insert into public.session_offers (
    id, engagement_id, coach_id, times, time_zone, minutes, kind, place
  ) values (
    p_id, p_engagement_id, v_user_id, v_times, p_time_zone, p_minutes, p_kind,
    private.clean_text(p_place, 300, 'place')
  );
  perform private.notify(
    v_engagement.owner_id, 'session', 'offer:' || p_id, 'Choose a time for your coaching session',
    coalesce(private.name_of(v_user_id), 'Your coach') || ' offers you these times:' || E'\n' || (
      select string_agg(private.when_words(t, v_engagement.owner_id), E'\n' order by t)
      from unnest(v_times) t
    ),
    '/dashboard/coaching', 'Choose a time'
  );
  return private.offer_state_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."offer_times"(uuid, uuid, timestamp WITH time zone[], text, integer, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.open_conversation (
  p_id      uuid,
  p_kind    text,
  p_subject uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_new public.conversations;
  v_found uuid;
begin
  v_new.kind := p_kind;
  case p_kind
    when 'direct' then v_new.direct_pair := private.pair_of(v_user_id, p_subject);
    when 'engagement' then v_new.engagement_id := p_subject;
    when 'project' then v_new.project_id := p_subject;
    when 'support' then v_new.about_user_id := coalesce(p_subject, v_user_id);
    else
      raise exception 'Choose someone to message.' using errcode = '22023', hint = 'kind';
  end case;
  select c.id into v_found from public.conversations c
  where c.direct_pair = v_new.direct_pair or c.engagement_id = v_new.engagement_id
    or c.project_id = v_new.project_id or c.about_user_id = v_new.about_user_id;
  if found then
    if v_found not in (select private.my_conversation_ids()) then
      raise exception 'You can’t message this person.' using errcode = 'P0002', hint = 'subject';
    end if;
    return jsonb_build_object('id', v_found);
  end if;

  perform private.hold_people(v_new);
  if not (case p_kind
    when 'direct' then p_subject <> v_user_id and private.work_together(v_user_id, p_subject)
    when 'engagement' then exists (
      select from public.engagements e
      where e.id = p_subject and v_user_id in (e.owner_id, private.talking_coach(e.id))
    )
    when 'project' then exists (select from private.people_of(v_new) w where w = v_user_id)
    -- Everybody has a thread of their own; the admins begin one with whom they like.
    else v_new.about_user_id = v_user_id or private.is_admin() and exists (
      select from auth.users u where u.id = v_new.about_user_id
    )
  end) then
    raise exception 'You can’t message this person.' using errcode = 'P0002', hint = 'subject';
  end if;
  if p_kind = 'direct' and exists (
    select from public.blocks b
    where (b.user_id, b.blocked_id) in ((v_user_id, p_subject), (p_subject, v_user_id))
  ) then
    raise exception 'You can’t message this person.' using errcode = 'P0002', hint = 'subject';
  end if;
  if p_id is null then
    raise exception 'A conversation needs an id.' using errcode = '22023', hint = 'id';
  end if;

  insert into public.conversations (
    id, kind, engagement_id, project_id, about_user_id, direct_pair, epoch, created_by
  ) values (
    p_id, p_kind, v_new.engagement_id, v_new.project_id, v_new.about_user_id, v_new.direct_pair,
    0, v_user_id
  )
  on conflict do nothing;
  if not found then
    -- Somebody opened the same one at the same time.
    select c.id into v_found from public.conversations c
    where c.direct_pair = v_new.direct_pair or c.engagement_id = v_new.engagement_id
      or c.project_id = v_new.project_id or c.about_user_id = v_new.about_user_id;
    if not found then
      raise exception 'This conversation already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found);
  end if;
  if p_kind = 'direct' then
    insert into public.conversation_participants (conversation_id, user_id, as_coach, active_at)
    values
      (p_id, v_user_id, private.coaches(v_user_id, p_subject), now()),
      (p_id, p_subject, private.coaches(p_subject, v_user_id), null);
  end if;
  perform private.settle_people(p_id, true);
  return jsonb_build_object('id', p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.pause_coaching (
  p_engagement_id uuid,
  p_resume_on     date,
  p_reason        text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner,coach}');
  v_part text := case when v_engagement.owner_id = auth.uid() then 'owner' else 'coach' end;
  v_note text := private.clean_text(p_reason, 500, 'reason');
  v_names record;
begin
  if v_engagement.state = 'paused' and v_engagement.resume_on = p_resume_on then
    return private.engagement_json(v_engagement);
  end if;
  perform private.begin_step(v_engagement, 'paused', v_part, v_note);
  if p_resume_on is null or p_resume_on <= private.coaching_day()
    or p_resume_on > private.coaching_day() + 366
  then
    raise exception 'Choose a day between tomorrow and a year from now.'
      using errcode = '22023', hint = 'resume_on';
  end if;
  update public.engagements e set state = 'paused', resume_on = p_resume_on
  where e.id = p_engagement_id returning * into v_engagement;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    p_engagement_id,
    case v_part when 'owner' then v_engagement.coach_id else v_engagement.owner_id end,
    'Coaching for ' || v_names.business || ' is paused',
    case v_part when 'owner' then v_names.owner else v_names.coach end || ' paused it until '
      || to_char(p_resume_on, 'FMMonth FMDD, YYYY') || '. Either of you can pick it up before that.',
    case v_part when 'owner' then '/dashboard/coaching/' || p_engagement_id else '/dashboard/coaching' end,
    'Open coaching'
  );
  return private.engagement_json(v_engagement);
end
$function$;

REVOKE ALL ON FUNCTION "public"."pause_coaching"(uuid, date, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.pick_time (
  p_offer_id   uuid,
  p_session_id uuid,
  p_time       timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers := private.hold_offer(p_offer_id, '{owner}');
  v_engagement public.engagements;
begin
  if v_offer.state = 'picked' then
    if v_offer.session_id <> p_session_id then
      raise exception 'You’ve already picked a time.' using errcode = '55000';
    end if;
    return private.session_state_json(p_session_id);
  end if;
  if v_offer.state <> 'open' then
    raise exception 'These times aren’t offered anymore.' using errcode = '55000';
  end if;
  if (p_time = any (v_offer.times)) is not true then
    raise exception 'Choose one of the times that are offered.'
      using errcode = '22023', hint = 'time';
  end if;
  if p_time <= now() then
    raise exception 'This time has passed. Choose a later one.' using errcode = '22023', hint = 'time';
  end if;
  if exists (select from public.coaching_sessions s where s.id = p_session_id) then
    raise exception 'This session already exists.' using errcode = '23505', hint = 'session_id';
  end if;
  select * into v_engagement from public.engagements e where e.id = v_offer.engagement_id;
  perform private.require_under_way(v_engagement);
  perform private.put_session(
    p_session_id, v_engagement, p_time, v_offer.time_zone, v_offer.minutes, v_offer.kind,
    v_offer.place
  );
  perform private.require_free(v_engagement.coach_id, p_session_id, p_time, v_offer.minutes);
  update public.session_offers o set state = 'picked', session_id = p_session_id
  where o.id = p_offer_id;
  perform private.notify(
    v_engagement.coach_id, 'session', 'session:' || p_session_id,
    coalesce(private.name_of(v_user_id), 'Your client') || ' picked '
      || private.when_words(p_time, v_engagement.coach_id),
    'The session is in your calendar.', '/dashboard/coaching/' || v_engagement.id, 'Open the client'
  );
  return private.session_state_json(p_session_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."pick_time"(uuid, uuid, timestamp WITH time zone) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.rate_session (
  p_session_id uuid,
  p_rating     integer,
  p_comment    text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

REVOKE ALL ON FUNCTION "public"."rate_session"(uuid, integer, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.recommend (
  p_id            uuid,
  p_engagement_id uuid,
  p_kind          text,
  p_tool_slug     text,
  p_title         text,
  p_area_key      text,
  p_note          text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_made public.coach_recommendations;
begin
  select * into v_made from public.coach_recommendations r where r.id = p_id;
  if found then
    if v_made.engagement_id <> p_engagement_id then
      raise exception 'This recommendation already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.recommendation_json(v_made);
  end if;
  if p_id is null then
    raise exception 'A recommendation needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_under_way(v_engagement);
  perform private.check_recommendation(p_kind, p_tool_slug, p_title, p_area_key, p_note);
  insert into public.coach_recommendations (
    id, engagement_id, coach_id, kind, tool_slug, title, area_key, note
  ) values (
    p_id, p_engagement_id, v_user_id, p_kind,
    case p_kind when 'tool' then p_tool_slug end,
    case p_kind when 'project' then private.clean_line(p_title, 120) end,
    coalesce(p_area_key, (
      select i.area_key from public.toolbox_items i where p_kind = 'tool' and i.slug = p_tool_slug
    )),
    private.clean_text(p_note, 500, 'note')
  )
  returning * into v_made;
  perform private.notify(
    v_engagement.owner_id, p_kind, 'recommendation:' || p_id,
    coalesce(private.name_of(v_user_id), 'Your coach') || case p_kind
      when 'tool' then ' recommends a tool: ' else ' recommends a project: '
    end || coalesce(private.tool_link(p_tool_slug) ->> 'title', v_made.title),
    coalesce(v_made.note, ''),
    case p_kind when 'tool' then '/dashboard/toolbox?item=' || p_tool_slug else '/dashboard/coaching' end,
    case p_kind when 'tool' then 'Open the tool' else 'Your coaching' end
  );
  return private.recommendation_json(v_made);
end
$function$;

REVOKE ALL ON FUNCTION "public"."recommend"(uuid, uuid, text, text, text, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.refer_elsewhere (
  p_engagement_id uuid,
  p_reason        text,
  p_referral      text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_referral text := private.clean_text(
    p_referral, 1000, 'referral', 'Tell the owner who can help instead.'
  );
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_engagement.state <> 'ineligible' then
    perform private.begin_step(v_engagement, 'ineligible', 'admin', v_reason);
    update public.engagements e set state = 'ineligible', referral = v_referral
    where e.id = p_engagement_id returning * into v_engagement;
    perform private.end_step();
    perform private.tell_of_step(
      p_engagement_id, v_engagement.owner_id, 'We can’t coach you on this', private.excerpt(v_referral),
      '/dashboard/coaching', 'Who can help'
    );
    perform private.audit('engagement.refer', 'engagement', p_engagement_id::text, v_reason);
  end if;
  return private.engagement_json(v_engagement);
end
$function$;

REVOKE ALL ON FUNCTION "public"."refer_elsewhere"(uuid, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.remove_calendar_feed()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  delete from public.calendar_feeds f where f.user_id = v_user_id;
  return jsonb_build_object('removed', found);
end
$function$;

REVOKE ALL ON FUNCTION "public"."remove_calendar_feed"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.remove_time_off (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_coach();
begin
  delete from public.coach_time_off o where o.id = p_id and o.user_id = v_user_id;
  return public.get_my_coaching();
end
$function$;

REVOKE ALL ON FUNCTION "public"."remove_time_off"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.reopen_coaching (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.resume(p_engagement_id, 'completed')
$function$;

REVOKE ALL ON FUNCTION "public"."reopen_coaching"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.request_coaching (
  p_id            uuid,
  p_business_id   uuid,
  p_note          text    DEFAULT NULL::text,
  p_areas         text[]  DEFAULT '{}'::text[],
  p_share_results boolean DEFAULT false,
  p_coach_id      uuid    DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_new public.engagements;
begin
  perform private.one_at_a_time('engagements', v_user_id);

  select * into v_new from public.engagements e where e.id = p_id;
  if found then
    if v_new.owner_id is distinct from v_user_id then
      raise exception 'This request already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.engagement_json(v_new);
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
  )
  returning * into v_new;
  if p_coach_id is not null then
    perform private.ask_coach(v_new, p_coach_id, 'owner', null);
  else
    perform private.notify_admins(
      'coaching', 'requested:' || p_id,
      (private.coaching_names(v_new)).business || ' asks for a coach',
      'Find someone by ' || to_char(v_new.due_at at time zone private.coaching_zone(), 'FMMonth FMDD') || '.',
      '/admin/coaching/' || p_id, 'Find a coach'
    );
  end if;
  return private.engagement_json(private.any_engagement(p_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."request_coaching"(uuid, uuid, text, text[], boolean, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.resume_coaching (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.resume(p_engagement_id, 'paused')
$function$;

REVOKE ALL ON FUNCTION "public"."resume_coaching"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.resume_contact (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
begin
  if v_engagement.state <> 'accepted' then
    if v_engagement.state <> 'unreachable' then
      raise exception 'Your coach isn’t trying to reach you.' using errcode = '55000';
    end if;
    perform private.hear_from_owner(p_engagement_id);
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."resume_contact"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_coach_profile (
  p_id           uuid,
  p_about        text,
  p_areas        text[],
  p_capacity     integer,
  p_accepting    boolean,
  p_industries   text[]  DEFAULT '{}'::text[],
  p_paused_until date    DEFAULT NULL::date
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
begin
  if private.role_of(p_id) <> 'coach' then
    raise exception 'They aren’t a coach.' using errcode = '55000';
  end if;
  perform private.put_coach_profile(
    p_id, p_about, p_areas, p_industries, p_capacity, p_accepting, p_paused_until
  );
  perform private.audit(
    'coach_profile.save', 'user', p_id::text, null,
    jsonb_build_object('capacity', p_capacity, 'accepting', coalesce(p_accepting, true))
  );
  return private.coach_profile_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean, text[], date) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_my_coaching (
  p_about        text,
  p_areas        text[],
  p_industries   text[],
  p_capacity     integer,
  p_accepting    boolean,
  p_paused_until date    DEFAULT NULL::date
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.put_coach_profile(
    private.require_coach(), p_about, p_areas, p_industries, p_capacity, p_accepting, p_paused_until
  );
  return public.get_my_coaching();
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_my_coaching"(text, text[], text[], integer, boolean, date) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_session_note (
  p_session_id uuid,
  p_body       text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_session_id, '{coach}');
begin
  perform private.keep_note(v_session.id, v_user_id, p_body);
  return jsonb_build_object('id', p_session_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_session_note"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.schedule_session (
  p_id            uuid,
  p_engagement_id uuid,
  p_starts_at     timestamp with time zone,
  p_time_zone     text,
  p_minutes       integer,
  p_kind          text,
  p_place         text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.plan_session(
    p_id, private.hold_engagement(p_engagement_id, '{coach}'), p_starts_at, p_time_zone, p_minutes,
    p_kind, p_place
  );
  return private.session_state_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."schedule_session"(uuid, uuid, timestamp WITH time zone, text, integer, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.send_message (
  p_id              uuid,
  p_conversation_id uuid,
  p_body            text,
  p_reply_to        uuid   DEFAULT NULL::uuid,
  p_files           uuid[] DEFAULT '{}'::uuid[]
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_body text := private.clean_body(p_body);
  v_files uuid[] := coalesce(p_files, '{}');
  v_part public.conversation_participants;
  v_conversation public.conversations;
  v_message public.messages;
  v_unreachable uuid;
begin
  if p_id is null then
    raise exception 'A message needs an id.' using errcode = '22023', hint = 'id';
  end if;
  -- Only who takes part, or did, makes others wait.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_conversation_id and p.user_id = v_user_id;
  if not found then
    raise exception 'We can’t find this conversation.' using errcode = 'P0002';
  end if;
  -- As everywhere, an engagement is locked before its conversation.
  v_unreachable := private.hold_unreachable(p_conversation_id, v_user_id);
  -- Sent twice at once: the second waits here and finds what the first one stored.
  select * into v_conversation from public.conversations c where c.id = p_conversation_id for update;
  select * into v_message from public.messages m where m.id = p_id;
  if found then
    if v_message.author_id is distinct from v_user_id
      or v_message.conversation_id is distinct from p_conversation_id
    then
      raise exception 'This message already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.message_json(
      v_message, case when v_part.left_at is null then v_part.from_seq else v_message.seq end
    );
  end if;

  v_part := private.my_part(p_conversation_id);
  perform private.require_open(v_conversation, v_user_id);
  perform private.check_body(v_body, cardinality(v_files));
  if p_reply_to is not null and not exists (
    select from public.messages m
    where m.id = p_reply_to and m.conversation_id = p_conversation_id and m.seq >= v_part.from_seq
  ) then
    raise exception 'The message you’re replying to isn’t in this conversation.'
      using errcode = '22023', hint = 'reply_to';
  end if;

  update public.conversations c set
    last_seq = c.last_seq + 1, revision = c.revision + 1,
    last_message_at = greatest(clock_timestamp(), c.last_message_at + interval '1 microsecond')
  where c.id = p_conversation_id
  returning * into v_conversation;
  insert into public.messages (
    id, conversation_id, seq, revision, author_id, body, reply_to, sent_at
  ) values (
    p_id, p_conversation_id, v_conversation.last_seq, v_conversation.revision, v_user_id, v_body,
    p_reply_to, v_conversation.last_message_at
  )
  returning * into v_message;
  perform private.attach_files(v_message, v_files);
  delete from public.message_drafts d
  where d.user_id = v_user_id and d.conversation_id = p_conversation_id;

  update public.conversation_participants p set
    active_at = v_message.sent_at,
    unread = p.unread + case when p.user_id = v_user_id then 0 else 1 end,
    -- Who has read everything has read their own words; who has not is not taken past the others'.
    read_seq = case when p.user_id = v_user_id and p.unread = 0 then v_message.seq else p.read_seq end,
    unread_since = case when p.user_id = v_user_id then p.unread_since
      else coalesce(p.unread_since, v_message.sent_at) end,
    unread_at = case when p.user_id = v_user_id then p.unread_at else v_message.sent_at end
  where p.conversation_id = p_conversation_id and p.left_at is null;

  perform private.tell_message('message', v_message);
  perform private.tell_people(p_conversation_id);
  if v_unreachable is not null then
    perform private.hear_from_owner(v_unreachable);
  end if;
  return private.message_json(v_message, v_part.from_seq);
end
$function$;

CREATE OR REPLACE FUNCTION public.set_blocked (
  p_id      uuid,
  p_blocked boolean,
  p_reason  text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
begin
  perform private.require_other_person(p_id);
  if p_blocked is null then
    raise exception 'Say whether to block the account.' using errcode = '22023', hint = 'blocked';
  end if;
  -- They don't become an admin at this moment.
  lock table public.staff_roles in share mode;
  -- A blocked admin can't help anyone, and nobody would know who else may do what they did.
  if p_blocked and private.role_of(p_id) = 'admin' then
    raise exception 'They’re an admin. Remove that role first.' using errcode = '55000';
  end if;
  update auth.users u
  set banned_until = case when p_blocked then now() + interval '100 years' end
  where u.id = p_id;
  if p_blocked then
    delete from auth.sessions s where s.user_id = p_id;
    perform private.free_clients(p_id, 'Their account was blocked.');
  end if;
  perform private.audit(
    case when p_blocked then 'account.block' else 'account.unblock' end,
    'user', p_id::text, v_reason
  );
  return jsonb_build_object('state', private.account_state(p_id));
end
$function$;

CREATE OR REPLACE FUNCTION public.set_contact_message_outcome (
  p_id      uuid,
  p_outcome text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_message public.contact_messages;
begin
  select * into v_message from public.contact_messages m where m.id = p_id for update;
  if not found then
    raise exception 'We can’t find this message.' using errcode = 'P0002', hint = 'id';
  end if;
  if p_outcome not in ('elsewhere', 'not-needed') then
    raise exception 'Choose what became of the message.' using errcode = '22023', hint = 'outcome';
  end if;
  if v_message.outcome = 'replied' then
    raise exception 'The answer has been sent, so this can’t change anymore.' using errcode = '55000';
  end if;
  perform private.count_writes('contact_answers');
  update public.contact_messages m
  set outcome = p_outcome, answered_at = case when p_outcome is not null then now() end,
    answered_by = case when p_outcome is not null then v_admin_id end
  where m.id = p_id;
  perform private.audit(
    'contact.set_outcome', 'contact', v_message.contact_id::text, null,
    jsonb_build_object('message_id', p_id, 'outcome', p_outcome)
  );
  return private.contact_message_json(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.set_due_dates (
  p_changes jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_change jsonb;
  v_was public.projects;
  v_new public.projects;
  v_before jsonb := '[]';
begin
  if coalesce(jsonb_typeof(p_changes), '') <> 'array'
    or jsonb_array_length(p_changes) not between 1 and 200
  then
    raise exception 'Choose 1 to 200 projects.' using errcode = '22023', hint = 'changes';
  end if;
  -- In the same order for everyone.
  for v_change in select c from jsonb_array_elements(p_changes) c order by c ->> 'id' loop
    select * into v_was from public.projects p where p.id = (v_change ->> 'id')::uuid for update;
    if not found then
      raise exception 'We can’t find this project.' using errcode = 'P0002', hint = 'changes';
    end if;
    perform private.require_unarchived(v_was.business_id);
    v_new := v_was;
    v_new.due_on := (v_change ->> 'due_on')::date;
    continue when v_new is not distinct from v_was;
    if v_new.due_on < v_new.start_on then
      raise exception '“%” only starts on %.', v_was.title, to_char(v_was.start_on, 'FMMonth FMDD, YYYY')
        using errcode = '22023', hint = 'due_on';
    end if;
    perform private.check_project(v_new);
    update public.projects p set due_on = v_new.due_on, saved_by = v_admin_id, revision = p.revision + 1
    where p.id = v_was.id;
    perform private.audit('project.edit', 'project', v_was.id::text, null, jsonb_build_object(
      'before', jsonb_build_object('due_on', v_was.due_on),
      'after', jsonb_build_object('due_on', v_new.due_on)
    ));
    v_before := v_before || jsonb_build_object('id', v_was.id, 'due_on', v_was.due_on);
  end loop;
  return jsonb_build_object('before', v_before);
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception 'Choose a date.' using errcode = '22023', hint = 'due_on';
end
$function$;

CREATE OR REPLACE FUNCTION public.settle_coaching_action (
  p_id    uuid,
  p_state text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

REVOKE ALL ON FUNCTION "public"."settle_coaching_action"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.settle_recommendation (
  p_id         uuid,
  p_state      text,
  p_project_id uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_made public.coach_recommendations;
  v_business_id uuid;
begin
  select r.* into v_made
  from public.coach_recommendations r join public.engagements e on e.id = r.engagement_id
  where r.id = p_id and e.owner_id = v_user_id
  for update of r;
  if not found then
    raise exception 'We can’t find this recommendation.' using errcode = 'P0002', hint = 'id';
  end if;
  if p_state is null or p_state not in ('taken', 'dismissed') then
    raise exception 'A recommendation is taken or dismissed.' using errcode = '22023', hint = 'state';
  end if;
  select e.business_id into v_business_id
  from public.engagements e where e.id = v_made.engagement_id;
  if p_project_id is not null and not exists (
    select from public.projects p where p.id = p_project_id and p.business_id = v_business_id
  ) then
    raise exception 'Choose one of the business’s projects.'
      using errcode = '22023', hint = 'project_id';
  end if;
  if (v_made.state, v_made.project_id) is distinct from (p_state, p_project_id) then
    update public.coach_recommendations r set
      state = p_state, project_id = coalesce(p_project_id, r.project_id),
      settled_at = coalesce(r.settled_at, now())
    where r.id = p_id
    returning * into v_made;
  end if;
  return private.recommendation_json(v_made);
end
$function$;

REVOKE ALL ON FUNCTION "public"."settle_recommendation"(uuid, text, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.unassign_coach (
  p_engagement_id uuid,
  p_reason        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_engagement.state <> 'requested' then
    perform private.return_request(v_engagement, 'admin', v_reason, 'coach_left');
    perform private.tell_of_step(
      p_engagement_id, v_engagement.coach_id,
      'You no longer coach ' || (private.coaching_names(v_engagement)).business,
      'We’re looking for someone else for them. You can’t open the business or its results anymore.',
      '/dashboard/coaching', 'Your clients'
    );
    perform private.audit(
      'engagement.unassign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_engagement.coach_id, 'after', null)
    );
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."unassign_coach"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.void_attempt (
  p_attempt_id uuid,
  p_reason     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_state text;
begin
  select t.state into v_state from public.attempts t where t.id = p_attempt_id for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if not private.may_step('attempt', v_state, 'voided', 'admin') then
    raise exception 'Only a submitted attempt can be voided.' using errcode = '55000';
  end if;
  update public.attempts t
  set state = 'voided', voided_at = now(), void_reason = v_reason, voided_by = v_admin_id
  where t.id = p_attempt_id;
  perform private.audit('attempt.void', 'attempt', p_attempt_id::text, v_reason);
  return jsonb_build_object('id', p_attempt_id, 'state', 'voided');
end
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_coaching (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
  v_names record;
begin
  -- Sent again after a lost answer, it is done already.
  if v_engagement.state <> 'withdrawn' then
    if private.is_closed(v_engagement.state) then
      raise exception 'This coaching has already ended.' using errcode = '55000';
    end if;
    perform private.begin_step(v_engagement, 'withdrawn', 'owner');
    update public.engagements e set state = 'withdrawn' where e.id = p_engagement_id;
    perform private.end_step();
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      p_engagement_id, v_engagement.coach_id, v_names.business || ' has withdrawn from coaching',
      v_names.owner || ' has withdrawn from coaching for ' || v_names.business
        || '. You can’t open the business or its results anymore.',
      '/dashboard/coaching', 'Your clients'
    );
  end if;
  return jsonb_build_object('id', p_engagement_id, 'state', 'withdrawn');
end
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_offer (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers := private.hold_offer(p_id, '{coach}');
begin
  if v_offer.state = 'picked' then
    raise exception 'They’ve already picked a time. Move or cancel the session instead.'
      using errcode = '55000';
  end if;
  update public.session_offers o set state = 'withdrawn' where o.id = p_id and o.state = 'open';
  return private.offer_state_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."withdraw_offer"(uuid) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."engagement_names"
  ADD CONSTRAINT "engagement_names_id_fkey" FOREIGN KEY (id) REFERENCES public.engagements(id) ON DELETE CASCADE;

ALTER TABLE "private"."transitions"
  ADD CONSTRAINT "transitions_who_check" CHECK (((who <@ ARRAY['owner'::text, 'member'::text, 'coach'::text, 'admin'::text, 'system'::text]) AND (cardinality(who) > 0)));

ALTER TABLE "public"."calendar_feeds"
  ADD CONSTRAINT "calendar_feeds_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."coach_profiles"
  ADD CONSTRAINT "coach_profiles_industries_check" CHECK ((cardinality(industries) <= 16));

ALTER TABLE "public"."coach_recommendations"
  ADD CONSTRAINT "coach_recommendations_area_key_fkey" FOREIGN KEY (area_key) REFERENCES public.skill_areas(key);

ALTER TABLE "public"."coach_recommendations"
  ADD CONSTRAINT "coach_recommendations_coach_id_fkey" FOREIGN KEY (coach_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."coach_recommendations"
  ADD CONSTRAINT "coach_recommendations_engagement_id_fkey" FOREIGN KEY (engagement_id) REFERENCES public.engagements(id);

ALTER TABLE "public"."coach_recommendations"
  ADD CONSTRAINT "coach_recommendations_project_id_fkey" FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE SET NULL;

ALTER TABLE "public"."coach_time_off"
  ADD CONSTRAINT "coach_time_off_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."coaching_actions"
  ADD CONSTRAINT "coaching_actions_area_key_fkey" FOREIGN KEY (area_key) REFERENCES public.skill_areas(key);

ALTER TABLE "public"."coaching_actions"
  ADD CONSTRAINT "coaching_actions_created_by_fkey" FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."coaching_actions"
  ADD CONSTRAINT "coaching_actions_engagement_id_fkey" FOREIGN KEY (engagement_id) REFERENCES public.engagements(id);

ALTER TABLE "public"."coaching_actions"
  ADD CONSTRAINT "coaching_actions_focus_area_id_fkey" FOREIGN KEY (focus_area_id) REFERENCES public.focus_areas(id) ON DELETE SET NULL;

ALTER TABLE "public"."coaching_sessions"
  ADD CONSTRAINT "coaching_sessions_coach_id_fkey" FOREIGN KEY (coach_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."coaching_sessions"
  ADD CONSTRAINT "coaching_sessions_engagement_id_fkey" FOREIGN KEY (engagement_id) REFERENCES public.engagements(id);

ALTER TABLE "public"."coaching_actions"
  ADD CONSTRAINT "coaching_actions_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.coaching_sessions(id);

ALTER TABLE "public"."contact_attempts"
  ADD CONSTRAINT "contact_attempts_coach_id_fkey" FOREIGN KEY (coach_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."contact_attempts"
  ADD CONSTRAINT "contact_attempts_engagement_id_fkey" FOREIGN KEY (engagement_id) REFERENCES public.engagements(id);

ALTER TABLE "public"."engagement_events"
  ADD CONSTRAINT "engagement_events_kind_check"
    CHECK ((kind = ANY (ARRAY['requested'::text, 'state_changed'::text, 'coach_changed'::text, 'sharing_changed'::text, 'change_requested'::text, 'change_dropped'::text])));

ALTER TABLE "public"."engagements"
  ADD CONSTRAINT "engagements_check" CHECK (((due_what IS NULL) = (due_at IS NULL)));

ALTER TABLE "public"."engagements"
  ADD CONSTRAINT "engagements_closing_summary_check" CHECK ((char_length(closing_summary) <= 2000));

ALTER TABLE "public"."engagements"
  ADD CONSTRAINT "engagements_due_what_check"
    CHECK ((due_what = ANY (ARRAY['assign'::text, 'accept'::text, 'contact'::text, 'pick'::text, 'session'::text, 'write_up'::text, 'plan'::text, 'resume'::text])));

ALTER TABLE "public"."engagements"
  ADD CONSTRAINT "engagements_referral_check" CHECK ((char_length(referral) <= 1000));

ALTER TABLE "public"."handovers"
  ADD CONSTRAINT "handovers_engagement_id_fkey" FOREIGN KEY (engagement_id) REFERENCES public.engagements(id);

ALTER TABLE "public"."handovers"
  ADD CONSTRAINT "handovers_from_coach_id_fkey" FOREIGN KEY (from_coach_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."handovers"
  ADD CONSTRAINT "handovers_to_coach_id_fkey" FOREIGN KEY (to_coach_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."session_feedback"
  ADD CONSTRAINT "session_feedback_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_feedback"
  ADD CONSTRAINT "session_feedback_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.coaching_sessions(id);

ALTER TABLE "public"."session_notes"
  ADD CONSTRAINT "session_notes_author_id_fkey" FOREIGN KEY (author_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_notes"
  ADD CONSTRAINT "session_notes_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.coaching_sessions(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_offers"
  ADD CONSTRAINT "session_offers_coach_id_fkey" FOREIGN KEY (coach_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."session_offers"
  ADD CONSTRAINT "session_offers_engagement_id_fkey" FOREIGN KEY (engagement_id) REFERENCES public.engagements(id);

ALTER TABLE "public"."session_offers"
  ADD CONSTRAINT "session_offers_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.coaching_sessions(id);

CREATE INDEX engagement_names_by_date_idx ON private.engagement_names USING btree (coach_id, state, at, id);

CREATE INDEX engagement_names_by_name_idx ON private.engagement_names USING btree (coach_id, state, name, id);

CREATE INDEX engagement_names_open_by_date_idx ON private.engagement_names USING btree (coach_id, at, id)
  WHERE (state = ANY (ARRAY['assigned'::text, 'accepted'::text, 'active'::text, 'paused'::text]));

CREATE INDEX engagement_names_open_by_name_idx ON private.engagement_names USING btree (coach_id, name, id)
  WHERE (state = ANY (ARRAY['assigned'::text, 'accepted'::text, 'active'::text, 'paused'::text]));

CREATE INDEX engagement_names_words_idx ON private.engagement_names USING gin (words);

CREATE INDEX coach_recommendations_area_key_idx ON public.coach_recommendations USING btree (area_key);

CREATE INDEX coach_recommendations_coach_id_idx ON public.coach_recommendations USING btree (coach_id);

CREATE INDEX coach_recommendations_engagement_id_idx ON public.coach_recommendations USING btree (engagement_id, state, created_at);

CREATE INDEX coach_recommendations_project_id_idx ON public.coach_recommendations USING btree (project_id);

CREATE INDEX coach_time_off_user_id_idx ON public.coach_time_off USING btree (user_id, ends_on);

CREATE INDEX coaching_actions_area_key_idx ON public.coaching_actions USING btree (area_key);

CREATE INDEX coaching_actions_created_by_idx ON public.coaching_actions USING btree (created_by);

CREATE INDEX coaching_actions_due_on_idx ON public.coaching_actions USING btree (due_on)
  WHERE (state = 'open'::text);

CREATE INDEX coaching_actions_engagement_id_idx ON public.coaching_actions USING btree (engagement_id, state, due_on);

CREATE INDEX coaching_actions_focus_area_id_idx ON public.coaching_actions USING btree (focus_area_id);

CREATE INDEX coaching_actions_session_id_idx ON public.coaching_actions USING btree (session_id);

CREATE INDEX coaching_sessions_coach_id_idx ON public.coaching_sessions USING btree (coach_id, starts_at);

CREATE INDEX coaching_sessions_engagement_id_idx ON public.coaching_sessions USING btree (engagement_id, state, starts_at);

CREATE INDEX coaching_sessions_scheduled_idx ON public.coaching_sessions USING btree (starts_at)
  WHERE (state = 'scheduled'::text);

CREATE INDEX contact_attempts_coach_id_idx ON public.contact_attempts USING btree (coach_id);

CREATE INDEX contact_attempts_engagement_id_idx ON public.contact_attempts USING btree (engagement_id, at);

CREATE INDEX engagements_any_due_idx ON public.engagements USING btree (COALESCE(due_at, 'infinity'::timestamp WITH time zone), id);

CREATE INDEX engagements_change_idx ON public.engagements USING btree (change_requested_at)
  WHERE ((closed_at IS NULL) AND (change_requested_at IS NOT NULL));

CREATE INDEX engagements_coach_id_idx ON public.engagements USING btree (coach_id, due_at, id);

CREATE INDEX engagements_due_idx ON public.engagements USING btree (due_at, id)
  WHERE (closed_at IS NULL);

CREATE INDEX engagements_requested_idx ON public.engagements USING btree (requested_at, id);

CREATE INDEX engagements_state_due_idx ON public.engagements USING btree (state, COALESCE(due_at, 'infinity'::timestamp WITH time zone), id);

CREATE INDEX handovers_engagement_id_idx ON public.handovers USING btree (engagement_id, created_at);

CREATE INDEX handovers_from_coach_id_idx ON public.handovers USING btree (from_coach_id);

CREATE UNIQUE INDEX handovers_one_waiting_idx ON public.handovers USING btree (engagement_id)
  WHERE (handed_at IS NULL);

CREATE INDEX handovers_to_coach_id_idx ON public.handovers USING btree (to_coach_id);

CREATE INDEX session_feedback_owner_id_idx ON public.session_feedback USING btree (owner_id);

CREATE INDEX session_notes_author_id_idx ON public.session_notes USING btree (author_id);

CREATE INDEX session_offers_coach_id_idx ON public.session_offers USING btree (coach_id, state);

CREATE INDEX session_offers_engagement_id_idx ON public.session_offers USING btree (engagement_id, state);

CREATE UNIQUE INDEX session_offers_one_open_idx ON public.session_offers USING btree (engagement_id)
  WHERE (state = 'open'::text);

CREATE INDEX session_offers_session_id_idx ON public.session_offers USING btree (session_id);

CREATE TRIGGER name_engagement
  AFTER UPDATE OF name ON public.businesses
  FOR EACH ROW
  WHEN ((old.name <> new.name))
  EXECUTE FUNCTION private.name_engagement();

CREATE TRIGGER calendar_feeds_insert_is_limited AFTER INSERT ON public.calendar_feeds REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('calendar_feeds', 'each row');

CREATE TRIGGER calendar_feeds_update_is_limited AFTER UPDATE ON public.calendar_feeds REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('calendar_feeds', 'each statement');

CREATE TRIGGER coach_recommendations_insert_is_limited AFTER INSERT ON public.coach_recommendations REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coach_recommendations', 'each row');

CREATE TRIGGER coach_recommendations_per_engagement_id_are_limited AFTER INSERT ON public.coach_recommendations
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'engagement_id'
);

CREATE TRIGGER coach_recommendations_update_is_limited AFTER UPDATE ON public.coach_recommendations REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coach_recommendations', 'each statement');

CREATE TRIGGER coach_time_off_insert_is_limited AFTER INSERT ON public.coach_time_off REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coach_time_off', 'each row');

CREATE TRIGGER coach_time_off_per_user_id_are_limited AFTER INSERT ON public.coach_time_off
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'user_id'
);

CREATE TRIGGER coaching_actions_insert_is_limited AFTER INSERT ON public.coaching_actions REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coaching_actions', 'each row');

CREATE TRIGGER coaching_actions_per_engagement_id_are_limited AFTER INSERT ON public.coaching_actions
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'engagement_id'
);

CREATE TRIGGER coaching_actions_update_is_limited AFTER UPDATE ON public.coaching_actions REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coaching_actions', 'each statement');

CREATE TRIGGER coaching_sessions_insert_is_limited AFTER INSERT ON public.coaching_sessions REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coaching_sessions', 'each row');

CREATE TRIGGER coaching_sessions_move_the_clock
  AFTER INSERT OR UPDATE ON public.coaching_sessions
  FOR EACH ROW
  EXECUTE FUNCTION private.move_clock();

CREATE TRIGGER coaching_sessions_per_engagement_id_are_limited AFTER INSERT ON public.coaching_sessions
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'engagement_id'
);

CREATE TRIGGER coaching_sessions_stay_as_they_are
  BEFORE UPDATE ON public.coaching_sessions
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_session();

CREATE TRIGGER coaching_sessions_take_known_steps
  BEFORE INSERT OR UPDATE OF state ON public.coaching_sessions
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('session', 'state');

CREATE TRIGGER coaching_sessions_touch
  BEFORE UPDATE ON public.coaching_sessions
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER coaching_sessions_update_is_limited AFTER UPDATE ON public.coaching_sessions REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coaching_sessions', 'each statement');

CREATE TRIGGER contact_attempts_insert_is_limited AFTER INSERT ON public.contact_attempts REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('contact_attempts', 'each row');

CREATE TRIGGER contact_attempts_move_the_clock
  AFTER INSERT ON public.contact_attempts
  FOR EACH ROW
  EXECUTE FUNCTION private.move_clock();

CREATE TRIGGER contact_attempts_per_engagement_id_are_limited AFTER INSERT ON public.contact_attempts
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'engagement_id'
);

CREATE TRIGGER engagements_end_sessions
  AFTER UPDATE OF coach_id, state, closed_at ON public.engagements
  FOR EACH ROW
  WHEN ((((old.coach_id IS DISTINCT FROM new.coach_id) AND (old.coach_id IS NOT NULL)) OR ((old.closed_at IS NULL) AND (new.closed_at IS NOT NULL))))
  EXECUTE FUNCTION private.end_sessions();

CREATE TRIGGER engagements_pass_on
  AFTER UPDATE OF state, coach_id ON public.engagements
  FOR EACH ROW
  WHEN (((old.coach_id IS DISTINCT FROM new.coach_id) AND (NOT private.is_closed(new.state))))
  EXECUTE FUNCTION private.pass_on();

CREATE TRIGGER name_engagement_first
  AFTER INSERT ON public.engagements
  FOR EACH ROW
  EXECUTE FUNCTION private.name_engagement();

CREATE TRIGGER name_engagement
  AFTER UPDATE ON public.engagements
  FOR EACH ROW
  WHEN
    (((old.business_id <> new.business_id) OR (old.owner_id IS DISTINCT FROM new.owner_id) OR (old.coach_id IS DISTINCT FROM new.coach_id) OR (old.state <> new.state) OR
    (old.due_at IS DISTINCT FROM new.due_at) OR (old.closed_at IS DISTINCT FROM new.closed_at)))
  EXECUTE FUNCTION private.name_engagement();

CREATE TRIGGER handovers_insert_is_limited AFTER INSERT ON public.handovers REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coaching_handovers', 'each row');

CREATE TRIGGER handovers_update_is_limited AFTER UPDATE ON public.handovers REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coaching_handovers', 'each statement');

CREATE TRIGGER name_engagement
  AFTER UPDATE OF full_name, preferred_name ON public.profiles
  FOR EACH ROW
  EXECUTE FUNCTION private.name_engagement();

CREATE TRIGGER session_feedback_insert_is_limited AFTER INSERT ON public.session_feedback REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('session_feedback', 'each row');

CREATE TRIGGER session_feedback_update_is_limited AFTER UPDATE ON public.session_feedback REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('session_feedback', 'each statement');

CREATE TRIGGER session_notes_insert_is_limited AFTER INSERT ON public.session_notes REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('session_notes', 'each row');

CREATE TRIGGER session_notes_update_is_limited AFTER UPDATE ON public.session_notes REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('session_notes', 'each statement');

CREATE TRIGGER session_offers_insert_is_limited AFTER INSERT ON public.session_offers REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('session_offers', 'each row');

CREATE TRIGGER session_offers_move_the_clock
  AFTER INSERT OR UPDATE ON public.session_offers
  FOR EACH ROW
  EXECUTE FUNCTION private.move_clock();

CREATE TRIGGER session_offers_per_engagement_id_are_limited AFTER INSERT ON public.session_offers
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'engagement_id'
);

CREATE TRIGGER session_offers_update_is_limited AFTER UPDATE ON public.session_offers REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('session_offers', 'each statement');

CREATE TRIGGER staff_roles_free_clients_of_removed
  AFTER DELETE ON public.staff_roles
  FOR EACH ROW
  WHEN ((old.role = 'coach'::text))
  EXECUTE FUNCTION private.role_frees_clients();

CREATE TRIGGER staff_roles_free_clients
  AFTER UPDATE ON public.staff_roles
  FOR EACH ROW
  WHEN (((old.role = 'coach'::text) AND (new.role <> 'coach'::text)))
  EXECUTE FUNCTION private.role_frees_clients();

CREATE POLICY "Sessions are read with their engagement" ON "public"."coaching_sessions"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (engagement_id = ANY (ARRAY( SELECT e.id
   FROM public.engagements e)))));

CREATE POLICY "What happened to an engagement is read with it, without wishes " ON "public"."engagement_events"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (engagement_id = ANY (ARRAY( SELECT e.id
   FROM public.engagements e))) AND (kind <> ALL (ARRAY['change_requested'::text, 'change_dropped'::text]))));

CREATE POLICY "Coaches read their own notes about sessions with their clients" ON "public"."session_notes"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (author_id = ( SELECT auth.uid() AS uid)) AND (session_id = ANY (ARRAY( SELECT s.id
   FROM public.coaching_sessions s
  WHERE (s.coach_id = ( SELECT auth.uid() AS uid))))) AND ( SELECT private.is_coach() AS is_coach)));

COMMENT ON FUNCTION "private"."any_engagement"(uuid) IS 'An engagement, locked, or an error (P0002). Who may is the caller''s to check.';

COMMENT ON FUNCTION "private"."ask_about_coaching"(uuid) IS 'When coaching ends: the client is invited to the open survey, if there is one.';

COMMENT ON FUNCTION "private"."ask_coach"(public.engagements, uuid, text, text) IS 'A request, which is locked, goes to a coach who has room; they''re notified.';

COMMENT ON FUNCTION "private"."audit"(text, text, text, text, jsonb) IS 'Adds a row for the caller, with the business and person it''s about; action has the form "<entity>.<verb>".';

COMMENT ON FUNCTION "private"."audit_about"(text, uuid) IS 'Whose record this is: {business_id, person_id}, as far as it has them, so that searching the log for either finds what was done with it. Not the person of a quiz: deleting their account takes them from it.';

COMMENT ON FUNCTION "private"."away_until"(uuid) IS 'The last day of a coach''s present time off; null if they''re there today.';

COMMENT ON FUNCTION "private"."begin_step"(public.engagements, text, text, text, text) IS 'An error (55000) unless this kind of person can take the step; otherwise the update that follows is recorded with this note for staff. end_step belongs after it.';

COMMENT ON FUNCTION "private"."best_coaches"(public.engagements, text[]) IS 'Coaches for an engagement, without its present one; place 1 fits best.';

COMMENT ON FUNCTION "private"."business_day_end"(timestamp with time zone, integer) IS 'The end (17:00 where the organization is) of the p_days-th business day after a moment''s date; p_days from 1.';

COMMENT ON FUNCTION "private"."business_days_between"(date, date) IS 'How many business days there are after p_from up to and including p_to; 0 if that isn''t later.';

COMMENT ON FUNCTION "private"."calendar_of"(text, text) IS 'What the feed with this secret contains: {sessions: [{uid, sequence, starts_at, minutes, title, place, description, canceled}], due: [{uid, day, title, description}]}; null if there''s no such feed. Raises PT429 over the limits. The edge function calendar calls it.';

COMMENT ON FUNCTION "private"."clean_text"(text, integer, text, text) IS 'A text of at most p_most characters without control characters; null if it''s empty, which is an error where p_needed says what to do.';

COMMENT ON FUNCTION "private"."client_page"(text, boolean, tsquery, jsonb, jsonb, integer) IS 'A page of the caller''s clients in a state (open: all open ones), by what''s due first or by name; closed ones by when they closed.';

COMMENT ON FUNCTION "private"."client_records"(public.engagements) IS 'What only the coach of an engagement reads: the handover to them, their contact attempts and private notes, and their conversation.';

COMMENT ON FUNCTION "private"."client_row"(uuid) IS 'An engagement in a list of its coach''s clients.';

COMMENT ON FUNCTION "private"."client_standing"(public.engagements) IS 'The latest result of a client, a full quiz before a first look; null unless it''s shared.';

COMMENT ON FUNCTION "private"."client_work"(public.engagements) IS 'The business of an open engagement with its figures and projects and, if shared, results and focus areas; nothing of a closed one.';

COMMENT ON FUNCTION "private"."clock_of"(public.engagements) IS 'What has to happen next in an engagement, and by when; null once it has ended.';

COMMENT ON FUNCTION "private"."coach_away"(uuid) IS 'Why a coach isn''t there today for clients or new ones: {why: gone, leaving, time_off or paused, until (the last day, or null)}; null if they are.';

COMMENT ON FUNCTION "private"."coach_card"(uuid) IS 'A coach as owners see them: {user_id, full_name, avatar_path, about, areas, industries, languages, time_zone}.';

COMMENT ON FUNCTION "private"."coach_choices"() IS 'All coaches, at most 200, as choices [{value, label}].';

COMMENT ON FUNCTION "private"."coach_fit"(uuid, text[], uuid, uuid) IS 'What speaks for a coach: areas in common, the business''s industry if they know it, languages in common, and hours between the time zones (null if one isn''t known). The score counts most of all the areas, then industry, language and time zone.';

COMMENT ON FUNCTION "private"."coach_matches"(public.engagements) IS 'Coaches an admin can choose from, at most 50, those with room first and then by fit: [{user_id, name, areas, industry, languages, hours, capacity, clients, waiting, room, has_room, before (was asked or its coach before), away}].';

COMMENT ON FUNCTION "private"."coach_profile_json"(uuid) IS 'A coach''s profile, also for one without a row: {about, areas, capacity (null: no limit), accepting, clients (how many now), industries, paused_until (the last day, or null)}.';

COMMENT ON FUNCTION "private"."coach_room"(uuid) IS 'How many more clients a coach takes; null: no limit.';

COMMENT ON FUNCTION "private"."coaching_day"(timestamp with time zone) IS 'A moment''s date where the organization is.';

COMMENT ON FUNCTION "private"."coaching_funnel"() IS 'Open engagements by state: [{state, count, late, median_hours (how long half of them have been in it at least; null without any)}].';

COMMENT ON FUNCTION "private"."coaching_loop"(uuid, boolean) IS 'Each skill area that an engagement is about, from score to score: [{area_key, area_name, scores, focus_at, actions, sessions, tools}]. p_results includes scores and focus areas, for people who can read them.';

COMMENT ON FUNCTION "private"."coaching_names"(public.engagements) IS 'What to call an engagement''s business, owner and coach in a notification.';

COMMENT ON FUNCTION "private"."coaching_timeline"(uuid, boolean, boolean) IS 'What happened since an engagement was requested, newest first, at most 100: [{at, kind, id, title, area_key, href_kind}]. p_results includes quizzes and focus areas, p_business projects and figures, for people who can read them.';

COMMENT ON FUNCTION "private"."coaching_zone"() IS 'The organization''s time zone.';

COMMENT ON FUNCTION "private"."complete"(public.engagements, text, text, text) IS 'Ends an engagement, which is locked: the owner reads the summary and, if a survey is open, is asked how it was.';

COMMENT ON FUNCTION "private"."contacts_json"(uuid) IS 'Attempts to reach an owner, newest first, at most 100: [{id, at, channel, reached, note, coach}].';

COMMENT ON FUNCTION "private"."day_end"(date) IS 'The end of a day where the organization is: 17:00.';

COMMENT ON FUNCTION "private"."day_start"(uuid, integer) IS 'When the day starts where a person is: today, or so many days later.';

COMMENT ON FUNCTION "private"."end_sessions"() IS 'Trigger: what was planned ends with the coaching, or with the coach who planned it.';

COMMENT ON FUNCTION "private"."engagement_facts"(public.engagements) IS 'An engagement itself for admins, also with why its owner wants another coach.';

COMMENT ON FUNCTION "private"."engagement_history"(uuid) IS 'The steps of an engagement with the notes of staff, newest first, at most 200.';

COMMENT ON FUNCTION "private"."engagement_json"(public.engagements) IS 'An engagement for its owner, its coach and admins: {id, business_id, state, areas, note, results_shared, requested_at, assigned_at, accepted_at, resume_on, closed_at, closing_summary, referral, change_requested (only for the owner), can_reopen, coach (their card; only the name once it has ended), due_what, due_at}.';

COMMENT ON FUNCTION "private"."engagement_moments"(uuid) IS 'What happened in an engagement itself: steps, sessions, actions and recommendations.';

COMMENT ON FUNCTION "private"."engagement_parts_json"(uuid) IS 'What belongs to an engagement: its events, sessions, open offers, actions and recommendations, and how many sessions it has used.';

COMMENT ON FUNCTION "private"."engagement_work"(uuid) IS 'What was done in an engagement, newest first: {sessions, actions, feedback}.';

COMMENT ON FUNCTION "private"."enter_state"(public.engagements) IS 'An engagement that has just changed its state, with what starts and ends with that.';

COMMENT ON FUNCTION "private"."expire_offers"() IS 'Offers of which every time has passed are over; how many.';

COMMENT ON FUNCTION "private"."fit_reasons"(text[], text, text[], integer) IS 'Why a coach fits, for an owner: [{kind: areas, keys} | {kind: industry, industry} | {kind: language, language} | {kind: time_zone, hours (apart, up to 3)}].';

COMMENT ON FUNCTION "private"."forget_coaching_of"(uuid) IS 'Removes what was written about an owner whose account is deleted, private notes included. What''s left says only when sessions took place.';

COMMENT ON FUNCTION "private"."free_clients"(uuid, text) IS 'All clients of a coach go back to looking for a coach, because that coach is gone; how many.';

COMMENT ON FUNCTION "private"."guard_engagement"() IS 'An engagement keeps its subject, has a coach once it''s assigned, shares nothing with the next coach, knows what has to happen next, and records when it closed.';

COMMENT ON FUNCTION "private"."handover_json"(public.handovers) IS 'A handover for the next coach and for admins: {id, note, packet, created_at, handed_at, from, to (names)}.';

COMMENT ON FUNCTION "private"."handover_packet"(uuid) IS 'What the next coach gets: {goals: {note, areas}, actions (open ones), summaries (that the owner reads too, the latest 20)}.';

COMMENT ON FUNCTION "private"."has_room"(uuid) IS 'Whether a coach can take one more client today.';

COMMENT ON FUNCTION "private"."hear_from_owner"(uuid) IS 'The owner of an engagement that was closed because the coach couldn''t reach them got back to them: it''s open again, and the coach is notified.';

COMMENT ON FUNCTION "private"."hold_engagement"(uuid, text[]) IS 'An engagement of the caller as its owner or its coach, locked; an error (P0002) for everyone else.';

COMMENT ON FUNCTION "private"."hold_offer"(uuid, text[]) IS 'An offer for the caller as its owner or its coach, locked; an error (P0002) for everyone else.';

COMMENT ON FUNCTION "private"."hold_session"(uuid, text[]) IS 'A session of the caller as its owner or its coach, locked; an error (P0002) for everyone else, including a former coach.';

COMMENT ON FUNCTION "private"."hold_unreachable"(uuid, uuid) IS 'The engagement, locked, of a conversation whose owner couldn''t be reached; null for every other one.';

COMMENT ON FUNCTION "private"."hours_apart"(text, text) IS 'How many hours the clocks of two time zones differ now; null if one isn''t known.';

COMMENT ON FUNCTION "private"."ids_of_my_people"() IS 'Members of the same business, a coach''s clients, an owner''s present coaches.';

COMMENT ON FUNCTION "private"."is_business_day"(date) IS 'Whether a day is from Monday to Friday and not a holiday.';

COMMENT ON FUNCTION "private"."is_closed"(text) IS 'Whether coaching has ended in this state, even if it can be picked up again.';

COMMENT ON FUNCTION "private"."is_late"(public.engagements) IS 'Whether what has to happen next in an engagement should have happened by now.';

COMMENT ON FUNCTION "private"."is_leaving"(uuid) IS 'Whether a coach has left notes about their clients for the next coach, and there isn''t one yet.';

COMMENT ON FUNCTION "private"."keep_note"(uuid, uuid, text) IS 'Saves the private note about a session; nothing removes it.';

COMMENT ON FUNCTION "private"."lapse_requests"() IS 'Requests that a coach didn''t answer in time go back to looking for one; how many.';

COMMENT ON FUNCTION "private"."leave_handover"(uuid, uuid, text) IS 'Leaves, or adds to, what the next coach of an engagement needs to know; the lock on the engagement is the caller''s.';

COMMENT ON FUNCTION "private"."move_clock"() IS 'Trigger of what an engagement''s clock depends on: sessions, offers, attempts to reach the owner.';

COMMENT ON FUNCTION "private"."name_engagements"(uuid[]) IS 'Brings up to date what engagements are found and sorted by. One whose owner is gone is in no coach''s list.';

COMMENT ON FUNCTION "private"."pass_on"() IS 'When a coach leaves an engagement that they had accepted, the next one gets a handover.';

COMMENT ON FUNCTION "private"."plan_session"(uuid, public.engagements, timestamp with time zone, text, integer, text, text) IS 'Schedules a session once under its id, at a time when the coach is free, and tells the owner.';

COMMENT ON FUNCTION "private"."put_action"(public.engagements, uuid, uuid, text, text, date, text, text, uuid) IS 'Adds an action to an engagement once under its id, after checking it.';

COMMENT ON FUNCTION "private"."put_coach_profile"(uuid, text, text[], text[], integer, boolean, date) IS 'Saves what a coach or an admin says about a coach; an error (22023) for what doesn''t fit.';

COMMENT ON FUNCTION "private"."put_session"(uuid, public.engagements, timestamp with time zone, text, integer, text, text) IS 'Adds a scheduled session of an engagement''s coach, after checking it.';

COMMENT ON FUNCTION "private"."put_snapshot"(uuid, uuid, uuid, date, integer, integer, bigint, bigint, text) IS 'Adds figures of a business for a date once under their id, after checking them. Who may is up to the caller.';

COMMENT ON FUNCTION "private"."readable_avatar_folders"() IS 'Whose pictures the person sees: their own, those of the people they work with, and those of coaches who take new clients.';

COMMENT ON FUNCTION "private"."reassign"(public.engagements, uuid, text, text) IS 'Another coach takes over open coaching, which is locked; its state stays. Everyone is notified.';

COMMENT ON FUNCTION "private"."refresh_clocks"() IS 'Clocks that move by themselves: once a session has ended it has to be written up; how many were looked at.';

COMMENT ON FUNCTION "private"."remind_of_coaching_actions"() IS 'Reminds the person who does an action, once, on the day it''s due where they are; how many.';

COMMENT ON FUNCTION "private"."remind_of_pauses"() IS 'Notifies owner and coach, once, that a pause is over; it lasts until one of them picks coaching up again. How many.';

COMMENT ON FUNCTION "private"."remind_of_session"(text, interval, text) IS 'Reminds owner and coach, once for each time it''s planned for, of a session that starts within the interval; how many.';

COMMENT ON FUNCTION "private"."remind_of_sessions"() IS 'What time does to sessions, offers and actions: {expired (offers), day, hour (reminders of sessions), actions (reminders)}.';

COMMENT ON FUNCTION "private"."remind_of_steps"() IS 'Reminds coaches, once for each date, of what''s due soon (saying yes or no) or overdue; how many.';

COMMENT ON FUNCTION "private"."reopen_blocker"(public.engagements) IS 'Why an engagement that has ended can''t be picked up again, in words; null if it can.';

COMMENT ON FUNCTION "private"."require_coach"(public.engagements, uuid) IS 'An error unless this person is a coach, not the owner, and has room for one more.';

COMMENT ON FUNCTION "private"."require_coach"() IS 'The calling coach, or an error (42501).';

COMMENT ON FUNCTION "private"."require_free"(uuid, uuid, timestamp with time zone, integer) IS 'An error (55000) if a session at this time would overlap another scheduled one of the coach.';

COMMENT ON FUNCTION "private"."require_room"(uuid) IS 'An error (55000) if a coach can''t take one more client today.';

COMMENT ON FUNCTION "private"."require_under_way"(public.engagements) IS 'An error (55000) unless a coach has accepted and the coaching is open.';

COMMENT ON FUNCTION "private"."result_moments"(public.engagements) IS 'Quizzes and focus areas since an engagement was requested. Only for people who can read the results.';

COMMENT ON FUNCTION "private"."return_request"(public.engagements, text, text, text) IS 'An engagement, which is locked, goes back to looking for a coach, with a note for staff and the reason (declined, lapsed, coach_left); the owner and admins are notified.';

COMMENT ON FUNCTION "private"."run_coaching_clocks"() IS 'What happens in coaching because time passes: {lapsed, sessions (what was done about these), refreshed, resumed, reminded}.';

COMMENT ON FUNCTION "private"."runs"(public.engagements, uuid) IS 'Whether someone is the coach of an engagement that''s open, or that was completed or unreachable within the last 90 days.';

COMMENT ON FUNCTION "private"."send_survey"(uuid) IS 'Emails a client the personal link to the open survey: sent, or why not (no survey, nobody, limited, answered; of the last, undo the email).';

COMMENT ON FUNCTION "private"."session_clock"(public.engagements) IS 'What has to happen next in an engagement that''s accepted or active, and by when.';

COMMENT ON FUNCTION "private"."session_json"(public.coaching_sessions) IS 'A session as its owner and its coach read it, without private notes.';

COMMENT ON FUNCTION "private"."set_clock"(uuid) IS 'Updates what has to happen next in an engagement, after something that it depends on. Lock the engagement before that.';

COMMENT ON FUNCTION "private"."shared_languages"(text[], text[]) IS 'The languages of one person that another speaks too, in the order of the first.';

COMMENT ON FUNCTION "private"."stale_after"(timestamp with time zone) IS 'When coaching without a next session is stale: so many calendar days later, at the same time of day.';

COMMENT ON FUNCTION "private"."start_coaching"(uuid) IS 'Coaching is active once its first session has taken place, and again when one takes place during a pause.';

COMMENT ON FUNCTION "private"."step_key"(uuid) IS 'The key of a notification about an engagement''s latest step: each step has its own.';

COMMENT ON FUNCTION "private"."store_figures"(public.engagements, jsonb, date) IS 'Adds the figures that came up in a session to those of the business, as its members do.';

COMMENT ON FUNCTION "private"."store_session"(uuid, public.engagements, jsonb) IS 'Closes a session as the coach says, after checking it; adds it first if it wasn''t scheduled.';

COMMENT ON FUNCTION "private"."talking_coach"(uuid) IS 'The coach in the conversation about an engagement: the current one or, until the owner replies, the one who couldn''t reach them.';

COMMENT ON FUNCTION "private"."tell_of_step"(uuid, uuid, text, text, text, text) IS 'Notifies someone of an engagement''s latest step, once.';

COMMENT ON FUNCTION "private"."tool_link"(text) IS 'What a link to a published tool needs, {slug, title, type, minutes}; null for any other slug.';

COMMENT ON FUNCTION "private"."topics_json"(uuid) IS 'What a person''s latest result recommends for each of their businesses, to ask a coach about: [{business_id, areas}].';

COMMENT ON FUNCTION "private"."tried_enough"(public.engagements) IS 'Whether the coach has tried at least 3 times over at least 10 days, since they last reached the owner.';

COMMENT ON FUNCTION "private"."waiting_count"(uuid) IS 'How many open engagements wait for a coach to say yes or no.';

COMMENT ON FUNCTION "private"."was_coach"(uuid, uuid) IS 'Whether someone was asked to coach an engagement before, and isn''t its coach anymore.';

COMMENT ON FUNCTION "private"."when_words"(timestamp with time zone, uuid) IS 'A moment where a person is, for a message to them: December 22, 2026 at 3:00 PM MST.';

COMMENT ON FUNCTION "private"."why_no_room"(uuid) IS 'Why a coach can''t take one more client today, in words; null if they can.';

COMMENT ON FUNCTION "private"."without_coach_today"() IS 'Open engagements whose coach is away, as private.coach_away says.';

COMMENT ON FUNCTION "public"."accept_client"(uuid) IS 'The coach who was asked says yes; the engagement (see private.engagement_json). The owner is notified.';

COMMENT ON FUNCTION "public"."add_coaching_action"(uuid, uuid, text, text, date, text, text, uuid) IS 'An owner or their coach adds an action, once under its id; the action. The owner is notified of one that the coach gives them.';

COMMENT ON FUNCTION "public"."add_time_off"(uuid, date, date, text) IS 'A coach adds days when they''re away and take no new clients; the same as get_my_coaching.';

COMMENT ON FUNCTION "public"."admin_coaching_board"() IS 'How coaching stands: {funnel (see private.coaching_funnel), coaches: [{user_id, name, capacity (null: no limit), accepting, paused_until, away_until, leaving, clients (open), waiting (of these, for their answer)}], attention: {away, change} (as many as the list has with each)}.';

COMMENT ON FUNCTION "public"."admin_engagement"(uuid) IS 'One engagement as an admin sees it, without anyone''s private notes: {engagement, timeline, sessions, actions, contacts, handovers, feedback, events (with the notes of staff), matches (coaches to choose from; none once it has ended), packet (what the next coach gets), skill_areas}; null if there''s none.';

COMMENT ON FUNCTION "public"."admin_engagements"(jsonb, jsonb, integer) IS 'A page of engagements by {words (of a business''s or owner''s name), state (one, "open" or "all"; open if not said), late ("1"), show ("away": the coach is; "change": the owner asks for another), coach, area, sort ("due", "requested": newest first)}, with the choices of areas and coaches; see list_page.';

COMMENT ON FUNCTION "public"."admin_read_session_note"(uuid, text) IS 'An admin reads a coach''s private note about a session, with a reason that''s recorded: {session_id, body, author_name, updated_at}, null where there''s no note.';

COMMENT ON FUNCTION "public"."ask_for_other_coach"(uuid, text) IS 'An owner asks the admins for another coach, with a reason that only they read; the engagement. The coach isn''t told.';

COMMENT ON FUNCTION "public"."assign_coach"(uuid, uuid, text, text, text) IS 'An admin assigns a request to a coach who has room, or open coaching to another one, with a reason, what the coach should know (p_handover) and a message to the owner; the engagement (see private.engagement_json).';

COMMENT ON FUNCTION "public"."cancel_session"(uuid, text) IS 'An owner (before it starts) or the coach cancels a scheduled session, which then uses none; {id, state}. The other one is notified.';

COMMENT ON FUNCTION "public"."change_summary"(uuid, text) IS 'A coach changes the summary that the owner reads, within 30 days of closing the session; {id, state}.';

COMMENT ON FUNCTION "public"."choose_coach"(uuid, uuid) IS 'An owner asks a coach who has room to take on a request that nobody has; the engagement.';

COMMENT ON FUNCTION "public"."client_counts"() IS 'How many open clients the calling coach has in each state, counted up to 1,000: {assigned, accepted, active, paused}.';

COMMENT ON FUNCTION "public"."close_engagement"(uuid, text, text) IS 'An admin ends coaching that''s active or paused, with a reason for staff and, if there''s something to say, a summary for the owner; the engagement.';

COMMENT ON FUNCTION "public"."close_session"(uuid, uuid, jsonb) IS 'A coach closes a session, or records one that wasn''t scheduled, all at once or not at all: {starts_at, time_zone, minutes, kind, outcome (completed or no_show), topics, summary (the owner reads it), note (private), actions, figures, next}. Answers {id, state}; sent again, what''s stored. The first completed session makes accepted coaching active. The owner is notified.';

COMMENT ON FUNCTION "public"."coach_today"() IS 'What the calling coach does today: {due (clients with something due by the end of tomorrow or late, at most 20), sessions (today''s and tomorrow''s), offers_waiting, counts, unread, calendar_since}. Null for everyone else.';

COMMENT ON FUNCTION "public"."complete_coaching"(uuid, text) IS 'The coach, or an admin, ends coaching with a summary that the owner reads; the engagement. The owner is invited to the survey.';

COMMENT ON FUNCTION "public"."decline_client"(uuid, text) IS 'The coach who was asked says no, with a reason that only staff read; {id, state}. Owner and admins are notified.';

COMMENT ON FUNCTION "public"."decline_times"(uuid, text) IS 'An owner says that none of the offered times works, with a note for the coach; {id, state}. Idempotent. The coach is notified.';

COMMENT ON FUNCTION "public"."get_client"(uuid) IS 'One of the calling coach''s clients: the engagement and what belongs to it, the owner, the business, results and focus areas if they''re shared, projects, the handover, contact attempts, their own private notes, and the story. Null for everyone else.';

COMMENT ON FUNCTION "public"."get_coaching"() IS 'What an owner''s coaching page shows: their engagements in all businesses, newest first, at most 20, each with what belongs to it and the newest of a business with its story; the skill areas to choose from, and those that results recommend; since when they have a calendar feed.';

COMMENT ON FUNCTION "public"."get_my_coaching"() IS 'A coach''s own settings: {about, areas, industries, capacity, accepting, paused_until, time_off (now and later), clients (how many), languages, time_zone, choices: {areas, industries}}.';

COMMENT ON FUNCTION "public"."get_session"(uuid) IS 'A session for its owner or for the coach who runs it, with the coach''s own private note and the owner''s own feedback; null for everyone else.';

COMMENT ON FUNCTION "public"."keep_coach"(uuid) IS 'An owner no longer asks for another coach; the engagement.';

COMMENT ON FUNCTION "public"."leave_clients"(jsonb) IS 'A coach who leaves writes a note for each of their open clients, [{engagement_id, note}], takes no new ones, and stays until an admin has found others; {left}.';

COMMENT ON FUNCTION "public"."list_clients"(jsonb, jsonb, integer) IS 'The clients of the calling coach (nobody else has any), a page at a time: {rows, more, count}; see private.list_page. p_filter: q (words of the business''s or owner''s name), state (open: all open ones), sort (due or name), view (board: the first 12 of each open state).';

COMMENT ON FUNCTION "public"."list_coaches"(uuid, uuid, text[]) IS 'Coaches with room for an owner''s request or for a business of theirs, at most 12, best fit first: [{user_id, full_name, avatar_path, about, areas, industries, languages, time_zone, room (null: no limit), fit (see private.fit_reasons)}].';

COMMENT ON FUNCTION "public"."log_contact"(uuid, uuid, text, boolean, text, timestamp with time zone) IS 'A coach notes when and how ("message", "email", "phone", "text", "in_person") they tried to reach a client, and whether they did; the engagement.';

COMMENT ON FUNCTION "public"."make_calendar_feed"() IS 'Creates the caller''s calendar feed or replaces its address, so that the old one stops working; {path}, which is never shown again.';

COMMENT ON FUNCTION "public"."mark_unreachable"(uuid) IS 'A coach gives up reaching an owner after three attempts over ten days; the engagement. The owner''s reply opens it again.';

COMMENT ON FUNCTION "public"."move_session"(uuid, timestamp with time zone, integer, text, text) IS 'A coach changes the time, length, kind or place of a scheduled session; {id, state}. The owner is notified.';

COMMENT ON FUNCTION "public"."offer_times"(uuid, uuid, timestamp with time zone[], text, integer, text, text) IS 'A coach offers a client two or three times for a session, instead of what was offered before; {id, state}. The owner is notified.';

COMMENT ON FUNCTION "public"."pause_coaching"(uuid, date, text) IS 'Owner or coach pauses active coaching until a day, with an optional reason that only staff read; the engagement (see private.engagement_json).';

COMMENT ON FUNCTION "public"."pick_time"(uuid, uuid, timestamp with time zone) IS 'An owner picks one of the offered times, which schedules the session under the given id; {id, state}. Idempotent. The coach is notified.';

COMMENT ON FUNCTION "public"."rate_session"(uuid, integer, text) IS 'An owner says how a completed session went, 1 to 4 with a comment; again replaces it; {id}. The coach never reads it.';

COMMENT ON FUNCTION "public"."recommend"(uuid, uuid, text, text, text, text, text) IS 'A coach recommends a tool or a project to a client, once under its id; the recommendation. The owner is notified.';

COMMENT ON FUNCTION "public"."refer_elsewhere"(uuid, text, text) IS 'An admin doesn''t take on a request, with a reason for staff and a text for the owner about who can help instead; the engagement.';

COMMENT ON FUNCTION "public"."remove_calendar_feed"() IS 'Removes the caller''s calendar feed: its address stops working; {removed}. Idempotent.';

COMMENT ON FUNCTION "public"."remove_time_off"(uuid) IS 'A coach removes days when they''d have been away; the same as get_my_coaching.';

COMMENT ON FUNCTION "public"."reopen_coaching"(uuid) IS 'Owner or coach picks completed coaching up again within 90 days, if there''s no other for the business; the engagement. If the coach does, results aren''t shared anymore.';

COMMENT ON FUNCTION "public"."request_coaching"(uuid, uuid, text, text[], boolean, uuid) IS 'An owner asks for a coach for a business, by name if they like (then it''s assigned right away); the engagement (see private.engagement_json). One open request per business and owner.';

COMMENT ON FUNCTION "public"."resume_coaching"(uuid) IS 'Owner or coach picks paused coaching up again; the engagement.';

COMMENT ON FUNCTION "public"."resume_contact"(uuid) IS 'An owner whose coach couldn''t reach them says that they''re here: the coaching is open again; the engagement.';

COMMENT ON FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean, text[], date) IS 'An admin says what a coach is good at, how many clients they take (null: no limit) and until when they take no new ones; see private.coach_profile_json.';

COMMENT ON FUNCTION "public"."save_my_coaching"(text, text[], text[], integer, boolean, date) IS 'A coach says what they''re good at, how many clients they take (null: no limit) and until when they take no new ones; the same as get_my_coaching.';

COMMENT ON FUNCTION "public"."save_session_note"(uuid, text) IS 'A coach saves their private note about a session, or removes it with an empty text; {id}.';

COMMENT ON FUNCTION "public"."schedule_session"(uuid, uuid, timestamp with time zone, text, integer, text, text) IS 'A coach schedules a session with a client; {id, state}. Once, however often it''s sent; an error (55000) if they have another one then. The owner is notified.';

COMMENT ON FUNCTION "public"."set_blocked"(uuid, boolean, text) IS 'An admin blocks an account, which ends its sessions, refuses new ones and finds another coach for their clients, or lets the person in again: {state}.';

COMMENT ON FUNCTION "public"."set_results_shared"(uuid, boolean) IS 'An owner lets the coach read quiz results, or stops sharing them, at any time. It''s for one coach: the next one starts without.';

COMMENT ON FUNCTION "public"."settle_coaching_action"(uuid, text) IS 'An owner finishes, drops or reopens an action of theirs, or the coach any of a client; the action. Idempotent.';

COMMENT ON FUNCTION "public"."settle_recommendation"(uuid, text, uuid) IS 'An owner takes a recommendation, with the project started from it, or dismisses it; the recommendation. Idempotent.';

COMMENT ON FUNCTION "public"."unassign_coach"(uuid, text) IS 'An admin takes open coaching away from a coach before there''s another one; the engagement. Owner and coach are notified.';

COMMENT ON FUNCTION "public"."withdraw_offer"(uuid) IS 'A coach takes offered times back, unless the owner has picked one; {id, state}. Idempotent.';

COMMENT ON TABLE "private"."coaching_rules" IS 'How long each step of coaching may take, in business days of a time zone. One row, from content/coaching.yaml.';

COMMENT ON TABLE "private"."engagement_names" IS 'What engagements are found and sorted by. Triggers keep it current.';

COMMENT ON TABLE "private"."holidays" IS 'Days from Monday to Friday that aren''t business days, from content/coaching.yaml.';

COMMENT ON TABLE "private"."transitions" IS 'The steps a project, an attempt, an engagement or a session can take, and who can take them. Only migrations change rows.';

COMMENT ON TABLE "public"."calendar_feeds" IS 'Who has a private calendar feed, and the hash of its secret. No API role reads or writes it.';

COMMENT ON TABLE "public"."coach_recommendations" IS 'Tools and projects that coaches recommend to clients. Read through procedures.';

COMMENT ON TABLE "public"."coach_time_off" IS 'Days when a coach is away and takes no new clients. No API role reads it.';

COMMENT ON TABLE "public"."coaching_actions" IS 'What owners and coaches agreed to do. The owner and the coach read it through procedures.';

COMMENT ON TABLE "public"."coaching_sessions" IS 'Sessions of an engagement: when and where, how they ended, and the summary that the owner reads.';

COMMENT ON TABLE "public"."contact_attempts" IS 'How and when a coach tried to reach an owner. Coach and admins read it through procedures.';

COMMENT ON TABLE "public"."engagement_events" IS 'The history of an engagement, append-only. details: {coach_id, from_coach_id, why: declined, lapsed, coach_left or reply; results_shared}.';

COMMENT ON TABLE "public"."handovers" IS 'What one coach leaves to the next. The next coach and admins read it through procedures; the owner doesn''t.';

COMMENT ON TABLE "public"."session_feedback" IS 'What owners say about a session, 1 to 4 and a comment. The owner and admins read it, never the coach.';

COMMENT ON TABLE "public"."session_notes" IS 'A coach''s private notes about sessions. Only the author reads them, while they run the engagement.';

COMMENT ON TABLE "public"."session_offers" IS 'Times that coaches offer for a session, and what became of them. Read through procedures.';

REVOKE ALL ON FUNCTION "private"."any_engagement"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_about_coaching"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_coach"(public.engagements, uuid, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_about"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."away_until"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."begin_step"(public.engagements, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."best_coaches"(public.engagements, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."business_day_end"(timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."business_days_between"(date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."business_moments"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."calendar_of"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."calendar_since"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."can_change_summary"(public.coaching_sessions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_recommendation"(text, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_session_plan"(timestamp WITH time zone, text, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clean_text"(text, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."client_counts"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."client_owner"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."client_page"(text, boolean, tsquery, jsonb, jsonb, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."client_records"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."client_row"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."client_standing"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."client_work"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clock_of"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coach_away"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coach_card"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coach_choices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coach_fit"(uuid, text[], uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coach_matches"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coach_room"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_action_json"(public.coaching_actions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_day"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_funnel"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_industries"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_loop"(uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_names"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_story"(uuid, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_timeline"(uuid, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coaching_zone"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."complete"(public.engagements, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contacts_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."day_end"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."day_start"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."due_in_calendar"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_sessions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_step"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."engagement_facts"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."engagement_history"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."engagement_json"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."engagement_moments"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."engagement_parts_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."engagement_work"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enter_state"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."expire_offers"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fit_reasons"(text[], text, text[], integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_coaching_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."free_clients"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_session"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."handover_json"(public.handovers) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."handover_packet"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_room"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hear_from_owner"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_engagement"(uuid, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_offer"(uuid, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_session"(uuid, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_unreachable"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hours_apart"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_business_day"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_closed"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_late"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_leaving"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_note"(uuid, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lapse_requests"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."leave_handover"(uuid, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."loop_area_json"(public.engagements, public.skill_areas, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."move_clock"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_engagement"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_engagements"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."offer_state_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pass_on"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plan_session"(uuid, public.engagements, timestamp WITH time zone, text, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."put_action"(public.engagements, uuid, uuid, text, text, date, text, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."put_coach_profile"(uuid, text, text[], text[], integer, boolean, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."put_session"(uuid, public.engagements, timestamp WITH time zone, text, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."put_snapshot"(uuid, uuid, uuid, date, integer, integer, bigint, bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reassign"(public.engagements, uuid, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recommendation_json"(public.coach_recommendations) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refresh_clocks"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_coaching_actions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_pauses"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_session"(text, interval, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_sessions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_steps"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reopen_blocker"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_coach"(public.engagements, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_coach"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_free"(uuid, uuid, timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_reopenable"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_under_way"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."result_moments"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."resume"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."return_request"(public.engagements, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."role_frees_clients"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."run_coaching_clocks"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."runs"(public.engagements, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_survey"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."session_clock"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."session_json"(public.coaching_sessions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."session_state_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sessions_in_calendar"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sessions_today"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."set_clock"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."shared_languages"(text[], text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."skill_areas_json"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."stale_after"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."start_coaching"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."step_key"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_actions"(public.engagements, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_figures"(public.engagements, jsonb, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_session"(uuid, public.engagements, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."talking_coach"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_session"(public.coaching_sessions, public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_step"(uuid, uuid, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_link"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."topics_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tried_enough"(public.engagements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."waiting_count"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."was_coach"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."when_words"(timestamp WITH time zone, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."why_no_room"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."without_coach_today"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."accept_client"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."add_coaching_action"(uuid, uuid, text, text, date, text, text, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."add_time_off"(uuid, date, date, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_coaching_board"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_engagement"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_engagements"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_read_session_note"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."ask_for_other_coach"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."assign_coach"(uuid, uuid, text, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."cancel_session"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."change_summary"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."choose_coach"(uuid, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."client_counts"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."close_engagement"(uuid, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."close_session"(uuid, uuid, jsonb) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."coach_today"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."complete_coaching"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."decline_client"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."decline_times"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_client"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_coaching"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_my_coaching"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_session"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."keep_coach"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."leave_clients"(jsonb) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_clients"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_coaches"(uuid, uuid, text[]) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."log_contact"(uuid, uuid, text, boolean, text, timestamp WITH time zone) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."make_calendar_feed"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."mark_unreachable"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."move_session"(uuid, timestamp WITH time zone, integer, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."offer_times"(uuid, uuid, timestamp WITH time zone[], text, integer, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."pause_coaching"(uuid, date, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."pick_time"(uuid, uuid, timestamp WITH time zone) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."rate_session"(uuid, integer, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."recommend"(uuid, uuid, text, text, text, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."refer_elsewhere"(uuid, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."remove_calendar_feed"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."remove_time_off"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."reopen_coaching"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."request_coaching"(uuid, uuid, text, text[], boolean, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."resume_coaching"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."resume_contact"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean, text[], date) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_my_coaching"(text, text[], text[], integer, boolean, date) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_session_note"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."schedule_session"(uuid, uuid, timestamp WITH time zone, text, integer, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."settle_coaching_action"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."settle_recommendation"(uuid, text, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."unassign_coach"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."withdraw_offer"(uuid) TO "authenticated";

REVOKE ALL ON TABLE "public"."coaching_sessions" FROM "authenticated";

GRANT SELECT ON TABLE "public"."coaching_sessions" TO "authenticated";

REVOKE ALL ("accepted_at") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("accepted_at") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("active_at") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("active_at") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("areas") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("areas") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("assigned_at") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("assigned_at") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("business_id") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("business_id") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("closed_at") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("closed_at") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("closing_summary") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("closing_summary") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("coach_id") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("coach_id") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("due_at") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("due_at") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("due_what") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("due_what") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("note") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("note") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("owner_id") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("owner_id") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("referral") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("referral") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("requested_at") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("requested_at") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("results_shared") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("results_shared") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("resume_on") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("resume_on") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("state_since") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("state_since") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("state") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("state") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ("updated_at") ON TABLE "public"."engagements" FROM "authenticated";

GRANT SELECT ("updated_at") ON TABLE "public"."engagements" TO "authenticated";

REVOKE ALL ON TABLE "public"."session_notes" FROM "authenticated";

GRANT SELECT ON TABLE "public"."session_notes" TO "authenticated";

-- Rows ------------------------------------------------------------------------------------------

delete from private.transitions where entity = 'engagement';
insert into private.transitions (entity, position, from_state, to_state, who, needs_note) values
  ('engagement', 1, null, 'requested', '{owner}', false),
  ('engagement', 2, 'requested', 'assigned', '{admin,owner}', true),
  ('engagement', 3, 'requested', 'ineligible', '{admin}', true),
  ('engagement', 4, 'requested', 'withdrawn', '{owner,system}', false),
  ('engagement', 5, 'assigned', 'withdrawn', '{owner,system}', false),
  ('engagement', 6, 'accepted', 'withdrawn', '{owner,system}', false),
  ('engagement', 7, 'active', 'withdrawn', '{owner,system}', false),
  ('engagement', 8, 'paused', 'withdrawn', '{owner,system}', false),
  ('engagement', 9, 'assigned', 'requested', '{coach,admin,system}', true),
  ('engagement', 10, 'assigned', 'accepted', '{coach}', false),
  ('engagement', 11, 'accepted', 'active', '{system}', false),
  ('engagement', 12, 'accepted', 'requested', '{admin,system}', true),
  ('engagement', 13, 'accepted', 'unreachable', '{coach}', false),
  ('engagement', 14, 'unreachable', 'accepted', '{owner,system}', false),
  ('engagement', 15, 'active', 'paused', '{owner,coach}', false),
  ('engagement', 16, 'paused', 'active', '{owner,coach,system}', false),
  ('engagement', 17, 'active', 'completed', '{coach,admin}', true),
  ('engagement', 18, 'paused', 'completed', '{coach,admin}', true),
  ('engagement', 19, 'completed', 'active', '{owner,coach}', false),
  ('engagement', 20, 'active', 'requested', '{admin,system}', true),
  ('engagement', 21, 'paused', 'requested', '{admin,system}', true),
  ('session', 1, null, 'scheduled', '{coach,owner}', false),
  ('session', 2, 'scheduled', 'completed', '{coach}', false),
  ('session', 3, 'scheduled', 'no_show', '{coach}', false),
  ('session', 4, 'scheduled', 'canceled', '{coach,owner}', false);

insert into private.coaching_rules default values;

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('coach_time_off', 'coach_time_off', 'insert', 30, 200, 'added a lot of time off'),
  ('contact_attempts', 'contact_attempts', 'insert', 60, 500, 'logged a lot of attempts'),
  ('coaching_handovers', 'handovers', 'insert or update', 300, 2000, 'left a lot of notes for coaches'),
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
    'changed your calendar feed many times');

insert into private.row_ceilings (on_table, per, most, counting, sentence, field) values
  ('coach_time_off', 'user_id', 100, 'true', 'You can add time off 100 times. Remove some first.', null),
  ('contact_attempts', 'engagement_id', 200, 'true', 'You’ve logged 200 attempts, which is the limit.', null),
  ('coaching_sessions', 'engagement_id', 500, 'true', 'Coaching can have at most 500 sessions.', null),
  ('session_offers', 'engagement_id', 200, 'true', 'You can offer times at most 200 times.', null),
  ('coaching_actions', 'engagement_id', 500, 'true', 'Coaching can have at most 500 actions.', null),
  ('coach_recommendations', 'engagement_id', 200, 'true',
    'You can recommend at most 200 things to a client.', null);

insert into private.jobs (kind, every) values ('run_coaching_clocks', interval '10 minutes');

-- Coaching from before there were clocks: since when it is in its state. The first run of the clocks
-- works out what has to happen next.
alter table public.engagements disable trigger user;
update public.engagements e set
  state_since = coalesce(v.state_since, e.closed_at, e.requested_at),
  accepted_at = v.accepted_at, active_at = v.active_at
from (
  select o.id,
    max(ev.at) filter (where ev.to_state = o.state and ev.from_state is distinct from o.state) as state_since,
    max(ev.at) filter (where ev.to_state = 'accepted') as accepted_at,
    max(ev.at) filter (where ev.to_state = 'active') as active_at
  from public.engagements o
  left join public.engagement_events ev on ev.engagement_id = o.id
  group by o.id
) v
where v.id = e.id;
alter table public.engagements enable trigger user;

select private.name_engagements(array(select e.id from public.engagements e));
