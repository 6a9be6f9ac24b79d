SET local check_function_bodies = off;

CREATE TABLE "private"."wrike_folders" (
  "id"        text     NOT NULL,
  "title"     text     NOT NULL,
  "kind"      text     NOT NULL,
  "child_ids" text[]   NOT NULL,
  "path"      text     NOT NULL DEFAULT ''::text,
  "depth"     integer  NOT NULL DEFAULT 0,
  "place"     integer,
  "listing"   uuid     NOT NULL,
  CONSTRAINT "wrike_folders_kind_check" CHECK ((kind = ANY (ARRAY['space'::text, 'folder'::text]))),
  CONSTRAINT "wrike_folders_pkey" PRIMARY KEY (id),
  "words"     tsvector GENERATED ALWAYS AS (private.name_words(title)) STORED NOT NULL
);

ALTER TABLE "private"."wrike_folders"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."wrike_mirrors" (
  "id"         uuid                     NOT NULL,
  "project_id" uuid,
  "folder_id"  text                     NOT NULL,
  "folder"     text                     NOT NULL,
  "wants"      text                     NOT NULL DEFAULT 'save'::text,
  "state"      text                     NOT NULL DEFAULT 'waiting'::text,
  "version"    integer                  NOT NULL DEFAULT 1,
  "account_id" text,
  "wrike_id"   text,
  "permalink"  text,
  "sent"       jsonb,
  "attempts"   integer                  NOT NULL DEFAULT 0,
  "reason"     text,
  "is_gone"    boolean                  NOT NULL DEFAULT false,
  "sent_at"    timestamp with time zone,
  "changed_at" timestamp with time zone NOT NULL DEFAULT now(),
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "wrike_mirrors_pkey" PRIMARY KEY (id),
  CONSTRAINT "wrike_mirrors_project_id_key" UNIQUE (project_id),
  CONSTRAINT "wrike_mirrors_state_check" CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'refused'::text]))),
  CONSTRAINT "wrike_mirrors_wants_check" CHECK ((wants = ANY (ARRAY['save'::text, 'keep'::text, 'remove'::text])))
);

ALTER TABLE "private"."wrike_mirrors"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."wrike_settings" (
  "id"         boolean                  NOT NULL DEFAULT true,
  "connection" jsonb,
  "listing"    uuid,
  "next_page"  text,
  "listed_at"  timestamp with time zone,
  CONSTRAINT "wrike_settings_connection_check" CHECK ((jsonb_typeof(connection) = 'object'::text)),
  CONSTRAINT "wrike_settings_id_check" CHECK (id),
  CONSTRAINT "wrike_settings_pkey" PRIMARY KEY (id)
);

ALTER TABLE "private"."wrike_settings"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."wrike_tasks" (
  "id"        uuid  NOT NULL,
  "mirror_id" uuid  NOT NULL,
  "wrike_id"  text,
  "sent"      jsonb,
  "refused"   jsonb,
  "reason"    text,
  CONSTRAINT "wrike_tasks_pkey" PRIMARY KEY (id)
);

