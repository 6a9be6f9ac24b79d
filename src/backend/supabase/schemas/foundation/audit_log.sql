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

create function private.audit(
  p_action text,
  p_entity text,
  p_entity_id text,
  p_reason text default null,
  p_details jsonb default '{}'
) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.audit_log (actor_id, action, entity, entity_id, reason, details)
  values (auth.uid(), p_action, p_entity, p_entity_id, p_reason, coalesce(p_details, '{}'))
$$;
comment on function private.audit(text, text, text, text, jsonb) is
  'Adds a row for the caller; action has the form "<entity>.<verb>".';

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
