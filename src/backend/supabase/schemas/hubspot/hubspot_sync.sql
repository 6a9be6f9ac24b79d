-- What the job hubspot_sync reads and writes. Only the worker calls these.

create function private.begin_hubspot(p_job_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Two workers at once would send the same records.
  if not private.is_first_of_its_kind(p_job_id) then
    return null;
  end if;
  -- The worker that took these is gone, and nobody knows whether they arrived.
  update private.hubspot_records r set state = 'waiting', in_doubt = true where r.state = 'sending';
  return (
    select jsonb_build_object(
      'state', s.state, 'mapping', s.mapping,
      'has_work', s.state = 'previewing' or exists (
        select from private.hubspot_records r
        where r.state = 'waiting' and (r.wants <> 'save' or s.state = 'live')
      ) or s.state = 'live' and exists (select from private.hubspot_link_changes())
    )
    from private.hubspot_settings s
  );
end
$$;
comment on function private.begin_hubspot(uuid) is
  'Starts a run of the job: {state, mapping, has_work (whether there''s something to do)}; null if another one is running.';

create function private.keep_hubspot_connection(p_connection jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  update private.hubspot_settings s
  set connection = p_connection || jsonb_build_object('checked_at', now())
$$;
comment on function private.keep_hubspot_connection(jsonb) is
  'Stores what the job saw of HubSpot: {problem (a sentence, or null), is_connected, problems: [{kind, field, reason}], properties: {contact: [{name, label, fits}], company}}.';

create function private.take_hubspot_records() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_first private.hubspot_records;
  v_ids uuid[];
begin
  -- What has to go first, then companies, which contacts belong to.
  select * into v_first from private.hubspot_records r
  where r.state = 'waiting'
    and (r.wants <> 'save' or (select s.state from private.hubspot_settings s) = 'live')
  order by r.wants, r.kind limit 1;
  v_ids := array(
    select r.id from private.hubspot_records r
    where r.state = 'waiting' and r.wants = v_first.wants and r.kind = v_first.kind
    order by r.id limit 100 for update skip locked
  );
  update private.hubspot_records r set state = 'sending', attempts = r.attempts + 1, reason = null
  where r.id = any (v_ids);
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'kind', r.kind, 'wants', r.wants, 'source_id', r.source_id, 'label', r.label,
      'version', r.version, 'hubspot_id', r.hubspot_id,
      'is_known', r.hubspot_id is not null and r.sent_hash is not null and not r.in_doubt,
      'properties', coalesce(c.properties, '{}'), 'hash', encode(coalesce(c.hash, r.hash), 'hex')
    ) order by r.id), '[]')
    from private.hubspot_records r
    left join private.hubspot_content(v_first.kind, array(
      select s.source_id from private.hubspot_records s where s.id = any (v_ids)
    )) c on c.source_id = r.source_id
    where r.id = any (v_ids)
  );
end
$$;
comment on function private.take_hubspot_records() is
  'Takes up to 100 records of one kind that wait for the same: [{id, kind, wants, source_id, label, version, hubspot_id, is_known (not in doubt, and there already), properties, hash}].';

