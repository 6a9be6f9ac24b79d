SET local check_function_bodies = off;

DROP TRIGGER "message_attachments_take_their_object" ON "public"."message_attachments";

DROP FUNCTION "private"."remove_object_of_attachment"();

DROP FUNCTION "public"."send_purchase_order"(uuid, text);

CREATE TABLE "public"."order_files" (
  "id"          uuid                     NOT NULL,
  "order_id"    uuid                     NOT NULL,
  "name"        text                     NOT NULL,
  "type"        text                     NOT NULL,
  "size"        integer                  NOT NULL,
  "uploaded_by" uuid,
  "created_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "sent_at"     timestamp with time zone,
  "path"        text                     GENERATED ALWAYS AS ((((order_id)::text || '/'::text) || (id)::text)) STORED NOT NULL,
  CONSTRAINT "order_files_name_check" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  CONSTRAINT "order_files_path_key" UNIQUE (path),
  CONSTRAINT "order_files_pkey" PRIMARY KEY (id),
  CONSTRAINT "order_files_size_check" CHECK (((size >= 1) AND (size <= 10485760)))
);

ALTER TABLE "public"."order_files"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."order_files" FROM "anon", "service_role";

ALTER TABLE "public"."orders"
  ADD COLUMN "reminders" smallint NOT NULL DEFAULT 0;

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
  perform private.send_mail(v_email, 'notice', jsonb_build_object(
    'subject', 'We’ve deleted your account', 'heading', 'We’ve deleted your account',
    'paragraphs', jsonb_build_array('You asked us to 30 days ago. This is our last email. We’ll erase your address 30 days from now.'),
    'why', 'You’re getting this email because this address had an account.'
  ));
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.desk_order_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.order_json(o) || jsonb_build_object(
    'buyer', (
      select jsonb_build_object('id', u.id, 'email', u.email, 'name', private.name_of(u.id))
      from auth.users u where u.id = o.buyer_id
    ),
    'program_id', (select p.id from public.programs p where p.order_id = o.id),
    'sessions_left', case when o.business_id is not null then private.sessions_left_json(o.business_id) end
  )
  from public.orders o where o.id = p_id
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
    ('handovers', 't.from_coach_id = $1', '{engagement_id,to_coach_id,packet}'),
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

CREATE OR REPLACE FUNCTION private.forget_unsent_order_files()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_gone int;
begin
  delete from public.order_files f
  where f.sent_at is null and f.created_at < now() - interval '1 day';
  get diagnostics v_gone = row_count;
  return jsonb_build_object('gone', v_gone);
end
$function$;

