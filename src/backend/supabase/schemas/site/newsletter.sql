-- The newsletter: issues that admins write (admin/newsletter.sql), and who each is sent to.
--
--   draft → sending ⇄ stopped → sent; draft ⇄ scheduled → sending
--
-- When sending begins, everyone who has confirmed gets a row in newsletter_deliveries. A job
-- (functions/_shared/jobs/newsletter.ts) claims one row after another and records what became of it,
-- so that a stopped or killed process goes on where it was. Whoever has left by the time their turn
-- comes is skipped. SMTP can't say whether an email arrived if the connection breaks at its very end:
-- that one is sent again under the same Message-ID, by which mail servers recognize it.
--
-- What was sent can be read by anyone at /newsletter. No API role can access these tables.

create table public.newsletter_issues (
  -- Created by the browser, so that sending it twice stores it once.
  id uuid primary key,
  subject text not null default '' check (char_length(subject) <= 120),
  -- The line that an inbox shows next to the subject.
  preview text not null default '' check (char_length(preview) <= 160),
  -- Markdown.
  body text not null default '' check (char_length(body) <= 30000),
  -- Counts changes, so that we detect an edit based on an older revision.
  revision int not null default 1,
  state text not null default 'draft'
    check (state in ('draft', 'scheduled', 'sending', 'stopped', 'sent')),
  -- When sending begins by itself.
  send_at timestamptz,
  -- The last part of its address, from when sending begins.
  slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  begun_at timestamptz,
  finished_at timestamptz,
  -- How many had confirmed when sending began, and how many of them it was sent to, or refused by.
  recipients int not null default 0,
  delivered int not null default 0,
  refused int not null default 0,
  created_by uuid references auth.users (id) on delete set null,
  updated_by uuid references auth.users (id) on delete set null,
  sent_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  words tsvector not null generated always as (private.name_words(subject)) stored,
  check ((state = 'scheduled') = (send_at is not null)),
  check ((state in ('draft', 'scheduled')) = (begun_at is null and slug is null)),
  check ((state = 'sent') = (finished_at is not null)),
  check (delivered + refused <= recipients)
);
comment on table public.newsletter_issues is
  'Issues of the newsletter, from the draft to what was sent and to how many. What was sent never changes.';
create index newsletter_issues_created_at_idx on public.newsletter_issues (created_at, id);
create index newsletter_issues_begun_at_idx on public.newsletter_issues (begun_at)
  where begun_at is not null;
create index newsletter_issues_send_at_idx on public.newsletter_issues (send_at)
  where send_at is not null;
create index newsletter_issues_words_idx on public.newsletter_issues using gin (words);
create index newsletter_issues_created_by_idx on public.newsletter_issues (created_by);
create index newsletter_issues_updated_by_idx on public.newsletter_issues (updated_by);
create index newsletter_issues_sent_by_idx on public.newsletter_issues (sent_by);
alter table public.newsletter_issues enable row level security;

create table public.newsletter_deliveries (
  -- Part of the email's Message-ID.
  id uuid primary key default gen_random_uuid(),
  issue_id uuid not null references public.newsletter_issues (id) on delete cascade,
  contact_id uuid not null references public.contacts (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'skipped')),
  -- When it's due or, once it's claimed, when its worker is presumed dead.
  run_at timestamptz not null default now(),
  attempts int not null default 0,
  failing_since timestamptz,
  last_error text,
  finished_at timestamptz,
  -- What unsubscribes. The hash stays; the secret only until the email is sent, so that the same
  -- link is in each attempt.
  leave_secret text,
  leave_hash bytea unique check (octet_length(leave_hash) = 32),
  unique (issue_id, contact_id),
  check ((state = 'waiting') = (finished_at is null)),
  check (state = 'waiting' or leave_secret is null)
);
comment on table public.newsletter_deliveries is
  'Who an issue of the newsletter is sent to, once each, and what became of it; kept for a year.';
create index newsletter_deliveries_due_idx on public.newsletter_deliveries (issue_id, run_at)
  where state = 'waiting';
create index newsletter_deliveries_refused_idx on public.newsletter_deliveries (issue_id, finished_at)
  where state = 'refused';
create index newsletter_deliveries_contact_id_idx on public.newsletter_deliveries (contact_id);
create index newsletter_deliveries_finished_at_idx on public.newsletter_deliveries (finished_at);
alter table public.newsletter_deliveries enable row level security;

create trigger newsletter_issues_take_steps before insert or update of state
  on public.newsletter_issues
  for each row execute function private.check_transition('issue', 'state');

create function private.keep_sent_issue() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (old.subject, old.preview, old.body, old.slug, old.begun_at)
    is not distinct from (new.subject, new.preview, new.body, new.slug, new.begun_at)
  then
    return new;
  end if;
  raise exception 'This issue is being sent or has been sent, so it can’t change anymore.'
    using errcode = '55000';
