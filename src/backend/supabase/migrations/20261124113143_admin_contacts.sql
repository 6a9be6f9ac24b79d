SET local check_function_bodies = off;

ALTER TABLE "public"."contacts"
  DROP CONSTRAINT "contacts_check";

CREATE TABLE "private"."contact_keys" (
  "key"        text NOT NULL,
  "contact_id" uuid NOT NULL,
  CONSTRAINT "contact_keys_pkey" PRIMARY KEY (key, contact_id)
);

ALTER TABLE "private"."contact_keys"
  ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."business_invitations"
  ADD COLUMN "role" text NOT NULL DEFAULT 'member'::text;

ALTER TABLE "public"."contact_messages"
  ADD COLUMN "from_email" text;

ALTER TABLE "public"."contact_messages"
  ADD COLUMN "outcome" text;

ALTER TABLE "public"."contact_messages"
  ADD COLUMN "answer" text;

ALTER TABLE "public"."contact_messages"
  ADD COLUMN "answered_at" timestamp WITH time zone;

ALTER TABLE "public"."contact_messages"
  ADD COLUMN "answered_by" uuid;

ALTER TABLE "public"."contacts"
  ADD COLUMN "phone" text;

ALTER TABLE "public"."contacts"
  ADD COLUMN "user_id" uuid;

ALTER TABLE "public"."contacts"
  ADD COLUMN "businesses" text[] NOT NULL DEFAULT '{}'::text[];

ALTER TABLE "public"."contacts"
  ADD COLUMN "other_emails" text[] NOT NULL DEFAULT '{}'::text[];

ALTER TABLE "public"."contacts"
  ADD COLUMN "imported_at" timestamp WITH time zone;

ALTER TABLE "public"."contacts"
  ADD COLUMN "messages" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."contacts"
  ADD COLUMN "waiting" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."contacts"
  ADD COLUMN "has_twin" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.contact_merge (
  p_keep public.contacts,
  p_drop public.contacts
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'refusal', case
      when p_keep.id = p_drop.id then 'Choose two different contacts.'
      when p_keep.user_id is not null and p_drop.user_id is not null
        then 'Both have an account, and accounts can’t be merged.'
      when p_drop.user_id is not null then 'Keep the one that has an account.'
    end,
    'email', p_keep.email, 'other_email', p_drop.email,
    'name', coalesce(p_keep.name, p_drop.name),
    'business', coalesce(p_keep.business, p_drop.business),
    'phone', coalesce(p_keep.phone, p_drop.phone),
    'messages', p_keep.messages + p_drop.messages,
    -- Withdrawn wins. Consent for one address isn't consent for another.
    'consent', case when p_drop.newsletter = 'left' then 'left' else p_keep.newsletter end,
    'was_subscribed', p_keep.newsletter = 'subscribed', 'other_consent', p_drop.newsletter
  )
$function$;

CREATE OR REPLACE FUNCTION private.contact_message_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', m.id, 'topic', m.topic, 'body', m.body, 'created_at', m.created_at,
    'from', coalesce(m.from_email, c.email), 'outcome', m.outcome, 'answer', m.answer,
    'answered_at', m.answered_at, 'answered_by', private.name_of(m.answered_by)
  )
  from public.contact_messages m join public.contacts c on c.id = m.contact_id
  where m.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.contact_of (
  p_email    text,
  p_name     text DEFAULT NULL::text,
  p_business text DEFAULT NULL::text
)
  RETURNS uuid
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into public.contacts as c (email, name, business)
  values (lower(btrim(p_email)), private.clean_line(p_name, 120), private.clean_line(p_business, 120))
  on conflict (email) do update set
    -- Anyone can type an address into the form, and no one else names a registered person.
    name = case when c.user_id is null then coalesce(excluded.name, c.name) else c.name end,
    business = coalesce(excluded.business, c.business), last_active_at = now()
  returning c.id
$function$;

CREATE OR REPLACE FUNCTION private.contact_words (
  p_email        text,
  p_other_emails text[],
  p_name         text,
  p_business     text,
  p_businesses   text[]
)
  RETURNS tsvector
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select private.name_words(concat_ws(
    ' ', p_email, array_to_string(p_other_emails, ' '), p_name, p_business,
    array_to_string(p_businesses, ' ')
  ))
$function$;

