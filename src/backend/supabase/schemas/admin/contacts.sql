-- Contacts as admins see them: the list, one contact with the messages of the contact form,
-- answering them, and merging two contacts of the same person.

create function public.admin_contacts(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_by_name constant boolean := coalesce(p_filter ->> 'sort' = 'name', false);
begin
  perform private.require_admin();
  perform private.audit('contact.list', 'contact', null, null, p_filter);
  return private.list_page(
    'public.contacts r',
    $row$
      jsonb_build_object(
        'name', r.name, 'email', r.email, 'user_id', r.user_id,
        'sources', array_remove(array[
          case when r.messages > 0 then 'wrote' end,
          case when r.newsletter <> 'none' then 'newsletter' end,
          case when r.user_id is not null then 'registered' end,
          case when r.imported_at is not null then 'imported' end
        ], null),
        'consent', r.newsletter, 'consented_at', r.consented_at, 'left_at', r.left_at,
        'bounced_at', r.bounced_at,
        'consent_wording', r.consent_wording,
        'businesses', case
          when r.business is null or r.business = any (r.businesses) then r.businesses
          else array_append(r.businesses, r.business)
        end,
        'state', case
          when r.waiting > 0 then 'waiting'
          when r.user_id is not null then 'registered'
          when r.newsletter = 'subscribed' then 'subscribed'
          when r.newsletter = 'left' then 'unsubscribed'
          when r.newsletter = 'bounced' then 'bounced'
          when r.messages > 0 then 'answered'
          when r.newsletter = 'pending' then 'unconfirmed'
          when r.imported_at is not null then 'imported'
          else 'inactive'
        end,
        'waiting', r.waiting, 'has_twin', r.has_twin, 'active_at', r.last_active_at,
        'hubspot', private.hubspot_state(r.id)
      )
    $row$,
    array[
      case p_filter ->> 'source'
        when 'wrote' then 'r.messages > 0'
        when 'newsletter' then 'r.newsletter in (''pending'', ''subscribed'', ''left'', ''bounced'')'
        when 'registered' then $where$r.user_id is not null$where$
        when 'imported' then $where$r.imported_at is not null$where$
      end,
      case when p_filter ->> 'consent' in ('none', 'pending', 'subscribed', 'left', 'bounced') then
        format('r.newsletter = %L', p_filter ->> 'consent')
      end,
      case p_filter ->> 'show' when 'waiting' then 'r.waiting > 0' when 'twins' then 'r.has_twin' end
    ],
    case when v_by_name then 'coalesce(r.name, r.email) collate private.by_name' else 'r.last_active_at' end,
    case when v_by_name then 'text' else 'timestamptz' end,
    not v_by_name, p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_contacts(jsonb, jsonb, int) is
  'A page of contacts by {words (of a name, email or business), source, consent, show ("waiting" for an answer, or possible "twins"), sort ("newest" activity, "name")}; see list_page.';

create function private.contact_message_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', m.id, 'topic', m.topic, 'body', m.body, 'created_at', m.created_at,
    'from', coalesce(m.from_email, c.email), 'outcome', m.outcome, 'answer', m.answer,
    'answered_at', m.answered_at, 'answered_by', private.name_of(m.answered_by)
  )
  from public.contact_messages m join public.contacts c on c.id = m.contact_id
  where m.id = p_id
$$;

create function public.admin_contact(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.contacts c where c.id = p_id) then
    return null;
  end if;
  perform private.audit('contact.read', 'contact', p_id::text);
  return (
    select jsonb_build_object(
      'id', c.id, 'name', c.name, 'email', c.email, 'other_emails', c.other_emails,
      'phone', c.phone, 'business', c.business, 'user_id', c.user_id,
      'account_state', private.account_state(c.user_id),
      'consent', c.newsletter, 'consented_at', c.consented_at, 'left_at', c.left_at,
      'bounced_at', c.bounced_at,
      'consent_wording', case when c.newsletter <> 'none' then c.consent_wording end,
      'imported_at', c.imported_at, 'created_at', c.created_at, 'active_at', c.last_active_at,
      'hubspot', private.hubspot_state(c.id),
      'businesses', (
        select coalesce(jsonb_agg(
          jsonb_build_object('id', b.id, 'name', b.name, 'role', b.role) order by b.name, b.id
        ), '[]')
        from (
          select b.id, b.name, m.role
          from public.business_members m join public.businesses b on b.id = m.business_id
          where m.user_id = c.user_id
          union all
          select b.id, b.name, 'invited'
          from public.business_invitations i join public.businesses b on b.id = i.business_id
          where i.address = c.email and i.ended is null and i.role = 'owner'
          order by 2, 1 limit 50
        ) b
      ),
      'messages', (
        select coalesce(jsonb_agg(
          private.contact_message_json(m.id) order by m.created_at desc, m.id
        ), '[]')
        from (
          select m.id, m.created_at from public.contact_messages m where m.contact_id = c.id
          order by m.created_at desc, m.id limit 100
        ) m
      ),
      'twins', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', t.id, 'name', t.name, 'email', t.email, 'registered', t.user_id is not null,
          'same', t.same
        ) order by t.email), '[]')
        from (
          select t.id, t.name, t.email, t.user_id, min(split_part(k.key, ':', 1)) as same
          from private.contact_keys k
          join private.contact_keys o on o.key = k.key and o.contact_id <> k.contact_id
          join public.contacts t on t.id = o.contact_id
          where k.contact_id = c.id
          group by t.id order by t.email limit 20
        ) t
      )
    )
    from public.contacts c where c.id = p_id
  );
