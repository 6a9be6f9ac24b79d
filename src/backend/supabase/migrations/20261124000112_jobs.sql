-- Mail, files to remove and what runs on a schedule are jobs of one queue. What waits in the three tables
-- before it goes on in the queue, under the same ids.
SET local check_function_bodies = off;

DROP FUNCTION "private"."delete_old_mail"();

DROP FUNCTION "private"."replay_mail"(uuid);

DROP FUNCTION "public"."replay_mail"(uuid);

CREATE TABLE "private"."jobs" (
  "id"             uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "kind"           text                     NOT NULL,
  "payload"        jsonb                    NOT NULL DEFAULT '{}'::jsonb,
  "secret"         jsonb                    NOT NULL DEFAULT '{}'::jsonb,
  "every"          interval,
  "state"          text                     NOT NULL DEFAULT 'waiting'::text,
  "run_at"         timestamp with time zone NOT NULL DEFAULT now(),
  "attempts"       integer                  NOT NULL DEFAULT 0,
  "last_error"     text,
  "failing_since"  timestamp with time zone,
  "awaits_service" boolean                  NOT NULL DEFAULT false,
  "expires_at"     timestamp with time zone,
  "created_at"     timestamp with time zone NOT NULL DEFAULT now(),
  "finished_at"    timestamp with time zone,
  CONSTRAINT "jobs_attempts_check" CHECK ((attempts >= 0)),
  CONSTRAINT "jobs_check" CHECK (((every IS NULL) OR (state = 'waiting'::text))),
  CONSTRAINT "jobs_every_check" CHECK ((every > '00:00:00'::interval)),
  CONSTRAINT "jobs_kind_check" CHECK ((kind ~ '^[a-z][a-z_]*$'::text)),
  CONSTRAINT "jobs_payload_check" CHECK ((jsonb_typeof(payload) = 'object'::text)),
  CONSTRAINT "jobs_pkey" PRIMARY KEY (id),
  CONSTRAINT "jobs_secret_check" CHECK ((jsonb_typeof(secret) = 'object'::text)),
  CONSTRAINT "jobs_state_check" CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'dropped'::text])))
);

