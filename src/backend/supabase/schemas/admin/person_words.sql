-- What admins find a person by: the words of their name, email address and businesses, and the state
-- of their account. They are in a table of their own because addresses and what makes the state are in
-- auth.users, which the product can't add an index to.

create table private.person_words (
  user_id uuid primary key references auth.users (id) on delete cascade,
  words tsvector not null
);
comment on table private.person_words is
  'Words of each person''s names, email address and businesses, and account_query''s word of an account that isn''t active, for admins'' searches. Triggers keep it current.';
create index person_words_words_idx on private.person_words using gin (words);
alter table private.person_words enable row level security;

create function private.account_state(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when u.banned_until > now() then 'blocked'
    when exists (select from public.account_deletions d where d.user_id = u.id) then 'leaving'
    when u.email_confirmed_at is null then 'unconfirmed'
    else 'active'
  end
  from auth.users u where u.id = p_user_id
$$;
comment on function private.account_state(uuid) is
  'active, unconfirmed (the email address), leaving (the account will be deleted) or blocked.';

create function private.account_query(p_state text) returns tsquery
language sql immutable set search_path = '' as $$
  -- No name has a word that begins with this sign, so nobody types it.
  select case when p_state in ('unconfirmed', 'leaving', 'blocked')
    then ('''=' || p_state || '''')::tsquery end
$$;
comment on function private.account_query(text) is
  'A search query for the people whose account is in this state; null for active ones, who are most.';

create function private.index_people(p_user_ids uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.person_words as w (user_id, words)
  select u.id, private.name_words(concat_ws(' ', p.full_name, p.preferred_name, u.email, (
    select string_agg(b.name, ' ' order by b.id)
    from public.business_members m
    join public.businesses b on b.id = m.business_id
    where m.user_id = u.id
  ))) || array_to_tsvector(array_remove(array['=' || private.account_state(u.id)], '=active'))
  from auth.users u
  join public.profiles p on p.user_id = u.id
  where u.id = any (p_user_ids)
  on conflict (user_id) do update set words = excluded.words where w.words <> excluded.words;
  select private.join_contacts(p_user_ids);
$$;

create function private.index_person() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_people(case tg_table_name
    when 'users' then array[(to_jsonb(new) ->> 'id')::uuid]
    when 'businesses' then array(
      select m.user_id from public.business_members m
      where m.business_id = (to_jsonb(new) ->> 'id')::uuid
    )
    else array[(coalesce(to_jsonb(new), to_jsonb(old)) ->> 'user_id')::uuid]
  end);
  return null;
end
$$;
create trigger index_person after insert or update of full_name, preferred_name on public.profiles
  for each row execute function private.index_person();
create trigger index_person after insert or delete on public.business_members
  for each row execute function private.index_person();
create trigger index_person after update of name on public.businesses
  for each row when (old.name <> new.name) execute function private.index_person();
create trigger index_person after insert or delete on public.account_deletions
  for each row execute function private.index_person();
create trigger index_person after update of email, email_confirmed_at, banned_until on auth.users
  for each row when (
    old.email is distinct from new.email
    or (old.email_confirmed_at is null) <> (new.email_confirmed_at is null)
    or old.banned_until is distinct from new.banned_until
  ) execute function private.index_person();
