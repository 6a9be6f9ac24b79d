-- The quiz as admins edit it: a draft is a copy of a version that was published, changed part by part
-- (one question, or the title and the areas), checked, compared with that version and published. Tables
-- and what keeps a published version as it is are in quiz/quiz_versions.sql.
--
-- There's one draft at a time. One that was discarded can be restored for 30 days.

create table private.quiz_draft_parts (
  version_id uuid not null references public.quiz_versions (id) on delete cascade,
  -- A question's key; empty for the title and the areas.
  part text not null,
  -- Counts changes, so that we detect an edit based on an older revision. A part without a row has none.
  revision int not null,
  -- An admin said that the question means the same as before, in other words.
  means_the_same boolean not null default false,
  updated_by uuid references auth.users (id) on delete set null,
  updated_at timestamptz not null default now(),
  primary key (version_id, part)
);
comment on table private.quiz_draft_parts is
  'How often each part of a draft of the quiz was changed, and who did it last, until it''s published.';
create index quiz_draft_parts_updated_by_idx on private.quiz_draft_parts (updated_by);
alter table private.quiz_draft_parts enable row level security;

-- Counted as it happens: counting all attempts takes longer the more there are.
create table private.quiz_version_counts (
  version_id uuid primary key references public.quiz_versions (id) on delete cascade,
  started int not null,
  finished int not null
);
comment on table private.quiz_version_counts is
  'How many full quizzes were started on each version, and how many of them are finished and weren''t set aside. Triggers keep it current. A version without a row has none.';
alter table private.quiz_version_counts enable row level security;

create function private.count_attempt() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into private.quiz_version_counts as c (version_id, started, finished)
    values (new.version_id, 1, (new.state = 'submitted')::int)
    on conflict (version_id) do update
      set started = c.started + 1, finished = c.finished + excluded.finished;
  else
    update private.quiz_version_counts c
    set finished = c.finished + (new.state = 'submitted')::int - (old.state = 'submitted')::int
    where c.version_id = new.version_id;
  end if;
  return null;
end
$$;
-- Deferred, so that people who finish at the same time wait for each other only while they commit.
create constraint trigger count_started_attempt after insert on public.attempts
  deferrable initially deferred for each row when (new.kind = 'full')
  execute function private.count_attempt();
create constraint trigger count_finished_attempt after update of state on public.attempts
  deferrable initially deferred for each row
  when (new.kind = 'full' and (new.state = 'submitted') <> (old.state = 'submitted'))
  execute function private.count_attempt();

-- Reading ---------------------------------------------------------------------------------------

create function public.admin_quiz_versions() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  -- Our own text and counts: nothing about a person, so it isn't in the audit log.
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'id', v.id, 'number', v.number, 'state', v.state, 'title', v.title,
        'created_at', v.created_at, 'published_at', v.published_at, 'discarded_at', v.discarded_at,
        'from_number', (select f.number from public.quiz_versions f where f.id = v.created_from),
        'questions', (
          select count(*) from public.quiz_questions q where q.version_id = v.id
        ),
        'started', coalesce(c.started, 0), 'finished', coalesce(c.finished, 0),
        'published_because', p.reason, 'published_by_name', private.name_of(p.actor_id)
      ) order by v.state <> 'draft', v.discarded_at nulls first, v.number desc
    ), '[]')
    from public.quiz_versions v
    left join private.quiz_version_counts c on c.version_id = v.id
    left join lateral (
      select l.reason, l.actor_id from public.audit_log l
      where l.entity = 'quiz_version' and l.entity_id = v.id::text and l.action = 'quiz_version.publish'
      order by l.at desc limit 1
    ) p on true
  );
end
$$;
comment on function public.admin_quiz_versions() is
  'Every version of the quiz, drafts first and then the newest: who published it and why, and how many full quizzes were started and finished on it. Those that were set aside count as started.';
grant execute on function public.admin_quiz_versions() to authenticated;

create function private.quiz_question_before(p_version_id uuid, p_key text)
returns public.quiz_questions
language sql stable security definer set search_path = '' as $$
  select q.*
  from public.quiz_versions d
  join public.quiz_versions v on v.state <> 'draft' and v.id <> d.id
  join public.quiz_questions q on q.version_id = v.id and q.key = p_key
  where d.id = p_version_id and (d.state = 'draft' or v.number < d.number)
  order by v.id is not distinct from d.created_from desc, v.number desc
  limit 1
$$;
comment on function private.quiz_question_before(uuid, text) is
  'The question as the version that this one was drafted from asks it, otherwise the newest published one that asked it; null if none did. Answers to it are compared with this version''s if the meaning is the same.';

