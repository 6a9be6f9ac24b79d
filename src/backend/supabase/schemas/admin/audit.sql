-- The audit log on a screen: who saw or changed what, when and why.

create index audit_log_at_idx on public.audit_log (at, id);
create index audit_log_action_idx on public.audit_log (action, at, id);
create index audit_log_business_idx on public.audit_log ((details ->> 'business_id'), at, id);
create index audit_log_person_idx on public.audit_log ((details ->> 'person_id'), at, id);

create function private.about_people(p_ids text[]) returns text
language sql immutable set search_path = '' as $$
  -- The ids as constants: only then does the planner know whether few or most rows have them.
  select format(
    '(r.actor_id = any (%1$L::uuid[]) or r.entity = ''user'' and r.entity_id = any (%1$L::text[]) or r.details ->> ''person_id'' = any (%1$L::text[]))',
    p_ids
  )
$$;
comment on function private.about_people(text[]) is
  'The condition on r that one of these people did it, or that it was done about them.';

create function private.about_businesses(p_ids text[]) returns text
language sql immutable set search_path = '' as $$
  select format(
    '(r.entity = ''business'' and r.entity_id = any (%1$L::text[]) or r.details ->> ''business_id'' = any (%1$L::text[]))',
    p_ids
  )
$$;
comment on function private.about_businesses(text[]) is
  'The condition on r that it was done about one of these businesses.';

create function private.about_words(p_words text) returns text
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function private.about_words(text) is
  'The condition on r that it was done by or about people or businesses with these words, at most 100 of each.';

create function private.is_reading(p_action text) returns boolean
language sql immutable set search_path = '' as $$
  select p_action ~ '\.(list|read|summary|compare|preview_merge|check_import)$'
$$;
comment on function private.is_reading(text) is
  'Whether an action of the audit log only read something.';
-- Reading is most of it.
create index audit_log_changes_idx on public.audit_log (at, id)
  where not private.is_reading(action);

create function private.day_start(p_day date) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select p_day::timestamp at time zone private.time_zone_of((select auth.uid()))
$$;
comment on function private.day_start(date) is 'The start of a day where the caller is.';

create function public.admin_audit(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.admin_audit(jsonb, jsonb, int) is
  'A page of the audit log, newest first, by {words (of a person''s name, email or business), person, business, action, kind ("changes", "reads"), from, to (days where the caller is)}; see list_page.';
grant execute on function public.admin_audit(jsonb, jsonb, int) to authenticated;
