-- Feature toggles: what admins can turn off, or on for some people, without a release. The code has
-- a default for each, for when they can't be read; see src/domain/toggle.ts.

create table private.toggles (
  key text primary key check (key ~ '^[a-z]+(-[a-z]+)*$'),
  description text not null check (char_length(description) between 10 and 300),
  audience text not null default 'everyone'
    check (audience in ('off', 'everyone', 'roles', 'percentage')),
  roles text[] not null default '{}' check (roles <@ array['owner', 'coach', 'admin']),
  percentage int check (percentage between 1 and 99),
  -- When somebody should look at it again. Nothing happens by itself on that day.
  expires_on date,
  owner_id uuid references auth.users (id) on delete set null,
  updated_at timestamptz not null default now(),
  check ((audience = 'roles') = (roles <> '{}')),
  check ((audience = 'percentage') = (percentage is not null))
);
comment on table private.toggles is 'Feature toggles, and who each is on for.';
create index toggles_owner_id_idx on private.toggles (owner_id);

insert into private.toggles (key, description) values
  ('registration', 'New accounts. While it’s off, only people who were invited to a business can register.'),
  ('coaching-requests', 'Asking for a coach. While it’s off, owners see that requests are paused.'),
  ('message-files', 'Adding files to messages. Files that were sent before can still be opened.');

create function private.share_of(p_key text, p_user_id uuid) returns int
language sql immutable set search_path = '' as $$
  -- Two bytes: 36 of 65,536 make the first 36 numbers likelier, by a thousandth.
  select (get_byte(h.hash, 0) * 256 + get_byte(h.hash, 1)) % 100
  from (select sha256(convert_to(p_key || ':' || p_user_id, 'UTF8')) as hash) h
$$;
comment on function private.share_of(text, uuid) is
  'A person''s number from 0 to 99, which stays the same for a toggle and differs between toggles.';

create function public.toggles_on() returns jsonb
language sql stable security definer set search_path = '' as $$
  -- All in one look, because every page asks. For visitors, only those for everyone.
  select coalesce(jsonb_agg(t.key order by t.key), '[]')
  from private.toggles t
  cross join (select auth.uid()) a (id)
  where case t.audience
    when 'everyone' then true
    when 'roles' then a.id is not null and private.role_of(a.id) = any (t.roles)
    when 'percentage' then a.id is not null and private.share_of(t.key, a.id) < t.percentage
    else false
  end
$$;
comment on function public.toggles_on() is
  'The keys of the toggles that are on for the caller: [key]. For visitors, those that are on for everyone.';
grant execute on function public.toggles_on() to anon, authenticated;

create function private.toggle_on(p_key text) returns boolean
language sql stable security definer set search_path = '' as $$
  select public.toggles_on() ? p_key
$$;
comment on function private.toggle_on(text) is 'Whether a toggle is on for the caller; see toggles_on.';

create function private.may_register(p_email text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.toggle_on('registration')
    or exists (
      select from public.business_invitations i
      where i.address = lower(btrim(p_email)) and i.ended is null and i.expires_at > now()
    );
end
$$;
comment on function private.may_register(text) is
  'Whether an account can be created for an address: registration is open, or the address was invited.';

create function public.admin_toggles(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('toggle.list', 'toggle', null, null, p_filter);
  return private.list_page(
    $from$
      (select t.*, t.key as id, private.name_words(t.key || ' ' || t.description) as words
       from private.toggles t) r
    $from$,
    $row$
      jsonb_build_object(
        'description', r.description, 'audience', r.audience, 'roles', r.roles,
        'percentage', r.percentage, 'expires_on', r.expires_on,
        'owner', (
          select jsonb_build_object('id', p.user_id, 'name', p.full_name)
          from public.profiles p where p.user_id = r.owner_id
        ),
        'change', (
          select jsonb_build_object(
            'at', l.at, 'reason', l.reason, 'by', private.name_of(l.actor_id)
          )
          from public.audit_log l
          where l.entity = 'toggle' and l.entity_id = r.key and l.action = 'toggle.set'
          order by l.at desc, l.id desc limit 1
        )
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'on' then $where$r.audience <> 'off'$where$
        when 'off' then $where$r.audience = 'off'$where$
        when 'review' then 'r.expires_on <= current_date + 14'
      end
    ],
    'r.key', 'text', false, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words'), 'text'
  );
end
$$;
comment on function public.admin_toggles(jsonb, jsonb, int) is
  'A page of toggles by {words (of the key or description), state ("on", "off", or "review": expires within 14 days or has expired)}; see list_page.';

create function public.set_toggle(
  p_key text, p_audience text, p_roles text[], p_percentage int, p_expires_on date,
  p_owner_id uuid, p_reason text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_roles text[] := array(select distinct x from unnest(coalesce(p_roles, '{}')) x order by x);
  v_before private.toggles;
  v_after private.toggles;
begin
  select * into v_before from private.toggles t where t.key = p_key for update;
  if not found then
    raise exception 'We can’t find this toggle.' using errcode = 'P0002', hint = 'key';
  end if;
  if p_audience is null or p_audience not in ('off', 'everyone', 'roles', 'percentage') then
    raise exception 'Say who it’s on for.' using errcode = '22023', hint = 'audience';
  end if;
  if p_audience = 'roles' and (v_roles = '{}' or not v_roles <@ array['owner', 'coach', 'admin']) then
    raise exception 'Choose at least one role.' using errcode = '22023', hint = 'roles';
  end if;
  if p_audience = 'percentage' and (p_percentage between 1 and 99) is not true then
    raise exception 'Enter a number from 1 to 99.' using errcode = '22023', hint = 'percentage';
  end if;
  if p_owner_id is not null and private.role_of(p_owner_id) <> 'admin' then
    raise exception 'The owner has to be an admin.' using errcode = '22023', hint = 'owner_id';
  end if;
  update private.toggles t set
    audience = p_audience,
    roles = case when p_audience = 'roles' then v_roles else '{}' end,
    percentage = case when p_audience = 'percentage' then p_percentage end,
    expires_on = p_expires_on, owner_id = p_owner_id, updated_at = now()
  where t.key = p_key
  returning * into v_after;
  perform private.audit('toggle.set', 'toggle', p_key, v_reason, jsonb_build_object(
    'before', to_jsonb(v_before) - 'description' - 'updated_at' - 'key',
    'after', to_jsonb(v_after) - 'description' - 'updated_at' - 'key'
  ));
  return jsonb_build_object('id', p_key);
end
$$;
comment on function public.set_toggle(text, text, text[], int, date, uuid, text) is
  'An admin says who a toggle is on for ("off", "everyone", "roles", "percentage"), when someone should look at it again and who that is, with a reason: {id}.';

grant execute on function
  public.admin_toggles(jsonb, jsonb, int),
  public.set_toggle(text, text, text[], int, date, uuid, text)
to authenticated;