create function private.quiz_question_meaning(p_version_id uuid, p_key text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_question public.quiz_questions;
  v_before public.quiz_questions := private.quiz_question_before(p_version_id, p_key);
begin
  select * into v_question from public.quiz_questions q
  where q.version_id = p_version_id and q.key = p_key;
  return case
    when v_before.key is null then 'new'
    when v_question.meaning <> v_before.meaning then 'new'
    when v_question.text = v_before.text and v_question.anchors = v_before.anchors then 'same'
    when exists (
      select from private.quiz_draft_parts p
      where p.version_id = p_version_id and p.part = p_key and p.means_the_same
    ) then 'same'
  end;
end
$$;
comment on function private.quiz_question_meaning(uuid, text) is
  'Whether a draft''s question means the "same" as before or something "new"; null if its words are others and nobody has said.';

create function private.quiz_question_json(p_version_id uuid, p_key text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'key', q.key, 'area_key', q.area_key, 'practice', q.practice, 'position', q.position,
    'text', q.text, 'help', coalesce(q.help, ''), 'anchors', q.anchors, 'weight', q.weight,
    'action', q.action, 'meaning', private.quiz_question_meaning(q.version_id, q.key),
    'before', (
      select jsonb_build_object(
        'number', v.number, 'text', b.text, 'anchors', b.anchors
      )
      from private.quiz_question_before(q.version_id, q.key) b
      join public.quiz_versions v on v.id = b.version_id
    ),
    'tool', (
      select t.title from public.toolbox_items t
      where t.practice = q.key and t.state = 'published'
      order by t.minutes, t.slug collate "C" limit 1
    ),
    'revision', coalesce(p.revision, 0), 'updated_by_name', private.name_of(p.updated_by)
  )
  from public.quiz_questions q
  left join private.quiz_draft_parts p on p.version_id = q.version_id and p.part = q.key
  where q.version_id = p_version_id and q.key = p_key
$$;

create function private.quiz_settings_json(p_version_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'title', v.title,
    'areas', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'key', a.area_key, 'importance', a.importance,
          'skip_question', coalesce(a.skip_question, ''), 'skip_help', coalesce(a.skip_help, ''),
          'first_look', (
            select q.key from public.quiz_questions q
            where q.version_id = a.version_id and q.area_key = a.area_key and q.first_look
          )
        ) order by s.position
      ), '[]')
      from public.quiz_version_areas a join public.skill_areas s on s.key = a.area_key
      where a.version_id = v.id
    ),
    'revision', coalesce(p.revision, 0), 'updated_by_name', private.name_of(p.updated_by)
  )
  from public.quiz_versions v
  left join private.quiz_draft_parts p on p.version_id = v.id and p.part = ''
  where v.id = p_version_id
$$;

