-- Quiz versions: draft → published → retired. One is published: the next one retires it, and nothing
-- else does. A published version never changes again, so that an attempt can always be read as it was
-- taken. Admins edit drafts (admin/quiz_drafts.sql).
--
-- There's one quiz. The first look is its questions marked first_look, one per area.

create table public.quiz_versions (
  id uuid primary key,
  number int not null unique check (number > 0),
  state text not null default 'draft' check (state in ('draft', 'published', 'retired')),
  title text not null check (char_length(title) between 1 and 160),
  published_at timestamptz,
  created_from uuid references public.quiz_versions (id),
  created_at timestamptz not null default now(),
  -- Set on a draft that's not wanted anymore; it can be restored until it's deleted.
  discarded_at timestamptz,
  check ((state = 'draft') = (published_at is null)),
  check (state = 'draft' or discarded_at is null)
);
comment on table public.quiz_versions is
  'Editions of the quiz. Publishing one retires the previous one; a published version can''t change.';

create unique index quiz_versions_one_published_idx on public.quiz_versions (state)
  where state = 'published';
create index quiz_versions_created_from_idx on public.quiz_versions (created_from);

create table public.quiz_version_areas (
  version_id uuid not null references public.quiz_versions (id) on delete cascade,
  area_key text not null references public.skill_areas (key),
  importance smallint not null check (importance between 1 and 3),
  -- A yes-or-no question before the area's own: whoever answers no skips them, as none of them
  -- applies ("Does anyone work with you?"). Null where everyone is asked.
  skip_question text check (char_length(skip_question) between 1 and 160),
  skip_help text check (char_length(skip_help) between 1 and 240),
  primary key (version_id, area_key),
  check (skip_help is null or skip_question is not null)
);
comment on table public.quiz_version_areas is 'Areas of a version, and how much each matters (1 to 3).';

create index quiz_version_areas_area_key_idx on public.quiz_version_areas (area_key);

create table public.quiz_questions (
  version_id uuid not null,
  key text not null check (char_length(key) between 1 and 120),
  area_key text not null,
  practice text not null,
  position smallint not null check (position > 0),
  text text not null,
  help text,
  -- What 0, 1, 2, 3 and 4 mean for this question.
  anchors text[] not null check (cardinality(anchors) = 5 and array_position(anchors, null) is null),
  weight numeric not null check (weight > 0 and weight <= 100),
  -- What to do in the next 30 days when this practice is the weakest.
  action text not null,
  -- Changes when the same key asks something else; only answers with equal meanings are compared.
  meaning int not null default 1 check (meaning > 0),
  first_look boolean not null default false,
  primary key (version_id, key),
  unique (version_id, position),
  foreign key (version_id, area_key) references public.quiz_version_areas (version_id, area_key)
    on delete cascade
);
comment on table public.quiz_questions is 'Questions of a version, each answered 0 to 4 or "doesn''t apply".';

create index quiz_questions_area_idx on public.quiz_questions (version_id, area_key);
create unique index quiz_questions_one_first_look_idx on public.quiz_questions (version_id, area_key)
  where first_look;

-- Row-level security ----------------------------------------------------------------------------

alter table public.quiz_versions enable row level security;
alter table public.quiz_version_areas enable row level security;
alter table public.quiz_questions enable row level security;

create policy "Everyone signed in reads what was published, admins read drafts"
  on public.quiz_versions for select to authenticated
  using ((select private.session_ok()) and (state <> 'draft' or (select private.is_admin())));

create policy "The areas of a version are read with it"
  on public.quiz_version_areas for select to authenticated
  using (
    (select private.session_ok()) and version_id in (select v.id from public.quiz_versions v)
  );

create policy "The questions of a version are read with it"
  on public.quiz_questions for select to authenticated
  using (
    (select private.session_ok()) and version_id in (select v.id from public.quiz_versions v)
  );

grant select on public.quiz_versions, public.quiz_version_areas, public.quiz_questions
  to authenticated;

-- Published versions never change ---------------------------------------------------------------

