SET local check_function_bodies = off;

CREATE TABLE "private"."hubspot_links" (
  "contact_id" uuid                     NOT NULL,
  "company_id" uuid                     NOT NULL,
  "linked_at"  timestamp with time zone,
  "reason"     text,
  CONSTRAINT "hubspot_links_check" CHECK (((linked_at IS NULL) <> (reason IS NULL))),
  CONSTRAINT "hubspot_links_pkey" PRIMARY KEY (contact_id, company_id)
);

ALTER TABLE "private"."hubspot_links"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."hubspot_records" (
  "id"         uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "kind"       text                     NOT NULL,
  "source_id"  uuid                     NOT NULL,
  "label"      text                     NOT NULL,
  "wants"      text                     NOT NULL DEFAULT 'save'::text,
  "state"      text                     NOT NULL DEFAULT 'waiting'::text,
  "version"    integer                  NOT NULL DEFAULT 1,
  "hash"       bytea                    NOT NULL,
  "sent_hash"  bytea,
  "in_doubt"   boolean                  NOT NULL DEFAULT false,
  "hubspot_id" text,
  "attempts"   integer                  NOT NULL DEFAULT 0,
  "reason"     text,
  "found"      jsonb,
  "change"     text,
  "sent_at"    timestamp with time zone,
  "changed_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "hubspot_records_change_check" CHECK ((change = ANY (ARRAY['new'::text, 'changed'::text, 'unchanged'::text]))),
  CONSTRAINT "hubspot_records_kind_check" CHECK ((kind = ANY (ARRAY['contact'::text, 'company'::text]))),
  CONSTRAINT "hubspot_records_kind_source_id_key" UNIQUE (kind, source_id),
  CONSTRAINT "hubspot_records_pkey" PRIMARY KEY (id),
  CONSTRAINT "hubspot_records_state_check" CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'unchanged'::text, 'refused'::text, 'removed'::text]))),
  CONSTRAINT "hubspot_records_wants_check" CHECK ((wants = ANY (ARRAY['save'::text, 'archive'::text, 'erase'::text]))),
  "words"      tsvector                 GENERATED ALWAYS AS (private.name_words(label)) STORED NOT NULL
);

ALTER TABLE "private"."hubspot_records"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."hubspot_settings" (
  "id"           boolean                  NOT NULL DEFAULT true,
  "state"        text                     NOT NULL DEFAULT 'off'::text,
  "mapping"      jsonb                    NOT NULL,
  "previewed_at" timestamp with time zone,
  "connection"   jsonb,
  CONSTRAINT "hubspot_settings_connection_check" CHECK ((jsonb_typeof(connection) = 'object'::text)),
  CONSTRAINT "hubspot_settings_id_check" CHECK (id),
  CONSTRAINT "hubspot_settings_mapping_check" CHECK ((jsonb_typeof(mapping) = 'object'::text)),
  CONSTRAINT "hubspot_settings_pkey" PRIMARY KEY (id),
  CONSTRAINT "hubspot_settings_state_check" CHECK ((state = ANY (ARRAY['off'::text, 'previewing'::text, 'previewed'::text, 'live'::text, 'stopped'::text])))
);

ALTER TABLE "private"."hubspot_settings"
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
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('hubspot_sync'));
  if exists (
    select from private.jobs j
    where j.kind = 'hubspot_sync' and j.state = 'running' and j.run_at > now() and j.id <> p_job_id
  ) then
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

CREATE OR REPLACE FUNCTION private.erase_from_hubspot()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  delete from private.hubspot_records r
  where r.kind = 'contact' and r.source_id = old.id
    and r.hubspot_id is null and not r.in_doubt and r.state <> 'sending';
  update private.hubspot_records r set
    wants = case
      when exists (select from public.contacts c where old.email = any (c.other_emails)) then 'archive'
      else 'erase'
    end,
    version = r.version + 1, changed_at = now(), found = null, change = null,
    state = case when r.state = 'sending' then 'sending' else 'waiting' end
  where r.kind = 'contact' and r.source_id = old.id;
  if found then
    perform private.queue_hubspot();
  end if;
  return null;
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

CREATE OR REPLACE FUNCTION private.finish_hubspot_preview()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update private.hubspot_settings s set state = 'previewed', previewed_at = now()
  where s.state = 'previewing'
$function$;