CREATE OR REPLACE FUNCTION private.needs_admin_quote (
  p_order public.orders
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select p_order.tax_exempt
    or exists (
      select from public.order_lines l join public.plans p on p.key = l.plan_key
      where l.order_id = p_order.id and p.gives = 'seat'
    )
    or exists (
      select from public.audit_log l
      where l.entity = 'order' and l.entity_id = p_order.id::text and l.action = 'order.quote'
    )
$function$;

CREATE OR REPLACE FUNCTION private.opened_order_paths()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select f.path from public.audit_log l
  join public.order_files f on f.id = private.uuid_of(l.details ->> 'file_id')
  where private.is_admin() and l.actor_id = (select auth.uid())
    and l.action = 'order.open_file' and l.at > now() - interval '2 minutes'
$function$;

CREATE OR REPLACE FUNCTION private.order_file_json (
  p_file public.order_files
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_file.id, 'name', p_file.name, 'type', p_file.type, 'size', p_file.size,
    'path', p_file.path
  )
$function$;

CREATE OR REPLACE FUNCTION private.order_files_json (
  p_order_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(private.order_file_json(f) order by f.sent_at, f.id), '[]')
  from public.order_files f where f.order_id = p_order_id and f.sent_at is not null
$function$;

CREATE OR REPLACE FUNCTION private.order_json (
  p_order public.orders
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_order.id, 'method', p_order.method, 'state', p_order.state,
    'state_since', p_order.state_since, 'created_at', p_order.created_at,
    'currency', p_order.currency, 'subtotal_minor', p_order.subtotal_minor,
    'tax_minor', p_order.tax_minor, 'total_minor', p_order.total_minor,
    'paid_minor', p_order.paid_minor, 'refunded_minor', p_order.refunded_minor,
    'disputed_minor', p_order.disputed_minor, 'is_test', p_order.is_test,
    'quote_number', p_order.quote_number, 'quoted_at', p_order.quoted_at,
    'quote_expires_at', p_order.quote_expires_at, 'po_number', p_order.po_number,
    'po_received_at', p_order.po_received_at, 'invoice_number', p_order.invoice_number,
    'invoiced_at', p_order.invoiced_at, 'invoice_due_on', p_order.invoice_due_on,
    'note', p_order.note, 'tax_exempt', p_order.tax_exempt,
    'billing', jsonb_build_object(
      'name', p_order.billing_name, 'organization', p_order.billing_organization,
      'email', p_order.billing_email, 'address', p_order.billing_address,
      'region', p_order.billing_region
    ),
    'business', (
      select jsonb_build_object('id', b.id, 'name', b.name)
      from public.businesses b where b.id = p_order.business_id
    ),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'plan_key', l.plan_key, 'every', l.every, 'description', l.description,
        'quantity', l.quantity, 'unit_minor', l.unit_minor, 'amount_minor', l.amount_minor,
        'tax_name', l.tax_name, 'tax_rate', l.tax_rate, 'tax_minor', l.tax_minor
      ) order by l.position), '[]')
      from public.order_lines l where l.order_id = p_order.id
    ),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', ev.at, 'from_state', ev.from_state, 'to_state', ev.to_state, 'note', ev.note,
        'by', case
          when ev.actor_id is null then 'system' when ev.actor_id = p_order.buyer_id then 'buyer'
          else 'staff' end
      ) order by ev.id), '[]')
      from (
        select * from public.order_events x where x.order_id = p_order.id order by x.id desc limit 100
      ) ev
    ),
    'payments', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'method', p.method, 'amount_minor', p.amount_minor, 'currency', p.currency,
        'received_at', p.received_at, 'period_starts_at', p.period_starts_at,
        'period_ends_at', p.period_ends_at, 'note', p.note,
        'back_minor', s.back_minor, 'disputed_minor', s.disputed_minor
      ) order by p.received_at, p.id), '[]')
      from (
        select * from public.payments x where x.order_id = p_order.id
        order by x.received_at desc, x.id limit 200
      ) p
      join private.payment_sums(p_order.id) s on s.id = p.id
    ),
    'refunds', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'amount_minor', r.amount_minor, 'state', r.state, 'at', r.created_at, 'reason', r.reason
      ) order by r.created_at, r.id), '[]')
      from public.refunds r
      join public.payments p on p.ref = r.payment_ref and p.order_id = p_order.id
    ),
    'files', private.order_files_json(p_order.id),
    'membership', (
      select jsonb_build_object(
        'state', m.state, 'period_ends_at', m.period_ends_at, 'ends_with_period', m.ends_with_period
      )
      from public.memberships m where m.order_id = p_order.id
    ),
    'sessions', case when p_order.business_id is not null then (
      select jsonb_build_object(
        'given', coalesce(sum(g.sessions), 0), 'used', coalesce(sum(g.used), 0),
        'ends_at', max(g.ends_at)
      )
      from private.grants_of(p_order.business_id) g
      where g.order_id = p_order.id and g.sessions > 0
    ) end
  )
$function$;

