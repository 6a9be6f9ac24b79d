SET local check_function_bodies = off;

DROP POLICY "Everyone signed in reads published items, admins read all" ON "public"."toolbox_items";

CREATE TABLE "public"."toolbox_versions" (
  "id"            uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "item_id"       uuid                     NOT NULL,
  "version"       integer,
  "based_on"      integer,
  "slug"          text                     NOT NULL DEFAULT ''::text,
  "title"         text                     NOT NULL DEFAULT ''::text,
  "summary"       text                     NOT NULL DEFAULT ''::text,
  "type"          text                     NOT NULL,
  "area_key"      text                     NOT NULL,
  "practice"      text,
  "levels"        text[]                   NOT NULL,
  "minutes"       integer,
  "format"        text                     NOT NULL DEFAULT ''::text,
  "calculator"    text,
  "body_markdown" text                     NOT NULL DEFAULT ''::text,
  "change"        text,
  "from_content"  boolean                  NOT NULL DEFAULT false,
  "revision"      integer                  NOT NULL DEFAULT 1,
  "created_by"    uuid,
  "updated_by"    uuid,
  "published_by"  uuid,
  "created_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "published_at"  timestamp with time zone,
  CONSTRAINT "toolbox_versions_body_markdown_check" CHECK ((char_length(body_markdown) <= 60000)),
  CONSTRAINT "toolbox_versions_calculator_check" CHECK ((calculator = ANY (ARRAY['break-even'::text, 'cash-runway'::text, 'price'::text]))),
  CONSTRAINT "toolbox_versions_change_check" CHECK (((char_length(change) >= 1) AND (char_length(change) <= 300))),
  CONSTRAINT "toolbox_versions_check1" CHECK (((version IS NULL) = (published_at IS NULL))),
  CONSTRAINT "toolbox_versions_check2" CHECK (((published_at IS NULL) OR ((title <> ''::text) AND (minutes IS NOT NULL) AND (cardinality(levels) > 0)))),
  CONSTRAINT "toolbox_versions_check" CHECK (((practice ~ '^[a-z-]+\.[a-z-]+$'::text) AND starts_with(practice, (area_key || '.'::text)))),
  CONSTRAINT "toolbox_versions_item_id_version_key" UNIQUE (item_id, VERSION),
  CONSTRAINT "toolbox_versions_levels_check" CHECK ((levels <@ ARRAY['starting'::text, 'developing'::text, 'established'::text, 'strong'::text])),
  CONSTRAINT "toolbox_versions_minutes_check" CHECK ((minutes > 0)),
  CONSTRAINT "toolbox_versions_pkey" PRIMARY KEY (id),
  CONSTRAINT "toolbox_versions_slug_check" CHECK ((char_length(slug) <= 60)),
  CONSTRAINT "toolbox_versions_summary_check" CHECK ((char_length(summary) <= 600)),
  CONSTRAINT "toolbox_versions_title_check" CHECK ((char_length(title) <= 160)),
  CONSTRAINT "toolbox_versions_type_check"
    CHECK ((type = ANY (ARRAY['template'::text, 'guide'::text, 'worksheet'::text, 'calculator'::text, 'checklist'::text, 'video'::text, 'link'::text]))),
  CONSTRAINT "toolbox_versions_version_check" CHECK ((version > 0))
);

ALTER TABLE "public"."toolbox_versions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."toolbox_versions" FROM "anon", "authenticated", "service_role";

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "review_months" integer NOT NULL DEFAULT 12;

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "review_due_on" date GENERATED ALWAYS AS (((reviewed_on + make_interval(months => review_months)))::date) STORED NOT NULL;

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "archived_at" timestamp WITH time zone;

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "archived_reason" text;

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "built_version" integer;

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "built_reviewed_on" date;

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "is_as_built" boolean GENERATED ALWAYS AS
    (((state = 'published'::text) AND (NOT (VERSION IS DISTINCT FROM built_version)) AND (NOT (reviewed_on IS DISTINCT FROM built_reviewed_on)))) STORED NOT NULL;

CREATE OR REPLACE FUNCTION private.add_first_version()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into public.toolbox_versions (
    item_id, version, title, summary, type, area_key, practice, levels, minutes, format, calculator,
    body_markdown, from_content, published_at
  ) values (
    new.id, new.version, new.title, new.summary, new.type, new.area_key, new.practice, new.levels,
    new.minutes, new.format, new.calculator, new.body_markdown, true, now()
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.admin_tool_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', i.id, 'slug', i.slug, 'title', i.title, 'state', i.state, 'version', i.version,
    'reviewed_on', i.reviewed_on, 'review_months', i.review_months,
    'review_due_on', i.review_due_on, 'archived_at', i.archived_at,
    'archived_reason', i.archived_reason,
    'content', case when i.state <> 'draft' then private.tool_content(to_jsonb(i)) end,
    'draft', (
      select private.tool_version_json(d) from public.toolbox_versions d
      where d.item_id = i.id and d.published_at is null
    ),
    'versions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'version', v.version, 'change', v.change, 'published_at', v.published_at,
        'from_content', v.from_content, 'by', private.name_of(v.published_by)
      ) order by v.version desc), '[]')
      from public.toolbox_versions v where v.item_id = i.id and v.published_at is not null
    ),
    'saved', (
      select count(m.saved_at) from public.toolbox_marks m where m.item_id = i.id
    ),
    'done', (
      select count(m.done_at) from public.toolbox_marks m where m.item_id = i.id
    ),
    'copies', (select count(*) from public.tool_copies c where c.item_id = i.id),
    -- Other published tools for the practices, by which the editor says that one is taken.
    'taken', (
      select coalesce(jsonb_agg(
        jsonb_build_object('practice', o.practice, 'title', o.title, 'id', o.id) order by o.title
      ), '[]')
      from public.toolbox_items o
      where o.state = 'published' and o.practice is not null and o.id <> i.id
    ),
    'areas', (
      select jsonb_agg(jsonb_build_object(
        'key', a.key, 'name', a.name, 'practices', (
          select coalesce(jsonb_agg(
            jsonb_build_object('key', q.key, 'name', q.practice) order by q.position
          ), '[]')
          from public.quiz_questions q
          join public.quiz_versions v on v.id = q.version_id and v.state = 'published'
          where q.area_key = a.key
        )
      ) order by a.position)
      from public.skill_areas a
    )
  )
  from public.toolbox_items i where i.id = p_id
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
    ('toolbox_versions', '$1 in (t.created_by, t.updated_by, t.published_by)', '{}'),
    ('newsletter_issues', '$1 in (t.created_by, t.updated_by, t.sent_by)', '{words}'),
    ('hubspot_records', 't.kind = ''contact'' and t.label = $2', '{words,hash,sent_hash,in_doubt,version}'),
    -- Whether a project of theirs is mirrored, and where; what's in it is in the project.
    ('wrike_mirrors', 't.project_id in (select p.id from public.projects p where p.business_id = any ($3))', '{sent,version,attempts,account_id,folder_id}'),
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

