-- The message screens' data, one query per screen.

create function private.person_json(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', p.user_id, 'name', coalesce(nullif(p.full_name, ''), 'No name given'),
      -- As role_of says it.
      'avatar_path', p.avatar_path, 'role', coalesce(r.role, 'owner')
    )
    from public.profiles p
    left join public.staff_roles r on r.user_id = p.user_id
    where p.user_id = p_user_id
  );
end
$$;
comment on function private.person_json(uuid) is 'A person as others see them: {id, name, avatar_path, role}.';

-- Statements instead of one expression: PostgreSQL would plan an expression that depends on the kind anew
-- each time, because a plan for one kind looks cheaper. That took ten times as long as the lookup.
create function private.subject_json(p_conversation public.conversations) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  case p_conversation.kind
    when 'engagement' then
      return (
        select jsonb_build_object('kind', 'engagement', 'id', e.id, 'name', b.name)
        from public.engagements e join public.businesses b on b.id = e.business_id
        where e.id = p_conversation.engagement_id
      );
    when 'project' then
      return (
        select jsonb_build_object('kind', 'project', 'id', j.id, 'name', j.title)
        from public.projects j where j.id = p_conversation.project_id
      );
    else
      return null;
  end case;
end
$$;

create function private.conversation_title(
  p_conversation public.conversations, p_user_id uuid, p_subject jsonb default null
) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  case p_conversation.kind
    when 'engagement' then
      return 'Coaching: ' || (coalesce(p_subject, private.subject_json(p_conversation)) ->> 'name');
    when 'project' then
      return coalesce(p_subject, private.subject_json(p_conversation)) ->> 'name';
    when 'support' then
      if p_conversation.about_user_id = p_user_id then
        return 'Support';
      end if;
      return coalesce(private.person_json(p_conversation.about_user_id) ->> 'name', 'Deleted account');
    else
      return coalesce((
        select private.person_json(p.user_id) ->> 'name' from public.conversation_participants p
        where p.conversation_id = p_conversation.id and p.user_id <> p_user_id
      ), 'Deleted account');
  end case;
end
$$;
comment on function private.conversation_title(public.conversations, uuid, jsonb) is
  'A conversation''s name in a person''s list. p_subject: its subject_json, if that''s known.';

