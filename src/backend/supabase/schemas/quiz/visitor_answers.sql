-- Visitor answers: what people answered before they had an account becomes their attempt, so that
-- they don't have to enter anything twice. They bring the answers from the browser (adopt_answers)
-- or, on another device, the secret under which the browser stored them (store_claim, get_claim,
-- take_claim).

create table public.quiz_claims (
  -- SHA-256 of the secret; only the browser and the confirmation link have the secret itself.
  claim_hash bytea primary key check (octet_length(claim_hash) = 32),
  version_id uuid not null references public.quiz_versions (id),
  kind text not null check (kind in ('full', 'first_look')),
  answers jsonb not null,
  confidences jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days'
);
comment on table public.quiz_claims is
  'Visitors'' answers, kept 30 days for the browser with the secret. No API role reads or writes it directly.';

create index quiz_claims_version_id_idx on public.quiz_claims (version_id);
create index quiz_claims_expires_at_idx on public.quiz_claims (expires_at);

create table public.attempt_adoptions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  attempt_id uuid not null references public.attempts (id),
  first_look_id uuid references public.attempts (id),
  created_at timestamptz not null default now()
);
comment on table public.attempt_adoptions is
  'What adopt_answers and take_claim created under an id, so that sending twice creates it once.';

create index attempt_adoptions_user_id_idx on public.attempt_adoptions (user_id);
create index attempt_adoptions_attempt_id_idx on public.attempt_adoptions (attempt_id);
create index attempt_adoptions_first_look_id_idx on public.attempt_adoptions (first_look_id);

alter table public.quiz_claims enable row level security;
alter table public.attempt_adoptions enable row level security;

-- Validating what a browser sends ---------------------------------------------------------------

create function private.read_answers(p_version_id uuid, p_kind text, p_answers jsonb)
returns table (question_key text, value smallint, applies boolean, answered_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_kind is null or p_kind not in ('full', 'first_look') then
    raise exception 'A quiz is full or a first look.' using errcode = '22023', hint = 'kind';
  end if;
  if not exists (
    select from public.quiz_versions v where v.id = p_version_id and v.state <> 'draft'
  ) then
    raise exception 'We don’t know this version of the quiz.'
      using errcode = '22023', hint = 'version_id';
  end if;
  if p_answers is null or jsonb_typeof(p_answers) <> 'array'
    or jsonb_array_length(p_answers) not between 1 and 200
    or octet_length(p_answers::text) > 65536
  then
    raise exception 'We couldn’t read these answers.' using errcode = '22023', hint = 'answers';
  end if;

  begin
    return query
      select distinct on (given.question_key)
        given.question_key, given.value, given.applies,
        least(coalesce(given.answered_at, now()), now())
      from jsonb_to_recordset(p_answers) as given (
        question_key text, value smallint, applies boolean, answered_at timestamptz
      )
      order by given.question_key, given.answered_at desc nulls last;
  exception when data_exception then
    raise exception 'We couldn’t read these answers.' using errcode = '22023', hint = 'answers';
  end;
end
$$;

create function private.check_answers(p_version_id uuid, p_kind text, p_answers jsonb)
returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.read_answers(p_version_id, p_kind, p_answers) n
    left join public.quiz_questions q
      on q.version_id = p_version_id and q.key = n.question_key
    where q.key is null
      or p_kind = 'first_look' and not q.first_look
      or n.applies is distinct from (n.value is not null)
      or n.value not between 0 and 4
  ) then
    raise exception 'These answers don’t match the questions.'
      using errcode = '22023', hint = 'answers';
  end if;
end
$$;
comment on function private.check_answers(uuid, text, jsonb) is
  'Rejects (22023) answers that are malformed or not for questions of this version and kind.';

