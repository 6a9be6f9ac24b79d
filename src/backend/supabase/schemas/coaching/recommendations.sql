-- Recommendations: a tool or a project that a coach suggests to a client, with a note.
--
--   recommendation:  open → taken | dismissed

create table public.coach_recommendations (
  id uuid primary key,
  engagement_id uuid not null references public.engagements (id),
  coach_id uuid references auth.users (id) on delete set null,
  kind text not null check (kind in ('tool', 'project')),
  tool_slug text check (char_length(tool_slug) <= 120),
  title text check (char_length(title) between 1 and 120),
  area_key text references public.skill_areas (key),
  note text check (char_length(note) <= 500),
  state text not null default 'open' check (state in ('open', 'taken', 'dismissed')),
  -- What the owner started from it.
  project_id uuid references public.projects (id) on delete set null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((kind = 'tool') = (tool_slug is not null)),
  check ((kind = 'project') = (title is not null)),
  check ((state = 'open') = (settled_at is null))
);
comment on table public.coach_recommendations is
  'Tools and projects that coaches recommend to clients. Read through procedures.';

create index coach_recommendations_engagement_id_idx
  on public.coach_recommendations (engagement_id, state, created_at);
create index coach_recommendations_coach_id_idx on public.coach_recommendations (coach_id);
create index coach_recommendations_area_key_idx on public.coach_recommendations (area_key);
create index coach_recommendations_project_id_idx on public.coach_recommendations (project_id);

alter table public.coach_recommendations enable row level security;

create function private.recommendation_json(p_recommended public.coach_recommendations)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_recommended.id, 'kind', p_recommended.kind,
    'tool', case
      when p_recommended.tool_slug is not null then private.tool_link(p_recommended.tool_slug)
    end, 'title', p_recommended.title,
    'area_key', p_recommended.area_key, 'note', p_recommended.note, 'state', p_recommended.state,
    'project_id', p_recommended.project_id, 'created_at', p_recommended.created_at,
    'settled_at', p_recommended.settled_at
  );
end
$$;

create function private.check_recommendation(
  p_kind text, p_tool_slug text, p_title text, p_area_key text, p_note text
) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_kind is null or p_kind not in ('tool', 'project') then
    raise exception 'Recommend a tool or a project.' using errcode = '22023', hint = 'kind';
  end if;
  if p_kind = 'tool' and private.tool_link(p_tool_slug) is null then
    raise exception 'Choose a tool from the toolbox.' using errcode = '22023', hint = 'tool_slug';
  end if;
  if p_kind = 'project' and char_length(btrim(coalesce(p_title, ''))) not between 1 and 120 then
    raise exception 'Give the project a title of 1 to 120 characters.'
      using errcode = '22023', hint = 'title';
  end if;
  if p_area_key is not null
    and not exists (select from public.skill_areas k where k.key = p_area_key)
  then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'area_key';
  end if;
  perform private.clean_text(p_note, 500, 'note');
end
$$;

create function public.recommend(
  p_id uuid, p_engagement_id uuid, p_kind text, p_tool_slug text, p_title text, p_area_key text,
  p_note text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_made public.coach_recommendations;
begin
  select * into v_made from public.coach_recommendations r where r.id = p_id;
  if found then
    if v_made.engagement_id <> p_engagement_id then
      raise exception 'This recommendation already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.recommendation_json(v_made);
  end if;
  if p_id is null then
    raise exception 'A recommendation needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_under_way(v_engagement);
  perform private.limit_daily('recommend', p_engagement_id, 50);
  perform private.check_recommendation(p_kind, p_tool_slug, p_title, p_area_key, p_note);
  insert into public.coach_recommendations (
    id, engagement_id, coach_id, kind, tool_slug, title, area_key, note
  ) values (
    p_id, p_engagement_id, v_user_id, p_kind,
    case p_kind when 'tool' then p_tool_slug end,
    case p_kind when 'project' then private.clean_line(p_title, 120) end,
    coalesce(p_area_key, (
      select i.area_key from public.toolbox_items i where p_kind = 'tool' and i.slug = p_tool_slug
    )),
    private.clean_text(p_note, 500, 'note')
  )
  returning * into v_made;
  perform private.notify(
    v_engagement.owner_id, p_kind, 'recommendation:' || p_id,
    coalesce(private.name_of(v_user_id), 'Your coach') || case p_kind
      when 'tool' then ' recommends a tool: ' else ' recommends a project: '
    end || coalesce(private.tool_link(p_tool_slug) ->> 'title', v_made.title),
    coalesce(v_made.note, ''),
    case p_kind when 'tool' then '/dashboard/toolbox?item=' || p_tool_slug else '/dashboard/coaching' end,
    case p_kind when 'tool' then 'Open the tool' else 'Your coaching' end
  );
  return private.recommendation_json(v_made);
end
$$;
comment on function public.recommend(uuid, uuid, text, text, text, text, text) is
  'A coach recommends a tool or a project to a client, once under its id; the recommendation. The owner is notified.';
grant execute on function public.recommend(uuid, uuid, text, text, text, text, text) to authenticated;

create function public.settle_recommendation(
  p_id uuid, p_state text, p_project_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_made public.coach_recommendations;
  v_business_id uuid;
begin
  select r.* into v_made
  from public.coach_recommendations r join public.engagements e on e.id = r.engagement_id
  where r.id = p_id and e.owner_id = v_user_id
  for update of r;
  if not found then
    raise exception 'We can’t find this recommendation.' using errcode = 'P0002', hint = 'id';
  end if;
  if p_state is null or p_state not in ('taken', 'dismissed') then
    raise exception 'A recommendation is taken or dismissed.' using errcode = '22023', hint = 'state';
  end if;
  select e.business_id into v_business_id
  from public.engagements e where e.id = v_made.engagement_id;
  if p_project_id is not null and not exists (
    select from public.projects p where p.id = p_project_id and p.business_id = v_business_id
  ) then
    raise exception 'Choose one of the business’s projects.'
      using errcode = '22023', hint = 'project_id';
  end if;
  if (v_made.state, v_made.project_id) is distinct from (p_state, p_project_id) then
    update public.coach_recommendations r set
      state = p_state, project_id = coalesce(p_project_id, r.project_id),
      settled_at = coalesce(r.settled_at, now())
    where r.id = p_id
    returning * into v_made;
  end if;
  return private.recommendation_json(v_made);
end
$$;
comment on function public.settle_recommendation(uuid, text, uuid) is
  'An owner takes a recommendation, with the project started from it, or dismisses it; the recommendation. Idempotent.';
grant execute on function public.settle_recommendation(uuid, text, uuid) to authenticated;