create function private.keep_hubspot_outcomes(p_outcomes jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Gone there, and nothing here will ever need it again.
  delete from private.hubspot_records r
  using jsonb_to_recordset(p_outcomes) as o (id uuid, version int, outcome text)
  where r.id = o.id and o.outcome = 'removed'
    and (
      r.wants = 'erase' or r.kind = 'company'
      or not exists (select from public.contacts c where c.id = r.source_id)
    )
    and (r.version = o.version or r.wants = 'erase' and r.hubspot_id is null);
  update private.hubspot_records r set
    hubspot_id = coalesce(o.hubspot_id, r.hubspot_id),
    in_doubt = o.outcome = 'in_doubt',
    sent_hash = case
      when o.outcome in ('sent', 'unchanged') then decode(o.hash, 'hex')
      when o.outcome <> 'removed' then r.sent_hash
    end,
    sent_at = case when o.outcome = 'sent' then now() else r.sent_at end,
    attempts = case when o.outcome in ('sent', 'unchanged', 'removed') then 0 else r.attempts end,
    found = case when o.outcome = 'refused' then r.found end,
    change = case when o.outcome = 'refused' then r.change end,
    reason = case when r.version = o.version then o.reason end,
    state = case
      when o.outcome in ('in_doubt', 'later') then 'waiting'
      when r.version = o.version then o.outcome
      when r.wants = 'save' and o.outcome in ('sent', 'unchanged') and r.hash = decode(o.hash, 'hex')
        then o.outcome
      else 'waiting'
    end
  from jsonb_to_recordset(p_outcomes) as o (
    id uuid, version int, outcome text, reason text, hubspot_id text, hash text
  )
  where r.id = o.id;
end
$$;
comment on function private.keep_hubspot_outcomes(jsonb) is
  'Stores what became of records: [{id, version, outcome ("sent", "unchanged", "refused", "removed", "later", "in_doubt"), reason, hubspot_id, hash}]. A record that changed in the meantime waits again.';

create function private.take_hubspot_comparisons() returns jsonb
language sql stable security definer set search_path = '' as $$
  with first as (
    select r.kind from private.hubspot_records r
    where r.change is null and r.wants = 'save' and r.state <> 'refused' limit 1
  ), taken as (
    select r.* from private.hubspot_records r join first f on f.kind = r.kind
    where r.change is null and r.wants = 'save' and r.state <> 'refused'
    order by r.id limit 100
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', t.id, 'kind', t.kind, 'source_id', t.source_id, 'label', t.label, 'version', t.version,
    'properties', c.properties
  )), '[]')
  from taken t
  join first f on true
  join private.hubspot_content(f.kind, array(select t.source_id from taken t)) c on c.source_id = t.source_id
  where (select s.state from private.hubspot_settings s) = 'previewing'
$$;
comment on function private.take_hubspot_comparisons() is
  'Up to 100 records of one kind that the dry run hasn''t looked at: [{id, kind, source_id, label, version, properties}].';

create function private.keep_hubspot_comparisons(p_compared jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  update private.hubspot_records r set found = o.found, change = o.change
  from jsonb_to_recordset(p_compared) as o (id uuid, version int, found jsonb, change text)
  where r.id = o.id and r.version = o.version
$$;
comment on function private.keep_hubspot_comparisons(jsonb) is
  'Stores what the dry run found: [{id, version, found (null: not there), change}].';

create function private.finish_hubspot_preview() returns void
language sql volatile security definer set search_path = '' as $$
  update private.hubspot_settings s set state = 'previewed', previewed_at = now()
  where s.state = 'previewing'
$$;

create function private.take_hubspot_links() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(l)), '[]')
  from (
    select c.* from private.hubspot_link_changes() c
    where (select s.state from private.hubspot_settings s) = 'live'
    order by c.is_wanted, c.contact_id, c.company_id limit 100
  ) l
$$;
comment on function private.take_hubspot_links() is
  'Up to 100 pairs to link or unlink: [{contact_id, company_id, contact_ref, company_ref, is_wanted}].';

create function private.keep_hubspot_links(p_links jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  with given as (
    select * from jsonb_to_recordset(p_links) as l (
      contact_id uuid, company_id uuid, is_wanted boolean, reason text
    )
  ), gone as (
    delete from private.hubspot_links l using given g
    where not g.is_wanted and (l.contact_id, l.company_id) = (g.contact_id, g.company_id)
  )
  insert into private.hubspot_links (contact_id, company_id, linked_at, reason)
  select g.contact_id, g.company_id, case when g.reason is null then now() end, g.reason
  from given g
  join private.hubspot_records r on r.id = g.contact_id
  join private.hubspot_records o on o.id = g.company_id
  where g.is_wanted
  on conflict (contact_id, company_id) do update
  set linked_at = excluded.linked_at, reason = excluded.reason
$$;
comment on function private.keep_hubspot_links(jsonb) is
  'Stores which pairs are linked or not anymore: [{contact_id, company_id, is_wanted, reason (null: done)}].';
