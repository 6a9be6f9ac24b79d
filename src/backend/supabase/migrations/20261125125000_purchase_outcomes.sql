SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.settle_grants (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_line record;
  v_payment record;
  v_bought int;
  v_kept int;
  v_starts_at timestamptz;
  v_months int;
begin
  for v_line in
    select l.position, l.quantity, l.every, p.gives, p.sessions, p.months
    from public.order_lines l join public.plans p on p.key = l.plan_key
    where l.order_id = p_order.id and p.gives <> 'nothing'
    order by l.position
  loop
    if v_line.gives = 'membership' then
      for v_payment in select * from private.payment_sums(p_order.id) s where s.period_starts_at is not null
      loop
        v_months := case v_line.every when 'year' then 12 else 1 end;
        v_kept := private.kept_share(
          v_months, v_payment.amount_minor, v_payment.back_minor + v_payment.disputed_minor
        );
        insert into public.session_grants as g (
          source, business_id, kind, order_id, bought, sessions, starts_at, ends_at
        )
        select format('payment:%s:%s', v_payment.id, m.n), p_order.business_id, 'membership',
          p_order.id, v_line.sessions, case when m.n < v_kept then v_line.sessions else 0 end,
          v_payment.period_starts_at + make_interval(months => m.n),
          v_payment.period_starts_at + make_interval(months => m.n + v_line.months)
        from generate_series(0, v_months - 1) as m (n)
        on conflict (source) do update set sessions = excluded.sessions
        where g.sessions <> excluded.sessions;
      end loop;
      continue;
    end if;

    -- Sessions start with the invoice or, without one, with the first payment.
    v_starts_at := coalesce(
      p_order.invoiced_at, (select min(s.received_at) from private.payment_sums(p_order.id) s)
    );
    continue when v_starts_at is null;
    v_bought := v_line.quantity * case when p_order.business_id is null then 1 else v_line.sessions end;
    v_kept := case
      when p_order.state = 'invoiced' then v_bought
      -- Part of the price gives nothing yet.
      when p_order.state not in ('paid', 'part_refunded', 'refunded') then 0
      -- Of the price, since what was paid twice can go back without taking a session.
      else private.kept_share(
        v_bought, p_order.total_minor, greatest(
          p_order.total_minor - p_order.paid_minor + p_order.refunded_minor + p_order.disputed_minor,
          0
        )
      )
    end;
    if p_order.business_id is null then
      perform private.settle_seats(p_order.id, v_kept);
    else
      perform private.put_grant(
        format('order:%s:%s', p_order.id, v_line.position), p_order.business_id, 'pack', p_order.id,
        v_bought, v_kept, v_starts_at, v_starts_at + make_interval(months => v_line.months)
      );
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_payment (
  p_order_id uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.notify(
    o.buyer_id, 'order', 'paid:' || o.id, 'We’ve received your payment',
    private.money_words(o.paid_minor, o.currency) || ' for ' || private.order_words(o.id)
      || E'.\nYour receipt is with your orders.',
    case o.method when 'card' then '/dashboard/orders/' else '/purchase/success?order=' end || o.id,
    'Your receipt'
  )
  from public.orders o where o.id = p_order_id and o.buyer_id is not null
$function$;
