SET local check_function_bodies = off;

CREATE TABLE "public"."business_worksheet_versions" (
  "business_id"   uuid                     NOT NULL,
  "kind"          text                     NOT NULL,
  "revision"      integer                  NOT NULL,
  "document"      jsonb                    NOT NULL,
  "saved_by"      uuid,
  "saved_at"      timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "restored_from" integer,
  "is_final"      boolean                  NOT NULL DEFAULT false,
  CONSTRAINT "business_worksheet_versions_pkey" PRIMARY KEY (business_id, kind, revision),
  CONSTRAINT "business_worksheet_versions_revision_check" CHECK ((revision > 0))
);

ALTER TABLE "public"."business_worksheet_versions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."business_worksheet_versions" FROM "anon", "service_role";

CREATE TABLE "public"."business_worksheets" (
  "business_id" uuid                     NOT NULL,
  "kind"        text                     NOT NULL,
  "document"    jsonb                    NOT NULL,
  "revision"    integer                  NOT NULL,
  "saved_by"    uuid,
  "saved_at"    timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "business_worksheets_document_check" CHECK ((jsonb_typeof(document) = 'object'::text)),
  CONSTRAINT "business_worksheets_kind_check" CHECK ((kind = ANY (ARRAY['forecast'::text, 'break-even'::text, 'cash-runway'::text, 'price'::text]))),
  CONSTRAINT "business_worksheets_pkey" PRIMARY KEY (business_id, kind),
  CONSTRAINT "business_worksheets_revision_check" CHECK ((revision > 0))
);

ALTER TABLE "public"."business_worksheets"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."business_worksheets" FROM "anon", "service_role";

