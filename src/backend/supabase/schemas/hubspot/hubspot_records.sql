-- HubSpot: contacts and companies that are mirrored there, if the organization connects it.
--
--   off → previewing → previewed → live ⇄ stopped        a changed mapping leads back to off
--
-- Nothing is written there before an admin has seen what would change. Only people who confirmed that
-- they want the newsletter are sent, with their name and the name and website of their business.
-- Triggers mark a record in the transaction that changes it; the job hubspot_sync
-- (functions/_shared/jobs/hubspot.ts) sends what waits. A record that nobody agreed to anymore is
-- removed there, and a deleted contact is erased, even while sending is stopped.

create table private.hubspot_settings (
  id boolean primary key default true check (id),
  state text not null default 'off'
    check (state in ('off', 'previewing', 'previewed', 'live', 'stopped')),
  -- Which property each of our fields is sent as; a field that's left out isn't sent.
  mapping jsonb not null check (jsonb_typeof(mapping) = 'object'),
  previewed_at timestamptz,
  -- What the job last saw of HubSpot: {checked_at, problem, problems, properties}; null before the first look.
  connection jsonb check (jsonb_typeof(connection) = 'object')
);
comment on table private.hubspot_settings is
  'One row: whether records are sent to HubSpot, and as which properties. No API role reads or writes it.';
alter table private.hubspot_settings enable row level security;
insert into private.hubspot_settings (mapping) values ('{
  "contact": {"id": "trellis_id", "email": "email", "first_name": "firstname", "last_name": "lastname", "business": "company"},
  "company": {"id": "trellis_id", "name": "name", "website": "website"}
}');

create table private.hubspot_records (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('contact', 'company')),
  -- The contact or business, which may be gone. It's the record's unique id in HubSpot too.
  source_id uuid not null,
  -- A contact's address or a company's name.
  label text not null,
  wants text not null default 'save' check (wants in ('save', 'archive', 'erase')),
  state text not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'unchanged', 'refused', 'removed')),
  -- Counts changes, so that one made while the record is being sent isn't lost.
  version int not null default 1,
  -- Of what should be there, and of what was last sent.
  hash bytea not null,
  sent_hash bytea,
  -- Whether it may have been sent without us learning of it: it's read before it's sent again.
  in_doubt boolean not null default false,
  hubspot_id text,
  attempts int not null default 0,
  -- Why HubSpot refused it.
  reason text,
  -- What the dry run found, and what sending would do. Forgotten once it's sent.
  found jsonb,
  change text check (change in ('new', 'changed', 'unchanged')),
  sent_at timestamptz,
  changed_at timestamptz not null default now(),
  words tsvector not null generated always as (private.name_words(label)) stored,
  unique (kind, source_id)
);
comment on table private.hubspot_records is
  'Contacts and companies that are mirrored in HubSpot, and how far each is. No API role reads or writes it.';
create index hubspot_records_waiting_idx on private.hubspot_records (wants, kind, id)
  where state in ('waiting', 'sending');
create index hubspot_records_label_idx on private.hubspot_records (label, id);
create index hubspot_records_refused_idx on private.hubspot_records (label, id) where state = 'refused';
create index hubspot_records_words_idx on private.hubspot_records using gin (words);
alter table private.hubspot_records enable row level security;

create table private.hubspot_links (
  contact_id uuid not null references private.hubspot_records (id) on delete cascade,
  company_id uuid not null references private.hubspot_records (id) on delete cascade,
  -- Null while HubSpot refuses it, and then why.
  linked_at timestamptz,
  reason text,
  primary key (contact_id, company_id),
  check ((linked_at is null) <> (reason is null))
);
comment on table private.hubspot_links is
  'The pairs of a contact and a company that HubSpot shows together. No API role reads or writes it.';
create index hubspot_links_refused_idx on private.hubspot_links (contact_id) where linked_at is null;
create index hubspot_links_company_id_idx on private.hubspot_links (company_id);
alter table private.hubspot_links enable row level security;