CREATE OR REPLACE FUNCTION private.keep_published_tool()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if old.state <> 'draft' and new.slug <> old.slug then
    raise exception 'The address of a published tool stays the same.' using errcode = '55000';
  end if;
  if (new.version, private.tool_content(to_jsonb(new)))
      is distinct from (old.version, private.tool_content(to_jsonb(old)))
    or (old.state = 'draft' and new.state <> 'draft')
  then
    if new.state <> 'draft' and not exists (
      select from public.toolbox_versions v
      where v.item_id = new.id and v.version = new.version
        and private.tool_content(to_jsonb(v)) = private.tool_content(to_jsonb(new))
    ) then
      raise exception 'A published tool only changes with a new version of it.' using errcode = '55000';
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_published_version()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Become null when the account is deleted.
  c_people constant text[] := array['created_by', 'updated_by', 'published_by'];
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(old) - c_people = to_jsonb(new) - c_people then
      return new;
    end if;
  -- With the whole tool, which only SQL can delete.
  elsif not exists (select from public.toolbox_items i where i.id = old.item_id) then
    return old;
  end if;
  raise exception 'This version was published, so it can’t change anymore. Edit the tool to make the next one.'
    using errcode = '55000';
end
$function$;

CREATE OR REPLACE FUNCTION private.kept_tool_ids()
  RETURNS SETOF uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return query
    select m.item_id from public.toolbox_marks m where m.user_id = auth.uid()
    union all
    select c.item_id from public.tool_copies c
    where c.removed_at is null and c.item_id is not null
      and c.business_id in (select private.readable_business_ids());
end
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
    'quotes', (
      select count(*) from public.orders o where o.state = 'draft' and o.method = 'purchase_order'
    ),
    'purchase_orders', (select count(*) from public.orders o where o.state = 'po_received'),
    'overdue', (
      select count(*) from public.orders o
      where o.state = 'invoiced' and o.invoice_due_on < private.coaching_day()
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
    'hubspot', (
      select count(*) from private.hubspot_records r
      where r.state = 'refused' or r.id in (
        select l.contact_id from private.hubspot_links l where l.linked_at is null
      )
    ),
    'wrike', (select count(*) from private.wrike_mirrors m where m.state = 'refused'),
    'toggles', (
      select count(*) from private.toggles t where t.expires_on <= current_date + 14
    ),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.review_due_on < current_date
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.require_tool (
  p_id uuid
)
  RETURNS public.toolbox_items
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_item public.toolbox_items;
begin
  select * into v_item from public.toolbox_items i where i.id = p_id for update;
  if not found then
    raise exception 'We can’t find this tool.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_item;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_tool_draft (
  p_id uuid
)
  RETURNS public.toolbox_versions
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_draft public.toolbox_versions;
begin
  select * into v_draft from public.toolbox_versions v where v.id = p_id for update;
  if not found then
    raise exception 'This draft is gone.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_draft;
end
$function$;