create function private.read_confidences(p_version_id uuid, p_confidences jsonb)
returns table (area_key text, rating smallint)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_confidences is null then
    return;
  end if;
  if jsonb_typeof(p_confidences) <> 'array' or jsonb_array_length(p_confidences) > 50
    or octet_length(p_confidences::text) > 16384
  then
    raise exception 'We couldn’t read these ratings.' using errcode = '22023', hint = 'confidences';
  end if;
  begin
    return query
      select distinct on (given.area_key) given.area_key, given.rating
      from jsonb_to_recordset(p_confidences) as given (area_key text, rating smallint);
  exception when data_exception then
    raise exception 'We couldn’t read these ratings.' using errcode = '22023', hint = 'confidences';
  end;
end
$$;

create function private.check_confidences(p_version_id uuid, p_confidences jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.read_confidences(p_version_id, p_confidences) r
    left join public.quiz_version_areas a
      on a.version_id = p_version_id and a.area_key = r.area_key
    where a.area_key is null or r.rating is null or r.rating not between 1 and 5
  ) then
    raise exception 'These ratings don’t match the areas.'
      using errcode = '22023', hint = 'confidences';
  end if;
end
$$;

-- Turning answers into an attempt ---------------------------------------------------------------

create function private.adopt(
  p_id uuid,
  p_user_id uuid,
  p_version_id uuid,
  p_kind text,
  p_business_id uuid,
  p_answers jsonb,
  p_confidences jsonb
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_business_id uuid;
  v_first_look_id uuid;
  v_attempt_id uuid;
  v_open_version_id uuid;
begin
  if p_id is null then
    raise exception 'These answers need an id.' using errcode = '22023', hint = 'id';
  end if;
  v_business_id := private.business_of_quiz(p_user_id, p_business_id);
  perform private.check_answers(p_version_id, p_kind, p_answers);
  perform private.check_confidences(p_version_id, p_confidences);
  if exists (select from public.attempts t where t.id = p_id) then
    raise exception 'This attempt already exists.' using errcode = '23505', hint = 'id';
  end if;

  if p_kind = 'first_look' then
    -- The same first look may arrive twice, from the browser and by the link: it is one attempt.
    select t.id into v_first_look_id
    from public.attempts t
    where t.user_id = p_user_id and t.kind = 'first_look' and t.version_id = p_version_id
      and t.state = 'submitted' and t.business_id is not distinct from v_business_id
      and not exists (
        (
          select n.question_key, n.value, n.applies, n.answered_at
          from public.answers n where n.attempt_id = t.id
          except
          select * from private.read_answers(p_version_id, p_kind, p_answers)
        )
        union all
        (
          select * from private.read_answers(p_version_id, p_kind, p_answers)
          except
          select n.question_key, n.value, n.applies, n.answered_at
          from public.answers n where n.attempt_id = t.id
        )
      )
    limit 1;

    if v_first_look_id is null then
      v_first_look_id := p_id;
      insert into public.attempts (id, user_id, business_id, version_id, kind)
      values (p_id, p_user_id, v_business_id, p_version_id, 'first_look');
      insert into public.answers (
        attempt_id, version_id, question_key, value, applies, answered_at
      )
      select p_id, p_version_id, n.question_key, n.value, n.applies, n.answered_at
      from private.read_answers(p_version_id, p_kind, p_answers) n;
      insert into public.attempt_confidences (attempt_id, version_id, area_key, rating)
      select p_id, p_version_id, r.area_key, r.rating
      from private.read_confidences(p_version_id, p_confidences) r;
      perform private.submit_attempt(p_id);
    end if;
  end if;

  -- A full quiz stays with the version that was answered; the full quiz that a first look begins
  -- is the current one.
  v_attempt_id := private.open_attempt(
    case when p_kind = 'full' then p_id else gen_random_uuid() end,
    p_user_id,
    case when p_kind = 'full' then p_version_id else coalesce(
      (select v.id from public.quiz_versions v where v.state = 'published'), p_version_id
    ) end,
    v_business_id
  );
  select t.version_id into v_open_version_id from public.attempts t where t.id = v_attempt_id;

  -- Into an attempt of another version go the answers of questions that mean the same there. An
  -- answer that is there already stays.
  insert into public.answers (attempt_id, version_id, question_key, value, applies, answered_at)
  select v_attempt_id, v_open_version_id, n.question_key, n.value, n.applies, n.answered_at
  from private.read_answers(p_version_id, p_kind, p_answers) n
  join public.quiz_questions given
    on given.version_id = p_version_id and given.key = n.question_key
  join public.quiz_questions asked
    on asked.version_id = v_open_version_id and asked.key = given.key
    and asked.meaning = given.meaning
  on conflict (attempt_id, question_key) do nothing;

  if p_kind = 'full' then
    insert into public.attempt_confidences (attempt_id, version_id, area_key, rating)
    select v_attempt_id, v_open_version_id, r.area_key, r.rating
    from private.read_confidences(p_version_id, p_confidences) r
    join public.quiz_version_areas a
      on a.version_id = v_open_version_id and a.area_key = r.area_key
    on conflict (attempt_id, area_key) do nothing;
  end if;

  insert into public.attempt_adoptions (id, user_id, attempt_id, first_look_id)
  values (p_id, p_user_id, v_attempt_id, v_first_look_id);
  return jsonb_build_object('attempt_id', v_attempt_id, 'first_look_id', v_first_look_id);
end
$$;
comment on function private.adopt(uuid, uuid, uuid, text, uuid, jsonb, jsonb) is
  'Turns answers into a person''s attempt. Callers hold one_at_a_time(''attempts'') and have looked for p_id among the adoptions.';

create function private.adopted(p_id uuid, p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_adoption record;
begin
  select d.user_id, d.attempt_id, d.first_look_id into v_adoption
  from public.attempt_adoptions d where d.id = p_id;
  if not found then
    return null;
  end if;
  if v_adoption.user_id <> p_user_id then
    raise exception 'These answers are already in an account.' using errcode = '23505', hint = 'id';
  end if;
  return jsonb_build_object(
    'attempt_id', v_adoption.attempt_id, 'first_look_id', v_adoption.first_look_id
  );
end
$$;

create function public.adopt_answers(
  p_id uuid,
  p_version_id uuid,
  p_kind text,
  p_business_id uuid,
  p_answers jsonb,
  p_confidences jsonb default '[]'
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.one_at_a_time('attempts', v_user_id);
  return coalesce(
    private.adopted(p_id, v_user_id),
    private.adopt(
      p_id, v_user_id, p_version_id, p_kind, p_business_id, p_answers, p_confidences
    )
  );
end
$$;
comment on function public.adopt_answers(uuid, uuid, text, uuid, jsonb, jsonb) is
  'A visitor''s answers become the caller''s: {attempt_id, first_look_id}. A full quiz becomes or joins the open attempt; a first look becomes a submitted attempt and prefills the open one.';
grant execute on function public.adopt_answers(uuid, uuid, text, uuid, jsonb, jsonb)
  to authenticated;

-- Moving answers to another device --------------------------------------------------------------

create function private.claim_hash(p_claim text) returns bytea
language plpgsql immutable set search_path = '' as $$
begin
  -- 32 random bytes in base64url are 43 characters.
  if p_claim is null or p_claim !~ '^[A-Za-z0-9_-]{43,128}$' then
    raise exception 'This isn’t a claim.' using errcode = '22023', hint = 'claim';
  end if;
  return sha256(convert_to(p_claim, 'UTF8'));
end
$$;

create function public.store_claim(
  p_claim text,
  p_version_id uuid,
  p_kind text,
  p_answers jsonb,
  p_confidences jsonb default '[]'
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_hash bytea := private.claim_hash(p_claim);
  v_address text := private.client_address();
  v_expires_at timestamptz;
begin
  perform private.check_answers(p_version_id, p_kind, p_answers);
  perform private.check_confidences(p_version_id, p_confidences);
  perform private.require_fair_share(
    'store_claim', v_address, private.network_of(v_address, 24, 48), 30, 2000, interval '1 hour',
    'That’s too many at once. Try again %s.'
  );

  -- What was understood of it, not all that was sent: nobody keeps other things here.
  insert into public.quiz_claims (claim_hash, version_id, kind, answers, confidences)
  values (
    v_hash, p_version_id, p_kind,
    (select jsonb_agg(to_jsonb(n)) from private.read_answers(p_version_id, p_kind, p_answers) n),
    (
      select coalesce(jsonb_agg(to_jsonb(r)), '[]')
      from private.read_confidences(p_version_id, p_confidences) r
    )
  )
  on conflict (claim_hash) do update
    set version_id = excluded.version_id, kind = excluded.kind, answers = excluded.answers,
      confidences = excluded.confidences, created_at = excluded.created_at,
      expires_at = excluded.expires_at
  returning expires_at into v_expires_at;
  return jsonb_build_object('expires_at', v_expires_at, 'key', encode(v_hash, 'hex'));
end
$$;
comment on function public.store_claim(text, uuid, text, jsonb, jsonb) is
  'Keeps a visitor''s answers for 30 days under the hash of a secret that only their browser knows; {expires_at, key}. A registration passes the key as quiz_claim. Storing again replaces them.';
grant execute on function public.store_claim(text, uuid, text, jsonb, jsonb) to anon;

-- Anyone can put a link with a claim in an email or a page. So a claim works only for the person
-- whose registration included its key, and resending the confirmation email can't change that.
create function private.my_claim(p_claim text) returns setof public.quiz_claims
language sql stable security definer set search_path = '' as $$
  select c.* from public.quiz_claims c
  where c.claim_hash = private.claim_hash(p_claim) and c.expires_at > now() and exists (
    select from auth.users u
    where u.id = (select auth.uid())
      and u.raw_user_meta_data ->> 'quiz_claim' = encode(c.claim_hash, 'hex')
  )
$$;

create function public.get_claim(p_claim text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.claim_hash(p_claim);
  return (
    select jsonb_build_object('answers', jsonb_array_length(c.answers), 'stored_at', c.created_at)
    from private.my_claim(p_claim) c
  );
end
$$;
comment on function public.get_claim(text) is
  'What the caller''s registration left under a secret: {answers (how many), stored_at}, or null. People are asked before take_claim or remove_claim.';
grant execute on function public.get_claim(text) to authenticated;

create function public.take_claim(p_claim text, p_id uuid, p_business_id uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_adopted jsonb;
  v_claim record;
begin
  perform private.claim_hash(p_claim);
  perform private.one_at_a_time('attempts', v_user_id);
  v_adopted := private.adopted(p_id, v_user_id);
  if v_adopted is not null then
    return v_adopted;
  end if;

  delete from public.quiz_claims c
  where c.claim_hash in (select mine.claim_hash from private.my_claim(p_claim) mine)
  returning c.version_id, c.kind, c.answers, c.confidences into v_claim;
  if not found then
    return null;
  end if;
  return private.adopt(
    p_id, v_user_id, v_claim.version_id, v_claim.kind, p_business_id, v_claim.answers,
    v_claim.confidences
  );
end
$$;
comment on function public.take_claim(text, uuid, uuid) is
  'The answers that the caller''s registration left under a secret become theirs, once; returns the same as adopt_answers, or null if there are none.';
grant execute on function public.take_claim(text, uuid, uuid) to authenticated;

create function public.remove_claim(p_claim text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.claim_hash(p_claim);
  delete from public.quiz_claims c
  where c.claim_hash in (select mine.claim_hash from private.my_claim(p_claim) mine);
end
$$;
comment on function public.remove_claim(text) is
  'Deletes the answers that the caller''s registration left under a secret, because they''re someone else''s.';
grant execute on function public.remove_claim(text) to authenticated;

create function private.delete_old_claims() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.quiz_claims where expires_at <= now() returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_old_claims', interval '1 hour');
