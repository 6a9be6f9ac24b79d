SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.mark_hubspot (
  p_kind text,
  p_ids  uuid[]
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_state text := (select s.state from private.hubspot_settings s);
  v_ids uuid[] := p_ids;
  v_gone uuid[];
begin
  if cardinality(p_ids) = 0 or v_state = 'off' and not exists (select from private.hubspot_records) then
    return;
  end if;
  if v_ids is null then
    v_ids := array(
      select c.id from public.contacts c where p_kind = 'contact' and c.newsletter = 'subscribed'
      union
      select b.id from public.businesses b where p_kind = 'company'
      union
      select r.source_id from private.hubspot_records r where r.kind = p_kind
    );
  end if;
  if v_state <> 'off' then
    insert into private.hubspot_records as r (kind, source_id, label, hash, state, reason)
    select p_kind, c.source_id, c.label, c.hash, case when k.is_good then 'waiting' else 'refused' end,
      case when not k.is_good then 'HubSpot only takes complete addresses, such as ann@example.com.' end
    from private.hubspot_content(p_kind, v_ids) c, lateral (
      select p_kind = 'company' or c.label ~ '^[^@\s]+@[^@\s]+\.[^@\s.]+$'
    ) as k (is_good)
    on conflict (kind, source_id) do update set
      label = excluded.label, hash = excluded.hash, wants = 'save', version = r.version + 1,
      changed_at = now(), found = null, change = null, reason = excluded.reason,
      state = case
        when r.state = 'sending' then 'sending'
        when excluded.state = 'refused' then 'refused'
        when r.wants = 'save' and not r.in_doubt and r.sent_hash = excluded.hash then 'unchanged'
        else 'waiting'
      end
    where (r.hash, r.wants, r.label) is distinct from (excluded.hash, 'save', excluded.label);
  end if;

  v_gone := array(
    select i.id from unnest(v_ids) as i (id)
    except
    select f.source_id from private.hubspot_fields(p_kind, v_ids) f
  );
  delete from private.hubspot_records r
  where r.kind = p_kind and r.source_id = any (v_gone)
    and r.hubspot_id is null and not r.in_doubt and r.state <> 'sending';
  update private.hubspot_records r set
    wants = 'archive', version = r.version + 1, changed_at = now(), found = null, change = null,
    state = case when r.state = 'sending' then 'sending' else 'waiting' end
  where r.kind = p_kind and r.source_id = any (v_gone) and r.wants = 'save';
  perform private.queue_hubspot();
end
$function$;

CREATE OR REPLACE FUNCTION public.map_hubspot (
  p_mapping jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;