CREATE OR REPLACE FUNCTION private.show_tool_version (
  p_version     public.toolbox_versions,
  p_reviewed_on date,
  p_slug        text                    DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.toolbox_items i set
    slug = coalesce(p_slug, i.slug), title = p_version.title, summary = p_version.summary,
    type = p_version.type, area_key = p_version.area_key, practice = p_version.practice,
    levels = p_version.levels, minutes = p_version.minutes, format = p_version.format,
    calculator = p_version.calculator, body_markdown = p_version.body_markdown,
    version = p_version.version, reviewed_on = p_reviewed_on, state = 'published'
  where i.id = p_version.item_id
$function$;

CREATE OR REPLACE FUNCTION private.tool_changes (
  p_item_id uuid,
  p_after   integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(
    jsonb_build_object('version', v.version, 'change', v.change) order by v.version
  ), '[]')
  from public.toolbox_versions v
  where v.item_id = p_item_id and v.version > p_after
$function$;

CREATE OR REPLACE FUNCTION private.tool_content (
  p_row jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select jsonb_object_agg(k, p_row -> k)
  from unnest(array[
    'title', 'summary', 'type', 'area_key', 'practice', 'levels', 'minutes', 'format', 'calculator',
    'body_markdown'
  ]) k
$function$;

CREATE OR REPLACE FUNCTION private.tool_slug (
  p_wanted text,
  p_title  text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- A page of the site.
  c_taken constant text := 'current';
  v_words text := btrim(regexp_replace(private.plain_words(p_title), '[^a-z0-9]+', '-', 'g'), '-');
  v_base text := coalesce(nullif(btrim(pg_catalog.left(v_words, 60), '-'), ''), 'tool');
  v_slug text := coalesce(nullif(p_wanted, ''), v_base);
  v_number int := 1;
begin
  if v_slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' then
    raise exception 'Use lowercase letters, digits and hyphens: price-increase-letter.'
      using errcode = '22023', hint = 'slug';
  end if;
  while v_slug = c_taken or exists (select from public.toolbox_items i where i.slug = v_slug) loop
    if p_wanted <> '' then
      raise exception 'Another tool has this address. Choose another one.'
        using errcode = '22023', hint = 'slug';
    end if;
    v_number := v_number + 1;
    v_slug := v_base || '-' || v_number;
  end loop;
  return v_slug;
end
$function$;

CREATE OR REPLACE FUNCTION private.tool_version_json (
  p_version public.toolbox_versions
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.tool_content(to_jsonb(p_version)) || jsonb_build_object(
    'id', p_version.id, 'slug', p_version.slug, 'version', p_version.version,
    'based_on', p_version.based_on, 'revision', p_version.revision,
    'updated_at', p_version.updated_at, 'updated_by', p_version.updated_by,
    'updated_by_name', private.name_of(p_version.updated_by)
  )
$function$;

CREATE OR REPLACE FUNCTION public.admin_tool (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  -- Nothing about a person, and read again while it's edited, so it isn't in the audit log.
  return private.admin_tool_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_tool"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_tool_version (
  p_id      uuid,
  p_version integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  return (
    select private.tool_version_json(v) from public.toolbox_versions v
    where v.item_id = p_id and v.version = p_version
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_tool_version"(uuid, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_tools (
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
  v_sort constant text := coalesce(p_filter ->> 'sort', 'title');
begin
  perform private.require_admin();
  perform private.audit('tool.list', 'tool', null, null, p_filter);
  return private.list_page(
    'public.toolbox_items r',
    $row$
      (
        select jsonb_build_object(
          'slug', r.slug, 'title', r.title, 'area', a.name, 'practice', (
            select q.practice from public.quiz_questions q
            join public.quiz_versions qv on qv.id = q.version_id
            where q.key = r.practice order by qv.number desc limit 1
          ),
          'type', r.type, 'levels', r.levels, 'state', r.state, 'version', r.version,
          'reviewed_on', r.reviewed_on, 'review_due_on', r.review_due_on,
          'has_draft', r.state <> 'draft' and exists (
            select from public.toolbox_versions d where d.item_id = r.id and d.published_at is null
          ),
          'updated_at', r.updated_at, 'saved', m.saved, 'done', m.done, 'copies', (
            select count(*) from public.tool_copies c where c.item_id = r.id
          )
        )
        from public.skill_areas a
        cross join (
          select count(m.saved_at) as saved, count(m.done_at) as done
          from public.toolbox_marks m where m.item_id = r.id
        ) m
        where a.key = r.area_key
      )
    $row$,
    array[
      case when p_filter ->> 'state' in ('draft', 'published', 'archived') then
        format('r.state = %L', p_filter ->> 'state')
      end,
      case when p_filter ->> 'review' = 'due' then
        'r.state = ''published'' and r.review_due_on < current_date'
      end,
      case when p_filter ? 'area' then 'r.area_key = $1 ->> ''area''' end,
      case when p_filter ? 'type' then 'r.type = $1 ->> ''type''' end
    ],
    case v_sort when 'review' then 'r.review_due_on' when 'newest' then 'r.updated_at'
      else 'r.title collate private.by_name' end,
    case v_sort when 'review' then 'date' when 'newest' then 'timestamptz' else 'text' end,
    v_sort = 'newest', p_filter, p_place, p_limit, private.words_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'area', (
      select jsonb_agg(jsonb_build_object('value', a.key, 'label', a.name) order by a.position)
      from public.skill_areas a
    ),
    -- Practices that the quiz asks about and no tool does.
    'missing', (
      select coalesce(jsonb_agg(
        jsonb_build_object('value', q.key, 'label', q.practice) order by q.position
      ), '[]')
      from public.quiz_questions q
      join public.quiz_versions v on v.id = q.version_id and v.state = 'published'
      where not exists (
        select from public.toolbox_items i where i.practice = q.key and i.state = 'published'
      )
    )
  ) end);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_tools"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.archive_tool (
  p_id     uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_item public.toolbox_items;
  v_reason text;
begin
  perform private.require_admin();
  v_item := private.require_tool(p_id);
  v_reason := private.require_reason(p_reason);
  if v_item.state = 'draft' then
    raise exception 'This tool was never published. Delete it instead.' using errcode = '55000';
  end if;
  if v_item.state = 'published' then
    update public.toolbox_items i set
      state = 'archived', archived_at = now(), archived_reason = v_reason
    where i.id = p_id;
    perform private.audit(
      'tool.archive', 'tool', p_id::text, v_reason, jsonb_build_object('title', v_item.title)
    );
  end if;
  return private.admin_tool_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."archive_tool"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.create_tool (
  p_id       uuid,
  p_practice text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_area_key text := coalesce(
    (select a.key from public.skill_areas a where a.key = split_part(p_practice, '.', 1)),
    (select a.key from public.skill_areas a order by a.position limit 1)
  );
  -- Only one that the quiz asks about.
  v_practice text := (
    select q.key from public.quiz_questions q
    join public.quiz_versions v on v.id = q.version_id and v.state = 'published'
    where q.key = p_practice
  );
begin
  if p_id is null then
    raise exception 'A tool needs an id.' using errcode = '22023', hint = 'id';
  end if;
  insert into public.toolbox_items (
    id, slug, title, summary, type, area_key, practice, levels, minutes, format, reviewed_on, state
  ) values (
    p_id, 'draft-' || p_id, 'New tool', '', 'template', v_area_key, v_practice,
    '{starting,developing,established,strong}', 30, '', (now() at time zone 'utc')::date, 'draft'
  )
  on conflict (id) do nothing;
  if found then
    insert into public.toolbox_versions (
      item_id, type, area_key, practice, levels, minutes, created_by, updated_by
    ) values (
      p_id, 'template', v_area_key, v_practice, '{starting,developing,established,strong}', 30,
      v_admin_id, v_admin_id
    );
    perform private.audit('tool.create', 'tool', p_id::text);
  end if;
  return private.admin_tool_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."create_tool"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.edit_tool (
  p_id      uuid,
  p_version integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_item public.toolbox_items := private.require_tool(p_id);
  v_version int := coalesce(p_version, v_item.version);
begin
  if v_item.state = 'archived' then
    raise exception 'This tool is archived. Restore it to edit it.' using errcode = '55000';
  end if;
  if exists (
    select from public.toolbox_versions v where v.item_id = p_id and v.published_at is null
  ) then
    -- Asked for twice, there's one.
    if p_version is null then
      return private.admin_tool_json(p_id);
    end if;
    raise exception 'There’s a draft already. Publish it or delete it first.' using errcode = '55000';
  end if;
  insert into public.toolbox_versions (
    item_id, based_on, title, summary, type, area_key, practice, levels, minutes, format,
    calculator, body_markdown, created_by, updated_by
  )
  select p_id, v.version, v.title, v.summary, v.type, v.area_key, v.practice, v.levels, v.minutes,
    v.format, v.calculator, v.body_markdown, v_admin_id, v_admin_id
  from public.toolbox_versions v where v.item_id = p_id and v.version = v_version;
  if not found then
    raise exception 'We can’t find this version.' using errcode = 'P0002', hint = 'version';
  end if;
  perform private.audit(
    'tool.edit', 'tool', p_id::text, null,
    jsonb_build_object('title', v_item.title, 'based_on', v_version)
  );
  return private.admin_tool_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."edit_tool"(uuid, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_public_tool (
  p_slug text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'slug', i.slug, 'title', i.title, 'summary', i.summary, 'type', i.type,
    'area_key', i.area_key, 'practice', i.practice, 'levels', i.levels, 'minutes', i.minutes,
    'format', i.format, 'version', i.version, 'reviewed_on', i.reviewed_on,
    'calculator', i.calculator, 'body_markdown', i.body_markdown,
    'is_built', i.version is not distinct from i.built_version
  )
  from public.toolbox_items i where i.slug = p_slug and i.state = 'published'
$function$;

REVOKE ALL ON FUNCTION "public"."get_public_tool"(text) FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.get_tool (
  p_slug        text,
  p_business_id uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'slug', i.slug, 'title', i.title, 'summary', i.summary, 'type', i.type,
    'area_key', i.area_key, 'area_name', a.name, 'levels', i.levels, 'minutes', i.minutes,
    'format', i.format, 'version', i.version, 'reviewed_on', i.reviewed_on,
    'calculator', i.calculator, 'body_markdown', i.body_markdown,
    'is_built', i.version is not distinct from i.built_version,
    'change', private.tool_changes(i.id, i.version - 1) -> 0 ->> 'change',
    'archived', case when i.state = 'archived' then jsonb_build_object(
      'at', i.archived_at, 'reason', i.archived_reason
    ) end,
    'saved_at', m.saved_at, 'done_at', m.done_at,
    'fillable', i.state = 'published' and i.type in ('template', 'worksheet', 'checklist'),
    'copies', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title, 'updated_at', c.updated_at)
        order by c.updated_at desc, c.id)
      from public.tool_copies c where c.item_id = i.id and c.business_id = p_business_id
    ), '[]')
  )
  from public.toolbox_items i
  join public.skill_areas a on a.key = i.area_key
  left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
  -- An admin sees drafts on the page where they're written.
  where i.slug = p_slug and i.state <> 'draft'
$function$;

CREATE OR REPLACE FUNCTION public.get_tool_copy (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', c.id, 'title', c.title, 'body_markdown', c.body_markdown, 'revision', c.revision,
    'updated_at', c.updated_at, 'updated_by', c.updated_by,
    'updated_by_name', (
      select p.full_name from public.profiles p where p.user_id = c.updated_by
    ),
    'business', jsonb_build_object(
      'id', b.id, 'name', b.name, 'archived', b.archived_at is not null
    ),
    'item', case when i.id is not null then jsonb_build_object(
      'slug', i.slug, 'title', i.title, 'version', i.version, 'copied_version', c.item_version,
      'archived', i.state = 'archived', 'changes', private.tool_changes(i.id, c.item_version)
    ) end,
    'may_edit', c.business_id in (select private.my_business_ids()) and b.archived_at is null
  )
  from public.tool_copies c
  join public.businesses b on b.id = c.business_id
  left join public.toolbox_items i on i.id = c.item_id
  where c.id = p_id
$function$;

CREATE OR REPLACE FUNCTION public.is_tool_as_built (
  p_slug text DEFAULT NULL::text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case when p_slug is null then not exists (
    select from public.toolbox_items i where i.state <> 'draft' and not i.is_as_built
  ) else coalesce((
    select i.is_as_built or i.state = 'draft' from public.toolbox_items i where i.slug = p_slug
  ), true) end
$function$;

REVOKE ALL ON FUNCTION "public"."is_tool_as_built"(text) FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.list_public_tools()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'slug', i.slug, 'title', i.title, 'summary', i.summary, 'type', i.type,
      'area_key', i.area_key, 'practice', i.practice, 'minutes', i.minutes
    ) order by i.minutes, i.title, i.id
  ), '[]')
  from (
    select * from public.toolbox_items i where i.state = 'published'
    order by i.minutes, i.title, i.id limit 1000
  ) i
$function$;

REVOKE ALL ON FUNCTION "public"."list_public_tools"() FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.list_toolbox (
  p_business_id uuid    DEFAULT NULL::uuid,
  p_query       text    DEFAULT ''::text,
  p_area        text    DEFAULT NULL::text,
  p_type        text    DEFAULT NULL::text,
  p_level       text    DEFAULT NULL::text,
  p_mark        text    DEFAULT NULL::text,
  p_page        integer DEFAULT 1
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  c_page constant int := 24;
  -- Beyond this many nobody needs the number.
  c_counted constant int := 1000;
  -- Put together from these constants alone, so that each request is planned for what it asks.
  c_from constant text := $from$
    from public.toolbox_items i
    left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
    where (i.state = 'published' or ($5 in ('saved', 'done') and i.state = 'archived'))
      and ($1 is null or i.words @@ $1)
      and ($2 is null or i.area_key = $2)
      and ($3 is null or i.type = $3)
      and ($4 is null or $4 = any (i.levels))
      and case $5 when 'saved' then m.saved_at is not null
        when 'done' then m.done_at is not null
        when 'open' then m.done_at is null
        else true end $from$;
  v_query tsquery := private.words_query(left(p_query, 100));
  v_page int := greatest(1, least(coalesce(p_page, 1), 1000));
  v_rank text := '';
  v_found jsonb;
  v_total int;
  v_narrowed boolean;
begin
  -- Words that mean nothing ("the") narrow nothing.
  if numnode(v_query) = 0 then
    v_query := null;
  end if;
  -- An area that does not exist filters nothing.
  if not exists (select from public.skill_areas a where a.key = p_area) then
    p_area := null;
  end if;
  v_narrowed := v_query is not null or p_area is not null or p_type is not null
    or p_level is not null or p_mark is not null;
  if v_query is not null then
    v_rank := 'ts_rank(i.words, $1) desc, ';
  end if;

  execute 'select coalesce(jsonb_agg(to_jsonb(f)), ''[]'') from (
      select i.slug, i.title, i.summary, i.type, i.area_key, i.levels, i.minutes, i.format,
        i.state = ''archived'' as archived, m.saved_at, m.done_at' || c_from
    || ' order by ' || v_rank || 'i.minutes, i.title, i.id limit $6 offset $7) f'
  into v_found
  using v_query, p_area, p_type, p_level, p_mark, c_page + 1, (v_page - 1) * c_page;
  execute 'select count(*) from (select ' || c_from || ' limit $6) f'
  into v_total
  using v_query, p_area, p_type, p_level, p_mark, c_counted;

  return jsonb_build_object(
    'items', v_found - c_page,
    'more', jsonb_array_length(v_found) > c_page,
    'page', v_page,
    'total', v_total,
    'counted_to', c_counted,
    'area', p_area,
    'areas', (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name, 'short_name', a.short_name)
        order by a.position)
      from public.skill_areas a
    ),
    'recommended', case when v_narrowed or v_page > 1 then '[]'
      else coalesce(private.recommended_tools(p_business_id), '[]') end,
    'copies', case when v_page > 1 then '[]' else coalesce((
      select jsonb_agg(to_jsonb(c) order by c.updated_at desc, c.id)
      from (
        select c.id, c.title, c.updated_at, i.title as item_title
        from public.tool_copies c
        left join public.toolbox_items i on i.id = c.item_id
        where c.business_id = p_business_id
        order by c.updated_at desc, c.id
        limit 50
      ) c
    ), '[]') end
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.mark_tool (
  p_slug text,
  p_mark text,
  p_on   boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_item_id uuid;
  v_now timestamptz := case when p_on then now() end;
begin
  if p_mark is null or p_mark not in ('saved', 'done') then
    raise exception 'A tool is marked as saved or as done.' using errcode = '22023';
  end if;
  select i.id into v_item_id
  from public.toolbox_items i
  where i.slug = p_slug and (
    i.state = 'published' or not p_on
    or (i.state = 'archived' and i.id in (select private.kept_tool_ids()))
  );
  if v_item_id is null then
    raise exception 'This tool is no longer available.' using errcode = 'P0002';
  end if;
  perform private.one_at_a_time('toolbox_marks', v_user_id);
  if p_on then
    insert into public.toolbox_marks as m (user_id, item_id, saved_at, done_at)
    values (
      v_user_id, v_item_id,
      case p_mark when 'saved' then v_now end, case p_mark when 'done' then v_now end
    )
    on conflict (user_id, item_id) do update set
      saved_at = coalesce(m.saved_at, excluded.saved_at),
      done_at = coalesce(m.done_at, excluded.done_at);
    return;
  end if;
  -- The last mark takes the row with it.
  delete from public.toolbox_marks m
  where m.user_id = v_user_id and m.item_id = v_item_id
    and case p_mark when 'saved' then m.done_at else m.saved_at end is null;
  update public.toolbox_marks m set
    saved_at = case p_mark when 'saved' then null else m.saved_at end,
    done_at = case p_mark when 'done' then null else m.done_at end
  where m.user_id = v_user_id and m.item_id = v_item_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.publish_tool (
  p_id       uuid,
  p_revision integer,
  p_change   text    DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_draft public.toolbox_versions := private.require_tool_draft(p_id);
  v_item public.toolbox_items := private.require_tool(v_draft.item_id);
  v_change text := private.clean_line(p_change, 200);
  v_is_first boolean := v_item.state = 'draft';
  v_version int := case when v_item.state = 'draft' then 1 else v_item.version + 1 end;
begin
  if v_draft.published_at is not null then
    -- Pressed twice, it's published once.
    if v_draft.published_by = v_admin_id and v_draft.revision = p_revision then
      return private.admin_tool_json(v_item.id);
    end if;
    raise exception 'This version was published already.' using errcode = '55000';
  end if;
  if v_item.state = 'archived' then
    raise exception 'This tool is archived. Restore it first.' using errcode = '55000';
  end if;
  if v_draft.revision is distinct from p_revision then
    raise exception 'Someone changed this draft in the meantime. Read it again before you publish it.'
      using errcode = '55000';
  end if;
  if v_draft.title = '' then
    raise exception 'Write a title.' using errcode = '22023', hint = 'title';
  end if;
  if v_draft.summary = '' then
    raise exception 'Say in a sentence what people end up with.' using errcode = '22023', hint = 'summary';
  end if;
  if v_draft.format = '' then
    raise exception 'Say what it looks like, such as “Table with a worked example”.'
      using errcode = '22023', hint = 'format';
  end if;
  if coalesce(v_draft.minutes, 0) not between 1 and 480 then
    raise exception 'Enter the minutes it takes, from 1 to 480.' using errcode = '22023', hint = 'minutes';
  end if;
  if cardinality(v_draft.levels) = 0 then
    raise exception 'Choose at least one level.' using errcode = '22023', hint = 'levels';
  end if;
  if btrim(v_draft.body_markdown, e' \t\n') = '' then
    raise exception 'Write the tool first.' using errcode = '22023', hint = 'body_markdown';
  end if;
  if not v_is_first then
    if private.tool_content(to_jsonb(v_draft)) = private.tool_content(to_jsonb(v_item)) then
      raise exception 'Nothing is different from version %.', v_item.version using errcode = '55000';
    end if;
    if v_change is null then
      raise exception 'Say in a sentence what’s different.' using errcode = '22023', hint = 'change';
    end if;
  end if;
  -- Two tools with the same title get different addresses.
  perform private.one_at_a_time('toolbox_slug', '00000000-0000-0000-0000-000000000000');
  update public.toolbox_versions v set
    version = v_version, published_at = now(), published_by = v_admin_id,
    change = case when not v_is_first then v_change end
  where v.id = p_id
  returning * into v_draft;
  perform private.show_tool_version(
    v_draft, (now() at time zone 'utc')::date,
    case when v_is_first then private.tool_slug(v_draft.slug, v_draft.title) end
  );
  perform private.audit('tool.publish', 'tool', v_item.id::text, v_change, jsonb_build_object(
    'title', v_draft.title, 'version', v_version
  ));
  return private.admin_tool_json(v_item.id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."publish_tool"(uuid, integer, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.remove_tool_draft (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_draft public.toolbox_versions;
  v_item public.toolbox_items;
begin
  perform private.require_admin();
  v_draft := private.require_tool_draft(p_id);
  if v_draft.published_at is not null then
    raise exception 'Only drafts can be deleted.' using errcode = '55000';
  end if;
  v_item := private.require_tool(v_draft.item_id);
  delete from public.toolbox_versions v where v.id = p_id;
  if v_item.state = 'draft' then
    delete from public.toolbox_items i where i.id = v_item.id;
  end if;
  perform private.audit(
    'tool.remove_draft', 'tool', v_item.id::text, null, jsonb_build_object('title', v_draft.title)
  );
  return private.admin_tool_json(v_item.id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."remove_tool_draft"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.restore_tool (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_item public.toolbox_items;
begin
  perform private.require_admin();
  v_item := private.require_tool(p_id);
  if v_item.state = 'archived' then
    update public.toolbox_items i set
      state = 'published', archived_at = null, archived_reason = null
    where i.id = p_id;
    perform private.audit(
      'tool.restore', 'tool', p_id::text, null, jsonb_build_object('title', v_item.title)
    );
  end if;
  return private.admin_tool_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."restore_tool"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.review_tool (
  p_id   uuid,
  p_note text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_item public.toolbox_items;
  v_today date := (now() at time zone 'utc')::date;
begin
  perform private.require_admin();
  v_item := private.require_tool(p_id);
  if v_item.state <> 'published' then
    raise exception 'Only published tools are reviewed.' using errcode = '55000';
  end if;
  update public.toolbox_items i set reviewed_on = v_today where i.id = p_id;
  perform private.audit(
    'tool.review', 'tool', p_id::text, private.clean_line(p_note, 500),
    jsonb_build_object('title', v_item.title, 'version', v_item.version)
  );
  return private.admin_tool_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."review_tool"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_tool_draft (
  p_id       uuid,
  p_revision integer,
  p_content  jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_draft public.toolbox_versions := private.require_tool_draft(p_id);
  v_new public.toolbox_versions := v_draft;
  v_minutes constant text := p_content ->> 'minutes';
begin
  v_new.slug := coalesce(private.clean_line(p_content ->> 'slug', 60), '');
  v_new.title := coalesce(private.clean_line(p_content ->> 'title', 60), '');
  v_new.summary := coalesce(private.clean_line(p_content ->> 'summary', 200), '');
  v_new.format := coalesce(private.clean_line(p_content ->> 'format', 60), '');
  v_new.type := coalesce(p_content ->> 'type', v_draft.type);
  v_new.area_key := coalesce(p_content ->> 'area_key', v_draft.area_key);
  v_new.practice := nullif(p_content ->> 'practice', '');
  v_new.calculator := nullif(p_content ->> 'calculator', '');
  v_new.minutes := case when v_minutes ~ '^[1-9][0-9]{0,2}$' then v_minutes::int end;
  v_new.body_markdown := replace(coalesce(p_content ->> 'body_markdown', ''), e'\r\n', e'\n');
  if jsonb_typeof(p_content -> 'levels') = 'array' then
    v_new.levels := array(
      select l from unnest(array['starting', 'developing', 'established', 'strong']) l
      where p_content -> 'levels' ? l
    );
  end if;
  if char_length(v_new.body_markdown) > 30000 then
    raise exception 'Keep it to 30,000 characters.' using errcode = '22023', hint = 'body_markdown';
  end if;
  if not exists (select from public.skill_areas a where a.key = v_new.area_key) then
    raise exception 'Choose an area.' using errcode = '22023', hint = 'area_key';
  end if;
  -- In the area that was chosen last, the practice of another one means none.
  if not starts_with(v_new.practice, v_new.area_key || '.') then
    v_new.practice := null;
  end if;
  if private.tool_content(to_jsonb(v_new)) = private.tool_content(to_jsonb(v_draft))
    and v_new.slug = v_draft.slug
  then
    -- Sent twice, or changed back: as it is asked for.
    return jsonb_build_object('saved', true, 'draft', private.tool_version_json(v_draft));
  end if;
  if v_draft.published_at is not null then
    raise exception 'This version was published, so it can’t change anymore. Edit the tool to make the next one.'
      using errcode = '55000';
  end if;
  if v_draft.revision is distinct from p_revision then
    return jsonb_build_object('saved', false, 'draft', private.tool_version_json(v_draft));
  end if;
  update public.toolbox_versions v set
    slug = v_new.slug, title = v_new.title, summary = v_new.summary, type = v_new.type,
    area_key = v_new.area_key, practice = v_new.practice, levels = v_new.levels,
    minutes = v_new.minutes, format = v_new.format, calculator = v_new.calculator,
    body_markdown = v_new.body_markdown, revision = v.revision + 1, updated_by = v_admin_id,
    updated_at = now()
  where v.id = p_id
  returning * into v_new;
  -- Until it's published, the list knows a tool by its draft.
  update public.toolbox_items i set
    title = coalesce(nullif(v_new.title, ''), 'New tool'), summary = v_new.summary,
    type = v_new.type, area_key = v_new.area_key, practice = v_new.practice,
    body_markdown = v_new.body_markdown
  where i.id = v_new.item_id and i.state = 'draft';
  return jsonb_build_object('saved', true, 'draft', private.tool_version_json(v_new));
exception
  when check_violation then
    raise exception 'Choose from the list.' using errcode = '22023', hint = 'type';
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_tool_draft"(uuid, integer, jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.set_tool_review (
  p_id     uuid,
  p_months integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_item public.toolbox_items;
begin
  perform private.require_admin();
  v_item := private.require_tool(p_id);
  if p_months is null or p_months not between 1 and 60 then
    raise exception 'Choose 1 to 60 months.' using errcode = '22023', hint = 'months';
  end if;
  update public.toolbox_items i set review_months = p_months where i.id = p_id;
  perform private.audit('tool.set_review', 'tool', p_id::text, null, jsonb_build_object(
    'title', v_item.title,
    'before', jsonb_build_object('months', v_item.review_months),
    'after', jsonb_build_object('months', p_months)
  ));
  return private.admin_tool_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."set_tool_review"(uuid, integer) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "public"."toolbox_items"
  ADD CONSTRAINT "toolbox_items_archived_reason_check" CHECK ((char_length(archived_reason) <= 2000));

ALTER TABLE "public"."toolbox_items"
  ADD CONSTRAINT "toolbox_items_review_months_check" CHECK (((review_months >= 1) AND (review_months <= 60)));

ALTER TABLE "public"."toolbox_versions"
  ADD CONSTRAINT "toolbox_versions_area_key_fkey" FOREIGN KEY (area_key) REFERENCES public.skill_areas(key);

ALTER TABLE "public"."toolbox_versions"
  ADD CONSTRAINT "toolbox_versions_created_by_fkey" FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."toolbox_versions"
  ADD CONSTRAINT "toolbox_versions_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.toolbox_items(id) ON DELETE CASCADE;

ALTER TABLE "public"."toolbox_versions"
  ADD CONSTRAINT "toolbox_versions_published_by_fkey" FOREIGN KEY (published_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."toolbox_versions"
  ADD CONSTRAINT "toolbox_versions_updated_by_fkey" FOREIGN KEY (updated_by) REFERENCES auth.users(id) ON DELETE SET NULL;

CREATE INDEX toolbox_items_changed_idx ON public.toolbox_items USING btree (id)
  WHERE ((state <> 'draft'::text) AND (NOT is_as_built));

CREATE INDEX toolbox_items_review_idx ON public.toolbox_items USING btree (review_due_on, id);

CREATE INDEX toolbox_items_title_idx ON public.toolbox_items USING btree (title COLLATE private.by_name, id);

CREATE INDEX toolbox_items_updated_idx ON public.toolbox_items USING btree (updated_at, id);

CREATE INDEX toolbox_versions_area_key_idx ON public.toolbox_versions USING btree (area_key);

CREATE INDEX toolbox_versions_created_by_idx ON public.toolbox_versions USING btree (created_by);

CREATE UNIQUE INDEX toolbox_versions_draft_idx ON public.toolbox_versions USING btree (item_id)
  WHERE (published_at IS NULL);

CREATE INDEX toolbox_versions_published_by_idx ON public.toolbox_versions USING btree (published_by);

CREATE INDEX toolbox_versions_updated_by_idx ON public.toolbox_versions USING btree (updated_by);

CREATE TRIGGER toolbox_items_begin_with_a_version
  AFTER INSERT ON public.toolbox_items
  FOR EACH ROW
  WHEN ((new.state <> 'draft'::text))
  EXECUTE FUNCTION private.add_first_version();

CREATE TRIGGER toolbox_items_insert_is_limited AFTER INSERT ON public.toolbox_items REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('toolbox_items', 'each row');

CREATE TRIGGER toolbox_items_keep_what_was_published
  BEFORE UPDATE ON public.toolbox_items
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_published_tool();

CREATE TRIGGER toolbox_items_take_steps
  BEFORE INSERT OR UPDATE OF state ON public.toolbox_items
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('tool', 'state');

CREATE TRIGGER toolbox_items_update_is_limited AFTER UPDATE ON public.toolbox_items REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('toolbox_items', 'each statement');

CREATE TRIGGER toolbox_versions_insert_is_limited AFTER INSERT ON public.toolbox_versions REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('toolbox_versions', 'each row');

CREATE TRIGGER toolbox_versions_keep_what_was_published
  BEFORE DELETE OR UPDATE ON public.toolbox_versions
  FOR EACH ROW
  WHEN ((old.published_at IS NOT NULL))
  EXECUTE FUNCTION private.keep_published_version();

CREATE TRIGGER toolbox_versions_update_is_limited AFTER UPDATE ON public.toolbox_versions REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('toolbox_versions', 'each statement');

CREATE POLICY "Everyone signed in reads published items, those who kept one th" ON "public"."toolbox_items"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.session_ok() AS session_ok) AND ((state = 'published'::text) OR ( SELECT private.is_admin() AS is_admin) OR ((state = 'archived'::text) AND (id = ANY (ARRAY(
    SELECT private.kept_tool_ids() AS kept_tool_ids)))))));

COMMENT ON COLUMN "public"."toolbox_items"."is_as_built" IS 'Whether the page that the build made of content/ still says what the tool says.';

COMMENT ON FUNCTION "private"."kept_tool_ids"() IS 'The tools that the caller has saved or done, or can read a copy of: they keep them when the tool is archived.';

COMMENT ON FUNCTION "private"."show_tool_version"(public.toolbox_versions, date, text) IS 'Makes a published version what people see of its tool.';

COMMENT ON FUNCTION "private"."tool_changes"(uuid, integer) IS 'The versions of a tool after this one, and what changed in each: [{version, change}].';

COMMENT ON FUNCTION "private"."tool_content"(jsonb) IS 'What people read of a tool or a version of it, from its row as JSON.';

COMMENT ON FUNCTION "private"."tool_slug"(text, text) IS 'The address of a new tool: what''s wanted or, if that''s empty, the words of its title, with a number if another has the same.';

COMMENT ON FUNCTION "public"."admin_tool"(uuid) IS 'A tool with what people see of it, its draft, its versions, how often it was saved, done and copied, and the areas and practices to choose from; null if there''s none.';

COMMENT ON FUNCTION "public"."admin_tool_version"(uuid, integer) IS 'A published version of a tool in full; null if there''s none.';

COMMENT ON FUNCTION "public"."admin_tools"(jsonb, jsonb, integer) IS 'A page of all tools by {words, state, review ("due"), area, type, sort ("title", "review", "newest")}, with the choices of areas and the practices that no published tool does; see list_page.';

COMMENT ON FUNCTION "public"."archive_tool"(uuid, text) IS 'An admin takes a tool out of the toolbox, with a reason that people who keep it can read; returns it.';

COMMENT ON FUNCTION "public"."create_tool"(uuid, text) IS 'An admin starts a tool, once under its id, for a practice that''s given; returns it.';

COMMENT ON FUNCTION "public"."edit_tool"(uuid, integer) IS 'An admin starts the draft of a tool''s next version, from the current one or the one that''s given; returns the tool.';

COMMENT ON FUNCTION "public"."get_public_tool"(text) IS 'A published tool in full, for everyone, and whether the build has the same words; null if there''s none.';

COMMENT ON FUNCTION "public"."get_tool"(text, uuid) IS 'One published item, or an archived one that the caller kept, with their marks, its copies in the business and what changed in this version; null if there is none.';

COMMENT ON FUNCTION "public"."get_tool_copy"(uuid) IS 'A copy the caller can read, with its business, the item it came from and what changed in that since; null if there is none.';

COMMENT ON FUNCTION "public"."is_tool_as_built"(text) IS 'Whether the built page of a tool, or without a slug that of all tools, still says what''s published. True if there''s no such tool.';

COMMENT ON FUNCTION "public"."list_public_tools"() IS 'The first 1,000 published tools, the shortest first, for everyone: [{slug, title, summary, type, area_key, practice, minutes}].';

COMMENT ON FUNCTION "public"."list_toolbox"(uuid, text, text, text, text, text, integer) IS 'A page of 24 matching published items with the caller''s marks, and among those they saved or did the archived ones: {items, more, page, total (counted up to counted_to), area (null if it doesn''t exist), areas}; without filters also {recommended}; {copies} of the business.';

COMMENT ON FUNCTION "public"."mark_tool"(text, text, boolean) IS 'Sets or clears the caller''s mark ("saved", "done") on a published item, or an archived one that they kept; idempotent.';

COMMENT ON FUNCTION "public"."publish_tool"(uuid, integer, text) IS 'An admin publishes a draft of the given revision as the next version of its tool, with a sentence about what changed since the one before; returns the tool.';

COMMENT ON FUNCTION "public"."remove_tool_draft"(uuid) IS 'An admin deletes a draft for good, and a tool that was never published with it; returns the tool, or null.';

COMMENT ON FUNCTION "public"."restore_tool"(uuid) IS 'An admin puts an archived tool back into the toolbox; returns it.';

COMMENT ON FUNCTION "public"."review_tool"(uuid, text) IS 'An admin has checked a published tool today and found nothing to change, with a note if there is one; returns the tool.';

COMMENT ON FUNCTION "public"."save_tool_draft"(uuid, integer, jsonb) IS 'An admin saves a draft based on the given revision, {slug (of a tool that was never published), title, summary, type, area_key, practice, levels, minutes, format, calculator, body_markdown}: {saved, draft}. If someone was faster, nothing is saved and draft is theirs.';

COMMENT ON FUNCTION "public"."set_tool_review"(uuid, integer) IS 'An admin chooses how many months after a review the next one is due; returns the tool.';

COMMENT ON TABLE "private"."transitions" IS 'The steps a project, an attempt, an engagement, a session, an order, a seat, an issue of the newsletter, a tool or a version of the quiz can take, and who can take them. Only migrations change rows.';

COMMENT ON TABLE "public"."toolbox_items" IS 'The tools in the toolbox, each as its newest published version has it; people see the published ones.';

COMMENT ON TABLE "public"."toolbox_versions" IS 'Every version of a tool and the draft of its next one. What was published never changes.';

REVOKE ALL ON FUNCTION "private"."add_first_version"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."admin_tool_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_published_tool"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_published_version"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."kept_tool_ids"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."kept_tool_ids"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."require_tool"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_tool_draft"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."show_tool_version"(public.toolbox_versions, date, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_changes"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."tool_changes"(uuid, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."tool_content"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_slug"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_version_json"(public.toolbox_versions) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_tool"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_tool_version"(uuid, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_tools"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."archive_tool"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."create_tool"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."edit_tool"(uuid, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_public_tool"(text) TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."is_tool_as_built"(text) TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_public_tools"() TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."publish_tool"(uuid, integer, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."remove_tool_draft"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."restore_tool"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."review_tool"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_tool_draft"(uuid, integer, jsonb) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."set_tool_review"(uuid, integer) TO "authenticated";

insert into private.transitions (entity, position, from_state, to_state, who, needs_note) values
  ('tool', 1, null, 'draft', '{admin}', false),
  ('tool', 2, null, 'published', '{system}', false),
  ('tool', 3, 'draft', 'published', '{admin}', false),
  ('tool', 4, 'published', 'archived', '{admin}', true),
  ('tool', 5, 'archived', 'published', '{admin}', false);
insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('toolbox_items', 'toolbox_items', 'insert or update', 240, 10000, 'changed a lot of tools'),
  ('toolbox_versions', 'toolbox_versions', 'insert or update', 240, 10000,
    'made a lot of changes to tools');

-- What's published is the first version that's kept, as the build has it.
insert into public.toolbox_versions (
  item_id, version, title, summary, type, area_key, practice, levels, minutes, format, calculator,
  body_markdown, from_content, created_at, updated_at, published_at
)
select i.id, i.version, i.title, i.summary, i.type, i.area_key, i.practice, i.levels, i.minutes,
  i.format, i.calculator, i.body_markdown, true, i.updated_at, i.updated_at, i.updated_at
from public.toolbox_items i where i.state <> 'draft';
update public.toolbox_items i set built_version = i.version, built_reviewed_on = i.reviewed_on
where i.state = 'published';