-- What may be sent ------------------------------------------------------------------------------

create function private.hubspot_fields(p_kind text, p_ids uuid[])
returns table (source_id uuid, label text, fields jsonb)
language sql stable security definer set search_path = '' as $$
  select c.id, c.email, jsonb_build_object(
    'id', c.id, 'email', c.email, 'first_name', nullif(n.words[1], ''),
    'last_name', nullif(array_to_string(n.words[2:], ' '), ''),
    'business', coalesce(c.business, c.businesses[1]),
    'subscribed_on', to_char(c.consented_at at time zone 'utc', 'YYYY-MM-DD'),
    'agreed_to', c.consent_wording
  )
  from public.contacts c, lateral (
    select regexp_split_to_array(btrim(coalesce(c.name, '')), '\s+')
  ) as n (words)
  where p_kind = 'contact' and c.id = any (p_ids) and c.newsletter = 'subscribed'
  union all
  select b.id, b.name, jsonb_build_object('id', b.id, 'name', b.name, 'website', b.website)
  from public.businesses b
  where p_kind = 'company' and b.id = any (p_ids) and b.archived_at is null
    and exists (
      select from public.business_members m join public.contacts c on c.user_id = m.user_id
      where m.business_id = b.id and c.newsletter = 'subscribed'
    )
$$;
comment on function private.hubspot_fields(text, uuid[]) is
  'What may be sent of these contacts or companies, as far as someone agreed to it, by our own names.';

create function private.hubspot_content(p_kind text, p_ids uuid[])
returns table (source_id uuid, label text, properties jsonb, hash bytea)
language sql stable security definer set search_path = '' as $$
  select f.source_id, f.label, p.properties, sha256(convert_to(p.properties::text, 'UTF8'))
  from private.hubspot_settings s
  cross join private.hubspot_fields(p_kind, p_ids) f
  cross join lateral (
    -- What we don't know is left out: an empty value would clear what HubSpot knows.
    select jsonb_object_agg(m.value, f.fields ->> m.key)
    from jsonb_each_text(s.mapping -> p_kind) m
    where f.fields ->> m.key is not null
  ) as p (properties)
$$;
comment on function private.hubspot_content(text, uuid[]) is
  'The same by HubSpot''s names, with a hash of it.';

create function private.hubspot_link_changes()
returns table (contact_id uuid, company_id uuid, contact_ref text, company_ref text, is_wanted boolean)
language sql stable security definer set search_path = '' as $$
  with wanted as (
    select r.id as contact_id, o.id as company_id
    from private.hubspot_records r
    join public.contacts c on c.id = r.source_id
    join public.business_members m on m.user_id = c.user_id
    join private.hubspot_records o on o.kind = 'company' and o.source_id = m.business_id
    where r.kind = 'contact' and r.wants = 'save' and o.wants = 'save'
      and r.state in ('sent', 'unchanged') and o.state in ('sent', 'unchanged')
  )
  select coalesce(w.contact_id, l.contact_id), coalesce(w.company_id, l.company_id),
    r.hubspot_id, o.hubspot_id, w.contact_id is not null
  from wanted w
  full join private.hubspot_links l on (l.contact_id, l.company_id) = (w.contact_id, w.company_id)
  join private.hubspot_records r on r.id = coalesce(w.contact_id, l.contact_id)
  join private.hubspot_records o on o.id = coalesce(w.company_id, l.company_id)
  where l.contact_id is null
    -- Not while one of the two waits to be sent again.
    or w.contact_id is null and r.state in ('sent', 'unchanged') and o.state in ('sent', 'unchanged')
$$;
comment on function private.hubspot_link_changes() is
  'Pairs of a contact and a company to be linked in HubSpot (is_wanted), or not anymore.';

-- Marking what changed --------------------------------------------------------------------------

create function private.queue_hubspot(p_always boolean default false) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_state text := (select s.state from private.hubspot_settings s);
  v_count int;
