-- Contacts: people who wrote to us or signed up for the newsletter, and what they wrote. Only the
-- edge functions contact and newsletter can add to them: they know the caller's IP address, for
-- rate limits, and validate the form. No API role can access these tables or call these procedures.

create table public.contacts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (char_length(email) between 3 and 254 and email = lower(email)),
  name text check (char_length(name) <= 120),
  business text check (char_length(business) <= 120),
  newsletter text not null default 'none'
    check (newsletter in ('none', 'pending', 'subscribed', 'left')),
  -- What they agreed to, word for word, and when they confirmed it by email.
  consent_wording text,
  consented_at timestamptz,
  left_at timestamptz,
  -- SHA-256 of the secrets in emailed links: one confirms, the other unsubscribes.
  confirm_hash bytea check (octet_length(confirm_hash) = 32),
  confirm_expires_at timestamptz,
  leave_hash bytea unique check (octet_length(leave_hash) = 32),
  created_at timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  unique (email),
  check (newsletter <> 'subscribed' or consented_at is not null and consent_wording is not null)
);
comment on table public.contacts is
  'People who wrote to us or asked for the newsletter, one row per address, with their consent.';

create unique index contacts_confirm_hash_idx on public.contacts (confirm_hash);

create table public.contact_messages (
  -- Created by the form, so that sending it twice stores it once.
  id uuid primary key,
  contact_id uuid not null references public.contacts (id) on delete cascade,
  topic text not null check (
    topic in ('general', 'coaching', 'pricing', 'event', 'press', 'accessibility', 'privacy')
  ),
  body text not null check (char_length(body) between 1 and 5000),
  created_at timestamptz not null default now()
);
comment on table public.contact_messages is 'Messages from the contact form, kept two years.';

create index contact_messages_contact_id_idx on public.contact_messages (contact_id);
create index contact_messages_created_at_idx on public.contact_messages (created_at);

alter table public.contacts enable row level security;
alter table public.contact_messages enable row level security;

create function private.contact_of(p_email text, p_name text default null, p_business text default null)
returns uuid
language sql volatile security definer set search_path = '' as $$
  insert into public.contacts as c (email, name, business)
  values (lower(btrim(p_email)), private.clean_line(p_name, 120), private.clean_line(p_business, 120))
  on conflict (email) do update set
    name = coalesce(excluded.name, c.name), business = coalesce(excluded.business, c.business),
    last_active_at = now()
  returning c.id
$$;