CREATE OR REPLACE FUNCTION private.count_contact_messages()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.contacts c set messages = n.messages, waiting = n.waiting
  from (
    select i.id, count(m.id) as messages, count(m.id) filter (where m.outcome is null) as waiting
    from (
      select (to_jsonb(new) ->> 'contact_id')::uuid union select (to_jsonb(old) ->> 'contact_id')::uuid
    ) as i (id)
    left join public.contact_messages m on m.contact_id = i.id
    group by i.id
  ) n
  where c.id = n.id and (c.messages, c.waiting) is distinct from (n.messages, n.waiting);
  return null;
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
  v_name text := coalesce(private.name_of(p_user_id), 'Someone you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them (see private.hold_coach).
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- People whom it concerns hear of it, in words that do not depend on who they are to each other.
  perform private.notify_person(
    c.person_id, v_name || ' has deleted their account',
    case when c.coached then 'They were your coach. Your coaching stays open, and we’re looking for someone else for you.'
      else 'You were their coach. The coaching has ended.' end,
    'You’re getting this email because you worked together.', 'Your coaching', '/dashboard/coaching'
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
      v_business.business_id, p_user_id, 'The owner’s account was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify_person(
        m.user_id, 'You’re now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You now decide who belongs to the business and whether to archive it.',
        'You’re getting this email because you belong to the business.',
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

CREATE OR REPLACE FUNCTION private.delete_old_contacts()
  RETURNS bigint
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with messages as (
    delete from public.contact_messages where created_at < now() - interval '2 years' returning 1
  ), unconfirmed as (
    update public.contacts
    set newsletter = 'none', confirm_hash = null, confirm_expires_at = null, consent_wording = null
    where newsletter = 'pending' and confirm_expires_at < now() - interval '23 days'
    returning 1
  ), people as (
    delete from public.contacts c
    where c.newsletter = 'none' and c.user_id is null
      and c.last_active_at < now() - interval '30 days'
      and (c.imported_at is null or c.last_active_at < now() - interval '2 years')
      and not exists (select from public.contact_messages m where m.contact_id = c.id)
    returning 1
  )
  select (select count(*) from messages) + (select count(*) from unconfirmed)
    + (select count(*) from people)
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

CREATE OR REPLACE FUNCTION private.import_business (
  p_row     jsonb,
  p_contact public.contacts,
  p_invite  boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_name text := private.clean_line(p_row ->> 'business', 120);
  v_plain text := private.plain_words(v_name);
  v_city text := private.clean_line(p_row ->> 'city', 120);
  v_postal_code text := private.clean_line(p_row ->> 'postal_code', 16);
  v_address text := lower(btrim(p_row ->> 'email'));
  v_business_id uuid;
  v_is_new boolean := false;
  v_invitation_id uuid := gen_random_uuid();
begin
  if v_name is null then
    return jsonb_build_object('business', null);
  end if;
  if exists (
    select from public.business_members m join public.businesses b on b.id = m.business_id
    where m.user_id = p_contact.user_id and private.plain_words(b.name) = v_plain
  ) or exists (
    select from public.business_invitations i join public.businesses b on b.id = i.business_id
    where i.address = v_address and i.role = 'owner' and i.ended is null
      and private.plain_words(b.name) = v_plain
  ) then
    return jsonb_build_object('business', 'there');
  end if;
  -- Two people of one business, from a list: whoever comes first owns it.
  select b.id into v_business_id from public.businesses b
  where b.created_by is null and b.archived_at is null and private.plain_words(b.name) = v_plain
    and lower(coalesce(b.city, '')) = lower(coalesce(v_city, ''))
    and coalesce(b.postal_code, '') = coalesce(v_postal_code, '')
    and exists (
      select from public.business_invitations i where i.business_id = b.id and i.role = 'owner'
    )
  order by b.created_at, b.id limit 1;
  if exists (select from public.business_members m where m.business_id = v_business_id) then
    return jsonb_build_object(
      'business', 'there', 'note', format('“%s” has an owner here, who can invite them.', v_name)
    );
  end if;
  -- A list says nothing new to someone who declined: the business is there, and so is their answer.
  if exists (
    select from public.business_invitations i
    where i.business_id = v_business_id and i.address = v_address
  ) then
    return jsonb_build_object('business', 'there', 'note', 'They declined this business.');
  end if;
  if v_business_id is null then
    v_is_new := true;
    insert into public.businesses (id, name, city, postal_code, website)
    values (
      gen_random_uuid(), v_name, v_city, v_postal_code, private.clean_line(p_row ->> 'website', 300)
    )
    returning id into v_business_id;
  end if;
  insert into public.business_invitations (id, business_id, address, token_hash, role, expires_at)
  values (
    v_invitation_id, v_business_id, v_address, private.secret_hash(private.new_secret()), 'owner',
    now() + interval '1 year'
  );
  if p_invite then
    perform private.mail_claim(v_invitation_id);
  end if;
  return jsonb_build_object('business', case when v_is_new then 'new' else 'joined' end);
end
$function$;

CREATE OR REPLACE FUNCTION private.import_day (
  p_text text
)
  RETURNS date
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
declare
  v_parts int[] := case
    when p_text ~ '^\d{4}-\d{1,2}-\d{1,2}$' then string_to_array(p_text, '-')::int[]
    when p_text ~ '^\d{1,2}/\d{1,2}/\d{4}$' then array[
      split_part(p_text, '/', 3), split_part(p_text, '/', 1), split_part(p_text, '/', 2)
    ]::int[]
  end;
begin
  if v_parts[1] < 1900 or v_parts[2] not between 1 and 12 or v_parts[3] < 1 or v_parts[3] > extract(
    day from make_date(v_parts[1], v_parts[2], 1) + interval '1 month - 1 day'
  ) then
    return null;
  end if;
  return make_date(v_parts[1], v_parts[2], v_parts[3]);
end
$function$;

CREATE OR REPLACE FUNCTION private.import_refusal (
  p_row jsonb
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
    when r.email = '' then 'There’s no email address.'
    when char_length(r.email) > 254
      or r.email !~ '^[^][:space:][:cntrl:]@<>"(),;:\\[]+@[^][:space:][:cntrl:]@<>"(),;:\\[]+[.][^][:space:][:cntrl:]@.<>"(),;:\\[]+$'
      then format('“%s” isn’t an email address.', left(r.email, 60))
    when char_length(r.name) > 120 then 'The name is longer than 120 characters.'
    when char_length(r.phone) > 40 then 'The phone number is longer than 40 characters.'
    when char_length(r.business) > 120 then 'The business’s name is longer than 120 characters.'
    when char_length(r.city) > 120 then 'The city is longer than 120 characters.'
    when char_length(r.postal_code) > 16 then 'The ZIP code is longer than 16 characters.'
    when r.website <> '' and (r.website !~ '^https?://' or char_length(r.website) > 300)
      then 'The website has to start with https:// or http://.'
    when r.business = '' and r.city || r.postal_code || r.website <> ''
      then 'There’s a city, ZIP code or website, and no name of a business.'
    when r.consent not in ('', 'yes', 'no')
      then format('Consent has to be yes or no. It says “%s”.', left(r.consent, 60))
    when r.consent = 'yes' and r.consent_on = '' then 'It says yes to the newsletter, but not since when.'
    when r.consent = 'yes' and private.import_day(r.consent_on) is null
      then format('“%s” isn’t a date like 2026-11-24 or 11/24/2026.', left(r.consent_on, 60))
    when r.consent = 'yes' and private.import_day(r.consent_on) > current_date + 1
      then 'The date of the consent is in the future.'
    when r.consent = 'yes' and char_length(r.basis) not between 3 and 500
      then 'It says yes to the newsletter, but not in 3 to 500 characters what they agreed to.'
  end
  from (
    select lower(btrim(coalesce(p_row ->> 'email', ''))) as email,
      coalesce(private.clean_line(p_row ->> 'name', 1000), '') as name,
      coalesce(private.clean_line(p_row ->> 'phone', 1000), '') as phone,
      coalesce(private.clean_line(p_row ->> 'business', 1000), '') as business,
      coalesce(private.clean_line(p_row ->> 'city', 1000), '') as city,
      coalesce(private.clean_line(p_row ->> 'postal_code', 1000), '') as postal_code,
      coalesce(private.clean_line(p_row ->> 'website', 1000), '') as website,
      lower(coalesce(private.clean_line(p_row ->> 'consent', 1000), '')) as consent,
      coalesce(private.clean_line(p_row ->> 'consent_on', 1000), '') as consent_on,
      coalesce(private.clean_line(p_row ->> 'consent_basis', 1000), '') as basis
  ) r
$function$;

CREATE OR REPLACE FUNCTION private.import_row (
  p_row    jsonb,
  p_invite boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_refusal text := private.import_refusal(p_row);
  v_email text := lower(btrim(p_row ->> 'email'));
  v_consents boolean := coalesce(lower(btrim(p_row ->> 'consent')) = 'yes', false);
  v_contact public.contacts;
  v_before public.contacts;
  v_is_new boolean := false;
  v_business jsonb;
  v_note text;
begin
  if v_refusal is not null then
    return jsonb_build_object('row', p_row -> 'row', 'outcome', 'refused', 'business', null, 'note', v_refusal);
  end if;
  select * into v_contact from public.contacts c where c.email = v_email for update;
  if not found then
    select c.* into v_contact from private.contact_keys k
    join public.contacts c on c.id = k.contact_id and v_email = any (c.other_emails)
    where k.key = 'mailbox:' || private.mailbox_of(v_email) limit 1 for update of c;
  end if;
  v_before := v_contact;
  if v_contact.id is null then
    v_is_new := true;
    insert into public.contacts (email, name, phone, business, imported_at)
    values (
      v_email, private.clean_line(p_row ->> 'name', 120), private.clean_line(p_row ->> 'phone', 40),
      private.clean_line(p_row ->> 'business', 120), now()
    )
    returning * into v_contact;
    v_before := v_contact;
  elsif v_contact.user_id is null then
    -- What they told us themselves stays.
    v_contact.name := coalesce(v_contact.name, private.clean_line(p_row ->> 'name', 120));
    v_contact.phone := coalesce(v_contact.phone, private.clean_line(p_row ->> 'phone', 40));
    v_contact.business := coalesce(v_contact.business, private.clean_line(p_row ->> 'business', 120));
  end if;
  if v_consents and v_contact.newsletter = 'left' then
    v_note := 'They unsubscribed here, so they stay off the newsletter.';
  elsif v_consents and v_contact.email <> v_email then
    v_note := 'This address belongs to a merged contact, so its consent isn’t used.';
  elsif v_consents and v_contact.newsletter in ('none', 'pending') then
    v_contact.newsletter := 'subscribed';
    v_contact.consented_at := private.import_day(btrim(p_row ->> 'consent_on'));
    v_contact.consent_wording := private.clean_line(p_row ->> 'consent_basis', 500);
  end if;
  if v_contact is distinct from v_before then
    update public.contacts c set name = v_contact.name, phone = v_contact.phone,
      business = v_contact.business, newsletter = v_contact.newsletter,
      consented_at = v_contact.consented_at, consent_wording = v_contact.consent_wording
    where c.id = v_contact.id;
  end if;
  v_business := private.import_business(p_row, v_contact, p_invite);
  return jsonb_build_object(
    'row', p_row -> 'row',
    'outcome', case
      when v_is_new then 'new'
      when v_contact is distinct from v_before or v_business ->> 'business' in ('new', 'joined')
        then 'changed'
      else 'there'
    end,
    'business', v_business -> 'business',
    'note', nullif(concat_ws(' ', v_note, v_business ->> 'note'), '')
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.index_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_keys text[] := array(select private.keys_of_contact(new));
begin
  if tg_op = 'UPDATE' then
    delete from private.contact_keys k where k.contact_id = new.id and k.key <> all (v_keys);
  end if;
  insert into private.contact_keys (key, contact_id) select k, new.id from unnest(v_keys) k
  on conflict do nothing;
  return null;
end
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
  on conflict (user_id) do update set words = excluded.words where w.words <> excluded.words;
  select private.join_contacts(p_user_ids);
$function$;

CREATE OR REPLACE FUNCTION private.invitation_for_me (
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
  v_me record;
  v_invitation public.business_invitations;
  v_business record;
begin
  select u.email, u.email_confirmed_at is not null as confirmed into v_me
  from auth.users u where u.id = v_user_id;
  select * into v_invitation from public.business_invitations i where i.id = p_id;
  if not found then
    return jsonb_build_object('state', 'unknown');
  end if;
  -- Nothing of the business for whoever the mail was not sent to.
  if lower(v_me.email) is distinct from v_invitation.address then
    return jsonb_build_object('state', 'other-address', 'your_address', v_me.email);
  end if;
  if not v_me.confirmed then
    return jsonb_build_object('state', 'unconfirmed', 'your_address', v_me.email);
  end if;
  select b.id, b.name, b.archived_at into v_business
  from public.businesses b where b.id = v_invitation.business_id;
  return jsonb_build_object(
    'state', case
      when v_invitation.ended = 'accepted' and v_invitation.accepted_by = v_user_id then 'accepted'
      when v_invitation.ended is not null or v_business.archived_at is not null then 'over'
      when v_invitation.expires_at <= now() then 'expired'
      else 'open'
    end,
    'id', v_invitation.id, 'business_id', v_business.id, 'business', v_business.name,
    'invited_by', private.name_of(v_invitation.invited_by), 'expires_at', v_invitation.expires_at,
    'role', v_invitation.role
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.invitations_to_me()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', o.id, 'business', o.name, 'invited_by', private.name_of(o.invited_by),
      'expires_at', o.expires_at, 'role', o.role
    ) order by o.sent_at desc, o.id
  ), '[]')
  from (
    select i.id, i.invited_by, i.expires_at, i.sent_at, i.role, b.name
    from auth.users u
    join public.business_invitations i on i.address = lower(u.email) and i.ended is null
    join public.businesses b on b.id = i.business_id and b.archived_at is null
    where u.id = auth.uid() and (select private.session_ok())
      and u.email_confirmed_at is not null and i.expires_at > now()
    order by i.sent_at desc, i.id limit 20
  ) o
$function$;

CREATE OR REPLACE FUNCTION private.join_by_invitation (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_invitation jsonb := private.invitation_for_me(p_id);
  v_business_id uuid := (v_invitation ->> 'business_id')::uuid;
begin
  if v_business_id is not null then
    perform private.one_at_a_time('business', v_business_id);
    -- Taken back or accepted in another tab, while this one waited.
    v_invitation := private.invitation_for_me(p_id);
  end if;
  case v_invitation ->> 'state'
    when 'open' then
      insert into public.business_members (business_id, user_id, role)
      values (v_business_id, v_user_id, case
        when v_invitation ->> 'role' = 'owner' and not exists (
          select from public.business_members m
          where m.business_id = v_business_id and m.role = 'owner'
        ) then 'owner' else 'member'
      end)
      on conflict (business_id, user_id) do nothing;
      update public.business_invitations i
      set ended = 'accepted', ended_at = now(), accepted_by = v_user_id
      where i.id = p_id;
      perform private.notify_person(
        i.invited_by,
        coalesce(private.name_of(v_user_id), i.address) || ' has joined ' || (v_invitation ->> 'business'),
        'They can now see and edit the business, its figures, its plan and its projects.',
        'You’re getting this email because you invited them.',
        'See the members', '/dashboard/businesses/' || v_business_id || '#members'
      )
      from public.business_invitations i
      where i.id = p_id and private.wants(i.invited_by, 'news');
    when 'accepted' then
      null;
    when 'other-address' then
      raise exception 'This invitation is for a different email address.' using errcode = '42501';
    when 'unconfirmed' then
      raise exception 'Confirm your email first, then open the link again.' using errcode = '42501';
    else
      raise exception 'This invitation no longer works. Ask for a new one.' using errcode = '55000';
  end case;
  return jsonb_build_object('business_id', v_business_id, 'name', v_invitation ->> 'business');
end
$function$;

CREATE OR REPLACE FUNCTION private.join_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.join_contacts(array[new.id]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.join_contacts (
  p_user_ids uuid[]
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Consent and messages belong to the address. Who has changed theirs leaves them with the old one.
  delete from public.contacts c using auth.users u
  where u.id = any (p_user_ids) and c.user_id = u.id and c.email is distinct from lower(u.email)
    and c.newsletter = 'none' and c.messages = 0;
  update public.contacts c set user_id = null, businesses = '{}' from auth.users u
  where u.id = any (p_user_ids) and c.user_id = u.id and c.email is distinct from lower(u.email);

  insert into public.contacts as c (email, name, user_id, businesses, created_at, last_active_at)
  select lower(u.email), nullif(left(p.full_name, 120), ''), u.id, array(
    select b.name from public.business_members m
    join public.businesses b on b.id = m.business_id
    where m.user_id = u.id order by m.joined_at, b.id limit 20
  ), coalesce(u.created_at, now()), coalesce(u.last_sign_in_at, u.created_at, now())
  from auth.users u
  join public.profiles p on p.user_id = u.id
  where u.id = any (p_user_ids) and u.email_confirmed_at is not null
    and char_length(u.email) between 3 and 254
  on conflict (email) do update set
    name = coalesce(excluded.name, c.name), user_id = excluded.user_id,
    businesses = excluded.businesses,
    last_active_at = greatest(c.last_active_at, excluded.last_active_at)
  where c.user_id is distinct from excluded.user_id
    or c.name is distinct from coalesce(excluded.name, c.name)
    or c.businesses <> excluded.businesses
    -- Not each time they sign in.
    or c.last_active_at < excluded.last_active_at - interval '1 hour';
end
$function$;

CREATE OR REPLACE FUNCTION private.keys_of_contact (
  p_contact public.contacts
)
  RETURNS SETOF text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select 'mailbox:' || private.mailbox_of(e)
  from unnest(array_append(p_contact.other_emails, p_contact.email)) e
  union
  select 'business:' || n.name || '|' || btrim(private.plain_words(b))
  from btrim(private.plain_words(p_contact.name)) n (name),
    unnest(array_append(p_contact.businesses, p_contact.business)) b
  where n.name <> '' and btrim(private.plain_words(b)) <> ''
  union
  select 'phone:' || n.name || '|' || p.digits
  from btrim(private.plain_words(p_contact.name)) n (name),
    right(regexp_replace(p_contact.phone, '[^0-9]', '', 'g'), 10) p (digits)
  where n.name <> '' and char_length(p.digits) >= 7
$function$;

CREATE OR REPLACE FUNCTION private.limit_writes()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_rows int;
begin
  -- Its rows are counted by themselves, and are more than anyone writes by hand.
  if current_setting('trellis.importing', true) = 'on' then
    return null;
  end if;
  select count(*) into v_rows from written;
  -- One change by a procedure may move many rows, such as the tasks of a project into a new order.
  perform private.count_writes(
    tg_argv[0], case when tg_argv[1] = 'each row' then v_rows else least(v_rows, 1) end
  );
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
  -- Of the first of these rows, a fifth that words fit means that most rows come soon.
  c_sample constant int := 100;
  c_limit constant int := least(greatest(coalesce(p_limit, c_page), 0), 500);
  c_backward constant boolean := coalesce(p_place ->> 'way' = 'before', false);
  v_direction text := case when p_descending <> c_backward then 'desc' else 'asc' end;
  v_where text := array_to_string(array_append(p_where, 'true'), ' and ');
  v_counted_where text;
  v_is_common boolean;
  v_found text[];
  v_rows jsonb := '[]';
  v_more boolean := false;
  v_total bigint;
begin
  -- Words that few fit lead to those; words that many fit are looked for along the order, where
  -- enough of them come soon. The function in place of its operator keeps the planner to that. It
  -- isn't asked how many there are, because it guesses, and an index reads all of a common word.
  v_counted_where := v_where;
  if p_query is not null then
    execute format(
      $q$
        select count(*) filter (where pg_catalog.ts_match_vq(s.words, $1)) * 5 >= count(*)
        from (select r.words from %1$s order by %2$s %3$s, r.id %3$s limit %4$s) s
      $q$,
      p_from, p_key, v_direction, c_sample
    ) into v_is_common using p_query;
    if not v_is_common then
      execute format(
        'select array_agg(f.id::text) from (select r.id from %s where r.words @@ $1 limit %s) f',
        p_from, c_few + 1
      ) into v_found using p_query;
    end if;
    if v_is_common or cardinality(v_found) > c_few then
      v_counted_where := v_where || case
        when v_is_common then ' and pg_catalog.ts_match_vq(r.words, $2)' else ' and r.words @@ $2' end;
      v_where := v_where || ' and pg_catalog.ts_match_vq(r.words, $2)';
    else
      v_where := v_where || format(' and r.id = any ($3::%s[])', p_id_type);
      v_counted_where := v_where;
    end if;
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
      'select count(*) from (select from %s where %s %s) c', p_from, v_counted_where,
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

CREATE OR REPLACE FUNCTION private.mail_claim (
  p_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_token text := private.new_secret();
  v_goes boolean;
begin
  select private.send_mail(i.address, 'business-claim', jsonb_build_object(
    'business', b.name, 'path', '/dashboard/businesses/invitation?token=' || v_token
  ), i.expires_at)
  into v_goes
  from public.business_invitations i join public.businesses b on b.id = i.business_id
  where i.id = p_id;
  -- Without an email, they find the invitation among their businesses when they sign in.
  if v_goes then
    update public.business_invitations i set token_hash = private.secret_hash(v_token), sent_at = now()
    where i.id = p_id;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_twins()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_key text := coalesce(to_jsonb(new), to_jsonb(old)) ->> 'key';
  v_id uuid := (coalesce(to_jsonb(new), to_jsonb(old)) ->> 'contact_id')::uuid;
  -- Two are enough to know: if there are more, all of them are marked already.
  v_others uuid[] := array(
    select k.contact_id from private.contact_keys k
    where k.key = v_key and k.contact_id <> v_id limit 2
  );
begin
  if tg_op = 'INSERT' and cardinality(v_others) > 0 then
    update public.contacts c set has_twin = true
    where c.id = any (array_append(v_others, v_id)) and not c.has_twin;
  elsif tg_op = 'DELETE' then
    update public.contacts c set has_twin = false
    where c.id = any (case when cardinality(v_others) = 1 then v_others else '{}' end || v_id)
      and c.has_twin and not exists (
        select from private.contact_keys k
        join private.contact_keys o on o.key = k.key and o.contact_id <> k.contact_id
        where k.contact_id = c.id
      );
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
    'contacts', (select count(*) from public.contacts c where c.waiting > 0),
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

REVOKE ALL ON FUNCTION "public"."admin_contact"(uuid) FROM PUBLIC, "anon", "service_role";

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

REVOKE ALL ON FUNCTION "public"."admin_contact_merge"(uuid, uuid) FROM PUBLIC, "anon", "service_role";

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
        'waiting', r.waiting, 'has_twin', r.has_twin, 'active_at', r.last_active_at
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

REVOKE ALL ON FUNCTION "public"."admin_contacts"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

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

REVOKE ALL ON FUNCTION "public"."answer_contact_message"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.import_contacts (
  p_rows   jsonb,
  p_file   text,
  p_dry    boolean,
  p_invite boolean DEFAULT false
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_file text := private.clean_line(p_file, 200);
  v_row jsonb;
  v_results jsonb[] := '{}';
begin
  if coalesce(jsonb_typeof(p_rows), '') <> 'array' or jsonb_array_length(p_rows) not between 1 and 500
    or exists (
      select from jsonb_array_elements(p_rows) e
      where jsonb_typeof(e) <> 'object' or coalesce(jsonb_typeof(e -> 'row'), '') <> 'number'
    )
  then
    raise exception 'Send 1 to 500 rows, each with its number.' using errcode = '22023', hint = 'rows';
  end if;
  if v_file is null or p_dry is null then
    raise exception 'Say which file it is, and whether to only check it.'
      using errcode = '22023', hint = 'file';
  end if;
  perform private.count_writes(
    case when p_dry then 'import_checks' else 'imported_rows' end, jsonb_array_length(p_rows)
  );
  -- Two files at once may name the same business.
  perform private.one_at_a_time('import', '00000000-0000-0000-0000-000000000000');
  perform set_config('trellis.importing', 'on', true);
  begin
    for v_row in select e from jsonb_array_elements(p_rows) with ordinality as t (e, n) order by n loop
      v_results := v_results || private.import_row(v_row, coalesce(p_invite, false) and not p_dry);
    end loop;
    -- A check does everything and takes it back, so it finds exactly what an import would.
    if p_dry then
      raise exception 'Only a check' using errcode = 'TR001';
    end if;
  exception when sqlstate 'TR001' then
    null;
  end;
  perform set_config('trellis.importing', '', true);
  perform private.audit(
    case when p_dry then 'contact.check_import' else 'contact.import' end, 'contact', null, null,
    (
      select jsonb_object_agg(n.outcome, n.n) || jsonb_build_object('file', v_file)
      from (select r ->> 'outcome' as outcome, count(*) as n from unnest(v_results) r group by 1) n
    )
  );
  return jsonb_build_object('rows', to_jsonb(v_results));
end
$function$;

REVOKE ALL ON FUNCTION "public"."import_contacts"(jsonb, text, boolean, boolean) FROM PUBLIC, "anon", "service_role";

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

REVOKE ALL ON FUNCTION "public"."merge_contacts"(uuid, uuid, text) FROM PUBLIC, "anon", "service_role";

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

REVOKE ALL ON FUNCTION "public"."set_contact_message_outcome"(uuid, text) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."contact_keys"
  ADD CONSTRAINT "contact_keys_contact_id_fkey" FOREIGN KEY (contact_id) REFERENCES public.contacts(id) ON DELETE CASCADE;

ALTER TABLE "public"."business_invitations"
  ADD CONSTRAINT "business_invitations_role_check" CHECK ((role = ANY (ARRAY['member'::text, 'owner'::text])));

ALTER TABLE "public"."contact_messages"
  ADD CONSTRAINT "contact_messages_answer_check" CHECK (((char_length(answer) >= 1) AND (char_length(answer) <= 5000)));

ALTER TABLE "public"."contact_messages"
  ADD CONSTRAINT "contact_messages_answered_by_fkey" FOREIGN KEY (answered_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."contact_messages"
  ADD CONSTRAINT "contact_messages_check1" CHECK (((answer IS NULL) = (outcome IS DISTINCT FROM 'replied'::text)));

ALTER TABLE "public"."contact_messages"
  ADD CONSTRAINT "contact_messages_check" CHECK (((outcome IS NULL) = (answered_at IS NULL)));

ALTER TABLE "public"."contact_messages"
  ADD CONSTRAINT "contact_messages_from_email_check" CHECK (((char_length(from_email) >= 3) AND (char_length(from_email) <= 254)));

ALTER TABLE "public"."contact_messages"
  ADD CONSTRAINT "contact_messages_outcome_check" CHECK ((outcome = ANY (ARRAY['replied'::text, 'elsewhere'::text, 'not-needed'::text])));

ALTER TABLE "public"."contacts"
  ADD CONSTRAINT "contacts_check1" CHECK (((newsletter <> 'subscribed'::text) OR ((consented_at IS NOT NULL) AND (consent_wording IS NOT NULL))));

ALTER TABLE "public"."contacts"
  ADD CONSTRAINT "contacts_check" CHECK (((waiting >= 0) AND (waiting <= messages)));

ALTER TABLE "public"."contacts"
  ADD CONSTRAINT "contacts_phone_check" CHECK ((char_length(phone) <= 40));

ALTER TABLE "public"."contacts"
  ADD CONSTRAINT "contacts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."contacts"
  ADD CONSTRAINT "contacts_user_id_key" UNIQUE (user_id);

CREATE INDEX contact_keys_contact_id_idx ON private.contact_keys USING btree (contact_id);

CREATE INDEX contact_messages_answered_by_idx ON public.contact_messages USING btree (answered_by);

CREATE INDEX contacts_active_idx ON public.contacts USING btree (last_active_at, id);

CREATE INDEX contacts_imported_idx ON public.contacts USING btree (last_active_at, id)
  WHERE (imported_at IS NOT NULL);

CREATE INDEX contacts_name_idx ON public.contacts USING btree (COALESCE(name, email) COLLATE private.by_name, id);

CREATE INDEX contacts_newsletter_idx ON public.contacts USING btree (newsletter, last_active_at, id);

CREATE INDEX contacts_registered_idx ON public.contacts USING btree (last_active_at, id)
  WHERE (user_id IS NOT NULL);

CREATE INDEX contacts_twins_idx ON public.contacts USING btree (last_active_at, id)
  WHERE has_twin;

CREATE INDEX contacts_waiting_idx ON public.contacts USING btree (last_active_at, id)
  WHERE (waiting > 0);

CREATE INDEX contacts_wrote_idx ON public.contacts USING btree (last_active_at, id)
  WHERE (messages > 0);

CREATE TRIGGER join_contact
  AFTER UPDATE OF email_confirmed_at, last_sign_in_at ON auth.users
  FOR EACH ROW
  WHEN (((old.email_confirmed_at IS DISTINCT FROM new.email_confirmed_at) OR (old.last_sign_in_at IS DISTINCT FROM new.last_sign_in_at)))
  EXECUTE FUNCTION private.join_contact();

CREATE TRIGGER mark_twins
  AFTER INSERT OR DELETE ON private.contact_keys
  FOR EACH ROW
  EXECUTE FUNCTION private.mark_twins();

CREATE TRIGGER count_contact_messages
  AFTER INSERT OR DELETE OR UPDATE OF contact_id, outcome ON public.contact_messages
  FOR EACH ROW
  EXECUTE FUNCTION private.count_contact_messages();

CREATE TRIGGER index_contact
  AFTER INSERT OR UPDATE OF email, other_emails, name, business, businesses, phone ON public.contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.index_contact();

COMMENT ON FUNCTION "private"."contact_merge"(public.contacts, public.contacts) IS 'What a merge would leave, and why it''s refused, if it is.';

COMMENT ON FUNCTION "private"."import_business"(jsonb, public.contacts, boolean) IS 'Adds a row''s business, waiting for its owner: {business: null, "new", "joined" (added by another row) or "there", note}.';

COMMENT ON FUNCTION "private"."import_day"(text) IS 'A date such as 2026-11-24 or 11/24/2026; null for anything else.';

COMMENT ON FUNCTION "private"."import_refusal"(jsonb) IS 'Why a row can''t be imported, in words; null if it can.';

COMMENT ON FUNCTION "private"."import_row"(jsonb, boolean) IS 'Imports one row, or refuses it: {row, outcome: "new", "changed", "there" or "refused", business, note}.';

COMMENT ON FUNCTION "private"."invitations_to_me"() IS 'Open invitations to the caller''s confirmed address, newest first, at most 20: [{id, business, invited_by, expires_at, role}].';

COMMENT ON FUNCTION "private"."join_contacts"(uuid[]) IS 'Brings the contacts of people with a confirmed address up to date, and adds those that are missing.';

COMMENT ON FUNCTION "public"."admin_contact"(uuid) IS 'One contact: consent, account, businesses ("invited": imported and not accepted yet), their latest 100 messages, and possible twins ("same": "mailbox", "business" or "phone"); null if there''s none.';

COMMENT ON FUNCTION "public"."admin_contact_merge"(uuid, uuid) IS 'What merging the second contact into the first would leave: {refusal, email, other_email, name, business, phone, messages, consent, was_subscribed, other_consent}; null if there''s no such contact.';

COMMENT ON FUNCTION "public"."admin_contacts"(jsonb, jsonb, integer) IS 'A page of contacts by {words (of a name, email or business), source, consent, show ("waiting" for an answer, or possible "twins"), sort ("newest" activity, "name")}; see list_page.';

COMMENT ON FUNCTION "public"."answer_contact_message"(uuid, text) IS 'An admin answers a message by email; returns the message. Idempotent for the same answer by the same admin.';

COMMENT ON FUNCTION "public"."import_contacts"(jsonb, text, boolean, boolean) IS 'An admin imports up to 500 rows of a list ({row (its number), email, name, phone, business, city, postal_code, website, consent (yes or no), consent_on, consent_basis}), or only checks them (p_dry); p_invite emails the owners of new businesses. {rows: [{row, outcome, business, note}]}. Rows that were imported before change nothing.';

COMMENT ON FUNCTION "public"."merge_contacts"(uuid, uuid, text) IS 'An admin merges the second contact into the first, for good: messages move, and a withdrawn consent wins; {id}. Never two accounts.';

COMMENT ON FUNCTION "public"."set_contact_message_outcome"(uuid, text) IS 'An admin says that a message was answered "elsewhere" or that an answer is "not-needed", or (null) that it waits after all; returns the message.';

COMMENT ON TABLE "private"."contact_keys" IS 'What two contacts have in common if they may be the same person. Triggers keep it current.';

COMMENT ON TABLE "public"."contact_messages" IS 'Messages from the contact form and what became of them, kept two years.';

COMMENT ON TABLE "public"."contacts" IS 'People who wrote to us, asked for the newsletter, registered or were imported, one row per address, with their consent.';

REVOKE ALL ON FUNCTION "private"."contact_merge"(public.contacts, public.contacts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contact_message_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contact_words"(text, text[], text, text, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_contact_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_business"(jsonb, public.contacts, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_day"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_refusal"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_row"(jsonb, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."index_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."join_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."join_contacts"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keys_of_contact"(public.contacts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_twins"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_contact"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_contact_merge"(uuid, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_contacts"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."answer_contact_message"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."import_contacts"(jsonb, text, boolean, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."merge_contacts"(uuid, uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."set_contact_message_outcome"(uuid, text) TO "authenticated";

ALTER TABLE "public"."contacts"
  ADD COLUMN "words" tsvector GENERATED ALWAYS AS (private.contact_words(email, other_emails, name, business, businesses)) STORED NOT NULL;

CREATE INDEX businesses_plain_name_idx ON public.businesses USING btree (private.plain_words(name))
  WHERE (created_by IS NULL);

CREATE INDEX contacts_words_idx ON public.contacts USING gin (words);

-- Rows of tables that only the schemas fill.
insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('contact_answers', null, null, 30, 500, 'answered a lot of messages'),
  ('contact_merges', null, null, 30, 500, 'merged a lot of contacts'),
  ('imported_rows', null, null, 10000, 20000, 'imported a lot of rows'),
  ('import_checks', null, null, 20000, 100000, 'checked a lot of rows');
insert into private.mail_limits (template, counter, a_day) values ('business-claim', 'anyone', 8);

-- The contacts that are there already get their keys, and their messages wait for an answer.
update public.contacts set email = email;
update public.contacts c set messages = n.n, waiting = n.n
from (select m.contact_id, count(*) as n from public.contact_messages m group by 1) n
where c.id = n.contact_id;
-- Everyone with a confirmed address becomes a contact.
select private.join_contacts(array(select p.user_id from public.profiles p order by p.user_id));
