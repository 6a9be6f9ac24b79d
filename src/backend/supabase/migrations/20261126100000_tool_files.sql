SET local check_function_bodies = off;

CREATE TABLE "public"."tool_files" (
  "id"          uuid                     NOT NULL,
  "item_id"     uuid                     NOT NULL,
  "bucket"      text                     NOT NULL,
  "name"        text                     NOT NULL,
  "type"        text                     NOT NULL,
  "size"        integer                  NOT NULL,
  "seconds"     numeric(8,3),
  "state"       text                     NOT NULL DEFAULT 'awaited'::text,
  "uploaded_by" uuid,
  "created_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "unnamed_at"  timestamp with time zone,
  "path"        text                     GENERATED ALWAYS AS ((((item_id)::text || '/'::text) || (id)::text)) STORED NOT NULL,
  CONSTRAINT "tool_files_bucket_check" CHECK ((bucket = ANY (ARRAY['tool-files'::text, 'tool-videos'::text]))),
  CONSTRAINT "tool_files_name_check" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  CONSTRAINT "tool_files_path_key" UNIQUE (path),
  CONSTRAINT "tool_files_pkey" PRIMARY KEY (id),
  CONSTRAINT "tool_files_seconds_check" CHECK ((seconds > (0)::numeric)),
  CONSTRAINT "tool_files_size_check" CHECK (((size >= 1) AND (size <= 52428800))),
  CONSTRAINT "tool_files_state_check" CHECK ((state = ANY (ARRAY['awaited'::text, 'stored'::text])))
);

ALTER TABLE "public"."tool_files"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."tool_files" FROM "anon", "authenticated", "service_role";

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "files" jsonb NOT NULL DEFAULT '[]'::jsonb;

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "video" jsonb;

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "captions" text NOT NULL DEFAULT ''::text;

ALTER TABLE "public"."toolbox_versions"
  ADD COLUMN "files" jsonb NOT NULL DEFAULT '[]'::jsonb;

ALTER TABLE "public"."toolbox_versions"
  ADD COLUMN "video" jsonb;

ALTER TABLE "public"."toolbox_versions"
  ADD COLUMN "captions" text NOT NULL DEFAULT ''::text;

