-- Importing a list of people and businesses. An account needs its owner's own confirmation, so people
-- become contacts, and a business waits for them as an invitation that makes them its owner.
--
-- Every row is recognized by what it says (address, name of the business), so the same rows can be
-- sent again, after a lost connection or another day, and nothing is created twice.
--
-- What looks for a row's address or business never reads whole tables: a list fills them so fast that
-- the planner still takes them for small.

create function private.import_day(p_text text) returns date
language plpgsql immutable set search_path = '' as $$
declare
  v_parts int[] := case
    when p_text ~ '^\d{4}-\d{1,2}-\d{1,2}$' then string_to_array(p_text, '-')::int[]
    when p_text ~ '^\d{1,2}/\d{1,2}/\d{4}$' then array[
      split_part(p_text, '/', 3), split_part(p_text, '/', 1), split_part(p_text, '/', 2)
    ]::int[]
  end;
begin
  if v_parts[1] < 1900 or v_parts[2] not between 1 and 12 or v_parts[3] < 1 or v_parts[3] > extract(
    day from make_date(v_parts[1], v_parts[2], 1) + interval '1 month - 1 day'
  ) then
    return null;
  end if;
  return make_date(v_parts[1], v_parts[2], v_parts[3]);
end
$$;
comment on function private.import_day(text) is
  'A date such as 2026-11-24 or 11/24/2026; null for anything else.';

create function private.import_refusal(p_row jsonb) returns text
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.import_refusal(jsonb) is
  'Why a row can''t be imported, in words; null if it can.';

create function private.mail_claim(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_token text := private.new_secret();
  v_goes boolean;
begin
  select private.send_mail(i.address, 'business-claim', jsonb_build_object(
    'business', b.name, 'path', '/dashboard/businesses/invitation?token=' || v_token
  ), i.expires_at)
  into v_goes
  from public.business_invitations i join public.businesses b on b.id = i.business_id
  where i.id = p_id;
  -- Without an email, they find the invitation among their businesses when they sign in.
  if v_goes then
    update public.business_invitations i set token_hash = private.secret_hash(v_token), sent_at = now()
    where i.id = p_id;
  end if;
end
$$;

create function private.import_business(p_row jsonb, p_contact public.contacts, p_invite boolean)
returns jsonb
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off as $$
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
$$;
comment on function private.import_business(jsonb, public.contacts, boolean) is
  'Adds a row''s business, waiting for its owner: {business: null, "new", "joined" (added by another row) or "there", note}.';

create function private.import_row(p_row jsonb, p_invite boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off as $$
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
$$;
comment on function private.import_row(jsonb, boolean) is
  'Imports one row, or refuses it: {row, outcome: "new", "changed", "there" or "refused", business, note}.';

create function public.import_contacts(
  p_rows jsonb, p_file text, p_dry boolean, p_invite boolean default false
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_file text := private.clean_line(p_file, 200);
  v_row jsonb;
  v_results jsonb[] := '{}';
begin
  if coalesce(jsonb_typeof(p_rows), '') <> 'array' or jsonb_array_length(p_rows) not between 1 and 500
    or exists (
      select from jsonb_array_elements(p_rows) e
      where jsonb_typeof(e) <> 'object' or coalesce(jsonb_typeof(e -> 'row'), '') <> 'number'
    )
  then
    raise exception 'Send 1 to 500 rows, each with its number.' using errcode = '22023', hint = 'rows';
  end if;
  if v_file is null or p_dry is null then
    raise exception 'Say which file it is, and whether to only check it.'
      using errcode = '22023', hint = 'file';
  end if;
  perform private.count_writes(
    case when p_dry then 'import_checks' else 'imported_rows' end, jsonb_array_length(p_rows)
  );
  -- Two files at once may name the same business.
  perform private.one_at_a_time('import', '00000000-0000-0000-0000-000000000000');
  perform set_config('trellis.importing', 'on', true);
  begin
    for v_row in select e from jsonb_array_elements(p_rows) with ordinality as t (e, n) order by n loop
      v_results := v_results || private.import_row(v_row, coalesce(p_invite, false) and not p_dry);
    end loop;
    -- A check does everything and takes it back, so it finds exactly what an import would.
    if p_dry then
      raise exception 'Only a check' using errcode = 'TR001';
    end if;
  exception when sqlstate 'TR001' then
    null;
  end;
  perform set_config('trellis.importing', '', true);
  perform private.audit(
    case when p_dry then 'contact.check_import' else 'contact.import' end, 'contact', null, null,
    (
      select jsonb_object_agg(n.outcome, n.n) || jsonb_build_object('file', v_file)
      from (select r ->> 'outcome' as outcome, count(*) as n from unnest(v_results) r group by 1) n
    )
  );
  return jsonb_build_object('rows', to_jsonb(v_results));
end
$$;
comment on function public.import_contacts(jsonb, text, boolean, boolean) is
  'An admin imports up to 500 rows of a list ({row (its number), email, name, phone, business, city, postal_code, website, consent (yes or no), consent_on, consent_basis}), or only checks them (p_dry); p_invite emails the owners of new businesses. {rows: [{row, outcome, business, note}]}. Rows that were imported before change nothing.';
grant execute on function public.import_contacts(jsonb, text, boolean, boolean) to authenticated;
