-- Email: every email starts as a job, in the transaction that causes it. A worker renders its
-- template with the data, sends it, and records the outcome. Sent emails are kept for 30 days
-- without the data, which may include a sign-in link.

create view private.mails with (security_invoker = true) as
select
  j.id, j.payload ->> 'to' as to_address, j.payload ->> 'template' as template, j.secret as data,
  j.payload ->> 'subject' as subject, j.payload ->> 'html' as html, j.payload ->> 'text' as body_text,
  j.state, j.attempts, j.run_at, j.last_error, j.failing_since, j.awaits_service, j.expires_at,
  j.created_at, j.finished_at
from private.jobs j where j.kind = 'mail';
comment on view private.mails is
  'Jobs that are emails. Subject, html and body_text are what was sent; the last two only if the mailbox shows them.';

-- How many emails an address gets per day, no matter who causes them ----------------------------
--
-- Anyone can enter someone else's address in a form. Emails from such forms count together for the
-- mailbox behind the address, no matter which form. Emails that people need to get into their
-- account still go out when the others don't, so strangers can't use up their share.

create table private.mail_limits (
  template text primary key,
  -- Templates with the same counter count together.
  counter text not null check (counter in ('anyone', 'colleagues', 'account')),
  -- This email isn't sent once the mailbox has received this many of its counter in a day.
  a_day int not null check (a_day > 0)
);
comment on table private.mail_limits is
  'A mailbox gets an email of this template only while it has had fewer than this many in a day. Templates without a row aren''t limited here. The server''s operator can change a row at any time; no API role reads or writes it.';
alter table private.mail_limits enable row level security;

insert into private.mail_limits (template, counter, a_day) values
  -- What anyone who knows an address can cause.
  ('newsletter-confirm', 'anyone', 8),
  -- Someone may come to several events, and hears twice of each.
  ('event-held', 'anyone', 20),
  ('event-waiting', 'anyone', 20),
  ('event-taken', 'anyone', 40),
  ('contact-received', 'anyone', 8),
  ('business-invitation', 'anyone', 8),
  ('business-claim', 'anyone', 8),
  ('already-registered', 'anyone', 8),
  ('email-code', 'anyone', 20),
  ('email-change', 'anyone', 20),
  -- What's left if strangers have used up someone's codes: links, which nobody can guess.
  ('confirm', 'anyone', 40),
  ('recovery', 'anyone', 40),
  ('email-link', 'anyone', 40),
  -- What people who work together cause for each other.
  ('notice', 'colleagues', 50),
  ('survey-invitation', 'colleagues', 50),
  ('survey-reminder', 'colleagues', 50),
  ('program-invitation', 'anyone', 8),
  ('program-sponsor', 'colleagues', 50),
  -- To an address that a buyer gave.
  ('invoice-reminder', 'anyone', 8),
  -- What happens to an account: never held back by any of the others.
  ('account-notice', 'account', 50);

create function private.mailbox_of(p_address text) returns text
language sql immutable set search_path = '' as $$
  select case
    when a.host in ('gmail.com', 'googlemail.com') then replace(a.box, '.', '') || '@gmail.com'
    else a.box || '@' || a.host
  end
  from (
    select
      split_part(regexp_replace(lower(btrim(p_address)), '@[^@]*$', ''), '+', 1) as box,
      regexp_replace(lower(btrim(p_address)), '^.*@', '') as host
  ) a
$$;
comment on function private.mailbox_of(text) is
  'The mailbox an address leads to: in lowercase, without anything after a plus sign and, at Gmail, without dots.';

create function private.mailbox_key(p_what text, p_address text) returns text
language sql immutable set search_path = '' as $$
  select p_what || ':' || encode(sha256(convert_to(private.mailbox_of(p_address), 'UTF8')), 'hex')
$$;
comment on function private.mailbox_key(text, text) is
  'Key of a limit for a mailbox, without the address in plain text.';

-- Sending ---------------------------------------------------------------------------------------

create function private.mail_is_limited(p_to text, p_template text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_limit private.mail_limits;
begin
  select * into v_limit from private.mail_limits l where l.template = p_template;
  -- Notices that the product sends by itself, such as that an account is about to be deleted, always go.
  if not found or v_limit.counter <> 'anyone' and auth.uid() is null then
    return false;
  end if;
  return not private.take_rate_limit(
    private.mailbox_key('mail-by-' || v_limit.counter, p_to), v_limit.a_day, interval '1 day'
  );
end
$$;
comment on function private.mail_is_limited(text, text) is
  'Counts an email, and returns whether it exceeds its template''s limit.';

create function private.send_mail(
  p_to text, p_template text, p_data jsonb default '{}', p_expires_at timestamptz default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_goes boolean := not private.mail_is_limited(p_to, p_template);
begin
  if char_length(p_to) not between 3 and 320 then
    raise exception 'This isn’t an email address.' using errcode = '22023', hint = 'to';
  end if;
  -- Refused in silence: a sentence would tell strangers what else an address was sent today.
  insert into private.jobs (kind, payload, secret, expires_at, state, last_error, finished_at) values (
    'mail', jsonb_build_object('to', p_to, 'template', p_template),
    case when v_goes then p_data else '{}' end, p_expires_at,
    case when v_goes then 'waiting' else 'dropped' end,
    case when not v_goes then 'This mailbox has reached its limit for today.' end,
    case when not v_goes then now() end
  );
  return v_goes;
end
$$;
comment on function private.send_mail(text, text, jsonb, timestamptz) is
  'Queues an email unless the mailbox has reached its limit for the day; returns whether it goes out.';