end
$$;
comment on function public.admin_contact(uuid) is
  'One contact: consent, account, businesses ("invited": imported and not accepted yet), their latest 100 messages, and possible twins ("same": "mailbox", "business" or "phone"); null if there''s none.';

-- Answering -------------------------------------------------------------------------------------

create function public.answer_contact_message(p_id uuid, p_answer text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_answer text := btrim(coalesce(p_answer, ''), e' \t\r\n');
  v_message public.contact_messages;
begin
  select * into v_message from public.contact_messages m where m.id = p_id for update;
  if not found then
    raise exception 'We can’t find this message.' using errcode = 'P0002', hint = 'id';
  end if;
  if char_length(v_answer) not between 1 and 5000 then
    raise exception 'Write an answer of 1 to 5,000 characters.'
      using errcode = '22023', hint = 'answer';
  end if;
  if v_message.outcome = 'replied' then
    -- Sent twice, it goes out once.
    if v_message.answer = v_answer and v_message.answered_by = v_admin_id then
      return private.contact_message_json(p_id);
    end if;
    raise exception '% has answered this message already. Reload the page to read the answer.',
      coalesce(private.name_of(v_message.answered_by), 'Another admin') using errcode = '55000';
  end if;
  perform private.count_writes('contact_answers');
  update public.contact_messages m
  set outcome = 'replied', answer = v_answer, answered_at = now(), answered_by = v_admin_id
  where m.id = p_id;
  perform private.send_mail(coalesce(v_message.from_email, c.email), 'contact-answer', jsonb_build_object(
    'name', c.name, 'answer', v_answer, 'asked', v_message.body
  ))
  from public.contacts c where c.id = v_message.contact_id;
  perform private.audit(
    'contact.answer', 'contact', v_message.contact_id::text, null,
    jsonb_build_object('message_id', p_id)
  );
  return private.contact_message_json(p_id);
end
$$;
comment on function public.answer_contact_message(uuid, text) is
  'An admin answers a message by email; returns the message. Idempotent for the same answer by the same admin.';

create function public.set_contact_message_outcome(p_id uuid, p_outcome text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_message public.contact_messages;
begin
  select * into v_message from public.contact_messages m where m.id = p_id for update;
  if not found then
    raise exception 'We can’t find this message.' using errcode = 'P0002', hint = 'id';
  end if;
  if p_outcome not in ('elsewhere', 'not-needed') then
    raise exception 'Choose what became of the message.' using errcode = '22023', hint = 'outcome';
  end if;
  if v_message.outcome = 'replied' then
    raise exception 'The answer has been sent, so this can’t change anymore.' using errcode = '55000';
  end if;
  perform private.count_writes('contact_answers');
  update public.contact_messages m
  set outcome = p_outcome, answered_at = case when p_outcome is not null then now() end,
    answered_by = case when p_outcome is not null then v_admin_id end
  where m.id = p_id;
  perform private.audit(
    'contact.set_outcome', 'contact', v_message.contact_id::text, null,
    jsonb_build_object('message_id', p_id, 'outcome', p_outcome)
  );
  return private.contact_message_json(p_id);
end
$$;
comment on function public.set_contact_message_outcome(uuid, text) is
  'An admin says that a message was answered "elsewhere" or that an answer is "not-needed", or (null) that it waits after all; returns the message.';

-- Merging ---------------------------------------------------------------------------------------

create function private.contact_merge(p_keep public.contacts, p_drop public.contacts) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'refusal', case
      when p_keep.id = p_drop.id then 'Choose two different contacts.'
      when p_keep.user_id is not null and p_drop.user_id is not null
        then 'Both have an account, and accounts can’t be merged.'
      when p_drop.user_id is not null then 'Keep the one that has an account.'
    end,
    'email', p_keep.email, 'other_email', p_drop.email,
    'name', coalesce(p_keep.name, p_drop.name),
    'business', coalesce(p_keep.business, p_drop.business),
    'phone', coalesce(p_keep.phone, p_drop.phone),
    'messages', p_keep.messages + p_drop.messages,
    -- Withdrawn wins. Consent for one address isn't consent for another.
    'consent', case when p_drop.newsletter = 'left' then 'left' else p_keep.newsletter end,
    'was_subscribed', p_keep.newsletter = 'subscribed', 'other_consent', p_drop.newsletter
  )
$$;
comment on function private.contact_merge(public.contacts, public.contacts) is
  'What a merge would leave, and why it''s refused, if it is.';

create function public.admin_contact_merge(p_keep uuid, p_drop uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_keep public.contacts;
  v_drop public.contacts;
begin
  perform private.require_admin();
  select * into v_keep from public.contacts c where c.id = p_keep;
  select * into v_drop from public.contacts c where c.id = p_drop;
  if v_keep.id is null or v_drop.id is null then
    return null;
  end if;
  perform private.audit(
    'contact.preview_merge', 'contact', p_keep::text, null, jsonb_build_object('other', p_drop)
  );
  return private.contact_merge(v_keep, v_drop);
end
$$;
comment on function public.admin_contact_merge(uuid, uuid) is
  'What merging the second contact into the first would leave: {refusal, email, other_email, name, business, phone, messages, consent, was_subscribed, other_consent}; null if there''s no such contact.';

create function public.merge_contacts(p_keep uuid, p_drop uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_keep public.contacts;
  v_drop public.contacts;
  v_merged jsonb;
begin
  -- In one order, so that two admins who merge the same two don't wait for each other.
  perform from public.contacts c where c.id in (p_keep, p_drop) order by c.id for update;
  select * into v_keep from public.contacts c where c.id = p_keep;
  select * into v_drop from public.contacts c where c.id = p_drop;
  if v_keep.id is null or v_drop.id is null then
    raise exception 'We can’t find this contact.' using errcode = 'P0002', hint = 'id';
  end if;
  v_merged := private.contact_merge(v_keep, v_drop);
  if v_merged ->> 'refusal' is not null then
    raise exception '%', v_merged ->> 'refusal' using errcode = '55000';
  end if;
  perform private.count_writes('contact_merges');
  update public.contact_messages m
  set contact_id = p_keep, from_email = coalesce(m.from_email, v_drop.email)
  where m.contact_id = p_drop;
  update public.contacts c set
    name = v_merged ->> 'name', business = v_merged ->> 'business', phone = v_merged ->> 'phone',
    newsletter = v_merged ->> 'consent',
    left_at = case
      when v_merged ->> 'consent' = 'left' then greatest(v_keep.left_at, v_drop.left_at)
    end,
    consent_wording = case
      when v_merged ->> 'consent' = v_keep.newsletter then v_keep.consent_wording
      else v_drop.consent_wording
    end,
    confirm_hash = case when v_merged ->> 'consent' <> 'left' then c.confirm_hash end,
    other_emails = array(
      select distinct e from unnest(v_keep.other_emails || v_drop.other_emails || v_drop.email) e
      where e <> v_keep.email order by e
    ),
    imported_at = coalesce(v_keep.imported_at, v_drop.imported_at),
    created_at = least(v_keep.created_at, v_drop.created_at),
    last_active_at = greatest(v_keep.last_active_at, v_drop.last_active_at)
  where c.id = p_keep;
  delete from public.contacts c where c.id = p_drop;
  -- The address itself stays out: it's erased with the contact, and this log isn't.
  perform private.audit(
    'contact.merge', 'contact', p_keep::text, v_reason,
    jsonb_build_object('other', p_drop, 'consent', v_merged ->> 'consent')
  );
  return jsonb_build_object('id', p_keep);
end
$$;
comment on function public.merge_contacts(uuid, uuid, text) is
  'An admin merges the second contact into the first, for good: messages move, and a withdrawn consent wins; {id}. Never two accounts.';

grant execute on function
  public.admin_contacts(jsonb, jsonb, int), public.admin_contact(uuid),
  public.answer_contact_message(uuid, text), public.set_contact_message_outcome(uuid, text),
  public.admin_contact_merge(uuid, uuid), public.merge_contacts(uuid, uuid, text)
to authenticated;
