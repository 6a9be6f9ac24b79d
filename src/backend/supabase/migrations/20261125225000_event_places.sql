SET local check_function_bodies = off;

ALTER TABLE "public"."notifications"
  DROP CONSTRAINT "notifications_kind_check";

CREATE TABLE "private"."event_links" (
  "secret_hash" bytea                    NOT NULL,
  "signup_id"   uuid                     NOT NULL,
  "created_at"  timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "event_links_pkey" PRIMARY KEY (secret_hash),
  CONSTRAINT "event_links_secret_hash_check" CHECK ((octet_length(secret_hash) = 32))
);

ALTER TABLE "private"."event_links"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."event_signups" (
  "id"                uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "event_id"          uuid                     NOT NULL,
  "email"             text,
  "name"              text,
  "wish"              text,
  "state"             text                     NOT NULL,
  "due_at"            timestamp with time zone,
  "queued_at"         timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "taken_at"          timestamp with time zone,
  "came"              boolean,
  "cancel_reason"     text,
  "day_reminder_for"  timestamp with time zone,
  "hour_reminder_for" timestamp with time zone,
  "created_at"        timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "event_signups_cancel_reason_check" CHECK ((char_length(cancel_reason) <= 2000)),
  CONSTRAINT "event_signups_check1" CHECK (((state <> 'taken'::text) OR (taken_at IS NOT NULL))),
  CONSTRAINT "event_signups_check" CHECK (((state = ANY (ARRAY['held'::text, 'offered'::text])) = (due_at IS NOT NULL))),
  CONSTRAINT "event_signups_email_check" CHECK (((char_length(email) <= 254) AND (email = lower(email)))),
  CONSTRAINT "event_signups_event_id_email_key" UNIQUE (event_id, email),
  CONSTRAINT "event_signups_name_check" CHECK ((char_length(name) <= 120)),
  CONSTRAINT "event_signups_pkey" PRIMARY KEY (id),
  CONSTRAINT "event_signups_state_check" CHECK ((state = ANY (ARRAY['held'::text, 'waiting'::text, 'offered'::text, 'taken'::text, 'canceled'::text, 'lapsed'::text]))),
  CONSTRAINT "event_signups_wish_check" CHECK ((char_length(wish) <= 500)),
  "words"             tsvector                 GENERATED ALWAYS AS (private.name_words(((COALESCE(name, ''::text) || ' '::text) || COALESCE(email, ''::text)))) STORED NOT NULL
);

ALTER TABLE "public"."event_signups"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."event_signups" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."events" (
  "id"            uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "slug"          text                     NOT NULL,
  "occasion"      text                     NOT NULL,
  "title"         text                     NOT NULL,
  "starts_at"     timestamp with time zone NOT NULL,
  "minutes"       integer                  NOT NULL,
  "time_zone"     text                     NOT NULL,
  "place"         text                     NOT NULL,
  "address"       text,
  "online_link"   text,
  "places"        integer                  NOT NULL,
  "state"         text                     NOT NULL DEFAULT 'planned'::text,
  "canceled_at"   timestamp with time zone,
  "cancel_reason" text,
  "revision"      integer                  NOT NULL DEFAULT 1,
  "created_at"    timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "events_address_check" CHECK ((char_length(address) <= 200)),
  CONSTRAINT "events_cancel_reason_check" CHECK ((char_length(cancel_reason) <= 2000)),
  CONSTRAINT "events_check" CHECK (((state = 'canceled'::text) = (canceled_at IS NOT NULL))),
  CONSTRAINT "events_minutes_check" CHECK (((minutes >= 15) AND (minutes <= 600))),
  CONSTRAINT "events_occasion_check" CHECK ((occasion ~ '^([0-9]{4}-[0-9]{2})?$'::text)),
  CONSTRAINT "events_online_link_check" CHECK (((online_link ~ '^https://'::text) AND (char_length(online_link) <= 500))),
  CONSTRAINT "events_pkey" PRIMARY KEY (id),
  CONSTRAINT "events_place_check" CHECK (((char_length(place) >= 1) AND (char_length(place) <= 300))),
  CONSTRAINT "events_places_check" CHECK (((places >= 1) AND (places <= 1000))),
  CONSTRAINT "events_slug_check" CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 100))),
  CONSTRAINT "events_slug_occasion_key" UNIQUE (slug, occasion),
  CONSTRAINT "events_state_check" CHECK ((state = ANY (ARRAY['planned'::text, 'canceled'::text]))),
  CONSTRAINT "events_time_zone_check" CHECK (((char_length(time_zone) >= 1) AND (char_length(time_zone) <= 60))),
  CONSTRAINT "events_title_check" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 120))),
  "words"         tsvector                 GENERATED ALWAYS AS (private.name_words(((title || ' '::text) || place))) STORED NOT NULL
);

ALTER TABLE "public"."events"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."events" FROM "anon", "authenticated", "service_role";

CREATE OR REPLACE FUNCTION private.add_notification (
  p_user_id uuid,
  p_kind    text,
  p_key     text,
  p_title   text,
  p_body    text,
  p_path    text
)
  RETURNS public.notifications
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_new public.notifications;
begin
  insert into public.notifications (user_id, kind, key, title, body, path)
  select
    u.id, p_kind, p_key, private.clean_line(p_title, 200),
    case when char_length(p_body) > 500 then pg_catalog.left(p_body, 499) || '…' else p_body end, p_path
  from auth.users u where u.id = p_user_id
  on conflict (user_id, key) do nothing
  returning * into v_new;
  if found then
    perform private.tell_notifications(p_user_id);
  end if;
  return v_new;
end
$function$;

