-- Memberships: what their members, the product and admins do with them. What the payment company says
-- about them is in payments.sql; it charges the card, so only it can end one.

create function private.is_membership(p_order_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.order_lines l
    join public.plans p on p.key = l.plan_key and p.gives = 'membership'
    where l.order_id = p_order_id
  )
$$;
comment on function private.is_membership(uuid) is 'Whether an order buys a membership.';

create function private.other_membership(p_business_id uuid, p_but uuid)
returns table (buyer_id uuid, is_paid boolean)
language sql stable security definer set search_path = '' as $$
  select o.buyer_id, o.state <> 'pending' or m.order_id is not null
  from public.orders o
  left join public.memberships m on m.order_id = o.id
  where o.business_id = p_business_id and o.id is distinct from p_but
    and private.is_membership(o.id) and not private.was_canceled(o.id)
    -- Its money can be here before the payment company has told of the membership itself.
    and case when m.order_id is null then o.state in ('pending', 'paid', 'part_refunded')
      else m.state <> 'ended' end
  order by 2 desc, o.created_at, o.id limit 1
$$;
comment on function private.other_membership(uuid, uuid) is
  'A membership that a business has or someone is paying for, but for this order''s: who buys it, and whether it''s paid.';

create function private.refuse_second_membership(p_business_id uuid, p_but uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_other record;
begin
  select * into v_other from private.other_membership(p_business_id, p_but);
  if not found then
    return;
  end if;
  raise exception '%', case
    when v_other.is_paid then 'This business already has a membership.'
    when v_other.buyer_id = auth.uid() then
      'You’re already paying for a membership of this business. Finish that order under Orders, or cancel it.'
    else coalesce(private.name_of(v_other.buyer_id), 'Someone')
      || ' is already paying for a membership of this business. Ask them to finish that order, or to cancel it.'
  end using errcode = '55000', hint = 'plan';
end
$$;
comment on function private.refuse_second_membership(uuid, uuid) is
  'An error (55000) if a business has a membership, or someone is paying for one, besides this order''s.';

create function private.turn_away_second(p_order public.orders) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_order.state not in ('draft', 'pending', 'expired', 'failed')
    or p_order.paid_minor > 0 or not private.is_membership(p_order.id)
    or exists (select from public.memberships m where m.order_id = p_order.id)
  then
    return;
  end if;
  perform private.one_at_a_time('membership', p_order.business_id);
  if exists (
    select from private.other_membership(p_order.business_id, p_order.id) m where m.is_paid
  ) then
    perform private.take_order_step(
      p_order, 'canceled', 'system', 'This business already has a membership.'
    );
  end if;
end
$$;
comment on function private.turn_away_second(public.orders) is
  'Cancels an order for a membership as it''s paid, if its business has one already: what comes for a canceled order goes back.';

create function private.queue_membership_end(p_order_id uuid, p_when text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.jobs (kind, payload)
  select 'end_membership', jsonb_build_object('order_id', m.order_id, 'ref', m.ref, 'when', p_when)
  from public.memberships m
  where m.order_id = p_order_id and m.state <> 'ended'
    and not exists (
      select from private.jobs j
      where j.kind = 'end_membership' and j.state in ('waiting', 'running')
        and j.payload ->> 'ref' = m.ref and j.payload ->> 'when' = p_when
    )
$$;
comment on function private.queue_membership_end(uuid, text) is
  'Has a membership ended at the payment company: now, or with the period that''s paid for (period).';

create function private.end_membership_of_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_membership_end(new.id, 'now');
  return null;
end
$$;
create trigger orders_end_memberships_of_deleted_accounts after update of buyer_id on public.orders
  for each row when (old.buyer_id is not null and new.buyer_id is null)
  execute function private.end_membership_of_deleted();

create function private.end_left_memberships() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count int;
begin
  perform private.queue_membership_end(o.id, 'now')
  from public.memberships m join public.orders o on o.id = m.order_id
  where m.state <> 'ended' and (o.buyer_id is null or private.was_canceled(o.id));
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function private.end_left_memberships() is
  'Tries again to end memberships whose buyers are gone or whose orders were canceled, so that nobody is charged forever because a job was given up; how many.';
insert into private.jobs (kind, every) values ('end_left_memberships', interval '1 day');

-- What the buyer hears --------------------------------------------------------------------------

create function private.tell_of_membership(p_order_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
  v_membership public.memberships;
  v_day text;
begin
  select * into v_order from public.orders o where o.id = p_order_id;
  select * into v_membership from public.memberships m where m.order_id = p_order_id;
  if v_order.buyer_id is null or private.was_canceled(p_order_id) and v_membership.state <> 'ended' then
    return;
  end if;
  v_day := private.day_words(v_membership.period_ends_at, v_order.buyer_id);
  if v_membership.state = 'past_due' then
    perform private.notify(
      v_order.buyer_id, 'order', 'past_due:' || p_order_id || ':' || v_membership.period_ends_at,
      'We couldn’t renew your membership',
      E'Your card was declined. We’ll try it again over the next days.\nTo keep your membership, enter another card.',
      '/dashboard/orders/' || p_order_id, 'Your membership'
    );
  elsif v_membership.state = 'ended' then
    perform private.notify(
      v_order.buyer_id, 'order', 'membership_ended:' || p_order_id, 'Your membership has ended',
      'We won’t charge your card again.' || case when private.was_canceled(p_order_id) then ''
        else ' Sessions you’ve paid for stay good until the day your order says.' end,
      '/dashboard/orders/' || p_order_id, 'Your order'
    );
  elsif v_membership.ends_with_period then
    perform private.notify(
      v_order.buyer_id, 'order', 'membership_ends:' || p_order_id || ':' || v_membership.period_ends_at,
      'Your membership ends on ' || v_day,
      'Until then everything works as usual, and we won’t charge your card again. You can keep it going up to that day.',
      '/dashboard/orders/' || p_order_id, 'Your membership'
    );
  end if;
end
$$;
comment on function private.tell_of_membership(uuid) is
  'Tells a member that the card was declined, that the membership will end, or that it has; each once.';

create function private.tell_of_renewal(
  p_order public.orders, p_ref text, p_amount_minor bigint, p_until timestamptz
) returns void
language sql volatile security definer set search_path = '' as $$
  select private.notify(
    p_order.buyer_id, 'order', 'renewed:' || p_ref, 'Your membership has renewed',
    private.money_words(p_amount_minor, p_order.currency) || ', through '
      || private.day_words(p_until, p_order.buyer_id) || E'.\nYour receipt is with your orders.',
    '/dashboard/orders/' || p_order.id, 'Your receipt'
  )
  where p_order.buyer_id is not null
$$;

-- Members ---------------------------------------------------------------------------------------

create function public.list_memberships() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'order_id', o.id, 'business', jsonb_build_object('id', b.id, 'name', b.name),
      'state', m.state, 'period_ends_at', m.period_ends_at,
      'ends_with_period', m.ends_with_period, 'every', l.every, 'total_minor', o.total_minor,
      'currency', o.currency, 'is_test', o.is_test, 'is_own', o.buyer_id = v_user_id,
      'sessions_left', private.sessions_left(b.id)
    ) order by b.name, o.id), '[]')
    from public.memberships m
    join public.orders o on o.id = m.order_id
    join public.businesses b on b.id = o.business_id
    join public.order_lines l on l.order_id = o.id and l.position = 1
    where m.state <> 'ended'
      and (o.buyer_id = v_user_id or b.id = any (array(select private.my_business_ids())))
  );