create function private.quiz_fingerprint(p_version_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select md5(private.quiz_version_json(p_version_id)::text || coalesce(
    string_agg(q.key || q.meaning, ' ' order by q.key), ''
  ))
  from public.quiz_questions q where q.version_id = p_version_id
$$;
comment on function private.quiz_fingerprint(uuid) is
  'Changes with anything in a version, so that what is published is what an admin looked at.';

create function private.quiz_problems(p_version_id uuid)
returns table (area_key text, question_key text, field text, problem text)
language sql stable security definer set search_path = '' as $$
  with questions as (
    select q.*, s.position as area_position, s.name as area
    from public.quiz_questions q join public.skill_areas s on s.key = q.area_key
    where q.version_id = p_version_id
  ),
  found as (
    select 0 as place, 0 as position, null::text as area_key, null::text as question_key,
      'title' as field, 'Shorten the title to 80 characters.' as problem
    from public.quiz_versions v where v.id = p_version_id and char_length(v.title) > 80
    union all
    select 0, 0, null, null, 'nothing',
      'Nothing is different from version ' || f.number || '.'
    from public.quiz_versions v join public.quiz_versions f on f.id = v.created_from
    where v.id = p_version_id and v.title = f.title
      and (private.quiz_version_json(v.id)::jsonb - '{id,number}'::text[])
        = (private.quiz_version_json(f.id)::jsonb - '{id,number}'::text[])
      and not exists (
        select from public.quiz_questions q
        join public.quiz_questions o on o.version_id = f.id and o.key = q.key
        where q.version_id = v.id and o.meaning <> q.meaning
      )
    union all
    select s.position, 0, a.area_key, null, 'questions',
      s.name || ' has ' || c.questions || case c.questions when 1 then ' question' else ' questions' end
        || '. Every area has four: the site says so, and results are compared between areas.'
    from public.quiz_version_areas a
    join public.skill_areas s on s.key = a.area_key
    cross join lateral (
      select count(*) as questions, count(*) filter (where q.first_look) as first
      from questions q where q.area_key = a.area_key
    ) c
    where a.version_id = p_version_id and c.questions <> 4
    union all
    select s.position, 1, a.area_key, null, 'first_look',
      'Choose the question about ' || lower(s.name) || ' that’s in the first look.'
    from public.quiz_version_areas a join public.skill_areas s on s.key = a.area_key
    where a.version_id = p_version_id and not exists (
      select from questions q where q.area_key = a.area_key and q.first_look
    )
    union all
    select s.position, 1, a.area_key, null, w.field, w.problem
    from public.quiz_version_areas a
    join public.skill_areas s on s.key = a.area_key
    cross join lateral (
      values
        ('skip_question', 'Shorten the question that skips the area to 90 characters.',
          char_length(a.skip_question) > 90),
        ('skip_help', 'Shorten its help to 130 characters.', char_length(a.skip_help) > 130)
    ) w (field, problem, is_so)
    where a.version_id = p_version_id and w.is_so
    union all
    select q.area_position, q.position, q.area_key, q.key, w.field, w.problem
    from questions q
    cross join lateral (
      select 'practice' as field, 1 as nth, case
        when q.practice = '' then 'Name the practice.'
        when char_length(q.practice) > 48 then 'Shorten the practice to 48 characters.'
        when not exists (
          select from public.toolbox_items t where t.practice = q.key and t.state = 'published'
        ) then 'No published tool is for this practice. Results name one, so publish it in the toolbox first.'
      end as problem
      union all
      select 'text', 2, case
        when q.text = '' then 'Write the question.'
        when char_length(q.text) > 90 then 'Shorten the question to 90 characters.'
        when exists (
          select from questions o where o.key < q.key and lower(o.text) = lower(q.text)
        ) then 'Another question has the same words.'
      end
      union all
      select 'help', 3, 'Shorten the help to 130 characters.' where char_length(q.help) > 130
      union all
      select 'anchor-' || (a.nth - 1), 3 + a.nth, case
        when a.anchor = '' then 'Write the answer for ' || (a.nth - 1) || '.'
        when char_length(a.anchor) > 90 then
          'Shorten the answer for ' || (a.nth - 1) || ' to 90 characters.'
        when exists (
          select from unnest(q.anchors) with ordinality o (anchor, nth)
          where o.nth < a.nth and lower(o.anchor) = lower(a.anchor)
        ) then 'The answer for ' || (a.nth - 1) || ' is the same as an earlier one.'
      end
      from unnest(q.anchors) with ordinality a (anchor, nth)
      union all
      select 'weight', 9, 'Choose a weight from 1 to 2.' where q.weight not between 1 and 2
      union all
      select 'action', 10, case
        when q.action = '' then 'Write what to do in the next 30 days.'
        when char_length(q.action) > 300 then 'Shorten what to do to 300 characters.'
      end
      union all
      select 'meaning', 11, 'Say whether the question still means the same.'
      where q.text <> '' and private.quiz_question_meaning(q.version_id, q.key) is null
    ) w
    where w.problem is not null
  )
  select f.area_key, f.question_key, f.field, f.problem from found f
  order by f.place, f.position, f.question_key
$$;
comment on function private.quiz_problems(uuid) is
  'What keeps a draft from being published, in sentences and in the order of the editor: of the version, an area or a question.';

create function private.quiz_checks_json(p_version_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'fingerprint', private.quiz_fingerprint(p_version_id),
    'problems', (select coalesce(jsonb_agg(to_jsonb(p)), '[]') from private.quiz_problems(p_version_id) p)
  )
$$;

create function private.quiz_draft_json(p_version_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', v.id, 'number', v.number, 'state', v.state, 'created_at', v.created_at,
    'published_at', v.published_at, 'discarded_at', v.discarded_at,
    'settings', private.quiz_settings_json(v.id),
    'areas', (
      select jsonb_agg(
        jsonb_build_object('key', s.key, 'name', s.name, 'short_name', s.short_name, 'position', s.position)
        order by s.position
      )
      from public.quiz_version_areas a join public.skill_areas s on s.key = a.area_key
      where a.version_id = v.id
    ),
    'questions', (
      select coalesce(jsonb_agg(private.quiz_question_json(v.id, q.key) order by q.position), '[]')
      from public.quiz_questions q where q.version_id = v.id
    ),
    -- The version that it was drafted from.
    'before', private.quiz_version_json(v.created_from),
    'checks', case when v.state = 'draft' then private.quiz_checks_json(v.id) end,
    -- Practices that a tool is for and that this version doesn't ask about.
    'practices', case when v.state = 'draft' then (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'key', t.practice, 'area_key', t.area_key,
          'name', coalesce((private.quiz_question_before(v.id, t.practice)).practice, t.title)
        ) order by t.practice
      ), '[]')
      from (
        select distinct on (i.practice) i.practice, i.area_key, i.title
        from public.toolbox_items i
        where i.state = 'published' and i.practice is not null
        order by i.practice, i.minutes, i.slug collate "C"
      ) t
      where not exists (
        select from public.quiz_questions q where q.version_id = v.id and q.key = t.practice
      )
    ) end,
    'published', (
      select jsonb_build_object(
        'number', p.number,
        'in_progress', (
          select count(*) from public.attempts t
          where t.version_id = p.id and t.kind = 'full' and t.state = 'in_progress'
            and t.expires_at > now()
        )
      )
      from public.quiz_versions p where p.state = 'published'
    )
  )
  from public.quiz_versions v where v.id = p_version_id
$$;