CREATE OR REPLACE FUNCTION private.business_belongings (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'members', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', m.user_id, 'name', private.name_of(m.user_id),
        'email', (select u.email from auth.users u where u.id = m.user_id),
        'role', m.role, 'joined_at', m.joined_at
      ) order by m.role desc, m.joined_at, m.user_id), '[]')
      from public.business_members m where m.business_id = p_id
    ),
    'invitations', (
      select count(*) from public.business_invitations i
      where i.business_id = p_id and i.ended is null and i.expires_at > now()
    ),
    'snapshots', private.snapshots_json(p_id, null, 24),
    'plan', private.plan_progress(p_id) || jsonb_build_object('texts', (
      select coalesce(jsonb_object_agg(f.field, f.value), '{}')
      from public.business_plan_fields f where f.business_id = p_id and f.value <> ''
    )),
    'worksheets', (
      select coalesce(jsonb_object_agg(w.kind, jsonb_build_object(
        'document', w.document, 'saved_at', w.saved_at
      )), '{}')
      from public.business_worksheets w where w.business_id = p_id
    ),
    'tool_copies', (
      select count(*) from public.tool_copies c where c.business_id = p_id and c.removed_at is null
    ),
    -- How many and when, and nothing of what was answered.
    'attempts', (
      select jsonb_build_object(
        'open', count(*) filter (where t.state = 'in_progress'),
        'finished', count(*) filter (where t.state = 'submitted'),
        'people', count(distinct t.user_id) filter (where t.state = 'submitted'),
        'first_at', min(t.submitted_at) filter (where t.state = 'submitted'),
        'latest_at', max(t.submitted_at) filter (where t.state = 'submitted')
      )
      from public.attempts t where t.business_id = p_id
    ),
    'actions', (
      select jsonb_build_object(
        'open', count(*) filter (where c.state = 'open'),
        'done', count(*) filter (where c.state = 'done'),
        'dropped', count(*) filter (where c.state = 'dropped')
      )
      from public.attempts t
      join public.focus_areas f on f.attempt_id = t.id
      join public.focus_actions c on c.focus_area_id = f.id
      where t.business_id = p_id
    ),
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'title', p.title, 'status', p.status, 'due_on', p.due_on,
        'task_count', p.task_count, 'done_count', p.done_count
      ) order by p.updated_at desc, p.id), '[]')
      from (
        select * from public.projects j where j.business_id = p_id
        order by j.updated_at desc, j.id limit 25
      ) p
    ),
    'project_count', (select count(*) from public.projects p where p.business_id = p_id),
    'coaching', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', e.id, 'state', e.state, 'requested_at', e.requested_at,
        'assigned_at', e.assigned_at, 'closed_at', e.closed_at,
        'owner', private.name_of(e.owner_id), 'coach', private.name_of(e.coach_id)
      ) order by e.requested_at desc, e.id), '[]')
      from (
        select * from public.engagements x where x.business_id = p_id
        order by x.requested_at desc, x.id limit 50
      ) e
    ),
    -- Only those that someone who takes part asked the admins to read.
    'reports', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', x.id, 'state', x.state, 'about', x.kind, 'created_at', x.created_at
      ) order by x.created_at desc, x.id), '[]')
      from (
        select r.id, r.state, r.created_at, c.kind
        from public.conversations c
        join public.message_reports r on r.conversation_id = c.id
        where c.project_id in (select p.id from public.projects p where p.business_id = p_id)
          or c.engagement_id in (select e.id from public.engagements e where e.business_id = p_id)
        order by r.created_at desc, r.id limit 50
      ) x
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.erase_business (
  p_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.withdraw_coaching(p_id, null, 'The owner’s account was deleted.');
  perform private.end_seats_of(p_id);
  -- In this bucket alone: ids come from browsers, and may be those of something else elsewhere. The
  -- files of one that was merged into another belong to that one now.
  if private.merged_into(p_id) is null then
    perform private.remove_folder('project-files', m) from private.merged_ids(array[p_id]) m;
  end if;

  perform set_config('trellis.erasing', 'on', true);
  delete from public.project_files f where f.business_id = p_id;
  delete from public.project_tasks t where t.business_id = p_id;
  delete from public.project_updates u where u.business_id = p_id;
  delete from public.project_events e where e.business_id = p_id;
  delete from public.projects p where p.business_id = p_id;
  delete from public.tool_copies c where c.business_id = p_id;
  delete from public.business_plan_fields f where f.business_id = p_id;
  delete from public.business_worksheets w where w.business_id = p_id;
  delete from public.business_snapshots s where s.business_id = p_id;
  delete from public.business_invitations i where i.business_id = p_id;
  perform set_config('trellis.erasing', '', true);

  -- What is left says which kind of business answered the quiz, and no longer which one.
  update public.businesses b set
    name = 'A deleted business', postal_code = null, help_wanted = null, legal_name = null,
    start_date = null, address_line1 = null, address_line2 = null, city = null, region = null,
    country = null, phone = null, website = null, home_based = null, description = null,
    archived_at = coalesce(b.archived_at, now())
  where b.id = p_id;
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
    ('business_worksheets', 't.business_id = any ($3)', '{}'),
    ('business_worksheet_versions', 't.business_id = any ($3) or t.saved_by = $1', '{is_final}'),
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
    ('newsletter_deliveries', 't.contact_id in (select c.id from public.contacts c where c.email = $2)', '{leave_secret,leave_hash,run_at,attempts,failing_since,last_error}'),
    -- Issues that they wrote or sent as an admin.
    ('newsletter_issues', '$1 in (t.created_by, t.updated_by, t.sent_by)', '{words}'),
    ('hubspot_records', 't.kind = ''contact'' and t.label = $2', '{words,hash,sent_hash,in_doubt,version}'),
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

CREATE OR REPLACE FUNCTION private.has_keys (
  p_value  jsonb,
  VARIADIC p_keys text[]
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when jsonb_typeof(p_value) = 'object'
    then p_value ?& p_keys and (p_value - p_keys) = '{}'
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_calculator (
  p_document jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when jsonb_typeof(p_document) = 'object'
    then (
      select count(*) <= 10 and coalesce(bool_and(
        f.key ~ '^[a-z]{1,20}$' and jsonb_typeof(f.value) = 'string'
        and char_length(f.value #>> '{}') <= 40
      ), true)
      from jsonb_each(p_document) f
    )
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_cents (
  p_value jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case jsonb_typeof(p_value)
    when 'null' then true
    when 'number' then abs((p_value)::numeric) <= 100000000000 and (p_value)::numeric % 1 = 0
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_forecast (
  p_document jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when private.has_keys(p_document, 'start', 'opening', 'floor', 'rows', 'whatIf', 'past')
      and jsonb_typeof(p_document -> 'rows') = 'array'
      and jsonb_array_length(p_document -> 'rows') <= 60
      and jsonb_typeof(p_document -> 'past') = 'array'
      and jsonb_array_length(p_document -> 'past') <= 24
    then private.is_month(p_document -> 'start')
      and private.is_cents(p_document -> 'opening') and private.is_cents(p_document -> 'floor')
      and (
        select coalesce(bool_and(private.is_forecast_row(r)), true)
          and count(*) = count(distinct r -> 'id')
          and count(*) filter (where r ->> 'side' = 'in') <= 30
          and count(*) filter (where r ->> 'side' = 'out') <= 30
        from jsonb_array_elements(p_document -> 'rows') r
      )
      and private.is_what_if(p_document -> 'whatIf')
      and (
        select coalesce(bool_and(private.is_past_month(m)), true)
        from jsonb_array_elements(p_document -> 'past') m
      )
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_forecast_row (
  p_row jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when private.has_keys(p_row, 'id', 'side', 'kind', 'name', 'amounts')
      and jsonb_typeof(p_row -> 'name') = 'string' and jsonb_typeof(p_row -> 'id') = 'string'
      and jsonb_typeof(p_row -> 'amounts') = 'array'
    then char_length(p_row ->> 'id') between 1 and 36
      and char_length(p_row ->> 'name') between 1 and 60
      and case p_row ->> 'side'
        when 'in' then coalesce(p_row ->> 'kind' in ('sale', 'invoice', 'funding'), false)
        when 'out' then coalesce(p_row ->> 'kind' in ('variable', 'fixed'), false)
        else false
      end
      and jsonb_array_length(p_row -> 'amounts') = 12
      and (select bool_and(private.is_cents(a)) from jsonb_array_elements(p_row -> 'amounts') a)
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_month (
  p_value jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(
    jsonb_typeof(p_value) = 'string' and p_value #>> '{}' ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$', false
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_past_month (
  p_month jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when private.has_keys(p_month, 'month', 'rows', 'planned', 'actual')
      and jsonb_typeof(p_month -> 'rows') = 'array' and jsonb_array_length(p_month -> 'rows') <= 60
    then private.is_month(p_month -> 'month')
      and jsonb_typeof(p_month -> 'planned') = 'number'
      and jsonb_typeof(p_month -> 'actual') in ('number', 'null')
      and (
        select coalesce(bool_and(private.is_past_row(r)), true)
        from jsonb_array_elements(p_month -> 'rows') r
      )
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_past_row (
  p_row jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when private.has_keys(p_row, 'name', 'side', 'planned', 'actual')
    then jsonb_typeof(p_row -> 'name') = 'string' and char_length(p_row ->> 'name') <= 60
      and coalesce(p_row ->> 'side' in ('in', 'out'), false)
      and private.is_cents(p_row -> 'planned') and private.is_cents(p_row -> 'actual')
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_percent (
  p_value jsonb,
  p_least numeric,
  p_most  numeric
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when jsonb_typeof(p_value) = 'number'
    then (p_value)::numeric between p_least and p_most and (p_value)::numeric * 10 % 1 = 0
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_what_if (
  p_what jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when private.has_keys(p_what, 'late', 'price', 'hire')
      and private.has_keys(p_what -> 'late', 'on', 'percent', 'months')
      and private.has_keys(p_what -> 'price', 'on', 'from', 'percent', 'volume')
      and private.has_keys(p_what -> 'hire', 'on', 'from', 'cents', 'taxes')
    then (
        select bool_and(jsonb_typeof(w.value -> 'on') = 'boolean') from jsonb_each(p_what) w
      )
      and private.is_percent(p_what #> '{late,percent}', 0, 100)
      and p_what #> '{late,months}' in ('1', '2', '3', '4', '5', '6')
      and private.is_month(p_what #> '{price,from}')
      and private.is_percent(p_what #> '{price,percent}', -100, 1000)
      and private.is_percent(p_what #> '{price,volume}', -100, 1000)
      and private.is_month(p_what #> '{hire,from}')
      and jsonb_typeof(p_what #> '{hire,cents}') = 'number'
      and private.is_cents(p_what #> '{hire,cents}')
      and private.is_percent(p_what #> '{hire,taxes}', 0, 100)
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.merge_parts()
  RETURNS TABLE (
    name  text,
    key   text,
    stays text
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  values
    -- A person finishes the quiz they've begun in the business that's kept.
    ('attempts', 'id', $c$t.state = 'in_progress' and t.kind = 'full' and exists (
      select from public.attempts o
      where o.business_id = $2 and o.user_id = t.user_id and o.state = 'in_progress'
        and o.kind = 'full'
    )$c$),
    ('business_invitations', 'id', $c$t.ended is null and exists (
      select from public.business_invitations o
      where o.business_id = $2 and o.address = t.address and o.ended is null
    )$c$),
    -- With its history, by the foreign key.
    ('business_plan_fields', 'field', $c$exists (
      select from public.business_plan_fields o where o.business_id = $2 and o.field = t.field
    )$c$),
    ('business_snapshots', 'id', 'false'),
    -- With its history, too.
    ('business_worksheets', 'kind', $c$exists (
      select from public.business_worksheets o where o.business_id = $2 and o.kind = t.kind
    )$c$),
    ('engagements', 'id', 'false'),
    ('orders', 'id', 'false'),
    ('session_grants', 'id', 'false'),
    ('seats', 'id', $c$t.state = 'activated' and exists (
      select from public.seats o
      where o.business_id = $2 and o.program_id = t.program_id and o.state = 'activated'
    )$c$),
    -- With their tasks, files, updates and events, by the foreign keys.
    ('projects', 'id', 'false'),
    ('tool_copies', 'id', 'false')
$function$;

CREATE OR REPLACE FUNCTION private.worksheet_json (
  p_business_id uuid,
  p_kind        text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce((
    select jsonb_build_object(
      'document', w.document, 'revision', w.revision,
      'saved_by', private.name_of(w.saved_by), 'saved_at', w.saved_at
    )
    from public.business_worksheets w where w.business_id = p_business_id and w.kind = p_kind
  ), jsonb_build_object('document', null, 'revision', 0, 'saved_by', null, 'saved_at', null))
$function$;

CREATE OR REPLACE FUNCTION private.write_worksheet (
  p_business_id   uuid,
  p_kind          text,
  p_document      jsonb,
  p_restored_from integer
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Versions of a worksheet.
  c_kept constant int := 400;
  v_user_id uuid := auth.uid();
  v_revision int;
begin
  insert into public.business_worksheets as w (
    business_id, kind, document, revision, saved_by, saved_at
  ) values (p_business_id, p_kind, p_document, 1, v_user_id, clock_timestamp())
  on conflict (business_id, kind) do update
    set document = excluded.document, revision = w.revision + 1, saved_by = excluded.saved_by,
      saved_at = excluded.saved_at
  returning w.revision into v_revision;

  -- The newest version goes on, if it's the same person's and of the same day where they are.
  update public.business_worksheet_versions v
  set revision = v_revision, document = p_document, saved_at = clock_timestamp()
  where v.business_id = p_business_id and v.kind = p_kind and v.revision = v_revision - 1
    and v.saved_by = v_user_id and not v.is_final and v.restored_from is null
    and p_restored_from is null and v.saved_at >= private.day_start(v_user_id);
  if not found then
    insert into public.business_worksheet_versions (
      business_id, kind, revision, document, saved_by, restored_from
    ) values (p_business_id, p_kind, v_revision, p_document, v_user_id, p_restored_from);
    -- Refusing to save would be worse than forgetting the oldest of so many.
    delete from public.business_worksheet_versions v
    where v.business_id = p_business_id and v.kind = p_kind and v.revision <= (
      select o.revision from public.business_worksheet_versions o
      where o.business_id = p_business_id and o.kind = p_kind
      order by o.revision desc offset c_kept limit 1
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.get_business (
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
  v_business public.businesses;
  v_role text;
begin
  select * into v_business from public.businesses b
  where b.id = p_id and b.id = any (array(select private.readable_business_ids()));
  if not found then
    return null;
  end if;
  select m.role into v_role from public.business_members m
  where m.business_id = p_id and m.user_id = v_user_id;
  return jsonb_build_object(
    'id', v_business.id, 'role', v_role, 'archived_at', v_business.archived_at,
    'merged_into', private.merged_into(p_id),
    'facts', private.business_facts(v_business),
    'snapshots', private.snapshots_json(p_id, null, 24),
    -- Who belongs to it is for its members.
    'members', case when v_role is null then '[]'::jsonb else coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'user_id', m.user_id, 'name', private.name_of(m.user_id), 'role', m.role,
          'joined_at', m.joined_at
        ) order by m.role desc, m.joined_at, m.user_id
      )
      from (
        select * from public.business_members a where a.business_id = p_id
        order by a.role desc, a.joined_at limit 200
      ) m
    ), '[]') end,
    'invitations', case when v_role is distinct from 'owner' then '[]'::jsonb else coalesce((
      select jsonb_agg(private.invitation_json(i.id) order by i.created_at desc, i.id)
      from public.business_invitations i where i.business_id = p_id and i.ended is null
    ), '[]') end,
    'plan', private.plan_progress(p_id),
    'forecast', (
      select jsonb_build_object('saved_at', w.saved_at)
      from public.business_worksheets w where w.business_id = p_id and w.kind = 'forecast'
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_worksheet (
  p_business_id uuid,
  p_kind        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'business_id', b.id, 'name', b.name, 'archived', b.archived_at is not null,
      'role', (
        select m.role from public.business_members m
        where m.business_id = b.id and m.user_id = v_user_id
      ),
      'sheet', private.worksheet_json(b.id, p_kind)
    )
    from public.businesses b
    where b.id = p_business_id and b.id = any (array(select private.readable_business_ids()))
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_worksheet"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_worksheet_versions (
  p_business_id uuid,
  p_kind        text,
  p_before      integer DEFAULT NULL::integer,
  p_limit       integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_session();
  if not p_business_id = any (array(select private.readable_business_ids())) then
    raise exception 'We can’t find this business.' using errcode = 'P0002';
  end if;
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'revision', v.revision, 'document', v.document, 'saved_at', v.saved_at,
        'saved_by', private.name_of(v.saved_by), 'restored_from', v.restored_from
      ) order by v.revision desc
    ), '[]')
    from (
      select * from public.business_worksheet_versions a
      where a.business_id = p_business_id and a.kind = p_kind
        and (p_before is null or a.revision < p_before)
      order by a.revision desc limit least(greatest(coalesce(p_limit, 20), 1), 50)
    ) v
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_worksheet_versions"(uuid, text, integer, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.restore_worksheet_version (
  p_business_id uuid,
  p_kind        text,
  p_revision    integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_document jsonb;
  v_now jsonb;
begin
  perform private.require_session();
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  perform private.one_at_a_time('worksheet', p_business_id);
  select v.document into v_document from public.business_worksheet_versions v
  where v.business_id = p_business_id and v.kind = p_kind and v.revision = p_revision;
  if not found then
    raise exception 'We can’t find this version.' using errcode = 'P0002';
  end if;
  select w.document into v_now from public.business_worksheets w
  where w.business_id = p_business_id and w.kind = p_kind;
  if v_now <> v_document then
    -- What's there now stays in the history as well.
    update public.business_worksheet_versions v set is_final = true
    where v.business_id = p_business_id and v.kind = p_kind and v.revision = (
      select w.revision from public.business_worksheets w
      where w.business_id = p_business_id and w.kind = p_kind
    );
    perform private.write_worksheet(p_business_id, p_kind, v_document, p_revision);
  end if;
  return private.worksheet_json(p_business_id, p_kind);
end
$function$;

REVOKE ALL ON FUNCTION "public"."restore_worksheet_version"(uuid, text, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_worksheet (
  p_business_id   uuid,
  p_kind          text,
  p_document      jsonb,
  p_base_revision integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_before public.business_worksheets;
  v_saved boolean := true;
begin
  perform private.require_session();
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  if p_kind is null or p_kind not in ('forecast', 'break-even', 'cash-runway', 'price') then
    raise exception 'There’s no such worksheet.' using errcode = '22023', hint = 'kind';
  end if;
  if octet_length(p_document::text) > 200000 then
    raise exception 'That’s too much for one worksheet. Remove some rows.'
      using errcode = '22023', hint = 'document';
  end if;
  if not coalesce(case p_kind when 'forecast' then private.is_forecast(p_document)
      else private.is_calculator(p_document) end, false) then
    raise exception 'Something in these figures can’t be saved. Reload the page and try again.'
      using errcode = '22023', hint = 'document';
  end if;

  perform private.one_at_a_time('worksheet', p_business_id);
  select * into v_before from public.business_worksheets w
  where w.business_id = p_business_id and w.kind = p_kind;
  if v_before.document is distinct from p_document then
    v_saved := coalesce(v_before.revision, 0) = coalesce(p_base_revision, 0);
    if v_saved then
      perform private.write_worksheet(p_business_id, p_kind, p_document, null);
    end if;
  end if;
  return jsonb_build_object(
    'saved', v_saved, 'sheet', private.worksheet_json(p_business_id, p_kind)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_worksheet"(uuid, text, jsonb, integer) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "public"."business_worksheets"
  ADD CONSTRAINT "business_worksheets_business_id_fkey" FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;

ALTER TABLE "public"."business_worksheet_versions"
  ADD CONSTRAINT "business_worksheet_versions_business_id_kind_fkey" FOREIGN KEY (business_id, kind) REFERENCES public.business_worksheets(business_id, kind) ON UPDATE CASCADE
    ON DELETE CASCADE;

ALTER TABLE "public"."business_worksheets"
  ADD CONSTRAINT "business_worksheets_saved_by_fkey" FOREIGN KEY (saved_by) REFERENCES auth.users(id) ON DELETE SET NULL;

CREATE INDEX business_worksheets_saved_by_idx ON public.business_worksheets USING btree (saved_by);

CREATE TRIGGER business_worksheets_insert_is_limited AFTER INSERT ON public.business_worksheets REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('business_worksheets', 'each row');

CREATE TRIGGER business_worksheets_update_is_limited AFTER UPDATE ON public.business_worksheets REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('business_worksheets', 'each statement');

CREATE POLICY "Those who read a worksheet read its history" ON "public"."business_worksheet_versions"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (business_id = ANY (ARRAY( SELECT private.readable_business_ids() AS readable_business_ids)))));

CREATE POLICY "Members and the assigned coach read worksheets" ON "public"."business_worksheets"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (business_id = ANY (ARRAY( SELECT private.readable_business_ids() AS readable_business_ids)))));

COMMENT ON FUNCTION "private"."has_keys"(jsonb, text[]) IS 'Whether a value is an object with these keys and no others.';

COMMENT ON FUNCTION "private"."is_calculator"(jsonb) IS 'Whether a document holds what was typed into a calculator, by field.';

COMMENT ON FUNCTION "private"."is_cents"(jsonb) IS 'Whether a value is whole cents, at most a billion dollars either way, or null.';

COMMENT ON FUNCTION "private"."is_forecast"(jsonb) IS 'Whether a document is a forecast as src/domain/forecast.ts defines it.';

COMMENT ON FUNCTION "private"."is_forecast_row"(jsonb) IS 'Whether a value is a row of a forecast: its id, side, kind, name and twelve amounts.';

COMMENT ON FUNCTION "private"."is_month"(jsonb) IS 'Whether a value is a month: "2026-12".';

COMMENT ON FUNCTION "private"."is_past_month"(jsonb) IS 'Whether a value is a month of a forecast that''s over.';

COMMENT ON FUNCTION "private"."is_past_row"(jsonb) IS 'Whether a value is a row of a month that''s over: what was planned and what happened.';

COMMENT ON FUNCTION "private"."is_percent"(jsonb, numeric, numeric) IS 'Whether a value is a number within limits, with at most one decimal.';

COMMENT ON FUNCTION "private"."is_what_if"(jsonb) IS 'Whether a value holds the three what-ifs of a forecast.';

COMMENT ON FUNCTION "private"."worksheet_json"(uuid, text) IS 'A worksheet: {document, revision, saved_by, saved_at}; revision 0 if there''s none yet.';

COMMENT ON FUNCTION "public"."get_worksheet"(uuid, text) IS 'A worksheet of a business: {business_id, name, archived, role, sheet}; null if the caller can''t read it. role is null for the coach.';

COMMENT ON FUNCTION "public"."list_worksheet_versions"(uuid, text, integer, integer) IS 'Earlier versions of a worksheet, newest first, with author and time, for anyone who can read it.';

COMMENT ON FUNCTION "public"."restore_worksheet_version"(uuid, text, integer) IS 'A member restores an older version of a worksheet as a new one; returns the resulting worksheet.';

COMMENT ON FUNCTION "public"."save_worksheet"(uuid, text, jsonb, integer) IS 'A member saves a worksheet based on the given revision (0 for a new one): {saved, sheet}. If someone was faster, nothing is saved and sheet is theirs.';

COMMENT ON TABLE "public"."business_worksheet_versions" IS 'Earlier versions of worksheets: each person''s last one of each day, with author and time.';

COMMENT ON TABLE "public"."business_worksheets" IS 'The cash forecast and the calculators of a business, one of each kind, as they are now.';

REVOKE ALL ON FUNCTION "private"."has_keys"(jsonb, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_calculator"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_cents"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_forecast"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_forecast_row"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_month"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_past_month"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_past_row"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_percent"(jsonb, numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_what_if"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."worksheet_json"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_worksheet"(uuid, text, jsonb, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."get_worksheet"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_worksheet_versions"(uuid, text, integer, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."restore_worksheet_version"(uuid, text, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_worksheet"(uuid, text, jsonb, integer) TO "authenticated";

REVOKE ALL ON TABLE "public"."business_worksheet_versions" FROM "authenticated";

GRANT SELECT ON TABLE "public"."business_worksheet_versions" TO "authenticated";

REVOKE ALL ON TABLE "public"."business_worksheets" FROM "authenticated";

GRANT SELECT ON TABLE "public"."business_worksheets" TO "authenticated";

INSERT INTO private.write_limits (kind, on_table, on_event, a_minute, a_day, what) VALUES
  ('business_worksheets', 'business_worksheets', 'insert or update', 240, 10000,
    'made a lot of changes to a forecast or a calculator');
