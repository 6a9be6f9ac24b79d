SET local check_function_bodies = off;

DROP TRIGGER "attempts_stay_as_they_are" ON "public"."attempts";

DROP TRIGGER "business_members_take_over_attempts" ON "public"."business_members";

DROP TRIGGER "business_snapshots_are_kept" ON "public"."business_snapshots";

DROP TRIGGER "businesses_touch" ON "public"."businesses";

DROP TRIGGER "engagements_stay_as_they_are" ON "public"."engagements";

DROP TRIGGER "engagements_touch" ON "public"."engagements";

DROP TRIGGER "project_events_are_append_only" ON "public"."project_events";

DROP TRIGGER "project_tasks_are_counted" ON "public"."project_tasks";

DROP TRIGGER "project_tasks_touch" ON "public"."project_tasks";

DROP TRIGGER "project_updates_are_append_only" ON "public"."project_updates";

DROP TRIGGER "projects_stay_with_their_business" ON "public"."projects";

DROP TRIGGER "projects_touch" ON "public"."projects";

ALTER TABLE "public"."business_plan_versions"
  DROP CONSTRAINT "business_plan_versions_business_id_field_fkey";

ALTER TABLE "public"."contacts"
  DROP CONSTRAINT "contacts_check";

ALTER TABLE "public"."project_events"
  DROP CONSTRAINT "project_events_project_id_business_id_fkey";

ALTER TABLE "public"."project_files"
  DROP CONSTRAINT "project_files_project_id_business_id_fkey";

ALTER TABLE "public"."project_tasks"
  DROP CONSTRAINT "project_tasks_project_id_business_id_fkey";

ALTER TABLE "public"."project_updates"
  DROP CONSTRAINT "project_updates_project_id_business_id_fkey";

-- A path stays what it was: files aren't moved.
ALTER TABLE "public"."project_files"
  ALTER COLUMN "path" DROP EXPRESSION;

CREATE TABLE "private"."contact_keys" (
  "key"        text NOT NULL,
  "contact_id" uuid NOT NULL,
  CONSTRAINT "contact_keys_pkey" PRIMARY KEY (key, contact_id)
);

ALTER TABLE "private"."contact_keys"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."project_words" (
  "project_id" uuid     NOT NULL,
  "words"      tsvector NOT NULL,
  CONSTRAINT "project_words_pkey" PRIMARY KEY (project_id)
);

ALTER TABLE "private"."project_words"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."recovery_codes" (
  "user_id" uuid                     NOT NULL,
  "hash"    bytea                    NOT NULL,
  "made_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "recovery_codes_pkey" PRIMARY KEY (user_id, hash)
);

CREATE TABLE "private"."toggles" (
  "key"         text                     NOT NULL,
  "description" text                     NOT NULL,
  "audience"    text                     NOT NULL DEFAULT 'everyone'::text,
  "roles"       text[]                   NOT NULL DEFAULT '{}'::text[],
  "percentage"  integer,
  "expires_on"  date,
  "owner_id"    uuid,
  "updated_at"  timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "toggles_audience_check" CHECK ((audience = ANY (ARRAY['off'::text, 'everyone'::text, 'roles'::text, 'percentage'::text]))),
  CONSTRAINT "toggles_check1" CHECK (((audience = 'percentage'::text) = (percentage IS NOT NULL))),
  CONSTRAINT "toggles_check" CHECK (((audience = 'roles'::text) = (roles <> '{}'::text[]))),
  CONSTRAINT "toggles_description_check" CHECK (((char_length(description) >= 10) AND (char_length(description) <= 300))),
  CONSTRAINT "toggles_key_check" CHECK ((key ~ '^[a-z]+(-[a-z]+)*$'::text)),
  CONSTRAINT "toggles_percentage_check" CHECK (((percentage >= 1) AND (percentage <= 99))),
  CONSTRAINT "toggles_pkey" PRIMARY KEY (key),
  CONSTRAINT "toggles_roles_check" CHECK ((roles <@ ARRAY['owner'::text, 'coach'::text, 'admin'::text]))
);

CREATE TABLE "public"."business_merges" (
  "id"          uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "from_id"     uuid                     NOT NULL,
  "into_id"     uuid                     NOT NULL,
  "moved"       jsonb                    NOT NULL,
  "archived_at" timestamp with time zone,
  "members"     integer                  NOT NULL,
  "reason"      text                     NOT NULL,
  "merged_at"   timestamp with time zone NOT NULL DEFAULT now(),
  "merged_by"   uuid,
  "undone_at"   timestamp with time zone,
  "undone_by"   uuid,
  CONSTRAINT "business_merges_check" CHECK ((from_id <> into_id)),
  CONSTRAINT "business_merges_pkey" PRIMARY KEY (id),
  CONSTRAINT "business_merges_reason_check" CHECK ((char_length(reason) <= 2000))
);

