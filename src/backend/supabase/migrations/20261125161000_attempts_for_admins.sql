SET local check_function_bodies = off;

CREATE TABLE "private"."attempt_words" (
  "attempt_id" uuid     NOT NULL,
  "words"      tsvector NOT NULL,
  CONSTRAINT "attempt_words_pkey" PRIMARY KEY (attempt_id)
);

ALTER TABLE "private"."attempt_words"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.name_attempt()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.name_attempts(case tg_table_name
    when 'attempts' then array[(to_jsonb(new) ->> 'id')::uuid]
    when 'businesses' then array(
      select t.id from public.attempts t where t.business_id = (to_jsonb(new) ->> 'id')::uuid
    )
    else array(
      select t.id from public.attempts t where t.user_id = (to_jsonb(new) ->> 'user_id')::uuid
    )
  end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.name_attempts (
  p_ids uuid[]
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.attempt_words as w (attempt_id, words)
  select t.id, private.name_words(concat_ws(' ', b.name, p.full_name, p.preferred_name))
  from public.attempts t
  left join public.businesses b on b.id = t.business_id
  left join public.profiles p on p.user_id = t.user_id
  where t.id = any (p_ids)
  on conflict (attempt_id) do update set words = excluded.words where w.words <> excluded.words
$function$;

CREATE OR REPLACE FUNCTION public.admin_attempts (
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
  v_since timestamptz;
begin
  perform private.require_admin();
  perform private.audit('attempt.list', 'attempt', null, null, p_filter);
  v_since := private.day_start((p_filter ->> 'since')::date);
  return private.list_page(
    $from$
      (
        select t.*, w.words
        from public.attempts t left join private.attempt_words w on w.attempt_id = t.id
      ) r
    $from$,
    $row$
      jsonb_build_object(
        'kind', r.kind, 'state', r.state, 'started_at', r.started_at,
        'submitted_at', r.submitted_at, 'void_reason', r.void_reason,
        'version', (select v.number from public.quiz_versions v where v.id = r.version_id),
        'business', (
          select jsonb_build_object('id', b.id, 'name', b.name)
          from public.businesses b where b.id = r.business_id
        ),
        'person', case when r.user_id is not null then
          jsonb_build_object('id', r.user_id, 'name', private.name_of(r.user_id)) end
      )
    $row$,
    array[
      case when p_filter ? 'state' then 'r.state = $1 ->> ''state''' end,
      case when p_filter ? 'version' then 'r.version_id = ($1 ->> ''version'')::uuid' end,
      -- Twice, because only the second is a range of the index that the list is in the order of, and
      -- as constants, because a function would be called for each row.
      case when v_since is not null then format(
        'r.submitted_at >= %1$L and coalesce(r.submitted_at, r.started_at) >= %1$L', v_since
      ) end
    ],
    'coalesce(r.submitted_at, r.started_at)', 'timestamptz',
    coalesce(p_filter ->> 'sort', 'newest') = 'newest',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'version', (
      select coalesce(jsonb_agg(
        jsonb_build_object('value', v.id, 'label', 'Version ' || v.number) order by v.number desc
      ), '[]')
      from public.quiz_versions v where v.state <> 'draft'
    )
  ) end);
exception
  when invalid_datetime_format or datetime_field_overflow then
    raise exception 'Choose a date.' using errcode = '22023', hint = 'since';
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_attempts"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

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
  v_attempt public.attempts;
begin
  select * into v_attempt from public.attempts t where t.id = p_attempt_id for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if not private.may_step('attempt', v_attempt.state, 'voided', 'admin') then
    raise exception 'Only a finished quiz can be set aside.' using errcode = '55000';
  end if;
  update public.attempts t
  set state = 'voided', voided_at = now(), void_reason = v_reason, voided_by = v_admin_id
  where t.id = p_attempt_id;
  perform private.audit('attempt.void', 'attempt', p_attempt_id::text, v_reason);
  perform private.notify(
    v_attempt.user_id, 'account', 'voided:' || p_attempt_id, 'We set one of your quiz results aside',
    'It’s the one of ' || private.day_words(v_attempt.submitted_at, v_attempt.user_id)
      || '. It doesn’t count anymore, and your coach can’t see it. You can take the quiz again whenever you like.'
      || E'\nThe reason: ' || v_reason,
    '/dashboard/skills/quiz/' || p_attempt_id
  );
  return jsonb_build_object('id', p_attempt_id, 'state', 'voided');
end
$function$;

ALTER TABLE "private"."attempt_words"
  ADD CONSTRAINT "attempt_words_attempt_id_fkey" FOREIGN KEY (attempt_id) REFERENCES public.attempts(id) ON DELETE CASCADE;

CREATE INDEX attempt_words_words_idx ON private.attempt_words USING gin (words);

CREATE INDEX attempts_listed_by_state_idx ON public.attempts USING btree (state, COALESCE(submitted_at, started_at), id);

CREATE INDEX attempts_listed_by_version_idx ON public.attempts USING btree (version_id, COALESCE(submitted_at, started_at), id);

CREATE INDEX attempts_listed_idx ON public.attempts USING btree (COALESCE(submitted_at, started_at), id);

CREATE TRIGGER name_attempt_first
  AFTER INSERT ON public.attempts
  FOR EACH ROW
  EXECUTE FUNCTION private.name_attempt();

CREATE TRIGGER name_attempt
  AFTER UPDATE ON public.attempts
  FOR EACH ROW
  WHEN (((old.user_id IS DISTINCT FROM new.user_id) OR (old.business_id IS DISTINCT FROM new.business_id)))
  EXECUTE FUNCTION private.name_attempt();

CREATE TRIGGER name_attempts
  AFTER UPDATE OF name ON public.businesses
  FOR EACH ROW
  WHEN ((old.name <> new.name))
  EXECUTE FUNCTION private.name_attempt();

CREATE TRIGGER name_attempts
  AFTER UPDATE OF full_name, preferred_name ON public.profiles
  FOR EACH ROW
  WHEN (((old.full_name IS DISTINCT FROM new.full_name) OR (old.preferred_name IS DISTINCT FROM new.preferred_name)))
  EXECUTE FUNCTION private.name_attempt();

COMMENT ON FUNCTION "private"."name_attempts"(uuid[]) IS 'Brings up to date what attempts are found by.';

COMMENT ON FUNCTION "public"."admin_attempts"(jsonb, jsonb, integer) IS 'A page of attempts by {words (of the business''s or the person''s name), state, version (its id), since (a day where the caller is: finished then or later), sort ("newest", "oldest": by when they were finished or, if they weren''t, started)}, with the choices of versions, and without scores; see list_page.';

COMMENT ON FUNCTION "public"."void_attempt"(uuid, text) IS 'An admin voids a submitted attempt with a reason, of which its owner is notified.';

COMMENT ON TABLE "private"."attempt_words" IS 'Words of the names of each attempt''s business and person, for admins'' searches. Triggers keep it current.';

REVOKE ALL ON FUNCTION "private"."name_attempt"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_attempts"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_attempts"(jsonb, jsonb, integer) TO "authenticated";

-- Those that are there already.
select private.name_attempts(array(select t.id from public.attempts t));
