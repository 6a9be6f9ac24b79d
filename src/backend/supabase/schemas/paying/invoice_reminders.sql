-- Reminders of invoices: a week before one is due, on the day, and 15 and 30 days after. The buyer
-- gets them, and so does the address that pays. From 15 days on, the order's sessions wait for the
-- payment (private.is_held), and those who'd notice hear of it.

create function private.reminder_stage(p_due_on date) returns smallint
language sql stable set search_path = '' as $$
  select case
    when private.coaching_day() >= p_due_on + 30 then 4
    when private.coaching_day() >= p_due_on + 15 then 3
    when private.coaching_day() >= p_due_on then 2
    when private.coaching_day() >= p_due_on - 7 then 1
    else 0
  end::smallint
$$;
comment on function private.reminder_stage(date) is
  'How many reminders an unpaid invoice has had by today: a week before, on the day, and 15 and 30 days after.';

create function private.reminder_words(p_order public.orders, p_stage int)
returns table (title text, body text)
language sql stable security definer set search_path = '' as $$
  select
    'Invoice ' || p_order.invoice_number || case p_stage
      when 1 then ' is due in a week' when 2 then ' is due'
      when 3 then ' is 15 days overdue' else ' is 30 days overdue' end,
    'Please pay ' || private.money_words(p_order.total_minor - p_order.paid_minor, p_order.currency)
      || ', due on ' || to_char(p_order.invoice_due_on, 'FMMonth FMDD, YYYY')
      || ', by check or bank transfer, and cite the number of the invoice.'
      || coalesce(E'\nYour purchase order: ' || p_order.po_number || '.', '')
      || case when p_stage >= 3 then
        E'\nUntil it’s paid, no new sessions can be planned with what it bought. Sessions that are already planned take place, and nothing is lost.'
      else '' end
      || E'\nIf you’ve sent the payment already, you don’t have to do anything.'
$$;
comment on function private.reminder_words(public.orders, int) is
  'What a reminder of an invoice says: {title, body}.';

create function private.tell_of_hold(p_order public.orders) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_business record;
begin
  perform private.notify_admins(
    'order', 'overdue:' || p_order.id, 'Invoice ' || p_order.invoice_number || ' is 15 days overdue',
    coalesce(p_order.billing_organization, p_order.billing_name, 'A deleted account') || ' owes '
      || private.money_words(p_order.total_minor - p_order.paid_minor, p_order.currency)
      || '. Its sessions are held until it’s paid. Call them, or give sessions to let coaching continue.',
    '/admin/orders/' || p_order.id, 'Open the order'
  );
  for v_business in
    select distinct b.id, b.name
    from public.session_grants g join public.businesses b on b.id = g.business_id
    where g.order_id = p_order.id and g.sessions > 0 and g.ends_at > now()
    order by b.id
  loop
    -- The buyer has read it in their reminder.
    perform private.notify(
      m.user_id, 'coaching', 'held:' || p_order.id || ':' || v_business.id,
      'Sessions of ' || v_business.name || ' are on hold',
      E'The invoice for them hasn’t been paid yet, so no new ones can be planned until it is. Sessions that are already planned take place, and nothing is lost.',
      '/dashboard/coaching', 'Your coaching'
    )
    from public.business_members m
    where m.business_id = v_business.id and m.role = 'owner'
      and m.user_id is distinct from p_order.buyer_id;
    perform private.notify(
      e.coach_id, 'coaching', 'held:' || p_order.id || ':' || v_business.id,
      'Sessions of ' || v_business.name || ' are on hold',
      E'The invoice for them hasn’t been paid yet, so no new ones can be planned until it is. Hold the sessions that are already planned; they count as usual.',
      '/dashboard/coaching', 'Your clients'
    )
    from public.engagements e
    where e.business_id = v_business.id and e.closed_at is null and e.coach_id is not null;
  end loop;
end
$$;
comment on function private.tell_of_hold(public.orders) is
  'Tells admins, owners and coaches, once, that an order''s sessions wait for its payment.';

create function private.tell_of_hold_end() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(
    n.user_id, 'coaching', 'un' || n.key,
    case new.state when 'canceled' then 'Sessions of ' || b.name || ' have ended'
      else 'Sessions of ' || b.name || ' are no longer on hold' end,
    case new.state
      when 'canceled' then 'The invoice for them was canceled, and they went with it. Sessions that are already planned take place.'
      else 'The invoice for them has been paid, so new ones can be planned again.'
    end,
    '/dashboard/coaching', 'Your coaching'
  )
  from (
    select m.user_id, m.business_id from public.business_members m
    union
    select e.coach_id, e.business_id from public.engagements e
    where e.closed_at is null and e.coach_id is not null
  ) who
  join public.businesses b on b.id = who.business_id
  join public.notifications n
    on n.user_id = who.user_id and n.key = 'held:' || new.id || ':' || who.business_id
  where who.business_id in (
    select g.business_id from public.session_grants g where g.order_id = new.id
  );
  return null;
end
$$;
create trigger orders_tell_of_the_end_of_a_hold after update of state on public.orders
  for each row when (old.state = 'invoiced' and new.state <> 'invoiced')
  execute function private.tell_of_hold_end();

create function private.remind_of_invoice(p_order public.orders, p_stage int) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_words record;
  v_email text;
begin
  select * into v_words from private.reminder_words(p_order, p_stage);
  perform private.notify(
    p_order.buyer_id, 'order', 'invoice_' || p_stage || ':' || p_order.id,
    v_words.title, v_words.body, '/dashboard/orders/' || p_order.id, 'Your invoice'
  );
  select u.email into v_email from auth.users u where u.id = p_order.buyer_id;
  if lower(p_order.billing_email) is distinct from lower(v_email) and p_order.billing_email is not null then
    perform private.send_mail(p_order.billing_email, 'invoice-reminder', jsonb_build_object(
      'title', v_words.title, 'paragraphs', string_to_array(v_words.body, E'\n')
    ));
  end if;
  -- After a stop of some weeks, the last reminder comes without those before it.
  if p_stage >= 3 then
    perform private.tell_of_hold(p_order);
  end if;
end
$$;
comment on function private.remind_of_invoice(public.orders, int) is
  'Sends one reminder of an invoice to the buyer and to the address that pays.';

create function private.remind_of_invoices() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
  v_count int := 0;
begin
  for v_order in
    select * from public.orders o
    where o.state = 'invoiced' and o.invoice_due_on <= private.coaching_day() + 7
      and o.reminders < private.reminder_stage(o.invoice_due_on)
    order by o.invoice_due_on, o.id limit 200
    for update skip locked
  loop
    perform private.remind_of_invoice(v_order, private.reminder_stage(v_order.invoice_due_on));
    update public.orders o set reminders = private.reminder_stage(v_order.invoice_due_on)
    where o.id = v_order.id;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.remind_of_invoices() is
  'Reminds buyers of invoices that are due soon, due or overdue, each time once; how many.';
insert into private.jobs (kind, every) values ('remind_of_invoices', interval '1 hour');