ALTER TABLE "public"."business_merges"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."business_merges" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."coach_profiles" (
  "user_id"    uuid                     NOT NULL,
  "about"      text                     NOT NULL DEFAULT ''::text,
  "areas"      text[]                   NOT NULL DEFAULT '{}'::text[],
  "capacity"   integer,
  "accepting"  boolean                  NOT NULL DEFAULT true,
  "updated_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "coach_profiles_about_check" CHECK ((char_length(about) <= 2000)),
  CONSTRAINT "coach_profiles_areas_check" CHECK ((cardinality(areas) <= 8)),
  CONSTRAINT "coach_profiles_capacity_check" CHECK (((capacity >= 0) AND (capacity <= 200))),
  CONSTRAINT "coach_profiles_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "public"."coach_profiles"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."coach_profiles" FROM "anon", "service_role";

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

CREATE OR REPLACE FUNCTION private.archive_them (
  p_ids uuid[]
)
  RETURNS uuid[]
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_archived uuid[];
begin
  with done as (
    update public.businesses b set archived_at = now()
    where b.id = any (p_ids) and b.archived_at is null
    returning b.id
  )
  select coalesce(array_agg(d.id), '{}') into v_archived from done d;
  update public.business_invitations i set ended = 'revoked', ended_at = now()
  where i.business_id = any (v_archived) and i.ended is null;
  perform private.withdraw_coaching(b, null, 'The business was archived.')
  from unnest(v_archived) as b
  where exists (
    select from public.engagements e where e.business_id = b and e.closed_at is null
  );
  return v_archived;
end
$function$;

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
    'plan', private.plan_progress(p_id),
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

CREATE OR REPLACE FUNCTION private.business_regions()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- From one region to the next by the index, however many businesses each of them has.
  with recursive regions (region, n) as (
    (
      select b.region, 1 from public.businesses b
      where b.region is not null order by b.region limit 1
    )
    union all
    select (
      select b.region from public.businesses b where b.region > r.region order by b.region limit 1
    ), r.n + 1
    from regions r where r.region is not null and r.n < 200
  )
  select coalesce(jsonb_agg(jsonb_build_object('value', r.region, 'label', r.region) order by r.n), '[]')
  from regions r where r.region is not null
$function$;

CREATE OR REPLACE FUNCTION private.check_businesses (
  p_ids uuid[]
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if coalesce(cardinality(p_ids), 0) not between 1 and 200 then
    raise exception 'Choose 1 to 200 businesses.' using errcode = '22023', hint = 'ids';
  end if;
  if exists (
    select from unnest(p_ids) as i (id)
    where not exists (select from public.businesses b where b.id = i.id)
  ) then
    raise exception 'We can’t find this business.' using errcode = 'P0002', hint = 'ids';
  end if;
  -- In the same order for everyone.
  perform private.one_at_a_time('business', i.id)
  from (select distinct u as id from unnest(p_ids) u order by u) i;
end
$function$;

CREATE OR REPLACE FUNCTION private.client_count (
  p_coach_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- plpgsql, because the table is created in a later file.
  return (
    select count(*) from public.engagements e
    where e.coach_id = p_coach_id and e.closed_at is null
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.coach_profile_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'about', coalesce(c.about, ''), 'areas', coalesce(c.areas, '{}'), 'capacity', c.capacity,
    'accepting', coalesce(c.accepting, true), 'clients', private.client_count(p_id)
  )
  from (select p_id as id) asked left join public.coach_profiles c on c.user_id = asked.id
$function$;

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

CREATE OR REPLACE FUNCTION private.day_start (
  p_day date
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select p_day::timestamp at time zone private.time_zone_of((select auth.uid()))
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

CREATE OR REPLACE FUNCTION private.forget_second_factor (
  p_email   text,
  p_reason  text,
  p_details jsonb DEFAULT '{}'::jsonb
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid;
  v_count int;
begin
  select u.id into v_user_id from auth.users u where lower(u.email) = lower(btrim(p_email));
  if v_user_id is null then
    raise exception 'There’s no account with the address %.', p_email using errcode = 'P0002', hint = 'email';
  end if;
  delete from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified';
  get diagnostics v_count = row_count;
  if v_count > 0 then
    delete from private.recovery_codes c where c.user_id = v_user_id;
    delete from auth.sessions s where s.user_id = v_user_id;
    perform private.audit(
      'second_factor.forget', 'user', v_user_id::text, private.require_reason(p_reason), p_details
    );
    perform private.notify_person(
      v_user_id, 'We removed your authenticator app',
      'You asked us to, because you couldn’t use it anymore. Until you add an app again, your password alone signs you in.',
      'You’re getting this email because the way you sign in has changed. If you didn’t ask for this, choose a new password right away and write to us.',
      'Sign in', '/dashboard/profile'
    );
  end if;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_businesses (
  p_one   uuid,
  p_other uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.one_at_a_time('business', least(p_one, p_other));
  perform private.one_at_a_time('business', greatest(p_one, p_other));
  perform from public.engagements e
  where e.business_id in (p_one, p_other) order by e.id for update;
  perform from public.businesses b where b.id in (p_one, p_other) order by b.id for update;
end
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

CREATE OR REPLACE FUNCTION private.index_project()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.project_words as w (project_id, words)
  select p.id, private.name_words(p.title || ' ' || b.name)
  from public.projects p
  join public.businesses b on b.id = p.business_id
  where case tg_table_name when 'businesses' then p.business_id else p.id end = new.id
  on conflict (project_id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
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

CREATE OR REPLACE FUNCTION private.is_reading (
  p_action text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select p_action ~ '\.(list|read|summary|compare|preview_merge|check_import)$'
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

CREATE OR REPLACE FUNCTION private.may_register (
  p_email text
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return private.toggle_on('registration')
    or exists (
      select from public.business_invitations i
      where i.address = lower(btrim(p_email)) and i.ended is null and i.expires_at > now()
    );
end
$function$;

CREATE OR REPLACE FUNCTION private.merge_blockers (
  p_from uuid,
  p_into uuid
)
  RETURNS text[]
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select array(
    select 'A business can’t be merged with itself.' where p_from = p_into
    union all
    select format('%s was already merged into %s.', b.name, private.merged_into(b.id) ->> 'name')
    from public.businesses b
    where b.id in (p_from, p_into) and private.merged_into(b.id) is not null
    union all
    select format('%s is archived. Restore it first.', b.name)
    from public.businesses b
    where b.id = p_into and b.archived_at is not null and private.merged_into(b.id) is null
    union all
    select format(
      '%s has open coaching in both businesses. It has to end in one of them first.',
      coalesce(private.name_of(e.owner_id), 'A deleted account')
    )
    from public.engagements e
    join public.engagements o
      on o.owner_id = e.owner_id and o.business_id = p_into and o.closed_at is null
    where e.business_id = p_from and e.closed_at is null and p_from <> p_into
    union all
    select 'Together they have more than 100 members.'
    where 100 < (
      select count(distinct m.user_id) from public.business_members m
      where m.business_id in (p_from, p_into)
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.merge_counts (
  p_from uuid,
  p_into uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_part record;
  v_moves bigint;
  v_stays bigint;
  v_counts jsonb := '[]';
begin
  for v_part in select * from private.merge_parts() loop
    execute format(
      'select count(*) filter (where not (%1$s)), count(*) filter (where %1$s)
      from public.%2$I t where t.business_id = $1',
      v_part.stays, v_part.name
    ) into v_moves, v_stays using p_from, p_into;
    v_counts := v_counts || jsonb_build_object(
      'name', v_part.name, 'moves', v_moves, 'stays', v_stays
    );
  end loop;
  return v_counts || (
    select jsonb_build_object(
      'name', 'business_members',
      'moves', count(*) filter (where o.user_id is null),
      'stays', count(*) filter (where o.user_id is not null)
    )
    from public.business_members m
    left join public.business_members o on o.user_id = m.user_id and o.business_id = p_into
    where m.business_id = p_from
  );
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
    ('engagements', 'id', 'false'),
    -- With their tasks, files, updates and events, by the foreign keys.
    ('projects', 'id', 'false'),
    ('tool_copies', 'id', 'false')
$function$;

CREATE OR REPLACE FUNCTION private.merged_ids (
  p_ids uuid[]
)
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with recursive merged (id) as (
    select unnest(p_ids)
    union
    select g.from_id from merged m
    join public.business_merges g on g.into_id = m.id and g.undone_at is null
  )
  select m.id from merged m
$function$;

CREATE OR REPLACE FUNCTION private.merged_into (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('id', b.id, 'name', b.name)
  from public.business_merges g
  join public.businesses b on b.id = g.into_id
  where g.from_id = p_id and g.undone_at is null
$function$;

CREATE OR REPLACE FUNCTION private.merges_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', g.id, 'reason', g.reason, 'merged_at', g.merged_at, 'undone_at', g.undone_at,
    'by', private.name_of(g.merged_by),
    'undo_until', g.merged_at + interval '30 days',
    'blocker', private.undo_blocker(g),
    'from', (select jsonb_build_object('id', b.id, 'name', b.name) from public.businesses b where b.id = g.from_id),
    'into', (select jsonb_build_object('id', b.id, 'name', b.name) from public.businesses b where b.id = g.into_id)
  ) order by g.merged_at desc, g.id), '[]')
  from public.business_merges g
  where p_business_id in (g.from_id, g.into_id)
$function$;

CREATE OR REPLACE FUNCTION private.merging()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce(current_setting('trellis.merging', true), '') = 'on'
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
    'toggles', (
      select count(*) from private.toggles t where t.expires_on <= current_date + 14
    ),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.reviewed_on < now() - interval '1 year'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.place_project_file()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  new.path := concat_ws('/', coalesce((
    select g.from_id from public.business_merges g
    where g.undone_at is null and g.moved -> 'projects' ? new.project_id::text
    order by g.merged_at limit 1
  ), new.business_id), new.project_id, new.id);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.readable_file_folders()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select b::text from private.merged_ids(array(select private.readable_business_ids())) b
$function$;

CREATE OR REPLACE FUNCTION private.recovery_code_hash (
  p_user_id uuid,
  p_code    text
)
  RETURNS bytea
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- As people type it: in any case, with any separators, and with letters that look like digits.
  -- 60 random bits need no slow hash.
  select sha256(convert_to(
    p_user_id || ':' || translate(
      regexp_replace(upper(p_code), '[^0-9A-Z]', '', 'g'), 'OIL', '011'
    ), 'UTF8'
  ))
$function$;

CREATE OR REPLACE FUNCTION private.recovery_codes_json (
  p_user_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case when count(*) > 0 then
    jsonb_build_object('left', count(*), 'made_at', min(c.made_at)) end
  from private.recovery_codes c where c.user_id = p_user_id
$function$;

CREATE OR REPLACE FUNCTION private.removable_file_folders()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select b::text from private.merged_ids(array(select private.my_business_ids())) b
$function$;

CREATE OR REPLACE FUNCTION private.require_room (
  p_coach_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_profile public.coach_profiles;
begin
  select * into v_profile from public.coach_profiles c where c.user_id = p_coach_id;
  if not v_profile.accepting then
    raise exception 'This coach isn’t taking new clients. Choose someone else.'
      using errcode = '55000', hint = 'coach_id';
  end if;
  if private.client_count(p_coach_id) >= v_profile.capacity then
    raise exception 'This coach already has as many clients as they take (%). Choose someone else.',
      v_profile.capacity using errcode = '55000', hint = 'coach_id';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_projects (
  p_ids jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_talks uuid[] := array(
    select c.id from public.conversations c
    where c.project_id in (select p::uuid from jsonb_array_elements_text(p_ids) p)
  );
begin
  perform private.hold_conversations(v_talks);
  perform private.settle_people(c) from unnest(v_talks) as c;
end
$function$;

CREATE OR REPLACE FUNCTION private.share_of (
  p_key     text,
  p_user_id uuid
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- Two bytes: 36 of 65,536 make the first 36 numbers likelier, by a thousandth.
  select (get_byte(h.hash, 0) * 256 + get_byte(h.hash, 1)) % 100
  from (select sha256(convert_to(p_key || ':' || p_user_id, 'UTF8')) as hash) h
$function$;

CREATE OR REPLACE FUNCTION private.tell_members (
  p_ids     uuid[],
  p_subject text,
  p_text    text,
  p_open    uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.notify_person(
    m.user_id, p_subject, p_text, 'You’re getting this email because you belong to the business.',
    'Open the business', '/dashboard/businesses/' || p_open
  )
  from (
    select distinct n.user_id from public.business_members n where n.business_id = any (p_ids)
  ) m;
end
$function$;

CREATE OR REPLACE FUNCTION private.toggle_on (
  p_key text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce((
    select case t.audience
      when 'everyone' then true
      when 'roles' then auth.uid() is not null and private.role_of(auth.uid()) = any (t.roles)
      when 'percentage' then
        auth.uid() is not null and private.share_of(t.key, auth.uid()) < t.percentage
      else false
    end
    from private.toggles t where t.key = p_key
  ), false)
$function$;

CREATE OR REPLACE FUNCTION private.unarchive_them (
  p_ids uuid[]
)
  RETURNS uuid[]
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_merge record;
  v_restored uuid[];
begin
  select b.name, private.merged_into(b.id) ->> 'name' as other into v_merge
  from public.businesses b
  where b.id = any (p_ids) and private.merged_into(b.id) is not null
  limit 1;
  if found then
    raise exception '% was merged into %. An admin has to undo that first.', v_merge.name, v_merge.other
      using errcode = '55000';
  end if;
  with done as (
    update public.businesses b set archived_at = null
    where b.id = any (p_ids) and b.archived_at is not null
    returning b.id
  )
  select coalesce(array_agg(d.id), '{}') into v_restored from done d;
  perform private.take_over_attempts(m.user_id, m.business_id)
  from (
    select n.user_id, n.business_id from public.business_members n
    where n.business_id = any (v_restored) order by n.business_id, n.user_id
  ) m;
  return v_restored;
end
$function$;

CREATE OR REPLACE FUNCTION private.undo_blocker (
  p_merge public.business_merges
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
    when p_merge.undone_at is not null then 'This merge was already undone.'
    when p_merge.merged_at < now() - interval '30 days'
      then 'A merge can be undone for 30 days, and this one is older.'
    when private.merged_into(p_merge.into_id) is not null then format(
      '%s was merged into %s since then. Undo that first.',
      (select b.name from public.businesses b where b.id = p_merge.into_id),
      private.merged_into(p_merge.into_id) ->> 'name'
    )
    when p_merge.members > 0 and not exists (
      select from public.business_members m where m.business_id = p_merge.from_id
    ) then 'Nobody belongs to the merged business anymore.'
    else (
      select format(
        '%s owns the other business now. They have to hand it over first.',
        coalesce(private.name_of(m.user_id), 'One of its members')
      )
      from public.business_members m
      where m.business_id = p_merge.into_id and m.role = 'owner'
        and p_merge.moved -> 'business_members' ? m.user_id::text
      limit 1
    )
  end
$function$;

CREATE OR REPLACE FUNCTION private.welcome()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_business_name text := private.clean_line(new.raw_user_meta_data ->> 'business_name', 120);
  v_business_id uuid;
begin
  -- The auth service says so first where it can; this is for those that can't.
  if not private.may_register(new.email) then
    raise exception 'Registration is closed right now.' using errcode = '55000';
  end if;
  insert into public.profiles (user_id, full_name, time_zone)
  values (
    new.id, coalesce(private.clean_line(new.raw_user_meta_data ->> 'full_name', 120), ''),
    private.known_time_zone(new.raw_user_meta_data ->> 'time_zone')
  );

  if v_business_name is not null then
    insert into public.businesses (id, name, created_by)
    values (gen_random_uuid(), v_business_name, new.id)
    returning id into v_business_id;
    insert into public.business_members (business_id, user_id, role)
    values (v_business_id, new.id, 'owner');
  end if;
  return new;
end
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
        'reason', r.reason,
        'details', case r.action
          -- Coaches by name.
          when 'engagement.assign' then jsonb_build_object(
            'before', private.name_of((r.details ->> 'before')::uuid),
            'after', private.name_of((r.details ->> 'after')::uuid)
          )
          else r.details
        end,
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
      case when p_filter ? 'action' then 'r.action = $1 ->> ''action''' end,
      case p_filter ->> 'kind'
        when 'changes' then 'not private.is_reading(r.action)'
        when 'reads' then 'private.is_reading(r.action)'
      end,
      case when p_filter ? 'from' then
        $where$r.at >= private.day_start(($1 ->> 'from')::date)$where$
      end,
      case when p_filter ? 'to' then
        $where$r.at < private.day_start(($1 ->> 'to')::date + 1)$where$
      end
    ],
    'r.at', 'timestamptz', true, p_filter, p_place, p_limit, p_id_type => 'bigint'
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_business (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_business public.businesses;
begin
  perform private.require_admin();
  select * into v_business from public.businesses b where b.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit(
    'business.read', 'business', p_id::text, null, jsonb_build_object('business_id', p_id)
  );
  return jsonb_build_object(
    'id', v_business.id, 'name', v_business.name, 'created_at', v_business.created_at,
    'updated_at', v_business.updated_at, 'archived_at', v_business.archived_at,
    'facts', private.business_facts(v_business),
    'merged_into', private.merged_into(p_id),
    'merges', private.merges_json(p_id)
  ) || private.business_belongings(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_business"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_businesses (
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
  perform private.audit('business.list', 'business', null, null, p_filter);
  return private.list_page(
    'public.businesses r',
    $row$
      jsonb_build_object(
        'name', r.name, 'city', r.city, 'region', r.region, 'created_at', r.created_at,
        'archived_at', r.archived_at,
        'owners', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'id', m.user_id, 'name', private.name_of(m.user_id)
          ) order by m.joined_at, m.user_id), '[]')
          from public.business_members m where m.business_id = r.id and m.role = 'owner'
        ),
        'members', (select count(*) from public.business_members m where m.business_id = r.id),
        'coaching', (
          select jsonb_build_object('state', e.state, 'coach', private.name_of(e.coach_id))
          from public.engagements e where e.business_id = r.id and e.closed_at is null
          order by e.coach_id is null, e.requested_at desc limit 1
        ),
        'finished_at', (
          select max(t.submitted_at) from public.attempts t
          where t.business_id = r.id and t.state = 'submitted'
        ),
        'open_projects', (
          select count(*) from public.projects p
          where p.business_id = r.id and p.status not in ('done', 'canceled')
        )
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'active' then 'r.archived_at is null'
        when 'archived' then $where$r.archived_at is not null$where$
      end,
      case p_filter ->> 'coaching'
        when 'coached' then $where$r.id = any (array(select e.business_id from public.engagements e where e.closed_at is null and e.coach_id is not null))$where$
        when 'waiting' then 'r.id = any (array(select e.business_id from public.engagements e where e.closed_at is null and e.state = ''requested''))'
        when 'none' then 'not exists (select from public.engagements e where e.business_id = r.id and e.closed_at is null)'
      end,
      case when p_filter ? 'region' then 'r.region = $1 ->> ''region''' end
    ],
    case when v_by_name then 'r.name collate private.by_name' else 'r.created_at' end,
    case when v_by_name then 'text' else 'timestamptz' end,
    coalesce(p_filter ->> 'sort', 'newest') = 'newest',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then
    jsonb_build_object('region', private.business_regions()) end);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_businesses"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

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

CREATE OR REPLACE FUNCTION public.admin_merge_preview (
  p_from uuid,
  p_into uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  if not exists (select from public.businesses b where b.id = p_from)
    or not exists (select from public.businesses b where b.id = p_into)
  then
    return null;
  end if;
  perform private.audit(
    'business.compare', 'business', p_from::text, null, jsonb_build_object('business_id', p_into)
  );
  return jsonb_build_object(
    'parts', private.merge_counts(p_from, p_into),
    'blockers', private.merge_blockers(p_from, p_into)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_merge_preview"(uuid, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_person (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user auth.users;
begin
  perform private.require_admin();
  select * into v_user from auth.users u where u.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit('person.read', 'user', p_id::text);
  return (
    select jsonb_build_object(
      'id', p.user_id, 'name', p.full_name, 'preferred_name', p.preferred_name, 'phone', p.phone,
      'time_zone', p.time_zone, 'languages', p.languages,
      'email', v_user.email, 'new_email', nullif(v_user.email_change, ''),
      'joined_at', p.created_at, 'confirmed_at', v_user.email_confirmed_at,
      'seen_at', v_user.last_sign_in_at, 'state', private.account_state(p.user_id),
      'deletion_due_at', (select d.due_at from public.account_deletions d where d.user_id = p_id),
      'role', private.role_of(p_id),
      'role_since', (select s.granted_at from public.staff_roles s where s.user_id = p_id),
      'coach', case when private.role_of(p_id) = 'coach' then private.coach_profile_json(p_id) end,
      'skill_areas', (
        select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
        from public.skill_areas a
      ),
      'sessions', (select count(*) from auth.sessions s where s.user_id = p_id),
      'second_factor', exists (
        select from auth.mfa_factors f where f.user_id = p_id and f.status = 'verified'
      ),
      'businesses', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', b.id, 'name', b.name, 'role', m.role, 'archived', b.archived_at is not null
        ) order by m.joined_at, b.id), '[]')
        from public.business_members m
        join public.businesses b on b.id = m.business_id
        where m.user_id = p_id
      ),
      -- How many and when, and nothing of what was answered.
      'attempts', (
        select jsonb_build_object(
          'open', count(*) filter (where t.state = 'in_progress'),
          'finished', count(*) filter (where t.state = 'submitted'),
          'latest_at', max(t.submitted_at)
        )
        from public.attempts t where t.user_id = p_id
      ),
      'coaching', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', e.id, 'state', e.state, 'requested_at', e.requested_at,
          'business', (select b.name from public.businesses b where b.id = e.business_id),
          'owner', (select o.full_name from public.profiles o where o.user_id = e.owner_id),
          'coach', (select c.full_name from public.profiles c where c.user_id = e.coach_id)
        ) order by e.requested_at desc, e.id), '[]')
        from (
          select * from public.engagements x
          where x.owner_id = p_id or x.coach_id = p_id
          order by x.requested_at desc, x.id limit 50
        ) e
      ),
      'reports', (
        select count(*) from public.message_reports x where x.author_id = p_id
      )
    )
    from public.profiles p where p.user_id = p_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_projects (
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
  v_sort constant text := coalesce(p_filter ->> 'sort', 'newest');
begin
  perform private.require_admin();
  perform private.audit(
    'project.list', 'project', null, null,
    p_filter || case when p_filter ? 'business'
      then jsonb_build_object('business_id', p_filter ->> 'business') else '{}' end
  );
  return private.list_page(
    $from$
      (
        select p.*, w.words as all_words
        from public.projects p left join private.project_words w on w.project_id = p.id
      ) p
      cross join lateral (
        select p.id, p.title, p.status, p.due_on, p.created_at, p.updated_at, p.business_id,
          p.task_count, p.done_count, p.all_words as words
      ) r
    $from$,
    $row$
      (
        select jsonb_build_object(
          'title', r.title, 'status', r.status, 'due_on', r.due_on, 'created_at', r.created_at,
          'updated_at', r.updated_at, 'task_count', r.task_count, 'done_count', r.done_count,
          'business', jsonb_build_object(
            'id', b.id, 'name', b.name, 'archived', b.archived_at is not null
          ),
          'coach', (
            select private.name_of(e.coach_id) from public.engagements e
            where e.business_id = b.id and e.closed_at is null and e.coach_id is not null
            order by e.requested_at desc limit 1
          )
        )
        from public.businesses b where b.id = r.business_id
      )
    $row$,
    array[
      case p_filter ->> 'status'
        when 'all' then null
        when 'late' then 'r.status not in (''done'', ''canceled'') and coalesce(r.due_on, ''infinity''::date) < current_date'
        else case when p_filter ? 'status' and p_filter ->> 'status' <> 'open'
          then 'r.status = $1 ->> ''status''' else 'r.status not in (''done'', ''canceled'')' end
      end,
      case when p_filter ? 'business' then 'r.business_id = ($1 ->> ''business'')::uuid' end,
      case when p_filter ? 'coach' then
        'r.business_id = any (array(select e.business_id from public.engagements e where e.coach_id = ($1 ->> ''coach'')::uuid and e.closed_at is null))'
      end
    ],
    case v_sort
      when 'due' then 'coalesce(r.due_on, ''infinity''::date)'
      when 'title' then 'r.title collate private.by_name'
      else 'r.created_at' end,
    case v_sort when 'due' then 'date' when 'title' then 'text' else 'timestamptz' end,
    v_sort not in ('due', 'title'),
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'coach', (
      select coalesce(jsonb_agg(
        jsonb_build_object('value', c.user_id, 'label', c.full_name)
        order by c.full_name collate private.by_name, c.user_id
      ), '[]')
      from (
        select f.user_id, f.full_name from public.staff_roles s
        join public.profiles f on f.user_id = s.user_id
        where s.role = 'coach' limit 200
      ) c
    ),
    -- The name of the one that was chosen.
    'business', (
      select coalesce(jsonb_agg(jsonb_build_object('value', b.id, 'label', b.name)), '[]')
      from public.businesses b where b.id::text = p_filter ->> 'business'
    )
  ) end);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_projects"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_toggles (
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
  perform private.audit('toggle.list', 'toggle', null, null, p_filter);
  return private.list_page(
    $from$
      (select t.*, t.key as id, private.name_words(t.key || ' ' || t.description) as words
       from private.toggles t) r
    $from$,
    $row$
      jsonb_build_object(
        'description', r.description, 'audience', r.audience, 'roles', r.roles,
        'percentage', r.percentage, 'expires_on', r.expires_on,
        'owner', (
          select jsonb_build_object('id', p.user_id, 'name', p.full_name)
          from public.profiles p where p.user_id = r.owner_id
        ),
        'change', (
          select jsonb_build_object(
            'at', l.at, 'reason', l.reason, 'by', private.name_of(l.actor_id)
          )
          from public.audit_log l
          where l.entity = 'toggle' and l.entity_id = r.key and l.action = 'toggle.set'
          order by l.at desc, l.id desc limit 1
        )
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'on' then $where$r.audience <> 'off'$where$
        when 'off' then $where$r.audience = 'off'$where$
        when 'review' then 'r.expires_on <= current_date + 14'
      end
    ],
    'r.key', 'text', false, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words'), 'text'
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_toggles"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

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

CREATE OR REPLACE FUNCTION public.archive_business (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_session();
  perform private.require_owner(p_business_id);
  perform private.archive_them(array[p_business_id]);
  return (
    select jsonb_build_object('id', b.id, 'archived_at', b.archived_at)
    from public.businesses b where b.id = p_business_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.archive_businesses (
  p_ids    uuid[],
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
  v_done uuid[];
  v_coached text;
begin
  perform private.check_businesses(p_ids);
  -- Restoring couldn't bring coaching back.
  select b.name into v_coached from public.businesses b
  join public.engagements e on e.business_id = b.id and e.closed_at is null
  where b.id = any (p_ids) order by b.name, b.id limit 1;
  if found then
    raise exception '% is being coached or waits for a coach. End that first, or leave it out.', v_coached
      using errcode = '55000';
  end if;
  v_done := private.archive_them(p_ids);
  perform private.audit('business.archive', 'business', d::text, v_reason, jsonb_build_object('business_id', d))
  from unnest(v_done) d;
  return jsonb_build_object('ids', v_done);
end
$function$;

REVOKE ALL ON FUNCTION "public"."archive_businesses"(uuid[], text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.assign_coach (
  p_engagement_id uuid,
  p_coach_id      uuid,
  p_reason        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_before record;
begin
  select e.id, e.closed_at, e.coach_id, e.owner_id into v_before
  from public.engagements e where e.id = p_engagement_id for update;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- They stay a coach until this is done.
  perform private.one_at_a_time('coach', p_coach_id);
  if private.role_of(p_coach_id) <> 'coach' then
    raise exception 'Choose someone who’s a coach.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.owner_id = p_coach_id then
    raise exception 'People can’t coach themselves.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.closed_at is not null then
    raise exception 'This coaching has ended.' using errcode = '55000';
  end if;

  if v_before.coach_id is distinct from p_coach_id then
    perform private.require_room(p_coach_id);
    -- The trigger that records the step reads the reason from here.
    perform set_config('trellis.reason', v_reason, true);
    update public.engagements e
    set coach_id = p_coach_id,
      state = case when e.state = 'requested' then 'assigned' else e.state end
    where e.id = p_engagement_id;
    perform set_config('trellis.reason', '', true);
    perform private.audit(
      'engagement.assign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_before.coach_id, 'after', p_coach_id)
    );
  end if;
  return (
    select jsonb_build_object('id', e.id, 'state', e.state, 'coach_id', e.coach_id)
    from public.engagements e where e.id = p_engagement_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.begin_message_file (
  p_id              uuid,
  p_conversation_id uuid,
  p_name            text,
  p_type            text,
  p_size            integer,
  p_width           integer DEFAULT NULL::integer,
  p_height          integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_bytes constant bigint := 1073741824;
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_file public.message_attachments;
begin
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('message_files', v_part.user_id);
  select * into v_file from public.message_attachments a where a.id = p_id;
  if found then
    if v_file.uploaded_by is distinct from v_part.user_id
      or v_file.conversation_id <> p_conversation_id
    then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.attachment_json(v_file);
  end if;
  perform private.require_open(c, v_part.user_id)
  from public.conversations c where c.id = p_conversation_id;
  if not private.toggle_on('message-files') then
    raise exception 'You can’t add files to messages right now. Send the text without them.'
      using errcode = '55000';
  end if;
  perform private.check_file('message-files', p_name, p_type, p_size);
  -- What is awaited may turn out as large as the bucket allows, whatever was said.
  if (
    select coalesce(sum(case a.state when 'stored' then a.size else 20971520 end), 0) + p_size
    from public.message_attachments a where a.conversation_id = p_conversation_id
  ) > c_bytes then
    raise exception 'A conversation can have at most 1 GB of files.' using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.message_attachments (
    id, conversation_id, name, type, size, width, height, uploaded_by
  ) values (
    p_id, p_conversation_id, private.file_name(p_name, p_type), p_type, p_size,
    case when p_width between 1 and 20000 and p_height between 1 and 20000 then p_width end,
    case when p_width between 1 and 20000 and p_height between 1 and 20000 then p_height end,
    v_part.user_id
  )
  returning * into v_file;
  return private.attachment_json(v_file);
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
  v_folders text[] := array(select m::text from private.merged_ids(v_business_ids) m);
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
        or o.bucket_id = 'project-files' and split_part(o.name, '/', 1) = any (v_folders)
        -- Of a conversation that they have left they can download nothing any more.
        or a.uploaded_by = v_user_id and a.state = 'stored'
          and a.conversation_id in (select private.my_conversation_ids())
    ), '[]')
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_account()
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
      'email', u.email,
      'has_password', coalesce(u.encrypted_password, '') <> '',
      'new_email', nullif(u.email_change, ''),
      'new_email_sent_at', case when nullif(u.email_change, '') is not null then u.email_change_sent_at end,
      'factors', coalesce((
        select jsonb_agg(
          jsonb_build_object('id', f.id, 'added_at', f.created_at)
          order by f.created_at, f.id
        )
        from auth.mfa_factors f
        where f.user_id = v_user_id and f.status = 'verified' and f.factor_type = 'totp'
      ), '[]'),
      'recovery_codes', private.recovery_codes_json(v_user_id),
      'sessions', private.sessions_json(v_user_id),
      'deletion_due_at', (
        select d.due_at from public.account_deletions d where d.user_id = v_user_id
      ),
      'last_admin', private.is_last_admin(v_user_id),
      'ending', coalesce((
        select jsonb_agg(e.name order by e.name) from (
          select h.name from private.heirs(v_user_id) h where h.alone order by h.name limit 20
        ) e
      ), '[]'),
      'passing', coalesce((
        select jsonb_agg(jsonb_build_object('name', e.name, 'to', e.heir) order by e.name) from (
          select h.name, private.name_of(h.heir_id) as heir
          from private.heirs(v_user_id) h where h.heir_id is not null order by h.name limit 20
        ) e
      ), '[]')
    )
    from auth.users u where u.id = v_user_id
  );
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
    'plan', private.plan_progress(p_id)
  );
end
$function$;

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

CREATE OR REPLACE FUNCTION public.make_recovery_codes()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Crockford's base 32 (https://www.crockford.com/base32.html): without letters that look like digits.
  c_alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  c_codes constant int := 10;
  v_user_id uuid := private.require_session();
  v_random bytea;
  v_code text;
  v_codes text[] := '{}';
begin
  if private.session_state() <> 'verified' then
    raise exception 'Add an authenticator app first.' using errcode = '55000';
  end if;
  perform private.one_at_a_time('recovery-codes', v_user_id);
  perform private.require_rate_limit(
    'recovery-codes:' || v_user_id, 10, interval '1 hour',
    'You’ve made new codes ten times within an hour. Try again %s.'
  );
  delete from private.recovery_codes c where c.user_id = v_user_id;
  for v_number in 1..c_codes loop
    v_random := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    select string_agg(substr(c_alphabet, get_byte(v_random, n) % 32 + 1, 1)
        || case when n in (3, 7) then '-' else '' end, '' order by n)
    into v_code from generate_series(0, 11) n;
    v_codes := v_codes || v_code;
    insert into private.recovery_codes (user_id, hash)
    values (v_user_id, private.recovery_code_hash(v_user_id, v_code));
  end loop;
  perform private.audit('recovery_codes.make', 'user', v_user_id::text);
  return jsonb_build_object(
    'codes', v_codes, 'recovery_codes', private.recovery_codes_json(v_user_id)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."make_recovery_codes"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.merge_businesses (
  p_from   uuid,
  p_into   uuid,
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
  v_from public.businesses;
  v_into public.businesses;
  v_blockers text[];
  v_part record;
  v_keys jsonb;
  v_moved jsonb := '{}';
  v_id uuid := gen_random_uuid();
begin
  perform private.hold_businesses(p_from, p_into);
  select * into v_from from public.businesses b where b.id = p_from;
  select * into v_into from public.businesses b where b.id = p_into;
  if v_from.id is null or v_into.id is null then
    raise exception 'We can’t find this business.' using errcode = 'P0002', hint = 'id';
  end if;
  v_blockers := private.merge_blockers(p_from, p_into);
  if cardinality(v_blockers) > 0 then
    raise exception '%', v_blockers[1] using errcode = '55000';
  end if;

  perform set_config('trellis.merging', 'on', true);
  for v_part in select * from private.merge_parts() loop
    execute format(
      'with moved as (
        update public.%1$I t set business_id = $2 where t.business_id = $1 and not (%2$s)
        returning t.%3$I as key
      )
      select coalesce(jsonb_agg(m.key order by m.key), ''[]'') from moved m',
      v_part.name, v_part.stays, v_part.key
    ) into v_keys using p_from, p_into;
    v_moved := v_moved || jsonb_build_object(v_part.name, v_keys);
  end loop;
  -- They still belong to the merged one, whose page leads them on. The owner of the other stays its
  -- owner.
  with added as (
    insert into public.business_members (business_id, user_id, role)
    select p_into, m.user_id, 'member' from public.business_members m
    where m.business_id = p_from
    order by m.user_id
    on conflict (business_id, user_id) do nothing
    returning user_id
  )
  select coalesce(jsonb_agg(a.user_id order by a.user_id), '[]') into v_keys from added a;
  v_moved := v_moved || jsonb_build_object('business_members', v_keys);
  update public.businesses b set archived_at = now() where b.id = p_from and b.archived_at is null;
  perform set_config('trellis.merging', '', true);

  insert into public.business_merges (
    id, from_id, into_id, moved, archived_at, members, reason, merged_by
  ) values (
    v_id, p_from, p_into, v_moved, v_from.archived_at,
    (select count(*) from public.business_members m where m.business_id = p_from),
    v_reason, v_admin_id
  );
  perform private.settle_projects(v_moved -> 'projects');
  perform private.audit(
    'business.merge', 'business', p_from::text, v_reason,
    jsonb_build_object('business_id', p_into, 'merge_id', v_id)
  );
  perform private.tell_members(
    array[p_from, p_into], v_from.name || ' is now part of ' || v_into.name,
    'They turned out to be the same business, so their projects, results, figures and members are in one place now. If that’s wrong, write to us within 30 days.',
    p_into
  );
  return jsonb_build_object('id', v_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."merge_businesses"(uuid, uuid, text) FROM PUBLIC, "anon", "service_role";

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

CREATE OR REPLACE FUNCTION public.request_coaching (
  p_id            uuid,
  p_business_id   uuid,
  p_note          text    DEFAULT NULL::text,
  p_areas         text[]  DEFAULT '{}'::text[],
  p_share_results boolean DEFAULT false
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_found record;
begin
  perform private.one_at_a_time('engagements', v_user_id);

  select e.id, e.owner_id, e.state into v_found from public.engagements e where e.id = p_id;
  if found then
    if v_found.owner_id is distinct from v_user_id then
      raise exception 'This request already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;

  if p_id is null then
    raise exception 'A request needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_member(p_business_id);
  if not private.toggle_on('coaching-requests') then
    raise exception 'We aren’t taking coaching requests right now. Try again later.'
      using errcode = '55000';
  end if;
  if char_length(p_note) > 2000 then
    raise exception 'Keep the note to 2,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if exists (
    select from unnest(p_areas) as chosen (key)
    where not exists (select from public.skill_areas s where s.key = chosen.key)
  ) then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'areas';
  end if;
  if exists (
    select from public.engagements e
    where e.owner_id = v_user_id and e.business_id = p_business_id
      and e.closed_at is null
  ) then
    raise exception 'You’ve already asked for a coach for this business.'
      using errcode = '23505', hint = 'business_id';
  end if;

  insert into public.engagements (id, business_id, owner_id, areas, note, results_shared)
  values (
    p_id, p_business_id, v_user_id,
    array(select distinct key from unnest(p_areas) as chosen (key) order by key),
    nullif(btrim(p_note), ''), coalesce(p_share_results, false)
  );
  return jsonb_build_object('id', p_id, 'state', 'requested');
end
$function$;

CREATE OR REPLACE FUNCTION public.resend_confirmation (
  p_id     uuid,
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
begin
  perform private.require_other_person(p_id);
  if private.account_state(p_id) <> 'unconfirmed' then
    raise exception 'They’ve already confirmed their email.' using errcode = '55000';
  end if;
  perform private.require_rate_limit(
    'resend-confirmation:' || p_id, 3, interval '1 day',
    'They got this email three times within a day. Try again %s.'
  );
  perform private.audit('confirmation.resend', 'user', p_id::text, v_reason);
  return jsonb_build_object('email', (select u.email from auth.users u where u.id = p_id));
end
$function$;

REVOKE ALL ON FUNCTION "public"."resend_confirmation"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.restore_businesses (
  p_ids    uuid[],
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
  v_done uuid[];
begin
  perform private.check_businesses(p_ids);
  -- Those that archiving revoked, unless the address was invited again or they have expired.
  update public.business_invitations i set ended = null, ended_at = null
  from public.businesses b
  where b.id = any (p_ids) and i.business_id = b.id
    and i.ended = 'revoked' and i.ended_at = b.archived_at and i.expires_at > now()
    and not exists (
      select from public.business_invitations o
      where o.business_id = b.id and o.address = i.address and o.ended is null
    );
  v_done := private.unarchive_them(p_ids);
  perform private.audit('business.restore', 'business', d::text, v_reason, jsonb_build_object('business_id', d))
  from unnest(v_done) d;
  return jsonb_build_object('ids', v_done);
end
$function$;

REVOKE ALL ON FUNCTION "public"."restore_businesses"(uuid[], text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_coach_profile (
  p_id        uuid,
  p_about     text,
  p_areas     text[],
  p_capacity  integer,
  p_accepting boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_areas text[] := array(select distinct a from unnest(coalesce(p_areas, '{}')) a order by a);
begin
  if private.role_of(p_id) <> 'coach' then
    raise exception 'They aren’t a coach.' using errcode = '55000';
  end if;
  if char_length(coalesce(p_about, '')) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'about';
  end if;
  if exists (
    select from unnest(v_areas) a where a not in (select s.key from public.skill_areas s)
  ) then
    raise exception 'Choose areas from the list.' using errcode = '22023', hint = 'areas';
  end if;
  if p_capacity not between 0 and 200 then
    raise exception 'Enter a number from 0 to 200.' using errcode = '22023', hint = 'capacity';
  end if;
  insert into public.coach_profiles (user_id, about, areas, capacity, accepting)
  values (p_id, btrim(coalesce(p_about, '')), v_areas, p_capacity, coalesce(p_accepting, true))
  on conflict (user_id) do update set
    about = excluded.about, areas = excluded.areas, capacity = excluded.capacity,
    accepting = excluded.accepting, updated_at = now();
  perform private.audit(
    'coach_profile.save', 'user', p_id::text, null,
    jsonb_build_object('capacity', p_capacity, 'accepting', coalesce(p_accepting, true))
  );
  return private.coach_profile_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.session_context()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with asking as (
    select u.id, u.email, private.role_of(u.id) as role, s.state as second_factor
    from auth.users u
    cross join private.session_state() as s (state)
    where u.id = (select auth.uid()) and s.state <> 'ended'
  )
  select
    case when a.second_factor = 'required' then
      jsonb_build_object(
        'user_id', a.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'role', a.role, 'second_factor', a.second_factor, 'businesses', '[]'::jsonb,
        'deletion_due_at', null, 'unread_messages', 0, 'message_text', false, 'toggles', null
      )
    else
      jsonb_build_object(
        'user_id', a.id, 'email', a.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
        'time_zone', p.time_zone, 'role', a.role, 'second_factor', a.second_factor,
        'businesses', coalesce((
          select jsonb_agg(
            jsonb_build_object('id', b.id, 'name', b.name, 'role', m.role)
            order by m.joined_at, b.name, b.id
          )
          from public.business_members m
          join public.businesses b on b.id = m.business_id
          where m.user_id = a.id and b.archived_at is null
        ), '[]'),
        'deletion_due_at', d.due_at,
        'unread_messages', private.unread_total(a.id),
        'message_text', private.wants(a.id, 'message_text'),
        'toggles', public.toggles_on()
      )
    end
  from asking a
  left join public.profiles p on p.user_id = a.id
  left join public.account_deletions d on d.user_id = a.id
$function$;

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

CREATE OR REPLACE FUNCTION public.set_toggle (
  p_key        text,
  p_audience   text,
  p_roles      text[],
  p_percentage integer,
  p_expires_on date,
  p_owner_id   uuid,
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
  v_roles text[] := array(select distinct x from unnest(coalesce(p_roles, '{}')) x order by x);
  v_before private.toggles;
  v_after private.toggles;
begin
  select * into v_before from private.toggles t where t.key = p_key for update;
  if not found then
    raise exception 'We can’t find this toggle.' using errcode = 'P0002', hint = 'key';
  end if;
  if p_audience is null or p_audience not in ('off', 'everyone', 'roles', 'percentage') then
    raise exception 'Say who it’s on for.' using errcode = '22023', hint = 'audience';
  end if;
  if p_audience = 'roles' and (v_roles = '{}' or not v_roles <@ array['owner', 'coach', 'admin']) then
    raise exception 'Choose at least one role.' using errcode = '22023', hint = 'roles';
  end if;
  if p_audience = 'percentage' and (p_percentage between 1 and 99) is not true then
    raise exception 'Enter a number from 1 to 99.' using errcode = '22023', hint = 'percentage';
  end if;
  if p_owner_id is not null and private.role_of(p_owner_id) <> 'admin' then
    raise exception 'The owner has to be an admin.' using errcode = '22023', hint = 'owner_id';
  end if;
  update private.toggles t set
    audience = p_audience,
    roles = case when p_audience = 'roles' then v_roles else '{}' end,
    percentage = case when p_audience = 'percentage' then p_percentage end,
    expires_on = p_expires_on, owner_id = p_owner_id, updated_at = now()
  where t.key = p_key
  returning * into v_after;
  perform private.audit('toggle.set', 'toggle', p_key, v_reason, jsonb_build_object(
    'before', to_jsonb(v_before) - 'description' - 'updated_at' - 'key',
    'after', to_jsonb(v_after) - 'description' - 'updated_at' - 'key'
  ));
  return jsonb_build_object('id', p_key);
end
$function$;

REVOKE ALL ON FUNCTION "public"."set_toggle"(text, text, text[], integer, date, uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.toggles_on()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(t.key order by t.key), '[]')
  from private.toggles t where private.toggle_on(t.key)
$function$;

REVOKE ALL ON FUNCTION "public"."toggles_on"() FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.unarchive_business (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_session();
  perform private.require_owner(p_business_id);
  perform private.unarchive_them(array[p_business_id]);
  return jsonb_build_object('id', p_business_id, 'archived_at', null);
end
$function$;

CREATE OR REPLACE FUNCTION public.undo_merge (
  p_id     uuid,
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
  v_merge public.business_merges;
  v_blocker text;
  v_part record;
  v_left uuid[];
begin
  select * into v_merge from public.business_merges g where g.id = p_id;
  if not found then
    raise exception 'We can’t find this merge.' using errcode = 'P0002', hint = 'id';
  end if;
  perform private.hold_businesses(v_merge.from_id, v_merge.into_id);
  select * into v_merge from public.business_merges g where g.id = p_id for update;
  v_blocker := private.undo_blocker(v_merge);
  if v_blocker is not null then
    raise exception '%', v_blocker using errcode = '55000';
  end if;

  -- Those who came with it leave, with coaching that they asked for since.
  perform set_config('trellis.merging', 'on', true);
  for v_part in select * from private.merge_parts() loop
    execute format(
      'update public.%1$I t set business_id = $1
      where t.business_id = $2 and t.%2$I::text in (select jsonb_array_elements_text($3))',
      v_part.name, v_part.key
    ) using v_merge.from_id, v_merge.into_id, v_merge.moved -> v_part.name;
  end loop;
  with gone as (
    delete from public.business_members m
    where m.business_id = v_merge.into_id
      and v_merge.moved -> 'business_members' ? m.user_id::text
    returning m.user_id
  )
  select coalesce(array_agg(g.user_id), '{}') into v_left from gone g;
  update public.businesses b set archived_at = v_merge.archived_at where b.id = v_merge.from_id;
  perform set_config('trellis.merging', '', true);
  perform private.withdraw_coaching(v_merge.into_id, u, 'No longer a member.')
  from unnest(v_left) as u
  where exists (
    select from public.engagements e
    where e.business_id = v_merge.into_id and e.owner_id = u and e.closed_at is null
  );

  update public.business_merges g set undone_at = now(), undone_by = v_admin_id where g.id = p_id;
  perform private.settle_projects(v_merge.moved -> 'projects');
  perform private.audit(
    'business.unmerge', 'business', v_merge.from_id::text, v_reason,
    jsonb_build_object('business_id', v_merge.into_id, 'merge_id', p_id)
  );
  perform private.tell_members(
    array[v_merge.from_id], b.name || ' is a business of its own again',
    'We had merged it with another one by mistake. Everything that came from it is back where it was.',
    b.id
  )
  from public.businesses b where b.id = v_merge.from_id;
  return jsonb_build_object('id', v_merge.from_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."undo_merge"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.use_recovery_code (
  p_code text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
  v_left int;
begin
  if v_user_id is null or private.session_state() <> 'required' then
    raise exception 'Sign in with your password first.' using errcode = '42501';
  end if;
  perform private.require_rate_limit(
    'recovery-code:' || v_user_id, 10, interval '1 hour',
    'Too many tries. Try again %s.', 'code'
  );
  delete from private.recovery_codes c
  where c.user_id = v_user_id and c.hash = private.recovery_code_hash(v_user_id, p_code);
  if not found then
    -- An answer instead of an error, which would undo that the try was counted.
    return jsonb_build_object('used', false);
  end if;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- Whoever found the phone may be signed in on it.
  delete from auth.sessions s
  where s.user_id = v_user_id and s.id::text is distinct from auth.jwt() ->> 'session_id';
  select count(*) into v_left from private.recovery_codes c where c.user_id = v_user_id;
  perform private.audit(
    'recovery_codes.use', 'user', v_user_id::text, null, jsonb_build_object('left', v_left)
  );
  perform private.notify_person(
    v_user_id, 'Someone signed in with a recovery code',
    'It removed your authenticator apps and signed out your other devices. Until you add an app again, your password alone signs you in.',
    'You’re getting this email because the way you sign in has changed. If this wasn’t you, choose a new password right away and write to us.',
    'Add an app', '/dashboard/profile#second-factor'
  );
  return jsonb_build_object('used', true);
end
$function$;

REVOKE ALL ON FUNCTION "public"."use_recovery_code"(text) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."contact_keys"
  ADD CONSTRAINT "contact_keys_contact_id_fkey" FOREIGN KEY (contact_id) REFERENCES public.contacts(id) ON DELETE CASCADE;

ALTER TABLE "private"."project_words"
  ADD CONSTRAINT "project_words_project_id_fkey" FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE "private"."recovery_codes"
  ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."toggles"
  ADD CONSTRAINT "toggles_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."business_invitations"
  ADD CONSTRAINT "business_invitations_role_check" CHECK ((role = ANY (ARRAY['member'::text, 'owner'::text])));

ALTER TABLE "public"."business_merges"
  ADD CONSTRAINT "business_merges_from_id_fkey" FOREIGN KEY (from_id) REFERENCES public.businesses(id);

ALTER TABLE "public"."business_merges"
  ADD CONSTRAINT "business_merges_into_id_fkey" FOREIGN KEY (into_id) REFERENCES public.businesses(id);

ALTER TABLE "public"."business_merges"
  ADD CONSTRAINT "business_merges_merged_by_fkey" FOREIGN KEY (merged_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."business_merges"
  ADD CONSTRAINT "business_merges_undone_by_fkey" FOREIGN KEY (undone_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."business_plan_versions"
  ADD CONSTRAINT "business_plan_versions_business_id_field_fkey" FOREIGN KEY (business_id, field) REFERENCES public.business_plan_fields(business_id, field) ON UPDATE CASCADE
    ON DELETE CASCADE;

ALTER TABLE "public"."coach_profiles"
  ADD CONSTRAINT "coach_profiles_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

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

ALTER TABLE "public"."project_events"
  ADD CONSTRAINT "project_events_project_id_business_id_fkey" FOREIGN KEY (project_id, business_id) REFERENCES public.projects(id, business_id) ON UPDATE CASCADE;

ALTER TABLE "public"."project_files"
  ADD CONSTRAINT "project_files_project_id_business_id_fkey" FOREIGN KEY (project_id, business_id) REFERENCES public.projects(id, business_id) ON UPDATE CASCADE;

ALTER TABLE "public"."project_tasks"
  ADD CONSTRAINT "project_tasks_project_id_business_id_fkey" FOREIGN KEY (project_id, business_id) REFERENCES public.projects(id, business_id) ON UPDATE CASCADE;

ALTER TABLE "public"."project_updates"
  ADD CONSTRAINT "project_updates_project_id_business_id_fkey" FOREIGN KEY (project_id, business_id) REFERENCES public.projects(id, business_id) ON UPDATE CASCADE;

CREATE INDEX contact_keys_contact_id_idx ON private.contact_keys USING btree (contact_id);

CREATE INDEX project_words_words_idx ON private.project_words USING gin (words);

CREATE INDEX toggles_owner_id_idx ON private.toggles USING btree (owner_id);

CREATE INDEX business_merges_from_id_idx ON public.business_merges USING btree (from_id);

CREATE INDEX business_merges_into_id_idx ON public.business_merges USING btree (into_id);

CREATE INDEX business_merges_merged_by_idx ON public.business_merges USING btree (merged_by);

CREATE UNIQUE INDEX business_merges_one_open_idx ON public.business_merges USING btree (from_id)
  WHERE (undone_at IS NULL);

CREATE INDEX business_merges_undone_by_idx ON public.business_merges USING btree (undone_by);

CREATE INDEX businesses_added_idx ON public.businesses USING btree (created_at, id);

CREATE INDEX businesses_archived_idx ON public.businesses USING btree (created_at, id)
  WHERE (archived_at IS NOT NULL);

CREATE INDEX businesses_name_idx ON public.businesses USING btree (name COLLATE private.by_name, id);

CREATE INDEX businesses_region_idx ON public.businesses USING btree (region, created_at, id);

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

CREATE INDEX engagements_open_idx ON public.engagements USING btree (state, coach_id, business_id)
  WHERE (closed_at IS NULL);

CREATE INDEX projects_added_idx ON public.projects USING btree (created_at, id);

CREATE INDEX projects_by_status_idx ON public.projects USING btree (status, created_at, id);

CREATE INDEX projects_due_idx ON public.projects USING btree (COALESCE(due_on, 'infinity'::date), id);

CREATE INDEX projects_open_added_idx ON public.projects USING btree (created_at, id)
  WHERE (status <> ALL (ARRAY['done'::text, 'canceled'::text]));

CREATE INDEX projects_open_due_idx ON public.projects USING btree (COALESCE(due_on, 'infinity'::date), id)
  WHERE (status <> ALL (ARRAY['done'::text, 'canceled'::text]));

CREATE INDEX projects_title_idx ON public.projects USING btree (title COLLATE private.by_name, id);

CREATE TRIGGER join_contact
  AFTER UPDATE OF email_confirmed_at, last_sign_in_at ON auth.users
  FOR EACH ROW
  WHEN (((old.email_confirmed_at IS DISTINCT FROM new.email_confirmed_at) OR (old.last_sign_in_at IS DISTINCT FROM new.last_sign_in_at)))
  EXECUTE FUNCTION private.join_contact();

CREATE TRIGGER mark_twins
  AFTER INSERT OR DELETE ON private.contact_keys
  FOR EACH ROW
  EXECUTE FUNCTION private.mark_twins();

CREATE TRIGGER attempts_stay_as_they_are
  BEFORE INSERT OR DELETE OR UPDATE ON public.attempts
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.guard_attempt();

CREATE TRIGGER business_members_take_over_attempts
  AFTER INSERT ON public.business_members
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.take_over_on_joining();

CREATE TRIGGER business_merges_insert_is_limited AFTER INSERT ON public.business_merges REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('business_merges', 'each row');

CREATE TRIGGER business_merges_update_is_limited AFTER UPDATE ON public.business_merges REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('business_merges', 'each statement');

CREATE TRIGGER business_snapshots_are_kept
  BEFORE UPDATE ON public.business_snapshots
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.keep_snapshot();

CREATE TRIGGER businesses_touch
  BEFORE UPDATE ON public.businesses
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER index_projects
  AFTER UPDATE OF name ON public.businesses
  FOR EACH ROW
  WHEN ((old.name <> new.name))
  EXECUTE FUNCTION private.index_project();

CREATE TRIGGER coach_profiles_insert_is_limited AFTER INSERT ON public.coach_profiles REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coach_profiles', 'each row');

CREATE TRIGGER coach_profiles_update_is_limited AFTER UPDATE ON public.coach_profiles REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coach_profiles', 'each statement');

CREATE TRIGGER count_contact_messages
  AFTER INSERT OR DELETE OR UPDATE OF contact_id, outcome ON public.contact_messages
  FOR EACH ROW
  EXECUTE FUNCTION private.count_contact_messages();

CREATE TRIGGER index_contact
  AFTER INSERT OR UPDATE OF email, other_emails, name, business, businesses, phone ON public.contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.index_contact();

CREATE TRIGGER engagements_stay_as_they_are
  BEFORE INSERT OR DELETE OR UPDATE ON public.engagements
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.guard_engagement();

CREATE TRIGGER engagements_touch
  BEFORE UPDATE ON public.engagements
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER project_events_are_append_only
  BEFORE DELETE OR UPDATE ON public.project_events
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.refuse_change_unless_erased();

CREATE TRIGGER project_files_have_a_place
  BEFORE INSERT ON public.project_files
  FOR EACH ROW
  EXECUTE FUNCTION private.place_project_file();

CREATE TRIGGER project_tasks_are_counted
  AFTER INSERT OR UPDATE ON public.project_tasks
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.count_task();

CREATE TRIGGER project_tasks_touch
  BEFORE UPDATE ON public.project_tasks
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER project_updates_are_append_only
  BEFORE DELETE OR UPDATE ON public.project_updates
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.refuse_change_unless_erased();

CREATE TRIGGER index_project
  AFTER INSERT OR UPDATE OF title, business_id ON public.projects
  FOR EACH ROW
  EXECUTE FUNCTION private.index_project();

CREATE TRIGGER projects_stay_with_their_business
  BEFORE UPDATE ON public.projects
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.guard_project();

CREATE TRIGGER projects_touch
  BEFORE UPDATE ON public.projects
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.touch_updated_at();

CREATE POLICY "Coaches read their own coach profile" ON "public"."coach_profiles"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (user_id = ( SELECT auth.uid() AS uid))));

COMMENT ON FUNCTION "private"."archive_them"(uuid[]) IS 'Archives businesses, which ends their open invitations and coaching; returns those that weren''t archived yet.';

COMMENT ON FUNCTION "private"."business_regions"() IS 'The regions that businesses are in, at most 200, as choices [{value, label}].';

COMMENT ON FUNCTION "private"."client_count"(uuid) IS 'How many open engagements a coach runs.';

COMMENT ON FUNCTION "private"."coach_profile_json"(uuid) IS 'A coach''s profile, also for one without a row: {about, areas, capacity (null: no limit), accepting, clients (how many now)}.';

COMMENT ON FUNCTION "private"."contact_merge"(public.contacts, public.contacts) IS 'What a merge would leave, and why it''s refused, if it is.';

COMMENT ON FUNCTION "private"."day_start"(date) IS 'The start of a day where the caller is.';

COMMENT ON FUNCTION "private"."import_business"(jsonb, public.contacts, boolean) IS 'Adds a row''s business, waiting for its owner: {business: null, "new", "joined" (added by another row) or "there", note}.';

COMMENT ON FUNCTION "private"."import_day"(text) IS 'A date such as 2026-11-24 or 11/24/2026; null for anything else.';

COMMENT ON FUNCTION "private"."import_refusal"(jsonb) IS 'Why a row can''t be imported, in words; null if it can.';

COMMENT ON FUNCTION "private"."import_row"(jsonb, boolean) IS 'Imports one row, or refuses it: {row, outcome: "new", "changed", "there" or "refused", business, note}.';

COMMENT ON FUNCTION "private"."invitations_to_me"() IS 'Open invitations to the caller''s confirmed address, newest first, at most 20: [{id, business, invited_by, expires_at, role}].';

COMMENT ON FUNCTION "private"."is_reading"(text) IS 'Whether an action of the audit log only read something.';

COMMENT ON FUNCTION "private"."join_contacts"(uuid[]) IS 'Brings the contacts of people with a confirmed address up to date, and adds those that are missing.';

COMMENT ON FUNCTION "private"."may_register"(text) IS 'Whether an account can be created for an address: registration is open, or the address was invited.';

COMMENT ON FUNCTION "private"."merge_blockers"(uuid, uuid) IS 'Why one business can''t be merged into another, in words; empty if it can.';

COMMENT ON FUNCTION "private"."merge_counts"(uuid, uuid) IS 'How many rows of each table a merge would move, and how many stay because the other has them: [{name, moves, stays}].';

COMMENT ON FUNCTION "private"."merge_parts"() IS 'Tables whose rows move when a business is merged, with the key of a row and the condition for a row t that stays ($2 is the business that''s kept).';

COMMENT ON FUNCTION "private"."merged_ids"(uuid[]) IS 'Businesses, and those that were merged into them, directly or through another.';

COMMENT ON FUNCTION "private"."merged_into"(uuid) IS 'The business that this one was merged into, {id, name}, or null.';

COMMENT ON FUNCTION "private"."merges_json"(uuid) IS 'Merges of a business, newest first; blocker says why one can''t be undone.';

COMMENT ON FUNCTION "private"."recovery_codes_json"(uuid) IS 'A person''s unused codes: {left, made_at}, or null if there are none.';

COMMENT ON FUNCTION "private"."require_room"(uuid) IS 'An error (55000) if a coach takes no new clients or has as many as they take.';

COMMENT ON FUNCTION "private"."settle_projects"(jsonb) IS 'Updates who takes part in the conversations about projects that moved to another business.';

COMMENT ON FUNCTION "private"."share_of"(text, uuid) IS 'A person''s number from 0 to 99, which stays the same for a toggle and differs between toggles.';

COMMENT ON FUNCTION "private"."toggle_on"(text) IS 'Whether a toggle is on for the caller. For visitors, it''s on only if it is for everyone.';

COMMENT ON FUNCTION "private"."unarchive_them"(uuid[]) IS 'Restores businesses, without invitations or coaching; returns those that were archived. An error (55000) for one that was merged into another.';

COMMENT ON FUNCTION "private"."undo_blocker"(public.business_merges) IS 'Why a merge can''t be undone, in words; null if it can.';

COMMENT ON FUNCTION "public"."admin_audit"(jsonb, jsonb, integer) IS 'A page of the audit log, newest first, by {words (of a person''s name, email or business), person, business, action, kind ("changes", "reads"), from, to (days where the caller is)}; see list_page.';

COMMENT ON FUNCTION "public"."admin_business"(uuid) IS 'One business as an admin sees it: its facts and everything that belongs to it, with quizzes and actions only as numbers and conversations only where reported; null if it doesn''t exist.';

COMMENT ON FUNCTION "public"."admin_businesses"(jsonb, jsonb, integer) IS 'A page of businesses by {words, state ("active", "archived"), coaching ("coached", "waiting", "none"), region, sort ("newest", "oldest", "name")}, with the choices of regions; see list_page.';

COMMENT ON FUNCTION "public"."admin_contact"(uuid) IS 'One contact: consent, account, businesses ("invited": imported and not accepted yet), their latest 100 messages, and possible twins ("same": "mailbox", "business" or "phone"); null if there''s none.';

COMMENT ON FUNCTION "public"."admin_contact_merge"(uuid, uuid) IS 'What merging the second contact into the first would leave: {refusal, email, other_email, name, business, phone, messages, consent, was_subscribed, other_consent}; null if there''s no such contact.';

COMMENT ON FUNCTION "public"."admin_contacts"(jsonb, jsonb, integer) IS 'A page of contacts by {words (of a name, email or business), source, consent, show ("waiting" for an answer, or possible "twins"), sort ("newest" activity, "name")}; see list_page.';

COMMENT ON FUNCTION "public"."admin_merge_preview"(uuid, uuid) IS 'What merging one business into another would do: {parts: [{name (a table), moves, stays}], blockers: why it can''t be done}; null if either doesn''t exist.';

COMMENT ON FUNCTION "public"."admin_projects"(jsonb, jsonb, integer) IS 'A page of all projects by {words (of the title or business), status ("open", "late", "all" or one), business, coach (the business''s, now), sort ("newest", "due", "title")}, with the choices of coaches; see list_page.';

COMMENT ON FUNCTION "public"."admin_toggles"(jsonb, jsonb, integer) IS 'A page of toggles by {words (of the key or description), state ("on", "off", or "review": expires within 14 days or has expired)}; see list_page.';

COMMENT ON FUNCTION "public"."answer_contact_message"(uuid, text) IS 'An admin answers a message by email; returns the message. Idempotent for the same answer by the same admin.';

COMMENT ON FUNCTION "public"."archive_businesses"(uuid[], text) IS 'An admin archives up to 200 businesses that nobody coaches: {ids} of those that weren''t archived yet.';

COMMENT ON FUNCTION "public"."assign_coach"(uuid, uuid, text) IS 'An admin assigns a request to a coach who has room, or an open engagement to another one, with a reason.';

COMMENT ON FUNCTION "public"."get_account"() IS 'How the caller signs in and what deleting would do: {email, has_password, new_email, new_email_sent_at, factors, recovery_codes ({left, made_at} or null), sessions, deletion_due_at, last_admin, ending (names of businesses nobody else belongs to), passing ({name, to})}.';

COMMENT ON FUNCTION "public"."import_contacts"(jsonb, text, boolean, boolean) IS 'An admin imports up to 500 rows of a list ({row (its number), email, name, phone, business, city, postal_code, website, consent (yes or no), consent_on, consent_basis}), or only checks them (p_dry); p_invite emails the owners of new businesses. {rows: [{row, outcome, business, note}]}. Rows that were imported before change nothing.';

COMMENT ON FUNCTION "public"."make_recovery_codes"() IS 'Replaces the caller''s recovery codes; takes a session whose second factor is verified: {codes (shown this once: ten, as XXXX-XXXX-XXXX), recovery_codes}.';

COMMENT ON FUNCTION "public"."merge_businesses"(uuid, uuid, text) IS 'An admin merges a business into another that it''s the same as, and archives it: {id} of the merge.';

COMMENT ON FUNCTION "public"."merge_contacts"(uuid, uuid, text) IS 'An admin merges the second contact into the first, for good: messages move, and a withdrawn consent wins; {id}. Never two accounts.';

COMMENT ON FUNCTION "public"."resend_confirmation"(uuid, text) IS 'An admin lets someone have the email that confirms their address again, at most three times a day: {email}. Supabase Auth sends it, when the client asks it to.';

COMMENT ON FUNCTION "public"."restore_businesses"(uuid[], text) IS 'An admin restores up to 200 archived businesses, with the invitations that archiving stopped: {ids} of those that were archived.';

COMMENT ON FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean) IS 'An admin says what a coach is good at and how many clients they take (null: no limit): {about, areas, capacity, accepting, clients}.';

COMMENT ON FUNCTION "public"."session_context"() IS 'The caller: {user_id, email, full_name, avatar_path, time_zone (null until it''s known), role, second_factor, businesses, deletion_due_at, unread_messages (100 means 100 or more), message_text (whether emails and notifications may include the text of messages), toggles (those that are on)}. While the second factor is still needed, without anything private; null if the account is gone or the session has ended.';

COMMENT ON FUNCTION "public"."set_contact_message_outcome"(uuid, text) IS 'An admin says that a message was answered "elsewhere" or that an answer is "not-needed", or (null) that it waits after all; returns the message.';

COMMENT ON FUNCTION "public"."set_toggle"(text, text, text[], integer, date, uuid, text) IS 'An admin says who a toggle is on for ("off", "everyone", "roles", "percentage"), when someone should look at it again and who that is, with a reason: {id}.';

COMMENT ON FUNCTION "public"."toggles_on"() IS 'The keys of the toggles that are on for the caller: [key].';

COMMENT ON FUNCTION "public"."undo_merge"(uuid, text) IS 'An admin undoes a merge of the last 30 days: exactly the rows that moved go back; {id} of the business that was merged.';

COMMENT ON FUNCTION "public"."use_recovery_code"(text) IS 'For a session that still needs its second factor: a right code removes every authenticator app, ends the other sessions and is used up: {used}. Ten tries an hour.';

COMMENT ON TABLE "private"."contact_keys" IS 'What two contacts have in common if they may be the same person. Triggers keep it current.';

COMMENT ON TABLE "private"."project_words" IS 'Words of each project''s title and business, for admins'' searches. Triggers keep it current.';

COMMENT ON TABLE "private"."recovery_codes" IS 'Hashes of the recovery codes that a person hasn''t used yet, at most ten.';

COMMENT ON TABLE "private"."toggles" IS 'Feature toggles, and who each is on for.';

COMMENT ON TABLE "public"."business_merges" IS 'Which business was merged into which, with the rows that moved. No API role reads or writes it.';

COMMENT ON TABLE "public"."coach_profiles" IS 'What a coach is good at and how many clients they take; no row: nothing said, no limit.';

COMMENT ON TABLE "public"."contact_messages" IS 'Messages from the contact form and what became of them, kept two years.';

COMMENT ON TABLE "public"."contacts" IS 'People who wrote to us, asked for the newsletter, registered or were imported, one row per address, with their consent.';

REVOKE ALL ON FUNCTION "private"."archive_them"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."business_belongings"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."business_regions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_businesses"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."client_count"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coach_profile_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contact_merge"(public.contacts, public.contacts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contact_message_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contact_words"(text, text[], text, text, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_contact_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."day_start"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_businesses"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_business"(jsonb, public.contacts, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_day"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_refusal"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_row"(jsonb, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."index_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."index_project"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_reading"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."join_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."join_contacts"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keys_of_contact"(public.contacts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_twins"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_register"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merge_blockers"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merge_counts"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merge_parts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merged_ids"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merged_into"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merges_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merging"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."place_project_file"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recovery_code_hash"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recovery_codes_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_room"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_projects"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."share_of"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_members"(uuid[], text, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."toggle_on"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unarchive_them"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."undo_blocker"(public.business_merges) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_business"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_businesses"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_contact"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_contact_merge"(uuid, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_contacts"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_merge_preview"(uuid, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_projects"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_toggles"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."answer_contact_message"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."archive_businesses"(uuid[], text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."import_contacts"(jsonb, text, boolean, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."make_recovery_codes"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."merge_businesses"(uuid, uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."merge_contacts"(uuid, uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."resend_confirmation"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."restore_businesses"(uuid[], text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."set_contact_message_outcome"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."set_toggle"(text, text, text[], integer, date, uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."toggles_on"() TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."undo_merge"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."use_recovery_code"(text) TO "authenticated";

REVOKE ALL ON TABLE "public"."coach_profiles" FROM "authenticated";

GRANT SELECT ON TABLE "public"."coach_profiles" TO "authenticated";

ALTER TABLE "public"."contacts"
  ADD COLUMN "words" tsvector GENERATED ALWAYS AS (private.contact_words(email, other_emails, name, business, businesses)) STORED NOT NULL;

CREATE INDEX businesses_plain_name_idx ON public.businesses USING btree (private.plain_words(name))
  WHERE (created_by IS NULL);

CREATE INDEX contacts_words_idx ON public.contacts USING gin (words);

INSERT INTO private.write_limits (kind, on_table, on_event, a_minute, a_day, what) VALUES
  ('coach_profiles', 'coach_profiles', 'insert or update', 30, 300,
    'changed a lot of coach profiles');

INSERT INTO private.toggles (key, description) VALUES
  ('registration', 'New accounts. While it’s off, only people who were invited to a business can register.'),
  ('coaching-requests', 'Asking for a coach. While it’s off, owners see that requests are paused.'),
  ('message-files', 'Adding files to messages. Files that were sent before can still be opened.');

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

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('business_merges', 'business_merges', 'insert or update', 20, 300, 'merged a lot of businesses');

insert into private.project_words (project_id, words)
select p.id, private.name_words(p.title || ' ' || b.name)
from public.projects p
join public.businesses b on b.id = p.business_id;