create function private.conversation_json(
  p_conversation public.conversations, p_part public.conversation_participants
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_why text := private.why_closed(p_conversation, p_part.user_id);
  v_subject jsonb := private.subject_json(p_conversation);
  v_others int;
  v_people jsonb;
begin
  select count(*), coalesce(
    jsonb_agg(private.person_json(o.user_id) order by o.joined_at, o.user_id)
      filter (where o.place <= 5), '[]'
  )
  into v_others, v_people
  from (
    select p.user_id, p.joined_at, row_number() over (order by p.joined_at, p.user_id) as place
    from public.conversation_participants p
    where p.conversation_id = p_conversation.id and p.user_id <> p_part.user_id
      -- The other one of two stays in the picture.
      and (p.left_at is null or p_conversation.kind = 'direct')
  ) o;
  return jsonb_build_object(
    'id', p_conversation.id, 'kind', p_conversation.kind,
    'title', private.conversation_title(p_conversation, p_part.user_id, v_subject),
    'subject', v_subject,
    'people', v_people, 'others', v_others, 'epoch', p_conversation.epoch,
    'last_seq', p_conversation.last_seq, 'revision', p_conversation.revision,
    'read_seq', p_part.read_seq, 'from_seq', p_part.from_seq, 'unread', p_part.unread,
    'muted', p_part.muted, 'open', v_why is null, 'closed_why', v_why,
    'last_message', private.last_message_json(p_conversation, p_part.from_seq),
    'active_at', coalesce(p_part.active_at, p_conversation.created_at),
    'created_at', p_conversation.created_at,
    'draft', (
      select private.excerpt(d.body) from public.message_drafts d
      where d.user_id = p_part.user_id and d.conversation_id = p_conversation.id
    )
  );
end
$$;

create function private.like_pattern(p_text text) returns text
language sql immutable set search_path = '' as $$
  select '%' || regexp_replace(btrim(left(coalesce(p_text, ''), 100)), '([\\%_])', '\\\1', 'g') || '%'
$$;
comment on function private.like_pattern(text) is 'Search input as a pattern for ilike.';

create function private.unread_support(p_user_id uuid)
returns table (id uuid, active_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select c.id, p.active_at
  from public.conversation_participants p
  join public.conversations c on c.id = p.conversation_id
  where p.user_id = p_user_id and p.left_at is null and p.unread > 0 and c.kind = 'support'
    and c.about_user_id is distinct from p_user_id
$$;
comment on function private.unread_support(uuid) is
  'Support threads with messages that this admin hasn''t read.';

create function public.list_conversations(
  p_search text default null, p_before timestamptz default null, p_before_id uuid default null,
  p_limit int default 30, p_unread_support boolean default false
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_search text := nullif(btrim(coalesce(p_search, '')), '');
  v_pattern text := private.like_pattern(p_search);
  v_before_id uuid := coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_ids uuid[];
begin
  if p_unread_support then
    v_ids := array(
      select u.id from private.unread_support(v_user_id) u
      where (u.active_at, u.id) < (coalesce(p_before, 'infinity'), v_before_id)
      order by u.active_at desc, u.id desc
      limit v_limit + 1
    );
  elsif v_search is null then
    -- By the index of one's list, newest first: what is read grows with the page.
    v_ids := array(
      select p.conversation_id from public.conversation_participants p
      where p.user_id = v_user_id and p.left_at is null and p.active_at is not null
        and (p.active_at, p.conversation_id) < (coalesce(p_before, 'infinity'), v_before_id)
      order by p.active_at desc, p.conversation_id desc
      limit v_limit + 1
    );
  else
    v_ids := array(
      with mine as (
        select c.id, c.kind, c.engagement_id, c.project_id, c.about_user_id, p.active_at
        from public.conversation_participants p
        join public.conversations c on c.id = p.conversation_id
        where p.user_id = v_user_id and p.left_at is null and p.active_at is not null
          and (p.active_at, p.conversation_id) < (coalesce(p_before, 'infinity'), v_before_id)
      ), fitting as (
        select m.id from mine m
        join public.conversation_participants o on o.conversation_id = m.id and o.user_id <> v_user_id
        join public.profiles f on f.user_id = o.user_id
        where f.full_name ilike v_pattern
        union
        select m.id from mine m join public.projects j on j.id = m.project_id
        where j.title ilike v_pattern
        union
        select m.id from mine m
        join public.engagements e on e.id = m.engagement_id
        join public.businesses b on b.id = e.business_id
        where 'Coaching: ' || b.name ilike v_pattern
        union
        select m.id from mine m where m.about_user_id = v_user_id and 'Support' ilike v_pattern
      )
      select m.id from mine m where m.id in (select f.id from fitting f)
      order by m.active_at desc, m.id desc
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'conversations', coalesce((
      select jsonb_agg(private.conversation_json(c, p) order by n.place)
      from unnest(v_ids[:v_limit]) with ordinality as n (id, place)
      join public.conversations c on c.id = n.id
      join public.conversation_participants p
        on p.conversation_id = n.id and p.user_id = v_user_id
    ), '[]'),
    'more', cardinality(v_ids) > v_limit,
    'unread', private.unread_total(v_user_id),
    'support_id', (select c.id from public.conversations c where c.about_user_id = v_user_id)
  );
end
$$;
comment on function public.list_conversations(text, timestamptz, uuid, int, boolean) is
  'A page of the caller''s conversations, most recently active first, or those whose people or subject match a search, or an admin''s unread threads with support; {conversations, more, unread (100 means 100 or more), support_id}. The next page starts after the last one''s active_at and id.';

create function public.get_conversation(
  p_id uuid, p_limit int default 50, p_around bigint default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 50), 1), 200);
  v_conversation public.conversations;
  v_part public.conversation_participants;
  v_from bigint;
begin
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_id and p.user_id = v_user_id and p.left_at is null;
  if not found then
    return null;
  end if;
  select * into v_conversation from public.conversations c where c.id = p_id;
  v_from := v_conversation.last_seq - v_limit + 1;
  if p_around is not null then
    v_from := least(v_from, p_around - v_limit / 2);
  elsif v_part.unread > 0 then
    -- The first unread one, with ten before it.
    v_from := least(v_from, greatest(v_part.read_seq + 1, v_part.from_seq) - least(10, v_limit - 1));
  end if;
  v_from := greatest(v_from, v_part.from_seq);
  return jsonb_build_object(
    'conversation', private.conversation_json(v_conversation, v_part),
    'people', (
      select jsonb_agg(
        private.person_json(p.user_id)
          || jsonb_build_object('read_seq', p.read_seq, 'left', p.left_at is not null)
        order by p.joined_at, p.user_id
      )
      from public.conversation_participants p where p.conversation_id = p_id
    ),
    'messages', private.messages_json(v_part, v_from, v_from + v_limit - 1),
    'draft', (
      select jsonb_build_object(
        'body', d.body, 'reply_to', private.quote_json(d.reply_to, v_part.from_seq)
      )
      from public.message_drafts d where d.user_id = v_user_id and d.conversation_id = p_id
    ),
    'blocked', v_conversation.kind = 'direct' and exists (
      select from public.conversation_participants o
      join public.blocks b on b.user_id = v_user_id and b.blocked_id = o.user_id
      where o.conversation_id = p_id
    )
  );
end
$$;
comment on function public.get_conversation(uuid, int, bigint) is
  'One conversation with a page of messages: the latest, those around the first unread, or around a seq; {conversation, people (including former ones), messages, draft, blocked}. Null if it isn''t the caller''s.';

create function public.list_correspondents(p_search text default null, p_limit int default 30)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_pattern text := private.like_pattern(p_search);
  v_peopled uuid[] := array(
    select m.business_id from public.business_members m
    where m.user_id = v_user_id and exists (
      select from public.business_members o
      where o.business_id = m.business_id and o.user_id <> m.user_id
    )
  );
  v_coached uuid[] := array(
    select e.id from public.engagements e
    where (e.coach_id = v_user_id or e.business_id in (
        select m.business_id from public.business_members m where m.user_id = v_user_id
      ))
      and private.coach_of(e.id) is not null
  );
begin
  return coalesce((
    with people (user_id, words, rank) as (
      select e.coach_id, 'Your coach', 1 from public.engagements e
      where e.owner_id = v_user_id and private.coach_of(e.id) is not null
      union all
      select c.owner_id, 'Client: ' || b.name, 2
      from private.my_clients() c join public.businesses b on b.id = c.business_id
      union all
      select o.user_id, 'Member of ' || b.name, 3
      from public.business_members m
      join public.business_members o on o.business_id = m.business_id and o.user_id <> m.user_id
      join public.businesses b on b.id = m.business_id
      where m.user_id = v_user_id
    ), known as (
      -- Whoever is met in two ways stands once.
      select distinct on (p.user_id) p.user_id, p.words, p.rank, f.full_name, f.avatar_path
      from people p join public.profiles f on f.user_id = p.user_id
      where not exists (
        select from public.blocks b
        where (b.user_id, b.blocked_id) in ((v_user_id, p.user_id), (p.user_id, v_user_id))
      )
      order by p.user_id, p.rank
    ), found as (
      (
        select 1 as part, k.rank::text || lower(k.full_name) as place, 'direct' as kind,
          k.user_id as subject_id, coalesce(nullif(k.full_name, ''), 'No name given') as name,
          k.words, k.avatar_path, private.role_of(k.user_id) as role, c.id as conversation_id
        from known k
        left join public.conversations c on c.direct_pair = private.pair_of(v_user_id, k.user_id)
        where k.full_name ilike v_pattern or k.words ilike v_pattern
        order by 2 limit v_limit
      )
      union all
      (
        select 2, lower(b.name), 'engagement', e.id, 'Coaching: ' || b.name,
          case when e.owner_id = v_user_id then 'With ' else 'Owner: ' end
            || coalesce(private.name_of(case when e.owner_id = v_user_id then e.coach_id else e.owner_id end), 'No name given'),
          null, null, c.id
        from public.engagements e
        join public.businesses b on b.id = e.business_id
        left join public.conversations c on c.engagement_id = e.id
        where v_user_id in (e.owner_id, e.coach_id) and private.talking_coach(e.id) is not null
          and 'Coaching: ' || b.name ilike v_pattern
        order by 2 limit v_limit
      )
      union all
      (
        select 3, lower(j.title), 'project', j.id, j.title, 'Project at ' || b.name, null, null, c.id
        from public.projects j
        join public.businesses b on b.id = j.business_id and b.archived_at is null
        left join public.conversations c on c.project_id = j.id
        -- Somebody else has to be there: another member, or the coach of its engagement.
        where (j.business_id = any (v_peopled) or j.engagement_id = any (v_coached))
          and j.status <> 'canceled'
          and (j.title ilike v_pattern or 'Project at ' || b.name ilike v_pattern)
        order by j.updated_at desc limit v_limit
      )
      union all
      (
        select 4, '', 'support', null, 'Support', 'Our staff', null, 'admin', c.id
        from (select) as one
        left join public.conversations c on c.about_user_id = v_user_id
        where not private.is_admin() and 'Support' ilike v_pattern
      )
    )
    select jsonb_agg(jsonb_build_object(
      'kind', f.kind, 'subject_id', f.subject_id, 'name', f.name, 'words', f.words,
      'avatar_path', f.avatar_path, 'role', f.role, 'conversation_id', f.conversation_id
    ) order by f.part, f.place, f.subject_id)
    from (select * from found order by part, place, subject_id limit v_limit) f
  ), '[]');
end
$$;
comment on function public.list_correspondents(text, int) is
  'Who and what the caller can start a conversation with or about: people, coaching, projects, support last; [{kind, subject_id, name, words, avatar_path, role, conversation_id}].';

create function private.message_query(p_text text) returns tsquery
language sql stable set search_path = '' as $$
  -- Each word as a beginning: "invo mar" finds the invoice of March.
  select to_tsquery('simple', string_agg(quote_literal(w) || ':*', ' & '))
  from regexp_split_to_table(
    lower(regexp_replace(left(coalesce(p_text, ''), 200), '[''\\&|!()<>:*]+', ' ', 'g')), '\s+'
  ) w
  where w ~ '[[:alnum:]]'
$$;
comment on function private.message_query(text) is
  'A search query for messages, with every word as a prefix; null for nothing.';

create function public.search_messages(
  p_query text, p_before timestamptz default null, p_limit int default 20
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  -- Up to this many hits are sorted; of more, the newest of each conversation are looked for.
  c_few constant int := 1000;
  -- Up to this many conversations are named in the question, so that the index leads to them.
  c_named constant int := 200;
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 20), 1), 50);
  v_before timestamptz := coalesce(p_before, 'infinity');
  v_query tsquery := private.message_query(p_query);
  v_mine uuid[];
  v_fitting uuid[];
