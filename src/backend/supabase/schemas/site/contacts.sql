-- Contacts: people who wrote to us, signed up for the newsletter, registered or were imported, and
-- what they wrote. The edge functions contact and newsletter add to them (they know the caller's IP
-- address, for rate limits, and validate the form), a trigger adds people whose account is confirmed,
-- and admins import lists (admin/imports.sql). No API role can access these tables.

create function private.contact_words(
  p_email text, p_other_emails text[], p_name text, p_business text, p_businesses text[]
) returns tsvector
language sql immutable set search_path = '' as $$
  select private.name_words(concat_ws(
    ' ', p_email, array_to_string(p_other_emails, ' '), p_name, p_business,
    array_to_string(p_businesses, ' ')
  ))
$$;

create table public.contacts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (char_length(email) between 3 and 254 and email = lower(email)),
  name text check (char_length(name) <= 120),
  business text check (char_length(business) <= 120),
  newsletter text not null default 'none'
    check (newsletter in ('none', 'pending', 'subscribed', 'left', 'bounced')),
  -- What they agreed to, word for word, and when they confirmed it by email.
  consent_wording text,
  consented_at timestamptz,
  left_at timestamptz,
  -- When a mail server said that there's no such mailbox, which ended the subscription.
  bounced_at timestamptz,
  -- SHA-256 of the secrets in emailed links: one confirms, the other unsubscribes.
  confirm_hash bytea check (octet_length(confirm_hash) = 32),
  confirm_expires_at timestamptz,
  leave_hash bytea unique check (octet_length(leave_hash) = 32),
  created_at timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  phone text check (char_length(phone) <= 40),
  -- The account with this address, once it's confirmed, and the names of its businesses.
  user_id uuid unique references auth.users (id) on delete set null,
  businesses text[] not null default '{}',
  -- Addresses of contacts that were merged into this one.
  other_emails text[] not null default '{}',
  -- When an admin's list brought them; null if they came by themselves.
  imported_at timestamptz,
  -- How many messages there are, and how many of them nobody has answered; kept by a trigger.
  messages int not null default 0,
  waiting int not null default 0 check (waiting between 0 and messages),
  -- Whether another contact has one of the same keys (private.contact_keys); kept by a trigger.
  has_twin boolean not null default false,
  words tsvector not null generated always as (
    private.contact_words(email, other_emails, name, business, businesses)
  ) stored,
  unique (email),
  check (newsletter <> 'subscribed' or consented_at is not null and consent_wording is not null)
);
comment on table public.contacts is
  'People who wrote to us, asked for the newsletter, registered or were imported, one row per address, with their consent.';

create unique index contacts_confirm_hash_idx on public.contacts (confirm_hash);
create index contacts_words_idx on public.contacts using gin (words);
-- One for each sort key and, by activity, for each filter that few contacts may fit.
create index contacts_active_idx on public.contacts (last_active_at, id);
create index contacts_name_idx on public.contacts ((coalesce(name, email) collate private.by_name), id);
create index contacts_waiting_idx on public.contacts (last_active_at, id) where waiting > 0;
create index contacts_twins_idx on public.contacts (last_active_at, id) where has_twin;
create index contacts_wrote_idx on public.contacts (last_active_at, id) where messages > 0;
create index contacts_imported_idx on public.contacts (last_active_at, id) where imported_at is not null;
create index contacts_registered_idx on public.contacts (last_active_at, id) where user_id is not null;
create index contacts_newsletter_idx on public.contacts (newsletter, last_active_at, id);

create table public.contact_messages (
  -- Created by the form, so that sending it twice stores it once.
  id uuid primary key,
  contact_id uuid not null references public.contacts (id) on delete cascade,
  topic text not null check (
    topic in ('general', 'coaching', 'pricing', 'event', 'press', 'accessibility', 'privacy')
  ),
  body text not null check (char_length(body) between 1 and 5000),
  created_at timestamptz not null default now(),
  -- The address it came from, if that isn't the contact's anymore.
  from_email text check (char_length(from_email) between 3 and 254),
  -- Null while it waits for an answer.
  outcome text check (outcome in ('replied', 'elsewhere', 'not-needed')),
  answer text check (char_length(answer) between 1 and 5000),
  answered_at timestamptz,
  answered_by uuid references auth.users (id) on delete set null,
  check ((outcome is null) = (answered_at is null)),
  check ((answer is null) = (outcome is distinct from 'replied'))
);
comment on table public.contact_messages is
  'Messages from the contact form and what became of them, kept two years.';

