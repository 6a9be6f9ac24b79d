-- Mail outbox: everything that is to be sent is first a row here, in the transaction of what caused
-- it. One sender, connected as the owner of the database, takes rows that are due, renders template
-- and data, sends, and writes down how it went. No API role touches them.

create table public.mail_outbox (
  id uuid primary key default gen_random_uuid(),
  to_address text not null check (char_length(to_address) between 3 and 320),
  template text not null check (template ~ '^[a-z][a-z0-9-]*$'),
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  -- What was sent, filled in by the sender.
  subject text,
  html text,
  body_text text,
  -- dropped: when its turn came there was nothing left to say.
  state text not null default 'queued' check (
    state in ('queued', 'sending', 'sent', 'failed', 'dropped')
  ),
  attempts int not null default 0 check (attempts >= 0),
  -- For a queued row: when to try. For a row that is being sent: when its sender counts as dead.
  next_attempt_at timestamptz not null default now(),
  last_error text,
  -- Since when it fails for a reason that may pass; 48 hours later it stops.
  failing_since timestamptz,
  -- The mail server itself is away: as soon as it takes a mail again, this one is due.
  awaits_server boolean not null default false,
  -- Later than this there is nothing left to say: its link or code is no longer good.
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((state = 'sent') = (sent_at is not null))
);
comment on table public.mail_outbox is
  'Mail to send and mail sent. The data of a row can hold a sign-in link: no person may read it.';

create index mail_outbox_due_idx on public.mail_outbox (next_attempt_at)
  where state in ('queued', 'sending');
create index mail_outbox_awaits_server_idx on public.mail_outbox (id) where awaits_server;
create index mail_outbox_created_at_idx on public.mail_outbox (created_at desc);

alter table public.mail_outbox enable row level security;

create function private.announce_mail() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('mail_outbox', '');
  return null;
end
$$;
create trigger mail_outbox_wakes_the_sender after insert on public.mail_outbox
  for each statement execute function private.announce_mail();

create function private.delete_old_mail() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.mail_outbox
    where state in ('sent', 'failed', 'dropped') and created_at < now() - interval '30 days'
    returning 1
  )
  select count(*) from gone
$$;
insert into public.schedule_jobs (name, every) values ('delete_old_mail', interval '1 day');

-- What has stopped ------------------------------------------------------------------------------

create function private.replay_mail(p_id uuid) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count bigint;
begin
  update public.mail_outbox m
  set state = 'queued', attempts = 0, failing_since = null, awaits_server = false,
    next_attempt_at = now(), last_error = null
  where m.state = 'failed' and (p_id is null or m.id = p_id);
  get diagnostics v_count = row_count;
  if p_id is not null and v_count = 0 then
    raise exception 'There is no failed email with this id.'
      using errcode = 'P0002', hint = 'id';
  end if;
  perform pg_catalog.pg_notify('mail_outbox', '');
  perform private.audit(
    'mail.replay', 'mail', p_id::text, null, jsonb_build_object('count', v_count)
  );
  return v_count;
end
$$;
comment on function private.replay_mail(uuid) is
  'Sends a mail that has stopped once more, or (null) all of them, and says how many. By whoever runs the server: npm run mail -- replay. No API role may call it.';

create function public.replay_mail(p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object('replayed', private.replay_mail(p_id));
end
$$;
comment on function public.replay_mail(uuid) is
  'An admin sends a mail that has stopped once more, or (null) all of them: {replayed}. Writes an audit row.';
grant execute on function public.replay_mail(uuid) to authenticated;
