SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.audit (
  p_action    text,
  p_entity    text,
  p_entity_id text,
  p_reason    text  DEFAULT NULL::text,
  p_details   jsonb DEFAULT '{}'::jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into public.audit_log (actor_id, action, entity, entity_id, reason, details)
  values (auth.uid(), p_action, p_entity, p_entity_id, p_reason, coalesce(p_details, '{}'))
$function$;

CREATE OR REPLACE FUNCTION private.came_by_merge (
  p_merge public.business_merges
)
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select u::uuid from jsonb_array_elements_text(p_merge.moved -> 'business_members') u
  union
  select i.accepted_by
  from jsonb_array_elements_text(p_merge.moved -> 'business_invitations') k
  join public.business_invitations i on i.id = k::uuid
  join public.business_members m
    on m.business_id = p_merge.into_id and m.user_id = i.accepted_by and m.joined_at = i.ended_at
  where i.ended = 'accepted'
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

  -- People whom it concerns hear of it, in words that do not depend on who they are to each other.
  perform private.notify_person(
    c.person_id, v_name || ' has deleted their account',
    case when c.coached then 'They were your coach. Your coaching stays open, and we’re looking for someone else for you.'
      else 'You were their coach. The coaching has ended.' end,
    'You’re getting this email because you worked together.', 'Your coaching', '/dashboard/coaching'
  )
  from (
    select distinct case when e.coach_id = p_user_id then e.owner_id else e.coach_id end as person_id,
      e.coach_id = p_user_id as coached
    from public.engagements e
    where p_user_id in (e.owner_id, e.coach_id)
      and e.closed_at is null
  ) c
  where c.person_id is not null;

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The owner’s account was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify_person(
        m.user_id, 'You’re now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You now decide who belongs to the business and whether to archive it.',
        'You’re getting this email because you belong to the business.',
        'Open the business', '/dashboard/businesses/' || v_business.business_id
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform set_config('trellis.reason', 'The account was deleted.', true);
  update public.engagements e set note = null where e.owner_id = p_user_id and e.note is not null;
  update public.engagements e set coach_id = null
  where e.coach_id = p_user_id and e.closed_at is null;
  perform set_config('trellis.reason', '', true);

  perform private.remove_folder('avatars', p_user_id);

  delete from public.business_invitations i where i.address = lower(v_email);
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

CREATE OR REPLACE FUNCTION private.import_business (
  p_row     jsonb,
  p_contact public.contacts,
  p_invite  boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_name text := private.clean_line(p_row ->> 'business', 120);
  v_plain text := private.plain_words(v_name);
  v_city text := private.clean_line(p_row ->> 'city', 120);
  v_postal_code text := private.clean_line(p_row ->> 'postal_code', 16);
  v_address text := lower(btrim(p_row ->> 'email'));
  v_business_id uuid;
  v_is_new boolean := false;
  v_invitation_id uuid := gen_random_uuid();
begin
  if v_name is null then
    return jsonb_build_object('business', null);
  end if;
  if exists (
    select from public.business_members m join public.businesses b on b.id = m.business_id
    where m.user_id = p_contact.user_id and private.plain_words(b.name) = v_plain
  ) or exists (
    select from public.business_invitations i join public.businesses b on b.id = i.business_id
    where i.address = v_address and i.role = 'owner' and i.ended is null
      and private.plain_words(b.name) = v_plain
  ) then
    return jsonb_build_object('business', 'there');
  end if;
  -- Two people of one business, from a list: whoever comes first owns it.
  select b.id into v_business_id from public.businesses b
  where b.created_by is null and b.archived_at is null and private.plain_words(b.name) = v_plain
    and lower(coalesce(b.city, '')) = lower(coalesce(v_city, ''))
    and coalesce(b.postal_code, '') = coalesce(v_postal_code, '')
    and exists (
      select from public.business_invitations i where i.business_id = b.id and i.role = 'owner'
    )
  order by b.created_at, b.id limit 1;
  if exists (select from public.business_members m where m.business_id = v_business_id) then
    return jsonb_build_object(
      'business', 'there', 'note', format('“%s” has an owner here, who can invite them.', v_name)
    );
  end if;
  -- A list says nothing new to someone who declined: the business is there, and so is their answer.
  if exists (
    select from public.business_invitations i
    where i.business_id = v_business_id and i.address = v_address
  ) then
    return jsonb_build_object('business', 'there', 'note', 'They declined this business.');
  end if;
  if (
    select count(*) from public.business_invitations i
    where i.business_id = v_business_id and i.ended is null
  ) >= (
    select c.most from private.row_ceilings c
    where c.on_table = 'business_invitations' and c.per = 'business_id'
  ) then
    return jsonb_build_object('business', 'there', 'note', format(
      '“%s” waits for as many people as it can already, so it doesn’t wait for them.', v_name
    ));
  end if;
  if v_business_id is null then
    v_is_new := true;
    insert into public.businesses (id, name, city, postal_code, website)
    values (
      gen_random_uuid(), v_name, v_city, v_postal_code, private.clean_line(p_row ->> 'website', 300)
    )
    returning id into v_business_id;
  end if;
  insert into public.business_invitations (id, business_id, address, token_hash, role, expires_at)
  values (
    v_invitation_id, v_business_id, v_address, private.secret_hash(private.new_secret()), 'owner',
    now() + interval '1 year'
  );
  if p_invite then
    perform private.mail_claim(v_invitation_id);
  end if;
  return jsonb_build_object('business', case when v_is_new then 'new' else 'joined' end);
end
$function$;

CREATE OR REPLACE FUNCTION private.import_refusal (
  p_row jsonb
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
    when r.email = '' then 'There’s no email address.'
    when char_length(r.email) > 254
      or r.email !~ '^[^][:space:][:cntrl:]@<>"(),;:\\[]+@[^][:space:][:cntrl:]@<>"(),;:\\[]+[.][^][:space:][:cntrl:]@.<>"(),;:\\[]+$'
      then format('“%s” isn’t an email address.', left(r.email, 60))
    when char_length(r.name) > 120 then 'The name is longer than 120 characters.'
    when char_length(r.phone) > 40 then 'The phone number is longer than 40 characters.'
    when char_length(r.business) > 120 then 'The business’s name is longer than 120 characters.'
    -- It couldn't be told from another one.
    when r.business <> '' and btrim(private.plain_words(r.business)) = ''
      then 'The business’s name has no letters or digits.'
    when char_length(r.city) > 120 then 'The city is longer than 120 characters.'
    when char_length(r.postal_code) > 16 then 'The ZIP code is longer than 16 characters.'
    when r.website <> '' and (r.website !~ '^https?://' or char_length(r.website) > 300)
      then 'The website has to start with https:// or http://.'
    when r.business = '' and r.city || r.postal_code || r.website <> ''
      then 'There’s a city, ZIP code or website, and no name of a business.'
    when r.consent not in ('', 'yes', 'no')
      then format('Consent has to be yes or no. It says “%s”.', left(r.consent, 60))
    when r.consent = 'yes' and r.consent_on = '' then 'It says yes to the newsletter, but not since when.'
    when r.consent = 'yes' and private.import_day(r.consent_on) is null
      then format('“%s” isn’t a date like 2026-11-24 or 11/24/2026.', left(r.consent_on, 60))
    when r.consent = 'yes' and private.import_day(r.consent_on) > current_date + 1
      then 'The date of the consent is in the future.'
    when r.consent = 'yes' and char_length(r.basis) not between 3 and 500
      then 'It says yes to the newsletter, but not in 3 to 500 characters what they agreed to.'
  end
  from (
    select lower(btrim(coalesce(p_row ->> 'email', ''))) as email,
      coalesce(private.clean_line(p_row ->> 'name', 1000), '') as name,
      coalesce(private.clean_line(p_row ->> 'phone', 1000), '') as phone,
      coalesce(private.clean_line(p_row ->> 'business', 1000), '') as business,
      coalesce(private.clean_line(p_row ->> 'city', 1000), '') as city,
      coalesce(private.clean_line(p_row ->> 'postal_code', 1000), '') as postal_code,
      coalesce(private.clean_line(p_row ->> 'website', 1000), '') as website,
      lower(coalesce(private.clean_line(p_row ->> 'consent', 1000), '')) as consent,
      coalesce(private.clean_line(p_row ->> 'consent_on', 1000), '') as consent_on,
      coalesce(private.clean_line(p_row ->> 'consent_basis', 1000), '') as basis
  ) r
$function$;

CREATE OR REPLACE FUNCTION private.import_row (
  p_row    jsonb,
  p_invite boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_refusal text := private.import_refusal(p_row);
  v_email text := lower(btrim(p_row ->> 'email'));
  v_consents boolean := coalesce(lower(private.clean_line(p_row ->> 'consent', 1000)) = 'yes', false);
  v_contact public.contacts;
  v_before public.contacts;
  v_is_new boolean := false;
  v_business jsonb;
  v_note text;
begin
  if v_refusal is not null then
    return jsonb_build_object('row', p_row -> 'row', 'outcome', 'refused', 'business', null, 'note', v_refusal);
  end if;
  select * into v_contact from public.contacts c where c.email = v_email for update;
  if not found then
    select c.* into v_contact from private.contact_keys k
    join public.contacts c on c.id = k.contact_id and v_email = any (c.other_emails)
    where k.key = 'mailbox:' || private.mailbox_of(v_email) limit 1 for update of c;
  end if;
  if v_contact.id is null then
    insert into public.contacts (email, name, phone, business, imported_at)
    values (
      v_email, private.clean_line(p_row ->> 'name', 120), private.clean_line(p_row ->> 'phone', 40),
      private.clean_line(p_row ->> 'business', 120), now()
    )
    on conflict (email) do nothing
    returning * into v_contact;
    v_is_new := found;
    -- They wrote or registered at this moment.
    if not v_is_new then
      select * into v_contact from public.contacts c where c.email = v_email for update;
    end if;
  end if;
  v_before := v_contact;
  if not v_is_new and v_contact.user_id is null then
    -- What they told us themselves stays.
    v_contact.name := coalesce(v_contact.name, private.clean_line(p_row ->> 'name', 120));
    v_contact.phone := coalesce(v_contact.phone, private.clean_line(p_row ->> 'phone', 40));
    v_contact.business := coalesce(v_contact.business, private.clean_line(p_row ->> 'business', 120));
  end if;
  if v_consents and v_contact.newsletter = 'left' then
    v_note := 'They unsubscribed here, so they stay off the newsletter.';
  elsif v_consents and v_contact.email <> v_email then
    v_note := 'This address belongs to a merged contact, so its consent isn’t used.';
  elsif v_consents and v_contact.newsletter in ('none', 'pending') then
    v_contact.newsletter := 'subscribed';
    v_contact.consented_at := private.import_day(private.clean_line(p_row ->> 'consent_on', 1000));
    v_contact.consent_wording := private.clean_line(p_row ->> 'consent_basis', 500);
  end if;
  if v_contact is distinct from v_before then
    update public.contacts c set name = v_contact.name, phone = v_contact.phone,
      business = v_contact.business, newsletter = v_contact.newsletter,
      consented_at = v_contact.consented_at, consent_wording = v_contact.consent_wording
    where c.id = v_contact.id;
  end if;
  v_business := private.import_business(p_row, v_contact, p_invite);
  return jsonb_build_object(
    'row', p_row -> 'row',
    'outcome', case
      when v_is_new then 'new'
      when v_contact is distinct from v_before or v_business ->> 'business' in ('new', 'joined')
        then 'changed'
      else 'there'
    end,
    'business', v_business -> 'business',
    'note', nullif(concat_ws(' ', v_note, v_business ->> 'note'), '')
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_writes()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_rows int;
begin
  -- An import's rows are counted by themselves, and a merge counts once however many move: both are
  -- more than anyone writes by hand.
  if current_setting('trellis.importing', true) = 'on' or private.merging() then
    return null;
  end if;
  select count(*) into v_rows from written;
  -- One change by a procedure may move many rows, such as the tasks of a project into a new order.
  perform private.count_writes(
    tg_argv[0], case when tg_argv[1] = 'each row' then v_rows else least(v_rows, 1) end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_page (
  p_from       text,
  p_row        text,
  p_where      text[],
  p_key        text,
  p_key_type   text,
  p_descending boolean,
  p_filter     jsonb,
  p_place      jsonb,
  p_limit      integer,
  p_query      tsquery DEFAULT NULL::tsquery,
  p_id_type    text    DEFAULT 'uuid'::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_page constant int := 25;
  -- Beyond this many, rows are counted only on request: an exact count takes longer the more there are.
  c_counted constant int := 1000;
  -- Up to this many that words and conditions fit are sorted; of more, the first ones come soon
  -- along the order.
  c_few constant int := 1500;
  -- Of the first of these rows, a fifth that words fit means that most rows come soon.
  c_sample constant int := 100;
  c_limit constant int := least(greatest(coalesce(p_limit, c_page), 0), 500);
  c_backward constant boolean := coalesce(p_place ->> 'way' = 'before', false);
  v_direction text := case when p_descending <> c_backward then 'desc' else 'asc' end;
  v_where text := array_to_string(array_append(p_where, 'true'), ' and ');
  v_counted_where text;
  v_is_common boolean;
  v_found text[];
  v_rows jsonb := '[]';
  v_more boolean := false;
  v_total bigint;
begin
  -- Words that few fit lead to those; words that many fit are looked for along the order, where
  -- enough of them come soon. The function in place of its operator keeps the planner to that. It
  -- isn't asked how many there are, because it guesses, and an index reads all of a common word.
  v_counted_where := v_where;
  if p_query is not null then
    execute format(
      $q$
        select count(*) filter (where pg_catalog.ts_match_vq(s.words, $1)) * 5 >= count(*)
        from (select r.words from %1$s order by %2$s %3$s, r.id %3$s limit %4$s) s
      $q$,
      p_from, p_key, v_direction, c_sample
    ) into v_is_common using p_query;
    if not v_is_common then
      execute format(
        'select array_agg(f.id::text) from (select r.id from %s where r.words @@ $2 and %s limit %s) f',
        p_from, v_where, c_few + 1
      ) into v_found using p_filter, p_query;
    end if;
    if v_is_common or cardinality(v_found) > c_few then
      v_counted_where := v_where || case
        when v_is_common then ' and pg_catalog.ts_match_vq(r.words, $2)' else ' and r.words @@ $2' end;
      v_where := v_where || ' and pg_catalog.ts_match_vq(r.words, $2)';
      v_found := null;
    else
      v_found := coalesce(v_found, '{}');
      v_where := format('r.id = any ($3::%s[])', p_id_type);
    end if;
  end if;

  if c_limit > 0 then
    execute format(
      $q$
        select coalesce(jsonb_agg(
          %1$s || jsonb_build_object('id', r.id::text, 'key', r.list_key::text) order by r.list_place
        ) filter (where r.list_place <= %2$s), '[]'), coalesce(max(r.list_place) > %2$s, false)
        from (
          select r.*, %3$s as list_key, row_number() over (order by %3$s %4$s, r.id %4$s) as list_place
          from %5$s
          where %6$s %7$s
          order by %3$s %4$s, r.id %4$s
          limit %2$s + 1
        ) r
      $q$,
      p_row, c_limit, p_key, v_direction, p_from, v_where,
      case when p_place is null then '' else format(
        'and (%s, r.id) %s (($4 ->> ''key'')::%s, ($4 ->> ''id'')::%s)',
        p_key, case v_direction when 'asc' then '>' else '<' end, p_key_type, p_id_type
      ) end
    )
    into v_rows, v_more using p_filter, p_query, v_found, p_place;
    if c_backward then
      select jsonb_agg(e.row order by e.place desc) into v_rows
      from jsonb_array_elements(v_rows) with ordinality as e (row, place);
      v_rows := coalesce(v_rows, '[]');
    end if;
  end if;

  -- The first page counts up to a limit, a limit of 0 counts them all, and a file counts its rows.
  if coalesce(p_limit, 0) = 0 and v_found is not null then
    v_total := cardinality(v_found);
  elsif coalesce(p_limit, 0) = 0 then
    execute format(
      'select count(*) from (select from %s where %s %s) c', p_from, v_counted_where,
      case when p_limit is null then format('limit %s', c_counted + 1) else '' end
    ) into v_total using p_filter, p_query;
  end if;
  return jsonb_build_object(
    'rows', v_rows, 'more', v_more,
    'count', case when v_total is not null then jsonb_build_object(
      'total', case when p_limit is null then least(v_total, c_counted) else v_total end,
      'at_least', p_limit is null and v_total > c_counted
    ) end
  );
exception
  when invalid_text_representation or numeric_value_out_of_range or invalid_datetime_format
    or datetime_field_overflow or invalid_time_zone_displacement_value or invalid_parameter_value
  then
    raise exception 'We lost your place in the list. Start from the top.'
      using errcode = '22023', hint = 'place';
end
$function$;

CREATE OR REPLACE FUNCTION private.merged_ids (
  p_ids uuid[]
)
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with recursive merged (id) as (
    select i.id from unnest(p_ids) as i (id)
    where not exists (
      select from public.business_merges g where g.from_id = i.id and g.undone_at is null
    )
    union
    select g.from_id from merged m
    join public.business_merges g on g.into_id = m.id and g.undone_at is null
  )
  select m.id from merged m
$function$;

CREATE OR REPLACE FUNCTION private.undo_blocker (
  p_merge public.business_merges
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
    when p_merge.undone_at is not null then 'This merge was already undone.'
    when p_merge.merged_at < now() - interval '30 days'
      then 'A merge can be undone for 30 days, and this one is older.'
    when private.merged_into(p_merge.into_id) is not null then format(
      '%s was merged into %s since then. Undo that first.',
      (select b.name from public.businesses b where b.id = p_merge.into_id),
      private.merged_into(p_merge.into_id) ->> 'name'
    )
    when p_merge.members > 0 and not exists (
      select from public.business_members m where m.business_id = p_merge.from_id
    ) then 'Nobody belongs to the merged business anymore.'
    else (
      select format(
        '%s owns the other business now. They have to hand it over first.',
        coalesce(private.name_of(m.user_id), 'One of its members')
      )
      from public.business_members m
      where m.business_id = p_merge.into_id and m.role = 'owner'
        and m.user_id in (select private.came_by_merge(p_merge))
        and exists (
          select from public.business_members o
          where o.business_id = p_merge.into_id
            and o.user_id not in (select private.came_by_merge(p_merge))
        )
      limit 1
    )
  end
$function$;

CREATE OR REPLACE FUNCTION public.merge_businesses (
  p_from   uuid,
  p_into   uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_from public.businesses;
  v_into public.businesses;
  v_blockers text[];
  v_part record;
  v_keys jsonb;
  v_moved jsonb := '{}';
  v_id uuid := gen_random_uuid();
begin
  perform private.hold_businesses(p_from, p_into);
  select * into v_from from public.businesses b where b.id = p_from;
  select * into v_into from public.businesses b where b.id = p_into;
  if v_from.id is null or v_into.id is null then
    raise exception 'We can’t find this business.' using errcode = 'P0002', hint = 'id';
  end if;
  v_blockers := private.merge_blockers(p_from, p_into);
  if cardinality(v_blockers) > 0 then
    raise exception '%', v_blockers[1] using errcode = '55000';
  end if;

  perform set_config('trellis.merging', 'on', true);
  for v_part in select * from private.merge_parts() loop
    execute format(
      'with moved as (
        update public.%1$I t set business_id = $2 where t.business_id = $1 and not (%2$s)
        returning t.%3$I as key
      )
      select coalesce(jsonb_agg(m.key order by m.key), ''[]'') from moved m',
      v_part.name, v_part.stays, v_part.key
    ) into v_keys using p_from, p_into;
    v_moved := v_moved || jsonb_build_object(v_part.name, v_keys);
  end loop;
  -- They still belong to the merged one, whose page leads them on. The owner of the other stays its
  -- owner, if it has one.
  with added as (
    insert into public.business_members (business_id, user_id, role)
    select p_into, m.user_id, case when exists (
      select from public.business_members o where o.business_id = p_into and o.role = 'owner'
    ) then 'member' else m.role end
    from public.business_members m
    where m.business_id = p_from
    order by m.user_id
    on conflict (business_id, user_id) do nothing
    returning user_id
  )
  select coalesce(jsonb_agg(a.user_id order by a.user_id), '[]') into v_keys from added a;
  v_moved := v_moved || jsonb_build_object('business_members', v_keys);
  update public.businesses b set archived_at = now() where b.id = p_from and b.archived_at is null;
  perform set_config('trellis.merging', '', true);

  insert into public.business_merges (
    id, from_id, into_id, moved, archived_at, members, reason, merged_by
  ) values (
    v_id, p_from, p_into, v_moved, v_from.archived_at,
    (select count(*) from public.business_members m where m.business_id = p_from),
    v_reason, v_admin_id
  );
  perform private.settle_projects(v_moved -> 'projects');
  perform private.audit(
    'business.merge', 'business', p_from::text, v_reason,
    jsonb_build_object('business_id', p_into, 'merge_id', v_id)
  );
  perform private.tell_members(
    array[p_from, p_into], v_from.name || ' is now part of ' || v_into.name,
    'They turned out to be the same business, so their projects, results, figures and members are in one place now. If that’s wrong, write to us within 30 days.',
    p_into
  );
  return jsonb_build_object('id', v_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.save_coach_profile (
  p_id        uuid,
  p_about     text,
  p_areas     text[],
  p_capacity  integer,
  p_accepting boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_areas text[] := array(select distinct a from unnest(coalesce(p_areas, '{}')) a order by a);
begin
  if private.role_of(p_id) <> 'coach' then
    raise exception 'They aren’t a coach.' using errcode = '55000';
  end if;
  if char_length(coalesce(p_about, '')) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'about';
  end if;
  if exists (
    select from unnest(v_areas) a where a is null or a not in (select s.key from public.skill_areas s)
  ) then
    raise exception 'Choose areas from the list.' using errcode = '22023', hint = 'areas';
  end if;
  if p_capacity not between 0 and 200 then
    raise exception 'Enter a number from 0 to 200.' using errcode = '22023', hint = 'capacity';
  end if;
  insert into public.coach_profiles (user_id, about, areas, capacity, accepting)
  values (p_id, btrim(coalesce(p_about, '')), v_areas, p_capacity, coalesce(p_accepting, true))
  on conflict (user_id) do update set
    about = excluded.about, areas = excluded.areas, capacity = excluded.capacity,
    accepting = excluded.accepting, updated_at = now();
  perform private.audit(
    'coach_profile.save', 'user', p_id::text, null,
    jsonb_build_object('capacity', p_capacity, 'accepting', coalesce(p_accepting, true))
  );
  return private.coach_profile_json(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.set_blocked (
  p_id      uuid,
  p_blocked boolean,
  p_reason  text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
begin
  perform private.require_other_person(p_id);
  if p_blocked is null then
    raise exception 'Say whether to block the account.' using errcode = '22023', hint = 'blocked';
  end if;
  -- They don't become an admin at this moment.
  lock table public.staff_roles in share mode;
  -- A blocked admin can't help anyone, and nobody would know who else may do what they did.
  if p_blocked and private.role_of(p_id) = 'admin' then
    raise exception 'They’re an admin. Remove that role first.' using errcode = '55000';
  end if;
  update auth.users u
  set banned_until = case when p_blocked then now() + interval '100 years' end
  where u.id = p_id;
  if p_blocked then
    delete from auth.sessions s where s.user_id = p_id;
  end if;
  perform private.audit(
    case when p_blocked then 'account.block' else 'account.unblock' end,
    'user', p_id::text, v_reason
  );
  return jsonb_build_object('state', private.account_state(p_id));
end
$function$;

CREATE OR REPLACE FUNCTION public.set_staff_role (
  p_user_id uuid,
  p_role    text,
  p_reason  text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_before text;
begin
  if p_role is not null and p_role not in ('coach', 'admin') then
    raise exception 'A role is coach, admin or none.' using errcode = '22023', hint = 'role';
  end if;
  if not exists (select from auth.users u where u.id = p_user_id) then
    raise exception 'We can’t find this account.' using errcode = 'P0002', hint = 'user_id';
  end if;

  -- Two admins who remove each other at once would leave none.
  lock table public.staff_roles in share row exclusive mode;
  if p_role is not null then
    -- Nobody knows who chose the password of an address that isn't confirmed, and the last admin
    -- has to be someone who can sign in.
    case private.account_state(p_user_id)
      when 'unconfirmed' then
        raise exception 'They haven’t confirmed their email yet.' using errcode = '55000';
      when 'blocked' then
        raise exception 'Their account is blocked. Let them in again first.' using errcode = '55000';
      else null;
    end case;
  end if;
  v_before := private.role_of(p_user_id);
  if v_before = 'admin' and p_role is distinct from 'admin'
    and not exists (select from public.staff_roles s where s.role = 'admin' and s.user_id <> p_user_id)
  then
    raise exception 'They’re the last admin. Make someone else an admin first.' using errcode = '55000';
  end if;

  if p_role is null then
    delete from public.staff_roles s where s.user_id = p_user_id;
  else
    insert into public.staff_roles as s (user_id, role, granted_by)
    values (p_user_id, p_role, v_admin_id)
    on conflict (user_id) do update
      set role = excluded.role, granted_by = excluded.granted_by, granted_at = now()
      where s.role <> excluded.role;
  end if;

  perform private.audit(
    'staff_role.set', 'user', p_user_id::text, v_reason,
    jsonb_build_object('before', v_before, 'after', private.role_of(p_user_id))
  );
  return jsonb_build_object('user_id', p_user_id, 'role', private.role_of(p_user_id));
end
$function$;

CREATE OR REPLACE FUNCTION public.undo_merge (
  p_id     uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_merge public.business_merges;
  v_blocker text;
  v_part record;
  v_came uuid[];
  v_left uuid[];
begin
  select * into v_merge from public.business_merges g where g.id = p_id;
  if not found then
    raise exception 'We can’t find this merge.' using errcode = 'P0002', hint = 'id';
  end if;
  perform private.hold_businesses(v_merge.from_id, v_merge.into_id);
  select * into v_merge from public.business_merges g where g.id = p_id for update;
  v_blocker := private.undo_blocker(v_merge);
  if v_blocker is not null then
    raise exception '%', v_blocker using errcode = '55000';
  end if;

  -- Those who came with it leave, with coaching that they asked for since. Who accepted one of its
  -- invitations in the meantime belongs to it now.
  v_came := array(select u from private.came_by_merge(v_merge) u order by u);
  perform set_config('trellis.merging', 'on', true);
  for v_part in select * from private.merge_parts() loop
    execute format(
      'update public.%1$I t set business_id = $1
      where t.business_id = $2 and t.%2$I::text in (select jsonb_array_elements_text($3))',
      v_part.name, v_part.key
    ) using v_merge.from_id, v_merge.into_id, v_merge.moved -> v_part.name;
  end loop;
  with gone as (
    delete from public.business_members m
    where m.business_id = v_merge.into_id and m.user_id = any (v_came)
    returning m.user_id, m.role, m.joined_at
  )
  select coalesce(array_agg(g.user_id order by g.role desc, g.joined_at, g.user_id), '{}')
  into v_left from gone g;
  insert into public.business_members (business_id, user_id, role)
  select v_merge.from_id, u, case when v_merge.members = 0 and n = 1 then 'owner' else 'member' end
  from unnest(v_left) with ordinality as l (u, n)
  where not v_merge.moved -> 'business_members' ? u::text
  on conflict (business_id, user_id) do nothing;
  -- Coaching that a project was linked to while both were one isn't its business's anymore, and its
  -- coach leaves the project's conversation.
  update public.projects p set engagement_id = null
  from public.engagements e
  where e.id = p.engagement_id and p.business_id in (v_merge.from_id, v_merge.into_id)
    and e.business_id <> p.business_id;
  update public.businesses b set archived_at = v_merge.archived_at where b.id = v_merge.from_id;
  perform set_config('trellis.merging', '', true);
  perform private.withdraw_coaching(v_merge.into_id, u, 'No longer a member.')
  from unnest(v_left) as u
  where exists (
    select from public.engagements e
    where e.business_id = v_merge.into_id and e.owner_id = u and e.closed_at is null
  );

  update public.business_merges g set undone_at = now(), undone_by = v_admin_id where g.id = p_id;
  perform private.settle_projects(v_merge.moved -> 'projects');
  perform private.audit(
    'business.unmerge', 'business', v_merge.from_id::text, v_reason,
    jsonb_build_object('business_id', v_merge.into_id, 'merge_id', p_id)
  );
  perform private.tell_members(
    array[v_merge.from_id], b.name || ' is a business of its own again',
    'We had merged it with another one by mistake. Everything that came from it is back where it was.',
    b.id
  )
  from public.businesses b where b.id = v_merge.from_id;
  return jsonb_build_object('id', v_merge.from_id);
end
$function$;

COMMENT ON FUNCTION "private"."came_by_merge"(public.business_merges) IS 'Who belongs to the business that''s kept only by a merge: members of the merged one, and people who have accepted its invitations since.';

COMMENT ON FUNCTION "private"."merged_ids"(uuid[]) IS 'Businesses, and those that were merged into them, directly or through another. One that was merged counts only with the business that''s kept.';

REVOKE ALL ON FUNCTION "private"."came_by_merge"(public.business_merges) FROM PUBLIC;