create function private.guard_quiz_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'draft' then
      raise exception 'A quiz version starts as a draft.' using errcode = '55000';
    end if;
    return new;
  end if;

  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'A published version of the quiz can’t be removed.' using errcode = '55000';
    end if;
    return old;
  end if;

  if old.state = 'draft' and new.state = 'draft' then
    return new;
  end if;

  if old.state = 'draft' and new.state = 'published' then
    if not exists (select from public.quiz_version_areas a where a.version_id = new.id)
      or exists (
        select from public.quiz_version_areas a
        where a.version_id = new.id
          and (
            select count(*) < 2 or count(*) filter (where q.first_look) <> 1
            from public.quiz_questions q
            where q.version_id = a.version_id and q.area_key = a.area_key
          )
      )
    then
      raise exception 'Each area needs two questions, one of them in the first look.'
        using errcode = '22023', hint = 'questions';
    end if;
    update public.quiz_versions v set state = 'retired' where v.state = 'published';
    -- They're of the version that is retired now.
    update private.jobs j set run_at = now() where j.kind = 'refresh_benchmarks';
    new.published_at := now();
    return new;
  end if;

  -- Only by the update above, so that there's always a quiz.
  if old.state = 'published' and new.state = 'retired' and pg_trigger_depth() > 1
    and to_jsonb(new) - 'state' = to_jsonb(old) - 'state'
  then
    return new;
  end if;

  raise exception 'A published version of the quiz can’t change.' using errcode = '55000';
end
$$;
comment on function private.guard_quiz_version() is
  'draft → published → retired and nothing else. Publishing checks that the version is complete and retires the previous one.';
create trigger quiz_versions_are_kept before insert or update or delete on public.quiz_versions
  for each row execute function private.guard_quiz_version();
create trigger quiz_versions_take_steps before insert or update of state on public.quiz_versions
  for each row execute function private.check_transition('quiz', 'state');

create function private.guard_quiz_words() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_version_id uuid := case when tg_op = 'DELETE' then old.version_id else new.version_id end;
  v_state text;
begin
  if tg_op = 'UPDATE' and new.version_id <> old.version_id then
    raise exception 'A question stays in its version.' using errcode = '55000';
  end if;
  -- The lock makes publishing wait for a change that is under way, and the other way round. A
  -- version that is gone is being removed as a draft, with all that is in it.
  select v.state into v_state from public.quiz_versions v where v.id = v_version_id for share;
  if v_state <> 'draft' then
    raise exception 'A published version of the quiz can’t change.' using errcode = '55000';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger quiz_version_areas_are_kept
  before insert or update or delete on public.quiz_version_areas
  for each row execute function private.guard_quiz_words();
create trigger quiz_questions_are_kept before insert or update or delete on public.quiz_questions
  for each row execute function private.guard_quiz_words();

create trigger quiz_versions_are_never_emptied before truncate on public.quiz_versions
  for each statement execute function private.refuse_change();
create trigger quiz_version_areas_are_never_emptied before truncate on public.quiz_version_areas
  for each statement execute function private.refuse_change();
create trigger quiz_questions_are_never_emptied before truncate on public.quiz_questions
  for each statement execute function private.refuse_change();

-- Reading the quiz ------------------------------------------------------------------------------

create function private.quiz_version_json(p_version_id uuid) returns json
-- Not jsonb, and rows in place of objects: it's 25 kB, which would be taken apart and put together
-- again by each function that hands it on.
language sql stable security definer set search_path = '' as $$
  select json_build_object(
    'id', v.id,
    'number', v.number,
    'title', v.title,
    'areas', (
      select coalesce(json_agg(a order by a.position), '[]')
      from (
        select s.key, s.name, s.short_name, s.position, a.importance,
          case when a.skip_question is not null then json_build_object(
            'question', a.skip_question, 'help', a.skip_help
          ) end as skip
        from public.quiz_version_areas a
        join public.skill_areas s on s.key = a.area_key
        where a.version_id = v.id
      ) a
    ),
    'questions', (
      select coalesce(json_agg(q order by q.position), '[]')
      from (
        select q.key, q.area_key, q.practice, q.position, q.text, q.help, q.anchors, q.weight,
          q.action, q.first_look
        from public.quiz_questions q
        where q.version_id = v.id
      ) q
    )
  )
  from public.quiz_versions v
  where v.id = p_version_id
$$;
comment on function private.quiz_version_json(uuid) is
  'A version with its areas and questions in order, drafts too: the function that calls it has checked that the caller may read it.';

create function public.get_quiz() returns json
language sql stable security definer set search_path = '' as $$
  select private.quiz_version_json(v.id) from public.quiz_versions v where v.state = 'published'
$$;
comment on function public.get_quiz() is 'The published quiz, for everyone; null before the first one.';
grant execute on function public.get_quiz() to anon, authenticated;
