-- The toolbox as admins write it: drafts, versions, reviews and the archive. Tables are in toolbox/.

create function public.admin_tools(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_sort constant text := coalesce(p_filter ->> 'sort', 'title');
begin
  perform private.require_admin();
  perform private.audit('tool.list', 'tool', null, null, p_filter);
  return private.list_page(
    'public.toolbox_items r',
    $row$
      (
        select jsonb_build_object(
          'slug', r.slug, 'title', r.title, 'area', a.name, 'practice', (
            select q.practice from public.quiz_questions q
            join public.quiz_versions qv on qv.id = q.version_id
            where q.key = r.practice order by qv.number desc limit 1
          ),
          'type', r.type, 'levels', r.levels, 'state', r.state, 'version', r.version,
          'reviewed_on', r.reviewed_on, 'review_due_on', r.review_due_on,
          'has_draft', r.state <> 'draft' and exists (
            select from public.toolbox_versions d where d.item_id = r.id and d.published_at is null
          ),
          'updated_at', r.updated_at, 'saved', m.saved, 'done', m.done, 'copies', (
            select count(*) from public.tool_copies c where c.item_id = r.id
          )
        )
        from public.skill_areas a
        cross join (
          select count(m.saved_at) as saved, count(m.done_at) as done
          from public.toolbox_marks m where m.item_id = r.id
        ) m
        where a.key = r.area_key
      )
    $row$,
    array[
      case when p_filter ->> 'state' in ('draft', 'published', 'archived') then
        format('r.state = %L', p_filter ->> 'state')
      end,
      case when p_filter ->> 'review' = 'due' then
        'r.state = ''published'' and r.review_due_on < current_date'
      end,
      case when p_filter ? 'area' then 'r.area_key = $1 ->> ''area''' end,
      case when p_filter ? 'type' then 'r.type = $1 ->> ''type''' end
    ],
    case v_sort when 'review' then 'r.review_due_on' when 'newest' then 'r.updated_at'
      else 'r.title collate private.by_name' end,
    case v_sort when 'review' then 'date' when 'newest' then 'timestamptz' else 'text' end,
    v_sort = 'newest', p_filter, p_place, p_limit, private.words_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'area', (
      select jsonb_agg(jsonb_build_object('value', a.key, 'label', a.name) order by a.position)
      from public.skill_areas a
    ),
    -- Practices that the quiz asks about and no tool does.
    'missing', (
      select coalesce(jsonb_agg(
        jsonb_build_object('value', q.key, 'label', q.practice) order by q.position
      ), '[]')
      from public.quiz_questions q
      join public.quiz_versions v on v.id = q.version_id and v.state = 'published'
      where not exists (
        select from public.toolbox_items i where i.practice = q.key and i.state = 'published'
      )
    )
  ) end);
end
$$;
comment on function public.admin_tools(jsonb, jsonb, int) is
  'A page of all tools by {words, state, review ("due"), area, type, sort ("title", "review", "newest")}, with the choices of areas and the practices that no published tool does; see list_page.';

create function private.tool_version_json(p_version public.toolbox_versions) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.tool_content(to_jsonb(p_version)) || jsonb_build_object(
    'id', p_version.id, 'slug', p_version.slug, 'version', p_version.version,
    'based_on', p_version.based_on, 'revision', p_version.revision,
    'updated_at', p_version.updated_at, 'updated_by', p_version.updated_by,
    'updated_by_name', private.name_of(p_version.updated_by)
  )
$$;

