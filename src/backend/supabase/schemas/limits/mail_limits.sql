-- Mail limits: how many mails an address gets in a day, no matter who causes them.
--
-- Anybody can type somebody else's address into a form. Mails that such forms cause count together for
-- the mailbox behind the address, whichever form it was. Mails that somebody needs to get into their
-- account may still go out when the other kinds no longer do, so that no stranger uses up their share.

create table private.mail_limits (
  template text primary key,
  -- Templates with the same counter count together.
  counter text not null check (counter in ('anyone', 'colleagues')),
  -- Once a mailbox has had so many mails of the counter in a day, this one is not sent.
  a_day int not null check (a_day > 0)
);
comment on table private.mail_limits is
  'Up to how many mails a day a mailbox still gets one of this template. Templates without a row are not limited here. The operator of the server may change a row at any time; no API role reads or writes it.';
alter table private.mail_limits enable row level security;

insert into private.mail_limits (template, counter, a_day) values
  -- What anybody can cause who knows an address.
  ('newsletter-confirm', 'anyone', 8),
  ('contact-received', 'anyone', 8),
  ('business-invitation', 'anyone', 8),
  ('already-registered', 'anyone', 8),
  ('email-code', 'anyone', 20),
  ('email-change', 'anyone', 20),
  -- What is left to somebody whose codes strangers have used up: links, which nobody can guess.
  ('confirm', 'anyone', 40),
  ('recovery', 'anyone', 40),
  ('email-link', 'anyone', 40),
  -- What people who work together cause for each other.
  ('notice', 'colleagues', 50),
  ('survey-invitation', 'colleagues', 50);

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
  'The mailbox that an address leads to: in small letters, without what follows a plus sign and, at Gmail, without dots.';

create function private.mailbox_key(p_what text, p_address text) returns text
language sql immutable set search_path = '' as $$
  select p_what || ':' || encode(sha256(convert_to(private.mailbox_of(p_address), 'UTF8')), 'hex')
$$;
comment on function private.mailbox_key(text, text) is
  'Key of a limit for a mailbox, which holds no address in clear.';

create function private.limit_mail() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_limit private.mail_limits;
begin
  select * into v_limit from private.mail_limits l where l.template = new.template;
  -- Notices that the product sends by itself, such as that an account is about to be deleted, always go.
  if not found or v_limit.counter = 'colleagues' and auth.uid() is null then
    return new;
  end if;
  -- Refused in silence: a sentence would tell strangers what else an address was sent today.
  if not private.take_rate_limit(
    private.mailbox_key('mail-by-' || v_limit.counter, new.to_address), v_limit.a_day,
    interval '1 day'
  ) then
    new.state := 'dropped';
    new.data := '{}';
    new.last_error := 'This mailbox has had its mails of the day.';
  end if;
  return new;
end
$$;
comment on function private.limit_mail() is
  'Trigger of the outbox: what goes beyond the limits of its template is dropped.';
create trigger mail_outbox_is_limited before insert on public.mail_outbox
  for each row when (new.state = 'queued') execute function private.limit_mail();
