-- Attempts at the quiz as admins see them: whose they are and how far they got. Answers and scores
-- aren't part of it.

create index attempts_listed_idx
  on public.attempts ((coalesce(submitted_at, started_at)), id);
create index attempts_listed_by_state_idx
  on public.attempts (state, (coalesce(submitted_at, started_at)), id);
create index attempts_listed_by_version_idx
  on public.attempts (version_id, (coalesce(submitted_at, started_at)), id);

-- In a table of its own, because the names of its business and person change without it.
create table private.attempt_words (
  attempt_id uuid primary key references public.attempts (id) on delete cascade,
  words tsvector not null
);
comment on table private.attempt_words is
  'Words of the names of each attempt''s business and person, for admins'' searches. Triggers keep it current.';
create index attempt_words_words_idx on private.attempt_words using gin (words);
alter table private.attempt_words enable row level security;

create function private.name_attempts(p_ids uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.attempt_words as w (attempt_id, words)
  select t.id, private.name_words(concat_ws(' ', b.name, p.full_name, p.preferred_name))
  from public.attempts t
  left join public.businesses b on b.id = t.business_id
  left join public.profiles p on p.user_id = t.user_id
  where t.id = any (p_ids)
  on conflict (attempt_id) do update set words = excluded.words where w.words <> excluded.words
$$;
comment on function private.name_attempts(uuid[]) is
  'Brings up to date what attempts are found by.';

create function private.name_attempt() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.name_attempts(case tg_table_name
    when 'attempts' then array[(to_jsonb(new) ->> 'id')::uuid]
    when 'businesses' then array(
      select t.id from public.attempts t where t.business_id = (to_jsonb(new) ->> 'id')::uuid
    )
    else array(
      select t.id from public.attempts t where t.user_id = (to_jsonb(new) ->> 'user_id')::uuid
    )
  end);
  return null;
end
$$;
create trigger name_attempt_first after insert on public.attempts
  for each row execute function private.name_attempt();
create trigger name_attempt after update on public.attempts
  for each row
  when (
    old.user_id is distinct from new.user_id or old.business_id is distinct from new.business_id
  )
  execute function private.name_attempt();
create trigger name_attempts after update of name on public.businesses
  for each row when (old.name <> new.name) execute function private.name_attempt();
create trigger name_attempts after update of full_name, preferred_name on public.profiles
  for each row
  when (
    old.full_name is distinct from new.full_name
    or old.preferred_name is distinct from new.preferred_name
  )
  execute function private.name_attempt();

create function public.admin_attempts(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_since timestamptz;
begin
  perform private.require_admin();
  perform private.audit('attempt.list', 'attempt', null, null, p_filter);
  v_since := private.day_start((p_filter ->> 'since')::date);
  return private.list_page(
    $from$
      (
        select t.*, w.words
        from public.attempts t left join private.attempt_words w on w.attempt_id = t.id
      ) r
    $from$,
    $row$
      jsonb_build_object(
        'kind', r.kind, 'state', r.state, 'started_at', r.started_at,
        'submitted_at', r.submitted_at, 'void_reason', r.void_reason,
        'version', (select v.number from public.quiz_versions v where v.id = r.version_id),
        'business', (
          select jsonb_build_object('id', b.id, 'name', b.name)
          from public.businesses b where b.id = r.business_id
        ),
        'person', case when r.user_id is not null then
          jsonb_build_object('id', r.user_id, 'name', private.name_of(r.user_id)) end
      )
    $row$,
    array[
      case when p_filter ? 'state' then 'r.state = $1 ->> ''state''' end,
      case when p_filter ? 'version' then 'r.version_id = ($1 ->> ''version'')::uuid' end,
      -- Twice, because only the second is a range of the index that the list is in the order of, and
      -- as constants, because a function would be called for each row.
      case when v_since is not null then format(
        'r.submitted_at >= %1$L and coalesce(r.submitted_at, r.started_at) >= %1$L', v_since
      ) end
    ],
    'coalesce(r.submitted_at, r.started_at)', 'timestamptz',
    coalesce(p_filter ->> 'sort', 'newest') = 'newest',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'version', (
      select coalesce(jsonb_agg(
        jsonb_build_object('value', v.id, 'label', 'Version ' || v.number) order by v.number desc
      ), '[]')
      from public.quiz_versions v where v.state <> 'draft'
    )
  ) end);
exception
  when invalid_datetime_format or datetime_field_overflow then
    raise exception 'Choose a date.' using errcode = '22023', hint = 'since';
end
$$;
comment on function public.admin_attempts(jsonb, jsonb, int) is
  'A page of attempts by {words (of the business''s or the person''s name), state, version (its id), since (a day where the caller is: finished then or later), sort ("newest", "oldest": by when they were finished or, if they weren''t, started)}, with the choices of versions, and without scores; see list_page.';
grant execute on function public.admin_attempts(jsonb, jsonb, int) to authenticated;
