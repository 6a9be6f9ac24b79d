SET local check_function_bodies = off;

DROP FUNCTION "public"."list_message_reports"(text, timestamp WITH time zone, uuid, integer);

CREATE TABLE "private"."person_words" (
  "user_id" uuid     NOT NULL,
  "words"   tsvector NOT NULL,
  CONSTRAINT "person_words_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "private"."person_words"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.call_procedure (
  p_name text,
  p_args jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_procedure record;
  v_columns text;
  v_values text;
  v_answer jsonb;
begin
  select p.proargnames[:p.pronargs] as names, p.proargtypes::oid[] as types into v_procedure
  from pg_catalog.pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.proname = p_name
    -- Those that write belong in requests of their own. These only record what an admin reads.
    and (p.provolatile <> 'v' or p_name ~ '^admin_' or p_name = 'get_project');
  if not found then
    raise exception 'There is no procedure % that only reads.', p_name using errcode = '42883';
  end if;
  select
    string_agg(format('%I %s', a.name, a.type::regtype), ', '),
    string_agg(format('%1$I => a.%1$I', a.name), ', ')
  into v_columns, v_values
  from unnest(v_procedure.names, v_procedure.types) as a (name, type)
  where p_args ? a.name;
  if v_columns is null then
    execute format('select to_jsonb(public.%I())', p_name) into v_answer;
  else
    execute format(
      'select to_jsonb(public.%I(%s)) from jsonb_to_record($1) as a (%s)', p_name, v_values, v_columns
    )
    into v_answer using p_args;
  end if;
  return v_answer;
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
    ('engagements_as_coach', 't.coach_id = $1', '{note,areas,owner_id,business_id}'),
    ('engagement_events', 't.actor_id = $1 or t.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{note}'),
    ('survey_invitations', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{token_hash}'),
    ('survey_responses', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    -- Their own words and files; what others wrote to them is the others'.
    ('conversations', 't.id in (select p.conversation_id from public.conversation_participants p where p.user_id = $1 and p.left_at is null)', '{about_user_id,direct_pair,created_by}'),
    ('messages', 't.author_id = $1', '{words}'),
    ('message_attachments', 't.uploaded_by = $1', '{}'),
    ('message_reports', 't.reporter_id = $1', '{said,author_id,settled_by}'),
    -- Kept under their address.
    ('contacts', 't.email = $2', '{confirm_hash,leave_hash}'),
    ('contact_messages', 't.contact_id in (select c.id from public.contacts c where c.email = $2)', '{}'),
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

CREATE OR REPLACE FUNCTION private.index_people (
  p_user_ids uuid[]
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.person_words as w (user_id, words)
  select u.id, private.name_words(concat_ws(' ', p.full_name, p.preferred_name, u.email, (
    select string_agg(b.name, ' ' order by b.id)
    from public.business_members m
    join public.businesses b on b.id = m.business_id
    where m.user_id = u.id
  )))
  from auth.users u
  join public.profiles p on p.user_id = u.id
  where u.id = any (p_user_ids)
  on conflict (user_id) do update set words = excluded.words where w.words <> excluded.words
$function$;

CREATE OR REPLACE FUNCTION private.index_person()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.index_people(case tg_table_name
    when 'users' then array[(to_jsonb(new) ->> 'id')::uuid]
    when 'businesses' then array(
      select m.user_id from public.business_members m
      where m.business_id = (to_jsonb(new) ->> 'id')::uuid
    )
    else array[(coalesce(to_jsonb(new), to_jsonb(old)) ->> 'user_id')::uuid]
  end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_page (
  p_from       text,
  p_row        text,
  p_where      text[],
  p_key        text,
  p_key_type   text,
  p_descending boolean,
  p_filter     jsonb,
  p_place      jsonb,
  p_limit      integer,
  p_query      tsquery DEFAULT NULL::tsquery,
  p_id_type    text    DEFAULT 'uuid'::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_page constant int := 25;
  -- Beyond this many, rows are counted only on request: an exact count takes longer the more there are.
  c_counted constant int := 1000;
  -- Up to this many that words fit are looked at one by one.
  c_few constant int := 300;
  c_limit constant int := least(greatest(coalesce(p_limit, c_page), 0), 500);
  c_backward constant boolean := coalesce(p_place ->> 'way' = 'before', false);
  v_direction text := case when p_descending <> c_backward then 'desc' else 'asc' end;
  v_where text := array_to_string(array_append(p_where, 'true'), ' and ');
  v_found text[];
  v_rows jsonb := '[]';
  v_more boolean := false;
  v_total bigint;
begin
  -- Words that few fit lead to those; words that many fit are looked for along the order, where
  -- enough of them come soon. The function in place of its operator keeps the planner to that.
  if p_query is not null then
    execute format(
      'select array_agg(f.id::text) from (select r.id from %s where r.words @@ $1 limit %s) f',
      p_from, c_few + 1
    ) into v_found using p_query;
    v_where := v_where || case
      when cardinality(v_found) > c_few then ' and pg_catalog.ts_match_vq(r.words, $2)'
      else format(' and r.id = any ($3::%s[])', p_id_type) end;
  end if;

  if c_limit > 0 then
    execute format(
      $q$
        select coalesce(jsonb_agg(
          %1$s || jsonb_build_object('id', r.id::text, 'key', r.list_key::text) order by r.list_place
        ) filter (where r.list_place <= %2$s), '[]'), coalesce(max(r.list_place) > %2$s, false)
        from (
          select r.*, %3$s as list_key, row_number() over (order by %3$s %4$s, r.id %4$s) as list_place
          from %5$s
          where %6$s %7$s
          order by %3$s %4$s, r.id %4$s
          limit %2$s + 1
        ) r
      $q$,
      p_row, c_limit, p_key, v_direction, p_from, v_where,
      case when p_place is null then '' else format(
        'and (%s, r.id) %s (($4 ->> ''key'')::%s, ($4 ->> ''id'')::%s)',
        p_key, case v_direction when 'asc' then '>' else '<' end, p_key_type, p_id_type
      ) end
    )
    into v_rows, v_more using p_filter, p_query, coalesce(v_found, '{}'), p_place;
    if c_backward then
      select jsonb_agg(e.row order by e.place desc) into v_rows
      from jsonb_array_elements(v_rows) with ordinality as e (row, place);
      v_rows := coalesce(v_rows, '[]');
    end if;
  end if;

  -- The first page counts up to a limit, a limit of 0 counts them all, and a file counts its rows.
  if coalesce(p_limit, 0) = 0 then
    execute format(
      'select count(*) from (select from %s where %s %s) c', p_from, v_where,
      case when p_limit is null then format('limit %s', c_counted + 1) else '' end
    ) into v_total using p_filter, p_query, coalesce(v_found, '{}');
  end if;
  return jsonb_build_object(
    'rows', v_rows, 'more', v_more,
    'count', case when v_total is not null then jsonb_build_object(
      'total', case when p_limit is null then least(v_total, c_counted) else v_total end,
      'at_least', p_limit is null and v_total > c_counted
    ) end
  );
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception 'We lost your place in the list. Start from the top.'
      using errcode = '22023', hint = 'place';
end
$function$;

CREATE OR REPLACE FUNCTION private.name_query (
  p_text text
)
  RETURNS tsquery
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select to_tsquery('pg_catalog.simple', string_agg(w || ':*', ' & '))
  from regexp_split_to_table(left(private.plain_words(p_text), 200), ' ') w
  where w <> ''
$function$;

CREATE OR REPLACE FUNCTION private.name_words (
  p_text text
)
  RETURNS tsvector
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select to_tsvector('pg_catalog.simple', private.plain_words(p_text))
$function$;

CREATE OR REPLACE FUNCTION private.people_called (
  p_words text
)
  RETURNS uuid[]
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select array(
    select w.user_id from private.person_words w
    where w.words @@ private.name_query(p_words) limit 100
  )
$function$;

CREATE OR REPLACE FUNCTION private.plain_words (
  p_text text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select regexp_replace(
    -- NFD puts accents after their letter, where they can be left out.
    regexp_replace(normalize(lower(coalesce(p_text, '')), NFD), '[\u0300-\u036f]+', '', 'g'),
    '[^[:alnum:]]+', ' ', 'g'
  )
$function$;

CREATE OR REPLACE FUNCTION public.admin_audit (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('audit.list', 'audit', null, null, p_filter);
  return private.list_page(
    'public.audit_log r',
    $row$
      jsonb_build_object(
        'at', r.at, 'action', r.action, 'entity', r.entity, 'entity_id', r.entity_id,
        'reason', r.reason, 'details', r.details,
        'actor', case when r.actor_id is not null then jsonb_build_object(
          'id', r.actor_id,
          'name', (select p.full_name from public.profiles p where p.user_id = r.actor_id)
        ) end,
        'about', case r.entity
          when 'user' then (select p.full_name from public.profiles p where p.user_id::text = r.entity_id)
          when 'business' then (select b.name from public.businesses b where b.id::text = r.entity_id)
          when 'project' then (select p.title from public.projects p where p.id::text = r.entity_id)
        end
      )
    $row$,
    array[
      case when p_filter ? 'words' then
        '(r.actor_id = any (private.people_called($1 ->> ''words'')) or r.entity = ''user'' and r.entity_id = any (private.people_called($1 ->> ''words'')::text[]))'
      end,
      case when p_filter ? 'person' then
        '(r.actor_id = ($1 ->> ''person'')::uuid or r.entity = ''user'' and r.entity_id = $1 ->> ''person'')'
      end,
      case when p_filter ? 'business' then
        '(r.entity = ''business'' and r.entity_id = $1 ->> ''business'' or r.details ->> ''business_id'' = $1 ->> ''business'')'
      end,
      case when p_filter ? 'action' then 'r.action = $1 ->> ''action''' end
    ],
    'r.at', 'timestamptz', true, p_filter, p_place, p_limit, p_id_type => 'bigint'
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_audit"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_message_reports (
  p_state     text                     DEFAULT 'open'::text,
  p_before    timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_before_id uuid                     DEFAULT NULL::uuid,
  p_limit     integer                  DEFAULT 30
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_ids uuid[];
begin
  perform private.require_admin();
  perform private.audit(
    'message_report.list', 'message_report', null, null, jsonb_build_object('state', p_state)
  );
  v_ids := array(
    select r.id from public.message_reports r
    where r.state = coalesce(p_state, 'open') and (r.created_at, r.id) < (
      coalesce(p_before, 'infinity'),
      coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
    order by r.created_at desc, r.id desc limit v_limit + 1
  );
  return jsonb_build_object(
    'reports', coalesce((
      select jsonb_agg(private.report_json(r) order by n.place)
      from unnest(v_ids[:v_limit]) with ordinality as n (id, place)
      join public.message_reports r on r.id = n.id
    ), '[]'),
    'more', cardinality(v_ids) > v_limit,
    'open', (
      select count(*) from (
        select from public.message_reports o where o.state = 'open' limit 100
      ) o
    )
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_message_reports"(text, timestamp WITH time zone, uuid, integer) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."person_words"
  ADD CONSTRAINT "person_words_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE INDEX person_words_words_idx ON private.person_words USING gin (words);

CREATE INDEX audit_log_action_idx ON public.audit_log USING btree (action, at, id);

CREATE INDEX audit_log_at_idx ON public.audit_log USING btree (at, id);

CREATE INDEX audit_log_business_idx ON public.audit_log USING btree (((details ->> 'business_id'::text)), at, id);

CREATE TRIGGER index_person
  AFTER UPDATE OF email ON auth.users
  FOR EACH ROW
  WHEN (((old.email)::text IS DISTINCT FROM (new.email)::text))
  EXECUTE FUNCTION private.index_person();

CREATE TRIGGER index_person
  AFTER INSERT OR DELETE ON public.business_members
  FOR EACH ROW
  EXECUTE FUNCTION private.index_person();

CREATE TRIGGER index_person
  AFTER UPDATE OF name ON public.businesses
  FOR EACH ROW
  WHEN ((old.name <> new.name))
  EXECUTE FUNCTION private.index_person();

CREATE TRIGGER index_person
  AFTER INSERT OR UPDATE OF full_name, preferred_name ON public.profiles
  FOR EACH ROW
  EXECUTE FUNCTION private.index_person();

COMMENT ON FUNCTION "private"."list_page"(text, text, text[], text, text, boolean, jsonb, jsonb, integer, tsquery, text) IS 'A page of an admin''s list: {rows (each with its id and sort key), more in that direction, count: {total, at_least} or null}.';

COMMENT ON FUNCTION "private"."name_query"(text) IS 'A search query for name_words, with every word as a prefix; null for nothing.';

COMMENT ON FUNCTION "private"."name_words"(text) IS 'The words of names and email addresses, as they are: "Peña, ann@x.org" is pena, ann, x and org.';

COMMENT ON FUNCTION "private"."people_called"(text) IS 'At most 100 people whose name, email address or business has these words.';

COMMENT ON FUNCTION "public"."admin_audit"(jsonb, jsonb, integer) IS 'A page of the audit log, newest first, by {words (of a person''s name, email or business), person, business, action}; see list_page.';

COMMENT ON FUNCTION "public"."admin_message_reports"(text, timestamp with time zone, uuid, integer) IS 'For admins: who reported which author and why, "open" or "settled", newest first, without the text; {reports, more, open (100 means 100 or more)}. The next page starts after the last one''s created_at and id.';

COMMENT ON TABLE "private"."person_words" IS 'Words of each person''s names, email address and businesses, for admins'' searches. Triggers keep it current.';

REVOKE ALL ON FUNCTION "private"."index_people"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."index_person"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_page"(text, text, text[], text, text, boolean, jsonb, jsonb, integer, tsquery, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_query"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_words"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."people_called"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plain_words"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_audit"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_message_reports"(text, timestamp WITH time zone, uuid, integer) TO "authenticated";

ALTER TABLE "public"."businesses"
  ADD COLUMN "words" tsvector GENERATED ALWAYS AS
    (private.name_words(((((((((name || ' '::text) || COALESCE(legal_name, ''::text)) || ' '::text) || COALESCE(city, ''::text)) || ' '::text) || COALESCE(postal_code, ''::text))
    || ' '::text) || COALESCE(industry, ''::text)))) STORED NOT NULL;

CREATE INDEX businesses_words_idx ON public.businesses USING gin (words);

-- Everyone who's here already.
SELECT private.index_people(ARRAY(SELECT p.user_id FROM public.profiles p));
