SET local check_function_bodies = off;

DROP TRIGGER "index_person" ON "auth"."users";

DROP INDEX "private"."jobs_recipient_idx";

DROP FUNCTION "private"."people_called"(text);

DROP FUNCTION "public"."list_conversations"(text, timestamp WITH time zone, uuid, integer);

CREATE OR REPLACE FUNCTION private.about_businesses (
  p_ids text[]
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select format(
    '(r.entity = ''business'' and r.entity_id = any (%1$L::text[]) or r.details ->> ''business_id'' = any (%1$L::text[]))',
    p_ids
  )
$function$;

CREATE OR REPLACE FUNCTION private.about_people (
  p_ids text[]
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- The ids as constants: only then does the planner know whether few or most rows have them.
  select format(
    '(r.actor_id = any (%1$L::uuid[]) or r.entity = ''user'' and r.entity_id = any (%1$L::text[]) or r.details ->> ''person_id'' = any (%1$L::text[]))',
    p_ids
  )
$function$;

CREATE OR REPLACE FUNCTION private.about_words (
  p_words text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_most constant int := 100;
  v_query tsquery := private.name_query(p_words);
begin
  return format(
    '(%s or %s)',
    private.about_people(array(
      select w.user_id::text from private.person_words w where w.words @@ v_query limit c_most
    )),
    private.about_businesses(array(
      select b.id::text from public.businesses b where b.words @@ v_query limit c_most
    ))
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.account_query (
  p_state text
)
  RETURNS tsquery
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- No name has a word that begins with this sign, so nobody types it.
  select case when p_state in ('unconfirmed', 'leaving', 'blocked')
    then ('''=' || p_state || '''')::tsquery end
$function$;

CREATE OR REPLACE FUNCTION private.audit_contact (
  p_action  text,
  p_contact public.contacts,
  p_reason  text            DEFAULT NULL::text,
  p_details jsonb           DEFAULT '{}'::jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.audit(
    p_action, 'contact', p_contact.id::text, p_reason,
    p_details || case when p_contact.user_id is null then '{}'
      else jsonb_build_object('person_id', p_contact.user_id) end
  )
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
    'plan', private.plan_progress(p_id) || jsonb_build_object('texts', (
      select coalesce(jsonb_object_agg(f.field, f.value), '{}')
      from public.business_plan_fields f where f.business_id = p_id and f.value <> ''
    )),
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
  ))) || array_to_tsvector(array_remove(array['=' || private.account_state(u.id)], '=active'))
  from auth.users u
  join public.profiles p on p.user_id = u.id
  where u.id = any (p_user_ids)
  on conflict (user_id) do update set words = excluded.words where w.words <> excluded.words;
  select private.join_contacts(p_user_ids);
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
    'support', (select count(*) from private.unread_support(p_admin_id)),
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

CREATE OR REPLACE FUNCTION private.project_for_change (
  p_id    uuid,
  p_right text DEFAULT 'share'::text
)
  RETURNS public.projects
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_project public.projects;
  v_right text;
begin
  perform private.require_session();
  select * into v_project from public.projects p where p.id = p_id;
  v_right := private.project_right(v_project.business_id);
  if v_right is null then
    raise exception 'We can’t find this project.' using errcode = 'P0002';
  end if;
  if v_right = 'share' and p_right = 'edit' then
    raise exception 'Only members of the business can do this.' using errcode = '42501';
  end if;
  perform private.require_unarchived(v_project.business_id);
  if v_right = 'admin' then
    perform private.audit(
      'project.edit', 'project', p_id::text, null,
      jsonb_build_object('business_id', v_project.business_id)
    );
  end if;
  select * into v_project from public.projects p where p.id = p_id for update;
  return v_project;
end
$function$;

CREATE OR REPLACE FUNCTION private.project_to_read (
  p_id uuid
)
  RETURNS public.projects
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_project public.projects;
  v_right text;
begin
  perform private.require_session();
  select * into v_project from public.projects p where p.id = p_id;
  v_right := private.project_right(v_project.business_id);
  if v_right is null then
    return null;
  end if;
  if v_right = 'admin' then
    perform private.audit(
      'project.read', 'project', p_id::text, null,
      jsonb_build_object('business_id', v_project.business_id)
    );
  end if;
  return v_project;
end
$function$;

CREATE OR REPLACE FUNCTION private.unread_support (
  p_user_id uuid
)
  RETURNS TABLE (
    id        uuid,
    active_at timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select c.id, p.active_at
  from public.conversation_participants p
  join public.conversations c on c.id = p.conversation_id
  where p.user_id = p_user_id and p.left_at is null and p.unread > 0 and c.kind = 'support'
    and c.about_user_id is distinct from p_user_id
$function$;

CREATE OR REPLACE FUNCTION private.uuid_of (
  p_text text
)
  RETURNS uuid
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when p_text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end
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
          when 'user' then private.name_of(private.uuid_of(r.entity_id))
          when 'business' then (select b.name from public.businesses b where b.id = private.uuid_of(r.entity_id))
          when 'project' then (select p.title from public.projects p where p.id = private.uuid_of(r.entity_id))
        end
      )
    $row$,
    array[
      case when p_filter ? 'words' then private.about_words(p_filter ->> 'words') end,
      case when p_filter ? 'person' then
        private.about_people(array[p_filter ->> 'person'])
      end,
      case when p_filter ? 'business' then
        private.about_businesses(array[p_filter ->> 'business'])
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

CREATE OR REPLACE FUNCTION public.admin_contact (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_contact public.contacts;
begin
  perform private.require_admin();
  select * into v_contact from public.contacts c where c.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit_contact('contact.read', v_contact);
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
  perform private.audit_contact(
    'contact.preview_merge', v_keep, null, jsonb_build_object('other', p_drop)
  );
  return private.contact_merge(v_keep, v_drop);
end
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
    'private.jobs r',
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

CREATE OR REPLACE FUNCTION public.admin_people (
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
  v_words constant tsquery := private.name_query(p_filter ->> 'words');
  v_state constant tsquery := private.account_query(p_filter ->> 'state');
begin
  perform private.require_admin();
  perform private.audit('person.list', 'user', null, null, p_filter);
  return private.list_page(
    $from$
      (
        select p.user_id as id, p.full_name, p.created_at, w.words
        from public.profiles p join private.person_words w on w.user_id = p.user_id
      ) r
    $from$,
    $row$
      (
        select jsonb_build_object(
          'name', r.full_name, 'email', u.email, 'role', private.role_of(r.id),
          'state', private.account_state(r.id), 'joined_at', r.created_at,
          'seen_at', u.last_sign_in_at,
          'businesses', (
            select coalesce(jsonb_agg(
              jsonb_build_object('id', b.id, 'name', b.name) order by m.joined_at, b.id
            ), '[]')
            from public.business_members m
            join public.businesses b on b.id = m.business_id
            where m.user_id = r.id
          )
        )
        from auth.users u where u.id = r.id
      )
    $row$,
    array[
      case p_filter ->> 'role'
        when 'owner' then 'not exists (select from public.staff_roles s where s.user_id = r.id)'
        when 'coach' then 'r.id = any (array(select s.user_id from public.staff_roles s where s.role = ''coach''))'
        when 'admin' then 'r.id = any (array(select s.user_id from public.staff_roles s where s.role = ''admin''))'
      end,
      case when p_filter ->> 'state' = 'active' then
        $where$not r.words @@ '''=unconfirmed'' | ''=leaving'' | ''=blocked'''::tsquery$where$
      end
    ],
    case when v_by_name then 'r.full_name collate private.by_name' else 'r.created_at' end,
    case when v_by_name then 'text' else 'timestamptz' end,
    coalesce(p_filter ->> 'sort', 'newest') = 'newest',
    p_filter, p_place, p_limit, coalesce(v_words && v_state, v_words, v_state)
  );
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
      'contact', (
        select jsonb_build_object('id', c.id, 'messages', c.messages, 'consent', c.newsletter)
        from public.contacts c where c.user_id = p_id
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
      -- As constants: only then does the planner know how many there are.
      case when p_filter ? 'coach' then format('r.business_id = any (%L::uuid[])', array(
        select e.business_id from public.engagements e
        where e.coach_id = private.uuid_of(p_filter ->> 'coach') and e.closed_at is null
      )) end
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
  perform private.audit_contact('contact.answer', c, null, jsonb_build_object('message_id', p_id))
  from public.contacts c where c.id = v_message.contact_id;
  return private.contact_message_json(p_id);
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

CREATE OR REPLACE FUNCTION public.get_reported_conversation (
  p_report_id uuid,
  p_before    bigint DEFAULT NULL::bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_report public.message_reports;
  v_conversation public.conversations;
  v_part public.conversation_participants;
  v_seq bigint;
  v_to bigint;
begin
  perform private.require_admin();
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'We can’t find this report.' using errcode = 'P0002';
  end if;
  perform private.audit(
    'message_report.read', 'message_report', p_report_id::text, null,
    jsonb_build_object(
      'conversation_id', v_report.conversation_id, 'person_id', v_report.author_id
    )
  );
  select * into v_conversation from public.conversations c where c.id = v_report.conversation_id;
  -- What its reporter could show of it: not what was said before they came.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = v_report.conversation_id and p.user_id = v_report.reporter_id;
  select m.seq into v_seq from public.messages m where m.id = v_report.message_id;
  v_part.conversation_id := v_report.conversation_id;
  v_part.from_seq := coalesce(v_part.from_seq, v_seq);
  -- Nor what was said after they left, or after the report was settled.
  v_to := least(coalesce(p_before - 1, v_seq + 20), (
    select max(m.seq) from public.messages m
    where m.conversation_id = v_report.conversation_id
      and (m.sent_at <= least(v_part.left_at, v_report.settled_at)) is not false
  ));
  return jsonb_build_object(
    'report', private.report_json(v_report) || jsonb_build_object('said', v_report.said),
    'people', coalesce((
      select jsonb_agg(
        private.person_json(p.user_id) || jsonb_build_object('left', p.left_at is not null)
        order by p.joined_at, p.user_id
      )
      from public.conversation_participants p where p.conversation_id = v_conversation.id
    ), '[]'),
    'messages', private.messages_json(v_part, v_to - 49, v_to),
    'more', v_to - 49 > v_part.from_seq
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
    raise exception 'There’s no open survey.' using errcode = '55000';
  end if;
  select u.email into v_address
  from public.engagements e join auth.users u on u.id = e.owner_id
  where e.id = p_engagement_id
    and (e.closed_at is null and e.state <> 'requested' or e.state = 'completed');
  if not found then
    raise exception 'We can’t find this coaching, or there’s nobody to ask.'
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
      'We’ve sent this client a lot of emails today. Try again tomorrow.', interval '1 day'
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
    raise exception 'This client has already answered.' using errcode = '55000';
  end if;
  perform private.audit(
    'survey.invite', 'engagement', p_engagement_id::text, null,
    (
      select jsonb_build_object('business_id', e.business_id, 'person_id', e.owner_id)
      from public.engagements e where e.id = p_engagement_id
    )
  );
  return jsonb_build_object('id', v_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.list_conversations (
  p_search         text                     DEFAULT NULL::text,
  p_before         timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_before_id      uuid                     DEFAULT NULL::uuid,
  p_limit          integer                  DEFAULT 30,
  p_unread_support boolean                  DEFAULT false
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_search text := nullif(btrim(coalesce(p_search, '')), '');
  v_pattern text := private.like_pattern(p_search);
  v_before_id uuid := coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_ids uuid[];
begin
  if p_unread_support then
    v_ids := array(
      select u.id from private.unread_support(v_user_id) u
      where (u.active_at, u.id) < (coalesce(p_before, 'infinity'), v_before_id)
      order by u.active_at desc, u.id desc
      limit v_limit + 1
    );
  elsif v_search is null then
    -- By the index of one's list, newest first: what is read grows with the page.
    v_ids := array(
      select p.conversation_id from public.conversation_participants p
      where p.user_id = v_user_id and p.left_at is null and p.active_at is not null
        and (p.active_at, p.conversation_id) < (coalesce(p_before, 'infinity'), v_before_id)
      order by p.active_at desc, p.conversation_id desc
      limit v_limit + 1
    );
  else
    v_ids := array(
      with mine as (
        select c.id, c.kind, c.engagement_id, c.project_id, c.about_user_id, p.active_at
        from public.conversation_participants p
        join public.conversations c on c.id = p.conversation_id
        where p.user_id = v_user_id and p.left_at is null and p.active_at is not null
          and (p.active_at, p.conversation_id) < (coalesce(p_before, 'infinity'), v_before_id)
      ), fitting as (
        select m.id from mine m
        join public.conversation_participants o on o.conversation_id = m.id and o.user_id <> v_user_id
        join public.profiles f on f.user_id = o.user_id
        where f.full_name ilike v_pattern
        union
        select m.id from mine m join public.projects j on j.id = m.project_id
        where j.title ilike v_pattern
        union
        select m.id from mine m
        join public.engagements e on e.id = m.engagement_id
        join public.businesses b on b.id = e.business_id
        where 'Coaching: ' || b.name ilike v_pattern
        union
        select m.id from mine m where m.about_user_id = v_user_id and 'Support' ilike v_pattern
      )
      select m.id from mine m where m.id in (select f.id from fitting f)
      order by m.active_at desc, m.id desc
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'conversations', coalesce((
      select jsonb_agg(private.conversation_json(c, p) order by n.place)
      from unnest(v_ids[:v_limit]) with ordinality as n (id, place)
      join public.conversations c on c.id = n.id
      join public.conversation_participants p
        on p.conversation_id = n.id and p.user_id = v_user_id
    ), '[]'),
    'more', cardinality(v_ids) > v_limit,
    'unread', private.unread_total(v_user_id),
    'support_id', (select c.id from public.conversations c where c.about_user_id = v_user_id)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_conversations"(text, timestamp WITH time zone, uuid, integer, boolean) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_project_history (
  p_id        uuid,
  p_before    timestamp with time zone,
  p_before_id text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_project public.projects := private.project_to_read(p_id);
begin
  if v_project.id is null then
    raise exception 'We can’t find this project.' using errcode = 'P0002';
  end if;
  return private.project_history(p_id, p_before, p_before_id, 30);
end
$function$;

CREATE OR REPLACE FUNCTION public.list_project_tasks (
  p_project_id uuid,
  p_after      uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_project public.projects := private.project_to_read(p_project_id);
  v_last public.project_tasks;
begin
  select t.* into v_last from public.project_tasks t
  where t.id = p_after and t.project_id = v_project.id;
  if not found then
    raise exception 'This task is gone.' using errcode = 'P0002';
  end if;
  return private.project_tasks_json(p_project_id, v_last.position, v_last.id, 100);
end
$function$;

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
  perform private.audit_contact(
    'contact.merge', v_keep, v_reason,
    jsonb_build_object('other', p_drop, 'consent', v_merged ->> 'consent')
  );
  return jsonb_build_object('id', p_keep);
end
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
  perform private.audit_contact(
    'contact.set_outcome', c, null, jsonb_build_object('message_id', p_id, 'outcome', p_outcome)
  )
  from public.contacts c where c.id = v_message.contact_id;
  return private.contact_message_json(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.set_due_dates (
  p_changes jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_change jsonb;
  v_was public.projects;
  v_new public.projects;
  v_before jsonb := '[]';
begin
  if coalesce(jsonb_typeof(p_changes), '') <> 'array'
    or jsonb_array_length(p_changes) not between 1 and 200
  then
    raise exception 'Choose 1 to 200 projects.' using errcode = '22023', hint = 'changes';
  end if;
  -- In the same order for everyone.
  for v_change in select c from jsonb_array_elements(p_changes) c order by c ->> 'id' loop
    select * into v_was from public.projects p where p.id = (v_change ->> 'id')::uuid for update;
    if not found then
      raise exception 'We can’t find this project.' using errcode = 'P0002', hint = 'changes';
    end if;
    perform private.require_unarchived(v_was.business_id);
    v_new := v_was;
    v_new.due_on := (v_change ->> 'due_on')::date;
    continue when v_new is not distinct from v_was;
    if v_new.due_on < v_new.start_on then
      raise exception '“%” only starts on %.', v_was.title, to_char(v_was.start_on, 'FMMonth FMDD, YYYY')
        using errcode = '22023', hint = 'due_on';
    end if;
    perform private.check_project(v_new);
    update public.projects p set due_on = v_new.due_on, saved_by = v_admin_id, revision = p.revision + 1
    where p.id = v_was.id;
    perform private.audit('project.edit', 'project', v_was.id::text, null, jsonb_build_object(
      'business_id', v_was.business_id,
      'before', jsonb_build_object('due_on', v_was.due_on),
      'after', jsonb_build_object('due_on', v_new.due_on)
    ));
    v_before := v_before || jsonb_build_object('id', v_was.id, 'due_on', v_was.due_on);
  end loop;
  return jsonb_build_object('before', v_before);
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception 'Choose a date.' using errcode = '22023', hint = 'due_on';
end
$function$;

REVOKE ALL ON FUNCTION "public"."set_due_dates"(jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.settle_message_report (
  p_report_id uuid,
  p_outcome   text,
  p_reason    text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_report public.message_reports;
  v_message public.messages;
begin
  if p_outcome is null or p_outcome not in ('dismissed', 'removed') then
    raise exception 'Dismiss the report, or remove the message.'
      using errcode = '22023', hint = 'outcome';
  end if;
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'We can’t find this report.' using errcode = 'P0002';
  end if;
  -- The conversation before the report, like everyone who changes a message.
  perform from public.conversations c where c.id = v_report.conversation_id for update;
  select * into v_report from public.message_reports r where r.id = p_report_id for update;
  if v_report.state = 'settled' then
    if v_report.outcome <> p_outcome then
      raise exception 'This report has already been resolved.' using errcode = '55000';
    end if;
    return private.report_json(v_report);
  end if;
  if p_outcome = 'dismissed' and v_report.author_id = v_admin_id
    and not private.is_last_admin(v_admin_id)
  then
    raise exception 'You wrote this message, so another admin has to decide.'
      using errcode = '42501';
  end if;
  if p_outcome = 'removed' then
    select * into v_message from public.messages m where m.id = v_report.message_id;
    if v_message.id is not null and v_message.removed_at is null then
      v_message := private.change_message(v_report.message_id, null);
      perform private.notify_person(
        v_report.author_id, 'We removed one of your messages',
        'Someone in the conversation reported it, and we agreed that it doesn’t belong there.',
        'You’re getting this email because you wrote the message.', 'Your messages', '/dashboard/messages'
      );
    end if;
  end if;
  update public.message_reports r set
    state = 'settled', outcome = p_outcome, settled_by = v_admin_id, settled_at = now()
  where r.id = p_report_id
  returning * into v_report;
  perform private.audit(
    'message_report.settle', 'message_report', p_report_id::text, v_reason,
    jsonb_build_object(
      'outcome', p_outcome, 'message_id', v_report.message_id, 'person_id', v_report.author_id
    )
  );
  perform private.notify_person(
    v_report.reporter_id, 'We looked at the message you reported',
    case p_outcome when 'removed' then 'We removed it. Thank you for telling us.'
      else 'We didn’t remove it. You can block the person who wrote it, or mute the conversation.' end,
    'You’re getting this email because you reported a message.', 'Your messages', '/dashboard/messages'
  );
  return private.report_json(v_report);
end
$function$;

CREATE OR REPLACE FUNCTION public.void_attempt (
  p_attempt_id uuid,
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
  v_state text;
  v_business_id uuid;
begin
  select t.state, t.business_id into v_state, v_business_id
  from public.attempts t where t.id = p_attempt_id for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if not private.may_step('attempt', v_state, 'voided', 'admin') then
    raise exception 'Only a submitted attempt can be voided.' using errcode = '55000';
  end if;
  update public.attempts t
  set state = 'voided', voided_at = now(), void_reason = v_reason, voided_by = v_admin_id
  where t.id = p_attempt_id;
  perform private.audit(
    'attempt.void', 'attempt', p_attempt_id::text, v_reason,
    jsonb_build_object('business_id', v_business_id)
  );
  return jsonb_build_object('id', p_attempt_id, 'state', 'voided');
end
$function$;

CREATE INDEX jobs_other_idx ON private.jobs USING btree (created_at, id)
  WHERE (kind <> 'mail'::text);

CREATE INDEX audit_log_person_idx ON public.audit_log USING btree (((details ->> 'person_id'::text)), at, id);

CREATE INDEX projects_by_status_due_idx ON public.projects USING btree (status, COALESCE(due_on, 'infinity'::date), id);

CREATE TRIGGER index_person
  AFTER UPDATE OF email, email_confirmed_at, banned_until ON auth.users
  FOR EACH ROW
  WHEN
    ((((old.email)::text IS DISTINCT FROM (new.email)::text) OR ((old.email_confirmed_at IS NULL) <> (new.email_confirmed_at IS NULL)) OR (old.banned_until IS DISTINCT FROM
    new.banned_until)))
  EXECUTE FUNCTION private.index_person();

CREATE TRIGGER index_person
  AFTER INSERT OR DELETE ON public.account_deletions
  FOR EACH ROW
  EXECUTE FUNCTION private.index_person();

COMMENT ON FUNCTION "private"."about_businesses"(text[]) IS 'The condition on r that it was done about one of these businesses.';

COMMENT ON FUNCTION "private"."about_people"(text[]) IS 'The condition on r that one of these people did it, or that it was done about them.';

COMMENT ON FUNCTION "private"."about_words"(text) IS 'The condition on r that it was done by or about people or businesses with these words, at most 100 of each.';

COMMENT ON FUNCTION "private"."account_query"(text) IS 'A search query for the people whose account is in this state; null for active ones, who are most.';

COMMENT ON FUNCTION "private"."audit_contact"(text, public.contacts, text, jsonb) IS 'Adds a row about a contact, and about the person if they have an account.';

COMMENT ON FUNCTION "private"."project_to_read"(uuid) IS 'The project if the caller can read it, which for an admin is in the audit log; otherwise null.';

COMMENT ON FUNCTION "private"."unread_support"(uuid) IS 'Support threads with messages that this admin hasn''t read.';

COMMENT ON FUNCTION "private"."uuid_of"(text) IS 'The id that a text is; null if it isn''t one.';

COMMENT ON FUNCTION "public"."admin_person"(uuid) IS 'One person as an admin sees them: the account, profile, role, businesses, coaching, contact, and how many quizzes and reports; null if there''s no such account.';

COMMENT ON FUNCTION "public"."list_conversations"(text, timestamp with time zone, uuid, integer, boolean) IS 'A page of the caller''s conversations, most recently active first, or those whose people or subject match a search, or an admin''s unread threads with support; {conversations, more, unread (100 means 100 or more), support_id}. The next page starts after the last one''s active_at and id.';

COMMENT ON FUNCTION "public"."set_due_dates"(jsonb) IS 'An admin sets the due dates (or null) of up to 200 projects, [{id, due_on}]: {before: the same of those that changed, as they were, which undoes it}.';

COMMENT ON TABLE "private"."person_words" IS 'Words of each person''s names, email address and businesses, and account_query''s word of an account that isn''t active, for admins'' searches. Triggers keep it current.';

REVOKE ALL ON FUNCTION "private"."about_businesses"(text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."about_people"(text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."about_words"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."account_query"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_contact"(text, public.contacts, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."project_to_read"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unread_support"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."uuid_of"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_conversations"(text, timestamp WITH time zone, uuid, integer, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."set_due_dates"(jsonb) TO "authenticated";

ALTER TABLE "private"."jobs"
  ADD COLUMN "words" tsvector GENERATED ALWAYS AS (private.name_words((payload ->> 'to'::text))) STORED NOT NULL;

CREATE INDEX jobs_words_idx ON private.jobs USING gin (words);

CREATE INDEX audit_log_changes_idx ON public.audit_log USING btree (at, id)
  WHERE (NOT private.is_reading(action));

-- The word of accounts that aren't active.
SELECT private.index_people(array(
  SELECT u.id FROM auth.users u WHERE private.account_state(u.id) <> 'active'
));