ALTER TABLE "private"."wrike_tasks"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.begin_hubspot (
  p_job_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Two workers at once would send the same records.
  if not private.is_first_of_its_kind(p_job_id) then
    return null;
  end if;
  -- The worker that took these is gone, and nobody knows whether they arrived.
  update private.hubspot_records r set state = 'waiting', in_doubt = true where r.state = 'sending';
  return (
    select jsonb_build_object(
      'state', s.state, 'mapping', s.mapping,
      'has_work', s.state = 'previewing' or exists (
        select from private.hubspot_records r
        where r.state = 'waiting' and (r.wants <> 'save' or s.state = 'live')
      ) or s.state = 'live' and exists (select from private.hubspot_link_changes())
    )
    from private.hubspot_settings s
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_wrike (
  p_job_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Wrike takes one change of its folders at a time.
  if not private.is_first_of_its_kind(p_job_id) then
    return null;
  end if;
  -- The worker that took these is gone, and nobody knows how far it came.
  update private.wrike_mirrors m set state = 'waiting' where m.state = 'sending';
  return jsonb_build_object(
    'account_id', (
      select m.account_id from private.wrike_mirrors m
      where m.account_id is not null order by m.created_at desc limit 1
    ),
    'has_work', exists (
      select from private.wrike_mirrors m where m.state = 'waiting' and m.wants <> 'keep'
    ) or exists (select from private.wrike_settings s where s.listing is not null)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.drop_wrike_task (
  p_id uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.wrike_tasks t where t.id = p_id
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
    ('newsletter_deliveries', 't.contact_id in (select c.id from public.contacts c where c.email = $2)', '{leave_secret,leave_hash,run_at,attempts,failing_since,last_error}'),
    -- Issues that they wrote or sent as an admin.
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

CREATE OR REPLACE FUNCTION private.is_first_of_its_kind (
  p_job_id uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_job private.jobs;
begin
  select * into v_job from private.jobs j where j.id = p_job_id;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext(v_job.kind));
  return not exists (
    select from private.jobs j
    where j.kind = v_job.kind and j.state = 'running' and j.run_at > now()
      -- Of two, the one that was claimed first.
      and (j.run_at, j.id) < (v_job.run_at, v_job.id)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_wrike_connection (
  p_connection jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update private.wrike_settings s
  set connection = p_connection || jsonb_build_object('checked_at', now())
$function$;

CREATE OR REPLACE FUNCTION private.keep_wrike_folders (
  p_listing   uuid,
  p_folders   jsonb,
  p_next_page text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Another one was begun meanwhile.
  if not exists (select from private.wrike_settings s where s.listing = p_listing) then
    return;
  end if;
  insert into private.wrike_folders as f (id, title, kind, child_ids, listing)
  select g.id, g.title, g.kind, g.child_ids, p_listing
  from jsonb_to_recordset(p_folders) as g (id text, title text, kind text, child_ids text[])
  on conflict (id) do update set
    title = excluded.title, kind = excluded.kind, child_ids = excluded.child_ids,
    listing = excluded.listing;
  update private.wrike_settings s set next_page = p_next_page;
  if p_next_page is not null then
    return;
  end if;

  delete from private.wrike_folders f where f.listing <> p_listing;
  with recursive parents as (
    -- Something can be in several folders; it's shown in one.
    select f.id, min(p.id) as parent_id
    from private.wrike_folders f join private.wrike_folders p on f.id = any (p.child_ids)
    group by f.id
  ), tree as (
    select f.id, f.title, '' as path, 0 as depth, array[lower(f.title), f.id] as place
    from private.wrike_folders f
    where not exists (select from parents p where p.id = f.id)
    union all
    select f.id, f.title, concat_ws(' / ', nullif(t.path, ''), t.title), t.depth + 1,
      t.place || array[lower(f.title), f.id]
    from tree t
    join parents p on p.parent_id = t.id
    join private.wrike_folders f on f.id = p.id
    where t.depth < 30
  ), placed as (
    select t.id, t.path, t.depth, row_number() over (order by t.place) as place from tree t
  )
  update private.wrike_folders f set path = p.path, depth = p.depth, place = p.place
  from placed p where p.id = f.id;
  update private.wrike_settings s set listing = null, listed_at = now();
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_wrike_outcome (
  p_id      uuid,
  p_version integer,
  p_outcome text,
  p_reason  text    DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_outcome = 'removed' then
    delete from private.wrike_mirrors m where m.id = p_id;
    return;
  end if;
  update private.wrike_mirrors m set
    attempts = case when p_outcome = 'done' then 0 else m.attempts end,
    reason = case
      when m.version <> p_version then null
      when p_outcome = 'done' then (
        select t.reason from private.wrike_tasks t
        where t.mirror_id = p_id and t.reason is not null order by t.id limit 1
      )
      else p_reason
    end,
    is_gone = p_outcome = 'gone',
    state = case
      when m.wants = 'keep' then 'sent'
      when p_outcome = 'unknown' or m.version <> p_version then 'waiting'
      when p_outcome in ('refused', 'gone') then 'refused'
      when exists (select from private.wrike_pending_tasks(m)) then 'waiting'
      when exists (
        select from private.wrike_tasks t where t.mirror_id = p_id and t.reason is not null
      ) then 'refused'
      else 'sent'
    end
  where m.id = p_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_wrike_project (
  p_id         uuid,
  p_account_id text,
  p_wrike_id   text,
  p_permalink  text,
  p_sent       jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update private.wrike_mirrors m set
    account_id = p_account_id, wrike_id = p_wrike_id, sent_at = now(),
    permalink = coalesce(p_permalink, m.permalink),
    -- Nothing of an erased project is kept.
    sent = case when m.wants <> 'remove' then p_sent end
  where m.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.keep_wrike_task (
  p_mirror_id uuid,
  p_id        uuid,
  p_wrike_id  text,
  p_sent      jsonb,
  p_refused   jsonb DEFAULT NULL::jsonb,
  p_reason    text  DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.wrike_tasks as t (id, mirror_id, wrike_id, sent, refused, reason)
  select p_id, m.id, p_wrike_id, p_sent, p_refused, p_reason
  from private.wrike_mirrors m
  -- Nothing of an erased project is kept.
  where m.id = p_mirror_id and m.wants <> 'remove'
  on conflict (id) do update set
    wrike_id = excluded.wrike_id, sent = excluded.sent, refused = excluded.refused,
    reason = excluded.reason;
  update private.wrike_mirrors m set sent_at = now() where m.id = p_mirror_id and p_sent is not null;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_wrike()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_row constant jsonb := coalesce(to_jsonb(new), to_jsonb(old));
begin
  if tg_op = 'DELETE' then
    -- What it was is forgotten here, and removed there. What never got there needs no removal.
    delete from private.wrike_mirrors m
    where m.project_id = old.id and m.attempts = 0 and m.wrike_id is null;
    update private.wrike_mirrors m set
      wants = 'remove', sent = null, reason = null, is_gone = false, version = m.version + 1, changed_at = now(),
      state = case when m.state = 'sending' then 'sending' else 'waiting' end
    where m.project_id = old.id;
    if found then
      delete from private.wrike_tasks t
      using private.wrike_mirrors m where m.id = t.mirror_id and m.project_id = old.id;
      perform private.queue_wrike();
    end if;
  else
    update private.wrike_mirrors m set
      version = m.version + 1, changed_at = now(),
      state = case when m.state = 'sending' then 'sending' else 'waiting' end
    where m.wants = 'save'
      and m.project_id = (v_row ->> case tg_table_name when 'projects' then 'id' else 'project_id' end)::uuid;
    if found then
      perform private.queue_wrike();
    end if;
  end if;
  return null;
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
      where i.state = 'published' and i.reviewed_on < now() - interval '1 year'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.queue_wrike (
  p_always boolean DEFAULT false
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_count int;
begin
  -- One that waits is enough. If it's just being taken, the schedule queues another one.
  insert into private.jobs (kind)
  select 'wrike_sync'
  where not exists (
      select from private.jobs j where j.kind = 'wrike_sync' and j.state = 'waiting'
    )
    and (
      p_always
      or exists (
        select from private.wrike_mirrors m
        where m.state in ('waiting', 'sending') and m.wants <> 'keep'
      )
      or exists (select from private.wrike_settings s where s.listing is not null)
    );
  get diagnostics v_count = row_count;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_wrike_mirror()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- So many tasks at a time, so that a run can end in between.
  c_tasks constant int := 20;
  v_mirror private.wrike_mirrors;
begin
  select * into v_mirror from private.wrike_mirrors m
  where m.state = 'waiting' and m.wants <> 'keep'
  order by m.changed_at, m.id limit 1 for update;
  if not found then
    return null;
  end if;
  update private.wrike_mirrors m
  set state = 'sending', attempts = m.attempts + 1, reason = null, is_gone = false
  where m.id = v_mirror.id;
  return jsonb_build_object(
    'id', v_mirror.id, 'version', v_mirror.version, 'wants', v_mirror.wants,
    'folder_id', v_mirror.folder_id, 'wrike_id', v_mirror.wrike_id, 'sent', v_mirror.sent,
    'content', private.wrike_project(v_mirror),
    'tasks', case when v_mirror.wants = 'save' then (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', t.id, 'content', t.content, 'sent', t.sent, 'wrike_id', t.wrike_id,
        'is_begun', t.is_begun, 'is_first', t.place = 1,
        'after', (
          select k.wrike_id from private.wrike_tasks k
          join public.project_tasks o on o.id = k.id and o.removed_at is null
          join public.project_tasks i on i.id = t.id
          where k.mirror_id = v_mirror.id and k.wrike_id is not null
            and (o.position, o.id) < (i.position, i.id)
          order by o.position desc, o.id desc limit 1
        )
      ) order by t.content is not null, t.place), '[]')
      from (
        select p.* from private.wrike_pending_tasks(v_mirror) p
        order by p.content is not null, p.place limit c_tasks
      ) t
    ) else '[]' end,
    -- What a task that's moved to the top is put before.
    'first', (
      select k.wrike_id from private.wrike_tasks k
      join public.project_tasks t on t.id = k.id and t.removed_at is null
      where k.mirror_id = v_mirror.id and k.wrike_id is not null
        and k.sent ->> 'after' is null
      order by t.position, t.id limit 1
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.wake_wrike()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.queue_wrike(true);
  -- One that waits for Wrike to be back tries right away.
  update private.jobs j set run_at = now(), awaits_service = false
  where j.kind = 'wrike_sync' and j.state = 'waiting';
  perform pg_catalog.pg_notify('jobs', '');
end
$function$;

CREATE OR REPLACE FUNCTION private.wrike_json()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'connection', s.connection,
    'is_listing', s.listing is not null, 'listed_at', s.listed_at,
    'statuses', (
      select jsonb_agg(jsonb_build_object('status', u.status, 'wrike', private.wrike_status(u.status)))
      from unnest(
        array['draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done', 'canceled']
      ) as u (status)
    ),
    'mirrors', (
      select coalesce(jsonb_agg(to_jsonb(n)), '[]') from (
        select m.wants, m.state, count(*)::int as count
        from private.wrike_mirrors m group by 1, 2 order by 1, 2
      ) n
    ),
    'job', (
      select jsonb_build_object('state', j.state, 'error', j.last_error, 'run_at', j.run_at)
      from private.jobs j
      where j.kind = 'wrike_sync' and j.state in ('waiting', 'running', 'failed')
      order by j.state = 'running' desc, j.created_at desc limit 1
    )
  )
  from private.wrike_settings s
$function$;

CREATE OR REPLACE FUNCTION private.wrike_listing()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('id', s.listing, 'next_page', s.next_page)
  from private.wrike_settings s where s.listing is not null
$function$;

CREATE OR REPLACE FUNCTION private.wrike_pending_tasks (
  p_mirror private.wrike_mirrors
)
  RETURNS TABLE (
    id       uuid,
    place    bigint,
    content  jsonb,
    sent     jsonb,
    wrike_id text,
    is_begun boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with wanted as (
    select t.id, row_number() over w as place, jsonb_build_object(
      'title', t.title, 'due_on', t.due_on, 'is_done', t.state = 'done', 'after', lag(t.id) over w
    ) as content
    from public.project_tasks t
    where t.project_id = p_mirror.project_id and t.removed_at is null
    window w as (order by t.position, t.id)
  ), known as (
    select k.* from private.wrike_tasks k where k.mirror_id = p_mirror.id
  )
  select coalesce(w.id, k.id), w.place, w.content, k.sent, k.wrike_id, k.id is not null
  from wanted w
  full join known k on k.id = w.id
  where w.id is null
    or k.sent is distinct from w.content and k.refused is distinct from w.content
$function$;

CREATE OR REPLACE FUNCTION private.wrike_project (
  p_mirror private.wrike_mirrors
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case when p_mirror.project_id is null
    then jsonb_build_object(
      'title', 'Test project of ' || to_char(p_mirror.created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI')
        || ' UTC (can be deleted)',
      'outcome', null, 'baseline', null, 'start_on', null, 'due_on', null, 'status', 'OnHold'
    )
    else (
      select jsonb_build_object(
        'title', p.title, 'outcome', p.outcome, 'baseline', p.baseline,
        'start_on', p.start_on, 'due_on', p.due_on, 'status', private.wrike_status(p.status)
      )
      from public.projects p where p.id = p_mirror.project_id
    )
  end
$function$;

CREATE OR REPLACE FUNCTION private.wrike_state (
  p_project_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('is_followed', m.wants = 'save', 'since', m.created_at)
  from private.wrike_mirrors m where m.project_id = p_project_id
$function$;

CREATE OR REPLACE FUNCTION private.wrike_status (
  p_status text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case p_status
    when 'draft' then 'OnHold'
    when 'blocked' then 'Red'
    when 'done' then 'Completed'
    when 'canceled' then 'Cancelled'
    else 'Green'
  end
$function$;

CREATE OR REPLACE FUNCTION public.admin_wrike()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Not in the audit log: it names nobody, and the screen reads it every few seconds while a run lasts.
  perform private.require_admin();
  return private.wrike_json();
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_wrike"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_wrike_folders (
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
  -- Not in the audit log: these are Wrike's folders, and nothing about anyone here.
  perform private.require_admin();
  return private.list_page(
    'private.wrike_folders r',
    $row$
      jsonb_build_object('title', r.title, 'kind', r.kind, 'path', r.path, 'depth', r.depth)
    $row$,
    array['r.place > 0'],
    'r.place', 'int', false, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words'), 'text'
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_wrike_folders"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_wrike_mirrors (
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
  perform private.audit('wrike.list', 'wrike', null, null, p_filter);
  return private.list_page(
    $from$
      (
        select m.*, w.words from private.wrike_mirrors m
        left join private.project_words w on w.project_id = m.project_id
      ) r
    $from$,
    $row$
      jsonb_build_object(
        'is_test', r.project_id is null, 'folder', r.folder, 'wants', r.wants, 'state', r.state,
        'reason', r.reason, 'is_gone', r.is_gone, 'permalink', r.permalink, 'sent_at', r.sent_at,
        'created_at', r.created_at,
        'project', (
          select jsonb_build_object(
            'id', p.id, 'title', p.title, 'status', p.status,
            'business', jsonb_build_object('id', b.id, 'name', b.name)
          )
          from public.projects p join public.businesses b on b.id = p.business_id
          where p.id = r.project_id
        ),
        'tasks', (
          select count(*) from private.wrike_tasks t where t.mirror_id = r.id and t.wrike_id is not null
        )
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'refused' then 'r.state = ''refused'''
        when 'waiting' then 'r.state in (''waiting'', ''sending'')'
        when 'sent' then 'r.state = ''sent'' and r.wants = ''save'''
        when 'kept' then 'r.wants = ''keep'''
      end
    ],
    'r.created_at', 'timestamptz', true, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_wrike_mirrors"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.change_wrike_mirror (
  p_id   uuid,
  p_step text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_mirror private.wrike_mirrors;
begin
  perform private.require_admin();
  if p_step is null or p_step not in ('stop', 'continue', 'remove', 'replay') then
    raise exception 'Choose a step.' using errcode = '22023', hint = 'step';
  end if;
  select * into v_mirror from private.wrike_mirrors m where m.id = p_id for update;
  if not found then
    raise exception 'We don’t mirror this project anymore.' using errcode = 'P0002', hint = 'id';
  end if;
  if v_mirror.wants = 'remove' and p_step <> 'replay' then
    -- It's on its way out.
    return private.wrike_json();
  end if;
  if p_step in ('stop', 'remove') and v_mirror.attempts = 0 and v_mirror.wrike_id is null then
    -- It never got there.
    delete from private.wrike_mirrors m where m.id = p_id;
  elsif p_step = 'stop' and v_mirror.wrike_id is not null then
    update private.wrike_mirrors m set
      wants = 'keep', version = m.version + 1, reason = null, is_gone = false,
      state = case when m.state = 'sending' then 'sending' else 'sent' end
    where m.id = p_id and m.wants = 'save';
  elsif p_step <> 'replay' then
    -- One that may have got there without us learning of it can't be left there.
    update private.wrike_mirrors m set
      wants = case p_step when 'continue' then 'save' else 'remove' end,
      version = m.version + 1, changed_at = now(), reason = null,
      state = case when m.state = 'sending' then 'sending' else 'waiting' end
    where m.id = p_id and (p_step <> 'continue' or m.wants = 'keep');
  elsif v_mirror.state = 'refused' then
    -- What Wrike's people deleted is made again.
    delete from private.wrike_tasks t where t.mirror_id = p_id and v_mirror.is_gone;
    update private.wrike_tasks t set refused = null, reason = null where t.mirror_id = p_id;
    update private.wrike_mirrors m set
      state = 'waiting', reason = null, is_gone = false, changed_at = now(),
      wrike_id = case when not m.is_gone then m.wrike_id end,
      permalink = case when not m.is_gone then m.permalink end,
      sent = case when not m.is_gone then m.sent end
    where m.id = p_id;
  end if;
  perform private.wake_wrike();
  perform private.audit(
    'wrike.' || p_step, case when v_mirror.project_id is null then 'wrike' else 'project' end,
    coalesce(v_mirror.project_id, p_id)::text
  );
  return private.wrike_json();
end
$function$;

REVOKE ALL ON FUNCTION "public"."change_wrike_mirror"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.export_account()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_email text := (select lower(u.email) from auth.users u where u.id = v_user_id);
  v_business_ids uuid[] := array(
    select m.business_id from public.business_members m where m.user_id = v_user_id
  );
  v_folders text[] := array(select m::text from private.merged_ids(v_business_ids) m);
  v_part record;
  v_rows jsonb;
  v_tables jsonb := '{}';
begin
  perform private.count_writes('exports');
  for v_part in select p.name, p.rows, p.hidden from private.export_parts() p loop
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(t) - $4), ''[]'') from %I.%I t where %s',
      case when v_part.name in ('mails', 'hubspot_records', 'wrike_mirrors') then 'private' else 'public' end,
      replace(v_part.name, '_as_coach', ''), v_part.rows
    ) into v_rows using v_user_id, v_email, v_business_ids, v_part.hidden;
    v_tables := v_tables || jsonb_build_object(v_part.name, v_rows);
  end loop;
  return jsonb_build_object(
    'made_at', now(),
    'account', (
      select jsonb_build_object(
        'id', u.id, 'email', u.email, 'new_email', nullif(u.email_change, ''),
        'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at,
        'last_sign_in_at', u.last_sign_in_at, 'said_at_registration', u.raw_user_meta_data
      )
      from auth.users u where u.id = v_user_id
    ),
    'sessions', private.sessions_json(v_user_id),
    'second_factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', f.friendly_name, 'kind', f.factor_type, 'state', f.status, 'added_at', f.created_at
      ))
      from auth.mfa_factors f where f.user_id = v_user_id
    ), '[]'),
    'tables', v_tables,
    'files', coalesce((
      select jsonb_agg(jsonb_build_object(
        'bucket', o.bucket_id, 'path', o.name, 'size', (o.metadata ->> 'size')::bigint,
        'name', coalesce(f.name, a.name, r.name, pg_catalog.regexp_replace(o.name, '^.*/', ''))
      ) order by o.bucket_id, o.name)
      from storage.objects o
      left join public.project_files f on o.bucket_id = 'project-files' and f.path = o.name
      left join public.message_attachments a on o.bucket_id = 'message-files' and a.path = o.name
      left join public.order_files r on o.bucket_id = 'order-files' and r.path = o.name
      -- Each folder in its own bucket: ids come from browsers, and one may name two things.
      where o.bucket_id = 'avatars' and split_part(o.name, '/', 1) = v_user_id::text
        or o.bucket_id = 'project-files' and split_part(o.name, '/', 1) = any (v_folders)
        -- Of a conversation that they have left they can download nothing any more.
        or a.uploaded_by = v_user_id and a.state = 'stored'
          and a.conversation_id in (select private.my_conversation_ids())
        or r.order_id in (select d.id from public.orders d where d.buyer_id = v_user_id)
    ), '[]')
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_project (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_tasks constant int := 100;
  c_history constant int := 30;
  v_project public.projects := private.project_to_read(p_id);
  v_business public.businesses;
begin
  if v_project.id is null then
    return null;
  end if;
  select * into v_business from public.businesses b where b.id = v_project.business_id;
  return jsonb_build_object(
    'project', private.project_json(v_project),
    'business_name', v_business.name,
    'archived', v_business.archived_at is not null,
    'right', private.project_right(v_project.business_id),
    'may_write', private.may_write_about(p_id, (select auth.uid())),
    'wrike', private.wrike_state(p_id),
    'moves', private.project_moves(v_project.status),
    'tasks', private.project_tasks_json(p_id, null, null, c_tasks),
    'history', private.project_history(p_id, null, null, c_history),
    'files', (
      select coalesce(jsonb_agg(private.file_json(f) order by f.created_at desc, f.id), '[]')
      from public.project_files f where f.project_id = p_id and f.state = 'stored'
    )
  ) || private.project_choices(v_project.business_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.mirror_in_wrike (
  p_id         uuid,
  p_folder_id  text,
  p_project_id uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_folder private.wrike_folders;
  v_found private.wrike_mirrors;
  v_project public.projects;
begin
  perform private.require_admin();
  if p_id is null then
    raise exception 'It needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('wrike_mirrors', coalesce(p_project_id, p_id));
  select * into v_found from private.wrike_mirrors m where m.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.project_id is distinct from p_project_id then
      raise exception 'This already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.wrike_json();
  end if;
  select * into v_folder from private.wrike_folders f where f.id = p_folder_id;
  if not found then
    raise exception 'Choose a folder. If it’s new, list the folders again.'
      using errcode = '22023', hint = 'folder';
  end if;
  if p_project_id is not null then
    select * into v_project from public.projects p where p.id = p_project_id;
    if not found then
      raise exception 'We can’t find this project.' using errcode = 'P0002', hint = 'project';
    end if;
    perform private.require_unarchived(v_project.business_id);
    if exists (select from private.wrike_mirrors m where m.project_id = p_project_id) then
      raise exception 'This project is in Wrike already. It’s on the list of mirrored projects.'
        using errcode = '22023', hint = 'project';
    end if;
  end if;
  insert into private.wrike_mirrors (id, project_id, folder_id, folder)
  values (p_id, p_project_id, v_folder.id, concat_ws(' / ', nullif(v_folder.path, ''), v_folder.title));
  perform private.wake_wrike();
  if p_project_id is null then
    perform private.audit('wrike.test', 'wrike', p_id::text);
  else
    perform private.audit('wrike.mirror', 'project', p_project_id::text);
  end if;
  return private.wrike_json();
end
$function$;

REVOKE ALL ON FUNCTION "public"."mirror_in_wrike"(uuid, text, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.run_wrike (
  p_step text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  if p_step is null or p_step not in ('check', 'list_folders') then
    raise exception 'Choose a step.' using errcode = '22023', hint = 'step';
  end if;
  if p_step = 'list_folders' then
    update private.wrike_settings s set listing = gen_random_uuid(), next_page = null;
  end if;
  perform private.wake_wrike();
  perform private.audit('wrike.' || p_step, 'wrike', null);
  return private.wrike_json();
end
$function$;

REVOKE ALL ON FUNCTION "public"."run_wrike"(text) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."wrike_tasks"
  ADD CONSTRAINT "wrike_tasks_mirror_id_fkey" FOREIGN KEY (mirror_id) REFERENCES private.wrike_mirrors(id) ON DELETE CASCADE;

CREATE INDEX wrike_folders_place_idx ON private.wrike_folders USING btree (place, id);

CREATE INDEX wrike_mirrors_created_at_idx ON private.wrike_mirrors USING btree (created_at, id);

CREATE INDEX wrike_mirrors_refused_idx ON private.wrike_mirrors USING btree (created_at, id)
  WHERE (state = 'refused'::text);

CREATE INDEX wrike_mirrors_waiting_idx ON private.wrike_mirrors USING btree (changed_at, id)
  WHERE ((state = ANY (ARRAY['waiting'::text, 'sending'::text])) AND (wants <> 'keep'::text));

CREATE INDEX wrike_tasks_mirror_id_idx ON private.wrike_tasks USING btree (mirror_id);

CREATE TRIGGER mark_wrike_when_added
  AFTER INSERT ON public.project_tasks
  FOR EACH ROW
  EXECUTE FUNCTION private.mark_wrike();

CREATE TRIGGER mark_wrike
  AFTER UPDATE OF title, due_on, state, "position", removed_at ON public.project_tasks
  FOR EACH ROW
  WHEN
    ((((((old.title IS DISTINCT FROM new.title) OR (old.due_on IS DISTINCT FROM new.due_on)) OR ((old.state = 'done'::text) IS DISTINCT FROM (new.state = 'done'::text))) OR
    (old."position" IS DISTINCT FROM new."position")) OR (old.removed_at IS DISTINCT FROM new.removed_at)))
  EXECUTE FUNCTION private.mark_wrike();

CREATE TRIGGER mark_wrike_when_erased
  AFTER DELETE ON public.projects
  FOR EACH ROW
  EXECUTE FUNCTION private.mark_wrike();

CREATE TRIGGER mark_wrike
  AFTER UPDATE OF title, outcome, baseline, start_on, due_on, status ON public.projects
  FOR EACH ROW
  WHEN
    (((((((old.title IS DISTINCT FROM new.title) OR (old.outcome IS DISTINCT FROM new.outcome)) OR (old.baseline IS DISTINCT FROM new.baseline)) OR (old.start_on IS DISTINCT FROM
    new.start_on)) OR (old.due_on IS DISTINCT FROM new.due_on)) OR (old.status IS DISTINCT FROM new.status)))
  EXECUTE FUNCTION private.mark_wrike();

COMMENT ON FUNCTION "private"."begin_wrike"(uuid) IS 'Starts a run of the job: {account_id (where the mirrors are), has_work}; null while another one is running.';

COMMENT ON FUNCTION "private"."drop_wrike_task"(uuid) IS 'Notes that a task isn''t in Wrike.';

COMMENT ON FUNCTION "private"."is_first_of_its_kind"(uuid) IS 'Whether no job of the same kind was running already when this one was claimed, for kinds that mustn''t run twice at the same time.';

COMMENT ON FUNCTION "private"."keep_wrike_connection"(jsonb) IS 'Stores what the job saw of Wrike: {problem (a sentence, or null), host, account: {id, name} or null}.';

COMMENT ON FUNCTION "private"."keep_wrike_folders"(uuid, jsonb, text) IS 'Stores a page of folders, [{id, title, kind, child_ids}]; with the last one (p_next_page is null), those that weren''t found are removed and the tree is made.';

COMMENT ON FUNCTION "private"."keep_wrike_outcome"(uuid, integer, text, text) IS 'Stores what became of a mirror: "done", "refused", "gone" (from Wrike), "removed" or "unknown" (it''s tried again). One that changed in the meantime waits again.';

COMMENT ON FUNCTION "private"."keep_wrike_project"(uuid, text, text, text, jsonb) IS 'Notes that a project is in Wrike, where, and what was sent of it.';

COMMENT ON FUNCTION "private"."keep_wrike_task"(uuid, uuid, text, jsonb, jsonb, text) IS 'Notes where a task is in Wrike and what was sent of it, or what was refused and why. Without either, that it''s about to be created.';

COMMENT ON FUNCTION "private"."queue_wrike"(boolean) IS 'Queues the job that sends what waits for Wrike, unless one waits already; returns how many.';

COMMENT ON FUNCTION "private"."take_wrike_mirror"() IS 'Takes a mirror that waits, with up to 20 of its tasks that have to be sent (content) or removed (null): {id, version, wants, folder_id, wrike_id, sent, content, tasks: [{id, content, sent, wrike_id, is_begun, is_first, after (Wrike''s id of the last one before that''s there)}], first}; null if none waits.';

COMMENT ON FUNCTION "private"."wake_wrike"() IS 'Has the job for Wrike run now.';

COMMENT ON FUNCTION "private"."wrike_listing"() IS 'The listing of folders that''s under way: {id, next_page (null: the first)}; null if there''s none.';

COMMENT ON FUNCTION "private"."wrike_pending_tasks"(private.wrike_mirrors) IS 'The tasks that differ from what was last sent: content is {title, due_on, is_done, after (the task before it)}, or null if it has to be removed.';

COMMENT ON FUNCTION "private"."wrike_project"(private.wrike_mirrors) IS 'What may be sent of a project itself: {title, outcome, baseline, start_on, due_on, status}; null if it''s gone.';

COMMENT ON FUNCTION "private"."wrike_state"(uuid) IS 'Whether a project is in Wrike: {is_followed (changes are sent), since}; null if it isn''t.';

COMMENT ON FUNCTION "private"."wrike_status"(text) IS 'A project''s status, as Wrike''s API calls it.';

COMMENT ON FUNCTION "public"."admin_wrike"() IS 'How far Wrike is: {connection (see keep_wrike_connection), is_listing and listed_at (of its folders), statuses: [{status, wrike}], mirrors: [{wants, state, count}], job: {state, error, run_at} or null}.';

COMMENT ON FUNCTION "public"."admin_wrike_folders"(jsonb, jsonb, integer) IS 'A page of Wrike''s spaces and folders in the order of their tree, by {words (of the title)}, each with its path and depth; see list_page.';

COMMENT ON FUNCTION "public"."admin_wrike_mirrors"(jsonb, jsonb, integer) IS 'A page of the projects that are mirrored in Wrike, the newest first, by {words (of the title or business), state ("waiting", "sent", "refused", "kept")}; see list_page.';

COMMENT ON FUNCTION "public"."change_wrike_mirror"(uuid, text) IS 'An admin stops sending a project''s changes ("stop"), sends them again ("continue"), has the project deleted in Wrike ("remove"), or has it tried again after Wrike refused it ("replay"). Returns the same as admin_wrike.';

COMMENT ON FUNCTION "public"."get_project"(uuid) IS 'One project with everything its page shows: {project, business_name, archived (the business, which makes it read-only), right, may_write, wrike (whether it''s mirrored there; see wrike_state), moves, tasks (100), history (30), files, areas, engagements}; null if it doesn''t exist or the caller can''t read it.';

COMMENT ON FUNCTION "public"."mirror_in_wrike"(uuid, text, uuid) IS 'An admin mirrors a project in a folder of Wrike or, without one, has a test project created there. Idempotent by id. Returns the same as admin_wrike.';

COMMENT ON FUNCTION "public"."run_wrike"(text) IS 'An admin has the connection looked at ("check") or the folders listed again ("list_folders"). Returns the same as admin_wrike.';

COMMENT ON TABLE "private"."wrike_folders" IS 'Spaces and folders of Wrike, as the last listing found them. No API role reads or writes it.';

COMMENT ON TABLE "private"."wrike_mirrors" IS 'Projects that are mirrored in Wrike, and how far each is. No API role reads or writes it.';

COMMENT ON TABLE "private"."wrike_settings" IS 'One row: what was last seen of Wrike, and how far the listing of its folders is. No API role reads or writes it.';

COMMENT ON TABLE "private"."wrike_tasks" IS 'Tasks of mirrored projects, with what was last sent of each. No API role reads or writes it.';

REVOKE ALL ON FUNCTION "private"."begin_wrike"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."drop_wrike_task"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_first_of_its_kind"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_wrike_connection"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_wrike_folders"(uuid, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_wrike_outcome"(uuid, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_wrike_project"(uuid, text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_wrike_task"(uuid, uuid, text, jsonb, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_wrike"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_wrike"(boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_wrike_mirror"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."wake_wrike"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."wrike_json"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."wrike_listing"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."wrike_pending_tasks"(private.wrike_mirrors) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."wrike_project"(private.wrike_mirrors) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."wrike_state"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."wrike_status"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_wrike"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_wrike_folders"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_wrike_mirrors"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."change_wrike_mirror"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."mirror_in_wrike"(uuid, text, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."run_wrike"(text) TO "authenticated";

CREATE INDEX wrike_folders_words_idx ON private.wrike_folders USING gin (words);

-- Rows of private tables.
insert into private.wrike_settings default values;
insert into private.jobs (kind, every) values ('queue_wrike', interval '5 minutes');