end
$$;
comment on function public.list_memberships() is
  'The running memberships of the caller''s businesses and those they pay for: [{order_id, business: {id, name}, state, period_ends_at, ends_with_period, every, total_minor, currency, is_test, is_own (whether the caller pays), sessions_left (of the business)}].';
grant execute on function public.list_memberships() to authenticated;

create function public.get_billing_customer(p_order_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.own_order(p_order_id);
begin
  perform private.require_rate_limit(
    'billing:' || v_order.buyer_id, 30, interval '1 hour',
    'You’ve opened the payment company’s page often. Try again %s.'
  );
  if v_order.customer_ref is null
    or not exists (select from public.memberships m where m.order_id = p_order_id)
  then
    raise exception 'This order has no membership.' using errcode = '55000', hint = 'order_id';
  end if;
  return v_order.customer_ref;
end
$$;
comment on function public.get_billing_customer(uuid) is
  'The payment company''s name for the caller, who pays for this membership; an error for everyone else.';
grant execute on function public.get_billing_customer(uuid) to authenticated;

-- Admins ----------------------------------------------------------------------------------------

create function public.end_membership(p_order_id uuid, p_when text, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.desk_order(p_order_id);
  v_reason text := private.require_reason(p_reason);
  v_membership public.memberships;
begin
  if p_when is null or p_when not in ('now', 'period') then
    raise exception 'Choose when it ends.' using errcode = '22023', hint = 'when';
  end if;
  select * into v_membership from public.memberships m where m.order_id = p_order_id;
  if v_membership.order_id is null or v_membership.state = 'ended'
    or p_when = 'period' and v_membership.ends_with_period
  then
    raise exception '%', case
      when v_membership.order_id is null then 'This order has no membership.'
      when v_membership.state = 'ended' then 'This membership has already ended.'
      else 'This membership already ends with its period.'
    end using errcode = '55000', hint = 'when';
  end if;
  perform private.queue_membership_end(p_order_id, p_when);
  perform private.audit('order.end_membership', 'order', p_order_id::text, v_reason,
    jsonb_build_object('when', p_when));
  perform private.notify(
    v_order.buyer_id, 'order', 'membership_end:' || p_order_id || ':' || p_when || ':' || now(),
    'We’re ending your membership',
    case p_when when 'now' then 'It ends today.'
      else 'It ends on ' || private.day_words(v_membership.period_ends_at, v_order.buyer_id) || '.' end
      || E' We won’t charge your card again. The reason:\n' || v_reason,
    '/dashboard/orders/' || p_order_id, 'Your order'
  );
  return private.desk_order_json(p_order_id);
end
$$;
comment on function public.end_membership(uuid, text, text) is
  'An admin has a membership ended, now or with the period that''s paid for, with a reason that the member reads; the order, as private.desk_order_json. The payment company confirms it a moment later.';
grant execute on function public.end_membership(uuid, text, text) to authenticated;
