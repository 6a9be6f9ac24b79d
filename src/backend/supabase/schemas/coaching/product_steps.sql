-- Steps that the product takes itself: coaching starts with its first session, goes back to looking for
-- a coach when theirs is gone, and is open again when an owner gets back to their coach.

create function private.start_coaching(p_engagement_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_engagement.state <> 'active' then
    perform private.begin_step(v_engagement, 'active', 'system');
    update public.engagements e set state = 'active' where e.id = p_engagement_id;
    perform private.end_step();
  end if;
end
$$;
comment on function private.start_coaching(uuid) is
  'Coaching is active once its first session has taken place, and again when one takes place during a pause.';

create function private.return_request(
  p_engagement public.engagements, p_who text, p_note text, p_why text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_names record;
begin
  select * into v_names from private.coaching_names(p_engagement);
  perform private.begin_step(p_engagement, 'requested', p_who, p_note, p_why);
  update public.engagements e set state = 'requested' where e.id = p_engagement.id;
  perform private.end_step();
  perform private.tell_of_step(
    p_engagement.id, p_engagement.owner_id,
    case p_why
      when 'coach_left' then v_names.coach || ' can’t coach you anymore'
      else v_names.coach || ' can’t take on your request'
    end,
    concat_ws(
      E'\n', 'We’re looking for someone else for ' || v_names.business || '. You can also choose a coach yourself.',
      case when p_engagement.results_shared
        then 'Your quiz results aren’t shared anymore. If the next coach may see them, say so on the same page.' end
    ),
    '/dashboard/coaching', 'Your coaching'
  );
  perform private.notify_admins(
    'coaching', private.step_key(p_engagement.id), v_names.business || ' needs a coach again',
    case p_why
      when 'declined' then v_names.coach || ' declined: ' || pg_catalog.left(p_note, 300)
      when 'lapsed' then v_names.coach || ' didn’t answer in time.'
      else v_names.coach || ' isn’t their coach anymore.'
    end,
    '/admin/coaching/' || p_engagement.id, 'Find a coach'
  );
end
$$;
comment on function private.return_request(public.engagements, text, text, text) is
  'An engagement, which is locked, goes back to looking for a coach, with a note for staff and the reason (declined, lapsed, coach_left); the owner and admins are notified.';

create function private.free_clients(
  p_coach_id uuid, p_note text, p_becomes_admin boolean default false
) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements;
  v_ids uuid[];
  v_count int := 0;
begin
  -- As in choose_coach and assign_coach: first the coach, who gets no client from now on, then the
  -- engagements.
  perform private.one_at_a_time('coach', p_coach_id);
  v_ids := array(
    select e.id from public.engagements e
    where e.coach_id = p_coach_id and e.closed_at is null order by e.id for update
  );
  perform private.hold_coaching(v_ids, p_becomes_admin);
  for v_engagement in select * from public.engagements e where e.id = any (v_ids) order by e.id loop
    perform private.return_request(v_engagement, 'system', p_note, 'coach_left');
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.free_clients(uuid, text, boolean) is
  'All clients of a coach go back to looking for a coach, because that coach is gone, or an admin from now on; how many.';

create function private.role_frees_clients() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.free_clients(
    old.user_id, 'No longer a coach.', tg_op = 'UPDATE' and new.role is not distinct from 'admin'
  );
  return null;
end
$$;
create trigger staff_roles_free_clients_of_removed after delete on public.staff_roles
  for each row when (old.role = 'coach') execute function private.role_frees_clients();
-- By name before the one that moves people, so that engagements are locked before their conversations.
create trigger staff_roles_free_clients after update on public.staff_roles
  for each row when (old.role = 'coach' and new.role <> 'coach')
  execute function private.role_frees_clients();

create function private.hear_from_owner(p_engagement_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
  v_names record;
begin
  if v_engagement.state <> 'unreachable' then
    return;
  end if;
  perform private.require_reopenable(v_engagement);
  perform private.begin_step(v_engagement, 'accepted', 'system', null, 'reply');
  update public.engagements e set state = 'accepted' where e.id = v_engagement.id;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    v_engagement.id, v_engagement.coach_id, v_names.owner || ' got back to you',
    'The coaching for ' || v_names.business || ' is open again. Agree on a first session.',
    '/dashboard/coaching/' || v_engagement.id, 'Open the client'
  );
end
$$;
comment on function private.hear_from_owner(uuid) is
  'The owner of an engagement that was closed because the coach couldn''t reach them got back to them: it''s open again, and the coach is notified.';
