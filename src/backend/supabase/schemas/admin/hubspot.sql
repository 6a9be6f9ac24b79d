-- The screen for HubSpot: how far the sync is, a dry run, the mapping, and what was refused.

create function private.hubspot_json() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'state', s.state, 'mapping', s.mapping, 'previewed_at', s.previewed_at,
    'connection', s.connection,
    'agreed', (select count(*) from public.contacts c where c.newsletter = 'subscribed'),
    'not_agreed', (select count(*) from public.contacts c where c.newsletter <> 'subscribed'),
    'records', (
      select coalesce(jsonb_agg(to_jsonb(n)), '[]') from (
        select r.kind, r.state, r.wants, r.change, count(*)::int as count
        from private.hubspot_records r group by 1, 2, 3, 4 order by 1, 2, 3, 4
      ) n
    ),
    'links', (select count(*) from private.hubspot_links l where l.linked_at is not null),
    'refused_links', (select count(*) from private.hubspot_links l where l.linked_at is null),
    'job', (
      select jsonb_build_object('state', j.state, 'error', j.last_error, 'run_at', j.run_at)
      from private.jobs j
      where j.kind = 'hubspot_sync' and j.state in ('waiting', 'running', 'failed')
      order by j.state = 'running' desc, j.created_at desc limit 1
    )
  )
  from private.hubspot_settings s
$$;
create function public.admin_hubspot() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Not in the audit log: it names nobody, and the screen reads it every few seconds while a run lasts.
  perform private.require_admin();
  return private.hubspot_json();
end
$$;

comment on function public.admin_hubspot() is
  'How far the sync with HubSpot is: {state, mapping, previewed_at, connection (see keep_hubspot_connection), agreed and not_agreed (contacts), records: [{kind, state, wants, change, count}], links, refused_links, job: {state, error, run_at} or null}.';

