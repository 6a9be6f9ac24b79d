SET local check_function_bodies = off;

ALTER TABLE "public"."contacts"
  DROP CONSTRAINT "contacts_newsletter_check";

DROP FUNCTION "private"."leave_newsletter"(text);

CREATE TABLE "public"."newsletter_deliveries" (
  "id"            uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "issue_id"      uuid                     NOT NULL,
  "contact_id"    uuid                     NOT NULL,
  "state"         text                     NOT NULL DEFAULT 'waiting'::text,
  "run_at"        timestamp with time zone NOT NULL DEFAULT now(),
  "attempts"      integer                  NOT NULL DEFAULT 0,
  "failing_since" timestamp with time zone,
  "last_error"    text,
  "finished_at"   timestamp with time zone,
  "leave_secret"  text,
  "leave_hash"    bytea,
  CONSTRAINT "newsletter_deliveries_check1" CHECK (((state = 'waiting'::text) OR (leave_secret IS NULL))),
  CONSTRAINT "newsletter_deliveries_check" CHECK (((state = 'waiting'::text) = (finished_at IS NULL))),
  CONSTRAINT "newsletter_deliveries_issue_id_contact_id_key" UNIQUE (issue_id, contact_id),
  CONSTRAINT "newsletter_deliveries_leave_hash_check" CHECK ((octet_length(leave_hash) = 32)),
  CONSTRAINT "newsletter_deliveries_leave_hash_key" UNIQUE (leave_hash),
  CONSTRAINT "newsletter_deliveries_pkey" PRIMARY KEY (id),
  CONSTRAINT "newsletter_deliveries_state_check" CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'refused'::text, 'skipped'::text])))
);

ALTER TABLE "public"."newsletter_deliveries"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."newsletter_deliveries" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."newsletter_issues" (
  "id"          uuid                     NOT NULL,
  "subject"     text                     NOT NULL DEFAULT ''::text,
  "preview"     text                     NOT NULL DEFAULT ''::text,
  "body"        text                     NOT NULL DEFAULT ''::text,
  "revision"    integer                  NOT NULL DEFAULT 1,
  "state"       text                     NOT NULL DEFAULT 'draft'::text,
  "send_at"     timestamp with time zone,
  "slug"        text,
  "begun_at"    timestamp with time zone,
  "finished_at" timestamp with time zone,
  "recipients"  integer                  NOT NULL DEFAULT 0,
  "delivered"   integer                  NOT NULL DEFAULT 0,
  "refused"     integer                  NOT NULL DEFAULT 0,
  "created_by"  uuid,
  "updated_by"  uuid,
  "sent_by"     uuid,
  "created_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"  timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "newsletter_issues_body_check" CHECK ((char_length(body) <= 30000)),
  CONSTRAINT "newsletter_issues_check1" CHECK (((state = ANY (ARRAY['draft'::text, 'scheduled'::text])) = ((begun_at IS NULL) AND (slug IS NULL)))),
  CONSTRAINT "newsletter_issues_check2" CHECK (((state = 'sent'::text) = (finished_at IS NOT NULL))),
  CONSTRAINT "newsletter_issues_check3" CHECK (((delivered + refused) <= recipients)),
  CONSTRAINT "newsletter_issues_check" CHECK (((state = 'scheduled'::text) = (send_at IS NOT NULL))),
  CONSTRAINT "newsletter_issues_pkey" PRIMARY KEY (id),
  CONSTRAINT "newsletter_issues_preview_check" CHECK ((char_length(preview) <= 160)),
  CONSTRAINT "newsletter_issues_slug_check" CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  CONSTRAINT "newsletter_issues_slug_key" UNIQUE (slug),
  CONSTRAINT "newsletter_issues_state_check" CHECK ((state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'stopped'::text, 'sent'::text]))),
  CONSTRAINT "newsletter_issues_subject_check" CHECK ((char_length(subject) <= 120)),
  "words"       tsvector                 GENERATED ALWAYS AS (private.name_words(subject)) STORED NOT NULL
);

ALTER TABLE "public"."newsletter_issues"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."newsletter_issues" FROM "anon", "authenticated", "service_role";

ALTER TABLE "public"."contacts"
  ADD COLUMN "bounced_at" timestamp WITH time zone;

CREATE OR REPLACE FUNCTION private.begin_due_newsletters()
  RETURNS bigint
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_issue record;
  v_count bigint := 0;