CREATE OR REPLACE FUNCTION private.ask_for_place (
  p_caller   text,
  p_slug     text,
  p_occasion text,
  p_email    text,
  p_name     text,
  p_wish     text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_many constant text := 'That’s too many at once. Try again %s, or send us an email.';
  c_email constant text := lower(btrim(p_email));
  v_event public.events;
  v_signup public.event_signups;
  v_state text;
begin
  perform private.require_fair_share(
    'event', p_caller, split_part(p_caller, ':', 1), 8, 500, interval '1 hour', c_many
  );
  select * into v_event from public.events e where e.slug = p_slug and e.occasion = p_occasion;
  if not found then
    raise exception 'You can’t sign up for this date here. Choose another one, or write to us.'
      using errcode = '22023', hint = 'occasion';
  end if;
  if p_caller is not null then
    -- Nobody fills a room from one place.
    perform private.require_rate_limit(
      format('event:%s:%s', v_event.id, p_caller), 10, interval '1 day', c_many
    );
  end if;
  v_event := private.hold_event(v_event.id);
  if v_event.state = 'canceled' then
    raise exception 'This event was canceled.' using errcode = '22023', hint = 'occasion';
  elsif v_event.starts_at <= now() then
    raise exception 'This event has already started.' using errcode = '22023', hint = 'occasion';
  end if;

  select * into v_signup from public.event_signups s
  where s.event_id = v_event.id and s.email = c_email for update;
  if v_signup.state in ('held', 'offered', 'taken', 'waiting') then
    -- Only the mailbox learns that, and what it has doesn't change.
    if private.take_rate_limit(private.mailbox_key('event-again', c_email), 3, interval '1 day') then
      perform private.tell_of_state(v_signup.id);
    end if;
    return;
  end if;
  perform private.offer_places(v_event.id);
  v_state := case when private.held_places(v_event.id) < v_event.places then 'held' else 'waiting' end;
  insert into public.event_signups as s (event_id, email, name, wish, state, due_at)
  values (
    v_event.id, c_email, private.clean_line(p_name, 120), nullif(private.clean_body(p_wish), ''), v_state,
    case v_state when 'held' then private.event_deadline(v_event.starts_at, interval '24 hours') end
  )
  on conflict (event_id, email) do update set
    name = excluded.name, wish = excluded.wish, state = excluded.state, due_at = excluded.due_at,
    queued_at = clock_timestamp(), cancel_reason = null
  returning * into v_signup;
  if not private.tell_of_state(v_signup.id) then
    -- Their mailbox has reached its limit for today, so they couldn't confirm it.
    update public.event_signups s set state = 'lapsed', due_at = null where s.id = v_signup.id;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.calendar_of (
  p_caller text,
  p_token  text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid;
begin
  -- Calendar apps of many people may ask from one address.
  if p_caller is not null then
    perform private.require_rate_limit(
      'calendar:' || p_caller, 600, interval '1 hour',
      'Your calendar asked too often. Try again %s.'
    );
  end if;
  select f.user_id into v_user_id
  from public.calendar_feeds f
  where f.token_hash = sha256(convert_to(p_token, 'UTF8'))
    and private.account_state(f.user_id) <> 'blocked';
  if not found then
    return null;
  end if;
  perform private.require_rate_limit(
    'calendar:' || v_user_id, 60, interval '1 hour', 'Your calendar asked too often. Try again %s.'
  );
  return jsonb_build_object(
    'sessions', (
      select coalesce(jsonb_agg(m.entry), '[]') from (
        select to_jsonb(s) || '{"path": "/dashboard/coaching"}' as entry
        from private.sessions_in_calendar(v_user_id) s
        union all
        select to_jsonb(e) || '{"path": "/dashboard"}' from private.events_in_calendar(v_user_id) e
      ) m
    ),
    'due', (select coalesce(jsonb_agg(d), '[]') from private.due_in_calendar(v_user_id) d)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_event (
  p_id     uuid,
  p_reason text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_event public.events := private.hold_event(p_id);
begin
  if v_event.state = 'canceled' then
    return;
  end if;
  update public.events e set state = 'canceled', canceled_at = now(), cancel_reason = p_reason
  where e.id = p_id;
  perform private.tell_about_place(
    s.id, 'event-canceled', 'Canceled: %s', 'event-canceled', jsonb_build_object('reason', p_reason)
  )
  from public.event_signups s
  where s.event_id = p_id and s.state in ('held', 'offered', 'taken', 'waiting')
    and v_event.starts_at > now()
  order by s.queued_at;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_account (
  p_user_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_email text;
  v_name text := coalesce(private.name_of(p_user_id), 'Someone you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them: businesses, then as in private.hold_coach.
  perform private.one_at_a_time('business', b.business_id)
  from (
    select m.business_id from public.business_members m
    where m.user_id = p_user_id order by m.business_id
  ) b;
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- The people concerned hear of it, in words that don't depend on who they are to each other.
  perform private.notify(
    c.coach_id, 'coaching', 'gone:' || p_user_id, v_name || ' has deleted their account',
    'You were their coach. The coaching has ended.', '/dashboard/coaching', 'Your clients'
  )
  from (
    select distinct e.coach_id from public.engagements e
    where e.owner_id = p_user_id and e.coach_id is not null and e.closed_at is null
  ) c;
  perform private.free_clients(p_user_id, 'The account was deleted.');

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The owner’s account was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify(
        m.user_id, 'account', 'owner:' || v_business.business_id || ':' || now(),
        'You’re now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You now decide who belongs to the business and whether to archive it.',
        '/dashboard/businesses/' || v_business.business_id, 'Open the business'
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform private.forget_coaching_of(p_user_id);
  -- An invoice has to keep who it was for, and the purchase order that it answers; anything else
  -- doesn't.
  update public.orders o set state = 'canceled'
  where o.buyer_id = p_user_id and o.state in ('draft', 'quoted', 'expired', 'failed');
  delete from public.order_files f using public.orders o
  where f.order_id = o.id and o.buyer_id = p_user_id and o.invoice_number is null;
  update public.orders o set
    billing_name = null, billing_organization = null, billing_email = null, billing_address = null,
    note = null
  where o.buyer_id = p_user_id and o.invoice_number is null;

  perform private.remove_folder('avatars', p_user_id);

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.program_sponsors s where s.address = lower(v_email);
  update public.seats s set state = 'unassigned' where s.address = lower(v_email) and s.state = 'assigned';
  perform private.forget_event_places(lower(v_email));
  delete from public.contacts c where c.email = lower(v_email) or c.user_id = p_user_id;
  delete from private.jobs j where j.kind = 'mail' and lower(j.payload ->> 'to') = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  perform private.send_mail(v_email, 'account-notice', jsonb_build_object(
    'subject', 'We’ve deleted your account', 'heading', 'We’ve deleted your account',
    'paragraphs', jsonb_build_array('You asked us to 30 days ago. This is our last email. We’ll erase your address 30 days from now.'),
    'why', 'You’re getting this email because this address had an account.'
  ));
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_old_event_people()
  RETURNS bigint
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with old as (
    select s.id from public.event_signups s join public.events e on e.id = s.event_id
    where e.starts_at < now() - interval '1 year' and s.email is not null
  ), links as (
    delete from private.event_links l using old where l.signup_id = old.id
  ), people as (
    update public.event_signups s set email = null, name = null, wish = null, cancel_reason = null
    from old where s.id = old.id
    returning 1
  )
  select count(*) from people
$function$;

CREATE OR REPLACE FUNCTION private.event_counts (
  p_event_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'taken', count(*) filter (where s.state = 'taken'),
    'held', count(*) filter (where s.state in ('held', 'offered')),
    'waiting', count(*) filter (where s.state = 'waiting'),
    'came', count(*) filter (where s.came)
  )
  from public.event_signups s where s.event_id = p_event_id
$function$;

CREATE OR REPLACE FUNCTION private.event_deadline (
  p_starts_at timestamp with time zone,
  p_most      interval
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select least(now() + p_most, now() + (p_starts_at - now()) / 2)
$function$;

CREATE OR REPLACE FUNCTION private.event_email_of (
  p_user_id uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select lower(u.email) from auth.users u
  where u.id = p_user_id and u.email_confirmed_at is not null
$function$;

CREATE OR REPLACE FUNCTION private.event_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', e.id, 'slug', e.slug, 'title', e.title, 'starts_at', e.starts_at, 'minutes', e.minutes,
    'time_zone', e.time_zone, 'place', e.place, 'online_link', e.online_link, 'places', e.places,
    'state', e.state, 'canceled_at', e.canceled_at, 'cancel_reason', e.cancel_reason
  ) || private.event_counts(e.id)
  from public.events e where e.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.event_moment (
  p_at        timestamp with time zone,
  p_time_zone text
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  SET "TimeZone" TO 'UTC'
  AS $function$
begin
  -- Until the function ends; only to_char with the session's zone can name it.
  perform set_config('timezone', p_time_zone, true);
  return to_char(p_at, 'FMDay, FMMonth FMDD, YYYY, FMHH12:MI AM TZ');
end
$function$;

CREATE OR REPLACE FUNCTION private.event_position (
  p_signup public.event_signups
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::int from public.event_signups s
  where s.event_id = p_signup.event_id and s.state = 'waiting'
    and (s.queued_at, s.id) <= (p_signup.queued_at, p_signup.id)
$function$;

CREATE OR REPLACE FUNCTION private.events_in_calendar (
  p_user_id uuid
)
  RETURNS TABLE (
    uid         text,
    sequence    integer,
    starts_at   timestamp with time zone,
    minutes     integer,
    title       text,
    place       text,
    description text,
    canceled    boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select 'place-' || s.id, e.revision, e.starts_at, e.minutes, e.title,
    coalesce(e.online_link, e.place), 'You have a place.', e.state = 'canceled' or s.state = 'canceled'
  from public.event_signups s
  join public.events e on e.id = s.event_id
  where s.email = private.event_email_of(p_user_id) and s.taken_at is not null
    and s.state in ('taken', 'canceled') and e.starts_at > now() - interval '60 days'
  order by e.starts_at desc
  limit 100
$function$;

CREATE OR REPLACE FUNCTION private.export_parts()
  RETURNS TABLE (
    name   text,
    rows   text,
    hidden text[]
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with listed (name, rows, hidden) as (values
    -- What belongs to them alone.
    ('attempts', 't.user_id = $1', '{voided_by}'::text[]),
    ('answers', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('attempt_confidences', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('area_scores', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('recommendations', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('focus_actions', 't.focus_area_id in (select f.id from public.focus_areas f where f.user_id = $1)', '{}'),
    ('focus_reminders', 't.action_id in (select c.id from public.focus_actions c join public.focus_areas f on f.id = c.focus_area_id where f.user_id = $1)', '{}'),
    ('staff_roles', 't.user_id = $1', '{granted_by}'),
    -- Their businesses, with what every member reads; of a business that they have left only their
    -- own words, which nobody has changed since.
    ('businesses', 't.id = any ($3)', '{words}'),
    ('business_snapshots', 't.business_id = any ($3) or t.created_by = $1', '{}'),
    ('business_merges', 't.from_id = any ($3) or t.into_id = any ($3)', '{moved,reason,merged_by,undone_by}'),
    ('business_invitations', 't.address = $2 or t.invited_by = $1', '{token_hash}'),
    ('business_plan_fields', 't.business_id = any ($3)', '{}'),
    ('business_plan_versions', 't.business_id = any ($3) or t.saved_by = $1', '{editor}'),
    ('business_worksheets', 't.business_id = any ($3)', '{}'),
    ('business_worksheet_versions', 't.business_id = any ($3) or t.saved_by = $1', '{is_final}'),
    ('tool_copies', 't.business_id = any ($3) and t.removed_at is null', '{}'),
    ('projects', 't.business_id = any ($3)', '{words}'),
    ('project_events', 't.business_id = any ($3) or t.actor_id = $1', '{}'),
    ('project_updates', 't.business_id = any ($3) or t.author_id = $1', '{}'),
    ('project_tasks', 't.business_id = any ($3)', '{}'),
    ('project_files', 't.business_id = any ($3) or t.uploaded_by = $1', '{}'),
    -- Coaching: all of their own; as a coach, that there was one and not what the owner wrote.
    ('engagements', 't.owner_id = $1', '{}'),
    ('engagements_as_coach', 't.coach_id = $1', '{note,areas,owner_id,business_id,referral,change_requested_at}'),
    ('engagement_events', 't.actor_id = $1 or t.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{note}'),
    -- What coaches and admins write to each other about a client is theirs.
    ('contact_attempts', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{note,coach_id}'),
    ('contact_attempts_as_coach', 't.coach_id = $1', '{engagement_id}'),
    ('handovers', 't.from_coach_id = $1', '{engagement_id,to_coach_id,packet,added}'),
    ('coaching_sessions', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coaching_sessions_as_coach', 't.coach_id = $1', '{engagement_id,place,topics,summary,cancel_reason}'),
    -- Their own private notes, and nobody else's.
    ('session_notes', 't.author_id = $1', '{}'),
    ('session_offers', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('session_offers_as_coach', 't.coach_id = $1', '{engagement_id,place,note}'),
    ('coaching_actions', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coaching_actions_as_coach', 't.created_by = $1 and t.engagement_id not in (select e.id from public.engagements e where e.owner_id = $1)', '{engagement_id,focus_area_id}'),
    ('coach_recommendations', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coach_recommendations_as_coach', 't.coach_id = $1', '{engagement_id,project_id}'),
    ('session_feedback', 't.owner_id = $1', '{}'),
    ('calendar_feeds', 't.user_id = $1', '{token_hash}'),
    ('survey_invitations', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{token_hash}'),
    ('survey_responses', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    -- What they bought, and the sessions their businesses have.
    ('orders', 't.buyer_id = $1', '{words,checkout_ref,customer_ref}'),
    ('order_lines', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{}'),
    ('order_events', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{actor_id}'),
    ('order_files', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{uploaded_by}'),
    ('payments', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{ref,recorded_by}'),
    ('refunds', 't.payment_ref in (select p.ref from public.payments p join public.orders o on o.id = p.order_id where o.buyer_id = $1)', '{ref,payment_ref,recorded_by}'),
    ('disputes', 't.payment_ref in (select p.ref from public.payments p join public.orders o on o.id = p.order_id where o.buyer_id = $1)', '{ref,payment_ref}'),
    ('memberships', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{ref}'),
    ('session_grants', 't.business_id = any ($3)', '{given_by,reason}'),
    ('session_uses', 't.session_id in (select s.id from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id where e.owner_id = $1)', '{waived_by}'),
    -- Their seats in programs, and programs they sponsor.
    ('seats', 't.owner_id = $1', '{note,code_id}'),
    ('program_sponsors', 't.address = $2', '{added_by}'),
    -- Their own words and files; what others wrote to them is the others'.
    ('conversations', 't.id in (select p.conversation_id from public.conversation_participants p where p.user_id = $1 and p.left_at is null)', '{about_user_id,direct_pair,created_by}'),
    ('messages', 't.author_id = $1', '{words}'),
    ('message_attachments', 't.uploaded_by = $1', '{}'),
    ('message_reports', 't.reporter_id = $1', '{said,author_id,settled_by}'),
    -- Kept under their address.
    ('contacts', 't.email = $2', '{confirm_hash,leave_hash,words,has_twin}'),
    ('newsletter_deliveries', 't.contact_id in (select c.id from public.contacts c where c.email = $2)', '{leave_secret,leave_hash,run_at,attempts,failing_since,last_error}'),
    ('event_signups', 't.email = $2', '{words}'),
    -- Issues that they wrote or sent as an admin.
    ('newsletter_issues', '$1 in (t.created_by, t.updated_by, t.sent_by)', '{words}'),
    ('hubspot_records', 't.kind = ''contact'' and t.label = $2', '{words,hash,sent_hash,in_doubt,version}'),
    -- Whether a project of theirs is mirrored, and where; what's in it is in the project.
    ('wrike_mirrors', 't.project_id in (select p.id from public.projects p where p.business_id = any ($3))', '{sent,version,attempts,account_id,folder_id}'),
    ('contact_messages', 't.contact_id in (select c.id from public.contacts c where c.email = $2)', '{answered_by}'),
    -- Without what was in them: a link of a mail signs in.
    ('mails', 'lower(t.to_address) = $2', '{data,html,body_text,last_error,run_at,attempts,failing_since,awaits_service,expires_at}'),
    -- What they did and what was done about them; by whom and why stays with the log.
    ('audit_log', 't.actor_id = $1 or t.entity = ''user'' and t.entity_id = $1::text', '{actor_id,reason,details}')
  )
  select l.name, l.rows, l.hidden from listed l
  union all
  select c.relname::text, 't.user_id = $1', '{}'
  from pg_catalog.pg_class c
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not exists (select from listed l where l.name = c.relname)
$function$;

CREATE OR REPLACE FUNCTION private.forget_event_places (
  p_email text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_event record;
begin
  for v_event in
    select s.event_id, s.id from public.event_signups s where s.email = p_email order by s.event_id
  loop
    perform private.hold_event(v_event.event_id);
    update public.event_signups s set state = 'canceled', due_at = null
    from public.events e
    where s.id = v_event.id and e.id = s.event_id and e.starts_at > now()
      and s.state in ('held', 'offered', 'taken', 'waiting');
    update public.event_signups s set email = null, name = null, wish = null, cancel_reason = null
    where s.id = v_event.id;
    delete from private.event_links l where l.signup_id = v_event.id;
    perform private.offer_places(v_event.event_id);
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.held_places (
  p_event_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::int from public.event_signups s
  where s.event_id = p_event_id and s.state in ('held', 'offered', 'taken')
$function$;

CREATE OR REPLACE FUNCTION private.hold_event (
  p_id uuid
)
  RETURNS public.events
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_event public.events;
begin
  select * into v_event from public.events e where e.id = p_id for update;
  return v_event;
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_signup (
  p_id uuid
)
  RETURNS public.event_signups
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_signup public.event_signups;
begin
  perform private.hold_event(s.event_id) from public.event_signups s where s.id = p_id;
  select * into v_signup from public.event_signups s where s.id = p_id for update;
  if not found then
    raise exception 'We can’t find this person.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_signup;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_event_places()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object(
    'lapsed', private.lapse_places(),
    -- If we were away until shortly before, one reminder is enough.
    'day', private.remind_of_event('day', interval '2 hours', interval '24 hours'),
    'hour', private.remind_of_event('hour', interval '0', interval '1 hour')
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.lapse_places()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_event record;
  v_count int := 0;
  v_here int;
begin
  for v_event in
    select e.id from public.events e
    where exists (
      select from public.event_signups s where s.event_id = e.id and s.due_at <= now()
    )
    order by e.id for update skip locked
  loop
    update public.event_signups s set state = 'lapsed', due_at = null
    where s.event_id = v_event.id and s.due_at <= now();
    get diagnostics v_here = row_count;
    v_count := v_count + v_here;
    perform private.offer_places(v_event.id);
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.my_event_places()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'title', p.title, 'starts_at', p.starts_at, 'place', p.place, 'state', p.state,
    'due_at', p.due_at
  ) order by p.starts_at, p.id), '[]')
  from (
    select s.id, e.title, e.starts_at, e.place, s.state, s.due_at
    from public.event_signups s
    join public.events e on e.id = s.event_id
    where s.email = private.event_email_of((select auth.uid())) and (select private.session_ok())
      and s.state in ('held', 'offered', 'taken', 'waiting') and e.state = 'planned'
      and e.starts_at + make_interval(mins => e.minutes) > now()
    order by e.starts_at, s.id limit 4
  ) p
$function$;

CREATE OR REPLACE FUNCTION private.new_event_link (
  p_signup_id uuid
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_secret text := private.new_secret();
begin
  insert into private.event_links (secret_hash, signup_id)
  values (private.secret_hash(v_secret), p_signup_id);
  return '/confirm/place/' || v_secret;
end
$function$;

CREATE OR REPLACE FUNCTION private.notification_group (
  p_kind text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when p_kind = 'reminder' then 'reminders'
    when p_kind = 'business' then 'news'
    when p_kind not in ('support', 'order', 'account', 'event') then 'coaching'
  end
$function$;

CREATE OR REPLACE FUNCTION private.notify (
  p_user_id uuid,
  p_kind    text,
  p_key     text,
  p_title   text,
  p_body    text,
  p_path    text,
  p_button  text DEFAULT 'Open'::text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_group text := private.notification_group(p_kind);
  v_body text := private.clean_body(p_body);
  v_new public.notifications;
begin
  v_new := private.add_notification(p_user_id, p_kind, p_key, p_title, v_body, p_path);
  if v_new.id is null then
    return false;
  end if;
  if v_group is null or private.wants(p_user_id, v_group) then
    perform private.send_mail(u.email, case p_kind when 'account' then 'account-notice' else 'notice' end, jsonb_build_object(
      'subject', v_new.title, 'heading', v_new.title,
      'paragraphs', array_remove(string_to_array(v_body, E'\n'), ''),
      -- By this address, opening the email's link marks it as read.
      'button_label', p_button, 'button_path', '/dashboard/notifications/' || v_new.id,
      'has_choice', v_group is not null,
      'why', 'You’re getting this email because ' || case v_group
        when 'reminders' then 'something you planned is due.'
        when 'news' then 'it’s about your business.'
        when 'coaching' then 'you take part in coaching.'
        else case p_kind
          when 'account' then 'it’s about your account or what you can open.'
          when 'order' then 'it’s about an order.' else 'it’s about our support.'
        end
      end
    ))
    from auth.users u where u.id = p_user_id and u.email is not null;
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.offer_places (
  p_event_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Later, nobody would see the offer in time; then a free place goes to the next person who asks.
  c_last constant interval := interval '1 hour';
  v_event public.events := private.hold_event(p_event_id);
  v_id uuid;
  v_count int := 0;
begin
  while v_event.state = 'planned' and v_event.starts_at > now() + c_last
    and private.held_places(p_event_id) < v_event.places
  loop
    update public.event_signups u
    set state = 'offered', due_at = private.event_deadline(v_event.starts_at, interval '48 hours')
    where u.id = (
      select s.id from public.event_signups s
      where s.event_id = p_event_id and s.state = 'waiting' order by s.queued_at, s.id limit 1
    )
    returning u.id into v_id;
    exit when v_id is null;
    perform private.tell_of_state(v_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_event (
  p_stage text,
  p_from  interval,
  p_to    interval
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_due record;
  v_count int := 0;
begin
  for v_due in
    select s.id, e.id as event_id, e.starts_at, e.online_link
    from public.events e
    join public.event_signups s on s.event_id = e.id and s.state = 'taken' and s.email is not null
    where e.state = 'planned' and e.starts_at > now() + p_from and e.starts_at <= now() + p_to
      -- The person who has just taken it knows.
      and s.taken_at < e.starts_at - p_to
      and e.starts_at is distinct from
        case p_stage when 'day' then s.day_reminder_for else s.hour_reminder_for end
    order by e.id, s.id limit 1000
    for update of s skip locked
  loop
    update public.event_signups s set
      day_reminder_for = case p_stage when 'day' then v_due.starts_at else s.day_reminder_for end,
      hour_reminder_for = case p_stage when 'hour' then v_due.starts_at else s.hour_reminder_for end
    where s.id = v_due.id;
    perform private.tell_about_place(
      v_due.id, 'event-reminder',
      case p_stage when 'day' then 'Coming up: %s' else 'Starting soon: %s' end,
      format('%s:%s', p_stage, extract(epoch from v_due.starts_at)),
      jsonb_build_object('stage', p_stage, 'online_link', v_due.online_link)
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.seed_event (
  p_event jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_new public.events;
  v_old public.events;
  v_moved boolean;
begin
  v_new := jsonb_populate_record(null::public.events, p_event);
  select * into v_old from public.events e
  where e.slug = v_new.slug and e.occasion = v_new.occasion for update;
  if not found then
    if not coalesce((p_event ->> 'canceled')::boolean, false) then
      insert into public.events (
        slug, occasion, title, starts_at, minutes, time_zone, place, address, online_link, places
      ) values (
        v_new.slug, v_new.occasion, v_new.title, v_new.starts_at, v_new.minutes, v_new.time_zone,
        v_new.place, v_new.address, v_new.online_link, v_new.places
      );
    end if;
    return;
  end if;
  v_moved := (v_old.starts_at, v_old.place) <> (v_new.starts_at, v_new.place);
  update public.events e set
    title = v_new.title, starts_at = v_new.starts_at, minutes = v_new.minutes,
    time_zone = v_new.time_zone, place = v_new.place, address = v_new.address, online_link = v_new.online_link,
    places = v_new.places, revision = e.revision + v_moved::int
  where e.id = v_old.id;
  if coalesce((p_event ->> 'canceled')::boolean, false) then
    perform private.cancel_event(v_old.id, null);
    return;
  end if;
  if v_moved and v_old.state = 'planned' then
    -- Nobody is held to a deadline after the event.
    update public.event_signups s
    set due_at = least(s.due_at, greatest(private.event_deadline(v_new.starts_at, interval '48 hours'), now()))
    where s.event_id = v_old.id and s.due_at is not null;
    perform private.tell_about_place(
      s.id, 'event-moved', 'A new date or place: %s', 'moved:' || (v_old.revision + 1),
      jsonb_build_object(
        'was_when', private.event_moment(v_old.starts_at, v_old.time_zone), 'was_where', v_old.place
      )
    )
    from public.event_signups s
    where s.event_id = v_old.id and s.state in ('held', 'offered', 'taken', 'waiting')
    order by s.queued_at;
  end if;
  perform private.offer_places(v_old.id);
end
$function$;

CREATE OR REPLACE FUNCTION private.seed_events (
  p_events jsonb
)
  RETURNS text[]
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.seed_event(e.event) from jsonb_array_elements(p_events) as e (event);
  -- What's gone from content/ and nobody asked for goes; the others stay, and are returned.
  delete from public.events o
  where o.starts_at > now()
    and not exists (select from public.event_signups s where s.event_id = o.id)
    and (o.slug, o.occasion) not in (
      select e.event ->> 'slug', e.event ->> 'occasion' from jsonb_array_elements(p_events) as e (event)
    );
  return array(
    select distinct o.slug from public.events o
    where o.starts_at > now() and o.state = 'planned'
      and (o.slug, o.occasion) not in (
        select e.event ->> 'slug', e.event ->> 'occasion'
        from jsonb_array_elements(p_events) as e (event)
      )
    order by 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_about_place (
  p_signup_id uuid,
  p_template  text,
  p_title     text,
  p_key       text,
  p_data      jsonb DEFAULT '{}'::jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_signup public.event_signups;
  v_event public.events;
  v_goes boolean;
begin
  select * into v_signup from public.event_signups s where s.id = p_signup_id;
  select * into v_event from public.events e where e.id = v_signup.event_id;
  if v_signup.email is null then
    return false;
  end if;
  v_goes := private.send_mail(v_signup.email, p_template, jsonb_build_object(
    'title', v_event.title,
    'when', private.event_moment(v_event.starts_at, v_event.time_zone),
    'minutes', v_event.minutes,
    'where', v_event.place,
    'event_path', '/events/' || v_event.slug,
    'path', private.new_event_link(p_signup_id)
  ) || p_data, case when v_event.state = 'planned' then v_event.starts_at end);
  perform private.add_notification(
    u.id, 'event', format('event:%s:%s', p_signup_id, p_key), format(p_title, v_event.title),
    private.event_moment(v_event.starts_at, v_event.time_zone) || '. ' || v_event.place,
    '/dashboard/events/' || p_signup_id
  )
  from auth.users u
  where lower(u.email) = v_signup.email and u.email_confirmed_at is not null;
  return v_goes;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_state (
  p_signup_id uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_signup public.event_signups;
  v_event public.events;
  -- The same occasion isn't told twice in the app; an email that someone asks for again goes.
  v_key text;
begin
  select * into v_signup from public.event_signups s where s.id = p_signup_id;
  select * into v_event from public.events e where e.id = v_signup.event_id;
  v_key := v_signup.state || ':'
    || extract(epoch from coalesce(v_signup.due_at, v_signup.taken_at, v_signup.queued_at));
  return case v_signup.state
    when 'held' then private.tell_about_place(
      p_signup_id, 'event-held', 'Confirm your place: %s', v_key,
      jsonb_build_object('until', private.event_moment(v_signup.due_at, v_event.time_zone))
    )
    when 'offered' then private.tell_about_place(
      p_signup_id, 'event-offer', 'A place is free: %s', v_key,
      jsonb_build_object('until', private.event_moment(v_signup.due_at, v_event.time_zone))
    )
    when 'waiting' then private.tell_about_place(
      p_signup_id, 'event-waiting', 'You’re on the waiting list: %s', v_key,
      jsonb_build_object('position', private.event_position(v_signup))
    )
    when 'taken' then private.tell_about_place(
      p_signup_id, 'event-taken', 'You have a place: %s', v_key,
      jsonb_build_object('online_link', v_event.online_link)
    )
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.use_event_link (
  p_secret text,
  p_what   text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_event public.events;
  v_signup public.event_signups;
begin
  select s.* into v_signup
  from private.event_links l join public.event_signups s on s.id = l.signup_id
  where l.secret_hash = private.secret_hash(p_secret);
  if not found then
    return false;
  end if;
  v_event := private.hold_event(v_signup.event_id);
  select * into v_signup from public.event_signups s where s.id = v_signup.id for update;
  if v_event.state = 'canceled' or v_event.starts_at <= now() then
    return true;
  end if;
  if p_what = 'confirm' and v_signup.state in ('held', 'offered') then
    -- What nobody has freed yet is still theirs, even if they're late.
    update public.event_signups s
    set state = 'taken', taken_at = now(), due_at = null where s.id = v_signup.id;
    perform private.tell_of_state(v_signup.id);
  elsif p_what = 'cancel' and v_signup.state in ('held', 'offered', 'taken', 'waiting') then
    update public.event_signups s
    set state = 'canceled', due_at = null where s.id = v_signup.id;
    perform private.offer_places(v_event.id);
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_event (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  return private.event_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_event"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_event_signups (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('event.list_people', 'event', p_filter ->> 'event', null, p_filter - 'event');
  return private.list_page(
    'public.event_signups r',
    $row$
      jsonb_build_object(
        'name', r.name, 'email', r.email, 'wish', r.wish, 'state', r.state, 'due_at', r.due_at,
        'came', r.came, 'reason', r.cancel_reason, 'created_at', r.created_at,
        'position', case r.state when 'waiting' then (
          select private.event_position(s) from public.event_signups s where s.id = r.id
        ) end
      )
    $row$,
    array[
      'r.event_id = ($1 ->> ''event'')::uuid',
      case when p_filter ->> 'state' in ('held', 'waiting', 'offered', 'taken', 'canceled', 'lapsed') then
        format('r.state = %L', p_filter ->> 'state')
      end
    ],
    'r.created_at', 'timestamptz', false, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_event_signups"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_events (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_past boolean := coalesce(p_filter ->> 'show' = 'past', false);
begin
  perform private.require_admin();
  -- Nothing about a person, so it isn't in the audit log.
  return private.list_page(
    'public.events r',
    $row$
      jsonb_build_object(
        'slug', r.slug, 'title', r.title, 'starts_at', r.starts_at, 'minutes', r.minutes,
        'time_zone', r.time_zone, 'place', r.place, 'places', r.places, 'state', r.state
      ) || private.event_counts(r.id)
    $row$,
    array[case when v_past then 'r.starts_at <= now()' else 'r.starts_at > now()' end],
    'r.starts_at', 'timestamptz', v_past, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_events"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.cancel_event (
  p_id     uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
  v_event public.events;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  v_event := private.hold_event(p_id);
  if v_event.id is null then
    raise exception 'We can’t find this event.' using errcode = 'P0002', hint = 'id';
  elsif v_event.starts_at <= now() and v_event.state = 'planned' then
    raise exception 'This event has already started.' using errcode = '55000';
  end if;
  if v_event.state = 'planned' then
    perform private.cancel_event(p_id, v_reason);
    perform private.audit('event.cancel', 'event', p_id::text, v_reason);
  end if;
  return private.event_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."cancel_event"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.cancel_event_place (
  p_id     uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
  v_signup public.event_signups;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  v_signup := private.hold_signup(p_id);
  if v_signup.state = 'canceled' then
    return private.event_json(v_signup.event_id);
  elsif v_signup.state = 'lapsed' then
    raise exception 'They don’t have a place anymore.' using errcode = '55000';
  end if;
  update public.event_signups s
  set state = 'canceled', due_at = null, cancel_reason = v_reason where s.id = p_id;
  perform private.tell_about_place(
    p_id, 'event-removed', 'We had to cancel your place: %s', 'removed:' || extract(epoch from now()),
    jsonb_build_object('reason', v_reason)
  );
  perform private.offer_places(v_signup.event_id);
  perform private.audit(
    'event.cancel_place', 'event', v_signup.event_id::text, v_reason,
    jsonb_build_object('place', p_id, 'before', v_signup.state, 'after', 'canceled')
  );
  return private.event_json(v_signup.event_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."cancel_event_place"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_dashboard (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'called', (
      select coalesce(p.preferred_name, nullif(split_part(p.full_name, ' ', 1), ''))
      from public.profiles p where p.user_id = (select auth.uid())
    ),
    'open_attempt', private.open_attempt_json(p_business_id),
    'latest', private.standing_json(p_business_id),
    'focus', private.focus_json((select auth.uid()), p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'invitations', private.invitations_to_me(),
    'events', private.my_event_places(),
    'projects', private.next_projects_json(p_business_id),
    'unread', private.unread_json((select auth.uid())),
    'tools', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', s.slug, 'title', s.title, 'type', s.type, 'minutes', s.minutes
      ) order by s.saved_at desc, s.slug), '[]')
      from (
        select i.slug, i.title, i.type, i.minutes, m.saved_at
        from public.toolbox_marks m
        join public.toolbox_items i on i.id = m.item_id and i.state = 'published'
        where m.user_id = (select auth.uid()) and m.saved_at is not null and m.done_at is null
        order by m.saved_at desc
        limit 4
      ) s
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.get_event_place (
  p_secret text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'slug', e.slug, 'title', e.title, 'starts_at', e.starts_at, 'minutes', e.minutes,
    'time_zone', e.time_zone, 'place', e.place, 'address', e.address, 'revision', e.revision,
    'event_state', e.state, 'event_reason', e.cancel_reason,
    'online_link', case when s.state = 'taken' then e.online_link end,
    'id', s.id, 'name', s.name, 'state', s.state, 'due_at', s.due_at, 'reason', s.cancel_reason,
    'position', case s.state when 'waiting' then private.event_position(s) end
  )
  from private.event_links l
  join public.event_signups s on s.id = l.signup_id
  join public.events e on e.id = s.event_id
  where l.secret_hash = private.secret_hash(p_secret)
$function$;

REVOKE ALL ON FUNCTION "public"."get_event_place"(text) FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.give_event_place (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_signup public.event_signups;
  v_event public.events;
begin
  perform private.require_admin();
  v_signup := private.hold_signup(p_id);
  select * into v_event from public.events e where e.id = v_signup.event_id;
  if v_signup.state = 'taken' then
    return private.event_json(v_event.id);
  elsif v_event.state = 'canceled' then
    raise exception 'This event was canceled.' using errcode = '55000';
  elsif v_signup.state not in ('waiting', 'held', 'offered') then
    raise exception 'They aren’t waiting for a place anymore.' using errcode = '55000';
  elsif v_signup.state = 'waiting' and private.held_places(v_event.id) >= v_event.places then
    raise exception 'All % places are taken, held or offered. Cancel someone’s place first, or add places in content/events/%.mdx.',
      v_event.places, v_event.slug using errcode = '55000';
  end if;
  update public.event_signups s set state = 'taken', taken_at = now(), due_at = null where s.id = p_id;
  perform private.tell_of_state(p_id);
  perform private.audit(
    'event.give_place', 'event', v_event.id::text, null,
    jsonb_build_object('place', p_id, 'before', v_signup.state, 'after', 'taken')
  );
  return private.event_json(v_event.id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."give_event_place"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_event_places (
  p_slug text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'occasion', e.occasion, 'starts_at', e.starts_at, 'places', e.places, 'state', e.state,
    'left', case
      when exists (
        select from public.event_signups w where w.event_id = e.id and w.state = 'waiting'
      ) then 0
      else greatest(e.places - private.held_places(e.id), 0)
    end
  ) order by e.starts_at), '[]')
  from (
    select * from public.events o
    where o.slug = p_slug and o.starts_at > now() order by o.starts_at limit 24
  ) e
$function$;

REVOKE ALL ON FUNCTION "public"."list_event_places"(text) FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.mark_event_attendance (
  p_id   uuid,
  p_came boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_signup public.event_signups;
begin
  perform private.require_admin();
  v_signup := private.hold_signup(p_id);
  if not exists (
    -- People arrive before the start.
    select from public.events e
    where e.id = v_signup.event_id and e.starts_at < now() + interval '1 hour'
  ) then
    raise exception 'The event hasn’t started yet.' using errcode = '55000';
  elsif v_signup.state <> 'taken' and p_came then
    -- Who comes without having confirmed is there all the same.
    raise exception 'Give them a place first.' using errcode = '55000';
  end if;
  update public.event_signups s set came = p_came where s.id = p_id;
  perform private.audit(
    'event.mark_attendance', 'event', v_signup.event_id::text, null,
    jsonb_build_object('place', p_id, 'before', v_signup.came, 'after', p_came)
  );
  return private.event_json(v_signup.event_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."mark_event_attendance"(uuid, boolean) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.open_event_place (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_path text;
begin
  perform private.count_writes('event_links');
  select private.new_event_link(s.id) into v_path
  from public.event_signups s
  where s.id = p_id and s.email = private.event_email_of(v_user_id);
  return jsonb_build_object('path', v_path);
end
$function$;

REVOKE ALL ON FUNCTION "public"."open_event_place"(uuid) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."event_links"
  ADD CONSTRAINT "event_links_signup_id_fkey" FOREIGN KEY (signup_id) REFERENCES public.event_signups(id) ON DELETE CASCADE;

ALTER TABLE "public"."event_signups"
  ADD CONSTRAINT "event_signups_event_id_fkey" FOREIGN KEY (event_id) REFERENCES public.events(id) ON DELETE CASCADE;

ALTER TABLE "public"."notifications"
  ADD CONSTRAINT "notifications_kind_check"
    CHECK
    ((kind = ANY (ARRAY['coaching'::text, 'session'::text, 'action'::text, 'tool'::text, 'project'::text, 'figures'::text, 'survey'::text, 'reminder'::text, 'business'::text,
    'support'::text, 'order'::text, 'account'::text, 'event'::text])));

CREATE INDEX event_links_signup_id_idx ON private.event_links USING btree (signup_id);

CREATE INDEX event_signups_created_at_idx ON public.event_signups USING btree (event_id, created_at, id);

CREATE INDEX event_signups_due_at_idx ON public.event_signups USING btree (due_at)
  WHERE (due_at IS NOT NULL);

CREATE INDEX event_signups_email_idx ON public.event_signups USING btree (email);

CREATE INDEX event_signups_queue_idx ON public.event_signups USING btree (event_id, queued_at, id)
  WHERE (state = 'waiting'::text);

CREATE INDEX events_starts_at_idx ON public.events USING btree (starts_at, id);

CREATE TRIGGER event_signups_take_steps
  BEFORE INSERT OR UPDATE OF state ON public.event_signups
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('place', 'state');

CREATE TRIGGER events_take_steps
  BEFORE INSERT OR UPDATE OF state ON public.events
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('event', 'state');

COMMENT ON FUNCTION "private"."add_notification"(uuid, text, text, text, text, text) IS 'Notifies a person once for a key, in the app only, because an email of its own says it: a place at an event. The new row, or nulls.';

COMMENT ON FUNCTION "private"."ask_for_place"(text, text, text, text, text, text) IS 'Holds a place at an event for an email address, or puts it on the waiting list, and emails it the link; an address that has one already gets its email again. Raises 22023 and PT429 with words for people.';

COMMENT ON FUNCTION "private"."calendar_of"(text, text) IS 'What the feed with this secret contains: {sessions: [{uid, sequence, starts_at, minutes, title, place, description, canceled, path}], due: [{uid, day, title, description}]}; null if there''s no such feed. Raises PT429 over the limits. The edge function calendar calls it.';

COMMENT ON FUNCTION "private"."cancel_event"(uuid, text) IS 'Cancels an event for good and tells everyone who has or waits for a place; the reason, if any, is for them.';

COMMENT ON FUNCTION "private"."delete_old_event_people"() IS 'Forgets who was at events a year ago; how many people came is kept.';

COMMENT ON FUNCTION "private"."event_deadline"(timestamp with time zone, interval) IS 'How long a place is kept for someone: at most p_most, and shortly before an event half of what''s left, so that the next in line has a chance.';

COMMENT ON FUNCTION "private"."event_moment"(timestamp with time zone, text) IS 'A moment where an event is: Tuesday, December 8, 2026, 5:30 PM MST.';

COMMENT ON FUNCTION "private"."forget_event_places"(text) IS 'Frees the places of an address and forgets whose they were; what''s left are the counts.';

COMMENT ON FUNCTION "private"."held_places"(uuid) IS 'How many places of an event are taken, held or offered.';

COMMENT ON FUNCTION "private"."hold_event"(uuid) IS 'An event, locked until the transaction ends: what gives or frees a place calls this first.';

COMMENT ON FUNCTION "private"."keep_event_places"() IS 'What time does to places at events: {lapsed (places), day, hour (reminders)}.';

COMMENT ON FUNCTION "private"."lapse_places"() IS 'Frees places that nobody confirmed or accepted in time, and offers them to the next; how many.';

COMMENT ON FUNCTION "private"."my_event_places"() IS 'The next four events that the caller has, is offered or waits for a place at.';

COMMENT ON FUNCTION "private"."new_event_link"(uuid) IS 'The path of the page with someone''s place; only its hash is stored.';

COMMENT ON FUNCTION "private"."offer_places"(uuid) IS 'Offers each free place to the next on the waiting list, for at most 48 hours; how many.';

COMMENT ON FUNCTION "private"."remind_of_event"(text, interval, interval) IS 'Reminds everyone with a place at an event that starts within p_from and p_to from now, once for each start; how many.';

COMMENT ON FUNCTION "private"."seed_event"(jsonb) IS 'Brings a date of an event in line with content/: people keep their places, and hear of another date or place and of a canceled event.';

COMMENT ON FUNCTION "private"."seed_events"(jsonb) IS 'Brings coming events in line with content/; returns those that are gone from it although people have places.';

COMMENT ON FUNCTION "private"."tell_about_place"(uuid, text, text, text, jsonb) IS 'Emails someone about their place and, if the address has an account, notifies them in the app. In p_title, %s is the event. Returns whether the email goes.';

COMMENT ON FUNCTION "private"."tell_of_state"(uuid) IS 'Tells someone what they have now: a place to confirm, a place, an offer, or their turn on the waiting list.';

COMMENT ON FUNCTION "private"."use_event_link"(text, text) IS 'Confirms (p_what "confirm") or cancels ("cancel") the place behind an emailed link; what doesn''t fit its state changes nothing. False if there''s no such link.';

COMMENT ON FUNCTION "public"."admin_event"(uuid) IS 'A date of an event with how many places are taken, held or offered, how many people wait and how many came; null if there''s none.';

COMMENT ON FUNCTION "public"."admin_event_signups"(jsonb, jsonb, integer) IS 'A page of the people of an event by {event (its id), words (of name and email), state}, in the order they asked; see list_page. Writes an audit row.';

COMMENT ON FUNCTION "public"."admin_events"(jsonb, jsonb, integer) IS 'A page of dates of events by {words (of title and place), show: "past"}, the next one first, or the latest of those that are past; see list_page.';

COMMENT ON FUNCTION "public"."cancel_event"(uuid, text) IS 'An admin cancels an event for good, and everyone with a place or on the waiting list gets the reason; returns the event.';

COMMENT ON FUNCTION "public"."cancel_event_place"(uuid, text) IS 'An admin cancels someone''s place or turn, with a reason that they get, and the next in line is offered it; returns the event.';

COMMENT ON FUNCTION "public"."get_dashboard"(uuid) IS 'An owner''s dashboard for a business (null: none yet): the open quiz, the latest result, focus areas, coaching, open invitations, places at events, the projects due next, conversations with unread messages, and saved tools that aren''t done.';

COMMENT ON FUNCTION "public"."get_event_place"(text) IS 'The place behind an emailed link: {slug, title, starts_at, minutes, time_zone, place, address, revision, event_state, event_reason, online_link (with a place), id, name, state, due_at, reason, position (on the waiting list)}; null if there''s no such link.';

COMMENT ON FUNCTION "public"."give_event_place"(uuid) IS 'An admin gives a place to someone who waits or hasn''t confirmed yet, and they hear of it; returns the event. Raises 55000 in words if there''s none left.';

COMMENT ON FUNCTION "public"."list_event_places"(text) IS 'How many places each coming date of an event has, and how many are left: [{occasion, starts_at, places, left, state}].';

COMMENT ON FUNCTION "public"."mark_event_attendance"(uuid, boolean) IS 'An admin says whether someone came; null: nobody knows. From an hour before the start; returns the event.';

COMMENT ON FUNCTION "public"."open_event_place"(uuid) IS 'The page of a place under the caller''s address: {path}, or null if there''s no such place.';

COMMENT ON TABLE "private"."event_links" IS 'Hashes of the secrets in links that show and cancel a place at an event.';

COMMENT ON TABLE "private"."transitions" IS 'The steps a project, an attempt, an engagement, a session, an order, a seat, an issue of the newsletter, a version of the quiz, an event or a place at one can take, and who can take them. Only migrations change rows.';

COMMENT ON TABLE "public"."event_signups" IS 'Who has, is offered or waits for a place at an event, one row per event and address; without names a year after it.';

COMMENT ON TABLE "public"."events" IS 'Dates of events that people can take places at, from content/.';

REVOKE ALL ON FUNCTION "private"."add_notification"(uuid, text, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_for_place"(text, text, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_event"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_old_event_people"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."event_counts"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."event_deadline"(timestamp WITH time zone, interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."event_email_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."event_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."event_moment"(timestamp WITH time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."event_position"(public.event_signups) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."events_in_calendar"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_event_places"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."held_places"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_event"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_signup"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_event_places"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lapse_places"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_event_places"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_event_places"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."new_event_link"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."offer_places"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_event"(text, interval, interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seed_event"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seed_events"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_about_place"(uuid, text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_state"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."use_event_link"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_event"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_event_signups"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_events"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."cancel_event"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."cancel_event_place"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_event_place"(text) TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."give_event_place"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_event_places"(text) TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."mark_event_attendance"(uuid, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."open_event_place"(uuid) TO "authenticated";

CREATE INDEX event_signups_words_idx ON public.event_signups USING gin (words);

CREATE INDEX events_words_idx ON public.events USING gin (words);

-- Rows that a draft can't see.

insert into private.transitions (entity, position, from_state, to_state, who, needs_note) values
  ('event', 1, null, 'planned', '{system}', false),
  ('event', 2, 'planned', 'canceled', '{admin,system}', false),
  ('place', 1, null, 'held', '{owner}', false),
  ('place', 2, null, 'waiting', '{owner}', false),
  ('place', 3, 'held', 'taken', '{owner,admin}', false),
  ('place', 4, 'held', 'lapsed', '{system}', false),
  ('place', 5, 'held', 'canceled', '{owner,admin,system}', false),
  ('place', 6, 'waiting', 'offered', '{system}', false),
  ('place', 7, 'waiting', 'taken', '{admin}', false),
  ('place', 8, 'waiting', 'lapsed', '{system}', false),
  ('place', 9, 'waiting', 'canceled', '{owner,admin,system}', false),
  ('place', 10, 'offered', 'taken', '{owner,admin}', false),
  ('place', 11, 'offered', 'lapsed', '{system}', false),
  ('place', 12, 'offered', 'canceled', '{owner,admin,system}', false),
  ('place', 13, 'taken', 'canceled', '{owner,admin,system}', false),
  ('place', 14, 'canceled', 'held', '{owner}', false),
  ('place', 15, 'canceled', 'waiting', '{owner}', false),
  ('place', 16, 'lapsed', 'held', '{owner}', false),
  ('place', 17, 'lapsed', 'waiting', '{owner}', false);

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('event_links', null, null, 30, 300, 'opened a lot of events');

insert into private.mail_limits (template, counter, a_day) values
  ('event-held', 'anyone', 20),
  ('event-waiting', 'anyone', 20),
  ('event-taken', 'anyone', 40);

insert into private.jobs (kind, every) values
  ('keep_event_places', interval '5 minutes'),
  ('delete_old_event_people', interval '1 day');