create index contact_messages_contact_id_idx on public.contact_messages (contact_id);
create index contact_messages_created_at_idx on public.contact_messages (created_at);
create index contact_messages_answered_by_idx on public.contact_messages (answered_by);

alter table public.contacts enable row level security;
alter table public.contact_messages enable row level security;

create function private.contact_of(p_email text, p_name text default null, p_business text default null)
returns uuid
language sql volatile security definer set search_path = '' as $$
  insert into public.contacts as c (email, name, business)
  values (lower(btrim(p_email)), private.clean_line(p_name, 120), private.clean_line(p_business, 120))
  on conflict (email) do update set
    -- Anyone can type an address into the form, and no one else names a registered person.
    name = case when c.user_id is null then coalesce(excluded.name, c.name) else c.name end,
    business = coalesce(excluded.business, c.business), last_active_at = now()
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

-- People who register --------------------------------------------------------------------------

create function private.join_contacts(p_user_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Consent and messages belong to the address. Who has changed theirs leaves them with the old one.
  delete from public.contacts c using auth.users u
  where u.id = any (p_user_ids) and c.user_id = u.id and c.email is distinct from lower(u.email)
    and c.newsletter = 'none' and c.messages = 0;
  update public.contacts c set user_id = null, businesses = '{}' from auth.users u
  where u.id = any (p_user_ids) and c.user_id = u.id and c.email is distinct from lower(u.email);

  insert into public.contacts as c (email, name, user_id, businesses, created_at, last_active_at)
  select lower(u.email), nullif(left(p.full_name, 120), ''), u.id, array(
    select b.name from public.business_members m
    join public.businesses b on b.id = m.business_id
    where m.user_id = u.id order by m.joined_at, b.id limit 20
  ), coalesce(u.created_at, now()), coalesce(u.last_sign_in_at, u.created_at, now())
  from auth.users u
  join public.profiles p on p.user_id = u.id
  where u.id = any (p_user_ids) and u.email_confirmed_at is not null
    and char_length(u.email) between 3 and 254
  on conflict (email) do update set
    name = coalesce(excluded.name, c.name), user_id = excluded.user_id,
    businesses = excluded.businesses,
    last_active_at = greatest(c.last_active_at, excluded.last_active_at)
  where c.user_id is distinct from excluded.user_id
    or c.name is distinct from coalesce(excluded.name, c.name)
    or c.businesses <> excluded.businesses
    -- Not each time they sign in.
    or c.last_active_at < excluded.last_active_at - interval '1 hour';
end
$$;
comment on function private.join_contacts(uuid[]) is
  'Brings the contacts of people with a confirmed address up to date, and adds those that are missing.';

create function private.join_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.join_contacts(array[new.id]);
  return null;
end
$$;
create trigger join_contact after update of email_confirmed_at, last_sign_in_at on auth.users
  for each row when (
    old.email_confirmed_at is distinct from new.email_confirmed_at
    or old.last_sign_in_at is distinct from new.last_sign_in_at
  ) execute function private.join_contact();

-- Messages that wait, and contacts that may be the same person ----------------------------------

create function private.count_contact_messages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.contacts c set messages = n.messages, waiting = n.waiting
  from (
    select i.id, count(m.id) as messages, count(m.id) filter (where m.outcome is null) as waiting
    from (
      select (to_jsonb(new) ->> 'contact_id')::uuid union select (to_jsonb(old) ->> 'contact_id')::uuid
    ) as i (id)
    left join public.contact_messages m on m.contact_id = i.id
    group by i.id
  ) n
  where c.id = n.id and (c.messages, c.waiting) is distinct from (n.messages, n.waiting);
  return null;
end
$$;
create trigger count_contact_messages
  after insert or delete or update of contact_id, outcome on public.contact_messages
  for each row execute function private.count_contact_messages();

create table private.contact_keys (
  -- "mailbox:" and the mailbox, "business:" and name and business, "phone:" and name and digits.
  key text not null,
  contact_id uuid not null references public.contacts (id) on delete cascade,
  primary key (key, contact_id)
);
comment on table private.contact_keys is
  'What two contacts have in common if they may be the same person. Triggers keep it current.';
create index contact_keys_contact_id_idx on private.contact_keys (contact_id);
alter table private.contact_keys enable row level security;

create function private.keys_of_contact(p_contact public.contacts) returns setof text
language sql immutable set search_path = '' as $$
  select 'mailbox:' || private.mailbox_of(e)
  from unnest(array_append(p_contact.other_emails, p_contact.email)) e
  union
  select 'business:' || n.name || '|' || btrim(private.plain_words(b))
  from btrim(private.plain_words(p_contact.name)) n (name),
    unnest(array_append(p_contact.businesses, p_contact.business)) b
  where n.name <> '' and btrim(private.plain_words(b)) <> ''
  union
  select 'phone:' || n.name || '|' || p.digits
  from btrim(private.plain_words(p_contact.name)) n (name),
    right(regexp_replace(p_contact.phone, '[^0-9]', '', 'g'), 10) p (digits)
  where n.name <> '' and char_length(p.digits) >= 7
$$;

create function private.index_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_keys text[] := array(select private.keys_of_contact(new));
begin
  if tg_op = 'UPDATE' then
    delete from private.contact_keys k where k.contact_id = new.id and k.key <> all (v_keys);
  end if;
  insert into private.contact_keys (key, contact_id) select k, new.id from unnest(v_keys) k
  on conflict do nothing;
  return null;
end
$$;
create trigger index_contact
  after insert or update of email, other_emails, name, business, businesses, phone on public.contacts
  for each row execute function private.index_contact();

create function private.mark_twins() returns trigger
-- A plan from when there were few contacts would read all keys, row by row of a list.
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
declare
  v_key text := coalesce(to_jsonb(new), to_jsonb(old)) ->> 'key';
  v_id uuid := (coalesce(to_jsonb(new), to_jsonb(old)) ->> 'contact_id')::uuid;
  -- Two are enough to know: if there are more, all of them are marked already.
  v_others uuid[] := array(
    select k.contact_id from private.contact_keys k
    where k.key = v_key and k.contact_id <> v_id limit 2
  );
begin
  if tg_op = 'INSERT' and cardinality(v_others) > 0 then
    update public.contacts c set has_twin = true
    where c.id = any (array_append(v_others, v_id)) and not c.has_twin;
  elsif tg_op = 'DELETE' then
    update public.contacts c set has_twin = false
    where c.id = any (case when cardinality(v_others) = 1 then v_others else '{}' end || v_id)
      and c.has_twin and not exists (
        select from private.contact_keys k
        join private.contact_keys o on o.key = k.key and o.contact_id <> k.contact_id
        where k.contact_id = c.id
      );
  end if;
  return null;
end
$$;
create trigger mark_twins after insert or delete on private.contact_keys
  for each row execute function private.mark_twins();

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
  set newsletter = 'subscribed', consented_at = now(), left_at = null, bounced_at = null,
    last_active_at = now(),
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

-- plpgsql, because a table it reads is created in a later file.
create function private.leave_newsletter(p_secret text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_hash bytea := private.secret_hash(p_secret);
begin
  -- The link of the welcome email, or of an issue.
  update public.contacts c
  set newsletter = 'left', left_at = coalesce(c.left_at, now()), confirm_hash = null
  where c.id = any (array(
    select w.id from public.contacts w where w.leave_hash = v_hash
    union all
    select d.contact_id from public.newsletter_deliveries d where d.leave_hash = v_hash
  ));
  return found;
end
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
    where c.newsletter = 'none' and c.user_id is null
      and c.last_active_at < now() - interval '30 days'
      and (c.imported_at is null or c.last_active_at < now() - interval '2 years')
      and not exists (select from public.contact_messages m where m.contact_id = c.id)
    returning 1
  )
  select (select count(*) from messages) + (select count(*) from unconfirmed)
    + (select count(*) from people)
$$;
insert into private.jobs (kind, every) values ('delete_old_contacts', interval '1 day');