CREATE OR REPLACE FUNCTION private.add_first_version()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into public.toolbox_versions (
    item_id, version, title, summary, type, area_key, practice, levels, minutes, format, calculator,
    body_markdown, files, video, captions, from_content, published_at
  ) values (
    new.id, new.version, new.title, new.summary, new.type, new.area_key, new.practice, new.levels,
    new.minutes, new.format, new.calculator, new.body_markdown, new.files, new.video, new.captions,
    true, now()
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.awaited_tool_paths (
  p_bucket text
)
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select f.path from public.tool_files f
  where f.bucket = p_bucket and f.state = 'awaited' and f.uploaded_by = (select auth.uid())
    and (select private.is_admin())
$function$;

CREATE OR REPLACE FUNCTION private.can_read_tool_file (
  p_file public.tool_files
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select
    exists (
      select from public.toolbox_items i
      join public.toolbox_versions v on v.item_id = i.id and v.published_at is not null
      -- Of the version that people see: what a newer one leaves out isn't for everyone anymore.
      where i.id = p_file.item_id and v.version = i.version and v.file_ids @> array[p_file.id] and (
        i.state = 'published'
        -- Those who kept an archived tool keep its files.
        or (
          i.state = 'archived' and (select private.session_ok())
          and i.id in (select private.kept_tool_ids())
        )
      )
    )
    or ((select private.session_ok()) and (select private.is_admin()))
$function$;

CREATE OR REPLACE FUNCTION private.can_read_tool_object (
  p_bucket text,
  p_path   text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.tool_files f
    where f.path = p_path and f.bucket = p_bucket and private.can_read_tool_file(f)
  )
$function$;

CREATE OR REPLACE FUNCTION private.caption_seconds (
  p_time text
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(m[1]::numeric, 0) * 3600 + m[2]::numeric * 60 + m[3]::numeric
  from regexp_match(p_time, '^(?:(\d{2,4}):)?([0-5]\d):([0-5]\d\.\d{3})$') m
$function$;

CREATE OR REPLACE FUNCTION private.captions_trouble (
  p_text    text,
  p_seconds numeric
)
  RETURNS text
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
declare
  v_line record;
  v_times text[];
  v_start numeric;
  v_end numeric;
  v_before numeric := 0;
  v_cues int := 0;
  -- What kind of block the line is in: the header, none, a cue that has no words yet, or anything else.
  v_block text := 'header';
begin
  if p_text !~ '^WEBVTT([ \t][^\n]*)?(\n|$)' then
    return 'Captions start with a line that says WEBVTT, and an empty one.';
  end if;
  for v_line in
    select l, place::int as number
    from regexp_split_to_table(p_text || e'\n', '\n') with ordinality as lines(l, place)
    where place > 1
  loop
    if btrim(v_line.l, e' \t') = '' then
      if v_block = 'cue' then
        return format('Line %s: a caption has no words.', v_line.number - 1);
      end if;
      v_block := 'none';
    elsif strpos(v_line.l, '-->') > 0 then
      if v_block = 'header' then
        return 'Captions start with a line that says WEBVTT, and an empty one.';
      end if;
      v_times := regexp_match(v_line.l, '^[ \t]*(\S+)[ \t]+-->[ \t]+(\S+)([ \t].*)?$');
      v_start := private.caption_seconds(v_times[1]);
      v_end := private.caption_seconds(v_times[2]);
      if v_start is null or v_end is null then
        return format('Line %s: write the times like 00:01.000 --> 00:04.500.', v_line.number);
      elsif v_end <= v_start then
        return format('Line %s: the caption ends before it starts.', v_line.number);
      elsif v_start < v_before then
        return format('Line %s: the caption starts before the one above it.', v_line.number);
      -- Players and encoders disagree by a second at most.
      elsif v_end > p_seconds + 1 then
        return format(
          'Line %s: the caption ends after the video, which is %s seconds long.', v_line.number,
          round(p_seconds)
        );
      end if;
      v_before := v_start;
      v_cues := v_cues + 1;
      v_block := 'cue';
    elsif v_block = 'cue' then
      v_block := 'words';
    end if;
  end loop;
  return case when v_cues = 0 then 'There are no captions in this file.' end;
end
$function$;

CREATE OR REPLACE FUNCTION private.clean_captions (
  p_text text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select btrim(
    regexp_replace(coalesce(p_text, ''), e'\r\n?', e'\n', 'g'), e'\ufeff \t\n'
  )
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
    ('event_signups', 't.email = $2', '{words}'),
    -- Issues that they wrote or sent as an admin.
    ('toolbox_versions', '$1 in (t.created_by, t.updated_by, t.published_by)', '{file_ids}'),
    ('tool_files', 't.uploaded_by = $1', '{unnamed_at}'),
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

CREATE OR REPLACE FUNCTION private.file_name (
  p_name text,
  p_type text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when n.name ~* ('\.(' || e.endings || ')$') then pg_catalog.right(n.name, 200)
    else pg_catalog.left(n.name, 195) || '.' || split_part(e.endings, '|', 1)
  end
  from (select private.clean_line(p_name, 300) as name) n
  cross join (
    select case p_type
      when 'application/pdf' then 'pdf'
      when 'image/png' then 'png'
      when 'image/jpeg' then 'jpg|jpeg|jfif'
      when 'image/webp' then 'webp'
      when 'text/csv' then 'csv'
      when 'video/mp4' then 'mp4|m4v'
      when 'video/webm' then 'webm'
      when 'text/plain' then 'txt|md|text'
      when 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' then 'docx'
      when 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' then 'xlsx'
      when 'application/vnd.openxmlformats-officedocument.presentationml.presentation' then 'pptx'
    end as endings
  ) e
$function$;

CREATE OR REPLACE FUNCTION private.forget_tool_files()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_gone int;
begin
  -- Locked first: a draft that is being saved holds what it names until it's seen here.
  perform from public.tool_files f where f.unnamed_at < now() - interval '1 day' for update;
  update public.tool_files f set unnamed_at = null
  where f.unnamed_at is not null and private.is_tool_file_named(f.id);
  update public.tool_files f set unnamed_at = now()
  where f.unnamed_at is null and not private.is_tool_file_named(f.id);
  delete from public.tool_files f
  where f.unnamed_at < now() - interval '1 day' and not private.is_tool_file_named(f.id);
  get diagnostics v_gone = row_count;
  return jsonb_build_object('gone', v_gone);
end
$function$;

CREATE OR REPLACE FUNCTION private.is_tool_file_named (
  p_id uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (select from public.toolbox_versions v where v.file_ids @> array[p_id])
$function$;

CREATE OR REPLACE FUNCTION private.keep_named_file()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- With its whole tool, it goes.
  if exists (select from public.toolbox_items i where i.id = old.item_id)
    and private.is_tool_file_named(old.id)
  then
    raise exception 'A version of a tool has this file.' using errcode = '55000';
  end if;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_published_version()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Become null when the account is deleted; a computed column isn't known yet.
  c_people constant text[] := array['created_by', 'updated_by', 'published_by', 'file_ids'];
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

CREATE OR REPLACE FUNCTION private.keep_stored_file()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- What doesn't change what people read, and a computed column, which isn't known yet.
  c_notes constant text[] := array['uploaded_by', 'unnamed_at', 'path'];
begin
  if to_jsonb(old) - c_notes is distinct from to_jsonb(new) - c_notes then
    raise exception 'A file that was stored never changes.' using errcode = '55000';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.remove_object_of_tool_file()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.jobs (kind, payload)
  select 'remove_file', jsonb_build_object('bucket', o.bucket_id, 'path', o.name)
  from storage.objects o where o.bucket_id = old.bucket and o.name = old.path;
  return null;
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
    files = p_version.files, video = p_version.video, captions = p_version.captions,
    version = p_version.version, reviewed_on = p_reviewed_on, state = 'published'
  where i.id = p_version.item_id
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
    'body_markdown', 'files', 'video', 'captions'
  ]) k
$function$;

CREATE OR REPLACE FUNCTION private.tool_file_ids (
  p_files jsonb,
  p_video jsonb
)
  RETURNS uuid[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select array_remove(array(
    select (f ->> 'id')::uuid from jsonb_array_elements(p_files) f
  ) || (p_video ->> 'id')::uuid || (p_video ->> 'poster')::uuid, null)
$function$;

CREATE OR REPLACE FUNCTION private.tool_file_json (
  p_file public.tool_files,
  p_name text              DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_file.id, 'bucket', p_file.bucket, 'path', p_file.path,
    'name', private.file_name(coalesce(p_name, p_file.name), p_file.type), 'type', p_file.type,
    'size', p_file.size, 'seconds', p_file.seconds
  )
$function$;

CREATE OR REPLACE FUNCTION private.tool_file_to_name (
  p_item_id uuid,
  p_id      uuid,
  p_field   text
)
  RETURNS public.tool_files
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_file public.tool_files;
begin
  -- Held until the draft names it, so that it isn't removed in between.
  select * into v_file from public.tool_files f
  where f.id = p_id and f.item_id = p_item_id and f.state = 'stored'
    and case p_field
      when 'video' then f.bucket = 'tool-videos'
      when 'poster' then starts_with(f.type, 'image/')
      else f.bucket = 'tool-files'
    end
  for key share;
  if not found then
    raise exception 'One of the files was removed. Add it again.'
      using errcode = '22023', hint = p_field;
  end if;
  return v_file;
end
$function$;

CREATE OR REPLACE FUNCTION private.tool_files_named (
  p_item_id uuid,
  p_wanted  jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_files jsonb := '[]';
  v_wanted jsonb;
  v_file public.tool_files;
begin
  if jsonb_typeof(p_wanted) <> 'array' or jsonb_array_length(p_wanted) > 10 then
    raise exception 'A tool can have at most 10 files.' using errcode = '22023', hint = 'files';
  end if;
  for v_wanted in select w from jsonb_array_elements(p_wanted) w loop
    v_file := private.tool_file_to_name(p_item_id, private.uuid_of(v_wanted ->> 'id'), 'files');
    if v_files @> jsonb_build_array(jsonb_build_object('id', v_file.id)) then
      raise exception 'A file can be in the list once.' using errcode = '22023', hint = 'files';
    end if;
    v_files := v_files || jsonb_build_object(
      'id', v_file.id, 'type', v_file.type, 'size', v_file.size,
      'name', coalesce(private.clean_line(v_wanted ->> 'name', 120), v_file.name)
    );
  end loop;
  return v_files;
end
$function$;

CREATE OR REPLACE FUNCTION private.tool_video_named (
  p_item_id uuid,
  p_wanted  jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_file public.tool_files;
  v_poster uuid := private.uuid_of(p_wanted ->> 'poster');
begin
  if p_wanted ->> 'id' is null then
    return null;
  end if;
  v_file := private.tool_file_to_name(p_item_id, private.uuid_of(p_wanted ->> 'id'), 'video');
  if v_poster is not null then
    perform private.tool_file_to_name(p_item_id, v_poster, 'poster');
  end if;
  return jsonb_build_object(
    'id', v_file.id, 'type', v_file.type, 'size', v_file.size, 'seconds', v_file.seconds,
    'poster', v_poster
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.begin_tool_file (
  p_id      uuid,
  p_item_id uuid,
  p_name    text,
  p_type    text,
  p_size    integer,
  p_seconds numeric DEFAULT NULL::numeric
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_bytes constant bigint := 524288000;
  v_admin_id uuid := private.require_admin();
  v_bucket constant text := case when starts_with(p_type, 'video/') then 'tool-videos'
    else 'tool-files' end;
  v_file public.tool_files;
begin
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_file from public.tool_files f where f.id = p_id;
  if found then
    if v_file.item_id <> p_item_id or v_file.uploaded_by is distinct from v_admin_id then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.tool_file_json(v_file);
  end if;
  -- One after the other, so that together they stay within the limit.
  perform private.require_tool(p_item_id);
  perform private.check_file(v_bucket, p_name, p_type, p_size);
  if (
    select coalesce(sum(f.size), 0) + p_size from public.tool_files f where f.item_id = p_item_id
  ) > c_bytes then
    raise exception 'A tool can have at most 500 MB of files, with those of its versions.'
      using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.tool_files (id, item_id, bucket, name, type, size, seconds, uploaded_by)
  values (
    p_id, p_item_id, v_bucket, private.file_name(p_name, p_type), p_type, p_size,
    case when p_seconds > 0 and p_seconds < 86400 then p_seconds end, v_admin_id
  )
  returning * into v_file;
  return private.tool_file_json(v_file);
end
$function$;

REVOKE ALL ON FUNCTION "public"."begin_tool_file"(uuid, uuid, text, text, integer, numeric) FROM PUBLIC, "anon", "service_role";

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
    calculator, body_markdown, files, video, captions, created_by, updated_by
  )
  select p_id, v.version, v.title, v.summary, v.type, v.area_key, v.practice, v.levels, v.minutes,
    v.format, v.calculator, v.body_markdown, v.files, v.video, v.captions, v_admin_id, v_admin_id
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

CREATE OR REPLACE FUNCTION public.finish_tool_file (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_file public.tool_files;
begin
  select * into v_file from public.tool_files f
  where f.id = p_id and f.uploaded_by = v_admin_id for update;
  if not found then
    raise exception 'We can’t find this file.' using errcode = 'P0002', hint = 'id';
  end if;
  if v_file.state = 'awaited' then
    if not private.is_stored(v_file.bucket, v_file.path, v_file.type, v_file.size) then
      raise exception 'The file didn’t upload completely. Send it again.' using errcode = '55000';
    end if;
    update public.tool_files f set state = 'stored' where f.id = p_id returning * into v_file;
  end if;
  return private.tool_file_json(v_file);
end
$function$;

REVOKE ALL ON FUNCTION "public"."finish_tool_file"(uuid) FROM PUBLIC, "anon", "service_role";

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
    'files', i.files, 'video', i.video, 'captions', i.captions,
    'is_built', i.version is not distinct from i.built_version
  )
  from public.toolbox_items i where i.slug = p_slug and i.state = 'published'
$function$;

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
    'files', i.files, 'video', i.video, 'captions', i.captions,
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

CREATE OR REPLACE FUNCTION public.get_tool_captions (
  p_id uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select v.captions
  from public.tool_files f join public.toolbox_versions v on v.file_ids @> array[f.id]
  where f.id = p_id and private.can_read_tool_file(f)
    and v.published_at is not null and v.video ->> 'id' = f.id::text
  order by v.version desc limit 1
$function$;

REVOKE ALL ON FUNCTION "public"."get_tool_captions"(uuid) FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.get_tool_file (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.tool_file_json(f, (
    select n ->> 'name'
    from public.toolbox_versions v cross join jsonb_array_elements(v.files) n
    where v.file_ids @> array[f.id] and v.published_at is not null
      and n ->> 'id' = f.id::text
    order by v.version desc limit 1
  ))
  from public.tool_files f where f.id = p_id and private.can_read_tool_file(f)
$function$;

REVOKE ALL ON FUNCTION "public"."get_tool_file"(uuid) FROM PUBLIC, "service_role";

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
  v_trouble text;
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
  if v_draft.type = 'video' and v_draft.video is null and v_draft.body_markdown !~ 'https?://' then
    raise exception 'Add the video or, if it’s on another site, a link to it in the text.'
      using errcode = '22023', hint = 'video';
  end if;
  if v_draft.video is not null then
    if v_draft.captions = '' then
      raise exception 'Add captions, so that everyone can follow the video.'
        using errcode = '22023', hint = 'captions';
    end if;
    v_trouble := private.captions_trouble(
      v_draft.captions, (v_draft.video ->> 'seconds')::numeric
    );
    if v_trouble is not null then
      raise exception '%', v_trouble using errcode = '22023', hint = 'captions';
    end if;
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
  if p_content ? 'files' then
    v_new.files := private.tool_files_named(v_draft.item_id, p_content -> 'files');
  end if;
  if p_content ? 'video' then
    v_new.video := private.tool_video_named(v_draft.item_id, p_content -> 'video');
  end if;
  if p_content ? 'captions' then
    v_new.captions := private.clean_captions(p_content ->> 'captions');
  end if;
  if char_length(v_new.captions) > 100000 then
    raise exception 'Captions can have up to 100,000 characters.'
      using errcode = '22023', hint = 'captions';
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
    body_markdown = v_new.body_markdown, files = v_new.files, video = v_new.video,
    captions = v_new.captions, revision = v.revision + 1, updated_by = v_admin_id,
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

ALTER TABLE "public"."tool_files"
  ADD CONSTRAINT "tool_files_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.toolbox_items(id) ON DELETE CASCADE;

ALTER TABLE "public"."tool_files"
  ADD CONSTRAINT "tool_files_uploaded_by_fkey" FOREIGN KEY (uploaded_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."toolbox_items"
  ADD CONSTRAINT "toolbox_items_captions_check" CHECK ((char_length(captions) <= 200000));

ALTER TABLE "public"."toolbox_items"
  ADD CONSTRAINT "toolbox_items_files_check" CHECK ((jsonb_typeof(files) = 'array'::text));

ALTER TABLE "public"."toolbox_items"
  ADD CONSTRAINT "toolbox_items_video_check" CHECK ((jsonb_typeof(video) = 'object'::text));

ALTER TABLE "public"."toolbox_versions"
  ADD CONSTRAINT "toolbox_versions_captions_check" CHECK ((char_length(captions) <= 200000));

ALTER TABLE "public"."toolbox_versions"
  ADD CONSTRAINT "toolbox_versions_files_check" CHECK ((jsonb_typeof(files) = 'array'::text));

ALTER TABLE "public"."toolbox_versions"
  ADD CONSTRAINT "toolbox_versions_video_check" CHECK ((jsonb_typeof(video) = 'object'::text));

CREATE INDEX tool_files_item_id_idx ON public.tool_files USING btree (item_id);

CREATE INDEX tool_files_uploaded_by_idx ON public.tool_files USING btree (uploaded_by);

CREATE TRIGGER tool_files_insert_is_limited AFTER INSERT ON public.tool_files REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('tool_files', 'each row');

CREATE TRIGGER tool_files_keep_what_was_stored
  BEFORE UPDATE ON public.tool_files
  FOR EACH ROW
  WHEN ((old.state = 'stored'::text))
  EXECUTE FUNCTION private.keep_stored_file();

CREATE TRIGGER tool_files_per_item_id_are_limited AFTER INSERT ON public.tool_files REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'item_id'
);

CREATE TRIGGER tool_files_stay_while_named
  BEFORE DELETE ON public.tool_files
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_named_file();

CREATE TRIGGER tool_files_take_their_object
  AFTER DELETE ON public.tool_files
  FOR EACH ROW
  EXECUTE FUNCTION private.remove_object_of_tool_file();

CREATE POLICY "Published files of tools are read by everyone, others by admins" ON "storage"."objects"
  FOR SELECT
  TO "anon", "authenticated"
  USING (((bucket_id = ANY (ARRAY['tool-files'::text, 'tool-videos'::text])) AND private.can_read_tool_object(bucket_id, name)));

CREATE POLICY "Files of tools are stored by admins where they are awaited" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH
    CHECK
    (((bucket_id = ANY (ARRAY['tool-files'::text, 'tool-videos'::text])) AND ( SELECT private.session_ok() AS session_ok) AND (name IN ( SELECT
    private.awaited_tool_paths(objects.bucket_id) AS awaited_tool_paths))));

COMMENT ON FUNCTION "private"."awaited_tool_paths"(text) IS 'Where the admin may store an object now.';

COMMENT ON FUNCTION "private"."can_read_tool_file"(public.tool_files) IS 'Whether the caller, a visitor perhaps, can read a file: everyone those of the published version that people see, admins all.';

COMMENT ON FUNCTION "private"."can_read_tool_object"(text, text) IS 'Whether the caller can read the object of a tool''s file.';

COMMENT ON FUNCTION "private"."caption_seconds"(text) IS 'The seconds of a time such as 01:02.500 or 00:01:02.500; null if it isn''t one.';

COMMENT ON FUNCTION "private"."captions_trouble"(text, numeric) IS 'What''s wrong with captions of a video of so many seconds (null if nobody knows), in a sentence; null if nothing is.';

COMMENT ON FUNCTION "private"."clean_captions"(text) IS 'Captions with one kind of line break, without a byte-order mark or space around them; empty for none.';

COMMENT ON FUNCTION "private"."forget_tool_files"() IS 'Removes files that no version of a tool has named for a day, with their objects.';

COMMENT ON FUNCTION "private"."is_tool_file_named"(uuid) IS 'Whether a version of a tool, published or not, names a file.';

COMMENT ON FUNCTION "private"."tool_file_ids"(jsonb, jsonb) IS 'The ids of all files that a tool or a version of it names.';

COMMENT ON FUNCTION "private"."tool_file_to_name"(uuid, uuid, text) IS 'A stored file of the tool that a draft can name as one of its files, its video or its poster; rejected (22023) otherwise.';

COMMENT ON FUNCTION "private"."tool_files_named"(uuid, jsonb) IS 'What a version says of the files that it wants to name, [{id, name}]; rejected (22023) if one isn''t a stored file of the tool.';

COMMENT ON FUNCTION "private"."tool_video_named"(uuid, jsonb) IS 'What a version says of the video that it wants to name, {id, poster}; null for none, rejected (22023) if it isn''t a stored video of the tool.';

COMMENT ON FUNCTION "public"."begin_tool_file"(uuid, uuid, text, text, integer, numeric) IS 'An admin announces a file of a tool (name, type, size in bytes, and how many seconds a video is); returns the file with the bucket and the path to store it under.';

COMMENT ON FUNCTION "public"."finish_tool_file"(uuid) IS 'The admin confirms an upload; returns the file, which a draft can name from then on. Rejected until the object is stored as announced.';

COMMENT ON FUNCTION "public"."get_tool_file"(uuid) IS 'A file of a published tool, for everyone, or of a draft, for admins: {id, bucket, path, name, type, size, seconds}; null if there''s none. Its name is the one of the newest published version.';

COMMENT ON FUNCTION "public"."save_tool_draft"(uuid, integer, jsonb) IS 'An admin saves a draft based on the given revision, {slug (of a tool that was never published), title, summary, type, area_key, practice, levels, minutes, format, calculator, body_markdown, files [{id, name}], video {id, poster}, captions}: {saved, draft}. If someone was faster, nothing is saved and draft is theirs.';

COMMENT ON TABLE "public"."tool_files" IS 'Files and videos of tools; the object is in the row''s bucket under its path.';

REVOKE ALL ON FUNCTION "private"."awaited_tool_paths"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."awaited_tool_paths"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."can_read_tool_file"(public.tool_files) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."can_read_tool_object"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_read_tool_object"(text, text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."caption_seconds"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."captions_trouble"(text, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clean_captions"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_tool_files"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_tool_file_named"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_named_file"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_stored_file"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remove_object_of_tool_file"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_file_ids"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_file_json"(public.tool_files, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_file_to_name"(uuid, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_files_named"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_video_named"(uuid, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."begin_tool_file"(uuid, uuid, text, text, integer, numeric) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."finish_tool_file"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_tool_file"(uuid) TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_tool_captions"(uuid) TO "anon", "authenticated";

COMMENT ON FUNCTION "public"."get_tool_captions"(uuid) IS 'The captions of a video that the caller can read, as WebVTT, from the newest published version that has it; null if there are none.';

ALTER TABLE "public"."toolbox_versions"
  ADD COLUMN "file_ids" uuid[] GENERATED ALWAYS AS (private.tool_file_ids(files, video)) STORED NOT NULL;

CREATE INDEX toolbox_versions_file_ids_idx ON public.toolbox_versions USING gin (file_ids);

-- Rows that a draft can't see.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'tool-files', 'tool-files', false, 20971520,
  array[
    'application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'text/csv',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  ]
), (
  'tool-videos', 'tool-videos', false, 52428800, array['video/mp4', 'video/webm']
)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('tool_files', 'tool_files', 'insert', 60, 300, 'added a lot of files');

insert into private.row_ceilings (on_table, per, most, counting, sentence, field) values
  ('tool_files', 'item_id', 200, 'true', 'A tool can have at most 200 files, with those of its versions.', 'files');

insert into private.jobs (kind, every) values ('forget_tool_files', interval '1 hour');