ALTER TABLE "private"."jobs"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.announce_jobs()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform pg_catalog.pg_notify('jobs', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.ask_for_newsletter (
  p_email   text,
  p_wording text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_contact_id uuid := private.contact_of(p_email);
  v_secret text := private.new_secret();
  v_goes boolean;
begin
  -- Without a mail the link of the one before goes on working.
  if not private.take_rate_limit(
    private.mailbox_key('newsletter-mail', p_email), 3, interval '1 day'
  ) then
    return;
  end if;
  -- Who is on the list already gets nothing, and is told nothing else than everyone.
  select private.send_mail(
    c.email, 'newsletter-confirm', jsonb_build_object('path', '/newsletter#confirm=' || v_secret),
    now() + interval '7 days'
  )
  into v_goes
  from public.contacts c where c.id = v_contact_id and c.newsletter <> 'subscribed';
  if v_goes then
    update public.contacts c
    set newsletter = 'pending', consent_wording = p_wording,
      confirm_hash = private.secret_hash(v_secret), confirm_expires_at = now() + interval '7 days'
    where c.id = v_contact_id;
  end if;
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
  set newsletter = 'subscribed', consented_at = now(), left_at = null, last_active_at = now(),
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
  v_name text := coalesce(private.name_of(p_user_id), 'Somebody you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them (see private.hold_coach).
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- People whom it concerns hear of it, in words that do not depend on who they are to each other.
  perform private.notify_person(
    c.person_id, v_name || ' has deleted their account',
    case when c.coached then 'They were your coach. Your coaching stays open, and we are looking for somebody else for you.'
      else 'You were their coach. The engagement has ended.' end,
    'You get this mail because you worked together.', 'Your coaching', '/dashboard/coaching'
  )
  from (
    select distinct case when e.coach_id = p_user_id then e.owner_id else e.coach_id end as person_id,
      e.coach_id = p_user_id as coached
    from public.engagements e
    where p_user_id in (e.owner_id, e.coach_id)
      and e.closed_at is null
  ) c
  where c.person_id is not null;

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.one_at_a_time('business', v_business.business_id);
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The account of the owner was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify_person(
        m.user_id, 'You are now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You decide who belongs to the business, and whether it is archived.',
        'You get this mail because you belong to the business.',
        'Open the business', '/dashboard/businesses/' || v_business.business_id
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform set_config('trellis.reason', 'The account was deleted.', true);
  update public.engagements e set note = null where e.owner_id = p_user_id and e.note is not null;
  update public.engagements e set coach_id = null
  where e.coach_id = p_user_id and e.closed_at is null;
  perform set_config('trellis.reason', '', true);

  perform private.remove_folder('avatars', p_user_id);

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.contacts c where c.email = lower(v_email);
  delete from private.jobs j where j.kind = 'mail' and lower(j.payload ->> 'to') = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  perform private.send_mail(v_email, 'notice', jsonb_build_object(
    'subject', 'Your account has been deleted', 'heading', 'Your account has been deleted',
    'paragraphs', jsonb_build_array('As you asked 30 days ago. This is the last mail, and your address is forgotten once it is sent and 30 days have passed.'),
    'why', 'You get this mail because this address had an account.'
  ));
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_old_jobs()
  RETURNS bigint
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with gone as (
    delete from private.jobs
    where state in ('done', 'failed', 'dropped') and created_at < now() - interval '30 days'
    returning 1
  )
  select count(*) from gone
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
  perform private.withdraw_coaching(p_id, null, 'The account of the owner was deleted.');
  -- In this bucket alone: ids come from browsers, and may be those of something else elsewhere.
  perform private.remove_folder('project-files', p_id);

  perform set_config('trellis.erasing', 'on', true);
  delete from public.project_files f where f.business_id = p_id;
  delete from public.project_tasks t where t.business_id = p_id;
  delete from public.project_updates u where u.business_id = p_id;
  delete from public.project_events e where e.business_id = p_id;
  delete from public.projects p where p.business_id = p_id;
  delete from public.tool_copies c where c.business_id = p_id;
  delete from public.business_plan_fields f where f.business_id = p_id;
  delete from public.business_snapshots s where s.business_id = p_id;
  delete from public.business_invitations i where i.business_id = p_id;
  perform set_config('trellis.erasing', '', true);

  -- What is left says which kind of business answered the quiz, and no longer which one.
  update public.businesses b set
    name = 'A business that was deleted', postal_code = null, help_wanted = null, legal_name = null,
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
    ('businesses', 't.id = any ($3)', '{}'),
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

CREATE OR REPLACE FUNCTION private.mail_invitation (
  p_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Two random UUIDs have 244 random bits.
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_goes boolean;
begin
  select private.send_mail(i.address, 'business-invitation', jsonb_build_object(
    'business', b.name,
    'inviter', coalesce(private.name_of(i.invited_by), 'The owner'),
    'path', '/dashboard/businesses/invitation?token=' || v_token
  ), now() + interval '14 days')
  into v_goes
  from public.business_invitations i join public.businesses b on b.id = i.business_id
  where i.id = p_id;
  -- Where the mailbox gets no more mail today, the link that it has goes on working.
  if v_goes then
    update public.business_invitations i
    set token_hash = private.secret_hash(v_token), sent_at = now(),
      expires_at = now() + interval '14 days'
    where i.id = p_id;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.mail_is_limited (
  p_to       text,
  p_template text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_limit private.mail_limits;
begin
  select * into v_limit from private.mail_limits l where l.template = p_template;
  -- Notices that the product sends by itself, such as that an account is about to be deleted, always go.
  if not found or v_limit.counter = 'colleagues' and auth.uid() is null then
    return false;
  end if;
  return not private.take_rate_limit(
    private.mailbox_key('mail-by-' || v_limit.counter, p_to), v_limit.a_day, interval '1 day'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.mail_unread_messages()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_quiet constant interval := interval '10 minutes';
  c_longest constant interval := interval '1 hour';
  c_a_run constant int := 500;
  v_person record;
  v_talks jsonb;
  v_locked int;
  v_mails int := 0;
begin
  for v_person in
    select p.user_id, count(*) as talks
    from public.conversation_participants p
    where p.user_id in (
        select q.user_id from public.conversation_participants q
        where q.unread_since <= now() - c_quiet or q.unread_since > now() + c_quiet
      )
      and p.unread_since is not null and p.left_at is null
    group by p.user_id
    -- Unread since a time that isn't yet: the clock was put back, and nobody waits for that time.
    having max(p.unread_at) <= now() - c_quiet or min(p.unread_since) <= now() - c_longest
      or max(p.unread_at) > now() + c_quiet
    order by min(p.unread_since), p.user_id limit c_a_run
  loop
    -- Whoever is written to at this moment, or is taken care of by another tick, waits for the next.
    select count(*), jsonb_agg(jsonb_build_object('id', l.conversation_id, 'after', l.after, 'upto', c.last_seq))
    into v_locked, v_talks
    from (
      select p.conversation_id, greatest(p.mailed_seq, p.read_seq) as after
      from public.conversation_participants p
      where p.user_id = v_person.user_id and p.unread_since is not null and p.left_at is null
      for update skip locked
    ) l
    join public.conversations c on c.id = l.conversation_id;
    continue when v_locked <> v_person.talks;

    if private.unread_mail(v_person.user_id, v_talks) is not null then
      perform private.send_mail(u.email, 'unread-messages', jsonb_build_object(
        'user_id', v_person.user_id, 'address', u.email, 'conversations', v_talks
      ))
      from auth.users u
      where u.id = v_person.user_id and u.email is not null and u.email_confirmed_at is not null;
      v_mails := v_mails + 1;
    end if;
    -- Told of, or not to be told of: either way it is not looked at again.
    update public.conversation_participants p
    set mailed_seq = (t ->> 'upto')::bigint, unread_since = null, unread_at = null
    from jsonb_array_elements(v_talks) t
    where p.user_id = v_person.user_id and p.conversation_id = (t ->> 'id')::uuid;
  end loop;
  return jsonb_build_object('mails', v_mails);
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_person (
  p_user_id   uuid,
  p_subject   text,
  p_paragraph text,
  p_why       text,
  p_label     text,
  p_path      text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.send_mail(u.email, 'notice', jsonb_build_object(
    'subject', p_subject, 'heading', p_subject, 'paragraphs', jsonb_build_array(p_paragraph),
    'why', p_why, 'button_label', p_label, 'button_path', p_path
  ))
  from auth.users u where u.id = p_user_id and u.email is not null
$function$;

CREATE OR REPLACE FUNCTION private.receive_message (
  p_caller      text,
  p_id          uuid,
  p_email       text,
  p_name        text,
  p_business    text,
  p_topic       text,
  p_body        text,
  p_wording     text,
  p_our_address text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_contact_id uuid;
begin
  perform private.one_at_a_time('contact_message', p_id);
  if exists (select from public.contact_messages m where m.id = p_id) then
    return;
  end if;
  perform private.limit_contact(p_caller);
  v_contact_id := private.contact_of(p_email, p_name, p_business);
  insert into public.contact_messages (id, contact_id, topic, body)
  values (p_id, v_contact_id, p_topic, btrim(p_body));
  perform private.send_mail(p_our_address, 'contact-message', jsonb_build_object(
    'topic', p_topic, 'name', p_name, 'business', coalesce(nullif(btrim(p_business), ''), '–'),
    'email', lower(btrim(p_email)), 'body', p_body
  ));
  -- To an address that nobody has confirmed goes nothing that a stranger could have written, and not
  -- more often than its owner would bear.
  if private.take_rate_limit(
    private.mailbox_key('contact-received', p_email), 3, interval '1 day'
  ) then
    perform private.send_mail(lower(btrim(p_email)), 'contact-received');
  end if;
  if p_wording is not null then
    perform private.ask_for_newsletter(p_email, p_wording);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_focus_actions()
  RETURNS bigint
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with open_ones as (
    select a.id, a.body, a.due_on, k.name as area_name, k.position, u.id as user_id, u.email,
      a.created_at at time zone z.name as made_at, now() at time zone z.name as here
    from public.focus_actions a
    join public.focus_areas f on f.id = a.focus_area_id and f.state = 'open'
    join public.skill_areas k on k.key = f.area_key
    join auth.users u on u.id = f.user_id
    cross join lateral private.time_zone_of(f.user_id) as z (name)
    where a.state = 'open' and a.remind
      -- A day each way more than matters: today is another day in some zones.
      and a.due_on between current_date - 8 and current_date + 8
      and u.email is not null and u.email_confirmed_at is not null
      and private.wants(u.id, 'reminders')
  ),
  due as (
    -- A week ahead, for what was known longer; on the day; late when the server was away, up to a
    -- week. Never at night.
    select o.*, case when o.due_on > o.here::date then 'week' else 'day' end as stage
    from open_ones o
    where o.here::time >= time '08:00'
      and case
        when o.due_on > o.here::date
          then o.due_on <= o.here::date + 7 and o.made_at::date < o.due_on - 10
        else o.due_on >= o.here::date - 7
      end
  ),
  fresh as (
    insert into public.focus_reminders (action_id, stage, due_on)
    select d.id, d.stage, d.due_on from due d
    on conflict do nothing
    returning action_id
  ),
  mailed as (
    select private.send_mail(d.email, 'notice', jsonb_build_object(
      'subject', case
        when count(*) > 1 then 'What you set out to do'
        when bool_or(d.stage = 'week') then 'A week left: ' || lower(min(d.area_name))
        else 'Due: ' || lower(min(d.area_name))
      end,
      'heading', 'What you set out to do',
      'paragraphs', jsonb_agg(
        d.area_name || ', due on ' || to_char(d.due_on, 'FMMonth FMDD') || ': ' || d.body
        order by d.due_on, d.position
      ) || to_jsonb(
        'Done? Say so, and choose what comes next. No time? Move the day or drop it; nobody minds.'::text
      ),
      'button_label', 'Open your actions',
      'button_path', '/dashboard/skills#focus',
      'why', 'You get this mail because you asked to be reminded when you chose the action. Change it there to get no more of it, or in your profile to get none at all.'
    )) as goes
    from due d
    where d.id in (select r.action_id from fresh r)
    group by d.user_id, d.email
  )
  select count(goes) from mailed
$function$;

CREATE OR REPLACE FUNCTION private.remove_folder (
  p_bucket text,
  p_folder uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.jobs (kind, payload)
  select 'remove_file', jsonb_build_object('bucket', o.bucket_id, 'path', o.name)
  from storage.objects o
  where o.bucket_id = p_bucket and starts_with(o.name, p_folder::text || '/')
$function$;

CREATE OR REPLACE FUNCTION private.remove_object_of_attachment()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.jobs (kind, payload)
  select 'remove_file', jsonb_build_object('bucket', o.bucket_id, 'path', o.name)
  from storage.objects o where o.bucket_id = 'message-files' and o.name = old.path;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.replay_jobs (
  p_id uuid
)
  RETURNS bigint
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_count bigint;
begin
  update private.jobs j
  set state = 'waiting', attempts = 0, failing_since = null, awaits_service = false,
    run_at = now(), last_error = null, finished_at = null
  where j.state = 'failed' and (p_id is null or j.id = p_id);
  get diagnostics v_count = row_count;
  if p_id is not null and v_count = 0 then
    raise exception 'There is no failed job with this id.' using errcode = 'P0002', hint = 'id';
  end if;
  perform pg_catalog.pg_notify('jobs', '');
  perform private.audit('job.replay', 'job', p_id::text, null, jsonb_build_object('count', v_count));
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_mail (
  p_to         text,
  p_template   text,
  p_data       jsonb                    DEFAULT '{}'::jsonb,
  p_expires_at timestamp with time zone DEFAULT NULL::timestamp WITH time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_goes boolean := not private.mail_is_limited(p_to, p_template);
begin
  if char_length(p_to) not between 3 and 320 then
    raise exception 'This is no address.' using errcode = '22023', hint = 'to';
  end if;
  -- Refused in silence: a sentence would tell strangers what else an address was sent today.
  insert into private.jobs (kind, payload, secret, expires_at, state, last_error, finished_at) values (
    'mail', jsonb_build_object('to', p_to, 'template', p_template),
    case when v_goes then p_data else '{}' end, p_expires_at,
    case when v_goes then 'waiting' else 'dropped' end,
    case when not v_goes then 'This mailbox has had its mails of the day.' end,
    case when not v_goes then now() end
  );
  return v_goes;
end
$function$;

CREATE OR REPLACE FUNCTION private.tick()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_job record;
  v_result jsonb;
  v_error text;
  v_done jsonb := '{}';
begin
  for v_job in
    select j.id, j.kind, j.every from private.jobs j
    -- Planned further ahead than ever happens: the clock was put back since.
    where j.every is not null and (j.run_at <= now() or j.run_at > now() + j.every)
    order by j.kind
    for update skip locked
  loop
    v_error := null;
    -- A job that fails says so in its row and does not stop the others.
    begin
      execute format('select to_jsonb(private.%I())', v_job.kind) into v_result;
    exception when others then
      v_error := sqlerrm;
      v_result := jsonb_build_object('error', sqlerrm);
    end;
    update private.jobs j
    set finished_at = now(), run_at = now() + v_job.every, last_error = v_error
    where j.id = v_job.id;
    v_done := v_done || jsonb_build_object(v_job.kind, v_result);
  end loop;
  return v_done;
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_overview()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('overview.read', 'overview', null);
  return jsonb_build_object(
    'people', (select count(*) from public.profiles),
    'coaches', (select count(*) from public.staff_roles s where s.role = 'coach'),
    'businesses', (select count(*) from public.businesses b where b.archived_at is null),
    'attempts', (
      select jsonb_object_agg(s.state, (
        select count(*) from public.attempts t where t.state = s.state
      ))
      from unnest(array['in_progress', 'submitted', 'expired', 'voided']) as s (state)
    ),
    'engagements', (
      select jsonb_object_agg(s.state, (
        select count(*) from public.engagements e where e.state = s.state
      ))
      from unnest(array[
        'requested', 'assigned', 'accepted', 'active', 'paused', 'completed', 'withdrawn',
        'unreachable', 'ineligible'
      ]) as s (state)
    ),
    'mail', (
      select jsonb_build_object(
        'queued', count(*) filter (where m.state = 'waiting'),
        'failed', count(*) filter (where m.state = 'failed')
      )
      from private.mails m
    ),
    'quiz', (
      select jsonb_build_object('id', v.id, 'number', v.number, 'published_at', v.published_at)
      from public.quiz_versions v where v.state = 'published'
    )
  );
end
$function$;

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
  v_part record;
  v_rows jsonb;
  v_tables jsonb := '{}';
begin
  perform private.count_writes('exports');
  for v_part in select p.name, p.rows, p.hidden from private.export_parts() p loop
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(t) - $4), ''[]'') from %I.%I t where %s',
      case v_part.name when 'mails' then 'private' else 'public' end,
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
        'name', coalesce(f.name, a.name, pg_catalog.regexp_replace(o.name, '^.*/', ''))
      ) order by o.bucket_id, o.name)
      from storage.objects o
      left join public.project_files f on o.bucket_id = 'project-files' and f.path = o.name
      left join public.message_attachments a on o.bucket_id = 'message-files' and a.path = o.name
      -- Each folder in its own bucket: ids come from browsers, and one may name two things.
      where o.bucket_id = 'avatars' and split_part(o.name, '/', 1) = v_user_id::text
        or o.bucket_id = 'project-files' and split_part(o.name, '/', 1) = any (v_business_ids::text[])
        -- Of a conversation that they have left they can download nothing any more.
        or a.uploaded_by = v_user_id and a.state = 'stored'
          and a.conversation_id in (select private.my_conversation_ids())
    ), '[]')
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.invite_to_survey (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_survey_id uuid;
  v_address text;
  v_token text;
  v_goes boolean;
  v_id uuid;
begin
  perform private.require_admin();
  select s.id into v_survey_id from public.surveys s where s.state = 'open';
  if not found then
    raise exception 'No survey is open.' using errcode = '55000';
  end if;
  select u.email into v_address
  from public.engagements e join auth.users u on u.id = e.owner_id
  where e.id = p_engagement_id
    and (e.closed_at is null and e.state <> 'requested' or e.state = 'completed');
  if not found then
    raise exception 'There is no such engagement, or nobody to ask.'
      using errcode = 'P0002', hint = 'engagement_id';
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
    perform private.refuse_for_now(
      'This client has had many emails today. Try again tomorrow.', interval '1 day'
    );
  end if;

  insert into public.survey_invitations (survey_id, engagement_id, token_hash)
  values (v_survey_id, p_engagement_id, private.survey_token_hash(v_token))
  -- Asked again, the client gets a new link, and the one before no longer works.
  on conflict (survey_id, engagement_id) do update
    set token_hash = excluded.token_hash, sent_at = now(),
      expires_at = now() + interval '90 days'
    where not survey_invitations.answered
  returning id into v_id;
  if v_id is null then
    raise exception 'This client has answered already.' using errcode = '55000';
  end if;
  perform private.audit('survey.invite', 'engagement', p_engagement_id::text, null, '{}');
  return jsonb_build_object('id', v_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.replay_jobs (
  p_id uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  return jsonb_build_object('replayed', private.replay_jobs(p_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."replay_jobs"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE VIEW "private"."mails" WITH (security_invoker=true) AS  SELECT id,
    (payload ->> 'to'::text) AS to_address,
    (payload ->> 'template'::text) AS template,
    secret AS data,
    (payload ->> 'subject'::text) AS subject,
    (payload ->> 'html'::text) AS html,
    (payload ->> 'text'::text) AS body_text,
    state,
    attempts,
    run_at,
    last_error,
    failing_since,
    awaits_service,
    expires_at,
    created_at,
    finished_at
   FROM private.jobs j
  WHERE (kind = 'mail'::text);

CREATE INDEX jobs_awaiting_idx ON private.jobs USING btree (kind)
  WHERE awaits_service;

CREATE INDEX jobs_created_at_idx ON private.jobs USING btree (created_at DESC);

CREATE INDEX jobs_due_idx ON private.jobs USING btree (kind, run_at)
  WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

CREATE UNIQUE INDEX jobs_scheduled_once_idx ON private.jobs USING btree (kind)
  WHERE (every IS NOT NULL);

CREATE TRIGGER jobs_wake_the_worker
  AFTER INSERT ON private.jobs
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.announce_jobs();

COMMENT ON FUNCTION "private"."mail_is_limited"(text, text) IS 'Counts a mail, and says whether it goes beyond the limits of its template.';

COMMENT ON FUNCTION "private"."remove_folder"(text, uuid) IS 'Lets a worker remove everything that is stored in a folder of a bucket.';

COMMENT ON FUNCTION "private"."replay_jobs"(uuid) IS 'Lets a job that has stopped run once more, or (null) all of them, and says how many. By the operator of the server: npm run jobs -- replay. No API role may call it.';

COMMENT ON FUNCTION "private"."send_mail"(text, text, jsonb, timestamp with time zone) IS 'Queues a mail, unless the mailbox has had its mails of the day; whether it goes out.';

COMMENT ON FUNCTION "private"."tick"() IS 'Runs every scheduled job that is due and returns {job: what it did}; {} when nothing was due.';

COMMENT ON FUNCTION "public"."replay_jobs"(uuid) IS 'An admin lets a job that has stopped run once more, or (null) all of them: {replayed}. Writes an audit row.';

COMMENT ON TABLE "private"."jobs" IS 'Background work that waits, runs, ended or comes back. A mail can hold a sign-in link: no API role reads it.';

COMMENT ON VIEW "private"."mails" IS 'Jobs that are mails. Subject, html and body_text are what was sent; the last two only where the mailbox shows them.';

REVOKE ALL ON FUNCTION "private"."announce_jobs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."announce_jobs"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."announce_jobs"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."delete_old_jobs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_old_jobs"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."delete_old_jobs"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."mail_is_limited"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_is_limited"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mail_is_limited"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."remove_folder"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remove_folder"(text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."remove_folder"(text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."replay_jobs"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."replay_jobs"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."replay_jobs"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_mail"(text, text, jsonb, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_mail"(text, text, jsonb, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_mail"(text, text, jsonb, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."replay_jobs"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."replay_jobs"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."replay_jobs"(uuid) TO "postgres";

insert into private.jobs (
  id, kind, payload, secret, state, run_at, attempts, last_error, failing_since, awaits_service,
  expires_at, created_at, finished_at
)
select
  m.id, 'mail',
  jsonb_strip_nulls(jsonb_build_object(
    'to', m.to_address, 'template', m.template, 'subject', m.subject, 'html', m.html, 'text', m.body_text
  )),
  m.data,
  case m.state when 'queued' then 'waiting' when 'sending' then 'running' when 'sent' then 'done' else m.state end,
  m.next_attempt_at, m.attempts, m.last_error, m.failing_since, m.awaits_server, m.expires_at,
  m.created_at, m.sent_at
from public.mail_outbox m;

insert into private.jobs (kind, payload, created_at)
select 'remove_file', jsonb_build_object('bucket', f.bucket_id, 'path', f.path), f.added_at
from public.file_removals f;

insert into private.jobs (kind, every, run_at, last_error, finished_at)
select
  case s.name when 'delete_old_mail' then 'delete_old_jobs' else s.name end, s.every, s.next_run_at,
  s.last_error, s.last_run_at
from public.schedule_jobs s;

DROP TABLE "public"."file_removals";

DROP TABLE "public"."mail_outbox";

DROP FUNCTION "private"."announce_mail"();

DROP FUNCTION "private"."limit_mail"();

DROP TABLE "public"."schedule_jobs";