CREATE OR REPLACE FUNCTION private.price_again (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_line public.order_lines;
  v_plan public.plans;
  v_price public.prices;
  v_tax public.tax_rates;
begin
  select * into v_line from public.order_lines l where l.order_id = p_order.id and l.position = 1;
  select * into v_plan from public.plans p where p.key = v_line.plan_key;
  v_price := private.price_for(
    v_plan, v_line.every, p_order.method, v_line.quantity, p_order.business_id
  );
  select * into v_tax from public.tax_rates t where t.region = p_order.billing_region;
  update public.order_lines l set
    unit_minor = v_price.amount_minor, tax_name = v_tax.name, tax_rate = coalesce(v_tax.rate, 0)
  where l.order_id = p_order.id and l.position = 1;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_invoice (
  p_order public.orders,
  p_stage integer
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_invoices()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.reminder_stage (
  p_due_on date
)
  RETURNS smallint
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select case
    when private.coaching_day() >= p_due_on + 30 then 4
    when private.coaching_day() >= p_due_on + 15 then 3
    when private.coaching_day() >= p_due_on then 2
    when private.coaching_day() >= p_due_on - 7 then 1
    else 0
  end::smallint
$function$;

CREATE OR REPLACE FUNCTION private.reminder_words (
  p_order public.orders,
  p_stage integer
)
  RETURNS TABLE (
    title text,
    body  text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.remove_object_of_row()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.jobs (kind, payload)
  select 'remove_file', jsonb_build_object('bucket', o.bucket_id, 'path', o.name)
  from storage.objects o where o.bucket_id = tg_argv[0] and o.name = old.path;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_order_file (
  p_order_id uuid,
  p_file_id  uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_file public.order_files;
begin
  select * into v_file from public.order_files f
  where f.id = p_file_id and f.order_id = p_order_id and f.uploaded_by = auth.uid() for update;
  if not found then
    raise exception 'This file is no longer available. Choose it again.'
      using errcode = '22023', hint = 'file';
  end if;
  if v_file.sent_at is not null then
    return;
  end if;
  if not private.is_stored('order-files', v_file.path, v_file.type, v_file.size) then
    raise exception 'The file didn’t upload completely. Send it again.'
      using errcode = '55000', hint = 'file';
  end if;
  update public.order_files f set sent_at = now() where f.id = p_file_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_hold (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_quote (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_order.state = 'quoted' then
    perform private.notify(
      p_order.buyer_id, 'order', 'quoted:' || p_order.id || ':' || p_order.quoted_at,
      'Your quote ' || p_order.quote_number || ' is ready',
      private.money_words(p_order.total_minor, p_order.currency)
        || E', good for 60 days.\nPrint it, and send us your purchase order on the same page.',
      '/dashboard/orders/' || p_order.id, 'Your quote'
    );
  end if;
  perform private.notify_admins(
    'order', 'order:' || p_order.id || coalesce(':' || p_order.quoted_at, ''),
    case p_order.state when 'quoted' then 'A new quote: ' || p_order.quote_number
      else 'Someone is waiting for a quote' end,
    coalesce(p_order.billing_organization, p_order.billing_name, 'A buyer') || ' asked for '
      || private.order_words(p_order.id) || '.',
    '/admin/orders/' || p_order.id, 'Open the order'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.unsent_order_paths()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select f.path from public.order_files f
  where f.uploaded_by = (select auth.uid()) and f.sent_at is null
$function$;

CREATE OR REPLACE FUNCTION public.begin_order_file (
  p_id       uuid,
  p_order_id uuid,
  p_name     text,
  p_type     text,
  p_size     integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_order_id);
  v_file public.order_files;
begin
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_file from public.order_files f where f.id = p_id;
  if found then
    if v_file.order_id <> p_order_id or v_file.uploaded_by is distinct from auth.uid() then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.order_file_json(v_file);
  end if;
  if v_order.state not in ('quoted', 'po_received') then
    raise exception 'A file goes with the purchase order for a quote.'
      using errcode = '55000', hint = 'state';
  end if;
  perform private.check_file('order-files', p_name, p_type, p_size);
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.order_files (id, order_id, name, type, size, uploaded_by)
  values (p_id, p_order_id, private.file_name(p_name, p_type), p_type, p_size, auth.uid())
  returning * into v_file;
  return private.order_file_json(v_file);
end
$function$;

REVOKE ALL ON FUNCTION "public"."begin_order_file"(uuid, uuid, text, text, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.export_account()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_email text := (select lower(u.email) from auth.users u where u.id = v_user_id);
  v_business_ids uuid[] := array(
    select m.business_id from public.business_members m where m.user_id = v_user_id
  );
  v_folders text[] := array(select m::text from private.merged_ids(v_business_ids) m);
  v_part record;
  v_rows jsonb;
  v_tables jsonb := '{}';
begin
  perform private.count_writes('exports');
  for v_part in select p.name, p.rows, p.hidden from private.export_parts() p loop
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(t) - $4), ''[]'') from %I.%I t where %s',
      case v_part.name when 'mails' then 'private' else 'public' end,
      replace(v_part.name, '_as_coach', ''), v_part.rows
    ) into v_rows using v_user_id, v_email, v_business_ids, v_part.hidden;
    v_tables := v_tables || jsonb_build_object(v_part.name, v_rows);
  end loop;
  return jsonb_build_object(
    'made_at', now(),
    'account', (
      select jsonb_build_object(
        'id', u.id, 'email', u.email, 'new_email', nullif(u.email_change, ''),
        'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at,
        'last_sign_in_at', u.last_sign_in_at, 'said_at_registration', u.raw_user_meta_data
      )
      from auth.users u where u.id = v_user_id
    ),
    'sessions', private.sessions_json(v_user_id),
    'second_factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', f.friendly_name, 'kind', f.factor_type, 'state', f.status, 'added_at', f.created_at
      ))
      from auth.mfa_factors f where f.user_id = v_user_id
    ), '[]'),
    'tables', v_tables,
    'files', coalesce((
      select jsonb_agg(jsonb_build_object(
        'bucket', o.bucket_id, 'path', o.name, 'size', (o.metadata ->> 'size')::bigint,
        'name', coalesce(f.name, a.name, r.name, pg_catalog.regexp_replace(o.name, '^.*/', ''))
      ) order by o.bucket_id, o.name)
      from storage.objects o
      left join public.project_files f on o.bucket_id = 'project-files' and f.path = o.name
      left join public.message_attachments a on o.bucket_id = 'message-files' and a.path = o.name
      left join public.order_files r on o.bucket_id = 'order-files' and r.path = o.name
      -- Each folder in its own bucket: ids come from browsers, and one may name two things.
      where o.bucket_id = 'avatars' and split_part(o.name, '/', 1) = v_user_id::text
        or o.bucket_id = 'project-files' and split_part(o.name, '/', 1) = any (v_folders)
        -- Of a conversation that they have left they can download nothing any more.
        or a.uploaded_by = v_user_id and a.state = 'stored'
          and a.conversation_id in (select private.my_conversation_ids())
        or r.order_id in (select d.id from public.orders d where d.buyer_id = v_user_id)
    ), '[]')
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.open_order_file (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_file public.order_files;
begin
  perform private.require_admin();
  select * into v_file from public.order_files f where f.id = p_id and f.sent_at is not null;
  if not found then
    raise exception 'We can’t find this file.' using errcode = 'P0002', hint = 'id';
  end if;
  perform private.audit(
    'order.open_file', 'order', v_file.order_id::text, null, jsonb_build_object('file_id', p_id)
  );
  return private.order_file_json(v_file);
end
$function$;

REVOKE ALL ON FUNCTION "public"."open_order_file"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.request_quote (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_id);
begin
  -- Its hour hasn't come yet (private.expire_quotes), but it has expired.
  if v_order.state = 'quoted' and v_order.quote_expires_at <= now() then
    update public.orders o set state = 'expired' where o.id = p_id returning * into v_order;
  end if;
  -- Asked twice.
  if v_order.state in ('draft', 'quoted') and v_order.method = 'purchase_order' then
    return private.order_json(v_order);
  end if;
  if v_order.business_id is not null then
    perform private.require_member(v_order.business_id);
  end if;
  if v_order.method <> 'purchase_order' or v_order.state <> 'expired' then
    raise exception 'Only an expired quote can be renewed.' using errcode = '55000', hint = 'state';
  end if;
  if private.needs_admin_quote(v_order) then
    perform private.take_order_step(v_order, 'draft', 'buyer');
  else
    perform private.price_again(v_order);
    perform private.quote_order(p_id);
  end if;
  select * into v_order from public.orders o where o.id = p_id;
  perform private.tell_of_quote(v_order);
  return private.order_json(v_order);
end
$function$;

REVOKE ALL ON FUNCTION "public"."request_quote"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.send_purchase_order (
  p_id        uuid,
  p_po_number text,
  p_file_id   uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_id);
  v_number text := private.clean_line(
    private.clean_text(p_po_number, 60, 'po_number', 'Enter the number of your purchase order.'), 60
  );
begin
  -- Sent twice, or the file comes after the number.
  if v_order.state = 'po_received' and v_order.po_number = v_number then
    if p_file_id is not null then
      perform private.send_order_file(p_id, p_file_id);
    end if;
    return private.order_json(v_order);
  end if;
  perform private.accept_purchase_order(v_order, v_number, 'buyer');
  if p_file_id is not null then
    perform private.send_order_file(p_id, p_file_id);
  end if;
  perform private.notify_admins(
    'order', 'po:' || p_id, 'A purchase order for ' || v_order.quote_number,
    coalesce(v_order.billing_organization, v_order.billing_name, 'A buyer')
      || ' sent number ' || v_number || '. Confirm it with an invoice.',
    '/admin/orders/' || p_id, 'Open the order'
  );
  select * into v_order from public.orders o where o.id = p_id;
  return private.order_json(v_order);
end
$function$;

REVOKE ALL ON FUNCTION "public"."send_purchase_order"(uuid, text, uuid) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "public"."order_files"
  ADD CONSTRAINT "order_files_order_id_fkey" FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE;

ALTER TABLE "public"."order_files"
  ADD CONSTRAINT "order_files_uploaded_by_fkey" FOREIGN KEY (uploaded_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."orders"
  ADD CONSTRAINT "orders_reminders_check" CHECK (((reminders >= 0) AND (reminders <= 4)));

CREATE INDEX order_files_order_id_idx ON public.order_files USING btree (order_id);

CREATE INDEX order_files_unsent_idx ON public.order_files USING btree (created_at)
  WHERE (sent_at IS NULL);

CREATE INDEX order_files_uploaded_by_idx ON public.order_files USING btree (uploaded_by);

CREATE TRIGGER message_attachments_take_their_object
  AFTER DELETE ON public.message_attachments
  FOR EACH ROW
  EXECUTE FUNCTION private.remove_object_of_row('message-files');

CREATE TRIGGER order_files_insert_is_limited AFTER INSERT ON public.order_files REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('order_files', 'each row');

CREATE TRIGGER order_files_per_order_id_are_limited AFTER INSERT ON public.order_files REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'order_id'
);

CREATE TRIGGER order_files_take_their_object
  AFTER DELETE ON public.order_files
  FOR EACH ROW
  EXECUTE FUNCTION private.remove_object_of_row('order-files');

CREATE POLICY "Buyers read the files of their orders" ON "public"."order_files"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (order_id = ANY (ARRAY( SELECT o.id
   FROM public.orders o)))));

CREATE POLICY "Files of orders are read by buyers and admins who opened them" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING (((bucket_id = 'order-files'::text) AND ( SELECT private.session_ok() AS session_ok) AND ((EXISTS ( SELECT
   FROM public.order_files f
  WHERE (f.path = objects.name))) OR (name = ANY (ARRAY( SELECT private.opened_order_paths() AS opened_order_paths))))));

CREATE POLICY "Files of orders are stored where they are awaited" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH
    CHECK
    (((bucket_id = 'order-files'::text) AND ( SELECT private.session_ok() AS session_ok) AND (name = ANY (ARRAY( SELECT private.unsent_order_paths() AS unsent_order_paths)))));

CREATE POLICY "Files of orders are taken away before they are sent" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING (((bucket_id = 'order-files'::text) AND ( SELECT private.session_ok() AS session_ok) AND (name = ANY (ARRAY( SELECT private.unsent_order_paths() AS unsent_order_paths)))));

COMMENT ON FUNCTION "private"."desk_order_json"(uuid) IS 'An order for an admin: private.order_json with {buyer: {id, email, name} or null, program_id, sessions_left (of its business, as private.sessions_left_json, or null)}.';

COMMENT ON FUNCTION "private"."forget_unsent_order_files"() IS 'Removes files of orders that weren''t sent within a day, with their objects.';

COMMENT ON FUNCTION "private"."needs_admin_quote"(public.orders) IS 'Whether an admin makes an order''s quotes: of seats, for exempt organizations, and where one has agreed on a price.';

COMMENT ON FUNCTION "private"."opened_order_paths"() IS 'Files that the calling admin may read now, because the audit log says that they opened them.';

COMMENT ON FUNCTION "private"."order_json"(public.orders) IS 'An order with its lines, steps, payments, refunds, files, membership, and how many sessions it gave and of those were used.';

COMMENT ON FUNCTION "private"."price_again"(public.orders) IS 'Gives an expired quote the price and the tax of today.';

COMMENT ON FUNCTION "private"."remind_of_invoice"(public.orders, integer) IS 'Sends one reminder of an invoice to the buyer and to the address that pays.';

COMMENT ON FUNCTION "private"."remind_of_invoices"() IS 'Reminds buyers of invoices that are due soon, due or overdue, each time once; how many.';

COMMENT ON FUNCTION "private"."reminder_stage"(date) IS 'How many reminders an unpaid invoice has had by today: a week before, on the day, and 15 and 30 days after.';

COMMENT ON FUNCTION "private"."reminder_words"(public.orders, integer) IS 'What a reminder of an invoice says: {title, body}.';

COMMENT ON FUNCTION "private"."remove_object_of_row"() IS 'Trigger for tables of files: the object of a deleted row is removed from the bucket that the argument names.';

COMMENT ON FUNCTION "private"."send_order_file"(uuid, uuid) IS 'Sends a file that the caller has stored for an order, once.';

COMMENT ON FUNCTION "private"."tell_of_hold"(public.orders) IS 'Tells admins, owners and coaches, once, that an order''s sessions wait for its payment.';

COMMENT ON FUNCTION "private"."unsent_order_paths"() IS 'Where the person may store an object now, or take it away.';

COMMENT ON FUNCTION "public"."begin_order_file"(uuid, uuid, text, text, integer) IS 'A buyer announces the file of their purchase order (name, type, size in bytes); returns the file with the path to store it under. send_purchase_order sends it.';

COMMENT ON FUNCTION "public"."open_order_file"(uuid) IS 'An admin opens the file of a purchase order, which they can then read for two minutes; the file.';

COMMENT ON FUNCTION "public"."request_quote"(uuid) IS 'A buyer asks for an expired quote again, under its number: at today''s price right away, or from an admin where one made it; the order, as private.order_json.';

COMMENT ON FUNCTION "public"."send_purchase_order"(uuid, text, uuid) IS 'A buyer answers a quote with the number of their purchase order, once, and with its file if it''s stored (order_files.sql), which can also come later; the order, as private.order_json.';

COMMENT ON TABLE "public"."order_files" IS 'Purchase orders as files; the object is in the bucket order-files under its row''s path.';

REVOKE ALL ON FUNCTION "private"."forget_unsent_order_files"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."needs_admin_quote"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."opened_order_paths"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."opened_order_paths"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."order_file_json"(public.order_files) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."order_files_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."price_again"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_invoice"(public.orders, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_invoices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reminder_stage"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reminder_words"(public.orders, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remove_object_of_row"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_order_file"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_hold"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unsent_order_paths"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unsent_order_paths"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."begin_order_file"(uuid, uuid, text, text, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."open_order_file"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."request_quote"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."send_purchase_order"(uuid, text, uuid) TO "authenticated";

REVOKE ALL ON TABLE "public"."order_files" FROM "authenticated";

GRANT SELECT ON TABLE "public"."order_files" TO "authenticated";

-- Rows ------------------------------------------------------------------------------------------

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'order-files', 'order-files', false, 10485760, array['application/pdf', 'image/png', 'image/jpeg']
)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
insert into private.jobs (kind, every) values
  ('forget_unsent_order_files', interval '1 hour'),
  ('remind_of_invoices', interval '1 hour');
insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('order_files', 'order_files', 'insert', 10, 50, 'added a lot of files to orders');
insert into private.row_ceilings (on_table, per, most, counting, sentence, field) values
  ('order_files', 'order_id', 10, 'true', 'An order can have at most 10 files.', 'file');
insert into private.mail_limits (template, counter, a_day) values ('invoice-reminder', 'anyone', 8);
update private.transitions set who = '{buyer,admin}'
where entity = 'order' and from_state = 'expired' and to_state = 'quoted';
insert into private.transitions (entity, position, from_state, to_state, who, needs_note) values
  ('order', 34, 'expired', 'draft', '{buyer}', false);