create function private.admin_tool_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', i.id, 'slug', i.slug, 'title', i.title, 'state', i.state, 'version', i.version,
    'reviewed_on', i.reviewed_on, 'review_months', i.review_months,
    'review_due_on', i.review_due_on, 'archived_at', i.archived_at,
    'archived_reason', i.archived_reason,
    'content', case when i.state <> 'draft' then private.tool_content(to_jsonb(i)) end,
    'draft', (
      select private.tool_version_json(d) from public.toolbox_versions d
      where d.item_id = i.id and d.published_at is null
    ),
    'versions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'version', v.version, 'change', v.change, 'published_at', v.published_at,
        'from_content', v.from_content, 'by', private.name_of(v.published_by)
      ) order by v.version desc), '[]')
      from public.toolbox_versions v where v.item_id = i.id and v.published_at is not null
    ),
    'saved', (
      select count(m.saved_at) from public.toolbox_marks m where m.item_id = i.id
    ),
    'done', (
      select count(m.done_at) from public.toolbox_marks m where m.item_id = i.id
    ),
    'copies', (select count(*) from public.tool_copies c where c.item_id = i.id),
    -- Other published tools for the practices, by which the editor says that one is taken.
    'taken', (
      select coalesce(jsonb_agg(
        jsonb_build_object('practice', o.practice, 'title', o.title, 'id', o.id) order by o.title
      ), '[]')
      from public.toolbox_items o
      where o.state = 'published' and o.practice is not null and o.id <> i.id
    ),
    'areas', (
      select jsonb_agg(jsonb_build_object(
        'key', a.key, 'name', a.name, 'practices', (
          select coalesce(jsonb_agg(
            jsonb_build_object('key', q.key, 'name', q.practice) order by q.position
          ), '[]')
          from public.quiz_questions q
          join public.quiz_versions v on v.id = q.version_id and v.state = 'published'
          where q.area_key = a.key
        )
      ) order by a.position)
      from public.skill_areas a
    )
  )
  from public.toolbox_items i where i.id = p_id
$$;

create function public.admin_tool(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  -- Nothing about a person, and read again while it's edited, so it isn't in the audit log.
  return private.admin_tool_json(p_id);
end
$$;
comment on function public.admin_tool(uuid) is
  'A tool with what people see of it, its draft, its versions, how often it was saved, done and copied, and the areas and practices to choose from; null if there''s none.';

create function public.admin_tool_version(p_id uuid, p_version int) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select private.tool_version_json(v) from public.toolbox_versions v
    where v.item_id = p_id and v.version = p_version
  );
end
$$;
comment on function public.admin_tool_version(uuid, int) is
  'A published version of a tool in full; null if there''s none.';

create function private.require_tool(p_id uuid) returns public.toolbox_items
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_item public.toolbox_items;
begin
  select * into v_item from public.toolbox_items i where i.id = p_id for update;
  if not found then
    raise exception 'We can’t find this tool.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_item;
end
$$;

-- Writing ---------------------------------------------------------------------------------------