create function public.admin_hubspot_records(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('hubspot.list', 'hubspot', null, null, p_filter);
  return private.list_page(
    'private.hubspot_records r',
    $row$
      jsonb_build_object(
        'kind', r.kind, 'source_id', r.source_id, 'label', r.label, 'wants', r.wants,
        'state', r.state, 'change', r.change, 'attempts', r.attempts, 'sent_at', r.sent_at,
        'reason', coalesce(r.reason, (
          select 'Not shown with its company: ' || l.reason from private.hubspot_links l
          where l.contact_id = r.id and l.linked_at is null limit 1
        )),
        'changes', case when r.change in ('new', 'changed') then (
          select coalesce(jsonb_agg(jsonb_build_object(
            'property', p.key, 'old', r.found ->> p.key, 'new', p.value
          ) order by p.key), '[]')
          from private.hubspot_content(r.kind, array[r.source_id]) c, jsonb_each_text(c.properties) p
          where p.value is distinct from coalesce(r.found ->> p.key, '')
        ) else '[]' end
      )
    $row$,
    array[
      case when p_filter ->> 'kind' in ('contact', 'company') then 'r.kind = $1 ->> ''kind''' end,
      case p_filter ->> 'state'
        when 'refused' then $where$(r.state = 'refused' or exists (
          select from private.hubspot_links l where l.contact_id = r.id and l.linked_at is null
        ))$where$
        when 'waiting' then 'r.state in (''waiting'', ''sending'')'
        when 'sent' then 'r.state in (''sent'', ''unchanged'')'
        when 'removed' then 'r.state = ''removed'''
      end,
      case when p_filter ? 'change' then 'r.change = $1 ->> ''change''' end
    ],
    'r.label', 'text', false, p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_hubspot_records(jsonb, jsonb, int) is
  'A page of HubSpot records by {words (of an address or company), kind, state ("waiting", "sent", "refused", "removed"), change ("new", "changed", "unchanged")}, each with changes: [{property, old, new}] of the dry run; see list_page.';

create function public.map_hubspot(p_mapping jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_known constant jsonb := '{
    "contact": ["id", "email", "first_name", "last_name", "business", "subscribed_on", "agreed_to"],
    "company": ["id", "name", "website"]
  }';
  c_needed constant jsonb := '{"contact": ["id", "email"], "company": ["id", "name"]}';
  v_settings private.hubspot_settings;
  v_mapping jsonb := jsonb_build_object('contact', p_mapping -> 'contact', 'company', p_mapping -> 'company');
  v_kind text;
begin
  perform private.require_admin();
  foreach v_kind in array array['contact', 'company'] loop
    if coalesce(jsonb_typeof(p_mapping -> v_kind), '') <> 'object'
      or exists (
        select from jsonb_each(p_mapping -> v_kind) m
        where not c_known -> v_kind ? m.key or jsonb_typeof(m.value) <> 'string'
          or m.value #>> '{}' !~ '^[a-z][a-z0-9_]{0,99}$'
      )
      or exists (
        select from jsonb_array_elements_text(c_needed -> v_kind) n where not p_mapping -> v_kind ? n
      )
      or (
        select count(distinct m.value) < count(*) from jsonb_each_text(p_mapping -> v_kind) m
      )
    then
      raise exception 'Give each field a HubSpot property of its own. Our ID, a contact’s email and a company’s name are always sent.'
        using errcode = '22023', hint = 'mapping';
    end if;
  end loop;
  if p_mapping #>> '{contact,email}' <> 'email' then
    raise exception 'HubSpot finds people by its property email, so that one stays.'
      using errcode = '22023', hint = 'mapping';
  end if;
  select * into v_settings from private.hubspot_settings s for update;
  if v_settings.state in ('previewing', 'live') then
    raise exception 'Stop sending first.' using errcode = '55000';
  end if;
  if exists (
    select from private.hubspot_records r
    where r.hubspot_id is not null
      and v_settings.mapping #>> array[r.kind, 'id'] <> v_mapping #>> array[r.kind, 'id']
  ) then
    -- By another property, HubSpot wouldn't find them, and would have each twice.
    raise exception 'HubSpot has records with our ID in its property already, so that one stays.'
      using errcode = '22023', hint = 'mapping';
  end if;
  update private.hubspot_settings s set state = 'off', previewed_at = null, mapping = v_mapping
  where s.mapping <> v_mapping;
  perform private.audit('hubspot.map', 'hubspot', null, null, v_mapping);
  return private.hubspot_json();
end
$$;
comment on function public.map_hubspot(jsonb) is
  'An admin chooses which HubSpot property each field is sent as: {contact: {field: property}, company: …}. A change asks for a new dry run. Returns the same as admin_hubspot.';

create function public.run_hubspot(p_step text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_settings private.hubspot_settings;
begin
  perform private.require_admin();
  select * into v_settings from private.hubspot_settings s for update;
  if p_step = 'check' then
    null;
  elsif p_step = 'preview' then
    if v_settings.state = 'live' then
      raise exception 'Stop sending first.' using errcode = '55000';
    end if;
    update private.hubspot_settings s set state = 'previewing';
    update private.hubspot_records r set change = null, found = null where r.change is not null;
  elsif p_step = 'send' then
    if v_settings.previewed_at is null or v_settings.state not in ('previewed', 'stopped', 'live') then
      raise exception 'Do a dry run first.' using errcode = '55000';
    end if;
    update private.hubspot_settings s set state = 'live';
  elsif p_step = 'stop' then
    update private.hubspot_settings s set state = case
      when s.state = 'live' then 'stopped'
      when s.state = 'previewing' then case when s.previewed_at is null then 'off' else 'stopped' end
      else s.state
    end;
  else
    raise exception 'Choose a step.' using errcode = '22023', hint = 'step';
  end if;
  if p_step in ('preview', 'send') then
    perform private.mark_hubspot('company', null);
    perform private.mark_hubspot('contact', null);
  end if;
  if p_step <> 'stop' then
    perform private.queue_hubspot(true);
    -- One that waits for HubSpot to be back tries right away.
    update private.jobs j set run_at = now(), awaits_service = false
    where j.kind = 'hubspot_sync' and j.state = 'waiting';
    perform pg_catalog.pg_notify('jobs', '');
  end if;
  perform private.audit('hubspot.' || p_step, 'hubspot', null);
  return private.hubspot_json();
end
$$;
comment on function public.run_hubspot(text) is
  'An admin has the connection looked at ("check"), starts the dry run ("preview"), sends what it showed ("send"), or stops either ("stop"). Returns the same as admin_hubspot.';

create function public.replay_hubspot(p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count int;
begin
  perform private.require_admin();
  with records as (
    update private.hubspot_records r set state = 'waiting', reason = null, attempts = 0, in_doubt = true
    where r.state = 'refused' and (p_id is null or r.id = p_id)
    returning 1
  ), links as (
    delete from private.hubspot_links l where l.linked_at is null and (p_id is null or l.contact_id = p_id)
    returning 1
  )
  select (select count(*) from records) + (select count(*) from links) into v_count;
  if p_id is not null and v_count = 0 then
    raise exception 'HubSpot hasn’t refused this record.' using errcode = 'P0002', hint = 'id';
  end if;
  perform private.queue_hubspot(true);
  perform private.audit('hubspot.replay', 'hubspot', p_id::text, null, jsonb_build_object('count', v_count));
  return jsonb_build_object('replayed', v_count);
end
$$;
comment on function public.replay_hubspot(uuid) is
  'An admin has a refused record, or (null) all of them, sent again: {replayed}.';

grant execute on function
  public.admin_hubspot(), public.admin_hubspot_records(jsonb, jsonb, int), public.map_hubspot(jsonb),
  public.run_hubspot(text), public.replay_hubspot(uuid)
to authenticated;
