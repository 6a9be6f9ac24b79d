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
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((state = 'sent') = (sent_at is not null))
);
comment on table public.mail_outbox is
  'Mail to send and mail sent. The data of a row can hold a sign-in link: no person may read it.';

create index mail_outbox_due_idx on public.mail_outbox (next_attempt_at)
  where state in ('queued', 'sending');
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