end
$$;
create trigger newsletter_issues_keep_what_was_sent before update or delete
  on public.newsletter_issues
  for each row when (old.begun_at is not null) execute function private.keep_sent_issue();

-- Beginning to send -----------------------------------------------------------------------------

create function private.newsletter_slug(p_subject text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  -- Pages of the site.
  c_taken constant text[] := array['almost', 'welcome', 'left', 'issues'];
  v_words text := btrim(regexp_replace(private.plain_words(p_subject), '[^a-z0-9]+', '-', 'g'), '-');
  v_base text := coalesce(nullif(btrim(pg_catalog.left(v_words, 60), '-'), ''), 'issue');
  v_slug text := v_base;
  v_number int := 1;
begin
  while v_slug = any (c_taken)
    or exists (select from public.newsletter_issues i where i.slug = v_slug)
  loop
    v_number := v_number + 1;
    v_slug := v_base || '-' || v_number;
  end loop;
  return v_slug;
end
$$;
comment on function private.newsletter_slug(text) is
  'The address of an issue: the words of its subject, with a number if another has the same.';

create function private.begin_newsletter(p_id uuid, p_sent_by uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_recipients int;
begin
  -- Two issues with the same subject get different addresses.
  perform private.one_at_a_time('newsletter_slug', '00000000-0000-0000-0000-000000000000');
  insert into public.newsletter_deliveries (issue_id, contact_id)
  select p_id, c.id from public.contacts c where c.newsletter = 'subscribed' order by c.id;
  get diagnostics v_recipients = row_count;
  update public.newsletter_issues i set
    state = 'sending', send_at = null, begun_at = now(), recipients = v_recipients,
    slug = private.newsletter_slug(i.subject), sent_by = p_sent_by
  where i.id = p_id;
  insert into private.jobs (kind, payload)
  values ('send_newsletter', jsonb_build_object('issue_id', p_id));
end
$$;
comment on function private.begin_newsletter(uuid, uuid) is
  'Starts sending an issue to everyone who has confirmed by now.';

create function private.begin_due_newsletters() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_issue record;
  v_count bigint := 0;
begin
  for v_issue in
    select i.id, i.sent_by from public.newsletter_issues i
    where i.send_at <= now() order by i.send_at for update skip locked
  loop
    perform private.begin_newsletter(v_issue.id, v_issue.sent_by);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.begin_due_newsletters() is
  'Starts sending the issues whose time has come; returns how many.';
insert into private.jobs (kind, every) values ('begin_due_newsletters', interval '1 minute');

-- What the job asks and records -----------------------------------------------------------------

create function private.newsletter_to_send(p_issue_id uuid, p_job_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'subject', i.subject, 'preview', i.preview, 'body', i.body, 'path', '/newsletter/' || i.slug
  )
  from public.newsletter_issues i
  where i.id = p_issue_id and i.state = 'sending'
    -- If it was stopped and continued, its newest job goes on.
    and not exists (
      select from private.jobs j join private.jobs mine on mine.id = p_job_id
      where j.kind = 'send_newsletter' and j.payload ->> 'issue_id' = p_issue_id::text
        and j.state in ('waiting', 'running') and (j.created_at, j.id) > (mine.created_at, mine.id)
    )
$$;
comment on function private.newsletter_to_send(uuid, uuid) is
  'The content of an issue for the job that sends it; null if there''s nothing to send.';

create function private.claim_newsletter_delivery(p_issue_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Longer than sending one email takes.
  c_lease constant interval := interval '2 minutes';
  v_delivery public.newsletter_deliveries;
  v_contact public.contacts;
  v_secret text;
begin
  if not exists (
    select from public.newsletter_issues i where i.id = p_issue_id and i.state = 'sending'
  ) then
    return null;
  end if;
  loop
    -- Along the index, without a join: it reads one row, however many are waiting.
    select * into v_delivery from public.newsletter_deliveries d
    where d.issue_id = p_issue_id and d.state = 'waiting' and d.run_at <= now()
    order by d.run_at limit 1 for update skip locked;
    if not found then
      return null;
    end if;
    select * into v_contact from public.contacts c where c.id = v_delivery.contact_id;
    exit when v_contact.newsletter = 'subscribed';
    -- They left, or their mailbox is gone.
    update public.newsletter_deliveries d
    set state = 'skipped', finished_at = now(), leave_secret = null where d.id = v_delivery.id;
  end loop;
  v_secret := coalesce(v_delivery.leave_secret, private.new_secret());
  update public.newsletter_deliveries d set
    run_at = now() + c_lease, attempts = d.attempts + 1, leave_secret = v_secret,
    leave_hash = private.secret_hash(v_secret)
  where d.id = v_delivery.id;
  return jsonb_build_object('id', v_delivery.id, 'to', v_contact.email, 'leave_secret', v_secret);
end
$$;
comment on function private.claim_newsletter_delivery(uuid) is
  'The next recipient of an issue who still wants it: {id, to, leave_secret}; null if none is due, or sending was stopped. After two minutes without a result, they''re due again.';

create function private.finish_newsletter_delivery(
  p_id uuid, p_state text, p_error text default null, p_is_gone boolean default false,
  p_kept jsonb default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_delivery public.newsletter_deliveries;
begin
  update public.newsletter_deliveries d set
    state = p_state, finished_at = now(), last_error = pg_catalog.left(p_error, 500), leave_secret = null
  where d.id = p_id and d.state = 'waiting'
  returning * into v_delivery;
  if not found then
    return;
  end if;
  update public.newsletter_issues i set
    delivered = i.delivered + (p_state = 'sent')::int, refused = i.refused + (p_state = 'refused')::int
  where i.id = v_delivery.issue_id;
  if p_is_gone then
    update public.contacts c set newsletter = 'bounced', bounced_at = now()
    where c.id = v_delivery.contact_id and c.newsletter = 'subscribed';
  end if;
  -- For the mailbox of a site that doesn't send email.
  if p_kept is not null then
    insert into private.jobs (kind, payload, state, attempts, finished_at)
    values ('mail', p_kept, 'done', 1, clock_timestamp());
  end if;
end
$$;
comment on function private.finish_newsletter_delivery(uuid, text, text, boolean, jsonb) is
  'Records that an email was "sent" or "refused", once; p_is_gone if the mail server says that there''s no such mailbox, which then gets no more issues.';

create function private.postpone_newsletter_delivery(p_id uuid, p_error text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_given_up_after constant interval := interval '48 hours';
  v_since timestamptz;
begin
  update public.newsletter_deliveries d set
    last_error = pg_catalog.left(p_error, 500), failing_since = least(d.failing_since, now()),
    run_at = now() + least(now() - least(d.failing_since, now()) + interval '30 seconds', interval '1 hour')
  where d.id = p_id and d.state = 'waiting'
  returning d.failing_since into v_since;
  if v_since <= now() - c_given_up_after then
    perform private.finish_newsletter_delivery(p_id, 'refused', p_error);
  end if;
end
$$;
comment on function private.postpone_newsletter_delivery(uuid, text) is
  'Tries an email again later that was refused for now, for 48 hours.';

create function private.release_newsletter_delivery(p_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.newsletter_deliveries d set run_at = now()
  where d.id = p_id and d.state = 'waiting'
$$;
comment on function private.release_newsletter_delivery(uuid) is
  'Makes an email due again that couldn''t be handed over, because the mail server is away or the process stops.';

create function private.end_newsletter(p_issue_id uuid) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_next timestamptz;
begin
  select min(d.run_at) into v_next from public.newsletter_deliveries d
  where d.issue_id = p_issue_id and d.state = 'waiting';
  if v_next is null then
    update public.newsletter_issues i set state = 'sent', finished_at = now()
    where i.id = p_issue_id and i.state = 'sending';
    return null;
  end if;
  return greatest(ceil(extract(epoch from v_next - now())), 0)::int;
end
$$;
comment on function private.end_newsletter(uuid) is
  'Ends an issue that nobody is waiting for anymore; otherwise the seconds until the next email is due.';

create function private.delete_old_newsletter_deliveries() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.newsletter_deliveries where finished_at < now() - interval '1 year' returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_old_newsletter_deliveries', interval '1 day');

-- The archive -----------------------------------------------------------------------------------

create function public.list_newsletter_issues() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('slug', i.slug, 'subject', i.subject, 'preview', i.preview, 'sent_at', i.begun_at)
    order by i.begun_at desc
  ), '[]')
  from (
    select * from public.newsletter_issues i where i.begun_at is not null
    order by i.begun_at desc limit 200
  ) i
$$;
comment on function public.list_newsletter_issues() is
  'The latest 200 issues that were sent, or are being sent, newest first, for everyone: [{slug, subject, preview, sent_at}].';

create function public.newsletter_issue(p_slug text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'slug', i.slug, 'subject', i.subject, 'preview', i.preview, 'body', i.body, 'sent_at', i.begun_at
  )
  from public.newsletter_issues i where i.slug = p_slug and i.begun_at is not null
$$;
comment on function public.newsletter_issue(text) is
  'An issue that was sent, for everyone: {slug, subject, preview, body (Markdown), sent_at}; null if there''s none.';
grant execute on function public.list_newsletter_issues(), public.newsletter_issue(text)
to anon, authenticated;