create function public.admin_quiz_version(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.quiz_draft_json(p_id);
end
$$;
comment on function public.admin_quiz_version(uuid) is
  'A version of the quiz as the editor shows it, with the version it was drafted from and, for a draft, what keeps it from being published; null if there''s none.';
grant execute on function public.admin_quiz_version(uuid) to authenticated;

-- Drafting --------------------------------------------------------------------------------------

create function private.require_quiz_draft(p_id uuid) returns public.quiz_versions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_version public.quiz_versions;
begin
  select * into v_version from public.quiz_versions v where v.id = p_id for update;
  if not found then
    raise exception 'We can’t find this version of the quiz.' using errcode = 'P0002', hint = 'id';
  end if;
  if v_version.state <> 'draft' then
    raise exception 'Version % has been published, so it can’t change anymore.', v_version.number
      using errcode = '55000';
  end if;
  if v_version.discarded_at is not null then
    raise exception 'This draft was discarded. Restore it to change it.' using errcode = '55000';
  end if;
  return v_version;
end
$$;
comment on function private.require_quiz_draft(uuid) is
  'The draft, locked, so that its changes come one after another; raises P0002 or 55000.';

create function private.mark_quiz_part(p_version_id uuid, p_part text, p_means_the_same boolean default false)
returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.quiz_draft_parts as p (version_id, part, revision, means_the_same, updated_by)
  values (p_version_id, p_part, 1, p_means_the_same, auth.uid())
  on conflict (version_id, part) do update set
    revision = p.revision + 1, means_the_same = excluded.means_the_same,
    updated_by = excluded.updated_by, updated_at = now()
$$;
comment on function private.mark_quiz_part(uuid, text, boolean) is
  'Records that the caller has changed a part of a draft.';

create function public.create_quiz_draft(p_id uuid, p_from uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_from public.quiz_versions;
  v_id uuid;
  v_number int;
begin
  perform private.require_admin();
  if p_id is null then
    raise exception 'A draft needs an id.' using errcode = '22023', hint = 'id';
  end if;
  -- Two admins who start at the same time get the same draft.
  perform private.one_at_a_time('quiz_draft', '00000000-0000-0000-0000-000000000000');
  select v.id into v_id from public.quiz_versions v
  where v.id = p_id or v.state = 'draft' and v.discarded_at is null
  order by v.id = p_id desc limit 1;
  if found then
    return jsonb_build_object('id', v_id);
  end if;
  select * into v_from from public.quiz_versions v where v.id = p_from and v.state <> 'draft';
  if not found then
    raise exception 'We can’t find this version of the quiz.' using errcode = 'P0002', hint = 'from';
  end if;
  perform private.count_writes('quiz_drafts');
  select max(v.number) + 1 into v_number from public.quiz_versions v;
  insert into public.quiz_versions (id, number, title, created_from)
  values (p_id, v_number, v_from.title, p_from);
  insert into public.quiz_version_areas
  select (jsonb_populate_record(a, jsonb_build_object('version_id', p_id))).*
  from public.quiz_version_areas a where a.version_id = p_from;
  insert into public.quiz_questions
  select (jsonb_populate_record(q, jsonb_build_object('version_id', p_id))).*
  from public.quiz_questions q where q.version_id = p_from;
  perform private.audit('quiz_version.draft', 'quiz_version', p_id::text, null, jsonb_build_object(
    'version', v_number, 'from_version', v_from.number
  ));
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.create_quiz_draft(uuid, uuid) is
  'An admin drafts a version from one that was published, once under its id: {id}, or the id of the draft that there is.';
grant execute on function public.create_quiz_draft(uuid, uuid) to authenticated;

create function public.save_quiz_question(
  p_version_id uuid, p_key text, p_revision int, p_question jsonb
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_question public.quiz_questions;
  v_new public.quiz_questions;
  v_before public.quiz_questions;
  v_meaning text := p_question ->> 'meaning';
  v_revision int;
  v_is_worded_anew boolean;
  v_saved boolean := true;
begin
  perform private.require_admin();
  perform private.require_quiz_draft(p_version_id);
  select * into v_question from public.quiz_questions q
  where q.version_id = p_version_id and q.key = p_key;
  if not found then
    raise exception 'This question was removed from the draft.' using errcode = 'P0002', hint = 'key';
  end if;
  if (case
    when jsonb_typeof(p_question) is distinct from 'object'
      or octet_length(p_question::text) > 20000
      or jsonb_typeof(p_question -> 'anchors') is distinct from 'array'
      or jsonb_typeof(p_question -> 'weight') is distinct from 'number' then true
    else jsonb_array_length(p_question -> 'anchors') <> 5
      or (p_question ->> 'weight')::numeric not between 1 and 2
      or coalesce(v_meaning not in ('same', 'new'), false)
  end) then
    raise exception 'We couldn’t read this question.' using errcode = '22023', hint = 'question';
  end if;

  v_new := v_question;
  -- Longer than a question can be when it's published, so that nothing that was typed is cut off.
  v_new.practice := coalesce(private.clean_line(p_question ->> 'practice', 300), '');
  v_new.text := coalesce(private.clean_line(p_question ->> 'text', 300), '');
  v_new.help := private.clean_line(p_question ->> 'help', 600);
  v_new.action := coalesce(private.clean_line(p_question ->> 'action', 1000), '');
  v_new.weight := (p_question ->> 'weight')::numeric;
  v_new.anchors := array(
    select coalesce(private.clean_line(a.anchor, 300), '')
    from jsonb_array_elements_text(p_question -> 'anchors') with ordinality a (anchor, nth)
    order by a.nth
  );
  v_before := private.quiz_question_before(p_version_id, p_key);
  v_is_worded_anew := (v_new.text, v_new.anchors) is distinct from (v_before.text, v_before.anchors);
  if v_before.key is null then
    v_meaning := 'new';
  else
    if not v_is_worded_anew then
      v_meaning := 'same';
    end if;
    v_new.meaning := case
      when v_meaning is distinct from 'new' then v_before.meaning
      when v_question.meaning <> v_before.meaning then v_question.meaning
      -- One that no other version has, so that its answers aren't compared with any other's.
      else (select max(q.meaning) + 1 from public.quiz_questions q where q.key = p_key)
    end;
  end if;

  select coalesce(max(p.revision), 0) into v_revision from private.quiz_draft_parts p
  where p.version_id = p_version_id and p.part = p_key;
  if v_new is not distinct from v_question
    and v_meaning is not distinct from private.quiz_question_meaning(p_version_id, p_key)
  then
    -- Sent twice, or changed back: as it is asked for.
    v_saved := true;
  elsif v_revision is distinct from p_revision then
    v_saved := false;
  else
    perform private.count_writes('quiz_drafts');
    update public.quiz_questions q set
      practice = v_new.practice, text = v_new.text, help = v_new.help, anchors = v_new.anchors,
      weight = v_new.weight, action = v_new.action, meaning = v_new.meaning
    where q.version_id = p_version_id and q.key = p_key;
    perform private.mark_quiz_part(
      p_version_id, p_key, v_is_worded_anew and v_meaning is not distinct from 'same'
    );
  end if;
  return jsonb_build_object(
    'saved', v_saved, 'question', private.quiz_question_json(p_version_id, p_key),
    'checks', private.quiz_checks_json(p_version_id)
  );
end
$$;
comment on function public.save_quiz_question(uuid, text, int, jsonb) is
  'An admin saves a question of a draft ({practice, text, help, anchors, weight, action, meaning}) based on the given revision: {saved, question, checks}. If someone was faster, nothing is saved and question is theirs.';
grant execute on function public.save_quiz_question(uuid, text, int, jsonb) to authenticated;

create function public.save_quiz_settings(p_version_id uuid, p_revision int, p_settings jsonb)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_title text := private.clean_line(p_settings ->> 'title', 160);
  v_now jsonb;
  v_wanted jsonb;
  v_saved boolean := true;
begin
  perform private.require_admin();
  perform private.require_quiz_draft(p_version_id);
  if (case
    when jsonb_typeof(p_settings -> 'areas') is distinct from 'array'
      or octet_length(p_settings::text) > 20000 then true
    else exists (
      select from jsonb_array_elements(p_settings -> 'areas') a
      where jsonb_typeof(a -> 'importance') is distinct from 'number'
        or a ->> 'importance' not in ('1', '2', '3')
    )
  end) then
    raise exception 'We couldn’t read these settings.' using errcode = '22023', hint = 'settings';
  end if;
  if v_title is null then
    raise exception 'The quiz needs a title.' using errcode = '22023', hint = 'title';
  end if;
  v_now := private.quiz_settings_json(p_version_id);
  -- Areas and questions that aren't in the draft are left out.
  select jsonb_build_object('title', v_title, 'areas', coalesce(jsonb_agg(
    jsonb_build_object(
      'key', n ->> 'key', 'importance', coalesce(w -> 'importance', n -> 'importance'),
      'skip_question', coalesce(private.clean_line(w ->> 'skip_question', 160), ''),
      'skip_help', case when private.clean_line(w ->> 'skip_question', 160) is null then ''
        else coalesce(private.clean_line(w ->> 'skip_help', 240), '') end,
      'first_look', (
        select q.key from public.quiz_questions q
        where q.version_id = p_version_id and q.area_key = n ->> 'key' and q.key = w ->> 'first_look'
      )
    ) order by nth
  ), '[]')) into v_wanted
  from jsonb_array_elements(v_now -> 'areas') with ordinality as now (n, nth)
  left join lateral (
    select a as w from jsonb_array_elements(p_settings -> 'areas') a
    where a ->> 'key' = n ->> 'key' limit 1
  ) given on true;

  if v_now - '{revision,updated_by_name}'::text[] = v_wanted then
    v_saved := true;
  elsif (v_now ->> 'revision')::int is distinct from p_revision then
    v_saved := false;
  else
    perform private.count_writes('quiz_drafts');
    update public.quiz_versions v set title = v_title where v.id = p_version_id;
    update public.quiz_version_areas a set
      importance = w.importance, skip_question = nullif(w.skip_question, ''),
      skip_help = nullif(w.skip_help, '')
    from jsonb_to_recordset(v_wanted -> 'areas')
      as w (key text, importance smallint, skip_question text, skip_help text)
    where a.version_id = p_version_id and a.area_key = w.key;
    -- In two steps, as an area has at most one.
    update public.quiz_questions q set first_look = false
    from jsonb_to_recordset(v_wanted -> 'areas') as w (key text, first_look text)
    where q.version_id = p_version_id and q.area_key = w.key and q.first_look
      and q.key is distinct from w.first_look;
    update public.quiz_questions q set first_look = true
    from jsonb_to_recordset(v_wanted -> 'areas') as w (first_look text)
    where q.version_id = p_version_id and q.key = w.first_look and not q.first_look;
    perform private.mark_quiz_part(p_version_id, '');
  end if;
  return jsonb_build_object(
    'saved', v_saved, 'settings', private.quiz_settings_json(p_version_id),
    'checks', private.quiz_checks_json(p_version_id)
  );
end
$$;
comment on function public.save_quiz_settings(uuid, int, jsonb) is
  'An admin saves the title of a draft and how its areas count ({title, areas: [{key, importance, first_look (a question''s key), skip_question, skip_help}]}) based on the given revision: {saved, settings, checks}. If someone was faster, nothing is saved and settings are theirs.';
grant execute on function public.save_quiz_settings(uuid, int, jsonb) to authenticated;

-- Which questions, in which order ---------------------------------------------------------------

create function private.number_quiz_questions(
  p_version_id uuid, p_area_key text default null, p_keys text[] default '{}'
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- In two steps, as no two questions have the same position.
  update public.quiz_questions q set position = q.position + 10000 where q.version_id = p_version_id;
  update public.quiz_questions q set position = n.position
  from (
    select o.key, row_number() over (
      order by s.position,
        case when o.area_key = p_area_key then array_position(p_keys, o.key) end, o.position
    ) as position
    from public.quiz_questions o join public.skill_areas s on s.key = o.area_key
    where o.version_id = p_version_id
  ) n
  where q.version_id = p_version_id and q.key = n.key;
end
$$;
comment on function private.number_quiz_questions(uuid, text, text[]) is
  'Numbers a draft''s questions from 1, area by area; those of one area in the order of p_keys.';

create function public.order_quiz_questions(p_version_id uuid, p_area_key text, p_keys text[])
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.require_quiz_draft(p_version_id);
  if array(
    select q.key from public.quiz_questions q
    where q.version_id = p_version_id and q.area_key = p_area_key order by q.key
  ) <> array(select k from unnest(p_keys) k order by k) then
    raise exception 'The questions of this area have changed. Reload the page and try again.'
      using errcode = '55000';
  end if;
  perform private.count_writes('quiz_drafts');
  perform private.number_quiz_questions(p_version_id, p_area_key, p_keys);
  return jsonb_build_object('keys', p_keys);
end
$$;
comment on function public.order_quiz_questions(uuid, text, text[]) is
  'An admin puts all questions of an area of a draft in this order: {keys}.';
grant execute on function public.order_quiz_questions(uuid, text, text[]) to authenticated;

create function public.add_quiz_question(
  p_version_id uuid, p_area_key text, p_key text default null, p_practice text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_most constant int := 8;
  v_practice text := private.clean_line(p_practice, 48);
  v_key text := coalesce(p_key, p_area_key || '.' || btrim(
    regexp_replace(private.plain_words(v_practice), '[^a-z]+', '-', 'g'), '-'
  ));
  v_before public.quiz_questions;
begin
  perform private.require_admin();
  perform private.require_quiz_draft(p_version_id);
  if not exists (
    select from public.quiz_version_areas a where a.version_id = p_version_id and a.area_key = p_area_key
  ) then
    raise exception 'We can’t find this area.' using errcode = 'P0002', hint = 'area';
  end if;
  if v_key is null or v_key !~ '^[a-z-]+\.[a-z-]*[a-z]$' or char_length(v_key) > 120
    or not starts_with(v_key, p_area_key || '.')
  then
    raise exception 'Name the practice in a few words.' using errcode = '22023', hint = 'practice';
  end if;
  if exists (
    select from public.quiz_questions q where q.version_id = p_version_id and q.key = v_key
  ) then
    raise exception 'There’s a question about this practice already.'
      using errcode = '22023', hint = 'practice';
  end if;
  if (
    select count(*) >= c_most from public.quiz_questions q
    where q.version_id = p_version_id and q.area_key = p_area_key
  ) then
    raise exception 'A draft can have % questions an area. Remove one first.', c_most
      using errcode = '55000';
  end if;
  perform private.count_writes('quiz_drafts');
  v_before := private.quiz_question_before(p_version_id, v_key);
  insert into public.quiz_questions (
    version_id, key, area_key, practice, position, text, help, anchors, weight, action, meaning
  ) values (
    p_version_id, v_key, p_area_key,
    coalesce(v_before.practice, v_practice, (
      select t.title from public.toolbox_items t
      where t.practice = v_key and t.state = 'published' order by t.slug limit 1
    ), ''),
    20000, coalesce(v_before.text, ''), v_before.help,
    coalesce(v_before.anchors, array['', '', '', '', '']), coalesce(v_before.weight, 1),
    coalesce(v_before.action, ''), coalesce(v_before.meaning, 1)
  );
  perform private.number_quiz_questions(p_version_id);
  perform private.mark_quiz_part(p_version_id, v_key);
  return jsonb_build_object('key', v_key, 'version', private.quiz_draft_json(p_version_id));
end
$$;
comment on function public.add_quiz_question(uuid, text, text, text) is
  'An admin adds a question to an area of a draft, about a practice with a tool (its key) or a new one (its name): {key, version}. If an earlier version asked it, it comes with those words.';
grant execute on function public.add_quiz_question(uuid, text, text, text) to authenticated;

create function public.remove_quiz_question(p_version_id uuid, p_key text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.require_quiz_draft(p_version_id);
  perform private.count_writes('quiz_drafts');
  delete from public.quiz_questions q where q.version_id = p_version_id and q.key = p_key;
  if found then
    -- Not its row: someone who's still editing it doesn't save over the same practice added again.
    perform private.mark_quiz_part(p_version_id, p_key);
    perform private.number_quiz_questions(p_version_id);
  end if;
  return private.quiz_draft_json(p_version_id);
end
$$;
comment on function public.remove_quiz_question(uuid, text) is
  'An admin removes a question from a draft, and gets the draft without it.';
grant execute on function public.remove_quiz_question(uuid, text) to authenticated;

-- Publishing and discarding ---------------------------------------------------------------------

create function public.publish_quiz_draft(p_id uuid, p_fingerprint text, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_draft public.quiz_versions;
  v_reason text;
  v_number int;
  v_before jsonb;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  select v.number into v_number from public.quiz_versions v where v.id = p_id and v.state = 'published';
  if found then
    -- Sent twice.
    return jsonb_build_object('id', p_id, 'number', v_number);
  end if;
  perform private.one_at_a_time('quiz_draft', '00000000-0000-0000-0000-000000000000');
  v_draft := private.require_quiz_draft(p_id);
  if exists (select from private.quiz_problems(p_id)) then
    raise exception 'Something keeps this version from being published: %',
      (select p.problem from private.quiz_problems(p_id) p limit 1) using errcode = '55000';
  end if;
  if private.quiz_fingerprint(p_id) is distinct from p_fingerprint then
    raise exception 'Someone changed this draft while you were looking. Close this, read the changes again, and publish.'
      using errcode = '55000';
  end if;
  v_before := private.quiz_version_json(v_draft.created_from);
  -- The trigger retires the version before, in this transaction.
  update public.quiz_versions v set state = 'published' where v.id = p_id;
  delete from private.quiz_draft_parts p where p.version_id = p_id;
  perform private.audit('quiz_version.publish', 'quiz_version', p_id::text, v_reason, (
    select jsonb_build_object(
      'version', v_draft.number, 'from_version', v_before -> 'number',
      'questions_added', count(*) filter (where o is null),
      'questions_changed', count(*) filter (
        where o - '{position}'::text[] <> q - '{position}'::text[]
      ),
      'questions_removed', jsonb_array_length(v_before -> 'questions')
        - count(*) filter (where o is not null)
    )
    from jsonb_array_elements(private.quiz_version_json(p_id)::jsonb -> 'questions') q
    left join jsonb_array_elements(v_before -> 'questions') o on o -> 'key' = q -> 'key'
  ));
  return jsonb_build_object('id', p_id, 'number', v_draft.number);
end
$$;
comment on function public.publish_quiz_draft(uuid, text, text) is
  'An admin publishes a draft as they read it (its fingerprint), with a reason; the version before is retired. Attempts stay with the version they started with. {id, number}.';
grant execute on function public.publish_quiz_draft(uuid, text, text) to authenticated;

create function public.discard_quiz_draft(p_id uuid, p_discarded boolean default true) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_version public.quiz_versions;
begin
  perform private.require_admin();
  perform private.one_at_a_time('quiz_draft', '00000000-0000-0000-0000-000000000000');
  select * into v_version from public.quiz_versions v where v.id = p_id for update;
  if not found then
    raise exception 'We can’t find this version of the quiz.' using errcode = 'P0002', hint = 'id';
  end if;
  if v_version.state <> 'draft' then
    raise exception 'Version % has been published, so it stays.', v_version.number
      using errcode = '55000';
  end if;
  if p_discarded is distinct from (v_version.discarded_at is not null) then
    if not p_discarded and exists (
      select from public.quiz_versions v where v.state = 'draft' and v.discarded_at is null
    ) then
      raise exception 'There’s another draft. Publish or discard it first.' using errcode = '55000';
    end if;
    update public.quiz_versions v set discarded_at = case when p_discarded then now() end
    where v.id = p_id;
    perform private.audit(
      case when p_discarded then 'quiz_version.discard' else 'quiz_version.restore' end,
      'quiz_version', p_id::text, null, jsonb_build_object('version', v_version.number)
    );
  end if;
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.discard_quiz_draft(uuid, boolean) is
  'An admin discards a draft, or restores it within 30 days: {id}.';
grant execute on function public.discard_quiz_draft(uuid, boolean) to authenticated;

create function private.delete_discarded_quiz_drafts() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.quiz_versions v
    where v.state = 'draft' and v.discarded_at < now() - interval '30 days' returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_discarded_quiz_drafts', interval '1 day');

-- Statistics ------------------------------------------------------------------------------------

create function private.quiz_statistics(p_version_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  -- How many have to have answered, so that nobody can be told apart, and for figures that say little
  -- about fewer.
  with fewest as (select 5 as answers, 20 as complete),
  attempts as (
    select t.id from public.attempts t
    where t.version_id = p_version_id and t.kind = 'full' and t.state = 'submitted'
  ),
  questions as (
    select q.key, q.area_key, q.practice, q.text, q.position,
      count(*) over (partition by q.area_key) as in_area
    from public.quiz_questions q where q.version_id = p_version_id
  ),
  answers as (
    select n.attempt_id, n.value, n.applies, q.key, q.area_key, q.in_area
    from attempts t
    join public.answers n on n.attempt_id = t.id
    join questions q on q.key = n.question_key
  ),
  -- Attempts that answered every question of an area, and their sum.
  complete as (
    select a.attempt_id, a.area_key, sum(a.value)::double precision as total
    from answers a where a.value is not null
    group by a.attempt_id, a.area_key, a.in_area
    having count(*) = a.in_area
  ),
  items as (
    select a.key, a.area_key, var_samp(a.value::double precision) as variance,
      corr(a.value, c.total - a.value) as discrimination
    from complete c
    join answers a on a.attempt_id = c.attempt_id and a.area_key = c.area_key
    group by a.key, a.area_key
  ),
  areas as (
    select c.area_key, c.attempts, i.questions, c.variance as total, i.variance as sum
    from (
      select area_key, count(*) as attempts, var_samp(total) as variance from complete group by area_key
    ) c
    join (
      select area_key, count(*) as questions, sum(variance) as variance from items group by area_key
    ) i on i.area_key = c.area_key
  ),
  spread as (
    select a.key, count(a.value) as answers, count(*) filter (where not a.applies) as not_applicable,
      avg(a.value)::double precision as mean, stddev_samp(a.value)::double precision as sd,
      array[
        count(*) filter (where a.value = 0), count(*) filter (where a.value = 1),
        count(*) filter (where a.value = 2), count(*) filter (where a.value = 3),
        count(*) filter (where a.value = 4)
      ] as counts
    from answers a group by a.key
  )
  select jsonb_build_object(
    'attempts', (select count(*) from attempts),
    'fewest', f.answers,
    'fewest_complete', f.complete,
    'areas', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'key', s.key, 'name', s.name, 'complete', coalesce(a.attempts, 0),
          'alpha', case when a.attempts >= f.complete and a.questions > 1 then
            a.questions / (a.questions - 1.0) * (1 - a.sum / nullif(a.total, 0))
          end,
          'questions', (
            select jsonb_agg(
              jsonb_build_object(
                'key', q.key, 'practice', q.practice, 'text', q.text,
                'answers', coalesce(p.answers, 0),
                'not_applicable', coalesce(p.not_applicable, 0),
                'counts', case when p.answers >= f.answers then p.counts end,
                'mean', case when p.answers >= f.answers then p.mean end,
                'sd', case when p.answers >= f.answers then p.sd end,
                'discrimination', case when a.attempts >= f.complete then i.discrimination end
              ) order by q.position
            )
            from questions q
            left join spread p on p.key = q.key
            left join items i on i.key = q.key
            where q.area_key = s.key
          )
        ) order by s.position
      ), '[]')
      from public.quiz_version_areas v
      join public.skill_areas s on s.key = v.area_key
      left join areas a on a.area_key = s.key
      where v.version_id = p_version_id
    )
  )
  from fewest f
$$;
comment on function private.quiz_statistics(uuid) is
  'How the questions of a version work, over finished full quizzes that weren''t set aside. Alpha: k/(k-1) · (1 − Σ variances of the questions / variance of their sum), L. J. Cronbach, "Coefficient alpha and the internal structure of tests", Psychometrika 16(3), 1951. Discrimination: the correlation of a question with the sum of the others in its area (corrected item–total correlation), J. C. Nunnally and I. H. Bernstein, "Psychometric theory", 3rd edition, 1994, chapter 8. Both over attempts that answered the whole area; variances with n − 1.';

create function public.admin_quiz_statistics(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.quiz_versions v where v.id = p_id and v.state <> 'draft') then
    return null;
  end if;
  return private.quiz_statistics(p_id);
end
$$;
comment on function public.admin_quiz_statistics(uuid) is
  'Statistics of a published version, question by question and area by area; null if there''s none. Figures of fewer answers than {fewest, fewest_complete} are null.';
grant execute on function public.admin_quiz_statistics(uuid) to authenticated;