begin
  for v_issue in
    select i.id, i.sent_by from public.newsletter_issues i
    where i.send_at <= now() order by i.send_at for update skip locked
  loop
    perform private.begin_newsletter(v_issue.id, v_issue.sent_by);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_newsletter (
  p_id      uuid,
  p_sent_by uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_recipients int;
begin
  -- Two issues with the same subject get different addresses.
  perform private.one_at_a_time('newsletter_slug', '00000000-0000-0000-0000-000000000000');
  insert into public.newsletter_deliveries (issue_id, contact_id)
  select p_id, c.id from public.contacts c where c.newsletter = 'subscribed' order by c.id;
  get diagnostics v_recipients = row_count;
  update public.newsletter_issues i set
    state = 'sending', send_at = null, begun_at = now(), recipients = v_recipients,
    slug = private.newsletter_slug(i.subject), sent_by = p_sent_by
  where i.id = p_id;
  insert into private.jobs (kind, payload)
  values ('send_newsletter', jsonb_build_object('issue_id', p_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_newsletter_delivery (
  p_issue_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Longer than sending one email takes.
  c_lease constant interval := interval '2 minutes';
  v_delivery public.newsletter_deliveries;
  v_contact public.contacts;
  v_secret text;
begin
  if not exists (
    select from public.newsletter_issues i where i.id = p_issue_id and i.state = 'sending'
  ) then
    return null;
  end if;
  loop
    -- Along the index, without a join: it reads one row, however many are waiting.
    select * into v_delivery from public.newsletter_deliveries d
    where d.issue_id = p_issue_id and d.state = 'waiting' and d.run_at <= now()
    order by d.run_at limit 1 for update skip locked;
    if not found then
      return null;
    end if;
    select * into v_contact from public.contacts c where c.id = v_delivery.contact_id;
    exit when v_contact.newsletter = 'subscribed';
    -- They left, or their mailbox is gone.
    update public.newsletter_deliveries d
    set state = 'skipped', finished_at = now(), leave_secret = null where d.id = v_delivery.id;
  end loop;
  v_secret := coalesce(v_delivery.leave_secret, private.new_secret());
  update public.newsletter_deliveries d set
    run_at = now() + c_lease, attempts = d.attempts + 1, leave_secret = v_secret,
    leave_hash = private.secret_hash(v_secret)
  where d.id = v_delivery.id;
  return jsonb_build_object('id', v_delivery.id, 'to', v_contact.email, 'leave_secret', v_secret);
end
$function$;

CREATE OR REPLACE FUNCTION private.confirm_newsletter (
  p_secret text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_secret text := private.new_secret();
  v_email text;
begin
  update public.contacts c
  set newsletter = 'subscribed', consented_at = now(), left_at = null, bounced_at = null,
    last_active_at = now(),
    leave_hash = private.secret_hash(v_secret)
  where c.confirm_hash = private.secret_hash(p_secret) and c.confirm_expires_at > now()
    and c.newsletter = 'pending'
  returning c.email into v_email;
  if v_email is null then
    -- Pressed twice: it is confirmed.
    return exists (
      select from public.contacts c
      where c.confirm_hash = private.secret_hash(p_secret) and c.newsletter = 'subscribed'
    );
  end if;
  perform private.send_mail(
    v_email, 'newsletter-welcome', jsonb_build_object('path', '/newsletter#leave=' || v_secret)
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_old_newsletter_deliveries()
  RETURNS bigint
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with gone as (
    delete from public.newsletter_deliveries where finished_at < now() - interval '1 year' returning 1
  )
  select count(*) from gone
$function$;

CREATE OR REPLACE FUNCTION private.end_newsletter (
  p_issue_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_next timestamptz;
begin
  select min(d.run_at) into v_next from public.newsletter_deliveries d
  where d.issue_id = p_issue_id and d.state = 'waiting';
  if v_next is null then
    update public.newsletter_issues i set state = 'sent', finished_at = now()
    where i.id = p_issue_id and i.state = 'sending';
    return null;
  end if;
  return greatest(ceil(extract(epoch from v_next - now())), 0)::int;
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

CREATE OR REPLACE FUNCTION private.finish_newsletter_delivery (
  p_id      uuid,
  p_state   text,
  p_error   text    DEFAULT NULL::text,
  p_is_gone boolean DEFAULT false,
  p_kept    jsonb   DEFAULT NULL::jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_delivery public.newsletter_deliveries;
begin
  update public.newsletter_deliveries d set
    state = p_state, finished_at = now(), last_error = pg_catalog.left(p_error, 500), leave_secret = null
  where d.id = p_id and d.state = 'waiting'
  returning * into v_delivery;
  if not found then
    return;
  end if;
  update public.newsletter_issues i set
    delivered = i.delivered + (p_state = 'sent')::int, refused = i.refused + (p_state = 'refused')::int
  where i.id = v_delivery.issue_id;
  if p_is_gone then
    update public.contacts c set newsletter = 'bounced', bounced_at = now()
    where c.id = v_delivery.contact_id and c.newsletter = 'subscribed';
  end if;
  -- For the mailbox of a site that doesn't send email.
  if p_kept is not null then
    insert into private.jobs (kind, payload, state, attempts, finished_at)
    values ('mail', p_kept, 'done', 1, clock_timestamp());
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_sent_issue()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'UPDATE' and (old.subject, old.preview, old.body, old.slug, old.begun_at)
    is not distinct from (new.subject, new.preview, new.body, new.slug, new.begun_at)
  then
    return new;
  end if;
  raise exception 'This issue is being sent or has been sent, so it can’t change anymore.'
    using errcode = '55000';
end
$function$;

CREATE OR REPLACE FUNCTION private.leave_newsletter (
  p_secret text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_hash bytea := private.secret_hash(p_secret);
begin
  -- The link of the welcome email, or of an issue.
  update public.contacts c
  set newsletter = 'left', left_at = coalesce(c.left_at, now()), confirm_hash = null
  where c.id = any (array(
    select w.id from public.contacts w where w.leave_hash = v_hash
    union all
    select d.contact_id from public.newsletter_deliveries d where d.leave_hash = v_hash
  ));
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.newsletter_issue_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', i.id, 'subject', i.subject, 'preview', i.preview, 'body', i.body,
    'revision', i.revision, 'state', i.state, 'slug', i.slug, 'send_at', i.send_at,
    'begun_at', i.begun_at, 'finished_at', i.finished_at, 'updated_at', i.updated_at,
    'updated_by', i.updated_by, 'updated_by_name', private.name_of(i.updated_by),
    'recipients', i.recipients, 'delivered', i.delivered, 'refused', i.refused,
    'waiting', (
      select count(*) from public.newsletter_deliveries d
      where d.issue_id = i.id and d.state = 'waiting'
    ),
    'subscribers', (select count(*) from public.contacts c where c.newsletter = 'subscribed'),
    'last_begun_at', (
      select max(o.begun_at) from public.newsletter_issues o where o.id <> i.id
    ),
    'problem', (
      select jsonb_build_object('reason', j.last_error, 'gave_up', j.state = 'failed')
      from (
        select * from private.jobs j
        where j.kind = 'send_newsletter' and j.payload ->> 'issue_id' = i.id::text
        order by j.created_at desc, j.id desc limit 1
      ) j
      where i.state = 'sending' and j.last_error is not null and j.state in ('waiting', 'failed')
    )
  )
  from public.newsletter_issues i where i.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.newsletter_slug (
  p_subject text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Pages of the site.
  c_taken constant text[] := array['almost', 'welcome', 'left', 'issues'];
  v_words text := btrim(regexp_replace(private.plain_words(p_subject), '[^a-z0-9]+', '-', 'g'), '-');
  v_base text := coalesce(nullif(btrim(pg_catalog.left(v_words, 60), '-'), ''), 'issue');
  v_slug text := v_base;
  v_number int := 1;
begin
  while v_slug = any (c_taken)
    or exists (select from public.newsletter_issues i where i.slug = v_slug)
  loop
    v_number := v_number + 1;
    v_slug := v_base || '-' || v_number;
  end loop;
  return v_slug;
end
$function$;

CREATE OR REPLACE FUNCTION private.newsletter_to_send (
  p_issue_id uuid,
  p_job_id   uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'subject', i.subject, 'preview', i.preview, 'body', i.body, 'path', '/newsletter/' || i.slug
  )
  from public.newsletter_issues i
  where i.id = p_issue_id and i.state = 'sending'
    -- If it was stopped and continued, its newest job goes on.
    and not exists (
      select from private.jobs j join private.jobs mine on mine.id = p_job_id
      where j.kind = 'send_newsletter' and j.payload ->> 'issue_id' = p_issue_id::text
        and j.state in ('waiting', 'running') and (j.created_at, j.id) > (mine.created_at, mine.id)
    )
$function$;

CREATE OR REPLACE FUNCTION private.postpone_newsletter_delivery (
  p_id    uuid,
  p_error text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_given_up_after constant interval := interval '48 hours';
  v_since timestamptz;
begin
  update public.newsletter_deliveries d set
    last_error = pg_catalog.left(p_error, 500), failing_since = least(d.failing_since, now()),
    run_at = now() + least(now() - least(d.failing_since, now()) + interval '30 seconds', interval '1 hour')
  where d.id = p_id and d.state = 'waiting'
  returning d.failing_since into v_since;
  if v_since <= now() - c_given_up_after then
    perform private.finish_newsletter_delivery(p_id, 'refused', p_error);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.release_newsletter_delivery (
  p_id uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.newsletter_deliveries d set run_at = now()
  where d.id = p_id and d.state = 'waiting'
$function$;

CREATE OR REPLACE FUNCTION private.require_newsletter_issue (
  p_id uuid
)
  RETURNS public.newsletter_issues
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_issue public.newsletter_issues;
begin
  select * into v_issue from public.newsletter_issues i where i.id = p_id for update;
  if not found then
    raise exception 'We can’t find this issue.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_issue;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_newsletter_text (
  p_issue public.newsletter_issues
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  if p_issue.subject = '' then
    raise exception 'Write a subject first.' using errcode = '22023', hint = 'subject';
  end if;
  if btrim(p_issue.body, e' \t\n') = '' then
    raise exception 'Write the issue first.' using errcode = '22023', hint = 'body';
  end if;
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
      'bounced_at', c.bounced_at,
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
        'bounced_at', r.bounced_at,
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
          when r.newsletter = 'bounced' then 'bounced'
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
        when 'newsletter' then 'r.newsletter in (''pending'', ''subscribed'', ''left'', ''bounced'')'
        when 'registered' then $where$r.user_id is not null$where$
        when 'imported' then $where$r.imported_at is not null$where$
      end,
      case when p_filter ->> 'consent' in ('none', 'pending', 'subscribed', 'left', 'bounced') then
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

CREATE OR REPLACE FUNCTION public.admin_newsletter_issue (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  -- Nothing about a person, and read every few seconds while it's open, so it isn't in the audit log.
  return private.newsletter_issue_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_newsletter_issue"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_newsletter_issues (
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
  perform private.audit('newsletter.list', 'newsletter_issue', null, null, p_filter);
  return private.list_page(
    'public.newsletter_issues r',
    $row$
      jsonb_build_object(
        'subject', r.subject, 'state', r.state, 'send_at', r.send_at, 'begun_at', r.begun_at,
        'finished_at', r.finished_at, 'updated_at', r.updated_at,
        'recipients', r.recipients, 'delivered', r.delivered, 'refused', r.refused
      )
    $row$,
    array[
      case when p_filter ->> 'state' in ('draft', 'scheduled', 'sending', 'stopped', 'sent') then
        format('r.state = %L', p_filter ->> 'state')
      end
    ],
    'r.created_at', 'timestamptz', true, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_newsletter_issues"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_newsletter_refusals (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  if not exists (select from public.newsletter_issues i where i.id = p_id) then
    return null;
  end if;
  perform private.audit('newsletter.read', 'newsletter_issue', p_id::text);
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object('contact_id', d.contact_id, 'email', c.email, 'reason', d.last_error)
      order by d.finished_at, d.id
    ), '[]')
    from (
      select * from public.newsletter_deliveries d
      where d.issue_id = p_id and d.state = 'refused'
      order by d.finished_at, d.id limit 100
    ) d
    join public.contacts c on c.id = d.contact_id
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_newsletter_refusals"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.create_newsletter_issue (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
begin
  if p_id is null then
    raise exception 'An issue needs an id.' using errcode = '22023', hint = 'id';
  end if;
  insert into public.newsletter_issues (id, created_by, updated_by)
  values (p_id, v_admin_id, v_admin_id)
  on conflict (id) do nothing;
  if found then
    perform private.audit('newsletter.create', 'newsletter_issue', p_id::text);
  end if;
  return private.newsletter_issue_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."create_newsletter_issue"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_newsletter_issues()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(
    jsonb_build_object('slug', i.slug, 'subject', i.subject, 'preview', i.preview, 'sent_at', i.begun_at)
    order by i.begun_at desc
  ), '[]')
  from (
    select * from public.newsletter_issues i where i.begun_at is not null
    order by i.begun_at desc limit 200
  ) i
$function$;

REVOKE ALL ON FUNCTION "public"."list_newsletter_issues"() FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.newsletter_issue (
  p_slug text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'slug', i.slug, 'subject', i.subject, 'preview', i.preview, 'body', i.body, 'sent_at', i.begun_at
  )
  from public.newsletter_issues i where i.slug = p_slug and i.begun_at is not null
$function$;

REVOKE ALL ON FUNCTION "public"."newsletter_issue"(text) FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.remove_newsletter_issue (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_issue public.newsletter_issues;
begin
  perform private.require_admin();
  v_issue := private.require_newsletter_issue(p_id);
  if v_issue.state <> 'draft' then
    raise exception 'Only drafts can be deleted.' using errcode = '55000';
  end if;
  delete from public.newsletter_issues i where i.id = p_id;
  perform private.audit(
    'newsletter.remove', 'newsletter_issue', p_id::text, null,
    jsonb_build_object('subject', v_issue.subject)
  );
  return jsonb_build_object('id', p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."remove_newsletter_issue"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_newsletter_issue (
  p_id       uuid,
  p_revision integer,
  p_subject  text,
  p_preview  text,
  p_body     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_issue public.newsletter_issues := private.require_newsletter_issue(p_id);
  v_subject text := coalesce(private.clean_line(p_subject, 120), '');
  v_preview text := coalesce(private.clean_line(p_preview, 160), '');
  v_body text := replace(coalesce(p_body, ''), e'\r\n', e'\n');
begin
  if char_length(v_body) > 30000 then
    raise exception 'Keep it to 30,000 characters.' using errcode = '22023', hint = 'body';
  end if;
  if (v_issue.subject, v_issue.preview, v_issue.body) = (v_subject, v_preview, v_body) then
    -- Sent twice, or changed back: as it is asked for.
    return jsonb_build_object('saved', true, 'issue', private.newsletter_issue_json(p_id));
  end if;
  if v_issue.state <> 'draft' then
    raise exception '%', case v_issue.state
      when 'scheduled' then 'This issue is scheduled. Unschedule it to change it.'
      else 'This issue is being sent or has been sent, so it can’t change anymore.'
    end using errcode = '55000';
  end if;
  if v_issue.revision is distinct from p_revision then
    return jsonb_build_object('saved', false, 'issue', private.newsletter_issue_json(p_id));
  end if;
  update public.newsletter_issues i set
    subject = v_subject, preview = v_preview, body = v_body, revision = i.revision + 1,
    updated_by = v_admin_id, updated_at = now()
  where i.id = p_id;
  return jsonb_build_object('saved', true, 'issue', private.newsletter_issue_json(p_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_newsletter_issue"(uuid, integer, text, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.send_newsletter_issue (
  p_id       uuid,
  p_revision integer,
  p_at       timestamp with time zone DEFAULT NULL::timestamp WITH time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_issue public.newsletter_issues := private.require_newsletter_issue(p_id);
begin
  if v_issue.state not in ('draft', 'scheduled') then
    -- Pressed twice, it's sent once.
    if p_at is null and v_issue.sent_by = v_admin_id and v_issue.revision = p_revision then
      return private.newsletter_issue_json(p_id);
    end if;
    raise exception 'This issue is being sent or has been sent.' using errcode = '55000';
  end if;
  if v_issue.revision is distinct from p_revision then
    raise exception 'Someone changed this issue in the meantime. Read it again before you send it.'
      using errcode = '55000';
  end if;
  perform private.require_newsletter_text(v_issue);
  if p_at is not null then
    if p_at not between now() and now() + interval '1 year' then
      raise exception 'Choose a time within the next year.' using errcode = '22023', hint = 'at';
    end if;
    update public.newsletter_issues i
    set state = 'scheduled', send_at = p_at, sent_by = v_admin_id where i.id = p_id;
    perform private.audit(
      'newsletter.schedule', 'newsletter_issue', p_id::text, null, jsonb_build_object('at', p_at)
    );
    return private.newsletter_issue_json(p_id);
  end if;
  if not exists (select from public.contacts c where c.newsletter = 'subscribed') then
    raise exception 'Nobody has subscribed yet.' using errcode = '55000';
  end if;
  perform private.begin_newsletter(p_id, v_admin_id);
  perform private.audit('newsletter.send', 'newsletter_issue', p_id::text, null, (
    select jsonb_build_object('recipients', i.recipients)
    from public.newsletter_issues i where i.id = p_id
  ));
  return private.newsletter_issue_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."send_newsletter_issue"(uuid, integer, timestamp WITH time zone) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.stop_newsletter_issue (
  p_id      uuid,
  p_stopped boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_issue public.newsletter_issues;
  v_to text := case when p_stopped then 'stopped' else 'sending' end;
begin
  perform private.require_admin();
  v_issue := private.require_newsletter_issue(p_id);
  if v_issue.state = v_to then
    return private.newsletter_issue_json(p_id);
  end if;
  if v_issue.state not in ('sending', 'stopped') then
    raise exception '%', case v_issue.state
      when 'sent' then 'This issue has been sent to everyone.'
      else 'This issue isn’t being sent yet.'
    end using errcode = '55000';
  end if;
  update public.newsletter_issues i set state = v_to where i.id = p_id;
  if v_to = 'sending' then
    insert into private.jobs (kind, payload)
    values ('send_newsletter', jsonb_build_object('issue_id', p_id));
  end if;
  perform private.audit(
    case when p_stopped then 'newsletter.stop' else 'newsletter.resume' end,
    'newsletter_issue', p_id::text
  );
  return private.newsletter_issue_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."stop_newsletter_issue"(uuid, boolean) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.test_newsletter_issue (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_issue public.newsletter_issues := private.require_newsletter_issue(p_id);
  v_email text := (select u.email from auth.users u where u.id = v_admin_id);
begin
  perform private.require_newsletter_text(v_issue);
  perform private.count_writes('newsletter_tests');
  perform private.send_mail(v_email, 'newsletter-issue', jsonb_build_object(
    'subject', v_issue.subject, 'preview', v_issue.preview, 'body', v_issue.body, 'is_test', true,
    'path', '/newsletter', 'leave_path', '/newsletter'
  ));
  perform private.audit('newsletter.test', 'newsletter_issue', p_id::text);
  return jsonb_build_object('to', v_email);
end
$function$;

REVOKE ALL ON FUNCTION "public"."test_newsletter_issue"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.unschedule_newsletter_issue (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_issue public.newsletter_issues;
begin
  perform private.require_admin();
  v_issue := private.require_newsletter_issue(p_id);
  if v_issue.state = 'scheduled' then
    update public.newsletter_issues i
    set state = 'draft', send_at = null, sent_by = null where i.id = p_id;
    perform private.audit('newsletter.unschedule', 'newsletter_issue', p_id::text);
  elsif v_issue.state <> 'draft' then
    raise exception 'This issue is being sent or has been sent.' using errcode = '55000';
  end if;
  return private.newsletter_issue_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."unschedule_newsletter_issue"(uuid) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "public"."contacts"
  ADD CONSTRAINT "contacts_newsletter_check" CHECK ((newsletter = ANY (ARRAY['none'::text, 'pending'::text, 'subscribed'::text, 'left'::text, 'bounced'::text])));

ALTER TABLE "public"."newsletter_deliveries"
  ADD CONSTRAINT "newsletter_deliveries_contact_id_fkey" FOREIGN KEY (contact_id) REFERENCES public.contacts(id) ON DELETE CASCADE;

ALTER TABLE "public"."newsletter_issues"
  ADD CONSTRAINT "newsletter_issues_created_by_fkey" FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."newsletter_deliveries"
  ADD CONSTRAINT "newsletter_deliveries_issue_id_fkey" FOREIGN KEY (issue_id) REFERENCES public.newsletter_issues(id) ON DELETE CASCADE;

ALTER TABLE "public"."newsletter_issues"
  ADD CONSTRAINT "newsletter_issues_sent_by_fkey" FOREIGN KEY (sent_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."newsletter_issues"
  ADD CONSTRAINT "newsletter_issues_updated_by_fkey" FOREIGN KEY (updated_by) REFERENCES auth.users(id) ON DELETE SET NULL;

CREATE INDEX newsletter_deliveries_contact_id_idx ON public.newsletter_deliveries USING btree (contact_id);

CREATE INDEX newsletter_deliveries_due_idx ON public.newsletter_deliveries USING btree (issue_id, run_at)
  WHERE (state = 'waiting'::text);

CREATE INDEX newsletter_deliveries_finished_at_idx ON public.newsletter_deliveries USING btree (finished_at);

CREATE INDEX newsletter_deliveries_refused_idx ON public.newsletter_deliveries USING btree (issue_id, finished_at)
  WHERE (state = 'refused'::text);

CREATE INDEX newsletter_issues_begun_at_idx ON public.newsletter_issues USING btree (begun_at)
  WHERE (begun_at IS NOT NULL);

CREATE INDEX newsletter_issues_created_at_idx ON public.newsletter_issues USING btree (created_at, id);

CREATE INDEX newsletter_issues_created_by_idx ON public.newsletter_issues USING btree (created_by);

CREATE INDEX newsletter_issues_send_at_idx ON public.newsletter_issues USING btree (send_at)
  WHERE (send_at IS NOT NULL);

CREATE INDEX newsletter_issues_sent_by_idx ON public.newsletter_issues USING btree (sent_by);

CREATE INDEX newsletter_issues_updated_by_idx ON public.newsletter_issues USING btree (updated_by);

CREATE TRIGGER newsletter_issues_insert_is_limited AFTER INSERT ON public.newsletter_issues REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('newsletter_issues', 'each row');

CREATE TRIGGER newsletter_issues_keep_what_was_sent
  BEFORE DELETE OR UPDATE ON public.newsletter_issues
  FOR EACH ROW
  WHEN ((old.begun_at IS NOT NULL))
  EXECUTE FUNCTION private.keep_sent_issue();

CREATE TRIGGER newsletter_issues_take_steps
  BEFORE INSERT OR UPDATE OF state ON public.newsletter_issues
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('issue', 'state');

CREATE TRIGGER newsletter_issues_update_is_limited AFTER UPDATE ON public.newsletter_issues REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('newsletter_issues', 'each statement');

COMMENT ON FUNCTION "private"."begin_due_newsletters"() IS 'Starts sending the issues whose time has come; returns how many.';

COMMENT ON FUNCTION "private"."begin_newsletter"(uuid, uuid) IS 'Starts sending an issue to everyone who has confirmed by now.';

COMMENT ON FUNCTION "private"."claim_newsletter_delivery"(uuid) IS 'The next recipient of an issue who still wants it: {id, to, leave_secret}; null if none is due, or sending was stopped. After two minutes without a result, they''re due again.';

COMMENT ON FUNCTION "private"."end_newsletter"(uuid) IS 'Ends an issue that nobody is waiting for anymore; otherwise the seconds until the next email is due.';

COMMENT ON FUNCTION "private"."finish_newsletter_delivery"(uuid, text, text, boolean, jsonb) IS 'Records that an email was "sent" or "refused", once; p_is_gone if the mail server says that there''s no such mailbox, which then gets no more issues.';

COMMENT ON FUNCTION "private"."newsletter_slug"(text) IS 'The address of an issue: the words of its subject, with a number if another has the same.';

COMMENT ON FUNCTION "private"."newsletter_to_send"(uuid, uuid) IS 'The content of an issue for the job that sends it; null if there''s nothing to send.';

COMMENT ON FUNCTION "private"."postpone_newsletter_delivery"(uuid, text) IS 'Tries an email again later that was refused for now, for 48 hours.';

COMMENT ON FUNCTION "private"."release_newsletter_delivery"(uuid) IS 'Makes an email due again that couldn''t be handed over, because the mail server is away or the process stops.';

COMMENT ON FUNCTION "public"."admin_newsletter_issue"(uuid) IS 'An issue with its text, its progress, how many have subscribed, when the issue before it went out, and why it''s stuck, if it is; null if there''s none.';

COMMENT ON FUNCTION "public"."admin_newsletter_issues"(jsonb, jsonb, integer) IS 'A page of issues of the newsletter by {words (of the subject), state}, newest first; see list_page.';

COMMENT ON FUNCTION "public"."admin_newsletter_refusals"(uuid) IS 'The first 100 addresses that an issue couldn''t be sent to: [{contact_id, email, reason}]; null if there''s no such issue.';

COMMENT ON FUNCTION "public"."create_newsletter_issue"(uuid) IS 'An admin starts an issue, once under its id; returns it.';

COMMENT ON FUNCTION "public"."list_newsletter_issues"() IS 'The latest 200 issues that were sent, or are being sent, newest first, for everyone: [{slug, subject, preview, sent_at}].';

COMMENT ON FUNCTION "public"."newsletter_issue"(text) IS 'An issue that was sent, for everyone: {slug, subject, preview, body (Markdown), sent_at}; null if there''s none.';

COMMENT ON FUNCTION "public"."remove_newsletter_issue"(uuid) IS 'An admin deletes a draft, for good: {id}.';

COMMENT ON FUNCTION "public"."save_newsletter_issue"(uuid, integer, text, text, text) IS 'An admin saves a draft based on the given revision: {saved, issue}. If someone was faster, nothing is saved and issue is theirs.';

COMMENT ON FUNCTION "public"."send_newsletter_issue"(uuid, integer, timestamp with time zone) IS 'An admin sends an issue of the given revision to everyone who has confirmed, now or at a time; returns it.';

COMMENT ON FUNCTION "public"."stop_newsletter_issue"(uuid, boolean) IS 'An admin stops an issue that''s being sent, or (false) continues; returns it. Who has it already isn''t sent it again.';

COMMENT ON FUNCTION "public"."test_newsletter_issue"(uuid) IS 'Sends an issue to the admin who asks, as a test: {to}.';

COMMENT ON FUNCTION "public"."unschedule_newsletter_issue"(uuid) IS 'An admin makes a scheduled issue a draft again; returns it.';

COMMENT ON TABLE "private"."transitions" IS 'The steps a project, an attempt, an engagement, a session, an order, a seat or an issue of the newsletter can take, and who can take them. Only migrations change rows.';

COMMENT ON TABLE "public"."newsletter_deliveries" IS 'Who an issue of the newsletter is sent to, once each, and what became of it; kept for a year.';

COMMENT ON TABLE "public"."newsletter_issues" IS 'Issues of the newsletter, from the draft to what was sent and to how many. What was sent never changes.';

REVOKE ALL ON FUNCTION "private"."begin_due_newsletters"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."begin_newsletter"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_newsletter_delivery"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_old_newsletter_deliveries"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_newsletter"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."finish_newsletter_delivery"(uuid, text, text, boolean, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_sent_issue"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."leave_newsletter"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newsletter_issue_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newsletter_slug"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newsletter_to_send"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."postpone_newsletter_delivery"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_newsletter_delivery"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_newsletter_issue"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_newsletter_text"(public.newsletter_issues) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_newsletter_issue"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_newsletter_issues"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_newsletter_refusals"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."create_newsletter_issue"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_newsletter_issues"() TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."newsletter_issue"(text) TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."remove_newsletter_issue"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_newsletter_issue"(uuid, integer, text, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."send_newsletter_issue"(uuid, integer, timestamp WITH time zone) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."stop_newsletter_issue"(uuid, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."test_newsletter_issue"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."unschedule_newsletter_issue"(uuid) TO "authenticated";

CREATE INDEX newsletter_issues_words_idx ON public.newsletter_issues USING gin (words);

-- Rows that a draft can't see.

insert into private.transitions (entity, position, from_state, to_state, who, needs_note) values
  ('issue', 1, null, 'draft', '{admin}', false),
  ('issue', 2, 'draft', 'scheduled', '{admin}', false),
  ('issue', 3, 'scheduled', 'draft', '{admin}', false),
  ('issue', 4, 'draft', 'sending', '{admin}', false),
  ('issue', 5, 'scheduled', 'sending', '{admin,system}', false),
  ('issue', 6, 'sending', 'stopped', '{admin}', false),
  ('issue', 7, 'stopped', 'sending', '{admin}', false),
  ('issue', 8, 'sending', 'sent', '{system}', false);

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('newsletter_issues', 'newsletter_issues', 'insert or update', 240, 10000,
    'made a lot of changes to newsletters'),
  ('newsletter_tests', null, null, 5, 50, 'sent yourself a lot of test emails');

insert into private.jobs (kind, every) values
  ('begin_due_newsletters', interval '1 minute'),
  ('delete_old_newsletter_deliveries', interval '1 day');