begin
  -- One that waits is enough. If it's just being taken, the schedule queues another one.
  insert into private.jobs (kind)
  select 'hubspot_sync'
  where not exists (
      select from private.jobs j where j.kind = 'hubspot_sync' and j.state = 'waiting'
    )
    and (
      p_always or v_state = 'previewing' or exists (
        select from private.hubspot_records r
        where r.state in ('waiting', 'sending') and (r.wants <> 'save' or v_state = 'live')
      )
    );
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function private.queue_hubspot(boolean) is
  'Queues the job that sends what waits for HubSpot, unless one waits already; returns how many.';
insert into private.jobs (kind, every) values ('queue_hubspot', interval '5 minutes');

create function private.mark_hubspot(p_kind text, p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.mark_hubspot(text, uuid[]) is
  'Notes which of these contacts or companies (null: all) have to be sent or removed.';

create function private.mark_hubspot_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.mark_hubspot('contact', array[new.id]);
  perform private.mark_hubspot('company', array(
    select m.business_id from public.business_members m
    where m.user_id = any (array[new.user_id, (to_jsonb(old) ->> 'user_id')::uuid])
  ));
  return null;
end
$$;
create trigger mark_hubspot_when_added after insert on public.contacts
  for each row when (new.newsletter = 'subscribed') execute function private.mark_hubspot_contact();
create trigger mark_hubspot_when_changed
  after update of email, name, business, businesses, newsletter, consented_at, consent_wording, user_id
  on public.contacts
  for each row when (
    'subscribed' in (old.newsletter, new.newsletter) and (
      old.email is distinct from new.email
      or old.name is distinct from new.name
      or old.business is distinct from new.business
      or old.businesses is distinct from new.businesses
      or old.newsletter is distinct from new.newsletter
      or old.consented_at is distinct from new.consented_at
      or old.consent_wording is distinct from new.consent_wording
      or old.user_id is distinct from new.user_id
    )
  ) execute function private.mark_hubspot_contact();

-- A merged contact isn't erased: HubSpot would never take its address again, which the other one has now.
create function private.erase_from_hubspot() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.hubspot_records r
  where r.kind = 'contact' and r.source_id = old.id
    and r.hubspot_id is null and not r.in_doubt and r.state <> 'sending';
  update private.hubspot_records r set
    wants = case
      when exists (select from public.contacts c where old.email = any (c.other_emails)) then 'archive'
      else 'erase'
    end,
    version = r.version + 1, changed_at = now(), found = null, change = null,
    state = case when r.state = 'sending' then 'sending' else 'waiting' end
  where r.kind = 'contact' and r.source_id = old.id;
  if found then
    perform private.queue_hubspot();
  end if;
  return null;
end
$$;
create trigger erase_from_hubspot after delete on public.contacts
  for each row execute function private.erase_from_hubspot();

create function private.mark_hubspot_company() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.mark_hubspot('company', array[new.id]);
  return null;
end
$$;
create trigger mark_hubspot_company after update of name, website, archived_at on public.businesses
  for each row when (
    old.name is distinct from new.name or old.website is distinct from new.website
    or old.archived_at is distinct from new.archived_at
  ) execute function private.mark_hubspot_company();

create function private.mark_hubspot_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.mark_hubspot('company', array[
    (coalesce(to_jsonb(new), to_jsonb(old)) ->> 'business_id')::uuid
  ]);
  if exists (select from private.hubspot_settings s where s.state = 'live') then
    -- Who belongs to a business is linked to it.
    perform private.queue_hubspot(true);
  end if;
  return null;
end
$$;
create trigger mark_hubspot_member after insert or delete on public.business_members
  for each row execute function private.mark_hubspot_member();

create function private.hubspot_state(p_contact_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('state', r.state, 'reason', r.reason, 'sent_at', r.sent_at)
  from private.hubspot_records r where r.kind = 'contact' and r.source_id = p_contact_id
$$;
comment on function private.hubspot_state(uuid) is
  'How far a contact is in HubSpot: {state, reason, sent_at}; null if it''s never sent.';