create function private.limit_contact(p_caller text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_sentence constant text := 'That’s too many at once. Try again %s, or send us an email.';
begin
  -- Not by the address in the form: a stranger who types it would keep its owner from writing.
  perform private.require_fair_share(
    'contact', p_caller, split_part(p_caller, ':', 1), 8, 500, interval '1 hour', c_sentence
  );
end
$$;

create function private.new_secret() returns text
language sql volatile set search_path = '' as $$
  -- Two random UUIDs have 244 random bits.
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

create function private.secret_hash(p_secret text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(p_secret, 'UTF8'))
$$;

-- The newsletter --------------------------------------------------------------------------------

create function private.ask_for_newsletter(p_email text, p_wording text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_contact_id uuid := private.contact_of(p_email);
  v_secret text := private.new_secret();
  v_goes boolean;
begin
  -- Without a mail the link of the one before goes on working.
  if not private.take_rate_limit(
    private.mailbox_key('newsletter-mail', p_email), 3, interval '1 day'
  ) then
    return;
  end if;
  -- Who is on the list already gets nothing, and is told nothing else than everyone.
  select private.send_mail(
    c.email, 'newsletter-confirm', jsonb_build_object('path', '/newsletter#confirm=' || v_secret),
    now() + interval '7 days'
  )
  into v_goes
  from public.contacts c where c.id = v_contact_id and c.newsletter <> 'subscribed';
  if v_goes then
    update public.contacts c
    set newsletter = 'pending', consent_wording = p_wording,
      confirm_hash = private.secret_hash(v_secret), confirm_expires_at = now() + interval '7 days'
    where c.id = v_contact_id;
  end if;
end
$$;

create function private.confirm_newsletter(p_secret text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_secret text := private.new_secret();
  v_email text;
begin
  update public.contacts c
  set newsletter = 'subscribed', consented_at = now(), left_at = null, last_active_at = now(),
    leave_hash = private.secret_hash(v_secret)
  where c.confirm_hash = private.secret_hash(p_secret) and c.confirm_expires_at > now()
    and c.newsletter = 'pending'
  returning c.email into v_email;
  if v_email is null then
    -- Pressed twice: it is confirmed.
    return exists (
      select from public.contacts c
      where c.confirm_hash = private.secret_hash(p_secret) and c.newsletter = 'subscribed'
    );
  end if;
  perform private.send_mail(
    v_email, 'newsletter-welcome', jsonb_build_object('path', '/newsletter#leave=' || v_secret)
  );
  return true;
end
$$;

create function private.leave_newsletter(p_secret text) returns boolean
language sql volatile security definer set search_path = '' as $$
  with gone as (
    update public.contacts c
    set newsletter = 'left', left_at = coalesce(c.left_at, now()), confirm_hash = null
    where c.leave_hash = private.secret_hash(p_secret)
    returning 1
  )
  select exists (select from gone)
$$;

-- Messages --------------------------------------------------------------------------------------

create function private.receive_message(
  p_caller text,
  p_id uuid,
  p_email text,
  p_name text,
  p_business text,
  p_topic text,
  p_body text,
  p_wording text,
  p_our_address text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_contact_id uuid;
begin
  perform private.one_at_a_time('contact_message', p_id);
  if exists (select from public.contact_messages m where m.id = p_id) then
    return;
  end if;
  perform private.limit_contact(p_caller);
  v_contact_id := private.contact_of(p_email, p_name, p_business);
  insert into public.contact_messages (id, contact_id, topic, body)
  values (p_id, v_contact_id, p_topic, btrim(p_body));
  perform private.send_mail(p_our_address, 'contact-message', jsonb_build_object(
    'topic', p_topic, 'name', p_name, 'business', coalesce(nullif(btrim(p_business), ''), '–'),
    'email', lower(btrim(p_email)), 'body', p_body
  ));
  -- To an address that nobody has confirmed goes nothing that a stranger could have written, and not
  -- more often than its owner would bear.
  if private.take_rate_limit(
    private.mailbox_key('contact-received', p_email), 3, interval '1 day'
  ) then
    perform private.send_mail(lower(btrim(p_email)), 'contact-received');
  end if;
  if p_wording is not null then
    perform private.ask_for_newsletter(p_email, p_wording);
  end if;
end
$$;
comment on function private.receive_message(text, uuid, text, text, text, text, text, text, text) is
  'Stores a message once under its id, emails the organization and, up to three times a day, an acknowledgement. Raises PT429 over the limits; p_wording is the consent to the newsletter, or null.';

create function private.request_newsletter(p_caller text, p_email text, p_wording text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.limit_contact(p_caller);
  perform private.ask_for_newsletter(p_email, p_wording);
end
$$;

-- Deleting what we no longer need ---------------------------------------------------------------

create function private.delete_old_contacts() returns bigint
language sql volatile security definer set search_path = '' as $$
  with messages as (
    delete from public.contact_messages where created_at < now() - interval '2 years' returning 1
  ), unconfirmed as (
    update public.contacts
    set newsletter = 'none', confirm_hash = null, confirm_expires_at = null, consent_wording = null
    where newsletter = 'pending' and confirm_expires_at < now() - interval '23 days'
    returning 1
  ), people as (
    delete from public.contacts c
    where c.newsletter = 'none' and c.last_active_at < now() - interval '30 days'
      and not exists (select from public.contact_messages m where m.contact_id = c.id)
    returning 1
  )
  select (select count(*) from messages) + (select count(*) from unconfirmed)
    + (select count(*) from people)
$$;
insert into private.jobs (kind, every) values ('delete_old_contacts', interval '1 day');
