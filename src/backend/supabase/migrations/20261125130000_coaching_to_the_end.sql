SET local check_function_bodies = off;

ALTER TABLE "private"."mail_limits"
  DROP CONSTRAINT "mail_limits_counter_check";

DROP FUNCTION "private"."require_sessions_left"(uuid, timestamp WITH time zone);

DROP FUNCTION "private"."sessions_booked"(uuid);

CREATE OR REPLACE FUNCTION private.ask_for_write_up (
  p_session     public.coaching_sessions,
  p_business_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_session.starts_at > now() or private.write_up_until(p_session) <= now()
    or private.role_of(p_session.coach_id) <> 'coach'
  then
    return;
  end if;
  perform private.notify(
    p_session.coach_id, 'session', 'session:' || p_session.id || ':write-up',
    'Write up your session with ' || (select b.name from public.businesses b where b.id = p_business_id),
    'Your coaching of them has ended. You can still write up the session on '
      || private.when_words(p_session.starts_at, p_session.coach_id) || ' until '
      || private.day_words(private.write_up_until(p_session), p_session.coach_id)
      || '. After that we’ll cancel it, and it won’t count.',
    '/dashboard/coaching/sessions/' || p_session.id, 'Write it up'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_step (
  p_engagement public.engagements,
  p_to         text,
  p_who        text,
  p_note       text               DEFAULT NULL::text,
  p_why        text               DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not private.may_step('engagement', p_engagement.state, p_to, p_who) then
    raise exception '%', case p_engagement.state
      when 'requested' then 'This request has no coach yet.'
      when 'assigned' then 'The coach hasn’t said yes yet.'
      when 'accepted' then 'The coach has said yes, and the first session hasn’t taken place yet.'
      when 'active' then 'This coaching is already in progress.'
      when 'paused' then 'This coaching is paused.'
      else 'This coaching has already ended.'
    end using errcode = '55000', hint = 'state';
  end if;
  -- Anyone can leave at any time.
  if p_who in ('owner', 'coach') and p_to <> 'withdrawn' then
    perform private.limit_daily('step', p_engagement.id, 10);
  end if;
  -- The trigger that records the step reads these.
  perform set_config('trellis.reason', coalesce(p_note, ''), true),
    set_config('trellis.why', coalesce(p_why, ''), true);
end
$function$;

CREATE OR REPLACE FUNCTION private.booked_times (
  p_business_id uuid,
  p_but         uuid DEFAULT NULL::uuid
)
  RETURNS timestamp WITH time zone[]
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(array_agg(greatest(s.starts_at, now())), '{}')
  from public.coaching_sessions s
  join public.engagements e on e.id = s.engagement_id
  where e.business_id = p_business_id and s.state = 'scheduled' and s.id is distinct from p_but
    and s.starts_at + make_interval(mins => s.minutes) > now()
$function$;

CREATE OR REPLACE FUNCTION private.can_write_up (
  p_session    public.coaching_sessions,
  p_engagement public.engagements,
  p_user_id    uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    p_session.state = 'scheduled' and p_session.coach_id = p_user_id
    and p_engagement.owner_id is not null and private.role_of(p_user_id) = 'coach'
    and (
      p_engagement.coach_id = p_user_id and p_engagement.closed_at is null
      or p_session.starts_at <= now() and private.write_up_until(p_session) > now()
    ),
    false
  )
$function$;

CREATE OR REPLACE FUNCTION private.cancel_unwritten()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_lost record;
  v_count int := 0;
begin
  for v_lost in
    select s.id, s.starts_at, e.id as engagement_id, e.owner_id, b.name as business,
      case when e.closed_at is null then e.coach_id end as next_coach_id
    from public.coaching_sessions s
    join public.engagements e on e.id = s.engagement_id
    join public.businesses b on b.id = e.business_id
    where s.state = 'scheduled' and s.starts_at <= now() - interval '14 days'
      and private.write_up_until(s) <= now()
      and (e.closed_at is not null or e.coach_id is null or s.coach_id is distinct from e.coach_id)
    order by e.id, s.id limit 500
    for update of e skip locked
  loop
    update public.coaching_sessions s set
      state = 'canceled', revision = s.revision + 1, cancel_reason = 'The coach didn’t write it up.'
    where s.id = v_lost.id and s.state = 'scheduled';
    perform private.notify(
      p.person_id, 'session', 'session:' || v_lost.id || ':canceled',
      format(p.title, private.when_words(v_lost.starts_at, p.person_id)), p.body, p.path, 'Open coaching'
    )
    from (values
      (
        v_lost.owner_id, 'The session on %s doesn’t count',
        'The coach you had then didn’t write it up, so it hasn’t used one of your sessions.',
        '/dashboard/coaching'
      ),
      (
        v_lost.next_coach_id, 'The session on %s doesn’t count',
        'The coach before you didn’t write up their session with ' || v_lost.business
          || '. Ask the owner what came of it.',
        '/dashboard/coaching/' || v_lost.engagement_id
      )
    ) as p (person_id, title, body, path)
    where p.person_id is not null;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.coming_holidays()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(h.day order by h.day), '[]')
  from private.holidays h where h.day between private.coaching_day() and private.coaching_day() + 120
$function$;

CREATE OR REPLACE FUNCTION private.covered (
  p_business_id uuid,
  p_times       timestamp with time zone[]
)
  RETURNS integer
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_starts timestamptz[];
  v_ends timestamptz[];
  v_left int[];
  v_time timestamptz;
  v_grant int;
  v_count int := 0;
begin
  select array_agg(g.starts_at order by g.ends_at, g.id), array_agg(g.ends_at order by g.ends_at, g.id),
    array_agg(g.sessions - g.used order by g.ends_at, g.id)
  into v_starts, v_ends, v_left
  from private.grants_of(p_business_id) g where g.sessions > g.used and not g.is_held;
  -- Each session, the earliest first, takes what ends first: no other way covers more of them.
  for v_time in select t from unnest(p_times) t order by t loop
    for v_grant in 1 .. coalesce(cardinality(v_left), 0) loop
      if v_left[v_grant] > 0 and v_starts[v_grant] <= v_time and v_ends[v_grant] > v_time then
        v_left[v_grant] := v_left[v_grant] - 1;
        v_count := v_count + 1;
        exit;
      end if;
    end loop;
  end loop;
  return v_count;
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

CREATE OR REPLACE FUNCTION private.end_sessions()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.coaching_sessions s set
    state = 'canceled', revision = s.revision + 1,
    cancel_reason = case when new.closed_at is null then 'The coach changed.' else 'The coaching ended.' end
  -- One that has begun may have taken place.
  where s.engagement_id = new.id and s.state = 'scheduled' and s.starts_at > now();
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = new.id and o.state = 'open';
  perform private.ask_for_write_up(s, new.business_id)
  from public.coaching_sessions s where s.engagement_id = new.id and s.state = 'scheduled';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_for_closing (
  p_session_id    uuid,
  p_engagement_id uuid
)
  RETURNS public.engagements
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
begin
  select e.* into v_engagement from public.engagements e
  where e.id = p_engagement_id and e.owner_id is not null and private.is_coach() and (
    e.coach_id = v_user_id
    or exists (
      select from public.coaching_sessions s
      where s.id = p_session_id and s.engagement_id = e.id and s.coach_id = v_user_id
    )
  )
  for update;
  if not found then
    raise exception 'We can’t find this coaching.' using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return v_engagement;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_daily (
  p_what          text,
  p_engagement_id uuid,
  p_most          integer
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_rate_limit(
    format('coaching-%s:%s:%s', p_what, p_engagement_id, auth.uid()), p_most, interval '1 day',
    'You’ve changed this coaching a lot today. Try again %s.'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.mail_is_limited (
  p_to       text,
  p_template text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  insert into public.notifications (user_id, kind, key, title, body, path)
  select
    u.id, p_kind, p_key, private.clean_line(p_title, 200),
    case when char_length(v_body) > 500 then pg_catalog.left(v_body, 499) || '…' else v_body end, p_path
  from auth.users u where u.id = p_user_id
  on conflict (user_id, key) do nothing
  returning * into v_new;
  if not found then
    return false;
  end if;
  perform private.tell_notifications(p_user_id);
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

CREATE OR REPLACE FUNCTION private.plan_session (
  p_id         uuid,
  p_engagement public.engagements,
  p_starts_at  timestamp with time zone,
  p_time_zone  text,
  p_minutes    integer,
  p_kind       text,
  p_place      text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_found public.coaching_sessions;
begin
  select * into v_found from public.coaching_sessions s where s.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement.id then
      raise exception 'This session already exists.' using errcode = '23505', hint = 'id';
    end if;
    return;
  end if;
  perform private.require_under_way(p_engagement);
  perform private.limit_daily('plan', p_engagement.id, 50);
  perform private.require_sessions_left(p_engagement.business_id, p_starts_at);
  perform private.put_session(
    p_id, p_engagement, p_starts_at, p_time_zone, p_minutes, p_kind, p_place
  );
  perform private.require_free(p_engagement.coach_id, p_id, p_starts_at, p_minutes);
  -- What the owner could still have picked is settled by this.
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = p_engagement.id and o.state = 'open';
  perform private.notify(
    p_engagement.owner_id, 'session', 'session:' || p_id,
    'Your coaching session is on ' || private.when_words(p_starts_at, p_engagement.owner_id),
    coalesce(private.name_of(p_engagement.coach_id), 'Your coach') || ' scheduled it.',
    '/dashboard/coaching', 'Your coaching'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_sessions()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object(
    'expired', private.expire_offers(),
    'canceled', private.cancel_unwritten(),
    'day', private.remind_of_session('day', interval '24 hours', 'Your session with %s is coming up'),
    'hour', private.remind_of_session('hour', interval '1 hour', 'Your session with %s starts soon'),
    'actions', private.remind_of_coaching_actions()
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.reopen_blocker (
  p_engagement public.engagements
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return case
    when p_engagement.state not in ('completed', 'unreachable')
      then 'This coaching can’t be picked up again.'
    when p_engagement.state = 'completed' and p_engagement.closed_at < now() - interval '90 days'
      then 'This coaching ended more than 90 days ago. Send a new request.'
    when p_engagement.coach_id is null or private.role_of(p_engagement.coach_id) <> 'coach'
      or private.account_state(p_engagement.coach_id) = 'blocked'
      then 'This coach isn’t coaching anymore. Send a new request.'
    when not exists (
      select from public.business_members m
      where m.business_id = p_engagement.business_id and m.user_id = p_engagement.owner_id
    ) then 'The owner doesn’t belong to this business anymore.'
    when exists (
      select from public.engagements o
      where o.owner_id = p_engagement.owner_id and o.business_id = p_engagement.business_id
        and o.closed_at is null
    ) then 'There’s other coaching for this business. It has to end first.'
    -- A coach knows best whether they have time for someone they know.
    when p_engagement.state = 'completed' and p_engagement.coach_id is distinct from auth.uid()
      then private.why_no_room(p_engagement.coach_id)
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_reopenable (
  p_engagement public.engagements
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_why text;
begin
  -- As in request_coaching: not while the owner asks for another coach.
  perform private.one_at_a_time('engagements', p_engagement.owner_id);
  -- Nor two who pick it up again for a coach's last place.
  perform private.one_at_a_time('coach', p_engagement.coach_id);
  v_why := private.reopen_blocker(p_engagement);
  if v_why is not null then
    raise exception '%', v_why using errcode = '55000';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_running (
  p_engagement_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (
    select from public.engagements e where e.id = p_engagement_id and private.runs(e, auth.uid())
  ) then
    raise exception 'This coaching has ended.' using errcode = '55000';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_sessions_left (
  p_business_id uuid,
  p_at          timestamp with time zone,
  p_but         uuid                     DEFAULT NULL::uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_at timestamptz := greatest(p_at, now());
  v_booked timestamptz[];
begin
  -- Two sessions scheduled at once would both find the last one.
  perform private.one_at_a_time('sessions', p_business_id);
  v_booked := private.booked_times(p_business_id, p_but);
  if private.covered(p_business_id, v_booked || v_at) <= private.covered(p_business_id, v_booked) then
    raise exception '%', private.why_none_left(p_business_id, v_at)
      using errcode = '55000', hint = 'sessions';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.sessions_left (
  p_business_id uuid,
  p_at          timestamp with time zone DEFAULT now()
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(sum(greatest(g.sessions - g.used, 0)), 0)::int
  from private.grants_of(p_business_id) g
  where g.starts_at <= p_at and g.ends_at > p_at and not g.is_held
$function$;

CREATE OR REPLACE FUNCTION private.sessions_left_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with g as (
    select * from private.grants_of(p_business_id) x where x.ends_at > now()
  )
  select jsonb_build_object(
    'left', private.sessions_left(p_business_id),
    'booked', cardinality(private.booked_times(p_business_id)),
    'grants', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', g.id, 'kind', g.kind, 'sessions', g.sessions, 'left', greatest(g.sessions - g.used, 0),
        'starts_at', g.starts_at, 'ends_at', g.ends_at, 'held', g.is_held
      ) order by g.ends_at, g.id)
      from g where g.starts_at <= now() and g.sessions > 0
    ), '[]'),
    -- The next month of a membership.
    'next_at', (
      select min(g.starts_at) from g
      where g.starts_at > now() and g.sessions > g.used and not g.is_held
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.why_none_left (
  p_business_id uuid,
  p_at          timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_until timestamptz;
  v_from timestamptz;
begin
  if private.sessions_left(p_business_id, p_at) > 0 then
    return 'Every session this business has left is already scheduled.';
  end if;
  select max(g.ends_at) filter (where g.ends_at <= p_at), min(g.starts_at) filter (where g.starts_at > p_at)
  into v_until, v_from
  from private.grants_of(p_business_id) g
  where g.sessions > g.used and not g.is_held and g.ends_at > now();
  return case
    when v_until is not null then format(
      'The sessions this business has left are good until %s. Choose an earlier time.',
      private.day_words(v_until, auth.uid())
    )
    when v_from is not null then format(
      'The next session this business has is good from %s on. Choose a later time.',
      private.day_words(v_from, auth.uid())
    )
    else 'This business has no sessions left. More can be bought under Orders, or a seat code used.'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.write_up_until (
  p_session public.coaching_sessions
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select p_session.starts_at + make_interval(mins => p_session.minutes) + interval '14 days'
$function$;

CREATE OR REPLACE FUNCTION public.ask_for_other_coach (
  p_engagement_id uuid,
  p_reason        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
  v_reason text := private.require_reason(p_reason);
begin
  if v_engagement.coach_id is null or v_engagement.closed_at is not null then
    raise exception 'You don’t have a coach for this business.' using errcode = '55000';
  end if;
  if v_engagement.change_requested_at is null then
    perform private.limit_daily('step', p_engagement_id, 10);
    update public.engagements e set change_requested_at = now()
    where e.id = p_engagement_id returning * into v_engagement;
    insert into public.engagement_events (engagement_id, actor_id, kind, from_state, to_state, note)
    values (
      p_engagement_id, auth.uid(), 'change_requested', v_engagement.state, v_engagement.state, v_reason
    );
    perform private.notify_admins(
      'coaching', private.step_key(p_engagement_id),
      (private.coaching_names(v_engagement)).business || ' asks for another coach',
      'The reason is on the page of this coaching. Their coach doesn’t know.',
      '/admin/coaching/' || p_engagement_id, 'Open the coaching'
    );
  end if;
  return private.engagement_json(v_engagement);
end
$function$;

CREATE OR REPLACE FUNCTION public.change_summary (
  p_session_id uuid,
  p_summary    text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_session_id, '{coach}');
begin
  if v_session.state not in ('completed', 'no_show') then
    raise exception 'Close the session first.' using errcode = '55000';
  end if;
  perform private.require_running(v_session.engagement_id);
  if not private.can_change_summary(v_session) then
    raise exception 'You can change a summary for 30 days.' using errcode = '55000';
  end if;
  update public.coaching_sessions s set summary = private.clean_text(p_summary, 1000, 'summary')
  where s.id = p_session_id;
  return private.session_state_json(p_session_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.choose_coach (
  p_engagement_id uuid,
  p_coach_id      uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
begin
  if v_engagement.state <> 'assigned' or v_engagement.coach_id is distinct from p_coach_id then
    if v_engagement.coach_id is not null and v_engagement.closed_at is null then
      raise exception 'You already have a coach. You can ask for another one.' using errcode = '55000';
    end if;
    if private.was_coach(p_coach_id, p_engagement_id) then
      raise exception 'This coach couldn’t take on your request. Choose someone else.'
        using errcode = '55000', hint = 'coach_id';
    end if;
    perform private.ask_coach(v_engagement, p_coach_id, 'owner', null);
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$function$;

CREATE OR REPLACE FUNCTION public.close_session (
  p_id            uuid,
  p_engagement_id uuid,
  p_session       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
  v_session public.coaching_sessions;
  v_next record;
  v_is_over boolean;
begin
  if jsonb_typeof(p_session) is distinct from 'object' then
    raise exception 'Say how the session went.' using errcode = '22023', hint = '';
  end if;
  -- Before the engagement, in the order in which everyone takes them.
  perform private.one_at_a_time('business', e.business_id)
  from public.engagements e
  where e.id = p_engagement_id and jsonb_typeof(p_session -> 'figures') = 'object';
  v_engagement := private.hold_for_closing(p_id, p_engagement_id);
  v_is_over := v_engagement.coach_id is distinct from v_user_id or v_engagement.closed_at is not null;
  select * into v_session from public.coaching_sessions s where s.id = p_id for update;
  if found and (v_session.engagement_id <> p_engagement_id or v_session.coach_id is distinct from v_user_id) then
    raise exception 'This session already exists.' using errcode = '23505', hint = 'id';
  end if;
  if v_session.state in ('completed', 'no_show') then
    -- Sent twice: the second time finds what the first one stored.
    return private.session_state_json(p_id);
  end if;
  if v_session.state = 'canceled' then
    raise exception 'This session was canceled. Record it as a new one if it took place anyway.'
      using errcode = '55000';
  end if;
  if v_session.id is null then
    perform private.require_under_way(v_engagement);
  elsif not private.can_write_up(v_session, v_engagement, v_user_id) then
    raise exception 'Your coaching has ended, and sessions can be written up for 14 days.'
      using errcode = '55000';
  end if;
  v_session := private.store_session(p_id, v_engagement, p_session);
  perform private.keep_note(p_id, v_user_id, p_session ->> 'note');
  if v_is_over then
    -- What comes next isn't theirs to say anymore, not even if they wrote it down before.
    perform private.tell_of_session(v_session, v_engagement);
    return private.session_state_json(p_id);
  end if;
  if jsonb_typeof(p_session -> 'actions') = 'array' then
    perform private.store_actions(v_engagement, p_id, p_session -> 'actions');
  end if;
  perform private.store_figures(
    v_engagement, p_session -> 'figures',
    (v_session.starts_at at time zone v_session.time_zone)::date
  );
  if v_session.state = 'completed' and (
    v_engagement.state = 'accepted'
    -- One from before the pause leaves it alone.
    or v_engagement.state = 'paused' and v_session.starts_at >= v_engagement.state_since
  ) then
    perform private.start_coaching(p_engagement_id);
  end if;
  if jsonb_typeof(p_session -> 'next') = 'object' then
    select * into v_next from jsonb_to_record(p_session -> 'next') as n (
      id uuid, starts_at timestamptz, minutes int, kind text, place text
    );
    perform private.plan_session(
      v_next.id, v_engagement, v_next.starts_at, v_session.time_zone, v_next.minutes, v_next.kind,
      v_next.place
    );
  end if;
  perform private.tell_of_session(v_session, v_engagement);
  return private.session_state_json(p_id);
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow
    or numeric_value_out_of_range
  then
    raise exception 'Something you entered isn’t right. Check it and try again.'
      using errcode = '22023', hint = '';
end
$function$;

CREATE OR REPLACE FUNCTION public.coach_today()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_until timestamptz := private.day_start(v_user_id, 2);
begin
  if not private.is_coach() then
    return null;
  end if;
  return jsonb_build_object(
    'due', (
      select coalesce(jsonb_agg(
        private.client_row(d.id) || jsonb_build_object('key', d.due_at) order by d.due_at, d.id
      ), '[]')
      from (
        select e.id, e.at as due_at from private.engagement_names e
        where e.coach_id = v_user_id and e.at < v_until
          and e.state in ('assigned', 'accepted', 'active', 'paused')
        order by e.at, e.id limit 20
      ) d
    ),
    'sessions', private.sessions_today(v_user_id, v_until),
    'offers_waiting', (
      select count(*) from (
        select from public.session_offers o
        where o.coach_id = v_user_id and o.state = 'open' limit 100
      ) n
    ),
    'counts', private.client_counts(v_user_id),
    'unread', private.unread_json(v_user_id),
    'calendar_since', private.calendar_since(v_user_id),
    'holidays', private.coming_holidays()
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_client (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
begin
  select * into v_engagement from public.engagements e where e.id = p_engagement_id;
  if not private.runs(v_engagement, v_user_id) then
    return null;
  end if;
  return (private.engagement_json(v_engagement) - 'coach')
    || private.engagement_parts_json(v_engagement.id)
    || private.client_work(v_engagement)
    || private.client_records(v_engagement)
    || private.coaching_story(
      v_engagement.id, v_engagement.results_shared and v_engagement.closed_at is null,
      v_engagement.closed_at is null
    )
    || jsonb_build_object(
      'owner', private.client_owner(v_engagement.owner_id),
      'business_name', (
        select b.name from public.businesses b where b.id = v_engagement.business_id
      ),
      'skill_areas', private.skill_areas_json(),
      'holidays', private.coming_holidays()
    );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_coaching()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return jsonb_build_object(
    'engagements', (
      select coalesce(jsonb_agg(
        private.engagement_json(e) || private.engagement_parts_json(e.id) || jsonb_build_object(
          'story', case when n.is_newest then private.coaching_story(e.id, true, n.is_member) end,
          'feedback', (
            select coalesce(jsonb_agg(jsonb_build_object(
              'session_id', f.session_id, 'rating', f.rating, 'comment', f.comment
            )), '[]')
            from public.session_feedback f
            join public.coaching_sessions s on s.id = f.session_id
            where s.engagement_id = e.id and f.owner_id = v_user_id
          )
        ) order by e.requested_at desc, e.id
      ), '[]')
      from (
        select x.id, row_number() over (partition by x.business_id order by x.requested_at desc, x.id) = 1
          as is_newest,
          exists (
            select from public.business_members m
            where m.business_id = x.business_id and m.user_id = v_user_id
          ) as is_member
        from public.engagements x where x.owner_id = v_user_id
        order by x.requested_at desc, x.id limit 20
      ) n
      join public.engagements e on e.id = n.id
    ),
    'areas', private.skill_areas_json(),
    'topics', private.topics_json(v_user_id),
    'calendar_since', private.calendar_since(v_user_id)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_session (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions;
  v_engagement public.engagements;
  v_is_coach boolean;
begin
  select * into v_session from public.coaching_sessions s where s.id = p_id;
  select * into v_engagement from public.engagements e where e.id = v_session.engagement_id;
  v_is_coach := private.runs(v_engagement, v_user_id) and v_session.coach_id = v_user_id
    or private.can_write_up(v_session, v_engagement, v_user_id);
  if (v_is_coach or v_engagement.owner_id = v_user_id) is not true then
    return null;
  end if;
  return private.session_json(v_session) || jsonb_build_object(
    'engagement_id', v_engagement.id,
    'business', (
      select jsonb_build_object('id', b.id, 'name', b.name)
      from public.businesses b where b.id = v_engagement.business_id
    ),
    'owner_name', private.name_of(v_engagement.owner_id),
    'coach_name', private.name_of(v_session.coach_id),
    'note', case when v_is_coach then (
      select n.body from public.session_notes n
      where n.session_id = p_id and n.author_id = v_user_id
    ) end,
    'can_write_up', private.can_write_up(v_session, v_engagement, v_user_id),
    'is_over', v_engagement.closed_at is not null
      or v_engagement.coach_id is distinct from v_session.coach_id,
    'can_change_summary', v_is_coach and private.can_change_summary(v_session),
    'actions', (
      select coalesce(jsonb_agg(private.coaching_action_json(a) order by a.created_at, a.id), '[]')
      from public.coaching_actions a where a.session_id = p_id
    ),
    'feedback', case when v_engagement.owner_id = v_user_id then (
      select jsonb_build_object('rating', f.rating, 'comment', f.comment)
      from public.session_feedback f where f.session_id = p_id
    ) end
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.move_session (
  p_id        uuid,
  p_starts_at timestamp with time zone,
  p_minutes   integer,
  p_kind      text,
  p_place     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_id, '{coach}');
  v_place text := private.clean_text(p_place, 300, 'place');
begin
  if v_session.state <> 'scheduled' then
    raise exception 'This session is over or canceled. Schedule another one.' using errcode = '55000';
  end if;
  perform private.require_under_way(e) from public.engagements e where e.id = v_session.engagement_id;
  perform private.check_session_plan(
    p_starts_at, v_session.time_zone, p_minutes, p_kind, p_place
  );
  -- Sent again after a lost answer, it's done already.
  if (v_session.starts_at, v_session.minutes, v_session.kind, v_session.place)
    is not distinct from (p_starts_at, p_minutes, p_kind, v_place)
  then
    return private.session_state_json(p_id);
  end if;
  perform private.limit_daily('plan', v_session.engagement_id, 50);
  if p_starts_at <> v_session.starts_at then
    perform private.require_sessions_left(e.business_id, p_starts_at, p_id)
    from public.engagements e where e.id = v_session.engagement_id;
  end if;
  perform private.require_free(v_session.coach_id, p_id, p_starts_at, p_minutes);
  update public.coaching_sessions s set
    starts_at = p_starts_at, minutes = p_minutes, kind = p_kind,
    place = v_place, revision = s.revision + 1
  where s.id = p_id;
  perform private.notify(
    e.owner_id, 'session', 'session:' || p_id || ':' || v_session.revision + 1,
    'Your coaching session is now on ' || private.when_words(p_starts_at, e.owner_id),
    coalesce(private.name_of(v_user_id), 'Your coach') || ' changed it. It was going to be on '
      || private.when_words(v_session.starts_at, e.owner_id) || '.',
    '/dashboard/coaching', 'Your coaching'
  )
  from public.engagements e where e.id = v_session.engagement_id;
  return private.session_state_json(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.offer_times (
  p_id            uuid,
  p_engagement_id uuid,
  p_times         timestamp with time zone[],
  p_time_zone     text,
  p_minutes       integer,
  p_kind          text,
  p_place         text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_times timestamptz[] := array(select distinct t from unnest(p_times) t order by t);
  v_found public.session_offers;
  v_time timestamptz;
begin
  select * into v_found from public.session_offers o where o.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement_id then
      raise exception 'This offer already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.offer_state_json(p_id);
  end if;
  if p_id is null then
    raise exception 'An offer needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_under_way(v_engagement);
  if cardinality(v_times) <> cardinality(p_times) or cardinality(v_times) not between 2 and 3
    or v_times[1] <= now() or array_position(v_times, null) is not null
  then
    raise exception 'Offer two or three different times in the future.'
      using errcode = '22023', hint = 'times';
  end if;
  perform private.limit_daily('plan', p_engagement_id, 50);
  foreach v_time in array v_times loop
    perform private.require_sessions_left(v_engagement.business_id, v_time);
    perform private.check_session_plan(v_time, p_time_zone, p_minutes, p_kind, p_place);
    perform private.require_free(v_user_id, p_id, v_time, p_minutes);
  end loop;
  -- There's one question at a time.
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = p_engagement_id and o.state = 'open';
  insert into public.session_offers (
    id, engagement_id, coach_id, times, time_zone, minutes, kind, place
  ) values (
    p_id, p_engagement_id, v_user_id, v_times, p_time_zone, p_minutes, p_kind,
    private.clean_text(p_place, 300, 'place')
  );
  perform private.notify(
    v_engagement.owner_id, 'session', 'offer:' || p_id, 'Choose a time for your coaching session',
    coalesce(private.name_of(v_user_id), 'Your coach') || ' offers you these times:' || E'\n' || (
      select string_agg(private.when_words(t, v_engagement.owner_id), E'\n' order by t)
      from unnest(v_times) t
    ),
    '/dashboard/coaching', 'Choose a time'
  );
  return private.offer_state_json(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.recommend (
  p_id            uuid,
  p_engagement_id uuid,
  p_kind          text,
  p_tool_slug     text,
  p_title         text,
  p_area_key      text,
  p_note          text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_made public.coach_recommendations;
begin
  select * into v_made from public.coach_recommendations r where r.id = p_id;
  if found then
    if v_made.engagement_id <> p_engagement_id then
      raise exception 'This recommendation already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.recommendation_json(v_made);
  end if;
  if p_id is null then
    raise exception 'A recommendation needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_under_way(v_engagement);
  perform private.limit_daily('recommend', p_engagement_id, 50);
  perform private.check_recommendation(p_kind, p_tool_slug, p_title, p_area_key, p_note);
  insert into public.coach_recommendations (
    id, engagement_id, coach_id, kind, tool_slug, title, area_key, note
  ) values (
    p_id, p_engagement_id, v_user_id, p_kind,
    case p_kind when 'tool' then p_tool_slug end,
    case p_kind when 'project' then private.clean_line(p_title, 120) end,
    coalesce(p_area_key, (
      select i.area_key from public.toolbox_items i where p_kind = 'tool' and i.slug = p_tool_slug
    )),
    private.clean_text(p_note, 500, 'note')
  )
  returning * into v_made;
  perform private.notify(
    v_engagement.owner_id, p_kind, 'recommendation:' || p_id,
    coalesce(private.name_of(v_user_id), 'Your coach') || case p_kind
      when 'tool' then ' recommends a tool: ' else ' recommends a project: '
    end || coalesce(private.tool_link(p_tool_slug) ->> 'title', v_made.title),
    coalesce(v_made.note, ''),
    case p_kind when 'tool' then '/dashboard/toolbox?item=' || p_tool_slug else '/dashboard/coaching' end,
    case p_kind when 'tool' then 'Open the tool' else 'Your coaching' end
  );
  return private.recommendation_json(v_made);
end
$function$;

CREATE OR REPLACE FUNCTION public.request_coaching (
  p_id            uuid,
  p_business_id   uuid,
  p_note          text    DEFAULT NULL::text,
  p_areas         text[]  DEFAULT '{}'::text[],
  p_share_results boolean DEFAULT false,
  p_coach_id      uuid    DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_new public.engagements;
begin
  perform private.one_at_a_time('engagements', v_user_id);

  select * into v_new from public.engagements e where e.id = p_id;
  if found then
    if v_new.owner_id is distinct from v_user_id then
      raise exception 'This request already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.engagement_json(v_new);
  end if;

  if p_id is null then
    raise exception 'A request needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_member(p_business_id);
  if not private.toggle_on('coaching-requests') then
    raise exception 'We aren’t taking coaching requests right now. Try again later.'
      using errcode = '55000';
  end if;
  if exists (
    select from unnest(p_areas) as chosen (key)
    where not exists (select from public.skill_areas s where s.key = chosen.key)
  ) then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'areas';
  end if;
  if exists (
    select from public.engagements e
    where e.owner_id = v_user_id and e.business_id = p_business_id
      and e.closed_at is null
  ) then
    raise exception 'You’ve already asked for a coach for this business.'
      using errcode = '23505', hint = 'business_id';
  end if;

  insert into public.engagements (id, business_id, owner_id, areas, note, results_shared)
  values (
    p_id, p_business_id, v_user_id,
    array(select distinct key from unnest(p_areas) as chosen (key) order by key),
    private.clean_text(p_note, 2000, 'note'), coalesce(p_share_results, false)
  )
  returning * into v_new;
  if p_coach_id is not null then
    perform private.ask_coach(v_new, p_coach_id, 'owner', null);
  else
    perform private.notify_admins(
      'coaching', 'requested:' || p_id,
      (private.coaching_names(v_new)).business || ' asks for a coach',
      'Find someone by ' || to_char(v_new.due_at at time zone private.coaching_zone(), 'FMMonth FMDD') || '.',
      '/admin/coaching/' || p_id, 'Find a coach'
    );
  end if;
  return private.engagement_json(private.any_engagement(p_id));
end
$function$;

CREATE OR REPLACE FUNCTION public.save_session_note (
  p_session_id uuid,
  p_body       text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_session_id, '{coach}');
begin
  perform private.require_running(v_session.engagement_id);
  perform private.keep_note(v_session.id, v_user_id, p_body);
  return jsonb_build_object('id', p_session_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.set_results_shared (
  p_engagement_id uuid,
  p_shared        boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  if p_shared is null then
    raise exception 'Say whether to share the results.' using errcode = '22023', hint = 'shared';
  end if;
  -- Nothing keeps anyone from taking it back.
  if p_shared then
    perform private.limit_daily('share', p_engagement_id, 20);
  end if;
  update public.engagements e set results_shared = p_shared
  where e.id = p_engagement_id and e.owner_id = v_user_id;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return jsonb_build_object('id', p_engagement_id, 'results_shared', p_shared);
end
$function$;

ALTER TABLE "private"."mail_limits"
  ADD CONSTRAINT "mail_limits_counter_check" CHECK ((counter = ANY (ARRAY['anyone'::text, 'colleagues'::text, 'account'::text])));

COMMENT ON FUNCTION "private"."ask_for_write_up"(public.coaching_sessions, uuid) IS 'Tells a coach whose coaching has ended that a session that had started can still be written up.';

COMMENT ON FUNCTION "private"."booked_times"(uuid, uuid) IS 'When a business''s scheduled sessions are, but for one that''s being moved.';

COMMENT ON FUNCTION "private"."can_write_up"(public.coaching_sessions, public.engagements, uuid) IS 'Whether someone can close a scheduled session: its coach, and for 14 days after it the coach whose coaching has ended since.';

COMMENT ON FUNCTION "private"."cancel_unwritten"() IS 'Cancels sessions that a coach whose coaching has ended didn''t write up in time, and tells the owner and the coach they have now; how many.';

COMMENT ON FUNCTION "private"."coming_holidays"() IS 'The holidays of the next 120 days, to suggest times on other days.';

COMMENT ON FUNCTION "private"."covered"(uuid, timestamp with time zone[]) IS 'How many sessions at these moments a business''s grants are enough for.';

COMMENT ON FUNCTION "private"."hold_for_closing"(uuid, uuid) IS 'The engagement of a session that the caller closes, locked: as its coach, or as the one who had this session; an error (P0002) for everyone else.';

COMMENT ON FUNCTION "private"."limit_daily"(text, uuid, integer) IS 'How often a person can do in a day what the others in an engagement are notified of each time; an error (PT429) after that.';

COMMENT ON FUNCTION "private"."remind_of_sessions"() IS 'What time does to sessions, offers and actions: {expired (offers), canceled (sessions that nobody wrote up), day, hour (reminders of sessions), actions (reminders)}.';

COMMENT ON FUNCTION "private"."require_running"(uuid) IS 'An error (55000) unless the caller is the coach of an engagement, or was until it was completed or unreachable at most 90 days ago.';

COMMENT ON FUNCTION "private"."require_sessions_left"(uuid, timestamp with time zone, uuid) IS 'An error (55000) unless the business has a session left to use at this moment, besides those scheduled (but for one that''s being moved).';

COMMENT ON FUNCTION "private"."sessions_left"(uuid, timestamp with time zone) IS 'How many sessions a business has to use at this moment.';

COMMENT ON FUNCTION "private"."why_none_left"(uuid, timestamp with time zone) IS 'Why a business that has no session left for this moment has none, in words.';

COMMENT ON FUNCTION "private"."write_up_until"(public.coaching_sessions) IS 'Until when a session can be written up once its coach isn''t the coach anymore.';

COMMENT ON FUNCTION "public"."choose_coach"(uuid, uuid) IS 'An owner asks a coach who has room, and wasn''t asked before, to take on a request that nobody has; the engagement.';

COMMENT ON FUNCTION "public"."close_session"(uuid, uuid, jsonb) IS 'A coach closes a session, or records one that wasn''t scheduled, all at once or not at all: {starts_at, time_zone, minutes, kind, outcome (completed or no_show), topics, summary (the owner reads it), note (private), actions, figures, next}. Answers {id, state}; sent again, what''s stored. The first completed session makes accepted coaching active. The owner is notified. Once their coaching has ended, a coach can still close what had started, for 14 days, and only with a summary and a note.';

COMMENT ON FUNCTION "public"."coach_today"() IS 'What the calling coach does today: {due (clients with something due by the end of tomorrow or late, at most 20), sessions (today''s and tomorrow''s), offers_waiting, counts, unread, calendar_since, holidays}. Null for everyone else.';

COMMENT ON FUNCTION "public"."get_client"(uuid) IS 'One of the calling coach''s clients: the engagement and what belongs to it, the owner, the business, results and focus areas if they''re shared, projects, the handover, contact attempts, their own private notes, the story, and the coming holidays. Null for everyone else.';

COMMENT ON FUNCTION "public"."get_coaching"() IS 'What an owner''s coaching page shows: their engagements in all businesses, newest first, at most 20, each with what belongs to it what they said about its sessions, and the newest of a business with its story; the skill areas to choose from, and those that results recommend; since when they have a calendar feed.';

COMMENT ON FUNCTION "public"."get_session"(uuid) IS 'A session for its owner, for the coach who runs it, or for one who ran it and hasn''t written it up, with the coach''s own private note and the owner''s own feedback; null for everyone else.';

COMMENT ON FUNCTION "public"."save_session_note"(uuid, text) IS 'A coach saves their private note about a session, or removes it with an empty text, as long as they can read it; {id}.';

REVOKE ALL ON FUNCTION "private"."ask_for_write_up"(public.coaching_sessions, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."booked_times"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."can_write_up"(public.coaching_sessions, public.engagements, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_unwritten"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."coming_holidays"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."covered"(uuid, timestamp WITH time zone[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_for_closing"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."limit_daily"(text, uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_running"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_sessions_left"(uuid, timestamp WITH time zone, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."why_none_left"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_up_until"(public.coaching_sessions) FROM PUBLIC;

-- Rows ------------------------------------------------------------------------------------------

insert into private.mail_limits (template, counter, a_day) values
  ('account-notice', 'account', 50);

update private.transitions set who = '{coach,owner,system}'
where entity = 'session' and from_state = 'scheduled' and to_state = 'canceled';