begin
  if v_query is null or numnode(v_query) = 0 then
    return '[]';
  end if;
  v_mine := array(
    select p.conversation_id from public.conversation_participants p
    where p.user_id = v_user_id and p.left_at is null and p.active_at is not null
  );
  if cardinality(v_mine) = 0 then
    return '[]';
  end if;
  v_fitting := array(
    select m.id from public.messages m
    join public.conversation_participants p
      on p.conversation_id = m.conversation_id and p.user_id = v_user_id and p.left_at is null
        and p.from_seq <= m.seq
    where m.words @@ case when cardinality(v_mine) <= c_named
        then v_query && (select string_agg(quote_literal('=' || c), ' | ')::tsquery from unnest(v_mine) c)
        else v_query end
      and m.sent_at < v_before and m.removed_at is null
    limit c_few + 1
  );
  if cardinality(v_fitting) > c_few then
    -- The function in place of its operator keeps the planner to the order of each conversation.
    v_fitting := array(
      select n.id
      from unnest(v_mine) as c (id)
      join public.conversation_participants p on p.conversation_id = c.id and p.user_id = v_user_id
      cross join lateral (
        select m.id, m.sent_at from public.messages m
        where m.conversation_id = c.id and m.seq >= p.from_seq and m.sent_at < v_before
          and m.removed_at is null and pg_catalog.ts_match_vq(m.words, v_query)
        order by m.seq desc limit v_limit
      ) n
      order by n.sent_at desc limit v_limit
    );
  end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'message_id', m.id, 'conversation_id', m.conversation_id,
      'title', private.conversation_title(c, v_user_id), 'seq', m.seq,
      'author_id', m.author_id, 'author_name', private.name_of(m.author_id),
      'excerpt', private.excerpt_around(m.body, v_query), 'sent_at', m.sent_at
    ) order by m.sent_at desc, m.id)
    from (
      select * from public.messages m where m.id = any (v_fitting)
      order by m.sent_at desc, m.id limit v_limit
    ) m
    join public.conversations c on c.id = m.conversation_id
  ), '[]');
end
$$;
comment on function public.search_messages(text, timestamptz, int) is
  'Messages the caller can read that contain every word (as a prefix), newest first: [{message_id, conversation_id, title, seq, author_id, author_name, excerpt, sent_at}]; the next page starts after the last one''s sent_at.';

create function private.excerpt_around(p_body text, p_query tsquery) returns text
language sql stable set search_path = '' as $$
  select private.excerpt(
    case
      when char_length(p_body) <= 140 then p_body
      when starts_with(ltrim(p_body), left(ltrim(h.part), 24)) then h.part
      else '… ' || h.part
    end
  )
  from ts_headline(
    'simple', coalesce(p_body, ''), p_query,
    'StartSel="", StopSel="", MaxWords=22, MinWords=12, MaxFragments=1'
  ) as h (part)
$$;
comment on function private.excerpt_around(text, tsquery) is
  'The part of a text that a search matched, as one line: all of a short one, with “…” in front if it''s not the start.';

grant execute on function
  public.list_conversations(text, timestamptz, uuid, int, boolean),
  public.get_conversation(uuid, int, bigint), public.list_correspondents(text, int),
  public.search_messages(text, timestamptz, int)
  to authenticated;
