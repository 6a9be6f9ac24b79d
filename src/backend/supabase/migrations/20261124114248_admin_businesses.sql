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

CREATE TABLE "private"."project_words" (
  "project_id" uuid     NOT NULL,
  "words"      tsvector NOT NULL,
  CONSTRAINT "project_words_pkey" PRIMARY KEY (project_id)
);

ALTER TABLE "private"."project_words"
  ENABLE ROW LEVEL SECURITY;

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

CREATE OR REPLACE FUNCTION private.removable_file_folders()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select b::text from private.merged_ids(array(select private.my_business_ids())) b
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

ALTER TABLE "private"."project_words"
  ADD CONSTRAINT "project_words_project_id_fkey" FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

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

ALTER TABLE "public"."project_events"
  ADD CONSTRAINT "project_events_project_id_business_id_fkey" FOREIGN KEY (project_id, business_id) REFERENCES public.projects(id, business_id) ON UPDATE CASCADE;

ALTER TABLE "public"."project_files"
  ADD CONSTRAINT "project_files_project_id_business_id_fkey" FOREIGN KEY (project_id, business_id) REFERENCES public.projects(id, business_id) ON UPDATE CASCADE;

ALTER TABLE "public"."project_tasks"
  ADD CONSTRAINT "project_tasks_project_id_business_id_fkey" FOREIGN KEY (project_id, business_id) REFERENCES public.projects(id, business_id) ON UPDATE CASCADE;

ALTER TABLE "public"."project_updates"
  ADD CONSTRAINT "project_updates_project_id_business_id_fkey" FOREIGN KEY (project_id, business_id) REFERENCES public.projects(id, business_id) ON UPDATE CASCADE;

CREATE INDEX project_words_words_idx ON private.project_words USING gin (words);

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

COMMENT ON FUNCTION "private"."archive_them"(uuid[]) IS 'Archives businesses, which ends their open invitations and coaching; returns those that weren''t archived yet.';

COMMENT ON FUNCTION "private"."business_regions"() IS 'The regions that businesses are in, at most 200, as choices [{value, label}].';

COMMENT ON FUNCTION "private"."merge_blockers"(uuid, uuid) IS 'Why one business can''t be merged into another, in words; empty if it can.';

COMMENT ON FUNCTION "private"."merge_counts"(uuid, uuid) IS 'How many rows of each table a merge would move, and how many stay because the other has them: [{name, moves, stays}].';

COMMENT ON FUNCTION "private"."merge_parts"() IS 'Tables whose rows move when a business is merged, with the key of a row and the condition for a row t that stays ($2 is the business that''s kept).';

COMMENT ON FUNCTION "private"."merged_ids"(uuid[]) IS 'Businesses, and those that were merged into them, directly or through another.';

COMMENT ON FUNCTION "private"."merged_into"(uuid) IS 'The business that this one was merged into, {id, name}, or null.';

COMMENT ON FUNCTION "private"."merges_json"(uuid) IS 'Merges of a business, newest first; blocker says why one can''t be undone.';

COMMENT ON FUNCTION "private"."settle_projects"(jsonb) IS 'Updates who takes part in the conversations about projects that moved to another business.';

COMMENT ON FUNCTION "private"."unarchive_them"(uuid[]) IS 'Restores businesses, without invitations or coaching; returns those that were archived. An error (55000) for one that was merged into another.';

COMMENT ON FUNCTION "private"."undo_blocker"(public.business_merges) IS 'Why a merge can''t be undone, in words; null if it can.';

COMMENT ON FUNCTION "public"."admin_business"(uuid) IS 'One business as an admin sees it: its facts and everything that belongs to it, with quizzes and actions only as numbers and conversations only where reported; null if it doesn''t exist.';

COMMENT ON FUNCTION "public"."admin_businesses"(jsonb, jsonb, integer) IS 'A page of businesses by {words, state ("active", "archived"), coaching ("coached", "waiting", "none"), region, sort ("newest", "oldest", "name")}, with the choices of regions; see list_page.';

COMMENT ON FUNCTION "public"."admin_merge_preview"(uuid, uuid) IS 'What merging one business into another would do: {parts: [{name (a table), moves, stays}], blockers: why it can''t be done}; null if either doesn''t exist.';

COMMENT ON FUNCTION "public"."admin_projects"(jsonb, jsonb, integer) IS 'A page of all projects by {words (of the title or business), status ("open", "late", "all" or one), business, coach (the business''s, now), sort ("newest", "due", "title")}, with the choices of coaches; see list_page.';

COMMENT ON FUNCTION "public"."archive_businesses"(uuid[], text) IS 'An admin archives up to 200 businesses that nobody coaches: {ids} of those that weren''t archived yet.';

COMMENT ON FUNCTION "public"."merge_businesses"(uuid, uuid, text) IS 'An admin merges a business into another that it''s the same as, and archives it: {id} of the merge.';

COMMENT ON FUNCTION "public"."restore_businesses"(uuid[], text) IS 'An admin restores up to 200 archived businesses, with the invitations that archiving stopped: {ids} of those that were archived.';

COMMENT ON FUNCTION "public"."undo_merge"(uuid, text) IS 'An admin undoes a merge of the last 30 days: exactly the rows that moved go back; {id} of the business that was merged.';

COMMENT ON TABLE "private"."project_words" IS 'Words of each project''s title and business, for admins'' searches. Triggers keep it current.';

COMMENT ON TABLE "public"."business_merges" IS 'Which business was merged into which, with the rows that moved. No API role reads or writes it.';

REVOKE ALL ON FUNCTION "private"."archive_them"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."business_belongings"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."business_regions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_businesses"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_businesses"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."index_project"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merge_blockers"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merge_counts"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merge_parts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merged_ids"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merged_into"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merges_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."merging"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."place_project_file"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_projects"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_members"(uuid[], text, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unarchive_them"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."undo_blocker"(public.business_merges) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_business"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_businesses"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_merge_preview"(uuid, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_projects"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."archive_businesses"(uuid[], text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."merge_businesses"(uuid, uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."restore_businesses"(uuid[], text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."undo_merge"(uuid, text) TO "authenticated";

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('business_merges', 'business_merges', 'insert or update', 20, 300, 'merged a lot of businesses');

insert into private.project_words (project_id, words)
select p.id, private.name_words(p.title || ' ' || b.name)
from public.projects p
join public.businesses b on b.id = p.business_id;
