-- Audit log: who did what, when, and why. Rows are added and never change.
--
-- Admins' procedures write a row in the same transaction as what they do or read; no API role reads
-- or writes it directly.

create table public.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- No foreign key: the row outlives the account.
  actor_id uuid,
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  entity text not null,
  entity_id text,
  reason text check (char_length(reason) <= 2000),
  details jsonb not null default '{}'
);
comment on table public.audit_log is
  'Append-only record of what admins and the system did and read, with the reason if one is required.';

create index audit_log_entity_idx on public.audit_log (entity, entity_id, at desc);
create index audit_log_actor_idx on public.audit_log (actor_id, at desc);

alter table public.audit_log enable row level security;

create trigger audit_log_is_append_only before update or delete on public.audit_log
  for each row execute function private.refuse_change();
create trigger audit_log_is_never_emptied before truncate on public.audit_log
  for each statement execute function private.refuse_change();

create function private.uuid_of(p_text text) returns uuid
language sql immutable set search_path = '' as $$
  select case when p_text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end
$$;
comment on function private.uuid_of(text) is 'The id that a text is; null if it isn''t one.';

-- plpgsql, because the tables it reads are created in later files.
create function private.audit_about(p_entity text, p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_about jsonb;
begin
  case p_entity
    when 'project' then
      select jsonb_build_object('business_id', p.business_id) into v_about
      from public.projects p where p.id = p_id;
    when 'attempt' then
      select jsonb_build_object('business_id', t.business_id) into v_about
      from public.attempts t where t.id = p_id;
    when 'engagement' then
      select jsonb_build_object('business_id', e.business_id, 'person_id', e.owner_id) into v_about
      from public.engagements e where e.id = p_id;
    when 'session' then
      select jsonb_build_object('business_id', e.business_id, 'person_id', e.owner_id) into v_about
      from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id
      where s.id = p_id;
    when 'order' then
      select jsonb_build_object('business_id', o.business_id, 'person_id', o.buyer_id) into v_about
      from public.orders o where o.id = p_id;
    when 'program' then
      select jsonb_build_object('person_id', o.buyer_id) into v_about
      from public.programs p join public.orders o on o.id = p.order_id where p.id = p_id;
    when 'contact' then
      select jsonb_build_object('person_id', c.user_id) into v_about
      from public.contacts c where c.id = p_id;
    when 'message_report' then
      select jsonb_build_object('person_id', r.author_id) into v_about
      from public.message_reports r where r.id = p_id;
    else null;
  end case;
  return coalesce(jsonb_strip_nulls(v_about), '{}');
end
$$;
comment on function private.audit_about(text, uuid) is
  'Whose record this is: {business_id, person_id}, as far as it has them, so that searching the log for either finds what was done with it. Not the person of a quiz: deleting their account takes them from it.';

create function private.audit(
  p_action text,
  p_entity text,
  p_entity_id text,
  p_reason text default null,
  p_details jsonb default '{}'
) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.audit_log (actor_id, action, entity, entity_id, reason, details)
  values (
    auth.uid(), p_action, p_entity, p_entity_id, p_reason,
    private.audit_about(p_entity, private.uuid_of(p_entity_id)) || coalesce(p_details, '{}')
  )
$$;
comment on function private.audit(text, text, text, text, jsonb) is
  'Adds a row for the caller, with the business and person it''s about; action has the form "<entity>.<verb>".';

create function private.require_reason(p_reason text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if char_length(v_reason) not between 3 and 2000 then
    raise exception 'Give a reason of 3 to 2,000 characters.' using errcode = '22023', hint = 'reason';
  end if;
  return v_reason;
end
$$;
