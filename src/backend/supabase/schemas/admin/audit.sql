-- The audit log on a screen: who saw or changed what, when and why.

create index audit_log_at_idx on public.audit_log (at, id);
create index audit_log_action_idx on public.audit_log (action, at, id);
create index audit_log_business_idx on public.audit_log ((details ->> 'business_id'), at, id);

create function private.people_called(p_words text) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(
    select w.user_id from private.person_words w
    where w.words @@ private.name_query(p_words) limit 100
  )
$$;
comment on function private.people_called(text) is
  'At most 100 people whose name, email address or business has these words.';

create function private.is_reading(p_action text) returns boolean
language sql immutable set search_path = '' as $$
  select p_action ~ '\.(list|read|summary|compare|preview_merge|check_import)$'
$$;
comment on function private.is_reading(text) is
  'Whether an action of the audit log only read something.';

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
          when 'user' then (select p.full_name from public.profiles p where p.user_id::text = r.entity_id)
          when 'business' then (select b.name from public.businesses b where b.id::text = r.entity_id)
          when 'project' then (select p.title from public.projects p where p.id::text = r.entity_id)
        end
      )
    $row$,
    array[
      case when p_filter ? 'words' then
        '(r.actor_id = any (private.people_called($1 ->> ''words'')) or r.entity = ''user'' and r.entity_id = any (private.people_called($1 ->> ''words'')::text[]))'
      end,
      case when p_filter ? 'person' then
        '(r.actor_id = ($1 ->> ''person'')::uuid or r.entity = ''user'' and r.entity_id = $1 ->> ''person'')'
      end,
      case when p_filter ? 'business' then
        '(r.entity = ''business'' and r.entity_id = $1 ->> ''business'' or r.details ->> ''business_id'' = $1 ->> ''business'')'
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