create function public.create_tool(p_id uuid, p_practice text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_area_key text := coalesce(
    (select a.key from public.skill_areas a where a.key = split_part(p_practice, '.', 1)),
    (select a.key from public.skill_areas a order by a.position limit 1)
  );
  -- Only one that the quiz asks about.
  v_practice text := (
    select q.key from public.quiz_questions q
    join public.quiz_versions v on v.id = q.version_id and v.state = 'published'
    where q.key = p_practice
  );
begin
  if p_id is null then
    raise exception 'A tool needs an id.' using errcode = '22023', hint = 'id';
  end if;
  insert into public.toolbox_items (
    id, slug, title, summary, type, area_key, practice, levels, minutes, format, reviewed_on, state
  ) values (
    p_id, 'draft-' || p_id, 'New tool', '', 'template', v_area_key, v_practice,
    '{starting,developing,established,strong}', 30, '', (now() at time zone 'utc')::date, 'draft'
  )
  on conflict (id) do nothing;
  if found then
    insert into public.toolbox_versions (
      item_id, type, area_key, practice, levels, minutes, created_by, updated_by
    ) values (
      p_id, 'template', v_area_key, v_practice, '{starting,developing,established,strong}', 30,
      v_admin_id, v_admin_id
    );
    perform private.audit('tool.create', 'tool', p_id::text);
  end if;
  return private.admin_tool_json(p_id);
end
$$;
comment on function public.create_tool(uuid, text) is
  'An admin starts a tool, once under its id, for a practice that''s given; returns it.';

create function public.edit_tool(p_id uuid, p_version int default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.edit_tool(uuid, int) is
  'An admin starts the draft of a tool''s next version, from the current one or the one that''s given; returns the tool.';

create function private.require_tool_draft(p_id uuid) returns public.toolbox_versions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_draft public.toolbox_versions;
begin
  select * into v_draft from public.toolbox_versions v where v.id = p_id for update;
  if not found then
    raise exception 'This draft is gone.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_draft;
end
$$;

create function private.tool_files_named(p_item_id uuid, p_wanted jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.tool_files_named(uuid, jsonb) is
  'What a version says of the files that it wants to name, [{id, name}]; rejected (22023) if one isn''t a stored file of the tool.';

create function private.tool_file_to_name(p_item_id uuid, p_id uuid, p_field text)
returns public.tool_files
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.tool_file_to_name(uuid, uuid, text) is
  'A stored file of the tool that a draft can name as one of its files, its video or its poster; rejected (22023) otherwise.';

create function private.tool_video_named(p_item_id uuid, p_wanted jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.tool_video_named(uuid, jsonb) is
  'What a version says of the video that it wants to name, {id, poster}; null for none, rejected (22023) if it isn''t a stored video of the tool.';

create function public.save_tool_draft(p_id uuid, p_revision int, p_content jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.save_tool_draft(uuid, int, jsonb) is
  'An admin saves a draft based on the given revision, {slug (of a tool that was never published), title, summary, type, area_key, practice, levels, minutes, format, calculator, body_markdown, files [{id, name}], video {id, poster}, captions}: {saved, draft}. If someone was faster, nothing is saved and draft is theirs.';

create function public.remove_tool_draft(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_draft public.toolbox_versions;
  v_item public.toolbox_items;
begin
  perform private.require_admin();
  v_draft := private.require_tool_draft(p_id);
  if v_draft.published_at is not null then
    raise exception 'Only drafts can be deleted.' using errcode = '55000';
  end if;
  v_item := private.require_tool(v_draft.item_id);
  delete from public.toolbox_versions v where v.id = p_id;
  if v_item.state = 'draft' then
    delete from public.toolbox_items i where i.id = v_item.id;
  end if;
  perform private.audit(
    'tool.remove_draft', 'tool', v_item.id::text, null, jsonb_build_object('title', v_draft.title)
  );
  return private.admin_tool_json(v_item.id);
end
$$;
comment on function public.remove_tool_draft(uuid) is
  'An admin deletes a draft for good, and a tool that was never published with it; returns the tool, or null.';

-- Publishing, reviewing, archiving --------------------------------------------------------------

create function private.tool_slug(p_wanted text, p_title text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  -- A page of the site.
  c_taken constant text := 'current';
  v_words text := btrim(regexp_replace(private.plain_words(p_title), '[^a-z0-9]+', '-', 'g'), '-');
  v_base text := coalesce(nullif(btrim(pg_catalog.left(v_words, 60), '-'), ''), 'tool');
  v_slug text := coalesce(nullif(p_wanted, ''), v_base);
  v_number int := 1;
begin
  if v_slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' then
    raise exception 'Use lowercase letters, digits and hyphens: price-increase-letter.'
      using errcode = '22023', hint = 'slug';
  end if;
  while v_slug = c_taken or exists (select from public.toolbox_items i where i.slug = v_slug) loop
    if p_wanted <> '' then
      raise exception 'Another tool has this address. Choose another one.'
        using errcode = '22023', hint = 'slug';
    end if;
    v_number := v_number + 1;
    v_slug := v_base || '-' || v_number;
  end loop;
  return v_slug;
end
$$;
comment on function private.tool_slug(text, text) is
  'The address of a new tool: what''s wanted or, if that''s empty, the words of its title, with a number if another has the same.';

create function public.publish_tool(p_id uuid, p_revision int, p_change text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.publish_tool(uuid, int, text) is
  'An admin publishes a draft of the given revision as the next version of its tool, with a sentence about what changed since the one before; returns the tool.';

create function public.review_tool(p_id uuid, p_note text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_item public.toolbox_items;
  v_today date := (now() at time zone 'utc')::date;
begin
  perform private.require_admin();
  v_item := private.require_tool(p_id);
  if v_item.state <> 'published' then
    raise exception 'Only published tools are reviewed.' using errcode = '55000';
  end if;
  update public.toolbox_items i set reviewed_on = v_today where i.id = p_id;
  perform private.audit(
    'tool.review', 'tool', p_id::text, private.clean_line(p_note, 500),
    jsonb_build_object('title', v_item.title, 'version', v_item.version)
  );
  return private.admin_tool_json(p_id);
end
$$;
comment on function public.review_tool(uuid, text) is
  'An admin has checked a published tool today and found nothing to change, with a note if there is one; returns the tool.';

create function public.set_tool_review(p_id uuid, p_months int) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_item public.toolbox_items;
begin
  perform private.require_admin();
  v_item := private.require_tool(p_id);
  if p_months is null or p_months not between 1 and 60 then
    raise exception 'Choose 1 to 60 months.' using errcode = '22023', hint = 'months';
  end if;
  update public.toolbox_items i set review_months = p_months where i.id = p_id;
  perform private.audit('tool.set_review', 'tool', p_id::text, null, jsonb_build_object(
    'title', v_item.title,
    'before', jsonb_build_object('months', v_item.review_months),
    'after', jsonb_build_object('months', p_months)
  ));
  return private.admin_tool_json(p_id);
end
$$;
comment on function public.set_tool_review(uuid, int) is
  'An admin chooses how many months after a review the next one is due; returns the tool.';

create function public.archive_tool(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_item public.toolbox_items;
  v_reason text;
begin
  perform private.require_admin();
  v_item := private.require_tool(p_id);
  v_reason := private.require_reason(p_reason);
  if v_item.state = 'draft' then
    raise exception 'This tool was never published. Delete it instead.' using errcode = '55000';
  end if;
  if v_item.state = 'published' then
    update public.toolbox_items i set
      state = 'archived', archived_at = now(), archived_reason = v_reason
    where i.id = p_id;
    perform private.audit(
      'tool.archive', 'tool', p_id::text, v_reason, jsonb_build_object('title', v_item.title)
    );
  end if;
  return private.admin_tool_json(p_id);
end
$$;
comment on function public.archive_tool(uuid, text) is
  'An admin takes a tool out of the toolbox, with a reason that people who keep it can read; returns it.';

create function public.restore_tool(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_item public.toolbox_items;
begin
  perform private.require_admin();
  v_item := private.require_tool(p_id);
  if v_item.state = 'archived' then
    update public.toolbox_items i set
      state = 'published', archived_at = null, archived_reason = null
    where i.id = p_id;
    perform private.audit(
      'tool.restore', 'tool', p_id::text, null, jsonb_build_object('title', v_item.title)
    );
  end if;
  return private.admin_tool_json(p_id);
end
$$;
comment on function public.restore_tool(uuid) is
  'An admin puts an archived tool back into the toolbox; returns it.';

grant execute on function
  public.admin_tools(jsonb, jsonb, int), public.admin_tool(uuid),
  public.admin_tool_version(uuid, int), public.create_tool(uuid, text),
  public.edit_tool(uuid, int), public.save_tool_draft(uuid, int, jsonb),
  public.remove_tool_draft(uuid), public.publish_tool(uuid, int, text),
  public.review_tool(uuid, text), public.set_tool_review(uuid, int),
  public.archive_tool(uuid, text), public.restore_tool(uuid)
to authenticated;
