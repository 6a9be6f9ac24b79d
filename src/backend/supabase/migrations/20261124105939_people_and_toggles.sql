SET local check_function_bodies = off;

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
    'toggles', (
      select count(*) from private.toggles t where t.expires_on <= current_date + 14
    ),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.reviewed_on < now() - interval '1 year'
    )
  )
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

ALTER TABLE "private"."recovery_codes"
  ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."toggles"
  ADD CONSTRAINT "toggles_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."coach_profiles"
  ADD CONSTRAINT "coach_profiles_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE INDEX toggles_owner_id_idx ON private.toggles USING btree (owner_id);

CREATE TRIGGER coach_profiles_insert_is_limited AFTER INSERT ON public.coach_profiles REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coach_profiles', 'each row');

CREATE TRIGGER coach_profiles_update_is_limited AFTER UPDATE ON public.coach_profiles REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('coach_profiles', 'each statement');

CREATE POLICY "Coaches read their own coach profile" ON "public"."coach_profiles"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (user_id = ( SELECT auth.uid() AS uid))));

COMMENT ON FUNCTION "private"."client_count"(uuid) IS 'How many open engagements a coach runs.';

COMMENT ON FUNCTION "private"."coach_profile_json"(uuid) IS 'A coach''s profile, also for one without a row: {about, areas, capacity (null: no limit), accepting, clients (how many now)}.';

COMMENT ON FUNCTION "private"."may_register"(text) IS 'Whether an account can be created for an address: registration is open, or the address was invited.';

COMMENT ON FUNCTION "private"."recovery_codes_json"(uuid) IS 'A person''s unused codes: {left, made_at}, or null if there are none.';

COMMENT ON FUNCTION "private"."require_room"(uuid) IS 'An error (55000) if a coach takes no new clients or has as many as they take.';

COMMENT ON FUNCTION "private"."share_of"(text, uuid) IS 'A person''s number from 0 to 99, which stays the same for a toggle and differs between toggles.';

COMMENT ON FUNCTION "private"."toggle_on"(text) IS 'Whether a toggle is on for the caller. For visitors, it''s on only if it is for everyone.';

COMMENT ON FUNCTION "public"."admin_toggles"(jsonb, jsonb, integer) IS 'A page of toggles by {words (of the key or description), state ("on", "off", or "review": expires within 14 days or has expired)}; see list_page.';

COMMENT ON FUNCTION "public"."assign_coach"(uuid, uuid, text) IS 'An admin assigns a request to a coach who has room, or an open engagement to another one, with a reason.';

COMMENT ON FUNCTION "public"."get_account"() IS 'How the caller signs in and what deleting would do: {email, has_password, new_email, new_email_sent_at, factors, recovery_codes ({left, made_at} or null), sessions, deletion_due_at, last_admin, ending (names of businesses nobody else belongs to), passing ({name, to})}.';

COMMENT ON FUNCTION "public"."make_recovery_codes"() IS 'Replaces the caller''s recovery codes; takes a session whose second factor is verified: {codes (shown this once: ten, as XXXX-XXXX-XXXX), recovery_codes}.';

COMMENT ON FUNCTION "public"."resend_confirmation"(uuid, text) IS 'An admin lets someone have the email that confirms their address again, at most three times a day: {email}. Supabase Auth sends it, when the client asks it to.';

COMMENT ON FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean) IS 'An admin says what a coach is good at and how many clients they take (null: no limit): {about, areas, capacity, accepting, clients}.';

COMMENT ON FUNCTION "public"."session_context"() IS 'The caller: {user_id, email, full_name, avatar_path, time_zone (null until it''s known), role, second_factor, businesses, deletion_due_at, unread_messages (100 means 100 or more), message_text (whether emails and notifications may include the text of messages), toggles (those that are on)}. While the second factor is still needed, without anything private; null if the account is gone or the session has ended.';

COMMENT ON FUNCTION "public"."set_toggle"(text, text, text[], integer, date, uuid, text) IS 'An admin says who a toggle is on for ("off", "everyone", "roles", "percentage"), when someone should look at it again and who that is, with a reason: {id}.';

COMMENT ON FUNCTION "public"."toggles_on"() IS 'The keys of the toggles that are on for the caller: [key].';

COMMENT ON FUNCTION "public"."use_recovery_code"(text) IS 'For a session that still needs its second factor: a right code removes every authenticator app, ends the other sessions and is used up: {used}. Ten tries an hour.';

COMMENT ON TABLE "private"."recovery_codes" IS 'Hashes of the recovery codes that a person hasn''t used yet, at most ten.';

COMMENT ON TABLE "private"."toggles" IS 'Feature toggles, and who each is on for.';

COMMENT ON TABLE "public"."coach_profiles" IS 'What a coach is good at and how many clients they take; no row: nothing said, no limit.';

REVOKE ALL ON FUNCTION "private"."client_count"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coach_profile_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_register"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recovery_code_hash"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recovery_codes_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_room"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."share_of"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."toggle_on"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_toggles"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."make_recovery_codes"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."resend_confirmation"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_coach_profile"(uuid, text, text[], integer, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."set_toggle"(text, text, text[], integer, date, uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."toggles_on"() TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."use_recovery_code"(text) TO "authenticated";

REVOKE ALL ON TABLE "public"."coach_profiles" FROM "authenticated";

GRANT SELECT ON TABLE "public"."coach_profiles" TO "authenticated";

INSERT INTO private.write_limits (kind, on_table, on_event, a_minute, a_day, what) VALUES
  ('coach_profiles', 'coach_profiles', 'insert or update', 30, 300,
    'changed a lot of coach profiles');

INSERT INTO private.toggles (key, description) VALUES
  ('registration', 'New accounts. While it’s off, only people who were invited to a business can register.'),
  ('coaching-requests', 'Asking for a coach. While it’s off, owners see that requests are paused.'),
  ('message-files', 'Adding files to messages. Files that were sent before can still be opened.');