CREATE OR REPLACE FUNCTION private.hubspot_content (
  p_kind text,
  p_ids  uuid[]
)
  RETURNS TABLE (
    source_id  uuid,
    label      text,
    properties jsonb,
    hash       bytea
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select f.source_id, f.label, p.properties, sha256(convert_to(p.properties::text, 'UTF8'))
  from private.hubspot_settings s
  cross join private.hubspot_fields(p_kind, p_ids) f
  cross join lateral (
    -- What we don't know is left out: an empty value would clear what HubSpot knows.
    select jsonb_object_agg(m.value, f.fields ->> m.key)
    from jsonb_each_text(s.mapping -> p_kind) m
    where f.fields ->> m.key is not null
  ) as p (properties)
$function$;

CREATE OR REPLACE FUNCTION private.hubspot_fields (
  p_kind text,
  p_ids  uuid[]
)
  RETURNS TABLE (
    source_id uuid,
    label     text,
    fields    jsonb
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select c.id, c.email, jsonb_build_object(
    'id', c.id, 'email', c.email, 'first_name', nullif(n.words[1], ''),
    'last_name', nullif(array_to_string(n.words[2:], ' '), ''),
    'business', coalesce(c.business, c.businesses[1]),
    'subscribed_on', to_char(c.consented_at at time zone 'utc', 'YYYY-MM-DD'),
    'agreed_to', c.consent_wording
  )
  from public.contacts c, lateral (
    select regexp_split_to_array(btrim(coalesce(c.name, '')), '\s+')
  ) as n (words)
  where p_kind = 'contact' and c.id = any (p_ids) and c.newsletter = 'subscribed'
  union all
  select b.id, b.name, jsonb_build_object('id', b.id, 'name', b.name, 'website', b.website)
  from public.businesses b
  where p_kind = 'company' and b.id = any (p_ids) and b.archived_at is null
    and exists (
      select from public.business_members m join public.contacts c on c.user_id = m.user_id
      where m.business_id = b.id and c.newsletter = 'subscribed'
    )
$function$;

CREATE OR REPLACE FUNCTION private.hubspot_json()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'state', s.state, 'mapping', s.mapping, 'previewed_at', s.previewed_at,
    'connection', s.connection,
    'agreed', (select count(*) from public.contacts c where c.newsletter = 'subscribed'),
    'not_agreed', (select count(*) from public.contacts c where c.newsletter <> 'subscribed'),
    'records', (
      select coalesce(jsonb_agg(to_jsonb(n)), '[]') from (
        select r.kind, r.state, r.wants, r.change, count(*)::int as count
        from private.hubspot_records r group by 1, 2, 3, 4 order by 1, 2, 3, 4
      ) n
    ),
    'links', (select count(*) from private.hubspot_links l where l.linked_at is not null),
    'refused_links', (select count(*) from private.hubspot_links l where l.linked_at is null),
    'job', (
      select jsonb_build_object('state', j.state, 'error', j.last_error, 'run_at', j.run_at)
      from private.jobs j
      where j.kind = 'hubspot_sync' and j.state in ('waiting', 'running', 'failed')
      order by j.state = 'running' desc, j.created_at desc limit 1
    )
  )
  from private.hubspot_settings s
$function$;

CREATE OR REPLACE FUNCTION private.hubspot_link_changes()
  RETURNS TABLE (
    contact_id  uuid,
    company_id  uuid,
    contact_ref text,
    company_ref text,
    is_wanted   boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with wanted as (
    select r.id as contact_id, o.id as company_id
    from private.hubspot_records r
    join public.contacts c on c.id = r.source_id
    join public.business_members m on m.user_id = c.user_id
    join private.hubspot_records o on o.kind = 'company' and o.source_id = m.business_id
    where r.kind = 'contact' and r.wants = 'save' and o.wants = 'save'
      and r.state in ('sent', 'unchanged') and o.state in ('sent', 'unchanged')
  )
  select coalesce(w.contact_id, l.contact_id), coalesce(w.company_id, l.company_id),
    r.hubspot_id, o.hubspot_id, w.contact_id is not null
  from wanted w
  full join private.hubspot_links l on (l.contact_id, l.company_id) = (w.contact_id, w.company_id)
  join private.hubspot_records r on r.id = coalesce(w.contact_id, l.contact_id)
  join private.hubspot_records o on o.id = coalesce(w.company_id, l.company_id)
  where l.contact_id is null
    -- Not while one of the two waits to be sent again.
    or w.contact_id is null and r.state in ('sent', 'unchanged') and o.state in ('sent', 'unchanged')
$function$;

CREATE OR REPLACE FUNCTION private.hubspot_state (
  p_contact_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('state', r.state, 'reason', r.reason, 'sent_at', r.sent_at)
  from private.hubspot_records r where r.kind = 'contact' and r.source_id = p_contact_id
$function$;

CREATE OR REPLACE FUNCTION private.keep_hubspot_comparisons (
  p_compared jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update private.hubspot_records r set found = o.found, change = o.change
  from jsonb_to_recordset(p_compared) as o (id uuid, version int, found jsonb, change text)
  where r.id = o.id and r.version = o.version
$function$;

CREATE OR REPLACE FUNCTION private.keep_hubspot_connection (
  p_connection jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update private.hubspot_settings s
  set connection = p_connection || jsonb_build_object('checked_at', now())
$function$;

CREATE OR REPLACE FUNCTION private.keep_hubspot_links (
  p_links jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with given as (
    select * from jsonb_to_recordset(p_links) as l (
      contact_id uuid, company_id uuid, is_wanted boolean, reason text
    )
  ), gone as (
    delete from private.hubspot_links l using given g
    where not g.is_wanted and (l.contact_id, l.company_id) = (g.contact_id, g.company_id)
  )
  insert into private.hubspot_links (contact_id, company_id, linked_at, reason)
  select g.contact_id, g.company_id, case when g.reason is null then now() end, g.reason
  from given g
  join private.hubspot_records r on r.id = g.contact_id
  join private.hubspot_records o on o.id = g.company_id
  where g.is_wanted
  on conflict (contact_id, company_id) do update
  set linked_at = excluded.linked_at, reason = excluded.reason
$function$;

CREATE OR REPLACE FUNCTION private.keep_hubspot_outcomes (
  p_outcomes jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Gone there, and nothing here will ever need it again.
  delete from private.hubspot_records r
  using jsonb_to_recordset(p_outcomes) as o (id uuid, version int, outcome text)
  where r.id = o.id and o.outcome = 'removed'
    and (
      r.wants = 'erase' or r.kind = 'company'
      or not exists (select from public.contacts c where c.id = r.source_id)
    )
    and (r.version = o.version or r.wants = 'erase' and r.hubspot_id is null);
  update private.hubspot_records r set
    hubspot_id = coalesce(o.hubspot_id, r.hubspot_id),
    in_doubt = o.outcome = 'in_doubt',
    sent_hash = case
      when o.outcome in ('sent', 'unchanged') then decode(o.hash, 'hex')
      when o.outcome <> 'removed' then r.sent_hash
    end,
    sent_at = case when o.outcome = 'sent' then now() else r.sent_at end,
    attempts = case when o.outcome in ('sent', 'unchanged', 'removed') then 0 else r.attempts end,
    found = case when o.outcome = 'refused' then r.found end,
    change = case when o.outcome = 'refused' then r.change end,
    reason = case when r.version = o.version then o.reason end,
    state = case
      when o.outcome in ('in_doubt', 'later') then 'waiting'
      when r.version = o.version then o.outcome
      when r.wants = 'save' and o.outcome in ('sent', 'unchanged') and r.hash = decode(o.hash, 'hex')
        then o.outcome
      else 'waiting'
    end
  from jsonb_to_recordset(p_outcomes) as o (
    id uuid, version int, outcome text, reason text, hubspot_id text, hash text
  )
  where r.id = o.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_hubspot (
  p_kind text,
  p_ids  uuid[]
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_state text := (select s.state from private.hubspot_settings s);
  v_ids uuid[] := p_ids;
begin
  if v_state = 'off' and not exists (select from private.hubspot_records) then
    return;
  end if;
  if v_ids is null then
    v_ids := array(
      select c.id from public.contacts c where p_kind = 'contact' and c.newsletter = 'subscribed'
      union
      select b.id from public.businesses b where p_kind = 'company'
      union
      select r.source_id from private.hubspot_records r where r.kind = p_kind
    );
  end if;
  if v_state <> 'off' then
    insert into private.hubspot_records as r (kind, source_id, label, hash, state, reason)
    select p_kind, c.source_id, c.label, c.hash, case when k.is_good then 'waiting' else 'refused' end,
      case when not k.is_good then 'HubSpot only takes complete addresses, such as ann@example.com.' end
    from private.hubspot_content(p_kind, v_ids) c, lateral (
      select p_kind = 'company' or c.label ~ '^[^@\s]+@[^@\s]+\.[^@\s.]+$'
    ) as k (is_good)
    on conflict (kind, source_id) do update set
      label = excluded.label, hash = excluded.hash, wants = 'save', version = r.version + 1,
      changed_at = now(), found = null, change = null, reason = excluded.reason,
      state = case
        when r.state = 'sending' then 'sending'
        when excluded.state = 'refused' then 'refused'
        when r.wants = 'save' and not r.in_doubt and r.sent_hash = excluded.hash then 'unchanged'
        else 'waiting'
      end
    where (r.hash, r.wants, r.label) is distinct from (excluded.hash, 'save', excluded.label);
  end if;

  delete from private.hubspot_records r
  where r.kind = p_kind and r.source_id = any (v_ids)
    and r.hubspot_id is null and not r.in_doubt and r.state <> 'sending'
    and r.source_id not in (select f.source_id from private.hubspot_fields(p_kind, v_ids) f);
  update private.hubspot_records r set
    wants = 'archive', version = r.version + 1, changed_at = now(), found = null, change = null,
    state = case when r.state = 'sending' then 'sending' else 'waiting' end
  where r.kind = p_kind and r.source_id = any (v_ids) and r.wants = 'save'
    and r.source_id not in (select f.source_id from private.hubspot_fields(p_kind, v_ids) f);
  perform private.queue_hubspot();
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_hubspot_company()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.mark_hubspot('company', array[new.id]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_hubspot_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.mark_hubspot('contact', array[new.id]);
  perform private.mark_hubspot('company', array(
    select m.business_id from public.business_members m
    where m.user_id = any (array[new.user_id, (to_jsonb(old) ->> 'user_id')::uuid])
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_hubspot_member()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.mark_hubspot('company', array[
    (coalesce(to_jsonb(new), to_jsonb(old)) ->> 'business_id')::uuid
  ]);
  if exists (select from private.hubspot_settings s where s.state = 'live') then
    -- Who belongs to a business is linked to it.
    perform private.queue_hubspot(true);
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
    'toggles', (
      select count(*) from private.toggles t where t.expires_on <= current_date + 14
    ),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.reviewed_on < now() - interval '1 year'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.queue_hubspot (
  p_always boolean DEFAULT false
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_state text := (select s.state from private.hubspot_settings s);
  v_count int;
begin
  -- One that waits is enough. If it's just being taken, the schedule queues another one.
  insert into private.jobs (kind)
  select 'hubspot_sync'
  where not exists (
      select from private.jobs j where j.kind = 'hubspot_sync' and j.state = 'waiting'
    )
    and (
      p_always or v_state = 'previewing' or exists (
        select from private.hubspot_records r
        where r.state in ('waiting', 'sending') and (r.wants <> 'save' or v_state = 'live')
      )
    );
  get diagnostics v_count = row_count;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_hubspot_comparisons()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with first as (
    select r.kind from private.hubspot_records r
    where r.change is null and r.wants = 'save' and r.state <> 'refused' limit 1
  ), taken as (
    select r.* from private.hubspot_records r join first f on f.kind = r.kind
    where r.change is null and r.wants = 'save' and r.state <> 'refused'
    order by r.id limit 100
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', t.id, 'kind', t.kind, 'source_id', t.source_id, 'label', t.label, 'version', t.version,
    'properties', c.properties
  )), '[]')
  from taken t
  join first f on true
  join private.hubspot_content(f.kind, array(select t.source_id from taken t)) c on c.source_id = t.source_id
  where (select s.state from private.hubspot_settings s) = 'previewing'
$function$;

CREATE OR REPLACE FUNCTION private.take_hubspot_links()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(to_jsonb(l)), '[]')
  from (
    select c.* from private.hubspot_link_changes() c
    where (select s.state from private.hubspot_settings s) = 'live'
    order by c.is_wanted, c.contact_id, c.company_id limit 100
  ) l
$function$;

CREATE OR REPLACE FUNCTION private.take_hubspot_records()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_first private.hubspot_records;
  v_ids uuid[];
begin
  -- What has to go first, then companies, which contacts belong to.
  select * into v_first from private.hubspot_records r
  where r.state = 'waiting'
    and (r.wants <> 'save' or (select s.state from private.hubspot_settings s) = 'live')
  order by r.wants, r.kind limit 1;
  v_ids := array(
    select r.id from private.hubspot_records r
    where r.state = 'waiting' and r.wants = v_first.wants and r.kind = v_first.kind
    order by r.id limit 100 for update skip locked
  );
  update private.hubspot_records r set state = 'sending', attempts = r.attempts + 1, reason = null
  where r.id = any (v_ids);
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'kind', r.kind, 'wants', r.wants, 'source_id', r.source_id, 'label', r.label,
      'version', r.version, 'hubspot_id', r.hubspot_id,
      'is_known', r.hubspot_id is not null and r.sent_hash is not null and not r.in_doubt,
      'properties', coalesce(c.properties, '{}'), 'hash', encode(coalesce(c.hash, r.hash), 'hex')
    ) order by r.id), '[]')
    from private.hubspot_records r
    left join private.hubspot_content(v_first.kind, array(
      select s.source_id from private.hubspot_records s where s.id = any (v_ids)
    )) c on c.source_id = r.source_id
    where r.id = any (v_ids)
  );
end
$function$;

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
      'hubspot', private.hubspot_state(c.id),
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

CREATE OR REPLACE FUNCTION public.admin_contacts (
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
  v_by_name constant boolean := coalesce(p_filter ->> 'sort' = 'name', false);
begin
  perform private.require_admin();
  perform private.audit('contact.list', 'contact', null, null, p_filter);
  return private.list_page(
    'public.contacts r',
    $row$
      jsonb_build_object(
        'name', r.name, 'email', r.email, 'user_id', r.user_id,
        'sources', array_remove(array[
          case when r.messages > 0 then 'wrote' end,
          case when r.newsletter <> 'none' then 'newsletter' end,
          case when r.user_id is not null then 'registered' end,
          case when r.imported_at is not null then 'imported' end
        ], null),
        'consent', r.newsletter, 'consented_at', r.consented_at, 'left_at', r.left_at,
        'consent_wording', r.consent_wording,
        'businesses', case
          when r.business is null or r.business = any (r.businesses) then r.businesses
          else array_append(r.businesses, r.business)
        end,
        'state', case
          when r.waiting > 0 then 'waiting'
          when r.user_id is not null then 'registered'
          when r.newsletter = 'subscribed' then 'subscribed'
          when r.newsletter = 'left' then 'unsubscribed'
          when r.messages > 0 then 'answered'
          when r.newsletter = 'pending' then 'unconfirmed'
          when r.imported_at is not null then 'imported'
          else 'inactive'
        end,
        'waiting', r.waiting, 'has_twin', r.has_twin, 'active_at', r.last_active_at,
        'hubspot', private.hubspot_state(r.id)
      )
    $row$,
    array[
      case p_filter ->> 'source'
        when 'wrote' then 'r.messages > 0'
        when 'newsletter' then 'r.newsletter in (''pending'', ''subscribed'', ''left'')'
        when 'registered' then $where$r.user_id is not null$where$
        when 'imported' then $where$r.imported_at is not null$where$
      end,
      case when p_filter ->> 'consent' in ('none', 'pending', 'subscribed', 'left') then
        format('r.newsletter = %L', p_filter ->> 'consent')
      end,
      case p_filter ->> 'show' when 'waiting' then 'r.waiting > 0' when 'twins' then 'r.has_twin' end
    ],
    case when v_by_name then 'coalesce(r.name, r.email) collate private.by_name' else 'r.last_active_at' end,
    case when v_by_name then 'text' else 'timestamptz' end,
    not v_by_name, p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_hubspot()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Not in the audit log: it names nobody, and the screen reads it every few seconds while a run lasts.
  perform private.require_admin();
  return private.hubspot_json();
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_hubspot"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_hubspot_records (
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
  perform private.audit('hubspot.list', 'hubspot', null, null, p_filter);
  return private.list_page(
    'private.hubspot_records r',
    $row$
      jsonb_build_object(
        'kind', r.kind, 'source_id', r.source_id, 'label', r.label, 'wants', r.wants,
        'state', r.state, 'change', r.change, 'attempts', r.attempts, 'sent_at', r.sent_at,
        'reason', coalesce(r.reason, (
          select 'Not shown with its company: ' || l.reason from private.hubspot_links l
          where l.contact_id = r.id and l.linked_at is null limit 1
        )),
        'changes', case when r.change in ('new', 'changed') then (
          select coalesce(jsonb_agg(jsonb_build_object(
            'property', p.key, 'old', r.found ->> p.key, 'new', p.value
          ) order by p.key), '[]')
          from private.hubspot_content(r.kind, array[r.source_id]) c, jsonb_each_text(c.properties) p
          where p.value is distinct from coalesce(r.found ->> p.key, '')
        ) else '[]' end
      )
    $row$,
    array[
      case when p_filter ->> 'kind' in ('contact', 'company') then 'r.kind = $1 ->> ''kind''' end,
      case p_filter ->> 'state'
        when 'refused' then $where$(r.state = 'refused' or exists (
          select from private.hubspot_links l where l.contact_id = r.id and l.linked_at is null
        ))$where$
        when 'waiting' then 'r.state in (''waiting'', ''sending'')'
        when 'sent' then 'r.state in (''sent'', ''unchanged'')'
        when 'removed' then 'r.state = ''removed'''
      end,
      case when p_filter ? 'change' then 'r.change = $1 ->> ''change''' end
    ],
    'r.label', 'text', false, p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_hubspot_records"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

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
      case when v_part.name in ('mails', 'hubspot_records') then 'private' else 'public' end,
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

CREATE OR REPLACE FUNCTION public.map_hubspot (
  p_mapping jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_known constant jsonb := '{
    "contact": ["id", "email", "first_name", "last_name", "business", "subscribed_on", "agreed_to"],
    "company": ["id", "name", "website"]
  }';
  c_needed constant jsonb := '{"contact": ["id", "email"], "company": ["id", "name"]}';
  v_settings private.hubspot_settings;
  v_mapping jsonb := jsonb_build_object('contact', p_mapping -> 'contact', 'company', p_mapping -> 'company');
  v_kind text;
begin
  perform private.require_admin();
  foreach v_kind in array array['contact', 'company'] loop
    if coalesce(jsonb_typeof(p_mapping -> v_kind), '') <> 'object'
      or exists (
        select from jsonb_each(p_mapping -> v_kind) m
        where not c_known -> v_kind ? m.key or jsonb_typeof(m.value) <> 'string'
          or m.value #>> '{}' !~ '^[a-z][a-z0-9_]{0,99}$'
      )
      or exists (
        select from jsonb_array_elements_text(c_needed -> v_kind) n where not p_mapping -> v_kind ? n
      )
      or (
        select count(distinct m.value) < count(*) from jsonb_each_text(p_mapping -> v_kind) m
      )
    then
      raise exception 'Give each field a HubSpot property of its own. Our ID, a contact’s email and a company’s name are always sent.'
        using errcode = '22023', hint = 'mapping';
    end if;
  end loop;
  if p_mapping #>> '{contact,email}' <> 'email' then
    raise exception 'HubSpot finds people by its property email, so that one stays.'
      using errcode = '22023', hint = 'mapping';
  end if;
  select * into v_settings from private.hubspot_settings s for update;
  if v_settings.state in ('previewing', 'live') then
    raise exception 'Stop sending first.' using errcode = '55000';
  end if;
  update private.hubspot_settings s set state = 'off', previewed_at = null, mapping = v_mapping
  where s.mapping <> v_mapping;
  perform private.audit('hubspot.map', 'hubspot', null, null, v_mapping);
  return private.hubspot_json();
end
$function$;

REVOKE ALL ON FUNCTION "public"."map_hubspot"(jsonb) FROM PUBLIC, "anon", "service_role";

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
  delete from public.contacts c where c.id = p_drop;
  -- The address itself stays out: it's erased with the contact, and this log isn't.
  perform private.audit(
    'contact.merge', 'contact', p_keep::text, v_reason,
    jsonb_build_object('other', p_drop, 'consent', v_merged ->> 'consent')
  );
  return jsonb_build_object('id', p_keep);
end
$function$;

CREATE OR REPLACE FUNCTION public.replay_hubspot (
  p_id uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_count int;
begin
  perform private.require_admin();
  with records as (
    update private.hubspot_records r set state = 'waiting', reason = null, attempts = 0, in_doubt = true
    where r.state = 'refused' and (p_id is null or r.id = p_id)
    returning 1
  ), links as (
    delete from private.hubspot_links l where l.linked_at is null and (p_id is null or l.contact_id = p_id)
    returning 1
  )
  select (select count(*) from records) + (select count(*) from links) into v_count;
  if p_id is not null and v_count = 0 then
    raise exception 'HubSpot hasn’t refused this record.' using errcode = 'P0002', hint = 'id';
  end if;
  perform private.queue_hubspot(true);
  perform private.audit('hubspot.replay', 'hubspot', p_id::text, null, jsonb_build_object('count', v_count));
  return jsonb_build_object('replayed', v_count);
end
$function$;

REVOKE ALL ON FUNCTION "public"."replay_hubspot"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.run_hubspot (
  p_step text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_settings private.hubspot_settings;
begin
  perform private.require_admin();
  select * into v_settings from private.hubspot_settings s for update;
  if p_step = 'check' then
    null;
  elsif p_step = 'preview' then
    if v_settings.state = 'live' then
      raise exception 'Stop sending first.' using errcode = '55000';
    end if;
    update private.hubspot_settings s set state = 'previewing';
    update private.hubspot_records r set change = null, found = null where r.change is not null;
  elsif p_step = 'send' then
    if v_settings.previewed_at is null or v_settings.state not in ('previewed', 'stopped', 'live') then
      raise exception 'Do a dry run first.' using errcode = '55000';
    end if;
    update private.hubspot_settings s set state = 'live';
  elsif p_step = 'stop' then
    update private.hubspot_settings s set state = case
      when s.state = 'live' then 'stopped'
      when s.state = 'previewing' then case when s.previewed_at is null then 'off' else 'stopped' end
      else s.state
    end;
  else
    raise exception 'Choose a step.' using errcode = '22023', hint = 'step';
  end if;
  if p_step in ('preview', 'send') then
    perform private.mark_hubspot('company', null);
    perform private.mark_hubspot('contact', null);
  end if;
  if p_step <> 'stop' then
    perform private.queue_hubspot(true);
    -- One that waits for HubSpot to be back tries right away.
    update private.jobs j set run_at = now(), awaits_service = false
    where j.kind = 'hubspot_sync' and j.state = 'waiting';
    perform pg_catalog.pg_notify('jobs', '');
  end if;
  perform private.audit('hubspot.' || p_step, 'hubspot', null);
  return private.hubspot_json();
end
$function$;

REVOKE ALL ON FUNCTION "public"."run_hubspot"(text) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."hubspot_links"
  ADD CONSTRAINT "hubspot_links_company_id_fkey" FOREIGN KEY (company_id) REFERENCES private.hubspot_records(id) ON DELETE CASCADE;

ALTER TABLE "private"."hubspot_links"
  ADD CONSTRAINT "hubspot_links_contact_id_fkey" FOREIGN KEY (contact_id) REFERENCES private.hubspot_records(id) ON DELETE CASCADE;

CREATE INDEX hubspot_links_company_id_idx ON private.hubspot_links USING btree (company_id);

CREATE INDEX hubspot_links_refused_idx ON private.hubspot_links USING btree (contact_id)
  WHERE (linked_at IS NULL);

CREATE INDEX hubspot_records_label_idx ON private.hubspot_records USING btree (label, id);

CREATE INDEX hubspot_records_refused_idx ON private.hubspot_records USING btree (label, id)
  WHERE (state = 'refused'::text);

CREATE INDEX hubspot_records_waiting_idx ON private.hubspot_records USING btree (wants, kind, id)
  WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]));

CREATE TRIGGER mark_hubspot_member
  AFTER INSERT OR DELETE ON public.business_members
  FOR EACH ROW
  EXECUTE FUNCTION private.mark_hubspot_member();

CREATE TRIGGER mark_hubspot_company
  AFTER UPDATE OF name, website, archived_at ON public.businesses
  FOR EACH ROW
  WHEN (((old.name IS DISTINCT FROM new.name) OR (old.website IS DISTINCT FROM new.website) OR (old.archived_at IS DISTINCT FROM new.archived_at)))
  EXECUTE FUNCTION private.mark_hubspot_company();

CREATE TRIGGER erase_from_hubspot
  AFTER DELETE ON public.contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.erase_from_hubspot();

CREATE TRIGGER mark_hubspot_when_added
  AFTER INSERT ON public.contacts
  FOR EACH ROW
  WHEN ((new.newsletter = 'subscribed'::text))
  EXECUTE FUNCTION private.mark_hubspot_contact();

CREATE TRIGGER mark_hubspot_when_changed
  AFTER UPDATE OF email, name, business, businesses, newsletter, consented_at, consent_wording, user_id ON public.contacts
  FOR EACH ROW
  WHEN
    (((('subscribed'::text = old.newsletter) OR ('subscribed'::text = new.newsletter)) AND ((old.email IS DISTINCT FROM new.email) OR (old.name IS DISTINCT FROM new.name) OR
    (old.business IS DISTINCT FROM new.business) OR (old.businesses IS DISTINCT FROM new.businesses) OR (old.newsletter IS DISTINCT FROM new.newsletter) OR
    (old.consented_at IS DISTINCT FROM new.consented_at) OR (old.consent_wording IS DISTINCT FROM new.consent_wording) OR (old.user_id IS DISTINCT FROM new.user_id))))
  EXECUTE FUNCTION private.mark_hubspot_contact();

COMMENT ON FUNCTION "private"."begin_hubspot"(uuid) IS 'Starts a run of the job: {state, mapping, has_work (whether there''s something to do)}; null if another one is running.';

COMMENT ON FUNCTION "private"."hubspot_content"(text, uuid[]) IS 'The same by HubSpot''s names, with a hash of it.';

COMMENT ON FUNCTION "private"."hubspot_fields"(text, uuid[]) IS 'What may be sent of these contacts or companies, as far as someone agreed to it, by our own names.';

COMMENT ON FUNCTION "private"."hubspot_link_changes"() IS 'Pairs of a contact and a company to be linked in HubSpot (is_wanted), or not anymore.';

COMMENT ON FUNCTION "private"."hubspot_state"(uuid) IS 'How far a contact is in HubSpot: {state, reason, sent_at}; null if it''s never sent.';

COMMENT ON FUNCTION "private"."keep_hubspot_comparisons"(jsonb) IS 'Stores what the dry run found: [{id, version, found (null: not there), change}].';

COMMENT ON FUNCTION "private"."keep_hubspot_connection"(jsonb) IS 'Stores what the job saw of HubSpot: {problem (a sentence, or null), is_connected, problems: [{kind, field, reason}], properties: {contact: [{name, label, fits}], company}}.';

COMMENT ON FUNCTION "private"."keep_hubspot_links"(jsonb) IS 'Stores which pairs are linked or not anymore: [{contact_id, company_id, is_wanted, reason (null: done)}].';

COMMENT ON FUNCTION "private"."keep_hubspot_outcomes"(jsonb) IS 'Stores what became of records: [{id, version, outcome ("sent", "unchanged", "refused", "removed", "later", "in_doubt"), reason, hubspot_id, hash}]. A record that changed in the meantime waits again.';

COMMENT ON FUNCTION "private"."mark_hubspot"(text, uuid[]) IS 'Notes which of these contacts or companies (null: all) have to be sent or removed.';

COMMENT ON FUNCTION "private"."queue_hubspot"(boolean) IS 'Queues the job that sends what waits for HubSpot, unless one waits already; returns how many.';

COMMENT ON FUNCTION "private"."take_hubspot_comparisons"() IS 'Up to 100 records of one kind that the dry run hasn''t looked at: [{id, kind, source_id, label, version, properties}].';

COMMENT ON FUNCTION "private"."take_hubspot_links"() IS 'Up to 100 pairs to link or unlink: [{contact_id, company_id, contact_ref, company_ref, is_wanted}].';

COMMENT ON FUNCTION "private"."take_hubspot_records"() IS 'Takes up to 100 records of one kind that wait for the same: [{id, kind, wants, source_id, label, version, hubspot_id, is_known (not in doubt, and there already), properties, hash}].';

COMMENT ON FUNCTION "public"."admin_hubspot"() IS 'How far the sync with HubSpot is: {state, mapping, previewed_at, connection (see keep_hubspot_connection), agreed and not_agreed (contacts), records: [{kind, state, wants, change, count}], links, refused_links, job: {state, error, run_at} or null}.';

COMMENT ON FUNCTION "public"."admin_hubspot_records"(jsonb, jsonb, integer) IS 'A page of HubSpot records by {words (of an address or company), kind, state ("waiting", "sent", "refused", "removed"), change ("new", "changed", "unchanged")}, each with changes: [{property, old, new}] of the dry run; see list_page.';

COMMENT ON FUNCTION "public"."map_hubspot"(jsonb) IS 'An admin chooses which HubSpot property each field is sent as: {contact: {field: property}, company: …}. A change asks for a new dry run. Returns the same as admin_hubspot.';

COMMENT ON FUNCTION "public"."replay_hubspot"(uuid) IS 'An admin has a refused record, or (null) all of them, sent again: {replayed}.';

COMMENT ON FUNCTION "public"."run_hubspot"(text) IS 'An admin has the connection looked at ("check"), starts the dry run ("preview"), sends what it showed ("send"), or stops either ("stop"). Returns the same as admin_hubspot.';

COMMENT ON TABLE "private"."hubspot_links" IS 'The pairs of a contact and a company that HubSpot shows together. No API role reads or writes it.';

COMMENT ON TABLE "private"."hubspot_records" IS 'Contacts and companies that are mirrored in HubSpot, and how far each is. No API role reads or writes it.';

COMMENT ON TABLE "private"."hubspot_settings" IS 'One row: whether records are sent to HubSpot, and as which properties. No API role reads or writes it.';

REVOKE ALL ON FUNCTION "private"."begin_hubspot"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erase_from_hubspot"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."finish_hubspot_preview"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hubspot_content"(text, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hubspot_fields"(text, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hubspot_json"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hubspot_link_changes"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hubspot_state"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_hubspot_comparisons"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_hubspot_connection"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_hubspot_links"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_hubspot_outcomes"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_hubspot"(text, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_hubspot_company"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_hubspot_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_hubspot_member"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_hubspot"(boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_hubspot_comparisons"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_hubspot_links"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_hubspot_records"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_hubspot"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_hubspot_records"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."map_hubspot"(jsonb) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."replay_hubspot"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."run_hubspot"(text) TO "authenticated";

CREATE INDEX hubspot_records_words_idx ON private.hubspot_records USING gin (words);

insert into private.hubspot_settings (mapping) values ('{
  "contact": {"id": "trellis_id", "email": "email", "first_name": "firstname", "last_name": "lastname", "business": "company"},
  "company": {"id": "trellis_id", "name": "name", "website": "website"}
}');
insert into private.jobs (kind, every) values ('queue_hubspot', interval '5 minutes');
