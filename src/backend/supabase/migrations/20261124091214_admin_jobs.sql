SET local check_function_bodies = off;

DROP INDEX "private"."jobs_created_at_idx";

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
    -- A coach has 5 business days to accept, which always are 7 days.
    'unaccepted', (
      select count(*) from public.engagements e
      where e.state = 'assigned' and e.assigned_at < now() - interval '7 days'
    ),
    'support', (
      select coalesce(sum(p.unread), 0)
      from public.conversation_participants p
      join public.conversations c on c.id = p.conversation_id
      where p.user_id = p_admin_id and p.left_at is null and p.unread > 0 and c.kind = 'support'
        and c.about_user_id is distinct from p_admin_id
    ),
    'reports', (select count(*) from public.message_reports r where r.state = 'open'),
    'jobs', (
      select count(*) from private.jobs j
      where j.kind <> 'mail'
        and (j.state = 'failed' or j.every is not null and j.last_error is not null)
    ),
    'mails', (select count(*) from private.jobs j where j.state = 'failed' and j.kind = 'mail'),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.reviewed_on < now() - interval '1 year'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.admin_jobs (
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
  perform private.audit('job.list', 'job', null, null, p_filter);
  return private.list_page(
    '(select j.*, private.name_words(j.payload ->> ''to'') as words from private.jobs j) r',
    $row$
      jsonb_build_object(
        'kind', r.kind, 'state', case when r.every is not null then 'scheduled' else r.state end,
        'to', r.payload ->> 'to', 'template', r.payload ->> 'template',
        'path', r.payload ->> 'path', 'attempts', r.attempts, 'error', r.last_error,
        'created_at', r.created_at, 'run_at', r.run_at, 'finished_at', r.finished_at
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'failed' then $where$(r.state = 'failed' or r.every is not null and r.last_error is not null)$where$
        when 'scheduled' then $where$r.every is not null$where$
        else case when p_filter ? 'state' then $where$r.every is null and r.state = $1 ->> 'state'$where$ end
      end,
      case p_filter ->> 'kind'
        when 'mail' then 'r.kind = ''mail'''
        when 'other' then 'r.kind <> ''mail'''
      end
    ],
    'r.created_at', 'timestamptz', coalesce(p_filter ->> 'sort', 'newest') = 'newest',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_jobs"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.set_conversation_muted (
  p_conversation_id uuid,
  p_muted           boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
begin
  update public.conversation_participants p set muted = coalesce(p_muted, false)
  where p.conversation_id = p_conversation_id and p.user_id = v_part.user_id;
  -- After the row, as in read_messages: in another order the two would wait for each other.
  perform private.count_writes('read_marks');
  perform private.tell_person(p_conversation_id, v_part.user_id);
  return jsonb_build_object('muted', coalesce(p_muted, false));
end
$function$;

CREATE INDEX jobs_failed_idx ON private.jobs USING btree (created_at, id)
  WHERE ((state = 'failed'::text) OR ((every IS NOT NULL) AND (last_error IS NOT NULL)));

CREATE INDEX jobs_newest_idx ON private.jobs USING btree (created_at, id);

COMMENT ON FUNCTION "public"."admin_jobs"(jsonb, jsonb, integer) IS 'A page of background jobs by {words (of an email''s recipient), state (also "scheduled"; "failed" includes scheduled ones whose last run failed), kind (of email or other work), sort ("newest", "oldest")}; see list_page.';

GRANT EXECUTE ON FUNCTION "public"."admin_jobs"(jsonb, jsonb, integer) TO "authenticated";

CREATE INDEX jobs_recipient_idx ON private.jobs USING gin (private.name_words((payload ->> 'to'::text)));
