-- Recovery codes: the way in for someone who lost their authenticator apps. A code removes the apps,
-- because nothing but an app can raise a session of Supabase Auth to its second level.

create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  hash bytea not null,
  made_at timestamptz not null default now(),
  primary key (user_id, hash)
);
comment on table private.recovery_codes is
  'Hashes of the recovery codes that a person hasn''t used yet, at most ten.';

create function private.recovery_code_hash(p_user_id uuid, p_code text) returns bytea
language sql immutable set search_path = '' as $$
  -- As people type it: in any case, with any separators, and with letters that look like digits.
  -- 60 random bits need no slow hash.
  select sha256(convert_to(
    p_user_id || ':' || translate(
      regexp_replace(upper(p_code), '[^0-9A-Z]', '', 'g'), 'OIL', '011'
    ), 'UTF8'
  ))
$$;

create function private.recovery_codes_json(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when count(*) > 0 then
    jsonb_build_object('left', count(*), 'made_at', min(c.made_at)) end
  from private.recovery_codes c where c.user_id = p_user_id
$$;
comment on function private.recovery_codes_json(uuid) is
  'A person''s unused codes: {left, made_at}, or null if there are none.';

create function public.make_recovery_codes() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Crockford's base 32 (https://www.crockford.com/base32.html): without letters that look like digits.
  c_alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  c_codes constant int := 10;
  v_user_id uuid := private.require_session();
  v_random bytea;
  v_code text;
  v_codes text[] := '{}';
begin
  if private.session_state() <> 'verified' then
    raise exception 'Add an authenticator app first.' using errcode = '55000';
  end if;
  perform private.one_at_a_time('recovery-codes', v_user_id);
  perform private.require_rate_limit(
    'recovery-codes:' || v_user_id, 10, interval '1 hour',
    'You’ve made new codes ten times within an hour. Try again %s.'
  );
  delete from private.recovery_codes c where c.user_id = v_user_id;
  for v_number in 1..c_codes loop
    v_random := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    select string_agg(substr(c_alphabet, get_byte(v_random, n) % 32 + 1, 1)
        || case when n in (3, 7) then '-' else '' end, '' order by n)
    into v_code from generate_series(0, 11) n;
    v_codes := v_codes || v_code;
    insert into private.recovery_codes (user_id, hash)
    values (v_user_id, private.recovery_code_hash(v_user_id, v_code));
  end loop;
  perform private.audit('recovery_codes.make', 'user', v_user_id::text);
  return jsonb_build_object(
    'codes', v_codes, 'recovery_codes', private.recovery_codes_json(v_user_id)
  );
end
$$;
comment on function public.make_recovery_codes() is
  'Replaces the caller''s recovery codes; takes a session whose second factor is verified: {codes (shown this once: ten, as XXXX-XXXX-XXXX), recovery_codes}.';

create function public.use_recovery_code(p_code text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
  v_left int;
begin
  if v_user_id is null or private.session_state() <> 'required' then
    raise exception 'Sign in with your password first.' using errcode = '42501';
  end if;
  perform private.require_rate_limit(
    'recovery-code:' || v_user_id, 10, interval '1 hour',
    'Too many tries. Try again %s.', 'code'
  );
  delete from private.recovery_codes c
  where c.user_id = v_user_id and c.hash = private.recovery_code_hash(v_user_id, p_code);
  if not found then
    -- An answer instead of an error, which would undo that the try was counted.
    return jsonb_build_object('used', false);
  end if;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- Whoever found the phone may be signed in on it.
  delete from auth.sessions s
  where s.user_id = v_user_id and s.id::text is distinct from auth.jwt() ->> 'session_id';
  select count(*) into v_left from private.recovery_codes c where c.user_id = v_user_id;
  perform private.audit(
    'recovery_codes.use', 'user', v_user_id::text, null, jsonb_build_object('left', v_left)
  );
  perform private.notify(
    v_user_id, 'account', 'recovery_code:' || now(), 'Someone signed in with a recovery code',
    E'It removed your authenticator apps and signed out your other devices. Until you add an app again, your password alone signs you in.\nIf this wasn’t you, choose a new password right away and write to us.',
    '/dashboard/profile/security#second-factor', 'Add an app'
  );
  return jsonb_build_object('used', true);
end
$$;
comment on function public.use_recovery_code(text) is
  'For a session that still needs its second factor: a right code removes every authenticator app, ends the other sessions and is used up: {used}. Ten tries an hour.';

grant execute on function public.make_recovery_codes(), public.use_recovery_code(text)
to authenticated;
